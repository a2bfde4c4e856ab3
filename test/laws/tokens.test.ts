import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { select } from '../../src/catalogue/operation.ts';
import {
  batchToolsFor,
  confirmationTools,
  discoverTools,
  type ListedTool,
} from '../../src/language/assistants/own-tools.ts';
import { listed } from '../../src/start/derive.ts';
import { presets } from '../../tools/groups.ts';
import { demoInstruction, instructionsFor } from '../../tools/surfaces/assistants.ts';

/** Returns a tool's cost for a model, in tokens: name, description and input schema. */
const cost = ({ name, description, inputSchema }: ListedTool['tool']) =>
  countTokens(JSON.stringify({ name, description, inputSchema }));
const sum = (tools: ListedTool['tool'][]) => tools.reduce((total, tool) => total + cost(tool), 0);
const offered = (toolset: string) => {
  const chosen = select(listed(), presets, { toolsets: [toolset], readOnly: false, role: 'operator' });
  const waits = chosen.some((entry) => entry.risk !== 'read');
  const inBatches = chosen.filter((entry) => entry.batch);
  const batches = inBatches.length > 0 ? batchToolsFor(inBatches, waits) : [];
  return [...chosen.map((entry) => entry.tool), ...batches, ...(waits ? confirmationTools : [])];
};

describe('what the tool list costs a model (o200k)', () => {
  it.each([
    ['core', 9030],
    ['oncall', 1710],
    ['all', 12_950],
  ])('%s in at most %i', (toolset, most) => expect(sum(offered(toolset))).toBeLessThanOrEqual(most));

  it('no tool of core above 530', () => {
    expect(offered('core').filter((tool) => cost(tool) > 530)).toEqual([]);
  });

  it('discover in at most 700', () => {
    const inBatches = listed().filter(({ batch }) => batch);
    const discover = [...discoverTools, ...batchToolsFor(inBatches, true), ...confirmationTools];
    expect(sum(discover)).toBeLessThanOrEqual(700);
  });

  it('instructions in the first 2,048 bytes, where clients cut', () => {
    // The longest: those of an operator with every tool that the rules name, but not every operation.
    const everything = { has: () => true, role: 'operator', readOnly: false, discover: true, offered: 99, all: 100 };
    const instructions = instructionsFor(everything);
    expect(Buffer.byteLength(`${demoInstruction}\n${instructions}`)).toBeLessThanOrEqual(2048);
  });
});
