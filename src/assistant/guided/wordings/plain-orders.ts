import { wordsOf } from '../../../language/sentence.ts';
import { withoutLead } from '../facts/beginnings.ts';
import { LINE } from '../facts/line-pattern.ts';
import { withFirstName } from './own-orders.ts';
import type { Plainer } from './plain-words.ts';
import { lostPhone } from './reasons.ts';
import { setCallerName } from './wrong-names.ts';

/*
 * Orders that say what they mean by their reason or their end: "turn 0103 off until friday" and "0103 didn't pay, stop it"
 * ask for a hold. They are put into plain orders before the sentence is judged.
 */

const LINES = String.raw`${LINE}(?:(?:\s*[,&]\s*(?:and\s+)?|\s+and\s+)${LINE})*`;
const WHO = String.raw`(?:${LINES}|(?:(?:her|his|their|the|that|this|its)|\p{L}[\p{L}-]+['’]?s)\s+(?:line|number|phone|sim|service|mobile)(?:\s+(?:of\s+)?${LINE})?|it|him)`;
const OFF = new RegExp(
  String.raw`\b(?:(?:turn|switch|shut|cut|power)\s+(?:off|down)\s+(?<a>${WHO})|(?:turn|switch|shut|cut|power|take)\s+(?<b>${WHO})\s+(?:off|down)(?!\s+(?:of|from|hold|pause|ice|the|her|his|our|their|my|\p{L}+['’]s)\b)|(?:turn|switch|shut|cut)\s+(?:her|him|it|them)\s+(?:off|down)\s*,?\s*(?<d>${LINE})|disable\s+(?<c>${WHO}))(?![\p{L}\d])`,
  'iu',
);
/** Verbs that end a line, unless it is only for now. */
const ENDS = new RegExp(String.raw`\b(?:deactivate|disconnect|kill)\s+(?<who>${WHO})(?![\p{L}\d])`, 'iu');
/** Parts of a line that are switched on their own, and lines that are switched on again. */
const PART =
  /["“„]|\b(?:data|internet|texts?|texting|sms|messag\w*|calls?|calling|voice\w*|roaming|filter\w*|guardian|controls?|webhooks?|routes?|trunk|record\w*|plan|package|limits?|cap|cnam|caller|watch\w*|warnings?|alerts?|throttl\w*|feature|back\s+on|on\s+again|and\s+on)\b/iu;
const AGAINST =
  /\?\s*$|^\W*(?:what|how|why|who|when|where|which|is|are|was|were|does|do\s+we|did|has|have|if|should)\b|\b(?:not|never|unless|if|dont|doesnt|shouldnt|nobody|no\s+one)\b|n['’]t\b/iu;
/** The line is wanted again, or gone only for now. */
const FOR_NOW =
  /\b(?:stolen|stole|nicked|pinched|snatched|robbed|theft|lost|missing|misplaced|hacked|hijacked|compromised|fraud\w*|until|till|til|travel+(?:s|ing)?|traveling|abroad|overseas|vacation|holidays?|on\s+(?:a\s+)?trip|temporar(?:y|ily)|temp|for\s+now|for\s+(?:tonight|today|the\s+night)|overnight|for\s+the\s+(?:moment|time\s+being|weekend|week|month|summer|winter|day)|for\s+(?:a|an|one|two|three|four|five|six|\d+|some|the\s+next)\s+(?:(?:short|little|few|couple(?:\s+of)?|\d+)\s+)?(?:while|bit|time|hours?|days?|nights?|weeks?|months?)|while\s+(?:she|he|they)|unpaid|overdue|hospital)\b/iu;
const FOR_NOW_ALL = new RegExp(
  String.raw`${FOR_NOW.source}(?:\s+(?:\p{L}+day|tomorrow|tonight|further\s+notice|next\s+\p{L}+|\d+\S*))?`,
  'giu',
);
const FOR_GOOD =
  /\b(?:for\s+good|for\s?ever|permanent(?:ly)?|leav(?:es|ing)|left\s+us|cancel\w*|terminat\w*|quit(?:s|ting)?|no\s+longer|any\s?more|port\w*|mov(?:es?|ed|ing)\s+(?:away|to|abroad|overseas|out|back)|switch(?:ed|ing)\s+to|for\s+ever|passed\s+away|died|clos(?:es|ed|ing))\b/iu;
const LOST =
  /\b(?:stolen|stole|nicked|pinched|snatched|swiped|robbed|theft|lost|missing|misplaced|hacked|hijacked|compromised|unpaid|overdue)\b/iu;

/** Callers, lists and parts of a line, which a block may be about. */
const CALLERS =
  /["“„]|\b(?:calls?|callers?|calling|texts?|texting|sms|messag\w*|spam\w*|scam\w*|list|filter\w*|numbers|anonymous|hidden|unknown|stranger|who|from|internet|data|roaming|international|premium|port\w*|against|so)\b/iu;
const BLOCKS =
  /\b(?<deed>block|bar|lock)\s+(?:(?:up|down|out)\s+)?(?<who>(?:(?:the\s+)?(?:line|number|sim|phone|service)\s+(?:of\s+)?)?[#…*]*\d{4}(?![\w-])|(?!(?:the|her|his|their|our|my|its|that)\b)\p{L}[\p{L}-]+['’]s\s+(?:line|sim|phone|mobile|service|number))(?![\p{L}\d])(?<end>[^;!?]*)$/iu;

/** One of our lines is to be blocked, and no other number is named: "block 0104 for now", "block ben's sim". */
function blockedLine(text: string): { whole: string; who: string; end: string; isSure: boolean } | undefined {
  const found = AGAINST.test(text) || CALLERS.test(text) || FOR_GOOD.test(text) ? null : BLOCKS.exec(text);
  const { deed = '', who = '', end = '' } = found?.groups ?? {};
  const before = found ? text.slice(0, found.index) : '';
  const rest = `${before} ${end}`.replace(FOR_NOW_ALL, ' ');
  if (!found || /\d{4}/u.test(rest) || /\b(?:on|for|of)\s+(?!me\b|us\b)\p{L}/iu.test(rest)) return undefined;
  if (wordsOf(rest).some(({ acts, isUnknown }) => acts.length > 0 || isUnknown)) return undefined;
  const isSure = /^lock$/i.test(deed) || /\bsim\b/iu.test(who) || FOR_NOW.test(text);
  return { whole: found[0], who, end, isSure };
}

/** True for "block 0104", which says neither whom nor why. */
export function isBlockAlone(text: string): boolean {
  return blockedLine(text)?.isSure === false;
}

/** "Ben's sim" as his line. */
function ofLine(who: string): string {
  return who.replace(/^(?:the\s+)?\p{L}+\s+of\s+/iu, '').replace(/(['’]s)\s+\p{L}+$/u, '$1 line');
}

function heldByBlock(text: string): Plainer {
  const found = blockedLine(text);
  return { text: found?.isSure ? text.replace(found.whole, `hold ${ofLine(found.who)}${found.end}`) : text, told: [] };
}

/** The words that switch a whole line off. Undefined if there are none, or if they say that it is for good. */
function switchedOff(text: string, pattern = OFF): { whole: string; who: string } | undefined {
  const found = PART.test(text) || AGAINST.test(text) || FOR_GOOD.test(text) ? null : pattern.exec(text);
  const { a, b, c, d, who = a ?? d ?? b ?? c } = found?.groups ?? {};
  return found && who !== undefined ? { whole: found[0], who } : undefined;
}

const OFF_NETWORK = new RegExp(
  String.raw`^(?!.*\?).*\b(?:take|get|kick|knock|pull|throw|bump)\s+${WHO}\s+off\s+(?:of\s+)?(?:the\s+|our\s+)?(?:network|air|grid|system|service|platform|net)\b`,
  'iu',
);

/** True for "turn off 0101" and "take 0101 off the network", which says neither for how long nor why. */
export function isOffAlone(text: string): boolean {
  if (OFF_NETWORK.test(text) && !FOR_NOW.test(text) && !FOR_GOOD.test(text)) return true;
  const off = switchedOff(text);
  return off !== undefined && !FOR_NOW.test(text) && !/^take\b/iu.test(off.whole);
}

/** "Turn 0103 off until friday": a hold. */
function offForNow(text: string): Plainer {
  const off = FOR_NOW.test(text) ? (switchedOff(text) ?? switchedOff(text, ENDS)) : undefined;
  return { text: off === undefined ? text : text.replace(off.whole, `hold ${off.who}`), told: [] };
}

const UNPAID =
  /\b(?:the\s+|her\s+|his\s+)?(?:bill|invoice|account)\s+(?:(?:is|was)\s+)?(?:(?:still|long)\s+)?(?:overdue|unpaid|not\s+paid)\b|\b(?:(?:did|has|have|does|is|are|was)(?:\s*n['’]?t|\s+not)|never)\s+(?:yet\s+)?(?:pay|paid|paying)(?:\s+(?:yet|again|us|(?:his|her|their|the|this)\s+(?:bill|invoice|month)))*\b/giu;
const RUN_ON =
  /(?<=[\p{L}\d])\s+(?=(?:(?:it['’]?s|it\s+(?:is|was|got|has\s+been)|(?:the\s+|her\s+|his\s+|their\s+)?(?:phone|sim|handset|mobile)\s+(?:(?:is|was|got|has\s+been)\s+)?|(?:she|he|they|cust(?:omer)?|client|owner)\s+(?:has\s+|had\s+|just\s+)*)\s*(?:been\s+|reported\s+|just\s+)*(?:stolen|lost|missing|hacked|nicked|snatched|robbed|compromised|unpaid|overdue|misplaced)\b))(?<!['’]s\s+)(?<!['’]s)(?<!\b(?:the|her|his|their|customer|cust|client|owner|because|cause|cuz|since|as|and|so|that|if|says?|said)\s+)(?<!\b(?:because|cause|cuz|since|as|and|so|that|if|says?|said|when|who|where|why))/giu;
const ON_HOLD = new RegExp(String.raw`\bput\s+(?<who>${WHO})\s+on\s+(?:hold|pause|ice|standby)\b`, 'iu');
const STOPS = new RegExp(
  String.raw`\b(?:stop|kill|cut)\s+(?:(?:the\s+)?(?<who>${LINE})|it|that|everything|all(?:\s+of\s+it)?|the\s+(?:line|number|service)|(?:her|his|their)\s+(?:line|number|service))(?:\s+(?:going|coming)\s+(?:out|in)|\s+out\s*going)?(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|asap|today|immediately|right|for\s+(?:now|the\s+moment|the\s+time\s+being|today))\b|\b(?:it['’]?s|it\s+is|she|he|they)\b))`,
  'iu',
);

/** "Pls put 0104 on pause its stolen", "0103 didn't pay, stop it": a hold, and why. */
function heldFor(text: string): Plainer {
  const paid = /\?\s*$|^\W*(?:why|who|what|is|has|did|does|if)\b/iu.test(text) ? text : text.replace(UNPAID, 'unpaid');
  if (!LOST.test(paid) || PART.test(paid) || AGAINST.test(paid) || FOR_GOOD.test(paid)) return { text, told: [] };
  const apart = paid.replace(RUN_ON, ', ');
  const held = apart.replace(ON_HOLD, 'hold $<who>').replace(STOPS, (...found) => {
    const { who } = found.at(-1) as { who?: string };
    return `hold ${who ?? 'it'}`;
  });
  return { text: held, told: [] };
}

const SERVICE_FOR_NOW = new RegExp(
  String.raw`^(?<start>\W*(?:(?:please|pls|plz|can|could|you|u|ok|so|and|hi|hey)[\s,]+)*)(?:stop|suspend|interrupt|halt|pause|cut(?:\s+off)?|shut\s+off|end)\s+(?:(?:the|all)\s+)?services?\s+(?:on|for|of|to)\s+(?<who>${WHO})(?=\s+(?:until|till|til|for\s+(?:a|an|one|two|three|\d+|now|the)\b|while|temporarily)\b)`,
  'iu',
);

/** "Stop service on 0103 until Monday": a hold. */
function serviceHeld(text: string): Plainer {
  return {
    text: AGAINST.test(text.replace(/\buntil\b/giu, '')) ? text : text.replace(SERVICE_FOR_NOW, '$<start>hold $<who>'),
    told: [],
  };
}

/* Ends that ask for nothing */

/** "On vacation mode" */
const MODE = new RegExp(
  String.raw`(?:\b(?:set|switch|turn|move|place|put)\s+(?<line>${LINES})\s+)?\b(?:to|into|in|on)\s+(?:a\s+|the\s+)?(?:vacation|holiday|travel|standby|snooze|sleep|pause)\s+(?:mode|hold)\b`,
  'giu',
);
const PORT_DONE =
  /[\s,;.–—-]+(?:(?:because|cause|cuz|since|as|now\s+that)\s+)?(?:(?:the|her|his|their)\s+)?(?:port(?:ing|[\s-]?out)?(?:\s+to\s+\S+)?\s+(?:is|was|has\s+been|went|has\s+gone)\s+(?:all\s+|already\s+)?(?:done|complete[d]?|through|finished|over)|(?:number\s+|line\s+|it\s+|customer\s+|she\s+|he\s+)?(?:is\s+|was\s+|has\s+|got\s+|been\s+|already\s+)*ported\s+(?:out|away)(?:\s+to\s+\S+)?)(?:\s+already)?(?=\s*(?:$|[,.;!]))/iu;

function onHold(...found: unknown[]): string {
  const { line } = found.at(-1) as { line?: string };
  return line === undefined ? 'on hold' : `put ${line} on hold`;
}

function withoutRest(text: string): Plainer {
  const plain = withoutLead(text).replace(MODE, onHold);
  const isEnd = /^\W*(?:(?:please|pls|plz|ok|so|and|can|you|u)\s+)*(?:cancel|terminate|disconnect|close|end)\b/iu;
  return { text: isEnd.test(plain) && !plain.includes('?') ? plain.replace(PORT_DONE, '') : plain, told: [] };
}

/* New lines */

const GIVES_NEW =
  /\b(?:give|get|grab)\s+(?:me|us)\s+(?=(?:an?\s+)?(?:brand\s+)?(?:new|another|second|extra|additional|fresh)\s+(?:\p{L}+\s+)?(?:line|number)\b)/iu;
const NEW_LINE = /\b(?:new|another|second|extra|additional|fresh)\s+(?:\p{L}+\s+)?(?:line|number)\b/iu;
const NO_DATA =
  /[\s,;(–-]+(?:(?:with|and|but|for)\s+)*(?<said>(?:no|without(?:\s+any)?)\s+(?:mobile\s+)?(?:data|internet))\b\)?/iu;

function newLines(text: string): Plainer {
  const plain = text.replace(GIVES_NEW, 'need ').replace(/\bw\/o\b/giu, 'without');
  const said = NEW_LINE.test(plain) && !/\d{4}/u.test(plain) ? NO_DATA.exec(plain)?.groups?.said : undefined;
  if (said === undefined || plain.includes('?')) return { text: plain, told: [] };
  const told = `. Not taken: “${said}”. The data of a line is limited when it is there: “limit NUMBER to 1 MB”`;
  return { text: plain.replace(NO_DATA, ''), told: [told] };
}

/* A hold that ends, and calls that end */

const HOLD_ENDS = new RegExp(
  String.raw`^(?<head>\W*(?:(?:please|pls|plz|ok|okay|so|and|hey|hi)[\s,]+)*)(?:(?:the|her|his|that)\s+)?(?:hold|pause|suspension|freeze)\s+(?:on|of|for)\s+(?<line>${LINES})\s+(?:can|could|should|must|may|needs?\s+to|has\s+to|is\s+to|ought\s+to)\s+(?:now\s+|please\s+)?(?:come\s+off|go(?:\s+away)?|end|stop|be\s+(?:lifted|removed|ended|released|cleared|undone|taken\s+off))\b`,
  'iu',
);
const OFF_HOLD = new RegExp(
  String.raw`^(?<head>\W*(?:(?:please|pls|plz|ok|okay|so|and|hey|hi)[\s,]+)*)(?<line>${LINES})\s+(?:can|could|should|must|may|needs?\s+to|has\s+to)\s+(?:now\s+)?(?:come|go|be\s+taken|get)\s+off\s+(?:of\s+)?(?:the\s+)?(?:hold|pause|ice|suspension)\b`,
  'iu',
);
const NO_MORE = new RegExp(
  String.raw`^(?<head>\W*(?:(?:please|pls|plz|ok|okay|so|and|hey|hi)[\s,]+)*)no\s+(?:more\s+)?(?<what>calls?|calling|voice|texts?|texting|sms|messages?)\s+(?:for|on)\s+(?<line>${LINES})(?:\s+any\s?more)?(?:[\s,;–—-]+(?:but\s+|only\s+)?(?<kept>(?:the\s+)?(?:calls?|voice|texts?|sms|messages?|data)(?:\s+(?:is|are|can|may|should)(?:\s+(?:still|stay|be|remain))*)?\s+(?:ok|okay|fine|on|allowed|good|stay|only)))?(?<end>\s+(?:until|till|til|while|as\s+long\s+as)\s+[^,.;!?]{2,60})?(?=\s*(?:$|[.!]|,?\s*\b(?:please|pls|plz|thanks|thx|for|because|since)\b))`,
  'iu',
);

function ends(text: string): Plainer {
  if (text.includes('?')) return { text, told: [] };
  const hold = HOLD_ENDS.exec(text) ?? OFF_HOLD.exec(text);
  if (hold) return { text: text.replace(hold[0], `${hold.groups?.head}take ${hold.groups?.line} off hold`), told: [] };
  const { head = '', what = '', line, kept, end } = NO_MORE.exec(text)?.groups ?? {};
  if (line === undefined) return { text, told: [] };
  const told = kept === undefined ? [] : [`; left as it is: “${kept}”`];
  if (end !== undefined) told.push(`. Not taken: “${end.trim()}”. It stays off until it is switched on again`);
  return { text: text.replace(NO_MORE, `${head}turn off ${what} for ${line}`), told };
}

/* An amount without a unit */

const NAME_WORD = String.raw`\p{L}[\p{L}'’-]+`;
const RAISES = new RegExp(
  String.raw`^(?<head>\W*(?:(?:please|pls|plz|ok|okay|so|and|hey|hi|can|could|you|u)[\s,]+)*)(?:raise|bump|increase|up|lower|limit|cap|reduce)\s+(?<line>${LINES})\s+(?:up\s+|down\s+)?(?:to|at)\s+(?<amount>[1-9]\d{0,3})(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today)\b))`,
  'iu',
);

const AMOUNT = String.raw`(?:of\s+|at\s+)?(?<amount>\d{1,6}(?:[.,]\d+)?\s*(?:gb|mb|gigs?|megs?))\s*`;
/** "Put a cap of 3 gig on Ben", "put a 5 GB limit on Ava Stone" */
const CAP_ON = new RegExp(
  String.raw`\b(?:put|set|place|add)\s+(?:(?:an?|the|new|data)\s+)*(?:(?:cap|limit)\s+${AMOUNT}|${AMOUNT.replace('<amount>', '<first>')}(?:data\s+)?(?:cap|limit)\s+)on\s+(?:to\s+)?(?<who>(?!(?:it|her|him|them|that|this|the|his|their|my|all)\b)${NAME_WORD}(?:\s+${NAME_WORD})?)(?=\s*(?:$|[,.;!]|\b(?:please|pls|plz|now|today|and)\b))`,
  'iu',
);

function withLimit(text: string): Plainer {
  const { amount, first = amount, who } = CAP_ON.exec(text)?.groups ?? {};
  if (isName(who) && first !== undefined && !text.includes('?'))
    return { text: text.replace(CAP_ON, `limit ${who} to ${first.trim()}`), told: [] };
  return { text: text.replace(RAISES, '$<head>raise the data limit of $<line> to $<amount>'), told: [] };
}

/* Names of customers */

const NAME = NAME_WORD;
const LAST_NAME = new RegExp(
  String.raw`\b(?:change|update|correct|fix|set|make)\s+(?:(?:customer|subscriber)\s+)?(?:(?<who>${NAME}(?:\s+${NAME})?)['’]?s\s+(?<a>last\s+name|surname|family\s+name)|(?:the\s+)?(?<b>last\s+name|surname|family\s+name)\s+(?:of|for)\s+(?<other>${NAME}(?:\s+${NAME})?))\s+(?:to|into|as)\s+(?<name>\p{L}[\p{L}'’-]+)|^(?<third>${NAME}(?:\s+${NAME})?)['’]s\s+(?<c>last\s+name|surname|family\s+name)\s+(?:should|must|has\s+to|needs\s+to|is\s+to)\s+(?:be|read|say)\s+(?<given>\p{L}[\p{L}'’-]+)`,
  'iu',
);
const ACCOUNT_NAME = new RegExp(
  String.raw`\b(?<deed>change|update|correct|fix|set)\s+(?:the\s+)?name\s+(?:on|of|for|in)\s+(?<who>${NAME}(?:\s+${NAME})?)['’]s\s+account\s+(?=(?:to|into|as)\s)`,
  'iu',
);
const THE_CUSTOMER = new RegExp(
  String.raw`\b(?<to>for|to)\s+(?:the|our)\s+(?:customer|client|subscriber|user)\s+(?=(?<first>${NAME})(?:\s+(?<last>${NAME}))?\s*(?:$|[,.;!]))`,
  'iu',
);

/** True for a word that neither the vocabulary nor everyday English has. */
function isName(word: string | undefined): word is string {
  return word !== undefined && wordsOf(word).every(({ isUnknown }) => isUnknown);
}

function upper(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/** "Change Ava's last name to Stone-Miller": the first name stays. */
function withNames(text: string): Plainer {
  const { who, a, b, c, other, third, given = '', name = given } = LAST_NAME.exec(text)?.groups ?? {};
  const [owner, what] = [(who ?? other ?? third)?.replace(/['’]$/u, ''), a ?? b ?? c];
  if (isName(owner)) {
    const whole = withFirstName(owner, name);
    return {
      text: text.replace(LAST_NAME, `change the name of ${owner} to ${whole}`),
      told: [`. “${name}” is only the ${what?.toLowerCase()}: the form has “${whole}” as the whole name`],
    };
  }
  const held = ACCOUNT_NAME.exec(text)?.groups;
  if (isName(held?.who))
    return {
      text: text.replace(ACCOUNT_NAME, `${held.deed} the name of ${held.who} `),
      told: ['. Read as the name of the subscriber: an account is renamed with “rename the account NAME to NAME”'],
    };
  const { first, last } = THE_CUSTOMER.exec(text)?.groups ?? {};
  if (!isName(first)) return { text, told: [] };
  const named = last === undefined ? upper(first) : `${upper(first)} ${upper(last)}`;
  const typed = last === undefined ? first : new RegExp(String.raw`${first}\s+${last}`, 'iu');
  return { text: text.replace(THE_CUSTOMER, '$<to> ').replace(typed, named), told: [] };
}

/** The sentence with its orders in plain words, and notes on them. */
export function plainOrders(sentence: string): Plainer {
  return [
    setCallerName,
    withoutRest,
    newLines,
    heldFor,
    serviceHeld,
    lostPhone,
    heldByBlock,
    offForNow,
    ends,
    withLimit,
    withNames,
  ].reduce<Plainer>(
    (before, reword) => {
      const next = reword(before.text);
      return { text: next.text, told: [...before.told, ...next.told] };
    },
    { text: sentence, told: [] },
  );
}
