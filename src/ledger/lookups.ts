import type { Queries } from '../store/types.ts';
import type { State } from './action.ts';

/**
 * The parts of an action in which a value occurs, as bits, because an action is listed once for each value.
 * `exclusive`: only one call for the value may be open at a time.
 */
export const PLACES = { shown: 1, known: 2, result: 4, exclusive: 8 } as const;

/** Phone numbers and ids: up to 64 characters without spaces, at least one of them a digit. */
const NAME = /^(?=\S*\d)\S{1,64}$/;
/** Rows of one INSERT: PostgreSQL and SQLite limit the number of values of a statement. */
const ROWS = 100;

/** True for a value that is listed. */
export function isName(value: string): boolean {
  return NAME.test(value);
}

/** The parts of an action that name something. */
export type NamedParts = Partial<Record<keyof typeof PLACES, unknown>>;

/** Lists the values that an action names, so that a number's actions are found without reading all of them. */
export async function writeNames(queries: Queries, action: string, at: number, parts: NamedParts): Promise<void> {
  const rows = [...placesOf(parts)];
  for (let from = 0; from < rows.length; from += ROWS) {
    const some = rows.slice(from, from + ROWS);
    await queries.run(
      `INSERT INTO action_names (value, updated_at, action, places) VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}
         ON CONFLICT (action, value) DO UPDATE SET updated_at = excluded.updated_at,
           places = action_names.places | excluded.places`,
      ...some.flatMap(([value, places]) => [value, at, action, places]),
    );
  }
}

/** Call after `updated_at` of an action has changed. */
export async function touchNames(queries: Queries, action: string, at: number): Promise<void> {
  await queries.run('UPDATE action_names SET updated_at = ? WHERE action = ?', at, action);
}

function placesOf(parts: NamedParts): Map<string, number> {
  const places = new Map<string, number>();
  for (const [part, bit] of Object.entries(PLACES))
    for (const value of textsIn(parts[part as keyof typeof PLACES])) places.set(value, (places.get(value) ?? 0) | bit);
  return places;
}

/** Every whole string value that may be asked for, at any depth. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return isName(value) ? [value] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : [];
}

/** The states that an action may still leave. There are few such actions, so they are counted on each request. */
const OPEN_STATES = ['pending', 'confirmed', 'in_flight', 'unknown'] as const satisfies readonly State[];

/**
 * Adds to the stored count of actions that have ended for good, because counting all of them takes longer as their
 * number grows.
 */
export async function addToTotal(queries: Queries, state: State, n: number): Promise<void> {
  if (n === 0 || OPEN_STATES.some((open) => open === state)) return;
  await queries.run(
    'INSERT INTO action_totals (state, n) VALUES (?, ?) ON CONFLICT (state) DO UPDATE SET n = action_totals.n + excluded.n',
    state,
    n,
  );
}

/** Counts the actions in each state; states without any are left out. */
export async function readCounts(queries: Queries): Promise<{ state: State; n: number }[]> {
  const open = await queries.all<{ state: State; n: number }>(
    `SELECT state, count(*) AS n FROM actions WHERE state IN (${OPEN_STATES.map(() => '?').join(', ')}) GROUP BY state`,
    ...OPEN_STATES,
  );
  const ended = await queries.all<{ state: State; n: number }>('SELECT state, n FROM action_totals WHERE n > 0');
  return [...open, ...ended];
}
