import type { Level } from '../catalogue/operation.ts';
import { WAYS, type Way } from '../lib/actor.ts';
import { HOUR_MS, MINUTE_MS } from '../lib/clock.ts';
import { objectIn } from '../lib/json.ts';
import type { Queries } from '../store/types.ts';
import type { ActionRow } from './action.ts';
import { levelOfAction } from './level.ts';
import { addTotal } from './lookups.ts';

/** Upper bounds of the times that are counted together, in ms. The longest that a question waits is a day. */
const BOUNDS = [10_000, MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 8 * HOUR_MS, 24 * HOUR_MS];
const LEVELS: readonly Level[] = ['own', 'approver'];
/** The bound of a longer time. */
const BEYOND = Number.MAX_SAFE_INTEGER;

/** The times from questions to decisions of one level by one way. */
export interface DecisionTimes {
  level: Level;
  way: Way;
  /** Upper bounds in ms, with the number of decisions up to each. */
  buckets: readonly { upTo: number; count: number }[];
  count: number;
  /** Sum of the times, in ms. */
  ms: number;
}

/** Counts the time from a question to a person's decision. Kept apart from the actions, which are deleted some day. */
export async function countDecision(queries: Queries, row: ActionRow, way: Way): Promise<void> {
  const level = levelOfAction({ known: objectIn(row.known) ?? {} });
  const ms = Math.max(0, (row.decided_at ?? row.created_at) - row.created_at);
  const upTo = BOUNDS.find((bound) => ms <= bound) ?? BEYOND;
  await addTotal(queries, { kind: 'decision', key: `${level} ${way} ${upTo}`, n: 1, ms });
}

/** The times of all decisions, by level and way; those without a decision are there with zeros. */
export async function readDecisionTimes(queries: Queries): Promise<DecisionTimes[]> {
  const sql = `SELECT key, n, ms FROM totals WHERE kind = 'decision'`;
  const rows = (await queries.all<{ key: string; n: number; ms: number }>(sql)).map(({ key, ...row }) => {
    const [level, way, upTo] = key.split(' ');
    return { ...row, level, way, upTo: Number(upTo) };
  });
  return LEVELS.flatMap((level) =>
    WAYS.map((way) => {
      const own = rows.filter((row) => row.level === level && row.way === way);
      const upTo = (bound: number) => sum(own.filter((row) => row.upTo <= bound).map(({ n }) => n));
      const buckets = BOUNDS.map((bound) => ({ upTo: bound, count: upTo(bound) }));
      return { level, way, buckets, count: upTo(BEYOND), ms: sum(own.map(({ ms }) => ms)) };
    }),
  );
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
