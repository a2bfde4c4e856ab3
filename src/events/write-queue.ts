import type { Clock } from '../lib/clock.ts';
import type { Database } from '../store/database.ts';
import { Tallies } from './tallies.ts';

/** Jobs in one transaction; further ones wait for the next. */
const BATCH = 256;
/** Deliveries closer together than this are answered first; other work waits for this long at most. */
const EASE_MS = 5;

interface Job {
  work: () => unknown;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/**
 * Writes of one turn of the event loop share one transaction, and so one flush of the disk. Each is answered once it is
 * on the disk. The timers run in real time: a write must not wait for an injected clock.
 */
export class WriteQueue {
  readonly tallies: Tallies;
  readonly #db: Database;
  readonly #jobs: Job[] = [];
  readonly #listeners = new Set<() => void>();
  #isScheduled = false;
  #easing: NodeJS.Timeout | undefined;
  #talliesDue = false;
  #isClosed = false;
  /** The transaction under way leaves work for the listeners. */
  #leavesWork = false;
  #isNotifying = false;
  #lastDelivery = Number.NEGATIVE_INFINITY;
  /** The last delivery came close after another. */
  #isRush = false;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    const onDue = () => {
      this.#talliesDue = true;
      this.#schedule();
    };
    this.tallies = new Tallies({ db, clock, onDue });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Writes with the next transaction. */
  write<T>(work: () => T): Promise<T> {
    return this.#add(work, true);
  }

  /** Writes a delivery with the next transaction. */
  writeDelivery<T>(work: () => T): Promise<T> {
    const now = performance.now();
    this.#isRush = now - this.#lastDelivery < EASE_MS;
    this.#lastDelivery = now;
    return this.#add(work, true);
  }

  /**
   * Writes what a handler did. While deliveries come in, it goes with the next of them, instead of a commit of its own
   * that they would wait for. If the process is killed before, the event is handled again.
   */
  writeLater<T>(work: () => T): Promise<T> {
    return this.#add(work, false);
  }

  /** Call within a write: the listeners are notified after its transaction. */
  leaveWork(): void {
    this.#leavesWork = true;
  }

  /** The listener is called soon after a transaction that left work, once for many deliveries. */
  onWork(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners, after the answers to deliveries are out. */
  notifySoon(): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    if (this.#rushes()) this.#ease();
    else setImmediate(() => this.#notify());
  }

  /** Resolves when everything is written and the listeners have been notified. */
  async settled(): Promise<void> {
    while (!this.#isClosed && (this.#isScheduled || this.#isNotifying || this.#easing))
      await new Promise((resolve) => setImmediate(resolve));
  }

  /** Writes and answers everything that waits. */
  close(): void {
    if (this.#isClosed) return;
    while (this.#jobs.length > 0) this.#flush();
    this.#talliesDue = !this.tallies.isEmpty;
    this.#flush();
    this.#isClosed = true;
    clearTimeout(this.#easing);
    this.tallies.close();
  }

  #add<T>(work: () => T, isUrgent: boolean): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('the inbox is closed'));
    return new Promise<T>((resolve, reject) => {
      this.#jobs.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (isUrgent || !this.#rushes()) this.#schedule();
      else this.#ease();
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      if (!this.#isClosed) this.#flush();
    });
  }

  #rushes(): boolean {
    return this.#isRush && performance.now() - this.#lastDelivery < EASE_MS;
  }

  #ease(): void {
    this.#easing ??= setTimeout(() => {
      this.#easing = undefined;
      this.#flush();
      if (this.#isNotifying) this.#notify();
    }, EASE_MS);
  }

  #notify(): void {
    this.#isNotifying = false;
    if (!this.#isClosed) for (const listener of this.#listeners) listener();
  }

  /** Runs the waiting jobs in one transaction, and answers them after it is on the disk. */
  #flush(): void {
    this.#isScheduled = false;
    const batch = this.#jobs.splice(0, BATCH);
    if (this.#jobs.length > 0) this.#schedule();
    if (batch.length === 0 && !this.#talliesDue) return;
    const before = this.tallies.snapshot();
    try {
      const answers = this.#db.transaction(() => this.#run(batch));
      if (this.#talliesDue) this.tallies.clear();
      this.#talliesDue = false;
      for (const answer of answers) answer();
      if (this.#leavesWork) this.notifySoon();
    } catch (error) {
      // Nothing of the batch is on disk, so every caller gets the error.
      for (const job of batch) job.reject(error);
      this.tallies.restore(before);
    }
    this.#leavesWork = false;
  }

  /** Runs each job; returns what answers them. */
  #run(batch: readonly Job[]): (() => void)[] {
    const answers = batch.map(({ work, resolve, reject }) => {
      try {
        const value = work();
        return () => resolve(value);
      } catch (error) {
        return () => reject(error);
      }
    });
    if (this.#talliesDue) this.tallies.write();
    return answers;
  }
}
