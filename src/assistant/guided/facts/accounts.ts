import { wordsOf } from '../../../language/sentence.ts';

/* Accounts that a sentence names. Their names are those of companies and families, and of no subscriber. */

const NAME = String.raw`(?<name>(?!(?:the|an?|our|my|his|her|their|this|that|which|what|it|number|order|port|line|new|account|to|is|of|for)\b)\p{L}[\p{L}\d&'’.-]*(?:\s+(?:&\s+)?(?!(?:to|is|as|are|account|should|must|now|please|pls|and|or|from|with|into|on|in)\b)\p{L}[\p{L}\d&'’.-]*){0,3}?)`;
const END = String.raw`(?=\s*(?:$|[,;:?!]|\.(?:\s|$)|\b(?:to|is|as|are|should|must|now|please|pls|from|with|into)\b))`;
const PART = '(?:billing|mailing|postal|company)\\s+add?ress(?:es)?';
const PLACES: readonly RegExp[] = [
  String.raw`\b(?:(?:and\s+)?${PART}|account\s+(?:id|details?|name|record|info(?:rmation)?|status|address|data))\s+(?:(?:that\s+)?we\s+have\s+(?:on\s+file\s+)?)?(?:of|for|at)\s+(?:the\s+)?(?:account\s+|company\s+)?${NAME}${END}`,
  String.raw`\b(?:show|see|open|get|find|look\s+up|status\s+of|details?\s+(?:of|for|on)|check|change|update|rename)\s+(?:me\s+)?(?:the\s+)?(?:account\s+|company\s+)(?:of\s+)?${NAME}${END}`,
  String.raw`\b(?:show|see|open|get|find|look\s+up|status\s+of|details?\s+(?:of|for|on)|check)\s+(?:me\s+)?(?:the\s+)?${NAME}(?:['’]s)?\s+account(?!\s+(?:number|no|nr|pin)\b)`,
  String.raw`^\W*(?:change|update|correct|fix)\s+${NAME}(?=\s*[:,]\s*(?:the\s+|new\s+|a\s+new\s+)*(?:account|${PART})\b)`,
  String.raw`(?:(?<=\b(?:what|where)['’]?s\s)|(?<!['’])\b(?!(?:what|where)s\b))(?:the\s+)?${NAME}['’]s\s+(?:${PART}|account\s+(?:id|details|record))`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** The account that a sentence names beside what it has. Undefined if it names none. */
export function accountNamed(said: string): string | undefined {
  for (const pattern of PLACES) {
    const name = pattern.exec(said)?.groups?.name?.replace(/['’]s$/, '');
    if (name !== undefined && isName(name)) return name;
  }
  return undefined;
}

/** Words that ask for nothing, or that are written as a name. */
function isName(name: string): boolean {
  return /^\p{Lu}/u.test(name) || wordsOf(name).every(({ isUnknown }) => isUnknown);
}
