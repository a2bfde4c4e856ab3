import { parseDate } from '../clock.ts';
import { badField } from '../errors.ts';
import type { JsonObject } from '../json.ts';
import { completedOrder } from '../orders.ts';
import type { NumberRecord } from '../records.ts';
import { STATUS } from '../records.ts';
import { applyChange } from '../status-change.ts';
import { accountGiven, CARRIER_REFUSES, ownNumber, post, type Request } from '../world.ts';
import { activationLink, checkIccidFree, pickNumber, refuseCancelled } from './numbers.ts';

const CHANGES = ['activate', 'cancel', 'swap', 'swap-sim', 'replace', 'park'] as const;
type Change = Exclude<(typeof CHANGES)[number], 'cancel'>;

/**
 * Changes all listed numbers or none; `cancel` is refused with 400 (PLATFORM.md, Number status). The change takes
 * effect at midnight UTC, when its EffectiveDate begins. If that day has begun, it takes effect now.
 */
function status(request: Request) {
  const { body } = request;
  const change = body.choice('StatusChange', CHANGES);
  if (change === 'cancel')
    throw badField(
      'StatusChange',
      'cancel is no longer accepted: cancel has moved to POST /v1.0/numbers/cancel-order-request',
    );
  const date = parseDate(body.text('EffectiveDate'), ['us']);
  if (date === null) throw body.wrong('EffectiveDate', 'must be a date in the form MM/DD/YYYY');
  const accountId = accountGiven(request)?.AccountId;
  const rows = body.numberRows('PhoneNumbers').map(({ number, row }) => ({
    record: ownNumber(request, number, accountId),
    iccid: row.optionalIccid('ICCID'),
    row,
  }));
  for (const { record, iccid, row } of rows) {
    checkChange(change, record);
    if (change === 'swap-sim' && iccid === null) throw row.wrong('ICCID', 'required for swap-sim');
    checkIccidFree(request.store, iccid, record);
  }
  const renumbers = change === 'swap' || change === 'replace';
  const fresh: string[] = [];
  for (const _ of renumbers ? rows : []) fresh.push(pickNumber(request, fresh).number);
  const taken = rows.filter(({ record }) => !request.refused.has(record.Number));
  const scheduled = {
    change,
    dueAt: date,
    rows: taken.map(({ record, iccid }, index) => ({
      numberId: record.PhoneNumberId,
      iccid,
      number: fresh[index] ?? null,
    })),
  };
  const ahead = date > request.clock.now();
  const before = new Map(taken.map(({ record }) => [record, record.Number]));
  if (!ahead)
    for (const [index, { record }] of taken.entries()) {
      const row = scheduled.rows[index];
      if (row !== undefined) applyChange(row, change, record);
    }
  const [first] = rows;
  const account = first?.record.AccountId ?? request.store.defaultAccount(request.distributor).AccountId;
  const order = completedOrder(
    request,
    account,
    'status',
    rows.map(({ record }) => record.Number),
  );
  if (taken.length === 0) order.OrderStatus = 'Failed';
  else if (ahead) {
    order.OrderStatus = 'Scheduled';
    order.StatusChange = scheduled;
  }
  return {
    OrderId: order.OrderId,
    OrderDate: order.OrderDate,
    OrderStatus: order.OrderStatus,
    ChangeType: change,
    EffectiveDate: new Date(date).toISOString().slice(0, 19),
    Numbers: rows.map(({ record }) => {
      const previous = before.get(record);
      return previous === undefined
        ? { Number: record.Number, Status: 'Failed', StatusMessage: CARRIER_REFUSES }
        : changedRow(record, previous);
    }),
  };
}

function checkChange(change: Change, record: NumberRecord): void {
  refuseCancelled(record);
  const needed = change === 'activate' ? STATUS.parked : STATUS.active;
  if (record.Status !== needed)
    throw badField('StatusChange', `${change} needs a number that is ${needed}; ${record.Number} is ${record.Status}`);
  if (change === 'swap' && record.SwapsRemaining === 0)
    throw badField('StatusChange', `swap: ${record.Number} has no swaps remaining until ${record.NextSwapResetDate}`);
}

function changedRow(record: NumberRecord, previous: string): JsonObject {
  return {
    Number: record.Number,
    ...(record.Number !== previous && { PreviousNumber: previous }),
    Status: record.Status,
    ICCID: record.Iccid,
    QrCode: record.Iccid === null ? null : activationLink(record),
  };
}

export const statusRoutes = [post('/v1.0/numbers/status', status)];
