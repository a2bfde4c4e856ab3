import { AREAS, type Queries, type Store, type Value } from './types.ts';

/** Rows in one INSERT. */
const ROWS = 200;
/** What belongs to running processes, or is written anew by the next start. */
const LEFT_OUT = ['migrations', 'owners', 'lead', 'preparing', 'servers', 'installation', 'lanes', 'moved'];
/** Tables whose keys the database counts up. */
const COUNTED: Readonly<Record<string, string>> = { events: 'id', audit: 'seq' };
/** A process that wrote that it is alive within this time is running. */
const ALIVE_MS = 30_000;

/** How many rows of each table were copied. */
export type Copied = Readonly<Record<string, number>>;

/** Thrown before anything is copied. The message says what to do. */
export class CannotCopy extends Error {
  override readonly name = 'CannotCopy';
}

/**
 * Copies everything an installation has stored from SQLite files to an empty PostgreSQL database, in one transaction. The
 * files are brought up to date, read, and then marked as copied. Sealed values stay sealed: the new processes need the same sealing key.
 *
 * @throws CannotCopy if a process still uses the files, or the database already holds actions or events
 */
export async function copyStore(from: Store, to: Store): Promise<Copied> {
  await requireStopped(from);
  const target = to.database('ledger');
  await target.ready();
  const copied = await target.transaction(async (queries) => {
    await queries.lock('store copy');
    await requireEmpty(queries);
    const copied: Record<string, number> = {};
    for (const area of AREAS) {
      const source = from.database(area);
      await source.ready();
      for (const table of await tablesOf(source)) {
        const rows = await copyTable(source, queries, table);
        if (rows > 0) copied[table.name] = rows;
      }
    }
    return copied;
  });
  await from
    .database('ledger')
    .run(
      'INSERT INTO moved (one, at) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET at = excluded.at',
      from.clock.now(),
    );
  return copied;
}

/** When these files were copied to a database, in epoch ms; undefined if they were not. Another start must refuse them. */
export async function movedAt(store: Store): Promise<number | undefined> {
  return (await store.database('ledger').get<{ at: number }>('SELECT at FROM moved'))?.at;
}

/** Lets these files be used again. Resolves to false if they had not been copied. */
export async function reopen(store: Store): Promise<boolean> {
  return (await store.database('ledger').run('DELETE FROM moved')) > 0;
}

async function requireStopped(from: Store): Promise<void> {
  const ledger = from.database('ledger');
  const row = await ledger.get<{ pid: number; host: string }>(
    'SELECT pid, host FROM owners WHERE seen_at > ?',
    from.clock.now() - ALIVE_MS,
  );
  if (row)
    throw new CannotCopy(
      `Process ${row.pid} on ${row.host} still uses these files. Stop every switchboard process, wait half a minute, and copy again.`,
    );
}

async function requireEmpty(queries: Queries): Promise<void> {
  const row = await queries.get('SELECT 1 AS one FROM actions UNION ALL SELECT 1 AS one FROM events LIMIT 1');
  if (row)
    throw new CannotCopy(
      'The database already holds actions or events of an installation. Copy into an empty database or schema.',
    );
}

interface Table {
  name: string;
  /** Its rows are numbered, and can be read in pages. Small tables of earlier versions are not. */
  isNumbered: boolean;
}

async function tablesOf(source: Queries): Promise<Table[]> {
  const rows = await source.all<{ name: string; sql: string }>(
    `SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name`,
  );
  return rows
    .filter(({ name }) => !LEFT_OUT.includes(name))
    .map(({ name, sql }) => ({ name, isNumbered: !/WITHOUT ROWID/i.test(sql) }));
}

type StoredRow = Readonly<Record<string, Value>>;

async function* pagesOf(source: Queries, { name, isNumbered }: Table): AsyncGenerator<StoredRow[]> {
  if (!isNumbered) {
    const rows = await source.all<StoredRow>(`SELECT * FROM ${name}`);
    for (let at = 0; at < rows.length; at += ROWS) yield rows.slice(at, at + ROWS);
    return;
  }
  let last = -1;
  for (;;) {
    const sql = `SELECT rowid AS "_row", * FROM ${name} WHERE rowid > ? ORDER BY rowid LIMIT ?`;
    const rows = await source.all<StoredRow>(sql, last, ROWS);
    if (rows.length === 0) return;
    last = Number(rows.at(-1)?._row);
    yield rows;
  }
}

async function copyTable(source: Queries, target: Queries, table: Table): Promise<number> {
  const { name: into } = table;
  const present = await columnsOf(target, into);
  let copied = 0;
  for await (const rows of pagesOf(source, table)) {
    const [first = {}] = rows;
    // Columns of earlier versions that no table has any more are left behind.
    const columns = Object.keys(first).filter((name) => present.includes(name));
    const marks = `(${columns.map(() => '?').join(', ')})`;
    await target.run(
      `INSERT INTO ${into} (${columns.join(', ')}) VALUES ${rows.map(() => marks).join(', ')}`,
      ...rows.flatMap((row) => columns.map((name) => row[name] ?? null)),
    );
    copied += rows.length;
  }
  const counted = COUNTED[into];
  if (counted !== undefined && copied > 0)
    await target.get(
      `SELECT setval(pg_get_serial_sequence('${into}', '${counted}'), (SELECT max(${counted}) FROM ${into})) AS next`,
    );
  return copied;
}

async function columnsOf(target: Queries, table: string): Promise<string[]> {
  const rows = await target.all<{ name: string }>(
    'SELECT column_name AS name FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ?',
    table,
  );
  return rows.map(({ name }) => name);
}
