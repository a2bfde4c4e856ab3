/*
 * Families of sentences: the requests of support people, as rows of acts and things (`words.ts`). A sentence belongs to
 * the family that explains most of its words. Used by the answer without a model (src/assistant/guided), by the search
 * of assistants, and by commands that fit no operation.
 */

/** One family of sentences. Lists are separated by spaces; a sentence needs one word of each list that is not empty. */
export interface Family {
  operation: string;
  acts: string;
  things: string;
  /** A further thing that the sentence has to name. */
  also?: string;
  /** Input that the sentence itself says. */
  given?: Readonly<Record<string, unknown>>;
  /** The guide (`guides` in `tasks.ts`) that leads through what is asked for. */
  guide?: string;
  /** Says what the operation cannot do. Shown unless the sentence gives an amount. */
  note?: string;
  /** True if the state of the record decides whether anything is left to do: "lift the hold". */
  isChecked?: true;
  /** True if the operation makes a new number, so that a sentence that names a number does not mean it. */
  makesNumber?: true;
}

/** Rows without a further condition: operation, acts, things, further things. */
function rows(
  ...list: readonly (readonly [operation: string, acts: string, things: string, also?: string])[]
): Family[] {
  return list.map(([operation, acts, things, also]) => ({
    operation,
    acts,
    things,
    ...(also === undefined ? {} : { also }),
  }));
}

/** Guardian filtering on or off, of calls, of messages or of both. */
function guardian(acts: string, isOn: boolean): Family[] {
  const base = { operation: 'subscribers_guardian_features_set', acts, things: 'guardian' };
  const [calls, messages] = [{ EnableIntelligentGuardianCalls: isOn }, { EnableIntelligentGuardianMessages: isOn }];
  return [
    { ...base, given: { ...calls, ...messages } },
    { ...base, also: 'call', given: calls },
    { ...base, also: 'text', given: messages },
  ];
}

