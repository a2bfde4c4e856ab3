import { eventOperations } from '../../tools/surfaces/events.ts';
import { readOrderIn } from '../cards/outcome.ts';
import type { Gate } from '../gate/gate.ts';
import type { Seal } from '../ledger/seal.ts';
import { backgroundActor } from '../lib/actor.ts';
import { type Clock, HOUR_MS, KEPT_MS } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { SwitchboardError, Unavailable } from '../lib/errors.ts';
import { gauge, type Metric, perLabel } from '../lib/http.ts';
import type { Log } from '../lib/log.ts';
import { type Redactor, withholdActivation } from '../platform/dialect/redact.ts';
import { orderRank, orderStatus } from '../platform/dialect/verdict.ts';
import type { Store } from '../store/types.ts';
import { ClaimLost, isLast, isOutage, type Job } from '../work/jobs.ts';
import type { Run, Worker } from '../work/worker.ts';
import { keepOrder, keepReport, type ReportKeepers } from './history.ts';
import {
  EVENT_JOBS,
  eventsHttp,
  type Inbox,
  KINDS,
  type OrderState,
  READ_OUTCOMES,
  REFUSAL_REASONS,
  SHOW,
} from './inbox.ts';
import type { CallEvent, MessageEvent, OrderEvent, PlatformEvent, StatusEvent, WatchEvent } from './parse.ts';
import { Registrations } from './sync.ts';
import { checkWatches, type Watches } from './watches.ts';

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

/** Time within which the answer to a call is kept after a receipt of its message. */
const RECEIPT_MS = 5_000;
/** Fields of an unknown event that are shown. */
const MAX_LINES = 10;
/** Number of times that a read behind its update is repeated before it is accepted. */
const LAG_ATTEMPTS = 2;
/** Codes of failed reads that are caused by the platform or its budget, not by the event. */
const OUTAGES = new Set(['timeout', 'rate_limited', 'server_error', 'unavailable', 'network', 'unauthorized']);

function showEvent(feed: EventFeed, event: PlatformEvent, order: OrderState | undefined, isRetry: boolean) {
  if (event.kind === 'order')
    return feed.order({ status: event.status, message: event.message, ...order, orderId: event.orderId }, isRetry);
  if (event.kind !== 'unknown') return feed[event.kind](event as never, isRetry);
  const lines = Object.entries(event.fields)
    .slice(0, MAX_LINES)
    .map(([field, value]): [string, string] => [field, typeof value === 'string' ? value : JSON.stringify(value)]);
  return feed.other({ key: event.key, title: `Event ${event.name || 'of an unknown kind'}`, lines }, isRetry);
}

/** The parts of the process that events need. `Runtime` in `src/start` has all of them. */
interface EventServiceOptions {
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
}

