import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations, tools } from '../../tools/index.ts';
import { ATTACKS } from '../attacks/raised-calls.ts';
import {
  CRID,
  call,
  confirm,
  confirmed,
  decline,
  face,
  id,
  type Json,
  MRID,
  ORDER,
  openWorld,
  seeded,
  TSUID,
  texts,
  value,
  type World,
} from '../support/world.ts';
import { RAISED_PEOPLE } from './risk-people.ts';

/* The level of a change whose harm depends on its input. */

type McpClient = Awaited<ReturnType<World['client']>>;

let world: World;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const ONE = [{ Number: seeded(1) }];
const PRODUCT = id('PRID', 1);
const PACKAGE = id('PKID', 1);
const ITEM = { PackageId: PACKAGE, PackageItemId: id('PIID', 1) };
const BLOCKED = { SubscriberId: TSUID, Numbers: ['+12015550198'] };

/** [what, operation, input, path of the changing endpoint] */
const RAISED: [string, string, Record<string, unknown>, string][] = [
  ['a SIM swap', 'numbers_update', { Number: seeded(1), Iccid: '8901240397190195850' }, '/v1.0/numbers/update'],
  ['voice off', 'numbers_update', { Number: seeded(1), VoiceEnabled: false }, '/v1.0/numbers/update'],
  ['messaging off', 'numbers_update', { Number: seeded(1), MessageEnabled: false }, '/v1.0/numbers/update'],
  ['a voice route', 'numbers_update', { Number: seeded(6), VoiceRouteId: CRID }, '/v1.0/numbers/update'],
  ['another subscriber', 'numbers_update', { Number: seeded(10), AssignedSubscriberId: TSUID }, '/v1.0/numbers/update'],
  [
    'a billing address',
    'account_create',
    { AccountName: 'Northwind', BillingAddress: { Street1: '2 Main St', City: 'Heber', State: 'UT', Zip: '84032' } },
    '/v1.0/account/create',
  ],
  ['a limit of 0', 'numbers_data_usage_set', { PhoneNumbers: ONE, LimitValue: 0 }, '/v1.0/numbers/data-usage'],
  ['a limit below use', 'numbers_data_usage_set', { PhoneNumbers: ONE, LimitValue: 12 }, '/v1.0/numbers/data-usage'],
  ['a limit at use', 'numbers_data_usage_set', { PhoneNumbers: ONE, LimitValue: 12.5 }, '/v1.0/numbers/data-usage'],
  [
    'a URL of a route',
    'message_routes_update',
    { MessageRouteId: MRID, MessageUrl: 'https://elsewhere.example/x' },
    '/v1.0/message/routes/update',
  ],
  [
    'a callback of a route',
    'message_routes_update',
    { MessageRouteId: MRID, CallbackMessageUrl: 'https://elsewhere.example/x' },
    '/v1.0/message/routes/update',
  ],
  [
    'a method of a route',
    'message_routes_update',
    { MessageRouteId: MRID, MessageUrlMethod: 'GET' },
    '/v1.0/message/routes/update',
  ],
  [
    'authentication of a route',
    'message_routes_update',
    {
      MessageRouteId: MRID,
      MessageAuthenticationType: 'Basic',
      MessageUsername: 'sandbox',
      MessagePasswordToken: 'example',
    },
    '/v1.0/message/routes/update',
  ],
  ...[
    { MessageRouteEnabled: false },
    { IntelligentRouteEnabled: false },
    { InboundBypass: true },
    { OutboundBypass: true, InboundBypass: false },
  ].map((taken): [string, string, Record<string, unknown>, string] => [
    `a route with ${JSON.stringify(taken)}`,
    'message_routes_update',
    { MessageRouteId: MRID, ...taken },
    '/v1.0/message/routes/update',
  ]),
  [
    'a webhook',
    'webhook_create',
    { WebhookUrl: 'https://elsewhere.example/x', SubscribedEvents: 'New_Sms' },
    '/v1.0/webhook/create',
  ],
  ...[
    { WebhookUrl: 'https://elsewhere.example/x' },
    { SubscribedEvents: 'Order_Update' },
    { AuthenticationType: 'Token', AuthenticationToken: 'example' },
    { Method: 'PUT' },
  ].map((changed): [string, string, Record<string, unknown>, string] => [
    `a webhook with ${JSON.stringify(changed)}`,
    'webhook_update',
    changed,
    '/v1.0/webhook/update',
  ]),
  [
    'protection off',
    'subscribers_guardian_features_set',
    { SubscriberId: TSUID, EnableIntelligentGuardianCalls: false, EnableIntelligentGuardianMessages: true },
    '/v1.0/subscribers/guardian-features',
  ],
  [
    'a block lifted',
    'subscribers_call_filter_blocked_numbers_remove',
    BLOCKED,
    '/v1.0/subscribers/call-filter/blocked-numbers/remove',
  ],
  ['a dearer product', 'products_update', { ProductId: PRODUCT, Cost: 4.51 }, '/v1.0/products/update'],
  ['another billing', 'products_update', { ProductId: PRODUCT, BillingFrequency: 'NRC' }, '/v1.0/products/update'],
  ['another kind of product', 'products_update', { ProductId: PRODUCT, Type: 'data' }, '/v1.0/products/update'],
  ['a dearer package', 'packages_update', { PackageId: PACKAGE, Price: 15.01 }, '/v1.0/packages/update'],
  ['a cheaper package', 'packages_update', { PackageId: PACKAGE, Price: 14 }, '/v1.0/packages/update'],
  ['a package billed once', 'packages_update', { PackageId: PACKAGE, Monthly: false }, '/v1.0/packages/update'],
  ['another kind of package', 'packages_update', { PackageId: PACKAGE, Type: 'sip' }, '/v1.0/packages/update'],
  ['a dearer item', 'packages_items_update', { ...ITEM, Price: '4.51' }, '/v1.0/packages/items/update'],
  ['an item billed once', 'packages_items_update', { ...ITEM, Monthly: false }, '/v1.0/packages/items/update'],
  ...[{ SubscriberId: id('TSUID', 2) }, { TNID: id('NID', 3) }, { ICCID: '8901240397190195850' }, { Type: 'Voip' }].map(
    (moved): [string, string, Record<string, unknown>, string] => [
      `a subscription with another ${Object.keys(moved).join()}`,
      'subscriptions_update',
      { SubscriptionId: id('SUB', 1), ...moved },
      '/v1.0/subscriptions/update',
    ],
  ),
  ...[
    { VoiceUrl: 'https://elsewhere.example/x' },
    { VoiceUrlMethod: 'GET' },
    { CallbackVoiceUrl: 'https://elsewhere.example/x' },
    { VoiceAuthenticationType: 'None' },
    { TrunkIp1: '192.0.2.99' },
    { TrunkUri2: 'sip:elsewhere.example' },
    { Trunk1Weight: 0 },
    { RouteType: 'Forward' },
    { RouteEnabled: false },
    { IntelligentRouteEnabled: false },
    { IpWhitelist: [{ IpAddress: '192.0.2.98' }] },
    { EnableCallStreaming: true, WssUri: 'wss://elsewhere.example/x' },
    { EnableTrpSecureTrunk: false, RouteName: 'Renamed' },
  ].map((changed): [string, string, Record<string, unknown>, string] => [
    `a voice route with ${JSON.stringify(changed)}`,
    'voice_routes_update',
    { CallRouteId: CRID, ...changed },
    '/v1.0/voice/routes/update',
  ]),
];

