import { BoundedMap, type Fields, textsIn } from '../../lib/values.ts';

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
 * The state of an order by its record, in one spelling; empty if the record has none. The member has several names
 * (PLATFORM.md, Orders). `OrderStatus`, or `UpdateOrderStatus`, is the order's state, and a `Status` beside it may be that
 * of a request about it.
 */
export function orderState(record: Readonly<Fields> | undefined): string {
  return orderStatus(namedState(record) ?? text(record?.Status) ?? '');
}

function namedState(record: Readonly<Fields> | undefined): string | undefined {
  return text(record?.OrderStatus) ?? text(record?.UpdateOrderStatus);
}

/** States of an order that the platform has taken and not carried out. */
const TAKEN = /^(submitted|accepted|received|queued|pending|scheduled|processing|in[\s_-]?progress)\b/i;

/** The state of an order in an answer that the platform goes on processing, in one word of its own; undefined if it has none. */
export function openOrder(answer: Readonly<Fields> | undefined): string | undefined {
  const isOrder = namedState(answer) !== undefined || text(answer?.OrderId) !== undefined;
  return isOrder ? TAKEN.exec(orderState(answer))?.[0].toLowerCase() : undefined;
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
  return shown.OrderId === undefined ? (text(result?.OrderId) ?? text(result?.UpdateOrderId)) : undefined;
}

/** The order that a call started or changed. */
export function orderOf({ shown, result }: OrderCall): string | undefined {
  return text(result?.OrderId) ?? text(result?.UpdateOrderId) ?? text(shown.OrderId);
}

/*
 * PLATFORM.md, Orders: US carriers answer a port request with a code and a name, such as
 * `8A-ACCOUNT_NUM_REQ_OR_INCORRECT`. The names are those used between carriers. The set that this platform passes on is
 * assumed. Names are matched by their words, so that other spellings are recognized too. The first match counts.
 */
const REASONS: readonly (readonly [pattern: RegExp, words: string, ...fields: string[]])[] = [
  [
    /(?<![a-z])account[ _-]?(num(ber)?|no)(?![a-z])/i,
    'The account number at the losing carrier is missing or wrong. It is on the bill, and is often not the phone number.',
    'CurrentAccountNumber',
  ],
  [
    /(?<![a-z])(pass[ _-]?(word|code|pin)|pin)(?![a-z])/i,
    'The transfer PIN or account password is missing or wrong. Some carriers issue one for the transfer, which expires within days.',
    'CurrentAccountPassword',
  ],
  [
    /(?<![a-z])(ssn|tax[ _-]?id)(?![a-z])/i,
    'The carrier wants the last digits of the social security or tax number; many accept them instead of the account PIN.',
    'CurrentAccountPassword',
  ],
  [
    /(?<![a-z])(zip|postal)(?![a-z])/i,
    'The ZIP code does not match the billing address at the losing carrier.',
    'CurrentBillingAddress',
  ],
  [
    /(?<![a-z])(address|street|city)(?![a-z])/i,
    'The billing address does not match the one that the losing carrier has.',
    'CurrentBillingAddress',
  ],
  [
    /(?<![a-z])(first|last|business|auth(orized)?|subscriber|customer|end[ _-]?user)[ _-]?name(?![a-z])/i,
    'The name does not match the account at the losing carrier. It must match letter by letter.',
    'SubscriberName',
  ],
  [
    /(?<![a-z])cust(omer)?[ _-]?info/i,
    'Name, address or account do not match what the losing carrier has.',
    'SubscriberName',
    'CurrentBillingAddress',
    'CurrentAccountNumber',
  ],
  [
    /(?<![a-z])(due[ _-]?date|date[ _-]?and[ _-]?time|req[ _-]?date)(?![a-z])/i,
    'The carrier does not accept this date. Choose another one.',
    'PortInDate',
  ],
  [
    /(mdn|number|tn|line)[ _-]?not[ _-]?active|inactive|disconnected/i,
    'The number is not active at the losing carrier. The customer must have it reactivated there first.',
  ],
  [
    /(mdn|number|tn)[ _-]?not[ _-]?found|wrong carrier/i,
    'The losing carrier does not know this number. Ask which carrier it is with; a reseller may use another carrier’s network.',
    'CurrentCarrierName',
  ],
  [
    /(?<![a-z])(port[ _-]?protect|protect(ed|ion)?|locked|freeze|frozen)(?![a-z])/i,
    'The number is locked against porting. The customer must lift the lock at the losing carrier first.',
  ],
  [
    /(?<![a-z])(pend(ing)?|duplicate)(?![a-z])/i,
    'Another port request for this number is open. It must end or be withdrawn first.',
  ],
];

/**
 * A losing carrier's reason in plain words, and the fields to correct, empty if a correction does not help. Undefined if the
 * carrier gave no reason or an unknown one.
 */
export function carrierReason(message: string): { words: string; fields: readonly string[] } | undefined {
  const [, words, ...fields] = REASONS.find(([pattern]) => pattern.test(message)) ?? [];
  return words === undefined ? undefined : { words, fields };
}

/** Ids and phone numbers seen in answers. Forms and clients complete them without a platform request. */
export interface Completions {
  learn(value: unknown): void;
  /** Values of one kind (an id prefix such as `JNUOID`, or `phone`) that contain the typed text, newest first. */
  complete(kind: string, typed: string, limit?: number): string[];
}

const ID = /^([A-Z]{2,6})-[A-Za-z0-9._-]{4,}$/;
const PHONE = /^\+[1-9]\d{6,14}$/;
const MAX = 2000;

export function createCompletions(): Completions {
  const seen = new Map<string, BoundedMap<string, true>>();
  return {
    learn: (value) => {
      for (const { value: text } of textsIn(value)) {
        const kind = ID.exec(text)?.[1] ?? (PHONE.test(text) ? 'phone' : undefined);
        if (kind) seen.set(kind, (seen.get(kind) ?? new BoundedMap<string, true>(MAX)).set(text, true));
      }
    },
    complete: (kind, typed, limit = 100) => {
      const needle = typed.trim().toLowerCase();
      return [...(seen.get(kind)?.keys() ?? [])]
        .reverse()
        .filter((text) => text.toLowerCase().includes(needle))
        .slice(0, limit);
    },
  };
}
