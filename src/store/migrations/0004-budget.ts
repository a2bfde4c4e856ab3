import type { Migration, MigrationContext } from './migration.ts';

/** The budget over processes: who holds a place, pauses, which processes are alive, and the platform's tokens. */
export const sharedBudget: Migration = {
  number: 4,
  areas: { budget },
};

async function budget({ queries, types: { int, bytes }, addColumns }: MigrationContext): Promise<void> {
  await addColumns('places', { owner: `TEXT NOT NULL DEFAULT ''` });
  const statements = [
    // Counting the places of a lane, and those of others, reads this index alone.
    'DROP INDEX places_lane',
    'CREATE INDEX places_lane ON places (lane, free_at, owner)',
    `CREATE TABLE lanes (
      lane TEXT PRIMARY KEY, paused_until ${int} NOT NULL DEFAULT 0, doubtful INTEGER NOT NULL DEFAULT 0,
      prober TEXT NOT NULL DEFAULT '', probe_until ${int} NOT NULL DEFAULT 0
    )`,
    `CREATE TABLE processes (id TEXT PRIMARY KEY, seen_at ${int} NOT NULL)`,
    `CREATE TABLE waiting (
      owner TEXT NOT NULL, lane TEXT NOT NULL, level INTEGER NOT NULL, calls INTEGER NOT NULL, at ${int} NOT NULL,
      PRIMARY KEY (owner, lane)
    )`,
    `CREATE TABLE tokens (
      key TEXT PRIMARY KEY, sealed ${bytes}, digest TEXT NOT NULL DEFAULT '', usable_until ${int} NOT NULL DEFAULT 0,
      fetcher TEXT NOT NULL DEFAULT '', fetch_until ${int} NOT NULL DEFAULT 0
    )`,
  ];
  for (const statement of statements) await queries.run(statement);
}
