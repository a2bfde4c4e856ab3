import { promises } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../lib/clock.ts';
import { POLL_MS } from '../lib/durations.ts';
import type { Log } from '../lib/log.ts';
import { Outage, storeUnavailable } from './key-values.ts';
import { createTables, tablesOf } from './schema.ts';
import { isLocked, SqliteFile } from './sqlite-file.ts';
import type { Area, Database, Queries, Store, StoreHealth, Transaction, Value } from './types.ts';

/** Areas whose last writes may be lost in a power cut. All other commits are on the disk before they return. */
const RELAXED: readonly Area[] = ['budget', 'watches', 'pairing', 'slack-seen'];
/** A caller waits this long for the lock of another process; less once another caller has waited in vain. */
const LOCK_MS = 5_000;
const LOCK_AWAY_MS = 250;

export interface SqliteStoreOptions {
  /** The path of the file. */
  path: string;
  clock: Clock;
  /** Learns when the file cannot be used, and when it can again. */
  log?: Log;
  /** Runs in the transaction that first opens the file. Rejecting refuses every query. */
  onOpen?: (queries: Queries) => Promise<void>;
}

/** An installation in one SQLite file, which all processes of one machine share. */
export class SqliteStore implements Store {
  readonly engine = 'sqlite';
  readonly clock: Clock;
  readonly #path: string;
  readonly #connection: Connection;

  constructor(options: SqliteStoreOptions) {
    this.#path = options.path;
    this.#connection = new Connection(options);
    this.clock = options.clock;
  }

