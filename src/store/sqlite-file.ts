import { closeSync, linkSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { makePrivate } from '../lib/data-dir.ts';
import type { Fields } from '../lib/json.ts';
import { isStoreUnavailable, storeUnavailable, UnusableStore } from './key-values.ts';
import type { Value } from './types.ts';

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
      if (path !== ':memory:') prepareFile(path);
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

  get(sql: string, values: Value[]): unknown {
    return this.#locked(sql, () => withoutMetadata(this.#prepared(sql).get(...values)));
  }

  all(sql: string, values: Value[]): unknown[] {
    return this.#locked(sql, () =>
      this.#prepared(sql)
        .all(...values)
        .map(withBytes),
    );
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

  /** Changes when another connection has committed; costs microseconds. */
  version(): number {
    return (this.#prepared('PRAGMA data_version').get() as { data_version: number }).data_version;
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

/**
 * Writes what is committed in a file to a new one, which has its name when it is whole. The file may be locked by a
 * connection that writes.
 * @throws if there is a file at `to`
 */
export function copyFile(from: string, to: string): void {
  const part = `${from}.copying`;
  // What a process left that was ended while it copied.
  for (const old of [part, `${part}-journal`]) rmSync(old, { force: true });
  closeSync(openSync(part, 'wx', 0o600));
  const db = new Libsql(from);
  try {
    db.prepare('VACUUM INTO ?').run(part);
    linkSync(part, to);
  } catch (error) {
    throw translated(error);
  } finally {
    db.close();
    rmSync(part, { force: true });
  }
}

function translated(error: unknown): unknown {
  if (hasCode(error, DAMAGED))
    return new UnusableStore(
      'The file of the stored data is damaged, or was put in place of another one whose log is still there. After a restore, remove the files that end in -wal and -shm beside it; otherwise restore the last backup.',
      error,
    );
  return hasCode(error, UNAVAILABLE) ? storeUnavailable(error) : error;
}

/** True if a statement failed because another connection holds the lock. */
export function isLocked(error: unknown): boolean {
  return isStoreUnavailable(error) && hasCode(error.cause, LOCKED);
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && codes.some((known) => code.startsWith(known));
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

/** Creates the folder, and the file with mode 0600. SQLite gives its -wal and -shm files the mode of that file. */
function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  for (const end of ['', '-wal', '-shm']) makePrivate(path + end);
}
