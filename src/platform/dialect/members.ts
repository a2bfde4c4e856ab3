import { type Fields, isRecord } from '../../lib/json.ts';
import { readFlag } from './readings.ts';

/* Reads members of a platform response by name, in any letter case, and the members that report success or failure. */

/** Members that say whether a call succeeded, beside a state in words (PLATFORM.md, Errors). */
const FLAGS = ['Successful', 'Success', 'IsSuccess', 'IsSuccessful'];

/** The values of every member with this name in any letter case; null counts as absent. */
export function valuesOf(record: Fields, name: string): unknown[] {
  const wanted = name.toLowerCase();
  const found: unknown[] = [];
  for (const key of Object.keys(record)) {
    if (key.length !== wanted.length || key.toLowerCase() !== wanted) continue;
    const value = record[key];
    if (value !== null && value !== undefined) found.push(value);
  }
  return found;
}

/** The member with this name in any letter case, the exact spelling first; undefined where it is absent or null. */
export function memberOf(record: Fields, name: string): unknown {
  return record[name] ?? valuesOf(record, name)[0];
}

/** True if a flag reports failure. */
export function saysNo(record: Fields): boolean {
  return hasFlag(record, false);
}

/** True if a flag, or the plain word `success`, reports success and no flag reports failure. */
export function saysYes(record: Fields): boolean {
  if (saysNo(record)) return false;
  return isSuccessWord(record.Result) || hasFlag(record, true);
}

function hasFlag(record: Fields, meaning: boolean): boolean {
  return FLAGS.some((name) => valuesOf(record, name).some((value) => readFlag(value) === meaning));
}

/** True for a body that is only the word `success` (PLATFORM.md, Message route; Workgroups). */
export function isSuccessWord(body: unknown): boolean {
  return typeof body === 'string' && body.length < 100 && /^(success|successful)[.!]?$/i.test(body.trim());
}

/**
 * The values of every member that is a status by its name (`Status`, `CancelStatus`). A previous status does not count.
 */
export function statusesOf(record: Fields): unknown[] {
  return Object.entries(record).flatMap(([key, value]) => (STATUS.test(key) && !PREVIOUS.test(key) ? [value] : []));
}

const STATUS = /status$/i;
const PREVIOUS = /^(previous|former|prior|old|last)/i;

/** The status of an error body (PLATFORM.md, Errors: `StatusCode`), 400 or more; undefined if it is not an error. */
export function errorStatus(record: Fields): number | undefined {
  return valuesOf(record, 'StatusCode')
    .map((value) => Number(value))
    .find((status) => status >= 400 && status <= 599);
}

/** True if `Errors` is not empty, as in a validation error (PLATFORM.md, Errors). */
export function namesErrors(record: Fields): boolean {
  return valuesOf(record, 'Errors').some((errors) => {
    if (Array.isArray(errors)) return errors.length > 0;
    if (isRecord(errors)) return Object.keys(errors).length > 0;
    return typeof errors === 'string' ? errors.trim() !== '' : typeof errors === 'number' && errors > 0;
  });
}

/** Members of the envelope around a record. They do not show that work was done. */
const AROUND: ReadonlySet<string> = new Set(
  [...FLAGS, 'StatusCode', 'Message', 'Messages', 'StatusMessage', 'Error', 'Errors', 'ErrorMessage', 'ErrorCode']
    .concat(['Type', 'Title', 'Detail', 'TraceId', 'Instance', 'TransactionLogId', 'Timestamp', 'Data', 'Warning'])
    .map((name) => name.toLowerCase()),
);

/** Names of the members that have a value and are not part of the envelope. */
export function telling(record: Fields): string[] {
  return Object.entries(record).flatMap(([key, value]) =>
    value === null || value === undefined || AROUND.has(key.toLowerCase()) ? [] : [key],
  );
}
