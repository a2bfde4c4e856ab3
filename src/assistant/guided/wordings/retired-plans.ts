import { COURTESY } from '../facts/beginnings.ts';
import { isPlanName } from '../facts/plans.ts';

/*
 * A package or a product that is no longer sold: "retire the Starter package", "stop selling the Senior plan". It is
 * deleted. The sentence names no line, and means no subscription.
 */

const LEAD = String.raw`(?<lead>^\W*${COURTESY})`;
const RECORD = String.raw`(?:(?:the|our|that)\s+)?(?<name>(?!(?:the|our|his|her|their|its|a|an|this|that|my)\b)[\p{L}\d][\p{L}\d&+-]*(?:\s+[\p{L}\d&+-]+){0,2}?)\s+(?<noun>package|plan|bundle|tariff|product)`;
const VERB =
  '(?:retire|sunset|discontinue|decommission|phase\\s+out|withdraw|mothball|scrap|axe|ditch|nuke|bin|abolish|end[\\s-]of[\\s-]life)';
const PAST = '(?:retired|sunset(?:ted)?|discontinued|decommissioned|phased\\s+out|withdrawn)';
const OFF_SALE = String.raw`off\s+(?:(?:the|our)\s+)?(?:sale|shelf|shelves|market|menu|catalogu?e|offer)`;
const END = String.raw`(?=\s*(?:$|[,;.!–—-]|\b(?:please|pls|plz|now|for\s+good|today|completely|and\s+(?:nobody|no\s+one)|because|since|as|so)\b))`;
const RETIRED = [
  String.raw`${LEAD}${VERB}\s+${RECORD}${END}`,
  String.raw`${LEAD}(?:stop|quit)\s+(?:selling|offering)\s+${RECORD}${END}`,
  String.raw`${LEAD}(?:take|pull|get)\s+${RECORD}\s+${OFF_SALE}${END}`,
  String.raw`${LEAD}${RECORD}\s+(?:should|must|needs?\s+to|has\s+to|can|is\s+to)\s+(?:now\s+)?be\s+(?:${PAST}|taken\s+${OFF_SALE})${END}`,
].map((pattern) => new RegExp(pattern, 'iu'));
/** A line, an owner, a refusal or a question. */
const OTHER =
  /\?\s*$|["“„]|(?<![\w-])\d{4}(?![\w-])|\d{10}|['’]s\b|^\W*(?:who|what|which|when|why|how|did|does|is|was|has|if)\b|\b(?:do\s+not|never)\b|n['’]t\b/iu;
/** "We don't sell Starter any more, scrap it" */
const UNSOLD = new RegExp(
  String.raw`${LEAD}(?:(?:do\s*n['’]?t|do\s+not|no\s+longer)\s+)(?:sell|offer|do|have|need|want)\s+(?:the\s+|our\s+)?(?<name>[\p{L}\d][\p{L}\d&+-]*)(?:\s+(?<noun>package|plan|bundle|tariff|product))?(?:\s+any\s?(?:more|longer))?[\s,;.–-]+(?:(?:so|please|pls|and|you\s+can|can\s+you|just)\s+)*(?:${VERB}|delete|remove|drop|erase|kill|get\s+rid\s+of)\s+(?:it|that|this)(?:\s+(?:please|pls|now))*[\s.!]*$`,
  'iu',
);

/** Why it is retired: "nobody should buy it any more". */
const WHY =
  /^(?:\s*[,;.–—-]+\s*(?:(?:so|because|since|as|and)\s+)?|\s+(?:because|since|as|and)\s+)(?:nobody|no\s+one|none|we|it|they|customers?)\b[^.;!?]*\b(?:buy|bought|buys|sell|sold|sells|offer|offered|want|wants|use|uses|order|orders|take|takes|any\s*more|anymore|longer)\b[^.;!?]*[.!]*$/iu;

/** The order to delete it. Any other sentence as it is. */
export function withRetiredPlan(text: string): string {
  const unsold = UNSOLD.exec(text)?.groups;
  if (unsold && (unsold.noun !== undefined || isPlanName(unsold.name ?? '')))
    return `delete the ${unsold.noun === 'product' ? 'product' : 'package'} ${unsold.name ?? ''}`;
  const found = OTHER.test(text) ? undefined : RETIRED.map((one) => one.exec(text)).find((one) => one !== null);
  const { lead = '', name, noun } = found?.groups ?? {};
  if (!found || name === undefined || noun === undefined) return text;
  const rest = text.slice(found[0].length).replace(WHY, '');
  return `${lead}delete the ${noun === 'product' ? 'product' : 'package'} ${name}${rest}`;
}
