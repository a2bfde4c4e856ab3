import { isPlanName } from '../facts/plans.ts';

/*
 * "Starter goes up to 19 a month", "our cost for ESIM-01 dropped to 0.40": the new price of a package or a product
 * is an order to set it, and so is "put the Starter price up to 17.50". A package is named by its noun or by a name that many packages have, a product by its code.
 */

const NAME = String.raw`(?:the\s+|our\s+)?(?!(?:what|which|who|whose|how|this|that|any)\b)(?<name>\p{L}[\p{L}\d]*(?:-[\p{L}\d]+)*)(?:\s+(?<noun>package|plan|bundle|tariff|product))?`;
const MOVES = String.raw`(?:(?:goes|went|go|is\s+going|gets|is\s+moving|moves|moved|climbs|climbed|rises|rose|falls|fell|drops|dropped|increases|increased|decreases|decreased|jumps|jumped|comes|came|changes|changed|is\s+raised|is\s+lowered|was\s+raised|was\s+lowered|went)(?:\s+(?:up|down|over))?(?:\s+from\s+[$€£]?\d+(?:[.,]\d+)?(?:\s*(?:usd|dollars?))?)?\s+to|(?:will\s+be|should\s+be|has\s+to\s+be|must\s+be|is)(?:\s+now)?)`;
const MONTHLY = String.raw`(?:\s*(?:a|per|each|every|\/)\s*(?:month|mo)\b|\s+monthly)`;
const AMOUNT = String.raw`[$€£]?(?<amount>(?!0\d)\d{1,5}(?:[.,]\d{1,2})?)(?!\s*(?:gb|mb|gigs?|%|lines?|numbers?))(?:\s*(?:usd|dollars?|bucks|\$|€))?`;
const END = String.raw`(?:[\s,]+(?:now|as\s+of\s+(?:now|today)|since\s+today|from\s+(?:now(?:\s+on)?|today(?:\s+on)?)|going\s+forward|starting\s+(?:now|today)|please|pls|instead))*(?<when>\s+(?:from|starting|as\s+of|beginning|effective)\s+(?!now\b|today\b)[\p{L}\d][\p{L}\d ]{2,24}?)?[\s.!]*$`;
const LEAD = String.raw`^\W*(?:(?:please|pls|hi|hey|ok|so|fyi|and|heads\s+up|note|(?:from|as\s+of|starting|since)\s+(?:now|today)(?:\s+on)?)[\s,:]+)*(?:(?:from|as\s+of|starting)\s+(?:next\s+month|january|february|march|april|may|june|july|august|september|october|november|december)(?:\s+on)?[\s,:]+)?`;
const MONEY = String.raw`(?:(?:monthly|list|base)\s+)?(?:price|cost|fee|charge)`;
const STATED = [
  String.raw`${LEAD}${NAME}\s+${MOVES}\s+${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  String.raw`${LEAD}(?:the\s+|our\s+)?(?:price|cost|fee)\s+(?:of|for|on)\s+${NAME}\s+${MOVES}\s+${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  String.raw`${LEAD}${NAME}(?:['’]s)?\s+${MONEY}\s+${MOVES}\s+${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  // "DATA-05 costs us 8 now": without a word of time, it may be a question.
  String.raw`(?=.*\b(?:now|from|since|today|as\s+of)\b)${LEAD}${NAME}\s+(?:now\s+)?costs?\s+(?:us\s+|them\s+)?(?:now\s+)?${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  String.raw`(?=.*\b(?:now|from|since|today|as\s+of)\b)${LEAD}(?:we|they)\s+(?:now\s+|are\s+)*(?:pay|charge|paying|charging|charged)(?:\s+us)?\s+(?:now\s+)?${AMOUNT}(?<monthly>${MONTHLY})?\s+for\s+${NAME}${END}`,
  // "Starter should cost 17.50"
  String.raw`${LEAD}${NAME}\s+(?:should|must|shall|will|(?:has|needs|is)\s+to)\s+(?:now\s+)?cost\s+(?:us\s+|them\s+)?${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  // "The price of Starter dropped, now 12"
  String.raw`${LEAD}(?:the\s+|our\s+)?(?:(?:price|cost|fee)\s+(?:of|for|on)\s+${NAME}|${NAME.replace(/<(name|noun)>/gu, '<$12>')}(?:['’]s)?\s+${MONEY})\s+(?:has\s+|just\s+)*(?:dropped|fell|rose|increased|decreased|changed|moved|(?:went|gone|is)\s+(?:up|down))[\s,;:–-]+(?:(?:it['’]?s|it\s+is|and|is|to|at)\s+)*now\s+(?:at\s+)?${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  // "Starter is too cheap, make it 19"
  String.raw`${LEAD}${NAME}\s+is\s+(?:(?:way|much|far|a\s+bit)\s+)*too\s+(?:cheap|expensive|low|high|dear|pricey)[\s,;.–-]+(?:(?:so|please|pls|let['’]?s|can\s+you|we)\s+)*(?:make|set|put|price|raise|lower|drop|bring)\s+(?:it|that|the\s+price)\s+(?:(?:up|down)\s+)?(?:(?:to|at)\s+)?${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  // "Starter at 19 from January on"
  String.raw`${LEAD}${NAME}\s+(?:at|for)\s+${AMOUNT}(?<monthly>${MONTHLY})?(?=\s+(?:from|starting|as\s+of|now|instead))${END}`,
  // "Our supplier raised ESIM-01 to 0.60", "we raised Starter by 2 dollars"
  String.raw`${LEAD}(?:(?:the|our)\s+)?(?:supplier|vendor|carrier|wholesaler|platform|we|they)\s+(?:(?:has|have|just|now|also)\s+)*(?:(?<rise>raised?|increased?|upped)|(?<fall>lower(?:ed)?|decreased?|cut|dropped|reduced?)|changed?|set|put)\s+(?:the\s+price\s+(?:of|for)\s+)?${NAME}(?:['’]s)?(?:\s+${MONEY})?\s+(?:(?:(?:up|down)\s+)?to|(?<by>by))\s+${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  // "Raise Starter to 17.50"
  String.raw`${LEAD}(?:(?:can|could|would|you|u|we|let['’]?s|i\s+want\s+to|need\s+to)\s+)*(?:raise|lower|bump|increase|decrease|reduce|cut|up)\s+${NAME}(?<!\bproduct)\s+(?:up\s+|down\s+)?to\s+${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  // "Make ESIM-01 2.25", "price Starter at 21"
  String.raw`${LEAD}(?:(?:can|could|would|you|u|we|let['’]?s|i\s+want\s+to|need\s+to)\s+)*(?:make|set|price|put)\s+${NAME}(?<!\bproduct)\s+(?:(?:at|to)\s+)?${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  // "Drop the price of Starter by 2"
  String.raw`${LEAD}(?:(?:can|could|would|you|u|we|let['’]?s|i\s+want\s+to|need\s+to)\s+)*(?:(?<rise>raise|increase|bump|up)|(?<fall>lower|decrease|reduce|cut|drop))\s+(?:the\s+|our\s+)?${MONEY}\s+(?:of|for|on)\s+${NAME}\s+(?<by>by)\s+(?!\d+\.\d)${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
  // "Put the Starter price up to 17.50"
  String.raw`${LEAD}(?:(?:can|could|would|you|u|we|let['’]?s|i\s+want\s+to|need\s+to)\s+)*(?:put|bring|take|get|move|set|raise|lower|drop|cut|bump|change|increase|decrease|reduce|push|adjust|update|make)\s+${NAME}(?:['’]s)?\s+${MONEY}\s+(?:(?:(?:up|down|back)\s+)?to|(?<step>up|down)\s+by)\s+${AMOUNT}(?<monthly>${MONTHLY})?${END}`,
].map((pattern) => new RegExp(pattern, 'iu'));
const CODE = /^\p{L}[\p{L}\d]*(?:-[\p{L}\d]+)*-\d[\p{L}\d]*$|^\p{Lu}[\p{Lu}\d]*(?:-[\p{Lu}\d]+)+$/u;

/** The order for the price. Any other sentence as it is. */
export function withStatedPrice(text: string): string {
  if (text.length > 160 || /\?\s*$|["“„]/u.test(text)) return text;
  for (const [at, pattern] of STATED.entries()) {
    const found = pattern.exec(text)?.groups ?? {};
    const { name = found.name2 ?? '', noun = found.noun2, amount = '', monthly = '', when = '' } = found;
    const step = found.by === undefined ? found.step : found.rise === undefined ? 'down' : 'up';
    const isProduct = noun === 'product' || CODE.test(name);
    const isPackage = isPlanName(name) || (noun !== undefined && !isProduct);
    // "Starter is 19" may be an answer, and says no price by itself.
    const isMoney = /[$€£]|usd|dollars?|bucks|\b(?:now|goes)\b|\d[.,]\d{2}(?!\d)/iu.test(text);
    const saysPrice = at > 0 || monthly !== '' || isMoney || isProduct;
    if (amount === '' || !saysPrice || (!isProduct && !isPackage)) continue;
    const [verb, to] = step === undefined ? ['change', 'to'] : [/^up$/iu.test(step) ? 'raise' : 'lower', 'by'];
    // A code in small letters is read as words.
    return isProduct
      ? `${verb} the cost of product ${CODE.test(name) ? name.toUpperCase() : name} ${to} ${amount}${step === undefined ? '' : ' dollars'}${when}`
      : `${verb} the price of the ${name} package ${to} ${amount}${step === undefined ? '' : ' dollars'}${monthly === '' ? '' : ' a month'}${when}`;
  }
  return text;
}
