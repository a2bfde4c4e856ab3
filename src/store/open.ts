import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { SqliteStore } from './sqlite.ts';
import type { Queries, Store } from './types.ts';

export interface StoreOptions {
  /** DATABASE_URL. If left out, an SQLite file is used. */
  url: string | undefined;
  /** A separate schema in that database, created if it is missing. If left out, the schema of the URL. */
  schema?: string;
  /** The path of the SQLite file. */
  path: string;
  clock: Clock;
  log: Log;
  /** Runs in the transaction that first opens the database. Rejecting refuses every query. */
  onOpen?: (queries: Queries) => Promise<void>;
  /** True to keep the given clock on PostgreSQL too. For tests that control the clock. */
  ownClock?: boolean;
}

/** Creates the store. The first query opens it. PostgreSQL's client is loaded only if it is used. */
export async function openStore({ url, path, ...options }: StoreOptions): Promise<Store> {
  const { clock, log, onOpen } = options;
  if (url === undefined) return new SqliteStore({ path, clock, log, ...(onOpen && { onOpen }) });
  const { PostgresStore } = await import('./postgres.ts');
  return new PostgresStore({ url, ...options });
}
