import { wordsOf } from '../../../language/sentence.ts';
import { deedNounIn } from '../facts/deed-nouns.ts';

/*
 * Messages about the writer's own requests, which the ledger has: "take the cancellation back", "pull back everything of
 * mine that waits", "undo the last one", "not 0106, only 0104", "till when do I have to answer that".
 */

const POLITE = String.raw`^\W*(?:(?:please|pls|plz|ok|okay|so|sorry|actually|hey|hi|oh|no|i|want|need|have|to|can|could|you|u|we|let['’]?s)[\s,]+)*`;
const BACK = new RegExp(
  String.raw`${POLITE}(?:(?:take|pull)\s+(?<one>(?:the|my|our|that|this|all|everything|every|both|those|these)\b[^,.;!?]{0,40}?)\s*\bback\b(?<rest>[^,.;!?]*)|(?:take|pull)\s+back\s+(?<two>[^,.;!?]{3,60})|(?:withdraw|retract|recall|revoke)\s+(?<three>[^,.;!?]{3,60}))`,
  'iu',
);
/** Nouns of what is asked of an approver. */
const REQUEST =
  /\b(?:requests?|questions?|changes?|ones?|confirmations?|approvals?|cancell?ations?|suspensions?|reactivations?|activations?|swaps?|everything|all)\b/i;
const WAITS = /\b(?:wait\w*|open|pending|undecided|asked|requested|submitted|mine|my|our)\b/i;
const EVERYTHING = /\b(?:everything|all|every)\b/i;

/**
 * The kind of the writer's requests that a message takes back: a noun such as "cancellation", or any of them.
 *
 * @param isOffered any noun of a deed is that of a request, because there is an offer: "the hold on 0104"
 */
export function takenBackIn(said: string, isOffered = false): { noun: string | undefined; isAll: boolean } | undefined {
  const { one, rest = '', two, three } = BACK.exec(said)?.groups ?? {};
  const object = one ?? two ?? three;
  if (object === undefined) return undefined;
  const whole = `${object} ${rest}`;
  const isAll = EVERYTHING.test(whole);
  const noun = deedNounIn(whole);
  if (
    !(REQUEST.test(whole) || (isOffered && noun !== undefined)) ||
    /\b(?:port\w*|order|transfer)\b/i.test(whole) ||
    (isAll && !WAITS.test(whole))
  )
    return undefined;
  return { noun, isAll };
}

const UNDO_LAST =
  /^\W*(?:(?:please|pls|ok|okay|oh|no|sorry|can|could|you|u|i|we|want|need|to)[\s,]+)*(?:undo|reverse|revert|roll\s+back|take\s+back)\s+(?:(?:the|my|our)\s+)?(?:very\s+)?(?:last|latest|previous|most\s+recent)(?:\s+(?:one|change|thing|action|order|request|step))?(?:\s+(?:please|pls|again|i\s+(?:did|made)|we\s+(?:did|made)))*[\s.!?]*$/iu;

/** True for "undo the last one": the last change of the writer. */
export function undoesLast(said: string): boolean {
  return UNDO_LAST.test(said);
}

const NARROWS =
  /^\W*(?:(?:no|nope|wait|sorry|oh|actually|please|pls|but|and|ok|just|only)[\s,.!]+)*(?:not|only|just|without|except|minus)\b/i;

/** The last digits in a message that says nothing but which lines of a request are meant: "not 0106, only 0104". */
export function narrowedTo(said: string): string[] {
  if (!NARROWS.test(said) || said.length > 60 || said.includes('?')) return [];
  if (wordsOf(said.replace(/\d/g, ' ')).some(({ acts }) => acts.length > 0)) return [];
  return [...said.matchAll(/(?<!\d)\d{4}(?!\d)/g)].map(([digits]) => digits);
}

const UNTIL =
  /\b(?:till|until|til|by)\s+when\b|\bhow\s+(?:long|much\s+time)\b|\bwhen\b[^.;!?]*\b(?:expires?|run\w*\s+out|end|time\s+out)\b|\bdeadline\b/i;
const DECIDES = /\b(?:answer|decide|approve|confirm|react|respond|reply|expires?|deadline|wait|open|time)\b/i;
const THAT = /\b(?:it|that|this|them|those|these)\b/i;

/** True for "till when do I have to answer that", which names no record. */
export function asksUntilWhen(said: string): boolean {
  return said.length < 90 && UNTIL.test(said) && DECIDES.test(said) && THAT.test(said) && !/\d{4}/.test(said);
}

/** True for "what does it cost and can I still turn it round", which names no change. */
export function asksWhatItDoes(said: string): boolean {
  return said.length < 120 && THAT.test(said) && ABOUT_IT.test(said) && !/\d{4}/.test(said);
}

const ABOUT_IT =
  /^\W*(?:(?:and|ok|okay|so|but|hey)[\s,]+)*(?:what\s+(?:does|would|will)\s+(?:it|that|this)\s+(?:cost|do|change)\b|how\s+much\s+(?:is|does|would)\s+(?:it|that|this)\b|can\s+(?:i|we|you|it|that|this)\s+(?:still\s+)?(?:be\s+)?(?:undo|undone|reverse[d]?|turn\w*\s+(?:it|that|this)\s+(?:round|around|back)|take\s+(?:it|that)\s+back)\b)/i;
