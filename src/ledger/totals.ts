import type { Queries } from '../store/types.ts';
import type { State } from './action.ts';

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
