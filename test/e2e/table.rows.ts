import { expect } from 'vitest';
import { begunDay } from '../support/clock.ts';
import { CRID, id, MRID, ORDER, PROVISION, seeded, TSUID } from '../support/seed.ts';
import type { Json } from '../support/world.ts';
import { example } from './table.derived.ts';

/** Runs an operation that a case needs first, past the gate. */
export type Run = (operation: string, input: Record<string, unknown>) => Promise<Json>;

/** The part of a case that cannot be derived from a tool's definition and its first example (table.derived.ts). */
export interface Row {
  /** The example, where left out. */
  input?: Record<string, unknown>;
  /** Creates the records that the call needs. Its answer is laid over the input. */
  before?: (run: Run) => Promise<Record<string, unknown>>;
  /** Checks more of the answer, and all of it where the tool is a workflow. */
  answers?: (result: Json) => void;
  /** Checks more of the platform's state afterwards. */
  changes?: (after: Json, before: Json) => void;
}

/** Rows by the id of their tool. */
type Rows = Record<string, Row>;

/** A seeded number in the platform's state. */
const number = (state: Json, n: number) => state.numbers.find((row: Json) => row.Number === seeded(n));
const order = (state: Json, OrderId: string) => state.orders.find((one: Json) => one.OrderId === OrderId);
/** The input of a call about one seeded number. */
const one = (n: number) => ({ PhoneNumbers: [{ Number: seeded(n) }] });

const has = (part: object) => (result: Json) => expect(result).toMatchObject(part);
/** Expects one record in a list, with these members. */
const only = (list: string, part: object) => (after: Json) => expect(after[list]).toMatchObject([part]);

const SOMEBODY = '+12015550199';
const CALL_FILTER = {
  SubscriberId: TSUID,
  Phone: seeded(1),
  FilterMode: 'BLACKLIST',
  BlockedNumbers: ['+12015550198'],
};
const MESSAGE_FILTER = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'ADOLESCENT', BlockLinks: true };
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
/** Makes the example of an operation, and gives the id of the new record. */
const made = (operation: string, name: string) => async (run: Run) => ({
  [name]: (await run(operation, example(operation)))[name],
});

const HOOK = {
  WebhookUrl: 'https://example.com/hook',
  SubscribedEvents: 'Order_Update',
  AuthenticationType: 'Basic',
  AuthenticationUsername: 'desk',
  AuthenticationPassword: 'webhook-secret-password',
};
const webhook = async (run: Run) => ({ WebhookId: (await run('webhook_create', HOOK)).WebhookId });
const assignment = made('subscriptions_features_assignments_add', 'FeatureAssignmentId');
const message = (from: number, Body: string) => ({ To: [{ Number: SOMEBODY }], From: seeded(from), Body });

