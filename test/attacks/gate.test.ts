import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { begunDay } from '../support/clock.ts';
import {
  call,
  confirm,
  face,
  id,
  type Json,
  look,
  ORDER,
  openWorld,
  PROVISION,
  seeded,
  signIn,
  TSUID,
  value,
  type World,
} from '../support/world.ts';

/*
 * Attacks on the gate: the call that would be sent is not the one that a person saw, and the same call is sent twice.
 */

const SUBSCRIBER = '/v1.0/subscribers/get';
const list = (...numbers: number[]) => ({ PhoneNumbers: numbers.map((n) => ({ Number: seeded(n) })) });
const TOKENS =
  'desk:operator:token-of-desk,shift:operator:token-of-shift,lee:approver:token-of-lee,eve:viewer:token-of-eve';

let world: World;
let client: Client;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(() => world.afresh());

const asked = async (operation: string, input: Record<string, unknown>): Promise<Json> =>
  value(await call(client, operation, input)).confirmation;
const followed = async (action: string): Promise<Json> =>
  value(await call(client, 'confirmations_get', { id: action }));
const statusOf = async (phone: string) =>
  (await world.state()).numbers.find((row: Json) => row.Number === phone).Status as string;
const elsewhere = async (operation: string, input: Record<string, unknown>) => {
  const done = await world.cli([operation, '--json', JSON.stringify(input), '--yes']);
  expect(done).toMatchObject({ code: 0, err: expect.not.stringContaining('"error"') });
};

describe('a stored order', () => {
  const SIX = [1, 2, 3, 4, 5, 6];

  it('is shown with every number and every customer, on every surface', async () => {
    const { OrderId } = value(await call(client, 'numbers_cancel_order_request', list(...SIX)));
    const confirmation = await asked('numbers_cancel_order_submit', { OrderId });
    expect(confirmation.numbers).toEqual(SIX.map(seeded));
    const { html } = await look(confirmation.url);
    for (const n of SIX) expect(html).toContain(seeded(n));
    for (const customer of ['Ava Stone', 'Ben Reed']) expect(html).toContain(customer);
  });

  it('is refused if the platform does not say which numbers it cancels', async () => {
    const { OrderId } = value(await call(client, 'numbers_cancel_order_request', list(3)));
    await world.runtime.store
      .database('ledger')
      .run(
        `UPDATE vault SET known = '{"OrderId":"${String(OrderId)}","ConsentStatement":"I consent."}' WHERE key = ?`,
        OrderId,
      );
    const error = face(await call(client, 'numbers_cancel_order_submit', { OrderId }));
    expect(error).toMatchObject({ outcome: 'not_done', field: 'OrderId' });
    expect(error.message).toContain('the numbers of this order are not known');
    expect(await world.sent('/v1.0/numbers/cancel-order-submit')).toEqual([]);
  });
});

describe('a repeat, where the account can be read for one of the two calls only', () => {
  const calls: [string, Record<string, unknown>][] = [
    ['numbers_provision', { ...PROVISION, AssignedSubscriberId: TSUID }],
    ['numbers_reactivate', { PhoneNumber: seeded(7) }],
  ];
  const unread = () => world.control('faults', { path: SUBSCRIBER, times: 1, status: 403 });

  it.each(calls)('%s waits once over MCP', async (operation, input) => {
    const first = await asked(operation, input);
    await unread();
    const second = await asked(operation, input);
    expect(second.id).toBe(first.id);
  });

  it.each(calls)('%s is not sent a second time from the terminal', async (operation, input) => {
    const path = `/v1.0/${operation.replace('_', '/')}`;
    await world.control('faults', { path, times: 1, dropBeforeCommit: true });
    const args = [operation, '--json', JSON.stringify(input), '--yes'];
    expect((await world.cli(args)).code).toBe(4);
    await unread();
    const again = await world.cli(args);
    expect([again.code, again.error().message]).toEqual([3, expect.stringContaining('the same call was made before')]);
    expect(await world.sent(path)).toHaveLength(1);
  });
});

