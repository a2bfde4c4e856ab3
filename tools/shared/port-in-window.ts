import type { Look } from '../../src/catalogue/operation.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { type Fields, recordOf } from '../../src/lib/json.ts';
import { text } from './before.ts';

/** Business days from today to the given day; today and weekends do not count (PLATFORM.md, Port-in). */
export function businessDaysUntil(isoDay: string, now: Date): number {
  const today = Date.parse(`${now.toISOString().slice(0, 10)}T00:00:00Z`);
  const target = Date.parse(`${isoDay}T00:00:00Z`);
  let days = 0;
  for (let day = today + DAY_MS; day <= target; day += DAY_MS) {
    const weekday = new Date(day).getUTCDay();
    if (weekday !== 0 && weekday !== 6) days += 1;
  }
  return days;
}

/** The platform's names for landline numbers. */
const WIRELINE = /land ?line|wire ?line|fixed/i;
/** The members in which an eligibility check and an order name the kind of line. */
const KINDS = ['NumberType', 'LineType', 'Classification', 'TargetPortinClassification'];

/** True if a record says that its number is a landline; undefined if it does not name the kind of line. */
export function isWireline(record: Fields | undefined): boolean | undefined {
  const kinds = KINDS.map((name) => text(record?.[name])).filter((kind) => kind !== undefined);
  return kinds.length === 0 ? undefined : kinds.some((kind) => WIRELINE.test(kind));
}

/**
 * True if an order ports a landline, by the order or else by an eligibility check of its number. Undefined if neither
 * names the kind of line. At most one request.
 */
export async function portsWireline(order: Fields | undefined, look: Look): Promise<boolean | undefined> {
  if (isWireline(order)) return true;
  const [row] = Array.isArray(order?.PhoneNumbersOrdered) ? order.PhoneNumbersOrdered : [];
  const phone = text(typeof row === 'string' ? row : recordOf(row).Number);
  if (phone === undefined) return undefined;
  const asked = { PhoneNumber: phone, TargetClassification: 'Landline' };
  return isWireline((await look.read('numbers_portin_eligibility', asked)).found);
}

/** True for a business day at most one day outside the window, which may be inside it by the platform's clock. */
export function isNearWindow(date: string | undefined, now: Date): boolean {
  if (date === undefined) return false;
  const days = businessDaysUntil(date, now);
  return !isWeekend(date) && days >= 4 && days <= 11;
}

function isWeekend(date: string): boolean {
  return [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
}

/** The problem with the port-in date of a wireline number (PLATFORM.md, Port-in); undefined if it may be accepted. */
export function wirelineDateProblem(date: string | undefined, now: Date) {
  const window = 'a wireline number needs a business day 5 to 10 business days ahead (today and weekends do not count)';
  if (date === undefined) return { field: 'PortInDate', message: `${window}. Give PortInDate` };
  const days = businessDaysUntil(date, now);
  const weekend = isWeekend(date);
  if (!weekend && days >= 5 && days <= 10) return undefined;
  const why = weekend ? 'on a weekend' : `${days} business days away`;
  return { field: 'PortInDate', message: `${date} is ${why}; ${window}. Pick another day` };
}
