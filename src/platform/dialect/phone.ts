import { findPhoneNumbersInText, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { inQuotes, plainForm, type Quote, quote } from '../../lib/values.ts';
import { WITHHELD } from './redact.ts';

/* The one reader of phone numbers, for every way in: as people write them, and as programs paste them. */

/** A US or Canadian number in E.164. Reading one with the library takes 40 µs, for each field of each call. */
const PLAIN = /^\+1[2-9]\d{9}$/;

/** Longer texts are sentences, in which `phonesIn` finds numbers. */
const MAX_PASTED = 5_000;
const MAX_TEXT = 20_000;
/** A number without a plus has more digits, also one with the prefix of calls abroad (011). */
const FEWEST_DIGITS = 7;
/** One number, with its extension and the words beside it. */
const MAX_ONE = 200;

/** A link as Slack and Markdown write it: `<tel:+1201…|201 555…>`, `[201 555…](tel:+1201…)`. */
const SLACK_LINK = /<tel:([^|<>]*)(?:\|([^<>]*))?>/gi;
const MARKDOWN_LINK = /\[([^[\]]*)\]\(tel:([^()]*)\)/gi;
/** Formatting, quotation marks and brackets around a number. */
const AROUND = /^[\s`*_~"'“”„‘’‚«»‹›<>[\]{}|,;:#]+|[\s`*_~"'“”„‘’‚«»‹›<>[\]{}|,;.:]+$/g;
/** A bullet, or the number of a line before a whole US number, which has its own form. */
const BULLET = /^(?:[-–—•‣◦▪●·*>]\s*|\d{1,3}[.)]\s+(?=(?:\+|1?[\s.-]*\(?\d{3}\)?[\s.-]*\d{3}[\s.-]*\d{4}$)))/;
/** Words that people write beside a number. */
const LABEL = '(?:tel(?:ephone)?|phone|mobile|mob|cell|home|work|office|main|direct|number|sms|line)';
const LABELLED = new RegExp(`^${LABEL}\\s*(?:no\\.?|number)?\\s*[:.#]?\\s*|\\s*\\(?${LABEL}\\)?$`, 'gi');
/** The separators of a list of numbers. */
const BETWEEN = /\s*(?:[\n\t,;|]|\band\b|&)\s*/i;

/** The numbers of a text that has nothing else in it, in E.164; undefined if it has anything else. */
export function readPhones(text: string): string[] | undefined {
  if (PLAIN.test(text)) return [text];
  if (text.length > MAX_PASTED) return undefined;
  const linked = withoutLinks(plainForm(text));
  if (linked === undefined) return undefined;
  const found: string[] = [];
  for (const piece of linked.split(BETWEEN)) {
    const bare = undecorated(piece);
    if (bare === '') continue;
    const number = oneIn(bare);
    const numbers = number !== undefined && isPossiblePhone(number) ? [number] : manyIn(bare);
    if (numbers === undefined && number === undefined) return undefined;
    found.push(...(numbers ?? [number ?? bare]));
  }
  return found.length === 0 ? undefined : found;
}

/**
 * The number in E.164, from any way to write one number; the text itself if it has none, several, or more than a
 * number.
 */
export function toE164(text: string): string {
  const [number, ...more] = readPhones(text) ?? [];
  return number !== undefined && more.length === 0 ? number : text;
}

/** True if numbers of the country can have as many digits as this E.164 number has. */
export function isPossiblePhone(text: string): boolean {
  if (PLAIN.test(text)) return true;
  if (!/^\+\d{5,15}$/.test(text)) return false;
  const found = parsePhoneNumberFromString(text);
  return found !== undefined && !found.ext && found.isPossible();
}

/** The distinct phone numbers in a sentence, in order. Digits of web addresses are none. */
export function phonesIn(text: string): string[] {
  // The library reads a comma or a semicolon between two numbers as a pause before an extension.
  const plain = plainForm(text.slice(0, MAX_TEXT))
    .replace(/\S*:\/\/\S*/g, ' ')
    .replace(/[,;]+(?=\s*[+(\d])/g, ' and ')
    // The last digits of "551 555 0042" are no prefix of calls abroad.
    .replace(/(?<![\d+]|\d[\s.)-]{1,2})00[\s.-]?(?=[1-9](?:[\s.-]?\d){6})/g, '+');
  // Most sentences name last digits only, and the library takes longer to say so.
  if (!/[+＋]/u.test(plain) && (plain.match(/\p{Nd}/gu)?.length ?? 0) < FEWEST_DIGITS) return [];
  return [...new Set(findPhoneNumbersInText(plain, 'US').map(({ number }) => String(number.number)))];
}

/** The reason why a text is not one phone number, after the name of its field. */
export function phoneProblem(text: string): string {
  const plain = plainForm(text);
  if (/^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i.test(plain))
    return 'is shortened as spreadsheets do with long numbers, and its last digits are lost: format the column as text and enter the whole number';
  const numbers = readPhones(plain);
  if (numbers !== undefined && numbers.length > 1 && numbers.every(isPossiblePhone))
    return `has ${numbers.length} numbers where one belongs: give one`;
  if (plain.length <= MAX_ONE && parsePhoneNumberFromString(undecorated(plain), 'US')?.ext)
    return 'has an extension, which a line does not have: leave the extension out';
  return 'not a phone number: write it with + and country code, for example +12015550101';
}

/** A text with links as what was typed; undefined if the text of a link is another number than its target. */
function withoutLinks(text: string): string | undefined {
  let isOne = true;
  const typed = (target: string, label: string | undefined) => {
    const [to, shown] = [target, label ?? target].map((one) => oneIn(undecorated(one)));
    if (shown !== undefined && to !== undefined && shown !== to) isOne = false;
    return shown ?? to ?? label ?? target;
  };
  const plain = text
    .replace(SLACK_LINK, (_all, target: string, label: string | undefined) => typed(target, label))
    .replace(MARKDOWN_LINK, (_all, label: string, target: string) => typed(target, label));
  return isOne ? plain : undefined;
}

function undecorated(text: string): string {
  let bare = text;
  for (;;) {
    const next = bare
      .replace(AROUND, '')
      .replace(/^tel:/i, '')
      .replace(BULLET, '')
      .replace(LABELLED, '')
      .replace(/^\(([^()]*)\)$/, '$1');
    if (next === bare) return plainForm(bare);
    bare = next;
  }
}

/** The number that a text is. It may have spaces, brackets, dots and dashes. */
function oneIn(bare: string): string | undefined {
  if (!/^\+?[\d\s().\-/·‧]+$/.test(bare)) return undefined;
  const found = parsePhoneNumberFromString(bare.replace(/^00[\s.-]*(?=[1-9])/, '+').replace(/[·‧]/g, '.'), 'US');
  return found && !found.ext ? found.number : undefined;
}

/** The numbers of a text with nothing but spaces and slashes between them. */
function manyIn(bare: string): string[] | undefined {
  if (!/^[\d\s().\-/+]+$/.test(bare)) return undefined;
  const found = findPhoneNumbersInText(bare, 'US');
  const rest = found.map(({ startsAt }, at) => bare.slice(found[at - 1]?.endsAt ?? 0, startsAt)).join('');
  if (found.length < 2 || /\d/.test(rest + bare.slice(found.at(-1)?.endsAt))) return undefined;
  return found.map(({ number }) => String(number.number));
}

/* The serial number of a SIM or eSIM profile (ICCID). */

const SERIAL = /^\d{18,21}[\dF]?$/i;

/** A serial without the spaces, dots and dashes between its groups. A trailing F stays: it is the platform's padding. */
export function readIccid(text: string): string {
  return plainForm(text).replace(/(?<=\d)[\s.-]+(?=[\dF])/gi, '');
}

/** True for a text of 18 to 22 digits. */
export function isIccid(text: string): boolean {
  return SERIAL.test(readIccid(text));
}

/** A remark about a serial that may be mistyped, after the serial; undefined if nothing speaks for that. */
export function iccidRemark(serial: string): string | undefined {
  const digits = serial.replace(/f$/i, '');
  if (!digits.startsWith('89'))
    return 'may be mistyped: it does not begin with 89, as serials of SIMs do. Compare it with the card.';
  // The sum by which the last digit checks the others (ISO/IEC 7812).
  const weighted = [...digits].reverse().map((digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 2));
  const sum = weighted.reduce((all, one) => all + (one > 9 ? one - 9 : one), 0);
  // A serial of 18 digits leaves the check digit out.
  if (digits.length < 19 || sum % 10 === 0) return undefined;
  return 'may be mistyped: its last digit does not fit the others. Compare it with the card.';
}

/*
 * Values of an answer that need no mark, because they cannot be a sentence. All other texts of an answer may have been
 * written outside, even if they are not declared so, because answers are loose and the platform may add members.
 */

/** Words and phrases of the platform's own enumerations and states (PLATFORM.md, Number states), lower case. */
const PLAIN_TEXTS: ReadonlySet<string> = new Set([
  ...[
    'iot voip mvno mobile landline wireline wireless tollfree toll-free toll_free unknown',
    'sms mms sms-only sms+data sms+data+voice data-only voice data p2p a2p esim psim sip',
    'true false yes no on off all none null enabled disabled',
    // The value of `activation` where the gate withholds an eSIM's code.
    WITHHELD,
    'get post put json xml basic bearer token udp tcp tls trunk url forward',
    'active inactive parked cancelled canceled suspended deleted reserved available assigned',
    'submitted scheduled completed complete rejected failed success pending processing queued sent delivered undelivered',
    'received accepted expired declined unknown running done partly confirmed in_flight busy idle throttled limited blocked normal updated',
    'simultaneous round-robin ivr user workgroup',
    'inbound outbound inbound-sms outbound-sms mrc nrc monthly usage',
    'child adolescent teenager monitor_only whitelist blacklist high medium low subscriber manager',
    'portin portout provision cancel reactivate update swap swap-sim replace park activate set',
    'order_update new_sms call_completed call_on_hold call_recording call_in_progress call_ringing',
  ].flatMap((line) => line.split(' ')),
  ...['cancelled - pending delete', 'pending carrier approval', 'account admin', 'another number', 'in progress'],
  ...['no limit', 'not throttled'],
]);

const SHAPES: readonly RegExp[] = [
  // Numbers, amounts and volumes.
  /^[+-]?\$?\d{1,15}(?:[.,]\d{1,9}){0,5} ?(?:[KMGT]?B|[KMG]bps|USD|%)?$/i,
  /^\d{1,4}-[kmg]bps$/i,
  // Phone numbers.
  /^\+?[\d() .-]{3,24}$/,
  // Moments: ISO 8601, MM/DD/YYYY with or without a time.
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?Z|[+-]\d{2}:?\d{2})?)?$/,
  /^\d{1,2}\/\d{1,2}\/\d{4}(?:,? \d{1,2}:\d{2}(?::\d{2})?(?: ?[AP]M)?)?$/i,
  // Ids: a prefix and a UUID or digits; a bare UUID; a SIM's serial; an IP address with a port.
  /^(?:[A-Z]{1,7}-|act_)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  /^[A-Z]{2,7}-[0-9a-f-]{4,40}$/,
  /^DID-[A-Za-z0-9]{1,40}$/,
  /^\d{18,21}F?$/i,
  /^\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?$/,
  // Country, state and currency codes.
  /^[A-Z]{2,3}$/,
];

/** Maximum length of a value of these shapes. */
const LONGEST = 64;

/** True for a value that cannot be an instruction: a number, a moment, an id, a word of the platform's enumerations. */
export function isPlainValue(text: string): boolean {
  if (text.length > LONGEST) return false;
  const lower = text.toLowerCase();
  return text === '' || PLAIN_TEXTS.has(lower) || SHAPES.some((shape) => shape.test(text));
}

/** A value of an answer inside a sentence: a quote, unless it cannot be an instruction. */
export function quoted(value: unknown): string | Quote {
  const text = String(value);
  return isPlainValue(text) ? text : quote(text);
}

/** An address is shown as it is used: it has no white space and no quotation marks that could end it. */
const ADDRESS = /^(https|http|wss):\/\/[^\s“”"<>]+$/;

/** A text inside a sentence of Switchboard: in quotation marks that it cannot close, unless it cannot be a sentence. */
export function setApart(text: string, most?: number): string {
  return isPlainValue(text) || ADDRESS.test(text) ? text : inQuotes(text, most);
}
