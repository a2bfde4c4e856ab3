type Row = ['message' | 'call', Record<string, unknown>, Record<string, unknown>];

const PHONE = '+12015550199';
const OTHER = '+12015550198';

/** A mode that is not known counts as the strictest, so every other mode is weaker. */
export const MODES: readonly Row[] = [
  ...['STRICT', '', null, 7].flatMap((FilterMode): Row[] => [
    ['message', { FilterMode }, { FilterMode: 'INACTIVE' }],
    ['message', { FilterMode }, { FilterMode: 'CHILD' }],
  ]),
  ['call', { FilterMode: 'NOBODY' }, { FilterMode: 'BLACKLIST' }],
  ['call', { FilterMode: 'BLACKLIST', AllowedNumbers: [] }, { FilterMode: 'WHITELIST' }],
  ['call', { FilterMode: 'BLACKLIST', AllowedNumbers: '' }, { FilterMode: 'WHITELIST' }],
  ['call', { FilterMode: 'BLACKLIST' }, { FilterMode: 'WHITELIST', AllowedNumbers: [] }],
];

/** Protections that are on, however they are written, or that cannot be read. */
export const FLAGS: readonly Row[] = [
  ...[1, 'Y', ' TRUE ', 'enabled', {}, null].map(
    (BlockLinks): Row => ['message', { FilterMode: 'CHILD', BlockLinks }, { BlockLinks: false }],
  ),
  ['message', { FilterMode: 'CHILD', ApplyToInbound: 'perhaps' }, { BlockMedia: true }],
  ['call', { FilterMode: 'BLACKLIST', BlockInternational: 1 }, { BlockInternational: false }],
  ['call', { FilterMode: 'BLACKLIST', EnableTranscription: 'Y' }, { EnableTranscription: false }],
  ['call', { FilterMode: 'BLACKLIST', TranscriptionAction: 'HANG_UP' }, { TranscriptionAction: 'TERMINATE' }],
];

/** Lists given as a text, as rows, or in a form that cannot be read. */
export const LISTS: readonly Row[] = [
  ...[
    `${PHONE},${OTHER}`,
    `${PHONE}; ${OTHER}`,
    JSON.stringify([PHONE, OTHER]),
    [{ Number: PHONE }, { Number: OTHER }],
    7,
  ].map((BlockedContacts): Row => ['message', { FilterMode: 'CHILD', BlockedContacts }, { BlockedContacts: [PHONE] }]),
  ['message', { FilterMode: 'CHILD', BlockedContacts: { PHONE } }, { BlockLinks: true }],
  ['call', { FilterMode: 'WHITELIST', AllowedNumbers: `${PHONE}, ${OTHER}` }, { AllowedNumbers: [OTHER] }],
  ['call', { FilterMode: 'BLACKLIST', NotificationPhones: PHONE }, { NotificationPhones: [] }],
];

const rules = (severity: string) => JSON.stringify({ CustomKeywords: ['bad'], SeverityMap: { bad: severity } });

/** Rules and numbers, also where they are written otherwise. */
export const WEAKER: readonly Row[] = [
  ['message', { FilterMode: 'CHILD', KeywordFilter: rules('HIGH') }, { KeywordFilter: rules('LOW') }],
  ['call', { FilterMode: 'BLACKLIST', TranscriptionAction: 'TERMINATE' }, { TranscriptionAction: 'NOTIFY' }],
  ['message', { FilterMode: 'CHILD', KeywordFilter: { CustomKeywords: ['bad'] } }, { KeywordFilter: '{}' }],
  ['message', { FilterMode: 'CHILD', KeywordFilter: ['bad'] }, { KeywordFilter: '{}' }],
  ['message', { FilterMode: 'CHILD', KeywordFilter: ['bad'] }, { BlockLinks: true }],
  ['message', { FilterMode: 'CHILD', Phone: undefined }, { Phone: '+12015550103' }],
];
