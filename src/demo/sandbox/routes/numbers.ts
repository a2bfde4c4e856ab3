import { ApiError, badField, badReference, notFound } from '../errors.ts';
import type { Fields } from '../fields.ts';
import type { JsonObject } from '../json.ts';
import { completedOrder } from '../orders.ts';
import type { NumberKind, NumberRecord, Order } from '../records.ts';
import { STATUS } from '../records.ts';
import { numberRecord } from '../seed.ts';
import { areasFor, nextNumber, sharesOfPage } from '../stock.ts';
import { newId, type Store } from '../store.ts';
import { accountGiven, get, ownNumber, post, queryText, type Request, routesGiven, subscriberGiven } from '../world.ts';

/** The product types (PLATFORM.md, Number types); any case is accepted. */
const PRODUCT_TYPES = ['sms+data+voice', 'data-only', 'sms-only', 'sms+data'] as const;
const KINDS = ['iot', 'voip', 'mvno'] as const;
const MESSAGE_TYPES = ['a2p', 'p2p'] as const;

/** Spelling of a kind in Classification fields. */
const CLASSIFICATION: Readonly<Record<NumberKind, string>> = { mvno: 'MVNO', iot: 'IoT', voip: 'VoIP' };

/** Throws unless the types fit: `iot` is p2p only, `voip` is a2p only (PLATFORM.md, Number types). */
function checkMessageType(kind: NumberKind, type: 'a2p' | 'p2p'): void {
  const only = kind === 'iot' ? 'p2p' : kind === 'voip' ? 'a2p' : type;
  if (type !== only) throw new ApiError(400, `NumberType / MessageType mismatch: ${kind} is ${only} only`);
}

export function checkIccidFree(store: Store, iccid: string | null, except: NumberRecord | null = null): void {
  const holder = store.state.numbers.find((row) => row.Iccid === iccid && row.Status !== STATUS.cancelled);
  if (iccid !== null && holder !== undefined && holder !== except)
    throw badField('ICCID', 'is in use by another number');
}

/** Returns the full record as `GET /v1.0/numbers` shows it. Only the inventory has the port-out PIN. */
function numberView(row: NumberRecord): JsonObject {
  const cnam = [row.CnamFirstName, row.CnamLastName].filter((part) => part !== null).join(' ');
  return {
    Number: row.Number,
    PhoneNumber: row.Number,
    PhoneNumberAssigned: row.Number,
    PhoneNumberId: row.PhoneNumberId,
    TNID: row.PhoneNumberId,
    AccountId: row.AccountId,
    OrderId: row.OrderId,
    NumberType: row.NumberType,
    Classification: CLASSIFICATION[row.NumberType],
    ProductType: row.ProductType,
    MessageType: row.MessageType,
    MessageEnabled: row.MessageEnabled,
    MessageRouteId: row.MessageRouteId,
    VoiceEnabled: row.VoiceEnabled,
    VoiceRouteId: row.VoiceRouteId,
    DataEnabled: row.DataEnabled,
    Status: row.Status,
    OriginalDatePurchased: row.OriginalDatePurchased,
    AssignedSubscriberId: row.AssignedSubscriberId,
    Iccid: row.Iccid,
    Cnam: cnam === '' ? null : cnam,
    QrActivationLink: row.Iccid === null ? null : activationLink(row),
    SwapsRemaining: row.SwapsRemaining,
    NextSwapResetDate: row.NextSwapResetDate,
  };
}

export function activationLink(row: Pick<NumberRecord, 'PhoneNumberId'>): string {
  return `https://example.invalid/esim/${row.PhoneNumberId}`;
}

function getNumber(request: Request) {
  const number = queryText(request, 'Number') ?? queryText(request, 'PhoneNumber');
  const iccid = queryText(request, 'ICCID');
  if (number === null && iccid === null) throw badField('PhoneNumber', 'required (or Number, or ICCID)');
  if (number !== null) return numberView(ownNumber(request, number));
  const found = request.store.state.numbers.find(
    (row) => row.Iccid === iccid && request.store.owns(request.distributor, row),
  );
  if (found === undefined) throw notFound(`ICCID ${iccid ?? ''}`);
  return numberView(found);
}

/** Returns a page of at most 100 rows (PLATFORM.md, Inventory). TotalNumbersRequested asks for fewer. */
function inventory(request: Request) {
  const filter = queryText(request, 'Filter');
  const accountId = queryText(request, 'AccountId');
  if (accountId !== null && request.store.account(request.distributor, accountId) === undefined)
    throw notFound('Account');
  const rows = request.store.state.numbers.filter(
    (row) =>
      request.store.owns(request.distributor, row) &&
      (accountId === null || row.AccountId === accountId) &&
      (filter === null || row.Status.toLowerCase() === filter.toLowerCase()),
  );
  const page = sharesOfPage(queryText(request, 'PageNumber'), queryText(request, 'TotalNumbersRequested'));
  return {
    AccountId: accountId ?? request.store.defaultAccount(request.distributor).AccountId,
    TotalResults: rows.length,
    PageNumber: page.number,
    Filter: filter ?? '',
    PhoneNumbers: rows.slice(page.from, page.to).map(inventoryRow),
  };
}

