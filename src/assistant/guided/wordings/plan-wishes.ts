import { wordsOf } from '../../../language/sentence.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { isPlanName } from '../facts/plans.ts';

/*
 * Wishes about the package of a line in other words than those of an order: "ava's plan must be starter", "let her have the
 * starter plan", "his bundle should go", "cancel ben's line and his plan".
 */

const POLITE = String.raw`(?<head>\W*${COURTESY})`;
const END = String.raw`(?:\s+(?:now|please|pls|plz|asap|today|instead|from\s+now\s+on))*[\s.!]*$`;
const LINE = String.raw`(?:(?:number|line)\s+)?[#…*]*(?:\d{4}(?!\d)|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d))`;
const NAME = String.raw`\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?`;
const OWNER = `(?<owner>her|his|their|its|${LINE}|${NAME}?)(?:['’]s?)?`;
const NOUN = '(?:plan|package|bundle|tariff|subscription)';
const PLAN = String.raw`(?:the\s+)?(?<plan>[\p{L}\d][\p{L}\d+-]*(?:\s+[\p{L}\d+-]+)??)(?<noun>\s+${NOUN})?`;
/** The package of a customer, before or behind the noun. */
const OF = String.raw`(?:${OWNER}\s+(?:(?<old>[\p{L}\d+-]+)\s+)?${NOUN}|the\s+(?:(?<older>[\p{L}\d+-]+)\s+)?${NOUN}\s+(?:of|on|for)\s+(?<of>${LINE}|${NAME}?))`;
const GOES = new RegExp(
  String.raw`^${POLITE}${OF}\s+(?:(?:should|must|has\s+to|needs\s+to|can|may|shall)\s+(?:now\s+)?(?:go|be\s+(?:gone|removed|ended|cancelled|canceled|dropped|off)|come\s+off|end|stop)|is\s+to\s+(?:go|end))(?:\s+away)?${END}`,
  'iu',
);
const MUST_BE = new RegExp(
  String.raw`^${POLITE}${OF}\s+(?:(?:should|must|has\s+to|needs\s+to|shall|ought\s+to)\s+(?:now\s+)?(?:be|become|change\s+to|switch\s+to|move\s+to)|is\s+to\s+be)\s+${PLAN}${END}`,
  'iu',
);
const LET = new RegExp(
  String.raw`^${POLITE}let\s+(?<who>her|him|them|${LINE}|${NAME}?)\s+(?:have|get|be\s+on|go\s+on|go\s+onto|use|enjoy|switch\s+to|move\s+to)\s+${PLAN}${END}`,
  'iu',
);
const BOTH = new RegExp(
  String.raw`^${POLITE}(?<deed>cancel|end|terminate|close|kill|stop|drop|delete|remove)\s+(?:(?<line>${LINE})|(?:the\s+(?:line|number)\s+of\s+)(?<of>${NAME}?)|(?<owner>${NAME}?)['’]?s\s+(?:line|number|phone))\s+(?:and|plus|&|with|along\s+with|together\s+with|as\s+well\s+as)\s+(?:(?:also\s+)?(?:his|her|its|the|their)\s+)(?:[\p{L}\d+-]+\s+)?${NOUN}(?:\s+(?:too|as\s+well|both))?${END}`,
  'iu',
);
const BOTH_BACK = new RegExp(
  String.raw`^${POLITE}(?<deed>cancel|end|terminate|close|kill|stop|drop|delete|remove)\s+(?:the\s+${NOUN}\s+(?:of|on)\s+(?<line>${LINE})|(?<owner>${NAME}?)['’]?s\s+${NOUN})\s+(?:and|plus|&|as\s+well\s+as)\s+(?:the|his|her|its|their)\s+(?:line|number)${END}`,
  'iu',
);
const ADD_ON = new RegExp(
  String.raw`\b(?:cancel|remove|drop|end|delete|stop|lose|take\s+(?:away|out|off)|get\s+rid\s+of|take)\s+(?:the|her|his|their|that|its)\s+add[\s-]?on\s+(?:of|on|for|from|off)\s+(?=${LINE}|${NAME})`,
  'iu',
);
/** "0103 to starter pls, customer agreed": without a verb. */
const ONTO = new RegExp(
  String.raw`^${POLITE}(?<who>${LINE}|${NAME}?(?:['’]s\s+(?:line|number)))\s+(?:to|onto|on\s+to)\s+${PLAN}${END}`,
  'iu',
);
/** "0105 wants off the family plan and onto starter" */
const OFF_AND_ONTO = new RegExp(
  String.raw`^${POLITE}(?<who>${LINE}|${NAME}?)\s+(?:wants?|needs?|should\s+(?:get|come|go)|must\s+(?:get|come|go)|would\s+like)\s+(?:to\s+(?:get|come|go|be\s+taken)\s+)?off\s+(?:of\s+)?(?:the\s+|his\s+|her\s+)?(?:[\p{L}\d+-]+\s+)?(?:${NOUN}\s+)?(?:and\s+|,\s*)(?:go\s+|move\s+|switch\s+)?(?:onto|on\s+to|to|on)\s+${PLAN}${END}`,
  'iu',
);
/** "Ben needs a plan, give him starter" */
const NEEDS = new RegExp(
  String.raw`^${POLITE}(?<who>${LINE}|${NAME}?)\s+(?:needs?|wants?|has\s+no|lacks|is\s+without|lost\s+(?:his|her|its))\s+(?:an?\s+|any\s+)?(?:(?:new|other|another|different|cheaper|better|bigger|smaller)\s+)?${NOUN}[\s,;.–-]+(?:(?:so|and|please|pls|can\s+you|could\s+you)\s+)*(?:give|get|put|move|set)\s+(?:him|her|it|them)\s+(?:on\s+(?:to\s+)?|onto\s+|to\s+)?${PLAN}${END}`,
  'iu',
);
const MAX_LENGTH = 120;

