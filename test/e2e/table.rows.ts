import { expect } from 'vitest';
import { begunDay } from '../support/clock.ts';
import { A1, CRID, id, type Json, MRID, ORDER, PROVISION, seeded, TSUID } from '../support/world.ts';
import { example } from './table.derived.ts';

/** Runs an operation that a case needs first, past the gate. */
export type Run = (operation: string, input: Record<string, unknown>) => Promise<Json>;

/** The part of a case that cannot be derived from a tool's definition and its first example (table.derived.ts). */
export interface Row {
  /** The example, where left out. */
  input?: Record<string, unknown>;
  /** Creates the records that the call needs. Its answer is laid over the input. */
  before?: (run: Run) => Promise<Record<string, unknown>>;
  /** Checks the answer. If left out, the answer must say `Successful`. */
  answers?: (result: Json) => void;
  /** Checks the platform's state afterwards. A read changes nothing and leaves this out. */
  changes?: (after: Json, result: Json, before: Json) => void;
}

/** Rows by the id of their tool. */
type Rows = Record<string, Row>;

/** A seeded number in the platform's state. */
const number = (state: Json, n: number) => state.numbers.find((row: Json) => row.Number === seeded(n));
/** The input of a call about one seeded number. */
const one = (n: number) => ({ PhoneNumbers: [{ Number: seeded(n) }] });

/** Checks for the content of an answer. */
const contains = (text: string) => (result: Json) => expect(JSON.stringify(result)).toContain(text);
const matches = (member: string, pattern: RegExp) => (result: Json) => expect(result[member]).toMatch(pattern);
const has = (part: object) => (result: Json) => expect(result).toMatchObject(part);

/** The record that a call added to a list, which has no other new one. */
const added = (after: Json, before: Json, list: string): Json => {
  expect(after[list].length).toBe(before[list].length + 1);
  return after[list].at(-1);
};

/** Expects a new record in a list with these members. `id`: the member by which the answer names it. */
const makes = (list: string, part: object, id?: string) => (after: Json, result: Json, before: Json) =>
  expect(added(after, before, list)).toMatchObject({ ...part, ...(id !== undefined && { [id]: result[id] }) });

const CALL_FILTER = {
  SubscriberId: TSUID,
  Phone: seeded(1),
  FilterMode: 'BLACKLIST',
  BlockedNumbers: ['+12015550198'],
};
const MESSAGE_FILTER = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'ADOLESCENT', BlockLinks: true };
const SOMEBODY = '+12015550199';
const LISTED_CALLS = { ...CALL_FILTER, BlockedNumbers: [SOMEBODY], AllowedNumbers: [SOMEBODY] };
const LISTED_MESSAGES = { ...MESSAGE_FILTER, BlockedContacts: [SOMEBODY], AllowedContacts: [SOMEBODY] };

/** Creates a filter, and gives its id under this name. */
const filter = (kind: 'call' | 'message', name: string, input: Record<string, unknown>) => async (run: Run) => ({
  [name]: (await run(`subscribers_${kind}_filter_create`, input)).FilterId,
});
const newCallFilter = filter('call', 'CallFilterId', CALL_FILTER);
const newMessageFilter = filter('message', 'MessageFilterId', MESSAGE_FILTER);
const CallFilterId = filter('call', 'CallFilterId', LISTED_CALLS);
const MessageFilterId = filter('message', 'MessageFilterId', LISTED_MESSAGES);
/** Prepares a record whose id the call does not take. */
const beside = (prepare: (run: Run) => Promise<unknown>) => async (run: Run) => {
  await prepare(run);
  return {};
};

const onlyFilter = (list: string, part: object) => (after: Json) => {
  expect(after[list]).toHaveLength(1);
  expect(after[list][0]).toMatchObject(part);
};

const WORKGROUP = id('WID', 1);

const HOOK = {
  WebhookUrl: 'https://example.com/hook',
  SubscribedEvents: 'Order_Update',
  AuthenticationType: 'Basic',
  AuthenticationUsername: 'desk',
  AuthenticationPassword: 'webhook-secret-password',
};
const webhook = async (run: Run) => ({ WebhookId: (await run('webhook_create', HOOK)).WebhookId });
const assignment = async (run: Run) => {
  const made = await run('subscriptions_features_assignments_add', {
    FeatureId: id('FEID', 1),
    SubscriptionId: id('SUB', 1),
  });
  return { FeatureAssignmentId: made.FeatureAssignmentId };
};

