import { postgresPrograms, startPostgres } from './postgres.ts';

/**
 * vitest globalSetup: one PostgreSQL server for the run, unless TEST_DATABASE_URL names one. Without PostgreSQL on this
 * machine the tests of that engine are left out, with a line that says so.
 */
export default async function setup(): Promise<(() => void) | undefined> {
  if (process.env.TEST_DATABASE_URL !== undefined || postgresPrograms() === undefined) return undefined;
  // Test data may be lost in a crash of the machine, so fsync is off.
  const server = await startPostgres({ fsync: 'off' });
  process.env.TEST_DATABASE_URL = server.url;
  return () => server.remove();
}
