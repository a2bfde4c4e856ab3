import { SwitchboardError } from '../../lib/errors.ts';
import { type Fields, isRecord, plainLine, recordsIn, scalarText, type Words, words } from '../../lib/values.ts';
import { quoted, readIccid, toE164 } from './phone.ts';
import {
  type AnswerShape,
  isFailedState,
  MAX_REASON,
  memberOf,
  objectionsIn,
  reasonOf,
  saysNo,
  saysYes,
  valuesOf,
} from './readings.ts';

/* Reads lists of phone numbers in platform responses, which come in several shapes. */

/** One number of a list, with its record in the list. */
interface ListedNumber {
  /** As the platform wrote it; empty if the entry has no number. */
  number: string;
  record: Fields;
}

const NAMES = ['Number', 'PhoneNumber', 'Phone', 'To'];

/**
 * Reads a list of numbers: an array of texts or objects, one object, or a text with numbers in it. Nulls inside are
 * ignored. Undefined for a value that is none.
 */
function readNumbers(value: unknown): readonly ListedNumber[] | undefined {
  // A count does not say which numbers.
  if (value === undefined || value === null || value === 0 || value === false) return [];
  if (isRecord(value) && NAMES.every((member) => memberOf(value, member) === undefined)) return undefined;
  let entries: unknown[] = [value].flat().filter((entry) => entry !== null && entry !== undefined);
  if (typeof value !== 'object') {
    const text = scalarText(value).trim();
    entries = isPhone(text) ? [text] : text.split(/[,;|\s]+/).filter((part) => part !== '');
    if (text.toLowerCase() === 'none') return [];
    if (!entries.every((part) => isPhone(part as string))) return undefined;
  }
  const found = entries.map(entryOf).filter((entry) => entry !== undefined);
  return found.length === entries.length ? found : undefined;
}

/** The entries of a list; empty if it cannot be read. */
export function numbersIn(value: unknown): readonly ListedNumber[] {
  return readNumbers(value) ?? [];
}

/** The form in which numbers are compared: digits with the country code, which US numbers may lack. */
export function numberKey(text: string): string {
  const digits = text.replace(/\D/g, '');
  return digits.length === 10 && !text.trim().startsWith('+') ? `1${digits}` : digits;
}

/** The id of a number without its prefix, which is spelled in two ways (PLATFORM.md, Identifiers). */
export function bareNumberId(id: string): string {
  return id.replace(/^t?nid-/i, '').toLowerCase();
}

function isPhone(text: string): boolean {
  return /^\+?[\d\s().-]{7,24}$/.test(text.trim()) && text.replace(/\D/g, '').length >= 7;
}

function entryOf(entry: unknown): ListedNumber | undefined {
  if (isRecord(entry)) {
    const named = NAMES.map((member) => memberOf(entry, member));
    const number = named.find((member) => typeof member === 'string' || typeof member === 'number');
    return { number: scalarText(number), record: entry };
  }
  if (typeof entry !== 'string' && typeof entry !== 'number') return undefined;
  const number = String(entry);
  return { number, record: { Number: number } };
}

/* Counts the numbers of an answer that lists them, each with its own state (PLATFORM.md, Cancellation). */

/** Members with one row per number, each with its own state: numbers/status, data-usage, message/outbound. */
const ROWS = ['Numbers', 'PhoneNumbers', 'To'];

/** The members of an answer that list numbers with the state of each. */
export function rowNames(shape: AnswerShape = {}): string[] {
  return [shape.changed ?? 'NumbersChange', shape.failed ?? 'FailedChange', ...ROWS];
}

/** Every member of an answer that lists numbers. */
export function listNames(shape: AnswerShape): string[] {
  return [...rowNames(shape), ...(shape.rows === undefined ? [] : [shape.rows]), 'NumbersValid', 'NumbersInvalid'];
}

/** True if an answer lists numbers. It is judged number by number then. */
export function hasNumberRows(answer: Fields): boolean {
  return [...rowNames(), 'NumbersValid', 'NumbersInvalid'].some((name) => numbersIn(memberOf(answer, name)).length > 0);
}

/** Requested work that was not done, with the platform's reason. */
export interface NotDone {
  /** A number, or the platform's text about it. */
  what: Words;
  /** Empty if the platform gives no reason. */
  why: Words;
}

/** The input of a verdict: shown values, without secrets. */
export interface Answered {
  answer: Fields;
  input: Fields;
  /** The answer of the request stage before the confirmation. */
  known: Fields;
}

