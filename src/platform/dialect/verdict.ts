import type { Failure } from '../../lib/errors.ts';
import {
  type Fields,
  isRecord,
  joined,
  plainLine,
  plainText,
  quote,
  scalarText,
  sentence,
  textOf,
  type Words,
  words,
} from '../../lib/values.ts';
import {
  type Answered,
  listNames,
  type NotDone,
  numberKey,
  type Overall,
  rowNames,
  strangeIds,
  strangeNumbers,
  tally,
} from './number-lists.ts';
import { quoted } from './phone.ts';
import {
  type AnswerShape,
  flagsOf,
  isFailedState,
  isSuccess,
  MAX_REASON,
  member,
  memberOf,
  objectionsIn,
  readFlag,
  reasonOf,
  saysBoth,
  saysNo,
  saysYes,
  startsAsFailed,
  statusesOf,
  telling,
  valuesOf,
} from './readings.ts';

/*
 * Decides from an answer with status 200 whether the platform did the work, a part of it or none of it, or does not
 * say.
 */

/** The tool whose answer is read. */
export interface AnsweringTool {
  /** The answer of a `workflow` is made of answers that were read already. */
  kind: string;
  /** `read` if it changes nothing. */
  risk: string;
  answer?: AnswerShape | undefined;
  /** The fields that it takes. */
  input: { shape: object };
  /** The fields that name the records of the call. */
  keys?: readonly string[] | undefined;
  removes?: string | undefined;
}

/** The next step after a refusal. A carrier's may have no correction, and no document says which one has. */
export const AFTER_REFUSAL = 'Try again only if what it names can be corrected; otherwise ask the platform’s support.';

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
  /** For `refused`: the members that say it, if neither a flag nor the state does. */
  by?: Words;
}

/** The doubt about an answer without a flag, a state or a record. */
const SILENT = 'does not say whether it was done';
const PARTLY = /^part(ial|ly)/i;
/** States for which the lists decide, beside `Partial…`: `CompletedWithErrors`. */
const MIXED = /^(complete|success)\w*[\s_-]?with/i;
/**
 * Decides from its answer whether a call was done. Reads are always `done`: their `Status` belongs to the record. The
 * verdict is `refused` if all numbers failed or the state is a failure, `partly` if some numbers failed or were
 * invalid, and `unknown` if the answer says neither that the work was done nor that it was not, or says both.
 */
export function readVerdict(tool: AnsweringTool, answered: Answered): Verdict {
  const { answer, input, known } = answered;
  const shape = tool.answer ?? {};
  const verb = typeof shape.verb === 'function' ? shape.verb(input) : (shape.verb ?? 'done');
  const nothing: Verdict = { state: 'done', counts: '', notDone: [], verb };
  if (tool.risk === 'read') return nothing;
  const stated = { ...nothing, ...statedIn(tool, answered, verb) };
  const unknown = (doubt: Words): Verdict => ({ ...nothing, state: 'unknown', doubt });
  const yes = successesIn(answer, shape);
  /** The answer shows both sides. */
  const contradicts = (no: readonly Words[]) =>
    unknown(words`contradicts itself. It says ${joined(yes, ', ')}, and also ${joined(no, ', ')}`);
  if (stated.state === 'refused' && yes.length > 0 && saysBoth(answer)) {
    const no = flagsOf(answer).filter(([, value]) => readFlag(value) === false);
    return contradicts(no.map(([name, value]) => member(name, value)));
  }
  if (stated.state === 'refused' || (stated.state === 'unknown' && stated.doubt !== SILENT)) return stated;
  if (tool.kind === 'workflow') return stated;
  const keys = [...(tool.keys ?? []), tool.removes ?? ''];
  const strange = [...strangeNumbers(answer, input, known, shape), ...strangeIds(answer, input, keys)];
  if (strange.length > 0 && stated.state !== 'unknown')
    return unknown(words`names ${listed(strange)}, which the call did not ask for`);
  // A report of a failure fits an answer that lists what was not done.
  if (stated.state === 'partly') return stated;
  const no = objectionsIn(answer, { shape, fields: Object.keys(tool.input.shape), counted: listNames(shape) });
  if (no.length > 0 && yes.length > 0) return contradicts(no);
  if (stated.state === 'unknown') return stated;
  if (no.length > 0) return { ...stated, state: 'refused', by: joined(no, ', ') };
  // It may name some of the numbers that the call was about, and not the others.
  const lists = Object.values(input).filter(Array.isArray).flat();
  const asked = new Set(lists.map((row) => textOf(isRecord(row) ? row.Number : row)));
  const numbers = [...asked].filter((number) => /^\+\d{7,15}$/.test(number));
  const text = JSON.stringify(answer);
  const left = numbers.filter((number) => !text.includes(number));
  if (left.length === 0 || left.length === numbers.length) return stated;
  return unknown(words`names some of the numbers, and not ${listed(left.slice(0, 5))}`);
}