export const rows: Rows = {
  subscribers_call_filter_create: { input: CALL_FILTER },
  subscribers_call_filter_get: { before: beside(newCallFilter) },
  subscribers_call_filter_allowed_numbers_add: {
    before: newCallFilter,
    changes: only('callFilters', { Allowed: [SOMEBODY], Blocked: ['+12015550198'] }),
  },
  subscribers_call_filter_blocked_numbers_add: {
    before: newCallFilter,
    changes: only('callFilters', { Allowed: [], Blocked: ['+12015550198', SOMEBODY] }),
  },
  subscribers_call_filter_blocked_numbers_remove: {
    input: { SubscriberId: TSUID, Numbers: [SOMEBODY] },
    before: CallFilterId,
    changes: only('callFilters', { Allowed: [SOMEBODY], Blocked: [] }),
  },
  subscribers_message_filter_create: { input: MESSAGE_FILTER },
  subscribers_message_filter_allowed_contacts_add: {
    before: newMessageFilter,
    changes: only('messageFilters', { Allowed: [SOMEBODY], Blocked: [] }),
  },
  subscribers_message_filter_blocked_contacts_add: {
    before: newMessageFilter,
    changes: only('messageFilters', { Allowed: [], Blocked: [SOMEBODY] }),
  },
  subscribers_message_filter_get: { before: beside(newMessageFilter) },
  subscribers_call_filter_allowed_numbers_get: { before: CallFilterId },
  subscribers_call_filter_blocked_numbers_get: { before: CallFilterId },
  subscribers_message_filter_allowed_contacts_get: { before: MessageFilterId },
  subscribers_message_filter_blocked_contacts_get: { before: MessageFilterId },
  subscribers_call_filter_update: {
    before: filter('call', 'FilterId', LISTED_CALLS),
    changes: only('callFilters', { Blocked: [SOMEBODY], fields: { ApplyToInbound: true } }),
  },
  subscribers_message_filter_update: {
    before: filter('message', 'FilterId', LISTED_MESSAGES),
    changes: only('messageFilters', { FilterMode: 'ADOLESCENT', fields: { ApplyToInbound: true } }),
  },
  subscribers_call_filter_delete: { before: CallFilterId },
  subscribers_message_filter_delete: { before: MessageFilterId },
  subscribers_call_filter_allowed_numbers_remove: {
    before: CallFilterId,
    changes: only('callFilters', { Allowed: [], Blocked: [SOMEBODY] }),
  },
  subscribers_message_filter_allowed_contacts_remove: {
    before: MessageFilterId,
    changes: only('messageFilters', { Allowed: [], Blocked: [SOMEBODY] }),
  },
  subscribers_message_filter_blocked_contacts_remove: {
    before: MessageFilterId,
    changes: only('messageFilters', { Allowed: [SOMEBODY], Blocked: [] }),
  },
  message_routes_update: { input: { MessageRouteId: MRID, RouteName: 'Renamed route' } },
  message_outbound: { changes: only('messages', { Body: 'Hello from support.', To: [SOMEBODY] }) },
  message_details_get: {
    before: async (run) => {
      const sent = await run('message_outbound', message(1, 'Hello.'));
      return { MessageId: /TMID-[\w-]+/.exec(JSON.stringify(sent))?.[0] };
    },
  },
  message_search_get: {
    before: beside(async (run) => {
      for (const [from, text] of [
        [1, 'First.'],
        [1, 'Second.'],
        [3, 'Not mine.'],
      ] as const)
        await run('message_outbound', message(from, text));
    }),
    input: { PhoneNumber: seeded(1), Results: 1 },
    answers: has({ ResultsTotalRecords: 2, Results: [{ Body: 'Second.', Direction: 'Outbound' }] }),
  },
  message_routes_delete: { changes: (after) => expect(number(after, 1).MessageRouteId).toBeNull() },
  voice_routes_update: {
    input: { CallRouteId: CRID, TrunkIp1: '192.0.2.20', TrunkPort1: 5061 },
    changes: only('voiceRoutes', {
      fields: { RouteName: 'Main SIP trunk', TrunkIp1: '192.0.2.20', TrunkPort1: '5061', TrunkTransport1: 'UDP' },
      IpWhitelist: [{ IpAddress: '192.0.2.10' }],
    }),
  },
  voice_routes_delete: { changes: (after) => expect(number(after, 1).VoiceRouteId).toBeNull() },
  webhook_delete: { before: made('webhook_create', 'WebhookId') },
  webhook_get: { before: webhook },
  account_webhooks_get: { before: beside(webhook) },
  webhook_update: {
    input: { WebhookUrl: 'https://example.com/new-hook', AuthenticationPassword: 'kept-again' },
    before: webhook,
    changes: only('webhooks', { AuthenticationType: 'Basic', AuthenticationUsername: 'desk' }),
  },
  // Another operation may have put it into a package.
  products_delete: { before: async () => ({}) },
  packages_update: {
    input: { PackageId: id('PKID', 1), Price: 17.5 },
    changes: only('packages', { Price: 17.5, Monthly: true, PackageName: 'Starter' }),
  },
  packages_items_update: { changes: only('packages', { PackageItems: [{ Price: 5.25, Monthly: true }] }) },
  packages_delete: { input: {}, before: made('packages_create', 'PackageId') },
  subscriptions_create: { changes: (after) => expect(after.subscriptions).toHaveLength(2) },
  subscriptions_features_assignments_add: { changes: only('featureAssignments', { FeatureId: id('FEID', 1) }) },
  subscriptions_update: {
    input: { SubscriptionId: id('SUB', 1), TNID: id('NID', 3) },
    changes: (after) => only('subscriptions', { PackageId: id('PKID', 1), ICCID: number(after, 3).Iccid })(after),
  },
  subscriptions_features_assignments_get: { before: beside(assignment) },
  subscriptions_features_assignments_delete: {
    before: assignment,
    changes: (after) => expect(after.features).toHaveLength(1),
  },
  subscriptions_features_delete: {
    before: beside(assignment),
    changes: (after) => expect(after.featureAssignments).toEqual([]),
  },
  numbers_get: { input: { PhoneNumber: seeded(1) } },
  numbers_availability: { answers: (result) => expect(result.AvailableNumberAreas[0].AreaCode).toBe(201) },
  numbers_provision: { input: PROVISION },
  numbers_portin: { changes: (after) => expect(after.orders.at(-1)).toMatchObject({ OrderType: 'portin' }) },
  numbers_portin_update: { input: { OrderId: ORDER, CurrentAccountNumber: '99999999' } },
  numbers_portin_cancel: { changes: (after) => expect(order(after, ORDER).OrderStatus).toMatch(/^Cancel/) },
  numbers_portout: { input: { PortOutNumber: seeded(5), PortOutPIN: '73519' } },
  numbers_reactivate: {
    changes: (after, before) => {
      expect([number(before, 7).Status, number(after, 7).Status]).toEqual(['Cancelled - Pending Delete', 'Active']);
      expect(after.fees).toMatchObject([{ Number: seeded(7), Amount: 5, Currency: 'USD' }]);
    },
  },
  numbers_cancel_order_request: {
    changes: (after) => {
      expect(after.cancelOrders[0].State).toBe('Pending');
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
    input: { StatusChange: 'park', ...one(3), EffectiveDate: begunDay() },
    changes: (after) => expect(number(after, 3).Status).toBe('Parked'),
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
  numbers_watch: { answers: has({ PhoneNumber: seeded(3), Watched: true, Used: expect.any(String) }) },
  numbers_watches: {
    before: beside((run) => run('numbers_watch', { PhoneNumber: seeded(5) })),
    answers: (result) => expect(JSON.stringify(result)).toContain(seeded(5)),
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
  oauth2_tokens: { answers: (result) => expect(Object.keys(result).sort()).toEqual(['successful', 'tokenExpiry']) },
};
