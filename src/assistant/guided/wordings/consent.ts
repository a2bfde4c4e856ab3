/*
 * Consent to a price, beside an order: "reactivate 0107, charge is fine". It is the writer's own yes and no question about
 * the price. The card before the change says what it costs.
 */

const PRICE = String.raw`(?:(?:the|that|this|any|extra|recovery|his|her)\s+)*(?:charges?|fees?|costs?|prices?|(?:\$\s?)?\d{1,4}(?:\.\d\d)?\s*(?:usd|dollars?|bucks))`;
const FINE = String.raw`(?:fine|ok|okay|accepted|agreed|approved|understood|no\s+(?:problem|issue)|not\s+(?:a\s+problem|an\s+issue)|alright|all\s+right|cleared)`;
const CONSENT = new RegExp(
  String.raw`[\s,;(–-]*(?:\b(?:and|as|he|she|they|customer|we|i)\s+)*(?:${PRICE}\s+(?:is|are|['’]s|of\s+\S+\s+is)\s+${FINE}|(?:(?:is|are|['’]m|am)\s+)?(?:fine|ok|okay)\s+with\s+(?:the\s+)?${PRICE}|accepts?\s+(?:the\s+)?${PRICE}|agree[sd]?\s+(?:to|with)\s+(?:the\s+)?${PRICE})(?:\s+(?:with|for|by)\s+(?:me|us|him|her|them|the\s+customer))?\)?`,
  'giu',
);

/** "I have the consent of the customer, cancel 0101": the writer has it. */
const HAS_CONSENT =
  /^(?<lead>\W*)(?:(?:i|we)(?:['’]ve|\s+have)?\s+(?:(?:now|already|also)\s+)*(?:have|got|obtained|received)?\s*|with\s+)(?:the\s+|an?\s+)?(?:written\s+|full\s+)?(?:(?:customer|client|subscriber|her|his|their)(?:['’]?s)?\s+)?(?:consent|ok(?:ay)?|approval|permission|go[\s-]ahead|agreement|sign[\s-]?off)(?:\s+(?:of|from|by)\s+(?:the\s+)?(?:customer|client|subscriber|him|her|them|owner|account\s+holder))?[\s,;.:–-]+(?:(?:so|and|please|pls|you\s+can|go\s+ahead\s+and)[\s,]+)*(?=\p{L})/iu;

/** An order without the consent to its price. A question keeps its words. */
export function withoutConsent(text: string): string {
  return /\?/.test(text) || /^\W*(?:is|are|if|when|does|do|who|what|why|how)\b/i.test(text)
    ? text
    : text.replace(HAS_CONSENT, '$<lead>').replace(CONSENT, ' ');
}
