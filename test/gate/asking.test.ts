import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../../src/lib/actor.ts';
import { begunDay } from '../support/clock.ts';
import {
  A1,
  call,
  confirm,
  confirmed,
  face,
  id,
  type Json,
  look,
  nobody,
  ORDER,
  openWorld,
  PROVISION,
  seeded,
  value,
  type World,
} from '../support/world.ts';

/* The records are read before a person is asked. */

const PORT_IN = {
  PortInNumber: '+13125550192',
  CurrentCarrierName: 'Lakeside Telephone',
  CurrentAccountNumber: '46512222',
  CurrentAccountPassword: '0550',
  CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
};
const list = (...numbers: number[]) => ({ PhoneNumbers: numbers.map((n) => ({ Number: seeded(n) })) });
const REQUEST = '/v1.0/numbers/cancel-order-request';

let world: World;
let client: Awaited<ReturnType<World['client']>>;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(() => world.afresh());

const pendings = async () => await world.runtime.gate.actions.list({ states: ['pending'], limit: 50 });
const ask = async (operation: string, input: Record<string, unknown>): Promise<Json> =>
  value(await call(client, operation, input)).confirmation;

describe('a number in a state the act does not need never reaches an approver', () => {
  it.each([
    [
      'an active number is reactivated',
      'numbers_reactivate',
      { PhoneNumber: seeded(1) },
      'PhoneNumber',
      'nothing to reactivate',
    ],
    [
      'a released number is reactivated',
      'numbers_reactivate',
      { PhoneNumber: seeded(9), AccountId: A1 },
      'PhoneNumber',
      'numbers_provision',
    ],
    ['a cancelled number is cancelled', 'numbers_cancel', list(7), 'PhoneNumbers', 'numbers_reactivate'],
    ['a released number is cancelled', 'numbers_cancel', list(9), 'PhoneNumbers', 'nothing left to cancel'],
    ['a cancelled number is requested', 'numbers_cancel_order_request', list(7), 'PhoneNumbers', 'numbers_reactivate'],
    [
      'an active number is activated',
      'numbers_status',
      { StatusChange: 'activate', ...list(3), EffectiveDate: '12/31/2026' },
      'PhoneNumbers',
      'already',
    ],
    [
      'a cancelled number is parked',
      'numbers_status',
      { StatusChange: 'park', ...list(3, 7), EffectiveDate: '12/31/2026' },
      'PhoneNumbers',
      'Leave it out',
    ],
    [
      'a released number is switched off',
      'numbers_update',
      { Number: seeded(9), VoiceEnabled: false },
      'Number',
      'numbers_provision',
    ],
    [
      'a cancelled number sends',
      'message_outbound',
      { To: [{ Number: '+12015550199' }], From: seeded(7), Body: 'x' },
      'From',
      'numbers_reactivate',
    ],
    ['a landline is ported without a date', 'numbers_portin', PORT_IN, 'PortInDate', '5 to 10 business days'],
  ])('%s', async (_what, operation, input, field, way) => {
    const error = face(await call(client, operation, input));
    expect(error).toMatchObject({ code: 'invalid_input', outcome: 'not_done', field });
    expect(error.message).toContain(way);
    expect(await pendings()).toEqual([]);
    const posts = (await world.requests()).filter(
      ({ method, path }) => method === 'POST' && !/tokens|eligibility|data-usage\/info/.test(path),
    );
    expect(posts).toEqual([]);
  });

  it.each(['Completed', 'Cancelled'])('a %s port-in is corrected', async (Status) => {
    await world.control('orders', { OrderId: ORDER, Status });
    const correction = { OrderId: ORDER, CurrentAccountNumber: '1' };
    const error = face(await call(client, 'numbers_portin_update', correction));
    expect(error).toMatchObject({ code: 'bad_request', outcome: 'not_done', field: 'OrderId' });
    expect(error.message).toContain(`is ${Status}: it has ended`);
  });

  it('a port-in the carrier does not allow is the platform saying no', async () => {
    const error = face(await call(client, 'numbers_portin', { ...PORT_IN, PortInNumber: '+13125550191' }));
    expect(error).toMatchObject({ code: 'bad_request', outcome: 'not_done', field: 'PortInNumber' });
    expect(await world.sent('/v1.0/numbers/portin')).toEqual([]);
  });
});

