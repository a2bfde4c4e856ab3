import type { AnswerShape, Tool } from '../catalogue/operation.ts';
import type { ErrorFace } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { errorStatus, memberOf, namesErrors, saysNo, saysYes, telling, valuesOf } from '../lib/members.ts';
import { type ListedNumber, numberKey, numbersIn, readNumbers } from '../lib/number-lists.ts';

/* Reads from an answer with status 200 whether the platform did the work, a part of it, or none, or does not say. */

/** Something that was asked for and not done, with the platform's reason. */
export interface NotDone {
  what: string;
  /** Empty where the platform gives no reason. */
  why: string;
}

/** What an answer says of the work. */
export interface Verdict {
  state: 'done' | 'partly' | 'refused' | 'unknown';
  /** "2 of 3 numbers cancelled"; empty where the answer carries no counts. */
  counts: string;
  notDone: readonly NotDone[];
  /** "cancelled", as in "Not cancelled: …". */
  verb: string;
  /** Of `unknown`: what the answer says instead, as the end of a sentence: "has the state “Pending”". */
  doubt?: string;
}

/** What the verdict rests on: shown values, without secrets. */
export interface Answered {
  answer: Fields;
  input: Fields;
  /** What a request stage answered before a person was asked. */
  known: Fields;
}

/**
 * How a state begins that means "it was not done", in any letter case (PLATFORM.md, Cancellation: `Failed`; Orders:
 * `Rejected`; assumed: the other words, and that more text may follow).
 */
const FAILED = /^(fail|error|unsuccess|refus|reject|declin|den(y|ied)\b|not\b|unable|invalid|abort|undeliver)/i;
const PARTLY = /^part(ial|ly)/i;
/** Beside `Partial…`, a state that leaves it to the lists: `CompletedWithErrors`. */
const MIXED = /^(complete|success)\w*[\s_-]?with/i;
/** Where lists of numbers with a state of their own stand : numbers/status, data-usage, message/outbound. */
const ROWS = ['Numbers', 'PhoneNumbers', 'To'];
const MAX_REASON = 300;

/** What the whole of an answer says, before its lists are looked at. */
type Whole = 'done' | 'failed' | 'partly' | 'mixed' | 'other' | 'silent';

/** What an answer says of each number. */
interface Told {
  /** How many were asked for, or are named where nothing was asked for by number. */
  total: number;
  done: number;
  notDone: NotDone[];
  /** Of `notDone`, the last ones, which are not said to have failed: the answer does not name them. */
  untold: number;
  /** There is something about single numbers. */
  lists: boolean;
  /** There is a list of the numbers that were done, so that all others were not. */
  byList: boolean;
  /** A list that cannot be read, by name. */
  unreadable?: string;
}

/**
 * Whether a call was done, by its answer. Reads are always done: their `Status` is the record's.
 * Every number in the list of failed ones, or a failed state, is `refused`; failed or invalid numbers beside changed
 * ones are `partly`. An answer that does not say that the work was
 * done, and does not say that it was not, is `unknown`.
 */
export function readVerdict(tool: Pick<Tool, 'risk' | 'answer'>, { answer, input, known }: Answered): Verdict {
  const shape = tool.answer ?? {};
  const verb = typeof shape.verb === 'function' ? shape.verb(input) : (shape.verb ?? 'done');
  const verdict = (state: Verdict['state'], more: Partial<Verdict> = {}): Verdict => ({
    state,
    counts: '',
    notDone: [],
    verb,
    ...more,
  });
  if (tool.risk === 'read') return verdict('done');
  const whole = wholeOf(answer, shape);
  const doubt = (text: string) => verdict('unknown', { doubt: text });
  if (whole !== 'failed' && isSilent(answer, shape)) return doubt('says nothing about it');
  const told = toldBy({ answer, input, known }, shape, whole);
  if (told.unreadable !== undefined) return doubt(`has a list ${told.unreadable} that cannot be read`);
  const { done, notDone, untold, total } = told;
  const failed = notDone.length - untold;
  if (whole === 'other') return doubt(`has the state “${wordOf(answer, shape)}”`);
  if (whole === 'failed') {
    if (!told.lists || done === 0) {
      const mixed = !told.byList && untold > 0 && failed > 0;
      return mixed
        ? doubt('does not say what became of every number')
        : verdict('refused', { notDone: notDone.slice(0, failed) });
    }
    if (notDone.length === 0) return doubt('says that it failed and lists every number as done');
  }
  if (notDone.length === 0) {
    if (whole === 'mixed' && done === 0) return doubt(`has the state “${wordOf(answer, shape)}”`);
    return verdict(whole === 'partly' ? 'partly' : 'done');
  }
  if (done === 0) {
    return untold > 0 ? doubt('does not say what became of every number') : verdict('refused', { notDone });
  }
  const noun = `${total} ${shape.noun ?? 'number'}${total === 1 ? '' : 's'}`;
  return verdict('partly', { counts: `${done} of ${noun} ${verb}`, notDone });
}

