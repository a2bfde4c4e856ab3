import { type Clock, DAY_MS, SECOND_MS } from '../lib/clock.ts';
import { Blocked, NeedsPerson, SwitchboardError, Unavailable } from '../lib/errors.ts';
import type { Fields } from '../lib/values.ts';
import { type Columns, isStoreUnavailable, marks, update } from '../store/key-values.ts';
import type { Database, Queries, Transaction, Value } from '../store/types.ts';

/** A claim ends after this time unless it is renewed. */
export const LEASE_MS = 30_000;
/** Maximum number of rows in one statement. */
const ROWS = 100;

/** The kind of a hold that needs nothing done when its process is gone. */
export const HOLD = 'hold';

/**
 * Extends the claim of one job within a transaction. Resolves to its new end (epoch ms); undefined if another process
 * has claimed the job, or there is none.
 */
export async function extendHold(
  queries: Queries,
  key: string,
  { owner, now }: { owner: string; now: number },
): Promise<number | undefined> {
  const until = now + LEASE_MS;
  const extended = await queries.run(
    `UPDATE jobs SET claimed_by = ?, claimed_until = ?
       WHERE key = ? AND dead_at IS NULL AND (claimed_by = ? OR claimed_until <= ?)`,
    ...[owner, until, key, owner, now],
  );
  return extended === 1 ? until : undefined;
}

/**
 * Locks the holds of these keys until the transaction ends, so that no other process can take them before. Throws
 * `takenOver` if this process has lost one of them. A hold whose time is over counts, unless another process took it.
 */
export async function requireHolds(queries: Queries, keys: readonly string[], owner: string): Promise<void> {
  for (const some of chunks(keys, ROWS)) {
    const held = await queries.all(
      `SELECT 1 FROM jobs WHERE claimed_by = ? AND dead_at IS NULL AND key IN (${marks(some)}) ORDER BY key FOR UPDATE`,
      ...[owner, ...some],
    );
    if (held.length < some.length) throw takenOver();
  }
}

/** The error of a call that was withdrawn before it was sent, because another process has taken its work over. */
export function takenOver(): SwitchboardError {
  const message = 'The call was withdrawn before it was sent: another process has taken it over.';
  return new SwitchboardError({ code: 'unavailable', message, effect: 'nothing_sent', outcome: 'not_done' });
}

/** Another process holds a key: the transaction is rolled back. */
class Taken extends Error {}

/** Lists for one statement each. */
export function chunks<T>(list: readonly T[], size = 500): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
}

/** A job to add. */
export interface NewJob {
  /** Names the handler. */
  kind: string;
  /** At most one open job has this key. Adding it again makes the open job run again. */
  key?: string;
  /**
   * Jobs of one subject run one after another, in the order in which they were added. If left out, they run in any
   * order.
   */
  subject?: string;
  payload?: Fields;
  /** Epoch ms; now if left out. */
  runAt?: number;
  /** The process that does the work itself. The handler runs only if that process no longer renews its claim. */
  heldBy?: string;
}

export interface Job {
  id: number;
  kind: string;
  key: string | undefined;
  subject: string;
  payload: Fields;
  /** Failures so far. */
  attempts: number;
  /** Epoch ms. */
  addedAt: number;
  /** The time (epoch ms) at which it was due. */
  runAt: number;
  /** The number of times it had been added when it was read. */
  timesAdded: number;
  lastError: string | undefined;
}

/** Queries in a transaction of the store. */
export type Write = (tx: Transaction) => Promise<void>;

const COLUMNS = `id, kind, key, subject, payload, attempts, added_at AS "addedAt", run_at AS "runAt",
  times_added AS "timesAdded", last_error AS "lastError"`;

const MAX_REASON = 500;

/** Condition of a job that can be claimed: it is due, and the first open one of its subject. The time is given twice. */
const CLAIMABLE = `j.dead_at IS NULL AND j.run_at <= ? AND j.claimed_until <= ? AND (j.subject = '' OR NOT EXISTS (
  SELECT 1 FROM jobs e WHERE e.subject = j.subject AND e.subject <> '' AND e.id < j.id AND e.dead_at IS NULL))`;

const ADD = `INSERT INTO jobs (kind, key, subject, payload, run_at, added_at, claimed_by, claimed_until)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) WHERE dead_at IS NULL`;

/**
 * Adds a job in the transaction that causes it, so that both happen or neither. `now`: the transaction's time, epoch
 * ms.
 */
