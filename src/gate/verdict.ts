import type { AnswerShape, Tool } from '../catalogue/operation.ts';

/* Reads from an answer with status 200 whether the platform did the work, a part of it, or none. */

/** Something that was asked for and not done, with the platform's reason. */
export interface NotDone {
  what: string;
  /** Empty where the platform gives no reason. */
  why: string;
}

/** What an answer says of the work. */
export interface Verdict {
  state: 'done' | 'partly' | 'refused';
  /** "2 of 3 numbers cancelled"; empty where the answer carries no counts. */
  counts: string;
  notDone: readonly NotDone[];
  /** "cancelled", as in "Not cancelled: …". */
  verb: string;
}

/** What the verdict rests on: shown values, without secrets. */
export interface Answered {
  answer: Record<string, unknown>;
  input: Record<string, unknown>;
  /** What a request stage answered before a person was asked. */
  known: Record<string, unknown>;
}

/** The words of a state that mean "it was not done", in any letter case (PLATFORM.md, Cancellation: `Failed`). */
const FAILED = /^(failed|failure|error|unsuccessful|refused)$/i;
const PARTLY = /^part(ial|ly)/i;
/** Where lists of numbers with a state of their own stand: numbers/status, data-usage, message/outbound. */
const ROWS = ['Numbers', 'PhoneNumbers', 'To'];
const MAX_REASON = 300;

/**
 * Whether a call was done, by its answer. Reads are always done: their `Status` is the record's.
 * Every number in the list of failed ones, or a failed state, is `refused`; failed or invalid numbers beside changed
 * ones are `partly`.
 */
export function readVerdict(tool: Pick<Tool, 'risk' | 'answer'>, { answer, input, known }: Answered): Verdict {
  const shape = tool.answer ?? {};
  const verb = typeof shape.verb === 'function' ? shape.verb(input) : (shape.verb ?? 'done');
  const whole: Verdict = { state: 'done', counts: '', notDone: [], verb };
  if (tool.risk === 'read') return whole;
  const state = stateOf(answer, shape);
  const { done, notDone, total } = lists({ answer, input, known }, shape);
  if (done === undefined && notDone.length === 0) {
    if (state === 'failed') return { ...whole, state: 'refused' };
    return state === 'partly' ? { ...whole, state: 'partly' } : whole;
  }
  const some = done ?? Math.max(0, total - notDone.length);
  if (some === 0 && (notDone.length > 0 || state === 'failed')) return { ...whole, state: 'refused', notDone };
  if (notDone.length === 0 && state === 'done') return whole;
  const noun = `${total} ${shape.noun ?? 'number'}${total === 1 ? '' : 's'}`;
  return { ...whole, state: 'partly', counts: total > 0 ? `${some} of ${noun} ${verb}` : '', notDone };
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
export function refusedMessage(tool: Pick<Tool, 'answer'>, answer: Record<string, unknown>, verdict: Verdict): string {
  const state = answer[tool.answer?.status ?? 'Status'];
  const shown = typeof state === 'string' && state !== '' ? ` (${plain(state)})` : '';
  const why = reasonOf(answer);
  const parts = [
    `The platform answered that it did not do it${shown}${why === '' ? '' : `: ${why}`}`.replace(/[.]?$/, '.'),
    notDoneSentence(verdict),
    'Nothing was done. Put right what is named, then ask again.',
  ];
  return parts.filter((text) => text !== '').join(' ');
}

function stateOf(answer: Record<string, unknown>, shape: AnswerShape): 'done' | 'partly' | 'failed' {
  const word = String(answer[shape.status ?? 'Status'] ?? '').trim();
  const success = answer.Successful ?? answer.successful;
  const also = (shape.refusedStates ?? []).some((state) => state.toLowerCase() === word.toLowerCase());
  if (FAILED.test(word) || also || isFalse(success)) return 'failed';
  return PARTLY.test(word) ? 'partly' : 'done';
}

/** How many were done, where the answer tells; what was not; and how many were asked for. */
function lists({ answer, input, known }: Answered, shape: AnswerShape) {
  const changed = answer[shape.changed ?? 'NumbersChange'];
  const failed = rowsIn(answer[shape.failed ?? 'FailedChange']).map(notDoneOf);
  const invalid = rowsIn(answer.NumbersInvalid ?? known.NumbersInvalid).map(notDoneOf);
  const told = new Set([...rowsIn(changed).map(nameOf), ...[...failed, ...invalid].map(({ what }) => digits(what))]);
  const asked = askedFor(input, known);
  if (Array.isArray(changed)) {
    // A number that stands in no list was asked for and is not said to be done.
    const untold =
      changed.length === 0
        ? []
        : asked
            .filter((name) => !told.has(digits(name)))
            .map((what) => ({ what, why: 'the platform does not say what became of it' }));
    const notDone = distinct([...failed, ...invalid, ...untold]);
    return { done: changed.length, notDone, total: changed.length + notDone.length };
  }
  const rows = [...(shape.rows === undefined ? ROWS : [shape.rows])].map((name) => answer[name]).find(Array.isArray);
  const wrong = rowsIn(rows).filter(hasFailed).map(notDoneOf);
  const notDone = distinct([...failed, ...invalid, ...wrong]);
  const total = Math.max(asked.length, wrong.length > 0 ? rowsIn(rows).length : 0, notDone.length);
  return { done: undefined, notDone, total };
}

/** The numbers of the input; of a submit stage, those its request stage named. */
function askedFor(input: Record<string, unknown>, known: Record<string, unknown>): string[] {
  const given = [input.PhoneNumbers, input.To, input.Numbers].find(Array.isArray);
  const rows = given ?? [...rowsIn(known.NumbersValid), ...rowsIn(known.NumbersInvalid)];
  return rowsIn(rows)
    .map((row) => notDoneOf(row).what)
    .filter((name) => digits(name) !== '');
}

function hasFailed(row: unknown): boolean {
  if (!isRecord(row)) return false;
  const word = String(row.Status ?? row.DeliveryStatus ?? '').trim();
  const error = row.ErrorMessage ?? row.Error;
  return FAILED.test(word) || isFalse(row.Successful ?? row.Success) || (typeof error === 'string' && error !== '');
}

function notDoneOf(row: unknown): NotDone {
  if (!isRecord(row)) return { what: plain(String(row)), why: '' };
  const name = row.Number ?? row.PhoneNumber ?? Object.values(row).find((value) => typeof value === 'string');
  return { what: plain(String(name ?? 'one of them')), why: reasonOf(row) };
}

function reasonOf(row: Record<string, unknown>): string {
  const names = ['Reason', 'ErrorMessage', 'Error', 'StatusMessage', 'OrderStatusMessage', 'Message'];
  const text = names.map((name) => row[name]).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? plain(text) : '';
}

/** One entry for each number, the first reason given for it. */
function distinct(list: readonly NotDone[]): NotDone[] {
  return [...new Map([...list].reverse().map((one) => [one.what, one])).values()].reverse();
}

function nameOf(row: unknown): string {
  const record = isRecord(row) ? row : {};
  // A swap answers with the new number and names the one before it.
  return digits(String(record.PreviousNumber ?? notDoneOf(row).what));
}

function digits(text: string): string {
  return text.replace(/\D/g, '');
}

function isFalse(value: unknown): boolean {
  return value === false || (typeof value === 'string' && /^false$/i.test(value.trim()));
}

function rowsIn(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** One line without control characters and direction marks, of a length a card can show. */
function plain(text: string): string {
  const line = text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\s]+/gu, ' ').trim();
  return line.length > MAX_REASON ? `${line.slice(0, MAX_REASON - 1)}…` : line;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
