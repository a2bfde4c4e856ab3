import type { Clock } from '../lib/clock.ts';
import { ClaimLost, isLast, isOutage } from '../work/failures.ts';
import type { Job } from '../work/jobs.ts';
import type { Run, Worker } from '../work/worker.ts';
import { EVENT_JOBS, eventOf, type Inbox, READ_OUTCOMES, SHOW } from './inbox.ts';
import type { LastReport, StoredEvent } from './names.ts';
import type { EventCard, EventFeed, OrderState } from './order-updates.ts';
import { OrderUpdates } from './order-updates.ts';
import type { OrderEvent, UnknownEvent } from './parse.ts';

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
}

/** Fields of an unknown event that are shown. */
const MAX_LINES = 10;

/** The jobs that handle the events of the inbox. */
export class EventHandlers {
  readonly #options: EventHandlersOptions;
  readonly #orders: OrderUpdates;

  constructor(options: EventHandlersOptions) {
    const { worker } = options;
    this.#options = options;
    this.#orders = new OrderUpdates(options);
    worker.on(SHOW, (job, run) => this.#show(job, run));
    worker.on(READ_OUTCOMES, (job) => this.#readOutcomes(job));
  }

  /** Resolves when no event is being handled. */
  async close(): Promise<void> {
    await this.#options.worker.off(EVENT_JOBS);
  }

  async #show(job: Job, run: Run): Promise<undefined> {
    const { inbox, clock } = this.#options;
    const stored = await inbox.get(eventOf(job));
    if (!stored) return;
    const { kind } = stored.event;
    try {
      const report = await this.#showEvent(stored, job);
      run.onDone((tx) => inbox.settle(tx, stored, report));
      inbox.counters.count('handled', kind);
    } catch (error) {
      if (error instanceof ClaimLost) throw error;
      inbox.counters.count(isOutage(error) ? 'waited' : 'retried', kind);
      if (isLast(job, error, clock.now())) inbox.counters.count('died', kind);
      throw error;
    }
  }

  /** Resolves to the report of an order. */
  async #showEvent(stored: StoredEvent, job: Job): Promise<LastReport | undefined> {
    const { feed } = this.#options;
    const { event } = stored;
    const isRetry = job.lastError !== undefined;
    switch (event.kind) {
      case 'order':
        return this.#showOrder(event, stored, job);
      case 'message':
        await feed?.message(event, isRetry);
        break;
      case 'status':
        await feed?.status(event, isRetry);
        break;
      case 'call':
        await feed?.call(event, isRetry);
        break;
      case 'watch':
        await feed?.watch(event, isRetry);
        break;
      case 'unknown':
        await feed?.other(cardOf(event), isRetry);
    }
    return undefined;
  }

  async #showOrder(
    event: OrderEvent,
    { arrivedAt }: StoredEvent,
    { attempts, payload, lastError }: Job,
  ): Promise<LastReport | undefined> {
    const update = await this.#orders.compare(event, { arrivedAt, attempts, again: payload.again === true });
    if (!update) return undefined;
    const { order, moved, late } = update;
    // Skip late updates that say nothing new.
    if (!late || moved) await this.#options.feed?.order({ orderId: event.orderId, ...order }, lastError !== undefined);
    return order;
  }

  async #readOutcomes(job: Job): Promise<undefined> {
    const stored = await this.#options.inbox.get(eventOf(job));
    if (stored?.event.kind === 'status') await this.#options.readOutcomes([stored.event.from]);
  }
}

function cardOf({ key, name, fields }: UnknownEvent): EventCard {
  const lines = Object.entries(fields)
    .slice(0, MAX_LINES)
    .map(([field, value]): [string, string] => [field, typeof value === 'string' ? value : JSON.stringify(value)]);
  return { key, title: `Event ${name || 'of an unknown kind'}`, lines };
}
