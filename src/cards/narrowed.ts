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

/** A list with the entries that are asked for. */
export interface Narrowed {
  value: Fields;
  /** The number of these entries. */
  shown: number;
  /** The number of entries that may be asked for, because their time is not known. They stay in the list. */
  untimed?: number;
  /** The number of entries that were read, where the list has more. */
  read?: number;
}

/**
 * The entries that are asked for, and how many of all they are. The whole list of records if none has the name. Undefined
 * for an answer without entries.
 */
export function narrowed(operation: string, value: Fields, narrow: Narrow): Narrowed | undefined {
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

/** The messages of a line that are asked for. The whole list if there are none. */
function narrowedMessages(value: Fields, narrow: Narrow): Narrowed | undefined {
  const { outcome, direction, text, contact } = narrow;
  if (outcome !== undefined && outcome !== 'failed') return undefined;
  const all = rowsIn(value.Results);
  const fitting = all.filter(
    ({ Status, Direction, Body, From, To }) =>
      (outcome === undefined || LOST.test(textOf(Status))) &&
      (direction === undefined || /^out/i.test(textOf(Direction)) === (direction === 'out')) &&
      (contact === undefined ||
        [textOf(From), ...rowsIn(To).map((one) => textOf(one.Number)), textOf(To)].some((one) =>
          one.endsWith(contact),
        )) &&
      (text === undefined || textOf(Body).toLowerCase().includes(text.toLowerCase())),
  );
  const timed = fitting.filter((row) => isWithin(row, narrow) === true);
  const untimed = fitting.filter((row) => isWithin(row, narrow) === undefined);
  const rows = [...timed, ...untimed];
  return {
    value: rows.length > 0 ? { ...value, Results: rows, ResultsTotalRecords: rows.length } : value,
    shown: timed.length,
    ...(untimed.length > 0 && { untimed: untimed.length }),
    ...(Number(value.ResultsTotalRecords) > all.length && { read: all.length }),
  };
}

/** True for an entry of the time that is asked for; undefined if its own time is not known. */
function isWithin({ At }: Fields, { since, until }: Narrow): boolean | undefined {
  if (since === undefined && until === undefined) return true;
  const at = Date.parse(textOf(At));
  if (Number.isNaN(at)) return undefined;
  return (since === undefined || at >= Date.parse(since)) && (until === undefined || at < Date.parse(until));
}

function narrowedRecords(operation: string, value: Fields, name: string): Narrowed | undefined {
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

function narrowedEvents(value: Fields, narrow: Narrow): Narrowed | undefined {
  const { outcome, orOutcome, kinds, about } = narrow;
  const [orders, changes] = [rowsIn(value.Orders), rowsIn(value.Actions)];
  // Texts that did not arrive failed, too.
  const receipts = outcome === 'failed' && kinds.length === 0 ? rowsIn(value.Receipts) : [];
  if (orders.length + changes.length + receipts.length === 0) return undefined;
  const isKind = (row: Fields) =>
    kinds.length === 0 || kinds.some((kind) => new RegExp(`(?<!\\p{L})${kind}`, 'iu').test(textOf(row.What)));
  const isAsked = (row: Fields) => isWithin(row, narrow) !== false && (about === undefined || isAbout(row, about));
  const outcomes = [outcome, orOutcome].filter((one) => one !== undefined);
  const isOrder = (status: string) => outcomes.some((one) => ORDERS[one](status));
  const own = {
    Orders:
      kinds.length > 0 || about !== undefined
        ? []
        : orders.filter((row) => isAsked(row) && (outcome === undefined || isOrder(textOf(row.Status)))),
    Actions: changes.filter(
      (row) =>
        isKind(row) &&
        isAsked(row) &&
        (outcome === undefined ||
          outcomes.some((one) => CHANGES[one](row)) ||
          (outcome === 'failed' && LOST.test(textOf(row.Delivery)))),
    ),
    Receipts: receipts.filter(({ Status }) => LOST.test(textOf(Status))),
  };
  const { Since, Until, NotRead, More } = value;
  const kept = Object.fromEntries(
    Object.entries({ Since, Until, NotRead, More }).filter(([, one]) => one !== undefined),
  );
  return { value: { ...kept, ...own }, shown: Object.values(own).reduce((sum, rows) => sum + rows.length, 0) };
}

/** True for a change whose title or values have each word of a name. */
function isAbout({ What, Changes, Customer }: Fields, name: string): boolean {
  const told = [What, Customer, ...(Array.isArray(Changes) ? Changes : [])].map(textOf).join(' ').toLowerCase();
  return name
    .toLowerCase()
    .split(/\s+/)
    .every((word) => told.includes(word));
}

/** The number of entries in a narrowed list: "“failed”: none", "“yesterday”: 2, and 3 whose time is not known". */
export function countText({ said }: Narrow, { shown, untimed, read }: Narrowed): string {
  const count = shown === 0 ? 'none' : String(shown);
  const maybe = untimed === undefined ? '' : `, and ${untimed} whose time is not known`;
  return `${said}: ${count}${maybe}${read === undefined ? '' : `, of the ${read} that were read`}`;
}

function rowsIn(list: unknown): Fields[] {
  return Array.isArray(list) ? list.map(recordOf) : [];
}
