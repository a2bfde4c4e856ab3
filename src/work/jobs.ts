import type { Clock } from '../lib/clock.ts';
import type { Fields } from '../lib/json.ts';
import type { Database, Queries } from '../store/types.ts';
import { Holds, LEASE_MS } from './holds.ts';

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
  lastError: string | undefined;
}

/** A job that this process may run now. */
export interface ClaimedJob extends Job {
  /** The number of times it had been added when it was claimed. */
  readonly timesAdded: number;
}

interface Row {
  id: number;
  kind: string;
  key: string | null;
  subject: string;
  payload: string;
  run_at: number;
  added_at: number;
  attempts: number;
  times_added: number;
  last_error: string | null;
}

/** The next attempt of a failed job. */
export interface Retry {
  reason: string;
  /** Epoch ms. */
  runAt: number;
  /** False if another system failed, so that the attempt does not count. */
  counts: boolean;
}

const MAX_REASON = 500;
/** Selects open jobs that have no earlier open job of the same subject. */
const FIRST = `(j.subject = '' OR NOT EXISTS (SELECT 1 FROM jobs e
  WHERE e.subject = j.subject AND e.id < j.id AND e.dead_at IS NULL))`;

/**
 * Adds a job in the transaction that causes it, so that both happen or neither. `now`: the transaction's time, epoch
 * ms.
 */
export async function addJob(queries: Queries, job: NewJob, now: number): Promise<void> {
  await queries.run(
    `INSERT INTO jobs (kind, key, subject, payload, run_at, added_at, claimed_by, claimed_until)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) WHERE dead_at IS NULL DO UPDATE SET times_added = jobs.times_added + 1, payload = excluded.payload,
         run_at = CASE WHEN jobs.run_at < excluded.run_at THEN jobs.run_at ELSE excluded.run_at END`,
    job.kind,
    job.key ?? null,
    job.subject ?? '',
    JSON.stringify(job.payload ?? {}),
    job.runAt ?? now,
    now,
    job.heldBy ?? null,
    job.heldBy === undefined ? 0 : now + LEASE_MS,
  );
}

/** Removes the open job with this key. A run that is under way is not stopped. */
export async function removeJob(queries: Queries, key: string): Promise<void> {
  await queries.run('DELETE FROM jobs WHERE key = ? AND dead_at IS NULL', key);
}

/** The table of jobs, which run later. A finished job is deleted; one that failed for good is on the dead list. */
export class Jobs {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #owner: string;
  /** Jobs that this process does without a handler. */
  readonly holds: Holds;

  /** @param owner id under which this process claims jobs */
  constructor(options: { database: Database; clock: Clock; owner: string }) {
    this.#db = options.database;
    this.#clock = options.clock;
    this.#owner = options.owner;
    this.holds = new Holds(options);
  }

  /** Id under which this process claims jobs. */
  get owner(): string {
    return this.#owner;
  }

