import { type Fields, isRecord } from '../../lib/json.ts';
import { memberOf } from './members.ts';

/* Reads lists of phone numbers in platform responses, which come in several shapes. */

/** One number of a list, with its record in the list. */
export interface ListedNumber {
  /** As the platform wrote it; empty if the entry has no number. */
  number: string;
  record: Fields;
}

/** `unreadable`: there is a value, but it is not a list of numbers. */
export type NumberList = readonly ListedNumber[] | 'unreadable';

const NAMES = ['Number', 'PhoneNumber', 'Phone', 'To'];
const INNER = ['Numbers', 'PhoneNumbers', 'Items', 'List'];

/**
 * Reads a list of numbers: an array of texts or objects, one object, an object by number, an object around a list, or a
 * text with numbers in it. Undefined where it is absent or null; nulls inside are ignored.
 */
export function readNumbers(value: unknown): NumberList | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return all(value.filter((entry) => entry !== null && entry !== undefined).map(entryOf));
  if (typeof value === 'string') return fromText(value);
  if (isRecord(value)) return fromObject(value);
  // A count does not say which numbers.
  if (value === 0 || value === false) return [];
  return typeof value === 'number' && isPhone(String(value)) ? all([entryOf(value)]) : 'unreadable';
}

/** The entries of a list; empty if it cannot be read. */
export function numbersIn(value: unknown): readonly ListedNumber[] {
  const list = readNumbers(value);
  return list === undefined || list === 'unreadable' ? [] : list;
}

/** The form in which numbers are compared: digits with the country code, which US numbers may lack. */
export function numberKey(text: string): string {
  const digits = text.replace(/\D/g, '');
  return digits.length === 10 && !text.trim().startsWith('+') ? `1${digits}` : digits;
}

function isPhone(text: string): boolean {
  return /^\+?[\d\s().-]{7,24}$/.test(text.trim()) && text.replace(/\D/g, '').length >= 7;
}

function all(entries: readonly (ListedNumber | undefined)[]): NumberList {
  const found = entries.filter((entry) => entry !== undefined);
  return found.length === entries.length ? found : 'unreadable';
}

function entryOf(entry: unknown): ListedNumber | undefined {
  if (isRecord(entry)) {
    const name = NAMES.map((member) => memberOf(entry, member)).find(
      (member) => typeof member === 'string' || typeof member === 'number',
    );
    return { number: name === undefined ? '' : String(name), record: entry };
  }
  if (typeof entry !== 'string' && typeof entry !== 'number') return undefined;
  const number = String(entry);
  return { number, record: { Number: number } };
}

function fromText(text: string): NumberList {
  if (/^\s*(none)?\s*$/i.test(text)) return [];
  if (isPhone(text)) return all([entryOf(text)]);
  const parts = text.split(/[,;|\s]+/).filter((part) => part !== '');
  return parts.every(isPhone) ? all(parts.map(entryOf)) : 'unreadable';
}

function fromObject(value: Fields): NumberList {
  const keys = Object.keys(value);
  if (keys.length === 0) return [];
  if (NAMES.some((member) => memberOf(value, member) !== undefined)) return all([entryOf(value)]);
  const inner = INNER.map((member) => memberOf(value, member)).find((member) => member !== undefined);
  if (inner !== undefined) return readNumbers(inner) ?? [];
  if (!keys.every(isPhone)) return 'unreadable';
  return keys.map((number) => {
    const said = value[number];
    return { number, record: isRecord(said) ? said : typeof said === 'string' ? { Reason: said } : {} };
  });
}
