import { HOUR_MS, MINUTE_MS } from '../../../lib/clock.ts';
import { zoneOffset } from '../../../platform/dialect/dates.ts';

/** Time before a question expires at which approvers are reminded. */
const REMIND_MS = MINUTE_MS;
/** Shorter questions are reminded right before their end, at any hour. */
const SHORT_MS = 2 * HOUR_MS;
/** A reminder is at least this long after the question. */
const PAUSE_MS = 30 * MINUTE_MS;
const STEP_MS = 15 * MINUTE_MS;

/**
 * The time (epoch ms) at which an approver is reminded of a question: a minute before it expires, or after half of the
 * time of a very short one. If that is outside the working hours of the approver's zone, it is the last working hour
 * before; without one, the last hour before the night.
 *
 * @param zone IANA zone; undefined if it is not known
 */
export function reminderAt(question: { createdAt: number; expiresAt: number }, zone: string | undefined): number {
  const { createdAt, expiresAt } = question;
  const last = expiresAt - Math.min(REMIND_MS, (expiresAt - createdAt) / 2);
  if (zone === undefined || isShort(question) || !isZone(zone)) return last;
  const first = createdAt + PAUSE_MS;
  return lastIn(isWorking, { first, last, zone }) ?? lastIn(isAwake, { first, last, zone }) ?? last;
}

/** True for a question whose reminder does not depend on the approver's zone. */
export function isShort({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }): boolean {
  return expiresAt - createdAt < SHORT_MS;
}

function lastIn(
  fits: (local: Date) => boolean,
  { first, last, zone }: { first: number; last: number; zone: string },
): number | undefined {
  for (let at = last; at >= first; at -= STEP_MS) if (fits(new Date(at + zoneOffset(at, zone)))) return at;
  return undefined;
}

/** Monday to Friday, 9 to 17. `local`: wall-clock time, as if it were UTC. */
function isWorking(local: Date): boolean {
  const day = local.getUTCDay();
  return day >= 1 && day <= 5 && local.getUTCHours() >= 9 && local.getUTCHours() < 17;
}

function isAwake(local: Date): boolean {
  return local.getUTCHours() >= 7 && local.getUTCHours() < 22;
}

function isZone(zone: string): boolean {
  try {
    zoneOffset(0, zone);
    return true;
  } catch (error) {
    // A zone that this version of Node does not know.
    if (error instanceof RangeError) return false;
    throw error;
  }
}
