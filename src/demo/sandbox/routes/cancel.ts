import { randomInt } from 'node:crypto';
import { MINUTE } from '../clock.ts';
import { ApiError, notFound, PlainTextError, ValidationObjectError } from '../errors.ts';
import type { CancelOrder, NumberRecord } from '../records.ts';
import { STATUS } from '../records.ts';
import { newId, sha256 } from '../store.ts';
import { accountGiven, CARRIER_REFUSES, post, type Request } from '../world.ts';

/** Lifetime of an AuthCode, which can be used once (PLATFORM.md, Cancellation). */
const CODE_LIFETIME = 5 * MINUTE;

/** Fee per reactivated number (PLATFORM.md, Reactivation). */
const RECOVERY_FEE = 5;

/** The number that the carrier refuses to reactivate, as the contract requires. */
const REFUSED_BY_CARRIER = '+12015550108';

const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

function authCode(): string {
  return Array.from({ length: 10 }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');
}

function whyNot(record: NumberRecord | undefined): string | null {
  if (record === undefined) return 'Number not found!';
  if (record.Status === STATUS.active || record.Status === STATUS.parked) return null;
  return `Number is ${record.Status}`;
}

function consent(numbers: readonly string[]): string {
  return (
    `I consent to the immediate cancellation of ${numbers.join(', ')} on the carrier. ` +
    'Service ends at once. Each number can be reactivated within 30 days for a recovery fee of 5 USD per number; ' +
    'after that it is permanently released.'
  );
}

/** Stage 1: validates the numbers and hands out an AuthCode; nothing is cancelled (PLATFORM.md, Cancellation). */
function cancelRequest(request: Request) {
  const { body, store } = request;
  const accountId = accountGiven(request)?.AccountId ?? null;
  const asked = [...new Set(body.numberRows('PhoneNumbers').map((row) => row.number))];
  const valid: NumberRecord[] = [];
  const invalid: { Number: string; Reason: string }[] = [];
  for (const number of asked) {
    const found = store.number(request.distributor, number);
    const record = accountId === null || found?.AccountId === accountId ? found : undefined;
    const reason = request.refused.has(number) ? CARRIER_REFUSES : whyNot(record);
    if (record !== undefined && reason === null) valid.push(record);
    else invalid.push({ Number: number, Reason: reason ?? '' });
  }
  if (valid.length === 0)
    throw new ApiError(
      400,
      `PhoneNumbers holds no number that can be cancelled: ${invalid.map((row) => `${row.Number}: ${row.Reason}`).join('; ')}`,
    );
  voidEarlier(request, valid);
  const code = authCode();
  const order: CancelOrder = {
    OrderId: newId('JNUOID'),
    DistributorId: request.distributor,
    Numbers: valid.map((row) => ({ Number: row.Number, PhoneNumberId: row.PhoneNumberId })),
    AuthCodeHash: sha256(code),
    ExpiresAt: request.clock.now() + CODE_LIFETIME,
    State: 'Pending',
  };
  store.state.cancelOrders.push(order);
  return {
    OrderId: order.OrderId,
    AuthCode: code,
    ConsentStatement: consent(valid.map((row) => row.Number)),
    ExpiresAt: request.clock.iso(order.ExpiresAt),
    NumbersValid: valid.map((row) => ({ Number: row.Number })),
    NumbersInvalid: invalid,
  };
}

/** A second cancel request for a number voids the first one's AuthCode. */
function voidEarlier(request: Request, numbers: readonly NumberRecord[]): void {
  const ids = new Set(numbers.map((row) => row.PhoneNumberId));
  for (const order of request.store.state.cancelOrders)
    if (order.State === 'Pending' && order.Numbers.some((row) => ids.has(row.PhoneNumberId))) order.State = 'Voided';
}

/**
 * Stage 2: with a valid code, cancels the numbers at once. Numbers that cannot be cancelled any more are in
 * FailedChange.
 */
function cancelSubmit(request: Request) {
  const { body, store, clock } = request;
  const id = body.text('OrderId');
  const code = body.text('AuthCode');
  const order = store.state.cancelOrders.find((row) => row.OrderId === id && row.DistributorId === request.distributor);
  if (order === undefined) throw notFound(`Cancel order ${id}`);
  if (order.AuthCodeHash !== sha256(code)) throw new ApiError(400, 'AuthCode is invalid');
  if (order.State === 'Voided') throw new ApiError(400, 'AuthCode was voided by a later cancel request');
  if (order.State !== 'Pending') throw new ApiError(400, 'AuthCode has already been used');
  if (clock.now() >= order.ExpiresAt) throw new ApiError(400, 'AuthCode has expired');
  const changed: { Number: string; Status: string }[] = [];
  const failed: { Number: string; Reason: string }[] = [];
  for (const { Number: number, PhoneNumberId: numberId } of order.Numbers) {
    const record = store.state.numbers.find((row) => row.PhoneNumberId === numberId && row.Number === number);
    const reason = request.refused.has(number) ? CARRIER_REFUSES : whyNot(record);
    if (record === undefined || reason !== null) {
      failed.push({ Number: number, Reason: reason ?? '' });
      continue;
    }
    record.Status = STATUS.pendingDelete;
    record.CancelledOn = clock.iso();
    changed.push({ Number: number, Status: record.Status });
  }
  order.State = changed.length > 0 ? 'Complete' : 'Failed';
  return { OrderId: order.OrderId, Status: order.State, NumbersChange: changed, FailedChange: failed };
}

/** Every error is 400 and reactivates nothing (PLATFORM.md, Reactivation). */
function reactivate(request: Request) {
  const { body, store, distributor } = request;
  const given = (name: string): string | null => {
    const value = body.raw(name);
    if (value === undefined || value === null || value === '') return null;
    if (typeof value === 'string') return value;
    throw new ValidationObjectError(400, `Validation errors occurred: ${name} must be a string.`);
  };
  const phone = given('PhoneNumber');
  const accountId = given('AccountId');
  if (phone === null) throw new ValidationObjectError(400, 'Validation errors occurred: PhoneNumber is required.');
  if (!/^\+[1-9]\d{7,14}$/.test(phone))
    throw new ValidationObjectError(400, 'Validation errors occurred: PhoneNumber must be an E.164 number.');
  if (accountId === null && store.accountsOf(distributor).length > 1)
    throw new PlainTextError(400, 'AccountId is required for distributors with multiple accounts.');
  if (accountId !== null && store.account(distributor, accountId) === undefined)
    throw new PlainTextError(400, 'Invalid AccountId');
  const record = store.number(distributor, phone);
  if (record === undefined || (accountId !== null && record.AccountId !== accountId))
    throw new PlainTextError(400, 'Number not found!');
  if (record.Status !== STATUS.pendingDelete)
    throw new PlainTextError(
      400,
      `Number ${phone} is not eligible for reactivation because its status is not ${STATUS.pendingDelete}. ` +
        'A new provision is required.',
    );
  if (phone === REFUSED_BY_CARRIER)
    throw new PlainTextError(400, `The carrier refused to reactivate ${phone}. Nothing was charged.`);
  record.Status = STATUS.active;
  record.CancelledOn = null;
  store.state.fees.push({
    Number: phone,
    AccountId: record.AccountId,
    Amount: RECOVERY_FEE,
    Currency: 'USD',
    Reason: 'Recovery fee',
    ChargedOn: request.clock.iso(),
  });
  return {
    PhoneNumber: phone,
    AccountId: record.AccountId,
    Status: 'Success',
    StatusMessage: `Number ${phone} was reactivated. A recovery fee of ${RECOVERY_FEE} USD was charged.`,
  };
}

export const cancelRoutes = [
  post('/v1.0/numbers/cancel-order-request', cancelRequest),
  post('/v1.0/numbers/cancel-order-submit', cancelSubmit),
  post('/v1.0/numbers/reactivate', reactivate),
];
