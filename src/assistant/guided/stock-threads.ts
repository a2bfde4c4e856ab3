import { isOffer, type Meant, type Reading } from './topics.ts';

/*
 * "Check first if there are any", "any left there?" after the order for a new number: the numbers that may be bought in its
 * area, while the order stays open.
 */

const ASKS =
  /^\W*(?:(?:ok|okay|and|but|so|wait|hm+|please|pls|can|could|you|u)[\s,]+)*(?:(?:check|see|look)\s+(?:\p{L}+\s+){0,2}?(?:if|whether|what|which|availab\w*|stock)|(?:are|is)\s+(?:there\s+)?(?:any|some|enough|one|they|it)|any(?:\s+\p{L}+)?|do\s+(?:we|they|you)\s+have\s+(?:any|some|enough)|which\s+(?:ones\s+)?are|what(?:['’]?s|\s+is)\s+(?:left|available|free|there))\b/iu;
const STOCK = /\b(?:left|available|availability|free|in\s+stock|stock|there|any|exist|enough)\b/iu;
const OTHERS = /\d|\b(?:cost\w*|price|fee|missing|need\w*|waiting|problems?|issues?|news|update|risk|undo)\b/iu;

/** The search for numbers that may be bought. Undefined for other messages. */
export function ofStock(text: string, last: string, reading: Reading): Meant | undefined {
  if (text.length > 80 || !ASKS.test(text) || !STOCK.test(text) || OTHERS.test(text)) return undefined;
  const offer = reading.of(last);
  if (offer.operation !== 'numbers_provision' || !isOffer(offer, reading)) return undefined;
  const { AreaCode: area, ZipCode: zip } = offer.input;
  const where = typeof area === 'string' ? `area code ${area}` : typeof zip === 'string' ? `zip ${zip}` : undefined;
  if (where === undefined) return undefined;
  return { text: `show available numbers in ${where}`, kind: 'read', open: last };
}