const LINES: readonly Family[] = [
  ...rows(['numbers_status', 'swapline', ''], ['numbers_status', 'swapline', 'number']).map((row) => ({
    ...row,
    note: 'choose “swap” or “replace” in the form: both give another number, and how they differ is not documented',
  })),
  ...rows(
    ['numbers_availability', '', 'free', 'number area'],
    ['numbers_availability', '', 'area'],
    ['numbers_availability', 'find show count', 'area'],
  ).map((row) => ({ ...row, given: { MessageEnabled: true, VoiceEnabled: true } })),
  ...rows(
    ['numbers_diagnose', 'trouble', ''],
    ['numbers_diagnose', 'trouble', 'text call data sim number'],
    ['numbers_status', 'change', 'park', 'number'],
    ['numbers_inventory_get', 'show find count', 'inventory', 'number'],
    ['numbers_inventory_get', 'count', 'number'],
    ['numbers_update', 'assign', ''],
    ['numbers_update', 'assign change', 'number', 'subscriber person'],
    ['numbers_update', 'change send create need assign show', 'cnam'],
    ['numbers_update', 'change send create need assign show', 'cnam', 'name'],
    ['numbers_update', 'assign change', 'route', 'number'],
    ['numbers_watch', 'watch', ''],
    ['numbers_watch', 'watch', 'number data usage limit'],
    ['numbers_watch', 'create', 'watch'],
    ['numbers_watch', 'tell', 'data usage limit'],
    ['numbers_watches', 'show find count', 'watch'],
    ['numbers_data_usage_info', 'show count find', 'usage'],
    ['numbers_data_usage_info', '', 'usage'],
    ['numbers_data_usage_info', '', 'usage', 'data'],
    ['numbers_data_usage_info', 'count', 'data'],
    ['numbers_data_usage_settings', 'show', 'limit'],
    ['numbers_data_usage_settings', '', 'limit'],
    ['numbers_data_usage_settings', '', 'limit', 'data'],
    ['numbers_data_usage_set', 'raise', 'data limit'],
    ['numbers_data_usage_set', 'create', 'data', 'number subscriber person'],
    ['numbers_data_usage_info', 'show', 'usage', 'history'],
    ['numbers_data_usage_set', 'raise change create', 'limit'],
    ['numbers_data_usage_set', 'raise change', 'limit', 'data'],
  ),
  ...rows(
    ['numbers_data_usage_set', 'remove off undo stop cancel', 'throttle'],
    ['numbers_data_usage_set', 'remove off undo stop cancel', 'throttle', 'data limit'],
  ).map((row) => ({ ...row, given: { ThrottleValue: null, ThrottleSpeed: null } })),
  ...rows(
    ['numbers_data_usage_set', 'remove off undo stop cancel', 'warning'],
    ['numbers_data_usage_set', 'remove off undo stop cancel', 'warning', 'data limit'],
  ).map((row) => ({ ...row, given: { NotifyValue: null } })),
  ...rows(
    ['numbers_data_usage_set', 'remove off undo stop cancel', 'limit'],
    ['numbers_data_usage_set', 'remove off undo stop cancel', 'limit', 'data'],
  ).map((row) => ({
    ...row,
    note: 'the platform has no way to remove a limit, only the notice and the slower speed: give a higher one',
  })),
  ...rows(
    ['numbers_cancel', 'cancel', ''],
    ['numbers_cancel', 'cancel', 'number sim subscriber person'],
    ['numbers_cancel', 'remove off', 'number'],
  ).map((row): Family => ({ ...row, isChecked: true })),
  ...rows(
    ['numbers_reactivate', 'reactivate', ''],
    ['numbers_reactivate', 'reactivate', 'number cancel'],
    ['numbers_reactivate', 'undo', 'cancel'],
    ['numbers_reactivate', '', 'reactivate'],
  ).map((row): Family => ({ ...row, isChecked: true })),
  { operation: 'numbers_update', acts: 'off', things: 'call', also: 'number', given: { VoiceEnabled: false } },
  { operation: 'numbers_update', acts: 'on', things: 'call', also: 'number', given: { VoiceEnabled: true } },
  { operation: 'numbers_update', acts: 'off', things: 'text', also: 'number', given: { MessageEnabled: false } },
  { operation: 'numbers_update', acts: 'on', things: 'text', also: 'number', given: { MessageEnabled: true } },
  { operation: 'numbers_provision', acts: 'create', things: 'newnumber', guide: 'new_line', makesNumber: true },
  {
    operation: 'numbers_provision',
    acts: 'create need',
    things: 'number',
    also: 'area',
    guide: 'new_line',
    makesNumber: true,
  },
  {
    operation: 'numbers_provision',
    acts: 'create',
    things: 'newnumber',
    also: 'area subscriber person',
    guide: 'new_line',
    makesNumber: true,
  },
  { operation: 'numbers_update', acts: 'swap create need send', things: 'sim', guide: 'swap_sim' },
  { operation: 'numbers_status', acts: 'swap', things: 'sim', given: { StatusChange: 'swap-sim' } },
  { operation: 'numbers_status', acts: 'park', things: '', given: { StatusChange: 'park' }, isChecked: true },
  { operation: 'numbers_status', acts: 'park', things: 'number', given: { StatusChange: 'park' }, isChecked: true },
  { operation: 'numbers_status', acts: 'activate', things: '', given: { StatusChange: 'activate' }, isChecked: true },
  {
    operation: 'numbers_status',
    acts: 'activate',
    things: 'number sim',
    given: { StatusChange: 'activate' },
    isChecked: true,
  },
  {
    operation: 'numbers_status',
    acts: 'stop remove undo off cancel',
    things: 'park',
    given: { StatusChange: 'activate' },
    isChecked: true,
  },
  {
    operation: 'numbers_status',
    acts: 'stop remove undo off cancel',
    things: 'park',
    also: 'number subscriber person',
    given: { StatusChange: 'activate' },
    isChecked: true,
  },
  { operation: 'numbers_watch', acts: 'stop remove off unwatch cancel', things: 'watch', given: { Stop: true } },
  { operation: 'numbers_watch', acts: 'unwatch', things: '', given: { Stop: true } },
  { operation: 'numbers_find', acts: 'show find count', things: 'park', given: { Status: 'Parked' } },
  {
    operation: 'numbers_find',
    acts: 'show find count',
    things: 'cancelledlines',
    given: { Status: 'Cancelled - Pending Delete' },
  },
  {
    operation: 'numbers_find',
    acts: 'show find count',
    things: 'cancelledlines',
    also: 'inventory',
    given: { Status: 'Cancelled - Pending Delete' },
  },
];

