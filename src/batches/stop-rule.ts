import type { Risk } from '../catalogue/operation.ts';
import type { BatchRow, PauseReason } from './states.ts';

/** A refusal among the first rows of the list pauses at once. */
const FIRST = 5;
/** Later, this many refusals one after another. */
const IN_A_ROW = 3;
/** Or this share of all planned rows. */
const SHARE = 0.05;

/**
 * The reason to pause a batch; undefined to go on. Only ends after `since` (epoch ms) count, so that a person who
 * resumes a batch has accepted the earlier ones.
 */
export function pauseReason(risk: Risk, rows: readonly BatchRow[], since: number): PauseReason | undefined {
  const ended = rows
    .filter(({ outcome }) => outcome === 'done' || outcome === 'failed' || outcome === 'unknown')
    .sort((one, other) => (one.at ?? 0) - (other.at ?? 0) || one.n - other.n);
  const isNew = ({ at }: BatchRow) => (at ?? 0) >= since;
  const unknown = ended.find((row) => row.outcome === 'unknown' && isNew(row));
  if (unknown) return { why: 'unknown', row: unknown.n, target: unknown.target, action: unknown.action };
  if (risk !== 'spend' && risk !== 'destroy') return undefined;
  const planned = rows
    .filter(({ outcome, at }) => outcome !== 'left_out' || at !== undefined)
    .sort((one, other) => one.n - other.n);
  const early = planned.slice(0, FIRST).find((row) => row.outcome === 'failed' && isNew(row));
  if (early) return { why: 'refused', row: early.n, target: early.target };
  const fresh = ended.filter(isNew);
  const refused = fresh.filter(({ outcome }) => outcome === 'failed').length;
  let streak = 0;
  for (const { outcome } of fresh) {
    streak = outcome === 'failed' ? streak + 1 : 0;
    if (streak >= IN_A_ROW) return { why: 'often', count: refused };
  }
  return refused > 0 && refused >= planned.length * SHARE ? { why: 'often', count: refused } : undefined;
}
