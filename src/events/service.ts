import type { IncomingMessage, ServerResponse } from 'node:http';
import { eventOperations } from '../../tools/surfaces/events.ts';
import type { Gate } from '../gate/gate.ts';
import { REPORTED } from '../language/outcome.ts';
import { showJob } from '../ledger/later.ts';
import type { Seal } from '../ledger/seal.ts';
import { abortable } from '../lib/abortable.ts';
import type { Actor } from '../lib/actor.ts';
import { type Clock, HOUR_MS } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { KEPT_MS } from '../lib/durations.ts';
import { type Fields, recordOf } from '../lib/json.ts';
import type { Log } from '../lib/log.ts';
import { gauge, type Metric, perLabel } from '../lib/metrics.ts';
import { withholdActivation } from '../platform/dialect/activation.ts';
import type { Redactor } from '../platform/dialect/redact.ts';
import type { Store } from '../store/types.ts';
import type { Worker } from '../work/worker.ts';
import { type EventFeed, EventHandlers } from './handlers.ts';
import { EventsHttp, REFUSAL_REASONS } from './http.ts';
import { type Inbox, KINDS, type OrderState } from './inbox.ts';
import type { StatusEvent } from './parse.ts';
import { Registrations } from './registrations.ts';
import { Checker, type Watches } from './watches.ts';

/** The parts of the process that events need. `Runtime` in `src/start` has all of them. */
export interface EventServiceOptions {
  config: Pick<Config, 'EVENTS_USERNAME' | 'EVENTS_PASSWORD' | 'EVENTS_TOKEN' | 'local' | 'demo'>;
  clock: Clock;
  log: Log;
  gate: Pick<Gate, 'perform' | 'readAbout' | 'actions' | 'notes'>;
  redactor: Pick<Redactor, 'strip'>;
  seal: Seal;
  inbox(): Inbox;
  watches(): Watches;
  worker: Pick<Worker, 'on' | 'off' | 'repeat' | 'look'>;
  store: Pick<Store, 'database' | 'clock'>;
  /** Called when the inbox has changed, so that subscribers of resources are notified without delay. */
  look(): void;
}

const SYSTEM: Actor = {
  id: 'events',
  name: 'platform events',
  role: 'viewer',
  surface: 'background',
  priority: 'background',
};

/** Actions that name a message, of which one sent it. */
const MAX_NAMED = 5;
/** The counters of the inbox. */
const COUNTERS: Readonly<Record<string, string>> = {
  received: 'Events received, each counted once.',
  repeated: 'Deliveries of events that had been received before.',
  refused: 'Deliveries that were refused.',
  handled: 'Events that were handled.',
  retried: 'Failed attempts to handle an event.',
  waited: 'Attempts put off because the other side was down.',
  died: 'Events that were put on the dead-letter list.',
};

/** Receives the platform's events at `/events/…`, keeps them in the inbox, and shows them through a feed. */
export class EventService {
  readonly #options: EventServiceOptions;
  readonly #feed: EventFeed | undefined;
  readonly #inbox: Inbox;
  readonly #http: EventsHttp;
  readonly #handlers: EventHandlers;
  readonly #checker: Checker;
  readonly #shutdown = new AbortController();
  readonly #unsubscribe: () => void;

  constructor(options: EventServiceOptions, feed: EventFeed | undefined) {
    const { config, clock, log } = options;
    this.#options = options;
    this.#feed = feed;
    this.#inbox = options.inbox();
    const registrations = new Registrations({
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
    this.#handlers = new EventHandlers({
      inbox: this.#inbox,
      clock: options.store.clock,
      worker: options.worker,
      feed,
      readOrder: (orderId) => this.#readOrder(orderId),
      readOutcomes: (about) => options.gate.readAbout(about),
      keepReceipt: (event) => this.#keepReceipt(event),
    });
    this.#checker = new Checker({
      worker: options.worker,
      watches: options.watches(),
      gate: options.gate,
      found: (event) => this.#inbox.receive(event),
      clock,
      log,
    });
    // An assistant that follows an order or a number is notified to read it again, so it need not poll the platform.
    this.#unsubscribe = this.#inbox.onWork(() => {
      options.worker.look();
      options.look();
    });
    // The content of an event is erased. Its key stays, so that a repeat is still recognized.
    options.worker.repeat('events.erase', HOUR_MS, () => this.#inbox.erase(options.store.clock.now() - KEPT_MS));
  }

  /** Answers a request to `/events/…`; false for any other path. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    return this.#http.handle(request, response, path);
  }

  /** The reason why events wait to be shown, if a person can fix it. */
  async problem(): Promise<string | undefined> {
    const problem = await this.#feed?.problem?.();
    if (problem === undefined) return undefined;
    const { open } = await this.#inbox.counts();
    return `${problem} ${open} ${open === 1 ? 'event waits' : 'events wait'}; none is lost.`;
  }

  async metrics(): Promise<Metric[]> {
    const now = this.#options.store.clock.now();
    const counted = this.#inbox.counters.all();
    const counters = Object.entries(COUNTERS).map(([what, help]) =>
      perLabel({
        name: `switchboard_events_${what}_total`,
        help,
        type: 'counter',
        label: what === 'refused' ? 'reason' : 'kind',
        known: what === 'refused' ? REFUSAL_REASONS : KINDS,
        counts: new Map(counted.filter((one) => one.what === what).map((one) => [one.label, one.count])),
      }),
    );
    const { open, dead, oldestOpenAt = now } = await this.#inbox.counts();
    const watched = await this.#options.watches().list();
    const oldest = Math.min(now, ...watched.map(({ checkedAt, startedAt }) => checkedAt ?? startedAt));
    return [
      ...counters,
      gauge('switchboard_events_open', 'Events that wait to be handled.', open),
      gauge(
        'switchboard_events_oldest_seconds',
        'How long the oldest waiting event has waited.',
        Math.max(0, now - oldestOpenAt) / 1000,
      ),
      gauge('switchboard_events_dead', 'Events on the dead-letter list.', dead),
      gauge('switchboard_watched_numbers', 'Numbers that are watched.', watched.length),
      gauge(
        'switchboard_watch_oldest_look_seconds',
        'Time since the oldest check of a watched number.',
        (now - oldest) / 1000,
      ),
    ];
  }

  async close(): Promise<void> {
    this.#shutdown.abort();
    this.#unsubscribe();
    await this.#checker.close();
    await this.#handlers.close();
  }

  /** A receipt for some of several receivers says nothing about the message as a whole. */
  async #keepReceipt({ messageId, to, status }: StatusEvent): Promise<void> {
    const { gate } = this.#options;
    const sent = messageId === '' ? [] : await gate.actions.about(messageId, MAX_NAMED);
    for (const { id, result, shown, notes } of sent) {
      const receivers = Array.isArray(shown.To) ? shown.To.length : 1;
      const isKept = recordOf(notes[REPORTED]).Status === status;
      if (result?.MessageId !== messageId || receivers > to.length || isKept) continue;
      await gate.notes.merge(id, REPORTED, { Status: status });
      await this.#inbox.jobs.add(showJob(id));
      this.#options.worker.look();
    }
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
