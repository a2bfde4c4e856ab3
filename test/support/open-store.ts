import { PostgresStore, type PostgresStoreOptions } from '../../src/store/postgres.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/types.ts';

/** The store in the database of `url`, otherwise in the SQLite file at `path`. */
export function openStore(
  options: Omit<PostgresStoreOptions, 'url'> & { url: string | undefined; path: string },
): Store {
  const { url, path, ...others } = options;
  return url === undefined ? new SqliteStore({ path, ...others }) : new PostgresStore({ url, ...others });
}
