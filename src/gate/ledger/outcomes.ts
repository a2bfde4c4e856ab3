import type { Clock } from '../../lib/clock.ts';
import type { ErrorFace } from '../../lib/errors.ts';
import type { Fields } from '../../lib/json.ts';
import type { Database } from '../../store/database.ts';

/** The attempts to resolve one unknown outcome. They are stored, so that a restarted process continues them. */
export interface OutcomeRecord {
  /** Epoch ms of the last byte sent; undefined if the process died before it recorded that time. */
  writtenAt: number | undefined;
  /** The first reading after the settling time that showed the work as not done. `at`: epoch ms. */
  notDone: { at: number; observed: string } | undefined;
  /** What the last inconclusive reading showed, as text. */
  observed: string | undefined;
  /** When the next reading is due (epoch ms). */
  nextAttemptAt: number;
  /** How many readings were made. */
  attempts: number;
  /** The error as it was when the outcome became unknown, before readings were added to its text. */
  error: ErrorFace | undefined;
}

/** The part of another action that a reconciliation may read. */
export interface OtherAction {
  id: string;
  operation: string;
  digest: string;
  state: string;
  /** Epoch ms. */
  endedAt: number | undefined;
  result: Fields | undefined;
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

const SCHEMA = `
CREATE TABLE IF NOT EXISTS outcomes (
  action TEXT PRIMARY KEY, written_at INTEGER, not_done_at INTEGER, not_done_saw TEXT, saw TEXT,
  look_at INTEGER NOT NULL DEFAULT 0, looks INTEGER NOT NULL DEFAULT 0, error TEXT
);
CREATE INDEX IF NOT EXISTS actions_operation ON actions (operation, state);
`;

interface Row {
  written_at: number | null;
  not_done_at: number | null;
  not_done_saw: string | null;
  saw: string | null;
  look_at: number;
  looks: number;
  error: string | null;
}

interface OtherRow {
  id: string;
  operation: string;
  digest: string;
  state: string;
  finished_at: number | null;
  result: string | null;
}

/** The part of the ledger about actions whose outcome is, or was, unknown. */
export class OutcomeRecords {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    for (const statement of SCHEMA.split(';').filter((text) => text.trim() !== '')) db.run(statement);
  }

  /** The attempts to resolve this outcome so far; undefined before the first. */
  find(id: string): OutcomeRecord | undefined {
    const row = this.#db.get<Row>('SELECT * FROM outcomes WHERE action = ?', id);
    if (row === undefined) return undefined;
    return {
      writtenAt: row.written_at ?? undefined,
      notDone: row.not_done_at === null ? undefined : { at: row.not_done_at, observed: row.not_done_saw ?? '' },
      observed: row.saw ?? undefined,
      nextAttemptAt: row.look_at,
      attempts: row.looks,
      error: row.error === null ? undefined : (JSON.parse(row.error) as ErrorFace),
    };
  }

  /** Inserts or replaces the record of an action. */
  save(id: string, record: OutcomeRecord): void {
    this.#db.run(
      `INSERT OR REPLACE INTO outcomes (action, written_at, not_done_at, not_done_saw, saw, look_at, looks, error)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      record.writtenAt ?? null,
      record.notDone?.at ?? null,
      record.notDone?.observed ?? null,
      record.observed ?? null,
      record.nextAttemptAt,
      record.attempts,
      record.error === undefined ? null : JSON.stringify(record.error),
    );
  }

  /** Replaces the error of an action that is still unknown. Returns false if it is no longer unknown. */
  updateError(id: string, error: ErrorFace): boolean {
    const changed = this.#db.run(
      `UPDATE actions SET error = ?, updated_at = ? WHERE id = ? AND state = 'unknown'`,
      JSON.stringify(error),
      this.#clock.now(),
      id,
    );
    return changed === 1;
  }

  /** Ids of unknown actions whose next reading is due, the longest overdue first. */
  due(limit: number): string[] {
    return this.#db
      .all<{ id: string }>(
        `SELECT a.id AS id FROM actions a LEFT JOIN outcomes o ON o.action = a.id
           WHERE a.state = 'unknown' AND coalesce(o.look_at, 0) <= ? ORDER BY coalesce(o.look_at, 0) LIMIT ?`,
        this.#clock.now(),
        limit,
      )
      .map(({ id }) => id);
  }

  /** Ids of unknown actions whose shown input contains this value as a whole string. */
  unknownAbout(value: string): string[] {
    return this.#db
      .all<{ id: string }>(
        `SELECT id FROM actions WHERE state = 'unknown' AND instr(shown, '"' || ? || '"') > 0`,
        value,
      )
      .map(({ id }) => id);
  }

  /** Actions of the same operation that are running or whose outcome is unknown. */
  openLike(operation: string, except: string): OtherAction[] {
    return this.#others(`operation = ? AND id <> ? AND state IN ('in_flight','unknown')`, operation, except);
  }

  /** Actions of the same operation that were done, in whole or in part, and ended at `since` (epoch ms) or later. */
  doneLike(operation: string, except: string, since: number): OtherAction[] {
    return this.#others(
      `operation = ? AND id <> ? AND state IN ('done','partly') AND finished_at >= ?`,
      operation,
      except,
      since,
    );
  }

  /**
   * Actions of any operation whose shown input or known values contain this value as a whole string, and that are open
   * or were done at `since` (epoch ms) or later.
   */
  sentAbout(value: string, except: string, since: number): SentAction[] {
    return this.#db
      .all<SentRow>(
        `SELECT id, operation, state, shown, known FROM actions WHERE id <> ?
           AND (state IN ('in_flight','unknown') OR (state IN ('done','partly') AND finished_at >= ?))
           AND instr(shown || known, '"' || ? || '"') > 0`,
        except,
        since,
        value,
      )
      .map(({ id, operation, state, shown, known }) => ({
        id,
        operation,
        open: state === 'in_flight' || state === 'unknown',
        shown: JSON.parse(shown) as Fields,
        known: JSON.parse(known) as Fields,
      }));
  }

  /** True if this owner still has the right to send the action. */
  holdsClaim(id: string, owner: string): boolean {
    const row = this.#db.get(`SELECT 1 FROM actions WHERE id = ? AND state = 'in_flight' AND owner = ?`, id, owner);
    return row !== undefined;
  }

  #others(where: string, ...values: (string | number)[]): OtherAction[] {
    return this.#db
      .all<OtherRow>(`SELECT id, operation, digest, state, finished_at, result FROM actions WHERE ${where}`, ...values)
      .map((row) => ({
        id: row.id,
        operation: row.operation,
        digest: row.digest,
        state: row.state,
        endedAt: row.finished_at ?? undefined,
        result: row.result === null ? undefined : (JSON.parse(row.result) as Fields),
      }));
  }
}

/** The record of an outcome that became unknown at `now` (epoch ms), before any reading. */
export function newOutcome(writtenAt: number | undefined, error: ErrorFace | undefined, now: number): OutcomeRecord {
  return { writtenAt, notDone: undefined, observed: undefined, nextAttemptAt: now, attempts: 0, error };
}