/** "Not cancelled: +12015550107 (Number is Parked)."; empty where nothing is named. */
export function notDoneSentence({ notDone, verb }: Verdict): string {
  if (notDone.length === 0) return '';
  // Numbers with the same reason stand together.
  const byReason = new Map<string, string[]>();
  for (const { what, why } of notDone) byReason.set(why, [...(byReason.get(why) ?? []), what]);
  const named = [...byReason].map(([why, all]) => `${all.join(', ')}${why === '' ? '' : ` (${why})`}`);
  return `Not ${verb}: ${named.join('; ')}.`;
}

/** The warning in the result of what was partly done: what was not, and why. */
export function partlyWarning(verdict: Verdict): string {
  const head = verdict.counts === '' ? 'The platform did a part of it.' : `Only ${verdict.counts}.`;
  return [head, notDoneSentence(verdict)].filter((text) => text !== '').join(' ');
}

/** The sentence of what the platform answered it did not do, with the next step. */
export function refusedMessage(tool: Pick<Tool, 'answer'>, answer: Fields, verdict: Verdict): string {
  const word = wordOf(answer, tool.answer ?? {});
  const why = reasonOf(answer);
  const parts = [
    `The platform answered that it did not do it${word === '' ? '' : ` (${word})`}${why === '' ? '' : `: ${why}`}`.replace(
      /[.]?$/,
      '.',
    ),
    notDoneSentence(verdict),
    'Nothing was done. Put right what is named, then ask again.',
  ];
  return parts.filter((text) => text !== '').join(' ');
}

/** The sentence of an answer that does not say what became of the work. */
export function doubtMessage(answer: Fields, { doubt = '' }: Verdict): string {
  const why = reasonOf(answer);
  const said = why === '' ? '' : ` It said: “${why.replace(/[“”]/g, '"').replace(/[.]?$/, '.')}”`;
  return `The platform’s answer ${doubt}.${said} It may have been done: check before trying again.`;
}

/** The error of an answer that does not say that the work was done; undefined where it was, in whole or in part. */
export function verdictError(tool: Pick<Tool, 'answer'>, answer: Fields, verdict: Verdict): ErrorFace | undefined {
  if (verdict.state === 'refused')
    return { code: 'refused', message: refusedMessage(tool, answer, verdict), outcome: 'not_done' };
  if (verdict.state !== 'unknown') return undefined;
  return { code: 'server_error', message: doubtMessage(answer, verdict), outcome: 'unknown' };
}

/** The words of state an answer carries: its `Status`, and the member its operation names. */
function wordsIn(answer: Fields, shape: AnswerShape): string[] {
  const names = [...new Set([shape.status ?? 'Status', 'Status'])];
  return names
    .flatMap((name) => valuesOf(answer, name))
    .flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []));
}

/** The word that says it, one that says "failed" before others; empty where there is none. */
function wordOf(answer: Fields, shape: AnswerShape): string {
  const words = wordsIn(answer, shape);
  return plain(words.find((word) => isFailed(word, shape)) ?? words[0] ?? '');
}

function isFailed(word: string, shape: AnswerShape): boolean {
  return FAILED.test(word) || (shape.refusedStates ?? []).some((state) => state.toLowerCase() === word.toLowerCase());
}

function wholeOf(answer: Fields, shape: AnswerShape): Whole {
  const words = wordsIn(answer, shape);
  if (words.some((word) => isFailed(word, shape)) || saysNo(answer)) return 'failed';
  if (errorStatus(answer) !== undefined || namesErrors(answer)) return 'failed';
  const [word = ''] = words;
  if (PARTLY.test(word)) return 'partly';
  if (shape.success === undefined) return 'done';
  if (word === '') return 'silent';
  if (MIXED.test(word)) return 'mixed';
  return shape.success.some((good) => good.toLowerCase() === word.toLowerCase()) ? 'done' : 'other';
}

/** An answer without any member of a record, where the operation's answer has some. */
function isSilent(answer: Fields, shape: AnswerShape): boolean {
  const members = telling(answer);
  // What the client makes of a list or a scalar; no change answers with one.
  const none = members.every((name) => name === 'Results' || name === 'Result');
  if (!none) return shape.success !== undefined && isWordless(answer, shape);
  if (shape.bare === undefined || members.length > 0) return true;
  return shape.bare === 'object' && !saysYes(answer) && Object.keys(answer).length === 0;
}

/** No state, no flag and no list, where the operation's answer has a state. */
function isWordless(answer: Fields, shape: AnswerShape): boolean {
  if (wordsIn(answer, shape).length > 0 || saysYes(answer)) return false;
  const names = [shape.changed ?? 'NumbersChange', shape.failed ?? 'FailedChange', ...ROWS];
  return names.every((name) => memberOf(answer, name) === undefined);
}

