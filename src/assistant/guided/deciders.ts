import { wordsOf } from '../../language/sentence.ts';
import { asksDecision, asksWhoDecides } from './state-questions.ts';

/* The colleague whom a message about a decision names: "did lee agree", "does that need lee", "remind lee". */

const LEAD = String.raw`^\W*(?:(?:ok|okay|so|then|and|but|well|hey|hm+|please|pls|now|just|maybe|(?:can|could|would|will|should)\s+(?:you|u|we|i)|let['’]?s)[\s,]+)*`;
const NAME = String.raw`(?<name>\p{L}[\p{L}-]+)`;
const ADVERB = String.raw`(?:\s+(?:already|just|now|really|even|still|also|finally|ever))*`;
export const DECIDES = String.raw`(?:approv|confirm|declin|reject|decid|agree|ok(?:ay)?(?:['’]?e?d|s)?\b|sign|say|said|says|answer|react|respond|repl|look|see|saw|seen|press|click|give|gave|given)\p{L}*`;
const ASKED = [
  new RegExp(String.raw`\b(?:did|has|have|had|does|will|would|can|must|should)\s+${NAME}${ADVERB}\s+${DECIDES}`, 'iu'),
  new RegExp(String.raw`\b(?:needs?|requires?|wait(?:s|ing)?\s+(?:for|on))\s+${NAME}(?:['’]s)?\b`, 'iu'),
  new RegExp(String.raw`\b(?:remind|chase|nudge|poke|prod)\s+${NAME}\b`, 'iu'),
];

/** The colleague whom a message about a decision names. Undefined for any other message. */
export function colleagueIn(said: string): string | undefined {
  if (!asksDecision(said) && !asksWhoDecides(said) && !REMINDS.test(said)) return undefined;
  const name = ASKED.map((pattern) => pattern.exec(said)?.groups?.name).find((one) => one !== undefined);
  const isName = name !== undefined && wordsOf(name).every(({ isUnknown }) => isUnknown);
  return isName && !OTHERS.test(name) ? name : undefined;
}

const OTHERS =
  /^(?:he|she|they|him|her|them|it|that|this|you|we|i|us|me|any\p{L}*|some\p{L}*|every\p{L}*|nobody|who|an|the)$/iu;
const WHOM = String.raw`(?<whom>him|her|them|the\s+(?:approvers?|supervisors?|lead|boss|manager|team)|(?:some|any)(?:one|body)|\p{L}[\p{L}-]+)`;
/** "Remind him", "chase lee about it": a reminder of the request that waits, without a text for it. */
export const REMINDS = new RegExp(
  String.raw`${LEAD}(?:remind|chase(?:\s+up)?|nudge|poke|prod|bump|ping|hurry|push|follow\s+up\s+with|check\s+(?:back\s+)?with)\s+${WHOM}(?:\s+up)?(?:[\s,]+(?:again|please|pls|then|now|too|asap|today|later|for\s+me|(?:(?:about|of|on)\s+(?:it|that|this|(?:the|my|our)\s+(?:request|approval|order|change|card|question)))|to\s+(?:approve|confirm|decide|ok|answer|look(?:\s+at)?|sign(?:\s+off)?|press)(?:\s+(?:it|that|this))?))*[\s.!?]*$`,
  'iu',
);
