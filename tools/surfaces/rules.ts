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
