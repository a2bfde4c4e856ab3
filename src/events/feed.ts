import { eventOperations } from '../../tools/surfaces/events.ts';
import { orLeave } from '../lib/abortable.ts';
import type { Actor } from '../lib/actor.ts';
import { systemClock } from '../lib/clock.ts';
import type { Runtime } from '../start/runtime.ts';
import type { RequestHandler } from '../start/slack.ts';
import { createEvents } from './http.ts';
import { eventMetrics } from './metrics.ts';
import type { CallEvent, MessageEvent, PlatformEvent, StatusEvent, WatchEvent } from './parse.ts';
import { openRegistrations } from './sync.ts';
import { createPoller, watchMetrics } from './watch/poller.ts';
import { createWorker, type OrderNow } from './worker.ts';

/** What a surface is told of an event: plain words and values. */
export interface EventCard {
  /** Of the event, the same over attempts. */
  key: string;
  title: string;
  lines: readonly (readonly [name: string, value: string])[];
  body?: string;
}

/** A surface that shows events. Each rejects until it was shown; with `Unavailable` where its side is down, with `Blocked` where a person can mend it. */
export interface EventFeed {
  order(order: OrderNow & { orderId: string }): Promise<void>;
  message(event: MessageEvent): Promise<void>;
  status(event: StatusEvent): Promise<void>;
  call(event: CallEvent): Promise<void>;
  watch(event: WatchEvent): Promise<void>;
  other(card: EventCard): Promise<void>;
  /** One sentence while events cannot be shown for a reason that a person can mend. */
  problem?(): string | undefined;
}

export interface EventRoom {
  room: RequestHandler;
  metrics(): string;
  /** For /readyz: why events wait. */
  problems(): string[];
  close(): Promise<void>;
}

/** What was shown is emptied after this; its key stays, so that a repeat is still known. */
const KEEP_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;

const SYSTEM: Actor = {
  id: 'events',
  name: 'platform events',
  role: 'viewer',
  surface: 'background',
  priority: 'background',
};

/** `/events/…` into the durable inbox, and from there to whoever shows them. */
export function openEventRoom(runtime: Runtime, show: EventFeed | undefined): EventRoom {
  const { config, log } = runtime;
  const inbox = runtime.inbox();
  const registrations = openRegistrations({ path: runtime.file('events.db'), seal: runtime.seal, clock: systemClock });
  const events = createEvents({
    config: { username: config.EVENTS_USERNAME, password: config.EVENTS_PASSWORD, token: config.EVENTS_TOKEN },
    inbox,
    clock: systemClock,
    log,
    registered: () => registrations.accepted(),
    public: config.public,
    strip: runtime.redactor.strip,
  });
  const leaving = new AbortController();
  const worker = createWorker({
    inbox,
    clock: systemClock,
    log,
    readOrder: (id) => readOrder(runtime, id, leaving.signal),
  });
  // An assistant that follows an order or a number is told at once to read it again; it need not poll the platform.
  const stopLooking = inbox.onWork(() => runtime.look());
  if (show) {
    worker.on('order', async ({ event, order, moved, late }) => {
      // Repeats and stragglers that say nothing new are not told again.
      if (!late || moved) await show.order({ orderId: event.orderId, ...order });
    });
    worker.on('message', ({ event }) => show.message(event));
    worker.on('status', ({ event }) => show.status(event));
    worker.on('call', ({ event }) => show.call(event));
    worker.on('watch', ({ event }) => show.watch(event));
    worker.on('unknown', ({ event }) =>
      show.other({ key: event.key, title: `Event ${event.name || 'of an unknown kind'}`, lines: plain(event) }),
    );
  }
  // A delivery receipt may settle a message whose answer was lost.
  worker.on('status', ({ event }) => runtime.gate.readAbout([event.from]), 'outcomes');
  worker.start();
  const poller = createPoller({
    watches: runtime.watches(),
    gate: runtime.gate,
    found: (event) => inbox.receive(event),
    clock: systemClock,
    log,
  });
  poller.start();
  const forget = () =>
    void inbox
      .forget(Date.now() - KEEP_MS)
      .catch((error: unknown) =>
        log('warn', { error: String(error) }, 'old events could not be emptied; they are later'),
      );
  forget();
  const forgetting = setInterval(forget, HOUR_MS);
  forgetting.unref();
  return {
    room: (request, response, path) => events.handle(request, response, path),
    problems: () => {
      const problem = show?.problem?.();
      if (problem === undefined) return [];
      const { open } = inbox.counts();
      return [`events: ${problem} ${open} ${open === 1 ? 'event waits' : 'events wait'}; none is lost.`];
    },
    metrics: () => eventMetrics(inbox, systemClock) + watchMetrics(runtime.watches(), systemClock),
    close: async () => {
      clearInterval(forgetting);
      leaving.abort();
      stopLooking();
      await poller.stop();
      await worker.stop();
      registrations.close();
    },
  };
}

async function readOrder(runtime: Runtime, orderId: string, signal: AbortSignal): Promise<OrderNow> {
  const { operation, field, status, message, numbers } = eventOperations.readOrder;
  const read = await orLeave(runtime.gate.perform(operation, { [field]: orderId }, SYSTEM, { signal }), signal);
  const value = read.kind === 'done' ? read.value : {};
  const first = (names: readonly string[]) =>
    names.map((name) => value[name]).find((found) => typeof found === 'string' && found !== '');
  const rows = value[numbers.list];
  const named = Array.isArray(rows) ? rows.map((row: Record<string, unknown>) => row[numbers.member]) : [];
  return {
    status: String(first(status) ?? ''),
    message: String(first(message) ?? ''),
    numbers: named.filter((number) => typeof number === 'string'),
  };
}

function plain(event: PlatformEvent): [string, string][] {
  return Object.entries(event.fields)
    .slice(0, 10)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}
