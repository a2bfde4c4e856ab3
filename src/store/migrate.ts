import { migrations } from './migrations/index.ts';
import type { ColumnTypes, MigrationContext } from './migrations/migration.ts';
import type { Area, Engine, Queries } from './types.ts';

/** Thrown when the tables are of a newer version of the program. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew';
}

const TYPES: Readonly<Record<Engine, ColumnTypes>> = {
  sqlite: { int: 'INTEGER', bytes: 'BLOB', serial: 'INTEGER PRIMARY KEY AUTOINCREMENT' },
  postgres: { int: 'BIGINT', bytes: 'BYTEA', serial: 'BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY' },
};

export const NEWEST = Math.max(...migrations.map(({ number }) => number));

const TABLE =
  'CREATE TABLE IF NOT EXISTS migrations (number INTEGER NOT NULL, area TEXT NOT NULL, PRIMARY KEY (area, number))';

/**
 * Runs the migrations that these areas lack, in order. The caller holds a lock that keeps other processes from doing the
 * same, and a transaction: a migration that fails leaves nothing behind.
 *
 * @throws SchemaTooNew if a newer version of the program has migrated an area
 */
export async function migrate(queries: Queries, engine: Engine, areas: readonly Area[]): Promise<void> {
  await queries.run(TABLE);
  const done = await queries.all<{ area: Area; number: number }>('SELECT area, number FROM migrations');
  const tooNew = done.find(({ area, number }) => areas.includes(area) && number > NEWEST);
  if (tooNew)
    throw new SchemaTooNew(
      `The database was set up by a newer version of Switchboard (migration ${tooNew.number}; this version knows ${NEWEST}). Start that version, or restore a backup from before the update.`,
    );
  const context: MigrationContext = {
    engine,
    queries,
    types: TYPES[engine],
    addColumns: (table, columns) => addColumns(queries, engine, table, columns),
  };
  for (const { number, areas: steps } of migrations) {
    for (const area of areas) {
      const step = steps[area];
      if (!step || done.some((one) => one.area === area && one.number === number)) continue;
      await step(context);
      await queries.run('INSERT INTO migrations (number, area) VALUES (?, ?)', number, area);
    }
  }
}

/** The number of the newest migration that has run; 0 if none has. */
export async function newestDone(queries: Queries): Promise<number> {
  const row = await queries.get<{ number: number | null }>('SELECT max(number) AS number FROM migrations');
  return row?.number ?? 0;
}

async function addColumns(
  queries: Queries,
  engine: Engine,
  table: string,
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  const present =
    engine === 'sqlite'
      ? await queries.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`)
      : await queries.all<{ name: string }>(
          `SELECT column_name AS name FROM information_schema.columns
             WHERE table_schema = current_schema() AND table_name = ?`,
          table,
        );
  const names = present.map(({ name }) => name);
  for (const [name, type] of Object.entries(columns))
    if (!names.includes(name)) await queries.run(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
}
