import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Ledger, type Owner } from '../../src/ledger/ledger.ts';
import { createSeal, type Seal } from '../../src/ledger/seal.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { PostgresStore } from '../../src/store/postgres.ts';
import { SqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/types.ts';

export interface TestLedgerOptions {
  clock?: Clock;
  seal?: Seal;
  owner?: Partial<Owner>;
  /** Ledgers with the same folder share their data. Left out: a ledger of its own, in memory on SQLite. */
  folder?: string;
}

/** A ledger with a store of its own, which its `close` closes too. */
export function openLedger({ clock = systemClock, seal, owner, folder }: TestLedgerOptions = {}): Ledger {
  const store = testStore(clock, folder);
  return new TestLedger(store, {
    seal: seal ?? createSeal(randomBytes(32)),
    owner: { id: 'test', pid: process.pid, host: 'test', ...owner },
  });
}

/** The engine that tests use which do not name one: SQLite, or PostgreSQL with TEST_ENGINE=postgres. */
export const isOnPostgres = process.env.TEST_ENGINE === 'postgres';

/** A store of the run's engine. Stores of the same folder share their data. */
export function testStore(clock: Clock, folder?: string): Store {
  const options = {
    path: folder === undefined ? ':memory:' : join(folder, 'switchboard.db'),
    clock,
    log: () => undefined,
    ownClock: clock !== systemClock,
  };
  const { url, schema = '' } = databaseOf(folder);
  return url === undefined ? new SqliteStore(options) : new PostgresStore({ ...options, url, schema });
}

/** DATABASE_URL and schema for the data of a folder; no URL on SQLite. */
export function databaseOf(folder: string | undefined): { url: string | undefined; schema?: string } {
  if (!isOnPostgres) return { url: undefined };
  const name = createHash('sha256')
    .update(folder ?? randomUUID())
    .digest('hex')
    .slice(0, 24);
  return { url: process.env.TEST_DATABASE_URL, schema: `t_${name}` };
}

class TestLedger extends Ledger {
  readonly #store: Store;

  constructor(store: Store, options: { seal: Seal; owner: Owner }) {
    super({ ...options, db: store.database('ledger'), clock: store.clock });
    this.#store = store;
  }

  override async close(): Promise<void> {
    await super.close();
    await this.#store.close();
  }
}
