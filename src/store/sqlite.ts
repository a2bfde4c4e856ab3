import { closeSync, mkdirSync, openSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import type { Clock } from '../lib/clock.ts';
import { makePrivate } from '../lib/data-dir.ts';
import { POLL_MS } from '../lib/durations.ts';
import type { Fields } from '../lib/json.ts';
import { createTables, tablesOf } from './schema.ts';
import type { Area, Database, Store, StoreHealth, Transaction, Value } from './types.ts';
import { storeUnavailable } from './unavailable.ts';

/** Areas whose last writes may be lost in a power cut. All other commits are on the disk before they return. */
const RELAXED: readonly Area[] = ['budget', 'watches', 'pairing', 'slack-seen'];
const ROW_LOCKS = /\s+FOR UPDATE(\s+OF\s+\w+)?(\s+SKIP LOCKED)?/g;
/** Failures of the disk or the lock, not of a statement. */
const UNAVAILABLE = [
  'SQLITE_BUSY',
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
  'SQLITE_LOCKED',
];

export interface SqliteStoreOptions {
  /** The path of the file. */
  path: string;
  clock: Clock;
}

/** An installation in one SQLite file, which all processes of one machine share. */
export class SqliteStore implements Store {
  readonly engine = 'sqlite';
  readonly clock: Clock;
  readonly #path: string;
  readonly #connection: Connection;

  constructor({ path, clock }: SqliteStoreOptions) {
    this.#path = path;
    this.#connection = new Connection(path, clock);
    this.clock = clock;
  }

  database(area: Area): Database {
    return new SqliteDatabase(this.#connection, !RELAXED.includes(area));
  }

  async check(): Promise<void> {
    await this.database('ledger').get('SELECT 1');
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

/** Runs the transactions of this process on one file one after another. Single statements wait for them. */
class Turns {
  /** Resolves when the transaction under way, and those that wait for it, have ended. */
  #last: Promise<void> | undefined;

  take<T>(work: () => Promise<T>): Promise<T> {
    const running = (this.#last ?? Promise.resolve()).then(work);
    const ended = running
      .then(
        () => undefined,
        () => undefined,
      )
      .then(() => {
        if (this.#last === ended) this.#last = undefined;
      });
    this.#last = ended;
    return running;
  }

  get isBusy(): boolean {
    return this.#last !== undefined;
  }

  /** Resolves when the transactions known now have ended; there may be new ones by then. */
  async ended(): Promise<void> {
    await this.#last;
  }
}

/**
 * The transactions of this process by path. SQLite blocks the whole process while it waits for its lock. If another
 * connection of this process held the lock, its transaction could then never end.
 */
const turnsByPath = new Map<string, Turns>();

function turnsOf(path: string): Turns {
  const turns = turnsByPath.get(path) ?? new Turns();
  if (path !== ':memory:') turnsByPath.set(path, turns);
  return turns;
}

/** One SQLite file. It is opened, and created, with the first query. */
class Connection {
  readonly #path: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #file: SqliteFile | undefined;
  #opening: Promise<SqliteFile> | undefined;
  readonly #turns: Turns;
  #checking: NodeJS.Timeout | undefined;
  #version: number | undefined;
  #isClosed = false;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
    this.#turns = turnsOf(path);
  }

  async open(): Promise<SqliteFile> {
    if (this.#file) return this.#file;
    if (this.#isClosed) throw storeUnavailable(new Error(`${this.#path} is closed`));
    this.#opening ??= this.#openFile().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** Runs one statement while no transaction of this process is under way, so that it does not become part of one. */
  async single<T>(isDurable: boolean, work: (file: SqliteFile) => T): Promise<T> {
    const file = this.#file ?? (await this.open());
    while (this.#turns.isBusy) await this.#turns.ended();
    file.setDurable(isDurable);
    return work(file);
  }

  /** The write lock is taken at once, so that two processes cannot both believe that they were first. */
  async transaction<T>(isDurable: boolean, work: (queries: Transaction) => Promise<T>): Promise<T> {
    const file = await this.open();
    return this.#turns.take(() => {
      file.setDurable(isDurable);
      return transact(file, this.#clock, work);
    });
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

  /** Waits for the transaction under way, and closes the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#checking);
    await this.#opening?.catch(() => undefined);
    while (this.#turns.isBusy) await this.#turns.ended();
    this.#file?.close();
    this.#file = undefined;
  }

  async #openFile(): Promise<SqliteFile> {
    while (this.#turns.isBusy) await this.#turns.ended();
    const file = new SqliteFile(this.#path);
    try {
      await this.#turns.take(() => transact(file, this.#clock, (queries) => createTables(queries, 'sqlite')));
    } catch (error) {
      file.close();
      throw error;
    }
    this.#version = file.version();
    this.#file = file;
    return file;
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
    return this.#connection.single(this.#isDurable, (file) => file.run(sql, values));
  }

  get<Row>(sql: string, ...values: Value[]): Promise<Row | undefined> {
    return this.#connection.single(this.#isDurable, (file) => file.get(sql, values) as Row | undefined);
  }

  all<Row>(sql: string, ...values: Value[]): Promise<Row[]> {
    return this.#connection.single(this.#isDurable, (file) => file.all(sql, values) as Row[]);
  }

  transaction<T>(work: (queries: Transaction) => Promise<T>): Promise<T> {
    return this.#connection.transaction(this.#isDurable, work);
  }

  onOtherWrites(listener: () => void): () => void {
    return this.#connection.onOtherWrites(listener);
  }
}

async function transact<T>(file: SqliteFile, clock: Clock, work: (queries: Transaction) => Promise<T>): Promise<T> {
  file.run('BEGIN IMMEDIATE', []);
  try {
    const value = await work({
      run: async (sql, ...values) => file.run(sql, values),
      get: async <Row>(sql: string, ...values: Value[]) => file.get(sql, values) as Row | undefined,
      all: async <Row>(sql: string, ...values: Value[]) => file.all(sql, values) as Row[],
      // The transaction has the whole file.
      lock: async () => undefined,
      now: async () => clock.now(),
    });
    file.run('COMMIT', []);
    return value;
  } catch (error) {
    file.rollback();
    throw error;
  }
}

/** The open file, with its prepared statements. */
class SqliteFile {
  readonly #db: Libsql.Database;
  readonly #statements = new Map<string, Libsql.Statement<Value[]>>();

  #isDurable = true;

  constructor(path: string) {
    try {
      if (path !== ':memory:') prepareFile(path);
      this.#db = new Libsql(path);
      this.#db.exec('PRAGMA busy_timeout=5000');
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
    return this.#try(() => this.#prepared(sql).run(...values).changes);
  }

  get(sql: string, values: Value[]): unknown {
    return this.#try(() => withoutMetadata(this.#prepared(sql).get(...values)));
  }

  all(sql: string, values: Value[]): unknown[] {
    return this.#try(() =>
      this.#prepared(sql)
        .all(...values)
        .map(withBytes),
    );
  }

  rollback(): void {
    try {
      this.#prepared('ROLLBACK').run();
    } catch {
      // SQLite has rolled back by itself (a full disk). The first error is the one to report.
    }
  }

  /** Changes when another connection has committed; costs microseconds. */
  version(): number {
    return (this.#prepared('PRAGMA data_version').get() as { data_version: number }).data_version;
  }

  close(): void {
    this.#statements.clear();
    this.#db.close();
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
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' && UNAVAILABLE.some((known) => code.startsWith(known))
    ? storeUnavailable(error)
    : error;
}

/** libsql adds how long the statement took. */
function withoutMetadata(row: unknown): unknown {
  if (row !== null && typeof row === 'object') Reflect.deleteProperty(row, '_metadata');
  return row;
}

/** libsql gives bytes of several rows as ArrayBuffer, and of one row as Uint8Array. */
function withBytes(row: unknown): unknown {
  const columns = row as Fields;
  for (const name of Object.keys(columns)) {
    const value = columns[name];
    if (value instanceof ArrayBuffer) columns[name] = new Uint8Array(value);
  }
  return columns;
}

/** Size of the test file: enough space for the next few actions. */
const PROBE_BYTES = 64 * 1024;

/** Rejects if files cannot be written beside this one. SQLite reads a database on a full disk without an error. */
async function probe(path: string): Promise<void> {
  if (path === ':memory:') return;
  const file = `${path}.${process.pid}.probe`;
  try {
    await writeFile(file, Buffer.alloc(PROBE_BYTES), { mode: 0o600 });
  } catch (error) {
    throw storeUnavailable(error);
  } finally {
    await rm(file, { force: true });
  }
}

/** Creates the folder, and the file with mode 0600. SQLite gives its -wal and -shm files the mode of that file. */
function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  for (const end of ['', '-wal', '-shm']) makePrivate(path + end);
}
