import type { Clock } from '../lib/clock.ts';
import type { Database, Queries } from '../store/types.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import type { PlatformEvent } from './parse.ts';
import { Tallies } from './tallies.ts';

/** Largest number of jobs in one transaction. */
const BATCH = 256;
/** Deliveries that are closer together than this are answered first. Other work waits at most this long. */
const EASE_MS = 5;

export type Receipt = 'new' | 'repeat';

/** One transaction of the queue. Its members take effect once the transaction is committed. */
export class Writing {
  readonly queries: Queries;
  readonly counted: (readonly [what: string, label: string])[] = [];
  /** Subjects with an event that was settled or was stored behind another one. */
  readonly subjects = new Set<string>();
  leavesWork = false;

  constructor(queries: Queries) {
    this.queries = queries;
  }

  count(what: string, label: string): void {
    this.counted.push([what, label]);
  }
}

interface Job {
  /** A delivery, or other work. */
  event?: PlatformEvent;
  work?: (writing: Writing) => Promise<unknown>;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

interface Written {
  writing: Writing;
  answers: unknown[];
}

export interface WriteQueueOptions {
  database: Database;
  clock: Clock;
  /** Stores deliveries. Resolves to a receipt for each. */
  store: (writing: Writing, events: readonly PlatformEvent[]) => Promise<Receipt[]>;
  /**
   * Stores deliveries with one statement outside a transaction. Resolves to undefined, with nothing stored, if they
   * need a transaction. By default deliveries always use a transaction.
   */
  storeAtOnce?: (writing: Writing, events: readonly PlatformEvent[]) => Promise<Receipt[] | undefined>;
  /** Counts deliveries that `storeAtOnce` found to be repeats. */
  storeRepeats?: (writing: Writing, events: readonly PlatformEvent[]) => Promise<void>;
  /** Releases the parked events of these subjects that have no open predecessor any more. Resolves to their number. */
  release: (queries: Queries, subjects: readonly string[]) => Promise<number>;
}

/**
 * Writes that come together share one transaction, and so one flush of the disk. Each is answered once it is on the disk.
 * The timers run in real time: a write must not wait for an injected clock.
 */
export class WriteQueue {
  readonly tallies: Tallies;
  readonly #options: WriteQueueOptions;
  readonly #deliveries: Lane;
  /**
   * On SQLite, which has one writer, all writes share a flush. On PostgreSQL, deliveries do not wait for other writes.
   */
  readonly #rest: Lane;
  readonly #listeners = new Set<() => void>();
  /** Work that remains after the answers of a transaction. These promises never reject. */
  readonly #following = new Set<Promise<void>>();
  #easing: NodeJS.Timeout | undefined;
  #talliesDue = false;
  #isClosed = false;
  #isNotifying = false;
  #lastDelivery = Number.NEGATIVE_INFINITY;
  /** True if the last delivery came within `EASE_MS` of another. */
  #isRush = false;

