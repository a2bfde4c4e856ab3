import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openRuntime } from '../../src/start/runtime.ts';
import { actorOf } from '../support/approval.ts';
import { asks, followed } from '../support/asking.ts';
import { begunDay, SkippingClock } from '../support/clock.ts';
import { type Fate, type LatePlatform, lateWorld } from '../support/late-platform.ts';
import { recover } from '../support/later.ts';
import { confirm, signIn, signOut } from '../support/page.ts';
import { A1, BUY_PATH, listOf as list, PROVISION, REACTIVATE_PATH, SUBMIT_PATH, seeded } from '../support/seed.ts';
import { call, face, lose, until, value, type World, within } from '../support/world.ts';

const STATUS = '/v1.0/numbers/status';
const [A, B] = [seeded(1), seeded(3)];
/**
 * A request to the platform times out after nine seconds. One second later, a reading can prove that it was not done.
 */
const FAST = { PLATFORM_TIMEOUT_MS: '9000', PLATFORM_SETTLE_SECONDS: '9' };
const SLOW = { PLATFORM_SETTLE_SECONDS: '30' };

let platform: LatePlatform;
let world: World;
let clock: SkippingClock;
let asked: string[];
let answer: 'accept' | 'decline';

async function open(env: Record<string, string> = {}): Promise<Client> {
  clock = new SkippingClock();
  const tokens = { MCP_HTTP_TOKENS: 'ann:approver:ann-token-1,bob:approver:bob-token-1' };
  ({ platform, world } = await lateWorld({ ...tokens, ...env }, clock));
  return clientOf('ann');
}
beforeEach(() => {
  asked = [];
  answer = 'accept';
});
afterEach(signOut);

/** A client whose person answers every question with `answer`. */
const clientOf = (name: 'ann' | 'bob') =>
  world.client({
    token: `${name}-token-1`,
    person: ({ params }) => {
      asked.push(params.message);
      return answer === 'accept' ? { action: 'accept', content: {} } : { action: 'decline' };
    },
  });
const OTHER = actorOf('x');

const bought = async () => {
  const { numbers } = (await world.state()) as { numbers: { Number: string }[] };
  return numbers.map((row) => row.Number).filter((number) => !number.startsWith('+12015550'));
};

/** Buys a number on the same platform through another installation, without this one knowing. Returns the number. */
function stranger(input: Record<string, unknown>): Promise<string> {
  return within({ PLATFORM_BASE_URL: world.sandbox.url }, async ({ runtime }) => {
    const done = await runtime.gate.perform('numbers_provision', input, OTHER, { ask: async () => 'accept' });
    return done.kind === 'done' ? String(done.value.PhoneNumberAssigned) : '';
  });
}

/** Makes a purchase that meets this fate, and returns its confirmation id. */
function losePurchase(client: Client, fate: Fate): Promise<string> {
  platform.next(BUY_PATH, fate);
  return lose(client, 'numbers_provision', PROVISION);
}

/** Cancels two numbers, of which one is refused. The answer is lost after the platform did its work. */
async function loseCancellation(client: Client): Promise<string> {
  await world.control('faults', { path: SUBMIT_PATH, refuse: [B], times: 1 });
  platform.next(SUBMIT_PATH, 'cut-done');
  return lose(client, 'numbers_cancel', { PhoneNumbers: list(A, B) });
}
/** Reads it again after each step until its end is known. */
async function settled(client: Client, id: string, step = 10_000) {
  let last = await followed(client, id);
  for (let look = 0; look < 30 && last.status === 'unknown'; look += 1) {
    clock.skip(step);
    last = await followed(client, id);
  }
  return last;
}
/** Actions of the ledger by operation, with their states. */
const states = async () =>
  Object.fromEntries(
    (await world.runtime.gate.actions.list({ limit: 20 })).map(({ operation, state }) => [operation, state]),
  );

