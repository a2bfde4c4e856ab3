import type { Clock } from '../lib/clock.ts';
import { NeedsPerson, Unavailable } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import { LEASE_MS } from './holds.ts';
import type { ClaimedJob, Job, Jobs } from './jobs.ts';

/** The second argument of a handler. */
export interface Run {
  /** Aborts when the handler has taken too long, or when another process has claimed the job. */
  signal: AbortSignal;
  /** Rejects if this process no longer holds the job. Call it right before an effect outside this process. */
  check(): Promise<void>;
}

/**
 * Does one job. A handler may run twice for one job after a crash, so its effect must be safe to repeat. It resolves to
 * the time (epoch ms) of the next round if the work repeats. It rejects with `Unavailable` if another system is down,
 * so that the attempt does not count, and with `NeedsPerson` if trying again cannot help.
 */
export type Handler = (job: Job, run: Run) => Promise<number | undefined>;

export interface WorkerOptions {
  jobs: Jobs;
  clock: Clock;
  log: Log;
  /** Maximum number of jobs at the same time; 8 if left out. */
  parallel?: number;
  /** Named in the table while this process runs, so that others know that the data is in use. */
  process?: { pid: number; host: string };
}

/** The kind of the job that names a running process. */
export const PROCESS = 'process';

const PARALLEL = 8;
const HANDLER_MS = 120_000;
/** Maximum time between two reads of the table. */
const LOOK_MS = 5_000;
/** The pause after the table could not be read or written. */
const STORE_MS = 1_000;
/** Interval between attempts to take a key that another process holds. */
const WAIT_MS = 200;
const MAX_ATTEMPTS = 10;
const LONGEST_BACKOFF_MS = 300_000;
/** A job that fails only because another system is down moves to the dead list after three days. */
const MAX_OUTAGE_MS = 3 * 86_400_000;

/** 1, 2, 4 … 300 seconds after the first, second, third … failure. */
export function backoff(failures: number): number {
  return Math.min(LONGEST_BACKOFF_MS, 1000 * 2 ** Math.min(Math.max(failures, 1) - 1, 20));
}

