import { carriers } from '../../../../tools/surfaces/words.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';

/*
 * A number that comes to us from another carrier is none of our lines: "can we take over her number from T-Mobile", "she
 * wants to switch to us from AT&T and keep 773…". The wish is read as a port-in, and its question as the check of it.
 */

const CARRIER = String.raw`(?<carrier>at\s?&\s?t|${[...carriers].sort((one, other) => other.length - one.length).join('|')})\b`;
const CARRIER_AGAIN = CARRIER.replace('<carrier>', '<after>');
const NUMBER = String.raw`(?<number>\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})(?!\d)`;
const OWN = String.raw`(?:(?:her|his|their|the|a|my|that|this|old|current|existing|phone|mobile|cell|customer['’]?s|number|line|\p{L}+['’]s)\s+)*`;
const OVER = String.raw`(?:\s*(?:over|across|in|along))?`;
const TO_US = String.raw`(?:\s+(?:to|over\s+to|with|onto)\s+(?:us|our\s+(?:network|side|service|platform)))`;
/** "Take over her number from T-Mobile 773…", "bring 773… over from Verizon", "switch 773… to us" */
const BRINGS = new RegExp(
  String.raw`\b(?:tak(?:e|ing|es)|bring(?:ing|s)?|get(?:ting|s)?|mov(?:e|es|ing)|switch(?:es|ing)?|transfer(?:s|ring)?|carry|grab(?:s|bing)?|pull(?:s|ing)?|port(?:s|ing)?)${OVER}\s+${OWN}(?:from\s+${CARRIER}[\s,:]+)?${NUMBER}${OVER}(?<us>${TO_US})?(?:\s+from\s+${CARRIER_AGAIN})?(?<usAfter>${TO_US})?`,
  'iu',
);
/** "She wants her verizon number 773… over here" */
const WANTS = new RegExp(
  String.raw`\b(?:wants?|needs?|would\s+like)\s+(?:to\s+(?:have|get)\s+)?${OWN}(?:${CARRIER}\s+)?${OWN}${NUMBER}\s+(?:to\s+be\s+)?(?:(?:over|ported|brought|moved|transferred)\b(?:\s+(?:in|over|here|to\s+us|with\s+us))*|here\b|with\s+us\b)`,
  'iu',
);
/** "Switch to us from AT&T and keep 773…" */
const KEEPS = new RegExp(
  String.raw`\b(?:switch|move|come|change|join|go|transfer)(?:es|s|ing)?\s+(?:over\s+)?(?:(?:to|with)\s+us\s+)?(?:from\s+${CARRIER}\s*)?(?:(?:to|with)\s+us\s*)?(?:,|and|but|&)+\s*(?:(?:wants?|would\s+like|needs?)\s+(?:to\s+)?)?(?:keep|bring|take)(?:s|ing)?\s+${OWN}${NUMBER}`,
  'iu',
);
/** "Keep her number 773…, she is with T-Mobile now" */
const IS_WITH = new RegExp(
  String.raw`\b(?:keep|bring|take)(?:s|ing)?\s+${OWN}${NUMBER}[\s,;.–—-]+(?:(?:and|but|which|that|it|she|he|they|who|currently|now|still)(?:['’]s)?\s+)*(?:(?:is|are|was|has\s+been|its|hes|shes)\s+)?(?:(?:still|now|currently)\s+)?(?:with|at|on|from)\s+${CARRIER}`,
  'iu',
);
/** "Landline 312… needs to come in on dec 9", "773… is moving over from Verizon" */
const COMES = new RegExp(
  String.raw`(?:\b(?:landline|wireline|mobile|cell|number)\s+)?${NUMBER}\s+(?:(?:should|must|shall|will|can|(?:has|needs?|wants?|ought|is)\s+to|is\s+(?:supposed|due)\s+to)\s+(?:be\s+)?(?:come|move|switch|transfer(?:red)?|brought|moved|ported|carried|taken)|is\s+(?:coming|moving|switching|transferring))\s+(?:over|across|in\b|to\s+us|here)(?:\s+(?:in|here|to\s+us))*(?:\s+from\s+${CARRIER})?`,
  'iu',
);
/** "Ben's old number" */
const OWNER =
  /(?<![\p{L}-])(?<owner>(?!(?:customer|client|cust|it|that|what|mother|father)['’])\p{L}[\p{L}-]+)['’]s\s/iu;
/** A number that goes to another carrier, and the text of a message. */
const OUT = new RegExp(
  String.raw`["“„]|\b(?:pin|out|away|leav(?:e|es|ing)|left)\b|\bto\s+${CARRIER.replace('?<carrier>', '?:')}`,
  'iu',
);
/** The question whether it can be done, also in other words: "check if we can …", "cust asks if …". */
const ASKS_IF =
  /\b(?:check|checks|see|look|verify|test|confirm|find\s+out|tell\s+me|let\s+me\s+know|asks?|asked|asking|know|wonder\w*|question\s+is|curious)\b[^.;!?]{0,30}?\b(?:if|whether)\b/iu;
const OF_PORT =
  /\b(?:port(?:s|ed|ing|able)?|transfer(?:r?able|red)?|eligible|take[ns]?\s+over|bring|come|move|switch|keep)\b/iu;
const ABLE = /\b(?:can|could|may|able|possible|portable|transfer+able|eligible|would)\b/iu;
const FOR =
  /\bfor\s+(?!us\b|me\b|him\b|her\b|them\b|it\b|now\b|free\b|good\b|that\b|this\b|the\b)(?<name>\p{L}[\p{L}'’-]+)\s*[.?!]*$/iu;

/** "Port-in 773… / T-Mobile / …": an order, and no name of one. */
const HEAD = new RegExp(
  String.raw`^(?<lead>\W*(?:(?:please|pls|plz|hi|hey|ok|and|new|another)[\s,:]+)*)(?:port[\s-]?in|port(?:ing)?(?:[\s-]?in)?\s+request(?:\s+(?:of|for))?)[\s:,–—-]+(?=${NUMBER.replace('<number>', '<head>')}\s*(?:[,;:/|–—-]|\bfor\b|\bfrom\b|$))`,
  'iu',
);
const SLASHES = /\s+[/|]\s+/gu;

/** A list of values with slashes or bars between them, with commas. */
export function withCommas(text: string): string {
  return (text.match(SLASHES) ?? []).length > 1 && !/["“„]|https?:/u.test(text) ? text.replace(SLASHES, ', ') : text;
}

/** The number that a statement says has to come. A question of it is about its order. */
function comesIn(text: string): RegExpExecArray | null {
  return /\?\s*$|^\W*(?:is|are|was|when|has|will|did|does|why)\b|\b(?:if|whether|repair)\b/iu.test(text)
    ? null
    : COMES.exec(text);
}

/** The sentence as an order for a port-in, or as the question whether a number can come. Any other one as it is. */
export function withPortWish(said: string): { text: string; told: readonly string[] } {
  const text = said.replace(HEAD, '$<lead>port in ');
  const same = { text, told: [] };
  const [number, ...others] = phonesIn(text);
  if (number === undefined || others.length > 0 || OUT.test(text)) return same;
  const found = KEEPS.exec(text) ?? IS_WITH.exec(text) ?? WANTS.exec(text) ?? comesIn(text) ?? BRINGS.exec(text);
  const { carrier, after = carrier, us, usAfter, number: typed = number } = found?.groups ?? {};
  const isWish =
    found !== null &&
    (found[0] === '' || after !== undefined || (us ?? usAfter) !== undefined || /\bover\b/i.test(found[0]));
  const isKept = found !== null && ([KEEPS, IS_WITH, WANTS].some((one) => one.test(text)) || comesIn(text) !== null);
  if (ASKS_IF.test(text) && ABLE.test(text) && (isWish || OF_PORT.test(text))) {
    const name = FOR.exec(text)?.groups?.name;
    const told =
      name === undefined ? [] : [`. Whose it becomes is said with the order: “port in ${typed.trim()} for ${name}”`];
    return { text: `is ${typed.trim()} portable to us`, told };
  }
  if (!found || !(isWish || isKept)) return same;
  const owner = OWNER.exec(found[0])?.groups?.owner;
  const whose = owner === undefined || /\bfor\s/iu.test(text) ? '' : ` for ${owner}`;
  const from = `${after === undefined ? '' : ` from ${after}`}${whose}`;
  return { text: text.replace(found[0], () => `port in ${typed.trim()}${from}`), told: [] };
}