describe('work the platform does after the connection was cut', () => {
  it('is not called "not done" while it may still be done; a repeat warns; then it is found', async () => {
    const ann = await open();
    const id = await losePurchase(ann, 'cut-late');
    const first = await followed(ann, id);
    expect(first.status).toBe('unknown');
    expect(first.error.message).toMatch(/Read at \S+: numbers_inventory_get lists \d+ numbers, none of this kind/);

    answer = 'decline';
    expect(face(await call(ann, 'numbers_provision', PROVISION))).toMatchObject({ code: 'not_confirmed' });
    expect(asked.at(-1)).toContain('its outcome is unknown: it may have been done already');
    expect(await bought()).toEqual([]);

    await platform.release();
    const numbers = await bought();
    expect(numbers).toHaveLength(1);
    const found = await followed(ann, id);
    expect(found).toMatchObject({ status: 'done', result: { PhoneNumberAssigned: numbers[0] } });
    expect(found.result.Resolved).toMatch(/^Resolved at \d{4}-\S+ by reading: numbers_inventory_get lists \+1201/);
    const trail = (await world.runtime.gate.actions.audit()).find((line) => line.action === id && line.what === 'done');
    expect(trail).toMatchObject({ who: 'reading', detail: found.result.Resolved });
    expect(await world.sent(BUY_PATH)).toHaveLength(1);
    // Its requester has read it, so a repeat is a new question.
    expect(face(await call(ann, 'numbers_provision', PROVISION))).toMatchObject({ code: 'not_confirmed' });
  });

  it('is the answer to a repeat of a requester who has not learned it, and to the next one only a question', async () => {
    const ann = await open();
    const id = await losePurchase(ann, 'cut-late');
    await platform.release();
    const numbers = await bought();
    // Another reader finds the outcome, as a delivery of the platform does.
    expect((await world.runtime.gate.follow(id, OTHER)).status).toBe('done');

    answer = 'decline';
    const questions = asked.length;
    const repeated = value(await call(ann, 'numbers_provision', PROVISION));
    expect(repeated).toMatchObject({
      PhoneNumberAssigned: numbers[0],
      Warning: expect.stringContaining(`Nothing was sent now: this is the result of the same call`),
    });
    expect([asked.length, await bought()]).toEqual([questions, numbers]);
    expect(face(await call(ann, 'numbers_provision', PROVISION))).toMatchObject({ code: 'not_confirmed' });
    expect(asked).toHaveLength(questions + 1);
  });

  it('ends a question that was asked before: nobody confirms it without having read the warning', async () => {
    const ann = await open();
    const { id, url } = await asks(await world.client({ token: 'ann-token-1' }), 'numbers_provision', PROVISION);
    const lost = await losePurchase(await clientOf('bob'), 'cut-lost');
    await signIn(url, 'ann-token-1');
    const page = await confirm(url);
    expect(page.status).toBe(409);
    expect(page.html).toContain(`was sent, and its outcome is unknown (${lost}`);
    expect(page.html).toContain('ask again');
    expect(await followed(ann, id)).toMatchObject({ status: 'failed', error: { reason: 'changed' } });
    expect(await bought()).toEqual([]);

    // The next question says it, and its yes counts.
    const again = value(await call(ann, 'numbers_provision', PROVISION));
    expect(asked.at(-1)).toContain('its outcome is unknown: it may have been done already');
    expect(await bought()).toEqual([again.PhoneNumberAssigned]);
  });

  it.each([
    ['numbers_reactivate', { PhoneNumber: seeded(7), AccountId: A1 }, REACTIVATE_PATH],
    ['numbers_cancel', { PhoneNumbers: list(B) }, SUBMIT_PATH],
    ['numbers_status', { StatusChange: 'park', PhoneNumbers: list(B), EffectiveDate: begunDay() }, STATUS],
  ])('%s stays unknown too, and is found when it is done', async (name, input, path) => {
    const ann = await open();
    platform.next(path, 'cut-late');
    const id = await lose(ann, name, input);
    expect((await followed(ann, id)).status).toBe('unknown');
    await platform.release();
    const done = await followed(ann, id);
    expect(done.status).toBe('done');
    expect(done.result.Resolved).toContain(`numbers_get says that +1201555`);
  });
});

