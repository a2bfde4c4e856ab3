import { hostname } from 'node:os';
import { hasEnded, orderRank, orderStatus } from '../../tools/shared/orders.ts';
import type { Clock } from '../lib/clock.ts';
import { Blocked, NeedsPerson, SwitchboardError, Unavailable } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { OrderState } from './feed.ts';
import type { Inbox, LastReport, StoredEvent } from './inbox.ts';
import type { EventKind, OrderEvent, PlatformEvent } from './parse.ts';

export interface OrderContext {
  /** What to show: as read from the platform, and never further back than what was told before. */
  order: OrderState;
  /** What was told before. */
  previous: OrderState | undefined;
  /** The order is elsewhere than what was told before. */
  moved: boolean;
  /** The order is by now elsewhere than this update says. */
  late: boolean;
}

/** What a handler gets. `id` and `event.key` stay the same over attempts and restarts. */
export interface Delivered<E extends PlatformEvent = PlatformEvent> {
  id: number;
  event: E;
  receivedAt: Date;
  /** 1 for the first. */
  attempt: number;
  /** Aborts when the handler has taken too long; the event is tried again then. */
  signal: AbortSignal;
}

type OfKind<K extends EventKind> = Extract<PlatformEvent, { kind: K }>;
export type Handler<K extends EventKind> = (
  delivered: Delivered<OfKind<K>> & (K extends 'order' ? OrderContext : unknown),
) => Promise<void> | void;

export interface WorkerOptions {
  inbox: Inbox;
  clock: Clock;
  log: Log;
  /** Reads an order again: an update is only a hint. */
  readOrder: (orderId: string) => Promise<OrderState>;
  /** Subjects handled at once. */
  parallel?: number;
  /** Is the process that held the lead gone? */
  isGone?: (holder: { pid: number; host: string }) => boolean;
}

const HANDLER_MS = 120_000;
/** Where nobody takes events (`Blocked`), one of them is tried this often. */
export const PROBE_MS = 15_000;
const LEAD_MS = 15_000;
/** After the inbox could not be written. */
const STORE_MS = 1000;
/** One reading serves the updates that arrived before it, for so long. */
const READING_MS = 5000;
/** How often a reading that is behind its update is made again before it is believed. */
const LAG_ATTEMPTS = 2;
/** The platform or its budget, not the event, is why reading failed. */
const OUTAGES = new Set(['timeout', 'rate_limited', 'server_error', 'unavailable', 'network', 'unauthorized']);

export type Worker = ReturnType<typeof createWorker>;