describe('what a question rested on is read again when the yes comes', () => {
  const parked = { StatusChange: 'park', ...list(3), EffectiveDate: begunDay() };

  it('sends no cancellation of a number that was parked meanwhile, and asks again', async () => {
    const confirmation = await asked('numbers_cancel', list(3));
    world.sandbox.perform('/v1.0/numbers/status', parked);
    await until3Parked();
    const page = await confirm(confirmation.url);
    expect(page.html).toContain('was Active and is Parked now');
    const ended = await followed(confirmation.id);
    expect(ended).toMatchObject({ status: 'failed', error: { code: 'not_confirmed', outcome: 'not_done' } });
    expect(await world.sent('/v1.0/numbers/cancel-order-submit')).toEqual([]);
    const again = await asked('numbers_cancel', list(3));
    expect(again.id).not.toBe(confirmation.id);
    await confirm(again.url);
    expect(await statusOf(seeded(3))).toBe('Cancelled - Pending Delete');
  });

  async function until3Parked() {
    await world.control('clock', { advance: '1d' });
    expect(await statusOf(seeded(3))).toBe('Parked');
  }

  it('sends no reactivation of a number that was reactivated meanwhile, and charges nothing', async () => {
    const confirmation = await asked('numbers_reactivate', { PhoneNumber: seeded(7) });
    await elsewhere('numbers_reactivate', { PhoneNumber: seeded(7) });
    await confirm(confirmation.url);
    const { status, error } = await followed(confirmation.id);
    expect([status, error.message]).toEqual(['failed', expect.stringContaining('Nothing was charged')]);
    expect(await world.sent('/v1.0/numbers/reactivate')).toHaveLength(1);
  });

  it('sends no cancellation of a port-in whose order went on meanwhile', async () => {
    const confirmation = await asked('numbers_portin_cancel', { OrderId: ORDER });
    await world.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    await confirm(confirmation.url);
    const { status, error } = await followed(confirmation.id);
    expect(status).toBe('failed');
    expect(error.message).toContain(`the status of ${ORDER} was Submitted and is Scheduled now`);
    expect(await world.sent('/v1.0/numbers/portin/cancel')).toEqual([]);
  });

  it('sends nothing if the record cannot be read again, and says why', async () => {
    const confirmation = await asked('numbers_cancel', list(4));
    await world.control('faults', { path: '/v1.0/numbers', times: 9, status: 403 });
    await confirm(confirmation.url);
    const { status, error } = await followed(confirmation.id);
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'forbidden', outcome: 'not_done' });
    expect(error.message).toContain('could not be read again before sending');
    expect(await statusOf(seeded(4))).toBe('Active');
  });
});

describe('the limits of asking', () => {
  it('one requester has at most 50 open questions', async () => {
    const ask = (n: number) =>
      call(client, 'message_outbound', { To: [{ Number: `+1312555${1000 + n}` }], From: seeded(1), Body: `${n}` });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => ask(n)));
    const refused = answers.filter((one) => one.isError);
    expect(refused).toHaveLength(10);
    for (const one of refused) {
      expect(face(one)).toMatchObject({ code: 'rate_limited', outcome: 'not_done' });
      expect(face(one).message).toContain('50 of your requests already wait for a person');
    }
    // Another requester is not affected.
    const other = await world.cli(['numbers_reactivate', `PhoneNumber=${seeded(7)}`, '--yes']);
    expect(other.code).toBe(0);
  });
});

describe('a second requester of the same call', () => {
  let shared: World;
  beforeAll(async () => {
    shared = await openWorld({ MCP_HTTP_TOKENS: TOKENS, CONFIRM_TWO_PERSON: 'true' });
  });
  afterAll(() => shared.close());

  it('reads its state, not its result, and cannot decide about it', async () => {
    const [desk, shift, eve] = await Promise.all(
      ['token-of-desk', 'token-of-shift', 'token-of-eve'].map((token) => shared.client({ token })),
    );
    if (!desk || !shift || !eve) throw new Error('no client');
    const first = value(await call(desk, 'numbers_cancel', list(6))).confirmation;
    expect(face(await call(shift, 'confirmations_get', { id: first.id })).code).toBe('not_found');
    const second = await call(shift, 'numbers_cancel', list(6));
    expect(value(second).confirmation).toMatchObject({ id: first.id, status: 'pending', requestedBy: 'desk' });
    expect(JSON.stringify(second.content)).toContain('desk asked for the same call at');
    const waits = value(await call(shift, 'confirmations_get', { id: first.id }));
    expect(waits).toMatchObject({ status: 'pending', requestedBy: 'desk', requestedAt: expect.any(String) });
    expect(face(await call(eve, 'confirmations_get', { id: first.id })).code).toBe('forbidden_by_role');
    await expect(signIn(first.url, 'token-of-shift')).rejects.toThrow('signs nobody in: 403');
    await signIn(first.url, 'token-of-lee');
    await confirm(first.url);
    const ended = value(await call(shift, 'confirmations_get', { id: first.id }));
    expect(ended).toMatchObject({ status: 'done', requestedBy: 'desk', decidedBy: expect.stringContaining('lee') });
    expect(ended.result).toBeUndefined();
    expect(value(await call(desk, 'confirmations_get', { id: first.id })).result.Status).toBe('Complete');
    // Once for the question and once for the yes, because a code is valid for five minutes.
    expect(await shared.sent('/v1.0/numbers/cancel-order-request')).toHaveLength(2);
  });
});

describe('what a question names', () => {
  it('the holder of the subscription that gets a feature', async () => {
    const { numbers } = await world.state();
    const TNID = numbers.find((row: Json) => row.Number === seeded(2)).PhoneNumberId;
    const plan = { SubscriberId: id('TSUID', 2), TNID, PackageId: id('PKID', 1), Type: 'Voip' };
    const made = await world.cli(['subscriptions_create', '--json', JSON.stringify(plan), '--yes']);
    expect(made.code).toBe(0);
    const { SubscriptionId } = made.json();
    const feature = ['subscriptions_features_add', 'FeatureName=Roaming', '--yes'];
    const { FeatureId } = (await world.cli(feature)).json();
    const confirmation = await asked('subscriptions_features_assignments_add', { FeatureId, SubscriptionId });
    expect(confirmation.customer).toContain('Ben Reed');
  });
});
