import { CHILDREN } from '../../../../tools/surfaces/filter-words.ts';
import { wordsOf } from '../../../language/sentence.ts';
import { BoundedMap } from '../../../lib/lists.ts';
import { TYPED_SECRET } from '../../../lib/placeholders.ts';
import { phonesIn } from '../../../platform/dialect/phone.ts';
import { plainAmounts } from './amounts.ts';
import { withoutLead } from './beginnings.ts';
import { withoutUnwanted } from './contrast.ts';
import { orderEnds, takeDays } from './dates.ts';
import { type Details, NO_DETAILS, ROUTING, takeDetails } from './named-values.ts';
import { carriedUnit, withLevelFirst } from './shares.ts';
import { asTextOrder, NO_MESSAGE, withoutOtherReceiver } from './text-orders.ts';
import { type Day, marksIn, markTimes, type Time, unmarked } from './times.ts';

/** The plain values in a sentence. */
export interface Facts {
  /** Full numbers, E.164, in order. */
  numbers: string[];
  /** Ids with a prefix of capital letters: JNUOID-…. */
  ids: string[];
  /** The serial of a SIM. */
  iccid: string | undefined;
  /** Last digits: "ending in 0103". */
  digits: string | undefined;
  /** Days, in order. */
  days: readonly Day[];
  /** Days and other times. Those of a clause are found by their marks. */
  times: readonly Time[];
  /** The part that the sentence excludes: "instead of 0104". It is part of nothing else. */
  leftOut: readonly string[];
  /** The writer's day, YYYY-MM-DD. */
  today: string;
  /** The text of a message: in quotation marks, or after "tell her that". */
  message: string | undefined;
  /** Further texts in quotation marks. */
  quoted: readonly string[];
  email: string | undefined;
  url: string | undefined;
  /** Names in quotation marks, routes, prices and the like. */
  details: Details;
  /** Volumes of data. */
  volumes: readonly Volume[];
  /** A speed such as 512-kbps. */
  speed: string | undefined;
  areaCode: string | undefined;
  /** The account number at another carrier. */
  account: string | undefined;
  /** True if the PIN of a carrier stood in the sentence. It is a secret and filled in nowhere. */
  hasPin: boolean;
  /** Numbers and last digits, in order, with the word before each that says its part: "from", "for". */
  mentions: readonly Mention[];
  /**
   * True if all numbers and last digits are one list: only commas, "and" and the like are between them, and nothing
   * before them excludes them. "Cancel 0103, not 0104" and "cancel 0103, she calls from 0104" are no such list.
   */
  isOneList: boolean;
  /** The sentence with a word in place of each value that says what it is, so that "text 201…" fits as "text number". */
  rest: string;
}

/** A volume of data, and what it is for. */
export interface Volume {
  /** As it is written: "5 gb". */
  text: string;
  mb: number;
  part: 'limit' | 'notify' | 'throttle';
  /** True if it is added to what is allowed now. */
  isMore: boolean;
  /** True if it is taken off what is allowed now, is one end of a range, or a part of what is allowed: "half". */
  isUnclear?: boolean;
  /** The amount, if its unit is not said. */
  unitless?: string;
  /** True if no word of the sentence says what it is for. */
  isBare?: boolean;
}

/** A number or last digits in a sentence. */
export interface Mention {
  text: string;
  /** The last word before it that is no filler, in lower case. */
  before: string;
  /** True if a list is said to be its own: "0103 has a block on …". */
  isOwner: boolean;
  isWhole: boolean;
}

const MAX_TEXT = 2_000;
const GB = 1024;
/** A smaller amount without a unit may be meant in GB. */
const LEAST_MB = 100;
/** A part or a multiple of what is allowed now. */
const SHARE =
  /\b(?:halv(?:e|es|ed|ing)|half|doubl(?:e|es|ed|ing)|tripl(?:e|es|ed|ing)|twice)\b|(?<![\d.])\d{1,3}(?:\.\d+)?\s*(?:%|percent\b)/gi;
const ID = /\b[A-Z]{2,7}-[0-9a-z][0-9a-z-]{3,48}\b/gi;
const PREFIX =
  /^(?:AID|TSUID|SUID|MRID|CRID|JNUOID|JNOID|TNOID|TMID|PRID|PKID|PID|WID|WAID|WG|FEID|FAID|CFID|MFID|SUB|NID|TNID|PIID|JCID|TCID)-/i;

