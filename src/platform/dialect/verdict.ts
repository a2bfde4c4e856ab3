import type { Failure } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import { plainLine, sentence } from '../../lib/text.ts';
import { joined, plainText, quote, type Words, words } from '../../lib/words.ts';
import type { AnswerShape } from './answer-shape.ts';
import { type Answered, type NotDone, numberKey, type Overall, rowNames, tally } from './number-lists.ts';
import { quoted } from './plain-values.ts';
import {
  errorStatus,
  isFailedState,
  MAX_REASON,
  memberOf,
  namesErrors,
  reasonOf,
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
  /** `read` if it changes nothing. */
  risk: string;
  answer?: AnswerShape | undefined;
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
}

const PARTLY = /^part(ial|ly)/i;
/** States for which the lists decide, beside `Partial…`: `CompletedWithErrors`. */
const MIXED = /^(complete|success)\w*[\s_-]?with/i;
/**
 * Decides from its answer whether a call was done. Reads are always `done`: their `Status` belongs to the record. The
 * verdict is `refused` if all numbers failed or the state is a failure, `partly` if some numbers failed or were
 * invalid, and `unknown` if the answer says neither that the work was done nor that it was not.
 */
export function readVerdict(tool: AnsweringTool, { answer, input, known }: Answered): Verdict {
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
export function verdictFailure(
  tool: Pick<AnsweringTool, 'answer'>,
  answer: Fields,
  verdict: Verdict,
): Failure | undefined {
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
  return [...declared, ...wordsIn(statusesOf(answer)).filter((word) => startsAsFailed(word))];
}

function wordsIn(values: readonly unknown[]): string[] {
  return values.flatMap((value) => (typeof value === 'string' && value.trim() !== '' ? [value.trim()] : []));
}

/** The state to quote: a failed one before others; empty if there is none. */
function stateOf(answer: Fields, shape: AnswerShape): string {
  const states = statesIn(answer, shape);
  return plainLine(states.find((state) => isFailedState(state, shape)) ?? states[0] ?? '', MAX_REASON);
}

function overallOf(answer: Fields, shape: AnswerShape): Overall {
  const states = statesIn(answer, shape);
  if (states.some((state) => isFailedState(state, shape)) || saysNo(answer)) return 'failed';
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
  return rowNames(shape).every((name) => memberOf(answer, name) === undefined);
}
