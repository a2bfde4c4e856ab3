import { randomBytes } from 'node:crypto';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Action, Ledger } from '../../src/ledger/ledger.ts';
import { OpenCalls } from '../../src/ledger/lookups.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { storeUnavailable } from '../../src/store/key-values.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { actorOf } from '../support/approval.ts';
import { asks, CHANGED, ends, followed, waits } from '../support/asking.ts';
import { approver, BatchClient } from '../support/batches.ts';
import { begunDay, FastClock } from '../support/clock.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { confirm, look, signIn } from '../support/page.ts';
import { A1, id, MRID, ORDER, PROVISION, seeded, TSUID } from '../support/seed.ts';
import { call, confirmed, face, type Json, openWorld, value, type World, within } from '../support/world.ts';

/*
 * Attacks on the gate: the call that would be sent is not the one that a person saw, and the same call is sent twice.
 */

const SUBSCRIBER = '/v1.0/subscribers/get';
const list = (...numbers: number[]) => ({ PhoneNumbers: numbers.map((n) => ({ Number: seeded(n) })) });

const TOKENS =
  'desk:operator:token-of-desk,shift:operator:token-of-shift,lee:approver:token-of-lee,eve:viewer:token-of-eve';

const [LEE, MIA] = [actorOf('lee'), actorOf('mia')];
const ACCOUNT = { AccountName: 'Northwind Mobile', AccountAdmin: 'manager@northwind.example' };
const world = await openWorld({ MCP_TOOLSETS: 'all' });
const client = await world.client();

beforeEach(() => world.afresh());
afterEach(() => vi.restoreAllMocks());

const ask = (operation: string, input: Record<string, unknown>): Promise<Json> => asks(client, operation, input);
const ended = (id: string): Promise<Json> => followed(client, id);

const statusOf = async (phone: string) =>
  (await world.state()).numbers.find((row: Json) => row.Number === phone).Status as string;

/** Does this once, right after earlier calls were looked up: what was found is old from then on. */
function afterLookUp(act: () => Promise<unknown>) {
  const { repeats } = OpenCalls.prototype;
  const once = vi.fn(act);
  vi.spyOn(OpenCalls.prototype, 'repeats').mockImplementation(async function (this: OpenCalls, ...given) {
    const found = await repeats.apply(this, given);
    if (given[2] === undefined && once.mock.calls.length === 0) await once();
    return found;
  });
  return once;
}

