import { expect } from 'vitest';
import { A1, CRID, id, type Json, MRID, nobody, ORDER, PROVISION, seeded, TSUID } from '../support/world.ts';
import { example, type Refused } from './table.derived.ts';

/** Runs an operation that a case needs first, past the gate. */
export type Run = (operation: string, input: Record<string, unknown>) => Promise<Json>;

/** What cannot be derived from a tool's definition and its first example (table.derived.ts). */
export interface Row {
  /** The example, where left out. */
  input?: Record<string, unknown>;
  /** What must exist first; its answer is laid over the input. */
  before?: (run: Run) => Promise<Record<string, unknown>>;
  /** What the answer must hold; `Successful`, where left out. */
  answers?: (result: Json) => void;
  /** What the platform must hold afterwards; a read changes nothing and leaves this out. */
  changes?: (after: Json, result: Json, before: Json) => void;
  /** A refusal for another reason than the derived one, which is an unknown record or a missing field. */
  refused?: Refused;
}

export const number = (state: Json, n: number) => state.numbers.find((row: Json) => row.Number === seeded(n));
/** The day on which a change takes effect at once, as MM/DD/YYYY. */
const usToday = new Date().toISOString().replace(/^(\d{4})-(\d\d)-(\d\d).*$/, '$2/$3/$1');
const one = (n: number) => ({ PhoneNumbers: [{ Number: seeded(n) }] });
const contains = (text: string) => (result: Json) => expect(JSON.stringify(result)).toContain(text);
const matches = (member: string, pattern: RegExp) => (result: Json) => expect(result[member]).toMatch(pattern);
export const has = (part: object) => (result: Json) => expect(result).toMatchObject(part);
export const invalid = (input: Record<string, unknown>, field: string): Refused => ({
  input,
  field,
  code: 'invalid_input',
  sent: false,
});
export const missing = (input: Record<string, unknown>): Refused => ({ input, code: 'not_found', sent: true });
const bad = (input: Record<string, unknown>): Refused => ({ input, code: 'bad_request', sent: true });
const added = (after: Json, before: Json, list: string): Json => {
  expect(after[list].length).toBe(before[list].length + 1);
  return after[list].at(-1);
};

const CALL_FILTER = {
  SubscriberId: TSUID,
  Phone: seeded(1),
  FilterMode: 'BLACKLIST',
  BlockedNumbers: ['+12015550198'],
};
const MESSAGE_FILTER = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'ADOLESCENT', BlockLinks: true };
const callFilter = async (run: Run) => ({
  CallFilterId: (await run('subscribers_call_filter_create', CALL_FILTER)).FilterId,
});
const messageFilter = async (run: Run) => ({
  MessageFilterId: (await run('subscribers_message_filter_create', MESSAGE_FILTER)).FilterId,
});