describe('a record that the platform does not have', () => {
  const route = { ...PROVISION, MessageRouteId: nobody('MRID') };
  const to = { AssignedSubscriberId: nobody('TSUID') };
  it.each<[string, Record<string, unknown>, string, string]>([
    ['webhook_delete', { WebhookId: nobody('WID') }, 'WebhookId', 'not_found'],
    ['subscriptions_delete', { SubscriptionId: nobody('SUB') }, 'SubscriptionId', 'not_found'],
    ['numbers_provision', route, 'MessageRouteId', 'bad_request'],
    ['numbers_update', { Number: seeded(3), ...to }, 'AssignedSubscriberId', 'bad_request'],
    ['packages_items_add', { PackageId: id('PKID', 1), ProductId: nobody('PRID') }, 'ProductId', 'bad_request'],
  ])('is not asked about: %s', async (operation, input, field, code) => {
    const error = face(await call(client, operation, input));
    expect(error).toMatchObject({ code, outcome: 'not_done', field });
    expect(error.message).toMatch(new RegExp(`^${field}: The platform said: “.* not found`));
    expect(await pendings()).toEqual([]);
  });

  it('is asked about with a warning if the 404 may be about the endpoint', async () => {
    await world.control('faults', { path: '/v1.0/message/routes', times: 1, status: 404 });
    const { html } = await look((await ask('message_routes_delete', { MessageRouteId: id('MRID', 1) })).url);
    expect(html).toContain('could not be read before asking');
  });
});

describe('the account and the customer', () => {
  it('fills in the account of the record, and names the customer', async () => {
    const confirmation = await ask('numbers_reactivate', { PhoneNumber: seeded(7) });
    expect(confirmation.customer).toContain('Ava Stone');
    expect(confirmation.customer).toContain('Acme Mobile');
    const { html } = await look(confirmation.url);
    for (const text of ['Ava Stone', 'Acme Mobile', A1]) expect(html).toContain(text);
    await confirm(confirmation.url);
    expect(value(await call(client, 'confirmations_get', { id: confirmation.id }))).toMatchObject({
      status: 'done',
      result: { AccountId: A1 },
      now: { Numbers: [{ Number: seeded(7), Status: 'Active', Customer: 'Ava Stone' }] },
    });
    expect(value(await call(client, 'confirmations_get', { ids: [confirmation.id] }))).toMatchObject({
      confirmations: [{ status: 'done' }],
      now: { Numbers: [{ Number: seeded(7) }] },
    });
    // Read for the question, again before it is sent, and for each state after it.
    expect(await world.sent('/v1.0/numbers')).toHaveLength(4);
  });

  it('of a route are those of its lines, and a line that joined them is named', async () => {
    const MessageUrl = 'https://example.com/sms';
    const spare = { RouteName: 'Spare', MessageUrl, MessageUrlMethod: 'POST', AccountId: id('AID', 2) };
    const { MessageRouteId = '' } = world.sandbox.perform('/v1.0/message/routes', spare);
    const { url, id: asked } = await ask('message_routes_update', { MessageRouteId, RouteName: 'Renamed' });
    world.sandbox.perform('/v1.0/numbers/update', { Number: seeded(2), MessageRouteId });
    await confirm(url);
    const { confirmations, now } = value(await call(client, 'confirmations_get', { ids: [asked] }));
    expect(confirmations[0].error.message).toContain(`the list of its lines was not set and is ${seeded(2)} now`);
    expect(now).toBeUndefined();
  });

  it('reads a long list in few requests, and names what it did not find', async () => {
    const numbers = Array.from({ length: 20 }, (_, i) => ({ Number: `+1201555${String(2000 + i)}` }));
    const input = { StatusChange: 'park', PhoneNumbers: numbers, EffectiveDate: '12/31/2026' };
    const confirmation = await ask('numbers_status', input);
    expect(await world.sent('/v1.0/numbers')).toHaveLength(3);
    expect(await world.sent('/v1.0/numbers/inventory')).toHaveLength(1);
    const { html } = await look(confirmation.url);
    for (const { Number: phone } of numbers.slice(3))
      expect(/Not looked at before asking, customer unknown: ([^<]*)/.exec(html)?.[1]).toContain(phone);
  });
});

