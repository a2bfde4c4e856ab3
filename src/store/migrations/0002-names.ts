import { setImmediate as pause } from 'node:timers/promises';
import type { Queries } from '../types.ts';
import type { Migration, MigrationContext } from './migration.ts';

/** Actions of one step. Between steps the process does its other work. */
const STEP = 500;
/** Later than any reading is due. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * What a ledger of a million actions needs to answer at once: the values that actions name, the number of actions that
 * have ended, and indexes for each list. Secrets to be shown once, and what is being prepared, have tables of their own.
 */
export const names: Migration = { number: 2, areas: { ledger } };

async function ledger(context: MigrationContext): Promise<void> {
  const { queries, types, addColumns } = context;
  await addColumns('actions', { part_of: 'TEXT' });
  for (const statement of statements(types)) await queries.run(statement);
  await backfill(queries);
  await queries.run(
    `INSERT INTO action_totals (state, n) SELECT state, count(*) FROM actions
       WHERE state NOT IN ('pending', 'confirmed', 'in_flight', 'unknown') GROUP BY state`,
  );
  await queries.run(
    `INSERT INTO outcomes (action) SELECT id FROM actions WHERE state = 'unknown' ON CONFLICT (action) DO NOTHING`,
  );
  await queries.run(
    `UPDATE outcomes SET look_at = ? WHERE action NOT IN (SELECT id FROM actions WHERE state = 'unknown')`,
    NEVER,
  );
}

function statements({ int, bytes }: MigrationContext['types']): string[] {
  return [
    `CREATE TABLE action_names (
      action TEXT NOT NULL, value TEXT NOT NULL, updated_at ${int} NOT NULL, places INTEGER NOT NULL,
      PRIMARY KEY (action, value)
    )`,
    'CREATE INDEX action_names_value ON action_names (value, updated_at)',
    `CREATE TABLE action_totals (state TEXT PRIMARY KEY, n ${int} NOT NULL)`,
    `CREATE TABLE once_secrets (action TEXT PRIMARY KEY, sealed ${bytes} NOT NULL, at ${int} NOT NULL)`,
    `CREATE TABLE preparing (value TEXT PRIMARY KEY, owner TEXT NOT NULL, until ${int} NOT NULL)`,
    `INSERT INTO once_secrets (action, sealed, at)
      SELECT id, once, coalesce(finished_at, updated_at) FROM actions WHERE once IS NOT NULL`,
    'UPDATE actions SET once = NULL WHERE once IS NOT NULL',
    'DROP INDEX IF EXISTS actions_once',
    'DROP INDEX IF EXISTS actions_operation',
    'CREATE INDEX actions_operation_ended ON actions (operation, state, finished_at)',
    'CREATE INDEX actions_actor ON actions (actor_id, updated_at)',
    `CREATE INDEX actions_pending ON actions (expires_at) WHERE state = 'pending'`,
    `CREATE INDEX actions_claimed ON actions (id) WHERE state IN ('confirmed', 'in_flight')`,
    `CREATE INDEX actions_finished ON actions (finished_at)
      WHERE state IN ('done', 'partly', 'failed', 'declined', 'expired')`,
    'CREATE INDEX outcomes_due ON outcomes (look_at)',
  ];
}

interface Row {
  id: string;
  updated_at: number;
  shown: string;
  known: string;
  result: string | null;
  notes: string;
}

async function backfill(queries: Queries): Promise<void> {
  for (let after = ''; ; await pause()) {
    const rows = await queries.all<Row>(
      'SELECT id, updated_at, shown, known, result, notes FROM actions WHERE id > ? ORDER BY id LIMIT ?',
      after,
      STEP,
    );
    for (const row of rows) await nameOne(queries, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < STEP) return;
    after = last.id;
  }
}

async function nameOne(queries: Queries, row: Row): Promise<void> {
  const places = new Map<string, number>();
  for (const [bit, text] of [
    [1, row.shown],
    [2, row.known],
    [4, row.result],
  ] as const)
    for (const value of textsIn(parsed(text))) places.set(value, (places.get(value) ?? 0) | bit);
  for (const [value, bits] of places)
    await queries.run(
      'INSERT INTO action_names (action, value, updated_at, places) VALUES (?, ?, ?, ?)',
      row.id,
      value,
      row.updated_at,
      bits,
    );
  const notes = parsed(row.notes) as { partOf?: unknown } | undefined;
  if (typeof notes?.partOf === 'string')
    await queries.run('UPDATE actions SET part_of = ? WHERE id = ?', notes.partOf, row.id);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return /^(?=\S*\d)\S{1,64}$/.test(value) ? [value] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** Undefined for a column that holds no JSON: one broken row does not stop the migration. */
function parsed(text: string | null): unknown {
  try {
    return text === null ? undefined : (JSON.parse(text) ?? undefined);
  } catch {
    return undefined;
  }
}