export const rows: Record<string, Row> = {
  oauth2_tokens: {
    answers: (result) => {
      expect(Object.keys(result).sort()).toEqual(['successful', 'tokenExpiry']);
      expect(result.successful).toBe(true);
    },
    refused: invalid({ ApiEndpoint: 'nowhere_get' }, 'ApiEndpoint'),
  },
  account_create: {
    answers: matches('AccountId', /^AID-/),
    changes: (after, result, before) =>
      expect(added(after, before, 'accounts')).toMatchObject({
        AccountId: result.AccountId,
        AccountName: 'Northwind Mobile',
      }),
  },
  account_voice_routes_get: {
    answers: contains(CRID),
  },
  subscribers_create: {
    answers: matches('SubscriberId', /^TSUID-/),
    changes: (after, result, before) =>
      expect(added(after, before, 'subscribers')).toMatchObject({
        SubscriberId: result.SubscriberId,
        Name: 'Dana Fox',
      }),
    refused: bad({
      Name: 'Dana Fox',
      Email: 'dana@acme.example',
      Role: 'Subscriber',
      Password: 'example-password',
      AccountId: nobody('AID'),
      PhoneNumbers: [],
    }),
  },
  subscribers_get: {
    answers: contains('Ava Stone'),
  },
  message_routes_create: {
    input: {
      RouteName: 'Support inbox',
      MessageUrl: 'https://example.com/messages',
      MessageUrlMethod: 'POST',
      AccountId: A1,
      MessageAuthenticationType: 'Bearer',
      MessagePasswordToken: 'route-secret-token',
    },
    answers: matches('MessageRouteId', /^MRID-/),
    changes: (after, result, before) =>
      expect(added(after, before, 'messageRoutes')).toMatchObject({
        MessageRouteId: result.MessageRouteId,
        fields: { RouteName: 'Support inbox' },
      }),
    refused: invalid({ RouteName: 'x', MessageUrl: 'ftp://example.com', MessageUrlMethod: 'POST' }, 'MessageUrl'),
  },
  message_routes_update: {
    input: { MessageRouteId: MRID, RouteName: 'Renamed route' },
    changes: (after) => expect(after.messageRoutes[0].fields.RouteName).toBe('Renamed route'),
  },
  voice_routes_create: {
    input: {
      RouteName: 'Second trunk',
      RouteType: 'Trunk',
      TrunkIp1: '192.0.2.20',
      TrunkPort1: '5061',
      TrunkTransport1: 'TLS',
      TrunkEnabled1: true,
      Trunk1Priortiy: 10,
      AccountId: A1,
    },
    answers: contains('CRID-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'voiceRoutes')).toMatchObject({ fields: { RouteName: 'Second trunk' } }),
    refused: invalid({ RouteName: 'Second trunk', RouteType: 'Pigeon' }, 'RouteType'),
  },
  voice_routes_get: {
    answers: contains('Main SIP trunk'),
  },
  message_details_get: {
    before: async (run) => {
      const sent = await run('message_outbound', { To: [{ Number: '+12015550199' }], From: seeded(1), Body: 'Hello.' });
      return { MessageId: /TMID-[\w-]+/.exec(JSON.stringify(sent))?.[0] };
    },
    answers: contains('Hello.'),
  },
  message_outbound: {
    answers: contains('TMID-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'messages')).toMatchObject({ Body: 'Hello from support.', To: ['+12015550199'] }),
    refused: invalid({ To: [{ Number: '12' }], From: seeded(1), Body: 'x' }, 'To.0.Number'),
  },
  webhook_create: {
    answers: matches('WebhookId', /^WID-/),
    changes: (after, result, before) =>
      expect(added(after, before, 'webhooks')).toMatchObject({
        WebhookId: result.WebhookId,
        SubscribedEvents: 'Order_Update,New_Sms',
      }),
    refused: invalid({ ...example('webhook_create'), AuthenticationType: 'Basic' }, 'AuthenticationUsername'),
  },
  webhook_delete: {
    before: async (run) => ({ WebhookId: (await run('webhook_create', example('webhook_create'))).WebhookId }),
    changes: (after) => expect(after.webhooks.filter((hook: Json) => hook.Active !== false)).toEqual([]),
  },
  products_create: {
    answers: matches('ProductId', /^PR?ID-/),
    changes: (after, _result, before) => expect(added(after, before, 'products')).toMatchObject({ SKU: 'DATA-10' }),
    refused: invalid({ ...example('products_create'), Cost: 'much' }, 'Cost'),
  },
  products_delete: {
    changes: (after) =>
      expect(after.products.filter((row: Json) => row.ProductId === id('PRID', 2) && row.Active !== false)).toEqual([]),
    // It is inside an active package.
    refused: bad({ ProductId: id('PRID', 1) }),
  },
  packages_create: {
    answers: matches('PackageId', /^P(K)?ID-/),
    changes: (after, _result, before) =>
      expect(added(after, before, 'packages')).toMatchObject({ PackageName: 'Family line', Price: 20 }),
  },
  packages_items_add: {
    changes: (after) =>
      expect(after.packages[0].PackageItems.map((item: Json) => item.ProductId)).toContain(id('PRID', 2)),
  },
  packages_items_delete: {
    changes: (after) =>
      expect(after.packages[0].PackageItems.filter((item: Json) => item.Active !== false)).toEqual([]),
    refused: missing({ PackageId: id('PKID', 1), PackageItemId: nobody('PIID') }),
  },
  subscriptions_create: {
    answers: contains('SUB-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'subscriptions')).toMatchObject({ SubscriberId: TSUID, TNID: id('NID', 1) }),
    refused: bad({ SubscriberId: TSUID, TNID: id('NID', 1), PackageId: nobody('PKID'), Type: 'Mvno' }),
  },
  subscriptions_features_get: {
    answers: contains('International Roaming'),
  },
  subscriptions_features_add: {
    answers: contains('FEID-'),
    changes: (after, _result, before) =>
      expect(added(after, before, 'features')).toMatchObject({ FeatureName: 'Roaming in Europe' }),
    refused: bad({ FeatureName: 'Europe', FeatureType: 'Roaming', FeatureDescription: 'x', AccountId: nobody('AID') }),
  },
  subscriptions_features_assignments_add: {
    changes: (after, _result, before) =>
      expect(added(after, before, 'featureAssignments')).toMatchObject({
        FeatureId: id('FEID', 1),
        SubscriptionId: id('SUB', 1),
      }),
    refused: bad({ FeatureId: nobody('FEID'), SubscriptionId: id('SUB', 1) }),
  },
  numbers_get: {
    input: { PhoneNumber: '+1 (201) 555-0101' },
    answers: (result) => {
      expect(result).toMatchObject({ Number: seeded(1), Status: 'Active' });
      expect(JSON.stringify(result)).not.toMatch(/PortOutPin/i);
    },
    refused: missing({ PhoneNumber: '+12015550177' }),
  },
  numbers_availability: {
    answers: (result) => expect(result.AvailableNumberAreas[0].AreaCode).toBe(201),
    refused: invalid({ MessageEnabled: true, VoiceEnabled: true, AreaCode: '20' }, 'AreaCode'),
  },
  numbers_provision: {
    input: PROVISION,
    answers: matches('OrderId', /^JNUOID-/),
    changes: (after, result, before) => {
      expect(added(after, before, 'numbers')).toMatchObject({ NumberType: 'mvno', MessageRouteId: MRID });
      expect(added(after, before, 'orders')).toMatchObject({ OrderId: result.OrderId, OrderType: 'provision' });
    },
    refused: invalid({ ...PROVISION, NumberType: 'voip', MessageType: 'p2p' }, 'MessageType'),
  },
  numbers_update: {
    changes: (after, _result, before) => {
      expect(number(before, 10).AssignedSubscriberId).toBeNull();
      expect(number(after, 10).AssignedSubscriberId).toBe(TSUID);
    },
    refused: missing({ Number: '+12015550177', AssignedSubscriberId: TSUID }),
  },
  numbers_portin_eligibility: {
    refused: invalid({ PhoneNumber: '12', TargetClassification: 'Mobile' }, 'PhoneNumber'),
  },
  numbers_portin: {
    answers: matches('OrderId', /^JNUOID-/),
    changes: (after, result) =>
      expect(after.orders.find((order: Json) => order.OrderId === result.OrderId)).toMatchObject({
        OrderType: 'portin',
        Numbers: ['+13125550150'],
      }),
    // Seven and more digits ending in 91 are not eligible in the sandbox.
    refused: bad({ ...example('numbers_portin'), PortInNumber: '+13125550191' }),
  },
  numbers_portin_update: {
    input: { OrderId: ORDER, CurrentAccountNumber: '99999999' },
    changes: (after) =>
      expect(after.orders.find((order: Json) => order.OrderId === ORDER).PortIn.CurrentAccountNumber).toBe('99999999'),
  },
  numbers_portin_cancel: {
    changes: (after) =>
      expect(after.orders.find((order: Json) => order.OrderId === ORDER).OrderStatus).toMatch(/^Cancel/),
  },
  numbers_portout: {
    input: { PortOutNumber: seeded(5), PortOutPIN: '73519' },
    changes: (after, result, before) =>
      expect(added(after, before, 'orders')).toMatchObject({ OrderId: result.OrderId, OrderType: 'portout' }),
    refused: invalid({ PortOutNumber: seeded(5), PortOutPIN: '12' }, 'PortOutPIN'),
  },
  numbers_order_get: {
    answers: contains('Submitted'),
  },
  numbers_data_usage_set: {
    changes: (after) => expect(number(after, 1).DataUsage).toMatchObject({ LimitValue: 20_000, NotifyValue: 10_000 }),
    refused: invalid({ ...example('numbers_data_usage_set'), NotifyValue: 30_000 }, 'NotifyValue'),
  },
  numbers_data_usage_settings: {
    answers: (result) => expect(result.PhoneNumbers[0]).toMatchObject({ LimitValue: 20 }),
    refused: invalid({ PhoneNumbers: [] }, 'PhoneNumbers'),
  },
  numbers_data_usage_info: {
    answers: (result) => expect(JSON.stringify(result.PhoneNumbers[0])).toContain('12.5'),
    refused: invalid({ PhoneNumbers: [{ Number: seeded(1), Unit: 'MB' }] }, 'PhoneNumbers.0.Unit'),
  },
  numbers_reactivate: {
    changes: (after, _result, before) => {
      expect(number(before, 7).Status).toBe('Cancelled - Pending Delete');
      expect(number(after, 7).Status).toBe('Active');
      expect(after.fees).toHaveLength(1);
      expect(after.fees[0]).toMatchObject({ Number: seeded(7), Amount: 5, Currency: 'USD' });
    },
    // The carrier refuses this one.
    refused: bad({ PhoneNumber: seeded(8), AccountId: A1 }),
  },
  numbers_cancel_order_request: {
    answers: (result) => {
      expect(result.OrderId).toMatch(/-/);
      expect(JSON.stringify(result)).not.toMatch(/AuthCode"/i);
    },
    changes: (after, result) => {
      expect(after.cancelOrders[0]).toMatchObject({ OrderId: result.OrderId, State: 'Pending' });
      expect(number(after, 3).Status).toBe('Active');
    },
    refused: bad({ PhoneNumbers: [{ Number: '+12015550177' }] }),
  },
  numbers_cancel_order_submit: {
    before: async (run) => ({ OrderId: (await run('numbers_cancel_order_request', one(3))).OrderId }),
    changes: (after) => {
      expect(after.cancelOrders[0].State).toBe('Complete');
      expect(number(after, 3).Status).toBe('Cancelled - Pending Delete');
    },
    refused: { ...invalid({ OrderId: nobody('JNUOID') }, 'OrderId') },
  },
  numbers_status: {
    input: { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: usToday },
    changes: (after, _result, before) =>
      expect(added(after, before, 'orders')).toMatchObject({ OrderType: 'status', Numbers: [seeded(3)] }),
    refused: invalid(
      { StatusChange: 'cancel', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: usToday },
      'StatusChange',
    ),
  },
  numbers_inventory_get: {
    answers: (result) => {
      expect(JSON.stringify(result)).toContain(seeded(1));
      expect(JSON.stringify(result)).not.toContain(seeded(9));
      expect(JSON.stringify(result)).not.toMatch(/PortOutPin/i);
    },
    refused: invalid({ Filter: 'Active', PageNumber: 'first' }, 'PageNumber'),
  },
  subscribers_guardian_features_set: {
    changes: (after) =>
      expect(after.subscribers[0]).toMatchObject({
        EnableIntelligentGuardianCalls: true,
        EnableIntelligentGuardianMessages: true,
      }),
  },
  subscribers_guardian_features_get: {
    answers: has({ EnableIntelligentGuardianCalls: false }),
  },
  subscribers_call_filter_create: {
    input: CALL_FILTER,
    answers: (result) => expect(result.FilterId).toBeTruthy(),
    changes: (after, result, before) =>
      expect(added(after, before, 'callFilters')).toMatchObject({
        FilterId: result.FilterId,
        Blocked: ['+12015550198'],
      }),
    refused: invalid({ ...CALL_FILTER, FilterMode: 'GREYLIST' }, 'FilterMode'),
  },
  subscribers_call_filter_get: {
    before: async (run) => {
      await callFilter(run);
      return {};
    },
    answers: contains('+12015550198'),
    refused: invalid({ Phone: 'somebody' }, 'Phone'),
  },
  subscribers_call_filter_allowed_numbers_add: {
    before: callFilter,
    changes: (after) => expect(after.callFilters[0].Allowed).toEqual(['+12015550199']),
    refused: missing({ SubscriberId: TSUID, CallFilterId: nobody('CFID'), Numbers: ['+12015550199'] }),
  },
  subscribers_call_filter_blocked_numbers_add: {
    before: callFilter,
    changes: (after) => expect(after.callFilters[0].Blocked).toEqual(['+12015550198', '+12015550199']),
    refused: invalid({ SubscriberId: TSUID, CallFilterId: id('CFID', 1), Numbers: ['nine'] }, 'Numbers.0'),
  },
  subscribers_call_filter_blocked_numbers_remove: {
    input: { SubscriberId: TSUID, Numbers: ['+12015550198'] },
    before: callFilter,
    changes: (after) => expect(after.callFilters[0].Blocked).toEqual([]),
    refused: missing({ SubscriberId: TSUID, CallFilterId: nobody('CFID'), Numbers: ['+12015550199'] }),
  },
  subscribers_message_filter_create: {
    input: MESSAGE_FILTER,
    answers: (result) => expect(result.FilterId).toBeTruthy(),
    changes: (after, result, before) =>
      expect(added(after, before, 'messageFilters')).toMatchObject({
        FilterId: result.FilterId,
        FilterMode: 'ADOLESCENT',
      }),
    refused: invalid({ ...MESSAGE_FILTER, FilterMode: 'TODDLER' }, 'FilterMode'),
  },
  subscribers_message_filter_allowed_contacts_add: {
    before: messageFilter,
    changes: (after) => expect(after.messageFilters[0].Allowed).toEqual(['+12015550199']),
    refused: missing({ SubscriberId: TSUID, MessageFilterId: nobody('MFID'), Contacts: ['+12015550199'] }),
  },
  subscribers_message_filter_blocked_contacts_add: {
    before: messageFilter,
    changes: (after) => expect(after.messageFilters[0].Blocked).toEqual(['+12015550199']),
    refused: missing({ SubscriberId: TSUID, MessageFilterId: nobody('MFID'), Contacts: ['+12015550199'] }),
  },
  workgroups_activity_update: {
    changes: (after) => expect(after.workgroups[0].Activities[0].fields.DigitOrder).toBe(2),
  },
  numbers_lookup: {
    input: { PhoneNumber: seeded(1), Full: true },
    answers: (result) => {
      expect(result).toMatchObject({
        Number: { Number: seeded(1), Status: 'Active' },
        Subscriber: { Name: 'Ava Stone' },
        DataLimits: { LimitValue: 20 },
        CallFilters: [],
      });
      expect(result).not.toHaveProperty('Missing');
    },
    refused: missing({ PhoneNumber: '+12015550177' }),
  },
  numbers_find: {
    input: { Query: 'Ben Reed' },
    answers: has({ Numbers: [{ Number: seeded(2), Status: 'Active', Account: 'Globex Family' }], Found: 1 }),
    refused: invalid({ Query: 'x' }, 'Query'),
  },
  numbers_diagnose: {
    input: { PhoneNumber: seeded(7) },
    answers: has({ Findings: [{ Fix: { Tool: 'numbers_reactivate', Input: { PhoneNumber: seeded(7) } } }] }),
    refused: missing({ PhoneNumber: '+12015550177' }),
  },
  distributor_subscribers_get: {
    answers: has({ TotalSubscribers: 2, Subscribers: [{ Name: 'Ava Stone' }, { Name: 'Ben Reed' }] }),
    refused: invalid({ PageNumber: 0 }, 'PageNumber'),
  },
  account_subscriptions_get: {
    answers: has({ TotalSubscriptions: 1, Results: [{ PackageId: id('PKID', 1), Active: true }] }),
    refused: invalid({ Filter: 'some' }, 'Filter'),
  },
  packages_get: { answers: has({ PackageName: 'Starter', Price: 15 }) },
  message_routes_get: {
    answers: (result) => {
      expect(result).toMatchObject({ MessageRouteId: MRID, RouteName: 'Main SMS route', MessageRouteEnabled: true });
      expect(JSON.stringify(result)).not.toContain('PasswordToken');
    },
  },
  subscribers_message_filter_get: {
    before: async (run) => {
      await messageFilter(run);
      return {};
    },
    answers: has({ Results: [{ SubscriberId: TSUID, FilterMode: 'ADOLESCENT', BlockLinks: true }] }),
    changes: (after) => expect(after.messageFilters).toHaveLength(1),
    refused: missing({ SubscriberId: nobody('TSUID') }),
  },
  numbers_watch: {
    answers: (result) =>
      expect(result).toMatchObject({ PhoneNumber: seeded(3), Watched: true, Used: expect.any(String) }),
    refused: missing({ PhoneNumber: '+12015550177' }),
  },
  numbers_watches: {
    before: async (run) => {
      await run('numbers_watch', { PhoneNumber: seeded(5) });
      return {};
    },
    answers: contains(seeded(5)),
    refused: invalid({ All: true }, 'All'),
  },
  events_since: {
    before: async (run) => {
      await run('numbers_watch', { PhoneNumber: seeded(5) });
      return {};
    },
    input: { Since: '1h', Only: 'actions' },
    answers: (result) => expect(result.Actions.at(-1)).toMatchObject({ Operation: 'numbers_watch', State: 'done' }),
    refused: invalid({ Since: '31d' }, 'Since'),
  },
  numbers_cancel: {
    input: one(4),
    answers: (result) => expect(result).toBeTypeOf('object'),
    changes: (after) => {
      expect(number(after, 4).Status).toBe('Cancelled - Pending Delete');
      expect(after.cancelOrders[0].State).toBe('Complete');
    },
    refused: bad({ PhoneNumbers: [{ Number: '+12015550177' }] }),
  },
};
