import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { SqliteStore } from './sqlite.ts';
import type { Queries, Store } from './types.ts';

export interface StoreOptions {
  /** DATABASE_URL; left out: an SQLite file. */
  url: string | undefined;
  /** A schema of its own in that database, made if it is missing; left out: that of the URL. */
  schema?: string;
  /** The path of the SQLite file. */
  path: string;
  clock: Clock;
  log: Log;
  /** Runs in the transaction that first opens a PostgreSQL database. Rejecting refuses every query. */
  onOpen?: (queries: Queries) => Promise<void>;
  /** Keep the given clock on PostgreSQL too. For tests that turn the clock. */
  ownClock?: boolean;
}

/** Opens nothing yet: the first query does. PostgreSQL's client is loaded only if it is used. */
export async function openStore({ url, path, ...options }: StoreOptions): Promise<Store> {
  if (url === undefined) return new SqliteStore({ path, clock: options.clock });
  const { PostgresStore } = await import('./postgres.ts');
  return new PostgresStore({ url, ...options });
}