/** The overall statement of an answer, before its lists are read. */
export type Overall = 'done' | 'failed' | 'partly' | 'other' | 'silent';

/**
 * Counts the requested numbers by the lists of an answer. A number in both the changed and the failed list has failed.
 *
 * @returns total: the requested numbers, or those that the answer names if the request has none. unmentioned: the entries
 * at the end of `notDone` that the answer does not mention. lists: it has information about single numbers. byList: it
 * lists the numbers that were done, so that all others were not. unreadable: the name of a list that cannot be read
 */
export function tally({ answer, input, known }: Answered, shape: AnswerShape, overall: Overall) {
  const changedList = memberOf(answer, shape.changed ?? 'NumbersChange');
  const failedList = memberOf(answer, shape.failed ?? 'FailedChange');
  const invalidList = memberOf(answer, 'NumbersInvalid') ?? memberOf(known, 'NumbersInvalid');
  const statesOf = (record: Fields) => ['Status', 'DeliveryStatus'].flatMap((name) => valuesOf(record, name));
  const fails = ({ record }: ListedNumber) =>
    statesOf(record).some((state) => typeof state === 'string' && isFailedState(state.trim(), shape)) ||
    saysNo(record) ||
    objectionsIn(record, { shape: {}, fields: [], counted: [] }).length > 0;
  const hasState = (record: Fields) => saysYes(record) || statesOf(record).length > 0;
  const changed = numbersIn(changedList);
  // The list with one row per number: the list the operation declares, otherwise the first with rows.
  const rowLists = [...(shape.rows === undefined ? [] : [shape.rows]), ...ROWS].map((name) => memberOf(answer, name));
  const rows = rowLists.map(numbersIn).find((list) => list.length > 0) ?? [];
  const overruled = new Set(overruledIn({ answer, known }, shape).map(numberKey));
  const invalid = numbersIn(invalidList).filter((entry) => !overruled.has(keyOf(entry)));
  const failed = [...numbersIn(failedList), ...invalid, ...[...changed, ...rows].filter(fails)];
  const bad = new Map(failed.map((entry) => [keyOf(entry), notDoneOf(entry)] as const).reverse());
  const notAnswered = (what: string, why: string): NotDone => ({
    what: words`${quoted(plainLine(what, MAX_REASON))}`,
    why,
  });
  // The requested numbers by key: those of the input, or of the request stage for a submit stage.
  const given = [input.PhoneNumbers, input.To, input.Numbers].map(numbersIn).find((list) => list.length > 0);
  const valid = numbersIn(memberOf(known, 'NumbersValid'));
  const requested = given ?? [...valid, ...numbersIn(memberOf(known, 'NumbersInvalid'))];
  const asked = new Map(
    requested.filter(({ number }) => numberKey(number) !== '').map((entry) => [keyOf(entry), entry.number] as const),
  );
  // Those that the request stage listed neither as valid nor as invalid.
  const named = new Set([...valid, ...numbersIn(invalidList)].map(keyOf));
  if (valid.length > 0 && shape.changed !== 'NumbersValid')
    for (const [key, what] of asked)
      if (!named.has(key) && !bad.has(key))
        bad.set(key, notAnswered(what, 'the platform did not accept it in the request'));
  const byList = changedList !== undefined || (failedList !== undefined && shape.listed === true);
  const good = new Set([
    ...changed.filter((entry) => !fails(entry)).flatMap(keysOf),
    ...rows.filter((entry) => !fails(entry) && (overall !== 'failed' || hasState(entry.record))).flatMap(keysOf),
  ]);
  const every = new Map([...[...changed, ...rows].map((entry) => [keyOf(entry), entry.number] as const), ...asked]);
  const names = asked.size > 0 ? asked : every;
  const isDone = (key: string) => !bad.has(key) && (byList || overall === 'failed' ? good.has(key) : true);
  // Rows may name a number that was not requested, such as the new one of a swap.
  const strangers = byList ? 0 : [...bad.keys()].filter((key) => !names.has(key)).length;
  const done = Math.max(0, [...names.keys()].filter(isDone).length - strangers);
  const unmentioned = [...names].filter(([key]) => !bad.has(key) && !isDone(key));
  const notDone = [
    ...[...bad.values()].reverse(),
    ...unmentioned.map(([, what]) => notAnswered(what, 'the platform does not say what became of it')),
  ];
  const lists = byList || rows.length > 0 || bad.size > 0;
  return {
    total: Math.max(names.size, done + notDone.length),
    done: lists ? done : 0,
    notDone: lists ? notDone : [],
    unmentioned: lists ? unmentioned.length : 0,
    lists,
    byList,
    unreadable: [shape.changed ?? 'NumbersChange', shape.failed ?? 'FailedChange', shape.rows ?? '']
      .filter((name) => name !== '')
      .find((name) => valuesOf(answer, name).some((value) => readNumbers(value) === undefined)),
  };
}

