import type { Clock } from '../lib/clock.ts';
import { SwitchboardError, Unavailable } from '../lib/errors.ts';
import { hasEnded, isRejected, orderRank, orderStatus } from '../platform/dialect/orders.ts';
import type { Inbox } from './inbox.ts';
import type { LastReport } from './names.ts';
import type { CallEvent, MessageEvent, OrderEvent, StatusEvent, WatchEvent } from './parse.ts';

/** An update of an order, compared with the order's current state at the platform and with the last report. */
export interface OrderUpdate {
  /** The state to show: as read from the platform, but never earlier than that of the last report. */
  order: OrderState;
  /** The last report. */
  previous: OrderState | undefined;
  /** True if the order differs from the last report. */
  moved: boolean;
  /** True if the order is no longer in the state that the update names. */
  late: boolean;
}

/** The attempt to show an update. */
interface Attempt {
  arrivedAt: number;
  /** Failures so far. */
  attempts: number;
  /** True if it was shown before and is handled again because the order has changed since. */
  again: boolean;
}

/** For this time, one read serves all updates that arrived before it. */
const READ_MS = 5000;
/** Number of times that a read behind its update is repeated before it is accepted. */
const LAG_ATTEMPTS = 2;
/** Codes of failed reads that are caused by the platform or its budget, not by the event. */
const OUTAGES = new Set(['timeout', 'rate_limited', 'server_error', 'unavailable', 'network', 'unauthorized']);

/** Reads an order again when an update arrives, because an update is only a hint. */
export class OrderUpdates {
  readonly #inbox: Pick<Inbox, 'lastReport'>;
  readonly #clock: Clock;
  readonly #readOrder: (orderId: string) => Promise<OrderState>;
  readonly #reads = new Map<string, { at: number; state: OrderState }>();

  constructor(options: {
    inbox: Pick<Inbox, 'lastReport'>;
    clock: Clock;
    readOrder: (orderId: string) => Promise<OrderState>;
  }) {
    this.#inbox = options.inbox;
    this.#clock = options.clock;
    this.#readOrder = options.readOrder;
  }

  /**
   * Reads the order of an update and compares it. Resolves to undefined for a repeat that says nothing new.
   *
   * @throws Unavailable when the platform cannot be read, Error when the read is behind the update
   */
  async compare(event: OrderEvent, attempt: Attempt): Promise<OrderUpdate | undefined> {
    const previous = await this.#inbox.lastReport(event.subject);
    const read = await this.#read(event.orderId, attempt.arrivedAt);
    if (isBehind(read.status, event.status) && previous?.status !== event.status && attempt.attempts < LAG_ATTEMPTS) {
      this.#reads.delete(event.orderId);
      throw new Error(`the order reads ${read.status}, its update says ${event.status}; it is read again`);
    }
    const order = { ...(previous && !mayFollow(previous, read) ? previous : read), numbers: read.numbers ?? [] };
    const moved = !previous || order.status !== previous.status || hasNewReason(previous, order);
    if (attempt.again && !moved) return undefined;
    return { order, previous, moved, late: event.status !== order.status };
  }

  async #read(orderId: string, arrivedAt: number): Promise<OrderState> {
    const last = this.#reads.get(orderId);
    const now = this.#clock.now();
    if (last && last.at > arrivedAt && now - last.at < READ_MS) return last.state;
    for (const [id, { at }] of this.#reads) if (now - at >= READ_MS) this.#reads.delete(id);
    try {
      const { status, message, numbers = [] } = await this.#readOrder(orderId);
      const state = { status: orderStatus(status), message, numbers };
      this.#reads.set(orderId, { at: now, state });
      return state;
    } catch (error) {
      const reason = `the order could not be read: ${error instanceof Error ? error.message : String(error)}`;
      const isOutage = error instanceof SwitchboardError && OUTAGES.has(error.face.code);
      throw isOutage || error instanceof Unavailable ? new Unavailable(reason) : new Error(reason);
    }
  }
}

/** True if `status` comes before `other`. False if one of the states is not known. */
function isBehind(status: string, other: string): boolean {
  const [rank, otherRank] = [orderRank(status), orderRank(other)];
  return rank !== undefined && otherRank !== undefined && rank < otherRank;
}

/**
 * A rejected order may be corrected and start again. Any other order never goes back to an earlier state, and an ended
 * order stays ended.
 */
function mayFollow(previous: LastReport, next: OrderState): boolean {
  if (isRejected(previous.status) || previous.status === next.status) return true;
  if (hasEnded(previous.status)) return false;
  return !isBehind(next.status, previous.status);
}

function hasNewReason(previous: LastReport, next: OrderState): boolean {
  return previous.status === next.status && next.message !== '' && next.message !== previous.message;
}

/** The state of an order, read from the platform. */
export interface OrderState {
  status: string;
  message: string;
  /** The numbers of the order, if the platform names them. */
  numbers?: readonly string[];
}

/** An event without a method in `EventFeed`, as plain text. */
export interface EventCard {
  /** Identifies the event. It is the same for every attempt. */
  key: string;
  title: string;
  lines: readonly (readonly [name: string, value: string])[];
  body?: string;
}

/**
 * A surface that shows events to people. A method resolves once its event is shown. It rejects with `Unavailable` if the
 * surface is down, and with `Blocked` if a person has to fix something first. After a crash, an event may be shown twice.
 * `isRetry`: an earlier attempt failed, and may have shown it.
 */
export interface EventFeed {
  order(order: OrderState & { orderId: string }, isRetry?: boolean): Promise<void>;
  message(event: MessageEvent, isRetry?: boolean): Promise<void>;
  status(event: StatusEvent, isRetry?: boolean): Promise<void>;
  call(event: CallEvent, isRetry?: boolean): Promise<void>;
  watch(event: WatchEvent, isRetry?: boolean): Promise<void>;
  other(card: EventCard, isRetry?: boolean): Promise<void>;
  /** Resolves to one sentence while events cannot be shown for a reason that a person can fix. */
  problem?(): Promise<string | undefined>;
}