  constructor(options: WriteQueueOptions) {
    this.#options = options;
    const run = (jobs: readonly Job[]) => this.#run(jobs);
    this.#deliveries = new Lane(run);
    this.#rest = options.database.engine === 'sqlite' ? this.#deliveries : new Lane(run);
    const onDue = () => {
      this.#talliesDue = true;
      this.#rest.schedule();
    };
    this.tallies = new Tallies({ clock: options.clock, onDue });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Writes a delivery with the next transaction. */
  deliver(event: PlatformEvent): Promise<Receipt> {
    const now = performance.now();
    this.#isRush = now - this.#lastDelivery < EASE_MS;
    this.#lastDelivery = now;
    return this.#add<Receipt>(this.#deliveries, { event }, true);
  }

  /** Writes with the next transaction. `work` may run again, so it must have no effect besides its queries. */
  write<T>(work: (writing: Writing) => Promise<T>): Promise<T> {
    return this.#add<T>(this.#rest, { work }, true);
  }

  /**
   * Writes what a handler did. While deliveries come in, the write joins the transaction of the next one, so that
   * deliveries do not wait for a separate commit. If the process is killed before, the event is handled again.
   */
  writeLater<T>(work: (writing: Writing) => Promise<T>): Promise<T> {
    return this.#add<T>(this.#rest, { work }, false);
  }

  /** Adds a listener that is called soon after a transaction that left work, once for many deliveries. */
  onWork(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners after deliveries are answered. */
  notifySoon(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    if (this.#rushes()) this.#ease();
    else setImmediate(() => this.#notify());
  }

  /** Resolves when everything is written and the listeners have been notified. */
  async settled(): Promise<void> {
    const isBusy = () => this.#deliveries.isBusy || this.#rest.isBusy || this.#following.size > 0;
    while (!this.#isClosed && (isBusy() || this.#isNotifying || this.#easing))
      await new Promise((resolve) => setImmediate(resolve));
  }

  /** Writes and answers everything that waits. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#easing);
    this.tallies.close();
    this.#talliesDue = !this.tallies.isEmpty;
    if (this.#talliesDue) this.#rest.schedule();
    await Promise.all([this.#deliveries.drain(), this.#rest.drain()]);
    await Promise.all(this.#following);
  }

  #add<T>(lane: Lane, job: Pick<Job, 'event' | 'work'>, isUrgent: boolean): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('the inbox is closed'));
    return new Promise<T>((resolve, reject) => {
      lane.add({ ...job, resolve: resolve as (value: unknown) => void, reject });
      if (isUrgent || !this.#rushes()) lane.schedule();
      else this.#ease();
    });
  }

  #rushes(): boolean {
    return this.#isRush && performance.now() - this.#lastDelivery < EASE_MS;
  }

  #ease(): void {
    this.#easing ??= setTimeout(() => {
      this.#easing = undefined;
      this.#rest.schedule();
      if (this.#isNotifying) this.#notify();
    }, EASE_MS);
  }

  #notify(): void {
    this.#isNotifying = false;
    if (!this.#isClosed) for (const listener of this.#listeners) listener();
  }

  /** Runs jobs in one transaction, and answers them after it is on the disk. */
  async #run(jobs: readonly Job[]): Promise<void> {
    const takesTallies =
      this.#talliesDue && !this.tallies.isWriting && (jobs.length === 0 || jobs.some(({ work }) => work));
    if (jobs.length === 0 && !takesTallies) return;
    if (takesTallies) this.tallies.begin();
    try {
      const { writing, answers } =
        (await this.#statement(jobs, takesTallies)) ?? (await this.#transact(jobs, takesTallies));
      if (takesTallies) {
        this.tallies.written();
        this.#talliesDue = false;
      }
      for (const [what, label] of writing.counted) this.tallies.count(what, label);
      for (const [at, job] of jobs.entries()) job.resolve(answers[at]);
      this.#follow(this.#after(writing));
    } catch (error) {
      if (takesTallies) this.tallies.failed();
      // One refused job must not make the others fail.
      if (jobs.length > 1 && !isStoreUnavailable(error)) for (const job of jobs) await this.#run([job]);
      else for (const job of jobs) job.reject(error);
    }
  }

  /** Runs deliveries as one statement if possible. */
  async #statement(jobs: readonly Job[], takesTallies: boolean): Promise<Written | undefined> {
    const { database, storeAtOnce, storeRepeats } = this.#options;
    const events = jobs.flatMap(({ event }) => (event ? [event] : []));
    if (!storeAtOnce || takesTallies || events.length < jobs.length) return undefined;
    const writing = new Writing(database);
    const answers = await storeAtOnce(writing, events);
    const repeats = events.filter((_, at) => answers?.[at] === 'repeat');
    if (storeRepeats && repeats.length > 0)
      writing.counted.push(
        ...(await database.transaction(async (queries) => {
          const counting = new Writing(queries);
          await storeRepeats(counting, repeats);
          return counting.counted;
        })),
      );
    return answers && { writing, answers };
  }

  #transact(jobs: readonly Job[], takesTallies: boolean): Promise<Written> {
    return this.#options.database.transaction(async (queries) => {
      const writing = new Writing(queries);
      const answers: unknown[] = Array.from({ length: jobs.length });
      const deliveries = jobs.flatMap(({ event }, at) => (event ? [{ event, at }] : []));
      if (deliveries.length > 0) {
        const receipts = await this.#options.store(
          writing,
          deliveries.map(({ event }) => event),
        );
        for (const [n, { at }] of deliveries.entries()) answers[at] = receipts[n];
      }
      for (const [at, { work }] of jobs.entries()) if (work) answers[at] = await work(writing);
      if (takesTallies) await this.tallies.write(queries);
      if (writing.subjects.size > 0) await this.#options.release(queries, [...writing.subjects]);
      return { writing, answers };
    });
  }

  /** Tracks work that the next deliveries do not wait for. */
  #follow(work: Promise<void>): void {
    this.#following.add(work);
    void work.finally(() => this.#following.delete(work));
  }

  async #after({ subjects, leavesWork }: Writing): Promise<void> {
    if (leavesWork) this.notifySoon();
    const { database, release } = this.#options;
    if (subjects.size === 0 || database.engine === 'sqlite') return;
    // Another process may have settled or stored an event of the same subject at the same time, unseen by this
    // transaction. If the database is unavailable now, the next start releases these events.
    const released = await release(database, [...subjects]).catch(() => 0);
    if (released > 0) this.notifySoon();
  }
}

/** Jobs that are written one batch after another. */
class Lane {
  readonly #run: (jobs: readonly Job[]) => Promise<void>;
  readonly #jobs: Job[] = [];
  #isWanted = false;
  #scheduled: Promise<void> | undefined;

  constructor(run: (jobs: readonly Job[]) => Promise<void>) {
    this.#run = run;
  }

  get isBusy(): boolean {
    return this.#scheduled !== undefined;
  }

  add(job: Job): void {
    this.#jobs.push(job);
  }

  /** Runs waiting jobs after this turn of the event loop, so that jobs that arrive together are written together. */
  schedule(): void {
    this.#isWanted = true;
    this.#scheduled ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#flush());
  }

  /** Runs everything that waits. */
  async drain(): Promise<void> {
    await this.#scheduled;
    while (this.#jobs.length > 0) await this.#run(this.#jobs.splice(0, BATCH));
  }

  async #flush(): Promise<void> {
    while (this.#isWanted || this.#jobs.length > 0) {
      this.#isWanted = false;
      await this.#run(this.#jobs.splice(0, BATCH));
    }
    this.#scheduled = undefined;
  }
}
