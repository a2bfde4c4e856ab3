import { wordsOf } from '../../../language/sentence.ts';
import type { Meant, Reading, Topic } from '../answers/topics.ts';

/*
 * "Put Ben on it" and "what else do we have" after a question about a plan: a subscription to the plan that was named, and
 * the list of all plans. Where only its customer was named, `subjects.ts` finds the plan.
 */

const ELSE =
  /^\W*(?:(?:and|so|ok|okay|but)[\s,]+)*(?:what|which)\s+(?:else|others?|other\s+(?:ones?|plans?|packages?))(?:\s+(?:do\s+we\s+have|have\s+we\s+got|are\s+there|is\s+there|(?:can|could|may|might|would)\s+(?:we|i|you|s?he|they|it|the\s+customer)\s+(?:offer|sell|get|have|take|pick|choose|(?:switch|move|change|go)\s+to|be\s+on)))?(?:\s+(?:to\s+(?:offer|sell)|for\s+\S+))?[\s.!?]*$/iu;
const OPTIONS =
  /^\W*(?:(?:and|so|ok|okay|but)[\s,]+)*(?:(?:any(?:thing)?|is\s+there\s+(?:any(?:thing)?|something)|something|what(?:['’]?s|\s+is)|which(?:\s+one)?\s+is)\s+(?:plans?\s+)?(?:cheaper|cheapest|bigger|larger|smaller|better|else)|(?:any|what|which)\s+other\s+(?:options?|choices?|plans?|packages?)|what\s+(?:are\s+)?(?:his|her|their|the|our)\s+(?:other\s+)?(?:options|choices))(?:\s+(?:for|than|are)\s+[^.;!?]{1,30}|\s+(?:plans?|packages?|ones?|there|available))*[\s.!?]*$/iu;
const ONTO =
  /^\W*(?:(?:and|so|ok|okay|please|pls|can|could|you|u|we|now|then)[\s,]+)*(?:put|move|get|switch|set|subscribe|sign|add)\s+(?<who>[#…*]*\d{4}|\p{L}[\p{L}'’-]+(?:\s+\p{L}[\p{L}'’-]+)?)\s+(?:up\s+)?(?:on|onto|to|for)\s+(?:it|that|this|(?:the|that|this)\s+(?:same\s+)?(?:one|plan|package|bundle)|the\s+same)(?:\s+(?:too|also|as\s+well|please|pls))*[\s.!]*$/iu;

/** The full order or question of such a message. Undefined for other messages. */
export function ofPlanBefore(text: string, last: string, { part }: Topic, reading: Reading): Meant | undefined {
  const { input, narrow, operation = '' } = reading.of(last);
  const name = [input.Plan, input.PackageId, /package/.test(operation) ? narrow?.name : undefined].find(
    (one): one is string => typeof one === 'string' && one !== 'none',
  );
  if ((part === 'plan' || name !== undefined) && (ELSE.test(text) || OPTIONS.test(text)))
    return { text: 'which packages do we have', kind: 'read' };
  const who = ONTO.exec(text)?.groups?.who;
  if (name === undefined || who === undefined) return undefined;
  const isRecord = /\d/.test(who) || wordsOf(who).every(({ isUnknown }) => isUnknown);
  return isRecord ? { text: `subscribe ${who} to the ${name} package`, kind: 'read' } : undefined;
}
