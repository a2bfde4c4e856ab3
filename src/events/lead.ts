import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database.ts';

/** A process that handles events. */
export interface Owner {
  id: string;
  pid: number;
  host: string;
}

/** Which process handles the events of a file: one at a time. */
export class Lead {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #owner: Owner;

  /** @param owner left out: this process */
  constructor(db: Database, clock: Clock, owner?: Owner) {
    this.#db = db;
    this.#clock = clock;
    this.#owner = owner ?? { id: randomUUID(), pid: process.pid, host: hostname() };
  }

  /** Takes or renews the lead. A holder that is gone, or whose time is over, is replaced. */
  claim(ms: number, isGone: (holder: Owner) => boolean): { mine: boolean; until: number } {
    return this.#db.transaction(() => {
      const now = this.#clock.now();
      const { id, pid, host } = this.#owner;
      const holder = this.#db.get<Owner & { until: number }>('SELECT owner AS id, pid, host, until FROM lead');
      if (holder && holder.id !== id && holder.until > now && !isGone(holder))
        return { mine: false, until: holder.until };
      const until = now + ms;
      this.#db.run(
        'INSERT OR REPLACE INTO lead (one, owner, pid, host, until) VALUES (1, ?, ?, ?, ?)',
        id,
        pid,
        host,
        until,
      );
      return { mine: true, until };
    });
  }

  resign(): void {
    this.#db.run('DELETE FROM lead WHERE owner = ?', this.#owner.id);
  }
}
