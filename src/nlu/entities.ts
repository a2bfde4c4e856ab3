import * as chrono from 'chrono-node/en';
import { findPhoneNumbersInText } from 'libphonenumber-js/min';
import { fieldsOf } from '../catalogue/input.ts';
import type { Field, Tool } from '../catalogue/operation.ts';
import { DAY_MS } from '../lib/clock.ts';
import { momentsOf, zoneOffset } from '../platform/dialect/readings.ts';

/** One word, one sign, or one entity of a message. */
export interface Token {
  /** In lower case; `@phone` and the like for an entity. */
  word: string;
  /** As it was typed. */
  raw: string;
  /** Its position in the message; `to` is behind its last character. */
  from: number;
  to: number;
  kind?: EntityKind;
  value?: Entity['value'];
  /** True for a given name. */
  isName?: true;
  /** True for a word of any topic, such as "the" or "want". */
  isCommon?: true;
}

/** Words that are known beforehand, in lower case. */
export interface Vocabulary {
  /** Given names. */
  names: ReadonlySet<string>;
  /** Words that many operations are asked for with. */
  common: ReadonlySet<string>;
}

const WORD = /[\p{L}\p{M}\d'&]+(?:[.-][\p{L}\d]+)*|[?!:;,/()]/gu;

/** Cuts a message into tokens, in its order. */
export function tokensOf(message: string, moment: Moment, vocabulary: Vocabulary): Token[] {
  const entities = entitiesIn(message, moment);
  // A typographic apostrophe is one character too, so that places stay the same.
  const text = message.replaceAll('’', "'");
  const tokens: Token[] = [];
  let at = 0;
  for (const entity of [...entities, undefined]) {
    for (const { 0: all, index } of text.slice(at, entity?.from).matchAll(WORD)) {
      const word = all.replace(/'s$/i, '').replace(/^'+|'+$/g, '');
      const start = at + index + Math.max(0, all.indexOf(word));
      if (word !== '') tokens.push(wordToken(word, start, vocabulary));
      if (/'s$/i.test(all))
        tokens.push({ word: "'s", raw: "'s", from: at + index + all.length - 2, to: at + index + all.length });
    }
    if (!entity) break;
    const { kind, from, to, value } = entity;
    at = to;
    // The prefix of an id says which kind of record it is.
    const name = kind === 'id' ? String(value).split('-')[0]?.toLowerCase() : kind;
    tokens.push({ word: `@${name}`, raw: message.slice(from, to), from, to, kind, value });
  }
  return tokens;
}

function wordToken(raw: string, from: number, { names, common }: Vocabulary): Token {
  const word = raw.toLowerCase();
  const token: Token = { word, raw, from, to: from + raw.length };
  if (names.has(word)) token.isName = true;
  else if (common.has(word)) token.isCommon = true;
  return token;
}

/*
 * Entities: the typed values of a message, such as numbers, days, amounts and quoted texts. Each is a span of the text with
 * a kind, and a value as operations take it. Libraries find phone numbers and days; the rest has a fixed form.
 */

/**
 * Numbers: a whole phone number as E.164, the last four digits of a line (`0103`), the serial of a SIM, three digits that
 * may be an area code, four or more of another kind or a code with them, and a count.
 */
type NumberKind = 'phone' | 'line' | 'iccid' | 'ip' | 'zip' | 'area' | 'digits' | 'count';
/**
 * Quantities and others: an amount of money, of data in MB, a speed as operations name it (`128-kbps`), a day or a moment,
 * a day that does not exist, a text in quotation marks, an id of the platform (`TSUID-…`).
 */
type OtherKind = 'money' | 'volume' | 'speed' | 'day' | 'no_day' | 'text' | 'id' | 'url' | 'email';
export type EntityKind = NumberKind | OtherKind;

/** A moment as it was written. */
export interface Day {
  /** The calendar day in the writer's zone: `2026-11-23`. */
  iso: string;
  /** The moment (ISO 8601) if an hour was written, otherwise the day. */
  moment: string;
  /** The same day or moment before now: "monday" is the last one where a list looks back. */
  past: Omit<Day, 'past'>;
}

export interface Entity {
  kind: EntityKind;
  /** Its position in the text; `to` is behind its last character. */
  from: number;
  to: number;
  value: string | number | Day;
}

/** The writer's present. Days are read from it. */
export interface Moment {
  /** Milliseconds since the epoch. */
  now: number;
  /** The writer's time zone; UTC if left out. */
  zone?: string;
}

type Reading = readonly [kind: EntityKind, find: RegExp, value: (match: RegExpMatchArray) => string | number];

const UNITS: Readonly<Record<string, number>> = { t: 1024 * 1024, g: 1024, m: 1 };
const MINUTE_MS = 60_000;
const QUOTED =
  /"([^"]+)"|[“„]([^“”„]+)[”“]|«([^»]+)»|(?<![\p{L}\d])‘([^’]+)’(?![\p{L}\d])|(?<![\p{L}\d])'([^']{3,})'(?![\p{L}\d])/gu;
const ID = /\b(?:[A-Z]{2,7}-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|TMID-[\w-]{4,})\b/gi;
/** Numbers that the library leaves out in some spellings, such as those of the range for examples (555-01xx). */
const PHONE_LIKE = /(?<![\p{L}\d.$-])\+?(?:1[\s./-]*)?\(?[2-9]\d\d\)?[\s./-]*\d{3}[\s./-]*\d{4}(?!\d)/gu;
/** Words that chrono takes for a day, and people mostly use for something else. */
const NO_DAY = /^(?:now|(?:at )?\d{1,4}|may|sat|sun|mar|second|this second|this minute|in)$/i;

/** Kinds with a fixed form, the most telling first: no later kind takes characters of an earlier one. */
const BEFORE_PHONES: readonly Reading[] = [
  ['text', QUOTED, ([, ...texts]) => texts.find((text) => text !== undefined) ?? ''],
  ['url', /\bhttps?:\/\/[^\s,;)]+/gi, ([all]) => all.replace(/[.?!]+$/, '')],
  ['email', /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, ([all]) => all],
  ['id', ID, ([all]) => all.replace(/^\w+?(?=-)/, (prefix) => prefix.toUpperCase())],
  ['iccid', /\b89\d(?:[ -]?\d){14,17}\b/g, ([all]) => all.replace(/\D/g, '')],
  ['ip', /\b\d{1,3}(?:\.\d{1,3}){3}(?:\/\d\d?)?\b/g, ([all]) => all],
];
const BEFORE_DAYS: readonly Reading[] = [
  [
    'money',
    /(?:\$|usd\s*)(\d+(?:[.,]\d+)?)|(\d+(?:[.,]\d+)?)\s*(?:dollars?|bucks|usd|\$)/gi,
    ([, before, behind]) => amount(before ?? behind),
  ],
  [
    'speed',
    /(\d+)\s*-?\s*([km])(?:bps|bit\/s|bits?)\b/gi,
    ([, number, unit = '']) => `${number}-${unit.toLowerCase()}bps`,
  ],
  [
    'volume',
    /(\d+(?:[.,]\d+)?)\s*(?:([tgm])b|(g)|(g)igs?|(g)igabytes?|(m)egs?|(m)egabytes?)\b/gi,
    ([, number, ...units]) => Math.round(amount(number) * (UNITS[units.find(Boolean)?.toLowerCase() ?? ''] ?? 1)),
  ],
  ['zip', /(?<=\bzip(?: ?code)?(?: is| to| should be|:)? )\d{5}\b|(?<=\b[A-Z]{2},? )\d{5}\b/g, ([all]) => all],
  ['line', /(?<![\p{L}\d.,$-])0\d{3}(?!\d|[./-]\d)/gu, ([all]) => all],
];
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
/** What has the form of a day. The library leaves out those that do not exist. */
const DAY_LIKE = new RegExp(
  `(?<![\\p{L}\\d.-])(?:\\d\\d?([./])\\d\\d?\\1\\d{4}|\\d{4}-\\d\\d?-\\d\\d?|\\d\\d?(?:st|nd|rd|th)? (?:of )?${MONTH}|${MONTH} \\d\\d?(?:st|nd|rd|th)?)(?![\\p{L}\\d])`,
  'giu',
);
const BEHIND_DAYS: readonly Reading[] = [
  ['no_day', DAY_LIKE, ([all]) => all],
  ['area', /(?<![\p{L}\d.$-])[2-9]\d\d(?![\p{L}\d]|\.\d|\s*(?:texts|lines|numbers)\b)/gu, ([all]) => all],
  ['digits', /(?<![\p{L}\d.])[A-Z]{0,3}-?\d{4,}(?![\p{L}\d])/giu, ([all]) => all],
  ['count', /(?<![\p{L}\d.-])\d+(?:\.\d+)?(?![\p{L}\d])/gu, ([all]) => Number(all)],
];

