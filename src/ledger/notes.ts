import type { Clock } from '../lib/clock.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import type { Database, Transaction } from '../store/types.ts';
import { type ActionRow, notesOf } from './action.ts';

/**
 * Data that surfaces store with an action, such as the channel of its card. Notes have no effect on decisions: they
 * cannot change a state, input or consent.
 */
export interface Notes {
  /** Adds notes to an action. */
  remember(id: string, notes: Fields): Promise<void>;
  /** Adds members to the note of one name, and removes those that are undefined. */
  merge(id: string, name: string, members: Fields): Promise<void>;
  /** Writes a note unless one of that name was written after `stale` (epoch ms): of several processes, one succeeds. */
  claim(id: string, name: string, stale: number): Promise<boolean>;
}

export class ActionNotes implements Notes {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  async remember(id: string, notes: Fields): Promise<void> {
    await this.#db.transaction(async (queries) => {
      const before = await read(queries, id);
      if (before) await write(queries, id, { ...before, ...notes });
    });
  }

  async merge(id: string, name: string, members: Fields): Promise<void> {
    await this.#db.transaction(async (queries) => {
      const before = await read(queries, id);
      const note = isRecord(before?.[name]) ? before[name] : {};
      if (before) await write(queries, id, { ...before, [name]: { ...note, ...members } });
    });
  }

  claim(id: string, name: string, stale: number): Promise<boolean> {
    return this.#db.transaction(async (queries) => {
      const before = await read(queries, id);
      const written = before?.[name];
      if (!before || (typeof written === 'number' && written > stale)) return false;
      await write(queries, id, { ...before, [name]: this.#clock.now() });
      return true;
    });
  }
}

async function read(queries: Transaction, id: string): Promise<Fields | undefined> {
  const row = await queries.get<ActionRow>('SELECT * FROM actions WHERE id = ? FOR UPDATE', id);
  return row && notesOf(row);
}

async function write(queries: Transaction, id: string, notes: Fields): Promise<void> {
  await queries.run('UPDATE actions SET notes = ? WHERE id = ?', JSON.stringify(notes), id);
}
