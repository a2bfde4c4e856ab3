import type { Clock } from '../lib/clock.ts';
import { type Fields, recordOf } from '../lib/values.ts';
import { type Columns, insert, UnusableStore, update } from './key-values.ts';
import { tableNames } from './schema.ts';
import type { Queries, Store } from './types.ts';

/** Maximum number of rows in one INSERT. */
const ROWS = 200;
/** Tables whose keys the database generates as a sequence. */
const COUNTED: Readonly<Record<string, string>> = { events: 'id', jobs: 'id' };

/**
 * Copies everything an installation has stored from an SQLite file to an empty PostgreSQL database, in one transaction.
 * The file is read, and then marked as copied. It is locked meanwhile, so that a process that starts waits, and finds the
 * mark. Sealed values stay sealed: the new processes need the same sealing key.
 *
 * @returns the number of copied rows of each table
 * @throws UnusableStore if a process still uses the file, or the database already holds actions or events
 */
export async function copyStore(from: Store, to: Store): Promise<Record<string, number>> {
  const target = to.database('ledger');
  await target.ready();
  return from.database('ledger').transaction(async (source) => {
    await requireStopped(source, from.clock);
    const copied = await target.transaction(async (queries) => {
      await queries.lock('store copy');
      if (await queries.get('SELECT 1 AS one FROM actions UNION ALL SELECT 1 AS one FROM events LIMIT 1'))
        throw new UnusableStore(
          'The database already holds actions or events of an installation. Copy into an empty database or schema.',
        );
      const copied: Record<string, number> = {};
      // What the data was sealed with, and which platform it is about, is true of the copy too.
      const owner = await source.get<Columns>('SELECT key_digest, platform, account_digest FROM installation');
      await update(queries, 'installation', { ...owner }, '1 = 1');
      for (const table of await tableNames(source, 'sqlite')) {
        // The target has its own.
        if (table === 'installation') continue;
        const rows = await copyTable(source, queries, table);
        if (rows > 0) copied[table] = rows;
      }
      return copied;
    });
    await source.run('UPDATE installation SET copied_at = ?', from.clock.now());
    return copied;
  });
}

/**
 * Lets this file be used again. Resolves to false if it had not been copied.
 * @param settle called with the time of the copy (epoch ms), in the same transaction
 */
export function reopen(store: Store, settle: (queries: Queries, copiedAt: number) => Promise<void>): Promise<boolean> {
  return store.database('ledger').transaction(async (queries) => {
    const copied = await queries.get<{ at: number | null }>('SELECT copied_at AS at FROM installation');
    if (copied?.at == null) return false;
    await settle(queries, copied.at);
    await queries.run('UPDATE installation SET copied_at = NULL');
    return true;
  });
}

/** The payloads of the jobs by which the running processes of an installation name themselves (`Worker`). */
export async function runningProcesses(queries: Queries, clock: Clock): Promise<Fields[]> {
  const sql = `SELECT payload FROM jobs WHERE kind = 'process' AND claimed_until > ?`;
  const rows = await queries.all<{ payload: string }>(sql, clock.now());
  return rows.map(({ payload }) => recordOf(JSON.parse(payload)));
}

/** @throws UnusableStore if a process uses the store */
export async function requireStopped(queries: Queries, clock: Clock): Promise<void> {
  const [running] = await runningProcesses(queries, clock);
  if (running === undefined) return;
  throw new UnusableStore(
    `Process ${running.pid} on ${running.host} still uses this data. Stop every switchboard process, wait half a minute, and try again.`,
  );
}

async function copyTable(source: Queries, target: Queries, table: string): Promise<number> {
  let copied = 0;
  for (let last = -1; ; ) {
    const sql = `SELECT rowid AS "_row", * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`;
    const rows = await source.all<Columns>(sql, last, ROWS);
    if (rows.length === 0) break;
    last = Number(rows.at(-1)?._row);
    await insert(
      target,
      table,
      rows.map(({ _row, ...columns }) => columns),
    );
    copied += rows.length;
  }
  const counted = COUNTED[table];
  if (counted !== undefined && copied > 0)
    await target.get(
      `SELECT setval(pg_get_serial_sequence('${table}', '${counted}'), (SELECT max(${counted}) FROM ${table})) AS next`,
    );
  return copied;
}
