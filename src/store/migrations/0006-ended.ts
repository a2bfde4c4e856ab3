import type { Migration } from './migration.ts';

/**
 * Old actions are found by (state, updated_at). The index over when they ended was one more to write for each action.
 * SQLite files that were copied to a database say so, because two stores would each send what is confirmed in both.
 */
export const ended: Migration = {
  number: 6,
  areas: {
    ledger: async ({ queries, types: { int } }) => {
      await queries.run('DROP INDEX IF EXISTS actions_finished');
      await queries.run(`CREATE TABLE moved (one INTEGER PRIMARY KEY CHECK (one = 1), at ${int} NOT NULL)`);
    },
  },
};
