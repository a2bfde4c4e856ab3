import { marks } from '../store/sql.ts';
import type { Database, Value } from '../store/types.ts';
import { type Action, type ActionRow, actionOf, type State } from './action.ts';
import { type AuditLine, readAudit } from './audit.ts';
import { PLACES, readCounts } from './lookups.ts';
import type { Seal } from './seal.ts';

export interface ActionFilter {
  actorId?: string;
  states?: readonly State[];
  /** Updated after this moment (epoch ms). */
  since?: number;
  /** 50 by default. */
  limit?: number;
  /** In the order in which they were asked for. */
  oldestFirst?: boolean;
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
  get(id: string): Promise<Action | undefined>;
  /** The most recently updated first, unless the filter says otherwise. */
  list(filter: ActionFilter): Promise<Action[]>;
  /**
   * Actions updated at or after `at` (epoch ms), oldest first. If there are more than `limit`, the newest of them.
   */
  since(at: number, limit: number, only?: SinceFilter): Promise<Action[]>;
  /** Actions whose shown input or result names this value (a phone number), newest first. */
  about(value: string, limit?: number, only?: Pick<SinceFilter, 'whole'>): Promise<Action[]>;
  /** The actions that sent rows of a batch. */
  ofBatch(id: string): Promise<Action[]>;
  /** The newest lines of the audit trail, the latest first. */
  audit(limit?: number): Promise<AuditLine[]>;
  counts(): Promise<{ state: State; n: number }[]>;
  /** Number of actions that wait for a person or are running. */
  live(): Promise<number>;
  /** Calls the listener soon after another process has written to the ledger. Returns a function that removes it. */
  onOtherWrites(listener: () => void): () => void;
}

/** The parts of an action that were shown to people. */
const VISIBLE = PLACES.shown | PLACES.result;

/** Reads actions and their audit trail. It has no way to write. */
export class ActionsReader implements ActionsView {
  readonly #db: Database;
  readonly #seal: Seal;

  constructor(db: Database, seal: Seal) {
    this.#db = db;
    this.#seal = seal;
  }

  async get(id: string): Promise<Action | undefined> {
    const row = await this.#db.get<ActionRow>('SELECT * FROM actions WHERE id = ?', id);
    return row && actionOf(row, this.#seal);
  }

  async list(filter: ActionFilter): Promise<Action[]> {
    const conditions: string[] = [filter.whole ? 'part_of IS NULL' : '1=1'];
    const values: Value[] = [];
    if (filter.actorId !== undefined) {
      conditions.push('actor_id = ?');
      values.push(filter.actorId);
    }
    if (filter.states) {
      conditions.push(`state IN (${marks(filter.states)})`);
      values.push(...filter.states);
    }
    if (filter.since !== undefined) {
      conditions.push('updated_at > ?');
      values.push(filter.since);
    }
    const order = filter.oldestFirst ? 'created_at, id' : 'updated_at DESC';
    const sql = `SELECT * FROM actions WHERE ${conditions.join(' AND ')} ORDER BY ${order} LIMIT ?`;
    return (await this.#db.all<ActionRow>(sql, ...values, filter.limit ?? 50)).map((row) => actionOf(row, this.#seal));
  }

  async since(at: number, limit: number, only: SinceFilter = {}): Promise<Action[]> {
    const { about = [], until = Number.MAX_SAFE_INTEGER } = only;
    const whole = only.whole ? 'a.part_of IS NULL' : '1=1';
    const [first, ...others] = about;
    const rows =
      first === undefined
        ? await this.#db.all<ActionRow>(
            `SELECT a.* FROM actions a WHERE a.updated_at >= ? AND a.updated_at < ? AND ${whole}
               ORDER BY a.updated_at DESC LIMIT ?`,
            at,
            until,
            limit,
          )
        : await this.#db.all<ActionRow>(
            `SELECT a.* FROM action_names n CROSS JOIN actions a
               WHERE n.value = ? AND n.updated_at >= ? AND n.updated_at < ? AND (n.places & ${VISIBLE}) <> 0
                 AND a.id = n.action AND ${whole} ${others.map(() => `AND ${NAMES_TOO}`).join(' ')}
               ORDER BY n.updated_at DESC LIMIT ?`,
            first,
            at,
            until,
            ...others,
            limit,
          );
    return rows.map((row) => actionOf(row, this.#seal)).reverse();
  }

  async about(value: string, limit = 5, only: Pick<SinceFilter, 'whole'> = {}): Promise<Action[]> {
    return (await this.since(0, limit, { ...only, about: [value] })).reverse();
  }

  async ofBatch(id: string): Promise<Action[]> {
    const rows = await this.#db.all<ActionRow>('SELECT * FROM actions WHERE batch = ? ORDER BY created_at', id);
    return rows.map((row) => actionOf(row, this.#seal));
  }

  audit(limit = 100): Promise<AuditLine[]> {
    return readAudit(this.#db, limit);
  }

  counts(): Promise<{ state: State; n: number }[]> {
    return readCounts(this.#db);
  }

  async live(): Promise<number> {
    const row = await this.#db.get<{ n: number }>(
      `SELECT count(*) AS n FROM actions WHERE state IN ('pending','confirmed','in_flight')`,
    );
    return row?.n ?? 0;
  }

  onOtherWrites(listener: () => void): () => void {
    return this.#db.onOtherWrites(listener);
  }
}

const NAMES_TOO = `EXISTS (SELECT 1 FROM action_names m
  WHERE m.action = n.action AND m.value = ? AND (m.places & ${VISIBLE}) <> 0)`;
