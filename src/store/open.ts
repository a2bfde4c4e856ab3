import type { Clock } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import { PostgresStore } from './postgres.ts';
import { SqliteStore } from './sqlite.ts';
import type { Area, Store } from './types.ts';

export interface StoreOptions {
  /** DATABASE_URL; left out: SQLite files. */
  url: string | undefined;
  /** The path of an area's file. */
  file: (area: Area) => string;
  clock: Clock;
  log: Log;
  /** Keep the given clock on PostgreSQL too. For tests that turn the clock. */
  ownClock?: boolean;
}

/** Opens nothing yet: each area is opened with its first query. */
export function openStore({ url, file, clock, log, ownClock = false }: StoreOptions): Store {
  return url === undefined ? new SqliteStore({ file, clock }) : new PostgresStore({ url, clock, log, ownClock });
}
