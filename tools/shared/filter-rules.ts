import {
  extended,
  type Harm,
  type MemberRules,
  type Ordinary,
  on,
  ordinary,
  type RowSentence,
  type Sentences,
  target,
} from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/json.ts';
import { missingFrom } from '../../src/lib/lists.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { protectionOf, protectionWords, TRAFFIC, type Traffic } from '../surfaces/guard.ts';
import { text } from './before.ts';
import { type FilterKind, filterAfter, reachText } from './filter-reach.ts';
import { flaggedWords, lostWords, parsed, rulesIn } from './keywords.ts';

/* The level of a new or changed filter (PLATFORM.md, Guardian filtering). */

/** Modes that block and that let everybody else through. */
const BLOCKING: readonly unknown[] = ['BLACKLIST', 'ACTIVE', 'TEENAGER', 'ADOLESCENT', 'CHILD'];

const what = {
  mode: 'an allow list, or another mode than now',
  off: 'switching off a direction or a protection',
  unknown: 'blocking unknown numbers',
  list: 'taking numbers off a list',
  people: 'notifying, recording or speaking to people',
};

/** Members that reach or record people, or that may stop every call. An approver confirms them with any value. */
const REACHING: Readonly<Record<string, Harm<never>>> = {
  BlockUnknownNumbers: {
    what: what.unknown,
    reason: (value: unknown) =>
      value === true
        ? 'Only numbers on the allow list get through; without one, nobody does.'
        : 'Unknown numbers are no longer blocked.',
  },
  NotificationPhones: {
    what: what.people,
    reason: (phones: unknown, { record }) => notifiedWords(phones, record?.NotificationPhones),
  },
  EnableTranscription: {
    what: what.people,
    reason: (value: unknown) =>
      value === true ? 'Calls are transcribed and checked for keywords.' : 'Calls are no longer checked for keywords.',
  },
  RecordFlaggedCalls: {
    what: what.people,
    reason: (value: unknown) =>
      value === true ? 'Flagged calls are recorded.' : 'Flagged calls are no longer recorded.',
  },
  TranscriptionAction: {
    what: what.people,
    reason: (action: unknown) =>
      action === null ? 'A flagged word leads to nothing.' : `A flagged word leads to ${String(action)}.`,
  },
  WarningMessage: {
    what: what.people,
    reason: (message: unknown) =>
      message === null ? 'Callers hear no warning any more.' : 'Callers hear another warning.',
  },
  KeywordFilter: {
    what: what.people,
    reason: (rules: unknown, { record }) => keywordWords(rules, record?.KeywordFilter),
  },
};

/** The members of `REACHING` that this kind of filter has. */
function reaching(kind: FilterKind): Readonly<Record<string, Harm<never>>> {
  return Object.fromEntries(Object.entries(REACHING).filter(([name]) => kind.settings.includes(name)));
}

/** The rules of a new filter. Adding blocks and allowed numbers is ordinary. */
export function newFilterRules(kind: FilterKind): MemberRules {
  const part = ordinary('part of a filter that only blocks');
  const plain = kind.settings.filter((name) => !(name in REACHING) && name !== 'FilterMode');
  const mode: Ordinary = { words: 'if it blocks and is no white list', holds: (value) => BLOCKING.includes(value) };
  return {
    ordinary: {
      ...Object.fromEntries(plain.map((name) => [name, part])),
      SubscriberId: target,
      Phone: target,
      FilterMode: mode,
    },
    raised: {
      ...reaching(kind),
      FilterMode: { what: what.mode, reason: (value: unknown, { input }) => newModeWords(kind, value, input) },
    },
  };
}

/** The rules of an update. A protection that is switched on, and an entry that is added, are ordinary. */
export function filterRules(kind: FilterKind): MemberRules {
  const flags = Object.entries(kind.flags).filter(([name]) => !(name in REACHING));
  return {
    ordinary: {
      FilterId: target,
      SubscriberId: target,
      ...Object.fromEntries(flags.map(([name]) => [name, on])),
      [kind.allowed]: extended,
      [kind.blocked]: extended,
    },
    raised: {
      ...reaching(kind),
      ...Object.fromEntries(flags.map(([name, reason]) => [name, { what: what.off, reason }])),
      Phone: {
        what: 'another number',
        reason: (phone: unknown, { record }) =>
          `The filter moves to ${String(phone)}: the ${kind.traffic} of ${text(record?.Phone) ?? 'its present number'} are no longer filtered.`,
      },
      FilterMode: {
        what: what.mode,
        reason: (mode: unknown, { input, record }) => modeWords(kind, mode, record, input),
      },
      [kind.allowed]: lost('no longer on the allow list'),
      [kind.blocked]: lost('no longer blocked'),
    },
  };
}

