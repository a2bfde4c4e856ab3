import { isName } from './complaints.ts';

/*
 * Whose line it is, said as a fact with an order to set it right: "0110 has no one on it, put it on Ben Reed", "0105 should
 * be ben's not ava's, move it over", "0105 belongs to ben not ava". The line is given to that customer.
 */

const LINE = String.raw`(?<line>[#…*]*(?<![\d+-])(?:\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?)?\d{4}(?![\w-]))`;
const NAME = String.raw`(?!(?:the|a|an|on|off|her|his|their|our|my|hold|it|that|not|back|and|please|pls)\b)\p{L}[\p{L}-]+(?:\s+(?!(?:not|and|now|please|pls|instead|change|fix|move|correct|update|put|set|make)\b)\p{L}[\p{L}-]+)?`;
/** The line has no holder. */
const FREE =
  /\b(?:no\s?(?:one|body)|nothing|un-?assigned|orphan(?:ed)?|spare|unowned|without\s+(?:an?\s+)?(?:owner|holder|customer|subscriber)|no\s+(?:owner|holder|customer|subscriber|user))\b/iu;
const PUTS = new RegExp(
  String.raw`\b(?:put|move|set|place|register|book|hook|sign|get)\s+(?:it|that|this|the\s+(?:line|number))\s+(?:up\s+)?(?:on(?:to)?|under|in|over\s+to|to|with|against)\s+(?:to\s+)?(?<name>${NAME})(?:['’]s)?(?:\s+(?:name|account))?(?:[\s,]+(?:please|pls|now|then|instead))*[\s.!]*$`,
  'iu',
);
const IS = String.raw`(?:(?:should|must|has\s+to|needs\s+to)\s+(?:really\s+|actually\s+)?be(?:\s+(?:on|with|under|assigned\s+to))?|belongs?\s+to|should\s+belong\s+to|is\s+(?:really|actually|supposed\s+to\s+be))`;
const SHOULD_BE = new RegExp(
  String.raw`${LINE}\s+(?:is\s+wrong[\s,]+(?:it\s+)?)?(?<is>${IS})\s+(?<name>${NAME}?)(?:['’]?s)?(?:\s+line)?(?<not>[\s,]+(?:and\s+|but\s+)?not\s+(?<other>${NAME}?)(?:['’]?s)?(?:\s+(?:line|any\s?more))?)?(?<order>[\s,;.]+(?:(?:so|and|please|pls|can\s+you|could\s+you)\s+)*(?:move|change|fix|correct|update|switch|set|put|swap|transfer|make)\s+(?:it|that|this)(?:\s+(?:over|right|straight|please|pls|across|back|so|to\s+(?:him|her|them)))*)?[\s.!]*$`,
  'iu',
);

/** "Put 0110 under Ava Stone" */
const UNDER = new RegExp(
  String.raw`^(?<start>\W*(?:(?:please|pls|plz|can|could|you|u|we|ok|so|and|just|hi|hey)[\s,]+)*)(?:put|move|set|place|register|book|file|list|have)\s+(?:number\s+|line\s+)?${LINE}\s+(?:over\s+)?(?:(?:in)?under|beneath|in\s+the\s+name\s+of)\s+(?:to\s+)?(?<name>${NAME})(?:['’]s)?(?:\s+name)?(?=\s*(?:$|[,.;!]|\b(?:please|pls|now|instead)\b))`,
  'iu',
);
/** "Change the owner of 0104 to Ben Reed" */
const OWNER = new RegExp(
  String.raw`\b(?:change|switch|set|update|make|move)\s+(?:the\s+)?(?:owner|holder|customer|subscriber|user)(?:ship)?\s+(?:of|for|on)\s+(?:number\s+|line\s+)?${LINE}\s+(?:over\s+)?(?:to|=|into)\s+(?:be\s+)?(?<name>${NAME})(?=\s*(?:$|[,.;!]|\b(?:please|pls|now|instead)\b))`,
  'iu',
);
/** Records that are no holder: "put 0110 under the Family plan". */
const NO_HOLDER = /\b(?:plan|package|bundle|account|route|trunk|tariff|contract|name)$/iu;

const MAX_LENGTH = 160;

const OWNED =
  /(?<name>(?!(?:today|yesterday|tomorrow|it|that|what|who|here|there|let|line|number|customer)['’]?s\b)\p{L}[\p{L}-]+)['’]s\s+(?:(?:line|number|mobile|phone|sim)\s+)?(?=[#…*]*\d{4}(?![\d/.-]|\s*(?:gb|mb|kb)))/giu;
/** Sentences about people who call or text, whose number is none of their lines here. */
const OF_CALLERS = /["“„]|\b(?:block|unblock|allow|filter|let|whitelist|blacklist|port|porting|ported)\w*\b/iu;

/** "Give Ava's 0110 to Ben": the line without its holder, who is told if the line has another one. */
export function withoutOwnHolder(text: string): { text: string; beside?: string } {
  const names = [...text.matchAll(OWNED)].flatMap(({ groups }) => groups?.name ?? []);
  const [only, ...others] = names;
  if (only === undefined || OF_CALLERS.test(text) || !names.every(isName)) return { text };
  return { text: text.replace(OWNED, ''), ...(others.length === 0 && { beside: only }) };
}

/** The sentence as the order that gives the line to its holder. Any other sentence as it is. */
export function withSaidHolder(text: string): string {
  if (text.length > MAX_LENGTH || /["“„?]|\b(?:if|unless|never|dont)\b|n['’]t\b/iu.test(text)) return text;
  const lines = text.match(new RegExp(LINE.replace('?<line>', '?:'), 'gu')) ?? [];
  const [line, ...others] = lines;
  if (line === undefined || others.length > 0) return text;
  const under = UNDER.exec(text)?.groups;
  if (under && isName(under.name) && !NO_HOLDER.test(under.name ?? ''))
    return text.replace(UNDER, () => `${under.start}give ${line.trim()} to ${under.name}`);
  const owner = OWNER.exec(text)?.groups?.name;
  if (isName(owner)) return text.replace(OWNER, () => `give ${line.trim()} to ${owner ?? ''}`);
  const put = FREE.test(text) ? PUTS.exec(text)?.groups?.name : undefined;
  if (isName(put)) return `give ${line.trim()} to ${put}`;
  const { name, is = '', not, other, order } = SHOULD_BE.exec(text)?.groups ?? {};
  // Without an order, “should be ben's not ava's” is read as it is.
  if (name === undefined || (order === undefined && (not === undefined || /\bbe$/iu.test(is)))) return text;
  // "Should be bens not avas" lacks its apostrophes.
  const both = /\bbe$/iu.test(is) && /s$/iu.test(name) && /s$/iu.test(other ?? '');
  const holder = both ? name.slice(0, -1) : name;
  const instead = other === undefined ? '' : `, not to ${other}`;
  return isName(name) && (other === undefined || isName(other)) ? `give ${line.trim()} to ${holder}${instead}` : text;
}