export async function addJob(queries: Queries | Transaction, job: NewJob, now: number): Promise<void> {
  if (job.subject) {
    if (!('lock' in queries)) throw new Error(`a job of ${job.subject} is added outside a transaction`);
    // Ids of one subject are in the order in which other processes see its jobs.
    await queries.lock(`jobs of ${job.subject}`);
  }
  await queries.run(
    `${ADD} DO UPDATE SET times_added = jobs.times_added + 1, payload = excluded.payload,
       run_at = CASE WHEN jobs.run_at < excluded.run_at THEN jobs.run_at ELSE excluded.run_at END`,
    ...valuesOf(job, now),
  );
}

/** Removes the open job with this key. A run that is under way is not stopped. */
export async function removeJob(queries: Queries, key: string): Promise<void> {
  await queries.run('DELETE FROM jobs WHERE key = ? AND dead_at IS NULL', key);
}

/** Deletes dead jobs. Resolves to them. */
export async function dropJobs(queries: Queries, ids: readonly number[]): Promise<Job[]> {
  const sql = `DELETE FROM jobs WHERE dead_at IS NOT NULL AND id IN (${marks(ids)}) RETURNING ${COLUMNS}`;
  return (await queries.all<Job>(sql, ...ids)).map(jobOf);
}

function valuesOf({ kind, key, subject = '', payload, runAt, heldBy }: NewJob, now: number): Value[] {
  const claim = heldBy === undefined ? [null, 0] : [heldBy, now + LEASE_MS];
  return [kind, key ?? null, subject, JSON.stringify(payload ?? {}), runAt ?? now, now, ...claim];
}

/** The table of jobs, which run later. A finished job is deleted; one that failed for good is on the dead list. */
export class Jobs {
  readonly #db: Database;
  readonly #clock: Clock;
  /** Id under which this process claims jobs. */
  readonly owner: string;

  constructor(options: { database: Database; clock: Clock; owner: string }) {
    this.#db = options.database;
    this.#clock = options.clock;
    this.owner = options.owner;
  }

  /** Adds a job in a separate transaction. */
  add(job: NewJob): Promise<void> {
    return this.#db.transaction((tx) => addJob(tx, job, this.#clock.now()));
  }

  /** Adds a job unless an open one has its key. */
  async ensure(job: Omit<NewJob, 'subject'> & { key: string }): Promise<void> {
    await this.#db.run(`${ADD} DO NOTHING`, ...valuesOf(job, this.#clock.now()));
  }