describe('a cancellation', () => {
  const waitsFor = async (operation: string): Promise<Json> => {
    if (operation === 'numbers_cancel') return ask(operation, list(4));
    const { OrderId } = value(await call(client, 'numbers_cancel_order_request', list(4)));
    return ask(operation, { OrderId });
  };

  it.each(['numbers_cancel', 'numbers_cancel_order_submit'])(
    '%s shows the service of its number before and after, and is done by a yes after its AuthCode has lapsed',
    async (operation) => {
      const confirmation = await waitsFor(operation);
      expect(confirmation.changes).toEqual([
        expect.objectContaining({
          of: seeded(4),
          what: 'Service',
          before: 'Active',
          after: 'Cancelled - Pending Delete',
        }),
      ]);
      await world.control('clock', { advance: '20m' });
      await confirm(confirmation.url);
      expect(value(await call(client, 'confirmations_get', { id: confirmation.id }))).toMatchObject({
        status: 'done',
        result: { NumbersChange: [{ Number: seeded(4) }] },
      });
    },
  );

  it('says that its order is made anew by the yes, and names the old one and the new one', async () => {
    const { OrderId } = value(await call(client, 'numbers_cancel_order_request', list(4)));
    const confirmation = await ask('numbers_cancel_order_submit', { OrderId });
    expect(confirmation.consequence).toContain('The order is made anew when this is confirmed');
    const { html } = await confirm(confirmation.url);
    const { result } = value(await call(client, 'confirmations_get', { id: confirmation.id }));
    expect(result.OrderId).not.toBe(OrderId);
    const both = `The order ${OrderId} was made anew when this was confirmed: ${result.OrderId} was sent in its place.`;
    expect(result.Warning).toBe(both);
    expect(html).toContain(both);
  });

  const somebody: Actor = { id: 'mcp:http:lee', name: 'lee', role: 'operator', surface: 'mcp', priority: 'assistant' };

  it.each([
    ['another list with the number', 'numbers_cancel', list(3, 4)],
    ['its request stage', 'numbers_cancel_order_request', list(3)],
  ])('is not voided by %s', async (_what, operation, input) => {
    const first = await ask('numbers_cancel', list(3));
    const error = face(await call(client, operation, input));
    expect(error).toMatchObject({ code: 'invalid_input', field: 'PhoneNumbers', outcome: 'not_done' });
    for (const text of [first.id, first.url, seeded(3)]) expect(error.message).toContain(text);
    expect(error.message).toContain('Wait until a person has decided, or withdraw it.');
    expect(await world.sent(REQUEST)).toHaveLength(1);
    await confirm(first.url);
    expect(value(await call(client, 'confirmations_get', { id: first.id })).status).toBe('done');
  });

  it('waits for another change of the line, and not for a text to it', async () => {
    const text = { To: [{ Number: seeded(3) }], From: seeded(1), Body: 'hello' };
    expect((await world.runtime.gate.perform('message_outbound', text, somebody)).kind).toBe('pending');
    expect(await ask('numbers_cancel', list(3))).toMatchObject({ status: 'pending' });

    const limit = { PhoneNumbers: [{ Number: seeded(5) }], LimitValue: 50 };
    const other = await world.runtime.gate.perform('numbers_data_usage_set', limit, somebody);
    expect(other.kind).toBe('pending');
    const { message } = face(await call(client, 'numbers_cancel', list(5)));
    expect(message).toContain('have it declined, or ask lee to withdraw it');
  });
});

/* An input that is known to be wrong is refused before a person is asked, with every wrong field in one answer. */

const FILTER = { SubscriberId: id('TSUID', 1), Phone: seeded(1), FilterMode: 'CHILD' };
const rows = (...phones: string[]) => phones.map((phone) => ({ Number: phone }));