/**
 * Returns a row as the interface shows it: the PIN in plain text, and booleans as strings in some rows (PLATFORM.md,
 * Inventory).
 */
function inventoryRow(row: NumberRecord): JsonObject {
  const { TNID, ...view } = numberView(row);
  const asText = row.Number.endsWith('05');
  return {
    ...view,
    Tnid: TNID,
    PortOutPin: row.PortOutPin,
    ...(asText && { MessageEnabled: String(row.MessageEnabled), VoiceEnabled: String(row.VoiceEnabled) }),
  };
}

function areaFields(body: Fields): { areaCode: string | null; zipCode: string | null } {
  const areaCode = body.filledText('AreaCode');
  const zipCode = body.filledText('ZipCode');
  if (areaCode !== null && !/^\d{3}$/.test(areaCode)) throw body.wrong('AreaCode', 'must be 3 digits');
  if (zipCode !== null && !/^\d{5}$/.test(zipCode)) throw body.wrong('ZipCode', 'must be 5 digits');
  return { areaCode, zipCode };
}

/** AreaCode is tried before ZipCode. With neither, all areas with inventory are listed (PLATFORM.md, Availability). */
function availability(request: Request) {
  const { body } = request;
  body.choice('NumberType', ['mobile']);
  const messageType = body.optionalChoice('MessageType', MESSAGE_TYPES);
  const areas = { MessageEnabled: body.flag('MessageEnabled'), VoiceEnabled: body.flag('VoiceEnabled') };
  const { areaCode, zipCode } = areaFields(body);
  const page = sharesOfPage(String(body.optionalInteger('PageNumber') ?? 1), null);
  const rows = areasFor(areaCode, zipCode);
  return {
    RequestId: newId('T'),
    RequestDate: request.clock.iso(),
    NumberType: 'mobile',
    ...(messageType !== null && { MessageType: messageType }),
    ...areas,
    AreaCode: areaCode ?? '',
    ZipCode: zipCode ?? '',
    PageNumber: page.number,
    ResultsTotal: rows.length,
    AvailableNumberAreas: rows
      .slice(page.from, page.to)
      .map((area) => ({ NGP: area.NGP, AreaCode: Number(area.AreaCode), Zipcode: area.ZipCode })),
  };
}

/** Picks an E.164 number with inventory in the requested area. Throws 400 if there is none. */
export function pickNumber(request: Request, reserved: readonly string[] = []): { number: string; zipCode: string } {
  const { areaCode, zipCode } = areaFields(request.body);
  const [area] = areasFor(areaCode ?? (zipCode === null ? '201' : null), zipCode);
  if (area === undefined) throw badField(areaCode === null ? 'ZipCode' : 'AreaCode', 'has no numbers available');
  return { number: nextNumber(request.store.state, area.AreaCode, reserved), zipCode: zipCode ?? area.ZipCode };
}

/** PLATFORM.md, Provision. */
function provision(request: Request) {
  const { body, store } = request;
  const messageRouteId = body.text('MessageRouteId');
  const kind = body.choice('NumberType', KINDS);
  const messageType = body.choice('MessageType', MESSAGE_TYPES);
  const messageEnabled = body.flag('MessageEnabled');
  const voiceEnabled = body.flag('VoiceEnabled');
  const productType = body.choice('ProductType', PRODUCT_TYPES);
  const dataEnabled = body.optionalFlag('DataEnabled');
  const iccid = body.optionalIccid('ICCID');
  body.optionalText('NGP');
  checkMessageType(kind, messageType);
  const routes = routesGiven(request);
  if (voiceEnabled && routes.voiceRoute === null)
    throw body.wrong('VoiceRouteId', 'required when VoiceEnabled is true');
  const account = accountGiven(request);
  const subscriber = subscriberGiven(request);
  if (account !== null && subscriber !== null && subscriber.AccountId !== account.AccountId)
    throw badReference('AssignedSubscriberId');
  checkIccidFree(store, iccid);
  const accountId =
    account?.AccountId ??
    subscriber?.AccountId ??
    store.messageRoute(request.distributor, messageRouteId)?.AccountId ??
    store.defaultAccount(request.distributor).AccountId;
  const { number, zipCode } = pickNumber(request);
  const order = completedOrder(request, accountId, 'provision', [number]);
  const row = numberRecord(request.clock.now(), {
    Number: number,
    PhoneNumberId: newId('NID'),
    AccountId: accountId,
    OrderId: order.OrderId,
    NumberType: kind,
    ProductType: productType,
    MessageType: messageType,
    MessageEnabled: messageEnabled,
    VoiceEnabled: voiceEnabled,
    DataEnabled: dataEnabled ?? productType.includes('data'),
    MessageRouteId: messageRouteId,
    VoiceRouteId: routes.voiceRoute,
    AssignedSubscriberId: subscriber?.SubscriberId ?? null,
    Iccid: iccid,
  });
  store.state.numbers.push(row);
  return {
    OrderDate: order.OrderDate,
    OrderId: order.OrderId,
    OrderStatus: order.OrderStatus,
    PhoneNumberAssigned: row.Number,
    PhoneNumberId: row.PhoneNumberId,
    QRCode: activationLink(row),
    ZipCode: zipCode,
    ICCID: row.Iccid,
    ErrorMessage: null,
    SubscriberId: row.AssignedSubscriberId,
  };
}

