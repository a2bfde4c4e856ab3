import { hostname } from 'node:os';
import type { Clock } from '../lib/clock.ts';
import { Blocked, NeedsPerson, Unavailable } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { OrderState } from './feed.ts';
import type { Inbox, LastReport, StoredEvent } from './inbox.ts';
import { type OrderUpdate, OrderUpdates } from './order-updates.ts';
import type { EventKind, PlatformEvent } from './parse.ts';

/** What a handler gets. `id` and `event.key` stay the same over attempts and restarts. */
export interface Delivered<E extends PlatformEvent = PlatformEvent> {
  id: number;
  event: E;
  receivedAt: Date;
  /** 1 for the first. */
  attempt: number;
  /** Aborts when the handler has taken too long; the event is then tried again. */
  signal: AbortSignal;
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
  clock: Clock;
  log: Log;
  readOrder: (orderId: string) => Promise<OrderState>;
  /** How many subjects are handled at once; left out: 8. */
  parallel?: number;
  /** Whether the process that held the lead is gone. */
  isGone?: (holder: { pid: number; host: string }) => boolean;
}

const PARALLEL = 8;
const HANDLER_MS = 120_000;
/** While events cannot be shown (`Blocked`), one of them is tried this often. */
export const PROBE_MS = 15_000;
const LEAD_MS = 15_000;
/** The pause after the inbox could not be read or written. */
const STORE_MS = 1000;

/** Takes events from the inbox, in order for each subject, and calls the handlers of their kind. */
export class Worker {
  readonly #inbox: Inbox;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #orders: OrderUpdates;
  readonly #parallel: number;
  readonly #isGone: (holder: { pid: number; host: string }) => boolean;
  readonly #handlers = new Map<EventKind, NamedHandler[]>();
  readonly #busy = new Map<number, Promise<void>>();
  /** Shown, but not yet written as delivered: never shown a second time because the disk failed. */
  readonly #shown = new Map<number, LastReport | undefined>();
  #timer: unknown;
  #renewal: unknown;
  #unsubscribe: (() => void) | undefined;
  #isRunning = false;
  #isWaking = false;
  #leadUntil = 0;
  /** Events cannot be shown: nothing is handled before this time, then one event at a time until one is shown. */
  #blockedUntil: number | undefined;
  /** Events that arrived until then waited while events were blocked; they are handled one by one, in order. */
  #inOrderUntil = 0;

