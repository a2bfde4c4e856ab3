import { setImmediate as otherWork } from 'node:timers/promises';
import type { Queries, Value } from './types.ts';

/* Parts of statements that are written from values. Names of tables and columns are the program's own. */

/** A column for each member. */
export type Columns = Record<string, Value>;

/** A mark for each value, for `IN (…)`, which is true for nothing if there are none. */
export function marks(values: readonly unknown[]): string {
  return values.length === 0 ? 'NULL' : values.map(() => '?').join(', ');
}

/** A value as JSON; null for none. */
export function json(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

/** Writes rows with the same columns in one statement. */
export async function insert(queries: Queries, table: string, rows: readonly Columns[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => columns.map((name) => row[name] ?? null));
  await queries.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${values.map((row) => `(${marks(row)})`).join(', ')}`,
    ...values.flat(),
  );
}

/** Sets columns of the rows that `where` is true for. Resolves to their number. `values`: those of `where`. */
export function update(
  queries: Queries,
  table: string,
  set: Columns,
  where: string,
  ...values: Value[]
): Promise<number> {
  const sets = Object.keys(set).map((name) => `${name} = ?`);
  return queries.run(`UPDATE ${table} SET ${sets.join(', ')} WHERE ${where}`, ...Object.values(set), ...values);
}

/** Repeats a step until it changes fewer than `size` rows. Other work can use the database between two steps. */
export async function inSteps(size: number, step: () => Promise<number>): Promise<number> {
  for (let total = 0; ; await otherWork()) {
    const changed = await step();
    total += changed;
    if (changed < size) return total;
  }
}
