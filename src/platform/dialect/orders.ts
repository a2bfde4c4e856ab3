import type { Fields } from '../../lib/json.ts';

/*
 * Orders as the platform reports them: their states, the steps of a port-in, and the order that an answer names
 * (PLATFORM.md, Orders). Surfaces and events use these functions instead of comparing states themselves.
 */

/** The states a port-in passes through, in order, each with its label. */
const PORT_IN_STEPS: readonly { status: string; label: string }[] = [
  { status: 'Submitted', label: 'Submitted' },
  { status: 'Pending Carrier Approval', label: 'Carrier approval' },
  { status: 'Scheduled', label: 'Scheduled' },
  { status: 'Completed', label: 'Completed' },
];

/** The step at which a carrier rejects a port-in. */
const REJECTED_AT = 'Pending Carrier Approval';

/** Position of each state; the last three share one because none of them follows another. */
const RANKS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(PORT_IN_STEPS.map(({ status }, i) => [status, i + 1])),
  Rejected: PORT_IN_STEPS.length,
  Cancelled: PORT_IN_STEPS.length,
};

const SPELLINGS = new Map([
  ...Object.keys(RANKS).map((status) => [plain(status), status] as const),
  ['complete', 'Completed'] as const,
  ['canceled', 'Cancelled'] as const,
]);

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** One spelling for each state of an order. Unknown states stay as written. */
export function orderStatus(given: string): string {
  return SPELLINGS.get(plain(given)) ?? given.trim();
}

/**
 * The state of an order by its record, in one spelling; empty if the record has none. The member has two names
 * (PLATFORM.md, Orders). If both exist, `OrderStatus` is the order's state and `Status` may be that of a request about
 * it.
 */
export function orderState(record: Readonly<Fields> | undefined): string {
  return orderStatus(text(record?.OrderStatus) ?? text(record?.Status) ?? '');
}

/** Position of a state; undefined for unknown states. */
export function orderRank(status: string): number | undefined {
  return Object.hasOwn(RANKS, status) ? RANKS[status] : undefined;
}

export function isCompleted(status: string): boolean {
  return status === 'Completed';
}

/** True if the carrier refused the order. A correction submits it again. */
export function isRejected(status: string): boolean {
  return status === 'Rejected';
}

/** True if the order can no longer change. A rejected order has not ended, because it can be corrected. */
export function hasEnded(status: string): boolean {
  return status === 'Completed' || status === 'Cancelled';
}

/** True if the order makes no progress by itself: it has ended, or a person has to correct it. */
export function hasStopped(status: string): boolean {
  return hasEnded(status) || isRejected(status);
}

export type StepState = 'done' | 'current' | 'rejected' | 'ahead';

/**
 * The steps of a port-in with their progress. Empty for a state that does not show the progress, such as a
 * cancellation.
 */
export function portInProgress(status: string): { label: string; state: StepState }[] {
  const rejected = isRejected(status);
  const current = PORT_IN_STEPS.findIndex((step) => step.status === (rejected ? REJECTED_AT : status));
  if (current < 0) return [];
  return PORT_IN_STEPS.map(({ label }, i) => {
    if (i < current || isCompleted(status)) return { label, state: 'done' };
    if (i > current) return { label, state: 'ahead' };
    return { label, state: rejected ? 'rejected' : 'current' };
  });
}

export type OrderOutlook = 'open' | 'partly' | 'completed' | 'failed' | 'cancelled';

/**
 * The meaning of a state for the reader. States are matched by their words, because orders of every kind are covered,
 * not only port-ins.
 */
export function orderOutlook(status: string): OrderOutlook {
  if (/^part/i.test(status)) return 'partly';
  if (/complet/i.test(status)) return 'completed';
  if (/reject|fail|declin/i.test(status)) return 'failed';
  return /cancel/i.test(status) ? 'cancelled' : 'open';
}

/** The part of a recorded call that this file reads. */
export interface OrderCall {
  shown: Readonly<Fields>;
  result?: Readonly<Fields> | undefined;
}

/** The order that a call started. A call that names an existing order in its input changes that order instead. */
export function startedOrder({ shown, result }: OrderCall): string | undefined {
  return shown.OrderId === undefined ? text(result?.OrderId) : undefined;
}

/** The order that a call started or changed. */
export function orderOf({ shown, result }: OrderCall): string | undefined {
  return text(result?.OrderId) ?? text(shown.OrderId);
}

/** The state of the order in the answer of a call. */
export function answeredStatus({ result }: OrderCall): string | undefined {
  return text(orderState(result));
}
