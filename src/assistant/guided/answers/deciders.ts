import { wordsOf } from '../../../language/sentence.ts';
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
  const decider = deciderIn(said);
  if (decider !== undefined) return decider;
  if (!asksDecision(said) && !asksWhoDecides(said) && !REMINDS.test(said)) return undefined;
  const name = ASKED.map((pattern) => pattern.exec(said)?.groups?.name).find((one) => one !== undefined);
  const isName = name !== undefined && wordsOf(name).every(({ isUnknown }) => isUnknown);
  return isName && !OTHERS.test(name) ? name : undefined;
}

/** Ends a question about a request: "it", "yet", "anything I asked today". */
const OF_REQUEST =
  /\b(?:it|that|this|them|those|yet|already|(?:any|every)thing\s+(?:i|we)|(?:what|those|all)\s+(?:i|we)|(?:my|our)\s+(?:requests?|questions?|changes?|cards?))\b/iu;
const SEES = String.raw`(?:see|saw|seen|look(?:ed)?\s+at|notice[d]?|get\s+to|got\s+to|(?:say|said|give|given)\s+(?:\p{L}+\s+){0,2}?(?:yes|no|ok|okay|go|nod)|approv\w+|confirm\w*|declin\w+|decid\w+|sign\w*)`;
const SEEN = new RegExp(String.raw`\b(?:did|has|have|had)\s+${NAME}${ADVERB}\s+${SEES}\b`, 'iu');

/** The colleague of whom a question asks whether that person saw or decided a request: "did lee see it yet". */
export function deciderIn(said: string): string | undefined {
  const name = SEEN.exec(said)?.groups?.name;
  if (name === undefined || /\d{3}/.test(said) || !OF_REQUEST.test(said) || OTHERS.test(name)) return undefined;
  return wordsOf(name).every(({ isUnknown }) => isUnknown) ? name : undefined;
}

const QUEUE = new RegExp(
  String.raw`^\W*(?:(?:so|and|ok|hey|please|pls|show|me|tell)[\s,]+)*(?=(?:what|whats|what['’]s|which|anything|something|is\s+there|does|has|how\s+many)\b)[^.;!?\d]*?(?:\b(?:for|does|has|is|do|can|must|should|what['’]?s)\s+)${NAME}\s+(?:\p{L}+\s+){0,4}?to\s+(?:approve|confirm|decide|sign(?:\s+off)?|ok|okay|decline)\b[^.;!?\d]{0,30}[\s.?!]*$`,
  'iu',
);

/** The colleague of whom a question asks what there is to decide: "what's Lee got to approve". Undefined for any other message. */
export function queueOf(said: string): string | undefined {
  const name = QUEUE.exec(said)?.groups?.name;
  if (name === undefined || OTHERS.test(name)) return undefined;
  return wordsOf(name).every(({ isUnknown }) => isUnknown) ? name : undefined;
}

const OTHERS =
  /^(?:he|she|they|him|her|them|it|that|this|you|we|i|us|me|any\p{L}*|some\p{L}*|every\p{L}*|nobody|who|an|the)$/iu;
const WHOM = String.raw`(?<whom>him|her|them|the\s+(?:approvers?|supervisors?|lead|boss|manager|team)|(?:some|any)(?:one|body)|\p{L}[\p{L}-]+)`;
/** "Remind him", "chase lee about it": a reminder of the request that waits, without a text for it. */
export const REMINDS = new RegExp(
  String.raw`${LEAD}(?:remind|chase(?:\s+up)?|nudge|poke|prod|bump|ping|hurry|push|follow\s+up\s+with|check\s+(?:back\s+)?with)\s+${WHOM}(?:\s+up)?(?:[\s,]+(?:again|please|pls|then|now|too|asap|today|later|for\s+me|(?:(?:about|of|on)\s+(?:it|that|this|(?:the|my|our)\s+(?:request|approval|order|change|card|question)))|to\s+(?:approve|confirm|decide|ok|answer|look(?:\s+at)?|sign(?:\s+off)?|press)(?:\s+(?:it|that|this))?))*[\s.!?]*$`,
  'iu',
);
