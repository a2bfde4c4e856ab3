import { LINE } from '../facts/line-pattern.ts';

/*
 * "The data limit on 0101 should go away", "0101 no data limit any more please": a value of a record that is to be gone is
 * an order to remove it, and no question of it.
 */

const NOUN = String.raw`(?:(?:data|usage|speed|monthly|call|text|message)\s+)*(?:limits?|caps?|thrott?le|thrott?ling|slow[\s-]?down|notices?|warnings?|hold|suspension|block|pause)`;
const THE = String.raw`(?:(?:the|that|this|any|a|his|her|their|its|\p{L}+['’]s)\s+)?`;
const LEAD = String.raw`^(?<lead>\W*(?:(?:please|pls|plz|hi|hey|ok|okay|so|and|customer|cust|client|he|she|they|says?|said|that)[\s,]+)*)`;
const OF = String.raw`(?<of>\s+(?:on|for|of|from|at)\s+[^,;!?]{2,50}?)?`;
const ENDS = String.raw`(?:[\s,]+(?:any\s?more|any\s+longer|at\s+all|altogether|complete?ly|entirely|again|now|today|please|pls|plz|asap|thanks|thx|for\s+good))*[\s.!]*$`;
const MUST = String.raw`(?:should|shall|must|can|(?:has|have|needs?|ought)\s+to)(?:\s+(?:just|now|please))*`;
const GOES = String.raw`(?:go(?:\s+away)?|disappear|vanish|(?:be|come)\s+(?:gone|off|away|lifted|removed|dropped|deleted))`;

const ORDERS: readonly RegExp[] = [
  String.raw`${LEAD}(?<what>${THE}${NOUN})${OF}\s+${MUST}\s+${GOES}${ENDS}`,
  String.raw`${LEAD}(?:for\s+|on\s+)?(?<line>${LINE})[\s,:]+(?:(?:wants?|needs?|should\s+have|gets?)\s+)?no\s+(?:more\s+)?(?<what>${NOUN})${ENDS}`,
  String.raw`${LEAD}no\s+(?:more\s+)?(?<what>${NOUN})(?<of>\s+(?:on|for)\s+${LINE})${ENDS}`,
  String.raw`${LEAD}(?:take|have)\s+(?<what>${THE}${NOUN})\s+away${OF}${ENDS}`,
].map((one) => new RegExp(one, 'iu'));
const AGAINST = /["“„?]|\b(?:not|never|if|unless|why|who|when)\b|n['’]t\b/iu;

/** "Remove the warning at 3 GB": the amount says which one there is, and sets none. */
const OLD_LEVEL =
  /(?<=\b(?:remove|drop|delete|cancel|clear|lift|end|kill|get\s+rid\s+of|(?:turn|switch|take)\s+off)\s+(?:(?:the|that|this|his|her|their|its|\p{L}+['’]s)\s+)?(?:(?:data|usage|monthly)\s+)?(?:warnings?|notices?|alerts?|notifications?|thrott?l(?:e|ing)|slow[\s-]?downs?|limits?|caps?))\s+(?:at|of|after|from)\s+\d+(?:[.,]\d+)?\s*(?:gbs?|mbs?|gigs?|megs?)\b/giu;

/** The sentence as an order to remove the value. Any other sentence as it is. */
export function withGoneValue(text: string): string {
  return withoutOldLevel(ordered(text));
}

/** An order to remove a level without the amount that it has now. */
export function withoutOldLevel(text: string): string {
  return text.replace(OLD_LEVEL, '');
}

function ordered(text: string): string {
  if (text.length > 160 || AGAINST.test(text)) return text;
  for (const pattern of ORDERS) {
    const { lead = '', what, of, line } = pattern.exec(text)?.groups ?? {};
    if (what !== undefined) return `${lead}remove ${what}${of ?? (line === undefined ? '' : ` on ${line}`)}`;
  }
  return text;
}
