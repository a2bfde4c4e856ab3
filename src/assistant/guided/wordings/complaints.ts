import { FILTER_RULES } from '../../../../tools/surfaces/filter-words.ts';
import { wordsOf } from '../../../language/sentence.ts';

/*
 * Complaints and wishes that ask for a block or a limit in other words than an order: "ava gets nasty calls from +1…, her
 * mother asks us to stop that", "don't let +1… reach Ben", "2 gb for 0101 and slow after that". They are put into orders.
 */

const WHOLE = String.raw`\+?1?[\s.-]?\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*(?<!\d)\d{4}(?![\w-])|${WHOLE})`;
const NAME = String.raw`(?!(?:the|a|an|our|my|his|her|their|its|it|that|this|who|us|me|him|them|anyone|anybody|someone|any|more)\b)\p{L}[\p{L}-]+(?:\s+\p{Lu}[\p{L}-]+)??`;

/** True for words that neither the vocabulary nor everyday English has. */
export function isName(words: string | undefined): words is string {
  return words !== undefined && wordsOf(words).every(({ isUnknown }) => isUnknown);
}

const REACHES = String.raw`(?<reach>call|ring|phone|text|message|sms|write|reach|contact|bother|(?:(?:gets?|comes?)\s+)?through|talk|speak)(?:e?s|ing)?(?:\s+(?:to|on|for))?`;
/** "Her dad", "the ex-husband" */
const SOMEBODY = String.raw`(?:(?:the|her|his|their|my|our|an?)\s+)?(?:(?!(?:calls?|texts?|number|only)\b)\p{L}[\p{L}.'’-]*)(?:\s+\p{L}[\p{L}.'’-]*)?`;
const NOT = String.raw`(?:do\s*n['’]?o?t|does\s*n['’]?o?t|do\s+not|does\s+not|never|no\s+longer)`;
const BEGINS = String.raw`(?:^\W*|(?<=[,;.!]\s*))`;
const CALLER = String.raw`(?:${SOMEBODY}\s+)?\(?(?<caller>${WHOLE})\)?`;
const TO_LINE = String.raw`\s+(?:allowed\s+|supposed\s+|meant\s+)?(?:to\s+)?(?:(?:ever|be\s+able\s+to)\s+)*${REACHES}\s+(?<who>${LINE}|${NAME})(?:\s+any\s?more)?`;
const KEPT_OUT = [
  // "Don't let grandma (+1…) call Ben", "stop putting calls from +1… through to Ben"
  String.raw`(?:\b(?:${NOT}\s+(?:ever\s+)?(?:let|put|allow|permit)|(?:stop|quit)\s+(?:letting|putting|having))|${BEGINS}(?:\p{L}+\s+){1,3}?${NOT}\s+wants?)\s+(?:(?<kind>calls?|texts?|sms|messages?)\s+from\s+)?${CALLER}${TO_LINE}`,
  // "+1… is not allowed to call Ben", "her ex +1… must not text 0101"
  String.raw`${BEGINS}(?![^?]*\bblock)${CALLER}\s+(?:(?:is|are)\s*(?:n['’]?t|not|no\s+longer)|(?:may|must|should)\s*(?:n['’]?o?t|not|no\s+longer))${TO_LINE}`,
  // "Make sure +1… can't get through to Ben"
  String.raw`\b(?:make\s+sure|ensure|see\s+to\s+it)\s+(?:that\s+)?${CALLER}\s+(?:${NOT}|can['’]?t|cannot|can\s+not|won['’]?t)${TO_LINE}`,
].map((pattern) => new RegExp(pattern, 'iu'));

