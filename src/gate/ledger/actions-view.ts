import type { Database } from '../../store/database.ts';
import { type Action, type ActionRow, actionOf, type State } from './action.ts';
import { type AuditLine, readAudit } from './audit.ts';

export interface ActionFilter {
  actorId?: string;
  states?: readonly State[];
  /** Updated after this moment (epoch ms). */
  since?: number;
  /** 50 by default. */
  limit?: number;
  /** Without the steps of a workflow, whose own action covers them. */
  whole?: boolean;
}

export interface SinceFilter {
  /** Updated before this moment (epoch ms). */
  until?: number;
  /** Phone numbers and ids that must all occur in the shown input or the result. */
  about?: readonly string[];
  /** Without the steps of a workflow, whose own action covers them. */
  whole?: boolean;
}

/** The reading side of the ledger: all that surfaces see of it. */
export interface ActionsView {
  get(id: string): Action | undefined;
  /** The most recently updated first. */
  list(filter: ActionFilter): Action[];
  /**
   * Actions updated at or after `at` (epoch ms), oldest first. If there are more than `limit`, the newest of them.
   */
  since(at: number, limit: number, only?: SinceFilter): Action[];
  /** Actions whose shown input or result names this value (a phone number), newest first. */
  about(value: string, limit?: number): Action[];
  /** The newest lines of the audit trail, the latest first. */
  audit(limit?: number): AuditLine[];
  counts(): { state: State; n: number }[];
  /** How many actions wait for a person or are running. */
  live(): number;
  /** Changes whenever another process has written to the ledger. */
  version(): number;
}

/** True if every value of a JSON list occurs quoted, and so whole: no number matches as the beginning of another. */
const NAMES = `NOT EXISTS (SELECT 1 FROM json_each(?) AS named
  WHERE instr(shown || coalesce(result, ''), '"' || named.value || '"') = 0)`;

/** True for an action that is not a step of another one. */
const WHOLE = `json_extract(notes, '$.partOf') IS NULL`;

/** Reads actions and their audit trail. It has no way to write. */
export class ActionsReader implements ActionsView {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  get(id: string): Action | undefined {
    const row = this.#db.get<ActionRow>('SELECT * FROM actions WHERE id = ?', id);
    return row && actionOf(row);
  }

  list(filter: ActionFilter): Action[] {
    const conditions: string[] = [filter.whole ? WHOLE : '1=1'];
    const values: (string | number)[] = [];
    if (filter.actorId !== undefined) {
      conditions.push('actor_id = ?');
      values.push(filter.actorId);
    }
    if (filter.states) {
      conditions.push(`state IN (${filter.states.map(() => '?').join(',')})`);
      values.push(...filter.states);
    }
    if (filter.since !== undefined) {
      conditions.push('updated_at > ?');
      values.push(filter.since);
    }
    const sql = `SELECT * FROM actions WHERE ${conditions.join(' AND ')} ORDER BY updated_at DESC LIMIT ?`;
    return this.#db.all<ActionRow>(sql, ...values, filter.limit ?? 50).map(actionOf);
  }

  since(at: number, limit: number, only: SinceFilter = {}): Action[] {
    return this.#db
      .all<ActionRow>(
        `SELECT * FROM actions WHERE updated_at >= ? AND updated_at < ?
           AND ${only.whole ? WHOLE : '1=1'} AND ${NAMES} ORDER BY updated_at DESC LIMIT ?`,
        at,
        only.until ?? Number.MAX_SAFE_INTEGER,
        JSON.stringify(only.about ?? []),
        limit,
      )
      .map(actionOf)
      .reverse();
  }

  about(value: string, limit = 5): Action[] {
    return this.#db
      .all<ActionRow>(
        `SELECT * FROM actions WHERE ${NAMES} ORDER BY updated_at DESC LIMIT ?`,
        JSON.stringify([value]),
        limit,
      )
      .map(actionOf);
  }

  audit(limit = 100): AuditLine[] {
    return readAudit(this.#db, limit);
  }

  counts(): { state: State; n: number }[] {
    return this.#db.all('SELECT state, count(*) AS n FROM actions GROUP BY state');
  }

  live(): number {
    const row = this.#db.get<{ n: number }>(
      `SELECT count(*) AS n FROM actions WHERE state IN ('pending','confirmed','in_flight')`,
    );
    return row?.n ?? 0;
  }

  version(): number {
    return this.#db.version();
  }
}
