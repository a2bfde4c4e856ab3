import { findPhoneNumbersInText, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { plainForm } from '../../lib/text.ts';

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

/** False for a text without a number. Most sentences name last digits only, and the library takes longer to say so. */
function mayHavePhone(text: string): boolean {
  return /[+＋]/u.test(text) || (text.match(/\p{Nd}/gu)?.length ?? 0) >= FEWEST_DIGITS;
}

/** The distinct phone numbers in a sentence, in order. Digits of web addresses are none. */
export function phonesIn(text: string): string[] {
  // The library reads a comma or a semicolon between two numbers as a pause before an extension.
  const plain = plainForm(text.slice(0, MAX_TEXT))
    .replace(/\S*:\/\/\S*/g, ' ')
    .replace(/[,;]+(?=\s*[+(\d])/g, ' and ')
    // The last digits of "551 555 0042" are no prefix of calls abroad.
    .replace(/(?<![\d+]|\d[\s.)-]{1,2})00[\s.-]?(?=[1-9](?:[\s.-]?\d){6})/g, '+');
  if (!mayHavePhone(plain)) return [];
  const found = findPhoneNumbersInText(plain, 'US').map(({ number }) => String(number.number));
  return [...new Set(found)];
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
  return 'not a phone number: use E.164, + and country code, for example +12015550101';
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
  if (found.length < 2) return undefined;
  let rest = '';
  let at = 0;
  for (const { startsAt, endsAt } of found) {
    rest += bare.slice(at, startsAt);
    at = endsAt;
  }
  return /\d/.test(rest + bare.slice(at)) ? undefined : found.map(({ number }) => String(number.number));
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
  // A serial of 18 digits leaves the check digit out.
  if (digits.length < 19 || luhnSum(digits) % 10 === 0) return undefined;
  return 'may be mistyped: its last digit does not fit the others. Compare it with the card.';
}

/** The sum by which the last digit checks the others (ISO/IEC 7812). */
function luhnSum(digits: string): number {
  return [...digits].reverse().reduce((sum, digit, at) => {
    const weighted = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return sum + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
}
