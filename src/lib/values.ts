/** Members by name, of any type: an input, an answer, the fields of a log line. */
export type Fields = Record<string, unknown>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined members, as `exactOptionalPropertyTypes` wants them. */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** A text or a number of a JSON text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
const LONG_INTEGER = /^-?\d{16,}$/;

/**
 * JSON.parse that returns an integer of more than 2^53 as a text of its digits, because a number would lose some of them:
 * an ICCID has 19 or 20.
 */
export function parseExact(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  // A text that is no JSON throws here, so the pattern sees complete tokens only.
  const value: unknown = JSON.parse(text, reviver);
  if (!/\d{16}/.test(text)) return value;
  const exact = text.replace(TOKEN, (token) =>
    LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return exact === text ? value : JSON.parse(exact, reviver);
}

/** The JSON object in a text; undefined if the text is anything else. */
export function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Maximum depth: more levels than any call or response of this product has. */
export const MAX_JSON_DEPTH = 64;

/**
 * True if a JSON text nests deeper than `most` levels. It is checked before parsing, because recursive code would run
 * out of stack on a deep value.
 */
export function tooDeep(text: string, most = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}

/** The value if it is an object, otherwise an empty object. */
export function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The records of a list; none of any other value. */
export function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Records by the text of a member. Different records with the same text are left out: it is not known which one counts. */
export function recordsBy(member: string, records: readonly Fields[]): Map<string, Fields> {
  const found = new Map<string, Fields>();
  const unclear = new Set<string>();
  for (const record of records) {
    const key = textOf(record[member]);
    const other = found.get(key);
    if (other !== undefined && JSON.stringify(other) !== JSON.stringify(record)) unclear.add(key);
    found.set(key, record);
  }
  for (const key of unclear) found.delete(key);
  return found;
}

/** A string, a number or a boolean as text, otherwise an empty string. `String` throws for some objects of JSON. */
export function scalarText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** The value if it is a string, otherwise an empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/* Looks through a JSON value of any shape. Every search in a value is a filter over its parts. */

/** A value inside another one, or the outermost value itself. */
export interface Part {
  value: unknown;
  /** The name of its member, or its index in a list; '' for the outermost value. */
  key: string | number;
  /** The name of its member; for an entry of a list, that of the list. */
  name: string;
  /** The list or record that holds it; undefined for the outermost value. */
  around: Part | undefined;
  /** The number of lists and records around it. */
  depth: number;
}

/** Deeper than any JSON that is read (`MAX_JSON_DEPTH`): only an object that contains itself is. */
const MAX_DEPTH = 5_000;

const outermost = (value: unknown): Part => ({ value, key: '', name: '', around: undefined, depth: 0 });

/**
 * Every part of a value in order, each before those in it. It needs no stack, however deep the value is.
 *
 * @param into false for a part whose own parts are left out
 * @throws RangeError for an object that contains itself
 */
export function partsOf(value: unknown, into?: (part: Part) => boolean): Part[] {
  const found: Part[] = [];
  const open = [outermost(value)];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    found.push(part);
    const { value: inner, name } = part;
    if (typeof inner !== 'object' || inner === null || into?.(part) === false) continue;
    const depth = part.depth + 1;
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    if (Array.isArray(inner))
      for (let key = inner.length - 1; key >= 0; key -= 1)
        open.push({ value: inner[key], key, name, around: part, depth });
    else
      for (const [key, one] of Object.entries(inner).reverse())
        open.push({ value: one, key, name: key, around: part, depth });
  }
  return found;
}

/** The parts that hold no others: texts, numbers, flags and nulls. */
export function leaves(value: unknown, into?: (part: Part) => boolean): Part[] {
  return partsOf(value, into).filter((part) => typeof part.value !== 'object' || part.value === null);
}

/** The texts of a value. */
export function textsIn(value: unknown): (Part & { value: string })[] {
  return partsOf(value).filter((part): part is Part & { value: string } => typeof part.value === 'string');
}

/** The replacements in a copy, for the parts of a value. */
interface Changes {
  /** In place of a text, a number, a flag or null. */
  leaf?: (part: Part) => unknown;
  /** In place of a member's name; undefined leaves the member out. */
  member?: (part: Part) => string | undefined;
  /** Members that are added to a record. */
  added?: (record: Part) => Readonly<Record<string, unknown>> | undefined;
}

