/*
 * Wishes for another number of a line that there is: "swap 0103 for a new one", "change ava's number to a 646 one", "0105
 * needs a 312 area code". They are put into the words for that change, with the area code of the new number.
 */

const LINE = String.raw`(?:(?:line|number)\s+)?(?<!\d)[#…*]*(?:\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|\d{4})(?![\d-])`;
const NAME = String.raw`(?!(?:the|her|his|their|its|this|that|my|our|your|phone|area|sim|port\p{L}*|call\p{L}*|account|acct|billing)\b)\p{L}[\p{L}-]{1,20}?(?:\s+\p{L}[\p{L}-]{1,20}?)?`;
const NUMBER = String.raw`(?:(?:phone|mobile|cell|tel\p{L}*)\s+)?(?:number|nr|digits)\b`;
const AREA = String.raw`\(?(?<area>[2-9]\d\d)\)?(?![\d-])`;
const FROM = String.raw`\s+(?:in|from|with|of|near)\s+(?:the\s+)?(?:area\s*code\s*)?(?<place>[2-9]\d\d)(?![\d-])(?:\s*(?:area(?:\s*code)?|region|one))?`;
/** The number that the line is to get: "a 312 area code", "a new one", "another number in 646". */
const WISHED = String.raw`(?:(?:an?|the|one|another|some|any|new|different|other|fresh|better)\s+)*?(?:${AREA}\s*(?:one|${NUMBER}|area(?:\s*code)?|code)\b|area\s*code\s*(?<code>[2-9]\d\d)(?!\d)|(?:another|new|different|fresh|better|an\s+other)\s+(?:one|${NUMBER}|area\s*code)\b(?:${FROM})?|${NUMBER}\s+(?:in|with|from)\s+(?:the\s+)?area\s*code\s*(?<other>[2-9]\d\d)(?!\d))`;
const TO = '(?:to|into|for|with|against|by)';
const VERB = String.raw`(?:change|switch|swap|replace|exchange|trade)(?:s|d|ed|ping)?(?:\s+out)?`;
const ANY_VERB = String.raw`(?:change|switch|swap|replace|exchange|trade|renumber|convert|turn|move|update|make|set)(?:\s+out)?`;
const WHOSE = String.raw`(?:(?:the|her|his|their|its)\s+(?:(?:customer|client)['’]?s?\s+)?|(?:the\s+)?(?<owner>${LINE}|${NAME})(?:['’]s?|s)?\s+)`;

const WISHES: readonly RegExp[] = [
  // "Swap 0101 for a 415 number"
  String.raw`\b${ANY_VERB}\s+(?:(?<line>${LINE})|(?<owner>${NAME})(?:['’]s)?(?:\s+(?:line|number))?)\s+${TO}\s+${WISHED}`,
  // "Swap the number on 0104 to a 312 area code", "change ava's number 0103 for a new one"
  String.raw`\b${ANY_VERB}\s+(?:${WHOSE})?${NUMBER}(?:\s+(?:of|on|for)\s+(?<of>${LINE}|${NAME}))?(?:\s+(?<line>${LINE}))?\s+${TO}\s+${WISHED}`,
  // "Swap number 0103 in area code 312"
  String.raw`\b${VERB}\s+${WHOSE}${NUMBER}\s+(?<line>${LINE})(?:${FROM})?(?!\s+(?:to|into|onto|with|for)\b)`,
  String.raw`\b(?:swap|replace)\s+number\s+(?<line>${LINE})(?:${FROM})?(?!\s+(?:to|into|onto|with|for)\b)`,
  // "Change 0104s number", "change the number of ava"
  String.raw`\b${VERB}\s+(?:${WHOSE}${NUMBER}|(?:the\s+)?${NUMBER}\s+(?:of|on|for)\s+(?<of>${LINE}|${NAME}))(?!\s+(?:to|into|onto|with|for|of|on|from)\b|\s*['’])(?:${FROM})?`,
  // "Change the area code of 0105 to 312"
  String.raw`\b${VERB}\s+(?:${WHOSE})?area\s*codes?(?:\s+(?:of|on|for)\s+(?<of>${LINE}|${NAME}))?(?:\s+(?:to|into)\s+${AREA})?`,
  // "Ava hates her number 0103, wants a new one", "0105 needs a 312 area code", "ben's number 0102 should become a 720 one"
  String.raw`(?:(?<owner>${NAME})(?:['’]s)?\s+(?:(?:\p{L}+\s+){0,3}?(?:number|line)\s+)?)?(?<line>${LINE})[\s,;–—-]+(?:(?:and|but|so|s?he|they|now|customer|really|just|can|could)\s+)*(?:wants?|needs?|gets?|would\s+like|should\s+(?:get|have|be|become)|has\s+to\s+(?:get|have|become)|becomes?)\s+(?:to\s+(?:have|get|be)\s+)?${WISHED}`,
  // "Give 0104 a new number in 646"
  String.raw`\b(?:give|get|assign)\s+(?<line>${LINE})\s+${WISHED}`,
  // "Get ben a different number"
  String.raw`\b(?:give|get|assign)\s+(?<owner>${NAME})\s+an?\s+different\s+(?:${AREA}\s+)?${NUMBER}(?:${FROM})?`,
  // "She moved, wants a 312 number instead": with the line before it
  String.raw`\b(?:wants?|needs?|gets?|give\s+(?:her|him|them|it))\s+${WISHED}\s+instead\b`,
  // "Ben wants a different number, 0102", "customer wants her number changed"
  String.raw`\b(?:(?<owner>${NAME})\s+)?(?:wants?|needs?|asks?\s+for|asking\s+for|would\s+like|get|have)\s+(?:to\s+(?:have|get)\s+)?(?:(?:an?\s+)?(?:different|changed)\s+${NUMBER}(?:${FROM})?|${WHOSE.replace('owner', 'of')}${NUMBER}(?:\s+(?<line>${LINE}))?\s+(?:to\s+be\s+)?(?:changed|replaced|exchanged|swapped)\b(?!\s+(?:to|into|from|at)\b))`,
].map((pattern) => new RegExp(pattern, 'isu'));

