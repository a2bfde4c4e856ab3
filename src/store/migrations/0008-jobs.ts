import type { Migration } from './migration.ts';

/** Everything that happens later (`src/work`). */
export const jobs: Migration = {
  number: 8,
  areas: {
    ledger: async ({ queries, types: { int, serial } }) => {
      const statements = [
        `CREATE TABLE jobs (
          id ${serial}, kind TEXT NOT NULL, key TEXT, subject TEXT NOT NULL, payload TEXT NOT NULL,
          run_at ${int} NOT NULL, added_at ${int} NOT NULL, claimed_by TEXT, claimed_until ${int} NOT NULL DEFAULT 0,
          attempts INTEGER NOT NULL DEFAULT 0, asked INTEGER NOT NULL DEFAULT 1, last_error TEXT, dead_at ${int}
        )`,
        'CREATE UNIQUE INDEX jobs_key ON jobs (key) WHERE dead_at IS NULL',
        'CREATE INDEX jobs_due ON jobs (run_at) WHERE dead_at IS NULL',
        `CREATE INDEX jobs_subject ON jobs (subject, id) WHERE dead_at IS NULL AND subject <> ''`,
      ];
      for (const statement of statements) await queries.run(statement);
    },
  },
};
