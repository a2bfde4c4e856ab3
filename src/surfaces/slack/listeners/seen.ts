import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/types.ts';

const FORGET_EVERY_MS = 60_000;

/** Requests that were handled, stored so that none is handled again after a restart. */
export class SeenRequests {
  readonly #db: Database;
  readonly #clock: Clock;
  #forgotten = Number.NEGATIVE_INFINITY;

  /** A power cut may undo the last writes: Slack's signatures of those requests expire within minutes. */
  constructor(database: Database, clock: Clock) {
    this.#clock = clock;
    this.#db = database;
  }

  /** True if none of the keys was given within `keepMs`. Of two processes that ask at once, only one hears true. */
  async first(keys: readonly string[], keepMs: number): Promise<boolean> {
    const now = this.#clock.now();
    if (now - this.#forgotten > FORGET_EVERY_MS) {
      this.#forgotten = now;
      await this.#db.run('DELETE FROM seen WHERE until <= ?', now);
    }
    const rows = keys.map(() => '(?, ?)').join(', ');
    const sql = `INSERT INTO seen (key, until) VALUES ${rows} ON CONFLICT DO NOTHING`;
    return (await this.#db.run(sql, ...keys.flatMap((key) => [key, now + keepMs]))) === keys.length;
  }
}
