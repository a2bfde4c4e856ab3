import type { Migration, MigrationContext } from './migration.ts';

/** The budget over processes: places, pauses, and the platform's tokens. */
export const sharedBudget: Migration = {
  number: 4,
  areas: { budget },
};

async function budget({ queries, types: { int, bytes }, addColumns }: MigrationContext): Promise<void> {
  await addColumns('places', {
    owner: `TEXT NOT NULL DEFAULT ''`,
    level: 'INTEGER NOT NULL DEFAULT 0',
    actor: `TEXT NOT NULL DEFAULT ''`,
  });
  const statements = [
    'DROP INDEX places_lane',
    'CREATE INDEX places_lane ON places (lane, free_at)',
    `CREATE TABLE lanes (
      lane TEXT PRIMARY KEY, paused_until ${int} NOT NULL DEFAULT 0, doubtful INTEGER NOT NULL DEFAULT 0,
      probe_until ${int} NOT NULL DEFAULT 0
    )`,
    `CREATE TABLE tokens (
      key TEXT PRIMARY KEY, sealed ${bytes}, digest TEXT NOT NULL DEFAULT '', usable_until ${int} NOT NULL DEFAULT 0,
      fetcher TEXT NOT NULL DEFAULT '', fetch_until ${int} NOT NULL DEFAULT 0
    )`,
  ];
  for (const statement of statements) await queries.run(statement);
}
