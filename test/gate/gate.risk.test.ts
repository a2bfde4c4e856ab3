import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { operations, tools } from '../../tools/index.ts';
import {
  CRID,
  call,
  confirm,
  confirmed,
  decline,
  face,
  id,
  MRID,
  ORDER,
  openWorld,
  seeded,
  TSUID,
  texts,
  value,
  type World,
} from '../support/world.ts';

/* The level of a change whose harm depends on its input. */

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

/** [what, operation, input, path of the changing endpoint]. The law `raised` covers every member of the catalogue. */
const RAISED: [string, string, Record<string, unknown>, string][] = [
  ['a SIM swap', 'numbers_update', { Number: seeded(1), Iccid: '8901240397190195850' }, '/v1.0/numbers/update'],
  ['a limit below use', 'numbers_data_usage_set', { PhoneNumbers: ONE, LimitValue: 12 }, '/v1.0/numbers/data-usage'],
  [
    'a URL of a route',
    'message_routes_update',
    { MessageRouteId: MRID, MessageUrl: 'https://elsewhere.example/x' },
    '/v1.0/message/routes/update',
  ],
  [
    'a webhook',
    'webhook_create',
    { WebhookUrl: 'https://elsewhere.example/x', SubscribedEvents: 'New_Sms' },
    '/v1.0/webhook/create',
  ],
  ['a dearer package', 'packages_update', { PackageId: PACKAGE, Price: 15.01 }, '/v1.0/packages/update'],
  [
    'another subscriber of a subscription',
    'subscriptions_update',
    { SubscriptionId: id('SUB', 1), SubscriberId: id('TSUID', 2) },
    '/v1.0/subscriptions/update',
  ],
  [
    'another trunk of a voice route',
    'voice_routes_update',
    { CallRouteId: CRID, TrunkIp1: '192.0.2.99' },
    '/v1.0/voice/routes/update',
  ],
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

const changesSent = async (path: string) => (await world.sent(path)).filter(({ method }) => method !== 'GET');

describe('an operator over MCP', () => {
  it.each(RAISED)('waits for an approver with %s', async (_what, operation, input, path) => {
    const client = await world.client();
    const before = (await changesSent(path)).length;
    const { confirmation } = value(await call(client, operation, input));
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
    for (const { id: operation } of operations.filter(({ raisedBy }) => raisedBy !== undefined)) {
      const tool = tools.find(({ name }) => name === operation);
      expect([operation, tool?.annotations?.destructiveHint]).toEqual([operation, true]);
      expect([operation, tool?.annotations?.readOnlyHint]).toEqual([operation, false]);
      expect(tool?.description).toContain('must confirm');
    }
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
});
