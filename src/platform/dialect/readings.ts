import { isRecord } from '../../lib/json.ts';

/*
 * The platform sends booleans, numbers and lists in several spellings. These readings serve comparisons before a person
 * is asked, so a value that cannot be read is undefined instead of a guess.
 */

const ON = new Set(['true', '1', 'y', 'yes', 'on']);
const OFF = new Set(['false', '0', 'n', 'no', 'off']);

/** True or false in any spelling; undefined if it cannot be read. */
export function readFlag(value: unknown): boolean | undefined {
  if (typeof value !== 'boolean' && typeof value !== 'number' && typeof value !== 'string') return undefined;
  const word = String(value).trim().toLowerCase();
  return ON.has(word) ? true : OFF.has(word) ? false : undefined;
}

/**
 * A list of texts, also as JSON or separated by commas in one text. Null and '' are empty. Undefined if it is missing
 * or cannot be read.
 */
export function readTexts(value: unknown): string[] | undefined {
  if (value === null || value === '') return [];
  if (typeof value === 'string') return /^\s*\[/.test(value) ? readTexts(jsonIn(value) ?? {}) : split(value);
  if (!Array.isArray(value)) return undefined;
  const texts = value.map((one: unknown) => (isRecord(one) ? one.Number : one));
  return texts.every((one) => typeof one === 'string' || typeof one === 'number') ? texts.map(String) : undefined;
}

function split(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * True if `given` leaves `now` as it is. Members that an object leaves out keep their values. A value that the record
 * does not show is never the same.
 */
export function isSame(given: unknown, now: unknown): boolean {
  if (given === null || given === '') return now === null || now === '';
  if (typeof given === 'boolean') return readFlag(now) === given;
  if (Array.isArray(given)) return isSameList(given, readTexts(now));
  if (isRecord(given)) {
    return (
      isRecord(now) && Object.entries(given).every(([name, value]) => value === undefined || isSame(value, now[name]))
    );
  }
  return (now !== undefined && String(given) === String(now)) || isSameNumber(given, now);
}

/** A list whose entries are not texts, such as rows, never counts as the same. */
function isSameList(given: readonly unknown[], now: readonly string[] | undefined): boolean {
  const texts = readTexts(given);
  if (texts === undefined || now === undefined) return false;
  const [next, present] = [new Set(texts), new Set(now)];
  return next.size === present.size && [...next].every((one) => present.has(one));
}

/** Prices are sent as strings and returned as numbers. */
function isSameNumber(given: unknown, now: unknown): boolean {
  if (typeof given !== 'number' && typeof now !== 'number') return false;
  const [a, b] = [given, now].map((value) => (String(value).trim() === '' ? Number.NaN : Number(value)));
  return a === b;
}