function lost(words: string): Harm<never> {
  return {
    what: what.list,
    reason: (value: unknown, { member, record }) => {
      const [present, after] = [record && readTexts(record[member]), readTexts(value)];
      if (present === undefined || after === undefined)
        return `${member} is replaced; the present list could not be read.`;
      const gone = missingFrom(present, after);
      return gone.length === 0 ? '' : `${gone.join(', ')} ${gone.length === 1 ? 'is' : 'are'} ${words}.`;
    },
  };
}

function notifiedWords(next: unknown, now: unknown): string {
  const [present, after] = [readTexts(now) ?? [], readTexts(next) ?? []];
  const [added, gone] = [missingFrom(after, present), missingFrom(present, after)];
  return [
    ...(added.length === 0
      ? []
      : [`${added.join(', ')} ${added.length === 1 ? 'is' : 'are'} notified of what is flagged.`]),
    ...(gone.length === 0 ? [] : [`${gone.join(', ')} ${gone.length === 1 ? 'is' : 'are'} no longer notified.`]),
  ].join(' ');
}

/** The reason of a new filter's mode. Another filter of the line may stand beside it. */
function newModeWords(kind: FilterKind, mode: unknown, input: Fields): string {
  if (mode === 'INACTIVE') return 'This filter is paused: it filters nothing.';
  if (mode === 'MONITOR_ONLY') return 'This filter only reports: it delivers every message (MONITOR_ONLY).';
  return reachText(kind, filterAfter(undefined, input)) ?? 'It applies to neither direction, so it stops nothing.';
}

function modeWords(kind: FilterKind, mode: unknown, record: Fields | undefined, input: Fields): string {
  if (mode === 'INACTIVE') return 'The filter is paused: nothing is filtered.';
  if (mode === 'MONITOR_ONLY') return 'The filter only reports: every message is delivered (MONITOR_ONLY).';
  const reach = reachText(kind, filterAfter(record, input));
  const from = text(record?.FilterMode);
  const instead = `Filtering changes: ${String(mode)} instead of ${from ?? 'a mode that could not be read'}.`;
  return reach === undefined ? instead : `${instead} ${reach}`;
}

function keywordWords(given: unknown, now: unknown): string {
  if (now === undefined || now === null || now === '') {
    // A text of the input is in quotation marks here.
    const flagged = flaggedWords(String(given ?? '').replace(/^“|”$/g, ''));
    return flagged === undefined ? 'Its keyword rules flag no word.' : `Flagged: ${flagged}.`;
  }
  const rules = rulesIn(now);
  return rules === undefined
    ? 'Its keyword rules are replaced; the present ones could not be read.'
    : `Its keyword rules change: ${lostWords(parsed(rules), parsed(String(given ?? '{}')))}.`;
}

/* Describes the filters of a customer in sentences: the traffic that each lets through, and the people whom it blocks. */

/** The field of a filter's id, and the operations that block and unblock on it. */
interface FilterCalls {
  id: string;
  block: string;
  unblock: string;
}

/** The sentences of a list of filters of one kind of traffic. */
export function filterSentences(name: Traffic['name'], calls: FilterCalls): Sentences<{ Phone?: string | undefined }> {
  const traffic = TRAFFIC.find((one) => one.name === name);
  if (!traffic) throw new Error(`no traffic ${name}`);
  const { noun } = traffic;
  return {
    of: 'Results',
    title: (count, { Phone }) => {
      const whose = Phone === undefined ? '' : ` of ${Phone}`;
      if (count === 0) return `No ${noun}${whose}: nobody is blocked`;
      return `${count === 1 ? `1 ${noun}` : `${count} ${noun}s`}${whose}`;
    },
    row: (row) => sentenceOf(row, traffic, calls),
  };
}

function sentenceOf(row: Fields, traffic: Traffic, { id, block, unblock }: FilterCalls): RowSentence {
  const phone = text(row.Phone);
  const blocked = readTexts(row[traffic.blocked]) ?? [];
  const input = defined({ SubscriberId: text(row.SubscriberId), [id]: text(row.FilterId) });
  return {
    says: [
      `${phone === undefined ? '' : `${phone}: `}${protectionWords(traffic, protectionOf(traffic, row))}`,
      ...(blocked.length === 0 ? ['No number is blocked.'] : []),
    ].join(' '),
    next: [
      { tool: block, title: 'Block', input },
      { tool: unblock, title: 'Unblock', input },
    ],
  };
}
