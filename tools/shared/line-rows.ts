import type { Call } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/json.ts';
import { readDate } from '../../src/platform/dialect/dates.ts';
import { text } from './before.ts';
import { type Directory, listOf, phoneOf } from './directory.ts';
import { out } from './fields.ts';
import { hasData, isCancelled, kindOf, megabytes, offText } from './line.ts';
import { type LineUses, NONE, usesRow } from './line-uses.ts';

/* Short rows about numbers, for searches and for lookups of several numbers. */

/** Largest number of numbers in one request for data usage. */
const MOST = 100;

/** The members of a row. */
export const lineRow = {
  Number: out.text,
  Status: out.text,
  Customer: out.said,
  SubscriberId: out.key('TSUID'),
  Account: out.said,
  CallerName: out.said,
  Kind: out.text,
  Product: out.text,
  BoughtOn: out.text,
  Trouble: out.own,
  ReactivateUntil: out.text,
  Used: out.text,
  Remaining: out.text,
  CurrentBehavior: out.text,
  NotifyValue: out.number,
  ThrottleValue: out.number,
  ThrottleSpeed: out.number,
  LimitValue: out.number,
  Limits: out.own,
  ...usesRow,
} as const;

/** A number, and what was read about it. */
export interface Line {
  row: Fields;
  usage?: Fields | undefined;
  limits?: Fields | undefined;
  /** The last moment for a reactivation, ISO 8601. */
  until?: string | undefined;
}

/** What else a row shows. */
export interface RowOptions {
  /** Id of the account if no record names it. */
  account?: string | undefined;
  /** Routes by name. */
  routes?: LineUses | undefined;
  /** The plan by name. */
  plans?: LineUses | undefined;
}

/** The day on which a number was bought, as YYYY-MM-DD in UTC; undefined if its record does not say. */
export function boughtOn(row: Fields): string | undefined {
  const at = readDate(row.OriginalDatePurchased, 'UTC')?.from;
  return at === undefined ? undefined : new Date(at).toISOString().slice(0, 10);
}

/** Data used in MB; undefined if it is not known. */
export function usedBy({ usage }: Line): number | undefined {
  return megabytes(usage?.Used);
}

/** Reads the data used by these lines, 100 in a request. A line without data is left out. */
export function readUsage(lines: readonly Line[], call: Call): Promise<void> {
  return readEach(lines, 'usage', (batch) => call('numbers_data_usage_info', batch));
}

/** Reads the data limits of these lines, 100 in a request. A line without data is left out. */
export function readLimits(lines: readonly Line[], call: Call): Promise<void> {
  return readEach(lines, 'limits', (batch) => call('numbers_data_usage_settings', batch));
}

async function readEach(lines: readonly Line[], part: 'usage' | 'limits', read: (batch: Fields) => Promise<Fields>) {
  const wanted = lines.filter((line) => line[part] === undefined && hasData(line.row) && !isCancelled(line.row));
  const batches = Array.from({ length: Math.ceil(wanted.length / MOST) }, (_, i) =>
    wanted.slice(i * MOST, (i + 1) * MOST),
  );
  await Promise.all(
    batches.map(async (batch) => {
      const answer = await read({ PhoneNumbers: batch.map(({ row }) => ({ Number: phoneOf(row) })) });
      const found = new Map(listOf(answer.PhoneNumbers).map((row) => [phoneOf(row), row]));
      for (const line of batch) line[part] = found.get(phoneOf(line.row));
    }),
  );
}

/** A line as a row of an answer. Members that are not known are left out. */
export function lineRowOf(
  { row, usage, limits, until }: Line,
  directory: Directory,
  { account, routes, plans }: RowOptions = {},
): Fields {
  const holder = directory.holder(row.AssignedSubscriberId);
  return defined({
    Number: phoneOf(row),
    Status: text(row.Status),
    Customer: text(holder?.Name),
    SubscriberId: text(holder?.SubscriberId) ?? text(row.AssignedSubscriberId),
    Account: directory.accountNameOf(row) ?? directory.accountOf(row) ?? account,
    CallerName: text(row.Cnam),
    Kind: kindOf(row) === '' ? undefined : kindOf(row),
    Product: text(row.ProductType),
    BoughtOn: boughtOn(row),
    Trouble: offText(row),
    ReactivateUntil: until,
    Used: text(usage?.Used),
    Remaining: text(usage?.Remaining),
    CurrentBehavior: text(usage?.CurrentBehavior),
    ...limitsOf(limits),
    ...routes?.routesOf(row),
    ...plans?.planOf(row, directory),
  });
}

const LIMITS = ['NotifyValue', 'ThrottleValue', 'ThrottleSpeed', 'LimitValue'] as const;

/** The limits that a line has, or a text that it has none. */
function limitsOf(limits: Fields | undefined): Fields {
  if (limits === undefined) return {};
  const set = LIMITS.flatMap((name) => (isSet(limits[name]) ? [[name, limits[name]]] : []));
  return set.length === 0 ? { Limits: NONE } : Object.fromEntries(set);
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}
