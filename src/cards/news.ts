import type { ChangeRow } from '../catalogue/change.ts';
import { isBlank } from '../language/member-words.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Fields, isRecord, recordOf } from '../lib/json.ts';
import { readDate } from '../platform/dialect/dates.ts';
import { isSame } from '../platform/dialect/readings.ts';

const SERIAL = /^89\d{16,18}$/;

/** An id or a phone number, which people copy from a card. */
const COPIED = /^([A-Z]{2,7}-[0-9a-f-]{4,40}|\+\d{5,15})$/;

/**
 * An answer without the values that it repeats from the input: the rows of the change say them, or they stay as they
 * were. Rows with a value that the change does not say remain, and so do ids and phone numbers that the card does not say otherwise.
 */
export function unsaid(answer: Fields, action: Action, title: string): Fields {
  const change = changeOf(action);
  if (change === undefined) return answer;
  const { shown, known } = action;
  const before = recordOf(known.Record);
  const told = `${title} ${change.rows.map(({ of, after }) => `${of} ${String(after)}`).join(' ')}`.split(/[\s,]+/);
  const isNew = ([name, value]: [string, unknown]) => {
    if (isBlank(value)) return true;
    if (Array.isArray(value) && value.length > 0 && value.every((row) => isTold(row, change.rows, known))) return false;
    if (Array.isArray(value) && value.some((row) => isRecord(row) && Object.keys(row).length > 1)) return true;
    const copied = textsIn(value);
    if (copied.length > 0 && copied.every((text) => COPIED.test(text)))
      return !copied.every(
        (text) =>
          told.includes(text) || text in change.names || isSame(shown[name], text) || isSame(before[name], text),
      );
    if (isChosen(value, shown)) return false;
    return !(name in shown && isAlike(shown[name], value)) && !(name in before && isAlike(before[name], value));
  };
  return Object.fromEntries(Object.entries(answer).filter(isNew));
}

/** True for a row of the answer, such as a number with its new state, whose values the rows of the change say. */
function isTold(row: unknown, rows: readonly ChangeRow[], known: Fields): boolean {
  if (!isRecord(row)) return false;
  const { Number: phone, ...values } = row;
  const own = rows.filter(({ of }) => of === phone);
  // The SIM that the number had before is no news.
  const isOld = (value: unknown) =>
    SERIAL.test(String(value)) && textsIn(recordOf(known.Sims)[String(phone)]).includes(String(value));
  return (
    own.length > 0 &&
    Object.values(values).every(
      (value) => isOld(value) || own.some(({ after }) => isAlike(after, value) || isCancelled(after, value)),
    )
  );
}

/** A change says a cancelled number's state in other words than the platform. */
function isCancelled(...states: unknown[]): boolean {
  return states.every((state) => typeof state === 'string' && /^cancelled\b/i.test(state));
}

/** The same value, or the same day in another format. */
function isAlike(one: unknown, other: unknown): boolean {
  if (isSame(one, other)) return true;
  const [first, second] = [readDate(one, 'UTC'), readDate(other, 'UTC')];
  return first !== undefined && second !== undefined && first.from === second.from;
}

/** A lone word of the input under another name, such as "park" as the type of a change. */
function isChosen(value: unknown, shown: Fields): boolean {
  return typeof value === 'string' && /^[a-z][a-z-]+$/.test(value) && Object.values(shown).includes(value);
}

/** The texts of a value, of a list, or of a list of records with one member. A text may be a list too. */
function textsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (isRecord(value)) return Object.values(value).flatMap(textsIn);
  return typeof value === 'string' ? value.split(', ').flatMap((text) => text.split(',')) : [];
}
