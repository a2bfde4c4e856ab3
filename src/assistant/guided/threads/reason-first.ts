import { wordsOf } from '../../../language/sentence.ts';
import { values } from '../answers/thread-values.ts';

/*
 * A correction of what is offered behind its reason: "no wait he's 15, make it the teen one". The reason is none of the
 * correction.
 */

const REASON =
  /^\W*(?:(?:no|nope|wait|actually|sorry|oh|oops|ah|hm+|ok|okay|but|hang\s+on|hold\s+on)[\s,.!]+)*(?<why>(?:s?hes?|they|theyre|it|its|that|thats|we|i|im|(?:the|her|his|their|our|my)\s+\p{L}+|customer|client)(?:['’](?:s|re|m|d|ve))?\s+[^,;.!?"“]{2,60}?)(?:\s*[,;.!–]+\s*|\s+-+\s+|\s+(?=so\b))(?:(?:so|then|please|pls|better|rather|just|and|can\s+you|could\s+you)[\s,]+)*(?<rest>(?:make|set|change|put|use|do|take|switch|go\s+with)\s+(?:it|that|this|him|her|them)\b[^?]*)$/iu;

/** The correction without its reason. Undefined for any other message. */
export function withoutReasonFirst(text: string, now: number): string | undefined {
  const { why, rest } = REASON.exec(text)?.groups ?? {};
  // "She found it, put it back" undoes what was offered.
  if (why === undefined || rest === undefined || /\bback\b/iu.test(rest)) return undefined;
  const isValue = values(why, now).some(({ kind }) => kind !== 'person');
  const orders = wordsOf(why).some(({ acts, isPast }) => !isPast && acts.some((act) => act !== 'trouble'));
  return isValue || orders ? undefined : rest;
}
