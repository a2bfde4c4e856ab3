import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/types.ts';

/** A process that may own actions. */
export interface Owner {
  id: string;
  pid: number;
  host: string;
}

/** The processes that share the ledger. Each writes regularly that it is alive. */
export class Owners {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #own: Owner;
  #registered: Promise<void> | undefined;

  constructor(db: Database, clock: Clock, own: Owner) {
    this.#db = db;
    this.#clock = clock;
    this.#own = own;
  }

  /** Id under which this process claims actions. */
  get id(): string {
    return this.#own.id;
  }

  /**
   * Registers this process, once. Await it before owning an action, so that other processes see that the owner is
   * alive.
   */
  registered(): Promise<void> {
    this.#registered ??= this.beat().catch((error: unknown) => {
      this.#registered = undefined;
      throw error;
    });
    return this.#registered;
  }

  /** Writes that this process is alive. */
  async beat(): Promise<void> {
    const { id, pid, host } = this.#own;
    await this.#db.run(
      `INSERT INTO owners (id, pid, host, seen_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
      id,
      pid,
      host,
      this.#clock.now(),
    );
  }

  async close(): Promise<void> {
    if (this.#registered === undefined) return;
    // If the database is away, the row stays. Other processes then see in half a minute that this process is silent.
    await this.#db.run('DELETE FROM owners WHERE id = ?', this.#own.id).catch(() => undefined);
  }
}
