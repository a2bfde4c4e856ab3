import type { Word } from '../../language/phrases.ts';

/* Tells a request for a change from a question about it and from a refusal of it. */

/** Maximum number of words between a negation and the word that it negates. */
const REACH = 4;
const NEGATIONS = new Set([
  'not',
  'never',
  'dont',
  'without',
  'nobody',
  'avoid',
  'wont',
  'cannot',
  'rather',
  'instead',
  'against',
]);
/** Words that ask to wait with something. */
const HOLDING =
  /\b(?:hold off|wait with|no need to|not yet|changed my mind|forget about|nevermind|never mind|(?:stop|halt|prevent)\s+(?:\w+\s+)?cancell?(?:ation|ing))\b/i;

/** "Can you cancel", "I want to cancel": requests, although they look like questions or wishes. */
const REQUEST =
  /^\s*(?:(?:hi|hey|hello|please|pls|ok|okay|and|also|so)[\s,]+)*(?:can|could|would|will)\s+(?:you|we|u|someone|somebody)\b|^\s*(?:please\s+)?(?:can|could|may)\s+i\s+(?:get|have|please)\b/i;
const POLITE = /\b(?:please|pls|plz|kindly)\b/i;
const ABOUT_COST =
  /\b(?:how much|what(?:'s| is| would| will| does)?[^.?!]{0,30}\bcosts?|costs?\b|prices?\b|fees?\b|expensive|charged?\b|refund|for free)\b/i;
const QUESTION =
  /^\s*(?:(?:hi|hey|hello|please|ok|okay|and|also|so|but|just)[\s,]+)*(?:what|why|when|who|whose|how|is|are|was|were|am|did|does|do|has|have|had|should|shall|would|could|can|may|might|which|where|any|if)\b/i;
const WONDERING =
  /\b(?:what happens|what if|happens if|how (?:do|can|to|would|does)|is it possible|am i allowed|do i need|should (?:i|we)|who (?:cancelled|changed|did|asked|approved)|wondering|in case|unclear|unsure|not sure|whether|threat(?:s|ens?|ening)|tempted|(?:asks?|asked|asking|wonders?|to know)\s+(?:me |us )?(?:if|about|what|how)|(?:can|could) (?:we|i|you|they) (?:still|even|ever)|(?:he|she|they|customer|client|subscriber|caller) (?:wanted|planned|meant|was going) to|thinking (?:of|about)|considering)\b/i;
/** Told by others or past: "customer asked whether we could cancel". */
const REPORTED =
  /(?<!\b(?:undo|reverse|revert)\s+)\bthe\s+cancel(?:l?ation|l?ing)?\s+of\b|\b(?:was|were|got|been|has|had|already|accidentally)\s+(?:\w+\s+){0,2}?(?:cancelled|canceled|disconnected|reactivated|ported|suspended|parked|deleted|terminated)\b/i;

/** True if the clause says not to do what the phrase names. */
export function isNegated(words: readonly Word[], phrase: readonly string[]): boolean {
  if (HOLDING.test(words.map(({ typed }) => typed).join(' '))) return true;
  const acts = words.findIndex(({ means }) => means.some((one) => one === phrase[0] || phrase.includes(one)));
  const verb = phrase[0] ?? '';
  const at = words.findIndex(({ means }) => means.includes(verb));
  const end = at < 0 ? acts : at;
  if (end < 0) return false;
  return words.slice(Math.max(0, end - REACH), end).some(({ typed }) => NEGATIONS.has(typed.toLowerCase()));
}

/**
 * True if the sentence asks about a change, its cost or its past, and not for it.
 *
 * @param isAsked a question mark ends the clause
 */
export function isAboutIt(sentence: string, clause: string, isAsked: boolean): boolean {
  if (ABOUT_COST.test(sentence) || WONDERING.test(sentence) || REPORTED.test(clause)) return true;
  if (REQUEST.test(clause) || REQUEST.test(sentence)) return false;
  return QUESTION.test(clause) || (isAsked && !POLITE.test(clause));
}
