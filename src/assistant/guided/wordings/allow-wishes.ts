import { CHILDREN, FAMILY } from '../../../../tools/surfaces/filter-words.ts';
import { COURTESY } from '../facts/beginnings.ts';

/*
 * Wishes that a number always gets through, in words of their own: "add Ava's mom +1… to the numbers that may always
 * call", "let Ben's school +1… always ring him". They are read as an order for the allow list of the customer.
 */

const PHONE = String.raw`(?<phone>\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4})(?!\d)`;
const REACH = String.raw`(?:call|ring|phone|dial|reach|contact|text|message|sms|write|(?:gets?|comes?)\s+through|(?:be|is)\s+put\s+through)(?:e?s|ing)?(?:\s+to)?`;
const MAY = String.raw`(?:(?:may|can|could|should|must|always|ever|are|is|be|get|gets|still|allowed|permitted|able|free|to)\s+)*`;
const LISTED = new RegExp(
  String.raw`\b(?:the\s+|her\s+|his\s+|their\s+)?(?:list\s+of\s+)?(?:the\s+)?(?:numbers|people|persons|callers|contacts|senders|ones|those)\s+(?:that|who|which)\s+${MAY}(?<reach>${REACH})(?:\s+(?:her|him|them|us|me))?(?:\s+(?<name>(?!(?:for|at|from|on|please|pls|now|any|always|whenever)\b)\p{L}[\p{L}'’-]+))?(?=\s*(?:$|[,.;!]|\b(?:for|please|pls|now|always|any|whenever)\b))`,
  'iu',
);
const ADDS = /\b(?:add|put|include|place|get|set|want|need)\b/iu;
const TEXTS = /\b(?:text|message|sms|write)/iu;
const AGAINST =
  /["“„?]|^\W*who\b|\b(?:not|never|dont|no\s+longer|block|stop|remove|take|delete|which\s+numbers|off)\b|n['’]t\b/iu;

const OWNER = String.raw`(?<owner>(?!(?:her|his|their|the|my|our)\b)\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?)`;
const RELATIVE = String.raw`(?:(?:old|new|own|little|big|elder|best)\s+)?(?:${FAMILY}|\p{L}+)`;
/** "Let Ava's dad +1… always call" */
const LETS = new RegExp(
  String.raw`\b(?:let|allow|permit|make\s+sure|ensure)\s+${OWNER}['’]?s\s+${RELATIVE}\s+${PHONE}\s+(?:can\s+|may\s+|to\s+)?(?:always\s+)(?<reach>${REACH})(?:\s+(?:her|him|them))?`,
  'iu',
);
/** "Ava wants her sister +1… to be able to always ring her" */
const WANTS = new RegExp(
  String.raw`\b${OWNER}\s+(?:wants?|needs?|would\s+like|asks?\s+for|asked\s+for)\s+(?:her|his|their|the)\s+${RELATIVE}\s+${PHONE}\s+to\s+${MAY}(?<reach>${REACH})(?:\s+(?:her|him|them))?(?<always>\s+(?:always|any\s?time|whenever))?`,
  'iu',
);
/** "Ben's boss +1… goes on the allowed list" */
const GOES_ON = new RegExp(
  String.raw`\b${OWNER}['’]s\s+${RELATIVE}\s+${PHONE}\s+(?:goes|should\s+go|should\s+be|belongs|must\s+be|has\s+to\s+be|needs\s+to\s+be)\s+(?:put\s+)?(?:on|in|onto)\s+(?:the|her|his|their)\s+(?:allow|allowed|white)\s*-?\s*list`,
  'iu',
);

const WHO = String.raw`(?:(?:the|his|her|their|my|our|an?)\s+)?(?:(?!(?:calls?|texts?|messages?|sms|number|only|just|everyone|anyone|through|to|from)\b)\p{L}[\p{L}.'’-]*\s+){1,4}?`;
const CALLED = String.raw`(?<owner>(?!(?:her|his|him|them|their|the|my|our|us|me|back|again|from|to|on|with|only|when|and)\b)\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?)`;
const TO = String.raw`(?:(?:can|could|may|to|always|still|also|be|is|able|allowed)\s+)*`;
const LINE = String.raw`[#…*]*(?:\+?1?[2-9]\d{9}|\d{4})(?!\d)`;
/** "The kid on 0103" */
const ON_LINE = String.raw`(?:(?:the|his|her|their|my|our)\s+)?(?:${FAMILY}|${CHILDREN})\s+(?:on|at)\s+(?=[#…*+\d])`;
const WHOM = `(?:${ON_LINE})?${CALLED.replace('(?<owner>', `(?<owner>${LINE}|`)}`;
/** Without "always", "be able to" or the like it is told that somebody calls, and wished for nothing. */
const ALWAYS = String.raw`(?=[^.;!?]*\b(?:always|ever|whatever|no\s+matter|any\s?time|(?:be\s+)?able\s+to)\b)`;
const ANYHOW = String.raw`(?:[\s,]+(?:no\s+matter\s+what|whatever\s+happens|always))?`;
/** A number with the words for whose it is: "let grandma (+1…) text ben", "his aunt +1… should be able to call ben". */
const OF_SOMEBODY: readonly RegExp[] = [
  String.raw`\b(?:let|allow|permit|make\s+sure|ensure)\s+(?:that\s+)?${WHO}\(?${PHONE}\)?\s+${TO}(?<reach>${REACH})\s+${WHOM}`,
  // "Let granny (+1…) through on 0103"
  String.raw`\b(?:let|allow)\s+${WHO}\(?${PHONE}\)?\s+(?:to\s+)?(?:get\s+|come\s+)?(?:through|thru|past)\s+(?:to|on|for|at)\s+${WHOM}`,
  // "Make sure +1… can always get through to ben", "+1… must always be able to call 0103"
  String.raw`\b(?:(?:make\s+sure|ensure|see\s+(?:to\s+it|that))\s+(?:that\s+)?|let\s+(?=\S+\s+${ALWAYS}))\(?${PHONE}\)?\s+${TO}(?<reach>${REACH})\s+${WHOM}${ANYHOW}`,
  String.raw`(?<=^|[,.;]\s*|\band\s+)(?:${WHO})?\(?${PHONE}\)?\s+(?:should|must|(?:has|needs?)\s+to)\s+${ALWAYS}${TO}(?<reach>${REACH})\s+${WHOM}${ANYHOW}`,
  // "0103 should always get calls from +1…"
  String.raw`${WHOM.replace('(?!', '(?!(?:who|what|which|it|we|they|he|she|you|customer|client|line|number)\\b|')}\s+(?:should|must|(?:has|needs?|wants?)\s+to)\s+${ALWAYS}${TO}(?:get|receive|have)\s+(?<reach>calls?|texts?|sms|messages?)\s+from\s+${WHO.replace('){1,4}?', '){0,4}?')}\(?${PHONE}`,
  String.raw`(?<=^|[,.;]\s*|\band\s+)(?:(?:the|his|her|their|my)\s+)?(?:${FAMILY})(?:['’]s)?\s+(?:(?:number|phone|cell|mobile)\s+)?\(?${PHONE}\)?\s+(?:should|must|(?:has|needs?|wants?)\s+to)\s+${TO}(?<reach>${REACH})\s+${WHOM}`,
  // "Let ben get texts from +1…"
  String.raw`\b(?:let|allow|permit)\s+${WHOM}\s+(?:to\s+)?(?:get|receive|have)\s+(?<reach>calls?|texts?|sms|messages?)\s+from\s+${WHO.replace('){1,4}?', '){0,4}?')}\(?${PHONE}`,
  String.raw`\b(?:let|allow|permit)\s+${WHO}${TO}(?<reach>${REACH})\s+${CALLED}\s*[,;.(–—-]+\s*(?:and\s+)?(?:(?:her|his|their|the)\s+)?(?:number|phone|it)(?:['’]?s|\s+is)?\s*:?\s*${PHONE}\)?`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** "+1… may call ava again", "let grandma +1… text ava again". The number is on the block list. */
const AGAIN = new RegExp(
  String.raw`^\W*(?:(?:please|pls|hi|hey|so|ok|and|can|could|you|u|we)[\s,]+)*(?:(?:let|allow|permit)\s+${WHO.replace('){1,4}?', '){0,4}?')}\(?${PHONE}\)?\s+(?:to\s+)?|${WHO.replace('){1,4}?', '){0,4}?')}\(?${PHONE.replace('<phone>', '<number>')}\)?\s+(?:may|can|could|should|must|(?:is|are)\s+allowed\s+to)\s+)(?:be\s+able\s+to\s+)?(?<reach>${REACH})\s+${WHOM}\s+again\b`,
  'iu',
);
/** "+1… shouldn't be on ava's allow list any more" */
const LISTED_NO_MORE = new RegExp(
  String.raw`^\W*\(?${PHONE}\)?\s+(?:(?:should|must|need)\s*(?:n['’]?t|not)\s+(?:to\s+)?be|has\s+no\s+business\s+being)\s+on\s+(?<list>[^.;!?]{3,60}?\blist)\b`,
  'iu',
);

/** "Let only +1… call 0104" */
const LET_ONLY = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:let|allow|permit)\s+(?:only|just)\s+(?=[^.;!?]*\b(?:call|text|message|sms|reach|ring|phone|contact|through)\b)`,
  'iu',
);
/** "Ava wants no calls from unknown numbers on 0101": the customer before an order that names the line. */
const WANTS_NONE =
  /^(?<head>\W*)(?:the\s+)?(?:customer|caller|\p{L}+(?:\s+\p{Lu}\p{L}+)?)\s+(?:wants?|needs|would\s+like|asks?\s+for|asked\s+for)\s+(?=no\s+(?:more\s+)?(?:calls?|texts?|sms|messages?)\b[^?]*\d{4})/iu;

/** The sentence as an order for the allow list, or a wish about a filter as an order. Any other sentence as it is. */
export function withAllowWish(typed: string): string {
  const text = typed.replace(LET_ONLY, '$<head>only let ').replace(WANTS_NONE, '$<head>');
  const again = /["“„?]/u.test(text) ? undefined : AGAIN.exec(text)?.groups;
  if (again) {
    const kind = TEXTS.test(again.reach ?? '') ? 'texts from ' : 'calls from ';
    return `unblock ${kind}${(again.phone ?? again.number)?.trim()} for ${again.owner}`;
  }
  const gone = LISTED_NO_MORE.exec(text)?.groups;
  if (gone) return `take ${gone.phone?.trim()} off ${gone.list}`;
  if (AGAINST.test(text) || !new RegExp(PHONE, 'u').test(text)) return text;
  const listed = ADDS.test(text) ? LISTED.exec(text) : null;
  if (listed) {
    const { reach = '', name } = listed.groups ?? {};
    return text.replace(
      listed[0],
      () => `the allow list for ${TEXTS.test(reach) ? 'texts' : 'calls'}${name === undefined ? '' : ` of ${name}`}`,
    );
  }
  const found = [LETS, WANTS, GOES_ON, ...OF_SOMEBODY].map((one) => one.exec(text)).find((one) => one !== null);
  const { owner, phone, reach = 'call' } = found?.groups ?? {};
  if (!found || owner === undefined || phone === undefined) return text;
  return text.replace(found[0], () => `allow ${phone.trim()} to ${TEXTS.test(reach) ? 'text' : 'call'} ${owner}`);
}

const LISTED_ONLY =
  /\b(?:only|just|nobody\s+(?:but|except)|no\s*one\s+(?:but|except))\b[^.;!?]{0,60}?\b(?:(?:people|persons|numbers|callers|contacts|senders|those|ones|folks|anyone|everyone)\s+(?:(?:that|who|which)\s+are\s+)?(?:on|in|from)\s+(?:his|her|their|the|its|an?)\s+(?:(?:own|allow|allowed|white|contact|contacts|safe|approved)[\s-]*)*list|(?:allow|allowed|approved|white-?listed|listed)\s+(?:people|numbers|callers|contacts|senders|ones))(?:\s+(?:to\s+)?(?:may\s+|can\s+|to\s+)?(?:call|text|reach|ring|contact)(?:s|ing)?(?:\s+(?:him|her|them|through))?)?/iu;
const WISHER = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|hello|so|and|ok|customer|client|please|pls|can|could|you|u)[\s,]+)*(?<who>[#…*]*\d{4}(?!\d)|${OWNER})\s+(?:(?:now|really|just|only)\s+)*(?:wants?|needs?|should|may|can|must|gets?|would\s+like)\b`,
  'iu',
);

/** "Ben only wants calls from people on his list": the filter lets only those of the allow list through. */
export function withListedOnly(text: string): string {
  if (/["“„]|\b(?:not|never|dont|which|what|who|how|remove|add)\b|n['’]t\b/iu.test(text) || /\d{10}/u.test(text))
    return text;
  const { who } = LISTED_ONLY.test(text) ? (WISHER.exec(text)?.groups ?? {}) : {};
  if (who === undefined) return text;
  const through = TEXTS.test(text) && !/\bcall/iu.test(text) ? 'senders' : 'callers';
  return `let only allowed ${through} through for ${who}`;
}