/** The rows of every operation: at first what makes and reads, then what reads back, changes and removes. */
export const rows: Rows = {
  account_create: {
    answers: matches('AccountId', /^AID-/),
    changes: makes('accounts', { AccountName: 'Northwind Mobile' }, 'AccountId'),
  },
  account_voice_routes_get: { answers: contains(CRID) },
  account_subscriptions_get: {
    answers: has({ TotalSubscriptions: 1, Results: [{ PackageId: id('PKID', 1), Active: true }] }),
  },
  account_get: { answers: has({ AccountId: A1, AccountName: 'Acme Mobile', TotalSubscribers: 1 }) },
  account_update: {
    answers: has({ AccountId: A1, BillingAddress: { Street1: '2 Main St', City: 'Heber', Zip: '84032' } }),
    changes: (after) => expect(after.accounts[0].BillingAddress).toMatchObject({ Street1: '2 Main St' }),
  },
  account_workgroups_get: {
    answers: (result) =>
      expect(result.Workgroups).toEqual([
        { WorkgroupId: id('WID', 1), Name: 'Front desk', Type: 'simultaneous', Active: true },
      ]),
  },
  subscribers_create: {
    answers: matches('SubscriberId', /^TSUID-/),
    changes: makes('subscribers', { Name: 'Dana Fox' }, 'SubscriberId'),
  },
  subscribers_get: { answers: contains('Ava Stone') },
  subscribers_guardian_features_set: {
    changes: (after) =>
      expect(after.subscribers[0]).toMatchObject({
        EnableIntelligentGuardianCalls: true,
        EnableIntelligentGuardianMessages: true,
      }),
  },
  subscribers_guardian_features_get: { answers: has({ EnableIntelligentGuardianCalls: false }) },
  subscribers_call_filter_create: {
    input: CALL_FILTER,
    answers: (result) => expect(result.FilterId).toBeTruthy(),
    changes: makes('callFilters', { Blocked: ['+12015550198'] }, 'FilterId'),
  },
  subscribers_call_filter_get: { before: beside(newCallFilter), answers: contains('+12015550198') },
  subscribers_call_filter_allowed_numbers_add: {
    before: newCallFilter,
    changes: (after) => expect(after.callFilters[0].Allowed).toEqual(['+12015550199']),
  },
  subscribers_call_filter_blocked_numbers_add: {
    before: newCallFilter,
    changes: (after) => expect(after.callFilters[0].Blocked).toEqual(['+12015550198', '+12015550199']),
  },
  subscribers_call_filter_blocked_numbers_remove: {
    input: { SubscriberId: TSUID, Numbers: ['+12015550198'] },
    before: newCallFilter,
    changes: (after) => expect(after.callFilters[0].Blocked).toEqual([]),
  },
  subscribers_message_filter_create: {
    input: MESSAGE_FILTER,
    answers: (result) => expect(result.FilterId).toBeTruthy(),
    changes: makes('messageFilters', { FilterMode: 'ADOLESCENT' }, 'FilterId'),
  },
  subscribers_message_filter_allowed_contacts_add: {
    before: newMessageFilter,
    changes: (after) => expect(after.messageFilters[0].Allowed).toEqual(['+12015550199']),
  },
  subscribers_message_filter_blocked_contacts_add: {
    before: newMessageFilter,
    changes: (after) => expect(after.messageFilters[0].Blocked).toEqual(['+12015550199']),
  },
  subscribers_message_filter_get: {
    before: beside(newMessageFilter),
    answers: has({ Results: [{ SubscriberId: TSUID, FilterMode: 'ADOLESCENT', BlockLinks: true }] }),
    changes: (after) => expect(after.messageFilters).toHaveLength(1),
  },
  subscribers_update: {
    answers: has({ SubscriberId: TSUID, Name: 'Ava Stone-Reed', Role: 'Subscriber' }),
    changes: (after) => expect(after.subscribers[0].Name).toBe('Ava Stone-Reed'),
  },
  subscribers_call_filter_allowed_numbers_get: { before: CallFilterId, answers: has({ Results: [SOMEBODY] }) },
  subscribers_call_filter_blocked_numbers_get: { before: CallFilterId, answers: has({ Results: [SOMEBODY] }) },
  subscribers_message_filter_allowed_contacts_get: { before: MessageFilterId, answers: has({ Results: [SOMEBODY] }) },
  subscribers_message_filter_blocked_contacts_get: { before: MessageFilterId, answers: has({ Results: [SOMEBODY] }) },
  subscribers_call_filter_update: {
    before: filter('call', 'FilterId', LISTED_CALLS),
    answers: has({ ApplyToInbound: true, BlockedNumbers: [SOMEBODY] }),
    changes: onlyFilter('callFilters', { Blocked: [SOMEBODY], fields: { ApplyToInbound: true } }),
  },
  subscribers_message_filter_update: {
    before: filter('message', 'FilterId', LISTED_MESSAGES),
    answers: has({ ApplyToInbound: true, BlockLinks: true }),
    changes: onlyFilter('messageFilters', { FilterMode: 'ADOLESCENT', fields: { ApplyToInbound: true } }),
  },
  subscribers_call_filter_delete: {
    before: CallFilterId,
    answers: has({ Status: 'Deleted' }),
    changes: (after) => expect(after.callFilters).toEqual([]),
  },
  subscribers_message_filter_delete: {
    before: MessageFilterId,
    answers: has({ Status: 'Deleted' }),
    changes: (after) => expect(after.messageFilters).toEqual([]),
  },
  subscribers_call_filter_allowed_numbers_remove: {
    before: CallFilterId,
    answers: has({ AllowedNumbers: [] }),
    changes: onlyFilter('callFilters', { Allowed: [], Blocked: [SOMEBODY] }),
  },
  subscribers_message_filter_allowed_contacts_remove: {
    before: MessageFilterId,
    answers: has({ AllowedContacts: [] }),
    changes: onlyFilter('messageFilters', { Allowed: [], Blocked: [SOMEBODY] }),
  },
  subscribers_message_filter_blocked_contacts_remove: {
    before: MessageFilterId,
    answers: has({ BlockedContacts: [] }),
    changes: onlyFilter('messageFilters', { Allowed: [SOMEBODY], Blocked: [] }),
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
    changes: makes('messageRoutes', { fields: { RouteName: 'Support inbox' } }, 'MessageRouteId'),
  },
  message_routes_update: {
    input: { MessageRouteId: MRID, RouteName: 'Renamed route' },
    changes: (after) => expect(after.messageRoutes[0].fields.RouteName).toBe('Renamed route'),
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
    changes: makes('messages', { Body: 'Hello from support.', To: ['+12015550199'] }),
  },
  message_routes_get: {
    answers: (result) => {
      expect(result).toMatchObject({ MessageRouteId: MRID, RouteName: 'Main SMS route', MessageRouteEnabled: true });
      expect(JSON.stringify(result)).not.toContain('PasswordToken');
    },
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
    changes: makes('voiceRoutes', { fields: { RouteName: 'Second trunk' } }),
  },
  voice_routes_get: { answers: contains('Main SIP trunk') },
  webhook_create: {
    answers: matches('WebhookId', /^WID-/),
    changes: makes('webhooks', { SubscribedEvents: 'Order_Update,New_Sms' }, 'WebhookId'),
  },
  webhook_delete: {
    before: async (run) => ({ WebhookId: (await run('webhook_create', example('webhook_create'))).WebhookId }),
    changes: (after) => expect(after.webhooks.filter((hook: Json) => hook.Active !== false)).toEqual([]),
  },
  products_create: { answers: matches('ProductId', /^PR?ID-/), changes: makes('products', { SKU: 'DATA-10' }) },
  products_delete: {
    // Another operation may have put it into a package.
    before: async () => ({}),
    changes: (after) =>
      expect(after.products.filter((row: Json) => row.ProductId === id('PRID', 2) && row.Active !== false)).toEqual([]),
    // It is inside an active package, which is read before the question.
  },
  packages_create: {
    answers: matches('PackageId', /^P(K)?ID-/),
    changes: makes('packages', { PackageName: 'Family line', Price: 20 }),
  },
  packages_items_add: {
    changes: (after) =>
      expect(after.packages[0].PackageItems.map((item: Json) => item.ProductId)).toContain(id('PRID', 2)),
  },
  packages_items_delete: {
    changes: (after) =>
      expect(after.packages[0].PackageItems.filter((item: Json) => item.Active !== false)).toEqual([]),
  },
  packages_get: { answers: has({ PackageName: 'Starter', Price: 15 }) },
  subscriptions_create: {
    answers: contains('SUB-'),
    changes: makes('subscriptions', { SubscriberId: TSUID, TNID: id('NID', 1) }),
  },
  subscriptions_features_get: { answers: contains('International Roaming') },
  subscriptions_features_add: {
    answers: contains('FEID-'),
    changes: makes('features', { FeatureName: 'Roaming in Europe' }),
  },
  subscriptions_features_assignments_add: {
    changes: makes('featureAssignments', { FeatureId: id('FEID', 1), SubscriptionId: id('SUB', 1) }),
  },
  numbers_get: {
    input: { PhoneNumber: '+1 (201) 555-0101' },
    answers: (result) => {
      expect(result).toMatchObject({ Number: seeded(1), Status: 'Active' });
      expect(JSON.stringify(result)).not.toMatch(/PortOutPin/i);
    },
  },
  numbers_availability: { answers: (result) => expect(result.AvailableNumberAreas[0].AreaCode).toBe(201) },
  numbers_provision: {
    input: PROVISION,
    answers: matches('OrderId', /^JNUOID-/),
    changes: (after, result, before) => {
      expect(added(after, before, 'numbers')).toMatchObject({ NumberType: 'mvno', MessageRouteId: MRID });
      expect(added(after, before, 'orders')).toMatchObject({ OrderId: result.OrderId, OrderType: 'provision' });
    },
  },
  numbers_update: {
    changes: (after, _result, before) => {
      expect(number(before, 10).AssignedSubscriberId).toBeNull();
      expect(number(after, 10).AssignedSubscriberId).toBe(TSUID);
    },
  },
  numbers_portin_eligibility: {},
  numbers_portin: {
    answers: matches('OrderId', /^JNUOID-/),
    changes: (after, result) =>
      expect(after.orders.find((order: Json) => order.OrderId === result.OrderId)).toMatchObject({
        OrderType: 'portin',
        Numbers: ['+13125550150'],
      }),
    // Seven and more digits ending in 91 are not eligible in the sandbox.
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
    changes: makes('orders', { OrderType: 'portout' }, 'OrderId'),
  },
  numbers_order_get: { answers: contains('Submitted') },
  numbers_data_usage_set: {
    changes: (after) => expect(number(after, 1).DataUsage).toMatchObject({ LimitValue: 20_000, NotifyValue: 10_000 }),
  },
  numbers_data_usage_settings: {
    answers: (result) => expect(result.PhoneNumbers[0]).toMatchObject({ LimitValue: 20 }),
  },
  numbers_data_usage_info: { answers: (result) => expect(JSON.stringify(result.PhoneNumbers[0])).toContain('12.5') },
  numbers_reactivate: {
    changes: (after, _result, before) => {
      expect(number(before, 7).Status).toBe('Cancelled - Pending Delete');
      expect(number(after, 7).Status).toBe('Active');
      expect(after.fees).toHaveLength(1);
      expect(after.fees[0]).toMatchObject({ Number: seeded(7), Amount: 5, Currency: 'USD' });
    },
    // The carrier refuses this one.
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
  },
  numbers_cancel_order_submit: {
    before: async (run) => ({ OrderId: (await run('numbers_cancel_order_request', one(3))).OrderId }),
    changes: (after) => {
      // The AuthCode is requested again when the yes comes, and the newer one voids the first.
      expect(after.cancelOrders.map(({ State }: Json) => State)).toEqual(['Voided', 'Complete']);
      expect(number(after, 3).Status).toBe('Cancelled - Pending Delete');
    },
  },
  numbers_status: {
    input: { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: begunDay() },
    changes: makes('orders', { OrderType: 'status', Numbers: [seeded(3)] }),
  },
  numbers_inventory_get: {
    answers: (result) => {
      expect(JSON.stringify(result)).toContain(seeded(1));
      expect(JSON.stringify(result)).not.toContain(seeded(9));
      expect(JSON.stringify(result)).not.toMatch(/PortOutPin/i);
    },
  },
  workgroups_activity_update: {
    changes: (after) => expect(after.workgroups[0].Activities[0].fields.DigitOrder).toBe(2),
  },
  workgroups_get: { answers: has({ WorkgroupId: WORKGROUP, Name: 'Front desk', AccountId: A1, Activities: [{}] }) },
  workgroups_update: {
    answers: has({ WorkgroupId: WORKGROUP, Type: 'round-robin' }),
    changes: (after) => expect(after.workgroups[0].fields.Type).toBe('round-robin'),
  },
  numbers_lookup: {
    input: { PhoneNumber: seeded(1), Full: true },
    answers: (result) => {
      expect(result).toMatchObject({
        Number: { Number: seeded(1), Status: 'Active' },
        Subscriber: { Name: 'Ava Stone' },
        MessageRoute: { RouteName: 'Main SMS route' },
        VoiceRoute: { RouteName: 'Main SIP trunk' },
        DataLimits: { LimitValue: 20 },
        CallFilters: [],
      });
      expect(result).not.toHaveProperty('Missing');
    },
  },
  numbers_find: {
    input: { Query: 'Ben Reed' },
    answers: has({ Numbers: [{ Number: seeded(2), Status: 'Active', Account: 'Globex Family' }], Found: 1 }),
  },
  numbers_diagnose: {
    input: { PhoneNumber: seeded(7) },
    answers: has({ Findings: [{ Fix: { Tool: 'numbers_reactivate', Input: { PhoneNumber: seeded(7) } } }] }),
  },
  numbers_watch: {
    answers: (result) =>
      expect(result).toMatchObject({ PhoneNumber: seeded(3), Watched: true, Used: expect.any(String) }),
  },
  numbers_watches: {
    before: beside((run) => run('numbers_watch', { PhoneNumber: seeded(5) })),
    answers: contains(seeded(5)),
  },
  events_since: {
    before: beside((run) => run('numbers_watch', { PhoneNumber: seeded(5) })),
    input: { Since: '1h', Only: 'actions' },
    answers: (result) => expect(result.Actions.at(-1)).toMatchObject({ Operation: 'numbers_watch', State: 'done' }),
  },
  numbers_cancel: {
    input: one(4),
    answers: (result) => expect(result).toBeTypeOf('object'),
    changes: (after) => {
      expect(number(after, 4).Status).toBe('Cancelled - Pending Delete');
      // The request of the question was replaced by the one of the yes.
      expect(after.cancelOrders.at(-1).State).toBe('Complete');
    },
  },
  distributor_subscribers_get: {
    answers: has({ TotalSubscribers: 2, Subscribers: [{ Name: 'Ava Stone' }, { Name: 'Ben Reed' }] }),
  },
  distributor_accounts_get: {
    answers: (result) =>
      expect(result.Results.map((row: Json) => row.AccountName)).toEqual(['Acme Mobile', 'Globex Family']),
  },
  oauth2_tokens: {
    answers: (result) => {
      expect(Object.keys(result).sort()).toEqual(['successful', 'tokenExpiry']);
      expect(result.successful).toBe(true);
    },
  },
  account_packages_get: {
    answers: has({ TotalPackages: 1, Filter: 'All', Results: [{ PackageName: 'Starter', Price: 15 }] }),
  },
  packages_items_get: { answers: has({ Results: [{ PackageItemId: id('PIID', 1), Price: 4.5 }] }) },
  packages_update: {
    input: { PackageId: id('PKID', 1), Price: 17.5 },
    answers: has({ PackageName: 'Starter', Price: 17.5 }),
    changes: (after) => expect(after.packages[0]).toMatchObject({ Price: 17.5, Monthly: true, PackageName: 'Starter' }),
  },
  packages_items_update: {
    answers: has({ PackageItemId: id('PIID', 1), Price: 5.25 }),
    changes: (after) => expect(after.packages[0].PackageItems[0]).toMatchObject({ Price: 5.25, Monthly: true }),
  },
  packages_delete: {
    input: {},
    before: async (run) => ({ PackageId: (await run('packages_create', example('packages_create'))).PackageId }),
    answers: has({ PackageStatus: 'Deleted' }),
    changes: (after) => expect(after.packages.map((row: Json) => row.PackageName)).toEqual(['Starter']),
  },
  products_get: { answers: has({ SKU: 'ESIM-01', Cost: 4.5 }) },
  account_products_get: { answers: has({ TotalProducts: 2, Results: [{ SKU: 'ESIM-01' }, { SKU: 'DATA-05' }] }) },
  products_update: {
    answers: has({ SKU: 'DATA-05', Description: '5 GB of data a month' }),
    changes: (after) => expect(after.products[1]).toMatchObject({ Description: '5 GB of data a month', Cost: 9 }),
  },
  subscriptions_get: { answers: has({ SubscriberId: TSUID, TNID: id('NID', 5), PackageId: id('PKID', 1) }) },
  subscriptions_update: {
    input: { SubscriptionId: id('SUB', 1), TNID: id('NID', 3) },
    answers: has({ TNID: id('NID', 3), PackageId: id('PKID', 1) }),
    changes: (after) =>
      expect(after.subscriptions).toMatchObject([
        { SubscriptionId: id('SUB', 1), TNID: id('NID', 3), ICCID: number(after, 3).Iccid },
      ]),
  },
  subscriptions_delete: {
    answers: has({ SubscriptionStatus: 'Deleted' }),
    changes: (after) => expect(after.subscriptions).toEqual([]),
  },
  subscriptions_features_assignments_get: {
    before: beside(assignment),
    answers: has({ Results: [{ FeatureId: id('FEID', 1), SubscriptionId: id('SUB', 1), Active: true }] }),
    changes: (after) => expect(after.featureAssignments).toHaveLength(1),
  },
  subscriptions_features_assignments_delete: {
    before: assignment,
    answers: has({ FeatureAssignmentStatus: 'Deleted' }),
    changes: (after) => expect([after.featureAssignments, after.features.length]).toEqual([[], 1]),
  },
  subscriptions_features_delete: {
    before: beside(assignment),
    answers: has({ FeatureStatus: 'Deleted' }),
    changes: (after) => expect([after.features, after.featureAssignments]).toEqual([[], []]),
  },
  account_message_routes_get: {
    answers: (result) => {
      expect(result).toMatchObject({ AccountID: A1, TotalRoutes: 1, Results: [{ RouteName: 'Main SMS route' }] });
      expect(JSON.stringify(result)).not.toContain('PasswordToken');
    },
  },
  message_routes_delete: {
    answers: has({ MessageRouteStatus: 'Deleted', MRID }),
    changes: (after) => {
      expect(after.messageRoutes).toEqual([]);
      expect(number(after, 1).MessageRouteId).toBeNull();
    },
  },
  voice_routes_update: {
    input: { CallRouteId: CRID, TrunkIp1: '192.0.2.20', TrunkPort1: 5061 },
    answers: has({ TrunkIp1: '192.0.2.20' }),
    changes: (after) =>
      expect(after.voiceRoutes[0]).toMatchObject({
        fields: { RouteName: 'Main SIP trunk', TrunkIp1: '192.0.2.20', TrunkPort1: '5061', TrunkTransport1: 'UDP' },
        IpWhitelist: [{ IpAddress: '192.0.2.10' }],
      }),
  },
  voice_routes_delete: {
    answers: has({ CallRouteStatus: 'Deleted', CallRouteId: CRID }),
    changes: (after) => expect([after.voiceRoutes, number(after, 1).VoiceRouteId]).toEqual([[], null]),
  },
  webhook_get: {
    before: webhook,
    answers: (result) => {
      expect(result).toMatchObject({ SubscribedEvents: 'Order_Update', AuthenticationUsername: 'desk' });
      expect(JSON.stringify(result)).not.toContain(HOOK.AuthenticationPassword);
    },
    changes: (after) => expect(after.webhooks).toHaveLength(1),
  },
  account_webhooks_get: {
    before: beside(webhook),
    answers: (result) => {
      expect(result).toMatchObject({ Results: [{ WebhookUrl: HOOK.WebhookUrl, Active: true }] });
      expect(JSON.stringify(result)).not.toContain(HOOK.AuthenticationPassword);
    },
    changes: (after) => expect(after.webhooks).toHaveLength(1),
  },
  webhook_update: {
    input: { WebhookUrl: 'https://example.com/new-hook', AuthenticationPassword: 'kept-again' },
    before: webhook,
    answers: has({ WebhookUrl: 'https://example.com/new-hook', SubscribedEvents: 'Order_Update' }),
    changes: (after) =>
      expect(after.webhooks).toMatchObject([
        { WebhookUrl: 'https://example.com/new-hook', AuthenticationType: 'Basic', AuthenticationUsername: 'desk' },
      ]),
  },
  message_search_get: {
    before: async (run) => {
      await run('message_outbound', { To: [{ Number: '+12015550199' }], From: seeded(1), Body: 'First.' });
      await run('message_outbound', { To: [{ Number: '+12015550199' }], From: seeded(1), Body: 'Second.' });
      await run('message_outbound', { To: [{ Number: '+12015550199' }], From: seeded(3), Body: 'Not mine.' });
      return {};
    },
    input: { PhoneNumber: seeded(1), Results: 1 },
    answers: (result) =>
      expect(result).toMatchObject({
        PhoneNumber: seeded(1),
        ResultsTotalRecords: 2,
        ResultsPages: 2,
        Results: [{ Body: 'Second.', Direction: 'Outbound', To: [{ Number: '+12015550199' }] }],
      }),
    changes: (after) => expect(after.messages).toHaveLength(3),
  },
};
