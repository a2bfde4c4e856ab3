import { isLineNamed } from '../language/line-names.ts';
import type { Narrow, Outcome } from '../language/narrow.ts';
import { listedIn, rowsNamed } from '../language/records.ts';
import { type Fields, recordOf, textOf } from '../lib/json.ts';

/* The entries of a list that a question asks for. */

const ENDED = /^(?:complete|completed|done|finished|cancel|reject|fail|expired)/i;

/** Tells whether an order is so, by its status. */
const ORDERS: Readonly<Record<Outcome, (status: string) => boolean>> = {
  failed: (status) => /^(?:reject|fail|error)/i.test(status),
  declined: (status) => /^reject/i.test(status),
  approved: (status) => /^(?:confirm|accept|approv|complete)/i.test(status),
  open: (status) => !ENDED.test(status),
  done: (status) => /^(?:complete|done|finished)/i.test(status),
  cancelled: (status) => /^cancel/i.test(status),
};

const LOST = /fail|undeliver|reject/i;
const UNDECIDED = /^(?:pending|declined|withdrawn|replaced|expired)$/;

/** Tells whether a change is so. */
const CHANGES: Readonly<Record<Outcome, (row: Fields) => boolean>> = {
  failed: ({ State }) => /^(?:failed|partly|unknown)$/.test(textOf(State)),
  declined: ({ State }) => State === 'declined',
  approved: ({ State, DecidedBy }) => textOf(DecidedBy) !== '' && !UNDECIDED.test(textOf(State)),
  open: ({ State }) => State === 'pending',
  done: ({ State }) => State === 'done',
  cancelled: ({ State }) => State === 'withdrawn',
};

/**
 * The entries that are asked for, and how many of all they are. The whole list of records if none has the name. Undefined
 * for an answer without entries.
 */
export function narrowed(
  operation: string,
  value: Fields,
  narrow: Narrow,
): { value: Fields; shown: number } | undefined {
  if (narrow.without !== undefined) return withoutNamed(operation, value, narrow.without);
  if (narrow.line !== undefined) return narrowedLines(value, narrow.line);
  if (narrow.roles !== undefined) return narrowedSubscribers(value, narrow.roles, narrow.account);
  if (narrow.name === undefined && Array.isArray(value.Results)) return narrowedMessages(value, narrow);
  return narrow.name === undefined ? narrowedEvents(value, narrow) : narrowedRecords(operation, value, narrow.name);
}

function narrowedLines(value: Fields, line: NonNullable<Narrow['line']>): { value: Fields; shown: number } | undefined {
  const all = rowsIn(value.Numbers);
  const rows =
    'at' in line
      ? all.slice(line.at).slice(0, 1)
      : all.filter(({ Number: number }) => textOf(number).endsWith(line.ending));
  return { value: rows.length > 0 ? { ...value, Numbers: rows } : value, shown: rows.length };
}

/** The lines of a search, or the records of a list, without those that are named. */
function withoutNamed(
  operation: string,
  value: Fields,
  names: readonly string[],
): { value: Fields; shown: number } | undefined {
  const listed = listedIn(operation, value);
  const rows = listed?.kind.list.rows ?? 'Numbers';
  const isNamed = (row: Fields) =>
    names.some((name) => (listed ? rowsNamed(listed, name).includes(row) : isLineNamed(row, name)));
  const all = listed?.rows ?? rowsIn(value.Numbers);
  const left = all.filter((row) => !isNamed(row));
  if (all.length === 0) return undefined;
  const Found = Number(value.Found ?? all.length) - (all.length - left.length);
  return { value: { ...value, [rows]: left, ...(value.Found !== undefined && { Found }) }, shown: Found };
}

/** The messages of a line that did not arrive. The whole list if there are none. */
function narrowedMessages(value: Fields, { outcome }: Narrow): { value: Fields; shown: number } | undefined {
  if (outcome !== 'failed') return undefined;
  const rows = rowsIn(value.Results).filter(({ Status }) => LOST.test(textOf(Status)));
  const shown = rows.length > 0 ? { ...value, Results: rows, ResultsTotalRecords: rows.length } : value;
  return { value: shown, shown: rows.length };
}

function narrowedRecords(operation: string, value: Fields, name: string): { value: Fields; shown: number } | undefined {
  const listed = listedIn(operation, value);
  if (!listed || listed.rows.length === 0) return undefined;
  const rows = rowsNamed(listed, name);
  const shown = rows.length > 0 ? { ...value, [listed.kind.list.rows]: rows } : value;
  return { value: shown, shown: rows.length };
}

/** The subscribers with one of these roles, in the account with this name. */
function narrowedSubscribers(
  value: Fields,
  roles: readonly string[],
  account: string | undefined,
): { value: Fields; shown: number } {
  const name = account?.toLowerCase();
  const all = rowsIn(value.Subscribers);
  const rows = all.filter(({ Role, Account }) => {
    const isOf = name === undefined || textOf(recordOf(Account)?.CompanyName).toLowerCase().includes(name);
    return isOf && (roles.length === 0 || roles.includes(textOf(Role)));
  });
  return { value: rows.length > 0 ? { ...value, Subscribers: rows } : value, shown: rows.length };
}

function narrowedEvents(
  value: Fields,
  { outcome, orOutcome, kinds }: Narrow,
): { value: Fields; shown: number } | undefined {
  const [orders, changes] = [rowsIn(value.Orders), rowsIn(value.Actions)];
  // Texts that did not arrive failed, too.
  const receipts = outcome === 'failed' && kinds.length === 0 ? rowsIn(value.Receipts) : [];
  if (orders.length + changes.length + receipts.length === 0) return undefined;
  const isKind = (row: Fields) =>
    kinds.length === 0 || kinds.some((kind) => new RegExp(`(?<!\\p{L})${kind}`, 'iu').test(textOf(row.What)));
  const isOrder = (status: string) => [outcome, orOutcome].some((one) => one !== undefined && ORDERS[one](status));
  const own = {
    Orders: kinds.length > 0 ? [] : orders.filter(({ Status }) => outcome === undefined || isOrder(textOf(Status))),
    Actions: changes.filter(
      (row) =>
        isKind(row) &&
        (outcome === undefined || CHANGES[outcome](row) || (outcome === 'failed' && LOST.test(textOf(row.Delivery)))),
    ),
    Receipts: receipts.filter(({ Status }) => LOST.test(textOf(Status))),
  };
  const { Since, Until, NotRead, More } = value;
  const kept = Object.fromEntries(
    Object.entries({ Since, Until, NotRead, More }).filter(([, one]) => one !== undefined),
  );
  return { value: { ...kept, ...own }, shown: Object.values(own).reduce((sum, rows) => sum + rows.length, 0) };
}

/** The number of entries in a narrowed list: "“failed”: none". */
export function countText({ said }: Narrow, shown: number): string {
  return `${said}: ${shown === 0 ? 'none' : shown}`;
}

function rowsIn(list: unknown): Fields[] {
  return Array.isArray(list) ? list.map(recordOf) : [];
}
