import type { Migration } from './migration.ts';

/** Which sealing key the rows of this installation are sealed with: a keyed digest of it, not the key. */
export const installation: Migration = {
  number: 5,
  areas: {
    ledger: async ({ queries }) => {
      await queries.run(
        'CREATE TABLE IF NOT EXISTS installation (one INTEGER PRIMARY KEY CHECK (one = 1), key_digest TEXT NOT NULL)',
      );
    },
  },
};
