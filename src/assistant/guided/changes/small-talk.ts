import { wordsOf } from '../../../language/sentence.ts';
import { isComplaint } from '../answers/state-questions.ts';

/* Greetings, thanks, and words that answer a question. */

const SMALL_TALK =
  /^(?!.*\d{3}|approved?\s+(?!it\b|that\b|this\b|them\b|all\b|please\b|pls\b|now\b|thanks?\b|by\b|then\b|from\b|for\b)[a-z]|.*\b(?:happen\w*|news?|urgent|anything|something|wh?at|whats|up)\b|no\s+(?!thanks?\b|thank\b|problem\b|worries\b))(?:hi|hello|hey|hiya|heya|howdy|yo|hallo|greetings|help|thanks?|thx|thnx|ty|tysm|cheers|thank\s+you|ok|okay|yes|yep|yup|yeah|sure|alright|no|nope|(?:test|ping)(?!\s+(?:the|our|that|my|this)\b)|do (?:it|that)|please do|go ahead|approved?|confirm(?:ed)?|good\s+\w+)\b[\s\w!.,?']{0,24}$/i;
/** Words that end something, alone. */
const NEVER_MIND = /^(?:stop|never\s*mind|forget\s+(?:it|that)|nothing|do\s?n['’]?o?t|leave\s+it)[\s!.]*$/i;
const YES =
  /^(?:yes|yep|yup|yeah|sure|alright|do (?:it|that)|please do|go ahead|approved?|confirm(?:ed)?|ok(?:ay)?)\b/i;
const ONLY_BUTTON = 'Only the button of an open question confirms anything; words do not';

const MISREAD =
  'Nothing was done. Write what you mean with its number or name, such as “park 0103” or “what is the limit of 0103”';

/** A deed without anything that it is done to. */
const ONLY_DEED =
  /^\W*(?:(?:please|pls|plz|ok|okay|no|just)[\s,]+)*(cancel|disconnect|terminate|suspend|park|reactivate|activate|block|unblock|swap|delete)(?:[\s,]+(?:please|pls|plz|now|it\s+now))*[\s.!]*$/i;

/** Asks what can be asked for. */
const ABILITIES =
  /^(?!.*\b(?:without|yourself|on\s+your\s+own)\b)\W*(?:(?:hi+|hey+|hell?o+|hallo|yo|ok|help|so|and|good\s+\w+|morning|pls|please|just|there|all|team|everyone|everybody|folks|guys|bot|switchboard|question|quick\s+question|(?:i['’]?m|i\s+am|we['’]?re|we\s+are)\s+(?:\p{L}+\s+){0,2}?new(?:\s+(?:here|at\s+this|to\s+(?:this|it|the\s+team|switchboard)|in\s+the\s+team|on\s+the\s+team))?|(?:(?:it['’]?s|this\s+is)\s+)?my\s+first\s+(?:day|shift|week|time)(?:\s+(?:here|today))?|nice\s+to\s+meet\s+you)[\s,!.:;–—-]+)*(?:(?:what|wat|whta)(?:\s+(?:all|else|exactly))?\s+(?:can|could|do|are|r)\s+(?:you|u|i|we)(?:\s+able\s+to)?\s+(?:do|help|ask|say|write|type|send|for)\b.{0,30}|(?:how|hw)\s+(?:do|does|can|to)\s+(?:(?:i|we|you|u|this|it|that)\s+)?(?:use|work|talk|help)\b.{0,30}|(?:what\s+are\s+|show\s+(?:me\s+)?)?(?:(?:the|your|my|all|a|list|of)\s+)*(?:help|commands?|menu|options|examples?|manual|instructions)|(?:i\s+)?(?:need|want)\s+help|can\s+(?:you|u)\s+help(?:\s+me)?|who\s+are\s+(?:you|u)|what\s+(?:are|r)\s+(?:you|u)(?:\s+for)?)[\s?!.]*$/iu;

/** "Decline the first one", of questions that wait. */
const DECIDES =
  /^\W*(?:(?:please|pls|ok|okay|so|and|then|can|could|would|you|u|i|we|now|just|also)[\s,]+)*(?:decline|reject|deny|approve|confirm|accept)\s+(?:it|that|this|them|all(?:\s+of\s+them)?|both|everything|(?:the|this|that)\s+(?:(?:first|second|third|last|other|next|new|open|waiting)\s+)?(?:one|two|three|request|question|change)s?|the\s+(?:first|second|third|last|other|next|rest))(?:\s+(?:please|pls|too|now|for\s+me))*[\s.!?]*$/i;

/** The verb of a message that has nothing else. */
export function onlyDeed(said: string): string | undefined {
  return ONLY_DEED.exec(said)?.[1];
}

/** The answer to a text that neither asks nor orders anything. Undefined for any other text. */
export function smallTalk(said: string): { why: string | undefined } | undefined {
  // The abilities of filters have another answer.
  if (ABILITIES.test(said) && !/\bfilters?\b/i.test(said)) return { why: undefined };
  if (DECIDES.test(said))
    return { why: 'Words decide nothing. “What waits for me” shows the open questions, each with its buttons' };
  if (isComplaint(said)) return { why: MISREAD };
  const verb = onlyDeed(said);
  if (verb !== undefined)
    return {
      why: `“${verb}” alone does not say what. Write it with a number or a name, such as “${verb.toLowerCase()} 0103”`,
    };
  if (!NEVER_MIND.test(said) && (!SMALL_TALK.test(said) || orders(said) || greetsFor(said))) return undefined;
  return { why: YES.test(said) ? ONLY_BUTTON : undefined };
}

/**
 * True for "ok, suspend it" and "ok give it to Ava": it orders something, and is no answer to a question. "Yes, suspend it"
 * may be one.
 */
function orders(said: string): boolean {
  if (TURNS_BACK.test(said)) return true;
  const words = wordsOf(said);
  const isWhole = words.some(({ isUnknown, plain }) => isUnknown && plain.length > 2);
  if (isWhole && words.some(({ acts }) => acts.some((act) => !/^(?:decide|approve|send|show|need)$/.test(act))))
    return true;
  return (
    !/^\W*(?:yes|yep|yup|yeah|sure|alright|do it|do that|please do|go ahead|approved?|confirm)/i.test(said) &&
    words.some(({ acts }) => acts.some((act) => ORDERS.has(act)))
  );
}

/** True for "yo, ben reed pls": a greeting, and a name that is looked for. */
function greetsFor(said: string): boolean {
  const [, rest = ''] = /^\W*(?:hi|hello|hey|hiya|heya|howdy|yo|hallo)\s*,\s*(.+)$/is.exec(said) ?? [];
  return wordsOf(rest).some(({ isUnknown, plain }) => isUnknown && plain.length > 2);
}

/** "Ok she paid, back on please" undoes what was asked for, and is no yes to it. */
const TURNS_BACK = /\bback\s+(?:on|up)\b|\bon\s+again\b|\boff\b/i;

const ORDERS: ReadonlySet<string> = new Set(
  'find cancel park activate reactivate block unblock allow remove portin portout swap watch text'.split(' '),
);
