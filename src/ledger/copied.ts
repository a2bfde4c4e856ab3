import type { Failure } from '../lib/errors.ts';
import type { Queries } from '../store/types.ts';
import { addJob } from '../work/jobs.ts';
import type { ActionRow } from './action.ts';
import { addAudit } from './audit.ts';
import { readJob, removeLater, showJob } from './later.ts';
import { addToTotal, changeRow } from './lookups.ts';
import { newReading, saveReading } from './readings.ts';
import type { Seal } from './seal.ts';

/**
 * Ends the actions that were open when their files were copied to a database. Processes on the database may have sent
 * them, so their outcome is unknown to an installation that uses the files, and it sends none of them.
 * @param copiedAt epoch ms
 */
export async function endCopied(
  queries: Queries,
  { copiedAt, now, seal }: { copiedAt: number; now: number; seal: Seal },
): Promise<void> {
  const rows = await queries.all<ActionRow>(
    `SELECT * FROM actions WHERE state = 'confirmed' OR (state = 'pending' AND expires_at > ?)`,
    copiedAt,
  );
  const message = `It was open when this data was copied to a database, at ${new Date(copiedAt).toISOString()}. It may have been confirmed and sent from there.`;
  const error: Failure = { code: 'unavailable', message, effect: 'maybe_done', outcome: 'unknown' };
  for (const row of rows) {
    const end = { state: 'unknown', error: JSON.stringify(error), finished_at: now, updated_at: now } as const;
    await changeRow(queries, row.id, end);
    await saveReading(queries, row.id, newReading(undefined, error));
    await removeLater(queries, row.id, ['expire', 'send']);
    await addJob(queries, readJob(row.id, now), now);
    if (row.consent !== null) await addJob(queries, showJob(row.id), now);
  }
  await addToTotal(queries, 'unknown', rows.length);
  // A stored secret works once, and may have been used from the database.
  await queries.run('DELETE FROM vault');
  for (const row of rows)
    await addAudit(queries, seal, row, { what: 'unknown', who: 'switchboard', detail: message, at: now });
}
