/*
 * Texts from outside may contain characters that move a terminal's cursor, rewrite its title, change the reading
 * direction or are invisible. In what the platform and strangers write they are shown as their code, so that a reader
 * notices them. From what callers type or paste they are removed.
 */

/**
 * Control characters except line breaks and tabs (C0, DEL, C1), line separators, marks that change the reading
 * direction, and characters without width: soft hyphen, fillers, zero-width space, word joiner, byte order mark,
 * variation selectors, tags. The flags of England, Scotland and Wales, which are spelled with tags, match as a whole.
 */
const UNSEEN =
  /\u{1f3f4}[\u{e0061}-\u{e007a}]{5}\u{e007f}|(?![\n\t])(?:\u034f|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\p{Cc}\p{Cs}\u00ad\u061c\u115f\u1160\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffc\u{e0000}-\u{e0fff}])/gu;

/** Characters that join emoji into one, and letters of scripts that need it. They are kept between such characters. */
const JOINERS = new Set(['\u200c', '\u200d']);
const JOINED_AFTER = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|(?!\p{Script=Latin})[\p{L}\p{M}])$/u;
const JOINED_BEFORE = /^(?:\p{Extended_Pictographic}|(?!\p{Script=Latin})[\p{L}\p{M}])/u;

/** Characters that a variation selector changes: pictures, keys (`1️⃣`), and letters of scripts that have variants. */
const VARIED = /(?:\p{Extended_Pictographic}|[\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}])$/u;
const KEY = /^[\d#*]\ufe0f\u20e3/;

/** UTF-16 units that are checked on each side of a character: one character. */
const NEIGHBOUR = 2;

/**
 * A text that is safe to show on a terminal and in Slack: characters that are invisible, move the cursor or change the
 * reading direction are written as `[U+202E]`. Line breaks, tabs, and what belongs to an emoji or to a letter stay.
 */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character, at: number) => (belongs(text, character, at) ? character : named(character)));
}

/** Most texts have only these characters. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
/** Line breaks of word processors and spreadsheets. */
const BREAKS = /[\v\f\u0085\u2028\u2029]/g;
/** Characters that look like a space. */
const SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000\u2800]/g;

/**
 * A text that a caller typed or pasted, without invisible characters. Spaces of any kind become plain
 * spaces, and a hyphen that does not break becomes a plain hyphen. An emoji of several characters stays one, and so do
 * letters of scripts that are written with joiners.
 */
export function cleanText(text: string): string {
  if (PLAIN.test(text)) return text;
  const plain = text
    .replace(BREAKS, '\n')
    .replace(SPACES, ' ')
    .replace(/[\u2010\u2011]/g, '-');
  return plain.replace(UNSEEN, (character, at: number) =>
    character === '\r' || belongs(plain, character, at) ? character : '',
  );
}

/** Letters of scripts that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** True if a part of a text is written from right to left, so that a reader sees what is around it in another order. */
export function hasRightToLeft(text: string): boolean {
  return !PLAIN.test(text) && RIGHT_TO_LEFT.test(text);
}

/** True if a text has invisible characters, so that `cleanText` removes some. */
export function hasUnseen(text: string): boolean {
  return !PLAIN.test(text) && cleanText(text).length !== text.length;
}

/**
 * A number, an id or a date as a keyboard types it: without invisible characters, with plain digits, dashes
 * and brackets in place of full-width and Arabic ones.
 */
export function plainForm(text: string): string {
  if (PLAIN.test(text)) return text.trim();
  return cleanText(text)
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u2012-\u2015\u2212\ufe58\ufe63]/g, '-')
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .trim();
}

/**
 * The form in which names are compared and kept for search: in lower case, and with composed letters (NFC), because some
 * systems paste a letter and its accent as two characters. What is sent stays as it was typed.
 */
export function searchForm(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A quotation, the value of `Field=value`, and digits that are no plain ones. */
const OTHER_DIGITS = /["“„][^"“”„]*["”“]|(?<==)\S+|((?![0-9])\p{Nd})/gu;

/**
 * A line or a sentence with plain digits in place of full-width and Arabic ones. A quotation and the value of a field stay
 * as they are, because they may be a text to send.
 */
export function withPlainDigits(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(OTHER_DIGITS, (part, digit?: string) => (digit === undefined ? part : digitOf(digit)));
}

/** The digits of a script follow each other, from its zero. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value);
}

/** True if an invisible character is part of the emoji or of the letter beside it. */
function belongs(text: string, character: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - NEIGHBOUR), at);
  if (JOINERS.has(character))
    return JOINED_AFTER.test(before) && JOINED_BEFORE.test(text.slice(at + 1, at + 1 + NEIGHBOUR));
  if (/[\ufe00-\ufe0f]/.test(character)) return VARIED.test(before) || KEY.test(text.slice(at - 1, at + 2));
  return character.startsWith('\u{1f3f4}');
}

/**
 * A value as JSON that is safe to show on a terminal: characters that are invisible, move the cursor or change the
 * reading direction are written as JSON escapes, so that parsing gives the same value. `indent`: spaces per level, 0
 * for one line.
 */
export function jsonText(value: unknown, indent = 0): string {
  return escapeJson(JSON.stringify(value, null, indent) ?? 'null');
}

/** Like `jsonText`, for a text that is JSON already. */
export function escapeJson(json: string): string {
  // A tab or a line break inside a JSON string is escaped already; outside they are layout.
  return json.replace(UNSEEN, escaped);
}

/** `[U+202E]`, which neither a terminal nor Slack nor a page reads as markup. */
function named(character: string): string {
  return `[U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
}

/** There are a few hundred such characters, so each escape is computed once. */
const escapes = new Map<string, string>();

function escaped(character: string): string {
  const known = escapes.get(character);
  if (known !== undefined) return known;
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const made = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  escapes.set(character, made);
  return made;
}

/** Removes this character from the end of a text, however often it is repeated. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end -= 1;
  return text.slice(0, end);
}

/** The text with a full stop, unless it ends with a punctuation mark already. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** The text in one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** One line without control characters and direction marks, shortened to `most` characters. */
export function plainLine(text: string, most: number): string {
  const line = text.replace(/[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\s]+/gu, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

/** A name as people and companies have it, which cannot be read as a sentence of Switchboard. */
const NAME = /^(?!.*\p{L}{4}[.!?]\s)[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’&()/+@-]*$/u;
/** Longer names are in quotation marks. None is shortened where somebody decides by it. */
const MOST_NAME = 60;

/** The name of a record beside others ("Ava Stone · Acme Mobile"): in quotation marks if it could be a sentence. */
export function nameText(name: string): string {
  return name.length <= MOST_NAME && NAME.test(name) ? name : inQuotes(name);
}

/**
 * A text of others in quotation marks. Such marks inside it become plain ones, so that it cannot close its quotation.
 *
 * @param most characters of the text that are shown
 */
export function inQuotes(text: string, most = Number.POSITIVE_INFINITY): string {
  const shown = text.length > most ? `${text.slice(0, most)}…` : text;
  return `“${shown.replace(/[“”„‟″]/g, '"')}”`;
}