const SYSTEM = backgroundActor('events', 'platform events');

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
  /** Answers a request to `/events/…`; false for any other path. */
  readonly handle: ReturnType<typeof eventsHttp>;
  readonly #options: EventServiceOptions;
  readonly #feed: EventFeed | undefined;
  readonly #inbox: Inbox;
  readonly #reports: ReportKeepers;
  readonly #checker: ReturnType<typeof checkWatches>;
  readonly #shutdown = new AbortController();

  /** @param feed shows the events; undefined if no surface does */
  constructor(options: EventServiceOptions, feed: EventFeed | undefined) {
    const { config, clock, log, gate, worker, store } = options;
    const inbox = options.inbox();
    this.#options = options;
    this.#feed = feed;
    this.#inbox = inbox;
    this.#reports = { actions: gate.actions, notes: gate.notes, inbox, clock: store.clock };
    const registrations = new Registrations(store, options.seal);
    const receive = async (event: PlatformEvent) => {
      const receipt = await inbox.receive(event);
      worker.look();
      return receipt;
    };
    this.handle = eventsHttp({
      config: { username: config.EVENTS_USERNAME, password: config.EVENTS_PASSWORD, token: config.EVENTS_TOKEN },
      inbox: { receive, count: (what, label) => inbox.count(what, label) },
      ...{ clock, log, local: config.local, demo: config.demo },
      registered: () => registrations.accepted(),
      strip: (value) => withholdActivation(options.redactor.strip(value)),
    });
    worker.on(SHOW, (job, run) => this.#show(job, run));
    worker.on(READ_OUTCOMES, (job) => this.#readOutcomes(job));
    this.#checker = checkWatches({ worker, watches: options.watches(), gate, found: receive, clock, log });
    // The content of an event is erased. Its key stays, so that a repeat is still recognized.
    worker.repeat('events.erase', HOUR_MS, () => inbox.erase(store.clock.now() - KEPT_MS));
  }

  /** The reason why events wait to be shown, if a person can fix it. */
  async problem(): Promise<string | undefined> {
    const problem = await this.#feed?.problem?.();
    if (problem === undefined) return undefined;
    const { open } = await this.#inbox.counts();
    return `${problem} ${open} ${open === 1 ? 'event waits' : 'events wait'}; none is lost.`;
  }

  /** The counters of the inbox, and gauges of the events that wait and of the watched numbers. */
  async metrics(): Promise<Metric[]> {
    const now = this.#options.store.clock.now();
    const { open, dead, oldestOpenAt = now } = await this.#inbox.counts();
    const watched = await this.#options.watches().list();
    const oldest = Math.min(now, ...watched.map(({ checkedAt, startedAt }) => checkedAt ?? startedAt));
    const waited = Math.max(0, now - oldestOpenAt) / 1000;
    return [
      ...Object.entries(COUNTERS).map(([what, help]) =>
        perLabel({
          name: `switchboard_events_${what}_total`,
          help,
          type: 'counter',
          label: what === 'refused' ? 'reason' : 'kind',
          known: what === 'refused' ? REFUSAL_REASONS : KINDS,
          counts: this.#inbox.counters.get(what) ?? new Map(),
        }),
      ),
      gauge('switchboard_events_open', 'Events that wait to be handled.', open),
      gauge('switchboard_events_oldest_seconds', 'How long the oldest waiting event has waited.', waited),
      gauge('switchboard_events_dead', 'Events on the dead-letter list.', dead),
      gauge('switchboard_watched_numbers', 'Numbers that are watched.', watched.length),
      gauge(
        'switchboard_watch_oldest_look_seconds',
        'Time since the oldest check of a watched number.',
        (now - oldest) / 1000,
      ),
    ];
  }

  /** Stops reading orders, checking numbers and showing events. */
  async close(): Promise<void> {
    this.#shutdown.abort();
    await this.#checker.close();
    await this.#options.worker.off(EVENT_JOBS);
  }

  /** Shows an event through the feed. The state of an order is read first, and kept in the history. */
  async #show(job: Job, run: Run): Promise<undefined> {
    const inbox = this.#inbox;
    const stored = await inbox.eventOf(job);
    if (!stored) return;
    const { event } = stored;
    try {
      const order = event.kind === 'order' ? await this.#readOrder(event, job.attempts) : undefined;
      if (event.kind === 'order' && order) await keepOrder(this.#reports, event.orderId, order);
      if (this.#feed) await showEvent(this.#feed, event, order, job.lastError !== undefined);
      run.onDone((tx) => inbox.settle(tx, stored, order));
      inbox.count('handled', event.kind);
    } catch (error) {
      if (error instanceof ClaimLost) throw error;
      inbox.count(isOutage(error) ? 'waited' : 'retried', event.kind);
      if (isLast(job, error, this.#options.store.clock.now())) inbox.count('died', event.kind);
      throw error;
    }
  }

  /**
   * Reads the order of an update, because an update is only a hint: the state at the platform is shown.
   *
   * @throws Unavailable when the platform cannot be read, Error when the read is behind the update
   */
  async #readOrder(event: OrderEvent, attempts: number): Promise<OrderState> {
    const { operation, field } = eventOperations.readOrder;
    const { signal } = this.#shutdown;
    const reading = this.#options.gate.perform(operation, { [field]: event.orderId }, SYSTEM, { signal });
    const read = await reading.catch((error: unknown) => {
      const reason = `the order could not be read: ${error instanceof Error ? error.message : String(error)}`;
      const isAway = error instanceof SwitchboardError && OUTAGES.has(error.face.code);
      throw isAway ? new Unavailable(reason) : new Error(reason);
    });
    const found = readOrderIn(read.kind === 'done' ? read.value : {});
    const order = { ...found, status: orderStatus(found.status) };
    const [rank, told] = [orderRank(order.status), orderRank(event.status)];
    if (attempts < LAG_ATTEMPTS && rank !== undefined && told !== undefined && rank < told)
      throw new Error(`the order reads ${order.status}, its update says ${event.status}; it is read again`);
    return order;
  }

  /** Reads the outcomes of unknown actions about the sender of a message, and keeps its receipt with its action. */
  async #readOutcomes(job: Job): Promise<number | undefined> {
    const stored = await this.#inbox.eventOf(job);
    if (stored?.event.kind !== 'status') return undefined;
    await this.#options.gate.readAbout([stored.event.from]);
    await this.#keepReceipt(stored.event);
    // A receipt may arrive before the answer to the call that sent the message.
    const again = stored.arrivedAt + RECEIPT_MS;
    return this.#options.store.clock.now() < again ? again : undefined;
  }

  /** A receipt for some of several receivers says nothing about the message as a whole. */
  async #keepReceipt({ messageId, to, status: Status }: StatusEvent): Promise<void> {
    if (messageId === '') return;
    await keepReport(this.#reports, messageId, { Status }, ({ result, shown }) => {
      const receivers = Array.isArray(shown.To) ? shown.To.length : 1;
      return result?.MessageId === messageId && receivers <= to.length;
    });
    this.#options.worker.look();
  }
}
