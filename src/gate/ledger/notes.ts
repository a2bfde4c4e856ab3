import type { Clock } from '../../lib/clock.ts';
import type { Fields } from '../../lib/json.ts';
import type { Database } from '../../store/database.ts';
import { type ActionRow, actionOf } from './action.ts';

/**
 * What surfaces store with an action, such as the channel of its card. Notes decide nothing: no state, input or
 * consent can be changed through them.
 */
export interface Notes {
  /** Adds notes to an action. */
  remember(id: string, notes: Fields): void;
  /** Writes a note unless one of that name was written after `stale` (epoch ms): of several processes, one succeeds. */
  claim(id: string, name: string, stale: number): boolean;
}

export class ActionNotes implements Notes {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  remember(id: string, notes: Fields): void {
    this.#db.transaction(() => {
      const before = this.#read(id);
      if (before) this.#write(id, { ...before, ...notes });
    });
  }

  claim(id: string, name: string, stale: number): boolean {
    return this.#db.transaction(() => {
      const before = this.#read(id);
      const written = before?.[name];
      if (!before || (typeof written === 'number' && written > stale)) return false;
      return this.#write(id, { ...before, [name]: this.#clock.now() });
    });
  }

  #read(id: string): Fields | undefined {
    const row = this.#db.get<ActionRow>('SELECT * FROM actions WHERE id = ?', id);
    return row && actionOf(row).notes;
  }

  #write(id: string, notes: Fields): boolean {
    return this.#db.run('UPDATE actions SET notes = ? WHERE id = ?', JSON.stringify(notes), id) === 1;
  }
}