/** The entities of a text, in its order. No two of them overlap. */
export function entitiesIn(text: string, moment: Moment): Entity[] {
  const found: Entity[] = [];
  const add = (entities: Iterable<Entity>) => {
    for (const one of entities) if (!found.some(({ from, to }) => from < one.to && one.from < to)) found.push(one);
  };
  const addForms = (forms: readonly Reading[]) => {
    for (const [kind, find, value] of forms)
      for (const match of text.matchAll(find))
        add([{ kind, from: match.index, to: match.index + match[0].length, value: value(match) }]);
  };
  addForms(BEFORE_PHONES);
  add(phonesIn(text));
  addForms(BEFORE_DAYS);
  // “0106 12/31/2026” is a line and a day, and not a time before the day.
  let free = text;
  for (const { kind, from, to } of found)
    if (kind === 'line' || kind === 'phone' || kind === 'iccid')
      free = free.slice(0, from) + '#'.repeat(to - from) + free.slice(to);
  add(daysIn(free, moment));
  addForms(BEHIND_DAYS);
  return found.sort((one, other) => one.from - other.from);
}

function* phonesIn(text: string): Iterable<Entity> {
  // Two numbers behind each other are found as one with an extension.
  for (const { startsAt, endsAt, number } of findPhoneNumbersInText(text, 'US'))
    if (number.ext === undefined) yield { kind: 'phone', from: startsAt, to: endsAt, value: number.number };
  for (const { index, 0: all } of text.matchAll(PHONE_LIKE))
    yield { kind: 'phone', from: index, to: index + all.length, value: `+1${all.replace(/\D/g, '').slice(-10)}` };
}

