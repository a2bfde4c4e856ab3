/* Values of the platform that people know by other words. Cards, forms and errors have both. */

type Words = Readonly<Record<string, string>>;

/** The kinds of lines in the words of cards. */
export const KIND_WORDS: Words = {
  mvno: 'mobile',
  voip: 'internet phone',
  iot: 'data SIM',
};

/** Changes of a number's status. The platform does not document swap versus replace. */
const STATUS_CHANGES: Words = {
  park: 'pause the service',
  activate: 'resume the service',
  swap: 'another phone number',
  'swap-sim': 'a new SIM',
  replace: 'a new phone number',
};

/** By the name of the field, then by the value in lower case. */
export const CHOICE_WORDS = {
  FilterMode: {
    blacklist: 'block list',
    whitelist: 'allow list',
    active: 'only its rules',
    monitor_only: 'only reports',
    inactive: 'paused',
  },
  ProductType: {
    'sms+data+voice': 'texts, data and calls',
    'sms+data': 'texts and data',
    'sms-only': 'texts only',
    'data-only': 'data only',
  },
  MessageType: { a2p: 'from a business', p2p: 'between people' },
  StatusChange: STATUS_CHANGES,
  ChangeType: STATUS_CHANGES,
} as const satisfies Readonly<Record<string, Words>>;

/** The values of a field, each with its words: "pause the service (park), resume the service (activate)". */
export function choicesText(values: readonly string[], words: Words = {}): string {
  return values
    .map((value) => {
      const own = words[value.toLowerCase()];
      return own === undefined ? value : `${own} (${value})`;
    })
    .join(', ');
}
