import { setImmediate as otherWork } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import { changed, SwitchboardError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Database, Queries, Value } from './types.ts';

/** Names the use of a value. Each kind has its own keys. */
type ValueKind =
  | 'handled request'
  | 'answered message'
  | 'offer'
  | 'sign-in link'
  | 'session'
  | 'page server'
  | 'batch card'
  | 'event message';

interface Row {
  key: string;
  value: string;
}

/** The expiry of a value that is kept until it is removed. */
export const NEVER = Number.MAX_SAFE_INTEGER;
/** Interval between deletions of expired values. */
const DELETE_EVERY_MS = 60_000;

/** Short values of one kind, shared by all processes, each until it expires or is removed. */
export class KeyValues {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #kind: ValueKind;
  #deletedAt = Number.NEGATIVE_INFINITY;

  constructor(options: { database: Database; clock: Clock; kind: ValueKind }) {
    this.#db = options.database;
    this.#clock = options.clock;
    this.#kind = options.kind;
  }

  /** Adds a value under each key. False if there is one of them, also if two processes ask at once. `until`: epoch ms. */
  async add(keys: string | readonly string[], until: number, value = ''): Promise<boolean> {
    await this.#deleteExpired();
    const all = [keys].flat();
    const rows = all.map(() => '(?, ?, ?, ?)').join(', ');
    const sql = `INSERT INTO key_values (kind, key, value, expires_at) VALUES ${rows} ON CONFLICT DO NOTHING`;
    return (await this.#db.run(sql, ...all.flatMap((key) => [this.#kind, key, value, until]))) === all.length;
  }

  /** Removes a value. True once, for a value that has not expired. */
  async take(key: string): Promise<boolean> {
    const sql = 'DELETE FROM key_values WHERE kind = ? AND key = ? AND expires_at > ?';
    return (await this.#db.run(sql, this.#kind, key, this.#clock.now())) === 1;
  }

  /** Undefined if there is no such value, or it has expired. */
  async get(key: string, queries: Queries = this.#db): Promise<string | undefined> {
    const sql = 'SELECT value FROM key_values WHERE kind = ? AND key = ? AND expires_at > ?';
    return (await queries.get<{ value: string }>(sql, this.#kind, key, this.#clock.now()))?.value;
  }

  /** All values that have not expired. */
  all(): Promise<Row[]> {
    const sql = 'SELECT key, value FROM key_values WHERE kind = ? AND expires_at > ?';
    return this.#db.all<Row>(sql, this.#kind, this.#clock.now());
  }

  /**
   * Replaces the value of a key, while no other process does. `change` gets the value, and returns the new one, or
   * undefined to remove it. It may run more than once.
   */
  async change(key: string, until: number, change: (value: string | undefined) => string | undefined): Promise<void> {
    await this.#deleteExpired();
    await this.#db.transaction(async (tx) => {
      await tx.lock(`${this.#kind} ${key}`);
      const before = await this.get(key, tx);
      const value = change(before);
      if (value === before) return;
      await tx.run('DELETE FROM key_values WHERE kind = ? AND key = ?', this.#kind, key);
      if (value === undefined) return;
      const insert = 'INSERT INTO key_values (kind, key, value, expires_at) VALUES (?, ?, ?, ?)';
      await tx.run(insert, this.#kind, key, value, until);
    });
  }

  async #deleteExpired(): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#deletedAt <= DELETE_EVERY_MS) return;
    this.#deletedAt = now;
    await this.#db.run('DELETE FROM key_values WHERE kind = ? AND expires_at <= ?', this.#kind, now);
  }
}

/* Parts of statements that are written from values. Names of tables and columns are the program's own. */

/** A column for each member. */
export type Columns = Record<string, Value>;

/** A mark for each value, for `IN (…)`, which is true for nothing if there are none. */
export function marks(values: readonly unknown[]): string {
  return values.length === 0 ? 'NULL' : values.map(() => '?').join(', ');
}

/** A value as JSON; null for none. */
export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Queries by what runs a statement, and what reads its rows. */
export function queriesOf(
  run: (sql: string, values: Value[]) => Promise<number>,
  all: (sql: string, values: Value[]) => Promise<unknown[]>,
): Queries {
  return {
    run: (sql, ...values) => run(sql, values),
    get: async <Row>(sql: string, ...values: Value[]) => (await all(sql, values))[0] as Row | undefined,
    all: async <Row>(sql: string, ...values: Value[]) => (await all(sql, values)) as Row[],
  };
}

/** Writes rows with the same columns in one statement. */
export async function insert(queries: Queries, table: string, rows: readonly Columns[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => columns.map((name) => row[name] ?? null));
  await queries.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values.map((row) => `(${marks(row)})`).join(', ')}`,
    ...values.flat(),
  );
}

/** Sets columns of the rows that `where` is true for. Resolves to their number. `values`: those of `where`. */
export function update(
  queries: Queries,
  table: string,
  set: Columns,
  where: string,
  ...values: Value[]
): Promise<number> {
  const sets = Object.keys(set).map((name) => `${name} = ?`);
  return queries.run(`UPDATE ${table} SET ${sets.join(', ')} WHERE ${where}`, ...Object.values(set), ...values);
}

/** Repeats a step until it changes fewer than `size` rows. Other work can use the database between two steps. */
export async function inSteps(size: number, step: () => Promise<number>): Promise<number> {
  for (let total = 0; ; await otherWork()) {
    const changed = await step();
    total += changed;
    if (changed < size) return total;
  }
}

/** An attempt that fails in less time may be repeated by any caller. */
const SLOW_MS = 500;
/** Minimum time between two slow attempts to reach a database that is away. */
const PROBE_MS = 1_000;

/**
 * Knows whether the database is away. Logs it once when it is lost and once when it is back, however many callers find
 * out, so that they need not log it.
 */
export class Outage {
  readonly #log: Log;
  #reason: Error | undefined;
  /** True if the last attempt was slow. */
  #isSlow = false;
  /** The time of the next attempt during an outage, on the scale of `performance.now()`. */
  #probeAt = 0;
  #refuse: () => void = () => undefined;
  /** Resolves when the data turns out to be of another program. */
  readonly refused = new Promise<void>((resolve) => {
    this.#refuse = resolve;
  });

  constructor(log: Log = () => undefined) {
    this.#log = log;
  }

  /** The failure that began the outage; undefined while the database is available. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** Returns the error that a caller gets. */
  failed<E>(error: E): E {
    if (error instanceof UnusableStore) this.#refuse();
    if (!isStoreUnavailable(error) || this.#reason !== undefined) return error;
    this.#reason = error;
    this.#log('error', { error: error.detail }, 'the database is not available: reads go on, changes are refused');
    return error;
  }

  /** Call it after a success that shows that the database takes writes. */
  ended(): void {
    if (this.#reason === undefined) return;
    this.#reason = undefined;
    this.#log('warn', {}, 'the database is available again');
  }

  /**
   * Runs an attempt to reach the database. If attempts at a database that is away take long, one caller at a time finds
   * out whether it is back, and the others fail at once.
   */
  async attempt<T>(run: () => Promise<T>): Promise<T> {
    const reason = this.#reason;
    if (reason !== undefined && performance.now() < this.#probeAt) throw reason;
    const began = performance.now();
    // Until this attempt has ended, the others fail; without an outage they have their own.
    if (reason !== undefined && this.#isSlow) this.#probeAt = Number.POSITIVE_INFINITY;
    try {
      return await run();
    } finally {
      this.#isSlow = performance.now() - began > SLOW_MS;
      this.#probeAt = this.#isSlow ? performance.now() + PROBE_MS : 0;
    }
  }
}

/** The database is away, full or too slow. Callers that had already sent something say so in their own error. */
export function storeUnavailable(cause: unknown): SwitchboardError {
  return new SwitchboardError(
    {
      code: 'unavailable',
      message: 'The database of Switchboard is not available right now.',
      effect: 'nothing_done',
      next: 'Try again in a moment.',
      outcome: 'not_done',
    },
    { detail: `database: ${cause instanceof Error ? cause.message : String(cause)}`, cause },
  );
}

/** The stored data or its database cannot be used by this program, now or later. The message says what to do. */
export class UnusableStore extends SwitchboardError {
  constructor(message: string, cause?: unknown) {
    super({ code: 'unavailable', message, effect: 'stated', outcome: 'not_done' }, { cause });
  }
}

/** True for an error made by `storeUnavailable`. */
export function isStoreUnavailable(error: unknown): error is SwitchboardError {
  return (
    error instanceof SwitchboardError &&
    error.face.code === 'unavailable' &&
    (error.detail ?? '').startsWith('database: ')
  );
}

/**
 * Reads what became of an earlier call or batch. While the database is away, nothing is known about it, so the error
 * does not say that nothing was done.
 */
export async function readOutcome<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    const message = 'The database of Switchboard is not available right now, so what happened cannot be read.';
    throw changed(error, { message, effect: 'stated', outcome: 'unknown' });
  }
}

/** For what goes on without the database: resolves to `otherwise` while it is away. */
export async function readOrElse<T, O>(reading: Promise<T>, otherwise: O): Promise<T | O> {
  try {
    return await reading;
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return otherwise;
  }
}

/** The log level of a failure. The store logs once that the database is away, so that what fails with it need not. */
export function levelOf<L>(error: unknown, level: L): L | 'debug' {
  return isStoreUnavailable(error) ? 'debug' : level;
}

/** True if an error has one of these codes, or a code that begins with one of them. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && codes.some((prefix) => code.startsWith(prefix));
}
