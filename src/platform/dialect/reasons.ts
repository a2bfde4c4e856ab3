import type { Fields } from '../../lib/json.ts';
import { plainLine } from '../../lib/text.ts';
import type { AnswerShape } from './answer-shape.ts';
import { memberOf } from './members.ts';

/* The states that mean that work was not done, and the reason that the platform gives. */

/** Maximum length of a reason, a state or a name in a result, in characters: what a card can show. */
export const MAX_REASON = 300;
/**
 * Prefixes of states that mean that the work was not done, in any letter case (PLATFORM.md, Cancellation: `Failed`;
 * Orders: `Rejected`; assumed: the other words, and that more text may follow).
 */
const FAILED = /^(fail|error|unsuccess|refus|reject|declin|den(y|ied)\b|not\b|unable|invalid|abort|undeliver)/i;

/** True for a state that begins like a failure. */
export function startsAsFailed(state: string): boolean {
  return FAILED.test(state);
}

/** True for a state in which nothing was done, by its words or because the operation lists it. */
export function isFailedState(word: string, shape: AnswerShape): boolean {
  return (
    startsAsFailed(word) || (shape.refusedStates ?? []).some((state) => state.toLowerCase() === word.toLowerCase())
  );
}

/** The reason in an answer or in a row of it; empty if there is none. */
export function reasonOf(row: Fields): string {
  const names = ['Reason', 'ErrorMessage', 'Error', 'StatusMessage', 'OrderStatusMessage', 'Message'];
  const text = names
    .map((name) => memberOf(row, name))
    .find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof text === 'string' ? plainLine(text, MAX_REASON) : '';
}
