import { MINUTE } from './clock.ts';
import { ApiError } from './errors.ts';
import type { NumberKind, Order, OrderType } from './records.ts';
import { STATUS } from './records.ts';
import { numberRecord } from './seed.ts';
import { newId } from './store.ts';
import type { World } from './world.ts';

/** The states of a port-in order (PLATFORM.md, Orders). `Complete` and `Completed` are the same state. */
export const ORDER_STATES = [
  'Submitted',
  'Pending Carrier Approval',
  'Scheduled',
  'Completed',
  'Rejected',
  'Cancelled',
] as const;

const OPEN: ReadonlySet<string> = new Set(['Submitted', 'Pending Carrier Approval', 'Scheduled']);
const REJECTABLE: ReadonlySet<string> = new Set(['Submitted', 'Pending Carrier Approval']);

/** The losing carrier's code for a wrong account number. */
const CARRIER_REFUSAL = '8A-ACCOUNT_NUM_REQ_OR_INCORRECT';

/** Time after which a port-in of a number ending in 90 becomes `Rejected`. */
const REJECT_AFTER = MINUTE;

export function isOpen(order: Order): boolean {
  return order.OrderType === 'portin' && OPEN.has(order.OrderStatus);
}

export function addOrder(
  world: World,
  order: Pick<Order, 'AccountId' | 'OrderType' | 'OrderStatus' | 'Numbers'> & Partial<Order>,
): Order {
  const row: Order = {
    OrderId: newId('JNUOID'),
    OrderDate: world.clock.iso(),
    ErrorMessage: '',
    PortIn: null,
    ...order,
  };
  world.store.state.orders.push(row);
  return row;
}

/** Adds an order that completes at once: provision, number update or number status. */
export function completedOrder(world: World, accountId: string, type: OrderType, numbers: string[]): Order {
  return addOrder(world, { AccountId: accountId, OrderType: type, OrderStatus: 'Complete', Numbers: numbers });
}

/** Returns the time at which the carrier will reject the order; null for a number whose last digits are not 90. */
export function rejectionDue(world: World, number: string): number | null {
  return number.endsWith('90') ? world.clock.now() + REJECT_AFTER : null;
}

/**
 * Fires the webhook event of an order (PLATFORM.md, Events). It has three fields, and the status `Complete` for
 * completed.
 */
export function announceOrder(world: World, order: Order): void {
  world.deliveries.fire('Order_Update', order.AccountId, {
    OrderId: order.OrderId,
    Status: order.OrderStatus === 'Completed' ? 'Complete' : order.OrderStatus,
    ErrorMessage: order.ErrorMessage,
  });
}

/** Moves an order to a state and fires `Order_Update`. A completed port-in adds an active number. */
export function moveOrder(world: World, order: Order, status: string, errorMessage = ''): void {
  if (status === 'Completed' && order.PortIn !== null) portNumberIn(world, order);
  // A cancelled port-in needs a new eligibility check (PLATFORM.md, Port-in).
  if (status === 'Cancelled' && order.PortIn !== null) world.store.state.uncheckedNumbers.push(...order.Numbers);
  order.OrderStatus = status;
  order.ErrorMessage = errorMessage;
  if (order.PortIn !== null && !REJECTABLE.has(status)) order.PortIn.RejectDueAt = null;
  announceOrder(world, order);
}

/** Carries out the scheduled rejection by the losing carrier, if the order's state still allows one. */
export function rejectByCarrier(world: World, order: Order): void {
  if (order.PortIn !== null) order.PortIn.RejectDueAt = null;
  if (REJECTABLE.has(order.OrderStatus)) moveOrder(world, order, 'Rejected', CARRIER_REFUSAL);
}

/** The reason of a rejection if none was given. */
export const DEFAULT_REJECTION = CARRIER_REFUSAL;

/** A number is taken while the platform has a record of it, unless it was permanently released. */
export function isTaken(world: World, e164: string): boolean {
  const number = world.store.anyNumber(e164);
  return number !== undefined && number.Status !== STATUS.cancelled;
}

function portNumberIn(world: World, order: Order): void {
  const { state } = world.store;
  const [number] = order.Numbers;
  const details = order.PortIn;
  if (number === undefined || details === null) return;
  const existing = world.store.anyNumber(number);
  if (existing?.OrderId === order.OrderId) return;
  if (isTaken(world, number)) throw new ApiError(400, `${number} is already active on the platform`);
  const kind = classification(details.TargetPortinClassification, details.Wireline);
  const distributor = world.store.distributorOf(order.AccountId);
  const routes = state.messageRoutes.filter((row) => world.store.distributorOf(row.AccountId) === distributor);
  const route = routes.find((row) => row.AccountId === order.AccountId) ?? routes[0];
  state.numbers = state.numbers.filter((row) => row.Number !== number);
  state.numbers.push(
    numberRecord(world.clock.now(), {
      Number: number,
      PhoneNumberId: newId('NID'),
      AccountId: order.AccountId,
      OrderId: order.OrderId,
      NumberType: kind,
      ProductType: kind === 'voip' ? 'sms-only' : 'sms+data',
      MessageRouteId: route?.MessageRouteId ?? null,
      AssignedSubscriberId: details.AssignedSubscriberId,
      Iccid: details.ICCID,
    }),
  );
}

function classification(target: string, wireline: boolean): NumberKind {
  const name = target.toLowerCase();
  if (name === 'iot' || name === 'voip' || name === 'mvno') return name;
  return wireline ? 'voip' : 'mvno';
}
