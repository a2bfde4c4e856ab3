import { carriers, planNames } from '../../../../tools/surfaces/words.ts';
import { wordsOf } from '../../../language/sentence.ts';

/* Packages that a sentence names without saying that they are packages: "put 0103 on Starter", "upgrade 0101 to Family". */

const KNOWN = `(?:${planNames.join('|')})`;
/** A name that many packages have, with a further word of it. */
const PLAN = String.raw`(?:${KNOWN}(?:\s+(?:${KNOWN}|plus|\d{1,3}\s?gb))?)`;
/** Words behind the name of a package, which are none of it. */
const BEHIND =
  '(?:please|pls|plz|now|asap|from|starting|today|tomorrow|instead|again|too|also|and|for|since|because|effective|next|on|this|until|as|at|thx|thanks|when|if|w)\\b';
/** Any name of one or two words. */
const NAME = String.raw`(?:(?!the\b|an?\b|our\b|my\b|her\b|his\b|their\b)\p{L}[\p{L}\d+-]*(?:\s+(?!${BEHIND})\p{Lu}[\p{L}\d+-]*)?)`;
/** Words for products, from their definitions. */
const PRODUCTS = '(?:e?sim|data|sms|add-?on|feature|roaming|PRID-[\\w-]+)';
const END = String.raw`(?=\s*(?:$|[,.;!?)]|\b${BEHIND}))`;
const THE = String.raw`(?:the\s+|our\s+|new\s+)*`;
const NOUN = String.raw`(?:plan|package|bundle|tariff)s?\b`;

/** "Create a starter plan, 25 dollars a month": its name is new, also where a package of that name exists. */
const MAKES_PLAN = new RegExp(
  String.raw`^(?<start>\W*(?:(?:please|pls|can\s+you|we\s+need|i\s+need)\s+)*)(?:(?:create|make|set\s*up|add|build|define)\s+(?:(?:an?\s+)(?:new\s+)?|(?:the\s+)?new\s+)|(?:an?\s+)?new\s+)(?<name>(?!(?:new|data|voip|mvno|iot|mobile|monthly|prepaid|price|first|second|other)\b)\p{L}[\p{L}\d-]*)\s+${NOUN}[\s,:]*(?:(?:for|at|costs?|priced\s+at)\s+)?(?<price>[$]?\d+(?:\.\d+)?)(?:\s*(?:dollars?|usd|bucks|[$]))?(?=\s|$|[,.;])(?!\s*(?:gb|mb|lines?|numbers?|people|users?|sims?)\b)`,
  'iu',
);
/** "Move 0101 to Starter", "put ben on Family". */
const MOVES = new RegExp(
  String.raw`(\b(?:put|place|move|switch|swap|chang(?:e|ing)|upgrade|downgrade|transfer|bump|convert|set|start|get|be|go|add|assign|migrate|over)\b[^.;!?]*?\b(?:to|onto|on|into)\s+${THE}${PLAN})${END}`,
  'iu',
);
/** "Sign 0101 up for Starter". */
const SIGNS = new RegExp(
  String.raw`(\b(?:sign|enroll?|register)\b[^.;!?]*?\b(?:for|to|in|into|on|onto)\s+${THE}${PLAN})${END}`,
  'iu',
);
/** "Give 0101 Starter". */
const GIVES = new RegExp(
  String.raw`(\b(?:give|get|assign)\s+(?:[#…]*\d{4}|\+?\d{10,11}|\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?)\s+${THE}${PLAN})${END}`,
  'iu',
);
/** "Upgrade 0101 to Traveller": only a package is something that a line is upgraded to. */
const UPGRADES = new RegExp(
  String.raw`(\b(?:upgrad|downgrad)(?:e|es|ed|ing)\b[^.;!?]*?\bto\s+${THE}(?<name>${NAME}))${END}`,
  'iu',
);
/** "Change the plan of 0101 to starter". */
const OF = new RegExp(
  String.raw`(\b(?:chang(?:e|ing)|switch|swap|replace|exchange|set|update|upgrade|downgrade)\b[^.;!?]*?\b${NOUN}(?:\s+(?:of|for|on)\s+[^.;!?]+?)?\s+(?:to|with|(?<=\b(?:swap|exchange)\b[^.;!?]*)for)\s+${THE}(?<name>${NAME}))${END}`,
  'iu',
);
/** "Starter for 0103", "add Starter for 0103". */
const FIRST = new RegExp(
  String.raw`(?<=^|[,;.]\s+)(\W*(?:(?:please|pls|and|ok|add|order|book|start|activate)\s+)*${THE}${PLAN})(?=\s+(?:for|on)\s+[#…]*(?:\+?\d))`,
  'iu',
);
const SUBJECT = String.raw`(?:(?:(?:the\s+)?(?:customer|line|number)\s+)?[#…]*\d{4}|\+?1?\d{10}|(?!(?:who|which|what|everyone|everybody|nobody|somebody|someone|anyone|he|she|they|it|we|i|you|that|this|customer|caller|and)\b)\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?)`;
/** "0101 and 0102 should get the Starter plan". */
const GETS = new RegExp(
  String.raw`(?<=^\W*|[,;.]\s+)(?<who>${SUBJECT}(?:\s*(?:,\s*and|,|and|&)\s*${SUBJECT})*)\s+(?:(?:should|must|shall|needs?|wants?|has|have)\s+(?:now\s+)?(?:to\s+)?(?:(?:get|have|be(?:\s+moved|\s+put)?|go|move|switch|upgrade|change)(?:\s+(?:on|onto|to|over\s+to))?|on)|(?:goes|moves|switches)\s+(?:over\s+)?to|needs?|wants?)\s+${THE}(?<name>${NAME}\s+${NOUN}|${PLAN}${END})`,
  'iu',
);

