import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { beforeEach, describe, expect, it } from 'vitest';
import { asks, CHANGED, ends, followed } from '../support/asking.ts';
import { BatchClient } from '../support/batches.ts';
import { begunDay, FastClock } from '../support/clock.ts';
import { confirm } from '../support/page.ts';
import { A1, linesOf as rowOf, SUBMIT_PATH, seeded } from '../support/seed.ts';
import { call, face, type Json, openWorld, until, value, type World } from '../support/world.ts';

/*
 * Another program changes a record while a confirmed change waits for the platform. The law `paused` has every operation;
 * here is what it does not: stages, waits for a record, changes without a yes, and batches.
 */

const STATUS = '/v1.0/numbers/status';
const LIMITS = '/v1.0/numbers/data-usage';
const NEW_LIMITS = { LimitValue: 250, NotifyValue: 55, ThrottleValue: 200, ThrottleSpeed: '128-kbps', ValueUnit: 'MB' };

let clock: FastClock;
let world: World;
let client: Client;
beforeEach(() => open());

async function open(env: Record<string, string> = {}): Promise<void> {
  clock = new FastClock();
  world = await openWorld({ MCP_TOOLSETS: 'all', ...env }, clock);
  client = await world.client();
}

/** Gives a line to a new customer of the same account. */
function moved(n: number): void {
  const person = { Name: 'Kim Vale', Email: 'kim@acme.example', Role: 'Subscriber', Password: 'a-password-1' };
  const made = world.sandbox.perform('/v1.0/subscribers/create', { ...person, AccountId: A1, PhoneNumbers: [] });
  const AssignedSubscriberId = String(made.SubscriberId);
  world.sandbox.perform('/v1.0/numbers/update', { Number: seeded(n), AssignedSubscriberId });
}

const paused = (path: string, times = 1) =>
  world.control('faults', { path, times, status: 429, retryAfter: times === 1 ? 25 : 1 });

/** The answers to the requests to a path. */
const answers = async (path: string) => (await world.sent(path)).map(({ status }) => status);

/** Runs `meanwhile` while a call waits that the platform refused for the moment at this path. Resolves to its end. */
async function during<T>(path: string, run: () => Promise<T>, meanwhile: () => unknown): Promise<T> {
  await paused(path);
  clock.hold();
  const end = run();
  await until(async () => (await answers(path)).includes(429), `${path} is refused`);
  meanwhile();
  clock.release();
  return end;
}

/** Confirms a call whose first attempt is told to wait. `meanwhile` runs during the pause. */
async function confirmed(
  operation: string,
  input: Record<string, unknown>,
  path: string,
  meanwhile: () => unknown,
): Promise<Json> {
  const { id, url } = await asks(client, operation, input);
  await during(path, () => confirm(url), meanwhile);
  return followed(client, id);
}
const VOID = { status: 'failed', error: CHANGED };

describe('is not sent as it was confirmed', () => {
  it('the second stage of a cancellation, whose AuthCode is not used up by that', async () => {
    const { OrderId } = value(await call(client, 'numbers_cancel_order_request', rowOf(1)));
    const end = await confirmed('numbers_cancel_order_submit', { OrderId }, SUBMIT_PATH, () => moved(1));
    expect(end).toMatchObject(VOID);
    const again = await asks(client, 'numbers_cancel_order_submit', { OrderId });
    await confirm(again.url);
    expect((await followed(client, again.id)).status).toBe('done');
    expect(await answers(SUBMIT_PATH)).toEqual([429, 200]);
  });

  it('a change whose records were waited for so long that the first may be old', async () => {
    const park = { StatusChange: 'park', ...rowOf(1), EffectiveDate: begunDay() };
    const end = await confirmed('numbers_status', park, '/v1.0/subscribers/get', () => moved(1));
    expect(end).toMatchObject(VOID);
    expect(end.error.message).toContain(
      `the customer of ${seeded(1)} was “Ava Stone · Acme Mobile” and is “Kim Vale · Acme Mobile” now`,
    );
    expect(await answers(STATUS)).toEqual([]);
  });

  it('an own change that needs no yes', async () => {
    await open({ CONFIRM_OWN: 'false' });
    const set = () => call(client, 'numbers_data_usage_set', { ...rowOf(5), LimitValue: 300 });
    const other = () => world.sandbox.perform(LIMITS, { ...rowOf(5), ...NEW_LIMITS });
    expect(face(await during(LIMITS, set, other))).toMatchObject(CHANGED);
    expect(await answers(LIMITS)).toEqual([429]);
  });
});

it('is built again two times at most, and not done if the platform lets it wait once more', async () => {
  const { id, url } = await asks(client, 'numbers_data_usage_set', { ...rowOf(5), LimitValue: 300 });
  await paused(LIMITS, 9);
  await confirm(url);
  const error = { code: 'rate_limited', outcome: 'not_done' };
  expect(await followed(client, id)).toMatchObject({ status: 'failed', error });
  expect(await answers(LIMITS)).toEqual([429, 429, 429]);
});

it('a row of a batch is left out if it changes while the platform lets its request wait, and the others are sent', async () => {
  const batches = new BatchClient(client);
  const made = await batches.park([3, 1, 5]);
  // The first row goes alone. The others are in one request, which is told to wait.
  await world.control('faults', { path: STATUS, times: 1, hangMs: 1 });
  await during(
    STATUS,
    () => confirm(made.confirmation.url),
    () => moved(1),
  );
  expect(await ends(batches, made)).toMatchObject({ done: 2, leftOut: 1 });
  const [first, changed, third] = await batches.rows(made.batch.id);
  expect([first.status, third.status]).toEqual(['done', 'done']);
  expect(changed).toMatchObject({ status: 'left out', reason: expect.stringContaining('has changed since') });
  expect(await answers(STATUS)).toEqual([200, 429, 200]);
});