/** A line, a customer, or "her". */
function isOwner(words: string): boolean {
  const plain = words.replace(/['’]s?$/u, '');
  return (
    /\d{4}$/u.test(plain) ||
    /^(?:her|his|their|its|him|them)$/iu.test(plain) ||
    wordsOf(plain).every(({ isUnknown }) => isUnknown)
  );
}

function whose(owner: string): string {
  return /^(?:her|his|their|its)$/iu.test(owner) ? `${owner} subscription` : `the subscription of ${owner}`;
}

function objectOf(owner: string): string {
  return owner
    .replace(/^his$/iu, 'him')
    .replace(/^their$/iu, 'them')
    .replace(/^its$/iu, 'it');
}

/** The order that a wish about a package means. Any other sentence as it is. */
export function withPlanWish(text: string): string {
  if (text.length > MAX_LENGTH || /\?|["“„]|\bnot\b|n['’]t\b/iu.test(text)) return text;
  const both = BOTH.exec(text)?.groups;
  const line = both?.line ?? both?.of ?? both?.owner;
  if (both && line !== undefined && isOwner(line))
    return `${both.head}cancel ${both.line ?? `${line}'s line`} and end ${both.line ? `the subscription of ${line}` : `${line}'s subscription`}`;
  const back = BOTH_BACK.exec(text)?.groups;
  const first = back?.line ?? back?.owner;
  if (back && first !== undefined && isOwner(first))
    return back.line
      ? `${back.head}end the subscription of ${first} and cancel ${first}`
      : `${back.head}end ${first}'s subscription and cancel ${first}'s line`;
  const gone = GOES.exec(text)?.groups;
  const owner = gone?.owner ?? gone?.of;
  if (gone && owner !== undefined && isOwner(owner)) return `${gone.head}end ${whose(owner)}`;
  const wishes = [MUST_BE, LET, ONTO, OFF_AND_ONTO, NEEDS].map((pattern) => pattern.exec(text)?.groups);
  const wish = wishes.find((found) => found !== undefined);
  const who = wish?.owner ?? wish?.of ?? wish?.who;
  const { plan = '', noun, head = '' } = wish ?? {};
  if (
    who !== undefined &&
    isOwner(who) &&
    (isPlanName(plan) || (noun !== undefined && wordsOf(plan).every(({ isUnknown }) => isUnknown)))
  )
    return `${head}put ${objectOf(who)} on the ${plan} plan`;
  return text.replace(ADD_ON, 'remove the feature from ');
}
