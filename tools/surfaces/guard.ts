import { type Fields, isRecord } from '../../src/lib/json.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';

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
  /** True if its keyword rules need no other setting. */
  keywords: boolean;
  /** Modes with their words, strictest first. */
  levels: readonly (readonly [string, string])[];
  /** Flags with their labels, and what they block. */
  rules: readonly (readonly [flag: string, label: string, words: string])[];
}

export const TRAFFIC: readonly Traffic[] = [
  {
    name: 'messages',
    title: 'Messages',
    noun: 'message filter',
    list: 'subscribers_message_filter_get',
    create: 'subscribers_message_filter_create',
    update: 'subscribers_message_filter_update',
    feature: 'EnableIntelligentGuardianMessages',
    allowed: 'AllowedContacts',
    blocked: 'BlockedContacts',
    keywords: true,
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
  },
  {
    name: 'calls',
    title: 'Calls',
    noun: 'call filter',
    list: 'subscribers_call_filter_get',
    create: 'subscribers_call_filter_create',
    update: 'subscribers_call_filter_update',
    feature: 'EnableIntelligentGuardianCalls',
    allowed: 'AllowedNumbers',
    blocked: 'BlockedNumbers',
    keywords: false,
    levels: [
      ['WHITELIST', 'Only the allowed numbers get through'],
      ['BLACKLIST', 'Everyone but the blocked numbers gets through'],
    ],
    rules: [
      ['BlockUnknownNumbers', 'Block calls from unknown numbers', 'calls from unknown numbers'],
      ['BlockInternational', 'Block international calls', 'international calls'],
    ],
  },
];

/** The mode in which a filter blocks the entries of its list alone. */
export const BLOCKS_LISTED: Readonly<Record<Traffic['name'], string>> = { calls: 'BLACKLIST', messages: 'ACTIVE' };

/** The protection of one kind of traffic. */
export interface Protection {
  /** The mode; empty without a filter. */
  level: string;
  /** Flags that are on. */
  rules: readonly string[];
  inbound: boolean;
  outbound: boolean;
  allowed: readonly string[];
  blocked: readonly string[];
  /** Keyword rules as JSON; empty for none. */
  keywords: string;
}

/** The settings of one number. */
export interface Guarded {
  /** The flags that switch guardian filtering on; undefined if they could not be read. */
  features: Fields | undefined;
  /** Every filter on this number, by traffic. */
  all: Readonly<Record<Traffic['name'], readonly Fields[]>>;
}

/** The protection that a filter's record describes. */
export function protectionOf(traffic: Traffic, filter: Fields | undefined): Protection {
  const keywords = filter?.KeywordFilter;
  return {
    level: String(filter?.FilterMode ?? ''),
    rules: traffic.rules.flatMap(([flag]) => (isOn(filter?.[flag]) ? [flag] : [])),
    inbound: filter === undefined || isOn(filter.ApplyToInbound),
    outbound: filter === undefined || isOn(filter.ApplyToOutbound),
    allowed: textsOf(filter?.[traffic.allowed]),
    blocked: textsOf(filter?.[traffic.blocked]),
    keywords: typeof keywords === 'string' && keywords !== '' ? wrapped(keywords) : '',
  };
}

/** A protection in one or two sentences, without the name of its traffic. */
export function protectionWords(traffic: Traffic, protection: Protection): string {
  const { level, rules, inbound, outbound, allowed, blocked } = protection;
  if (level === '') return 'not filtered';
  if (level === 'INACTIVE') return 'paused, nothing is filtered';
  const words = traffic.levels.find(([mode]) => mode === level)?.[1] ?? level;
  const direction =
    inbound && outbound
      ? 'in both directions'
      : inbound
        ? 'incoming only'
        : outbound
          ? 'outgoing only'
          : 'in no direction, so nothing is filtered';
  const banned = traffic.rules.flatMap(([flag, , what]) => (rules.includes(flag) ? [what] : []));
  const keywords = keywordsOf(protection.keywords);
  return [
    `${words}, ${direction}.`,
    ...(banned.length === 0 ? [] : [`Blocked are ${listed(banned)}.`]),
    ...(keywords.length === 0 ? [] : [`Keywords: ${keywords.join(', ')}.`]),
    ...(allowed.length === 0 ? [] : [`Allowed always: ${allowed.join(', ')}.`]),
    ...(blocked.length === 0 ? [] : [`Blocked numbers: ${blocked.join(', ')}.`]),
  ].join(' ');
}

function listed(parts: readonly string[]): string {
  const [last = '', ...others] = [...parts].reverse();
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
}

function keywordsOf(json: string): string[] {
  const rules = parsed(json);
  return isRecord(rules) ? textsOf(rules.CustomKeywords) : [];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Adds the outer braces to keyword rules, because the interface's examples return them without. */
function wrapped(json: string): string {
  return /^\s*\{/.test(json) ? json : `{${json}}`;
}

function isOn(value: unknown): boolean {
  return readFlag(value) === true;
}

function textsOf(value: unknown): string[] {
  return readTexts(value) ?? [];
}
