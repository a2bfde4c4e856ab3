import type { Fields } from '../../src/lib/values.ts';
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

/** One kind of traffic that a filter covers. */
export interface Traffic {
  name: 'messages' | 'calls';
  title: string;
  noun: string;
  list: string;
  create: string;
  update: string;
  /** The flag of guardian filtering, without which the filter has no effect. */
  feature: string;
  allowed: string;
  blocked: string;
  /** Modes with their words, strictest first. */
  levels: readonly (readonly [string, string])[];
  /** Flags with their labels, and what they block. */
  rules: readonly (readonly [flag: string, label: string, words: string])[];
}

export const MESSAGES: Traffic = {
  name: 'messages',
  title: 'Messages',
  noun: 'message filter',
  list: 'subscribers_message_filter_get',
  create: 'subscribers_message_filter_create',
  update: 'subscribers_message_filter_update',
  feature: 'EnableIntelligentGuardianMessages',
  allowed: 'AllowedContacts',
  blocked: 'BlockedContacts',
  levels: [
    ['CHILD', 'Child: the strictest level'],
    ['ADOLESCENT', 'Adolescent: a moderate level'],
    ['TEENAGER', 'Teenager: the lightest level'],
    ['ACTIVE', 'No level: only the rules below block'],
    ['MONITOR_ONLY', 'Deliver everything, only report'],
    ['INACTIVE', 'Paused: nothing is filtered'],
  ],
  rules: [
    ['BlockUnknownNumbers', 'Block messages from unknown numbers', 'messages from unknown numbers'],
    ['BlockLinks', 'Block links', 'links'],
    ['BlockMedia', 'Block pictures and videos', 'pictures and videos'],
  ],
};

export const CALLS: Traffic = {
  name: 'calls',
  title: 'Calls',
  noun: 'call filter',
  list: 'subscribers_call_filter_get',
  create: 'subscribers_call_filter_create',
  update: 'subscribers_call_filter_update',
  feature: 'EnableIntelligentGuardianCalls',
  allowed: 'AllowedNumbers',
  blocked: 'BlockedNumbers',
  levels: [
    ['WHITELIST', 'Only the allowed numbers get through'],
    ['BLACKLIST', 'Everyone but the blocked numbers gets through'],
  ],
  rules: [
    ['BlockUnknownNumbers', 'Block calls from unknown numbers', 'calls from unknown numbers'],
    ['BlockInternational', 'Block international calls', 'international calls'],
  ],
};

export const TRAFFIC: readonly Traffic[] = [MESSAGES, CALLS];

/** The protection that a filter's record describes, in one or two sentences without the name of its traffic. */
export function protectionWords(traffic: Traffic, filter: Fields): string {
  const level = String(filter.FilterMode ?? '');
  if (level === 'INACTIVE') return 'paused, nothing is filtered';
  const isOn = (name: string) => readFlag(filter[name]) === true;
  const [inbound, outbound] = [isOn('ApplyToInbound'), isOn('ApplyToOutbound')];
  const direction = inbound && outbound ? 'in both directions' : inbound ? 'incoming only' : 'outgoing only';
  const covered = inbound || outbound ? direction : 'in no direction, so nothing is filtered';
  const banned = traffic.rules.flatMap(([flag, , what]) => (isOn(flag) ? [what] : []));
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
