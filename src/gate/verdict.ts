import type { AnswerShape, Tool } from '../catalogue/operation.ts';
import { quoted } from '../catalogue/plain-values.ts';
import type { Failure } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { errorStatus, memberOf, namesErrors, saysNo, saysYes, statusesOf, telling, valuesOf } from '../lib/members.ts';
import { type ListedNumber, numberKey, numbersIn, readNumbers } from '../lib/number-lists.ts';

import { sentence } from '../lib/text.ts';
import { joined, plainText, quote, type Words, words } from '../lib/words.ts';
import { AFTER_REFUSAL } from '../platform/answer.ts';

/*
 * Decides from an answer with status 200 whether the platform did the work, a part of it or none of it, or does not
 * say.
 */

/** Requested work that was not done, with the platform's reason. */
export interface NotDone {
  /** A number, or the platform's text about it. */
  what: Words;
  /** Empty if the platform gives no reason. */
  why: Words;
}

/** The verdict on an answer: the state of the requested work. */
export interface Verdict {
  state: 'done' | 'partly' | 'refused' | 'unknown';
  /** "2 of 3 numbers cancelled"; empty if the answer has no counts. */
  counts: string;
  notDone: readonly NotDone[];
  /** "cancelled", as in "Not cancelled: …". */
  verb: string;
  /** For `unknown`: the answer's own statement, as the end of a sentence: "has the state “Pending”". */
  doubt?: Words;
}

/** The input of a verdict: shown values, without secrets. */
export interface Answered {
  answer: Fields;
  input: Fields;
  /** The answer of the request stage before the confirmation. */
  known: Fields;
}

/**
 * Prefixes of states that mean that the work was not done, in any letter case (PLATFORM.md, Cancellation: `Failed`;
 * Orders: `Rejected`; assumed: the other words, and that more text may follow).
 */
const FAILED = /^(fail|error|unsuccess|refus|reject|declin|den(y|ied)\b|not\b|unable|invalid|abort|undeliver)/i;
const PARTLY = /^part(ial|ly)/i;
/** States for which the lists decide, beside `Partial…`: `CompletedWithErrors`. */
const MIXED = /^(complete|success)\w*[\s_-]?with/i;
/** Members with one row per number, each with its own state: numbers/status, data-usage, message/outbound. */
const ROWS = ['Numbers', 'PhoneNumbers', 'To'];
const MAX_REASON = 300;

/** The overall statement of an answer, before its lists are read. */
type Overall = 'done' | 'failed' | 'partly' | 'mixed' | 'other' | 'silent';

/** The numbers of an answer, counted by their state. */
interface Tally {
  /** Number of requested numbers; if the request has no numbers, of those that the answer names. */
  total: number;
  done: number;
  notDone: NotDone[];
  /** Number of entries at the end of `notDone` that the answer does not mention. */
  unmentioned: number;
  /** True if the answer has information about single numbers. */
  lists: boolean;
  /** True if the answer lists the numbers that were done, so that all others were not. */
  byList: boolean;
  /** The name of a list that cannot be read. */
  unreadable?: string;
}

