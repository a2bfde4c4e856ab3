import { businessDaysUntil, parseDate } from '../clock.ts';
import { ApiError, badField, badReference, notFound } from '../errors.ts';
import type { Fields } from '../fields.ts';
import { addOrder, announceOrder, isOpen, isTaken, moveOrder, rejectionDue } from '../orders.ts';
import type { Order, PortIn } from '../records.ts';
import { sha256 } from '../store.ts';
import { accountGiven, ownNumber, post, type Request, subscriberGiven } from '../world.ts';
import { orderView, refuseCancelled } from './numbers.ts';

const NOT_ELIGIBLE = 'is not eligible for port-in: the losing carrier has locked it';
const ADDRESS = ['Street1', 'City', 'State', 'Zip'];

/** Wireline port-in window, in business days (PLATFORM.md, Port-in). */
const WINDOW = { from: 5, to: 10 };

/** The last digits of a number decide how the carrier behaves. */
const ineligible = (number: string) => number.endsWith('91');
const wireline = (number: string) => number.endsWith('92');

function eligibility(request: Request) {
  const number = request.body.phone('PhoneNumber');
  request.body.text('TargetClassification');
  const reason = ineligible(number)
    ? `Number ${NOT_ELIGIBLE}`
    : isTaken(request, number)
      ? 'Number is already active on the platform'
      : null;
  const { state } = request.store;
  if (reason === null) state.uncheckedNumbers = state.uncheckedNumbers.filter((one) => one !== number);
  return {
    PhoneNumber: number,
    Eligible: reason === null,
    CurrentCarrier: wireline(number) ? 'Example Wireline' : 'Example Wireless',
    NumberType: wireline(number) ? 'landline' : 'mobile',
    Message: reason ?? 'Number is eligible for port-in',
  };
}

/** Reads PortInDate as YYYY-MM-DD, which must be a real date. A wireline number requires it, within the window. */
function portInDate(request: Request, isWireline: boolean): string | null {
  const { body } = request;
  const text = body.filledText('PortInDate');
  if (text === null) {
    if (isWireline) throw body.wrong('PortInDate', 'required for a wireline number');
    return null;
  }
  const date = parseDate(text, ['iso', 'us']);
  if (date === null) throw body.wrong('PortInDate', 'must be a date in the form YYYY-MM-DD');
  const days = businessDaysUntil(request.clock.now(), date);
  if (isWireline && (days === null || days < WINDOW.from || days > WINDOW.to))
    throw body.wrong('PortInDate', `must be a business day ${WINDOW.from} to ${WINDOW.to} business days ahead`);
  return new Date(date).toISOString().slice(0, 10);
}

function submit(request: Request) {
  const { body } = request;
  const number = body.phone('PortInNumber');
  const details: PortIn = {
    CurrentCarrierName: body.text('CurrentCarrierName'),
    CurrentAccountNumber: body.text('CurrentAccountNumber'),
    CurrentAccountPasswordHash: sha256(body.text('CurrentAccountPassword')),
    CurrentBillingAddress: body.address('CurrentBillingAddress', ADDRESS),
    SubscriberName: body.optionalText('SubscriberName'),
    TargetPortinClassification: body.optionalChoice('TargetPortinClassification', ['mvno', 'iot', 'voip']) ?? 'mvno',
    PortInDate: portInDate(request, wireline(number)),
    ICCID: body.optionalIccid('ICCID'),
    AssignedSubscriberId: null,
    Wireline: wireline(number),
    RejectDueAt: null,
  };
  const account = accountGiven(request);
  const subscriber = subscriberGiven(request);
  if (account !== null && subscriber !== null && subscriber.AccountId !== account.AccountId)
    throw badReference('AssignedSubscriberId');
  if (ineligible(number)) throw badField('PortInNumber', NOT_ELIGIBLE);
  if (isTaken(request, number)) throw badField('PortInNumber', 'is already active on the platform');
  refuseSecondOrder(request, number, null);
  if (request.store.state.uncheckedNumbers.includes(number))
    throw badField('PortInNumber', 'needs a new eligibility check, because its port-in was cancelled');
  const order = addOrder(request, {
    AccountId:
      account?.AccountId ?? subscriber?.AccountId ?? request.store.defaultAccount(request.distributor).AccountId,
    OrderType: 'portin',
    OrderStatus: 'Submitted',
    Numbers: [number],
    PortIn: {
      ...details,
      AssignedSubscriberId: subscriber?.SubscriberId ?? null,
      RejectDueAt: rejectionDue(request, number),
    },
  });
  announceOrder(request, order);
  return {
    OrderId: order.OrderId,
    OrderDate: order.OrderDate,
    Status: order.OrderStatus,
    PhoneNumber: number,
    ICCID: details.ICCID,
  };
}