const PORTS: readonly Family[] = [
  ...rows(
    ['numbers_order_get', 'show find count chase trouble happen decide', 'portin order'],
    ['numbers_order_get', '', 'portin order rejected'],
    ['numbers_order_get', 'show find chase trouble', 'portin order', 'rejected'],
    ['numbers_order_get', '', 'portin', 'order'],
    ['numbers_portin_cancel', 'cancel stop remove', 'portin order'],
    ['numbers_portin_cancel', 'cancel stop remove', 'portin', 'order'],
    ['numbers_portin_update', 'change rename resubmit', 'portin order'],
    ['numbers_portin_update', 'change resubmit', 'portin order', 'rejected portdetail name address'],
    ['numbers_portin_update', 'resubmit', 'number'],
    ['numbers_portout', 'portout', ''],
    ['numbers_portout', 'show create need send change portout assign', 'leavepin'],
    ['numbers_portout', 'show create need send change portout assign', 'leavepin', 'portdetail'],
    ['numbers_portout', '', 'leavepin', 'number'],
  ),
  { operation: 'numbers_portin', acts: 'portin', things: '', guide: 'port_in' },
  { operation: 'numbers_portin', acts: 'portin create need', things: 'portin', guide: 'port_in' },
  { operation: 'numbers_portin', acts: 'portin', things: 'number', guide: 'port_in' },
  { operation: 'numbers_portin', acts: 'portin', things: 'number', also: 'portdetail', guide: 'port_in' },
  { operation: 'numbers_portin', acts: 'portin', things: 'portdetail', guide: 'port_in' },
  { operation: 'numbers_portin_eligibility', acts: 'check', things: '', given: { TargetClassification: 'Mobile' } },
  {
    operation: 'numbers_portin_eligibility',
    acts: 'check',
    things: 'portin',
    given: { TargetClassification: 'Mobile' },
  },
];

const HISTORY: readonly Family[] = [
  ...rows(
    ['events_since', 'happen', ''],
    ['events_since', '', 'history'],
    ['events_since', 'show find', 'history'],
    ['events_since', 'show find', 'history', 'number subscriber person'],
    ['events_since', 'happen', 'time'],
    ['events_since', 'happen', 'call'],
    ['events_since', 'decide', 'cancel portin park block'],
  ),
  { operation: 'events_since', acts: '', things: 'callhistory', given: { Only: 'calls' } },
  { operation: 'events_since', acts: 'show find', things: 'callhistory', given: { Only: 'calls' } },
  { operation: 'events_since', acts: '', things: 'spend', given: { Only: 'charges' } },
  { operation: 'events_since', acts: '', things: 'spend', also: 'time', given: { Only: 'charges' } },
  { operation: 'events_since', acts: 'spend', things: 'time', given: { Only: 'charges' } },
  { operation: 'events_since', acts: 'spend', things: '', given: { Only: 'charges' } },
  { operation: 'events_since', acts: 'spend show count', things: 'spend', given: { Only: 'charges' } },
];

/** Routes switched on or off. */
const SWITCHED: readonly Family[] = (
  [
    ['message_routes_update', 'text', 'MessageRouteEnabled'],
    ['voice_routes_update', 'call', 'RouteEnabled'],
  ] as const
).flatMap(([operation, also, member]) => [
  { operation, acts: 'off', things: 'route', also, given: { [member]: false } },
  { operation, acts: 'on activate reactivate', things: 'route', also, given: { [member]: true } },
]);

