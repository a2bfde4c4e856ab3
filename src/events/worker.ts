import type { Clock } from '../lib/clock.ts';
import { Blocked, NeedsPerson, Unavailable } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { ClaimLost, type OrderState, type Right } from './feed.ts';
import type { ClaimedEvent, Inbox, LastReport } from './inbox.ts';
import { type OrderUpdate, OrderUpdates } from './order-updates.ts';
import type { EventKind, PlatformEvent } from './parse.ts';
import { LEASE_MS, Running } from './running.ts';

/** An event as its handler receives it. `id` and `event.key` stay the same over attempts and restarts. */
export interface Delivered<E extends PlatformEvent = PlatformEvent> {
  id: number;
  event: E;
  receivedAt: Date;
  /** 1 for the first. */
  attempt: number;
  /**
   * Aborts when the handler has taken too long or another process has claimed the event. The event is then tried again.
   */
  signal: AbortSignal;
  right: Right;
}

type OfKind<K extends EventKind> = Extract<PlatformEvent, { kind: K }>;
export type Handler<K extends EventKind> = (
  delivered: Delivered<OfKind<K>> & (K extends 'order' ? OrderUpdate : unknown),
) => Promise<void> | void;

interface NamedHandler {
  name: string;
  handle: (delivered: Delivered & Partial<OrderUpdate>) => Promise<void> | void;
}

export interface WorkerOptions {
  inbox: Inbox;
  /** The store's clock. */
  clock: Clock;
  log: Log;
  readOrder: (orderId: string) => Promise<OrderState>;
  /** Number of subjects that are handled at once; 8 by default. */
  parallel?: number;
}

const PARALLEL = 8;
const HANDLER_MS = 120_000;
/** Interval between attempts with one event while events cannot be shown (`Blocked`). */
export const PROBE_MS = 15_000;
/** Delay after the inbox could not be read or written. */
const STORE_MS = 1000;

/**
 * Claims events of the inbox, in order for each subject, and calls the handlers of their kind. Any number of processes
 * may run a worker, because an event is handled only by the process that has claimed it.
 */
export class Worker {
  readonly #inbox: Inbox;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #orders: OrderUpdates;
  readonly #parallel: number;
  readonly #handlers = new Map<EventKind, NamedHandler[]>();
  readonly #busy = new Map<number, Running>();
  #timer: unknown;
  #renewal: unknown;
  #unsubscribe: (() => void) | undefined;
  #isRunning = false;
  /** The look for work that is under way. */
  #pumping: Promise<void> | undefined;
  #pumpAgain = false;

  constructor(options: WorkerOptions) {
    this.#inbox = options.inbox;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#orders = new OrderUpdates(options);
    this.#parallel = options.parallel ?? PARALLEL;
  }

  /** Handlers of one kind run one after another. Each is called until it has succeeded once; its name is kept on disk. */
  on<K extends EventKind>(kind: K, handler: Handler<K>, name = 'handler'): void {
    const handlers = this.#handlers.get(kind) ?? [];
    if (handlers.some((other) => other.name === name))
      throw new Error(`there is a handler ${name} for ${kind} already`);
    // A handler is only called with events of its kind, and with the update of an order.
    this.#handlers.set(kind, [...handlers, { name, handle: handler as NamedHandler['handle'] }]);
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#unsubscribe = this.#inbox.onWork(() => this.#pump());
    this.#pumping = this.#inbox
      .takeOver()
      .catch((error: unknown) =>
        this.#log('error', { error: String(error) }, 'interrupted events could not be looked for'),
      )
      .then(() => this.#pumpAll());
  }

  /** Takes no more events, and resolves when those under way have ended. Other processes handle the rest. */
  async stop(): Promise<void> {
    const wasRunning = this.#isRunning;
    this.#isRunning = false;
    this.#unsubscribe?.();
    this.#clock.clearTimeout(this.#timer);
    await this.#pumping;
    await this.#ended();
    this.#stopRenewing();
    if (!wasRunning) return;
    await this.#inbox
      .release()
      .catch((error: unknown) =>
        this.#log('warn', { error: String(error) }, 'claimed events could not be given back; their leases will end'),
      );
  }

  /** Resolves when no event is under way. It does not wait for events that are due later. */
  async idle(): Promise<void> {
    do {
      await this.#inbox.settled();
      await this.#pumping;
      await this.#ended();
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#busy.size > 0 || this.#pumping !== undefined);
  }

  async #ended(): Promise<void> {
    await Promise.allSettled([...this.#busy.values()].map(({ ended }) => ended));
  }

  /** Looks for work. If a look is under way, another one follows it. */
  #pump(): void {
    if (!this.#isRunning) return;
    this.#pumpAgain = true;
    this.#pumping ??= this.#pumpAll();
  }

  async #pumpAll(): Promise<void> {
    // One look for work serves all handlers that end in the same turn.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#isRunning) {
      this.#pumpAgain = false;
      const isFull = await this.#pumpOnce().catch((error: unknown) => {
        this.#log('error', { error: String(error) }, 'the inbox could not be read');
        this.#wakeAt(this.#clock.now() + STORE_MS);
        return true;
      });
      if (isFull && !this.#pumpAgain) break;
    }
    this.#pumping = undefined;
  }

