import { eventOperations } from '../tools/events.ts';
import type { Actor } from './actor.ts';
import { systemClock } from './clock.ts';
import { createEvents } from './events/http.ts';
import { openInbox } from './events/inbox.ts';
import { eventMetrics } from './events/metrics.ts';
import type { PlatformEvent } from './events/parse.ts';
import { openRegistrations } from './events/sync.ts';
import { createWorker, type OrderNow } from './events/worker.ts';
import type { Room } from './parts.ts';
import type { Runtime } from './runtime.ts';

/** What a surface is told of an event: plain words and values. */
export interface EventCard {
  title: string;
  lines: readonly (readonly [name: string, value: string])[];
  body?: string;
}

export interface EventRoom {
  room: Room;
  metrics(): string;
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
export function openEventRoom(runtime: Runtime, show: ((card: EventCard) => Promise<void>) | undefined): EventRoom {
  const { config, log } = runtime;
  const inbox = openInbox({ path: runtime.file('events.db'), clock: systemClock });
  const registrations = openRegistrations({ path: runtime.file('events.db'), seal: runtime.seal, clock: systemClock });
  const events = createEvents({
    config: { username: config.EVENTS_USERNAME, password: config.EVENTS_PASSWORD, token: config.EVENTS_TOKEN },
    inbox,
    clock: systemClock,
    log,
    registered: () => registrations.accepted(),
    strip: runtime.redactor.strip,
  });
  const worker = createWorker({ inbox, clock: systemClock, log, readOrder: (id) => readOrder(runtime, id) });
  if (show) {
    worker.on('order', async ({ event, order, moved, late }) => {
      // Repeats and stragglers that say nothing new are not told again.
      if (late && !moved) return;
      await show({
        title: `Order ${order.status}`,
        lines: [
          ['OrderId', event.orderId],
          ['Status', order.status],
          ...(order.message === '' ? [] : [['Reason', order.message] as const]),
        ],
      });
    });
    worker.on('message', ({ event }) =>
      show({
        title: `Message from ${event.from}`,
        lines: [
          ['From', event.from],
          ['To', event.to.join(', ')],
          ...event.media.map((link) => ['Media', link] as const),
        ],
        body: event.text,
      }),
    );
    worker.on('call', ({ event }) =>
      show({
        title: words(event.event),
        lines: [
          ['From', event.from],
          ['To', event.to],
          ['CallId', event.callId],
        ],
      }),
    );
    worker.on('unknown', ({ event }) =>
      show({ title: `Event ${event.name || 'of an unknown kind'}`, lines: plain(event) }),
    );
  }
  worker.start();
  const forget = () => void inbox.forget(Date.now() - KEEP_MS);
  forget();
  const forgetting = setInterval(forget, HOUR_MS);
  forgetting.unref();
  return {
    room: (request, response, path) => events.handle(request, response, path),
    metrics: () => eventMetrics(inbox, systemClock),
    close: async () => {
      clearInterval(forgetting);
      await worker.stop();
      await inbox.close();
      registrations.close();
    },
  };
}

async function readOrder(runtime: Runtime, orderId: string): Promise<OrderNow> {
  const { operation, field, status, message } = eventOperations.readOrder;
  const read = await runtime.door.perform(operation, { [field]: orderId }, SYSTEM);
  const value = read.kind === 'done' ? read.value : {};
  const first = (names: readonly string[]) =>
    names.map((name) => value[name]).find((found) => typeof found === 'string' && found !== '');
  return { status: String(first(status) ?? ''), message: String(first(message) ?? '') };
}

function words(name: string): string {
  const text = name.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function plain(event: PlatformEvent): [string, string][] {
  return Object.entries(event.fields)
    .slice(0, 10)
    .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
}