/**
 * Decides from its answer whether a call was done. Reads are always `done`: their `Status` belongs to the record. The
 * verdict is `refused` if all numbers failed or the state is a failure, `partly` if some numbers failed or were
 * invalid, and `unknown` if the answer says neither that the work was done nor that it was not.
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
  const overall = overallOf(answer, shape);
  const doubt = (text: Words) => verdict('unknown', { doubt: text });
  if (overall !== 'failed' && isSilent(answer, shape)) return doubt('does not say whether it was done');
  const counted = tally({ answer, input, known }, shape, overall);
  if (counted.unreadable !== undefined) return doubt(`has a list ${counted.unreadable} that cannot be read`);
  const { done, notDone, unmentioned, total } = counted;
  const failed = notDone.length - unmentioned;
  if (overall === 'other') return doubt(words`has the state ${quote(stateOf(answer, shape))}`);
  if (overall === 'failed') {
    if (!counted.lists || done === 0) {
      const mixed = !counted.byList && unmentioned > 0 && failed > 0;
      return mixed
        ? doubt('does not say what became of every number')
        : verdict('refused', { notDone: notDone.slice(0, failed) });
    }
    if (notDone.length === 0) return doubt('reports a failure but lists every number as done');
  }
  if (notDone.length === 0) {
    if (overall === 'mixed' && done === 0) return doubt(words`has the state ${quote(stateOf(answer, shape))}`);
    return verdict(overall === 'partly' ? 'partly' : 'done');
  }
  if (done === 0) {
    return unmentioned > 0 ? doubt('does not say what became of every number') : verdict('refused', { notDone });
  }
  const noun = `${total} ${shape.noun ?? 'number'}${total === 1 ? '' : 's'}`;
  return verdict('partly', { counts: `${done} of ${noun} ${verb}`, notDone });
}

/** "Not cancelled: +12015550107 (Number is Parked)."; empty if nothing is named. */
export function notDoneSentence({ notDone, verb }: Verdict): Words {
  if (notDone.length === 0) return '';
  // Numbers with the same reason are grouped.
  const byReason = new Map<string, NotDone[]>();
  for (const one of notDone) byReason.set(plainText(one.why), [...(byReason.get(plainText(one.why)) ?? []), one]);
  const named = [...byReason.values()].map((group) => {
    const [{ why } = { why: '' }] = group;
    const all = joined(
      group.map(({ what }) => what),
      ', ',
    );
    return why === '' ? all : words`${all} (${why})`;
  });
  return words`Not ${verb}: ${joined(named, '; ')}.`;
}

/** The warning in the result of a partly done call: the work that was not done, and the reasons. */
export function partlyWarning(verdict: Verdict): Words {
  const head = verdict.counts === '' ? 'The platform did only a part of it.' : `Only ${verdict.counts}.`;
  return joined([head, notDoneSentence(verdict)]);
}

/**
 * The failure for an answer that refuses the work or is unclear; undefined if the work was done, in whole or in part.
 */
export function verdictFailure(tool: Pick<Tool, 'answer'>, answer: Fields, verdict: Verdict): Failure | undefined {
  if (verdict.state !== 'refused' && verdict.state !== 'unknown') return undefined;
  const why = reasonOf(answer);
  if (verdict.state === 'unknown') {
    const message = words`The platform’s answer ${verdict.doubt ?? ''}.`;
    const more = why === '' ? '' : words`It said: ${quote(sentence(why))}`;
    return { code: 'server_error', outcome: 'unknown', message: joined([message, more]), effect: 'maybe_done' };
  }
  const state = stateOf(answer, tool.answer ?? {});
  const head = words`The platform answered that it did not do it${state === '' ? '' : words` (${quoted(state)})`}`;
  return {
    code: 'refused',
    outcome: 'not_done',
    message: joined([why === '' ? words`${head}.` : words`${head}: ${quote(sentence(why))}`, notDoneSentence(verdict)]),
    effect: 'nothing_done',
    next: AFTER_REFUSAL,
  };
}

/** The states of an answer: the member its operation declares, `Status`, and every other status that is a failure. */
function statesIn(answer: Fields, shape: AnswerShape): string[] {
  const names = [...new Set([shape.status ?? 'Status', 'Status'])];
  const declared = wordsIn(names.flatMap((name) => valuesOf(answer, name)));
  return [...declared, ...wordsIn(statusesOf(answer)).filter((word) => FAILED.test(word))];
}

function wordsIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []));
}

/** The state to quote: a failed one before others; empty if there is none. */
function stateOf(answer: Fields, shape: AnswerShape): string {
  const states = statesIn(answer, shape);
  return plain(states.find((state) => isFailed(state, shape)) ?? states[0] ?? '');
}

function isFailed(word: string, shape: AnswerShape): boolean {
  return FAILED.test(word) || (shape.refusedStates ?? []).some((state) => state.toLowerCase() === word.toLowerCase());
}