const MESSAGES: readonly Family[] = rows(
  ['message_outbound', 'text', ''],
  ['message_outbound', 'send tell', 'text'],
  ['message_outbound', 'text tell', 'number subscriber person'],
  ['message_outbound', 'tell', ''],
  ['message_search_get', 'show find', 'text'],
  ['message_search_get', '', 'text'],
  ['message_search_get', '', 'text', 'history'],
  ['message_search_get', 'show find', 'text', 'history'],
  ['message_routes_create', 'create need', 'route', 'text'],
  ['message_routes_update', 'change on off rename', 'route', 'text'],
  ['message_routes_update', 'change', 'webaddress'],
  ['message_routes_update', 'change', 'webaddress', 'text'],
  ['voice_routes_update', 'change', 'webaddress', 'call'],
  ['message_routes_update', 'change', 'namedtextroute', 'address'],
  ['voice_routes_update', 'change', 'namedcallroute', 'address ip'],
  ['message_routes_delete', 'remove cancel', 'route', 'text'],
  ['account_message_routes_get', '', 'route', 'text'],
  ['account_message_routes_get', 'show find', 'route', 'text'],
  ['voice_routes_create', 'create need', 'route', 'call'],
  ['voice_routes_update', 'change on off forward rename', 'route', 'call'],
  ['voice_routes_update', 'change', 'route', 'ip'],
  ['voice_routes_update', 'change need', 'route address ip', 'ip'],
  ['voice_routes_update', '', 'route', 'ip'],
  ['voice_routes_update', 'forward', 'call'],
  ['voice_routes_delete', 'remove cancel', 'route', 'call'],
  ['account_voice_routes_get', 'show', 'route'],
  ['account_voice_routes_get', '', 'route'],
  ['account_voice_routes_get', '', 'route', 'call'],
  ['numbers_update', '', 'namedroute', 'number'],
  ['numbers_update', 'assign change send forward create on need', 'call text', 'namedroute'],
);

const PEOPLE: readonly Family[] = rows(
  ['subscribers_create', 'create need', 'subscriber'],
  ['subscribers_create', 'create need', 'subscriber', 'email name person role'],
  ['subscribers_update', 'change', 'subscriber name password role email'],
  ['subscribers_update', 'create assign', 'role'],
  ['subscribers_update', 'rename', ''],
  ['subscribers_update', 'change', 'name password role email', 'subscriber'],
  ['distributor_subscribers_get', 'show find count', 'subscriber'],
  ['distributor_subscribers_get', 'show find count', 'subscriber', 'inventory'],
  ['distributor_accounts_get', 'show find count', 'account'],
  ['distributor_accounts_get', '', 'account', 'inventory'],
  ['account_create', 'create need', 'account'],
  ['account_update', 'change rename', 'account address'],
  ['account_update', '', 'address'],
  ['account_update', 'change rename', 'account', 'address name email'],
);

/** The subscription of one customer or line. */
const OF_ONE = 'subscription number subscriber person';

const STAYS = 'the filter itself stays, with its lists';
/** A filter that is paused, or goes on: filtering is switched off, and the filter stays. */
const PAUSED: readonly Family[] = [
  ...guardian('off stop park', false).map((row) => ({ ...row, things: 'filter', note: STAYS })),
  ...guardian('activate on', true).map((row) => ({ ...row, things: 'filter' })),
];