/** A copy of a value with other leaves and members. */
export function mapLeaves(value: unknown, changes: Changes): unknown {
  return mapPart(outermost(value), changes);
}

function mapPart(around: Part, changes: Changes): unknown {
  const { value, name } = around;
  const depth = around.depth + 1;
  if (typeof value !== 'object' || value === null) return changes.leaf ? changes.leaf(around) : value;
  if (Array.isArray(value))
    return value.map((one: unknown, key) => mapPart({ value: one, key, name, around, depth }, changes));
  const members: [string, unknown][] = [];
  for (const [key, one] of Object.entries(value)) {
    const part = { value: one, key, name: key, around, depth };
    const written = changes.member ? changes.member(part) : key;
    if (written !== undefined) members.push([written, mapPart(part, changes)]);
  }
  members.push(...Object.entries(changes.added?.(around) ?? {}));
  // Without assignments, because assigning a member called __proto__ would set the prototype.
  return Object.fromEntries(members);
}

/** The innermost record around a part; undefined if it is in no record. */
export function recordAround({ around }: Part): Fields | undefined {
  let at = around;
  while (Array.isArray(at?.value)) at = at.around;
  return at?.value as Fields | undefined;
}

/** The path of a part: `Numbers.0.ICCID`. `isNamed`: without the indexes of lists. */
export function pathOf(part: Part, isNamed = false): string {
  const keys: (string | number)[] = [];
  for (let at: Part | undefined = part; at?.around !== undefined; at = at.around)
    if (!isNamed || typeof at.key === 'string') keys.unshift(at.key);
  return keys.join('.');
}

/*
 * Long lists are compared by reading each once, because comparing each of ten thousand members with each takes seconds.
 */

/** The members of a list that another one lacks. */
export function missingFrom<T>(list: readonly T[], other: readonly T[]): T[] {
  const present = new Set(other);
  return list.filter((one) => !present.has(one));
}

/** The members that a list shares with another one. */
export function sharedWith<T>(list: readonly T[], other: readonly T[]): T[] {
  const present = new Set(other);
  return list.filter((one) => present.has(one));
}

/** The member at a path such as "Number.Status"; undefined if there is none. */
export function memberAt(record: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => recordOf(inner)[name], record);
}

/** The members of a list by their key, in the order of the list. */
export function groupedBy<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one);
    groups.set(key, groups.get(key) ?? []);
    groups.get(key)?.push(one);
  }
  return groups;
}

/** A list, one entry, or nothing, as a list. */
export function listOf<T>(entries: T | readonly T[] | undefined): readonly T[] {
  if (entries === undefined) return [];
  return Array.isArray(entries) ? entries : [entries as T];
}

/** A map with at most `max` entries. Setting an entry makes it the newest; the oldest one is dropped beyond `max`. */
export class BoundedMap<K, V> extends Map<K, V> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.#max) {
      const [oldest] = this.keys();
      if (oldest !== undefined) this.delete(oldest);
    }
    return this;
  }
}

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

/** Letters of scripts that are written from right to left. A reader sees what is around them in another order. */
export const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

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

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