/** Calls with ordinary members only, or with values that are raised and that the record has. */
const ORDINARY: [string, Record<string, unknown>][] = [
  ['numbers_update', { Number: seeded(1), CnamFirstName: 'Ava', VoiceEnabled: true }],
  ['numbers_data_usage_set', { PhoneNumbers: ONE, LimitValue: 21 }],
  ['message_routes_update', { MessageRouteId: MRID, RouteName: 'Renamed' }],
  ['subscribers_guardian_features_set', { SubscriberId: TSUID, EnableIntelligentGuardianCalls: true }],
  ['products_update', { ProductId: PRODUCT, SKU: 'ESIM-02', Cost: 4.5, BillingFrequency: 'mrc', Type: 'esim' }],
  ['packages_update', { PackageId: PACKAGE, PackageName: 'Other', Price: 15, Monthly: true }],
  ['voice_routes_update', { CallRouteId: CRID, RouteName: 'New', RouteEnabled: true, IntelligentRouteEnabled: true }],
];

const ALREADY_SO: [string, Record<string, unknown>][] = [
  [
    'message_routes_update',
    { MessageRouteId: MRID, MessageRouteEnabled: true, IntelligentRouteEnabled: true, InboundBypass: false },
  ],
  ['message_routes_update', { MessageRouteId: MRID, MessageAuthenticationType: 'None' }],
  ['numbers_update', { Number: seeded(1), ProductType: 'sms+data+voice', Classification: 'MVNO' }],
  ['numbers_update', { Number: seeded(1), MessageRouteId: MRID, VoiceRouteId: CRID }],
  ['workgroups_update', { WorkgroupId: id('WID', 1), Type: 'simultaneous', RecordCalls: false }],
];

