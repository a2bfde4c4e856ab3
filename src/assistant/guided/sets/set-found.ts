import { hasName, isLineNamed } from '../../../language/line-names.ts';
import { type Fields, isRecord, textOf } from '../../../lib/json.ts';

/* The lines of a set as a search found them, before a change of all of them is offered. */

/** A line of a set. */
export interface SetLine {
  phone: string;
  /** The line with its customer. */
  label: string;
}

/** The lines that a change is offered for, with how many it leaves out; or why it is not offered. */
export type FoundSet =
  | { lines: readonly SetLine[]; left: number; leftWhy: string; unmatched: readonly string[] }
  | { why: string };

const REACTIVATE = 'numbers_reactivate';
const CANCELLED = /^cancel/i;

/**
 * The lines in service of a search, or the cancelled ones for a reactivation. A search that found names that are only
 * spelled alike, several accounts or customers, or a part of the lines makes no set.
 *
 * @param except the lines that are left out, by their digits or names
 */
export function linesOf(operation: string, value: Fields, name: string, except: readonly string[] = []): FoundSet {
  const rows = Array.isArray(value.Numbers) ? value.Numbers.filter(isRecord) : [];
  if (rows.length === 0) return { why: `No line matches “${name}”. Nothing was done` };
  if (value.Similar === true) return { why: `No name is “${name}”: these are spelled alike. Nothing was done` };
  if (value.NextPage !== undefined || value.Unseen !== undefined || Number(value.Found) > rows.length)
    return { why: `“${name}” has more lines than one list shows. Choose them in a list of your own. Nothing was done` };
  const accounts = new Set(rows.map((row) => textOf(row.Account)).filter((account) => account !== ''));
  if (accounts.size > 1)
    return {
      why: `“${name}” is in several accounts (${[...accounts].join(', ')}): write whose lines. Nothing was done`,
    };
  const people = new Set(rows.map((row) => textOf(row.Customer)));
  if (people.size > 1 && !rows.every((row) => hasName(textOf(row.Account), name)))
    return {
      why: `“${name}” is a name of several customers (${[...people].filter(Boolean).join(', ')}): write whose lines. Nothing was done`,
    };
  const isBack = operation === REACTIVATE;
  const own = rows.filter((row) => CANCELLED.test(textOf(row.Status)) === isBack);
  const fitting = own.filter((row) => !except.some((item) => isLineNamed(row, item)));
  if (own.length > 0 && fitting.length === 0) return { why: 'All of these lines are left out. Nothing was done' };
  if (fitting.length === 0)
    return { why: `None of the lines of “${name}” is ${isBack ? 'cancelled' : 'in service'}. Nothing was done` };
  const leftWhy = isBack ? 'not cancelled' : 'cancelled';
  const unmatched = except.filter((item) => !rows.some((row) => isLineNamed(row, item)));
  return { lines: fitting.map(lineOf), left: rows.length - own.length, leftWhy, unmatched };
}

function lineOf(row: Fields): SetLine {
  const phone = textOf(row.Number);
  const label = [textOf(row.Customer), phone, textOf(row.Account)].filter((part) => part !== '').join(' · ');
  return { phone, label };
}
