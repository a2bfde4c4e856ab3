import * as cues from '../../../tools/surfaces/cues.ts';
import { patternOf, type Word } from '../../language/sentence.ts';

/* Tells a request for a change from a question about it and from a refusal of it. */

/** Words of politeness before the first word that counts. */
const GREETING = /^\s*(?:(?:hi|hey|hello|please|pls|ok|okay|and|also|so|but|just)[\s,]+)*/i;
/** A report that asks for the contrary: "undo the cancellation of". */
const TAKEN_BACK = /\b(?:undo|reverse|revert)\b/i;

/** A question of who did something. "Who is", "who can" and "who texted" ask for something else. */
const WHO_DID =
  /^\W*(?:(?:please|pls|so|and|hey|do you know|can you (?:see|tell me|check)|any idea)\W+)*who\s+(?:else\s+)?(?:has\s+|have\s+|had\s+|just\s+|last\s+|even\s+)?(?!called\b|phoned\b|texted\b|messaged\b|needed\b|wanted\b)(?:[a-z]{2,}ed|put|set|made|took|did|cut|gave)\b/i;
const WHEN_DID = /^\W*(?:(?:and|so|please)\W+)*when\s+(?:exactly\s+)?(?:was|were|did|has|have)\b/i;

const PATTERNS = {
  requests: cues.requests.map(patternOf),
  polite: cues.polite.map(patternOf),
  cost: cues.cost.map(patternOf),
  questions: cues.questions.map(patternOf),
  facts: cues.facts.map(patternOf),
  wondering: cues.wondering.map(patternOf),
  holding: cues.holding.map(patternOf),
  reported: cues.reported.map(patternOf),
};

/** True if the clause says not to do what these words of it ask for. */
export function isRefused(clause: string, asking: readonly Word[]): boolean {
  return has(clause, 'holding') || (asking.length > 0 && asking.every(({ isNegated }) => isNegated));
}

/**
 * True if the sentence asks about a change, its cost or its past, and not for it.
 *
 * @param isAsked a question mark ends the clause
 */
export function isAboutIt(sentence: string, clause: string, isAsked: boolean): boolean {
  if (has(sentence, 'cost') || has(sentence, 'wondering')) return true;
  if (has(clause, 'reported') && !TAKEN_BACK.test(clause)) return true;
  if (begins(clause, 'requests') || begins(sentence, 'requests')) return false;
  return begins(clause, 'questions') || (isAsked && !has(clause, 'polite'));
}

/** True if the sentence asks what something costs. */
export function asksForCost(sentence: string): boolean {
  return has(sentence, 'cost');
}

/** True if the clause asks politely, and so for something to be done. */
export function isPolite(clause: string): boolean {
  return has(clause, 'polite') || begins(clause, 'requests');
}

/** True if the clause is a question of who, when, why or whether. */
export function isQuestion(clause: string, isAsked: boolean): boolean {
  return !begins(clause, 'requests') && (begins(clause, 'questions') || isAsked);
}

/** True if the clause asks what is or was so, and not what a change costs or may do. */
export function asksForFacts(sentence: string, clause: string): boolean {
  return begins(clause, 'facts') && !has(sentence, 'cost') && !has(sentence, 'wondering');
}

/** True for a question of who did something, or when something was done to a number. */
export function asksWhoDid(said: string, words: readonly Word[]): boolean {
  if (WHO_DID.test(said)) return true;
  const isOrder = words.some(({ things }) => things.includes('portin') || things.includes('order'));
  const isDone = words.some(({ isPast, acts }) => isPast || acts.some((act) => DONE_TO_LINES.has(act)));
  return WHEN_DID.test(said) && isDone && !isOrder;
}

/** What colleagues do to requests, and "do" itself. */
const DECIDED = '(?:do|done|approve|decline|reject|confirm|decide)(?:d|ed)?';
const ACTOR: readonly string[] = [
  String.raw`\b(?:did|has|have|had)\s+NAME\s+(?:already\s+|just\s+|really\s+)?${DECIDED}\b`,
  String.raw`\bwhat\s+(?:else\s+)?(?:did|has|have|had)\s+NAME\s+(?:already\s+|just\s+)?(?!need|want|say|said|mean|ask|text|write|call)\p{L}+`,
  String.raw`\bNAME\s+(?:has\s+|had\s+|just\s+)?(?:did|done|approved|declined|confirmed)\b`,
];

/** True if this person of a sentence is the one who did something, and no customer. */
export function isActor(said: string, person: string): boolean {
  const name = person.replace(/[^\p{L}\p{M}\d'’ -]/gu, '');
  return ACTOR.some((pattern) => new RegExp(pattern.replace('NAME', name), 'iu').test(said));
}

const DONE_TO_LINES: ReadonlySet<string> = new Set(['park', 'activate', 'cancel', 'reactivate', 'block', 'unblock']);

function has(text: string, cue: keyof typeof PATTERNS): boolean {
  return PATTERNS[cue].some((pattern) => text.search(pattern) >= 0);
}

function begins(text: string, cue: keyof typeof PATTERNS): boolean {
  const rest = text.replace(GREETING, '');
  return PATTERNS[cue].some((pattern) => rest.search(pattern) === 0);
}
