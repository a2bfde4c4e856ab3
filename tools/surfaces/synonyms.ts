/*
 * The words of support people, for the answer without a model (src/assistant/guided) and for assistants that search operations
 * (src/language/assistants/offer.ts). A phrase fits a sentence that has
 * all of its words, in any order; the phrase with the most words wins, and of two equal ones the read, then the earlier.
 */

/** Several words that stand for one, replaced first. */
export const joined: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\bport(?:ed|ing|s)?[\s-]+(?:\w+[\s-]+){0,2}?(?:in|over|across)\b/g, 'portin'],
  [/\b(?:transfer|bring)(?:ring|ing)?\s+(?:(?!back)\w+\s+){0,3}?(?:in|over|across|to us)\b/g, 'portin'],
  [/\bport(?:ed|ing|s)?[\s-]+(?:\w+[\s-]+){0,2}?(?:out|away)\b/g, 'portout'],
  [/\b(?:bring|turn|switch|get|put)\s+(?:\w+['\w]*\s+){0,3}?back(?:\s+(?:on|up|to life))?\b/g, 'reactivate'],
  [/\b(?:shut|turn|switch|cut)\s+(?:\w+['\w]*\s+){0,3}?(?:off|down)\b/g, 'switchoff'],
  [/\b(?:turn|switch)\s+(?:\w+['\w]*\s+){0,3}?on\b/g, 'enable'],
  [/\b(?:transfer|port|mov)(?:e|ed|ing|ring)?\s+(?:\w+\s+){0,2}?from\b/g, 'portin'],
  [/\b(?:need|want)s?\s+(?:it|this|that|them|her|him|(?:the\s+|my\s+)?number)\s+back\b/g, 'reactivate'],
  [/\bpull\s+the\s+plug\b/g, 'cancel'],
  [/\bon\s+hold\b/g, 'waiting'],
  [/\b(?:calls?|texts?|messages?|data|signal|service|connection)\s+(?:\w+\s+)?drop(?:s|ping|ped)?\b/g, 'trouble'],
  [/\b(?:los(?:e|es|ing)|dropp?(?:s|ing)?)\s+(?:\w+\s+)?(?:signal|calls?|connection|service|coverage)\b/g, 'trouble'],
  [/\b(?:what(?:'?s| is)|whats|anything|something)\s+new\b|\b(?:come|came|comes)\s+in\b/g, 'happened'],
  [/\b(?:no|zero|few)\s+(?:\w+\s+)?(?:bars|reception|coverage|signal)\b/g, 'trouble'],
  [
    /\b(?:dont|doesnt|didnt|wont|cannot|never|don't|(?:do|does|did|is|are) not)\s+(?:go|get|come|ring|work|load|arrive|reach|connect)(?:s|es)?\b/g,
    'trouble',
  ],
  [/\bget\s+rid\s+of\b/g, 'delete'],
  [/\b(?:look|looking)\s*(?:up|for)\b/g, 'find'],
  [/\bset\s*up\b/g, 'create'],
  [/\bkeep\s+an?\s+eye\b/g, 'watch'],
  [/\bcaller\s*id\b|\bcaller\s+name\b|\bdisplay\s+name\b/g, 'cnam'],
  [/\bphone\s+number(s?)\b/g, 'number$1'],
  [/\btext\s+message(s?)\b/g, 'text$1'],
  [/\bsim[\s-]+card(s?)\b/g, 'sim$1'],
  [/\bunder\s+way\b/g, 'progress'],
  [/\bnot\s+(?:working|getting|able|receiving|sending)\b|\bno\s+longer\b|\bout of order\b/g, 'trouble'],
];

/** Words by what they mean. */
export const meanings: Readonly<Record<string, string>> = {
  number: 'number numbers line lines phone phones mobile mobiles msisdn did dids tn tns cell',
  text: 'text texts texting texted sms smses mms message messages messaging msg msgs',
  call: 'call calls calling caller callers ring rings ringing dial dialing',
  data: 'data internet online web browse browsing hotspot gig gigs',
  sim: 'sim sims esim esims iccid',
  cancel:
    'cancel cancels cancelling canceling cancellation disconnect disconnecting terminate terminating deactivate discontinue kill',
  cancelled: 'cancelled canceled disconnected terminated deactivated',
  reactivate: 'reactivate reactivating reactivation reactivated restore restoring reinstate uncancel revive undelete',
  portin: 'portin portins port porting ported',
  portout: 'portout portouts',
  order: 'order orders request',
  find: 'find search locate lookup',
  show: 'show list display see view give tell check get what which who whats pull',
  change: 'change changes changing update updating edit modify rename correct fix',
  create: 'create add new make open register provision order activate issue buy',
  delete: 'delete remove drop erase deleting removing',
  send: 'send sending',
  subscriber: 'subscriber subscribers customer customers user users client clients member members',
  subscription: 'subscription subscriptions',
  package: 'package packages plan plans bundle bundles tariff',
  product: 'product products',
  account: 'account accounts',
  webhook: 'webhook webhooks',
  workgroup: 'workgroup workgroups',
  route: 'route routes routing',
  limit: 'limit limits cap caps allowance quota threshold thresholds',
  raise: 'raise increase lower reduce set bump up extend',
  leave: 'leave leaves leaving',
  usage: 'usage burn burns burnt used use using consumed consumption burned left remaining spent',
  block: 'block blocks blocking ban bar',
  blocked: 'blocked banned barred',
  unblock: 'unblock unblocking unban unbar',
  allow: 'allow whitelist permit',
  allowed: 'allowed whitelisted permitted',
  filter: 'filter filters filtering',
  guardian: 'guardian parental',
  slow: 'slow slower sluggish',
  watch: 'watch watching monitor monitoring track tracking',
  watched: 'watched monitored tracked',
  status: 'status state progress going update eta far done complete completed finished stuck ready rejected',
  available: 'available free spare availability',
  trouble:
    'trouble stuck cannot unable fails failing failed fail broken problem problems issue issues stopped wrong dead wont doesnt isnt arent bounce bouncing undelivered',
  happened: 'happened happen happening missed miss overnight news events activity',
  suspend: 'suspend pause park parking freeze suspending hold',
  swap: 'swap swapping replace replacing exchange replacement',
  eligible: 'eligible eligibility portable portability',
  pin: 'pin pins',
  enable: 'enable activate',
  disable: 'disable switchoff',
};

/** Phrases for one operation. `given`: input that the phrase itself says. */
export interface Synonyms {
  operation: string;
  /** Separated by commas. */
  phrases: string | readonly string[];
  given?: Readonly<Record<string, unknown>>;
  /** The guide (`flows.ts`) that leads through what the phrase asks for. */
  guide?: string;
  /** True if the operation makes a new number, so that a sentence that names a number does not mean it. */
  makesNumber?: true;
}

export const synonyms: readonly Synonyms[] = [
  {
    operation: 'events_since',
    phrases: [
      'happened, what happened, catch up, while away, anything since, show happened, what changed since',
      'who called, called number, missed call, recent call, charged, what charged, charged customer, billed, what billed',
      'charge customer, charge today, late order, open order',
    ],
  },
  {
    operation: 'numbers_diagnose',
    phrases: [
      'trouble, trouble number, why trouble, trouble text, trouble call, trouble data, trouble sim, no text',
      'no data, no call, no service, no signal, slow, slow number, trouble text number, trouble call number, why not text, why not call, not receive text',
      'not receive call, data slow, text not arrive, text trouble send',
    ],
  },
  {
    operation: 'numbers_cancel',
    phrases: [
      'cancel, cancel number, cancel service, cancel sim, cancel contract, switchoff number, close number',
      'delete number, end service, stop service, wants cancelled, need cancelled, cancel number please',
    ],
  },
  {
    operation: 'numbers_reactivate',
    phrases: [
      'reactivate, reactivate number, undo cancel, undo cancelled, reactivate cancelled, revert cancel',
      'cancelled mistake, reactivate cancelled number, undo cancel number',
    ],
  },
  {
    operation: 'numbers_portin_cancel',
    phrases: [
      'cancel portin, stop portin, withdraw portin, withdraw order, cancel portin order number, abort portin, cancel order, stop order',
      'cancel portin order, abort order, cancel portin number, stop portin number',
    ],
  },
  {
    operation: 'numbers_portin_eligibility',
    given: { TargetClassification: 'Mobile' },
    phrases: [
      'eligible, portin eligible, can portin, can portin number, check portin, possible portin',
      'show eligible, can we portin number',
    ],
  },
  {
    operation: 'numbers_portin',
    guide: 'port_in',
    phrases: 'portin, portin number, start portin, want portin number, create portin',
  },
  {
    operation: 'numbers_portin_update',
    phrases: [
      'change portin, change order, change portin order, resubmit portin, portin rejected',
      'wrong account portin, change rejected portin, resubmit order, change wrong order, change order pin',
    ],
  },
  {
    operation: 'numbers_order_get',
    phrases: [
      'order, status order, status portin, show status order, show status portin, where portin, where order',
      'why rejected, why rejected portin, show order, how portin, how portin status, when portin',
      'portin yet, did portin',
    ],
  },
  {
    operation: 'numbers_portout',
    phrases:
      'portout, portout pin, pin leave, pin leave number, transfer pin number, transfer pin show number, portin pin, set portout pin, number portout, transfer pin',
  },
  {
    operation: 'numbers_provision',
    guide: 'new_line',
    makesNumber: true,
    phrases:
      'create number area, need number area, want number area, create number, need number, want number, create sim, need create number, assign create number',
  },
  {
    operation: 'numbers_availability',
    phrases: [
      'available number, available area, area code, number area, show available number',
      'available number area',
    ],
  },
  {
    operation: 'numbers_inventory_get',
    phrases: [
      'inventory, all number, show all number, number have, our number, show our number, number unassigned',
      'number inventory, show number inventory',
    ],
  },
  {
    operation: 'numbers_data_usage_info',
    phrases: [
      'data usage, how much data, show data usage, much data usage, data so far, how much data usage',
      'how many gb, gb usage, data usage number, data left, many data, much data, usage number, usage, number data usage',
    ],
  },
  {
    operation: 'numbers_data_usage_settings',
    phrases: 'data limit, show data limit, show limit, when throttled',
  },
  {
    operation: 'numbers_data_usage_set',
    phrases: [
      'raise data limit, change data limit, limit data, raise data, more data, extra data, raise limit',
      'throttle, change limit, create data limit, put limit data, data limit raise number',
      'limit data number',
    ],
  },
  {
    operation: 'message_outbound',
    phrases:
      'text saying show, text saying number show, send text, send, send text number, text number saying, text saying, let know text, send sim text',
  },
  {
    operation: 'message_search_get',
    phrases: [
      'show text, text history, received text, last text, text number receive, recent text, show last text',
      'read text, show text number',
    ],
  },
  {
    operation: 'subscribers_create',
    phrases: 'create subscriber, onboard subscriber, onboard, create subscriber account',
  },
  {
    operation: 'subscribers_update',
    phrases: 'change subscriber, change name, change subscriber name, change password, married name, change role',
  },
  {
    operation: 'distributor_subscribers_get',
    phrases: 'all subscriber, show subscriber, show all subscriber, our subscriber',
  },
  {
    operation: 'distributor_accounts_get',
    phrases: 'all account, show account, show all account, our account',
  },
  { operation: 'account_create', phrases: 'create account' },
  {
    operation: 'account_update',
    phrases: 'change account, change address, change billing address, change account address, moved house, address',
  },
  {
    operation: 'numbers_update',
    phrases: [
      'change number, assign, assign subscriber, assign number, move number, cnam, change cnam, give number',
      'reassign number, assign number subscriber, move number subscriber',
    ],
  },
  {
    operation: 'numbers_update',
    guide: 'swap_sim',
    phrases: [
      'swap sim, change sim, lost sim, sim lost number, swap sim number, create sim number lost',
      'create sim number, number create sim',
    ],
  },
  {
    operation: 'numbers_status',
    given: { StatusChange: 'park' },
    phrases: 'suspend, suspend number, suspend service, suspend number stolen',
  },
  {
    operation: 'numbers_status',
    phrases: 'stolen, stolen number, change status number, lost stolen, temporarily number',
  },
  {
    operation: 'subscribers_guardian_features_get',
    phrases: 'guardian, show guardian, guardian status, is guardian enable',
  },
  {
    operation: 'subscribers_guardian_features_set',
    phrases: [
      'enable guardian, disable guardian, guardian filter enable, enable guardian filter',
      'disable guardian filter, guardian off, guardian on',
    ],
  },
  {
    operation: 'subscribers_call_filter_get',
    phrases: [
      'call filter, show call filter, blocked call, show blocked call, show blocked number',
      'show allowed call, who blocked',
    ],
  },
  { operation: 'subscribers_call_filter_create', phrases: 'create call filter' },
  {
    operation: 'subscribers_call_filter_blocked_numbers_add',
    phrases: 'block call, block number, block, block number call, spam call, spam block call',
  },
  {
    operation: 'subscribers_call_filter_blocked_numbers_remove',
    phrases: 'unblock, unblock number, unblock call, unblock number call',
  },
  {
    operation: 'subscribers_call_filter_allowed_numbers_add',
    phrases: 'allow call, allow number, allow number call',
  },
  {
    operation: 'subscribers_message_filter_get',
    phrases: 'text filter, show text filter, blocked text, show blocked text',
  },
  {
    operation: 'subscribers_message_filter_blocked_contacts_add',
    phrases: 'block text, block text number, spam text, block spam text',
  },
  { operation: 'subscribers_message_filter_blocked_contacts_remove', phrases: 'unblock text, unblock text number' },
  {
    operation: 'numbers_watch',
    phrases: 'watch, watch number, watch data, tell when data, watch data usage, watch data number',
  },
  {
    operation: 'numbers_watch',
    phrases: 'stop watch, stop watch number, unwatch, end watch',
    given: { Stop: true },
  },
  {
    operation: 'numbers_watches',
    phrases:
      'what watch, watched number, show watched, show watch number, show watched number, watch list, which number watch',
  },
  {
    operation: 'account_packages_get',
    phrases: 'show package, which package, package have, all package, show all package',
  },
  { operation: 'account_products_get', phrases: 'show product, all product, show all product' },
  {
    operation: 'account_subscriptions_get',
    phrases: 'show subscription, all subscription, show all subscription',
  },
  {
    operation: 'subscriptions_create',
    phrases: [
      'create subscription, create package, give package, put package, subscribe',
      'subscribe package, subscribe number package, put number package, give number package',
    ],
  },
  {
    operation: 'subscriptions_delete',
    phrases: [
      'cancel subscription, end subscription, delete subscription, cancel package, unsubscribe',
      'delete package, delete package number',
    ],
  },
  {
    operation: 'subscriptions_update',
    phrases: 'change package, another package, move package, swap package, change subscription, package to package',
  },
  { operation: 'packages_create', phrases: 'define package, create package catalogue' },
  { operation: 'account_webhooks_get', phrases: 'show webhook, all webhook, webhook' },
  {
    operation: 'account_voice_routes_get',
    phrases: 'show route, call route, show call route, voice route, show voice route',
  },
  { operation: 'account_message_routes_get', phrases: 'text route, show text route' },
  { operation: 'account_workgroups_get', phrases: 'show workgroup, workgroup, all workgroup' },
];

/** Things that "cancel" may be about and that no operation cancels. */
export const notCancellable: readonly string[] = [
  'meeting',
  'appointment',
  'reminder',
  'ticket',
  'invoice',
  'confirmation',
  'question',
  'account',
  'everything',
];
