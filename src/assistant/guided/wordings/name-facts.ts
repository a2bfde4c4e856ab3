import { wordsOf } from '../../../language/sentence.ts';

/*
 * Facts that give a customer or an account another name: "ava's surname isn't Stone any more, it's Brook", "acme is no longer
 * Acme Mobile but Acme Telecom". Each is an order to change the name.
 */

const LEAD = String.raw`^\W*(?:(?:hi|hey|so|fyi|ok|please|pls|and|actually)[\s,]+)*`;
const NAME = String.raw`\p{L}[\p{L}'’-]+`;
const OWNER = String.raw`(?<owner>(?!(?:the|our|her|his|their|my|your|line|she|he|it|who|what)\b)\p{L}[\p{L}-]+(?:\s+\p{L}[\p{L}-]+)?)`;
const LAST = String.raw`(?:last\s+name|surname|family\s+name)`;
const END = String.raw`(?:[\s,]+(?:now|(?:please|pls|can\s+you|could\s+you)(?:\s+(?:change|correct|update|fix)(?:\s+(?:it|that|this))?)?|from\s+now\s+on|since\s+(?:her|his)\s+\p{L}+|(?:change|correct|update|fix)\s+(?:it|that|this)(?:\s+(?:please|pls))?))*[\s.!]*$`;
const LAST_NAME = [
  String.raw`${LEAD}${OWNER}\s+(?:has|got|uses|took)\s+(?:an?\s+)?(?:new|another|different)\s+${LAST}\s*[,:–-]?\s*(?:(?:it['’]?s|it\s+is|is|which\s+is)\s+(?:now\s+)?)?(?<last>${NAME})${END}`,
  String.raw`${LEAD}${OWNER}['’]s\s+${LAST}\s+(?:is\s*n['’]?t|is\s+not|is\s+no\s+longer|was)\s+${NAME}(?:\s+(?:any\s?more|any\s+longer))?[\s,;.–-]+(?:(?:but|it['’]?s|it\s+is|is|now)\s+)+(?<last>${NAME})${END}`,
].map((pattern) => new RegExp(pattern, 'iu'));
const WHOLE = [
  String.raw`${LEAD}${OWNER}\s+(?:is|reads|stands\s+as|appears\s+as)\s+(?:called\s+)?(?<name>${NAME}(?:\s+${NAME}){1,2})\s+(?:on|in)\s+(?:his|her|their|the)\s+(?:id|passport|licen[sc]e|papers?|documents?|contract|driver['’]?s\s+licen[sc]e)(?:\s+card)?${END}`,
  String.raw`${LEAD}${OWNER}\s+(?:is\s+no\s+longer|is\s*n['’]?t|is\s+not)\s+(?:called\s+|named\s+)?${NAME}(?:\s+${NAME})?(?:\s+(?:any\s?more|any\s+longer))?[\s,;.–-]+(?:(?:but|it['’]?s|it\s+is|is|now|called|they\s+are|she\s+is|he\s+is)\s+)+(?<name>${NAME}(?:\s+${NAME}){1,2}?)${END}`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** True for words that are in no vocabulary, at least the first of them. */
function isName(words: string): boolean {
  const [first] = wordsOf(words);
  return first?.isUnknown === true;
}

function upper(word: string): string {
  return word.replace(/^\p{Ll}/u, (first) => first.toUpperCase());
}

/** The order to change a name. Any other sentence as it is. */
export function withNameFact(text: string): string {
  if (text.length > 160 || /\?|["“„@]|\d{3}/u.test(text)) return text;
  for (const pattern of LAST_NAME) {
    const { owner, last } = pattern.exec(text)?.groups ?? {};
    const [first = ''] = owner?.split(/\s+/u) ?? [];
    if (owner !== undefined && last !== undefined && isName(owner))
      return `change the name of ${owner} to ${upper(first)} ${upper(last)}`;
  }
  for (const pattern of WHOLE) {
    const { owner, name } = pattern.exec(text)?.groups ?? {};
    if (owner !== undefined && name !== undefined && isName(owner) && isName(name))
      return `change the name of ${owner} to ${name}`;
  }
  return text;
}
