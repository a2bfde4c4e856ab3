import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begunDay, SkippingClock } from '../support/clock.ts';
import { type LatePlatform, openLatePlatform } from '../support/late-platform.ts';
import { call, lose, openWorld, PROVISION, seeded, value, type World } from '../support/world.ts';

const BUY = '/v1.0/numbers/provision';
const SUBMIT = '/v1.0/numbers/cancel-order-submit';
const STATUS = '/v1.0/numbers/status';
const [A, B] = [seeded(1), seeded(3)];
const list = (...all: string[]) => all.map((one) => ({ Number: one }));

let platform: LatePlatform;
let world: World;
let clock: SkippingClock;
let asked: string[];

beforeEach(async () => {
  platform = await openLatePlatform();
  asked = [];
  clock = new SkippingClock();
  world = await openWorld(
    {
      MCP_TOOLSETS: 'all',
      PLATFORM_BASE_URL: platform.url,
      MCP_HTTP_TOKENS: 'ann:approver:ann-token-1',
      PLATFORM_SETTLE_SECONDS: '30',
    },
    clock,
  );
  platform.target = world.sandbox.url;
});
afterEach(async () => {
  await world.close();
  await platform.close();
});

const clientOf = () =>
  world.client({
    token: 'ann-token-1',
    person: ({ params }) => {
      asked.push(params.message);
      return { action: 'accept', content: {} };
    },
  });
type Client = Awaited<ReturnType<typeof clientOf>>;

/** Makes a call whose answer is lost after the platform did its work, and returns its confirmation id. */
async function loseAnswer(client: Client, path: string, name: string, input: Record<string, unknown>): Promise<string> {
  platform.next(path, 'cut-done');
  return lose(client, name, input);
}
const follow = async (client: Client, id: string) => value(await call(client, 'confirmations_get', { id }));
/** Reads it every ten seconds until its end is known. */
async function settled(client: Client, id: string) {
  let last = await follow(client, id);
  for (let look = 0; look < 30 && last.status === 'unknown'; look += 1) {
    clock.skip(10_000);
    last = await follow(client, id);
  }
  return last;
}
/** Actions of the ledger by operation, with their states. */
const states = async () =>
  Object.fromEntries(
    (await world.runtime.gate.actions.list({ limit: 20 })).map(({ operation, state }) => [operation, state]),
  );

describe('a lost change of several numbers', () => {
  it('a cancellation done in part is partly done, for the workflow and its submit stage alike', async () => {
    const ann = await clientOf();
    await world.control('faults', { path: SUBMIT, refuse: [B], times: 1 });
    const id = await loseAnswer(ann, SUBMIT, 'numbers_cancel', { PhoneNumbers: list(A, B) });
    const before = await follow(ann, id);
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
    const ann = await clientOf();
    await world.control('faults', { path: STATUS, refuse: [B], times: 1 });
    const id = await loseAnswer(ann, STATUS, 'numbers_status', {
      StatusChange: 'park',
      PhoneNumbers: list(A, B),
      EffectiveDate: begunDay(),
    });
    expect(await settled(ann, id)).toMatchObject({
      status: 'partly',
      result: { Warning: `Only 1 of 2 numbers parked. Not parked: ${B} (“it is Active”).` },
    });
  });

  it('warns of an open cancellation of some of the same numbers, and stays open after one of them was cancelled again', async () => {
    const ann = await clientOf();
    await world.control('faults', { path: SUBMIT, refuse: [B], times: 1 });
    const id = await loseAnswer(ann, SUBMIT, 'numbers_cancel', { PhoneNumbers: list(A, B) });
    expect(value(await call(ann, 'numbers_cancel', { PhoneNumbers: list(B) })).Status).toBe('Complete');
    expect(asked.at(-1)).toContain(`An earlier call for ${B} ("Cancel ${A}, ${B}"`);
    expect(asked.at(-1)).toContain(`${id}) was sent at`);
    // One warning for the workflow and the operation it sent.
    expect(asked.at(-1)?.match(/An earlier call for/g)).toHaveLength(1);
    const after = await follow(ann, id);
    expect(after.status).toBe('unknown');
    expect(after.error.message).toMatch(
      /another call concerns the same number: numbers_cancel\w* \(act_\S+\), which did/,
    );
    // The settling time has passed, and many readings agree.
    for (let look = 0; look < 12; look += 1) {
      clock.skip(10_000);
      await follow(ann, id);
    }
    expect((await follow(ann, id)).status).toBe('unknown');
    expect(await states()).toMatchObject({ numbers_cancel: 'done' });
  });
});

describe('a lost purchase', () => {
  it('whose order is rejected is refused, not done', async () => {
    const ann = await clientOf();
    const before = new Set((await world.state()).orders.map((order: { OrderId: string }) => order.OrderId));
    const id = await loseAnswer(ann, BUY, 'numbers_provision', PROVISION);
    const { orders } = await world.state();
    const { OrderId } = orders.find((order: { OrderId: string }) => !before.has(order.OrderId));
    await world.control('orders', { OrderId, Status: 'Rejected', ErrorMessage: 'no stock' });
    const end = await settled(ann, id);
    expect(end).toMatchObject({ status: 'failed', error: { code: 'refused', outcome: 'not_done' } });
    expect(end.error.message).toMatch(/\(Rejected\).*Resolved at \S+ by reading/);
  });
});
