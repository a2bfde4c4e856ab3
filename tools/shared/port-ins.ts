import type { Call, Happening, LocalHistory, Look } from '../../src/catalogue/operation.ts';
import { DAY_MS } from '../../src/lib/clock.ts';
import { changed, SwitchboardError } from '../../src/lib/errors.ts';
import { type Fields, joined, recordOf } from '../../src/lib/values.ts';
import { dayText } from '../../src/platform/dialect/dates.ts';
import { carrierReason, hasEnded, isRejected, orderRank, orderState } from '../../src/platform/dialect/orders.ts';
import { text } from './before.ts';
import { keptAbout } from './line.ts';

/*
 * Orders as far as they are known here, because the platform lists none: those that it reported, and those that were
 * placed through Switchboard.
 */

/** The states in which operations leave their orders. */
const STATES: Readonly<Record<string, string>> = {
  numbers_portin: 'Submitted',
  numbers_provision: 'Submitted',
  numbers_portin_cancel: 'Cancelled',
};
/** Entries that are searched for orders. */
export const MOST_SEARCHED = 2_000;

/** An entry as the state of an order: a report, or the call that placed or cancelled it. Undefined for other actions. */
export function asOrder(entry: Happening): Happening | undefined {
  if (entry.kind !== 'action') return entry;
  const { OrderId, Operation, State, PhoneNumbers, Customer } = entry.values;
  const Status = STATES[String(Operation)];
  // A done call is named by how it stands: "done (order submitted)", "order rejected".
  const isDone = /^(?:done|partly|order )/.test(String(State));
  if (Status === undefined || !isDone || text(OrderId) === undefined) return undefined;
  return { at: entry.at, kind: 'order', values: { Status, PhoneNumbers, OrderId, Customer } };
}

/**
 * The numbers of orders that have not ended, which no list of the platform has, with the customer of those that were
 * placed here. No platform request.
 */
export async function numbersOnOrder(history: LocalHistory): Promise<Fields[]> {
  const period = { ...keptAbout(undefined, history), limit: MOST_SEARCHED };
  const { list } = await history.happened({ ...period, kinds: ['order', 'action'] });
  const orders = new Map<string, Fields>();
  for (const { values } of list.flatMap((entry) => asOrder(entry) ?? [])) {
    const before = orders.get(String(values.OrderId));
    const named = Array.isArray(values.PhoneNumbers)
      ? values.PhoneNumbers.filter((one) => typeof one === 'string')
      : [];
    // A report may name no number, and then they are those of the entries before it.
    const PhoneNumbers = named.length > 0 ? named : (before?.PhoneNumbers ?? []);
    orders.set(String(values.OrderId), { ...before, ...values, PhoneNumbers });
  }
  const open = [...orders.values()].filter(({ Status }) => !hasEnded(String(Status)));
  const rows = open.flatMap(({ PhoneNumbers, Customer }) =>
    (PhoneNumbers as string[]).map((phone) => ({ Number: phone, Customer, Status: 'On order' })),
  );
  return [...new Map(rows.map((row) => [row.Number, row])).values()];
}

/** Business days from today to the given day; today and weekends do not count (PLATFORM.md, Port-in). */
function businessDaysUntil(isoDay: string, now: Date): number {
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
  const window = 'a landline needs a business day 5 to 10 business days ahead (today and weekends do not count)';
  if (date === undefined) return { field: 'PortInDate', message: `${window}. Give PortInDate` };
  const days = businessDaysUntil(date, now);
  const weekend = isWeekend(date);
  if (!weekend && days >= 5 && days <= 10) return undefined;
  const why = weekend ? 'on a weekend' : `${days} business days away`;
  return { field: 'PortInDate', message: `${dayText(date)} is ${why}; ${window}. Pick another day` };
}

/** A port-in that has not ended. */
export interface OpenPortIn {
  orderId: string;
  status: string;
  /** The order's state in Switchboard's words. An unknown state is not quoted, because it is text from outside. */
  words: string;
  rejected: boolean;
  /** The carrier's own words; empty if it gave none. */
  message: string;
  /** The reason in plain words, and the fields to correct. */
  reason: { words: string; fields: readonly string[] } | undefined;
}

/**
 * The record of a number, or the open port-in of one that the platform does not have yet.
 *
 * @throws the platform's error if there is neither, with a hint about a port-in that no report named
 */
export async function numberOrPortIn(
  phone: string,
  context: { call: Call; history: LocalHistory },
): Promise<{ number: Fields; order?: OpenPortIn }> {
  try {
    return { number: { Number: phone, ...(await context.call('numbers_get', { PhoneNumber: phone })) } };
  } catch (error) {
    const order = isNotFound(error) ? await openPortIn(phone, context) : undefined;
    if (order !== undefined) return { number: {}, order };
    if (!isNotFound(error)) throw error;
    const hint =
      'A number that is being ported in appears when its order completes: numbers_order_get shows the order.';
    throw changed(error, { next: joined([error.face.next, hint]) });
  }
}

/** True for the error of a number that the platform does not have. */
export function isNotFound(error: unknown): error is SwitchboardError {
  return error instanceof SwitchboardError && error.face.code === 'not_found';
}

/**
 * The open port-in of a number. Its order is found by received reports and by the orders placed through Switchboard in
 * the last 30 days, and is then read. One platform request, or none if nothing names the number. Undefined if there is
 * no open order.
 */
export async function openPortIn(
  phone: string,
  { call, history }: { call: Call; history: LocalHistory },
): Promise<OpenPortIn | undefined> {
  const { list } = await history.happened({ ...keptAbout(phone, history), kinds: ['order', 'action'] });
  const orderId = list.map((entry) => text(asOrder(entry)?.values.OrderId)).findLast((id) => id !== undefined);
  if (orderId === undefined) return undefined;
  const order = await call('numbers_order_get', { OrderId: orderId });
  const status = orderState(order);
  if (hasEnded(status)) return undefined;
  const message = text(order.ErrorMessage) ?? text(order.OrderStatusMessage) ?? '';
  const words = orderRank(status) === undefined ? 'in a state that is not known here' : status;
  return { orderId, status, words, rejected: isRejected(status), message, reason: carrierReason(message) };
}

/** The field with the account at the losing carrier. */
export const CARRIER_ACCOUNT = 'CurrentAccountNumber';

/** The last four characters of an account at a carrier: "…2222". Undefined if there is none. */
export function maskedAccount(value: unknown): string | undefined {
  const account = text(value);
  return account && (account.length > 6 ? `…${account.slice(-4)}` : '…');
}