/** "0101s limit" is the limit of 0101. */
const LINES_OWN = /(?<![\w+-])(\d{4}|\d{10})s(?=\s+\p{L})/gu;
/** The number at the head of a sentence: "0103: suspend". */
const HEADED =
  /(?<=^\W*(?:(?:hi|hey|hello|please|pls|plz|ok)\W+)*)([#…*]*\d{4})\s*(?::|[-–—](?=\s)|,(?!\s*(?:and\s+)?[#…*+\d]))\s*/giu;
/** A sentence that may ask for a port-in, and none about a port-out. */
const PORTS =
  /^(?!.*\b(?:port(?:ing)?|transfer)[\s-]?out\b)(?=.*\b(?:port\w*|transfer\w*|bring|move|switch\w*|carrier|com(?:es?|ing)\s+(?:over|in|across)\s+from)\b)/is;
const PIN = new RegExp(
  String.raw`[,;]?\s*\b(?:and\s+|with\s+)?(?:the\s+|her\s+|his\s+|account\s+|transfer\s+|port\s+)?(?:pin|passcode|password)(?:\s+code)?\s*(?:is|:|=|#)?\s*(?:${TYPED_SECRET.replace(/[.*+?^\x24{}()|[\]\\]/g, '\\$&')}|\d{4,10}\b)`,
  'gi',
);
/** "Wrong PIN on the port of +1…, correct one is 9083" */
const RIGHT_PIN = new RegExp(
  String.raw`(?<before>\b(?:pin|passcode)\b(?:(?!\b(?:zip|ac+oun?t|acct|name|address|carrier)\b)[^.;!?]){0,80}\b(?:(?:correct|right|new|real)(?:\s+(?:one|pin|code))?|(?:it\s+)?should|must)\s+(?:is|be|:)\s*)(?:${TYPED_SECRET.replace(/[.*+?^\x24{}()|[\]\\]/g, '\\$&')}|\d{4,8}\b)`,
  'iu',
);
/** A secret that was removed, with the words that say whose it is: "…, she said 4471". */
const SECRET_TOLD = new RegExp(
  String.raw`(?:[,;]?\s*\b(?:s?he|they|(?:the\s+)?(?:customer|carrier|cust))\s+(?:just\s+)?(?:said|says|told\s+(?:us|me)|gave(?:\s+(?:us|me))?|has)\b(?:\s+(?:it['’]?s|it\s+is|is|that|its))*\s*:?\s*)?${TYPED_SECRET.replace(/[.*+?^\x24{}()|[\]\\]/g, '\\$&')}`,
  'giu',
);
const ACCOUNT_NUMBER = String.raw`(?<account>(?=[A-Z-]*\d)(?!\+?1?\d{10}\b)[A-Z\d-]{3,20})\b`;
const ACCOUNTS: readonly RegExp[] = [
  `\\b(?:ac+oun?t|acct|acc|a/c)\\b\\.?\\s*(?:(?:number|nr|no|num|id)\\b\\.?)?\\s*(?:(?:is|should\\s+be|must\\s+be|to|was|now)\\b\\s*)*[:=#]?\\s*${ACCOUNT_NUMBER}`,
  `\\b(?:ac+oun?t|acct|acc|a/c)\\b.*(?:\\b(?:(?:should|must|has\\s+to)\\s+(?:be|read)|to|is|it['’]?s)|:)\\s+${ACCOUNT_NUMBER}\\s*(?:[.!,;]|$|\\bfor\\b)`,
].map((pattern) => new RegExp(pattern, 'is'));

const ZIP =
  /[,;]?\s*(?:\band\s+)?(?:\b(?:the|his|her|their)\s+)?\bzip(?:\s*code)?\s*(?:is|should\s+be|to|:|=)?\s*\d{5}\b/gi;

/** The account number at another carrier that a sentence names. */
function accountIn(text: string): string | undefined {
  const plain = text.replace(ZIP, ' ');
  return ACCOUNTS.map((pattern) => pattern.exec(plain)?.groups?.account).find((found) => found !== undefined);
}

const ROUTE_ID = /^[CM]RID-/i;
const LINE = /(?<![\w+-])\d{4}(?![\w-])|\d{3}[\s.)-]*\d{3}[\s.-]*\d{4}/;

/** Maps the prefix of an id to the word that people use for its record. */
const WORDS: Readonly<Record<string, string>> = {
  ...{ JNUOID: 'order', MRID: 'textroute', CRID: 'callroute', PKID: 'package', PRID: 'product', SUB: 'subscription' },
  ...{ WG: 'workgroup', FEID: 'feature', AID: 'account', CFID: 'callfilter', MFID: 'textfilter' },
};

/** The word in place of an id in the sentence, so that it is read like a record by its name. */
function wordFor(id: string, isRouted: boolean): string {
  const word = WORDS[id.toUpperCase().replace(/-.*$/s, '')] ?? '';
  return isRouted && ROUTE_ID.test(id) ? `${word}name` : word;
}

/** Words of sentences that may end in an amount. */
const AMOUNT =
  /\b(?:limit|cap|allowance|threshold|quota)s?\b|\b(?:bump|raise|increase)\s+(?:up\s+)?(?:her|him|it|them|(?:number|line|[#…*]*\d{4})(?:\s+up)?)\s+(?:up\s+)?to\s+\d/i;

/** In place of a number. It cannot be typed. */
const MARK = '\u0001';
/** Last digits of a number. */
const DIGITS = /(?<![\w+-])\d{4}(?![\w-])/g;
/** "3 more gigs" */
const MORE_DATA = /\b(\d{1,6}(?:\.\d+)?)\s+(more|extra|additional)\s+(gb|mb|gigs?|megs?)\b/gi;
/** Before the address of a webhook that is new. */
const MAKES_HOOK = /\b(?:add|create|new|make|register|set\s*up|need|needs|want|wants|open|build)\b/i;
/** A number as people write it. */
const WRITTEN = /\+?\(?\d[\d\s()./-]{5,18}\d/g;
const PHONE = String.raw`(?:\+?1[\s.-]?)?\(?\d{3}\)?[\s.-]?\d{3}[\s.-]?\d{4}(?!\d)`;
/** Numbers with only a space between them, as they are pasted. */
const PASTED = new RegExp(String.raw`((?<![\d+])${PHONE})\s+(?=${PHONE})`, 'g');
/** Last digits with only a space between them: "0101 0102 0107". */
const SPACED = /^\W*\d{4}(?:\s+\d{4})+\W*$/;
/** Before digits that are no last digits. */
const OTHER_DIGITS =
  /\b(?:account|acct|pin|zip|code|ticket|case|invoice)(?:\s*(?:number|no\.?|code|#))?\s*(?:is|:|to)?\s*#?$/i;
/** Text between two numbers of one list. */
const BETWEEN = /^(?:[\s,;&+/#…*().]|\b(?:and|also|plus|as\s+well\s+as|both|the|numbers?|lines?|ending|in|with)\b)*$/i;
/** A sentence that may want two things of the same number. */
const SAME_BUT = /\b(?:not|never|except|instead|keep|from|to)\b|n['’]t\b/iu;
/** Words right before numbers that are not meant. */
const EXCLUDES =
  /\b(?:not|except(?:\s+for)?|excluding|besides|keep(?:ing)?|instead\s+of|rather\s+than|other\s+than|unlike|back\s+(?:on|at)|(?<!\b(?:any|more|no|receive|get|gets|getting|stop|stopping|block|blocks|blocking|blocked|unblock|unblocks|unblocking|filtering|barring|banning|on|allow|allows|allowing|permit|accept|accepts|whitelist|ban|bar|filter|also|only|and|or|reject|refuse|decline|these|those|all|the|of|spam|scam|robo|unwanted|nuisance|prank|want|wants|annoying|harassing)\s+)(?:calls?|calling)\s+from|reached?\s+(?:on|at)|contact\s+(?:is|on|at))\s+(?:the\s+|number\s+|line\s+|for\s+|ending\s+|in\s+|her\s+|his\s+|their\s+)*[#…*(]*$/i;

/** The words after which a message's text follows: "tell her that …", "text 0104: …". */
const SAYS =
  /\b(?:tell|text|sms|message|messages?|notify|inform|remind|let|write|send|shoot|drop|ping)\b(?!\s+(?:me|us)\b)[^"“„:]{1,60}?(?:\s(?:that|saying|to say|which says|know(?:\s+that)?(?!\s+(?:whenever|if|when|once|as\s+soon\s+as|(?:every|each|any)\s*time)\b[^.;!?]*\b(?:block|stop|filter|catch|caught|flag)))\s+|:\s+)(?<text>.+)$/isu;
/** Words between the word that says a number's part and the number. */
const FILLERS =
  /(?:\b(?:the|a|an|number|numbers?|line|phone|caller|subscriber|customer|ending|in|with|her|his|their|my)\s+|[#…*(+])*$/i;
const RECEIVER = String.raw`(?:(?:number|line|customer|client|subscriber|#|…|\.{3})\s*)*(?:\+?\(?\d[\d().\s-]{8,16}\d|\d{4}(?!\d))`;
/** A comma in a list of names: "text Ava, Ben and Nina". */
const NAMES =
  /(?<=\b(?:text|tell|sms|message|notify|inform|for|to|of)\s)(\p{L}[\p{L}'’-]+),\s+(?=\p{L}[\p{L}'’-]+\s+and\s+\p{L})/giu;
const AND_NAME = /(?<=\b(?:text|tell|sms|message|notify|inform)\s)(\p{L}[\p{L}'’-]+)\s+&\s+(?=\p{L})/giu;
/** "0103 and 0105 are back" */
const REPORT_OF_LINES = String.raw`[#…*]*\d{4}(?:\s*(?:,|and|&)+\s*[#…*]*\d{4})*\s+(?:is|are|was|were|has|have|will|can|works?)\s`;
/** A name before the number of its line. */
const OF_LINE = String.raw`(?!(?:me|us|him|her|them|it|the|a|an|my|our|his|number|line|customer|text|sms|message|msg|from|to|on|at|for|of|and|both|history|via)\b)\p{L}[\p{L}'’-]+(?:\s+(?!(?:on|at|from|to|for|and)\b)\p{L}[\p{L}'’-]+)?`;
/** The text of a message right after its receiver: "text 0102 we are on it", "text ava your port is done". */
const SAYS_AT_ONCE = new RegExp(
  String.raw`^(?<head>(?:\W*\b(?:hi|hey|hello|please|pls|plz|can|could|would|you|kindly|just|only|also|and|then|i|want|need|like|to)\b)*\W*` +
    String.raw`(?:text|sms|message|msg|tell|notify|inform|write)\s+(?:to\s+)?(?:both\s+)?` +
    // "Text Ava 0101 hi"
    String.raw`(?:(?<name>${OF_LINE})\s+(?:on\s+|at\s+)?(?=${RECEIVER})(?!${REPORT_OF_LINES}))?` +
    String.raw`(?:${RECEIVER}(?:\s*(?:,|&|\band\b|,\s*and\b)\s*${RECEIVER})*(?:\s+(?:by|via|per)\s+(?:text|sms|message))?(?:\s*[-–—,]\s+|\s+)` +
    // After a name, only words that begin a sentence are taken for a message.
    String.raw`|(?!(?:me|us|him|her|them|it|the|a|an|my|our|his|number|line|customer|text|sms|message|msg|from|url|routes?|filters?)\b)\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?(?:\s+and\s+\p{L}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)?)?\s+` +
    String.raw`(?=(?:hello|hi|hey|dear|your|ur|u|we|we're|the|this|please|you|you're|our|sorry|thanks|thank|i|i'm|it's|its|her|his|their|he|she|they|he's|she's|they're|hes|shes|my|there|there's)\s|${REPORT_OF_LINES})))` +
    String.raw`(?<text>\S[\s\S]*)$`,
  'iu',
);
/** The sender, before or after the text of a message. */
const SENDER = String.raw`(?:from|via|using)\s+(?:(?:(?:our|my|the|main|office|shop|number|line)\b|#|…)\s*)*(?:\+?\(?\d[\d().\s-]{8,16}\d|\d{4})`;
/** "…, not from me, from 0104" */
const NOT_SENDER = new RegExp(
  String.raw`,\s*(?:but\s+)?not\s+(?:from|via)\s+(?:me|us|[#…*+\d\s()-]{4,18}|\p{L}+)\s*,(?:\s*but)?(?=\s*${SENDER}\s*[.!]?$)`,
  'iu',
);
const SENDER_FIRST = new RegExp(String.raw`^(?<sender>${SENDER})\s*[:,–—-]?\s+(?<text>\S[\s\S]*)$`, 'iu');
const SENDER_APART = new RegExp(String.raw`^(?<text>\S[\s\S]*?)\s*,\s+(?<sender>${SENDER})\s*[.!]?$`, 'iu');
const SENDER_LAST = new RegExp(String.raw`^(?<text>\S[\s\S]*?)[,;]?\s+(?<sender>${SENDER})\s*[.!]?$`, 'iu');

/** The channel of a message, beside its text: "let 0103 know by sms that …", "…, by text". */
const CHANNEL = String.raw`(?:(?:by|via|per|over|through|in|with)\s+(?:an?\s+)?(?:sms|text(?:\s+message)?|txt|message)|sms)`;
const CHANNEL_FIRST = new RegExp(String.raw`^${CHANNEL}(?:(?:[\s,:]+(?:that|saying))?[\s,:]+(?=\S)|[\s.!]*$)`, 'iu');
const CHANNEL_LAST = new RegExp(
  String.raw`\s*(?:,|\s[–—-]|\()\s*(?:${CHANNEL}|(?:a\s+)?(?:text|txt))(?:\s+(?:is\s+(?:fine|ok|enough)|please|pls|plz))*\s*\)?[.!]*$`,
  'iu',
);

/** An amount whose unit another amount of the sentence has: "cap at 5 gb, warn at 4". */
const BARE_AMOUNT =
  /(?<=\b(?:notif\w*|warn\w*|alert\w*|tell|told|heads[\s-]?up|ping\w*|throttl\w*|slow\w*|limit\w*|cap\w*|stop\w*|cut|notice|instead)\b(?:[^,.;!?\d]|(?<!\d)0\d{3}(?!\d)){0,28}\b(?:at|after|from|to|of|by)\s+|\b(?:notify|warn|alert|throttle|slow|notice|warning|notification|limit|cap)\s+)(\d{1,5}(?:\.\d+)?)(?=\s*(?:$|[,;!?]|\.(?:\s|$)|\b(?:and|then|for|on|notif\w*|warn\w*|alert\w*|throttl\w*|slow\w*|limit|cap)\b|\bto\s+(?:speed\b|\d+\s*[km]b)))/gi;
const VOLUME = /\b(?!0\d)(\d{1,6}(?:\.\d+)?)\s*(gb|mb|gigs?|megs?|gigabytes?|megabytes?)\b/gi;

/** Messages read of late: the readers of a thread read the same ones many times. */
const readOfLate = new BoundedMap<string, Facts>(60);

/**
 * Takes the plain values out of a sentence.
 *
 * @param now epoch ms of the writer's clock, as if it were UTC
 */
export function readFacts(text: string, now: number): Facts {
  const key = `${now} ${text}`;
  const facts = readOfLate.get(key) ?? factsOfText(text, now);
  readOfLate.set(key, facts);
  return { ...facts };
}

/** The quotation of a message: "text Ben “get 0106 onto the main route”". */
const TEXT_QUOTED =
  /^\W*(?:(?:please|pls|plz|hi|hey|ok|and|can|could|you|u)[\s,]+)*(?:text|sms|message|msg|send|tell|write|ping)\b(?:(?!\b(?:routes?|webhooks?|packages?|plans?|filters?|keywords?)\b)[^"“„])*["“„](?<text>[^"“”„]{1,1600})["”“]/iu;
const HIDDEN = '\u0001';

function factsOfText(text: string, now: number): Facts {
  // The placeholder of a removed secret is not a name.
  const apart = withoutOtherReceiver(withoutLead(unmarked(text.slice(0, MAX_TEXT))));
  let rest = asTextOrder(apart.text).replace(LINES_OWN, "$1's");
  const isTyped = rest.includes(TYPED_SECRET) && /\b(?:pin|passcode)\b/iu.test(rest);
  const hasPin = PORTS.test(rest) && (isTyped || PIN.test(rest) || RIGHT_PIN.test(rest));
  if (hasPin) rest = rest.replace(PIN, ' ').replace(RIGHT_PIN, '$<before>');
  rest = rest.replace(SECRET_TOLD, ' ');
  const take = (pattern: RegExp, word = ''): string[] => {
    const found = [...rest.matchAll(pattern)].map((match) => match[1] ?? match[0]);
    rest = rest.replace(pattern, ` ${word} `);
    return found;
  };
  rest = rest
    .replace(MORE_DATA, '$1 $3 $2')
    .replace(NAMES, '$1 and ')
    .replace(AND_NAME, '$1 and ')
    .replace(HEADED, '$1 ')
    .replace(/\s*(?:->|=>|→)\s*/g, ' to ');
  // The text of a message is not filled in anywhere else.
  const isTold = !/["“„]/.test(rest) && (saidIn(rest) !== undefined || toldAtOnce(rest) !== undefined);
  // The quoted text of a message names no record.
  const sentText = TEXT_QUOTED.exec(rest)?.groups?.text;
  const found = isTold ? { details: NO_DETAILS, rest } : takeDetails(sentText ? rest.replace(sentText, HIDDEN) : rest);
  rest = sentText ? found.rest.replace(HIDDEN, () => sentText) : found.rest;
  const [quoted, ...others] = take(/["“„]([^"“”„]{1,1600})["”“]/g, 'saying');
  let said = quoted === undefined ? saidIn(rest) : undefined;
  // "…, from 0101" behind a message names its sender.
  const { text: own = said, sender = '' } = SENDER_APART.exec(said?.replace(NOT_SENDER, ',') ?? '')?.groups ?? {};
  if (said !== undefined) rest = `${rest.slice(0, rest.length - said.length).replace(/:\s*$/, '')} ${sender} saying`;
  said = own;
  const told = quoted === undefined && said === undefined ? toldAtOnce(rest) : undefined;
  if (told) ({ said, rest } = told);
  said = said?.replace(CHANNEL_FIRST, '').replace(CHANNEL_LAST, '');
  rest = rest.replace(/(?<![\w+-])(\d{4}):(?=\s)/g, '$1 ');
  const ids = [...new Set((rest.match(ID) ?? []).filter((id) => PREFIX.test(id)))];
  // "Point texts of 0102 to MRID-…": a route beside a number is where its calls or texts go.
  const around = ids.reduce((text, id) => text.replaceAll(id, ' '), rest);
  const isRouted = ids.some((id) => ROUTE_ID.test(id)) && LINE.test(around);
  if (isRouted) rest = rest.replace(ROUTING, 'assign');
  for (const id of ids) rest = rest.replaceAll(id, ` ${wordFor(id, isRouted)} `);
  const isHook = /\bwebhook/i.test(rest);
  const isKnownHook = /\bwebhook\s+(?:at\s+|on\s+)?https?:/i.test(rest) && !MAKES_HOOK.test(rest);
  const urls = take(
    /\bhttps?:\/\/[^\s<>"“”]*[^\s<>"“”.,;!?)]/gi,
    isHook ? 'webhook' : /routename\b/.test(rest) ? 'address' : '',
  );
  const [first, second] = urls;
  const url = isKnownHook && second !== undefined ? second : first;
  // An address on the web is none of an account.
  if (first !== undefined && !isHook && !/routename\b/.test(rest)) rest = rest.replace(/\badd?ress\b/i, 'webaddress');
  // A webhook that is deleted, or has its address beside it, is known by that.
  if (
    isHook &&
    first !== undefined &&
    (/\b(?:delet|remov|drop|cancel|stop|kill|unregister|rid\b|retire|clear)/i.test(rest) || isKnownHook)
  )
    found.details = { ...found.details, records: [...found.details.records, { noun: 'webhook', name: first }] };
  const [email] = take(/\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g);
  const isPort = PORTS.test(rest) || ids.some((id) => /^JNUOID-/i.test(id));
  const account = isPort ? accountIn(rest) : undefined;
  // Its digits may be a part of the number that is ported.
  if (account !== undefined)
    rest = rest.replace(new RegExp(`(?<![\\w+-])${account}(?![\\w-])`), ' ').replace(/\baccount\b/i, 'acct');
  const [iccid] = take(/\b(\d{18,21}F?)\b/gi);
  const amounts = plainAmounts(rest);
  rest = amounts.text;
  const times: Time[] = [];
  rest = markTimes(takeDays(markTimes(rest, 'before days', times), now, times), 'after days', times);
  orderEnds(rest, times);
  const contrast = withoutUnwanted(rest, times);
  rest = contrast.rest;
  const [speed] = take(speedIn(rest), 'speed').concat(take(BARE_SPEED, 'speed'));
  rest = withLevelFirst(rest);
  const [beside] = rest.matchAll(VOLUME);
  if (beside)
    rest = rest.replace(BARE_AMOUNT, (amount) => (isLastDigits(amount) ? amount : withUnitOf(amount, beside[0])));
  const volumes = volumesIn(rest).concat(amounts.unread.map(unreadVolume));
  rest = rest.replace(VOLUME, ' data ');
  // "Cap 25 and a heads up at 20": neither of two levels without a unit is lost.
  const bare = [...rest.matchAll(BARE_AMOUNT)].filter(([amount]) => !isLastDigits(amount));
  const levels = bare.map(({ 0: text, index }) => ({ text, part: partAt(rest.slice(0, index)) }));
  if (volumes.length === 0 && new Set(levels.map(({ part }) => part)).size > 1) {
    for (const { text, part } of levels)
      volumes.push({ text, mb: 0, part, isMore: false, isUnclear: true, unitless: text });
    rest = rest.replace(BARE_AMOUNT, (amount) => (isLastDigits(amount) ? amount : ' data '));
  }
  // An amount without its unit: "raise the data limit of 0101 to 9000". Last digits that begin with 0 stay.
  if (AMOUNT.test(rest))
    for (const amount of take(
      /\bto\s+([1-9]\d{0,5})(?=\s*(?:$|[,.;!?]|(?:and|then|for|on|from|until|till|please|pls|now|asap)\b))/gi,
      'to data',
    )) {
      const unitless = Number(amount) < LEAST_MB ? { isUnclear: true, unitless: amount } : {};
      volumes.push({ text: amount, mb: Number(amount), part: 'limit', isMore: false, ...unitless });
    }
  if (AMOUNT.test(rest))
    for (const amount of take(/(?<=\b(?:notify|warn|alert)\s+)at\s+([1-9]\d{0,5})(?=\s*(?:$|[,.;!?]))/gi, 'at data'))
      volumes.push({ text: amount, mb: 0, part: 'notify', isMore: false, isUnclear: true, unitless: amount });
  if (AMOUNT.test(rest) || volumes.length > 0 || /\bdata\b/i.test(rest))
    for (const { 0: text, index } of rest.matchAll(SHARE))
      volumes.push({ text, mb: 0, part: partAt(rest.slice(0, index)), isMore: false, isUnclear: true });
  rest = rest.replace(PASTED, '$1 and ');
  const numbers = phonesIn(rest);
  const named = mentionsIn(rest, numbers);
  // "The customer on 0106 is leaving, cancel 0106" names one line.
  const isSame = named.length > 1 && named.every(({ text: one }) => one === named[0]?.text) && !SAME_BUT.test(rest);
  const mentions = isSame ? named.slice(0, 1) : named;
  const isOneList = isSame || areOneList(withoutNumbers(rest, numbers, MARK));
  rest = withoutNumbers(rest, numbers, ' number ');
  const [areaCode] = take(/\barea(?:\s*code)?\s*(\d{3})\b/gi, 'area').concat(
    take(/\b(\d{3})\s+area(?:\s*code)?\b/gi, 'area'),
    take(/\b(?:an?|any|new|some|free)\s+(\d{3})\s+(?=numbers?\b)/gi, 'area'),
    // "New voip number 702", "numbers with 929"
    take(/(?<=\b(?:new|another|second|extra)\s(?:\p{L}+\s){0,2}(?:number|line)\s)([2-9]\d{2})(?![\d-])/giu, 'area'),
    take(
      /(?<=\bnumbers\s+(?:(?:starting|beginning)\s+)?)(?:with|from|for|near)\s+([2-9]\d{2})(?![\d-]|\s+(?:mb|gb|\d))/giu,
      'in area',
    ),
    take(
      /(?<=\b(?:numbers?|lines?)\b[^,.;!?]*)\bin\s+(\d{3})(?=\s*(?:$|[?,.;!]|(?:with|for|from|please|pls)\b))/gi,
      'in area',
    ),
    take(/(?<=\b(?:buy|order|get|grab|need|want|provision)\s+(?:one|two|three|some|\d)\s+)in\s+(\d{3})\b/gi, 'in area'),
    take(/(?<=\b(?:another|new|second|extra)\s+(?:number|line)\s+)(?:with|from)\s+(\d{3})\b/gi, 'in area'),
    take(/(?<=\bnew\s(?:[^,.;!?]+\s)?)in\s+(\d{3})(?=\s*(?:$|[,.;!?]|please|pls))/gi, 'area'),
  );
  const [digits] = take(
    /(?:\bending(?:\s+in|\s+with|\s+on)?|\bends(?:\s+in|\s+with)?|\blast\s+(?:four\s+)?digits(?:\s+are)?|\bnumber|\bline|…|\.{3}|\*+)\s*#?(\d{3,7})\b/gi,
    'number',
  );
  const message = quoted ?? said?.trim();
  return {
    ...{
      numbers,
      ids,
      iccid,
      digits,
      message,
      quoted: others,
      email,
      url,
      details: found.details,
      volumes,
      areaCode,
      account,
      hasPin,
      mentions,
      isOneList,
      rest,
    },
    ...{ days: daysIn(rest, times), times, leftOut: [...apart.leftOut, ...contrast.leftOut] },
    today: new Date(now).toISOString().slice(0, 10),
    speed: speed?.toLowerCase().replace(/^(\d+)\s*-?([km]?).*$/, (_, figure, unit) => `${figure}-${unit || 'k'}bps`),
  };
}

/** The days of a text, in order. */
export function daysIn(text: string, times: readonly Time[]): Day[] {
  return marksIn(text).flatMap((mark) => times[mark]?.day ?? []);
}

/** A record that posts to an address: "a message route for Acme that posts to https://…". */
const POSTS = /^[^"“„]*\b(?:routes?|trunks?|web\s?hooks?)\b[^"“„]*\sthat\s+(?:\S+\s+){1,3}https?:\S+[\s.!]*$/isu;

/** The text of a message after the words that begin it. */
function saidIn(rest: string): string | undefined {
  return POSTS.test(rest) ? undefined : SAYS.exec(rest)?.groups?.text;
}

/** The text of a message that follows its receiver at once, and the sentence without it. */
function toldAtOnce(text: string): { said: string; rest: string } | undefined {
  const { head, text: after, name = '' } = SAYS_AT_ONCE.exec(text)?.groups ?? {};
  if (head === undefined || after === undefined) return undefined;
  if (name !== '' && !wordsOf(name.toLowerCase()).every(({ isUnknown }) => isUnknown)) return undefined;
  const { text: said = after, sender = '' } =
    (SENDER_FIRST.exec(after) ?? SENDER_LAST.exec(after.replace(NOT_SENDER, ',')))?.groups ?? {};
  const isReport = new RegExp(`^${REPORT_OF_LINES}`, 'iu').test(said);
  const isOnlyWord = /^(?:tell|notify|inform)\b/i.test(text) && !/\s/.test(said);
  if (NO_MESSAGE.test(said) || (/^[\d+(#…]/.test(said) && !isReport) || /\?\s*$/.test(said) || isOnlyWord)
    return undefined;
  return { said, rest: `${head}${sender} saying` };
}

function withUnitOf(amount: string, beside: string): string {
  const unit = carriedUnit(Number(amount), beside);
  return unit === undefined ? amount : `${amount} ${unit}`;
}

/** True for four digits that are the end of a number rather than an amount. */
function isLastDigits(amount: string): boolean {
  return /^0\d{3}$/.test(amount);
}

const SPEED = /\b(\d{1,4}\s*-?\s*[km](?:bps|bits?(?:\/s|ps)?|b\/s|b\s+per\s+second))(?![\w/])/gi;
/** "Slow it down to 128k": beside a word of slowing, the letter alone is a speed. */
const SHORT_SPEED = /\b(\d{1,4}\s*-?\s*(?:[km](?:bps|bits?(?:\/s|ps)?|b\/s)?|kb))(?![\w/])/gi;

/** "Throttle 128": a figure that is a speed of the platform, and no amount of data. */
const BARE_SPEED =
  /(?<=\b(?:throttl\w*|slow\w*)\s+(?:(?:it|her|him|them|that|down|speed|to|at|is)\s+)*|\b(?:throttl\w*|slow\w*)\b[^.;!?]{0,50}\bto\s+)(64|128|256|512)(?![\w./-]|\s*(?:gb|mb|gigs?|megs?|%|percent))/gi;

function speedIn(text: string): RegExp {
  return /\b(?:slow\w*|throttl\w*|speed\w*|reduce\w*)\b/i.test(text) ? SHORT_SPEED : SPEED;
}

const LESS = /\b(?:lower|reduc|decreas|cut|drop|shrink|less)\w*\b/i;
/** Before the upper end of a range: "2-3 gb", "between 2 and 3 gb". "From 2 to 3 gb" says a new value. */
const RANGE =
  /(?<!\bfrom\s)(?<![\d.])\d{1,3}(?:\.\d+)?\s*(?:[-–—]|to|or)\s*$|\bbetween\s+[\d.]+\s*(?:gb|mb)?\s+and\s*$/i;

/** Words of a notice at an amount: "a heads up at 15 mb", "let her know at 18". */
const NOTICES = String.raw`notif\w*|warn\w*|alert\w*|notice|tell|told|heads[\s-]?up|ping\w*|inform\w*|remind\w*|know|hear`;
/** The words that say what an amount of data is for. */
export const PARTS = String.raw`${NOTICES}|throttl\w*|slow\w*|limit\w*|cap\w*|stop\w*|cut`;
/** The last word before an amount that says what it is for. */
const PART = new RegExp(String.raw`\b(${PARTS})\b(?!.*\b(?:${PARTS})\b)`, 'is');
const AFTER = new RegExp(String.raw`\b(${NOTICES}|throttl\w*|slow\w*)\b`, 'i');
const IS_NOTICE = new RegExp(`^(?:${NOTICES})$`, 'i');

/** The purpose of an amount, by the nearest word before it. */
function partAt(before: string): Volume['part'] {
  const part = PART.exec(before)?.[1] ?? '';
  return IS_NOTICE.test(part) ? 'notify' : /^(?:throttl|slow)/iu.test(part) ? 'throttle' : 'limit';
}

/** The volumes in a sentence, each with what it is for: the nearest word before it says so. */
export function volumesIn(text: string): Volume[] {
  return [...text.matchAll(VOLUME)].flatMap((match) => {
    const [whole, value = '', unit = ''] = match;
    const before = text.slice(0, match.index);
    const after = text.slice(match.index + whole.length);
    // "From 2 GB to 3 GB": the first one is what it was.
    if (/\bfrom\s*$/i.test(before) && /^\s*(?:up\s+)?to\s+[\d.]+\s*(?:gb|mb|gigs?|megs?)/i.test(after)) return [];
    const part =
      PART.exec(before)?.[1]?.toLowerCase() ??
      // "At 18 MB slow it down": the verb follows.
      (/\b(?:at|after|once)\b[^,.;!?]*$/i.test(before) ? AFTER.exec(ownPart(after))?.[1]?.toLowerCase() : undefined) ??
      '';
    const isBy = /\bby\s*$/i.test(before) && LESS.test(before);
    const mb = Math.round(Number(value) * (/^g/i.test(unit) ? GB : 1));
    return {
      text: whole,
      isUnclear: mb === 0 || isBy || /^\s*(?:less|fewer|lower|off)\b/i.test(after) || RANGE.test(before),
      mb,
      part: IS_NOTICE.test(part) ? 'notify' : /^(?:throttl|slow)/.test(part) ? 'throttle' : 'limit',
      ...(part === '' && { isBare: true }),
      isMore:
        /\b(?:by|extra|additional|another|add|adding|top(?:ped)?\s+(?:(?:it|her|him|them|this|that)\s+)?up(?:\s+with)?)\s*$/i.test(
          before,
        ) || /^\s*(?:more|extra|additional|on top)\b/i.test(after),
    };
  });
}

/** The text behind an amount without the part of the next one: of "at 3 GB, warn at 2 GB", "warn" is that of the second. */
function ownPart(after: string): string {
  return new RegExp(VOLUME.source, 'i').test(after)
    ? (/^[^,.;!?]*?(?=\s*[,.;!?]|\s+(?:and|but|then)\b)/i.exec(after)?.[0] ?? '')
    : after;
}

/** Marks an amount as unclear, so no limit gets it. */
function unreadVolume(text: string): Volume {
  return { text, mb: 0, part: 'limit', isMore: false, isUnclear: true };
}

/** After the number whose list is spoken of. */
const OWNS =
  /^(?:['’]s\b|\s*(?:has|have|had|blocks?|(?:is|was)\s+block\w*|(?:really\s+)?(?:wants?|wanted|needs?|asks?|asked|would\s+like)(?!\s+(?:her|him|them|us)\b))\b(?!\s+been\b))/i;
/** Before the number whose list is spoken of: "the kid's line …", "her son's phone …". */
const OWN_LINE = new RegExp(
  String.raw`(?:\b(?:${CHILDREN}|customer|client)['’]?s?['’]?\s+(?:phone|number|mobile|cell|line)|['’]s\s+line)\s*[(:,–-]?\s*$`,
  'iu',
);

/** The numbers and last digits of a sentence in order. In a list, each has the word before the first one. */
function mentionsIn(text: string, numbers: readonly string[]): Mention[] {
  const wordBefore = (at: number) => /(\S+)\s*$/.exec(text.slice(0, at).replace(FILLERS, ''))?.[1]?.toLowerCase() ?? '';
  const whole = [...text.matchAll(WRITTEN)].flatMap((match) => {
    const number = numbers.find((one) => isWrittenAs(one, match[0]));
    return number === undefined ? [] : [{ match, text: number, isWhole: true }];
  });
  const masked = text.replace(WRITTEN, (written) => (SPACED.test(written) ? written : ' '.repeat(written.length)));
  const last = [...masked.matchAll(DIGITS)]
    .filter(({ index }) => !OTHER_DIGITS.test(masked.slice(0, index)))
    .map((match) => ({ match, text: match[0], isWhole: false }));
  const found = [...whole, ...last].sort((a, b) => a.match.index - b.match.index);
  const mentions: Mention[] = [];
  let end = 0;
  for (const { match, text: number, isWhole } of found) {
    const previous = mentions.at(-1);
    const isListed = previous !== undefined && BETWEEN.test(text.slice(end, match.index));
    end = match.index + match[0].length;
    const before = isListed ? previous.before : wordBefore(match.index);
    const isOwner = OWNS.test(text.slice(end)) || OWN_LINE.test(text.slice(0, match.index));
    mentions.push({ text: number, before, isOwner, isWhole });
  }
  return mentions;
}

const REPORTED =
  /^\s+(?:is|are|was|were|has|had|needs?|wants?|keeps?|gets?|got|lost|will|can|does|did|says?|stays?|should|must)\b/i;

/** True if the marks and last digits in a sentence are one list. */
function areOneList(text: string): boolean {
  const marked = text.replace(DIGITS, (digits, at: number) =>
    OTHER_DIGITS.test(text.slice(0, at)) ? '' : digits && MARK,
  );
  const [before = '', ...others] = marked.split(MARK);
  if (others.length === 0) return true;
  // The text after the last one is not compared.
  // "Park 0103, 0104 is fine": the last one begins another sentence.
  if (/\p{L}/u.test(before) && /^\s*[,;]\s*$/.test(others.at(-2) ?? '') && REPORTED.test(others.at(-1) ?? ''))
    return false;
  const isKept = /^\s*from\s+\w+ing\b/i.test(others[0] ?? '');
  return (isKept || !EXCLUDES.test(before)) && others.slice(0, -1).every((between) => BETWEEN.test(between));
}

/** The sentence with a word in place of each number, however it is written. */
function withoutNumbers(text: string, numbers: readonly string[], word: string): string {
  if (numbers.length === 0) return text;
  return text.replace(WRITTEN, (written) => (numbers.some((number) => isWrittenAs(number, written)) ? word : written));
}

function isWrittenAs(number: string, written: string): boolean {
  const digits = written.replace(/\D/g, '');
  return number.endsWith(digits.slice(-10)) || digits.endsWith(number.slice(-10));
}
