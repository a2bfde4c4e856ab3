import type { Queries } from '../store/types.ts';
import type { ClaimedRows } from './action.ts';

/** Thrown when a row of a batch may not be sent: another action has claimed it, or the batch does not run any more. */
export class RowsTaken extends Error {
  override readonly name = 'RowsTaken';
}

/**
 * Claims rows of a batch for an action, all or none. Throws `RowsTaken`. The lock on the batch makes a pause or stop
 * wait for a claim under way, so that nothing is claimed after it was answered.
 */
export async function claimRows(queries: Queries, { id, rows }: ClaimedRows, action: string): Promise<void> {
  if (!(await isRunning(queries, id))) throw new RowsTaken();
  const claimed = await queries.run(
    `UPDATE batch_rows SET state = 'sent', action = ? WHERE batch = ? AND state = 'ready'
       AND n IN (${rows.map(() => '?').join(', ')})`,
    ...[action, id, ...rows],
  );
  if (claimed !== rows.length) throw new RowsTaken();
}

/** True if a batch runs, so that its rows may be sent. In a transaction, it stays so until the end. */
export async function isRunning(queries: Queries, id: string): Promise<boolean> {
  return (await queries.get(`SELECT 1 FROM batches WHERE id = ? AND state = 'running' FOR UPDATE`, id)) !== undefined;
}