  /**
   * Claims jobs that are due.
   * @param rooms the most jobs of each kind
   */
  async claim(rooms: Readonly<Record<string, number>>): Promise<Job[]> {
    const kinds = await this.#dueKinds(Object.keys(rooms).filter((kind) => (rooms[kind] ?? 0) > 0));
    if (kinds.length === 0) return [];
    const rows = await this.#db.transaction(async (tx) => {
      const claimed: Job[] = [];
      const now = await tx.now();
      for (const kind of kinds)
        claimed.push(
          ...(await tx.all<Job>(
            `UPDATE jobs SET claimed_by = ?, claimed_until = ? WHERE id IN (SELECT j.id FROM jobs j
               WHERE j.kind = ? AND ${CLAIMABLE} ORDER BY j.run_at, j.id LIMIT ? FOR UPDATE OF j SKIP LOCKED) RETURNING ${COLUMNS}`,
            ...[this.owner, now + LEASE_MS, kind, now, now, rooms[kind] ?? 0],
          )),
        );
      return claimed;
    });
    return rows.map(jobOf).sort((a, b) => a.runAt - b.runAt || a.id - b.id);
  }

  /** The kinds of which a job is due. Read before a claim, which locks the file of SQLite. */
  async #dueKinds(kinds: readonly string[]): Promise<string[]> {
    if (kinds.length === 0) return [];
    const now = this.#clock.now();
    const rows = await this.#db.all<{ kind: string }>(
      `WITH k (kind) AS (VALUES ${kinds.map(() => '(?)').join(', ')})
         SELECT k.kind FROM k WHERE EXISTS (SELECT 1 FROM jobs j WHERE j.kind = k.kind AND ${CLAIMABLE})`,
      ...[...kinds, now, now],
    );
    return rows.map(({ kind }) => kind);
  }

  /** Time (epoch ms) when the next job of these kinds falls due or its claim ends; undefined if there is none. */
  async nextAt(kinds: readonly string[]): Promise<number | undefined> {
    if (kinds.length === 0) return undefined;
    const now = this.#clock.now();
    const rows = await this.#db.all<{ at: number | null }>(
      `WITH k (kind) AS (VALUES ${kinds.map(() => '(?)').join(', ')})
         SELECT (SELECT min(j.run_at) FROM jobs j WHERE j.kind = k.kind AND j.dead_at IS NULL AND j.run_at > ?) AS at
         FROM k UNION ALL SELECT min(claimed_until) AS at FROM jobs
           WHERE claimed_until > 0 AND claimed_until > ? AND dead_at IS NULL AND kind IN (SELECT kind FROM k)`,
      ...[...kinds, now, now],
    );
    const times = rows.flatMap(({ at }) => at ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Extends claims and the holds of these keys. Resolves to the ids of the jobs that this process still has. */
  async renew(ids: readonly number[], keys: readonly string[]): Promise<number[]> {
    if (ids.length + keys.length === 0) return [];
    const rows = await this.#db.all<{ id: number }>(
      `UPDATE jobs SET claimed_until = ? WHERE claimed_by = ? AND (id IN (${marks(ids)}) OR key IN (${marks(keys)}))
         RETURNING id`,
      ...[this.#clock.now() + LEASE_MS, this.owner, ...ids, ...keys],
    );
    return rows.map(({ id }) => id);
  }

  /** True while the job is claimed by this process. */
  async isMine(id: number): Promise<boolean> {
    const row = await this.#db.get(
      'SELECT 1 FROM jobs WHERE id = ? AND claimed_by = ? AND claimed_until > ?',
      ...[id, this.owner, this.#clock.now()],
    );
    return row !== undefined;
  }

  /**
   * Ends a job. It runs again if it was added again meanwhile.
   * @param write what its handler writes in the same transaction. Left out if another process has claimed the job.
   */
  async done({ id, timesAdded }: Job, write?: Write): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const sql = 'DELETE FROM jobs WHERE id = ? AND claimed_by = ? AND times_added = ?';
      const free = 'UPDATE jobs SET claimed_by = NULL, claimed_until = 0, attempts = 0 WHERE id = ? AND claimed_by = ?';
      const isMine = (await tx.run(sql, id, this.owner, timesAdded)) > 0 || (await tx.run(free, id, this.owner)) > 0;
      if (isMine) await write?.(tx);
    });
  }

  /** Schedules the next run at `runAt` (epoch ms). It runs at once if it was added again meanwhile. */
  async again({ id, timesAdded }: Job, runAt: number): Promise<void> {
    await this.#db.run(
      `UPDATE jobs SET run_at = CASE WHEN times_added = ? THEN CAST(? AS BIGINT) ELSE run_at END, claimed_by = NULL,
         claimed_until = 0, attempts = 0, last_error = NULL WHERE id = ? AND claimed_by = ?`,
      ...[timesAdded, runAt, id, this.owner],
    );
  }

  /** Makes the open job with this key due now. */
  async hasten(key: string): Promise<void> {
    await this.#db.run('UPDATE jobs SET run_at = ? WHERE key = ? AND dead_at IS NULL', this.#clock.now(), key);
  }

  /** True while the open job with this key is due or claimed. */
  async isDue(key: string): Promise<boolean> {
    const now = this.#clock.now();
    const due = 'SELECT 1 FROM jobs WHERE key = ? AND dead_at IS NULL AND (run_at <= ? OR claimed_until > ?)';
    return (await this.#db.get(due, key, now, now)) !== undefined;
  }

  /**
   * Schedules the next attempt of a failed job, at `runAt` (epoch ms).
   * @param next.counts false if another system failed, so that the attempt does not count
   */
  async retry(job: Job, { reason, runAt, counts }: { reason: string; runAt: number; counts: boolean }): Promise<void> {
    await this.#failed(job, reason, { run_at: runAt, attempts: job.attempts + (counts ? 1 : 0) });
  }

  /** Moves a job to the dead list. A person may have it tried again. */
  async bury(job: Job, reason: string): Promise<void> {
    await this.#failed(job, reason, { dead_at: this.#clock.now(), attempts: job.attempts + 1 });
  }

  async #failed({ id }: Job, reason: string, columns: Columns): Promise<void> {
    const set = { ...columns, claimed_by: null, claimed_until: 0, last_error: reason.slice(0, MAX_REASON) };
    await update(this.#db, 'jobs', set, 'id = ? AND claimed_by = ?', id, this.owner);
  }

  /** Releases every claim of this process, so that another process can continue at once. */
  async release(): Promise<void> {
    await this.#db.run('UPDATE jobs SET claimed_by = NULL, claimed_until = 0 WHERE claimed_by = ?', this.owner);
  }

  /**
   * Takes or renews the holds of all of these keys, or of none. A hold is a job that this process claims without running
   * a handler: it does the work itself, or keeps others from doing it. False if another process holds one of them.
   * @param kind names the handler of the job that runs, in another process, if this one no longer renews its hold
   */
  async hold(keys: readonly string[], kind = HOLD, payload: Fields = {}): Promise<boolean> {
    try {
      await this.#db.transaction(async (queries) => {
        const now = this.#clock.now();
        for (const some of chunks(keys, ROWS)) {
          const taken = await queries.run(
            `INSERT INTO jobs (kind, key, subject, payload, run_at, added_at, claimed_by, claimed_until)
               VALUES ${some.map(() => `(?, ?, '', ?, ?, ?, ?, ?)`).join(', ')}
               ON CONFLICT (key) WHERE dead_at IS NULL DO UPDATE SET claimed_by = excluded.claimed_by,
                 claimed_until = excluded.claimed_until
                 WHERE jobs.claimed_by = excluded.claimed_by OR jobs.claimed_until <= ?`,
            ...some.flatMap((key) => [kind, key, JSON.stringify(payload), now, now, this.owner, now + LEASE_MS]),
            now,
          );
          if (taken < some.length) throw new Taken();
        }
      });
      return true;
    } catch (error) {
      if (error instanceof Taken) return false;
      throw error;
    }
  }

  /** Ends the holds of these keys that this process has. */
  async endHolds(keys: readonly string[]): Promise<void> {
    for (const some of chunks(keys, ROWS))
      await this.#db.run(`DELETE FROM jobs WHERE claimed_by = ? AND key IN (${marks(some)})`, this.owner, ...some);
  }

  /** The newest jobs of these kinds on the dead list, newest first. */
  async dead(kinds: readonly string[], limit = Number.MAX_SAFE_INTEGER): Promise<Job[]> {
    const sql = `SELECT ${COLUMNS} FROM jobs WHERE dead_at IS NOT NULL AND kind IN (${marks(kinds)}) ORDER BY id DESC LIMIT ?`;
    return (await this.#db.all<Job>(sql, ...kinds, limit)).map(jobOf);
  }

  /**
   * Tries dead jobs again, except those whose key an open job has. They go before later jobs of their subjects.
   * Resolves to their number.
   */
  async revive(ids: readonly number[]): Promise<number> {
    let revived = 0;
    for (const some of chunks(ids))
      revived += await this.#db.run(
        `UPDATE jobs SET dead_at = NULL, attempts = 0, run_at = ?, added_at = ?
           WHERE dead_at IS NOT NULL AND id IN (${marks(some)})
             AND NOT EXISTS (SELECT 1 FROM jobs o WHERE o.key = jobs.key AND o.dead_at IS NULL)`,
        this.#clock.now(),
        this.#clock.now(),
        ...some,
      );
    return revived;
  }

  /** Open and dead jobs by kind: of these kinds, or of all. `oldestAt`: when the oldest open one was added, epoch ms. */
  counts(kinds?: readonly string[]): Promise<{ kind: string; open: number; dead: number; oldestAt: number | null }[]> {
    return this.#db.all(
      `SELECT kind, sum(CASE WHEN dead_at IS NULL THEN 1 ELSE 0 END) AS open,
         sum(CASE WHEN dead_at IS NULL THEN 0 ELSE 1 END) AS dead,
         min(CASE WHEN dead_at IS NULL THEN added_at END) AS "oldestAt"
         FROM jobs ${kinds === undefined ? '' : `WHERE kind IN (${marks(kinds)})`} GROUP BY kind ORDER BY kind`,
      ...(kinds ?? []),
    );
  }

  /** Calls the listener soon after another process has written. Returns a function that removes it. */
  onOtherWrites(listener: () => void): () => void {
    return this.#db.onOtherWrites(listener);
  }
}