  /** Adds a job in a separate transaction. */
  add(job: NewJob): Promise<void> {
    return addJob(this.#db, job, this.#clock.now());
  }

  /** Adds a job with a key unless it is there already. */
  async ensure(job: NewJob & { key: string }): Promise<void> {
    const there = await this.#db.get('SELECT 1 FROM jobs WHERE key = ? AND dead_at IS NULL', job.key);
    if (there === undefined) await this.add(job);
  }

  /** Claims up to `limit` jobs of these kinds that are due, for `leaseMs`. */
  async claim(kinds: readonly string[], limit: number, leaseMs: number): Promise<ClaimedJob[]> {
    const due = `SELECT j.id FROM jobs j WHERE j.dead_at IS NULL AND j.run_at <= ? AND j.claimed_until <= ?
      AND j.kind IN (${marks(kinds)}) AND ${FIRST} ORDER BY j.run_at, j.id LIMIT ?`;
    const now = this.#clock.now();
    // Reads first, so that nothing is written when nothing is due.
    if ((await this.#db.get(due, now, now, ...kinds, 1)) === undefined) return [];
    return this.#db.transaction(async (tx) => {
      const now = await tx.now();
      const rows = await tx.all<Row>(
        `UPDATE jobs SET claimed_by = ?, claimed_until = ? WHERE id IN (${due} FOR UPDATE OF j SKIP LOCKED) RETURNING *`,
        ...[this.#owner, now + leaseMs, now, now, ...kinds, limit],
      );
      return rows.sort((a, b) => a.id - b.id).map((row) => ({ ...jobOf(row), timesAdded: row.times_added }));
    });
  }

  /** Time (epoch ms) when the next job of these kinds falls due or its claim ends; undefined if there is none. */
  async nextAt(kinds: readonly string[]): Promise<number | undefined> {
    const now = this.#clock.now();
    const next = (column: 'run_at' | 'claimed_until') =>
      this.#db.get<{ at: number | null }>(
        `SELECT min(${column}) AS at FROM jobs WHERE dead_at IS NULL AND ${column} > ? AND kind IN (${marks(kinds)})`,
        now,
        ...kinds,
      );
    const times = [(await next('run_at'))?.at, (await next('claimed_until'))?.at].filter((at) => at != null);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Extends claims. Resolves to the ids that this process still holds. */
  async renew(ids: readonly number[], leaseMs: number): Promise<number[]> {
    const rows = await this.#db.all<{ id: number }>(
      `UPDATE jobs SET claimed_until = ? WHERE claimed_by = ? AND id IN (${marks(ids)}) RETURNING id`,
      this.#clock.now() + leaseMs,
      this.#owner,
      ...ids,
    );
    return rows.map(({ id }) => id);
  }

  /** True while the job is claimed by this process. */
  async isMine(id: number): Promise<boolean> {
    const row = await this.#db.get(
      'SELECT 1 FROM jobs WHERE id = ? AND claimed_by = ? AND claimed_until > ?',
      ...[id, this.#owner, this.#clock.now()],
    );
    return row !== undefined;
  }

  /** Ends a job. It runs again if it was added again meanwhile. */
  async done({ id, timesAdded }: ClaimedJob): Promise<void> {
    const deleted = await this.#db.run(
      'DELETE FROM jobs WHERE id = ? AND claimed_by = ? AND times_added = ?',
      ...[id, this.#owner, timesAdded],
    );
    if (deleted === 0) await this.#free(id);
  }

  /** Schedules the next run of a repeating job at `runAt` (epoch ms). */
  async again({ id }: ClaimedJob, runAt: number): Promise<void> {
    await this.#db.run(
      `UPDATE jobs SET run_at = ?, claimed_by = NULL, claimed_until = 0, attempts = 0, last_error = NULL
         WHERE id = ? AND claimed_by = ?`,
      ...[runAt, id, this.#owner],
    );
  }

  /** Schedules the next attempt of a failed job. */
  async retry({ id }: ClaimedJob, { reason, runAt, counts }: Retry): Promise<void> {
    await this.#db.run(
      `UPDATE jobs SET run_at = ?, claimed_by = NULL, claimed_until = 0, attempts = attempts + ?, last_error = ?
         WHERE id = ? AND claimed_by = ?`,
      ...[runAt, counts ? 1 : 0, reason.slice(0, MAX_REASON), id, this.#owner],
    );
  }

  /** Moves a job to the dead list. A person may have it tried again. */
  async bury({ id }: ClaimedJob, reason: string): Promise<void> {
    await this.#db.run(
      `UPDATE jobs SET dead_at = ?, claimed_by = NULL, claimed_until = 0, attempts = attempts + 1, last_error = ?
         WHERE id = ? AND claimed_by = ?`,
      ...[this.#clock.now(), reason.slice(0, MAX_REASON), id, this.#owner],
    );
  }

  /** Releases every claim of this process, so that another process can continue at once. */
  async release(): Promise<void> {
    await this.#db.run('UPDATE jobs SET claimed_by = NULL, claimed_until = 0 WHERE claimed_by = ?', this.#owner);
  }

  /** The newest jobs of the dead list, newest first. */
  async dead(limit: number, kind?: string): Promise<Job[]> {
    const [which, values] = kind === undefined ? ['', []] : ['AND kind = ?', [kind]];
    const rows = await this.#db.all<Row>(
      `SELECT * FROM jobs WHERE dead_at IS NOT NULL ${which} ORDER BY id DESC LIMIT ?`,
      ...values,
      limit,
    );
    return rows.map(jobOf);
  }

  /** Tries dead jobs again, except those whose key an open job has. Resolves to their number. */
  revive(ids: readonly number[]): Promise<number> {
    return this.#db.run(
      `UPDATE jobs SET dead_at = NULL, attempts = 0, run_at = ? WHERE dead_at IS NOT NULL AND id IN (${marks(ids)})
         AND NOT EXISTS (SELECT 1 FROM jobs o WHERE o.key = jobs.key AND o.dead_at IS NULL)`,
      this.#clock.now(),
      ...ids,
    );
  }

  /** Deletes dead jobs. Resolves to their number. */
  drop(ids: readonly number[]): Promise<number> {
    return this.#db.run(`DELETE FROM jobs WHERE dead_at IS NOT NULL AND id IN (${marks(ids)})`, ...ids);
  }

  /** Open and dead jobs by kind, and when the oldest open one was added (epoch ms). */
  counts(): Promise<{ kind: string; open: number; dead: number; oldestAt: number | null }[]> {
    return this.#db.all(
      `SELECT kind, sum(CASE WHEN dead_at IS NULL THEN 1 ELSE 0 END) AS open,
         sum(CASE WHEN dead_at IS NULL THEN 0 ELSE 1 END) AS dead,
         min(CASE WHEN dead_at IS NULL THEN added_at END) AS "oldestAt" FROM jobs GROUP BY kind ORDER BY kind`,
    );
  }

  /** Calls the listener soon after another process has written. Returns a function that removes it. */
  onOtherWrites(listener: () => void): () => void {
    return this.#db.onOtherWrites(listener);
  }

  async #free(id: number): Promise<void> {
    await this.#db.run(
      'UPDATE jobs SET claimed_by = NULL, claimed_until = 0, attempts = 0 WHERE id = ? AND claimed_by = ?',
      ...[id, this.#owner],
    );
  }
}

function jobOf(row: Row): Job {
  return {
    id: row.id,
    kind: row.kind,
    key: row.key ?? undefined,
    subject: row.subject,
    payload: JSON.parse(row.payload) as Fields,
    attempts: row.attempts,
    addedAt: row.added_at,
    lastError: row.last_error ?? undefined,
  };
}

function marks(values: readonly unknown[]): string {
  return values.length === 0 ? 'NULL' : values.map(() => '?').join(', ');
}