const FILTERS: readonly Family[] = [
  ...guardian('on create activate', true),
  ...guardian('off remove stop cancel park', false),
  ...PAUSED,
  ...rows(
    ['subscribers_guardian_features_get', 'show check', 'guardian'],
    ['subscribers_guardian_features_get', '', 'guardian'],
    ['subscribers_guardian_features_set', 'change', 'guardian'],
    ['subscribers_call_filter_get', 'show count', 'filter block allow'],
    ['subscribers_call_filter_get', '', 'filter block'],
    ['subscribers_call_filter_get', '', 'filter', 'call'],
    ['subscribers_call_filter_get', 'show count', 'filter block allow', 'call'],
    ['subscribers_message_filter_get', '', 'filter block', 'text'],
    ['subscribers_message_filter_get', 'show count', 'filter block allow', 'text'],
    ['subscribers_call_filter_create', 'create need', 'filter'],
    ['subscribers_call_filter_create', 'create filter', 'filter call', 'call'],
    ['subscribers_call_filter_update', 'change', 'filter', 'call'],
    ['subscribers_call_filter_update', '', 'recording', 'call'],
    ['subscribers_call_filter_update', 'stop off on change remove create cancel', 'recording'],
    ['subscribers_call_filter_update', 'stop off on change remove create cancel', 'recording', 'call'],
    ['subscribers_call_filter_get', 'show check', 'recording'],
    ['subscribers_call_filter_delete', 'remove cancel', 'filter'],
    ['subscribers_call_filter_delete', 'remove cancel', 'filter', 'call'],
    ['subscribers_message_filter_create', 'create need', 'filter', 'text'],
    ['subscribers_message_filter_create', 'block filter', 'keyword'],
    ['subscribers_message_filter_create', 'block filter', 'keyword', 'text'],
    ['subscribers_message_filter_create', 'filter', 'text', 'text'],
    ['subscribers_message_filter_update', 'change', 'filter', 'text'],
    ['subscribers_message_filter_update', 'change on off stop remove activate', 'keyword', 'text'],
    ['subscribers_message_filter_delete', 'remove cancel', 'filter', 'text'],
    ['subscribers_call_filter_blocked_numbers_add', 'block', ''],
    ['subscribers_call_filter_blocked_numbers_add', 'block', 'call number block'],
    ['subscribers_call_filter_blocked_numbers_add', 'create change assign', 'block'],
    ['subscribers_call_filter_blocked_numbers_add', 'stop', 'call'],
    ['subscribers_call_filter_blocked_numbers_remove', 'unblock', ''],
    ['subscribers_call_filter_blocked_numbers_remove', 'unblock', 'call number'],
    ['subscribers_call_filter_blocked_numbers_remove', 'stop remove undo off cancel', 'block'],
    ['subscribers_call_filter_blocked_numbers_remove', 'stop remove undo off cancel', 'block', 'call number'],
    ['subscribers_message_filter_blocked_contacts_add', 'block', 'text'],
    ['subscribers_message_filter_blocked_contacts_add', 'block', 'text', 'block'],
    ['subscribers_message_filter_blocked_contacts_add', 'stop', 'text'],
    ['subscribers_message_filter_blocked_contacts_remove', 'unblock', 'text'],
    ['subscribers_message_filter_blocked_contacts_remove', 'stop remove undo off cancel', 'block', 'text'],
    ['subscribers_call_filter_allowed_numbers_add', 'allow', ''],
    ['subscribers_call_filter_allowed_numbers_add', 'allow', 'call number'],
    ['subscribers_call_filter_allowed_numbers_add', 'create change assign', 'allow'],
    ['subscribers_call_filter_allowed_numbers_remove', 'stop remove undo cancel', 'allow'],
    ['subscribers_message_filter_allowed_contacts_add', 'allow', 'text'],
    ['subscribers_message_filter_allowed_contacts_add', 'create', 'allow', 'text'],
    ['subscribers_message_filter_allowed_contacts_remove', 'stop remove undo cancel', 'allow', 'text'],
  ),
];

