import Libsql from 'libsql';

type Value = string | number | null | Uint8Array;

/** A SQLite file of the product, read and changed past it. */
export interface SqliteFile {
  run(sql: string, ...values: Value[]): number;
  get<Row>(sql: string, ...values: Value[]): Row | undefined;
  all<Row>(sql: string, ...values: Value[]): Row[];
  close(): void;
}

export function openSqliteFile(path: string): SqliteFile {
  const db = new Libsql(path);
  db.exec('PRAGMA busy_timeout=5000');
  return {
    run: (sql, ...values) => db.prepare<Value[]>(sql).run(...values).changes,
    get: <Row>(sql: string, ...values: Value[]) => db.prepare<Value[]>(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: Value[]) => db.prepare<Value[]>(sql).all(...values) as Row[],
    close: () => db.close(),
  };
}

/** Runs one statement on the file, as another program does. */
export function editFile(path: string, sql: string, ...values: Value[]): void {
  const file = openSqliteFile(path);
  file.run(sql, ...values);
  file.close();
}
