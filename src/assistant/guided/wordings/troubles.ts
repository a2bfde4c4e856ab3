import { wordsOf } from '../../../language/sentence.ts';

/*
 * "Ben's texts don't arrive, can you see what's wrong": the trouble of a line is asked about, and not its list of
 * messages. It is read as the question why the line cannot text, call or use data.
 */

const NAME = String.raw`(?!(?:the|our|any|some|no|all|his|her|their|my|your|which|what|more|these|those|incoming|outgoing)\b)\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)?`;
const LINE = String.raw`[#…*]*(?:\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}|\d{4})(?!\d)`;
const SERVICE = String.raw`(?:(?:incoming|outgoing|mobile|his|her|their|the)\s+)*(?<service>texts?|sms(?:es)?|text\s+messages?|messages?|mms|msgs?|calls?|data|internet)`;
const FAILS = String.raw`(?:(?:all|just|still|always|suddenly|simply|really|now|since\s+\p{L}+)\s+)*(?:(?:do\s*n['’]?t|does\s*n['’]?t|do\s+not|does\s+not|did\s*n['’]?t|did\s+not|never|wo\s*n['’]?t|will\s+not|are\s*n['’]?t|is\s*n['’]?t|are\s+not|is\s+not|not|cannot|can['’]?t)\s+(?:(?:ever|even|being|getting|be|get|seem\s+to|want\s+to|always|really)\s+)*(?:arriv\w*|com(?:e|ing)\s+(?:through|thru|in)|go(?:ing)?\s+(?:out|through|thru)|deliver\w*|send(?:ing)?|sent|work(?:ing|s)?|connect\w*|reach\w*|load\w*|received)|(?:keep(?:s)?|kept)\s+(?:on\s+)?(?:dropping|failing|bouncing|cutting\s+out|breaking\s+up|getting\s+(?:lost|dropped|cut))|(?:fail|bounce|drop|get\s+lost)s?\b|(?:are|is)\s+(?:failing|bouncing|dropping|stuck|down|dead|broken))`;
const TROUBLE = new RegExp(
  String.raw`^(?<head>\W*(?:(?:hi|hey|hello|so|and|ok|please|pls|cust(?:omer)?|client|says?|said|complains?|complaining|reports?|that)[\s,:]+)*)(?:(?:(?<owner>${NAME}?)(?:['’]s?|s)?|(?<line>${LINE})(?:['’]?s)?)\s+${SERVICE}|${SERVICE.replace('<service>', '<what>')}\s+(?:of|to|for|from|on)\s+(?:(?<whom>${LINE})|(?<person>${NAME})))\s+${FAILS}(?<end>.*)$`,
  'isu',
);
/** "Ben says none of his texts go out", "0102: no calls come through" */
const NONE = new RegExp(
  String.raw`^(?<head>\W*(?:(?:hi|hey|hello|so|and|ok|please|pls|cust(?:omer)?|client|the|on)[\s,:]+)*)(?:(?<line>${LINE})|(?<person>${NAME}?))(?:['’]s)?[\s,:–—-]+(?:(?:(?:has|have|is|was)\s+)?(?:says?|said|saying|complaining|reporting|reports?|reported|complains?|complained|tells?|told|claims?|writes|wrote|calls|called|rang)\s+(?:(?:me|us|in|that)\s+)*)?(?:none\s+of\s+(?:(?:his|her|their|the|all)\s+)+|not\s+(?:one|a\s+single(?:\s+one)?)\s+(?:of\s+)?(?:(?:his|her|their|the)\s+)?|(?:(?:he|she|they)\s+(?:has|have|gets?)\s+)?no\s+)${SERVICE}\s+(?:(?:is|are|will|would|can|ever|even|gets?|getting|seems?\s+to|that)\s+)*(?:arriv\w*|com(?:e|es|ing)\s+(?:through|thru|in)|go(?:es|ing)?\s+(?:out|through|thru)|deliver\w*|send(?:ing|s)?|sent|work(?:ing|s)?|connect\w*|reach\w*|load\w*|received|out|through|thru|in|leav(?:e|es|ing))\b(?<end>.*)$`,
  'isu',
);
/** Asks for the reason, which the diagnosis gives. */
const ASKS =
  /[\s,;.–—-]*(?:(?:and|so|please|pls|can|could|would|will|you|u|we|i|someone|need|want|to|let)[\s,]+)*(?:see|check|look(?:\s+(?:into|at))?|find\s+out|figure\s+out|tell\s+me|know|investigate|what['’]?s?|whats|why|help|any\s+idea|how\s+come|fix)\b(?:[\s,]+(?:(?:is|the|it|that|this|me|us|out|going|on|up|wrong|happening|matter|problem|issue|reason|cause|into|please|pls|with|there|here|her|him|them|why|what['’]?s?|whats|for|so)\b|\?))*\s*[.?!]*\s*$/iu;