/**
 * Claims jobs and calls their handlers. Any number of processes may do so: each job is run by the one that claimed it.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #handlers = new Map<string, { handler: Handler; most: number }>();
  readonly #busy = new Map<number, { kind: string; ended: Promise<void>; abort: AbortController }>();
  /** Work of this process that no handler does, by the key of its job. */
  readonly #held = new Map<string, Promise<unknown>>();
  /** Writes that are repeated until the store takes them. */
  readonly #writes = new Set<Promise<void>>();
  /** Ends the pauses between attempts to write. */
  readonly #stopping = new AbortController();
  #timer: unknown;
  #renewal: unknown;
  #unsubscribe: (() => void) | undefined;
  #isRunning = false;
  #announcing: Promise<void> | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  /** Number of failures because of an outage, by job id. They lengthen the wait, but do not count as attempts. */
  readonly #outages = new Map<number, number>();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  /**
   * Registers the handler of a kind. A process claims only the kinds that it has handlers for.
   * @param most maximum number of jobs of this kind at the same time, so that a kind that waits for another system leaves
   * room for others
   */
  on(kind: string, handler: Handler, { most = Number.POSITIVE_INFINITY } = {}): void {
    if (this.#handlers.has(kind)) throw new Error(`there is a handler for ${kind} already`);
    this.#handlers.set(kind, { handler, most });
    this.look();
  }

  /** Renews the claim of the job with this key while the work runs. */
  hold<T>(key: string, work: Promise<T>): Promise<T> {
    const settled = () => {
      if (this.#held.get(key) === work) this.#held.delete(key);
    };
    this.#held.set(key, work);
    work.then(settled, settled);
    return work;
  }

  /** Runs `work` while no other work, in this process or in another, holds one of these keys. */
  async exclusively<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const sorted = [...new Set(keys)].sort();
    for (;;) {
      const others = sorted.map((key) => this.#held.get(key)).filter((one) => one !== undefined);
      if (others.length === 0) break;
      await Promise.allSettled(others);
    }
    const running = this.#whileHeld(sorted, work);
    for (const key of sorted) void this.hold(key, running).catch(() => undefined);
    return running;
  }

  async #whileHeld<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const { clock, jobs } = this.#options;
    if (keys.length === 0) return work();
    while (!(await jobs.holds.take(keys)))
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, WAIT_MS));
    try {
      return await work();
    } finally {
      // A hold that cannot be released ends by itself.
      await jobs.holds.release(keys).catch(() => undefined);
    }
  }

  /** Writes in the background until the store takes it. `stop` waits for one last attempt. */
  persist(write: () => Promise<void>): void {
    const writing = this.#write(write).finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
  }

  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#unsubscribe = this.#options.jobs.onOtherWrites(() => this.look());
    this.#announcing = this.#announce().catch((error: unknown) =>
      this.#log('warn', error, 'this process could not be registered'),
    );
    this.#renewLater();
    this.look();
  }

  /** Stops claiming jobs, and resolves when those under way have ended. Other processes run the rest. */
  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    this.#unsubscribe?.();
    const { clock, jobs } = this.#options;
    this.#stopping.abort();
    clock.clearTimeout(this.#timer);
    await this.#looking;
    await this.#ended();
    await Promise.allSettled(this.#held.values());
    await Promise.allSettled([...this.#writes, this.#announcing]);
    clock.clearTimeout(this.#renewal);
    await Promise.all([jobs.holds.release([this.#processKey]), jobs.release()]).catch((error: unknown) =>
      this.#log('warn', error, 'claimed jobs could not be given back'),
    );
  }

  /** Looks for work now: call it after a transaction that added a job. */
  look(): void {
    if (!this.#isRunning) return;
    this.#lookAgain = true;
    this.#looking ??= this.#lookUntilIdle().finally(() => {
      this.#looking = undefined;
      if (this.#lookAgain) this.look();
    });
  }

  /** Resolves when no job is under way and none is due. Jobs that are due later stay in the table. */
  async idle(): Promise<void> {
    do {
      await this.#looking;
      await this.#ended();
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#busy.size > 0 || this.#looking !== undefined);
  }

  async #ended(): Promise<void> {
    await Promise.allSettled([...this.#busy.values()].map(({ ended }) => ended));
  }

  async #lookUntilIdle(): Promise<void> {
    const { clock, jobs, parallel = PARALLEL } = this.#options;
    while (this.#isRunning && this.#lookAgain) {
      this.#lookAgain = false;
      const groups = this.#groups();
      if (groups.length === 0) return;
      try {
        let claimed = 0;
        for (const { kinds, most } of groups) {
          const room = Math.min(most, parallel - this.#busy.size);
          const some = room > 0 ? await jobs.claim(kinds, room, LEASE_MS) : [];
          for (const job of some) this.#begin(job);
          claimed += some.length;
        }
        const kinds = this.#groups().flatMap((group) => group.kinds);
        // More jobs may be due. If there is no room now, the end of a job starts another read.
        if (claimed > 0) this.#lookAgain = this.#busy.size < parallel;
        else if (this.#busy.size < parallel) this.#wakeAt((await jobs.nextAt(kinds)) ?? Number.POSITIVE_INFINITY);
      } catch (error) {
        this.#log('error', error, 'the jobs could not be read; trying again');
        this.#wakeAt(clock.now() + STORE_MS);
      }
    }
  }

  /** The kinds that may be claimed now: those without a limit together, each of the others alone. */
  #groups(): { kinds: string[]; most: number }[] {
    const kinds = [...this.#handlers].map(([kind, { most }]) => ({ kind, most: most - this.#running(kind) }));
    const free = kinds.filter(({ most }) => most === Number.POSITIVE_INFINITY).map(({ kind }) => kind);
    const limited = kinds.filter(({ most }) => most > 0 && most < Number.POSITIVE_INFINITY);
    return [
      ...(free.length > 0 ? [{ kinds: free, most: Number.POSITIVE_INFINITY }] : []),
      ...limited.map(({ kind, most }) => ({ kinds: [kind], most })),
    ];
  }

  #running(kind: string): number {
    return [...this.#busy.values()].filter((job) => job.kind === kind).length;
  }

  #begin(job: ClaimedJob): void {
    const abort = new AbortController();
    const ended = this.#run(job, abort).finally(() => {
      this.#busy.delete(job.id);
      this.look();
    });
    this.#busy.set(job.id, { kind: job.kind, ended, abort });
  }

  async #run(job: ClaimedJob, abort: AbortController): Promise<void> {
    const { jobs } = this.#options;
    let again: number | undefined;
    try {
      again = await this.#handle(job, abort);
    } catch (error) {
      if (!(error instanceof ClaimLost)) await this.#write(() => this.#failed(job, error));
      return;
    }
    this.#outages.delete(job.id);
    await this.#write(() => (again === undefined ? jobs.done(job) : jobs.again(job, again)));
  }

  async #handle(job: ClaimedJob, abort: AbortController): Promise<number | undefined> {
    const { clock, jobs } = this.#options;
    const handler = this.#handlers.get(job.kind)?.handler;
    if (!handler) throw new NeedsPerson(`there is no handler for ${job.kind}`);
    let timer: unknown;
    const tooLong = new Promise<never>((_, reject) => {
      timer = clock.setTimeout(() => {
        abort.abort();
        reject(new Error(`${job.kind} took more than ${HANDLER_MS / 1000} s`));
      }, HANDLER_MS);
    });
    const check = async () => {
      if (abort.signal.aborted || !(await jobs.isMine(job.id))) throw new ClaimLost();
    };
    try {
      return await Promise.race([handler(job, { signal: abort.signal, check }), tooLong]);
    } finally {
      clock.clearTimeout(timer);
    }
  }

  async #failed(job: ClaimedJob, error: unknown): Promise<void> {
    const { clock, jobs, log } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    const isOutage = error instanceof Unavailable || isStoreUnavailable(error);
    const attempts = job.attempts + (isOutage ? 0 : 1);
    const outages = (this.#outages.get(job.id) ?? 0) + (isOutage ? 1 : 0);
    const isSpent = isOutage ? clock.now() - job.addedAt >= MAX_OUTAGE_MS : attempts >= MAX_ATTEMPTS;
    const fields = { job: job.id, kind: job.kind, attempt: attempts, reason };
    if (isSpent || error instanceof NeedsPerson) {
      log('error', fields, 'a job could not be done and is on the list of dead jobs');
      this.#outages.delete(job.id);
      await jobs.bury(job, reason);
      return;
    }
    log('warn', fields, 'a job could not be done; trying again later');
    if (isOutage) this.#outages.set(job.id, outages);
    await jobs.retry(job, { reason, runAt: clock.now() + backoff(attempts + outages), counts: !isOutage });
  }

  /**
   * Writes until it succeeds. A process that stops gives up, and another process takes the job over after the lease.
   */
  async #write(write: () => Promise<void>): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      const isLast = !this.#isRunning;
      try {
        await write();
        return;
      } catch (error) {
        this.#log('error', error, 'writing to the database failed and will be repeated');
        if (isLast) return;
        await this.#pause(Math.min(LEASE_MS, backoff(failures)));
      }
    }
  }

  /** Waits, or until the worker stops. */
  #pause(ms: number): Promise<void> {
    const { clock } = this.#options;
    const { signal } = this.#stopping;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clock.clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = clock.setTimeout(end, ms);
      signal.addEventListener('abort', end);
    });
  }

  get #processKey(): string {
    return `process ${this.#options.jobs.owner}`;
  }

  async #announce(): Promise<void> {
    const { jobs, process } = this.#options;
    if (process) await jobs.holds.take([this.#processKey], { kind: PROCESS, payload: process });
  }

  #renewLater(): void {
    this.#renewal = this.#options.clock.setTimeout(() => {
      this.#renew()
        .catch((error: unknown) => this.#log('warn', error, 'claims of jobs could not be renewed'))
        .finally(() => {
          if (this.#isRunning || this.#busy.size > 0 || this.#held.size > 0) this.#renewLater();
        });
    }, LEASE_MS / 3);
  }

  async #renew(): Promise<void> {
    await this.#announce();
    await this.#options.jobs.holds.renew([...this.#held.keys()]);
    const ids = [...this.#busy.keys()];
    if (ids.length === 0) return;
    const kept = await this.#options.jobs.renew(ids, LEASE_MS);
    for (const id of ids) if (!kept.includes(id)) this.#busy.get(id)?.abort.abort();
  }

  /** `at`: epoch ms. */
  #wakeAt(at: number): void {
    const { clock } = this.#options;
    clock.clearTimeout(this.#timer);
    const ms = Math.min(LOOK_MS, Math.max(1, at - clock.now()));
    this.#timer = clock.setTimeout(() => this.look(), ms);
  }

  #log(level: 'warn' | 'error', error: unknown, message: string): void {
    this.#options.log(level, { error: String(error) }, message);
  }
}

/** Another process has claimed the job. */
class ClaimLost extends Error {}
