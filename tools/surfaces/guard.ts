import { capital, type Fields } from '../../src/lib/values.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';
import { flaggedWords } from '../shared/keywords.ts';

/* Guardian filters of one number: the settings that are read, the operations that change them, and their words. */

/** The group and the words of the command. */
export const GUARD = { group: 'subscribers', words: 'guard', title: 'Guard a number' } as const;

/** The reads of what is set for a number. */
export const GUARD_READS = {
  number: 'numbers_get',
  subscriber: 'subscribers_get',
  features: 'subscribers_guardian_features_get',
} as const;

/** The operation that turns filtering on. */
export const FEATURES_SET = 'subscribers_guardian_features_set';

/** The names of a kind of filter, which all follow from that of its traffic. */
function namesOf(word: 'message' | 'call', entries: 'Contacts' | 'Numbers') {
  const [one, operations] = [capital(word), `subscribers_${word}_filter`];
  return {
    title: `${one}s`,
    noun: `${word} filter`,
    /** The field of a filter's id where it is not FilterId. */
    id: `${one}FilterId`,
    /** The beginning of the ids of its operations, and of the paths of its endpoints. */
    operations,
    path: `/v1.0/subscribers/${word}-filter`,
    list: `${operations}_get`,
    create: `${operations}_create`,
    update: `${operations}_update`,
    /** The flag of guardian filtering, without which the filter has no effect. */
    feature: `EnableIntelligentGuardian${one}s`,
    /** The field of the entries of a list, and the members with the lists. */
    entries,
    allowed: `Allowed${entries}`,
    blocked: `Blocked${entries}`,
  };
}

/** One kind of traffic that a filter covers. */
export interface Traffic extends ReturnType<typeof namesOf> {
  name: 'messages' | 'calls';
  /** The prefix of a filter's id. */
  prefix: string;
  /** Directions and protections. Switching one on is ordinary. */
  flags: readonly string[];
  /** Members that reach or record people, or that may stop everybody. An approver confirms them with any value. */
  reaching: readonly string[];
  /** Modes with their words, strictest first. */
  levels: readonly (readonly [string, string])[];
  /** Flags, and what they block. */
  rules: readonly (readonly [flag: string, words: string])[];
}

export const MESSAGE_FILTER: Traffic = {
  ...namesOf('message', 'Contacts'),
  name: 'messages',
  prefix: 'MFID',
  flags: ['ApplyToInbound', 'ApplyToOutbound', 'BlockLinks', 'BlockMedia'],
  reaching: ['BlockUnknownNumbers', 'NotificationPhones', 'KeywordFilter'],
  levels: [
    ['CHILD', 'Child: the strictest level'],
    ['ADOLESCENT', 'Adolescent: a moderate level'],
    ['TEENAGER', 'Teenager: the lightest level'],
    ['ACTIVE', 'No level: only the rules below block'],
    ['MONITOR_ONLY', 'Deliver everything, only report'],
    ['INACTIVE', 'Paused: nothing is filtered'],
  ],
  rules: [
    ['BlockUnknownNumbers', 'messages from unknown numbers'],
    ['BlockLinks', 'links'],
    ['BlockMedia', 'pictures and videos'],
  ],
};

export const CALL_FILTER: Traffic = {
  ...namesOf('call', 'Numbers'),
  name: 'calls',
  prefix: 'CFID',
  flags: ['ApplyToInbound', 'ApplyToOutbound', 'BlockInternational'],
  reaching: [
    'BlockUnknownNumbers',
    'NotificationPhones',
    'EnableTranscription',
    'RecordFlaggedCalls',
    'TranscriptionAction',
    'WarningMessage',
    'KeywordFilter',
  ],
  levels: [
    ['WHITELIST', 'Only the allowed numbers get through'],
    ['BLACKLIST', 'Everyone but the blocked numbers gets through'],
  ],
  rules: [
    ['BlockUnknownNumbers', 'calls from unknown numbers'],
    ['BlockInternational', 'international calls'],
  ],
};

export const TRAFFIC: readonly Traffic[] = [MESSAGE_FILTER, CALL_FILTER];

/** The protection that a filter's record describes, in one or two sentences without the name of its traffic. */
export function protectionWords(traffic: Traffic, filter: Fields): string {
  const level = String(filter.FilterMode ?? '');
  if (level === 'INACTIVE') return 'paused, nothing is filtered';
  const isOn = (name: string) => readFlag(filter[name]) === true;
  const [inbound, outbound] = [isOn('ApplyToInbound'), isOn('ApplyToOutbound')];
  const direction = inbound && outbound ? 'in both directions' : inbound ? 'incoming only' : 'outgoing only';
  const covered = inbound || outbound ? direction : 'in no direction, so nothing is filtered';
  const banned = traffic.rules.flatMap(([flag, what]) => (isOn(flag) ? [what] : []));
  const keywords = typeof filter.KeywordFilter === 'string' ? flaggedWords(filter.KeywordFilter) : undefined;
  const [allowed, blocked] = [readTexts(filter[traffic.allowed]) ?? [], readTexts(filter[traffic.blocked]) ?? []];
  return [
    `${traffic.levels.find(([mode]) => mode === level)?.[1] ?? level}, ${covered}.`,
    ...(banned.length === 0 ? [] : [`Blocked are ${banned.join(', ')}.`]),
    ...(keywords === undefined || filter.KeywordFilter === '' ? [] : [`Flagged: ${keywords}.`]),
    ...(allowed.length === 0 ? [] : [`Allowed always: ${allowed.join(', ')}.`]),
    ...(blocked.length === 0 ? [] : [`Blocked numbers: ${blocked.join(', ')}.`]),
  ].join(' ');
}
