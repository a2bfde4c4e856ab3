import { describe, expect, it } from 'vitest';
import type { Actor } from '../../src/lib/actor.ts';
import { DAY_MS, MINUTE_MS, systemClock } from '../../src/lib/clock.ts';
import { numbers } from '../support/batches.ts';
import { sharedLateWorld } from '../support/late-platform.ts';
import { confirm } from '../support/page.ts';
import { seeded } from '../support/seed.ts';
import { call, type Json, openWorld, until, value } from '../support/world.ts';

/* Attacks on a yes whose question rests on something else by then: it holds for what the person read, and for nothing more. */

const { platform, world, client } = await sharedLateWorld();
const LINE = { PhoneNumbers: [{ Number: seeded(4) }] };

const asked = async (operation: string, input: Record<string, unknown>): Promise<Json> =>
  value(await call(client, operation, input)).confirmation;

/** How a question ended that somebody said yes to. */
const confirmedOne = async ({ id, url }: Json): Promise<Json> => {
  await confirm(url);
  return value(await call(client, 'confirmations_get', { id }));
};

describe('a cancellation whose request stage answers the yes', () => {
  const FEE = 'You agree to pay 100 USD.';
  const answers: [string, (answer: Json) => Json, string][] = [
    ['with another statement', (answer) => ({ ...answer, ConsentStatement: FEE }), FEE],
    [
      'with another statement, under another name',
      ({ ConsentStatement: _, ...answer }) => ({ ...answer, Terms: FEE }),
      FEE,
    ],
    ['without its numbers', ({ NumbersValid: _, ...answer }) => answer, ''],
    // What became of the request stage is not what became of the cancellation.
    ['for no number', (answer) => ({ ...answer, NumbersValid: [] }), 'Nothing was done.'],
  ];
  it.each(
    answers.flatMap((one) => ['numbers_cancel', 'numbers_cancel_order_submit'].map((id) => [id, ...one] as const)),
  )('is not sent: %s, %s', async (operation, _what, rewrite, says) => {
    const order =
      operation === 'numbers_cancel' ? undefined : value(await call(client, `numbers_cancel_order_request`, LINE));
    const question = await asked(operation, order ? { OrderId: order.OrderId } : LINE);
    platform.rewrite = (answer, { path }) =>
      path.endsWith('/cancel-order-request') ? JSON.stringify(rewrite(JSON.parse(answer))) : answer;
    const { status, error } = await confirmedOne(question);
    expect({ status, outcome: error.outcome }).toEqual({ status: 'failed', outcome: 'not_done' });
    expect(error.message).toContain(says);
    expect(error.message).not.toContain('may have been done');
    expect(await world.sent('/v1.0/numbers/cancel-order-submit')).toEqual([]);
  });
});

it('a cancellation is done where this clock is ahead of the platform’s by more than an AuthCode lives', async () => {
  let ahead = 10 * MINUTE_MS;
  const other = await openWorld({}, { ...systemClock, now: () => Date.now() + ahead });
  const { id, url } = await other.asks('numbers_cancel', LINE);
  ahead += 10 * MINUTE_MS;
  await confirm(url);
  expect(await other.follows(id)).toMatchObject({ status: 'done' });
});

describe('a yes to a question that would carry a warning by now', () => {
  const limit = {
    PhoneNumbers: [{ Number: seeded(1) }],
    LimitValue: 900,
    NotifyValue: null,
    ThrottleValue: null,
    ThrottleSpeed: null,
  };
  it('sends nothing, and the next question has the warning', async () => {
    const question = await asked('numbers_data_usage_set', limit);
    await world.control('usage', { Number: seeded(1), UsedMb: 950 });
    const { error } = await confirmedOne(question);
    expect(error).toMatchObject({ reason: 'changed', message: expect.stringContaining('data stops at once') });
    expect(await world.sent('/v1.0/numbers/data-usage')).toEqual([]);
    expect(await confirmedOne(await asked('numbers_data_usage_set', limit))).toMatchObject({ status: 'done' });
  });

  it('is a yes to a question that has it', async () => {
    await world.control('usage', { Number: seeded(1), UsedMb: 950 });
    expect(await confirmedOne(await asked('numbers_data_usage_set', limit))).toMatchObject({ status: 'done' });
  });
});

describe('a batch that needs no question, read by the next process', () => {
  const desk: Actor = {
    id: 'mcp:http:desk',
    name: 'desk',
    person: 'token:desk',
    role: 'operator',
    surface: 'mcp',
    priority: 'assistant',
  };
  const tokens = (name: string) => ({
    CONFIRM_OWN: 'false',
    MCP_HTTP_TOKENS: `${name}:operator:token-of-${name},lee:approver:token-of-lee`,
  });
  const LIMIT = { operation: 'numbers_data_usage_set', list: { numbers: numbers(1, 3) }, shared: { LimitValue: 900 } };

  it.each([
    ['runs', 'desk', 0, true],
    ['is asked about, because its requester lost the token', 'other', 0, false],
    ['is asked about, because it was made a day ago', 'desk', DAY_MS, false],
  ])('%s', async (_what, name, later, runs) => {
    const first = await openWorld(tokens('desk'), systemClock, 'http');
    await first.runtime.worker.stop();
    await first.runtime.batches.create(LIMIT, desk);
    const clock = { ...systemClock, now: () => systemClock.now() + later };
    const shared = { DATA_DIR: first.folder, PLATFORM_BASE_URL: first.sandbox.url };
    const { runtime } = await openWorld({ ...tokens(name), ...shared }, clock, 'http');
    const seen = async () => [
      (await first.sent('/v1.0/numbers/data-usage')).length > 0,
      (await runtime.gate.actions.list({ states: ['pending'] })).length > 0,
    ];
    await until(async () => (await seen()).includes(true), 'it runs or is asked about');
    expect(await seen()).toEqual([runs, !runs]);
  });
});