/** Takes events from the inbox, in order for each subject, and calls what is registered for them. */
export function createWorker(options: WorkerOptions) {
  const { inbox, clock, log } = options;
  const parallel = options.parallel ?? 8;
  const isGone = options.isGone ?? processIsGone;
  const handlers = new Map<EventKind, { name: string; handler: (delivered: never) => Promise<void> | void }[]>();
  const busy = new Map<number, Promise<void>>();
  /** Shown, but not yet written as delivered: never shown a second time because the disk failed. */
  const shown = new Map<number, LastReport | undefined>();
  const readings = new Map<string, { at: number; now: OrderState }>();
  let timer: unknown;
  let renewal: unknown;
  let unsubscribe: (() => void) | undefined;
  let running = false;
  let waking = false;
  let leadUntil = 0;
  /** Nobody took events lately: nothing is handled before `until`, then one event at a time until one is taken. */
  let blocked: { until: number } | undefined;
  /** What arrived until then waited while events were blocked, and is handled one by one, in order. */
  let inOrderUntil = 0;

  /** Handlers of one kind run one after another; each is called until it has succeeded once. Names are kept on disk. */
  function on<K extends EventKind>(kind: K, handler: Handler<K>, name = 'handler'): void {
    const list = handlers.get(kind) ?? [];
    if (list.some((other) => other.name === name)) throw new Error(`there is a handler ${name} for ${kind} already`);
    handlers.set(kind, [...list, { name, handler: handler as (delivered: never) => Promise<void> | void }]);
  }

  const holds = () => leadUntil - clock.now() > LEAD_MS / 3;

  function leads(): boolean {
    if (holds()) return true;
    const { mine, until } = inbox.lead(LEAD_MS, isGone);
    leadUntil = mine ? until : 0;
    if (!mine) wakeAt(until);
    return mine;
  }

  /** While handlers run, the lead is renewed, so that nobody takes over beside them. */
  function renew(): void {
    if (renewal !== undefined || busy.size === 0 || !running) return;
    renewal = clock.setTimeout(() => {
      renewal = undefined;
      if (running && busy.size > 0) {
        leads();
        renew();
      }
    }, LEAD_MS / 3);
  }

  function wakeAt(at: number): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(pump, Math.max(0, at - clock.now()));
  }

  /** Those that end together look once for what comes next. */
  function pumpSoon(): void {
    if (waking) return;
    waking = true;
    setImmediate(() => {
      waking = false;
      pump();
    });
  }

  function pump(): void {
    if (!running) return;
    try {
      clock.clearTimeout(timer);
      if (busy.size >= parallel) return;
      if (blocked && (busy.size > 0 || clock.now() < blocked.until)) {
        // The lead is left to whoever wants it meanwhile; each process probes for itself.
        if (busy.size === 0) wakeAt(blocked.until);
        return;
      }
      // What is waited for is the next due event; where another process leads, the end of its lead.
      if (!holds() && (inbox.nextDue() === undefined || !leads())) return;
      const now = clock.now();
      for (const kept of inbox.due(now, parallel + busy.size)) {
        // Whichever ends first looks for the next one.
        if (busy.size >= (blocked || kept.arrivedAt <= inOrderUntil ? 1 : parallel)) {
          renew();
          return;
        }
        if (busy.has(kept.id)) continue;
        busy.set(
          kept.id,
          take(kept)
            .catch((error: unknown) => {
              log('error', { event: kept.id, error: String(error) }, 'the inbox could not be written');
              return new Promise<void>((resolve) => clock.setTimeout(resolve, STORE_MS));
            })
            .finally(() => {
              busy.delete(kept.id);
              pumpSoon();
            }),
        );
      }
      renew();
      const next = inbox.nextDue([...busy.keys()]);
      if (next !== undefined) wakeAt(next);
    } catch (error) {
      log('error', { error: String(error) }, 'the inbox could not be read');
      wakeAt(clock.now() + 1000);
    }
  }

  async function take(kept: StoredEvent): Promise<void> {
    try {
      if (shown.has(kept.id)) log('warn', { event: kept.id }, 'an event that was shown is written as delivered now');
      else if (kept.event.kind === 'order') shown.set(kept.id, await order(kept, kept.event));
      else shown.set(kept.id, await call(kept, {}));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof Blocked) {
        if (!blocked) log('warn', { event: kept.id, reason }, `events wait; one is tried every ${PROBE_MS / 1000} s`);
        blocked = { until: clock.now() + PROBE_MS };
        await inbox.hold(kept.id, reason);
        return;
      }
      const state = await inbox.retry(kept.id, reason, {
        outage: error instanceof Unavailable,
        last: error instanceof NeedsPerson,
      });
      const fields = { event: kept.id, kind: kept.event.kind, attempt: kept.attempts + 1, reason };
      if (state === 'dead') log('error', fields, 'an event could not be handled and is on the dead-letter list');
      else log('warn', fields, 'an event could not be handled and is tried again');
      return;
    }
    if (blocked) {
      blocked = undefined;
      inOrderUntil = clock.now();
    }
    await inbox.done(kept.id, shown.get(kept.id));
    shown.delete(kept.id);
  }

  async function call(kept: StoredEvent, more: Partial<OrderContext>): Promise<undefined> {
    const list = handlers.get(kept.event.kind) ?? [];
    for (const { name, handler } of list) {
      if (kept.handled.includes(name)) continue;
      const stop = new AbortController();
      let late: unknown;
      const tooLong = new Promise<never>((_, reject) => {
        late = clock.setTimeout(() => {
          stop.abort();
          reject(new Error(`${name} took more than ${HANDLER_MS / 1000} s`));
        }, HANDLER_MS);
      });
      const delivered = {
        id: kept.id,
        event: kept.event,
        receivedAt: new Date(kept.receivedAt),
        attempt: kept.attempts + kept.waits + 1,
        signal: stop.signal,
        ...more,
      };
      try {
        await Promise.race([(async () => handler(delivered as never))(), tooLong]);
      } finally {
        clock.clearTimeout(late);
      }
      // The last one's success is written with the event's own.
      if (name !== list.at(-1)?.name) await inbox.handled(kept.id, name);
    }
    return undefined;
  }

  async function order(kept: StoredEvent, event: OrderEvent): Promise<LastReport | undefined> {
    const previous = inbox.lastReport(event.subject);
    const read = await reading(event, kept.arrivedAt);
    if (behind(read.status, event.status) && previous?.status !== event.status && kept.attempts < LAG_ATTEMPTS) {
      readings.delete(event.orderId);
      throw new Error(`the order reads ${read.status}, its update says ${event.status}; it is read again`);
    }
    const order = { ...(previous && !mayFollow(previous, read) ? previous : read), numbers: read.numbers ?? [] };
    const moved = !previous || order.status !== previous.status || changedReason(previous, order);
    // Told already, and the order has not moved since: a replay.
    if (kept.again && !moved) return undefined;
    await call(kept, { order, previous, moved, late: event.status !== order.status });
    return { status: order.status, message: order.message, numbers: order.numbers };
  }

  async function reading(event: OrderEvent, arrivedAt: number): Promise<OrderState> {
    const known = readings.get(event.orderId);
    const now = clock.now();
    if (known && known.at > arrivedAt && now - known.at < READING_MS) return known.now;
    for (const [id, { at }] of readings) if (now - at >= READING_MS) readings.delete(id);
    try {
      const { status, message, numbers = [] } = await options.readOrder(event.orderId);
      const read = { status: orderStatus(status), message, numbers };
      readings.set(event.orderId, { at: now, now: read });
      return read;
    } catch (error) {
      const reason = `the order could not be read: ${error instanceof Error ? error.message : String(error)}`;
      const outage = error instanceof SwitchboardError && OUTAGES.has(error.face.code);
      throw outage || error instanceof Unavailable ? new Unavailable(reason) : new Error(reason);
    }
  }

  return {
    on,
    start(): void {
      if (running) return;
      running = true;
      // What an earlier process could not show to anybody is shown in order.
      if (inbox.due(clock.now(), 1)[0]?.state === 'failed') inOrderUntil = clock.now();
      unsubscribe = inbox.onWork(pump);
      pump();
    },
    /** Takes nothing more, and resolves when what is under way has ended. */
    async stop(): Promise<void> {
      const was = running;
      running = false;
      unsubscribe?.();
      clock.clearTimeout(timer);
      clock.clearTimeout(renewal);
      renewal = undefined;
      await Promise.allSettled([...busy.values()]);
      if (was && leadUntil > 0) inbox.resign();
      leadUntil = 0;
    },
    /** Resolves when nothing is under way; what waits for its time goes on waiting. */
    async idle(): Promise<void> {
      do {
        await inbox.settled();
        await Promise.allSettled([...busy.values()]);
        await new Promise((resolve) => setImmediate(resolve));
      } while (busy.size > 0 || waking);
    },
  };
}

/** Only a process of this computer can be known to be gone; of others, silence has to tell. */
function processIsGone({ pid, host }: { pid: number; host: string }): boolean {
  if (host !== hostname() || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Undefined ranks, states nobody knows, are never behind. */
function behind(status: string, other: string): boolean {
  const [a, b] = [orderRank(status), orderRank(other)];
  return a !== undefined && b !== undefined && a < b;
}

/** A rejected order may be corrected and start again; otherwise nothing goes back, and what has ended stays ended. */
function mayFollow(previous: LastReport, next: OrderState): boolean {
  if (previous.status === 'Rejected' || previous.status === next.status) return true;
  if (hasEnded(previous.status)) return false;
  return !behind(next.status, previous.status);
}

function changedReason(previous: LastReport, next: OrderState): boolean {
  return previous.status === next.status && next.message !== '' && next.message !== previous.message;
}
