import { DAY_MS, SECOND_MS } from '../lib/clock.ts';
import { Blocked, NeedsPerson, Unavailable } from '../lib/errors.ts';
import { isStoreUnavailable } from '../store/key-values.ts';
import type { Job } from './jobs.ts';

const MAX_ATTEMPTS = 10;
/** The longest wait between attempts, unless the caller has a shorter limit. */
const LONGEST_BACKOFF_MS = 300_000;
/** A job that fails only because another system is down moves to the dead list after three days. */
const MAX_OUTAGE_MS = 3 * DAY_MS;

/** The wait in ms after failure number `failures` (1 is the first): 1, 2, 4 … seconds, at most `longest` ms. */
export function backoff(failures: number, longest = LONGEST_BACKOFF_MS): number {
  return Math.min(longest, SECOND_MS * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
}

/** True if a job that fails with this error is not tried again. `now`: epoch ms. */
export function isLast(job: Job, error: unknown, now: number): boolean {
  if (error instanceof Blocked) return false;
  if (isOutage(error)) return now - job.addedAt >= MAX_OUTAGE_MS;
  return error instanceof NeedsPerson || job.attempts + 1 >= MAX_ATTEMPTS;
}

/** True if another system is down, so that the attempt does not count. */
export function isOutage(error: unknown): boolean {
  return error instanceof Unavailable || isStoreUnavailable(error);
}

/** Another process has claimed the job. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}
