import type { LocalHistory } from '../../src/catalogue/operation.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { isCompleted } from '../../src/platform/dialect/orders.ts';
import { text } from './before.ts';

/** A status change of a number that takes effect on a later day. */
export interface ScheduledChange {
  StatusChange: string;
  EffectiveDate: string;
}

/**
 * True if a day (MM/DD/YYYY) is in the future. It is compared by its noon in UTC, when it has begun in every time zone
 * of the US.
 */
export function isAhead(date: unknown, now: Date): boolean {
  const [month, day, year] = String(date).split('/');
  return Date.parse(`${year}-${month}-${day}T12:00:00Z`) > now.getTime();
}

/** The latest day (MM/DD/YYYY) that has begun in every time zone of the US, so that a change on it takes effect at once. */
export function begunDay(now: Date): string {
  const [year, month, day] = new Date(now.getTime() - DAY_MS / 2).toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

/** The state that a change leads to. */
const STATES: Readonly<Record<string, string>> = { park: 'parked', activate: 'active' };

/** True if a day (MM/DD/YYYY) has begun in UTC. */
function hasBegun(day: string, now: Date): boolean {
  const [month, date, year] = day.split('/');
  return `${year}-${month}-${date}` <= now.toISOString().slice(0, 10);
}

/** True if a number has the state of a change whose day has begun in UTC, so that it has taken effect. */
export function hasTakenEffect({ StatusChange, EffectiveDate }: ScheduledChange, status: unknown, now: Date): boolean {
  const state = STATES[StatusChange];
  return hasBegun(EffectiveDate, now) && state !== undefined && state === text(status)?.toLowerCase();
}

/** True if the platform answered a change whose day has begun in UTC with a completed order. A new SIM has no state to see. */
export function isCarriedOut(
  { EffectiveDate }: Pick<ScheduledChange, 'EffectiveDate'>,
  order: string,
  now: Date,
): boolean {
  return hasBegun(EffectiveDate, now) && isCompleted(order);
}

/**
 * The changes of a number that this installation ordered for a later day, the latest order first.
 *
 * @param status the state of the number now
 */
export async function scheduledChanges(
  phone: string,
  history: LocalHistory,
  status: unknown,
): Promise<ScheduledChange[]> {
  return (await history.sentAbout(phone)).flatMap(({ operation, shown, order }) => {
    const StatusChange = text(shown.StatusChange);
    const EffectiveDate = text(shown.EffectiveDate);
    const isScheduled = operation === 'numbers_status' && isAhead(EffectiveDate, history.now());
    if (!isScheduled || StatusChange === undefined || EffectiveDate === undefined) return [];
    const change = { StatusChange, EffectiveDate };
    const now = history.now();
    // A parked or active number shows whether the last of its changes holds.
    const isDone = STATES[StatusChange] === undefined && isCarriedOut(change, order, now);
    return isDone || hasTakenEffect(change, status, now) ? [] : [change];
  });
}

/** "; scheduled: park on 12/31/2026". Empty if nothing is scheduled. */
export function scheduledText(changes: readonly ScheduledChange[]): string {
  const listed = changes.map(({ StatusChange, EffectiveDate }) => `${StatusChange} on ${EffectiveDate}`);
  return listed.length === 0 ? '' : `; scheduled: ${listed.join(', ')}`;
}
