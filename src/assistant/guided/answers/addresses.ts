/* Addresses of customers. The platform keeps those of accounts alone, and that of a port-in order. */

/** A sentence about where a customer lives: "ava moved to 12 Oak St", "her new adress". */
const ABOUT =
  /\b(?:new|current|correct|home|street|postal|updated?|change[ds]?|her|his|their|\p{L}+['’]?s|fix|wrong|customer)\s+(?:\p{L}+\s+){0,2}?add?ress\b|\badd?ress\s+(?:of|for|is|changed|change|has|to)\b|\b(?:moved|moving|moves|relocated|relocating)\s+(?:house\b|home\b|to\s+(?:a\s+new\s+(?:place|house|home|flat|apartment|address)\b|(?:the\s+)?zip\b|\d{5}\b|\d{1,5}\s+(?!gb|mb|gigs?|megs?)[\p{L}\d]+\s+[\p{L}\d]+))|\bzip(?:\s*code)?\s+(?:of|for|on)\b|\blives?\s+(?:at|on|in)\s|\bwhere\s+(?:does|do)\s.*\blives?\b|\b(?:new|her|his|their|customer['’]?s|\p{L}+['’]s)\s+(?:new\s+)?zip\b|\bnow\s+lives\b/iu;
/** Matches other addresses, such as that of an account, a webhook or a trunk. */
const OF_OTHERS =
  /\b(?:billing|mailing|account|company|invoice|e-?mail|mail|web|webhook|url|ip|route|trunk|server|port|ports|ported|porting|order|carrier|transfer|https?)\b|\bJNUOID-|@/iu;

/** An order, of which an address is only the reason. */
const ORDERS =
  /^\W*(?:(?:please|pls|plz|hi|hey|can|could|you|u)\W+)*(?:cancel|park|suspend|hold|freeze|pause|activate|reactivate|block|unblock|swap|port|disconnect|terminate|give|assign|text|tell)\b/iu;

const STREET = String.raw`(?<![\d-])\d{1,5}[A-Z]?\s+(?:(?!(?:to|is|for|at|on|of|and|now|in|the)\b)(?:\p{L}[\p{L}.'’]*|\d+(?:st|nd|rd|th))\s+){1,4}?(?:st|street|ave|avenue|rd|road|blvd|boulevard|ln|lane|dr|drive|way|ct|court|pl|place|hwy|highway|pkwy|parkway|sq|square|ter|terrace|cir|circle|trail|loop|row)\b\.?`;
const ZIP = String.raw`\d{5}(?:-\d{4})?(?!\d)`;
const CITY = String.raw`\p{Lu}[\p{L}.'’]+(?:\s+\p{Lu}[\p{L}.'’]+){0,2}`;
/** A street with what follows it, a city with its state and ZIP, or a ZIP. */
const WRITTEN: readonly RegExp[] = [
  new RegExp(
    String.raw`${STREET}(?:[^.;!?]{0,60}?\b${ZIP}|(?:,?\s*(?:apt|apartment|unit|suite|ste|floor|#)\.?\s*\w+)?(?:,\s*\p{L}[\p{L}.'’]+(?:\s+\p{L}[\p{L}.'’]+){0,2}(?=\s*(?:$|[.;!?])))?)`,
    'iu',
  ),
  new RegExp(String.raw`(?:${CITY},?\s+)?\b[A-Z]{2}\s+${ZIP}`, 'u'),
  new RegExp(
    String.raw`(?<=\b(?:zip(?:\s*code)?(?:\s+(?:of|for|on)\s+\S+)?|mov(?:ed|ing|es)|relocat(?:ed|ing))\s*(?:is\s+|was\s+|changed\s+|to\s+|now\s+|:\s*|=\s*)*)${ZIP}`,
    'iu',
  ),
];

/** Why an address of a customer changes nothing. Undefined for other sentences. */
export function onAddress(said: string): string | undefined {
  if (!isOfCustomer(said) || ORDERS.test(said)) return undefined;
  return 'A subscriber has no address at the platform, so there is nothing to change. Only an account has one: “change the billing address of ACCOUNT”';
}

const BESIDE_MAIL =
  /[\s,]*\b(?:and|plus|also|,)\s+(?:(?:change|set|update|the|her|his|their|a|new)\s+)*(?:zip(?:\s*code)?|(?:home\s+|street\s+)?add?ress)\s+(?:(?:to|is|now|as|should|be|=|:)\s*)*\uE000/iu;

/** The sentence without the address of a customer, whose digits are no number of a line. */
export function withoutAddress(text: string): { text: string; address?: string } {
  const found = isOfCustomer(text) ? WRITTEN.map((pattern) => pattern.exec(text)).find((one) => one !== null) : null;
  const address = found?.[0];
  if (address === undefined) return { text };
  // Beside an e-mail address, the rest of the sentence is read without this one.
  const beside = text.match(MAIL) ? BESIDE_MAIL.exec(text.replace(address, '\uE000'))?.[0] : undefined;
  if (beside !== undefined)
    return {
      text: text.replace(beside.replace('\uE000', address), ''),
      address: `${address}: a subscriber has no address`,
    };
  const isZip = /^\d{5}/.test(address);
  return { text: text.replace(address, isZip ? ' ' : 'a new address'), address: address.trim() };
}

function isOfCustomer(text: string): boolean {
  const rest = text.replace(MAIL, ' ');
  return ABOUT.test(rest) && !OF_OTHERS.test(rest);
}

/** An address of e-mail, which says nothing of a home. */
const MAIL = /\be-?mail(?:\s+add?ress)?\b|\S+@\S+/giu;
