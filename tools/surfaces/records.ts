import type { Lead } from '../../src/catalogue/change.ts';
import type { RecordReference } from '../../src/catalogue/input.ts';
import { type Fields, textOf } from '../../src/lib/values.ts';
import { readFlag } from '../../src/platform/dialect/readings.ts';
import { costOf, priceOf } from '../shared/plans.ts';
import { TRAFFIC, type Traffic } from './guard.ts';

/*
 * This table lets people name a record instead of writing its id. The key of a kind is the prefix of its ids.
 * Numbers are found by the `find` tool of their group (tools/groups.ts).
 */

/** A kind of record that people name instead of writing its id. */
export interface RecordKind extends RecordReference {
  /**
   * Shown after the name, to tell records of one name apart: a member (a dot leads into a record), or text made from
   * several ones.
   */
  beside: readonly (string | ((record: Fields) => string))[];
  /** The operation that lists records of this kind, and the member of its answer that has the rows. */
  list: {
    operation: string;
    input?: Readonly<Fields>;
    rows: string;
    page?: { number: string; size: string; total: string };
  };
  /** The member of a record that has its number or lists them. Digits then mean the record that has such a number. */
  numbers?: string;
  /** The member that has the id of its subscriber. A customer's name then means the records of this customer. */
  holder?: string;
  /** Path to the id of this kind in the answer of the lookup of a number. */
  ofNumber?: readonly string[];
  /** The list that says which record of this kind a number uses, if the number's own record does not. */
  through?: {
    operation: string;
    input: Readonly<Fields>;
    rows: string;
    /** The member that has the id of the line. */
    number: string;
  };
  /** Members that hold ids of other records, whose names a list of these shows. */
  refers?: readonly string[];
  /** Shown by name on the card of a number that uses it. */
  onCard?: boolean;
}

/** The filters of one kind of traffic, which people know by the line that each covers. */
const filterKind = ({ noun, prefix, id, levels, list }: Traffic): RecordKind => ({
  noun,
  ids: [prefix],
  id: ['FilterId', id],
  names: ['Phone'],
  beside: [({ FilterMode }) => levels.find(([mode]) => mode === FilterMode)?.[1] ?? ''],
  list: { operation: list, rows: 'Results' },
  numbers: 'Phone',
  holder: 'SubscriberId',
});

/** "7 subscribers" for an account whose record counts them. */
const subscribersText = ({ TotalSubscribers: total }: Fields) =>
  typeof total === 'number' ? `${total} ${total === 1 ? 'subscriber' : 'subscribers'}` : '';

/** The active subscriptions, each of one number. */
const SUBSCRIPTIONS = {
  operation: 'account_subscriptions_get',
  input: { Filter: 'Active' },
  rows: 'Results',
  number: 'TNID',
};

