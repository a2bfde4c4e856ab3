import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';
import { makePrivate } from '../lib/data-dir.ts';

/** The part of SQLite that the modules use. */
export interface Database {
  run(sql: string, ...values: Value[]): number;
  get<Row>(sql: string, ...values: Value[]): Row | undefined;
  all<Row>(sql: string, ...values: Value[]): Row[];
  /** Runs all or nothing. Takes the write lock at once, so that two processes cannot both believe they were first. */
  transaction<T>(work: () => T): T;
  /** Changes when another connection has committed; costs microseconds. */
  version(): number;
  close(): void;
}

export type Value = string | number | null | Uint8Array;

/**
 * Adds the columns that a table of an older version lacks. `columns`: name and type; both are part of the program and never
 * come from a user. Two processes may open the same file at once: the second one finds the columns there.
 */
export function addColumns(db: Database, table: string, columns: Readonly<Record<string, string>>): void {
  const missing = () => {
    const present = db.all<{ name: string }>(`SELECT name FROM pragma_table_info('${table}')`).map(({ name }) => name);
    return Object.entries(columns).filter(([name]) => !present.includes(name));
  };
  if (missing().length === 0) return;
  db.transaction(() => {
    for (const [name, type] of missing()) db.run(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
  });
}

/**
 * Opens or creates a SQLite file that all local processes share.
 * `durable`: every commit reaches the disk before it returns. Without it, a power cut may lose the last commits.
 */
export function openDatabase(path: string, schema: string, options: { durable: boolean }): Database {
  if (path !== ':memory:') prepareFile(path);
  const db = new Libsql(path);
  db.exec('PRAGMA busy_timeout=5000');
  db.exec('PRAGMA journal_mode=WAL');
  db.exec(`PRAGMA synchronous=${options.durable ? 'FULL' : 'NORMAL'}`);
  db.exec(schema);
  const statements = new Map<string, Libsql.Statement<Value[]>>();
  const prepared = (sql: string) => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = db.prepare<Value[]>(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    run: (sql, ...values) => prepared(sql).run(...values).changes,
    get: <Row>(sql: string, ...values: Value[]) => prepared(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => prepared(sql).all(...values) as Row[],
    transaction: (work) => {
      prepared('BEGIN IMMEDIATE').run();
      try {
        const value = work();
        prepared('COMMIT').run();
        return value;
      } catch (error) {
        prepared('ROLLBACK').run();
        throw error;
      }
    },
    version: () => (prepared('PRAGMA data_version').get() as { data_version: number }).data_version,
    close: () => {
      statements.clear();
      db.close();
    },
  };
}

/** Creates the folder, and the file with mode 0600. SQLite gives its -wal and -shm files the mode of that file. */
function prepareFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  for (const end of ['', '-wal', '-shm']) makePrivate(path + end);
}