/** The numbers that the request stage refused, and that the answer lists as done: what happened is told as it happened. */
export function overruledIn({ answer, known }: Omit<Answered, 'input'>, shape: AnswerShape = {}): string[] {
  const done = new Set(numbersIn(memberOf(answer, shape.changed ?? 'NumbersChange')).map(keyOf));
  const refused = numbersIn(memberOf(known, 'NumbersInvalid')).filter((entry) => done.has(keyOf(entry)));
  return refused.map(({ number }) => plainLine(number, MAX_REASON));
}

/** The keys of a row. A swap answers with the new number and names the previous one. */
function keysOf(entry: ListedNumber): string[] {
  const before = memberOf(entry.record, 'PreviousNumber');
  return [...(before === undefined ? [] : [numberKey(String(before))]), ...[numberKey(entry.number)]];
}

function keyOf(entry: ListedNumber): string {
  const [key = ''] = keysOf(entry);
  return key === '' ? entry.number : key;
}

function notDoneOf({ number, record }: ListedNumber): NotDone {
  const other = Object.values(record).find((value) => typeof value === 'string');
  const named = number === '' ? other : number;
  const why = reasonOf(record);
  return {
    what: typeof named === 'string' ? words`${quoted(plainLine(named, MAX_REASON))}` : 'one of them',
    why: why === '' ? '' : words`${quoted(why)}`,
  };
}

/** Maximum number of numbers that a message names. */
const MAX_STRANGE = 5;
/** Fields that name the numbers a call is about. */
const TARGETS = ['PhoneNumbers', 'Numbers', 'To', 'PhoneNumber', 'Number', 'PortInNumber', 'PortOutNumber'];
/** Members of an answer that name the number it is about. */
const NAMED = ['PhoneNumber', 'Number'];

/** The numbers in an answer that the call did not ask for. `known`: the answer of the request stage. */
export function strangeNumbers(answer: Fields, input: Fields, known: Fields, shape: AnswerShape): string[] {
  if (shape.renumbers?.(input) === true) return [];
  const given = TARGETS.flatMap((name) => numbersIn(input[name]));
  const earlier = ['NumbersValid', 'NumbersInvalid'].flatMap((name) => numbersIn(memberOf(known, name)));
  const asked = new Set((given.length > 0 ? given : earlier).map(({ number }) => numberKey(number)));
  if (asked.size === 0) return [];
  const named = [...new Set([...listNames(shape), ...NAMED])].flatMap((name) => numbersIn(memberOf(answer, name)));
  const strange = named.filter(({ number, record }) => {
    const before = scalarText(memberOf(record, 'PreviousNumber'));
    return [number, before].every((one) => !asked.has(numberKey(one))) && numberKey(number) !== '';
  });
  return [...new Set(strange.map(({ number }) => plainLine(number, MAX_REASON)))].slice(0, MAX_STRANGE);
}

/*
 * A record counts only if it is the one that was asked for. An answer to a read is compared with its query here, before
 * anything is shown, filled in or asked about.
 */

/** Names that the platform uses for one member (PLATFORM.md, Number record; PLATFORM.md, Voice route). */
const ALIASES: Readonly<Record<string, string>> = {
  phonenumber: 'number',
  phonenumberassigned: 'number',
  phone: 'number',
  voicerouteid: 'callrouteid',
  mrid: 'messagerouteid',
  callfilterid: 'filterid',
  messagefilterid: 'filterid',
};

/** Numbers that an error names. */
const MOST_NAMED = 3;

/** The values by which a query names records, in the form in which they are compared, by member. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

/** Thrown for an answer that is about another record than the query. */
export class OtherRecord extends SwitchboardError {}

/**
 * Returns the answer of a read without the rows that name other records than the query does. A `Warning` says how many.
 * Members that the answer does not have, or whose value is null or empty, are not compared.
 *
 * @param query the input as it was sent
 * @throws OtherRecord `unavailable`, if the record is another one, or the answer is a list with other rows in place of
 * those asked for
 */
