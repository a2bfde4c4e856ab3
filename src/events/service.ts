import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventOperations } from '../../tools/surfaces/events.ts';
import type { Gate } from '../gate/gate.ts';
import type { Seal } from '../ledger/seal.ts';
import { abortable } from '../lib/abortable.ts';
import { withholdActivation } from '../lib/activation.ts';
import type { Actor } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import type { Fields } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import type { Metric } from '../lib/metrics.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Client } from '../platform/types.ts';
import type { Store } from '../store/types.ts';
import type { EventCard, EventFeed, OrderState } from './feed.ts';
import { EventsHttp } from './http.ts';
import type { Inbox } from './inbox.ts';
import { eventMetrics } from './metrics.ts';
import type { UnknownEvent } from './parse.ts';
import { openRegistrations } from './registrations.ts';
import { Poller, watchMetrics } from './watch/poller.ts';
import type { Watches } from './watch/watches.ts';
import { type Handler, Worker } from './worker.ts';

/** The parts of the process that events need. `Runtime` in `src/start` has all of them. */
export interface EventServiceOptions {
  config: Pick<Config, 'EVENTS_USERNAME' | 'EVENTS_PASSWORD' | 'EVENTS_TOKEN' | 'local' | 'demo'>;
  clock: Clock;
  log: Log;
  gate: Pick<Gate, 'perform' | 'readAbout'>;
  client: Pick<Client, 'budget'>;
  redactor: Pick<Redactor, 'strip'>;
  seal: Seal;
  inbox(): Inbox;
  watches(): Watches;
  store: Pick<Store, 'database' | 'clock'>;
  /** Called when the inbox has changed, so that subscribers of resources are notified without delay. */
  look(): void;
}

/** The content of a delivered event is erased after this time. Its key stays, so that a repeat is still recognized. */
const KEEP_MS = 30 * 86_400_000;
const HOUR_MS = 3_600_000;
/** Fields of an unknown event that are shown. */
const MAX_LINES = 10;

const SYSTEM: Actor = {
  id: 'events',
  name: 'platform events',
  role: 'viewer',
  surface: 'background',
  priority: 'background',
};

/** Receives the platform's events at `/events/…`, keeps them in the inbox, and shows them through a feed. */
export class EventService {
  readonly #options: EventServiceOptions;
  readonly #feeds: Readonly<Record<string, EventFeed>>;
  readonly #inbox: Inbox;
  readonly #http: EventsHttp;
  readonly #worker: Worker;
  readonly #poller: Poller;
  readonly #shutdown = new AbortController();
  readonly #unsubscribe: () => void;
  readonly #eraser: NodeJS.Timeout;

  /** @param feeds by name; the inbox notes under this name which feed has shown an event */
  constructor(options: EventServiceOptions, feeds: Readonly<Record<string, EventFeed>>) {
    const { config, clock, log } = options;
    this.#options = options;
    this.#feeds = feeds;
    this.#inbox = options.inbox();
    const registrations = openRegistrations({
      database: options.store.database('events'),
      seal: options.seal,
      clock,
    });
    this.#http = new EventsHttp({
      config: { username: config.EVENTS_USERNAME, password: config.EVENTS_PASSWORD, token: config.EVENTS_TOKEN },
      inbox: this.#inbox,
      clock,
      log,
      registered: () => registrations.accepted(),
      local: config.local,
      demo: config.demo,
      strip: (value) => withholdActivation(options.redactor.strip(value)),
    });
    this.#worker = new Worker({
      inbox: this.#inbox,
      clock: options.store.clock,
      log,
      readOrder: (orderId) => this.#readOrder(orderId),
    });
    this.#poller = new Poller({
      watches: options.watches(),
      gate: options.gate,
      client: options.client,
      found: (event) => this.#inbox.receive(event),
      clock,
      log,
    });
    // An assistant that follows an order or a number is notified to read it again, so it need not poll the platform.
    this.#unsubscribe = this.#inbox.onWork(() => options.look());
    this.#addHandlers();
    this.#worker.start();
    this.#poller.start();
    this.#eraseOld();
    this.#eraser = setInterval(() => this.#eraseOld(), HOUR_MS);
    this.#eraser.unref();
  }

  /** Answers a request to `/events/…`; false for any other path. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    return this.#http.handle(request, response, path);
  }

  /** The reason why events wait to be shown, if a person can fix it. */
  async problem(): Promise<string | undefined> {
    const all = await Promise.all(Object.values(this.#feeds).map((feed) => feed.problem?.()));
    const problems = all.filter((problem) => problem !== undefined);
    if (problems.length === 0) return undefined;
    const { open } = await this.#inbox.counts();
    return `${problems.join(' ')} ${open} ${open === 1 ? 'event waits' : 'events wait'}; none is lost.`;
  }

  async metrics(): Promise<Metric[]> {
    const { store, watches } = this.#options;
    return [...(await eventMetrics(this.#inbox, store.clock)), ...(await watchMetrics(watches(), store.clock))];
  }

  async close(): Promise<void> {
    clearInterval(this.#eraser);
    this.#shutdown.abort();
    this.#unsubscribe();
    await this.#poller.stop();
    await this.#worker.stop();
  }

  #addHandlers(): void {
    for (const [name, feed] of Object.entries(this.#feeds)) this.#addFeed(name, feed);
    // A delivery receipt may settle a message whose answer was lost.
    this.#worker.on('status', ({ event }) => this.#options.gate.readAbout([event.from]), 'outcomes');
  }

  #addFeed(name: string, feed: EventFeed): void {
    const worker = this.#worker;
    const showOrder: Handler<'order'> = async ({ event, order, moved, late, right }) => {
      // Skip repeats and late updates that say nothing new.
      if (!late || moved) await feed.order({ orderId: event.orderId, ...order }, right);
    };
    worker.on('order', showOrder, name);
    worker.on('message', ({ event, right }) => feed.message(event, right), name);
    worker.on('status', ({ event, right }) => feed.status(event, right), name);
    worker.on('call', ({ event, right }) => feed.call(event, right), name);
    worker.on('watch', ({ event, right }) => feed.watch(event, right), name);
    worker.on('unknown', ({ event, right }) => feed.other(cardOf(event), right), name);
  }

  #eraseOld(): void {
    const { store, log } = this.#options;
    this.#inbox
      .erase(store.clock.now() - KEEP_MS)
      .catch((error: unknown) => log('warn', { error: String(error) }, 'old events could not be erased; trying later'));
  }

  async #readOrder(orderId: string): Promise<OrderState> {
    const { operation, field, status, message, numbers } = eventOperations.readOrder;
    const { signal } = this.#shutdown;
    const read = await abortable(
      this.#options.gate.perform(operation, { [field]: orderId }, SYSTEM, { signal }),
      signal,
    );
    const value = read.kind === 'done' ? read.value : {};
    const first = (names: readonly string[]) =>
      names.map((name) => value[name]).find((found) => typeof found === 'string' && found !== '');
    const rows = value[numbers.list];
    const named = Array.isArray(rows) ? rows.map((row: Fields) => row[numbers.member]) : [];
    return {
      status: String(first(status) ?? ''),
      message: String(first(message) ?? ''),
      numbers: named.filter((number) => typeof number === 'string'),
    };
  }
}

function cardOf({ key, name, fields }: UnknownEvent): EventCard {
  const lines = Object.entries(fields)
    .slice(0, MAX_LINES)
    .map(([field, value]): [string, string] => [field, typeof value === 'string' ? value : JSON.stringify(value)]);
  return { key, title: `Event ${name || 'of an unknown kind'}`, lines };
}