/** Removes this character from the end of a text, however often it is repeated. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === character) end -= 1;
  return text.slice(0, end);
}

/** A text that begins with a capital. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A label within a line: "digit order", but "ICCID". */
export function lowerFirst(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
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
/** Longer names are in quotation marks. None is shortened where a person decides by it. */
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

/*
 * Sentences that repeat text of the platform or of a person outside. Such text is kept apart as a quote, so that every
 * surface can mark it and no code has to find it again inside a sentence.
 */

/** Text that the platform or a person outside wrote. */
export interface Quote {
  readonly quote: string;
}

/** Switchboard's own text, with quotes between. */
export type Words = string | readonly (string | Quote)[];

const piecesOf = (words: Words): readonly (string | Quote)[] => (typeof words === 'string' ? [words] : words);

/** Marks a text as a quote. */
export function quote(text: string): Quote {
  return { quote: text };
}

/** A template for `Words`: strings become own text, and quotes stay quotes. */
export function words(texts: TemplateStringsArray, ...values: readonly (Words | Quote | number)[]): Words {
  const parts = texts.flatMap((text, at) => {
    const value = values[at];
    if (value === undefined) return [text];
    if (typeof value === 'number') return [text, String(value)];
    return [text, ...('quote' in Object(value) ? [value as Quote] : piecesOf(value as Words))];
  });
  return tidy(parts);
}

/** The words in one sequence, without the empty ones. */
export function joined(all: readonly (Words | undefined)[], separator = ' '): Words {
  const given = all.filter((one) => one !== undefined && piecesOf(one).some((part) => part !== '')) as Words[];
  return tidy(given.flatMap((one, at) => (at === 0 ? piecesOf(one) : [separator, ...piecesOf(one)])));
}

/** Neighbouring texts become one. Without a quote, the words are a string. */
function tidy(parts: readonly (string | Quote)[]): Words {
  const merged: (string | Quote)[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part;
    else if (part !== '') merged.push(part);
  }
  const [first = ''] = merged;
  return merged.length <= 1 && typeof first === 'string' ? first : merged;
}

/** The quotes in the words. */
export function quotesIn(all: Words): string[] {
  return piecesOf(all).flatMap((part) => (typeof part === 'string' ? [] : [part.quote]));
}

/**
 * The words as one text. Each quote is put in “ ”. Such marks inside a quote become plain ones, so that it cannot end
 * early.
 */
export function plainText(all: Words, own: (text: string) => string = (text) => text): string {
  return piecesOf(all)
    .map((part) => (typeof part === 'string' ? own(part) : `“${part.quote.replace(/[“”]/g, '"')}”`))
    .join('');
}

/** The words with every text, own or quoted, replaced. */
export function mapWords(all: Words, replace: (text: string) => string): Words {
  return tidy(piecesOf(all).map((part) => (typeof part === 'string' ? replace(part) : quote(replace(part.quote)))));
}

/** Switchboard's own text alone. */
export function withoutQuotes(all: Words): Words {
  return tidy(piecesOf(all).filter((part) => typeof part === 'string'));
}

/** The words with a full stop, unless they, or the quote at their end, end with a punctuation mark already. */
export function ended(all: Words): Words {
  return /[.!?…]”?$/.test(plainText(all)) ? all : words`${all}.`;
}

/* Addresses. They need no connection, so every command may read them. */

/** The reason for refusing a URL with a user name or password. */
export const NO_CREDENTIALS =
  'must not contain a user name or password (https://user:password@…), because they would appear in logs and on cards';

/** A URL, or undefined for a text that is none. `URL.canParse` of Node 20 refuses some URLs with é, ü or ñ. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** A user name or password of a URL. One that is not percent-encoded is used as written. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** True for `https://user:password@host`, and for a text that is not a valid URL if its host part contains `@`. */
export function hasCredentials(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return /^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*@/i.test(text);
  return url.username !== '' || url.password !== '';
}

/** The reason for refusing white space: programs drop it, so that the address differs from the one a reader sees. */
export const NO_SPACES = 'must not contain spaces, tabs or line breaks';

/** True if a text has white space or control characters in it. */
export function hasSpaces(text: string): boolean {
  return /[\s\p{Cc}]/u.test(text);
}

/**
 * A URL as programs use it, so that what a person reads is what is sent: the host in punycode and plain numbers,
 * slashes for backslashes, other characters percent-encoded. A text that is no URL, or has white space, is returned
 * unchanged.
 */
export function plainUrl(text: string): string {
  const href = hasSpaces(text) ? undefined : parseUrl(text)?.href;
  return href === undefined || href === `${text}/` ? text : href;
}

/** A host name or address, with or without a port or a prefix length, as a URL with this host is used. */
export function plainHost(text: string): string {
  const [, host = '', rest = ''] = /^([^/:]+)([/:]\d+)?$/.exec(text) ?? [];
  const url = host === '' || hasSpaces(text) ? undefined : parseUrl(`https://${host}`);
  return url === undefined ? text : `${url.hostname}${rest}`;
}

/** True if a text has ASCII characters only: other letters look like them. */
export function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** True if a host name or address is this computer's own. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|localhost|\[?::1\]?)$/.test(host);
}

/** A host name or address for a URL: an IPv6 address is put in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** True for an https URL, and for an http URL on loopback. */
export function isSafeUrl(value: string): boolean {
  const url = parseUrl(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}
