import type { DataUsage, NumberRecord } from '../records.ts';
import { accountGiven, CARRIER_REFUSES, ownNumber, post, type Request } from '../world.ts';
import { refuseCancelled } from './numbers.ts';

/** The speeds to which data can be throttled (PLATFORM.md, Data usage). */
const SPEEDS = [
  '64-kbps',
  '128-kbps',
  '256-kbps',
  '512-kbps',
  '1-mbps',
  '5-mbps',
  '20-mbps',
  '50-mbps',
  '100-mbps',
] as const;

function numbersOf(request: Request): NumberRecord[] {
  const accountId = accountGiven(request)?.AccountId;
  return request.body.numberRows('PhoneNumbers').map(({ number }) => ownNumber(request, number, accountId));
}

/** Sets the same thresholds for every listed number, with Notify < Throttle < Limit (PLATFORM.md, Data usage). */
function set(request: Request) {
  const { body } = request;
  const unit = body.choice('ValueUnit', ['MB']);
  const notify = body.optionalAmount('NotifyValue');
  const throttle = body.optionalAmount('ThrottleValue');
  const limit = body.amount('LimitValue');
  const speed = body.optionalChoice('ThrottleSpeed', SPEEDS);
  if (notify !== null && throttle !== null && notify >= throttle)
    throw body.wrong('NotifyValue', 'must be less than ThrottleValue');
  if (throttle !== null && throttle >= limit) throw body.wrong('ThrottleValue', 'must be less than LimitValue');
  if (notify !== null && notify >= limit) throw body.wrong('NotifyValue', 'must be less than LimitValue');
  const numbers = numbersOf(request);
  for (const number of numbers) refuseCancelled(number);
  const thresholds = {
    ValueUnit: unit,
    NotifyValue: notify,
    ThrottleValue: throttle,
    ThrottleSpeed: speed,
    LimitValue: limit,
  };
  const taken = numbers.filter((number) => !request.refused.has(number.Number));
  for (const number of taken) number.DataUsage = { ...thresholds, UsedMb: number.DataUsage.UsedMb };
  return {
    Status: taken.length > 0 ? 'Complete' : 'Failed',
    StatusMessage: '',
    ...thresholds,
    PhoneNumbers: numbers.map((number) => ({
      Number: number.Number,
      ...(request.refused.has(number.Number) && { Status: 'Failed', StatusMessage: CARRIER_REFUSES }),
    })),
  };
}

function settings(request: Request) {
  const rows = numbersOf(request).map(({ Number: number, DataUsage: { UsedMb: _, ...thresholds } }) => ({
    Number: number,
    Status: 'Success',
    StatusMessage: '',
    ...thresholds,
  }));
  return { PhoneNumbers: rows, Status: 'Complete' };
}

function behaviour(usage: DataUsage): string {
  if (usage.UsedMb >= usage.LimitValue) return 'Limited';
  return usage.ThrottleValue !== null && usage.UsedMb >= usage.ThrottleValue ? 'Throttled' : 'Active';
}

/** Used and Remaining are text with their unit. */
function megabytes(value: number): string {
  return value === 0 ? '0 B' : `${Number(value.toFixed(2))} MB`;
}

function info(request: Request) {
  const rows = numbersOf(request).map(({ Number: number, Status: status, DataUsage: usage }) => ({
    Number: number,
    Status: status.toUpperCase(),
    StatusMessage: '',
    Used: megabytes(usage.UsedMb),
    Remaining: megabytes(Math.max(0, usage.LimitValue - usage.UsedMb)),
    CurrentBehavior: behaviour(usage),
  }));
  return { PhoneNumbers: rows, Status: 'Complete' };
}

export const dataUsageRoutes = [
  post('/v1.0/numbers/data-usage', set),
  post('/v1.0/numbers/data-usage/settings', settings),
  post('/v1.0/numbers/data-usage/info', info),
];
