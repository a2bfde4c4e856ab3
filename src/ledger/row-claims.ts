import type { Queries } from '../store/types.ts';
import type { ClaimedRows } from './action.ts';

/** Thrown when a row of a batch is not ready any more, because another action has claimed it. */
export class RowsTaken extends Error {
  override readonly name = 'RowsTaken';
}

/** Claims rows of a batch for an action, all or none. Throws `RowsTaken`. */
export async function claimRows(queries: Queries, { id, rows }: ClaimedRows, action: string): Promise<void> {
  const claimed = await queries.run(
    `UPDATE batch_rows SET state = 'sent', action = ? WHERE batch = ? AND state = 'ready'
       AND n IN (${rows.map(() => '?').join(', ')})`,
    ...[action, id, ...rows],
  );
  if (claimed !== rows.length) throw new RowsTaken();
}
