import type { ReadingRecord } from '../ledger/readings.ts';
import { HOUR_MS, WEEK_MS } from '../lib/clock.ts';
import { backoff } from '../work/failures.ts';

/* The texts and times of readings about a call whose outcome is unknown. */

/** Maximum length of a reading's text. */
export const MAX_OBSERVED = 700;
/** Readings begin this far into the backoff, so that the first wait is 16 s. */
const FIRST_WAIT = 5;
/** Prefix of a stored first reading that showed the work as partly done. */
export const PARTLY = 'partly: ';

/** Two readings agree if both showed the same part as done, or both showed nothing as done. */
export function agrees(first: ReadingRecord['notDone'], outcome: 'partly' | 'not_done', observed: string): boolean {
  return outcome === 'partly' ? first?.observed === observed : first?.observed.startsWith(PARTLY) === false;
}

/**
 * Time of the next reading (epoch ms): after a growing wait at first, hourly after the first hour, and only on request
 * after a week. `settled`: time from which the platform can no longer be working on the action.
 */
export function nextReadingAt(attempts: number, began: number, settled: number): number | undefined {
  const age = began - settled;
  if (age > WEEK_MS) return undefined;
  const wait = age > HOUR_MS ? HOUR_MS : backoff(FIRST_WAIT + attempts);
  return began < settled ? Math.min(began + wait, settled) : began + wait;
}