/** Records that are not seeded, with the input that names them. */
const RECORDS: Record<string, (client: McpClient) => Promise<Record<string, unknown>>> = {
  subscribers_guardian_features_set: async (client) => {
    const on = { SubscriberId: TSUID, EnableIntelligentGuardianCalls: true };
    await confirmed(client, 'subscribers_guardian_features_set', on);
    return {};
  },
  webhook_update: async (client) => {
    const webhook = { WebhookUrl: 'https://customer.example/x', SubscribedEvents: 'New_Sms' };
    const { WebhookId } = await confirmed(client, 'webhook_create', webhook);
    return { WebhookId };
  },
  subscribers_call_filter_blocked_numbers_remove: async (client) => {
    const filter = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'BLACKLIST', BlockedNumbers: BLOCKED.Numbers };
    const { FilterId } = await confirmed(client, 'subscribers_call_filter_create', filter);
    return { CallFilterId: FilterId };
  },
};

const changesSent = async (path: string) => (await world.sent(path)).filter(({ method }) => method !== 'GET');

describe('an operator over MCP', () => {
  it.each(RAISED)('waits for an approver with %s', async (_what, operation, input, path) => {
    const client = await world.client();
    const record = await RECORDS[operation]?.(client);
    const before = (await changesSent(path)).length;
    const { confirmation } = value(await call(client, operation, { ...record, ...input }));
    expect(confirmation).toMatchObject({ status: 'pending', level: 'approver', consequence: expect.any(String) });
    await decline(confirmation.url);
    expect((await changesSent(path)).length).toBe(before);
  });

  it.each(ORDINARY)('may be confirmed by who asked: %s with %j', async (operation, input) => {
    const client = await world.client();
    const { confirmation } = value(await call(client, operation, input));
    expect(confirmation).toMatchObject({ status: 'pending', level: 'own' });
    await confirm(confirmation.url);
    expect(value(await call(client, 'confirmations_get', { id: confirmation.id })).status).toBe('done');
  });

  it.each(ALREADY_SO)(
    'sends and asks nothing where the record has every value: %s with %j',
    async (operation, input) => {
      const result = value(await call(await world.client(), operation, input));
      expect(result.Warning).toBe('Nothing was sent: this is already so.');
      expect((await world.requests()).filter(({ path }) => path.endsWith('/update'))).toEqual([]);
    },
  );

  it('adds an item to a package without subscriptions with the own yes', async () => {
    const client = await world.client();
    const made = { PackageName: 'New', Type: 'sip', Price: 1, Monthly: true };
    const { PackageId } = await confirmed(client, 'packages_create', made);
    const item = { PackageId, ProductId: id('PRID', 2), Price: '99999' };
    const { confirmation } = value(await call(client, 'packages_items_add', item));
    expect(confirmation.level).toBe('own');
    await decline(confirmation.url);
  });

  it('corrects a Rejected port-in with the own yes, and its SIM with an approver', async () => {
    const client = await world.client();
    await world.control('orders', { OrderId: ORDER, Status: 'Rejected', ErrorMessage: 'Invalid account number' });
    const waits = value(await call(client, 'numbers_portin_update', { OrderId: ORDER, ICCID: '8901240397190195850' }));
    expect(waits.confirmation.level).toBe('approver');
    expect(waits.confirmation.changes).toContainEqual(
      expect.objectContaining({ before: 'Rejected', after: 'Submitted' }),
    );
    await decline(waits.confirmation.url);
    const correction = { OrderId: ORDER, CurrentAccountNumber: '46512346', SubscriberName: 'Ava Stone' };
    expect(value(await call(client, 'numbers_portin_update', correction)).confirmation.level).toBe('own');
    expect(await confirmed(client, 'numbers_portin_update', correction)).toMatchObject({ Status: 'Updated' });
  });

  it('needs an approver for a correction of an order that its own port-in only names', async () => {
    const client = await world.client();
    const portin = { ...(tools.find(({ id }) => id === 'numbers_portin')?.examples[0] ?? {}), SubscriberName: ORDER };
    const { OrderId } = await confirmed(client, 'numbers_portin', portin);
    const correct = async (order: string) =>
      value(await call(client, 'numbers_portin_update', { OrderId: order, CurrentAccountNumber: '46512346' }))
        .confirmation;
    expect((await correct(OrderId)).level).toBe('own');
    const waits = await correct(ORDER);
    expect(waits.level).toBe('approver');
    await decline(waits.url);
  });

  it.each([
    ['packages_items_update', '/v1.0/packages/items', { ...ITEM, Price: '4.5' }],
    ['products_update', '/v1.0/products', { ProductId: PRODUCT, Cost: 4.5 }],
  ])('waits for an approver with %s where what stands now cannot be read', async (operation, path, input) => {
    await world.control('faults', { path, times: 20, status: 403 });
    const asked = await call(await world.client(), operation, input);
    const { confirmation } = value(asked);
    expect(confirmation.level).toBe('approver');
    expect(texts(asked)).toContain('could not be read');
    expect(await world.sent(`${path}/update`)).toEqual([]);
    await decline(confirmation.url);
  });

  it('is refused with packages_update where what is left out cannot be read', async () => {
    await world.control('faults', { path: '/v1.0/packages', times: 20, status: 403 });
    const error = face(await call(await world.client(), 'packages_update', { PackageId: PACKAGE, Price: 15 }));
    expect(error).toMatchObject({ code: 'unavailable', outcome: 'not_done' });
    expect(await world.sent('/v1.0/packages/update')).toEqual([]);
  });

  it('is done once a person confirmed', async () => {
    const client = await world.client();
    const { confirmation } = value(await call(client, 'numbers_update', { Number: seeded(1), VoiceEnabled: false }));
    expect(confirmation.customer).toContain('Ava Stone');
    await confirm(confirmation.url);
    expect(value(await call(client, 'confirmations_get', { id: confirmation.id }))).toMatchObject({ status: 'done' });
    const { numbers } = await world.state();
    expect(numbers.find((row: Json) => row.Number === seeded(1)).VoiceEnabled).toBe(false);
  });

  it('sends a SIM swap once, whatever the platform answers', async () => {
    await world.control('faults', { path: '/v1.0/numbers/update', times: 2, status: 500 });
    const client = await world.client();
    const input = { Number: seeded(1), Iccid: '8901240397190195850' };
    const { confirmation } = value(await call(client, 'numbers_update', input));
    await confirm(confirmation.url);
    expect(value(await call(client, 'confirmations_get', { id: confirmation.id })).status).toBe('unknown');
    expect(await world.sent('/v1.0/numbers/update')).toHaveLength(1);
  });
});