function overallOf(answer: Fields, shape: AnswerShape): Overall {
  const states = statesIn(answer, shape);
  if (states.some((state) => isFailed(state, shape)) || saysNo(answer)) return 'failed';
  if (errorStatus(answer) !== undefined || namesErrors(answer)) return 'failed';
  const [word = ''] = states;
  if (PARTLY.test(word)) return 'partly';
  if (shape.success === undefined) return 'done';
  if (word === '') return 'silent';
  if (MIXED.test(word)) return 'mixed';
  return shape.success.some((good) => good.toLowerCase() === word.toLowerCase()) ? 'done' : 'other';
}

/** True if an answer neither says that the work was done (PLATFORM.md, Errors) nor has a member of a record. */
function isSilent(answer: Fields, shape: AnswerShape): boolean {
  if (saysYes(answer)) return false;
  const members = telling(answer);
  // The client wraps lists and scalars in these members; no change answers with one.
  const none = members.every((name) => name === 'Results' || name === 'Result');
  if (!none) return shape.success !== undefined && isStateless(answer, shape);
  return shape.bare === undefined || members.length > 0;
}

/** True if an answer has no state and no list. */
function isStateless(answer: Fields, shape: AnswerShape): boolean {
  if (statesIn(answer, shape).length > 0) return false;
  const names = [shape.changed ?? 'NumbersChange', shape.failed ?? 'FailedChange', ...ROWS];
  return names.every((name) => memberOf(answer, name) === undefined);
}

/**
 * Counts the requested numbers by the lists of an answer. A number in both the changed and the failed list has failed.
 */
function tally({ answer, input, known }: Answered, shape: AnswerShape, overall: Overall): Tally {
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
    ...unmentioned.map(([, what]) => ({
      what: words`${quoted(plain(what))}`,
      why: 'the platform does not say what became of it',
    })),
  ];
  const lists = byList || rows.length > 0 || bad.size > 0;
  return {
    total: Math.max(names.size, done + notDone.length),
    done: lists ? done : 0,
    notDone: lists ? notDone : [],
    unmentioned: lists ? unmentioned.length : 0,
    lists,
    byList,
    ...(unreadable === undefined ? {} : { unreadable }),
  };
}

/** The rows of the list with one row per number: the list the operation declares, otherwise the first with rows. */
function rowsOf(answer: Fields, shape: AnswerShape): readonly ListedNumber[] {
  const names = shape.rows === undefined ? ROWS : [shape.rows, ...ROWS];
  return names.map((name) => numbersIn(memberOf(answer, name))).find((rows) => rows.length > 0) ?? [];
}

/** The requested numbers that the request stage listed neither as valid nor as invalid. */
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
    .map(([key, what]) => [
      key,
      { what: words`${quoted(plain(what))}`, why: 'the platform did not accept it in the request' },
    ]);
}

/** The requested numbers by key: those of the input, or of the request stage for a submit stage. */
function askedFor(input: Fields, known: Fields): Map<string, string> {
  const given = [input.PhoneNumbers, input.To, input.Numbers].map(numbersIn).find((list) => list.length > 0);
  const entries = given ?? ['NumbersValid', 'NumbersInvalid'].flatMap((name) => numbersIn(memberOf(known, name)));
  return new Map(entries.filter(({ number }) => numberKey(number) !== '').map((entry) => [keyOf(entry), entry.number]));
}

function hasFailed(record: Fields, shape: AnswerShape): boolean {
  const states = ['Status', 'DeliveryStatus'].flatMap((name) => valuesOf(record, name));
  const error = memberOf(record, 'ErrorMessage') ?? memberOf(record, 'Error');
  return (
    states.some((state) => typeof state === 'string' && isFailed(state.trim(), shape)) ||
    saysNo(record) ||
    (typeof error === 'string' && error.trim() !== '')
  );
}

/** True if a row has its own state. */
function hasState(record: Fields): boolean {
  return saysYes(record) || ['Status', 'DeliveryStatus'].some((name) => valuesOf(record, name).length > 0);
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
    what: typeof named === 'string' ? words`${quoted(plain(named))}` : 'one of them',
    why: why === '' ? '' : words`${quoted(why)}`,
  };
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
