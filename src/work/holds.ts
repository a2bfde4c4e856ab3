import type { Clock } from '../lib/clock.ts';
import { SwitchboardError } from '../lib/errors.ts';
import type { Fields } from '../lib/values.ts';
import { marks } from '../store/key-values.ts';
import type { Database, Queries } from '../store/types.ts';

/** A claim ends after this time unless it is renewed. */
export const LEASE_MS = 30_000;
/** Maximum number of rows in one statement. */
const ROWS = 100;

/** A process that holds jobs. */
export interface Holder {
  database: Database;
  clock: Clock;
  /** Id under which the process claims jobs. */
  owner: string;
}

/** The job that runs if the process no longer renews its hold. */
export interface Hold {
  kind: string;
  payload?: Fields;
}

/** The kind of a hold that needs nothing done when its process is gone. */
export const HOLD = 'hold';

/**
 * Jobs that this process claims without running a handler: it does the work itself, or keeps others from doing it. If
 * the process dies, the claim ends, and the handler of the kind runs in another process.
 */
export class Holds {
  readonly #holder: Holder;

  constructor(holder: Holder) {
    this.#holder = holder;
  }

  /** Takes or renews all of these keys, or none. False if another process holds one of them. */
  async take(keys: readonly string[], { kind, payload = {} }: Hold = { kind: HOLD }): Promise<boolean> {
    const { database, clock, owner } = this.#holder;
    try {
      await database.transaction(async (queries) => {
        const now = clock.now();
        for (const some of chunks(keys, ROWS)) {
          const taken = await queries.run(
            `INSERT INTO jobs (kind, key, subject, payload, run_at, added_at, claimed_by, claimed_until)
               VALUES ${some.map(() => `(?, ?, '', ?, ?, ?, ?, ?)`).join(', ')}
               ON CONFLICT (key) WHERE dead_at IS NULL DO UPDATE SET claimed_by = excluded.claimed_by,
                 claimed_until = excluded.claimed_until
                 WHERE jobs.claimed_by = excluded.claimed_by OR jobs.claimed_until <= ?`,
            ...some.flatMap((key) => [kind, key, JSON.stringify(payload), now, now, owner, now + LEASE_MS]),
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
  async release(keys: readonly string[]): Promise<void> {
    const { database, owner } = this.#holder;
    for (const some of chunks(keys, ROWS))
      await database.run(`DELETE FROM jobs WHERE claimed_by = ? AND key IN (${marks(some)})`, owner, ...some);
  }

  /** Extends the claims of these keys that this process still has. */
  async renew(keys: readonly string[]): Promise<void> {
    const { database, clock, owner } = this.#holder;
    for (const some of chunks(keys, ROWS))
      await database.run(
        `UPDATE jobs SET claimed_until = ? WHERE claimed_by = ? AND key IN (${marks(some)})`,
        ...[clock.now() + LEASE_MS, owner, ...some],
      );
  }
}

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
