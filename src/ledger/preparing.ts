import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/types.ts';

/** Time after which a hold ends unless it is renewed. */
const HOLD_MS = 30_000;
const RENEW_MS = 10_000;
/** Interval between attempts of a waiting process to take a value. */
const WAIT_MS = 200;
/** Maximum number of rows in one INSERT. */
const ROWS = 100;

/**
 * The values (phone numbers) for which a process is preparing an exclusive call. Only one process holds a value at a
 * time.
 */
export class Preparing {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #owner: string;

  constructor(db: Database, clock: Clock, owner: string) {
    this.#db = db;
    this.#clock = clock;
    this.#owner = owner;
  }

  /** Waits until no other process holds one of the values, and runs `work` while this one does. */
  async hold<T>(values: readonly string[], work: () => Promise<T>): Promise<T> {
    if (values.length === 0) return work();
    const sorted = [...new Set(values)].sort();
    while (!(await this.#take(sorted))) await this.#pause(WAIT_MS);
    const renewal = new Renewal(this.#clock, () => this.#take(sorted));
    try {
      return await work();
    } finally {
      renewal.stop();
      // A hold that cannot be released expires by itself.
      await this.#release(sorted).catch(() => undefined);
    }
  }

  /** Takes or renews all values, or none. */
  async #take(values: readonly string[]): Promise<boolean> {
    const now = this.#clock.now();
    const until = now + HOLD_MS;
    try {
      await this.#db.transaction(async (queries) => {
        for (let from = 0; from < values.length; from += ROWS) {
          const some = values.slice(from, from + ROWS);
          const taken = await queries.run(
            `INSERT INTO preparing (value, owner, until) VALUES ${some.map(() => '(?, ?, ?)').join(', ')}
               ON CONFLICT (value) DO UPDATE SET owner = excluded.owner, until = excluded.until
                 WHERE preparing.owner = excluded.owner OR preparing.until <= ?`,
            ...some.flatMap((value) => [value, this.#owner, until]),
            now,
          );
          if (taken < some.length) throw new Held();
        }
      });
      return true;
    } catch (error) {
      if (error instanceof Held) return false;
      throw error;
    }
  }

  async #release(values: readonly string[]): Promise<void> {
    for (let from = 0; from < values.length; from += ROWS) {
      const some = values.slice(from, from + ROWS);
      await this.#db.run(
        `DELETE FROM preparing WHERE owner = ? AND value IN (${some.map(() => '?').join(', ')})`,
        this.#owner,
        ...some,
      );
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.setTimeout(resolve, ms));
  }
}

/** Another process holds a value: the transaction is rolled back. */
class Held extends Error {}

/** Renews a hold while its work runs. */
class Renewal {
  readonly #clock: Clock;
  readonly #renew: () => Promise<unknown>;
  #timer: unknown;
  #isStopped = false;

  constructor(clock: Clock, renew: () => Promise<unknown>) {
    this.#clock = clock;
    this.#renew = renew;
    this.#wait();
  }

  stop(): void {
    this.#isStopped = true;
    this.#clock.clearTimeout(this.#timer);
  }

  /** A renewal that fails is followed by another one before the hold is over. */
  #wait(): void {
    if (this.#isStopped) return;
    const next = () => this.#wait();
    this.#timer = this.#clock.setTimeout(() => void this.#renew().then(next, next), RENEW_MS);
  }
}
