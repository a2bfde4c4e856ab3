/* Values of the platform that people know by other words. Cards and forms have the words, errors both. */

type Words = Readonly<Record<string, string>>;

/** The kinds of lines in the words of cards. */
export const KIND_WORDS: Words = {
  mvno: 'mobile',
  voip: 'internet phone',
  iot: 'data SIM',
};

/** Changes of a number's status. The platform does not document swap versus replace. */
const STATUS_CHANGES: Words = {
  park: 'park',
  activate: 'activate',
  swap: 'another phone number',
  'swap-sim': 'a new SIM',
  replace: 'a replacement phone number',
};

const PRODUCTS = {
  'sms+data+voice': 'texts, data and calls',
  'sms+data': 'texts and data',
  'sms-only': 'texts only',
  'data-only': 'data only',
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
  ProductType: PRODUCTS,
  Product: PRODUCTS,
  MessageType: { a2p: 'from a business', p2p: 'between people' },
  OrderType: { portin: 'port-in', portout: 'port-out', provision: 'new numbers' },
  StatusChange: STATUS_CHANGES,
  ChangeType: STATUS_CHANGES,
} as const satisfies Readonly<Record<string, Words>>;

/** The values of a field, each with its words: "park, a new SIM (swap-sim)". */
export function choicesText(values: readonly string[], words: Words = {}): string {
  return values
    .map((value) => {
      const own = words[value.toLowerCase()];
      return own === undefined || own === value ? value : `${own} (${value})`;
    })
    .join(', ');
}
