import {
  against,
  type Circumstances,
  type Harm,
  type Harmless,
  harmless,
  label,
  type MemberRules,
  target,
  unchanged,
  when,
} from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { missingFrom } from '../../src/lib/lists.ts';
import { readFlag, readTexts } from '../../src/platform/dialect/readings.ts';
import { text } from './before.ts';
import { type FilterKind, isEmpty, settingOf } from './filters.ts';
import { extendsRules, lostWords, parsed, rulesIn } from './keywords.ts';

/* A change of a filter needs a person if it takes protection away (PLATFORM.md, Guardian filtering). */

/** Reactions to a flagged word, from the weakest to the strictest. */
const REACTIONS = ['NOTIFY', 'WARNING', 'TERMINATE'];

/** Members that an update omits and that cannot be filled in from the record, because they cannot be read. */
function unreadable(kind: FilterKind, filter: Fields, input: Fields): string[] {
  return kind.settings.filter((name) => {
    if (input[name] !== undefined) return false;
    if (name === 'KeywordFilter') return hidesKeywords(kind, filter);
    return !isEmpty(filter[name]) && settingOf(name, filter, kind) === undefined;
  });
}

/**
 * True if a filter may have keyword rules that cannot be read. The interface does not show the member in lists of call
 * filters, and keywords have an effect only with transcription.
 */
function hidesKeywords(kind: FilterKind, filter: Fields): boolean {
  const now = filter.KeywordFilter;
  if (now !== undefined) return !isEmpty(now) && rulesIn(now) === undefined;
  const transcribes = filter.EnableTranscription;
  return kind.flags.EnableTranscription === undefined || (!isEmpty(transcribes) && readFlag(transcribes) !== false);
}

/**
 * The rules of an update's members. A stricter filter is harmless. Values of the record that cannot be read count as
 * the strictest.
 */
export function filterRules(kind: FilterKind): MemberRules {
  const keepsAll = against(
    'it keeps every number',
    (value, record, member) => gone(value, record[member])?.length === 0,
  );
  const what = {
    weaker: 'a filter made weaker',
    off: 'a direction or protection switched off',
    list: 'numbers taken off a list',
  };
  const list = (words: string): Harm<unknown> => ({
    what: what.list,
    reason: (value, { member, record }) => {
      const lost = gone(value, record?.[member]);
      return lost === undefined ? `${member} is replaced; the present list could not be read.` : named(lost, words);
    },
  });
  const flags = Object.entries(kind.flags);
  const own = <T>(rules: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(rules).filter(([name]) => name === 'FilterId' || kind.settings.includes(name)));
  return {
    harmless: own({
      FilterId: when('what the update leaves out can be read', (_value, { input, record }) => {
        return record !== undefined && unreadable(kind, record, input).length === 0;
      }),
      SubscriberId: target,
      Phone: unchanged,
      FilterMode: when('it is as strict as now or stricter', (value, at) => isAsStrict(kind, value, at)),
      ...Object.fromEntries(flags.map(([name]) => [name, staysOn])),
      [kind.allowed]: keepsAll,
      [kind.blocked]: keepsAll,
      NotificationPhones: keepsAll,
      KeywordFilter: against('it extends the present rules', (value, record) => extendsKeywords(kind, value, record)),
      TranscriptionAction: against('it is as strict as now or stricter', (value, record) => {
        return strictness(REACTIONS, value) >= strictness(REACTIONS, record.TranscriptionAction);
      }),
      WarningMessage: label,
    }),
    raised: own<Harm<never>>({
      FilterId: {
        what: what.weaker,
        reason: (_value: unknown, { input, record }: Circumstances) => lostByReplacing(kind, input, record),
      },
      Phone: {
        what: 'another number',
        reason: (phone: unknown, { record }: Circumstances) =>
          `The filter moves to ${String(phone)}: the ${kind.traffic} of ${text(record?.Phone) ?? 'its present number'} are no longer filtered.`,
      },
      FilterMode: {
        what: what.weaker,
        reason: (mode: unknown, { input, record }: Circumstances) => modeWords(kind, mode, record?.FilterMode, input),
      },
      ...Object.fromEntries(flags.map(([name, reason]) => [name, { what: what.off, reason }])),
      [kind.allowed]: list('no longer on the allow list'),
      [kind.blocked]: list('no longer blocked'),
      NotificationPhones: list('no longer notified'),
      KeywordFilter: {
        what: what.weaker,
        reason: (rules: unknown, { record }: Circumstances) => keywordWords(rules, record?.KeywordFilter),
      },
      TranscriptionAction: {
        what: what.weaker,
        reason: (action: unknown, { record }: Circumstances) =>
          `A flagged word leads to ${String(action)} instead of ${text(record?.TranscriptionAction) ?? 'what is set now'}.`,
      },
    }),
  };
}

