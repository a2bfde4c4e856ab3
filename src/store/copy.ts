import { recordOf } from '../lib/json.ts';
import { insert } from './key-values.ts';
import type { Queries, Store, Value } from './types.ts';

/** Maximum number of rows in one INSERT. */
const ROWS = 200;
/** Tables that are not copied, because the next start fills them. */
const LEFT_OUT = ['installation', 'lanes'];
/** Tables whose keys the database generates as a sequence. */
const COUNTED: Readonly<Record<string, string>> = { events: 'id', jobs: 'id' };

/** Number of copied rows of each table. */
export type Copied = Readonly<Record<string, number>>;

/** Thrown before anything is copied. The message says what to do. */
export class CannotCopy extends Error {
  override readonly name = 'CannotCopy';
}

/**
 * Copies everything an installation has stored from an SQLite file to an empty PostgreSQL database, in one transaction.
 * The file is read, and then marked as copied. Sealed values stay sealed: the new processes need the same sealing key.
 *
 * @throws CannotCopy if a process still uses the file, or the database already holds actions or events
 */
export async function copyStore(from: Store, to: Store): Promise<Copied> {
  await requireStopped(from);
  const target = to.database('ledger');
  await target.ready();
  const copied = await target.transaction(async (queries) => {
    await queries.lock('store copy');
    await requireEmpty(queries);
    const copied: Record<string, number> = {};
    const source = from.database('ledger');
    for (const table of await tablesOf(source)) {
      const rows = await copyTable(source, queries, table);
      if (rows > 0) copied[table] = rows;
    }
    return copied;
  });
  await from.database('ledger').run('UPDATE installation SET copied_at = ?', from.clock.now());
  return copied;
}

/**
 * Time (epoch ms) when this file was copied to a database; undefined if it was not. A start with a copied file must be
 * refused.
 */
export async function movedAt(store: Store): Promise<number | undefined> {
  const row = await store.database('ledger').get<{ at: number | null }>('SELECT copied_at AS at FROM installation');
  return row?.at ?? undefined;
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

async function requireStopped(from: Store): Promise<void> {
  const ledger = from.database('ledger');
  // A running process renews a job that names it (`Worker`).
  const row = await ledger.get<{ payload: string }>(
    `SELECT payload FROM jobs WHERE kind = 'process' AND claimed_until > ?`,
    from.clock.now(),
  );
  if (row === undefined) return;
  const { pid, host } = recordOf(JSON.parse(row.payload));
  throw new CannotCopy(
    `Process ${pid} on ${host} still uses these files. Stop every switchboard process, wait half a minute, and copy again.`,
  );
}

async function requireEmpty(queries: Queries): Promise<void> {
  const row = await queries.get('SELECT 1 AS one FROM actions UNION ALL SELECT 1 AS one FROM events LIMIT 1');
  if (row)
    throw new CannotCopy(
      'The database already holds actions or events of an installation. Copy into an empty database or schema.',
    );
}

async function tablesOf(source: Queries): Promise<string[]> {
  const rows = await source.all<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  return rows.map(({ name }) => name).filter((name) => !LEFT_OUT.includes(name));
}

type StoredRow = Readonly<Record<string, Value>>;

async function* pagesOf(source: Queries, table: string): AsyncGenerator<StoredRow[]> {
  let last = -1;
  for (;;) {
    const sql = `SELECT rowid AS "_row", * FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ?`;
    const rows = await source.all<StoredRow>(sql, last, ROWS);
    if (rows.length === 0) return;
    last = Number(rows.at(-1)?._row);
    yield rows;
  }
}

async function copyTable(source: Queries, target: Queries, table: string): Promise<number> {
  let copied = 0;
  for await (const rows of pagesOf(source, table)) {
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