const OTHER = /["“„]|\b(?:block|filter|to\s+\+?1?\d{10}|from\s+\+?1?\d{10})\b|\+?1?\d{10}\s+from\s+\p{L}/iu;

/** "… since we ported it in", "… after the sim swap": when the trouble began, which orders nothing. */
const BEGAN =
  /[\s,;–—-]*\b(?:ever\s+since|since|right\s+after|after|following|during|when|while)\s+(?:(?:we|they|he|she|i|it|the|his|her|their|my|our|last|yesterday['’]?s|trunk|route|routing|plan|carrier|voice|sms|message|\p{L}+['’]s|has|was|got|been|had|new|just|number|line)\s+)*(?:port(?:s|ed|ing)?|swap(?:s|ped)?|mov(?:e|ed|ing)|transfer(?:red)?|migrat(?:ion|ed)|switch(?:ed|over)?|cut-?over|activat(?:ion|ed)|sim|e-?sim|upgrad(?:e|ed)|chang(?:e|ed)|updat(?:e|ed)|edit(?:ed)?|replac(?:ement|ed))\b(?:\s+(?:it|him|her|them|in|over|out|went|through|thru|was|is|has|been|got|completed?|done|finished|live|here|to\s+us|his|the|number|line|e?sim|swap|change|card|yesterday|today|(?:last|this|on)\s+\p{L}+)\b)*/iu;
const FAILING =
  /\b(?:no|not|never|nothing|nobody|noone|cannot|cant|dont|doesnt|wont|isnt|arent|stopped|fail(?:s|ed|ing)?|dead|down|broken|drop(?:s|ped|ping)?|unable|trouble|problem|issue|lost|gone)\b|n['’]t\b/iu;
const USES =
  /\b(?:texts?|sms|mms|messag\w*|calls?|calling|ring\w*|data|internet|signal|service|send\w*|receiv\w*|voice|dial\w*|surf\w*|online|work\w*)\b/iu;

/** "Customer ported in yesterday and has no data on 0105" reports the port. */
const PORTED_FIRST =
  /^(?<head>\W*(?:(?:hi|hey|so|and|ok)[\s,]+)*)(?<who>(?:(?:the|our|this|my)\s+)?\p{L}+(?:\s+\p{Lu}\p{L}+)?)\s+(?:(?:has|have|just|recently|only|was|were|got)\s+)*(?:ported|moved|transferred|switched)(?:\s+(?:in|over|to\s+us|here|(?:his|her|their)\s+(?:number|line)))*(?:\s+(?:yesterday|today|recently|(?:last|this|on)\s+\p{L}+|\p{L}+\s+(?:days?|weeks?)\s+ago))?\s*(?:[,;.–—-]+\s*(?:(?:and|but|now|since\s+then)\s+)*|\s+(?:and|but)\s+)(?=\S)/iu;

/** The report of a trouble without the event since which it has been so. */
function withoutBegin(text: string): string {
  const first = text.replace(PORTED_FIRST, (_all, head: string, who: string) =>
    /^(?:(?:the|our|this|my)\s+)?(?:customer|cust|client|subscriber|s?he|they|it|line|number)$/iu.test(who)
      ? head
      : `${head}${who} `,
  );
  const rest = first.replace(BEGAN, '');
  return rest !== text &&
    !/["“„]/u.test(text) &&
    FAILING.test(rest) &&
    USES.test(rest) &&
    !/\b(?:cancel|park|suspend|stop|block)\b/iu.test(rest)
    ? rest
    : text;
}

const WRONG = /\b(?:wrong|matter|problem|happening|going\s+on|idea|how\s+come|look|check)\b/iu;

/** "She can't text from 0103, what's wrong": the report of the trouble says all that the question asks. */
function withoutTail(text: string): string {
  const rest = text.replace(ASKS, '');
  const isReport = rest.trim() !== '' && FAILING.test(rest) && USES.test(rest) && !/["“„?]/u.test(rest);
  return isReport && WRONG.test(text.slice(rest.length)) ? rest : text;
}

/** "Ben says nobody can text him", "people can't call 0103" */
const UNREACHED = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|hello|so|and|ok|cust(?:omer)?|client)[\s,:]+)*(?:(?:(?<says>${NAME})\s+|(?<=(?:customer|cust|client)\s+)|s?he\s+)(?:says?|said|complains?|reports?|told\s+us|tells\s+us)\s+(?:that\s+)?)?(?:(?:nobody|no\s*one|none)\s+(?:can|could|is\s+able\s+to|manages\s+to)|(?:people|others|callers|every(?:body|one)|they|(?:(?:her|his|their)\s+)?(?:friends|family|customers|contacts))\s+(?:can\s*not|can['’]?t|could\s*n['’]?t|are\s+not\s+able\s+to)|(?:nobody|no\s*one|none)(?=\s+(?:reaches|gets)\b))\s+(?<use>text|sms|message|call|ring|reach(?:es)?|phone|gets?\s+(?:through\s+to|hold\s+of))\s+(?:(?:him|her|them)\s+(?:on|at)\s+(?<on>${LINE})|(?<whom>him|her|them|${LINE}|${NAME}))(?<end>[\s,.!?]*(?:any\s*more|now|at\s+all)?[\s.!?]*(?:,.*)?)$`,
  'isu',
);

/** The complaint of somebody whom nobody reaches, as the question why the line receives nothing. */
function ofUnreached(text: string): string | undefined {
  const { says, use = '', on, whom = on ?? '', end = '' } = UNREACHED.exec(text)?.groups ?? {};
  const who = /^(?:him|her|them)$/iu.test(whom) ? says : whom;
  if (who === undefined || who === '' || (/^\p{L}/u.test(who) && !wordsOf(who).every(({ isUnknown }) => isUnknown)))
    return undefined;
  const what = /^(?:text|sms|message)$/iu.test(use) ? 'texts' : 'calls';
  return `why can't ${who} receive ${what}${end.replace(ASKS, '')}`;
}

/** The sentence as the question why the line cannot use a service. Any other sentence as it is. */
export function withTrouble(said: string): string {
  const text = withoutBegin(said);
  const found = OTHER.test(text) ? undefined : (TROUBLE.exec(text) ?? NONE.exec(text))?.groups;
  if (!found) return ofUnreached(text) ?? withoutTail(text);
  const { head = '', owner, person = owner, line, whom = line, service, what = service ?? '', end = '' } = found;
  const isName = person !== undefined && wordsOf(person).every(({ isUnknown }) => isUnknown);
  const of = whom ?? (isName ? person : undefined);
  if (of === undefined) return text;
  const use = /^call/iu.test(what) ? 'call' : /^(?:data|internet)/iu.test(what) ? 'use data' : 'text';
  const rest = end.replace(ASKS, '');
  return `${head}why can't ${of} ${use}${rest}`;
}
