import type { Presets } from '../src/catalogue/operation.ts';
import type { Fields } from '../src/lib/values.ts';

/** A step offered as a button. It opens a form with the number, or runs at once if nothing is missing and it is not gated. */
export interface NextStep {
  operation: string;
  states?: readonly string[];
  /** Text of the button; the operation's title by default. */
  label?: string;
  /** Further input besides the number. */
  given?: Readonly<Fields>;
  /** Runs without opening a form. */
  atOnce?: boolean;
  /** Offered only for numbers that are watched (true) or not watched (false). */
  watched?: boolean;
  /** Offered only if this member of the number's record is set. */
  has?: string;
  /** Opens this form of several operations in place of the operation's own. */
  form?: 'guard';
  /** Starts this guide (`surfaces/tasks.ts`) with the number in place of the operation's form. */
  guide?: string;
}

/** "Release 0104": the line is given up, its hold ends, or it moves to another carrier. */
const IN_SERVICE: readonly string[] = ['Active', 'Parked'];

/**
 * The states of a number in which its menu of further actions has an operation; none for one that concerns numbers of
 * others, or that a plainer operation covers. An operation that is left out is in every menu.
 */
export const menuStates: Readonly<Record<string, readonly string[]>> = {
  numbers_portin: [],
  numbers_portin_eligibility: [],
  numbers_cancel_order_request: [],
  numbers_reactivate: ['Cancelled - Pending Delete'],
  numbers_cancel: IN_SERVICE,
  numbers_status: IN_SERVICE,
  numbers_portout: IN_SERVICE,
  numbers_data_usage_set: IN_SERVICE,
  numbers_data_usage_settings: IN_SERVICE,
  numbers_update: IN_SERVICE,
  message_outbound: ['Active'],
  numbers_watch: [...IN_SERVICE, 'Cancelled - Pending Delete'],
};

/** Operations that the form of all filters (`surfaces/guard.ts`) has. The menu of a number leaves them out. */
export const menuGuarded = /^subscribers_(call|message)_filter_/;

/** The service that a line needs for an operation to be in its menu. */
export const menuServices: Readonly<Record<string, 'sms' | 'data'>> = {
  message_outbound: 'sms',
  numbers_data_usage_info: 'data',
  numbers_data_usage_set: 'data',
  numbers_data_usage_settings: 'data',
};

/** One entry per group, in display order. The key is the first word of its operations' ids and the Slack command. */
export interface Group {
  title: string;
  description: string;
  /** An example for help texts, as it is typed after the Slack command. */
  example: string;
  /** The tool behind the group's short lookup command (`/number +1…`). */
  lookup?: string;
  /** The tool that finds what the short command looks up, by last digits or a name (`/number ava stone`). */
  find?: string;
  /** Steps offered under a lookup if the number's state is one of `states`; for every state by default. */
  next?: readonly NextStep[];
  /** Further words for an operation after the command: `/numbers why` is `/numbers diagnose`. */
  aliases?: Readonly<Record<string, string>>;
  /** Tools that are listed first, in this order; the others follow by id. */
  order?: readonly string[];
}

