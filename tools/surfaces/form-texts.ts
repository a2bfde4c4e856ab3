/*
 * Texts above the fields of a form, for operations whose description is written for programs: it names members of
 * answers, other operations, or the handling of results. A form of any other operation shows the description.
 */

export const introductions: Readonly<Record<string, string>> = {
  account_create: 'Creates an account under this distributor. An account cannot be deleted here.',
  account_message_routes_get: "Lists an account's message routes with their addresses.",
  account_subscriptions_get: 'Lists all subscriptions: which number and subscriber has which package.',
  account_voice_routes_get: "Lists an account's voice routes with their types.",
  account_webhooks_get: "Lists an account's webhooks: their addresses and events, without passwords.",
  account_workgroups_get: 'Lists workgroups: name, type, whether active.',
  distributor_accounts_get: 'Lists every account of this distributor, with its addresses and number of subscribers.',
  events_since:
    'Shows what happened: order updates, inbound messages, delivery receipts, calls, data alerts, and who did what here. At most 30 days back; the last day if no time is given.',
  message_details_get: 'Shows one SMS or MMS: parties, text, cost and delivery status.',
  message_outbound:
    'Sends an SMS immediately, or an MMS if media is given, from one of our active numbers. Each message is billed and cannot be recalled.',
  message_routes_create:
    'Creates a destination for inbound SMS and MMS. A number needs one before it is bought, and many numbers can share one.',
  message_routes_update:
    'Changes a message route, at once for every number on it. Empty fields keep their values. With a wrong URL, inbound messages are lost.',
  numbers_availability:
    'Shows areas that have numbers to buy, in an area code or ZIP code, or everywhere. Reserves nothing.',
  numbers_cancel:
    'Cancels numbers. Their service ends at once when an approver confirms; a cancellation cannot be scheduled. Within 30 days it can be undone for 5 USD a number.',
  numbers_cancel_order_request:
    'The first stage of a cancellation: checks the numbers and asks for the consent statement. Cancels nothing. The second stage has to follow within 5 minutes.',
  numbers_cancel_order_submit:
    'The second stage of a cancellation: ends service at once for the numbers of a request that is at most 5 minutes old. Within 30 days it can be undone for 5 USD a number.',
  numbers_data_usage_set:
    'Says at how much data a number is warned, slowed down and stopped. “Notify at” must be below “Slow down at”, and that below “Data limit”. Empty fields keep their values. Tethering cannot be throttled separately.',
  numbers_diagnose:
    'Finds out why a number cannot text, call or use data, and shows the one step that would put it right. Changes nothing.',
  numbers_find:
    'Finds numbers by last digits, by the name of a subscriber, caller or account, or by criteria such as status, area code, day of purchase and data used. “Count by” counts them instead.',
  numbers_get:
    'Shows the configuration and state of one number: routes, subscriber, SIM, status. Give a number or a SIM serial.',
  numbers_inventory_get: "Lists the distributor's numbers with status, routes, subscriber and SIM, a page at a time.",
  numbers_lookup:
    'Shows everything worth knowing about one number: what is wrong first, then state, subscriber, SIM, routes and data usage. “Full” adds package, route names, data limits and call filters.',
  numbers_order_get: 'Shows the state of an order, and what the carrier objected to if it was refused.',
  numbers_portin:
    'Orders the transfer of a number from another carrier, usually within 1 to 5 business days. All details must match the records of that carrier. A landline needs a port-in date.',
  numbers_portin_cancel:
    'Cancels a port-in order for good. The number stays at its carrier. Porting it later needs a new check and a new order. A completed order cannot be cancelled.',
  numbers_portin_eligibility:
    'Checks whether a number can be ported in and which carrier has it now. Starts nothing and costs nothing.',
  numbers_portin_update:
    'Corrects a port-in order. A rejected order is submitted again. Empty fields keep their values. An order that is completed or cancelled cannot be corrected.',
  numbers_provision:
    'Buys a new number in an area code or ZIP code and assigns its routes. Billed at once, not refunded. A number without a subscriber can be given one later.',
  numbers_reactivate:
    'Restores a cancelled number on its SIM, within 30 days of its cancellation. Costs 5 USD, billed when the carrier accepts and not refunded.',
  numbers_status:
    'Parks or activates numbers on a date, swaps their SIM (give the serial of the new one), or swaps or replaces the phone number itself. A parked number is expected to have no service until it is activated. A swapped or replaced number is expected to be lost: the platform’s documents do not say more about these two. Nothing is cancelled here.',
  numbers_watch:
    'Checks a number’s data usage and state every 15 minutes, and tells you here when it crosses a threshold or changes state.',
  oauth2_tokens:
    'Checks that the platform accepts our credentials for one endpoint, and shows when the token expires. The token itself is never shown.',
  packages_create: 'Creates a bundle of products at a price. Nothing is billed until a number is subscribed to it.',
  packages_get: 'Shows one package: name, type, price, whether it is billed monthly.',
  packages_items_add: 'Puts a product into a package. Everyone subscribed to the package gains it.',
  products_create:
    'Adds a product to the catalogue. Nothing is billed until a number is subscribed to a package that contains it.',
  products_get: 'Shows one product: stock code, type, cost, billing.',
  subscribers_call_filter_allowed_numbers_add:
    'Adds numbers to the allow list of a call filter. The list decides who gets through where only allowed numbers do.',
  subscribers_call_filter_allowed_numbers_get: 'Shows the allow list of a call filter.',
  subscribers_call_filter_allowed_numbers_remove:
    'Takes numbers off the allow list of a call filter. It does not block them.',
  subscribers_call_filter_blocked_numbers_add: 'Blocks callers on a call filter: their calls are dropped silently.',
  subscribers_call_filter_blocked_numbers_remove:
    'Takes numbers off the block list of a call filter. They ring through again unless another rule stops them.',
  subscribers_call_filter_get:
    'Lists call filters with their lists, of a subscriber or a number; all of them without either.',
  subscribers_create:
    'Creates a person who holds numbers, or a manager, in an account. The e-mail address must be unused on the whole platform.',
  subscribers_get: 'Shows one subscriber: name, e-mail, role, numbers, account.',
  subscribers_message_filter_allowed_contacts_add:
    'Adds contacts whose messages skip every check of a message filter: keywords, links, media.',
  subscribers_message_filter_blocked_contacts_add:
    'Blocks contacts on a message filter: their messages are dropped and the sender is not told.',
  subscribers_message_filter_create:
    'Filters a subscriber’s messages on one number, at once. Without a direction it filters nothing. Guardian filtering of messages must be on.',
  subscribers_message_filter_delete:
    'Permanently deletes a message filter with its lists and keyword rules: messages are no longer filtered. It can be paused instead: change its mode to “Inactive”.',
  subscribers_message_filter_get: 'Lists the message filters of a subscriber or a number.',
  subscriptions_create:
    'Subscribes a number to a package; its recurring charges start. A number has one subscription. The type must match the kind of number.',
  subscriptions_features_assignments_add:
    'Turns an existing feature on for one subscription; the feature’s charges start. The platform has no list of features, so give the id that was shown when the feature was created.',
  subscriptions_features_assignments_delete: 'One subscription loses a feature at once; the feature stays.',
  subscriptions_features_assignments_get: 'Lists the subscriptions that have a feature.',
  subscriptions_features_get: 'Shows one feature, an add-on such as roaming: name, type, whether it is active.',
  subscriptions_get: 'Shows one subscription: subscriber, number, SIM, package.',
  voice_routes_create:
    'Creates inbound call handling that many numbers can share: a SIP trunk (give the IP or the URI of trunk 1, and trunk 2 for failover), a webhook URL or a PSTN forward.',
  voice_routes_get: 'Shows the full settings of one voice route.',
  webhook_create:
    'Makes the platform call an HTTPS address for each subscribed event, until the webhook is deleted. Without an account it covers all accounts (assumed, not documented).',
  webhook_delete: 'Permanently deletes a webhook: all its deliveries stop at once, and later events are not delivered.',
  webhook_get: 'Shows one webhook, without its password.',
  workgroups_get: 'Shows one workgroup, which is a ring group or a menu.',
};

/** Fields that serve programs. A form shows one only if it was given a value. */
export const programFields: Readonly<Record<string, readonly string[]>> = {
  numbers_find: ['Page'],
  numbers_get: ['Number'],
  numbers_inventory_get: ['Fields'],
  numbers_lookup: ['PhoneNumbers'],
};