function* daysIn(text: string, { now, zone = 'UTC' }: Moment): Iterable<Entity> {
  const reference = { instant: new Date(now), timezone: zoneOffset(now, zone) / MINUTE_MS };
  for (const { index, text: said, start } of chrono.parse(text, reference, { forwardDate: true })) {
    const isInside = ({ index: from, 0: all }: RegExpExecArray) => from <= index && index <= from + all.length;
    // "December 45" is read as the month of a year, and names a day that does not exist.
    const isNone = !start.isCertain('day') && [...text.matchAll(DAY_LIKE)].some(isInside);
    if (isNone || NO_DAY.test(said.trim())) continue;
    const at = start.date().getTime();
    // The library takes the zone's offset of now, which may not be that of the day.
    const wall = at + zoneOffset(start.isCertain('timezoneOffset') ? at : now, zone);
    const dayAt = (local: number) => {
      const iso = new Date(local).toISOString().slice(0, 10);
      const moment = new Date(Math.min(...momentsOf(local, zone))).toISOString();
      return { iso, moment: start.isCertain('hour') ? moment : iso };
    };
    const isTimeAlone = !(['month', 'weekday', 'day'] as const).some((part) => start.isCertain(part));
    const days = at <= now ? 0 : at - now > WEEK_DAYS * DAY_MS ? YEAR_DAYS : isTimeAlone ? 1 : WEEK_DAYS;
    const past = dayAt(wall - days * DAY_MS);
    yield { kind: 'day', from: index, to: index + said.length, value: { ...dayAt(wall), past } };
  }
}

