import type { Clock } from '../../lib/clock.ts';
import type { ErrorFace } from '../../lib/errors.ts';
import type { Database } from '../../store/database.ts';

/** What is kept of the attempts to find out an unknown outcome, so that a restart does not begin anew. */
export interface OutcomeRecord {
  /** Epoch ms of the last byte sent; undefined where the process died before it could say. */
  writtenAt: number | undefined;
  /** The first reading after the settling time that showed the work as not done. */
  notDone: { at: number; saw: string } | undefined;
  /** The last reading that did not tell, in words. */
  saw: string | undefined;
  /** When reading is next due (epoch ms). */
  lookAt: number;
  /** How often it was read. */
  looks: number;
  /** The error as it was when the outcome became unknown, before readings were added to its text. */
  error: ErrorFace | undefined;
}

/** Another action of the ledger, as far as a reconciliation may know it. */
export interface OtherAction {
  id: string;
  operation: string;
  digest: string;
  state: string;
  endedAt: number | undefined;
  result: Record<string, unknown> | undefined;
}

/** An action that was sent, as far as it may be shown. */
export interface SentAction {
  id: string;
  operation: string;
  /** It may still be under way, or may have been done. */
  open: boolean;
  shown: Record<string, unknown>;
  known: Record<string, unknown>;
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
export function outcomeRecords(db: Database, clock: Clock) {
  for (const statement of SCHEMA.split(';').filter((text) => text.trim() !== '')) db.run(statement);
  const others = (where: string, ...values: (string | number)[]): OtherAction[] =>
    db
      .all<OtherRow>(`SELECT id, operation, digest, state, finished_at, result FROM actions WHERE ${where}`, ...values)
      .map((row) => ({
        id: row.id,
        operation: row.operation,
        digest: row.digest,
        state: row.state,
        endedAt: row.finished_at ?? undefined,
        result: row.result === null ? undefined : (JSON.parse(row.result) as Record<string, unknown>),
      }));

  return {
    /** What is known of the attempts to find out this outcome; undefined before the first. */
    outcome(id: string): OutcomeRecord | undefined {
      const row = db.get<Row>('SELECT * FROM outcomes WHERE action = ?', id);
      if (row === undefined) return undefined;
      return {
        writtenAt: row.written_at ?? undefined,
        notDone: row.not_done_at === null ? undefined : { at: row.not_done_at, saw: row.not_done_saw ?? '' },
        saw: row.saw ?? undefined,
        lookAt: row.look_at,
        looks: row.looks,
        error: row.error === null ? undefined : (JSON.parse(row.error) as ErrorFace),
      };
    },

    /** Writes it anew. */
    keepOutcome(id: string, record: OutcomeRecord): void {
      db.run(
        `INSERT OR REPLACE INTO outcomes (action, written_at, not_done_at, not_done_saw, saw, look_at, looks, error)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        id,
        record.writtenAt ?? null,
        record.notDone?.at ?? null,
        record.notDone?.saw ?? null,
        record.saw ?? null,
        record.lookAt,
        record.looks,
        record.error === undefined ? null : JSON.stringify(record.error),
      );
    },

    /** Changes what is said of an action that is still unknown. False where it is not unknown any more. */
    restate(id: string, error: ErrorFace): boolean {
      const won = db.run(
        `UPDATE actions SET error = ?, updated_at = ? WHERE id = ? AND state = 'unknown'`,
        JSON.stringify(error),
        clock.now(),
        id,
      );
      return won === 1;
    },

    /** Ids of unknown actions whose next reading is due, the longest due first. */
    dueOutcomes: (limit: number): string[] =>
      db
        .all<{ id: string }>(
          `SELECT a.id AS id FROM actions a LEFT JOIN outcomes o ON o.action = a.id
             WHERE a.state = 'unknown' AND coalesce(o.look_at, 0) <= ? ORDER BY coalesce(o.look_at, 0) LIMIT ?`,
          clock.now(),
          limit,
        )
        .map(({ id }) => id),

    /** Ids of unknown actions whose shown input names this value whole. */
    unknownAbout: (value: string): string[] =>
      db
        .all<{ id: string }>(
          `SELECT id FROM actions WHERE state = 'unknown' AND instr(shown, '"' || ? || '"') > 0`,
          value,
        )
        .map(({ id }) => id),

    /** Actions of the same operation that are under way or whose outcome is unknown. */
    openLike: (operation: string, except: string): OtherAction[] =>
      others(`operation = ? AND id <> ? AND state IN ('in_flight','unknown')`, operation, except),

    /** Actions of the same operation that were done, in whole or in part, and ended at `since` (epoch ms) or later. */
    doneLike: (operation: string, except: string, since: number): OtherAction[] =>
      others(`operation = ? AND id <> ? AND state IN ('done','partly') AND finished_at >= ?`, operation, except, since),

    /**
     * Actions of any operation that name this value, whole, in their input or in what was known of it, and that are
     * open or were done at `since` (epoch ms) or later.
     */
    sentAbout: (value: string, except: string, since: number): SentAction[] =>
      db
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
          shown: JSON.parse(shown) as Record<string, unknown>,
          known: JSON.parse(known) as Record<string, unknown>,
        })),

    /** Is the right to send this action still with that owner? */
    holdsClaim: (id: string, owner: string): boolean =>
      db.get(`SELECT 1 FROM actions WHERE id = ? AND state = 'in_flight' AND owner = ?`, id, owner) !== undefined,
  };
}