/** A job from its row, whose payload is JSON. */
function jobOf(row: Job): Job {
  const payload = JSON.parse(String(row.payload)) as Fields;
  return { ...row, payload, key: row.key ?? undefined, lastError: row.lastError ?? undefined };
}

const MAX_ATTEMPTS = 10;
/** The longest wait between attempts, unless the caller has a shorter limit. */
const LONGEST_BACKOFF_MS = 300_000;
/** A job that fails only because another system is down moves to the dead list after three days. */
const MAX_OUTAGE_MS = 3 * DAY_MS;

/** The wait in ms after failure number `failures` (1 is the first): 1, 2, 4 … seconds, at most `longest` ms. */
export function backoff(failures: number, longest = LONGEST_BACKOFF_MS): number {
  return Math.min(longest, SECOND_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
}

/** True if a job that fails with this error is not tried again. `now`: epoch ms. */
export function isLast(job: Job, error: unknown, now: number): boolean {
  if (error instanceof Blocked) return false;
  if (isOutage(error)) return now - job.addedAt >= MAX_OUTAGE_MS;
  return error instanceof NeedsPerson || job.attempts + 1 >= MAX_ATTEMPTS;
}

/** True if another system is down, so that the attempt does not count. */
export function isOutage(error: unknown): boolean {
  return error instanceof Unavailable || isStoreUnavailable(error);
}

/** Another process has claimed the job. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}