function amount(text: string | undefined): number {
  return Number((text ?? '').replace(/,(?=\d{3}\b)/g, '').replace(',', '.'));
}

/* The entities that a field of the catalogue takes, and its value. */

/** The slot of what the search of lines and customers looks for. It is a field of no operation but `numbers_find`. */
export const QUERY = 'Query';
/** The slot of a token that fills no field. */
export const OUTSIDE = 'O';
/** The value of a choice that a message leaves open. */
export const OPEN = '-';
/** Entities that name a line, a customer or another record. */
export const NAMES_A_RECORD: readonly EntityKind[] = ['phone', 'line', 'iccid', 'id', 'email', 'digits', 'text'];

/** The entities that a kind of field takes. A kind that is missing takes words and any entity, and an id may be a name. */
const TAKEN: Partial<Record<Field['kind'], readonly EntityKind[]>> = {
  phone: ['phone', 'line'],
  iccid: ['iccid', 'digits'],
  id: ['id', 'phone', 'line', 'text', 'email', 'digits', 'url'],
  date: ['day'],
  'us-date': ['day'],
  since: ['day'],
  url: ['url'],
  email: ['email'],
  number: ['count', 'volume', 'money', 'area', 'digits'],
  boolean: [],
  choice: ['speed'],
  keywords: ['text'],
  choices: [],
  json: [],
  multiline: ['text'],
};
/** Days that a list looks back to. */
const LOOKS_BACK = /^(?:Bought|Since|Until)/;
const WEEK_DAYS = 7;
const YEAR_DAYS = 365;

/** The fields of an operation that words may fill, by slot. A member of a group is the slot `Group.Member`. */
export function slotsOf(tool: Tool): Map<string, Field> {
  const slots = new Map<string, Field>();
  for (const field of fieldsOf(tool)) {
    if (field.secret || field.attachment) continue;
    if (field.kind !== 'group') slots.set(field.name, field);
    else for (const member of field.fields ?? []) slots.set(`${field.name}.${member.name}`, member);
  }
  return slots;
}

/** True for a field that holds several values. */
export function isList({ kind }: Pick<Field, 'kind'>): boolean {
  return kind === 'list' || kind === 'rows';
}

/** True for a field that takes one of a few values. */
export function isChoice({ kind, known }: Field): boolean {
  return kind === 'boolean' || kind === 'choice' || kind === 'choices' || known !== undefined;
}

/** The field of one value: an entry of a list, or the field itself. */
export function entryOf(field: Field): Field {
  return field.items ?? (field.kind === 'rows' ? field.fields?.[0] : undefined) ?? field;
}

/** True if a slot may hold a token. `field` is undefined for what the search looks for. */
export function takes(field: Field | undefined, token: Token): boolean {
  if (token.kind === 'no_day') return false;
  if (!field || field.name === QUERY) return !token.kind || NAMES_A_RECORD.includes(token.kind);
  const { kind } = entryOf(field);
  // A list of numbers may name its lines by their holders.
  if (!token.kind) return kind === 'id' || !(kind in TAKEN) || (kind === 'phone' && field.kind === 'rows');
  return TAKEN[kind]?.includes(token.kind) ?? true;
}

/** The value of an entity, or of a word, in a field. */
export function fieldValue(field: Field | undefined, { kind, value, raw }: Token): unknown {
  if (kind === undefined || value === undefined) return raw;
  const taken = field ? entryOf(field).kind : 'text';
  if (typeof value !== 'object') return taken === 'number' ? Number(value) : taken === 'text' ? String(value) : value;
  const day = field && (taken === 'since' || LOOKS_BACK.test(field.name)) ? value.past : value;
  if (taken === 'us-date') return `${day.iso.slice(5, 7)}/${day.iso.slice(8)}/${day.iso.slice(0, 4)}`;
  return taken === 'date' ? day.iso : taken === 'since' || field?.name === 'Until' ? day.moment : raw;
}