/** A sentence about something else that changes, or about several lines. */
const ASIDE =
  /["“„]|\b(?:e-?sims?|sims?|card|plans?|packages?|filters?|routes?|devices?|handsets?|port(?:ed|ing|s|[\s-]?(?:in|out))?|pin|forward\w*|caller|call\s*back|account\s+number|contact|billing|notif\w*|alerts?|webhook|lines\s+of|numbers\s+of|how\s+much|who|when|why|did|was|were)\b/iu;
const GENERIC = /^(?:customers?|clients?|cust|s?he|they|it|we|i|you|to|and|line|number|who|somebody|someone|one)$/iu;

/** A wish is put in fewer characters. Longer texts are not compared with all of its turns of phrase. */
const LONGEST = 400;

/** The sentence as an order for another number of its line. Any other sentence as it is. */
export function withOtherNumber(text: string): string {
  if (text.length > LONGEST || ASIDE.test(text)) return text;
  const lines = [...text.matchAll(new RegExp(LINE, 'giu'))].map(([line]) => line.replace(/^(?:line|number)\s+/iu, ''));
  if (new Set(lines).size > 1) return text;
  const match = WISHES.map((pattern) => pattern.exec(text)).find((one) => one !== null);
  const { owner, of, area, code, place, other } = match?.groups ?? {};
  const names = [of, owner].filter((name) => name !== undefined && !GENERIC.test(name));
  const subject = lines[0] ?? names[0];
  if (!match || subject === undefined) return text;
  // The vocabulary has a word of its own for it, because "change the number of Ava" is anything that a line has.
  const wanted = area ?? code ?? place ?? other;
  const order = `${lines[0] === undefined ? 'swapnumber of' : 'change the number of'} ${subject}${wanted === undefined ? '' : `, area code ${wanted}`}`;
  const after = text.slice(match.index + match[0].length).replace(REASON, ', $<who>');
  return `${text.slice(0, match.index)}${order}${after}`;
}

/** "… he gets threats": the reason is a part of its own. */
const REASON = /^\s+(?<who>(?:s?he|they|it|customer|client)\s)/iu;

const BOTHERED =
  /\b(?:harass\w*|threat\w*|stalk\w*|spam\w*|scam\w*|prank\w*|robo\s?calls?|leaked|bullied|blackmail\w*|(?:wrong|nuisance|crank)\s+calls?)\b/iu;
const NEW_NUMBER = new RegExp(
  String.raw`\b(?:an?|another|the)\s+(?:(?:brand\s+)?new|fresh|other)\s+(?=${NUMBER})|\banother\s+(?=${NUMBER})`,
  'iu',
);

/** "Give Ben a new number" as an order for a different one, if he is bothered at the one that he has. */
export function asOtherNumber(order: string, why: string): string {
  return BOTHERED.test(why) ? order.replace(NEW_NUMBER, 'a different ') : order;
}