const CATALOGUE: readonly Family[] = rows(
  ['account_packages_get', '', 'package'],
  ['account_packages_get', 'show find count', 'package'],
  ['packages_create', 'create need', 'package'],
  ['packages_update', 'change rename raise', 'package'],
  ['packages_update', 'change raise create', 'price'],
  ['packages_update', 'change raise', 'package', 'price'],
  ['packages_delete', 'remove', 'package'],
  ['packages_items_get', 'show count', 'product', 'package'],
  ['packages_items_add', 'create assign change', 'product', 'package'],
  ['packages_items_update', 'change', 'product', 'package'],
  ['packages_items_delete', 'remove cancel stop', 'product', 'package'],
  ['account_products_get', '', 'product'],
  ['account_products_get', 'show find count', 'product'],
  ['products_create', 'create', 'product'],
  ['products_update', 'change rename raise', 'product'],
  ['products_update', 'change raise', 'product', 'price'],
  ['products_delete', 'remove cancel', 'product'],
  ['account_subscriptions_get', '', 'subscription'],
  ['account_subscriptions_get', 'show find count', 'subscription'],
  ['subscriptions_create', 'enroll', ''],
  ['subscriptions_create', 'enroll', 'number subscriber person'],
  ['subscriptions_create', 'subscribe create need', 'subscription'],
  ['subscriptions_create', 'subscribe', 'package', 'number subscriber person'],
  ['subscriptions_create', 'subscribe', 'subscription', 'number subscriber person package'],
  ['subscriptions_update', 'change swap assign', 'subscription'],
  ['subscriptions_update', 'change swap', 'package', 'number subscriber person'],
  ['subscriptions_delete', 'cancel stop remove unsubscribe', 'subscription'],
  ['subscriptions_delete', 'unsubscribe', ''],
  ['subscriptions_delete', 'cancel stop unsubscribe', 'package'],
  ['subscriptions_delete', 'cancel stop remove unsubscribe', 'package', 'number subscriber person'],
  ['subscriptions_features_add', 'create', 'newfeature'],
  ['subscriptions_features_add', 'create', 'newfeature', 'account person'],
  ['subscriptions_features_delete', 'remove', 'feature'],
  ['subscriptions_features_assignments_get', 'show', 'feature', 'subscription'],
  ['account_webhooks_get', '', 'webhook'],
  ['account_webhooks_get', 'show find count', 'webhook'],
  ['account_webhooks_get', '', 'webhook', 'order text call portin'],
  ['account_webhooks_get', 'show find count happen', 'webhook', 'order text call portin'],
  ['webhook_create', 'create need', 'webhook'],
  ['webhook_create', 'create need', 'webhook', 'order text call portin'],
  ['webhook_delete', 'remove cancel stop', 'webhook', 'order text call portin'],
  ['webhook_update', 'change on off send', 'webhook'],
  ['webhook_delete', 'remove cancel stop', 'webhook'],
  ['account_workgroups_get', '', 'workgroup'],
  ['account_workgroups_get', 'show find count', 'workgroup'],
  ['workgroups_update', 'change rename on off stop', 'workgroup'],
  ['workgroups_update', 'change rename on off stop', 'workgroup recording', 'workgroup'],
  ['workgroups_activity_update', 'change create assign remove', 'subscriber person number', 'workgroup'],
);

/** No list says which features there are, or which one a subscription has. */
const FEATURES: readonly Family[] = [
  ...rows(
    ['subscriptions_features_assignments_add', 'assign activate on', 'feature'],
    ['subscriptions_features_assignments_add', 'assign create activate on', 'feature', OF_ONE],
  ).map((row) => ({
    ...row,
    note: 'no list has the features: each is named by its id (FEID-…), which its creation shows',
  })),
  {
    operation: 'subscriptions_features_assignments_delete',
    acts: 'remove stop cancel off',
    things: 'feature',
    also: OF_ONE,
    note: 'no list has the features of a line: what is taken is named by its id (FAID-…), as it was shown when it was given',
  },
];

/** Of two families that fit equally, the one that reads comes first, then the earlier one. */
export const families: readonly Family[] = [
  ...LINES,
  ...PORTS,
  ...HISTORY,
  ...SWITCHED,
  ...MESSAGES,
  ...PEOPLE,
  ...FILTERS,
  ...CATALOGUE,
  ...FEATURES,
];