export const groups: Readonly<Record<string, Group>> = {
  numbers: {
    title: 'Numbers',
    description: 'Look up, provision, port in and out, cancel, reactivate, data limits',
    example: 'order OrderId=JNUOID-00000000-0000-4000-8000-000000000001',
    lookup: 'numbers_lookup',
    find: 'numbers_find',
    aliases: { why: 'numbers_diagnose' },
    next: [
      { operation: 'numbers_reactivate', label: 'Reactivate', states: ['Cancelled - Pending Delete'] },
      { operation: 'numbers_diagnose', label: 'Why?', atOnce: true, states: ['Active'] },
      { operation: 'message_outbound', states: ['Active'] },
      { operation: 'numbers_status', label: 'Swap SIM', states: ['Active'], has: 'Iccid', guide: 'swap_sim' },
      {
        operation: 'subscribers_message_filter_create',
        label: 'Guard',
        states: ['Active'],
        has: 'AssignedSubscriberId',
        form: 'guard',
      },
      {
        operation: 'numbers_status',
        label: 'Activate',
        given: { StatusChange: 'activate' },
        states: ['Parked'],
      },
      { operation: 'numbers_watch', label: 'Watch', atOnce: true, states: ['Active'], watched: false },
      { operation: 'numbers_watch', label: 'Stop watching', given: { Stop: true }, atOnce: true, watched: true },
      { operation: 'numbers_update', states: ['Active', 'Parked'] },
      { operation: 'numbers_cancel', states: ['Active', 'Parked'] },
    ],
    order: ['numbers_lookup', 'numbers_find', 'numbers_diagnose', 'numbers_get', 'numbers_provision', 'numbers_update'],
  },
  subscribers: {
    title: 'Subscribers',
    description: 'People who hold numbers, and their guardian filters',
    example: 'get SubscriberId=TSUID-00000000-0000-4000-8000-000000000001',
    order: ['subscribers_create', 'subscribers_get', 'subscribers_update'],
  },
  message: {
    title: 'Messages',
    description: 'Send SMS and MMS, read a message, message routes',
    example: 'outbound To=+12015550199 From=+12015550101 Body="Hello"',
    aliases: { get: 'message_details_get' },
    order: ['message_routes_create', 'message_routes_update'],
  },
  events: {
    title: 'Events',
    description: 'What happened: orders, messages, calls, and who did what',
    example: 'since 8h',
  },
  voice: {
    title: 'Voice routes',
    description: 'How inbound calls are handled',
    example: 'routes CallRouteID=CRID-00000000-0000-4000-8000-000000000001',
  },
  account: {
    title: 'Accounts',
    description: 'Accounts under this distributor, and what belongs to one',
    example: 'voice routes',
  },
  subscriptions: {
    title: 'Subscriptions',
    description: 'What a number is subscribed to, and features',
    example: 'features FeatureId=FEID-00000000-0000-4000-8000-000000000001',
    order: ['subscriptions_create', 'subscriptions_features_get'],
  },
  packages: {
    title: 'Packages',
    description: 'Bundles of products',
    example:
      'items add PackageId=PKID-00000000-0000-4000-8000-000000000001 ProductId=PRID-00000000-0000-4000-8000-000000000002',
  },
  products: {
    title: 'Products',
    description: 'What packages are made of',
    example: 'create SKU=DATA5 Description="5 GB" Type=data Cost=4.5 BillingFrequency=MRC',
  },
  webhook: {
    title: 'Webhooks',
    description: 'Where the platform delivers events',
    example: 'delete WebhookId=WID-00000000-0000-4000-8000-000000000001',
  },
  workgroups: {
    title: 'Workgroups',
    description: 'Ring groups and menus, and their members',
    example: 'activity update WorkgroupActivityId=WAID-00000000-0000-4000-8000-000000000001 DigitOrder=2',
  },
  distributor: {
    title: 'Distributor',
    description: 'Accounts, and subscribers of all accounts',
    example: 'subscribers',
  },
  oauth2: {
    title: 'Tokens',
    description: 'Check that the platform accepts our credentials for an endpoint',
    example: 'tokens ApiEndpoint=numbers_get',
  },
};

/**
 * The two stages of a cancellation. The preset for a support desk has numbers_cancel alone, which does both as one gated
 * step; `core` has every operation of the specification.
 */
const STAGES = ['numbers_cancel_order_request', 'numbers_cancel_order_submit'] as const;

/** The reads that find the ids which the tools of a support desk need. */
const SUPPORT_FINDERS = [
  'distributor_accounts_get',
  'account_message_routes_get',
  'account_voice_routes_get',
  'subscribers_message_filter_get',
  'message_search_get',
] as const;

/** The same for every operation of the specification. */
const CORE_FINDERS = [
  ...SUPPORT_FINDERS,
  'account_packages_get',
  'account_products_get',
  'packages_items_get',
  'account_subscriptions_get',
  'account_webhooks_get',
  'account_workgroups_get',
] as const;

/**
 * Toolsets in addition to `all` and the groups (MCP_TOOLSETS): every operation of the specification, what a support desk
 * needs, and what people on call need. Each id that one of their tools takes is found by another tool of the toolset.
 */
export const presets: Presets = {
  core: { groups: Object.keys(groups), ids: CORE_FINDERS },
  support: { groups: ['numbers', 'subscribers', 'message', 'events'], without: STAGES, ids: SUPPORT_FINDERS },
  oncall: {
    ids: [
      'numbers_lookup',
      'numbers_find',
      'numbers_diagnose',
      'events_since',
      'distributor_accounts_get',
      'numbers_get',
      'numbers_order_get',
      'numbers_inventory_get',
      'numbers_data_usage_info',
      'numbers_data_usage_settings',
      'message_details_get',
      'subscribers_get',
      'subscribers_guardian_features_get',
      'account_voice_routes_get',
      'voice_routes_get',
    ],
  },
};
