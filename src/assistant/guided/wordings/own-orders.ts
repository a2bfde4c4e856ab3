import { givenNames } from '../../../../tools/surfaces/spellings.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { COURTESY } from '../facts/beginnings.ts';
import { isPlanName } from '../facts/plans.ts';
import { to } from './change-words.ts';
import { holderOf, type Plainer } from './plain-words.ts';

/*
 * This file puts free orders about lines and ports into the words that the families have: "port in +1… is stuck",
 * "take 0102 off ben", "hook 0110 up to ben", "need 0103 live today".
 */

const WHOLE = String.raw`\+?1?[\s.-]?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
/** The id of a port-in order. */
const ORDER = String.raw`(?:(?:port|order)\s+)*JNUOID-[\w-]{6,}`;
const LINE = String.raw`(?:(?:number|line)\s+)?(?:[#…*]*\d{4}(?![\w-])|${WHOLE})`;
const NAME = String.raw`(?!(?:the|a|an|our|my|his|her|their|its|it|that|this|what|who|hold|pause|ice|line|number|of|to|from|with|for|on)\b)\p{L}[\p{L}-]+(?:\s+(?!now\b|please\b|pls\b|from\b|line\b|number\b|and\b|today\b|tomorrow\b|asap\b|for\b|with\b)\p{L}[\p{L}-]+)?`;
const END = String.raw`(?:['’]?s(?:\s+(?:name|line|number))?)?(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today|tomorrow|asap|and|but|for|with|he|she|they)\b))`;

/** True for words that neither the vocabulary nor everyday English has. */
function isName(words: string | undefined): words is string {
  return (
    words !== undefined && words !== '' && wordsOf(words).every(({ isUnknown }) => isUnknown) && !isPlanName(words)
  );
}

const STATE = String.raw`(?:(?:is|are|was|has|have|been|got|getting|keeps?|seems?|looks?|still|just|now|again|to\s+be|already|it['’]?s|its)\s+)*(?:stuck|hang(?:s|ing)?|hung|late|delayed|rejected|refused|denied|fail(?:s|ed|ing)?|pending|overdue|waiting|frozen|broken|in\s+limbo|on\s+hold|kicked\s+back|bounced|taking\s+(?:so\s+long|forever|ages|too\s+long|long|days|weeks)|not\s+(?:done|through|thru|complete[d]?|moving|finished|in|working|going|here|there|ported)|has\s*n['’]?t\s+\p{L}+|(?:done|through|thru|complete[d]?|finished|ready|live|accepted|confirmed|over)(?=(?:\s+(?:yet|already|now|or\s+not))*\s*(?:\?|$)|\s+(?:yet|already|or\s+not)\b)|no\s+(?:news|updates?|progress|foc|answer|reply))(?![\p{L}\d])`;
const PORT_STATE = new RegExp(
  String.raw`^(?<head>\W*${COURTESY}(?:the\s+|our\s+|my\s+|that\s+)?)(?:port(?:ing|ed)?[\s-]?(?:in)?(?:\s+(?:order|request))?|transfer)\s+(?:(?:of|for|from|on)\s+)?(?:number\s+)?(?<number>${WHOLE})\s*,?\s+(?=${STATE})`,
  'iu',
);

/** "Kick off a port for +1…" */
const STARTS_PORT = new RegExp(
  String.raw`\b(?:kick\s+off|start|begin|initiate|launch|set\s+up|submit|put\s+in|file|request|place|get\s+going)\s+(?:an?\s+|another\s+)?(?:new\s+)?port(?:[\s-]?in)?(?:\s+(?:order|request))?\s+(?:of|for|on)\s+(?:number\s+)?(?=${WHOLE})`,
  'iu',
);

const TELLS_STATE = '(?:status|state|update|progress|news)';
/** "Port in status of +1…", "status port in +1…" */
const PORT_STATUS = new RegExp(
  String.raw`^\W*${COURTESY}(?:(?:what(?:['’]?s|\s+is)|need|give|show|me|us|an?|the)\s+)*(?:${TELLS_STATE}\s*(?:of|for|on|:)?\s*(?:the\s+)?port(?:ing)?[\s-]?in|port(?:ing)?[\s-]?in\s+(?:order\s+)?${TELLS_STATE})\s*(?:of|for|on|:)?\s*(?<number>${WHOLE})[\s?.!]*$`,
  'iu',
);

/** "Port in +1… is stuck" tells of an order that there is. */
export function portState(said: string): string {
  const text = said.replace(PORT_STATUS, 'status of the port of $<number>');
  return text.replace(STARTS_PORT, 'port in ').replace(PORT_STATE, (...found) => {
    const { head = '', number = '' } = found.at(-1) as Record<string, string>;
    return `${head.replace(/\b(?:the|our|my|that)\s+$/i, '')}the port of ${number.trim()} `;
  });
}

const ONLY_TELL =
  /^(?<left>\W*(?:(?:please|pls|ok|so|hey|and)[\s,]+)*(?:do\s*n['’]?o?t|do\s+not|no\s+need\s+to|not\s+asking\s+(?:you\s+)?to|without)\s+\p{L}+(?:\s+(?:anything|any|it|them|that|this|stuff|lines|numbers|yet|now))*)[\s,;.:–—-]+(?:(?:but|and|just|only|please|pls|i|we|want|wanna|need|to|know)[\s,]+)*(?=(?:tell|show|list|which|what|who|how|when|give\s+me|let\s+me|check|look|see)\b)/iu;

const ONLY_COST = new RegExp(
  String.raw`^(?<left>\W*(?:(?:please|pls|ok|so|hey|and)[\s,]+)*(?:do\s*n['’]?o?t|do\s+not)\s+(?<deed>cancel|reactivate|park|suspend|activate|swap|disconnect)\s+(?<line>${LINE})(?:\s+(?:yet|now|just\s+yet|today))*)[\s,;.–-]+(?:(?:but|just|only|please|pls|first)\s+)*(?:tell|say|show|check)\s+(?:me\s+|us\s+)?(?:what\s+(?:it|that|this)\s*(?:['’]?d|would|will)?\s*costs?|how\s+much\s+(?:it|that)\s*(?:['’]?s|is|costs?|would\s+(?:be|cost)|will\s+(?:be|cost))|the\s+(?:price|cost|fee))\b[^.;!?]{0,20}[\s.!?]*$`,
  'iu',
);

/** "Don't cancel anything, just tell me which lines get deleted": only the question. */
export function onlyTell(text: string): Plainer {
  const cost = ONLY_COST.exec(text)?.groups;
  if (cost)
    return {
      text: `what does it cost to ${cost.deed} ${cost.line}`,
      told: [`; left out, as you say: “${cost.left?.trim()}”`],
    };
  const left = ONLY_TELL.exec(text)?.groups?.left;
  if (left === undefined || /\d{4}/.test(left)) return { text, told: [] };
  const rest = text.replace(ONLY_TELL, '');
  return {
    text: rest.replace(/^(?:tell|show)\s+(?:me|us)\s+/i, ''),
    told: [`; left out, as you say: “${left.trim()}”`],
  };
}

const FORBIDS =
  /^(?<left>\W*(?:(?:please|pls|ok|no|wait|sorry|hey|hi)[\s,]+)*(?:do\s*n['’]?o?t|do\s+not|dnt|never|no\s+need\s+to)\s+\p{L}+\s+(?<who>[^,.;!?:"“„]{2,40}?))(?:\s*[,.;!–—]+\s*(?:(?:but|and|just|only|instead|please|rather)\s+)*|\s+(?:but|instead)\s+(?:(?:please|just|only)\s+)*)(?<deed>\p{L}+)\s+(?<whom>[\s\S]+)$/iu;

/** "Don't suspend Ava, suspend Ben": only the second order, if both name a record. */
export function withoutForbidden(text: string): Plainer {
  const { left = '', who: said = '', deed = '', whom = '' } = FORBIDS.exec(text)?.groups ?? {};
  const who = said.replace(/(?:\s+(?:yet|now|anything|any|today|please|again|any\s*more))+$/i, '');
  const line = (words: string) => /^(?:(?:number|line)\s+)?[#…*+]*(\d{4,})/i.exec(words)?.[1];
  const [, name = ''] = /^(\p{L}+)/u.exec(whom) ?? [];
  const isWhom = line(whom) === undefined ? isName(name) : line(whom) !== line(who);
  const isDeed = /^(?:text|message|sms)$/i.test(deed) || wordsOf(deed).some(({ acts }) => acts.length > 0);
  if (!isDeed || !isWhom || !(line(who) !== undefined || isName(who))) return { text, told: [] };
  return { text: `${deed} ${whom}`, told: [`; left out, as you say: “${left.trim()}”`] };
}

const OFF_PERSON = new RegExp(
  String.raw`\b(?:take|pull|get|move|drop)\s+(?:(?:the\s+)?(?<line>${LINE})\s+off(?:\s+of)?\s+(?<who>${NAME}?)|(?<other>${NAME}?)\s+off(?:\s+of)?\s+(?<second>${LINE}))${END}`,
  'iu',
);

/** "Take 0110 off whoever has it", "off the customer" */
const OFF_ANYONE = new RegExp(
  String.raw`\b(?:take|pull|get|move|drop|remove)\s+(?:the\s+)?(?<line>${LINE}|\p{L}[\p{L}-]+['’]s\s+(?:line|number))\s+(?:(?:off|away)(?:\s+(?:of|from))?|from)\s+(?:whoever\b[^,.;!?]*|(?:(?:the|that|this|its|her|his|their|our)\s+)?(?:(?:current|present|old|previous)\s+)?(?:customer|cust|client|subscriber|owner|holder|user|person)\b(?!['’])(?:\s+(?:who|that)\b[^,.;!?]*|\s+(?:it\s+is\s+on|on\s+it))?|(?:him|her|them)\b(?!\s+(?:plan|hold)\b))(?<given>[\s,]+(?:and|then)\s+(?:give|assign|move|hand)\s+(?:it|that)\b)?`,
  'iu',
);

/** "Take 0102 off ben": the line is taken from the person, and not cancelled. */
export function offPerson(text: string): Plainer {
  const { line: anyone, given } = OFF_ANYONE.exec(text)?.groups ?? {};
  if (anyone !== undefined)
    return { text: text.replace(OFF_ANYONE, `${given === undefined ? 'unassign' : 'give'} ${anyone}`), told: [] };
  const { line, who, other, second } = OFF_PERSON.exec(text)?.groups ?? {};
  const [number, name] = [line ?? second, (who ?? other)?.replace(/['’]s$/, '')];
  if (number === undefined || !isName(name)) return { text, told: [] };
  return { text: text.replace(OFF_PERSON, `take ${number} away from ${name}`), told: [] };
}

const PUT_ON = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:put|place|set|register|book|list)\s+(?<line>${LINE})\s+(?:on|onto|on\s+to)\s+(?<who>${NAME}?)(?:['’]s(?:\s+(?:name|account))?)?(?=(?:\s+(?:please|pls|now|today))*\s*[.!]*$)`,
  'iu',
);
const GIVEN: ReadonlySet<string> = new Set(givenNames.split(' '));

/** "Put 0110 on ben reed": first and last name, or a first name that people have, is no package. */
export function ontoPerson(text: string): Plainer {
  const { line, who } = PUT_ON.exec(text)?.groups ?? {};
  const [first = '', last] = who?.toLowerCase().split(/\s+/u) ?? [];
  if (line === undefined || !isName(who) || (last === undefined && !GIVEN.has(first))) return { text, told: [] };
  return { text: text.replace(PUT_ON, `$<head>assign ${line} to ${who}`), told: [] };
}

const NO_MORE = String.raw`(?:any\s*more|any\s+longer)`;
const NOT_IS = String.raw`(?:should\s*(?:n['’]?t|\s+not|\s+no\s+longer)|must\s*(?:n['’]?t|\s+not)|is\s*(?:n['’]?t|\s+not|\s+no\s+longer)|does\s*(?:n['’]?t|\s+not)|no\s+longer)`;
const NOT_THEIRS = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:(?<line>${LINE})\s+${NOT_IS}\s+(?:(?:be|belongs?|is|to|on|in|under|with|registered|assigned)\s+)*(?<who>${NAME}?(?:['’]s)?)(?:\s+(?:line|number|name|account))?|(?<other>${NAME}?)\s+(?:should\s*(?:n['’]?t|\s+not|\s+no\s+longer)|must\s*(?:n['’]?t|\s+not))\s+(?:have|own|keep|hold)\s+(?<second>${LINE}))(?:\s+${NO_MORE})?(?:[\s,.;–-]+(?:and\s+|so\s+|pls\s+|please\s+)*(?:take|remove|get|pull)\s+(?:it|her|him|them|that(?:\s+(?:line|number|one))?)(?:\s+(?:off|away|from|of|it|her|him|them|that|line|number|one|please|pls|${LINE}))*)?\s*(?:,?\s*(?:please|pls))?[\s.!]*$`,
  'iu',
);

/** "0106 shouldn't be Ava's any more, take her off it", "0103 isn't ben's": never an order to give it to them. */
export function notTheirs(text: string): Plainer {
  const { line, who, other, second } = NOT_THEIRS.exec(text)?.groups ?? {};
  const [number, name] = [line ?? second, holderOf(who ?? other ?? '')];
  if (number === undefined || !isName(name)) return { text, told: [] };
  return { text: `take ${number} away from ${name}`, told: [] };
}

const ALLOWS = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<who>${LINE}|${NAME}?(?:['’]s\s+(?:line|number))?)\s+(?:now\s+)?(?:(?:should|shall|will|may|can|must)\s+)?(?:only\s+)?(?:gets?|use|have|(?:is|are|be)\s+(?:allowed|entitled|limited)(?:\s+to(?:\s+use)?)?)\s+(?:only\s+|max(?:imum)?\s+|up\s+to\s+)?(?<amount>\d+(?:[.,]\d+)?\s*(?:gb|gigs?|gigabytes?|mb|megs?|megabytes?))(?:\s+(?:of\s+data|data|(?:a|per|each|every)\s+month|monthly|max|only|now|from\s+(?:now(?:\s+on)?|today)|on\s+(?<line>${LINE})))*[\s.!]*$`,
  'iu',
);

/** "0105 gets 500 megs from now on", "ben can use 3 gb a month on 0102" */
export function allowance(text: string): Plainer {
  const { head = '', who = '', amount, line } = ALLOWS.exec(text)?.groups ?? {};
  const isKnown = /\d{4}$/u.test(who) || isName(who.replace(/['’]s\s+\p{L}+$/u, ''));
  if (amount === undefined || !isKnown) return { text, told: [] };
  return { text: `${head}set the data limit of ${line ?? who} to ${amount}`, told: [] };
}

const JOINS = new RegExp(
  String.raw`^\W*(?:(?:the\s+)?(?:customer|client|caller|cust)\s+|(?:s?he|they)\s*|${NAME}?\s+)(?:\s*wants?\s+to|would\s+(?:like|love)\s+to|['’]?d\s+(?:like|love)\s+to|asks?\s+to|hopes?\s+to|needs?\s+to)\s+(?:keep|take\s+along|hold\s+on\s+to)\s+(?:(?:his|her|their|the|own|old|current|present|existing|number|mobile|phone|cell)\s+)*(?<number>${WHOLE})(?!\d)(?<rest>[^.;!?]*)[\s.!?]*$`,
  'iu',
);

/** "The customer wants to keep her number 312 555 0144": whether it can be ported in comes first. */
export function keepsNumber(text: string): Plainer {
  const number = JOINS.exec(text)?.groups?.number;
  return { text: number === undefined ? text : `can ${number} be ported in?`, told: [] };
}

const REPLIES = new RegExp(
  String.raw`^\W*${COURTESY}(?:reply|respond|answer|text\s+back|write\s+back)\s+(?:with\s+)?(?<text>(?!(?:to|the|it|that|this|him|her|them|back)\b)[^"“„:;]{1,60}?)\s+to\s+(?<to>${LINE})(?<from>\s+from\s+${LINE})?[\s.!]*$`,
  'iu',
);

/** "Reply ok to +1… from 0101" */
export function repliesTo(text: string): Plainer {
  const { text: body, to, from = '' } = REPLIES.exec(text)?.groups ?? {};
  return { text: body === undefined ? text : `text ${to}${from}: ${body}`, told: [] };
}

const NEW_PORT = new RegExp(
  String.raw`^\W*(?:(?:hi|hey|please|pls|ok|we\s+have|there\s+is|an?)\s+)*new\s+port(?:ing|[\s-]?in)?\s*(?:request|order)?(?:\s+(?:of|for))?\s*[:–-]?\s*(?=${WHOLE})`,
  'iu',
);

const PORTING = new RegExp(
  String.raw`^(?<lead>\W*${COURTESY})porting\s+(?:in\s+|over\s+)?(?:(?:the|a|her|his|their)\s+)?(?:(?:number|line|landline|mobile)\s+)?(?=${WHOLE}(?!.*\b(?:out|away)\b))(?!.*\?)`,
  'isu',
);

/** "New port: 312 555 0144 from AT&T", "porting 312 555 0144 from Lakeside" */
export function newPort(text: string): string {
  return text.replace(NEW_PORT, 'port in ').replace(PORTING, '$<lead>port in ');
}

const NEW_LINES =
  /^\W*(?:(?:any|all|the|our|list|show|me|us|please|pls)\s+)*new\s+(?:lines|numbers|sims)\s+(?=(?:this|last|since|today|yesterday|from|in\s+the\s+last|of\s+(?:this|today|yesterday))\b)/iu;

/** "New lines this week" asks for those that were bought. */
export function newLines(text: string): Plainer {
  return { text: text.replace(NEW_LINES, 'which lines are new '), told: [] };
}

const LOST = String.raw`(?:get|be|been|go|become)?\s*(?:deleted|lost|gone|purged|wiped|erased|expired?|go|released|removed\s+for\s+good)`;
const KEEPS = new RegExp(
  String.raw`^\W*${COURTESY}(?:(?:keep|save|rescue)\s+(?:the\s+)?(?<kept>${LINE})(?=[\s,;.]).*\b${LOST}\b|(?:do\s*n['’]?t|do\s+not|never)\s+let\s+(?<let>${LINE})\s+${LOST}|(?:make\s+sure|ensure|see\s+to\s+it)\s+(?:that\s+)?(?<sure>${LINE})\s+(?:does\s*n['’]?t|does\s+not|is\s*n['’]?t|is\s+not|never)\s+${LOST}|(?<must>${LINE})\s+(?:must|should|may|can)\s*(?:n['’]?t|\s+not|\s+never)\s+${LOST})\b`,
  'isu',
);

/** "Don't let 0108 be deleted": the line with the last day on which it can be brought back. */
export function keptLine(text: string): Plainer {
  const { kept, let: one, sure, must } = text.includes('?') ? {} : (KEEPS.exec(text)?.groups ?? {});
  const line = kept ?? one ?? sure ?? must;
  return { text: line === undefined ? text : `until when can ${line} be brought back?`, told: [] };
}

const HOOKS = new RegExp(
  String.raw`\b(?:hook|set|fix)\s+(?:(?<one>${LINE})\s+up\s+(?:to|with|for)\s+(?<a>${NAME}?)|up\s+(?<two>${LINE})\s+(?:to|with|for)\s+(?<b>${NAME}?)|(?:up\s+)?(?<c>${NAME}?)\s+(?:up\s+)?with\s+(?<three>${LINE}))${END}|\b(?:tie|connect|pair|attach|bind|wire|map|join|associate)\s+(?<four>${LINE})\s+(?:up\s+)?(?:to|with)\s+(?<d>${NAME}?)${END}`,
  'iu',
);

/** "Hook 0110 up to ben", "set ben up with 0110" */
export function hookedUp(text: string): Plainer {
  const { one, two, three, four, a, b, c, d } = HOOKS.exec(text)?.groups ?? {};
  const [line, name] = [one ?? two ?? three ?? four, (a ?? b ?? c ?? d)?.replace(/['’]s$/, '')];
  if (line === undefined || !isName(name)) return { text, told: [] };
  return { text: text.replace(HOOKS, `assign ${line} to ${name}`), told: [] };
}

const NEW_FOR = new RegExp(
  String.raw`\b(?:hook|set|fix)\s+(?:up\s+)?(?<who>${NAME}?)\s+(?:up\s+)?with\s+(?:an?|another|one)\s+(?:new\s+)?(?:line|number)\b`,
  'iu',
);

const ACTIVATES_NEW =
  /^(?!.*\d{4})(?<before>[^.;!?]*?)\b(?:activate|turn\s+on|switch\s+on|enable|start|launch|fire\s+up)\s+(?=(?:an?|another|one|two|three|\d)\s+(?:more\s+|brand\s+)?(?:new|fresh|additional|extra|second|(?:more|further)(?=\s))\s*(?:\p{L}+\s+)?(?:lines?|numbers?)\b|another\s+(?:\p{L}+\s+)?(?:line|number)\b)/iu;

/** "Order an iot data only sim for acme": a kind of line makes it a line, and no SIM for one that is there. */
const ORDERS_SIM = new RegExp(
  String.raw`^(?!.*(?<!\d)(?:${LINE.replace('(?:(?:number|line)\\s+)?', '')}))(?!.*\b(?:swap|replace|his|her|their|its)\b)(?<head>\W*${COURTESY}(?:need\s+(?:to\s+)?)?)(?:order|buy|get|need|provision|add|create|open|want|activate)\s+(?:(?:us|me|an?|another|one|new|(?<count>\d{1,2}|two|three|four|five|six|ten))\s+)*(?<kind>(?:(?:new|voip|iot|mobile|mvno|data(?:[\s-]only)?)\s+)*)(?:e?sims?)(?:\s+cards?)?\b(?=[^?]*$)`,
  'iu',
);
const KIND_OF_LINE = /\b(?:voip|iot|mobile|mvno|data[\s-]only)\b/iu;
/** A new line is in an area, and a SIM that only has data is for a device. */
const DEVICE =
  '(?:trackers?|meters?|sensors?|cameras?|cams?|modems?|routers?|alarms?|devices?|gateways?|terminals?|machines?|lifts?|elevators?|kiosks?|loggers?|gps)\\b';
const DATA_LINE = new RegExp(String.raw`\b(?:area\b|${DEVICE})`, 'iu');
/** A device is no subscriber. */
const FOR_DEVICE = new RegExp(
  String.raw`\s+for\s+(?:(?:the|our|an?|some|new|another|one|these|those|\d+)\s+)*(?<what>(?:\p{L}+\s+)?${DEVICE})`,
  'iu',
);

/** "Activate a new line for Globex": one that is not there yet. */
export function activatesNew(text: string): Plainer {
  const { head = '', kind, count } = ORDERS_SIM.exec(text)?.groups ?? {};
  const isData = kind !== undefined && /\bdata\b/iu.test(kind) && DATA_LINE.test(text);
  if (kind !== undefined && (isData || KIND_OF_LINE.test(text))) {
    const what = `${kind.replace(/\bnew\s+/giu, '').replace(/\bdata\s+/iu, isData ? 'iot ' : 'data ')}number`;
    const order = count === undefined ? `a new ${what}` : `${count} new ${what}s`;
    const device = FOR_DEVICE.exec(text)?.groups?.what;
    return {
      text: text.replace(FOR_DEVICE, ' ').replace(ORDERS_SIM, () => `${head}order ${order}`),
      told: device === undefined ? [] : [`. Not taken: “${device}”`],
    };
  }
  return { text: text.replace(ACTIVATES_NEW, '$<before>open '), told: [] };
}

const GET_NEW = new RegExp(
  String.raw`\b(?<verb>get|order|buy|give|find|grab|provision|open)\s+(?<who>${NAME}?)\s+(?<line>(?:an?|another|one)\s+(?:brand\s+)?(?:new|second|third|fresh|additional|extra|further)\s+(?:\p{L}+\s+)?(?:line|number))\b`,
  'iu',
);

/** "Hook ava up with a new line", "get ben a second number" */
export function newFor(text: string): Plainer {
  const who = NEW_FOR.exec(text)?.groups?.who;
  if (isName(who)) return { text: text.replace(NEW_FOR, `new line for ${who}`), told: [] };
  const got = GET_NEW.exec(text)?.groups?.who;
  return { text: isName(got) ? text.replace(GET_NEW, '$<verb> $<line> for $<who>') : text, told: [] };
}

const IS_WHO = new RegExp(
  String.raw`[\s,;.–-]+(?:s?he(?:['’]?s|\s+is)|(?:(?:the|our)\s+)?(?:customer|client|subscriber|caller)(?:['’]s\s+name)?(?:\s+is\s+|\s*:\s*))\s*(?<who>${NAME})[\s.!]*$`,
  'iu',
);
const TAKES_HOLDER =
  /\b(?:port|bring|transfer|take\s+over|keep)\b[^;!?]*\d{3}[\s.)-]*\d{3}[\s.-]*\d{4}|\bnew\s+(?:\p{L}+\s+)?(?:line|number)\b/iu;

/** "She wants to bring 917 555 0144 to us, she's Ava Stone": whose the number will be. */
export function forWhom(text: string): Plainer {
  const who = IS_WHO.exec(text)?.groups?.who;
  const isOpen = isName(who) && TAKES_HOLDER.test(text);
  return { text: isOpen ? text.replace(IS_WHO, ` for ${who}`) : text, told: [] };
}

const LIVE = String.raw`(?:live|up\s+and\s+running|active|activated|in\s+service|online)`;
const GOES_LIVE = new RegExp(
  String.raw`^(?<head>\W*${COURTESY}(?:customer\s+|cust\s+)?)(?:(?:needs?|wants?|get|make|bring|have|set|take|go)\s+(?:to\s+(?:get|have|make)\s+)?(?:live\s+with\s+(?<with>${LINE})|(?<line>${LINE})\s+(?:to\s+(?:be|go)\s+|(?:be|back)\s+)?${LIVE})|(?<other>${LINE})\s+(?:needs\s+to|has\s+to|must|gotta|wants\s+to)\s+(?:be|go)\s+${LIVE})\b`,
  'iu',
);

const GOES_TO = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:(?:i|we|they|customer|he|she)\s+)?(?:needs?|wants?|would\s+like|['’]?d\s+like)\s+(?:(?:the\s+)?(?:line|number)\s+)?(?<line>${LINE})\s+to\s+(?:now\s+)?(?:go|belong|move|be\s+(?:given|assigned|moved))\s+to\s+`,
  'iu',
);

/** "I need 0110 to go to ben" */
export function wantsFor(text: string): Plainer {
  return { text: text.replace(GOES_TO, '$<head>assign $<line> to '), told: [] };
}

/** "Need 0103 live today" */
export function goesLive(text: string): Plainer {
  const { head = '', with: first, line, other } = GOES_LIVE.exec(text)?.groups ?? {};
  const number = first ?? line ?? other;
  if (number === undefined) return { text, told: [] };
  const [sim] = /\b(?:physical\s+sim|e-?sim)\b/i.exec(text) ?? [];
  return {
    text: text.replace(GOES_LIVE, `${head.replace(/\b(?:customer|cust|i|we)\s+$/i, '')}activate ${number}`),
    told: sim === undefined ? [] : [`. Not taken: “${sim}”`],
  };
}

const NEW_LINE =
  /\b(?:new|another|second|additional|need|get|open|buy|order|provision|add|give|want)\b[^,.;!?]*?\b(?:line|number)s?\b[^.;!?]*/iu;
const WITH_PLAN =
  /[\s,]+(?:with|on|and\s+put\s+(?:it|her|him|them)\s+on|plus)\s+(?:(?:the|a|an|our)\s+)?(?<plan>(?!(?:an?|the|our|data|which|what)\b)\p{L}[\p{L}\d+-]*(?:\s+\d+\s?gb)?\s+(?:plan|package|bundle|tariff))\b/iu;
const BOUGHT =
  /^\W*(?:(?:please|pls|hi|hey|can|could|you|u|i|we|need|want|get|give|open|buy|order|provision|add|create|set\s+up|customer|wants|needs|a|an|me|us|him|her|them)\s+)*(?:new|another|second|additional|fresh)\s+(?:\p{L}+\s+)?(?:line|number)s?\b/iu;

/** "New line for Ava Stone with the basic plan": a new line has no plan yet. */
export function newWithPlan(text: string): Plainer {
  const plan = WITH_PLAN.exec(text);
  if (!plan || !BOUGHT.test(text) || !NEW_LINE.test(text)) return { text, told: [] };
  const said = plan[0].replace(/^[\s,]+/, '');
  return {
    text: text.replace(plan[0], '').replace(/\(\s*(\d{3}\s+area\s*code|area\s*code\s+\d{3})\s*\)/i, ', $1'),
    told: [`. Not taken: “${said}”. When the line is there, write “subscribe NUMBER to ${plan.groups?.plan}”`],
  };
}

const NAMED_AFTER =
  /\b(?<to>to|onto|on)\s+(?:the\s+)?(?<noun>plan|package|bundle|tariff)\s+(?<name>(?!(?:for|from|with|today|tomorrow|now|please|pls|that|which|and|on|at|in|of|is|asap|instead|id|it)\b)[\p{L}\d][\p{L}\d+-]*)(?=\s*(?:$|[,.;!]|\b(?:please|pls|now|today|tomorrow|from|instead|and|for|on|asap|starting)\b))/iu;

/** "Move 0101 to plan unlimited" */
export function planAfterNoun(text: string): Plainer {
  const { to, noun, name } = NAMED_AFTER.exec(text)?.groups ?? {};
  if (
    name === undefined ||
    /^PKID-/i.test(name) ||
    !/\b(?:move|put|switch|change|set|upgrade|downgrade|subscribe|migrate|enroll|transfer)\b/i.test(text)
  )
    return { text, told: [] };
  return { text: text.replace(NAMED_AFTER, `${to} the ${name} ${noun}`), told: [] };
}

const REASON_FIRST = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<line>${LINE})[\s,:–—-]+(?<why>(?:(?!${LINE})[^,;.!?\d]){3,60}?)[\s,]+(?:so\s+|please\s+|pls\s+|plz\s+)*(?<deed>suspend|park|hold|pause|freeze|lock|block|cancel|disconnect|terminate|reactivate|activate)\s+(?:it|that|this|her|him|them|the\s+line|the\s+number)\b(?!\s+(?:on|for(?!\s+(?:now|the\s+moment)\b)|from)\b)`,
  'iu',
);
/** Matches words on a phone or its owner before the deed. */
const TELLS =
  /^(?:(?:the|her|his|their|is|was|got|has|been|had|customer|cust|client|guy|she|he|they|with|a|an|reported)\s+)*(?:stolen|lost|broken|missing|nicked|fraud\w*|hacked|dead|unpaid|sold|gone|moved|left|overdue|scam\w*|spam\w*|phone|fone|device|handset|sim|bill|account|contract)\b(?!.*\b(?:not|never|unless|if|why|who|what)\b)(?!.*n['’]t\b)/iu;

/** "0103 stolen phone suspend it asap" */
export function reasonFirst(text: string): Plainer {
  const { head = '', line = '', why = '', deed = '' } = REASON_FIRST.exec(text)?.groups ?? {};
  if (line === '' || !TELLS.test(why)) return { text, told: [] };
  return { text: text.replace(REASON_FIRST, `${head}${deed} ${line},`).replace(/,(?=\s*$)/, ''), told: [] };
}

const WRONG_DETAIL = new RegExp(
  String.raw`^[^;!?]*?\b(?:wrong|incorrect|bad|invalid|mismatched?|not\s+matching)\s+(?<what>(?:account|acct)(?:\s*(?:number|no|nr|#|id))?|zip(?:\s*code)?|carrier|(?:billing\s+)?name)\s+(?:on|for|of|in|with)\s+(?:the\s+)?(?:port(?:ing|[\s-]?in)?\s+(?:order\s+)?(?:of|for)\s+)?(?<number>${WHOLE}|${ORDER})[\s,;:.–—-]*(?:(?:and|but|it|that|the|correct|right|one|real|actual)\s+)*(?:should\s+(?:be|read|say)|must\s+be|has\s+to\s+be|needs\s+to\s+be|is|it['’]s|its|use|change\s+(?:it\s+)?to|correct(?:\s+(?:it\s+)?to)?|make\s+it)\s+(?<value>[^\s,;!?][^,;!?]*?)(?<end>\s*[.!]*)$`,
  'iu',
);

/** "Carrier says wrong account number on +1…, should be 99231" */
export function wrongDetail(text: string): Plainer {
  const found = WRONG_DETAIL.exec(text) ?? DETAIL_OF_PORT.exec(text);
  const { what = '', number = '', value = '' } = found?.groups ?? {};
  if (number === '') return { text, told: [] };
  const field = /^ac/i.test(what) ? 'account number' : what.toLowerCase();
  return { text: `correct the ${field} of the port of ${number.trim()}${to(field)}${value}`, told: [] };
}

const DETAIL_OF_PORT = new RegExp(
  String.raw`^[^;!?]*?\bport(?:ing|[\s-]?in)?\s+(?:order\s+)?(?:of|for|on)\s+(?<number>${WHOLE})\b[^;!?]*?[\s,;–-]+(?:the\s+|cuz\s+|because\s+)*(?<what>(?:account|acct)(?:\s*(?:number|no|nr|#))?|zip(?:\s*code)?)\s+(?:is|was|has\s+been)\s+(?:wrong|incorrect|bad|invalid|off|mistyped)[\s,;:.–—-]+(?:(?:and|but|it|that|the|correct|right|one|real)\s+)*(?:should\s+(?:be|read|say)|must\s+be|has\s+to\s+be|needs\s+to\s+be|is|it['’]s|its|use|change\s+(?:it\s+)?to|make\s+it)\s+(?<value>[\w-]+)\s*[.!]*$`,
  'iu',
);

const NEW_SIM = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:the\s+)?(?:new\s+)?(?:iccid|e?sim(?:\s+(?:number|no|card|id))?)\s+(?:of|for|on)\s+(?<line>${LINE})\s+(?:is|will\s+be|should\s+be|must\s+be|changed\s+to)\s+(?:now\s+)?(?<sim>\d{18,22})\b`,
  'iu',
);

const STARTS_SIM = new RegExp(
  String.raw`\b(?:activate|enable|start|install|register|load|link|provision|use|add|assign|connect)\s+(?:(?:the|this|a|an|new|her|his)\s+)*(?:e?sim|iccid)\s+(?:(?:card|number|no)\s+)?(?<sim>\d{18,22})\s+(?:on|for|in|to|with|at)\s+(?<line>${LINE})`,
  'iu',
);

/** "Ava got a new eSIM, put it on 0101": it is the SIM that goes there. */
const PUTS_SIM = new RegExp(
  String.raw`^(?!.*\b(?:not|never|if|unless|dont)\b|.*n['’]t\b|.*["“„?])[^.;!?]*?\b(?:new|another|replacement|fresh|second)\s+(?:e?sim|iccid|plastic)(?:\s+card)?\b(?:\D{0,12}(?<sim>\d{18,22}))?[^.;!?\d]*[,;.–-]\s*(?:(?:so|and|please|pls|can\s+you|could\s+you)\s+)*(?:put|load|activate|install|set|use|move|get|assign|link|switch)\s+(?:it|that|this(?:\s+one)?)\s+(?:up\s+|over\s+)?(?:on|in|into|onto|to|for)\s+(?<line>${LINE})(?:[\s,]+(?:please|pls|now|asap))*[\s.!]*$`,
  'iu',
);

/** "ICCID for 0101 is 8901… now", "activate SIM 8901… on 0105": the line is there, and gets this SIM. */
export function newSim(sentence: string): Plainer {
  const put = PUTS_SIM.exec(sentence)?.groups;
  if (put) return { text: `swap the sim of ${put.line}${put.sim === undefined ? '' : ` to ${put.sim}`}`, told: [] };
  const text = sentence.replace(STARTS_SIM, 'put sim $<sim> in $<line>');
  const { head = '', line, sim } = NEW_SIM.exec(text)?.groups ?? {};
  if (line === undefined || !/\b(?:now|new|should|must|changed|will)\b/i.test(text)) return { text, told: [] };
  return {
    text: text.replace(NEW_SIM, `${head}swap the sim of ${line} to ${sim}`).replace(/\s+now(?=\W*$)/i, ''),
    told: [],
  };
}

const RINGS_AS = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:calls\s+(?:from|of)\s+)?(?<line>${LINE})\s+(?:should|must|has\s+to|needs\s+to|ought\s+to|is\s+supposed\s+to|shall|wants?\s+to)\s+(?:(?:ring|come\s+(?:up|across|through)|show(?:\s+up)?|go\s+out|appear|call(?:\s+out)?|pop\s+up|display)\s+(?:as|like)|(?:say|show|read|display)(?=\s+["“]))\s+["“]?(?<name>[\p{L}\d][^"”.;!?]*?)["”]?(?:\s+(?:when(?:ever)?|every\s+time|if)\s+(?:s?he|it|they|the\s+customer)\s+(?:calls?|rings?|dials?|phones?)(?:\s+(?:out|people|someone|anyone|customers?))?)?\s*(?:,?\s*(?:please|pls))?\s*[.!]*$`,
  'iu',
);

const STATES =
  /^(?:active|parked|on\s+hold|cancell?ed|suspended|blocked|live|available|busy|free|normal|it|before|usual)\b/i;

/** "0105 should ring as REED HVAC" */
export function ringsAs(text: string): Plainer {
  const { head = '', line, name } = RINGS_AS.exec(text)?.groups ?? {};
  if (line === undefined || name === undefined || STATES.test(name)) return { text, told: [] };
  return { text: `${head}change the caller name of ${line} to "${name.trim()}"`, told: [] };
}

const FOR_ALL =
  /\b(?:un)?block\b[^.;!?]*\b(?:for|on)\s+(?<all>every(?:body|one)|all(?:\s+(?:the\s+|our\s+)?(?:lines|customers|numbers|people))?|the\s+whole\s+\p{L}+)(?=\s*(?:$|[.,;!]|\b(?:please|pls|now)\b))/iu;

/** "Block +1… for everybody" */
export function forAll(text: string): Plainer {
  const all = FOR_ALL.exec(text)?.groups?.all;
  return { text, told: all === undefined ? [] : [`. “${all}” stands for no customer: each has a filter of their own`] };
}

const MARRIED = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?:(?:the\s+)?(?:cust(?:omer)?|client|subscriber)\s+)?(?<who>${NAME}?)(?:['’]?s)?\s+(?:(?:just|has|got|is|recently|now|have)\s+)*(?:(?:married|divorced|remarried)\b[^.;!?\d]*?[,;.\s]+(?:(?:her|his|their|so|and|the|now)\s+)*)?(?:new\s+)?(?<what>last\s+name|surname|family\s+name)\s*(?:(?:is|now|will\s+be|should\s+be|became|changed\s+to|to|:)\s+)*(?<name>\p{L}[\p{L}'’-]+)(?<end>\s*(?:now|please|pls)?\s*[.!]*)$`,
  'iu',
);

/** "Ben Reed got married, now Ben Cole" */
const MARRIED_AS = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<who>\p{L}[\p{L}'’-]+(?:\s+(?!(?:just|has|got|is|recently|now|have)\b)\p{L}[\p{L}'’-]+)?)\s+(?:(?:just|has|got|is|recently|now|have)\s+)*(?:married|divorced|remarried)\b[\s,;.]*(?:(?:and|is|she|he|so|they|are|she['’]s|he['’]s|shes|hes)\s+)*now\s+(?:(?:is|called|named|goes\s+by)\s+)*(?<name>\p{L}[\p{L}'’-]+\s+\p{L}[\p{L}'’-]+)\s*(?:now|please|pls)?\s*[.!]*$`,
  'iu',
);

/** "Ava got married, her name is Ava Miller now": a name that is another one by now. */
const IS_NAMED =
  /^(?<head>\W*)(?<who>\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?)\s+(?:(?:just|has|got|is|recently|have)\s+)*(?:married|divorced|remarried)\b[^.;!?\d]*?\b(?:[Hh]er|[Hh]is|[Tt]heir|[Tt]he)\s+(?:new\s+|full\s+)?name\s+(?:is\s+|has\s+become\s+|will\s+be\s+)?(?:now\s+)?(?<name>\p{Lu}[\p{L}'’-]+\s+\p{Lu}[\p{L}'’-]+)(?:\s+(?:now|please|pls|from\s+now\s+on))*\s*[.!]*$/u;

/** "Ava Stone is called Ava Porter now" */
const IS_CALLED = new RegExp(
  String.raw`^(?<head>\W*${COURTESY})(?<who>\p{L}[\p{L}'’-]+\s+\p{L}[\p{L}'’-]+)\s+(?:is\s+(?:now\s+)?(?:called|named)|(?:now\s+)?goes\s+by)\s+(?<name>\p{L}[\p{L}'’-]+\s+\p{L}[\p{L}'’-]+)(?:\s+(?:now|please|pls|from\s+now\s+on))*(?:\s*[,;.]\s*(?:she|he|they|since|because)\b[^.;!?\d]*)?[\s.!]*$`,
  'iu',
);

/** The first name of a customer before the new last name. */
export function withFirstName(owner: string, lastName: string): string {
  const upper = (word: string) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
  const [first = ''] = owner.trim().split(/\s+/);
  return `${upper(first)} ${upper(lastName)}`;
}

/** "Ava married, new last name Brook" */
export function newLastName(text: string): Plainer {
  const whole = MARRIED_AS.exec(text)?.groups;
  if (whole?.name !== undefined && isName(whole.who ?? '') && isName(whole.name))
    return { text: `${whole.head ?? ''}change the name of ${whole.who ?? ''} to ${whole.name}`, told: [] };
  const named = (IS_NAMED.exec(text) ?? IS_CALLED.exec(text))?.groups;
  if (named?.name !== undefined && isName(named.who ?? ''))
    return { text: `${named.head ?? ''}change the name of ${named.who ?? ''} to ${named.name}`, told: [] };
  const { head = '', who, what = '', name = '' } = MARRIED.exec(text)?.groups ?? {};
  if (!isName(who) || name === '' || /^(?:wrong|correct|right|misspelled)$/i.test(name)) return { text, told: [] };
  const owner = who.replace(/['’]s$|(?<=^(?:\p{L}{2}a|\p{L}+[^aeiousy]))s$/iu, '');
  const full = withFirstName(owner, name);
  return {
    text: `${head}change the name of ${owner} to ${full}`,
    told: [`. “${name}” is only the ${what.toLowerCase()}: the form has “${full}” as the whole name`],
  };
}

const PERIOD =
  /\b(?:(?:a|per|each|every)\s+(?:day|week|month|year)|monthly|weekly|daily)\b|(?<=(?:gb|mb)\s?)\/\s?(?:day|week|month|mo)\b/iu;
const LIMITS = /\b(?:limit|cap|throttle|restrict|slow|max)\b[^.;!?]*\d+\s?(?:gb|mb|gigs?|megs?)\b/iu;

/** Notes the period of "Limit 0106 to 500 MB a month". */
export function limitPeriod(text: string): Plainer {
  const period = LIMITS.test(text) && !/["“„]/.test(text) ? PERIOD.exec(text)?.[0] : undefined;
  if (period === undefined) return { text, told: [] };
  return { text, told: [`. Not taken: “${period.trim()}”: a limit is set without a period`] };
}