  constructor(options: WorkerOptions) {
    this.#inbox = options.inbox;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#orders = new OrderUpdates(options);
    this.#parallel = options.parallel ?? PARALLEL;
    this.#isGone = options.isGone ?? processIsGone;
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
    // Events that an earlier process could not show are shown in order.
    if (this.#inbox.due(this.#clock.now(), 1)[0]?.state === 'failed') this.#inOrderUntil = this.#clock.now();
    this.#unsubscribe = this.#inbox.onWork(() => this.#pump());
    this.#pump();
  }

  /** Takes no more events, and resolves when those under way have ended. */
  async stop(): Promise<void> {
    const wasRunning = this.#isRunning;
    this.#isRunning = false;
    this.#unsubscribe?.();
    this.#clock.clearTimeout(this.#timer);
    this.#clock.clearTimeout(this.#renewal);
    this.#renewal = undefined;
    await Promise.allSettled([...this.#busy.values()]);
    if (wasRunning && this.#leadUntil > 0) this.#inbox.resign();
    this.#leadUntil = 0;
  }

  /** Resolves when no event is under way; events that wait for their time go on waiting. */
  async idle(): Promise<void> {
    do {
      await this.#inbox.settled();
      await Promise.allSettled([...this.#busy.values()]);
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#busy.size > 0 || this.#isWaking);
  }

  /** Starts what may be handled now, and sets the timer for what falls due next. */
  #pump(): void {
    if (!this.#isRunning) return;
    try {
      this.#clock.clearTimeout(this.#timer);
      if (this.#busy.size >= this.#parallel || this.#waitsForProbe()) return;
      // The timer is set for the next due event; if another process leads, for the end of its lead.
      if (!this.#holdsLead() && (this.#inbox.nextDue() === undefined || !this.#takeLead())) return;
      const isFull = !this.#startDue();
      this.#renewLead();
      if (isFull) return;
      const next = this.#inbox.nextDue([...this.#busy.keys()]);
      if (next !== undefined) this.#wakeAt(next);
    } catch (error) {
      this.#log('error', { error: String(error) }, 'the inbox could not be read');
      this.#wakeAt(this.#clock.now() + STORE_MS);
    }
  }

  /** Returns false if an event has to wait until one of those under way has ended. */
  #startDue(): boolean {
    for (const stored of this.#inbox.due(this.#clock.now(), this.#parallel + this.#busy.size)) {
      const isAlone = this.#blockedUntil !== undefined || stored.arrivedAt <= this.#inOrderUntil;
      if (this.#busy.size >= (isAlone ? 1 : this.#parallel)) return false;
      if (!this.#busy.has(stored.id)) this.#busy.set(stored.id, this.#run(stored));
    }
    return true;
  }

  async #run(stored: StoredEvent): Promise<void> {
    try {
      await this.#take(stored);
    } catch (error) {
      this.#log('error', { event: stored.id, error: String(error) }, 'the inbox could not be written');
      await new Promise<void>((resolve) => this.#clock.setTimeout(resolve, STORE_MS));
    }
    this.#busy.delete(stored.id);
    this.#pumpSoon();
  }

  async #take(stored: StoredEvent): Promise<void> {
    const { id } = stored;
    try {
      if (this.#shown.has(id))
        this.#log('warn', { event: id }, 'an event that was shown before is written as delivered');
      else this.#shown.set(id, await this.#show(stored));
    } catch (error) {
      return this.#failed(stored, error);
    }
    if (this.#blockedUntil !== undefined) {
      this.#blockedUntil = undefined;
      this.#inOrderUntil = this.#clock.now();
    }
    await this.#inbox.done(id, this.#shown.get(id));
    this.#shown.delete(id);
  }

  /** Calls the handlers. Resolves to what was reported of an order. */
  async #show(stored: StoredEvent): Promise<LastReport | undefined> {
    const { event } = stored;
    if (event.kind !== 'order') {
      await this.#call(stored, {});
      return undefined;
    }
    const update = await this.#orders.compare(stored, event);
    if (!update) return undefined;
    await this.#call(stored, update);
    return update.order;
  }

  async #failed(stored: StoredEvent, error: unknown): Promise<void> {
    const { id, event, attempts } = stored;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Blocked) {
      if (this.#blockedUntil === undefined)
        this.#log('warn', { event: id, reason }, `events wait; one is tried every ${PROBE_MS / 1000} s`);
      this.#blockedUntil = this.#clock.now() + PROBE_MS;
      await this.#inbox.hold(id, reason);
      return;
    }
    const outage = error instanceof Unavailable;
    const state = await this.#inbox.retry(id, reason, { outage, last: error instanceof NeedsPerson });
    const fields = { event: id, kind: event.kind, attempt: attempts + 1, reason };
    if (state === 'dead') this.#log('error', fields, 'an event could not be handled and is on the dead-letter list');
    else this.#log('warn', fields, 'an event could not be handled; trying again later');
  }

  async #call(stored: StoredEvent, update: Partial<OrderUpdate>): Promise<void> {
    const handlers = this.#handlers.get(stored.event.kind) ?? [];
    for (const handler of handlers) {
      if (stored.handled.includes(handler.name)) continue;
      await this.#callOne(handler, stored, update);
      // The success of the last handler is written together with the event's own.
      if (handler !== handlers.at(-1)) await this.#inbox.handled(stored.id, handler.name);
    }
  }

  async #callOne({ name, handle }: NamedHandler, stored: StoredEvent, update: Partial<OrderUpdate>): Promise<void> {
    const abort = new AbortController();
    let timer: unknown;
    const tooLong = new Promise<never>((_, reject) => {
      timer = this.#clock.setTimeout(() => {
        abort.abort();
        reject(new Error(`${name} took more than ${HANDLER_MS / 1000} s`));
      }, HANDLER_MS);
    });
    const delivered = {
      id: stored.id,
      event: stored.event,
      receivedAt: new Date(stored.receivedAt),
      attempt: stored.attempts + stored.waits + 1,
      signal: abort.signal,
      ...update,
    };
    try {
      await Promise.race([(async () => handle(delivered))(), tooLong]);
    } finally {
      this.#clock.clearTimeout(timer);
    }
  }

  /** True while events are blocked and the next one may not be tried yet. */
  #waitsForProbe(): boolean {
    if (this.#blockedUntil === undefined) return false;
    if (this.#busy.size === 0 && this.#clock.now() >= this.#blockedUntil) return false;
    // The lead is not renewed meanwhile: each process probes for itself.
    if (this.#busy.size === 0) this.#wakeAt(this.#blockedUntil);
    return true;
  }

  #holdsLead(): boolean {
    return this.#leadUntil - this.#clock.now() > LEAD_MS / 3;
  }

  #takeLead(): boolean {
    if (this.#holdsLead()) return true;
    const { mine, until } = this.#inbox.lead(LEAD_MS, this.#isGone);
    this.#leadUntil = mine ? until : 0;
    if (!mine) this.#wakeAt(until);
    return mine;
  }

  /** While handlers run, the lead is renewed, so that no other process takes over. */
  #renewLead(): void {
    if (this.#renewal !== undefined || this.#busy.size === 0 || !this.#isRunning) return;
    this.#renewal = this.#clock.setTimeout(() => {
      this.#renewal = undefined;
      if (!this.#isRunning || this.#busy.size === 0) return;
      this.#takeLead();
      this.#renewLead();
    }, LEAD_MS / 3);
  }

  #wakeAt(at: number): void {
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => this.#pump(), Math.max(0, at - this.#clock.now()));
  }

  /** Pumps once for all handlers that end together. */
  #pumpSoon(): void {
    if (this.#isWaking) return;
    this.#isWaking = true;
    setImmediate(() => {
      this.#isWaking = false;
      this.#pump();
    });
  }
}

/** True if a process on this computer is gone. For processes elsewhere, only the end of their lead counts. */
function processIsGone({ pid, host }: { pid: number; host: string }): boolean {
  if (host !== hostname() || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