const staysOn = when(
  'it is true, or false already',
  (value, { record, member }) => value === true || (record !== undefined && readFlag(record[member]) === false),
);

function lostByReplacing(kind: FilterKind, input: Fields, record: Fields | undefined): string {
  if (record === undefined)
    return `The ${kind.noun} could not be read, so protection that this change does not name may be lost.`;
  const names = unreadable(kind, record, input);
  const others = names.filter((name) => name !== 'KeywordFilter');
  return [
    ...(names.length > others.length
      ? ['Its keyword rules cannot be read. They may be lost unless KeywordFilter is given again.']
      : []),
    ...(others.length > 0
      ? [`These settings cannot be read and may be lost unless given again: ${others.join(', ')}.`]
      : []),
  ].join(' ');
}

/**
 * Position in a list from the weakest to the strictest. An empty value is the weakest, an unknown one the strictest.
 */
function strictness(order: readonly string[], value: unknown): number {
  if (value === null || value === '') return -1;
  const at = order.indexOf(String(value).trim().toUpperCase());
  return at < 0 ? Number.POSITIVE_INFINITY : at;
}

/** The rules of the members of a new filter. It adds protection, so only its mode may need a person. */
export function newFilterRules(kind: FilterKind, mode: Harmless, harm: Harm<unknown>): MemberRules {
  const added = harmless('adds protection');
  const others = kind.settings.filter((name) => name !== 'FilterMode');
  return {
    harmless: {
      ...Object.fromEntries(others.map((name) => [name, added])),
      SubscriberId: target,
      Phone: target,
      FilterMode: mode,
    },
    raised: { FilterMode: harm },
  };
}

/**
 * True if a mode is as strict as the present one. A white list without a number stops every call, so it never counts as
 * harmless.
 */
function isAsStrict(kind: FilterKind, value: unknown, { input, record }: Circumstances): boolean {
  if (record === undefined) return false;
  const now = record.FilterMode;
  if (typeof now === 'string' && String(value).toUpperCase() === now.trim().toUpperCase()) return true;
  if (isEmptyWhitelist(value, input[kind.allowed])) return false;
  return strictness(kind.modes, value) > (isEmpty(now) ? Number.POSITIVE_INFINITY : strictness(kind.modes, now));
}

/** True for a call filter that stops every call. */
export function isEmptyWhitelist(mode: unknown, allowed: unknown): boolean {
  return mode === 'WHITELIST' && (readTexts(allowed) ?? []).length === 0;
}

/** Entries of the present list that are missing from the next one; undefined if either list cannot be read. */
function gone(next: unknown, now: unknown): string[] | undefined {
  const [present, after] = [readTexts(now), readTexts(next)];
  if (present === undefined || after === undefined) return undefined;
  return missingFrom(present, after);
}

function named(numbers: readonly string[], what: string): string {
  // They are not part of what is sent, so every one is named.
  return `${numbers.join(', ')} ${numbers.length === 1 ? 'is' : 'are'} ${what}.`;
}

function modeWords(kind: FilterKind, mode: unknown, from: unknown, input: Fields): string {
  if (mode === 'INACTIVE') return 'The filter is paused: nothing is filtered.';
  if (mode === 'MONITOR_ONLY') return 'The filter only reports: every message is delivered (MONITOR_ONLY).';
  if (isEmptyWhitelist(mode, input[kind.allowed])) return 'No number is allowed, so no call gets through.';
  const now = text(from) === undefined ? 'a mode that could not be read' : String(from);
  if (mode === 'BLACKLIST') return `Everyone but blocked callers gets through: BLACKLIST instead of ${now}.`;
  return `Filtering may be weaker: ${String(mode)} instead of ${now}.`;
}

/**
 * True if an update only extends the keyword rules, which needs no person. Any other change of them counts as a loss.
 */
function extendsKeywords(kind: FilterKind, given: unknown, filter: Fields): boolean {
  const now = filter.KeywordFilter;
  if (isEmpty(now)) return !hidesKeywords(kind, filter);
  const rules = rulesIn(now);
  return rules !== undefined && (rules === given || extendsRules(parsed(rules), parsed(String(given))));
}

function keywordWords(given: unknown, now: unknown): string {
  const rules = rulesIn(now);
  return rules === undefined
    ? 'Its keyword rules are replaced; the present ones could not be read.'
    : `Its keyword rules change: ${lostWords(parsed(rules), parsed(String(given)))}.`;
}