/** What the lists of an answer say of each number asked for; a number that failed and changed has failed. */
function toldBy({ answer, input, known }: Answered, shape: AnswerShape, whole: Whole): Told {
  const unreadable = [shape.changed ?? 'NumbersChange', shape.failed ?? 'FailedChange', shape.rows ?? '']
    .filter((name) => name !== '')
    .find((name) => valuesOf(answer, name).some((value) => readNumbers(value) === 'unreadable'));
  const changedList = memberOf(answer, shape.changed ?? 'NumbersChange');
  const failedList = memberOf(answer, shape.failed ?? 'FailedChange');
  const invalidList = memberOf(answer, 'NumbersInvalid') ?? memberOf(known, 'NumbersInvalid');
  const fails = (entry: ListedNumber) => hasFailed(entry.record, shape);
  const changed = numbersIn(changedList);
  const rows = rowsOf(answer, shape);
  const failed = [...numbersIn(failedList), ...numbersIn(invalidList), ...[...changed, ...rows].filter(fails)];
  const bad = new Map(failed.map((entry) => [keyOf(entry), notDoneOf(entry)] as const).reverse());
  const asked = askedFor(input, known);
  for (const [key, what] of unrequested(asked, known, shape, invalidList)) if (!bad.has(key)) bad.set(key, what);
  const byList = changedList !== undefined || (failedList !== undefined && shape.listed === true);
  const good = new Set([
    ...changed.filter((entry) => !fails(entry)).flatMap(keysOf),
    ...rows.filter((entry) => !fails(entry) && (whole !== 'failed' || isWorded(entry.record))).flatMap(keysOf),
  ]);
  const every = new Map([...[...changed, ...rows].map((entry) => [keyOf(entry), entry.number] as const), ...asked]);
  const names = asked.size > 0 ? asked : every;
  const isDone = (key: string) => !bad.has(key) && (byList || whole === 'failed' ? good.has(key) : true);
  // Rows may name a number otherwise than it was asked for, such as the new one of a swap.
  const strangers = byList ? 0 : [...bad.keys()].filter((key) => !names.has(key)).length;
  const done = Math.max(0, [...names.keys()].filter(isDone).length - strangers);
  const untold = [...names].filter(([key]) => !bad.has(key) && !isDone(key));
  const notDone = [
    ...[...bad.values()].reverse(),
    ...untold.map(([, what]) => ({ what: plain(what), why: 'the platform does not say what became of it' })),
  ];
  const lists = byList || rows.length > 0 || bad.size > 0;
  return {
    total: Math.max(names.size, done + notDone.length),
    done: lists ? done : 0,
    notDone: lists ? notDone : [],
    untold: lists ? untold.length : 0,
    lists,
    byList,
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}

/** The rows of the list that has one for each number; a list that cannot be read counts where the operation names it. */
function rowsOf(answer: Fields, shape: AnswerShape): readonly ListedNumber[] {
  const names = shape.rows === undefined ? ROWS : [shape.rows, ...ROWS];
  return names.map((name) => numbersIn(memberOf(answer, name))).find((rows) => rows.length > 0) ?? [];
}

/** The numbers asked for that the request stage named neither as valid nor as invalid. */
function unrequested(
  asked: ReadonlyMap<string, string>,
  known: Fields,
  shape: AnswerShape,
  invalidList: unknown,
): [string, NotDone][] {
  const valid = numbersIn(memberOf(known, 'NumbersValid'));
  if (valid.length === 0 || shape.changed === 'NumbersValid') return [];
  const named = new Set([...valid, ...numbersIn(invalidList)].map(keyOf));
  return [...asked]
    .filter(([key]) => !named.has(key))
    .map(([key, what]) => [key, { what: plain(what), why: 'the platform did not accept it in the request' }]);
}

/** The numbers of the input by key; of a submit stage, those its request stage named. */
function askedFor(input: Fields, known: Fields): Map<string, string> {
  const given = [input.PhoneNumbers, input.To, input.Numbers].map(numbersIn).find((list) => list.length > 0);
  const entries = given ?? ['NumbersValid', 'NumbersInvalid'].flatMap((name) => numbersIn(memberOf(known, name)));
  return new Map(entries.filter(({ number }) => numberKey(number) !== '').map((entry) => [keyOf(entry), entry.number]));
}

function hasFailed(record: Fields, shape: AnswerShape): boolean {
  const words = ['Status', 'DeliveryStatus'].flatMap((name) => valuesOf(record, name));
  const error = memberOf(record, 'ErrorMessage') ?? memberOf(record, 'Error');
  return (
    words.some((word) => typeof word === 'string' && isFailed(word.trim(), shape)) ||
    saysNo(record) ||
    (typeof error === 'string' && error.trim() !== '')
  );
}

/** The row itself says how it stands. */
function isWorded(record: Fields): boolean {
  return saysYes(record) || ['Status', 'DeliveryStatus'].some((name) => valuesOf(record, name).length > 0);
}

/** A swap answers with the new number and names the one before it. */
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
  return { what: plain(number === '' ? String(other ?? 'one of them') : number), why: reasonOf(record) };
}

function reasonOf(row: Fields): string {
  const names = ['Reason', 'ErrorMessage', 'Error', 'StatusMessage', 'OrderStatusMessage', 'Message'];
  const text = names
    .map((name) => memberOf(row, name))
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? plain(text) : '';
}

/** One line without control characters and direction marks, of a length a card can show. */
function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\s]+/gu, ' ').trim();
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON - 1)}…` : line;
}
