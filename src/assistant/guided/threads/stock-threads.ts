import { KIND_WORDS } from '../../../../tools/shared/choice-words.ts';
import { isOffer, type Meant, type Reading } from '../answers/topics.ts';

/*
 * "Check first if there are any", "any left there?" after the order for a new number: the numbers that may be bought in its
 * area, while the order stays open.
 */

const ASKS =
  /^\W*(?:(?:ok|okay|and|but|so|wait|hm+|please|pls|can|could|you|u)[\s,]+)*(?:(?:check|see|look)\s+(?:\p{L}+\s+){0,2}?(?:if|whether|what|which|availab\w*|stock)|(?:are|is)\s+(?:there\s+)?(?:any|some|enough|one|they|it)|any(?:\s+\p{L}+)?|do\s+(?:we|they|you)\s+have\s+(?:any|some|enough)|which\s+(?:ones\s+)?are|what(?:['’]?s|\s+is)\s+(?:left|available|free|there))\b/iu;
const STOCK = /\b(?:left|available|availability|free|in\s+stock|stock|there|any|exist|enough)\b/iu;
const OTHERS = /\d|\b(?:cost\w*|price|fee|missing|need\w*|waiting|problems?|issues?|news|update|risk|undo)\b/iu;

/** "Ok 2 of them for Acme", "get me one from there", after a question of what an area has. */
const BUYS =
  /^\W*(?:(?:ok|okay|yes|yeah|great|good|then|so|and|please|pls|let['’]?s|lets|we|i|you|u|can|could|will|want|need|to|get|give|take|order|buy|grab|book|have|me|us|['’]?ll)[\s,]+)*(?<count>\d{1,2}|an?|one|two|three|four|five|six|a\s+couple(?:\s+of)?|a\s+few)\s+(?:(?:of\s+(?:them|those|these)|from\s+(?:there|those|them)|there|more|numbers?|lines?)\s+)*(?:(?:please|pls)\s+)?for\s+(?<who>(?!(?:me|us|it|that|this|him|her|them|now|today)\b)[^,.;!?]{2,40}?)(?<rest>,[^?]*)?\s*[.!]*$/iu;

/** The order for numbers of the area that was asked about. Undefined for other messages. */
function ofBought(text: string, last: string, reading: Reading): Meant | undefined {
  const { count = '', who = '', rest = '' } = BUYS.exec(text)?.groups ?? {};
  const before = who === '' ? undefined : reading.of(last);
  const area = before?.operation === AVAILABLE ? before.input.AreaCode : undefined;
  if (typeof area !== 'string') return undefined;
  const isOne = /^(?:an?|one|1)$/iu.test(count);
  const kind = KINDS.find((one) => new RegExp(`\\b${one}\\b`, 'iu').test(last));
  const what = kind === undefined ? '' : `${kind} `;
  const full = `${isOne ? `new ${what}number` : `order ${count} new ${what}numbers`} in area code ${area} for ${who.replace(/\s+(?:please|pls|then|too)$/iu, '')}`;
  if (!isOffer(reading.of(full), reading)) return undefined;
  const left = rest.replace(/^[\s,]+|[\s.!]+$/gu, '');
  return {
    text: full,
    kind: 'read',
    ...(left !== '' && { note: `Not taken: “${left}”: each number is ordered by itself` }),
  };
}

const KINDS = Object.keys(KIND_WORDS);
const AVAILABLE = 'numbers_availability';

/** The search for numbers that may be bought, or the order for some of them. Undefined for other messages. */
export function ofStock(text: string, last: string, reading: Reading): Meant | undefined {
  const bought = ofBought(text, last, reading);
  if (bought) return bought;
  if (text.length > 80 || !ASKS.test(text) || !STOCK.test(text) || OTHERS.test(text)) return undefined;
  const offer = reading.of(last);
  if (offer.operation !== 'numbers_provision' || !isOffer(offer, reading)) return undefined;
  const { AreaCode: area, ZipCode: zip } = offer.input;
  const where = typeof area === 'string' ? `area code ${area}` : typeof zip === 'string' ? `zip ${zip}` : undefined;
  if (where === undefined) return undefined;
  return { text: `show available numbers in ${where}`, kind: 'read', open: last };
}