describe('hints, roles and the terminal', () => {
  it('states the highest risk, and which inputs a person must confirm', async () => {
    const { tools } = await (await world.client()).listTools();
    for (const [, operation] of RAISED) {
      const tool = tools.find(({ name }) => name === operation);
      expect([operation, tool?.annotations?.destructiveHint]).toEqual([operation, true]);
      expect([operation, tool?.annotations?.readOnlyHint]).toEqual([operation, false]);
      expect(tool?.description).toContain('must confirm');
    }
    const raised = operations.filter((operation) => operation.raisedBy !== undefined).map((operation) => operation.id);
    const here = RAISED.map(([, operation]) => operation);
    const attacked = ATTACKS.map(([, operation]) => operation);
    expect(new Set([...here, ...attacked, ...RAISED_PEOPLE])).toEqual(new Set([...raised, 'webhook_create']));
  });

  it('is left out in read-only mode, and refused to a viewer', async () => {
    const other = await openWorld({ MCP_READ_ONLY: 'true' });
    try {
      const names = (await (await other.client()).listTools()).tools.map(({ name }) => name);
      for (const [, operation] of RAISED) expect(names).not.toContain(operation);
    } finally {
      await other.close();
    }
    const viewer = await openWorld({ MCP_ROLE: 'viewer' });
    try {
      const client = await viewer.client();
      for (const [, operation, input] of RAISED)
        expect(face(await call(client, operation, input))).toMatchObject({ code: 'forbidden_by_role' });
      expect(await viewer.requests()).toEqual([]);
    } finally {
      await viewer.close();
    }
  });

  it('needs --yes at a terminal without a person', async () => {
    const input = JSON.stringify({ Number: seeded(1), VoiceEnabled: false });
    const ran = await world.cli(['numbers_update', '--json', input]);
    expect([ran.code, ran.error().code]).toEqual([3, 'not_confirmed']);
    expect(await world.sent('/v1.0/numbers/update')).toEqual([]);
    expect((await world.cli(['numbers_update', '--json', input, '--yes'])).code).toBe(0);
  });

  it('is said in the help of the terminal', async () => {
    const { out } = await world.cli(['numbers_update', '--help']);
    expect(out.replace(/\s+/g, ' ')).toContain('An approver must confirm any of these: a new SIM');
  });
});
