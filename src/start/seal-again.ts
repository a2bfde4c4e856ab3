import { recordOf as recordOfThread } from '../assistant/conversations.ts';
import { proveAgain } from '../ledger/chain.ts';
import { resealedResult, SEALED_RESULTS, type Seal } from '../ledger/seal.ts';
import type { Queries, Value } from '../store/types.ts';

/** A column of sealed values. */
interface Column {
  table: string;
  column: string;
  /** The columns that name a row. */
  key: readonly string[];
  /** The record that a value is sealed for, from the values of these columns. */
  record(...key: string[]): string;
}

/**
 * Columns that are read after the old key was removed. Inputs of actions are left out, because only calls that have not
 * ended need theirs, and the decisions about them are bound to the sealed bytes. Tokens are fetched again.
 */
const COLUMNS: readonly Column[] = [
  { table: 'registrations', column: 'sealed', key: ['id'], record: (id) => id },
  { table: 'vault', column: 'sealed', key: ['operation', 'key'], record: (operation, key) => `${operation}/${key}` },
  { table: 'actions', column: 'once_secret', key: ['id'], record: (id) => `${id}/once` },
  { table: 'conversations', column: 'sealed', key: ['thread'], record: recordOfThread },
];

/** Seals stored values again with the first key. A value that no key opens stays as it is. */
export async function sealAgain(queries: Queries, seal: Seal): Promise<void> {
  for (const column of COLUMNS) await sealColumn(queries, column, seal);
  const results = await queries.all<{ id: string; result: string }>(
    'SELECT id, result FROM actions WHERE result LIKE ?',
    SEALED_RESULTS,
  );
  for (const row of results) {
    const result = resealedResult(row, seal);
    if (result !== undefined) await queries.run('UPDATE actions SET result = ? WHERE id = ?', result, row.id);
  }
  await proveAgain(queries, seal);
}

async function sealColumn(queries: Queries, { table, column, key, record }: Column, seal: Seal): Promise<void> {
  const rows = await queries.all<Record<string, Value>>(
    `SELECT ${[...key, column].join(', ')} FROM ${table} WHERE ${column} IS NOT NULL`,
  );
  const where = key.map((name) => `${name} = ?`).join(' AND ');
  for (const row of rows) {
    const names = key.map((name) => String(row[name]));
    const sealed = resealed(row[column], record(...names), seal);
    if (sealed) await queries.run(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, sealed, ...names);
  }
}

function resealed(sealed: Value | undefined, record: string, seal: Seal): Uint8Array | undefined {
  if (!(sealed instanceof Uint8Array)) return undefined;
  try {
    return seal.seal(seal.open(sealed, record), record);
  } catch {
    // It belongs to another installation, or is damaged.
    return undefined;
  }
}