describe('work the platform never did', () => {
  const input = { PhoneNumber: seeded(7), AccountId: A1 };

  it('is "not done" after the settling time, when two readings some time apart agree', async () => {
    const ann = await open(FAST);
    platform.next(REACTIVATE_PATH, 'cut-lost');
    const sentAt = clock.now();
    const id = await lose(ann, 'numbers_reactivate', input);
    const end = await settled(ann, id, 1_000);
    expect(end).toMatchObject({ status: 'failed', error: { outcome: 'not_done' } });
    const resolved = /^Resolved by reading at (\S+) and (\S+): numbers_get says that \+12015550107 is "Can/;
    const [, first = '', second = ''] = resolved.exec(end.error.message) ?? [];
    expect(Date.parse(second) - sentAt).toBeGreaterThanOrEqual(10_000);
    expect(Date.parse(second) - Date.parse(first)).toBeGreaterThanOrEqual(9_000);
    // The same change can be requested again.
    expect(value(await call(ann, 'numbers_reactivate', input)).Status).toBe('Success');
    expect(asked.at(-1)).not.toContain('unknown');
  });

  it('stays unknown for the settling time after the clock was set forward, also in a process that starts then', async () => {
    const ann = await open(FAST);
    platform.next(REACTIVATE_PATH, 'cut-lost');
    const id = await lose(ann, 'numbers_reactivate', input);
    const next = await openRuntime(world.runtime.config, { clock });
    onTestFinished(() => next.close());
    const ends = [];
    // The time that passes, and the time by which the clock is set.
    for (const [ms, set] of [
      [0, 3_600_000],
      [5_000, 3_600_000],
      // It can be settled now, and is read a first time.
      [5_000, 0],
      [0, 3_600_000],
      [10_000, 0],
    ] as const) {
      clock.skip(ms);
      clock.step(set);
      ends.push((await next.gate.follow(id, OTHER)).status);
    }
    expect(ends).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'failed']);
  });

  it('keeps its first reading over a restart', async () => {
    const ann = await open(FAST);
    platform.next(REACTIVATE_PATH, 'cut-lost');
    const id = await lose(ann, 'numbers_reactivate', input);
    const { ledger } = world.runtime;
    const first = await until(
      async () => {
        clock.skip(1_000);
        await followed(ann, id);
        return (await ledger.readings.find(id))?.notDone;
      },
      (notDone) => notDone !== undefined,
    );
    const next = await openRuntime(world.runtime.config, { clock });
    onTestFinished(() => next.close());
    const end = await until(
      async () => {
        clock.skip(1_000);
        await recover(next);
        return await next.gate.actions.get(id);
      },
      (now) => now?.state !== 'unknown',
    );
    expect(end?.error?.message).toContain(new Date(first?.at ?? 0).toISOString());
  });
});

describe('what belongs to others', () => {
  it('never calls the number of a stranger ours', async () => {
    const ann = await open();
    const id = await losePurchase(ann, 'cut-lost');
    await stranger({ ...PROVISION, NumberType: 'iot', MessageType: 'p2p', ProductType: 'data-only' });
    expect(await bought()).toHaveLength(1);
    expect((await followed(ann, id)).status).toBe('unknown');
  });
  it('shows a person what may be ours where reading cannot tell', async () => {
    const ann = await open();
    let theirs = '';
    // The outcome is read in the background soon after the cut, so the stranger buys before it.
    platform.beforeCut = async () => {
      theirs = await stranger(PROVISION);
    };
    const id = await losePurchase(ann, 'cut-done');
    const numbers = await bought();
    expect(numbers).toHaveLength(2);
    const { status, error } = await followed(ann, id);
    expect(status).toBe('unknown');
    for (const text of ['several that may be it', ...numbers, theirs]) expect(error.message).toContain(text);
  });

  it('tells another requester of the earlier call and asks him as for a new one', async () => {
    const [ann, bob] = [await open(), await clientOf('bob')];
    const id = await losePurchase(ann, 'cut-done');
    const [hers] = await bought();
    answer = 'decline';
    expect(face(await call(bob, 'numbers_provision', PROVISION)).code).toBe('not_confirmed');
    expect(asked.at(-1)).toMatch(/^.*\n?ann made the same call at \d{4}-\S+ \(act_\S+\); it was done\./m);
    expect(asked.at(-1)).not.toContain(hers);
    expect(await bought()).toHaveLength(1);
    expect(await followed(ann, id)).toMatchObject({ status: 'done', result: { PhoneNumberAssigned: hers } });

    answer = 'accept';
    const his = value(await call(bob, 'numbers_provision', PROVISION));
    expect(his.PhoneNumberAssigned).not.toBe(hers);
    expect(await bought()).toHaveLength(2);
  });
});