describe('a stored order', () => {
  const SIX = [1, 2, 3, 4, 5, 6];

  it('is shown with every number and every customer, on every surface', async () => {
    const { OrderId } = value(await call(client, 'numbers_cancel_order_request', list(...SIX)));
    const confirmation = await ask('numbers_cancel_order_submit', { OrderId });
    expect(confirmation.numbers).toEqual(SIX.map(seeded));
    const { html } = await look(confirmation.url);
    for (const n of SIX) expect(html).toContain(seeded(n));
    for (const customer of ['Ava Stone', 'Ben Reed']) expect(html).toContain(customer);
  });

  it('is refused if the platform does not say which numbers it cancels', async () => {
    const { OrderId } = value(await call(client, 'numbers_cancel_order_request', list(3)));
    const known = JSON.stringify({ OrderId, ConsentStatement: 'I consent.' });
    await world.runtime.store.database('ledger').run('UPDATE vault SET known = ? WHERE key = ?', known, OrderId);
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
    const first = await ask(operation, input);
    await unread();
    expect((await ask(operation, input)).id).toBe(first.id);
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
    const confirmation = await ask('numbers_cancel', list(3));
    world.sandbox.perform('/v1.0/numbers/status', parked);
    await world.control('clock', { advance: '1d' });
    expect(await statusOf(seeded(3))).toBe('Parked');
    const page = await confirm(confirmation.url);
    expect(page.html).toContain('was Active and is Parked now');
    expect(await ended(confirmation.id)).toMatchObject({ status: 'failed', error: CHANGED });
    expect(await world.sent('/v1.0/numbers/cancel-order-submit')).toEqual([]);
    const again = await ask('numbers_cancel', list(3));
    expect(again.id).not.toBe(confirmation.id);
    await confirm(again.url);
    expect(await statusOf(seeded(3))).toBe('Cancelled - Pending Delete');
  });

  /** The yes to this change comes after something that it rested on has changed, and sends nothing. */
  async function expectVoid(operation: string, input: Record<string, unknown>, meanwhile: () => unknown, says: string) {
    const { id, url } = await ask(operation, input);
    await meanwhile();
    await confirm(url);
    const { status, error } = await ended(id);
    expect([status, error.outcome, error.message]).toEqual(['failed', 'not_done', expect.stringContaining(says)]);
  }

  it('sends no reactivation of a number that was reactivated meanwhile, and charges nothing', async () => {
    const again = () => world.person('numbers_reactivate', { PhoneNumber: seeded(7) });
    await expectVoid('numbers_reactivate', { PhoneNumber: seeded(7) }, again, 'Nothing was charged');
    expect(await world.sent('/v1.0/numbers/reactivate')).toHaveLength(1);
  });

  it('sends no cancellation of a port-in whose order went on meanwhile', async () => {
    const goesOn = () => world.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    const says = `the status of ${ORDER} was Submitted and is Scheduled now`;
    await expectVoid('numbers_portin_cancel', { OrderId: ORDER }, goesOn, says);
    expect(await world.sent('/v1.0/numbers/portin/cancel')).toEqual([]);
  });

  it('sends nothing if the record cannot be read again, and says why', async () => {
    const fails = () => world.control('faults', { path: '/v1.0/numbers', times: 9, status: 403 });
    await expectVoid('numbers_cancel', list(4), fails, 'could not be read again before sending');
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

const shared = await openWorld({ MCP_HTTP_TOKENS: TOKENS, CONFIRM_TWO_PERSON: 'true' });
const two = await openWorld({ MCP_TOOLSETS: 'all', MCP_HTTP_TOKENS: TOKENS });

describe('a second requester of the same call', () => {
  it('reads its state, not its result, and cannot decide about it', async () => {
    const as = (name: string) => shared.client({ token: `token-of-${name}` });
    const [desk, shift, lee, eve] = [await as('desk'), await as('shift'), await as('lee'), await as('eve')];
    const first = await asks(desk, 'numbers_cancel', list(6));
    expect(face(await call(shift, 'confirmations_get', { id: first.id })).code).toBe('not_found');
    const second = await call(shift, 'numbers_cancel', list(6));
    expect(value(second).confirmation).toMatchObject({ id: first.id, status: 'pending', requestedBy: 'desk' });
    expect(JSON.stringify(second.content)).toContain(' by desk, for a person');
    const waiting = { status: 'pending', requestedBy: 'desk', requestedAt: expect.any(String) };
    expect(await followed(shift, first.id)).toMatchObject(waiting);
    expect(await followed(lee, first.id)).toMatchObject({ status: 'pending' });
    expect(face(await call(eve, 'confirmations_get', { id: first.id })).code).toBe('forbidden_by_role');
    await expect(signIn(first.url, 'token-of-shift')).rejects.toThrow('signs nobody in: 403');
    await signIn(first.url, 'token-of-lee');
    await confirm(first.url);
    const seen = await followed(shift, first.id);
    expect(seen).toMatchObject({ status: 'done', requestedBy: 'desk', decidedBy: expect.stringContaining('lee') });
    expect(seen.result).toBeUndefined();
    expect((await followed(desk, first.id)).result.Status).toBe('Complete');
    // Once for the question and once for the yes, because a code is valid for five minutes.
    expect(await shared.sent('/v1.0/numbers/cancel-order-request')).toHaveLength(2);
  });

  it('is not one whose call for the same number says something else: it is refused, and names the question', async () => {
    const desk = await shared.client({ token: 'token-of-desk' });
    const shift = await shared.client({ token: 'token-of-shift' });
    const change = (StatusChange: string, AreaCode?: string) => ({
      ...{ StatusChange, ...list(5), EffectiveDate: '12/31/2030', ...(AreaCode && { AreaCode }) },
    });
    const swap = await asks(desk, 'numbers_status', change('swap', '201'));
    expect((await asks(shift, 'numbers_status', change('swap', '201'))).id).toBe(swap.id);
    for (const [who, other] of [
      [shift, change('park')],
      [shift, change('swap', '312')],
      [desk, change('park')],
    ] as const) {
      const refused = face(await call(who, 'numbers_status', other));
      expect(refused).toMatchObject({ code: 'invalid_input', message: expect.stringContaining(swap.id) });
    }
    await call(desk, 'confirmations_withdraw', { id: swap.id });
    const park = await asks(shift, 'numbers_status', change('park'));
    expect(park).toMatchObject({ status: 'pending', summary: `Park ${seeded(5)}` });
    await call(shift, 'confirmations_withdraw', { id: park.id });
  });
});

it('what a question names the holder of the subscription that gets a feature', async () => {
  const { numbers } = await world.state();
  const TNID = numbers.find((row: Json) => row.Number === seeded(2)).PhoneNumberId;
  const plan = { SubscriberId: id('TSUID', 2), TNID, PackageId: id('PKID', 1), Type: 'Voip' };
  const { SubscriptionId } = await world.person('subscriptions_create', plan);
  const { FeatureId } = await world.person('subscriptions_features_add', { FeatureName: 'Roaming' });
  const feature = { FeatureId, SubscriptionId };
  expect((await ask('subscriptions_features_assignments_add', feature)).customer).toContain('Ben Reed');
});

/* Repeats: an older question, and the same call many times at once. */

describe('a message', () => {
  const message = { From: seeded(1), Body: 'The same message' };
  const Numbers = ['+14155550161', '+14155550162'];
  const single = { ...message, To: [{ Number: Numbers[0] }] };

  it('is sent once, although it is sent alone while a batch is about to send it', async () => {
    const own = await openWorld({}, new FastClock());
    const batches = new BatchClient(await own.client());
    const made = await batches.create({ Operation: 'message_outbound', Numbers, Fields: message });
    // The row was compared with other calls, and is not claimed yet.
    const sendOnce = afterLookUp(() => own.person('message_outbound', single));
    await confirm(made.confirmation.url);
    expect(await ends(batches, made)).toMatchObject({ done: 1, leftOut: 1 });
    expect(sendOnce).toHaveBeenCalledOnce();
    expect(await own.sent('/v1.0/message/outbound')).toHaveLength(2);
  });

  it('that is confirmed while it is edited is not asked about a second time', async () => {
    const { gate } = world.runtime;
    const replaces = await waits(gate, 'message_outbound', single, approver);
    const { requireRoom } = OpenCalls.prototype;
    vi.spyOn(OpenCalls.prototype, 'requireRoom').mockImplementationOnce(async function (this: OpenCalls, ...given) {
      await gate.confirm(replaces, approver, 'page');
      await requireRoom.apply(this, given);
    });
    const edited = gate.perform('message_outbound', { ...single, Body: 'Another text' }, approver, { replaces });
    await expect(edited).rejects.toThrow('It was already confirmed');
    expect(await gate.actions.list({ states: ['pending'] })).toEqual([]);
    expect((await look(gate.pageUrl(replaces) ?? '')).html).not.toContain('Open the question that replaced it');
  });
});

describe('a purchase', () => {
  it('is sent once, although a question about it waits under an older sealing key', () => {
    const [older, newer] = [randomBytes(32), randomBytes(32)].map((key) => key.toString('base64')) as [string, string];
    return within({ SEALING_KEY: older }, async (first) => {
      const waiting = await asks(await first.client(), 'numbers_provision', PROVISION);
      const config = loadConfig({
        ...onSandbox(first.sandbox.url),
        ...{ DATA_DIR: first.folder, LOG_LEVEL: 'silent', SEALING_KEY: `${newer},${older}` },
      });
      const second = await openRuntime(config, {});
      const { gate } = second;
      const other = await waits(gate, 'numbers_provision', PROVISION, { ...approver, surface: 'mcp' });
      await gate.confirm(other, approver, 'page');
      await expect(gate.confirm(waiting.id, approver, 'page')).rejects.toMatchObject({ face: CHANGED });
      await second.close();
      expect(await first.sent('/v1.0/numbers/provision')).toHaveLength(1);
    });
  });

  it('is sent once, although another person’s was sent while this one’s question was prepared', async () => {
    const { gate } = world.runtime;
    const first = await waits(gate, 'numbers_provision', PROVISION, LEE);
    const sayYes = afterLookUp(() => gate.confirm(first, approver, 'page'));
    const second = await waits(gate, 'numbers_provision', PROVISION, MIA);
    // It says that the first one still waits.
    await expect(gate.confirm(second, approver, 'page')).rejects.toMatchObject({ face: CHANGED });
    expect(sayYes).toHaveBeenCalledOnce();
    expect(await world.sent('/v1.0/numbers/provision')).toHaveLength(1);
  });
});

it('another package of a subscription, which has a price, is sent once, although its answer is lost', async () => {
  const SubscriptionId = id('SUB', 1);
  const item = { ProductId: id('PRID', 1), Price: 1, Monthly: true, Type: 'esim' };
  const plan = { PackageName: 'Two', Type: 'mvno', Price: 5, Monthly: true, PackageItems: [item] };
  const { PackageId } = await world.person('packages_create', { ...plan, Description: 'Two lines' });
  const question = await ask('subscriptions_update', { SubscriptionId, PackageId });
  await world.control('faults', { path: '/v1.0/subscriptions/update', times: 1, dropAfterCommit: true });
  await confirm(question.url);
  // Reading the subscription finds it.
  expect(await ended(question.id)).toMatchObject({ status: 'done' });
  expect(await world.sent('/v1.0/subscriptions/update')).toHaveLength(1);
});

it('a reactivation that two people asked for is sent once, although both questions get their yes at once', async () => {
  const { gate } = world.runtime;
  const questions = [LEE, MIA].map((asker) => waits(gate, 'numbers_reactivate', { PhoneNumber: seeded(7) }, asker));
  const ids = await Promise.all(questions);
  expect(new Set(ids).size).toBe(2);
  const ends = await Promise.allSettled(ids.map((action) => gate.confirm(action, approver, 'page')));
  expect(ends.flatMap((end) => (end.status === 'rejected' ? [end.reason.face.reason] : []))).toEqual(['changed']);
  expect(await world.sent('/v1.0/numbers/reactivate')).toHaveLength(1);
});

it('a call that one process asks about, and another does not, is sent once, although the yes comes while it is prepared', () =>
  within({ MCP_TOOLSETS: 'all' }, async (asking) => {
    const { gate } = asking.runtime;
    const waiting = await waits(gate, 'account_create', ACCOUNT, approver);
    const settings = { DATA_DIR: asking.folder, LOG_LEVEL: 'silent', CONFIRM_OWN: 'false' };
    const second = await openRuntime(loadConfig({ ...onSandbox(asking.sandbox.url), ...settings }), {});
    const sayYes = afterLookUp(() => gate.confirm(waiting, approver, 'page'));
    const again = await second.gate.perform('account_create', ACCOUNT, approver);
    await second.close();
    expect(sayYes).toHaveBeenCalledOnce();
    expect(again).toMatchObject({ kind: 'done', actionId: waiting });
    expect(await asking.sent('/v1.0/account/create')).toHaveLength(1);
  }));

it('an edit of a question, where own changes need none, takes its place, so that the old one gets no yes beside it', () =>
  within({ CONFIRM_OWN: 'false' }, async ({ runtime: { gate }, sent }) => {
    await gate.perform('account_create', ACCOUNT, approver);
    // It warns of the same call of somebody else.
    const replaces = await waits(gate, 'account_create', ACCOUNT, MIA);
    const edited = await gate.perform('account_create', { ...ACCOUNT, AccountName: 'Northwind' }, MIA, { replaces });
    expect(edited.kind).toBe('pending');
    await expect(gate.confirm(replaces, approver, 'page')).rejects.toMatchObject({ face: { reason: 'replaced' } });
    expect(await sent('/v1.0/account/create')).toHaveLength(1);
  }));

it('an own change that needs no yes takes the place of the question of its requester for the same line', () =>
  within({ CONFIRM_OWN: 'false' }, async ({ runtime: { gate } }) => {
    const old = await waits(gate, 'numbers_update', { Number: seeded(1), MessageEnabled: false }, approver);
    const name = { CnamFirstName: 'Front', CnamLastName: 'Desk' };
    const second = await gate.perform('numbers_update', { Number: seeded(1), ...name }, approver);
    expect(second).toMatchObject({ kind: 'done', value: { Warning: expect.stringContaining(old) } });
    await expect(gate.confirm(old, approver, 'page')).rejects.toMatchObject({ face: { reason: 'withdrawn' } });
  }));

describe('a second call with other values', () => {
  const line = { SubscriberId: TSUID, Phone: seeded(1) };
  const plan = { SubscriberId: TSUID, TNID: id('NID', 1), PackageId: id('PKID', 1), Type: 'Mvno' };
  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['subscriptions_create', plan, { ICCID: '89012403971900010010' }],
    ['subscribers_call_filter_create', { ...line, FilterMode: 'BLACKLIST' }, { BlockUnknownNumbers: true }],
    ['subscribers_message_filter_create', { ...line, FilterMode: 'CHILD' }, { ApplyToInbound: true }],
  ])('takes the place of the first where a line has one such record: %s', async (operation, input, other) => {
    const first = await ask(operation, input);
    const next = await ask(operation, { ...input, ...other });
    expect(next.id).not.toBe(first.id);
    expect((await ended(first.id)).error.reason).toBe('replaced');
  });
});

/** Confirms a question right before another call takes its place. */
function sayYesFirst(gate: World['runtime']['gate'], question: string, step: 'create' | 'decline') {
  const write = Ledger.prototype[step] as (...given: unknown[]) => Promise<Action>;
  vi.spyOn(Ledger.prototype, step).mockImplementationOnce(async function (this: Ledger, ...given: unknown[]) {
    await gate.confirm(question, approver, 'page');
    return write.apply(this, given);
  });
}

describe('a second call with other values, while the first gets its yes', () => {
  it('is not asked about, so that a line gets one filter', async () => {
    const { gate } = world.runtime;
    const filter = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'BLACKLIST' };
    sayYesFirst(gate, await waits(gate, 'subscribers_call_filter_create', filter, approver), 'create');
    const second = gate.perform('subscribers_call_filter_create', { ...filter, BlockUnknownNumbers: true }, approver);
    await expect(second).rejects.toThrow('It was already confirmed');
    expect(await gate.actions.list({ states: ['pending'] })).toEqual([]);
  });

  it('is not sent either where own changes need no yes', () =>
    within({ CONFIRM_OWN: 'false' }, async ({ runtime: { gate }, sent }) => {
      const first = await waits(gate, 'numbers_update', { Number: seeded(1), MessageEnabled: false }, approver);
      sayYesFirst(gate, first, 'decline');
      const second = gate.perform('numbers_update', { Number: seeded(1), CnamFirstName: 'Front' }, approver);
      await expect(second).rejects.toThrow('It was already confirmed');
      expect(await sent('/v1.0/numbers/update')).toHaveLength(1);
    }));
});

describe('a second call with the values that the record has', () => {
  it.each([true, false])('leaves no question that somebody can confirm, as an edit: %s', async (isEdit) => {
    const { gate } = world.runtime;
    const limit = (LimitValue: number) => ({ ...list(1), LimitValue });
    const old = await waits(gate, 'numbers_data_usage_set', limit(30), approver);
    const second = await gate.perform('numbers_data_usage_set', limit(20), approver, isEdit ? { replaces: old } : {});
    expect(second).toMatchObject({ kind: 'done', value: { Warning: expect.stringContaining(old) } });
    await expect(gate.confirm(old, approver, 'page')).rejects.toMatchObject({ face: { reason: 'withdrawn' } });
    expect(await world.sent('/v1.0/numbers/data-usage')).toEqual([]);
  });
});

describe('a batch that corrects one that waits', () => {
  it.each([2, 1])('to the values that %i of its lines have leaves none that somebody can confirm', async (count) => {
    const batches = new BatchClient(client);
    for (const n of [1, 3].slice(0, count))
      world.sandbox.perform('/v1.0/numbers/data-usage', { ...list(n), LimitValue: 40, ValueUnit: 'MB' });
    const limits = (LimitValue: number) => ({
      Operation: 'numbers_data_usage_set',
      Numbers: [1, 3].map(seeded),
      Fields: { LimitValue },
    });
    const first = await batches.create(limits(60));
    await batches.create(limits(40));
    expect((await batches.followed(first)).error.reason).toBe(count === 2 ? 'withdrawn' : 'replaced');
  });
});

describe('a batch that waits', () => {
  const replaced = { StatusChange: 'replace', EffectiveDate: begunDay() };
  it.each<[string, Record<string, unknown>, string, Record<string, unknown>]>([
    ['numbers_status', replaced, 'numbers_update', { Number: seeded(1), CnamFirstName: 'Ava' }],
    ['numbers_update', { CnamFirstName: 'Ava', CnamLastName: 'Stone' }, 'numbers_cancel', list(1)],
  ])('with %s %o lets no %s wait beside it', async (Operation, Fields, operation, input) => {
    const batches = new BatchClient(client);
    const { batch } = await batches.create({ Operation, Numbers: [1, 3].map(seeded), Fields });
    expect(face(await call(client, operation, input)).message).toContain(seeded(1));
    await batches.stop(batch.id);
  });

  it('sends its rows after the yes, although the end of its question is written later', async () => {
    const batches = new BatchClient(client);
    const made = await batches.create({ Operation: 'numbers_cancel', Numbers: [1, 3].map(seeded) });
    const { settle } = Ledger.prototype;
    vi.spyOn(Ledger.prototype, 'settle').mockImplementationOnce(async function (this: Ledger, ...given) {
      await ends(batches, made);
      return settle.apply(this, given);
    });
    await confirm(made.confirmation.url);
    expect((await batches.get(made.batch.id)).batch).toMatchObject({ done: 2, leftOut: 0 });
  });
});

it('two changes of one line wait side by side, and the first yes leaves the second as it is', async () => {
  const first = await ask('numbers_update', { Number: seeded(1), CnamFirstName: 'Ava' });
  const second = await ask('numbers_data_usage_set', { ...list(1), LimitValue: 30 });
  await confirm(first.url);
  await confirm(second.url);
  for (const { id } of [first, second]) expect((await ended(id)).status).toBe('done');
});

describe('two changes of one record at once', () => {
  type Asked = [operation: string, input: Json];
  const of =
    (operation: string, record: Json) =>
    (more: Json): Asked => [operation, { ...record, ...more }];
  const route = of('message_routes_update', { MessageRouteId: MRID });
  const limit = of('numbers_data_usage_set', list(1));
  const update = of('numbers_update', { Number: seeded(3) });
  const pack = of('packages_update', { PackageId: id('PKID', 1) });
  const plan = { PackageId: id('PKID', 1), SubscriberId: TSUID, TNID: id('NID', 3), Type: 'Mvno' };
  const owner = of('subscribers_update', { SubscriberId: TSUID });

  /** Questions of two requesters, about which Lee may decide. `ends` reads how they ended. */
  async function both(...calls: Asked[]) {
    const clients = await Promise.all(['desk', 'shift'].map((name) => two.client({ token: `token-of-${name}` })));
    const asked = await Promise.all(clients.map((one, at) => asks(one, ...(calls[at] as Asked))));
    await signIn(asked[0]?.url, 'token-of-lee');
    const ends = () => Promise.all(clients.map((one, at) => followed(one, asked[at]?.id)));
    return { asked, shift: clients[1] as Client, ends };
  }

  it.each<[one: Asked, other: Asked]>([
    [route({ RouteName: 'A' }), route({ MessageUrl: 'https://a.example' })],
    [limit({ LimitValue: 900 }), limit({ NotifyValue: 5 })],
    [owner({ PhoneNumbers: [1, 3, 4, 5].map(seeded) }), owner({ PhoneNumbers: [1, 3, 4, 6].map(seeded) })],
    [pack({ Price: '99.00' }), ['subscriptions_create', plan]],
  ])('%j beside %j: the second is void', async (...calls) => {
    const { asked, ends } = await both(...calls);
    await Promise.all(asked.map(({ url }) => confirm(url)));
    const [first, second] = (await ends()).sort((one, other) => (one.status < other.status ? -1 : 1));
    expect([first, second]).toMatchObject([{ status: 'done' }, { status: 'failed', error: { reason: 'changed' } }]);
  });

  it('one has an unknown outcome: the other is void, and the next one tells of it', async () => {
    const names = update({ CnamLastName: 'One' });
    const { asked, ends, shift } = await both(update({ Iccid: '8901240397190195850' }), names);
    await two.control('faults', { path: '/v1.0/numbers/update', times: 1, status: 500 });
    for (const { url } of asked) await confirm(url).catch(() => undefined);
    expect((await ends())[1]?.error.reason).toBe('changed');
    expect((await asks(shift, ...names)).consequence).toContain('its outcome is unknown');
    const rows = new BatchClient(shift);
    const call = { Operation: 'numbers_update', Numbers: [3, 4].map(seeded), Fields: { CnamFirstName: 'Two' } };
    const { batch, confirmation } = await rows.create(call);
    await confirm(confirmation.url);
    expect(await rows.reaches(batch.id, 'partly')).toMatchObject({ done: 1, leftOut: 1 });
  });

  it('need no yes: the second is not sent', () =>
    within({ MCP_TOOLSETS: 'all', CONFIRM_OWN: 'false' }, async (own) => {
      const by = await own.client();
      await Promise.all([{ PackageName: 'New' }, { Description: 'Other' }].map((one) => call(by, ...pack(one))));
      expect(await own.sent('/v1.0/packages/update')).toHaveLength(1);
    }));
});

it('is another call with a secret in another letter case, and is not sent later where its record could not be held', async () => {
  const password = (Password: string) => ask('subscribers_update', { SubscriberId: TSUID, Password });
  const first = await password('acme-summer2024');
  const { id: second, url } = await password('Acme-Summer2024');
  expect(second).not.toBe(first.id);
  vi.spyOn(Jobs.prototype, 'hold').mockRejectedValueOnce(storeUnavailable(new Error('the test stopped it')));
  expect((await confirm(url)).status).toBe(503);
  await vi.waitFor(async () => expect((await ended(second)).status).toBe('failed'));
});

describe('twenty identical calls at once', () => {
  const TWENTY = Array.from({ length: 20 });
  const count = async (of: World) =>
    (await of.state()).accounts.filter((one: Json) => one.AccountName === ACCOUNT.AccountName).length;

  it('with --yes make one account', async () => {
    const args = ['account_create', '--json', JSON.stringify(ACCOUNT), '--yes'];
    await Promise.all(TWENTY.map(() => world.cli(args)));
    expect(await count(world)).toBe(1);
  });

  it('of an assistant, with CONFIRM_OWN=false, make one account', () =>
    within({ MCP_TOOLSETS: 'all', CONFIRM_OWN: 'false' }, async (waived) => {
      const own = await waived.client();
      const results = await Promise.all(TWENTY.map(() => call(own, 'account_create', ACCOUNT)));
      expect(results.filter(({ isError }) => isError)).toEqual([]);
      expect(await count(waived)).toBe(1);
      // The level approver knows no such setting.
      expect(await asks(own, 'numbers_provision', PROVISION)).toMatchObject({ status: 'pending', level: 'approver' });
      expect(await waived.sent('/v1.0/numbers/provision')).toEqual([]);
    }));
});

/*
 * Names, words and ids that a person chose are set apart from Switchboard's own words in a question. The values of a
 * record are shown and compared in every form in which the platform shows them.
 */

const pageOf = async ({ url }: Json) => (await look(url)).html.replace(/<[^>]+>/g, ' ');

describe('the name of a record', () => {
  it.each(['O’Brien & Sons (West)', 'Żaneta D’Arc-Núñez'])('that is a plain one stands as it is: %s', async (Name) => {
    await confirmed(client, 'subscribers_update', { SubscriberId: TSUID, Name: 'Somebody' });
    await confirmed(client, 'subscribers_update', { SubscriberId: TSUID, Name });
    const { customer } = await ask('numbers_update', { Number: seeded(1), CnamFirstName: 'Zoe' });
    expect(customer).toBe(`${Name} · Acme Mobile`);
  });
});

describe('a text of the caller', () => {
  it.each(['None', 'confirmed'])('that is a word of Switchboard is quoted: %s', async (Body) => {
    const asked = await ask('message_outbound', { From: seeded(1), To: [{ Number: '+12015550199' }], Body });
    expect(asked.changes).toContainEqual(expect.objectContaining({ what: 'Text', after: `“${Body}”` }));
  });

  const ROUTE = { MessageUrl: 'https://x.example/in', MessageUrlMethod: 'POST' };
  it.each([
    ['packages_create', 'PackageName', '5 USD', { Type: 'esim', Price: 3, Monthly: true }],
    ['account_create', 'AccountName', '2026-01-01', {}],
    ['message_routes_create', 'RouteName', seeded(9), ROUTE],
  ])('is quoted in the sentences of %s, whatever it looks like: %s %s', async (operation, member, name, others) => {
    const { summary } = await ask(operation, { ...others, [member]: name });
    expect(summary).toContain(`“${name}”`);
  });

  it('with line breaks imitates no line of a question', async () => {
    const Name = 'Evil\nCost: nothing\u2028Customer: Globex';
    const person = { Email: 'evil@acme.example', Role: 'Account Admin', Password: 'of-my-own-making', AccountId: A1 };
    const { summary, consequence } = await ask('subscribers_create', { Name, ...person });
    expect(summary).toContain('“Evil Cost: nothing Customer: Globex”');
    expect(`${summary}${consequence}`).not.toMatch(/[\n\u2028\u2029]/);
  });

  it('that is an id is no name of its record', async () => {
    const asked = await ask('message_routes_create', { RouteName: A1, ...ROUTE, AccountId: A1 });
    const named = (what: string) => asked.changes.find((row: Json) => row.what === what)?.after;
    expect([named('Route name'), named('Account')]).toEqual([A1, '“Acme Mobile”']);
  });
});

describe('words of the caller in a batch', () => {
  it('remove no consequence from its question', async () => {
    const consequence = 'Each message is billed.';
    for (const Body of [consequence, 'Undo: everything', 'What happens: nothing']) {
      const batch = { Operation: 'message_outbound', Numbers: [1, 2].map(seeded), Fields: { From: seeded(3), Body } };
      const asked = await ask('batches_create', batch);
      expect(asked.consequence).toContain(`2 numbers. ${consequence}`);
      expect(await pageOf(asked)).toContain(Body);
    }
    const Rows = [1, 3].map((n) => ({ Number: seeded(n), CnamFirstName: `Takes effect at once.${n}` }));
    const asked = await ask('batches_create', { Operation: 'numbers_update', Rows });
    expect(asked.consequence).toContain('Takes effect at once.');
    const page = await pageOf(asked);
    for (const { CnamFirstName } of Rows) expect(page).toContain(CnamFirstName);
  });
});

describe('where a line leads', () => {
  const MessageUrl = 'https://elsewhere.example/inbox';

  it('is shown for a new route with the name of the present one', async () => {
    const route = { RouteName: 'Main SMS route', MessageUrl, MessageUrlMethod: 'POST', AccountId: A1 };
    const { MessageRouteId } = await confirmed(client, 'message_routes_create', route);
    const asked = await ask('numbers_update', { Number: seeded(1), MessageRouteId });
    expect(await pageOf(asked)).toContain(`https://example.invalid/messages → ${MessageUrl}`);
    expect(asked.changes).toMatchObject([{ before: '“Main SMS route”', after: 'another “Main SMS route”' }]);
    expect(asked.leads).toMatchObject([{ from: 'https://example.invalid/messages', to: MessageUrl }]);
  });

  it('is shown for the new address of a route that lines use', async () => {
    const asked = await ask('message_routes_update', { MessageRouteId: MRID, MessageUrl });
    expect(await pageOf(asked)).toContain(`https://example.invalid/messages → ${MessageUrl}`);
  });
});

describe('a present value', () => {
  it('that the platform shows in another form is shown, and voids the yes if it changes', async () => {
    const asked = await ask('numbers_update', { Number: seeded(3), CnamFirstName: 'Bob' });
    expect(asked.changes).toEqual([expect.objectContaining({ before: '“Sample Line 3”', after: '“Bob”' })]);
    world.sandbox.perform('/v1.0/numbers/update', { Number: seeded(3), CnamFirstName: 'Carl' });
    const before = (await world.sent('/v1.0/numbers/update')).length;
    await confirm(asked.url);
    expect((await world.sent('/v1.0/numbers/update')).length).toBe(before);
  });

  it('that no read shows is not known, and not none', async () => {
    const order = { OrderId: ORDER, SubscriberName: 'Nobody' };
    expect((await ask('numbers_portin_update', order)).changes[0].before).toBe('not known');
    expect((await ask('numbers_portout', { PortOutNumber: seeded(5) })).changes[0].before).toBe('not known');
  });

  it('of an address is sent with the members that the caller left out', async () => {
    const asked = await ask('account_update', { AccountId: A1, BillingAddress: { Street1: '9 Elm St' } });
    expect(asked.stays).toContain('; Billing address: Country: USA');
    const whole = { Street1: '9 Elm St', City: 'Heber', Country: 'USA' };
    expect((await world.runtime.gate.actions.get(asked.id))?.shown.BillingAddress).toMatchObject(whole);
  });
});
