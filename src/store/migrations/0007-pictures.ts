import type { Migration } from './migration.ts';

/**
 * Pictures that were uploaded to Slack for one open window, and when each is deleted. Only Slack's ids are stored, not
 * what a picture shows.
 */
export const pictures: Migration = {
  number: 7,
  areas: {
    'slack-seen': async ({ queries, types: { int } }) => {
      await queries.run(
        `CREATE TABLE slack_pictures (file TEXT PRIMARY KEY, view_id TEXT NOT NULL, delete_at ${int} NOT NULL)`,
      );
      await queries.run('CREATE INDEX slack_pictures_due ON slack_pictures (delete_at)');
    },
  },
};