/** Operation, input, and the wrong fields with a part of each text. */
const WRONG: readonly [string, Record<string, unknown>, Record<string, string>][] = [
  [
    'numbers_portin',
    { ...PORT_IN, CurrentBillingAddress: { ...PORT_IN.CurrentBillingAddress, State: 'Ilinois', Zip: '6060' } },
    {
      'CurrentBillingAddress.State': 'must be a US state',
      'CurrentBillingAddress.Zip': 'a ZIP code has five digits',
    },
  ],
  [
    'numbers_status',
    { StatusChange: 'swap-sim', PhoneNumbers: rows(seeded(3)), EffectiveDate: '12/31/2036', ZipCode: '840' },
    {
      ZipCode: 'five digits',
      PhoneNumbers: 'needs the serial (ICCID) of the new SIM',
    },
  ],
  [
    'message_outbound',
    { To: rows('+12015550199', '+12015550199'), From: seeded(1), Body: 'Hello' },
    { To: 'is given twice' },
  ],
  // A rule over the whole input would be wrong while its only change is not readable.
  [
    'account_update',
    { AccountId: id('AID', 1), BillingAddress: { Zip: '8' } },
    { 'BillingAddress.Zip': 'five digits' },
  ],
];

it.each(WRONG)('%s names every wrong field, and sends nothing', async (operation, input, wrong) => {
  const { code, field, fields, message, outcome } = face(await call(client, operation, input));
  expect({ code, outcome }).toEqual({ code: 'invalid_input', outcome: 'not_done' });
  expect(fields?.map((problem) => problem.field).sort()).toEqual(Object.keys(wrong).sort());
  for (const problem of fields ?? []) {
    expect(problem.message).toContain(wrong[problem.field]);
    expect(message).toContain(`${problem.field}: ${problem.message}`);
  }
  expect(field).toBe(fields?.[0]?.field);
  expect(await world.requests()).toEqual([]);
});

it('accepts states by code and name, long ZIP codes, other countries, severities in small letters, and this day', async () => {
  const abroad = { State: 'Ontario', Zip: 'M5V 2T6', Country: 'Canada' };
  const created = await confirmed(client, 'account_create', {
    AccountName: 'North',
    BillingAddress: abroad,
    MailingAddress: { State: 'new york', Zip: '10001-1234', Country: 'USA' },
  });
  expect(created.AccountId).toMatch(/^AID-/);
  const KeywordFilter = '{"CustomKeywords":["bet"],"SeverityMap":{"bet":"high"}}';
  await confirmed(client, 'subscribers_message_filter_create', { ...FILTER, KeywordFilter });
  const [sent] = await world.sent('/v1.0/subscribers/message-filter');
  expect(sent).toBeDefined();
  const park = { StatusChange: 'park', PhoneNumbers: rows(seeded(3)), EffectiveDate: begunDay() };
  expect(value(await call(client, 'numbers_status', park)).confirmation.status).toBe('pending');
});

it('refuses a day that is over everywhere before anybody is asked', async () => {
  const park = { StatusChange: 'park', PhoneNumbers: rows(seeded(3)), EffectiveDate: '01/05/2026' };
  const refused = face(await call(client, 'numbers_status', park));
  expect(refused).toMatchObject({ code: 'invalid_input', field: 'EffectiveDate', outcome: 'not_done' });
  expect(refused.message).toContain('Jan 5, 2026 has passed: give today or a later day.');
  expect(await world.requests()).toEqual([]);
  const batch = { Operation: 'numbers_status', Numbers: [seeded(3), seeded(5)] };
  const { StatusChange, EffectiveDate } = park;
  const many = face(await call(client, 'batches_create', { ...batch, Fields: { StatusChange, EffectiveDate } }));
  expect(many.message).toContain('Jan 5, 2026 has passed');
});

describe('a value that does not fit the record', () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    [
      'numbers_reactivate',
      { PhoneNumber: seeded(7), AccountId: id('AID', 2) },
      'AccountId',
      'belongs to “Acme Mobile” (AID-',
    ],
    [
      'numbers_update',
      { Number: seeded(6), MessageType: 'a2p' },
      'MessageType',
      'carries messages between people only (p2p)',
    ],
    ['numbers_data_usage_set', { PhoneNumbers: rows(seeded(9)), LimitValue: 0 }, 'PhoneNumbers', 'is Cancelled'],
    [
      'packages_items_delete',
      { PackageId: id('PKID', 1), PackageItemId: id('PIID', 999) },
      'PackageItemId',
      'has no item',
    ],
  ])('is refused: %s', async (operation, input, field, says) => {
    const error = face(await call(client, operation, input));
    const code = field === 'PackageItemId' ? 'not_found' : 'invalid_input';
    expect(error).toMatchObject({ code, outcome: 'not_done', field });
    expect(error.message).toContain(says);
  });
});
