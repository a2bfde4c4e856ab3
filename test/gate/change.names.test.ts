import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { questionText } from '../../src/cards/card.ts';
import { questionCard } from '../../src/cards/question.ts';
import { actionMessage } from '../../src/surfaces/slack/blocks/card.ts';
import { createReworder } from '../../src/surfaces/slack/people/roles.ts';
import { tools } from '../../tools/index.ts';
import { rawText } from '../snapshots/slack-text.ts';
import { call, type Json, look, openWorld, seeded, TSUID, texts, value, type World } from '../support/world.ts';

/* Whoever says yes reads whom a change concerns: names in full, every id by its name, and a line or record for each row. */

let world: World;
let client: Awaited<ReturnType<World['client']>>;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(async () => {
  await world.reset();
  await world.control('settings', { requestsPerMinute: 100_000 });
});

afterEach(async () => {
  for (const { id: name } of await world.runtime.gate.actions.list({ states: ['pending'], limit: 50 }))
    await world.runtime.ledger.decline(name, undefined);
});

const reworded = createReworder(tools);
const run = async (operation: string, input: Json) =>
  (await world.cli([operation, '--json', JSON.stringify(input), '--yes'])).json();
const asked = async (operation: string, input: Json): Promise<Json> => {
  const result = await call(client, operation, input);
  expect(result.isError, texts(result)).toBeFalsy();
  return value(result).confirmation;
};

/** A question as each surface shows it. */
async function shownOf({ id: name, url }: Json) {
  const action = await world.runtime.gate.actions.get(name);
  if (action === undefined) throw new Error(`there is no ${name}`);
  const tool = world.runtime.gate.tool(action.operation);
  const slack = rawText(actionMessage(action, { tool, reworded }) as never);
  return { terminal: questionText(questionCard(tool, action)), page: (await look(url)).html, slack };
}

describe('a name of the longest length that the platform takes', () => {
  const COMMON = 'Northwind Traders Regional Hospital Network Cardiology Emergency Line OPEN, third floor, east wing, ';
  const NAME = `${COMMON.repeat(2)}(production)`.slice(-250);
  it.each([
    ['numbers_cancel', { PhoneNumbers: [{ Number: seeded(1) }] }],
    ['numbers_update', { Number: seeded(2), AssignedSubscriberId: TSUID }],
  ])('is whole in %s, and the card has its button', async (operation, input) => {
    await run('subscribers_update', { SubscriberId: TSUID, Name: NAME });
    const confirmation = await asked(operation, input);
    const { terminal, page, slack } = await shownOf(confirmation);
    for (const text of [JSON.stringify(confirmation), terminal, page, slack]) expect(text).toContain(NAME);
    expect(slack).not.toContain('Show everything');
  });
});

it('a name that does not fit into a block takes the confirming button away', async () => {
  const { id: name } = await asked('numbers_cancel', { PhoneNumbers: [{ Number: seeded(1) }] });
  const action = await world.runtime.gate.actions.get(name);
  if (action?.consent === undefined) throw new Error('there is no question');
  const named = { ...action, consent: { ...action.consent, title: `Cancel ${'x'.repeat(4_000)}` } };
  const slack = rawText(actionMessage(named, { tool: world.runtime.gate.tool(action.operation), reworded }) as never);
  expect([slack.includes('Show everything'), slack.includes('[Cancel this number]')]).toEqual([true, false]);
});

describe('every row of a change of several lines', () => {
  const lines = [1, 3, 5].map((n) => ({ Number: seeded(n) }));
  it.each([
    ['numbers_status', { StatusChange: 'swap', AreaCode: '212', EffectiveDate: '12/31/2099', PhoneNumbers: lines }],
    ['numbers_data_usage_set', { PhoneNumbers: lines, LimitValue: 300 }],
    ['message_outbound', { To: lines, From: seeded(4), Body: 'Hello' }],
  ])('of %s %j is of a line', async (operation, input) => {
    const { changes } = await asked(operation, input);
    const of = changes.flatMap((row: Json) => row.lines ?? row.of);
    expect(of.filter((one: string) => !/^\+1201555010[1345]$/.test(one))).toEqual([]);
  });
});

describe('a text with many line breaks', () => {
  it.each([
    [30, false],
    [300, true],
  ])('%s of them: Show everything instead of the confirming button: %s', async (breaks, isFolded) => {
    const input = { To: [{ Number: '+12015550199' }], From: seeded(4), Body: `ok${'\n'.repeat(breaks)}pay 500` };
    const { slack } = await shownOf(await asked('message_outbound', input));
    expect([slack.includes('Show everything'), slack.includes('[Send')]).toEqual([isFolded, !isFolded]);
  });
});
