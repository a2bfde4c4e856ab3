import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Ledger } from '../../src/ledger/ledger.ts';
import { createSeal, type Seal } from '../../src/ledger/seal.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import type { Store } from '../../src/store/types.ts';
import { Jobs } from '../../src/work/jobs.ts';
import { Worker } from '../../src/work/worker.ts';
import { atEnd } from './ending.ts';
import { openStore } from './open-store.ts';

interface TestLedgerOptions {
  clock?: Clock;
  seal?: Seal;
  /** Ledgers with the same folder share their data. Left out: a separate ledger, in memory on SQLite. */
  folder?: string;
}

/** Opens a ledger with a separate store. Both are closed at the end. */
export function openLedger({ clock = systemClock, seal, folder }: TestLedgerOptions = {}): TestLedger {
  const store = testStore(clock, folder);
  const ledger = new TestLedger(store, seal ?? createSeal(randomBytes(32)));
  atEnd(() => ledger.close());
  return ledger;
}

/** A worker of a process with this id. It does nothing before it is started. */
export function workerOn(store: Store, owner: string): Worker {
  const { clock } = store;
  const jobs = new Jobs({ database: store.database('ledger'), clock, owner });
  return new Worker({ jobs, clock, log: () => undefined });
}

/** The engine that tests use which do not name one: SQLite, or PostgreSQL with TEST_ENGINE=postgres. */
export const isOnPostgres = process.env.TEST_ENGINE === 'postgres';

/** A store of the run's engine. Stores of the same folder share their data. */
function testStore(clock: Clock, folder?: string): Store {
  const hash = createHash('sha256').update(folder ?? randomUUID());
  return openStore({
    path: folder === undefined ? ':memory:' : join(folder, 'switchboard.db'),
    clock,
    log: () => undefined,
    ownClock: clock !== systemClock,
    url: isOnPostgres ? process.env.TEST_DATABASE_URL : undefined,
    ...(isOnPostgres && { schema: `t_${hash.digest('hex').slice(0, 24)}` }),
  });
}

export class TestLedger extends Ledger {
  readonly #store: Store;
  /** A worker for a gate on this ledger. */
  readonly worker: Worker;

  constructor(store: Store, seal: Seal) {
    super({ seal, owner: 'test', db: store.database('ledger'), clock: store.clock });
    this.#store = store;
    this.worker = workerOn(store, 'test');
  }

  override async close(): Promise<void> {
    await this.worker.stop();
    await super.close();
    await this.#store.close();
  }
}
