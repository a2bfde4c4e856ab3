/*
 * Questions about what a change does, costs and takes: "what does a SIM swap cost", "how long does a port take", "what is
 * parking". The answer is the text that a person reads before the change is confirmed, so that both say the same.
 */

/** A change that people ask about. */
export interface Rule {
  operation: string;
  /** The act in words: "Park a number". */
  title: string;
  /** Acts and things of `words.ts`, separated by spaces. A sentence about it has one of them. */
  means: string;
  /** A sentence about it has one of these too. */
  also?: string;
  /** Input that makes the operation this change. */
  given?: Readonly<Record<string, unknown>>;
  /** What it does, in place of the text before a confirmation, which names ids. */
  does?: string;
  /** The price, in place of that of the confirmation. */
  cost?: string;
  /** Told besides. */
  more?: string;
}

/** The first one that fits a sentence is meant. */
export const rules: readonly Rule[] = [
  { operation: 'numbers_portout', title: 'Set a port-out PIN', means: 'portout leavepin' },
  {
    operation: 'numbers_portin_cancel',
    title: 'Cancel a port-in order',
    means: 'cancel stop',
    also: 'portin order',
  },
  { operation: 'numbers_portin', title: 'Port a number in', means: 'portin order' },
  {
    operation: 'numbers_reactivate',
    title: 'Reactivate a cancelled number',
    means: 'reactivate',
    more: 'It is possible within 30 days of the cancellation. After that the number is released and cannot be restored.',
  },
  {
    operation: 'subscriptions_delete',
    title: 'End a subscription',
    means: 'cancel stop unsubscribe',
    also: 'subscription package',
  },
  { operation: 'numbers_cancel', title: 'Cancel numbers', means: 'cancel' },
  {
    operation: 'numbers_status',
    title: 'Swap a SIM',
    means: 'sim',
    given: { StatusChange: 'swap-sim', PhoneNumbers: [{ Number: '+12015550101', ICCID: '8901240397190195850' }] },
    more: 'How many swaps a line has left stands on its card.',
  },
  {
    operation: 'numbers_status',
    title: 'Swap a number for another one',
    means: 'swap',
    given: { StatusChange: 'swap' },
  },
  { operation: 'numbers_status', title: 'Park a number', means: 'park', given: { StatusChange: 'park' } },
  {
    operation: 'numbers_status',
    title: 'Activate a parked number',
    means: 'activate',
    given: { StatusChange: 'activate' },
  },
  {
    operation: 'subscriptions_features_assignments_add',
    title: 'Assign a feature',
    means: 'feature',
    does: 'The feature is turned on for the subscription, and its charges start.',
    cost: 'the charges of the feature',
  },
  {
    operation: 'subscriptions_create',
    title: 'Subscribe a number to a package',
    means: 'subscribe enroll subscription',
    does: 'The charges of the package, one-time and recurring, start for the subscriber.',
    cost: 'the charges of the package',
    more: '“Show packages” lists their prices.',
  },
  { operation: 'numbers_provision', title: 'Buy a new number', means: 'newnumber', does: 'It is bought at once.' },
  {
    operation: 'message_outbound',
    title: 'Send a message',
    means: 'text',
    does: 'It is sent at once.',
    cost: 'each message is billed, at a rate that is not documented',
    more: 'The price of each message that was sent stands beside it in the list of messages of its number.',
  },
  {
    operation: 'numbers_data_usage_set',
    title: 'Set data limits',
    means: 'limit throttle raise',
    does: 'Takes effect at once: the platform notifies, slows or stops data at the values that are set.',
  },
  {
    operation: 'subscribers_call_filter_blocked_numbers_add',
    title: 'Block callers',
    means: 'block',
  },
  { operation: 'numbers_provision', title: 'Buy a new number', means: 'number', does: 'It is bought at once.' },
];

/** How a change is asked for in a conversation, by its operation. `numbers_status` has one for each change of status. */
export const written: Readonly<Record<string, string>> = {
  'numbers_status park': 'park 0103',
  'numbers_status activate': 'activate 0103',
  'numbers_status swap-sim': 'swap the SIM of 0103',
  numbers_status: 'park 0103',
  numbers_cancel: 'cancel 0103',
  numbers_reactivate: 'reactivate 0107',
  numbers_provision: 'new line for Ava in 201',
  numbers_portin: 'port in 3125550111',
  numbers_portin_cancel: 'cancel the port of 3125550111',
  numbers_portin_update: 'the account number of the port of 3125550111 is 46519999',
  numbers_portout: 'set the port-out PIN of 0103',
  numbers_data_usage_set: 'set the limit of 0103 to 2 GB',
  numbers_watch: 'watch 0103',
  message_outbound: 'text 0103 "your SIM is ready"',
  subscribers_create: 'add a subscriber, Carla Gomez, carla@acme.example',
  subscribers_call_filter_blocked_numbers_add: 'block 3125550177 for Ava',
  subscribers_call_filter_blocked_numbers_remove: 'unblock 3125550177 for Ava',
  subscribers_message_filter_blocked_contacts_add: 'block texts from 3125550177 for Ava',
  subscribers_message_filter_blocked_contacts_remove: 'unblock texts from 3125550177 for Ava',
  subscribers_call_filter_allowed_numbers_add: 'allow 3125550177 for Ava',
  subscriptions_create: 'subscribe 0103 to the Starter package',
  subscriptions_update: 'change the package of 0103 to Starter',
  'numbers_update swap_sim': 'swap the SIM of 0103',
  'numbers_update cnam': 'set the caller name of 0103 to Acme Billing',
  numbers_update: 'give 0103 to Ben Reed',
};
