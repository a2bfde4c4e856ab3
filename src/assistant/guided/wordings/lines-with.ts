import { wordsOf } from '../../../language/sentence.ts';

/*
 * Lines that are named by their customer alone: "everyone with a globex line" means the people of Globex, and "two iot lines
 * for acme in area 303" orders lines, with or without a verb.
 */

const NAME = String.raw`\p{L}[\p{L}&-]+`;
const WITH_LINE = new RegExp(
  String.raw`\b(?:every(?:one|body)|all\s+(?:the\s+)?(?:people|customers|subscribers|users)|any(?:one|body))\s+(?:with|who\s+has|that\s+has|who\s+have|that\s+have|having|on)\s+(?:an?\s+|our\s+|the\s+)?(?<name>${NAME})\s+(?:line|number|mobile|phone|sim)s?\b`,
  'iu',
);
const WHO_HAS = new RegExp(
  String.raw`^(?<head>\W*(?:(?:and|so|ok|show|me|tell|list|us)\s+)*)who\s+(?:all\s+|else\s+)?(?:has|have|had|owns|uses)\s+(?:an?\s+)(?<name>${NAME})\s+(?:line|number|sim)s?[\s?.!]*$`,
  'iu',
);
const COUNTS = 'two|three|four|five|six|seven|eight|nine|ten|a\\s+couple\\s+of|\\d{1,2}';
const IN_AREA = new RegExp(
  String.raw`^(?<head>\W*(?:(?:hi|hey|please|pls|plz|ok|so|can|could|you|u|we|i|would|like|want|to|need|order|get|buy|give|me|us|provision|set\s*up|also|and)\b[\s,]*)*)(?<count>${COUNTS}|an?|one)\s+(?<kind>(?:new\s+)?(?:(?:iot|voip|mobile|mvno)\s+)?)(?<noun>lines?|numbers?|sims?)\s+for\s+(?:the\s+)?(?<name>${NAME}(?:\s+${NAME})?)\s+(?:in|with)\s+(?:area\s*(?:code)?\s*)?(?<code>[2-9]\d\d)(?!\d)(?<end>.*)$`,
  'isu',
);

const AREA_FIRST = new RegExp(
  String.raw`^(?<head>\W*(?:(?:hi|hey|please|pls|plz|ok|so|can|could|you|u|we|i|would|like|want|to|need|order|get|buy|give|me|us|provision|set\s*up|also|and)\b[\s,]*)*)(?<count>${COUNTS})\s+(?<kind>(?:new\s+)?(?:(?:iot|voip|mobile|mvno)\s+)?)(?<noun>lines?|numbers?|sims?)\s+(?:in|with)\s+(?:area\s*(?:code)?\s*)?(?<code>[2-9]\d\d)(?!\d)\s+for\s+(?:the\s+)?(?<name>${NAME}(?:\s+${NAME})?)(?<end>\s*(?:$|[,.;!].*$|\b(?:please|pls|asap|now)\b.*$))`,
  'isu',
);
const LINE = String.raw`[#…*]*(?:\d{4}(?!\d)|\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d))`;
/** "0110 isn't ava's, it is ben's" */
const RIGHT_OWNER = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|so|fyi|ok|actually)[\s,]+)*(?<line>${LINE})\s+(?:is\s*n['’]?t|is\s+not|was\s+never)\s+(?<old>${NAME})['’]s(?:\s+(?:line|number))?(?:\s+(?:any\s?more|any\s+longer|now))?[\s,;.–-]+(?:(?:but|it['’]?s|it\s+is|that['’]?s|now|should\s+be|belongs\s+to)\s+)+(?<name>${NAME})(?:['’]s)?(?:\s+now)?[\s.!]*$`,
  'iu',
);
/** "0104 isn't used, get rid of it": the line of the first part. */
const RID =
  /^(?<first>[^?"“„]*(?<![\w+-])[#…*]*\d{4}(?![\w-])[^?"“„]*?)\b(?:get\s+rid\s+of|ditch|scrap|bin|lose)\s+(?:it|that|this\s+one|that\s+one)\b/iu;
const OF_RECORDS =
  /\b(?:plans?|packages?|bundles?|routes?|trunks?|filters?|webhooks?|rules?|subscriptions?|products?|blocks?|add-?ons?|features?|limits?|hold)\b/iu;
/** "Remove ben reed from our system" */
const REMOVES = new RegExp(
  String.raw`\b(?:remove|delete|erase|wipe|purge|take|kick)\s+(?<name>${NAME}(?:\s+${NAME})?)\s+(?:completely\s+|out\s+)?(?:from|off|of)\s+(?:(?:our|the|your)\s+)?(?:systems?|platform|records|database|books|files)\b`,
  'iu',
);
const NOT_ENDED =
  /(?<=\d{4}\s+)(?:should\s*(?:not|n['’]?t)|must\s*(?:not|n['’]?t)|was\s*(?:n['’]?t|not)\s+(?:supposed|meant)\s+to)\s+(?:have\s+been|be)\s+(?<ended>cancell?ed|disconnected|terminated|deleted)\b/iu;

const MAX_LENGTH = 300;

function isName(name: string): boolean {
  return wordsOf(name).every(({ isUnknown }) => isUnknown);
}

/** The sentence with the words that other rules know. Any other sentence as it is. */
export function withLinesWith(text: string): string {
  if (text.length > MAX_LENGTH) return text;
  const has = WHO_HAS.exec(text)?.groups;
  if (has?.name !== undefined && isName(has.name)) return `${has.head}everyone at ${has.name}`;
  const { name } = WITH_LINE.exec(text)?.groups ?? {};
  if (name !== undefined && isName(name)) return text.replace(WITH_LINE, `everyone at ${name}`);
  const owner = RIGHT_OWNER.exec(text)?.groups;
  if (owner && [owner.old, owner.name].every((one) => isName(one ?? '')))
    return `assign ${owner.line} to ${owner.name}`;
  const gone = REMOVES.exec(text)?.groups?.name;
  if (gone !== undefined && isName(gone)) return text.replace(REMOVES, `delete subscriber ${gone}`);
  if (NOT_ENDED.test(text)) return text.replace(NOT_ENDED, 'was $<ended> by mistake');
  if (RID.test(text) && !OF_RECORDS.test(text)) return text.replace(RID, '$<first>cancel it');
  const area = (IN_AREA.exec(text) ?? AREA_FIRST.exec(text))?.groups;
  if (!area || !isName(area.name ?? '') || /\?/u.test(text)) return text;
  const { count = '', kind = '', noun = '', code = '', end = '' } = area;
  const of = /^(?:an?|one)$/iu.test(count) ? 'a' : count;
  return `provision ${of} ${/new/iu.test(kind) ? '' : 'new '}${kind.trim()}${kind.trim() === '' ? '' : ' '}${noun.replace(/^lines?|^sims?/iu, of === 'a' ? 'number' : 'numbers')} for ${area.name} in area code ${code}${end}`;
}