export const recordKinds: readonly RecordKind[] = [
  {
    noun: 'subscriber',
    ids: ['TSUID'],
    id: ['SubscriberId', 'AssignedSubscriberId'],
    names: ['Name', 'Email'],
    beside: ['PhoneNumbers', 'Account.CompanyName'],
    read: ['subscribers_get', 'SubscriberId'],
    list: {
      operation: 'distributor_subscribers_get',
      rows: 'Subscribers',
      page: { number: 'PageNumber', size: 'TotalPerPage', total: 'TotalSubscribers' },
    },
    numbers: 'PhoneNumbers',
    ofNumber: ['Number', 'AssignedSubscriberId'],
  },
  {
    noun: 'account',
    ids: ['AID'],
    id: ['AccountId', 'AccountID'],
    names: ['AccountName', 'CompanyName'],
    beside: [subscribersText],
    read: ['account_get', 'AccountId'],
    list: { operation: 'distributor_accounts_get', rows: 'Results' },
    ofNumber: ['Subscriber', 'Account', 'AccountId'],
    onCard: true,
  },
  {
    noun: 'message route',
    ids: ['MRID'],
    id: ['MessageRouteId'],
    names: ['RouteName'],
    beside: [],
    read: ['message_routes_get', 'MessageRouteId'],
    leads: (record) => [
      ...lead('Inbound messages go to', record.MessageUrl),
      ...lead('Delivery receipts go to', record.CallbackMessageUrl),
    ],
    list: { operation: 'account_message_routes_get', rows: 'Results' },
    ofNumber: ['Number', 'MessageRouteId'],
    onCard: true,
  },
  {
    noun: 'voice route',
    ids: ['CRID'],
    id: ['CallRouteId', 'CallRouteID', 'VoiceRouteId'],
    names: ['RouteName'],
    beside: [],
    read: ['voice_routes_get', 'CallRouteID'],
    leads: voiceLeads,
    list: { operation: 'account_voice_routes_get', rows: 'Results' },
    ofNumber: ['Number', 'VoiceRouteId'],
    onCard: true,
  },
  {
    noun: 'package',
    ids: ['PKID', 'PID'],
    id: ['PackageId'],
    names: ['PackageName', 'Description'],
    beside: [priceOf],
    read: ['packages_get', 'PackageId'],
    list: { operation: 'account_packages_get', rows: 'Results' },
    through: SUBSCRIPTIONS,
    onCard: true,
  },
  {
    noun: 'product',
    ids: ['PRID', 'PID'],
    id: ['ProductId'],
    names: ['Description', 'SKU'],
    beside: ['SKU', costOf],
    read: ['products_get', 'ProductId'],
    list: { operation: 'account_products_get', rows: 'Results' },
  },
  {
    noun: 'webhook',
    ids: ['WID'],
    id: ['WebhookId'],
    names: ['WebhookUrl'],
    beside: [({ SubscribedEvents }) => textOf(SubscribedEvents).split(/,\s*/).join(', ')],
    read: ['webhook_get', 'WebhookId'],
    leads: ({ WebhookUrl }) => lead('Events go to', WebhookUrl),
    list: { operation: 'account_webhooks_get', rows: 'Results' },
  },
  {
    noun: 'workgroup',
    ids: ['WID', 'WG'],
    id: ['WorkgroupId', 'ReferenceWorkgroupId'],
    names: ['Name'],
    beside: ['Type'],
    read: ['workgroups_get', 'WorkgroupId'],
    leads: ({ TelegentPhone }) => lead('Callers reach', TelegentPhone),
    list: { operation: 'account_workgroups_get', rows: 'Workgroups' },
  },
  {
    noun: 'line',
    ids: ['NID', 'TNID'],
    id: ['Tnid', 'TNID'],
    names: ['Number'],
    beside: ['Status'],
    refers: ['AssignedSubscriberId'],
    list: {
      operation: 'numbers_inventory_get',
      rows: 'PhoneNumbers',
      page: { number: 'PageNumber', size: 'TotalNumbersRequested', total: 'TotalResults' },
    },
    numbers: 'Number',
    ofNumber: ['Number', 'TNID'],
  },
  {
    noun: 'subscription',
    ids: ['SUB'],
    id: ['SubscriptionId'],
    names: [],
    beside: ['Type'],
    refers: ['SubscriberId', 'TNID', 'PackageId'],
    list: { operation: 'account_subscriptions_get', rows: 'Results' },
    through: SUBSCRIPTIONS,
  },
  {
    noun: 'order',
    ids: ['JNUOID', 'JNOID', 'TNOID'],
    id: ['OrderId'],
    names: ['PhoneNumbers'],
    beside: ['Status'],
    list: { operation: 'events_since', input: { Since: '30d', Only: 'orders' }, rows: 'Orders' },
    numbers: 'PhoneNumbers',
    ofNumber: ['PortIn', 'OrderId'],
  },
  ...TRAFFIC.map(filterKind),
];

/** Kinds of records without names, which a list shows by the record that they refer to. */
export const listedKinds: readonly RecordKind[] = [
  {
    noun: 'product in the package',
    ids: ['PIID'],
    id: ['PackageItemId'],
    names: [],
    beside: [priceOf],
    refers: ['ProductId'],
    list: { operation: 'packages_items_get', rows: 'Results' },
  },
];

/** The destinations of calls of a voice route, by its type. */
function voiceLeads(record: Fields): Lead[] {
  const trunk = (n: 1 | 2) => {
    const [host, port] = [record[`TrunkUri${n}`] ?? record[`TrunkIp${n}`], record[`TrunkPort${n}`]];
    return typeof host === 'string' && host !== ''
      ? `${host}${typeof port === 'string' && port !== '' ? `:${port}` : ''}`
      : '';
  };
  return [
    ...lead('Calls are handled by', record.VoiceUrl),
    ...lead('Calls go to', [trunk(1), trunk(2)].filter((one) => one !== '').join(', ')),
    ...lead('Calls are transferred to', record.TransferCallerId),
    ...lead('Call events go to', record.CallbackVoiceUrl),
    ...lead('The audio of calls is streamed to', readFlag(record.EnableCallStreaming) ? record.WssUri : undefined),
  ];
}

function lead(what: string, to: unknown): Lead[] {
  return typeof to === 'string' && to !== '' ? [{ what, to }] : [];
}

/** What the gate uses in the question about a change. */
export const references: readonly RecordReference[] = [
  ...recordKinds,
  {
    noun: 'feature',
    ids: ['FEID'],
    id: ['FeatureId'],
    names: ['FeatureName'],
    read: ['subscriptions_features_get', 'FeatureId'],
  },
];