export function onlyAskedFor(query: Fields, answer: Fields): Fields {
  const asked = namesOf(query);
  if (asked.size === 0) return answer;
  if (!isAskedFor(asked, answer)) throw otherRecord(query);
  const isRecord = namedIn(asked, answer).length > 0;
  let left = 0;
  const lists = Object.entries(answer).map(([member, value]) => {
    const rows = recordsIn(value);
    const kept = rows.filter((row) => isAskedFor(asked, row));
    if (kept.length === rows.length) return [member, value];
    // A query that names several numbers has a row for each.
    const found = new Set(kept.flatMap((row) => namedIn(asked, row)).map(([key, text]) => formOf(key, text)));
    const numbers = [...(asked.get('number') ?? [])];
    const isOneAbsent = numbers.length > 1 && numbers.some((number) => !found.has(number));
    if (!isRecord && (kept.length === 0 || isOneAbsent)) throw otherRecord(query);
    left += rows.length - kept.length;
    return [member, kept];
  });
  if (left === 0) return answer;
  const rows = left === 1 ? '1 row of another record was' : `${left} rows of other records were`;
  return { ...Object.fromEntries(lists), Warning: `${rows} in the platform’s answer, and left out here.` };
}

/** The phone numbers, SIMs and ids of a query. */
function namesOf(query: Fields): Names {
  const names = new Map<string, Set<string>>();
  for (const [member, value] of Object.entries(query)) {
    const key = member === 'PhoneNumbers' ? 'number' : memberKey(member);
    if (key !== 'number' && !key.endsWith('id')) continue;
    const texts = Array.isArray(value) ? numbersIn(value).map(({ number }) => number) : [scalarText(value)];
    const forms = texts.filter((text) => text !== '').map((text) => formOf(key, text));
    if (forms.length > 0) names.set(key, new Set([...(names.get(key) ?? []), ...forms]));
  }
  return names;
}

/** False if the record names another number, SIM or id than one that was asked for. */
function isAskedFor(asked: Names, record: Fields): boolean {
  const fits = (key: string, text: string) => asked.get(key)?.has(formOf(key, text)) !== false;
  // A message is of the line at either of its ends.
  const ends = [record.From, record.To].flatMap(numbersIn).filter(({ number }) => number !== '');
  const isOfLine = ends.length === 0 || ends.some(({ number }) => fits('number', number));
  return isOfLine && namedIn(asked, record).every(([key, text]) => fits(key, text));
}

/** The values of a record that are compared with those asked for, each with the one name of its member. */
function namedIn(asked: Names, record: Fields): [string, string][] {
  const named: [string, string][] = [];
  for (const member of Object.keys(record)) {
    const key = memberKey(member);
    const text = asked.has(key) ? scalarText(record[member]) : '';
    if (text !== '') named.push([key, text]);
  }
  return named;
}

/**
 * The ids of records in the answer to a change in place of those of the fields `keys`. Beside the asked one, an answer may
 * name another under a like name: the call filter of the subscriber beside their message filter.
 */
export function strangeIds(answer: Fields, input: Fields, keys: readonly string[]): string[] {
  const asked = namesOf(Object.fromEntries(keys.filter((key) => /id$/i.test(key)).map((key) => [key, input[key]])));
  const named = namedIn(asked, answer);
  const found = new Set(named.flatMap(([key, text]) => (asked.get(key)?.has(formOf(key, text)) ? [key] : [])));
  return named.filter(([key]) => !found.has(key)).map(([, text]) => plainLine(text, MAX_REASON));
}

function memberKey(member: string): string {
  const name = member.toLowerCase();
  return ALIASES[name] ?? name;
}

/** Numbers as digits with the country code, SIMs without padding, ids without letter case and prefix, which varies. */
function formOf(key: string, text: string): string {
  if (key === 'number') return numberKey(toE164(text)) || text.toLowerCase();
  if (key === 'iccid') return readIccid(text).replace(/f$/i, '');
  return text
    .trim()
    .replace(/^[a-z]{2,7}-/i, '')
    .toLowerCase();
}

function otherRecord(query: Fields): OtherRecord {
  const named = Object.entries(query).filter(([member, value]) => namesOf({ [member]: value }).size > 0);
  const asked = named.map(([member, value]) => {
    const numbers = numbersIn(value).map(({ number }) => number);
    const more = numbers.length > MOST_NAMED ? ` and ${numbers.length - MOST_NAMED} more` : '';
    return `${member} ${Array.isArray(value) ? numbers.slice(0, MOST_NAMED).join(', ') + more : scalarText(value)}`;
  });
  return new OtherRecord({
    code: 'unavailable',
    outcome: 'not_done',
    message: `The platform answered with another record than the one that was asked for (${asked.join(', ')}).`,
    next: 'Try again later. If it goes on, ask the platform’s support.',
  });
}
