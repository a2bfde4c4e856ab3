import { isPlanName } from './plans.ts';

/*
 * "Starter goes up to 19 a month", "our cost for ESIM-01 dropped to 0.40": the new price of a package or a product
 * is an order to set it. A package is named by its noun or by a name that many packages have, a product by its code.
 */

const NAME = String.raw`(?:the\s+|our\s+)?(?<name>\p{L}[\p{L}\d]*(?:-[\p{L}\d]+)*)(?:\s+(?<noun>package|plan|bundle|tariff|product))?`;
const MOVES = String.raw`(?:(?:goes|went|go|is\s+going|gets|is\s+moving|moves|moved|climbs|climbed|rises|rose|falls|fell|drops|dropped|increases|increased|decreases|decreased|jumps|jumped|comes|came|changes|changed|is\s+raised|is\s+lowered|was\s+raised|was\s+lowered|went)(?:\s+(?:up|down|over))?\s+to|(?:will\s+be|should\s+be|has\s+to\s+be|must\s+be|is)(?:\s+now)?)`;
const MONTHLY = String.raw`(?:\s*(?:a|per|each|every|\/)\s*(?:month|mo)\b|\s+monthly)`;
const AMOUNT = String.raw`[$€£]?(?<amount>\d{1,5}(?:[.,]\d{1,2})?)(?!\s*(?:gb|mb|gigs?|%|lines?|numbers?))(?:\s*(?:usd|dollars?|bucks|\$|€))?`;
const END = String.raw`(?:\s+(?:now|from\s+now(?:\s+on)?|going\s+forward|starting\s+(?:now|today)|please|pls|instead))*[\s.!]*$`;
const LEAD = String.raw`^\W*(?:(?:please|pls|hi|hey|ok|so|fyi|and|heads\s+up|note)[\s,:]+)*`;
const STATED = [
  String.raw`${LEAD}${NAME}\s+${MOVES}\s+${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  String.raw`${LEAD}(?:the\s+|our\s+)?(?:price|cost|fee)\s+(?:of|for|on)\s+${NAME}\s+${MOVES}\s+${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
].map((pattern) => new RegExp(pattern, 'iu'));
const CODE = /^\p{Lu}[\p{Lu}\d]*(?:-[\p{Lu}\d]+)+$/u;

/** The order for the price. Any other sentence as it is. */
export function withStatedPrice(text: string): string {
  if (text.length > 160 || /\?\s*$|["“„]/u.test(text)) return text;
  for (const [at, pattern] of STATED.entries()) {
    const { name = '', noun, amount = '', monthly = '' } = pattern.exec(text)?.groups ?? {};
    const isProduct = noun === 'product' || CODE.test(name);
    const isPackage = isPlanName(name) || (noun !== undefined && !isProduct);
    // "Starter is 19" may be an answer, and says no price by itself.
    const saysPrice = at > 0 || monthly !== '' || /[$€£]|usd|dollars?|bucks/iu.test(text) || isProduct;
    if (amount === '' || !saysPrice || (!isProduct && !isPackage)) continue;
    return isProduct
      ? `change the cost of product ${name} to ${amount}`
      : `change the price of the ${name} package to ${amount}${monthly === '' ? '' : ' a month'}`;
  }
  return text;
}
