import { closeSync, linkSync, mkdirSync, openSync, promises, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Libsql from 'libsql';
import { type Clock, POLL_MS } from '../lib/clock.ts';
import { makePrivate } from '../lib/config.ts';
import type { Fields } from '../lib/values.ts';
import { hasCode, isStoreUnavailable, Outage, queriesOf, storeUnavailable, UnusableStore } from './key-values.ts';
import { currently, numberOf, RELAXED, raise } from './schema.ts';
import type { Area, Database, Queries, Store, StoreOptions, Transaction, Value } from './types.ts';

const ROW_LOCKS = /\s+FOR UPDATE(\s+OF\s+\w+)?(\s+SKIP LOCKED)?/g;
const READS = /^\s*(SELECT|PRAGMA)\b/i;
/** Another connection holds the lock. */
const LOCKED = ['SQLITE_BUSY', 'SQLITE_LOCKED'];
/** The bytes of the file are not those of one database. */
const DAMAGED = ['SQLITE_CORRUPT', 'SQLITE_NOTADB'];
/** Failures of the disk or the lock, not of a statement. */
const UNAVAILABLE = [...LOCKED, 'SQLITE_FULL', 'SQLITE_IOERR', 'SQLITE_CANTOPEN', 'SQLITE_READONLY'];

/** The open file, with its prepared statements. */
export class SqliteFile {
  readonly #db: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement<Value[]>>();

  #isDurable = true;

  constructor(path: string) {
    try {
      if (path !== ':memory:') {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
        closeSync(openSync(path, 'a', 0o600));
        // SQLite gives its -wal and -shm files the mode of the file.
        for (const end of ['', '-wal', '-shm']) makePrivate(path + end);
      }
      this.#db = new Libsql(path);
      // SQLite would wait within a statement, and block this process until the lock is free.
      this.#db.exec('PRAGMA busy_timeout=0');
      this.#db.exec('PRAGMA journal_mode=WAL');
      this.#db.exec('PRAGMA synchronous=FULL');
    } catch (error) {
      throw translated(error);
    }
  }

  /** False: the next commits do not wait for the disk. Call it outside a transaction. */
  setDurable(isDurable: boolean): void {
    if (isDurable === this.#isDurable) return;
    this.#db.exec(`PRAGMA synchronous=${isDurable ? 'FULL' : 'NORMAL'}`);
    this.#isDurable = isDurable;
  }

  run(sql: string, values: Value[]): number {
    return this.#locked(sql, () => this.#prepared(sql).run(...values).changes);
  }

  all(sql: string, values: Value[]): unknown[] {
    const rows = this.#locked(sql, () => this.#prepared(sql).all(...values) as Fields[]);
    // libsql gives bytes as ArrayBuffer.
    for (const row of rows)
      for (const [name, value] of Object.entries(row))
        if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
    return rows;
  }

  /**
   * Takes the lock for writing, or throws. libsql does not reset a prepared statement that failed, and while one is not
   * reset, no read of the connection ends: it would keep an old state in view, on which SQLite allows no write ever
   * again. So only this statement, which is prepared for each call and released with its failure, can meet the lock of
   * another process.
   */
  begin(): void {
    this.#try(() => this.#db.exec('BEGIN IMMEDIATE'));
  }

  commit(): void {
    this.#try(() => this.#prepared('COMMIT').run());
  }

  rollback(): void {
    try {
      this.#prepared('ROLLBACK').run();
    } catch {
      // SQLite has rolled back by itself (a full disk). The first error is the one to report.
    }
  }

  /** Changes when another connection has committed; NaN if it cannot be read. */
  version(): number {
    try {
      return (this.#prepared('PRAGMA data_version').get() as { data_version: number }).data_version;
    } catch {
      return Number.NaN;
    }
  }

  /** Writes the log into the file and empties it. Throws while another connection uses it. */
  checkpoint(): void {
    this.#try(() => {
      const state = this.#db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy?: number } | undefined;
      if (state?.busy === 1) throw Object.assign(new Error('the log is in use'), { code: LOCKED[0] });
    });
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
  }

  /** Runs a statement. One that writes outside a transaction gets a separate one. */
  #locked<T>(sql: string, work: () => T): T {
    if (READS.test(sql) || this.#db.inTransaction) return this.#try(work);
    this.begin();
    try {
      const value = this.#try(work);
      this.commit();
      return value;
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  #prepared(sql: string): Libsql.Statement<Value[]> {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare<Value[]>(sql.replace(ROW_LOCKS, ''));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  #try<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw translated(error);
    }
  }
}

function translated(error: unknown): unknown {
  if (hasCode(error, DAMAGED))
    return new UnusableStore(
      'The file of the stored data is damaged, or was put in place of another one whose log is still there. After a restore, remove the files that end in -wal and -shm beside it; otherwise restore the last backup.',
      error,
    );
  // The system's own errors are about the folder: it is read-only, full or gone, or is no folder.
  const isOfSystem = error instanceof Error && 'syscall' in error;
  return isOfSystem || hasCode(error, UNAVAILABLE) ? storeUnavailable(error) : error;
}

/** A caller waits this long for the lock of another process; less once another caller has waited in vain. */
const LOCK_MS = 5_000;
const LOCK_AWAY_MS = 250;
/** The longest pause between two attempts to get the lock. */
const MAX_PAUSE_MS = 50;

/** Size of the file that tests whether the disk is full: enough space for the next few actions. */
const PROBE_BYTES = 64 * 1024;

/** `path`: that of the file. */
type SqliteStoreOptions = StoreOptions & { path: string };

/**
 * An installation in one SQLite file, which all processes of one machine share. It is opened, and created, with the
 * first query.
 */
export class SqliteStore implements Store {
  readonly clock: Clock;
  readonly #options: SqliteStoreOptions;
  readonly #outage: Outage;
  readonly #listeners = new Set<() => void>();
  /** Resolves when the transactions that were asked for have ended. They run one after another. */
  #transactions: Promise<unknown> = Promise.resolve();
  /** Resolves when the transaction that has begun has ended. */
  #begun: Promise<void> | undefined;
  #file: SqliteFile | undefined;
  #opening: Promise<SqliteFile> | undefined;
  #looking: NodeJS.Timeout | undefined;
  #version: number | undefined;
  #isClosed = false;

  constructor(options: SqliteStoreOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.#outage = new Outage(options.log);
  }

  get refused(): Promise<void> {
    return this.#outage.refused;
  }

  database(area: Area): Database {
    const isDurable = !RELAXED.includes(area);
    return {
      ...queriesOf(
        (sql, values) => this.#single(isDurable, true, (file) => file.run(sql, values)),
        (sql, values) => this.#single(isDurable, false, (file) => file.all(sql, values)),
      ),
      ready: () => this.#single(isDurable, false, () => undefined),
      // The write lock is taken at once, so that two processes cannot both believe that they were first.
      transaction: (work, isEnd = !isDurable) =>
        this.#observed(true, (until) => {
          const checked = isEnd ? work : currently(work);
          const running = this.#transactions.then(() => this.#transact(isDurable, until, checked));
          this.#transactions = running.catch(() => undefined);
          return running;
        }),
      onOtherWrites: (listener) => {
        this.#listeners.add(listener);
        // Four reads of shared memory a second cost less than 0.01 % of a core. Where the version cannot be read, the listeners
        // read the file next, and learn what is wrong with it.
        this.#looking ??= setInterval(() => {
          const version = this.#file?.version();
          if (version === this.#version) return;
          this.#version = version;
          for (const one of this.#listeners) one();
        }, POLL_MS).unref();
        return () => this.#listeners.delete(listener);
      },
    };
  }

  async check(): Promise<void> {
    await this.database('ledger').run('UPDATE installation SET schema = schema');
    // On a disk that is almost full, that write fits and the next action does not.
    if (this.#options.path === ':memory:') return;
    const probe = `${this.#options.path}.${process.pid}.probe`;
    try {
      await promises.writeFile(probe, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
    } catch (error) {
      throw storeUnavailable(error);
    } finally {
      await promises.rm(probe, { force: true });
    }
  }

  async number(): Promise<number | undefined> {
    const file = this.#file ?? new SqliteFile(this.#options.path);
    try {
      return await numberOf(queriesIn(file), 'sqlite');
    } finally {
      if (file !== this.#file) file.close();
    }
  }

  /**
   * Runs one statement while no transaction has begun, so that it does not become part of one. `writes`: its success
   * shows that the file takes writes.
   */
  #single<T>(isDurable: boolean, writes: boolean, work: (file: SqliteFile) => T): Promise<T> {
    return this.#observed(writes, async (until) => {
      const file = await this.#opened(until);
      const once = () => {
        file.setDurable(isDurable);
        return work(file);
      };
      return attempt(until, once, () => this.#begun);
    });
  }

  /**
   * Waits for what is under way, and closes the file. Its log is written into the file before, unless other connections
   * use it, so that a copy of the file alone has all data.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#looking);
    await this.#opening?.catch(() => undefined);
    await this.#transactions;
    const file = this.#file;
    this.#file = undefined;
    if (file === undefined) return;
    await attempt(performance.now() + LOCK_AWAY_MS, () => file.checkpoint())
      // The log stays beside the file, and the next start reads it.
      .catch((error: unknown) => this.#options.log?.('debug', { error: String(error) }, 'the log was not written'));
    file.close();
  }

  async #transact<T>(isDurable: boolean, until: number, work: (queries: Transaction) => Promise<T>): Promise<T> {
    const file = await this.#opened(until);
    // Only the beginning is repeated: what `work` of an attempt returns is not awaited there.
    return attempt(until, () => {
      file.setDurable(isDurable);
      file.begin();
      const running = toItsEnd(file, this.clock, work);
      const ended = () => {
        this.#begun = undefined;
      };
      this.#begun = running.then(ended, ended);
      return running;
    });
  }

  async #observed<T>(writes: boolean, work: (until: number) => Promise<T>): Promise<T> {
    try {
      const value = await work(performance.now() + (this.#outage.reason === undefined ? LOCK_MS : LOCK_AWAY_MS));
      if (writes) this.#outage.ended();
      return value;
    } catch (error) {
      throw this.#outage.failed(error);
    }
  }

  async #opened(until: number): Promise<SqliteFile> {
    if (this.#file) return this.#file;
    if (this.#isClosed) throw storeUnavailable(new Error(`${this.#options.path} is closed`));
    this.#opening ??= this.#open(until).finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #open(until: number): Promise<SqliteFile> {
    const { path, onOpen, replacesOldest = false, onRaised } = this.#options;
    const file = await attempt(until, () => new SqliteFile(path));
    let from: number | undefined;
    let copy: string | undefined;
    const backUp = (number: number) => {
      copy = `${path.replace(/\.db$/, '')}.number-${number}.${new Date(this.clock.now()).toISOString().replace(/[:.]/g, '-')}.db`;
      // What is committed, in a new file that has its name when it is whole. Another connection may hold the lock.
      const part = `${path}.copying`;
      // What a process left that was ended while it copied.
      for (const old of [part, `${part}-journal`]) rmSync(old, { force: true });
      closeSync(openSync(part, 'wx', 0o600));
      const db = new Libsql(path);
      try {
        db.prepare('VACUUM INTO ?').run(part);
        linkSync(part, copy);
      } catch (error) {
        throw translated(error);
      } finally {
        db.close();
        rmSync(part, { force: true });
      }
    };
    try {
      await attempt(until, () => file.begin());
      await toItsEnd(file, this.clock, async (queries) => {
        from = await raise(queries, 'sqlite', { replacesOldest, backUp });
        await onOpen?.(queries);
      });
    } catch (error) {
      file.close();
      // Nothing was raised. A start that fails again and again would fill the disk with copies.
      if (copy !== undefined) rmSync(copy, { force: true });
      throw error;
    }
    if (from !== undefined) onRaised?.(from, copy);
    this.#outage.ended();
    this.#file = file;
    return file;
  }
}

function queriesIn(file: SqliteFile): Queries {
  return queriesOf(
    async (sql, values) => file.run(sql, values),
    async (sql, values) => file.all(sql, values),
  );
}

/** Runs a transaction that has begun. */
async function toItsEnd<T>(file: SqliteFile, clock: Clock, work: (queries: Transaction) => Promise<T>): Promise<T> {
  try {
    const value = await work({
      ...queriesIn(file),
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

/**
 * Repeats `work` until no other process holds the lock, or until this time on the scale of `performance.now()`. Between
 * the attempts, the process does other work.
 * @param before what each attempt waits for
 */
async function attempt<T>(until: number, work: () => T, before: () => Promise<void> | undefined = () => undefined) {
  for (let pauseMs = 1; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    for (let other = before(); other !== undefined; other = before()) await other;
    try {
      return work();
    } catch (error) {
      // Another connection holds the lock.
      const isLocked = isStoreUnavailable(error) && hasCode(error.cause, LOCKED);
      if (!isLocked || performance.now() >= until) throw error;
    }
    await sleep(pauseMs);
  }
}
