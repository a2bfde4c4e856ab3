import { HOUR_MS, WEEK_MS } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import type { Fields } from '../lib/values.ts';
import { marks } from '../store/key-values.ts';
import type { Queries } from '../store/types.ts';
import { backoff } from '../work/jobs.ts';
import { isName, PLACES, touchNames } from './lookups.ts';
import { LedgerPart } from './part.ts';

/** The attempts to resolve one unknown outcome. They are stored, so that a restarted process continues them. */
export interface ReadingRecord {
  /** Epoch ms of the last byte sent; undefined if the process died before it recorded that time. */
  writtenAt?: number | undefined;
  /** The first reading after the settling time that showed the work as not done. `at`: epoch ms. */
  notDone?: { at: number; observed: string } | undefined;
  /** The findings of the last inconclusive reading, as text. */
  observed?: string | undefined;
  /** Number of readings made. */
  attempts: number;
  /** The error as it was when the outcome became unknown, before readings were added to its text. */
  error?: Failure | undefined;
}

/** The part of a sent action that may be shown. */
export interface SentAction {
  id: string;
  operation: string;
  /** True while the action is running or its outcome is unknown. */
  open: boolean;
  shown: Fields;
  known: Fields;
}

interface SentRow {
  id: string;
  operation: string;
  state: string;
  shown: string;
  known: string;
}

/** Maximum number of values in one query. */
const VALUES = 100;
const ASKED = PLACES.shown | PLACES.known;

/** The part of the ledger about actions whose outcome is, or was, unknown. */
export class Readings extends LedgerPart {
  /** The attempts to resolve this outcome so far; undefined before the first. */
  async find(id: string): Promise<ReadingRecord | undefined> {
    const row = await this.parts.db.get<{ reading: string | null }>('SELECT reading FROM actions WHERE id = ?', id);
    return row?.reading ? (JSON.parse(row.reading) as ReadingRecord) : undefined;
  }

  /** Writes the record of an action. */
  save(id: string, record: ReadingRecord): Promise<void> {
    return saveReading(this.parts.db, id, record);
  }

  /** Replaces the error of an action that is still unknown. Resolves to false if it is no longer unknown. */
  updateError(id: string, error: Failure): Promise<boolean> {
    return this.parts.db.transaction(async (queries) => {
      const now = this.parts.clock.now();
      const changed = await queries.run(
        `UPDATE actions SET error = ?, updated_at = ? WHERE id = ? AND state = 'unknown'`,
        JSON.stringify(error),
        now,
        id,
      );
      if (changed === 1) await touchNames(queries, id, now);
      return changed === 1;
    });
  }

  /** Ids of unknown actions whose shown input contains this value as a whole string. */
  async unknownAbout(value: string): Promise<string[]> {
    const rows = await this.parts.db.all<{ id: string }>(
      `SELECT a.id AS id FROM actions a CROSS JOIN action_names n
         WHERE a.state = 'unknown' AND n.action = a.id AND n.value = ? AND (n.places & ${PLACES.shown}) <> 0`,
      value,
    );
    return rows.map(({ id }) => id);
  }

  /** Ids of actions of the same operation that are running or whose outcome is unknown. */
  async openLike(operation: string, except: string): Promise<string[]> {
    const rows = await this.parts.db.all<{ id: string }>(
      `SELECT id FROM actions WHERE operation = ? AND id <> ? AND state IN ('in_flight','unknown')`,
      operation,
      except,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Returns the values that occur in the result of an action of the same operation that was done, in whole or in part,
   * and ended at `since` (epoch ms) or later. A value that the ledger does not list counts as claimed, because it
   * cannot be looked up.
   */
  async claimed(
    operation: string,
    { values, except, since }: { values: readonly string[]; except: string; since: number },
  ): Promise<ReadonlySet<string>> {
    const claimed = new Set(values.filter((value) => !isName(value)));
    const listed = [...new Set(values.filter(isName))];
    for (let from = 0; from < listed.length; from += VALUES) {
      const some = listed.slice(from, from + VALUES);
      const rows = await this.parts.db.all<{ value: string }>(
        `SELECT n.value AS value FROM action_names n JOIN actions a ON a.id = n.action
           WHERE n.value IN (${marks(some)}) AND n.updated_at >= ?
             AND (n.places & ${PLACES.result}) <> 0 AND a.operation = ? AND a.id <> ?
             AND a.state IN ('done','partly') AND a.finished_at >= ?`,
        ...some,
        since,
        operation,
        except,
        since,
      );
      for (const { value } of rows) claimed.add(value);
    }
    return claimed;
  }

  /**
   * Actions of any operation whose shown input or known values contain this value as a whole string, and that are open
   * or were done at `since` (epoch ms) or later.
   */
  async sentAbout(value: string, except: string, since: number): Promise<SentAction[]> {
    const columns = 'a.id AS id, a.operation AS operation, a.state AS state, a.shown AS shown, a.known AS known';
    const named = `n.action = a.id AND n.value = ? AND (n.places & ${ASKED}) <> 0 AND a.id <> ?`;
    const open = await this.parts.db.all<SentRow>(
      `SELECT ${columns} FROM actions a CROSS JOIN action_names n WHERE a.state IN ('in_flight','unknown') AND ${named}`,
      value,
      except,
    );
    const done = await this.parts.db.all<SentRow>(
      `SELECT ${columns} FROM action_names n CROSS JOIN actions a
         WHERE ${named} AND n.updated_at >= ? AND a.state IN ('done','partly') AND a.finished_at >= ?`,
      value,
      except,
      since,
      since,
    );
    return [...open, ...done].map(({ id, operation, state, shown, known }) => ({
      id,
      operation,
      open: state === 'in_flight' || state === 'unknown',
      shown: JSON.parse(shown) as Fields,
      known: JSON.parse(known) as Fields,
    }));
  }
}

/** Writes the record of an action. */
export async function saveReading(queries: Queries, id: string, record: ReadingRecord): Promise<void> {
  await queries.run('UPDATE actions SET reading = ? WHERE id = ?', JSON.stringify(record), id);
}

/** The record of an unknown outcome before any reading. */
export function newReading(writtenAt: number | undefined, error: Failure | undefined): ReadingRecord {
  return { writtenAt, notDone: undefined, observed: undefined, attempts: 0, error };
}

/** Maximum length of a reading's text. */
export const MAX_OBSERVED = 700;
/** Readings begin this far into the backoff, so that the first wait is 16 s. */
const FIRST_WAIT = 5;
/** Prefix of a stored first reading that showed the work as partly done. */
export const PARTLY = 'partly: ';

/** Two readings agree if both showed the same part as done, or both showed nothing as done. */
export function agrees(first: ReadingRecord['notDone'], outcome: 'partly' | 'not_done', observed: string): boolean {
  return outcome === 'partly' ? first?.observed === observed : first?.observed.startsWith(PARTLY) === false;
}

/**
 * Time of the next reading (epoch ms): after a growing wait at first, hourly after the first hour, and only on request
 * after a week. `settled`: time from which the platform can no longer be working on the action.
 */
export function nextReadingAt(attempts: number, began: number, settled: number): number | undefined {
  const age = began - settled;
  if (age > WEEK_MS) return undefined;
  const wait = age > HOUR_MS ? HOUR_MS : backoff(FIRST_WAIT + attempts);
  return began < settled ? Math.min(began + wait, settled) : began + wait;
}