/** Values of an answer, separated by commas. */
const listed = (values: readonly string[]) =>
  joined(
    values.map((value) => words`${quoted(value)}`),
    ', ',
  );

/** The verdict by the flags, the state and the lists of an answer. */
function statedIn(tool: AnsweringTool, { answer, input, known }: Answered, verb: string): Partial<Verdict> {
  const shape = tool.answer ?? {};
  const overall = overallOf(answer, shape);
  const doubt = (text: Words): Partial<Verdict> => ({ state: 'unknown', doubt: text });
  if (overall !== 'failed' && isSilent(answer, tool)) return doubt(SILENT);
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
        : { state: 'refused', notDone: notDone.slice(0, failed) };
    }
    if (notDone.length === 0) return doubt('reports a failure but lists every number as done');
  }
  if (notDone.length === 0) {
    if (overall === 'mixed' && done === 0) return doubt(words`has the state ${quote(stateOf(answer, shape))}`);
    return { state: overall === 'partly' ? 'partly' : 'done' };
  }
  if (done === 0) {
    return unmentioned > 0 ? doubt('does not say what became of every number') : { state: 'refused', notDone };
  }
  const noun = `${total} ${shape.noun ?? 'number'}${total === 1 ? '' : 's'}`;
  return { state: 'partly', counts: `${done} of ${noun} ${verb}`, notDone };
}

/** A member that identifies the record of the work. */
const IDENTITY = /(id|number|numbers|numbersvalid|numberschange)$/i;

/** The members of an answer that identify the record of the work. */
function identitiesIn(answer: Fields): [string, unknown][] {
  return telling(answer)
    .filter((name) => IDENTITY.test(name))
    .map((name): [string, unknown] => [name, answer[name]])
    .filter(([, value]) => (Array.isArray(value) ? value.length > 0 : scalarText(value).trim() !== ''));
}

/** The members of an answer that say that the work was done. */
function successesIn(answer: Fields, shape: AnswerShape): Words[] {
  const flags = flagsOf(answer).filter(([, value]) => readFlag(value) === true);
  const good = (shape.success ?? []).map((word) => word.toLowerCase());
  const told = telling(answer).map((name): [string, unknown] => [name, answer[name]]);
  const states = told.filter(
    ([, value]) => isSuccess(value) || (typeof value === 'string' && good.includes(value.trim().toLowerCase())),
  );
  const [most = []] = [flags, states, identitiesIn(answer)].filter((some) => some.length > 0);
  return most.slice(0, 2).map(([name, value]) => member(name, value));
}

/**
 * A warning about an answer whose flag does not say whether the work was done, although the rest of it does; undefined
 * if there is nothing to warn of (PLATFORM.md, Errors: every body has the flag).
 */
