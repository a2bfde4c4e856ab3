import type { Migration } from './migration.ts';

/** Old actions are found by (state, updated_at). The index over when they ended was one more to write for each action. */
export const ended: Migration = {
  number: 6,
  areas: {
    ledger: async ({ queries }) => {
      await queries.run('DROP INDEX IF EXISTS actions_finished');
    },
  },
};