  database(area: Area): Database {
    return new SqliteDatabase(this.#connection, !RELAXED.includes(area));
  }

  async check(): Promise<void> {
    const ledger = this.database('ledger');
    // A file that refused a write is asked to take one that changes nothing.
    if (this.#connection.isAway) await ledger.run('UPDATE installation SET schema = schema');
    else await ledger.get('SELECT 1');
    await probe(this.#path);
  }

  async health(): Promise<StoreHealth> {
    const ledger = this.database('ledger');
    const row = await ledger.get<{ version: string }>('SELECT sqlite_version() AS version');
    return {
      engine: 'sqlite',
      version: `SQLite ${row?.version ?? ''}`,
      clockDifferenceMs: 0,
      mayCreateTables: true,
      tables: await tablesOf(ledger, 'sqlite'),
    };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}

/** One SQLite file. It is opened, and created, with the first query. */
class Connection {
  readonly #options: SqliteStoreOptions;
  readonly #listeners = new Set<() => void>();
  readonly #outage: Outage;
  #file: SqliteFile | undefined;
  #opening: Promise<SqliteFile> | undefined;
  readonly #turns: Turns;
  #checking: NodeJS.Timeout | undefined;
  #version: number | undefined;
  #isClosed = false;

  constructor(options: SqliteStoreOptions) {
    this.#options = options;
    this.#outage = new Outage(options.log);
    this.#turns = turnsOf(options.path);
  }

  /** True from a failed statement until a write succeeds. */
  get isAway(): boolean {
    return this.#outage.reason !== undefined;
  }

  async open(patience = this.#patience()): Promise<SqliteFile> {
    if (this.#file) return this.#file;
    if (this.#isClosed) throw storeUnavailable(new Error(`${this.#options.path} is closed`));
    this.#opening ??= this.#openFile(patience).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /**
   * Runs one statement while no transaction of this process is under way, so that it does not become part of one.
   * `writes`: its success shows that the file takes writes.
   */
  async single<T>(isDurable: boolean, writes: boolean, work: (file: SqliteFile) => T): Promise<T> {
    const patience = this.#patience();
    const file = this.#file ?? (await this.open(patience));
    const once = () => {
      file.setDurable(isDurable);
      return work(file);
    };
    return this.#observed(writes, patience.attempt(once, { after: this.#turns }));
  }

  /** The write lock is taken at once, so that two processes cannot both believe that they were first. */
  async transaction<T>(isDurable: boolean, work: (queries: Transaction) => Promise<T>): Promise<T> {
    const patience = this.#patience();
    const file = await this.open(patience);
    return this.#observed(
      true,
      this.#turns.take(() => this.#transact(file, patience, isDurable, work)),
    );
  }

  onOtherWrites(listener: () => void): () => void {
    this.#listeners.add(listener);
    // `data_version` is a read of shared memory: four checks a second cost less than 0.01 % of a core. Watching the file
    // would not work, because its log is written through a memory map.
    this.#checking ??= setInterval(() => this.#check(), POLL_MS).unref();
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /**
   * Waits for the transaction under way, and closes the file. Its log is written into the file before, so that a copy
   * of the file alone has all data.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#checking);
    await this.#opening?.catch(() => undefined);
    while (this.#turns.hasAny) await this.#turns.ended();
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    await this.#checkpoint(file);
    file.close();
  }

  /** Writes the log into the file, unless other connections use it; the last one to close does so then. */
  async #checkpoint(file: SqliteFile): Promise<void> {
    await new Patience(LOCK_AWAY_MS)
      .attempt(() => file.checkpoint())
      // The log stays beside the file, and the next start reads it.
      .catch((error: unknown) => this.#options.log?.('debug', { error: String(error) }, 'the log was not written'));
  }

  #patience(): Patience {
    return new Patience(this.isAway ? LOCK_AWAY_MS : LOCK_MS);
  }

  async #observed<T>(writes: boolean, running: Promise<T>): Promise<T> {
    const { round } = this.#outage;
    try {
      const value = await running;
      if (writes) this.#outage.ended();
      return value;
    } catch (error) {
      throw this.#outage.failed(error, round);
    }
  }

  async #openFile(patience: Patience): Promise<SqliteFile> {
    const { path, onOpen } = this.#options;
    while (this.#turns.hasAny) await this.#turns.ended();
    const file = await this.#observed(
      false,
      patience.attempt(() => new SqliteFile(path)),
    );
    const prepare = async (queries: Transaction) => {
      await createTables(queries, 'sqlite');
      await onOpen?.(queries);
    };
    try {
      await this.#observed(
        true,
        this.#turns.take(() => this.#transact(file, patience, true, prepare)),
      );
    } catch (error) {
      file.close();
      throw error;
    }
    this.#version = file.version();
    this.#file = file;
    return file;
  }

  /** Runs a transaction in its turn. */
  async #transact<T>(
    file: SqliteFile,
    patience: Patience,
    isDurable: boolean,
    work: (queries: Transaction) => Promise<T>,
  ): Promise<T> {
    const begin = () => {
      file.setDurable(isDurable);
      file.begin();
    };
    await patience.attempt(begin, { within: this.#turns });
    return transact(file, this.#options.clock, work);
  }

  #check(): void {
    if (!this.#file) return;
    let version: number | undefined;
    try {
      version = this.#file.version();
    } catch {
      // The listeners read the file next, and learn what is wrong with it.
      version = undefined;
    }
    if (version !== undefined && version === this.#version) return;
    this.#version = version;
    for (const listener of this.#listeners) listener();
  }
}

/** One area of the file. */
class SqliteDatabase implements Database {
  readonly engine = 'sqlite';
  readonly #connection: Connection;
  readonly #isDurable: boolean;

  constructor(connection: Connection, isDurable: boolean) {
    this.#connection = connection;
    this.#isDurable = isDurable;
  }

  async ready(): Promise<void> {
    await this.#connection.open();
  }

  run(sql: string, ...values: Value[]): Promise<number> {
    return this.#connection.single(this.#isDurable, true, (file) => file.run(sql, values));
  }

  get<Row>(sql: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#connection.single(this.#isDurable, false, (file) => file.get(sql, values) as Row | undefined);
  }

  all<Row>(sql: string, ...values: Value[]): Promise<Row[]> {
    return this.#connection.single(this.#isDurable, false, (file) => file.all(sql, values) as Row[]);
  }

  transaction<T>(work: (queries: Transaction) => Promise<T>): Promise<T> {
    return this.#connection.transaction(this.#isDurable, work);
  }

  onOtherWrites(listener: () => void): () => void {
    return this.#connection.onOtherWrites(listener);
  }
}

/** Runs a transaction that has begun to its end. */
async function transact<T>(file: SqliteFile, clock: Clock, work: (queries: Transaction) => Promise<T>): Promise<T> {
  try {
    const value = await work({
      run: async (sql, ...values) => file.run(sql, values),
      get: async <Row>(sql: string, ...values: Value[]) => file.get(sql, values) as Row | undefined,
      all: async <Row>(sql: string, ...values: Value[]) => file.all(sql, values) as Row[],
      // The transaction has the whole file.
      lock: async () => undefined,
      now: async () => clock.now(),
    });
    file.commit();
    return value;
  } catch (error) {
    file.rollback();
    throw error;
  }
}

/** Size of the test file: enough space for the next few actions. */
const PROBE_BYTES = 64 * 1024;

/** Rejects if files cannot be written beside this one. SQLite reads a database on a full disk without an error. */
async function probe(path: string): Promise<void> {
  if (path === ':memory:') return;
  const file = `${path}.${process.pid}.probe`;
  try {
    await promises.writeFile(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
  } catch (error) {
    throw storeUnavailable(error);
  } finally {
    await promises.rm(file, { force: true });
  }
}

/** The longest pause between two attempts to get the lock. */
const MAX_PAUSE_MS = 50;

/** Runs the transactions of this process on one file one after another. Single statements wait for them. */
class Turns {
  /** Resolves when the transaction under way, and those that wait for it, have ended. */
  #last: Promise<void> | undefined;
  /** True while the transaction whose turn it is waits for the lock of another process, so that it has not begun. */
  #isWaiting = false;
  readonly #listeners = new Set<() => void>();

  take<T>(work: () => Promise<T>): Promise<T> {
    const running = (this.#last ?? Promise.resolve()).then(work);
    const ended = running
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (this.#last === ended) this.#last = undefined;
        this.#tell();
      });
    this.#last = ended;
    return running;
  }

  /** Waits before the transaction of this turn tries again to begin. Single statements run meanwhile. */
  async pause(wait: Promise<unknown>): Promise<void> {
    this.#isWaiting = true;
    this.#tell();
    await wait;
    this.#isWaiting = false;
  }

  get isBusy(): boolean {
    return this.#last !== undefined && !this.#isWaiting;
  }

  /** Resolves when no transaction is under way; there may be a new one by then. */
  async free(): Promise<void> {
    while (this.isBusy) await new Promise<void>((resolve) => this.#listeners.add(resolve));
  }

  /** Resolves when the transactions known now have ended; there may be new ones by then. */
  async ended(): Promise<void> {
    await this.#last;
  }

  get hasAny(): boolean {
    return this.#last !== undefined;
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }
}

/**
 * The transactions of this process by path. If another connection of this process held SQLite's lock, one that waits for
 * it would take attempts and time from the one that holds it.
 */
const turnsByPath = new Map<string, Turns>();

function turnsOf(path: string): Turns {
  const turns = turnsByPath.get(path) ?? new Turns();
  if (path !== ':memory:') turnsByPath.set(path, turns);
  return turns;
}

/** The time that one caller has for the lock of another process. Between its attempts, the process does other work. */
class Patience {
  readonly #until: number;
  #pauseMs = 1;

  constructor(ms: number) {
    this.#until = performance.now() + ms;
  }

  /**
   * Repeats `work` until the lock is free, or the time is over.
   * @param turns `after`: it runs while none of their transactions is under way. `within`: it begins one of them.
   */
  async attempt<T>(work: () => T, turns: { after?: Turns; within?: Turns } = {}): Promise<T> {
    for (;;) {
      while (turns.after?.isBusy) await turns.after.free();
      try {
        return work();
      } catch (error) {
        if (!isLocked(error) || performance.now() >= this.#until) throw error;
      }
      const pause = sleep(this.#pauseMs);
      this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS);
      await (turns.within ? turns.within.pause(pause) : pause);
    }
  }
}
