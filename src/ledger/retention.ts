import { inSteps, marks } from '../store/sql.ts';
import type { Database } from '../store/types.ts';
import type { State } from './action.ts';
import { showKey } from './later.ts';
import { addToTotal } from './lookups.ts';

/** Actions deleted in one step. */
const STEP = 100;

/** States that an action does not leave, so that its row is not needed any more. */
const ENDED: readonly State[] = ['done', 'partly', 'failed', 'declined', 'expired'];

/**
 * Deletes actions that ended, and were last changed before `before` (epoch ms), in small steps. The audit trail stays.
 * Processes that do this at the same time delete different actions.
 * @returns the number of deleted actions
 */
export async function deleteOldActions(db: Database, before: number): Promise<number> {
  let deleted = 0;
  for (const state of ENDED) deleted += await inSteps(STEP, () => deleteSome(db, state, before));
  return deleted;
}

/** Reads first, so that nothing is written if there is no old action. */
async function deleteSome(db: Database, state: State, before: number): Promise<number> {
  // One state at a time, by an index over (state, updated_at). For a list of states SQLite would sort all their actions.
  const old = `SELECT id FROM actions WHERE state = ? AND updated_at < ? ORDER BY updated_at LIMIT ${STEP}`;
  if ((await db.get(old, state, before)) === undefined) return 0;
  return db.transaction(async (queries) => {
    const rows = await queries.all<{ id: string }>(
      `DELETE FROM actions WHERE id IN (${old} FOR UPDATE SKIP LOCKED) RETURNING id`,
      state,
      before,
    );
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await queries.run(`DELETE FROM action_names WHERE action IN (${marks(ids)})`, ...ids);
    // An installation without a surface that draws actions has not run these jobs.
    await queries.run(`DELETE FROM jobs WHERE key IN (${marks(ids)})`, ...ids.map(showKey));
    await addToTotal(queries, state, -rows.length);
    return rows.length;
  });
}
