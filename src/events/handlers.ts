import type { Clock } from '../lib/clock.ts';
import { SwitchboardError, Unavailable } from '../lib/errors.ts';
import { orderRank, orderStatus } from '../platform/dialect/orders.ts';
import { ClaimLost, isLast, isOutage, type Job } from '../work/jobs.ts';
import type { Run, Worker } from '../work/worker.ts';
import { EVENT_JOBS, type Inbox, type OrderState, READ_OUTCOMES, SHOW } from './inbox.ts';
import type {
  CallEvent,
  MessageEvent,
  OrderEvent,
  PlatformEvent,
  StatusEvent,
  UnknownEvent,
  WatchEvent,
} from './parse.ts';

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
 * surface is down, and with `Blocked` if a person has to fix something first. An event may be shown twice.
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

export interface EventHandlersOptions {
  inbox: Inbox;
  /** The store's clock. */
  clock: Clock;
  worker: Pick<Worker, 'on' | 'off'>;
  /** Shows events to people; without it they only count as shown. */
  feed: EventFeed | undefined;
  readOrder: (orderId: string) => Promise<OrderState>;
  /** Reads the outcomes of unknown actions about these numbers. */
  readOutcomes: (about: readonly string[]) => Promise<unknown>;
  /** Keeps the state of a message with the action that sent it. */
  keepReceipt: (event: StatusEvent) => Promise<void>;
}

/** Time within which the answer to a call is kept after a receipt of its message. */
const RECEIPT_MS = 5_000;
/** Fields of an unknown event that are shown. */
const MAX_LINES = 10;
/** Number of times that a read behind its update is repeated before it is accepted. */
const LAG_ATTEMPTS = 2;
/** Codes of failed reads that are caused by the platform or its budget, not by the event. */
const OUTAGES = new Set(['timeout', 'rate_limited', 'server_error', 'unavailable', 'network', 'unauthorized']);

/** The jobs that handle the events of the inbox. */
export class EventHandlers {
  readonly #options: EventHandlersOptions;

  constructor(options: EventHandlersOptions) {
    this.#options = options;
    options.worker.on(SHOW, (job, run) => this.#show(job, run));
    options.worker.on(READ_OUTCOMES, async (job) => {
      const stored = await options.inbox.eventOf(job);
      if (stored?.event.kind !== 'status') return undefined;
      await options.readOutcomes([stored.event.from]);
      await options.keepReceipt(stored.event);
      // A receipt may arrive before the answer to the call that sent the message.
      const again = stored.arrivedAt + RECEIPT_MS;
      return options.clock.now() < again ? again : undefined;
    });
  }

  /** Resolves when no event is being handled. */
  async close(): Promise<void> {
    await this.#options.worker.off(EVENT_JOBS);
  }

  async #show(job: Job, run: Run): Promise<undefined> {
    const { inbox, clock } = this.#options;
    const stored = await inbox.eventOf(job);
    if (!stored) return;
    const { event } = stored;
    try {
      const order = event.kind === 'order' ? await this.#readOrder(event, job.attempts) : undefined;
      await this.#showEvent(event, order, job.lastError !== undefined);
      run.onDone((tx) => inbox.settle(tx, stored, order));
      inbox.counters.count('handled', event.kind);
    } catch (error) {
      if (error instanceof ClaimLost) throw error;
      inbox.counters.count(isOutage(error) ? 'waited' : 'retried', event.kind);
      if (isLast(job, error, clock.now())) inbox.counters.count('died', event.kind);
      throw error;
    }
  }

  async #showEvent(event: PlatformEvent, order: OrderState | undefined, isRetry: boolean): Promise<void> {
    const { feed } = this.#options;
    switch (event.kind) {
      case 'order':
        return feed?.order({ status: event.status, message: event.message, ...order, orderId: event.orderId }, isRetry);
      case 'message':
        return feed?.message(event, isRetry);
      case 'status':
        return feed?.status(event, isRetry);
      case 'call':
        return feed?.call(event, isRetry);
      case 'watch':
        return feed?.watch(event, isRetry);
      case 'unknown':
        return feed?.other(cardOf(event), isRetry);
    }
  }

  /**
   * Reads the order of an update, because an update is only a hint: the state at the platform is shown.
   *
   * @throws Unavailable when the platform cannot be read, Error when the read is behind the update
   */
  async #readOrder(event: OrderEvent, attempts: number): Promise<OrderState> {
    let read: OrderState;
    try {
      read = await this.#options.readOrder(event.orderId);
    } catch (error) {
      const reason = `the order could not be read: ${error instanceof Error ? error.message : String(error)}`;
      const isAway = error instanceof SwitchboardError && OUTAGES.has(error.face.code);
      throw isAway || error instanceof Unavailable ? new Unavailable(reason) : new Error(reason);
    }
    const order = { ...read, status: orderStatus(read.status) };
    if (attempts < LAG_ATTEMPTS && isBehind(order.status, event.status))
      throw new Error(`the order reads ${order.status}, its update says ${event.status}; it is read again`);
    return order;
  }
}

/** True if `status` comes before `other`. False if one of the states is not known. */
function isBehind(status: string, other: string): boolean {
  const [rank, otherRank] = [orderRank(status), orderRank(other)];
  return rank !== undefined && otherRank !== undefined && rank < otherRank;
}

function cardOf({ key, name, fields }: UnknownEvent): EventCard {
  const lines = Object.entries(fields)
    .slice(0, MAX_LINES)
    .map(([field, value]): [string, string] => [field, typeof value === 'string' ? value : JSON.stringify(value)]);
  return { key, title: `Event ${name || 'of an unknown kind'}`, lines };
}
