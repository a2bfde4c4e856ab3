import { isPlanName } from '../facts/plans.ts';

/*
 * Products that a sentence names by their stock code: "data-05" is one in small letters, too. Wishes about a product in a
 * package are put into orders: "starter should not have DATA-05 any more", "ESIM-01 in starter should cost 3".
 */

const SMALL =
  /(?<![\w@./:+-])(?!(?:top|line|number|area|step|part|option|plan|day|week|page|item|order|ticket|case|room|unit|apt|suite|covid|no|nr|wt|port|sip|ip|nod?|id|pin|zip|max|min|from|to|at|for)-)\p{Ll}{2,8}(?:-\p{Ll}{1,4})?-\d{1,3}(?![\w@/-]|\.\w)/gu;

/** The sentence with its stock codes in capital letters. */
export function withStockCodes(text: string): string {
  return text.replace(SMALL, (code) => code.toUpperCase());
}

const CODE = String.raw`(?<code>\p{Lu}[\p{Lu}\d]*(?:-[\p{Lu}\d]+)+|[Ee][- ]?[Ss][Ii][Mm])`;
const PACK = String.raw`(?:[Tt]he\s+|[Oo]ur\s+)?(?<pack>\p{L}[\p{L}\d-]*(?:\s+(?:[Pp]lus|[Mm]ax))?)(?<noun>\s+(?:package|plan|bundle))?`;
const LEAD = String.raw`^\W*(?:(?:[Pp]lease|[Pp]ls|[Hh]i|[Hh]ey|[Oo]k|[Ss]o|and)[\s,]+)*`;
const LACKS = new RegExp(
  String.raw`${LEAD}${PACK}\s+(?:(?:should|must|shall|may|can)\s*(?:not|n['’]?t)\s+(?:have|include|contain|come\s+with|hold)|(?:should|must|shall)\s+no\s+longer\s+(?:have|include|contain|come\s+with)|no\s+longer\s+(?:has|includes?|contains?|comes\s+with)|(?:should|must)\s+(?:lose|drop)|loses)\s+(?:the\s+)?${CODE}(?:\s+(?:any\s*more|any\s+longer|now|please|pls))*`,
  'u',
);
const HAS = new RegExp(
  String.raw`${LEAD}${PACK}\s+(?:(?:should|must|shall|needs\s+to|has\s+to|ought\s+to)\s+(?:also\s+|now\s+)*(?:have|include|contain|come\s+with|get)|(?:now|also)\s+(?:includes?|contains?|comes\s+with|gets))\s+(?:the\s+)?${CODE}`,
  'u',
);
const COSTS = new RegExp(
  String.raw`${LEAD}(?:[Tt]he\s+|[Oo]ur\s+)?${CODE}(?:\s+(?:item|product|profile|card|entry))?\s+(?:in|inside|of|within|on)\s+(?:(?:the|our)\s+)?(?:(?:package|plan|bundle)\s+)?${PACK}\s+(?:(?:should|must|has\s+to|needs\s+to|will)\s+(?:now\s+)?(?:cost|be)|(?:is|costs)\s+now|now\s+costs|goes\s+(?:up\s+|down\s+)?to)\s+(?<price>[$€£]?\d{1,5}(?:[.,]\d{1,2})?)(?!\s*(?:gb|mb))`,
  'u',
);
const NAMED = new RegExp(
  String.raw`${LEAD}(?:(?:[Tt]he\s+)?(?:sku|SKU|product)\s+)?${CODE}\s+(?:is|should\s+be|will\s+be|must\s+be)\s+(?:now\s+)?(?:called|named|described\s+as)\s+["“]?(?<name>[\p{L}\d][^"”“,.;!?]{1,60}?)["”]?(?:\s+(?:now|from\s+now\s+on|please|pls))*[\s.!]*$`,
  'u',
);
const FREE = new RegExp(
  String.raw`\b(?<deed>(?:add|put|include|throw)\s+(?:in\s+)?(?:the\s+)?${CODE}\s+(?:in|into|to|onto)\s+${PACK})\s*,?\s+(?:for\s+free|at\s+no\s+(?:extra\s+)?(?:cost|charge)|free\s+of\s+charge|for\s+nothing|gratis)`,
  'u',
);

/** "New product 10 GB of data, sku DATA-10, 8 usd monthly": its description is before its other values. */
const MAKES = new RegExp(
  String.raw`${LEAD}(?:(?:[Cc]reate|[Aa]dd|[Mm]ake|[Ss]et\s*up|[Dd]efine)\s+(?:an?\s+)?)?(?:[Nn]ew\s+)?product\s*[:–-]?\s+(?!(?:called|named|for|with|sku|SKU|at|is|of)\b|[^,]*\b(?:to|into|in|from|on)\s)(?<name>[\p{L}\d][^,;"“”?!]{2,60}?)\s*,\s*(?=.*(?:\bsku\b|\bSKU\b|[$€]|\busd\b|\bdollars?\b|\bbucks\b|\bmonth|\bonce\b|\bcosts?\b|\bprice\b))(?<=(?:[Nn]ew|[Cc]reate|[Aa]dd|[Mm]ake|[Dd]efine|[Ss]et\s*up)\b.*)`,
  'u',
);
/** "Make a new addon named Hot Spot for Globex": the platform calls it a feature. */
const ADD_ON = new RegExp(
  String.raw`${LEAD}(?:(?:[Cc]an\s+you|[Ww]e\s+need\s+to|[Ww]e\s+need)\s+)*(?:[Cc]reate|[Mm]ake|[Aa]dd|[Ss]et\s*up|[Dd]efine|[Nn]ew|an?)\s+(?:(?:an?|the|another|new)\s+)*(?:add-?on|[Ff]eature)\s+(?:called|named)\s+["“]?(?<name>[\p{L}\d][^"”“,.;!?]{1,60}?)["”]?(?<whose>\s+(?:for|on|in)\s+\p{L}[^,.;!?]*?)?[\s.!]*$`,
  'u',
);

/** The order that a wish about a product means. Any other sentence as it is. */
export function withProductWish(text: string): string {
  if (text.length > 160 || /\?\s*$/u.test(text)) return text;
  for (const [pattern, order] of ORDERS) {
    const found = pattern.exec(text)?.groups;
    const isPack = found?.pack === undefined || found.noun !== undefined || isPlanName(found.pack);
    if (found && isPack) return text.replace(pattern, () => order(found));
  }
  return text;
}

type Found = Readonly<Record<string, string | undefined>>;
const ORDERS: readonly (readonly [pattern: RegExp, order: (found: Found) => string])[] = [
  [LACKS, ({ code, pack }) => `take ${code} out of the ${pack} package`],
  [HAS, ({ code, pack }) => `add ${code} to the ${pack} package`],
  [COSTS, ({ code, pack, price }) => `change the price of ${code} in ${pack} to ${price}`],
  [NAMED, ({ code, name }) => `change the description of product ${code} to "${name}"`],
  [MAKES, ({ name }) => `create a product called "${name}", `],
  [ADD_ON, ({ name, whose = '' }) => `create a feature called "${name}"${whose}`],
  [FREE, ({ deed }) => `${deed} for 0 dollars`],
];
