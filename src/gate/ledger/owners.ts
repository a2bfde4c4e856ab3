import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database.ts';

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

  constructor(db: Database, clock: Clock, own: Owner) {
    this.#db = db;
    this.#clock = clock;
    this.#own = own;
    db.run(
      'INSERT OR REPLACE INTO owners (id, pid, host, seen_at) VALUES (?, ?, ?, ?)',
      own.id,
      own.pid,
      own.host,
      clock.now(),
    );
  }

  /** Id under which this process claims actions. */
  get id(): string {
    return this.#own.id;
  }

  /** Writes that this process is alive. */
  beat(): void {
    this.#db.run('UPDATE owners SET seen_at = ? WHERE id = ?', this.#clock.now(), this.#own.id);
  }

  close(): void {
    this.#db.run('DELETE FROM owners WHERE id = ?', this.#own.id);
  }
}
