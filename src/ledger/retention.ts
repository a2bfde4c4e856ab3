import { setImmediate as otherWork } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import { marks } from '../store/sql.ts';
import type { Database } from '../store/types.ts';
import type { State } from './action.ts';
import { showKey } from './later.ts';
import { addToTotal } from './lookups.ts';

/** Actions deleted in one step. Other work can use the database between two steps. */
const STEP = 100;

/** States that an action does not leave, so that its row is not needed any more. */
const ENDED: readonly State[] = ['done', 'partly', 'failed', 'declined', 'expired'];

/** Deletes old actions from the ledger. The audit trail stays. */
export class Retention {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /**
   * Deletes actions that ended, and were last changed, more than `keepMs` ago, in small steps. Processes that do this
   * at the same time delete different actions.
   * @returns the number of deleted actions
   */
  async run(keepMs: number): Promise<number> {
    let deleted = 0;
    for (const state of ENDED) {
      for (;;) {
        const count = await this.#step(state, this.#clock.now() - keepMs);
        deleted += count;
        if (count < STEP) break;
        await otherWork();
      }
    }
    return deleted;
  }

  /** Reads first, so that nothing is written if there is no old action. */
  async #step(state: State, before: number): Promise<number> {
    // One state at a time, by an index over (state, updated_at). For a list of states SQLite would sort all their
    // actions.
    const old = `SELECT id FROM actions WHERE state = ? AND updated_at < ? ORDER BY updated_at LIMIT ${STEP}`;
    if ((await this.#db.get(old, state, before)) === undefined) return 0;
    return this.#db.transaction(async (queries) => {
      const rows = await queries.all<{ id: string }>(
        `DELETE FROM actions WHERE id IN (${old} FOR UPDATE SKIP LOCKED) RETURNING id`,
        state,
        before,
      );
      if (rows.length === 0) return 0;
      const ids = rows.map(({ id }) => id);
      await queries.run(`DELETE FROM action_names WHERE action IN (${marks(ids)})`, ...ids);
      // An installation without a surface that draws actions has not run these jobs.
      const keys = ids.map(showKey);
      await queries.run(`DELETE FROM jobs WHERE key IN (${marks(keys)})`, ...keys);
      await addToTotal(queries, state, -rows.length);
      return rows.length;
    });
  }
}
