import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Libsql from 'libsql';

/** The few statements the rooms need of SQLite; libsql's types, narrowed to what we use. */
export interface Database {
  run(sql: string, ...values: Value[]): number;
  get<Row>(sql: string, ...values: Value[]): Row | undefined;
  all<Row>(sql: string, ...values: Value[]): Row[];
  /** All or nothing, taking the write lock at once so that two processes cannot both believe they were first. */
  transaction<T>(work: () => T): T;
  /** Another number than before where another connection has committed since; costs microseconds. */
  version(): number;
  close(): void;
}

export type Value = string | number | null | Uint8Array;

/**
 * Opens (or makes) a SQLite file shared by all local processes.
 * `durable`: every commit reaches the disk before it returns; without it a power cut may lose the last ones.
 */
export function openDatabase(path: string, schema: string, options: { durable: boolean }): Database {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
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
