import type { Fields } from '../../../lib/json.ts';
import type { GuidedAnswer } from '../answers/answer.ts';
import { isOnCard } from '../answers/coverage.ts';

/*
 * A question for something of a line or a customer that no record has: "what phone model is on 0103", "what's ava's
 * birthday". The card does not answer it, and the answer says so.
 */

const LINE = String.raw`(?:(?:line|number)\s+)?[#…*]*(?:\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|\d{4})(?!\d)`;
const LEADS = String.raw`^\W*(?:(?:hi|hey|so|and|ok|please|pls|can|could|you|u|tell|me|check|know|see|do|we|i|need|to)[\s,]+)*`;
const OWNER = String.raw`(?:(?:the|her|his|their|its|our|${LINE}|\p{L}[\p{L}-]*(?:\s+\p{L}[\p{L}-]*)?)['’]?s?\s+)`;
const NOUN = String.raw`(?<noun>\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+){0,2}?)`;
const ENDS = String.raw`(?=\s+(?:is|are|was|does|do|did|has|have|had|on|of|for|in|with)\b|\s+${LINE}|\s*[?.!]*\s*$)`;
const ASKS: readonly RegExp[] = [
  // "What phone model is on 0103", "which device does ava have"
  String.raw`${LEADS}(?:what|which)\s+(?:kind\s+of\s+|sort\s+of\s+|type\s+of\s+)?${NOUN}${ENDS}`,
  // "What's ava's birthday", "what is the model of 0103"
  String.raw`${LEADS}what(?:['’]?s|\s+is|\s+are|\s+was)\s+${OWNER}${NOUN}${ENDS}`,
  // "How old is ava"
  String.raw`${LEADS}how\s+${NOUN}\s+(?:is|are)\b`,
  // "Is 0103 an android"
  String.raw`${LEADS}(?:is|was)\s+(?:${LINE}|\p{L}+)\s+an?\s+${NOUN}${ENDS}`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** Words that stand for nothing of a record: "what else", "what about", "which one". */
const OPEN =
  /^(?:about|next|last|first|latest|else|up|one|ones|exactly|happened|happens|wrong|going|new|now|do|does|did|is|are|the|a|an|it|that|this|many|much|long|often|come|lines?|numbers?|customers?|day|date|time|day\s+\p{L}+)\b/iu;

/** The input of a search or look-up for one line or customer, without conditions. */
function isPlain(input: Fields): boolean {
  return Object.keys(input).every((name) => name === 'Query' || name === 'PhoneNumber');
}

/** The fact that a question asks for, if the card that answers it does not have it. Empty for any other question. */
export function notOnRecord(guided: GuidedAnswer, said: string): string {
  const { operation, input, kind, facts = [], values = [] } = guided;
  const isCard = kind === 'lookup' && (operation === 'numbers_find' || operation === 'numbers_lookup');
  if (!isCard || !isPlain(input) || guided.isInstead || guided.lead || guided.narrow) return '';
  if (facts.length > 0 || values.length > 0) return '';
  const noun = ASKS.map((pattern) => pattern.exec(said)?.groups?.noun).find((one) => one !== undefined);
  const isHandset = /\b(?:devices?|handsets?|smartphones?)\b/iu;
  const carried = Object.values(input).join(' ').toLowerCase();
  if (
    noun === undefined ||
    OPEN.test(noun) ||
    carried.includes(noun.toLowerCase()) ||
    (isOnCard(noun) && !isHandset.test(noun))
  )
    return '';
  return `. No record here has “${noun}”: the card shows what is known`;
}
