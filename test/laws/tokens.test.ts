import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, it } from 'vitest';
import { select } from '../../src/catalogue/operation.ts';
import type { ListedTool } from '../../src/language/assistants/own-tools.ts';
import { batchToolsFor, confirmationTools, discoverTools } from '../../src/language/assistants/own-tools.ts';
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
const figures: string[] = [];

describe('what the tool list costs a model (o200k)', () => {
  afterAll(() => console.log(figures.join('\n')));

  it('core in at most 9,030 tokens, no tool above 530', () => {
    const core = offered('core');
    const most = core.map((tool) => ({ name: tool.name, tokens: cost(tool) })).sort((a, b) => b.tokens - a.tokens);
    figures.push(`core ${sum(core)} tokens in ${core.length} tools; largest ${most[0]?.name} ${most[0]?.tokens}`);
    expect(sum(core)).toBeLessThanOrEqual(9030);
    for (const { name, tokens } of most) expect([name, tokens <= 530]).toEqual([name, true]);
  });

  it('oncall in at most 1,710', () => {
    figures.push(`oncall ${sum(offered('oncall'))} tokens in ${offered('oncall').length} tools`);
    expect(sum(offered('oncall'))).toBeLessThanOrEqual(1710);
  });

  it('all in at most 12,950', () => {
    figures.push(`all ${sum(offered('all'))} tokens in ${offered('all').length} tools`);
    expect(sum(offered('all'))).toBeLessThanOrEqual(12_950);
  });

  it('discover in at most 700', () => {
    const inBatches = listed().filter(({ batch }) => batch);
    const discover = [...discoverTools, ...batchToolsFor(inBatches, true), ...confirmationTools];
    figures.push(`discover ${sum(discover)} tokens in ${discover.length} tools; support ${sum(offered('support'))}`);
    expect(sum(discover)).toBeLessThanOrEqual(700);
  });

  it('instructions in the first 2,048 bytes, where clients cut', () => {
    // The longest: those of an operator with every tool that the rules name, but not every operation.
    const everything = { has: () => true, role: 'operator', readOnly: false, discover: true, offered: 99, all: 100 };
    const instructions = instructionsFor(everything);
    figures.push(`instructions ${Buffer.byteLength(instructions)} bytes`);
    expect(Buffer.byteLength(`${demoInstruction}\n${instructions}`)).toBeLessThanOrEqual(2048);
  });
});
