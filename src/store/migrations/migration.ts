import type { Area, Engine, Queries } from '../types.ts';

/** What a migration is given. */
export interface MigrationContext {
  engine: Engine;
  queries: Queries;
  /** The names of types that differ between the engines. */
  types: ColumnTypes;
  /** Adds the columns that a table lacks: name, and type with default. */
  addColumns(table: string, columns: Readonly<Record<string, string>>): Promise<void>;
}

export interface ColumnTypes {
  /** A 64-bit integer. */
  int: string;
  bytes: string;
  /** A primary key that the database counts up. */
  serial: string;
}

/** One numbered step of the schema. It runs once for every area, forward only. */
export interface Migration {
  number: number;
  areas: Partial<Record<Area, (context: MigrationContext) => Promise<void>>>;
}