describe('a lost change of several numbers', () => {
  it('a cancellation done in part is partly done, for the workflow and its submit stage alike', async () => {
    const ann = await open(SLOW);
    const id = await loseCancellation(ann);
    const before = await followed(ann, id);
    expect(before.status).toBe('unknown');
    expect(before.error.message).toContain(`${A} is "Cancelled - Pending Delete", ${B} is "Active"`);
    const end = await settled(ann, id);
    expect(end).toMatchObject({
      status: 'partly',
      result: {
        NumbersChange: list(A),
        FailedChange: [{ Number: B }],
        Warning: `Only 1 of 2 numbers cancelled. Not cancelled: ${B} (“it is not cancelled”).`,
      },
    });
    expect(end.result.Resolved).toMatch(/^Resolved by reading at \S+ and \S+: /);
    expect(await states()).toMatchObject({ numbers_cancel: 'partly', numbers_cancel_order_submit: 'partly' });
  });

  it('a status change done in part is partly done', async () => {
    const ann = await open(SLOW);
    await world.control('faults', { path: STATUS, refuse: [B], times: 1 });
    platform.next(STATUS, 'cut-done');
    const park = { StatusChange: 'park', PhoneNumbers: list(A, B), EffectiveDate: begunDay() };
    const { status, result } = await settled(ann, await lose(ann, 'numbers_status', park));
    expect(status).toBe('partly');
    expect(result.Warning).toBe(`Only 1 of 2 numbers parked. Not parked: ${B} (“it is Active”).`);
  });

  it('warns of an open cancellation of some of the same numbers, and stays open after one of them was cancelled again', async () => {
    const ann = await open(SLOW);
    const id = await loseCancellation(ann);
    expect(value(await call(ann, 'numbers_cancel', { PhoneNumbers: list(B) })).Status).toBe('Complete');
    expect(asked.at(-1)).toContain(`An earlier call for ${B} ("Cancel ${A}, ${B}"`);
    expect(asked.at(-1)).toContain(`${id}) was sent at`);
    // One warning for the workflow and the operation it sent.
    expect(asked.at(-1)?.match(/An earlier call for/g)).toHaveLength(1);
    const after = await followed(ann, id);
    expect(after.status).toBe('unknown');
    expect(after.error.message).toMatch(/another call concerns the same number: numbers_cancel\w* \(act_\S+\), which/);
    // The settling time passes, and many readings agree.
    expect((await settled(ann, id)).status).toBe('unknown');
    expect(await states()).toMatchObject({ numbers_cancel: 'done' });
  });
});

it('a lost purchase whose order is rejected is refused, not done', async () => {
  const ann = await open(SLOW);
  const before = new Set((await world.state()).orders.map((order: { OrderId: string }) => order.OrderId));
  const id = await losePurchase(ann, 'cut-done');
  const { orders } = await world.state();
  const { OrderId } = orders.find((order: { OrderId: string }) => !before.has(order.OrderId));
  await world.control('orders', { OrderId, Status: 'Rejected', ErrorMessage: 'no stock' });
  const end = await settled(ann, id);
  expect(end).toMatchObject({ status: 'failed', error: { code: 'refused', outcome: 'not_done' } });
  expect(end.error.message).toMatch(/\(Rejected\).*Resolved at \S+ by reading/);
});
