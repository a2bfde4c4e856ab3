import type { Call, LocalHistory } from '../../src/catalogue/operation.ts';
import { KEPT_MS } from '../../src/lib/durations.ts';
import { changed, SwitchboardError } from '../../src/lib/errors.ts';
import type { Fields } from '../../src/lib/json.ts';
import { joined } from '../../src/lib/words.ts';
import { carrierReason } from '../../src/platform/dialect/carrier-reasons.ts';
import { hasEnded, isRejected, orderRank, orderState } from '../../src/platform/dialect/orders.ts';
import { text } from './before.ts';

const MOST = 50;

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
 * The open port-in of a number that the platform did not find. If there is none, rethrows the platform's error, with a
 * hint about a port-in that no report named.
 */
export async function portInInstead(
  error: unknown,
  phone: string,
  context: { call: Call; history: LocalHistory },
): Promise<OpenPortIn> {
  if (!isNotFound(error)) throw error;
  const order = await openPortIn(phone, context);
  if (order !== undefined) return order;
  const hint = 'A number that is being ported in appears when its order completes: numbers_order_get shows the order.';
  throw changed(error, { next: joined([error.face.next, hint]) });
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
  const now = history.now();
  const { list } = await history.happened({
    since: new Date(now.getTime() - KEPT_MS),
    until: new Date(now.getTime() + 1),
    kinds: ['order', 'action'],
    about: [phone],
    limit: MOST,
  });
  const orderId = list
    .filter(
      ({ kind, values }) => kind === 'order' || (values.Operation === 'numbers_portin' && values.State === 'done'),
    )
    .map(({ values }) => text(values.OrderId))
    .findLast((id) => id !== undefined);
  if (orderId === undefined) return undefined;
  const order = portInOf(orderId, await call('numbers_order_get', { OrderId: orderId }));
  return hasEnded(order.status) ? undefined : order;
}

function portInOf(orderId: string, order: Fields): OpenPortIn {
  const status = orderState(order);
  const message = text(order.ErrorMessage) ?? text(order.OrderStatusMessage) ?? '';
  const words = orderRank(status) === undefined ? 'in a state that is not known here' : status;
  return { orderId, status, words, rejected: isRejected(status), message, reason: carrierReason(message) };
}