/** "Don't let +1… reach Ben": the caller is blocked for Ben. */
function keptOut(text: string): string {
  const pattern = KEPT_OUT.find((one) => one.test(text));
  const { kind, caller, reach: said = '', who } = pattern?.exec(text)?.groups ?? {};
  const reach = kind ?? said;
  const isWho = who !== undefined && (/\d/u.test(who) || isName(who));
  if (!pattern || caller === undefined || !isWho || /["“„?]/u.test(text)) return text;
  const what = /^(?:text|message|sms|write)/iu.test(reach)
    ? 'texts from '
    : /^(?:call|ring|phone)/iu.test(reach)
      ? 'calls from '
      : '';
  return text.replace(pattern, `block ${what}${caller.trim()} for ${who}`);
}

const FILTERS = '(?:filter(?:ing|ed)?|screen(?:ing|ed)?|flag(?:ging|ged)?)';
const UNFILTERED = new RegExp(
  String.raw`^\W*(?:(?:please|pls|plz|hey|hi|so|can|could|you|u|we|guardian|should|must)[\s,]+)*(?:(?:stop|quit)\s+(?:guardian\s+(?:from\s+)?)?${FILTERS}|(?:${NOT}|shouldn['’]?t|should\s+not)\s+(?:let\s+guardian\s+)?${FILTERS})\s+(?:(?<kind>calls?|texts?|sms|messages?)\s+(?:from|of|by)\s+)?(?<caller>${WHOLE})\s+(?:to|for|on|at)\s+(?<who>${LINE}|${NAME}(?=['’]s|\s|[.!,;]|$))(?:['’]?s?\s+(?:line|phone|number))?(?:\s+(?:any\s?more|please|pls|now))*\s*(?:[.!]*|[,;–-]\s*[^?\d]*)$`,
  'iu',
);

/** "Stop filtering calls from +1… to Ben": the number gets through, and the filter goes on. */
function unfiltered(text: string): string {
  const { kind = 'calls', caller, who } = UNFILTERED.exec(text)?.groups ?? {};
  const isWho = who !== undefined && (/\d/u.test(who) || isName(who));
  if (caller === undefined || !isWho) return text;
  return `allow ${caller.trim()} to ${/^c/iu.test(kind) ? 'call' : 'text'} ${who}`;
}

const OFF = new RegExp(
  String.raw`(?<head>^\W*(?:(?:please|pls|plz|hey|hi|so|can|could|you|u|we)[\s,]+)*)(?:keep|get|hold)\s+(?:calls?\s+from\s+|(?<texts>(?:texts?|sms|messages?)\s+from\s+))?(?<caller>${WHOLE})\s+(?:off|away\s+from|out\s+of)\s+(?<who>${LINE}|${NAME})(?:['’]?s?\s+(?:line|phone|number))?(?<only>[\s,]+(?:only\s+)?(?:for\s+)?(?:texts?|sms|messages?)(?:\s+only)?)?`,
  'iu',
);

/** "Keep +1… off 0103": the caller is blocked there. */
function keptOff(text: string): string {
  const { head = '', texts, caller, who, only } = OFF.exec(text)?.groups ?? {};
  const isWho = who !== undefined && (/\d/u.test(who) || isName(who));
  if (caller === undefined || !isWho || /["“„?]/u.test(text)) return text;
  return text.replace(OFF, `${head}block ${(texts ?? only) ? 'texts from ' : ''}${caller.trim()} for ${who}`);
}

const STOP = String.raw`(?:make\s+(?:it|this|that|them)\s+stop|(?:stop|end|block|prevent)\s+(?:it|this|that|them|those|these)\b|put\s+(?:a\s+stop|an\s+end)\s+to|(?:wants?|likes?|needs?)\s+(?:it|that|this|them|those)\s+(?:to\s+)?(?:be\s+)?(?:stop|end|block|gone|over)\w*)`;
const RULES = Object.values(FILTER_RULES)
  .map((words) => String.raw`\b(?:${words})\b`)
  .join('|');
const IS_RULE = new RegExp(`^(?:${RULES})$`, 'iu');
const GETS_RULED = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|hello|so|pls|please|and)[\s,]+)*(?<who>${LINE}|${NAME})\s+(?:(?:still|always|constantly|now|is|keeps?)\s+)*(?:gets?|getting|receives?|receiving)\s+(?<what>[^.;!?]{3,80}?)[\s,.;!–—-]+(?<rest>(?:[^.;!?]{0,60}?\b)?)${STOP}[^.;!?]{0,40}[\s.!?]*$`,
  'iu',
);

/** "Ben gets texts with odd links, how do i stop that": the rule that blocks what he gets. */
function ruleWished(text: string): string {
  const { who, what: first = '', rest = '' } = GETS_RULED.exec(text)?.groups ?? {};
  const what = `${first} ${rest}`;
  const rule = new RegExp(RULES, 'iu').exec(what)?.[0];
  if (rule === undefined || !(/\d/u.test(who ?? '') || isName(who)) || new RegExp(WHOLE, 'u').test(what)) return text;
  const kind = /\b(?:text|sms|messag)\w*/iu.test(what) && !/\b(?:text|sms|messag)\w*/iu.test(rule) ? ' in texts' : '';
  return `block ${rule}${kind} for ${who}`;
}

const TRAFFIC = '(?:calls?|callers?|texts?|texters?|senders?|messages?|sms)';
const CALLERS = `(?:${TRAFFIC}|numbers?|people|strangers?)`;
const DENIED = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|hello|so|pls|please|and|ok|also)[\s,]+)*(?<what>(?:\p{L}+\s+){0,2}?${CALLERS})\s+(?:(?:should|must|may|can)\s*(?:n['’]?t|not)|shouldnt|mustnt|are\s+not\s+(?:allowed\s+)?to|aren['’]?t\s+(?:allowed\s+)?to)\s+(?:be\s+able\s+to\s+)?(?<reach>call|ring|phone|text|message|reach|contact|bother|(?:get|come|be\s+put)\s+(?:through\s+)?to|(?:get|come)\s+through\s+(?:to|for))\s+(?<who>${LINE}|${NAME})(?:\s+(?:any\s?more|please|pls|at\s+all|now))*[\s.!]*$`,
  'iu',
);

/** "Unknown callers shouldn't reach ava": the kind of callers is blocked for her. */
function kindDenied(text: string): string {
  const { what, who, reach = '' } = DENIED.exec(text)?.groups ?? {};
  const isWho = who !== undefined && (/\d/u.test(who) || isName(who));
  // An unknown word before the noun may be the name of a customer.
  const isKind = what !== undefined && (IS_RULE.test(what) || wordsOf(what).every(({ isUnknown }) => !isUnknown));
  if (!isKind || !isWho) return text;
  const isSaid = new RegExp(TRAFFIC, 'iu').test(what);
  const traffic = isSaid ? '' : /^(?:text|message)/iu.test(reach) ? 'texts from ' : 'calls from ';
  return `block ${traffic}${what} for ${who}`;
}

const CONTACTS = new RegExp(
  String.raw`\b(?<to>to|on|in|into|from|off)\s+(?<who>${NAME}|${LINE})(?<own>['’]s?)?\s+contacts?(?:\s+list)?(?=\s*(?:$|[,.;!]|please|pls))`,
  'iu',
);
const LISTS =
  /^\W*(?:(?:please|pls|hey|hi|can|could|you|u|also|and)[\s,]+)*(?<verb>add|put|save|take|remove|delete|drop)\b/iu;

/** "Add mom +1… to ben's contacts": the contacts that may text him. */
function ofContacts(text: string): string {
  const { verb } = LISTS.exec(text)?.groups ?? {};
  const { to, who, own } = CONTACTS.exec(text)?.groups ?? {};
  const phone = new RegExp(WHOLE, 'u').exec(text)?.[0];
  if (verb === undefined || phone === undefined || who === undefined) return text;
  const name = own === undefined && /[^s]s$/u.test(who) ? who.replace(/s$/u, '') : who;
  return `${verb} ${phone.trim()} ${to} ${name}'s text allow list`;
}

const AMOUNT = /(?<![\w.,])\d{1,6}(?:[.,]\d{1,3})?\s*(?:gb|gigs?|gigabytes?|mb|megs?|megabytes?)\b/giu;
const SLOW_AFTER =
  /(?<!\b(?:is|are|was|gets?|got|goes|went|runs?|so|very|too|becomes?|became|feels?|its|it['’]s)\s+)\b(?:slow(?:er|ed)?(?:\s+(?:it|him|her|them|down))*|throttled?(?:\s+(?:it|him|her|them))?|(?:low(?:er)?|reduced)\s+speed)\s+(?:only\s+)?(?:afterwards?|then|(?:after|above|beyond|past|over|from)\s+(?:that|it|this|which|then|there(?:\s+on)?|the\s+(?:limit|cap)))\b/iu;
const OF_LINE = new RegExp(
  String.raw`\b(?:for|on|of|to)\s+(?:the\s+line\s+of\s+)?(?<who>${LINE}|${NAME})|(?<line>${LINE})`,
  'iu',
);

/** "2 gb for 0101 and slow after that": the only amount is the one at which the line is slowed down. */
function slowedAfter(text: string): string {
  const amounts = text.match(AMOUNT) ?? [];
  const [amount] = amounts;
  if (amount === undefined || amounts.length > 1 || !SLOW_AFTER.test(text) || /["“„?]/u.test(text)) return text;
  const { who, line } = OF_LINE.exec(text.replace(amount, ' ').replace(SLOW_AFTER, ' '))?.groups ?? {};
  const owner = who !== undefined && (/\d/u.test(who) || isName(who)) ? who : line;
  return owner === undefined ? text : `throttle ${owner} at ${amount}`;
}

/** The sentence with such complaints and wishes as orders. */
export function complaints(sentence: string): string {
  return [keptOut, unfiltered, keptOff, kindDenied, ofContacts, ruleWished, slowedAfter].reduce(
    (text, reword) => reword(text),
    sentence,
  );
}
