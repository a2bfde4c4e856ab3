import { wordsOf } from '../../language/sentence.ts';

/* Greetings, thanks, and words that answer a question. */

const SMALL_TALK =
  /^(?!.*\d{3}|no\s+(?!thanks?\b|thank\b|problem\b|worries\b))(?:hi|hello|hey|help|thanks?|thank\s+you|ok|okay|yes|yep|no|nope|test|ping|do it|go ahead|approved?|confirm(?:ed)?|good\s+\w+|what can you do)\b[\s\w!.,?']{0,24}$/i;
/** Words that end something, alone. */
const NEVER_MIND = /^(?:stop|never\s*mind|forget\s+(?:it|that)|nothing|do\s?n['’]?o?t|leave\s+it)[\s!.]*$/i;
const YES = /^(?:yes|yep|yeah|do it|go ahead|approved?|confirm(?:ed)?|ok(?:ay)?)\b/i;
const ONLY_BUTTON = 'Only the button of an open question confirms anything; words do not';

/** How to answer a text that neither asks nor orders anything. Undefined for any other text. */
export function smallTalk(said: string): { why: string | undefined } | undefined {
  if (!NEVER_MIND.test(said) && (!SMALL_TALK.test(said) || orders(said))) return undefined;
  return { why: YES.test(said) ? ONLY_BUTTON : undefined };
}

/** True for "ok, suspend it": it orders something, and is no answer to a question. "Yes, suspend it" may be one. */
function orders(said: string): boolean {
  return (
    !/^\W*(?:yes|yep|yeah|do it|go ahead|approved?|confirm)/i.test(said) &&
    wordsOf(said).some(({ acts }) => acts.some((act) => ORDERS.has(act)))
  );
}

const ORDERS: ReadonlySet<string> = new Set(
  'cancel park activate reactivate block unblock allow remove portin portout swap watch text'.split(' '),
);