export function flagWarning(answer: Fields): Words | undefined {
  const flags = flagsOf(answer);
  if (saysNo(answer) || flags.some(([, value]) => value === true)) return undefined;
  const read = flags.find(([, value]) => readFlag(value) === true);
  if (read) return words`The platform’s answer has ${member(...read)}, which is no boolean. It was read as true.`;
  if (saysYes(answer)) return undefined;
  const [first] = flags;
  const reading = 'It was read as done by the rest of it.';
  if (first === undefined) return `The platform’s answer leaves out Successful. ${reading}`;
  return words`The platform’s answer has ${member(...first)}, which is neither true nor false. ${reading}`;
}

/** True if the answer says that the work was not done for this number. */
export function isNotDoneFor(number: string, tool: AnsweringTool, answered: Answered): boolean {
  const key = numberKey(number);
  if (key === '') return false;
  return readVerdict(tool, answered).notDone.some(({ what }) => numberKey(plainText(what)) === key);
}

/** "Not cancelled: +12015550107 (Number is Parked)."; empty if nothing is named. */
export function notDoneSentence({ notDone, verb }: Verdict): Words {
  if (notDone.length === 0) return '';
  // Numbers with the same reason are grouped.
  const byReason = new Map(notDone.map(({ why }) => [plainText(why), why]));
  const named = [...byReason].map(([text, why]) => {
    const group = notDone.filter((one) => plainText(one.why) === text).map(({ what }) => what);
    return why === '' ? joined(group, ', ') : words`${joined(group, ', ')} (${why})`;
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
export function verdictFailure(
  tool: Pick<AnsweringTool, 'answer'>,
  answer: Fields,
  verdict: Verdict,
): Failure | undefined {
  if (verdict.state !== 'refused' && verdict.state !== 'unknown') return undefined;
  const why = reasonOf(answer);
  if (verdict.state === 'unknown') {
    const { doubt = '' } = verdict;
    const isShown = why === '' || plainText(doubt).includes(why);
    const message = joined([
      words`The platform’s answer ${doubt}.`,
      isShown ? '' : words`It said: ${quote(sentence(why))}`,
    ]);
    return { code: 'server_error', outcome: 'unknown', message, effect: 'maybe_done' };
  }
  const state = stateOf(answer, tool.answer ?? {});
  const by = verdict.by ?? (state === '' ? '' : words`${quoted(state)}`);
  const head = words`The platform answered that it did not do it${by === '' ? '' : words` (${by})`}`;
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
  const declared = [...new Set([shape.status ?? 'Status', 'Status'])].flatMap((name) => valuesOf(answer, name));
  const failed = statusesOf(answer).filter((value) => startsAsFailed(textOf(value)));
  return [...declared, ...failed].map((value) => textOf(value).trim()).filter((word) => word !== '');
}

/** The state to quote: a failed one before others; empty if there is none. */
function stateOf(answer: Fields, shape: AnswerShape): string {
  const states = statesIn(answer, shape);
  return plainLine(states.find((state) => isFailedState(state, shape)) ?? states[0] ?? '', MAX_REASON);
}

function overallOf(answer: Fields, shape: AnswerShape): Overall {
  const states = statesIn(answer, shape);
  if (states.some((state) => isFailedState(state, shape)) || saysNo(answer)) return 'failed';
  const [word = ''] = states;
  if (PARTLY.test(word)) return 'partly';
  if (shape.success === undefined) return 'done';
  if (word === '') return 'silent';
  if (MIXED.test(word)) return 'mixed';
  return shape.success.some((good) => good.toLowerCase() === word.toLowerCase()) ? 'done' : 'other';
}

/**
 * True if an answer neither says that the work was done (PLATFORM.md, Errors) nor shows the record of the work: its
 * state, or a member that identifies it.
 */
function isSilent(answer: Fields, { kind, answer: shape = {} }: AnsweringTool): boolean {
  if (saysYes(answer)) return false;
  const hasState =
    statesIn(answer, shape).length > 0 || rowNames(shape).some((name) => memberOf(answer, name) !== undefined);
  if (shape.success !== undefined) return !hasState;
  if (telling(answer).length === 0) return shape.bare === undefined;
  return kind !== 'workflow' && !hasState && identitiesIn(answer).length === 0;
}
