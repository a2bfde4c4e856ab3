import type { Level } from '../catalogue/operation.ts';
import { WAYS, type Way } from '../lib/actor.ts';
import { HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import { objectIn } from '../lib/values.ts';
import { marks } from '../store/key-values.ts';
import type { Database, Queries, Value } from '../store/types.ts';
import { type Action, type ActionRow, actionOf, levelOfAction, type State } from './action.ts';
import type { AuditLine } from './audit.ts';
import { addTotal, PLACES, readCounts } from './lookups.ts';
import type { Seal } from './seal.ts';

export interface ActionFilter {
  actorId?: string | readonly string[];
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
      const ids = [filter.actorId].flat();
      conditions.push(`actor_id IN (${marks(ids)})`);
      values.push(...ids);
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
    return this.#db.all<AuditLine>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?', limit);
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

/** Upper bounds of the times that are counted together, in ms. The longest that a question waits is a day. */
const BOUNDS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 24 * HOUR_MS];
const LEVELS: readonly Level[] = ['own', 'approver'];
/** The bound of a longer time. */
const BEYOND = Number.MAX_SAFE_INTEGER;

/** The times from questions to decisions of one level by one way. */
export interface DecisionTimes {
  level: Level;
  way: Way;
  /** Upper bounds in ms, with the number of decisions up to each. */
  buckets: readonly { upTo: number; count: number }[];
  count: number;
  /** Sum of the times, in ms. */
  ms: number;
}

/** Counts the time from a question to a person's decision. Kept apart from the actions, which are deleted some day. */
export async function countDecision(queries: Queries, row: ActionRow, way: Way): Promise<void> {
  const level = levelOfAction({ known: objectIn(row.known) ?? {} });
  const ms = Math.max(0, (row.decided_at ?? row.created_at) - row.created_at);
  const upTo = BOUNDS.find((bound) => ms <= bound) ?? BEYOND;
  await addTotal(queries, { kind: 'decision', key: `${level} ${way} ${upTo}`, n: 1, ms });
}

/** The times of all decisions, by level and way; those without a decision are there with zeros. */
export async function readDecisionTimes(queries: Queries): Promise<DecisionTimes[]> {
  const sql = `SELECT key, n, ms FROM totals WHERE kind = 'decision'`;
  const rows = (await queries.all<{ key: string; n: number; ms: number }>(sql)).map(({ key, ...row }) => {
    const [level, way, upTo] = key.split(' ');
    return { ...row, level, way, upTo: Number(upTo) };
  });
  return LEVELS.flatMap((level) =>
    WAYS.map((way) => {
      const own = rows.filter((row) => row.level === level && row.way === way);
      const upTo = (bound: number) => sum(own.filter((row) => row.upTo <= bound).map(({ n }) => n));
      const buckets = BOUNDS.map((bound) => ({ upTo: bound, count: upTo(bound) }));
      return { level, way, buckets, count: upTo(BEYOND), ms: sum(own.map(({ ms }) => ms)) };
    }),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