/**
 * Binds a subscriber or SIM and changes the other fields. Fields left out keep their values (PLATFORM.md, Number
 * update).
 */
function update(request: Request) {
  const { body } = request;
  const row = ownNumber(request, body.phone('Number'), accountGiven(request)?.AccountId);
  refuseCancelled(row);
  const kind = body.optionalChoice('Classification', KINDS) ?? row.NumberType;
  const messageType = body.optionalChoice('MessageType', MESSAGE_TYPES) ?? row.MessageType;
  checkMessageType(kind, messageType);
  const routes = routesGiven(request);
  const voiceEnabled = body.optionalFlag('VoiceEnabled') ?? row.VoiceEnabled;
  const voiceRouteId = routes.voiceRoute ?? row.VoiceRouteId;
  if (voiceEnabled && voiceRouteId === null) throw body.wrong('VoiceRouteId', 'required when VoiceEnabled is true');
  const subscriber = subscriberGiven(request);
  if (subscriber !== null && subscriber.AccountId !== row.AccountId) throw badReference('AssignedSubscriberId');
  const iccid = body.optionalIccid('Iccid');
  checkIccidFree(request.store, iccid, row);
  const changes = {
    NumberType: kind,
    MessageType: messageType,
    MessageEnabled: body.optionalFlag('MessageEnabled') ?? row.MessageEnabled,
    VoiceEnabled: voiceEnabled,
    MessageRouteId: routes.messageRoute ?? row.MessageRouteId,
    VoiceRouteId: voiceRouteId,
    AssignedSubscriberId: subscriber?.SubscriberId ?? row.AssignedSubscriberId,
    Iccid: iccid ?? row.Iccid,
    CnamFirstName: body.optionalText('CnamFirstName') ?? row.CnamFirstName,
    CnamLastName: body.optionalText('CnamLastName') ?? row.CnamLastName,
    ProductType: body.optionalChoice('ProductType', PRODUCT_TYPES) ?? row.ProductType,
  };
  Object.assign(row, changes);
  const order = completedOrder(request, row.AccountId, 'update', [row.Number]);
  const { NumberType: _, ...shown } = changes;
  return {
    Number: row.Number,
    Tnid: row.PhoneNumberId,
    UpdateOrderId: order.OrderId,
    UpdateOrderDate: order.OrderDate,
    UpdateOrderStatus: order.OrderStatus,
    Classification: CLASSIFICATION[kind],
    ...shown,
  };
}

/** Throws if the number is cancelled. Such a number can only be reactivated. */
export function refuseCancelled(row: NumberRecord): void {
  if (row.Status === STATUS.pendingDelete || row.Status === STATUS.cancelled)
    throw new ApiError(400, `Number ${row.Number} is ${row.Status}`);
}

/** Returns the order with `Status` and `ErrorMessage` beside the record (PLATFORM.md, Orders). */
export function orderView(order: Order): JsonObject {
  return {
    OrderId: order.OrderId,
    OrderDate: order.OrderDate,
    OrderStatus: order.OrderStatus,
    Status: order.OrderStatus,
    OrderType: order.OrderType,
    OrderStatusMessage: order.ErrorMessage,
    ErrorMessage: order.ErrorMessage,
    PhoneNumbersOrdered: order.Numbers.map((number) => ({ Number: number })),
    ...(order.PortIn !== null && { PortInDate: order.PortIn.PortInDate }),
  };
}

function getOrder(request: Request) {
  const id = queryText(request, 'OrderId');
  if (id === null) throw badField('OrderId', 'required');
  const order = request.store.state.orders.find(
    (row) => row.OrderId === id && request.store.owns(request.distributor, row),
  );
  if (order === undefined) throw notFound(`Order ${id}`);
  return orderView(order);
}

export const numberRoutes = [
  get('/v1.0/numbers', getNumber),
  get('/v1.0/numbers/inventory', inventory),
  get('/v1.0/numbers/order', getOrder),
  post('/v1.0/numbers/availability', availability),
  post('/v1.0/numbers/provision', provision),
  post('/v1.0/numbers/update', update),
];
