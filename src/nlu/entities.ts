import * as chrono from 'chrono-node/en';
import { findPhoneNumbersInText } from 'libphonenumber-js/min';
import { zoneOffset } from '../platform/dialect/dates.ts';

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
 * a text in quotation marks, an id of the platform (`TSUID-…`).
 */
type OtherKind = 'money' | 'volume' | 'speed' | 'day' | 'text' | 'id' | 'url' | 'email';
export type EntityKind = NumberKind | OtherKind;

/** A moment as it was written. */
export interface Day {
  /** The calendar day in the writer's zone: `2026-11-23`. */
  iso: string;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface Entity {
  kind: EntityKind;
  /** Where it stands in the text; `to` is behind its last character. */
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
const BEHIND_DAYS: readonly Reading[] = [
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
  add(daysIn(text, moment));
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
    if (NO_DAY.test(said.trim())) continue;
    const [year = 0, month = 0, day = 0] = [start.get('year'), start.get('month'), start.get('day')].map(Number);
    const iso = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    yield { kind: 'day', from: index, to: index + said.length, value: { iso, at: start.date().getTime() } };
  }
}

function amount(text: string | undefined): number {
  return Number((text ?? '').replace(/,(?=\d{3}\b)/g, '').replace(',', '.'));
}
