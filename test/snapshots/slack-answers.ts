import { actionMessage } from '../../src/surfaces/slack/blocks/card.ts';
import { resultMessage } from '../../src/surfaces/slack/blocks/result.ts';
import { createReworder } from '../../src/surfaces/slack/people/roles.ts';
import { tools } from '../../tools/index.ts';
import { example } from '../e2e/table.derived.ts';
import { type Run, rows } from '../e2e/table.rows.ts';
import type { World } from '../support/world.ts';
import type { Files } from './files.ts';
import { rawText } from './slack-text.ts';

/** Lists everything that was done before, so its answer depends on the other operations. */
const LEFT_OUT = ['events_since'];
/** The tools with an answer. The sandbox may lack the endpoint of a tool without a row. */
const answering = tools.filter(({ id }) => rows[id] !== undefined && !LEFT_OUT.includes(id));
/** A zone with another wall clock than UTC. */
const timeZone = 'America/Denver';

/**
 * The answer of every operation on the platform as it was seeded: as an answer in Slack, and as a card if a person
 * confirmed it. Times and ids differ from run to run.
 */
export async function answerFiles(world: World): Promise<Files> {
  const files: Files = {};
  const reworded = createReworder(tools);
  const run: Run = async (operation, input) => {
    const ran = await world.cli([operation, '--json', JSON.stringify(input), '--yes']);
    if (ran.code !== 0) throw new Error(`${operation}: ${ran.err}`);
    return ran.json();
  };
  for (const tool of answering) {
    const { input, before } = rows[tool.id] ?? {};
    await world.reset();
    const asked = { ...(input ?? example(tool.id)), ...(await before?.(run)) };
    const value = await run(tool.id, asked);
    const changed = tool.risk !== 'read';
    const held = { title: tool.title, value, changed, mismatched: [], notes: [], asked, timeZone };
    const parts = [rawText(resultMessage(held))];
    const [action] = changed ? await world.runtime.gate.actions.list({ limit: 1, whole: true }) : [];
    if (action?.consent) parts.push(rawText(actionMessage(action, { tool, reworded, timeZone })));
    files[`${tool.id}.txt`] = parts.join('\n=== as a card\n');
  }
  return files;
}