/** Allows one open port-in per number (PLATFORM.md, Port-in). */
function refuseSecondOrder(request: Request, number: string, except: Order | null): void {
  const other = request.store.state.orders.find((row) => row !== except && isOpen(row) && row.Numbers.includes(number));
  if (other !== undefined) throw badField('PortInNumber', `${number} has an open port-in order already`);
}

function portInOrder(request: Request): { order: Order; details: PortIn } {
  const id = request.body.text('OrderId');
  const order = request.store.state.orders.find(
    (row) => row.OrderId === id && request.store.owns(request.distributor, row),
  );
  if (order === undefined || order.PortIn === null) throw notFound(`Port-in order ${id}`);
  return { order, details: order.PortIn };
}

function refuseFinal(order: Order): void {
  if (order.OrderStatus === 'Completed' || order.OrderStatus === 'Cancelled')
    throw new ApiError(400, `OrderId ${order.OrderId} is ${order.OrderStatus}, which is final`);
}

/** Returns the details that a correction names, in the spelling of the order. */
function corrections(body: Fields): Partial<PortIn> {
  const password = body.filledText('CurrentAccountPassword');
  const address = body.optionalAddress('CurrentBillingAddress');
  const given = {
    CurrentCarrierName: body.filledText('CurrentCarrierName'),
    CurrentAccountNumber: body.filledText('CurrentAccountNumber'),
    CurrentAccountPasswordHash: password === null ? null : sha256(password),
    CurrentBillingAddress: address,
    SubscriberName: body.filledText('SubscriberName'),
    TargetPortinClassification: body.filledText('TargetPortinClassification'),
    ICCID: body.optionalIccid('ICCID'),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Partial<PortIn>;
}

/** Corrects an order. A rejected order is submitted again (PLATFORM.md, Port-in). */
function update(request: Request) {
  const { order, details } = portInOrder(request);
  refuseFinal(order);
  const date = portInDate(request, details.Wireline);
  const changes = corrections(request.body);
  const [number = ''] = order.Numbers;
  const rejected = order.OrderStatus === 'Rejected';
  if (rejected) {
    refuseSecondOrder(request, number, order);
    if (isTaken(request, number)) throw badField('OrderId', 'names a number that is already active on the platform');
  }
  const corrected = (['CurrentAccountNumber', 'CurrentAccountPasswordHash'] as const).some(
    (field) => changes[field] !== undefined && changes[field] !== details[field],
  );
  Object.assign(details, changes, date === null ? {} : { PortInDate: date });
  if (corrected) details.RejectDueAt = null;
  if (rejected) {
    moveOrder(request, order, 'Submitted');
    details.RejectDueAt = corrected ? null : rejectionDue(request, number);
  }
  return { ...orderView(order), Status: 'Updated', Message: 'Port-in order updated successfully' };
}

/**
 * Cancels an order for good. The number then needs a fresh eligibility check and a new submission (PLATFORM.md,
 * Port-in).
 */
function cancel(request: Request) {
  const { order } = portInOrder(request);
  refuseFinal(order);
  moveOrder(request, order, 'Cancelled');
  return { OrderId: order.OrderId, Status: order.OrderStatus };
}

/** Stores the PIN that authorises a later port-out; it starts no transfer (PLATFORM.md, Port-out). */
function portOut(request: Request) {
  const { body } = request;
  const number = body.phone('PortOutNumber');
  const pin = body.text('PortOutPIN');
  if (!/^[A-Za-z0-9]{4,15}$/.test(pin)) throw body.wrong('PortOutPIN', 'must be 4 to 15 letters or digits');
  const record = ownNumber(request, number, accountGiven(request)?.AccountId);
  refuseCancelled(record);
  record.PortOutPin = pin;
  const order = addOrder(request, {
    AccountId: record.AccountId,
    OrderType: 'portout',
    OrderStatus: 'Pending',
    Numbers: [number],
  });
  return { OrderId: order.OrderId, OrderDate: order.OrderDate, Status: order.OrderStatus, PhoneNumber: number };
}

export const portRoutes = [
  post('/v1.0/numbers/portin/eligibility', eligibility),
  post('/v1.0/numbers/portin', submit),
  post('/v1.0/numbers/portin/update', update),
  post('/v1.0/numbers/portin/cancel', cancel),
  post('/v1.0/numbers/portout', portOut),
];