const AND = /\b(?:and|customer|number|line)\b/gi;
/** "Take ben off starter", "take 0103 off the Family plan". */
const LEAVES = new RegExp(
  String.raw`\b(?:take|remove|drop|pull|get)\s+(?<who>${SUBJECT}(?:\s*(?:,\s*and|,|and|&)\s*${SUBJECT})*)\s+(?:off|from)\s+(?:of\s+)?${THE}(?<name>${NAME}\s+${NOUN}|${PLAN}${END})`,
  'iu',
);

/** Begins a sentence whose words are those of a message. */
const MESSAGE =
  /["“„]|^\W*(?:(?:please|pls|plz|can|could|you|hey|hi|and)\s+)*(?:text|sms|message|msg|tell|notify|inform|write|send|let|remind)\b/iu;
const RENAMES = /\b(?:(?:re)?nam(?:e|ed|es|ing)|surname|called|cnam|e-?mail|address|caller\s+id)\b/i;
const HAS_PLAN = new RegExp(`\\b(?:on|onto|to|for)\\s+${THE}(?:${NAME}\\s+${NOUN}|${PLAN})`, 'iu');
const HAS_NOUN = /\b(?:plan|package|bundle|tariff|route|trunk|workgroup|group|webhook|feature|product)s?\b/i;

/** "Put the roaming product in Starter" */
const HOLDS_PRODUCT = new RegExp(
  String.raw`(\b(?:products?|items?|add-?ons?)\b[^.;!?]*?\b(?:in|into|to|onto|from|of|out\s+of|off)\s+${THE}${PLAN})${END}(?!\s+${NOUN})`,
  'iu',
);
/** "Take the esim out of Starter": a package has products. */
const LEAVES_PLAN = new RegExp(
  String.raw`\b(?:take|remove|drop|pull|delete)\s+(?:out\s+)?${THE}(?<what>${PRODUCTS})(?:\s+(?:profile|product|item|add-?on))?\s+(?:out\s+of|from|off|of|in)\s+${THE}(?<name>${PLAN})(?:\s+${NOUN})?${END}`,
  'iu',
);

/** "0104 has no plan yet, put it on Starter": the line of the first part. */
const LINE_FIRST =
  /^(?<first>[^?]*?(?<line>(?<![\w+-])\d{4}|\+\d{10,15})(?![\w-])[^?]*?[,;.]\s+(?:(?:so|and|then|please|pls|can\s+you|could\s+you)\s+)*(?:put|get|move|set|subscribe|switch|sign)\s+)(?:it|him|her|them|that|this)(?=\s+(?:up\s+)?(?:on|onto|to|for)\s)/iu;

function withLineFirst(text: string): string {
  const { line = '' } = LINE_FIRST.exec(text)?.groups ?? {};
  const order = line === '' ? undefined : text.replace(LINE_FIRST, (whole) => whole.replace(/\S+$/u, line));
  // The part before the order says why.
  return order === undefined || order.split(line).length !== 3
    ? text
    : order.slice(order.lastIndexOf(line) - verbOf(order, line).length);
}

/** "The starter pack" */
const PACK = new RegExp(String.raw`\b(${KNOWN}|(?<=\b(?:the|our)\s+)\p{Lu}[\p{L}\d-]+)\s+packs?\b`, 'giu');
const AMOUNT = String.raw`\d+\s*(?:gb|mb|gigs?)\b(?:\s+of)?(?:\s+(?:extra\s+)?data)?`;
const PRODUCT = String.raw`(?:the\s+|an?\s+|another\s+|extra\s+)*(?<what>${AMOUNT}|${PRODUCTS})(?:\s+(?:product|item|add-?on))?`;
const OWN_PLAN = String.raw`(?:${THE}(?<plan>${PLAN})(?:\s+${NOUN})?|the\s+(?<own>${NAME})\s+${NOUN})`;
/** "Add 5 GB of data to Starter", "give the Starter plan a 5 GB add-on": changes what the package has, and no line. */
const ADDS_PRODUCT = [
  String.raw`\b(?:add|put|include|bundle|throw|place)\s+(?:in\s+)?${PRODUCT}\s+(?:in|into|to|onto|on)\s+${OWN_PLAN}${END}`,
  String.raw`\bgive\s+${OWN_PLAN}\s+${PRODUCT}${END}`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** "Sub 0101 to starter" */
const SUBS = new RegExp(
  String.raw`\bsub(?:scriber(?=\s+[#…*\d+]))?(?=\s+[#…*+\p{L}\d][^.;!?]*?\s(?:to|on|onto|for)\s+${THE}${PLAN}\b)`,
  'iu',
);

function withAddedProduct(text: string): string {
  const found = ADDS_PRODUCT.map((pattern) => pattern.exec(text)).find((one) => one !== null);
  const { what = '', plan, own = '' } = found?.groups ?? {};
  return found ? text.replace(found[0], () => `add the ${what} product to the ${plan ?? own} package`) : text;
}

/** The verb right before the last place of a line. */
function verbOf(text: string, line: string): string {
  return /\p{L}+\s+$/u.exec(text.slice(0, text.lastIndexOf(line)))?.[0] ?? '';
}

/** "Make a 10gb plan for 25 usd": an amount before the noun is the name. */
const MAKES_AMOUNT = new RegExp(
  String.raw`^(?<start>\W*(?:(?:please|pls|can\s+you|we\s+need|i\s+need)\s+)*)(?:(?:create|make|set\s*up|add|build|define)\s+(?:(?:an?\s+)(?:new\s+)?|(?:the\s+)?new\s+)|(?:an?\s+)?new\s+)(?<name>\d{1,3}\s*(?:gb|mb|gigs?)|unlimited)\s+(?:data\s+)?${NOUN}[\s,:]*(?:(?:for|at|costs?|priced\s+at)\s+)?(?<price>[$]?\d+(?:\.\d+)?)(?:\s*(?:dollars?|usd|bucks|[$]))?(?=\s|$|[,.;])(?!\s*(?:gb|mb|lines?|numbers?|people|users?|sims?)\b)`,
  'iu',
);

/** The order for a new package, with its name as one. */
export function withMadePlan(text: string): string {
  const named = text.replace(MAKES_AMOUNT, '$<start>create a package called “$<name>” for $<price> dollars');
  return named.replace(MAKES_PLAN, '$<start>create a package called $<name> for $<price> dollars');
}

/** The sentence with "plan" behind the name of a package. */
export function withPlan(whole: string): string {
  if (MESSAGE.test(whole) || RENAMES.test(whole)) return whole;
  const packed = whole.replace(PACK, '$1 package').replace(SUBS, 'subscribe');
  const text = HAS_PLAN.test(packed) ? withLineFirst(packed) : packed;
  const gets = [
    { pattern: GETS, words: ['put', 'on'] },
    { pattern: LEAVES, words: ['unsubscribe', 'from'] },
  ].reduce(
    (said, { pattern, words: [verb, where] }) =>
      said.replace(pattern, (whole, ...found) => {
        const { who = '', name = '' } = found.at(-1) as Record<string, string>;
        return isWhose(who) && isPlan(name.replace(new RegExp(NOUN, 'i'), ''))
          ? `${verb} ${who} ${where} the ${withNoun(name)}`
          : whole;
      }),
    text,
  );
  const own = withAddedProduct(gets)
    .replace(LEAVES_PLAN, (_, ...found) => {
      const { what = '', name = '' } = found.at(-1) as Record<string, string>;
      return `remove the product ${what} from the ${name} package`;
    })
    .replace(HOLDS_PRODUCT, '$1 package');
  const changed = own.replace(OF, (whole, ...found) => named(whole, found));
  for (const pattern of [MOVES, SIGNS, GIVES, FIRST])
    if (pattern.test(changed) && !HAS_NOUN.test(clauseOf(changed, pattern))) return changed.replace(pattern, '$1 plan');
  if (HAS_NOUN.test(changed)) return changed;
  return changed.replace(UPGRADES, (whole, ...found) => named(whole, found));
}

/** The part of a sentence in which an order names a package. */
function clauseOf(text: string, pattern: RegExp): string {
  const { 0: found = '', index = 0 } = pattern.exec(text) ?? {};
  return `${found}${/^[^,.;!?]*/u.exec(text.slice(index + found.length))?.[0] ?? ''}`;
}

/** True for numbers and names. */
function isWhose(who: string): boolean {
  return wordsOf(who.replace(AND, ' ')).every(({ isUnknown }) => isUnknown);
}

function named(whole: string, found: readonly unknown[]): string {
  const { name = '' } = found.at(-1) as Record<string, string>;
  return isPlan(name) ? `${whole} plan` : whole;
}

function withNoun(name: string): string {
  return HAS_NOUN.test(name) ? name : `${name} plan`;
}

/** True for a name that neither the vocabulary nor everyday English has, or that many packages have. */
function isPlan(name: string): boolean {
  const words = wordsOf(name.trim());
  if (words.some(({ plain }) => carriers.includes(plain))) return false;
  return (
    new RegExp(`^${KNOWN}\\b`, 'iu').test(name.trim()) ||
    (words.length > 0 && words.every(({ isUnknown }) => isUnknown))
  );
}

/** True for a name that many packages have, and no person. */
export function isPlanName(name: string): boolean {
  return new RegExp(`^${PLAN}$`, 'iu').test(name.trim());
}
