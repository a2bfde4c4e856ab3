import { wordsOf } from '../../../language/sentence.ts';
import { COURTESY } from '../facts/beginnings.ts';
import type { Plainer } from './plain-words.ts';

/* Caller names that are wrong: "the cnam is wrong, fix it to GLOBEX INC". */

const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*\d{4}(?![\w-])|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})`;
const CALLER_NAME = String.raw`(?:caller[\s-]*(?:id|name)(?:\s+name)?|cnam|display\s+name)`;
const IS_WRONG = String.raw`^(?<head>[^.;!?]*?\b${CALLER_NAME}\b[^,.;!?]*?)\s*(?:(?:\b(?:is|looks|was|seems|has)\b|['’]s)\s+(?:\p{L}+\s+){0,2}?|\s)(?:wrong|incorrect|outdated|old|off|misspelled|misspelt|mistyped|a\s+typo|bad|not\s+right|false)\b(?<where>\s+(?:for|on|of)\s+(?:${LINE}|\p{L}+(?:['’]s\s+(?:line|number))?))?`;
const WRONG_NAME = new RegExp(
  String.raw`${IS_WRONG}[^"“]*?[\s,:](?:(?:to|as|be|read|say|show|display|it['’]?s|is|make\s+it|set\s+it|call\s+it)\s+|:\s*)(?!it\b|be\b|read\b|say\b|show\b)["“„]?(?<name>[\p{L}\d][^"”“.;!?]*?)["”]?(?<end>\s*(?:,?\s*(?:please|pls|plz|thx|thanks))?\s*[.!]*\s*)$`,
  'iu',
);

/** Without the right one. */
const ONLY_WRONG = new RegExp(
  String.raw`${IS_WRONG}(?:[\s,]+(?:please|pls|fix\s+(?:it|that|this)|change\s+(?:it|that|this)|correct\s+(?:it|that|this)|can\s+you|could\s+you|and))*[\s.!]*$`,
  'iu',
);

/** "0101 shows UNKNOWN as caller name, put AVA STONE" */
const SHOWS = new RegExp(
  String.raw`^\W*${COURTESY}(?<line>${LINE}|\p{L}[\p{L}-]+['’]s\s+(?:line|number))\s+(?:shows?|displays?|has|comes\s+up|appears|is\s+showing)\b[^.;!?]*?\b${CALLER_NAME}\b[^.;!?]*?[,;]\s*(?:please\s+|pls\s+|it\s+)*(?:put|use|make\s+it|set\s+it\s+to|change\s+(?:it\s+)?to|should\s+be|must\s+be|has\s+to\s+be)\s+["“]?(?<name>[\p{L}\d][^"”.;!?]*?)["”]?\s*(?:,?\s*(?:please|pls|plz))?\s*[.!]*$`,
  'iu',
);

const SHOWN = String.raw`(?:(?:shows?|is\s+showing|shown|displays?|is\s+displayed|comes?|appears?|pops?|rings|reads)(?:\s+(?:up|out))?(?:\s+(?:as|with|like))?)`;
const AS_NAME = String.raw`["“„]?(?<name>[\p{L}\d][^"”“.;!?,]*?)["”“]?\s*(?:,?\s*(?:please|pls|plz))?\s*[.!]*$`;
/** "0101 shows up as Ava Ston, fix it to Ava Stone", "calls from 0101 show Eva Stone instead of Ava Stone" */
const SHOWN_WRONG: readonly RegExp[] = [
  String.raw`^\W*${COURTESY}(?:(?:the\s+)?${CALLER_NAME}\s+(?:of|on|for)\s+|(?:outgoing\s+|outbound\s+)?calls\s+from\s+|(?:customer|cust|client|subscriber)\s+)?(?<line>${LINE})\s+(?:still\s+|now\s+)?(?:is\s+wrong,?\s+it\s+)?${SHOWN}\s+[^,;!?]{2,40}?\s*[,;–-]+\s*(?:(?:please|pls|it|that|and|but|so|the\s+(?:name|right\s+one))\s+)*(?:fix|change|correct|set|update|make|put|should\s+(?:be|read|say|show)|must\s+be|has\s+to\s+be|needs\s+to\s+be|is\s+(?:really|actually))\s+(?:it\s+|that\s+)?(?:to\s+|into\s+)?${AS_NAME}`,
  String.raw`^\W*${COURTESY}(?:the\s+)?${CALLER_NAME}\s+(?:of|on|for)\s+(?<line>${LINE})\s+is\s+\p{L}+,\s+it\s+${SHOWN}\s+[^,;!?]{2,40}?\s*[,;]\s*(?:please\s+|pls\s+)?(?:fix|change|correct|set|make|should\s+be|must\s+be)\s+(?:it\s+|that\s+)?(?:to\s+|into\s+)?${AS_NAME}`,
  String.raw`^\W*${COURTESY}(?:(?:outgoing\s+|outbound\s+)?calls\s+from\s+|(?:the\s+)?${CALLER_NAME}\s+(?:of|on|for)\s+)?(?<line>${LINE})\s+(?:still\s+|now\s+)?(?:show|${SHOWN})(?:\s+(?:up\s+)?as)?\s+[^,;!?]{2,40}?\s+(?:instead\s+of|rather\s+than|and\s+not|not)\s+${AS_NAME}`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** The order to correct the name that the calls of a line show. Any other text as it is. */
export function withShownName(text: string): string {
  if (/\?\s*$|\bnumbers?\s+(?:instead|not)\b/iu.test(text)) return text;
  const { line, name } = SHOWN_WRONG.map((pattern) => pattern.exec(text)?.groups).find((found) => found) ?? {};
  if (line === undefined || name === undefined || NO_CALLER_NAME.test(name.trim())) return text;
  return `change the caller name of ${line} to "${name.trim()}"`;
}

/** States and values of lines, which none is called by. */
const NO_CALLER_NAME =
  /^(?:active|parked|on\s+hold|cancell?ed|suspended|voip|mvno|iot|mobile|it|hers?|his|the|off|on|back|\d)/iu;

/** "The caller name for 0104 should be changed to PINE CAFE" */
const SHOULD_BE = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<what>(?:the\s+)?[^,.;!?]*?\b${CALLER_NAME}\b[^,.;!?]*?)\s+(?:should|must|has\s+to|needs\s+to|shall)\s+be\s+(?:changed|updated|set|corrected|switched|fixed)\s+to\s+(?<name>[^,;!?]+?)\s*[.!]*$`,
  'iu',
);

const GIVEN = String.raw`["“]?(?<name>\p{Lu}[^\s"“”,.;!?]*(?:\s+(?:&\s+)?(?!\d{4}\b)[\p{Lu}\d][^\s"“”,.;!?]*){0,4})["”]?`;
const OF_LINE = String.raw`(?:the\s+)?(?:[Cc]aller[\s-]*(?:[Ii][Dd]|[Nn]ame)(?:\s+name)?|[Cc][Nn][Aa][Mm]|[Dd]isplay\s+name)\s+(?:of|for|on)\s+(?<line>${LINE}|\p{L}[\p{L}-]+(?:['’]s\s+(?:line|number))?)`;
const SETS: readonly RegExp[] = [
  String.raw`\b(?:[Cc]hange|[Ss]et|[Uu]pdate|[Mm]ake|[Pp]ut|[Ff]ix)\s+${OF_LINE}\s+(?:to|as)\s+${GIVEN}`,
  String.raw`(?<![\p{L}\d]\s*)${OF_LINE}\s+(?:should|must|has\s+to|needs\s+to|shall)\s+(?:be|read|say|show)\s+${GIVEN}`,
  String.raw`\b(?:[Pp]ut|[Ss]et|[Uu]se|[Ss]how)\s+${GIVEN}\s+as\s+${OF_LINE}`,
  String.raw`^(?:[Pp]lease\s+|[Pp]ls\s+)?${OF_LINE}\s*(?:\s(?:to|as|is\s+now)\s|[:=])\s*${GIVEN}(?=\s*[.!]*$|\s+(?:please|pls|plz)\b)`,
].map((pattern) => new RegExp(pattern, 'u'));

/** The same in lower case, where nothing follows: "change the caller name of 0104 to joe pizza". */
const SMALL = new RegExp(
  String.raw`^\W*${COURTESY}(?:change|set|update)\s+${OF_LINE.replace(/\[(\p{Lu}|[A-Z])([a-z])\]/gu, '$2')}\s+(?:to|as)\s+(?<name>(?!(?:the|an?|his|her|their|its|it|that|what|nothing|something|match)\b)\p{Ll}[\p{L}\d&'’-]*(?:\s+(?!(?:please|pls|plz|so|because|and|when|from|asap|now)\b)[\p{L}\d&'’-]+){0,3})\s*(?:,?\s*(?:please|pls|plz))?\s*[.!]*$`,
  'iu',
);

/** "Change caller name of 0104 to JOE PIZZA": every word behind "to" is the name, whatever else it means. */
export function setCallerName(text: string): Plainer {
  if (text.includes('?')) return { text, told: [] };
  const small = SMALL.exec(text)?.groups;
  if (small?.line && small.name && small.name === small.name.toLowerCase())
    return { text: `change the caller name of ${small.line} to "${small.name.trim()}"`, told: [] };
  for (const pattern of SETS) {
    const [whole = '', ...found] = pattern.exec(text) ?? [];
    const { line, name } = pattern.exec(text)?.groups ?? {};
    if (found.length > 0 && name !== undefined)
      return { text: text.replace(whole, `change the caller name of ${line} to "${name}"`), told: [] };
  }
  return { text, told: [] };
}

/** The sentence with the right caller name in plainer words. */
export function withCallerName(text: string): Plainer {
  // "Take the caller name off" says nothing about what is wrong.
  if (/\b(?:take|turn|switch|get|want|keep|leave)\b[^.;!?]*\boff\b/iu.test(text)) return { text, told: [] };
  const should = SHOULD_BE.exec(text)?.groups;
  if (should?.what && should.name)
    return { text: `${should.head}change ${should.what} to "${should.name.replace(/["“”]/g, '')}"`, told: [] };
  const shows = SHOWS.exec(text)?.groups;
  if (shows?.line && shows.name)
    return { text: `change the caller name of ${shows.line} to "${shows.name.trim()}"`, told: [] };
  const { head, name, end, where = '' } = WRONG_NAME.exec(text)?.groups ?? {};
  const wrong = ONLY_WRONG.exec(text)?.groups;
  if (wrong?.head !== undefined) return { text: `change ${wrong.head}${wrong.where ?? ''}`, told: [] };
  if (head === undefined || name === undefined || /^(?:what|why|how|who|is|does)\b/i.test(text))
    return { text, told: [] };
  return { text: `change ${head}${where} to "${name.trim()}"${end ?? ''}`, told: [] };
}

const HOLDER = String.raw`(?<who>(?!(?:the|his|her|their|its|it|that|this|our|my)\b)\p{L}[\p{L}-]+(?:\s+(?!(?:line|account|number|record|profile|phone|is|was|got|has|looks|seems|spell?ed|spelt|wrong\w*|mis\w+|last|first|sur|family|name)\b)\p{Lu}[\p{L}-]+)?|${LINE})`;
const NAME_OF = String.raw`(?:the\s+|her\s+|his\s+)?(?<part>last|sur|family|first|full|whole)?[\s-]*name\s+(?:of|on|for|in)\s+(?:(?:the\s+)?(?:customer|subscriber|client|holder)\s+(?:of\s+)?)?${HOLDER}(?:['’]?s\s+(?:line|account|number|record|profile|phone))?`;
const HIS_NAME = String.raw`${HOLDER.replace('who', 'owner')}(?:['’]s|s)\s+(?<kind>last|sur|family|first|full|whole)?[\s-]*name`;
const WRONG = String.raw`\s+(?:(?:is|was|got|has\s+been|looks|seems)\s+)?(?:(?:spelled|spelt|written|typed|entered|put)\s+)?(?:wrong(?:ly)?|incorrect(?:ly)?|mis-?spell?ed|misspelt|mistyped|a\s+typo|not\s+right|badly|false)\b`;
const RIGHT = String.raw`[\s,;.!–—-]+(?:(?:it|the\s+(?:right|correct)\s+(?:one|name))\s+)?(?:(?:should|must|has\s+to|needs\s+to|ought\s+to)\s+(?:be|read|say)|(?:correct|right|real)(?:\s+(?:name|one|is))*|(?:is|it['’]?s)(?:\s+(?:actually|really))?|make\s+it|change\s+(?:it\s+)?to|correct\s+(?:it\s+)?to|fix\s+(?:it\s+)?to|actually|rather)\s*:?\s+["“„]?(?<name>\p{Lu}[\p{L}'’-]*(?:\s+\p{Lu}[\p{L}'’-]*){0,3})["”“]?(?:\s*,?\s*(?:please|pls|plz|thx|thanks))?[\s.!]*$`;
const WRONG_HOLDER = [NAME_OF, HIS_NAME].map((whose) => new RegExp(`${whose}${WRONG}${RIGHT}`, 'iu'));

const BECAME = String.raw`(?:(?:is|should\s+be|must\s+be|became|changed\s+to)(?:\s+(?:now|actually|really|spell?ed|spelt|written|called))*)\s+`;
const WHICH = String.raw`(?:(?:new|full|whole|real|legal|correct|proper|married|maiden)\s+)?name\s+`;
const NEW_NAME = String.raw`["“„]?(?<name>(?!(?:wrong|right|not|the|a|an|on|in|now|correct|changed|different|missing)\b)\p{L}[\p{L}'’-]+(?:\s+\p{L}[\p{L}'’.-]*){0,3}?)["”“]?(?<now>\s+(?:now|these\s+days))?(?:\s*,?\s*(?:please|pls|plz|thx|thanks))?[\s.!]*$`;
const IS_CALLED: readonly RegExp[] = [
  String.raw`^\W*${COURTESY}${HOLDER}(?:['’]s|s)\s+${WHICH}${BECAME}${NEW_NAME}`,
  String.raw`^\W*${COURTESY}(?:customer\s+|subscriber\s+)?${HOLDER}\s[^?"“]{0,60}?[\s,;.]\s*(?:and\s+|so\s+)?(?:(?:her|his|their)\s+${WHICH}${BECAME}|(?:s?he(?:['’]?s|\s+is)\s+(?:now\s+called|called|now))\s+)${NEW_NAME}`,
  String.raw`^\W*${COURTESY}(?:customer\s+|subscriber\s+)?${HOLDER}\s[^?"“]{0,60}?[\s,;.]\s*(?:and\s+|so\s+)?s?he(?:['’]?s|\s+is)\s+${NEW_NAME.replace('(?:now|these\\s+days))?', 'now)')}`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** "Ava's name is now Ava Miller", "Ava got married, her name is now Ava Miller", "…, she's Ava Miller now" */
function isCalled(text: string): Plainer | undefined {
  const { who, name } = IS_CALLED.map((pattern) => pattern.exec(text)?.groups).find((one) => one) ?? {};
  if (who === undefined || name === undefined) return undefined;
  const isName = wordsOf(name).every(({ isUnknown, typed }) => isUnknown || /^\p{Lu}/u.test(typed));
  return isName
    ? { text: `rename ${/\d{4}$/u.test(who) ? `the customer of ${who}` : who} to ${name}`, told: [] }
    : undefined;
}

/** "The last name on Ben's line is spelled wrong, should be Benjamin Hart": the customer is renamed. */
export function withHolderName(text: string): Plainer {
  const isOther =
    new RegExp(CALLER_NAME, 'iu').test(text) ||
    /\?|["“„]?\b(?:route|trunk|package|plan|product|workgroup|webhook)\b/iu.test(text);
  const called = isOther ? undefined : isCalled(text);
  if (called) return called;
  const found = isOther ? undefined : WRONG_HOLDER.map((pattern) => pattern.exec(text)?.groups).find((one) => one);
  const who = found?.who ?? found?.owner;
  if (!found?.name || who === undefined) return { text, told: [] };
  const part = found.part ?? found.kind;
  const isWhole = /\s/u.test(found.name);
  const whose = /\d{4}$/u.test(who) ? `the customer of ${who}` : who.replace(/['’]s$/u, '');
  if (part !== undefined && !isWhole)
    return { text: /^first$/iu.test(part) ? text : `${whose}'s surname is now ${found.name}`, told: [] };
  return { text: `rename ${whose} to ${found.name}`, told: [] };
}