  /**
   * Starts the events that may be handled now and sets the timer for the next one. Resolves to false if there may be
   * more.
   */
  async #pumpOnce(): Promise<boolean> {
    this.#clock.clearTimeout(this.#timer);
    const room = this.#parallel - this.#busy.size;
    if (room <= 0) return true;
    const { events, wakeAt } = await this.#inbox.claim(room, LEASE_MS);
    for (const event of events) this.#begin(event);
    if (wakeAt !== undefined) this.#wakeAt(wakeAt);
    return events.length === 0 || wakeAt !== undefined;
  }

  #begin(claimed: ClaimedEvent): void {
    const before = this.#busy.get(claimed.id);
    // The lease ended while the handler ran, and this process has claimed the event again.
    if (before) {
      before.claimedAgain(claimed);
      return;
    }
    const running = new Running({ claimed, inbox: this.#inbox, clock: this.#clock });
    this.#busy.set(claimed.id, running);
    running.ended = this.#run(running);
    this.#renewSoon();
  }

  async #run(running: Running): Promise<void> {
    const { claimed } = running;
    try {
      const report = await this.#show(running);
      if (claimed.isProbe) await this.#write(() => this.#inbox.resume());
      const isWritten = await this.#write(() => this.#inbox.done(running.claim, report));
      if (isWritten === false) this.#log('warn', { event: claimed.id }, 'an event was shown after its claim had ended');
    } catch (error) {
      await this.#failed(running, error);
    }
    this.#busy.delete(claimed.id);
    if (this.#busy.size === 0) this.#stopRenewing();
    this.#pump();
  }

  /**
   * Repeats a write until it succeeds, so that an event is not shown again because the disk failed. A stopping process
   * gives up, and another one claims the event after the lease.
   */
  async #write<T>(write: () => Promise<T>): Promise<T | undefined> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        this.#log('error', { error: String(error) }, 'the inbox could not be written');
        if (!this.#isRunning) return undefined;
        await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, STORE_MS));
      }
    }
  }

  /** Calls the handlers. Resolves to the report of an order. */
  async #show(running: Running): Promise<LastReport | undefined> {
    const { event } = running.claimed;
    if (event.kind !== 'order') {
      await this.#call(running, {});
      return undefined;
    }
    const update = await this.#orders.compare(running.claimed, event);
    if (!update) return undefined;
    await this.#call(running, update);
    return update.order;
  }

  async #failed(running: Running, error: unknown): Promise<void> {
    const { id, event, attempts } = running.claimed;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof ClaimLost) {
      this.#log('warn', { event: id }, reason);
      return;
    }
    if (error instanceof Blocked) {
      const probeAt = this.#clock.now() + PROBE_MS;
      const isFirst = await this.#write(() => this.#inbox.hold(running.claim, reason, probeAt));
      if (isFirst) this.#log('warn', { event: id, reason }, `events wait; one is tried every ${PROBE_MS / 1000} s`);
      return;
    }
    const options = {
      outage: error instanceof Unavailable || isStoreUnavailable(error),
      last: error instanceof NeedsPerson,
    };
    const state = await this.#write(() => this.#inbox.retry(running.claim, reason, options));
    const fields = { event: id, kind: event.kind, attempt: attempts + 1, reason };
    if (state === 'dead') this.#log('error', fields, 'an event could not be handled and is on the dead-letter list');
    else this.#log('warn', fields, 'an event could not be handled; trying again later');
  }

  async #call(running: Running, update: Partial<OrderUpdate>): Promise<void> {
    const { event, handled } = running.claimed;
    const handlers = this.#handlers.get(event.kind) ?? [];
    for (const handler of handlers) {
      if (handled.includes(handler.name)) continue;
      await running.check();
      await this.#callOne(handler, running, update);
      // The success of the last handler is written together with the delivery of the event.
      if (handler !== handlers.at(-1)) await this.#write(() => this.#inbox.handled(running.claim, handler.name));
    }
  }

  async #callOne({ name, handle }: NamedHandler, running: Running, update: Partial<OrderUpdate>): Promise<void> {
    const { claimed } = running;
    const abort = new AbortController();
    let timer: unknown;
    const tooLong = new Promise<never>((_, reject) => {
      timer = this.#clock.setTimeout(() => {
        abort.abort();
        reject(new Error(`${name} took more than ${HANDLER_MS / 1000} s`));
      }, HANDLER_MS);
    });
    const delivered = {
      id: claimed.id,
      event: claimed.event,
      receivedAt: new Date(claimed.receivedAt),
      attempt: claimed.attempts + claimed.waits + 1,
      signal: AbortSignal.any([abort.signal, running.signal]),
      right: running,
      ...update,
    };
    try {
      await Promise.race([(async () => handle(delivered))(), tooLong]);
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }

  /** Renews the claims of events while their handlers run, so that no other process takes over. */
  #renewSoon(): void {
    if (this.#renewal !== undefined || this.#busy.size === 0) return;
    this.#renewal = this.#clock.setTimeout(() => {
      this.#renewal = undefined;
      this.#renew()
        .catch((error: unknown) => this.#log('warn', { error: String(error) }, 'claims could not be renewed'))
        .finally(() => this.#renewSoon());
    }, LEASE_MS / 3);
  }

  #stopRenewing(): void {
    this.#clock.clearTimeout(this.#renewal);
    this.#renewal = undefined;
  }

  async #renew(): Promise<void> {
    const running = [...this.#busy.values()];
    const until = this.#clock.now() + LEASE_MS;
    const kept = await this.#inbox.renew(
      running.map(({ claim }) => claim),
      LEASE_MS,
    );
    for (const one of running) {
      if (kept.some(({ id, claim }) => id === one.claim.id && claim === one.claim.claim)) one.renewed(until);
      else if (this.#busy.has(one.claimed.id)) one.lose();
    }
  }

  #wakeAt(at: number): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => this.#pump(), Math.max(0, at - this.#clock.now()));
  }
}
