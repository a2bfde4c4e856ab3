import { type Clock, inTime, LOOK_MS, POLL_MS, RETRY_MS, sleep } from '../lib/clock.ts';
import { Blocked } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Fields } from '../lib/values.ts';
import { levelOf } from '../store/key-values.ts';
import { backoff, ClaimLost, isLast, isOutage, type Job, type Jobs, LEASE_MS, type Write } from './jobs.ts';

/** The second argument of a handler. */
export interface Run {
  /** Aborts when the handler has taken too long, or when another process has claimed the job. */
  signal: AbortSignal;
  /** Rejects if this process no longer holds the job. Call it right before an effect outside this process. */
  check(): Promise<void>;
  /** Sets what is written in the transaction that ends the job. It is written only if the handler resolves. */
  onDone(write: Write): void;
}

/**
 * Does one job. A handler may run twice for one job after a crash, so its effect must be safe to repeat. It resolves to
 * the time (epoch ms) of the next round if the work repeats. It rejects with `Unavailable` if another system is down,
 * so that the attempt does not count, with `Blocked` if no job of the kind can be done until a person has acted, and
 * with `NeedsPerson` if trying again cannot help.
 */
export type Handler = (job: Job, run: Run) => Promise<number | undefined>;

export interface WorkerOptions {
  jobs: Jobs;
  clock: Clock;
  log: Log;
  /** Maximum number of jobs of one kind at the same time; 8 if left out. */
  parallel?: number;
  /** In the table while this process runs, so that others know that the data is in use, by whom and with which settings. */
  process?: Fields;
}

/** The kind of the job that names a running process. */
export const PROCESS = 'process';

/** Jobs of one kind at the same time, so that slow ones do not keep those of other kinds waiting. */
const PARALLEL = 8;
const HANDLER_MS = 120_000;
/**
 * Claims jobs and calls their handlers. Any number of processes may do so: each job is run by the one that claimed it.
 */
export class Worker {
  readonly #options: WorkerOptions;
  readonly #handlers = new Map<string, { handler: Handler; most: number }>();
  readonly #busy = new Map<number, { kind: string; ended: Promise<void>; abort: AbortController }>();
  /** Repeating work that is not known to be in the table yet. */
  readonly #repeating = new Set<string>();
  /** Kinds that are blocked, and when one job of them is tried again (epoch ms). */
  readonly #blocked = new Map<string, number>();
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
   * @param most maximum number of jobs of this kind at the same time
   * @param repeats true if there is one job of this kind, which the handler repeats; it is added if it is missing
   */
  on(kind: string, handler: Handler, { most = this.#options.parallel ?? PARALLEL, repeats = false } = {}): void {
    if (this.#handlers.has(kind)) throw new Error(`there is a handler for ${kind} already`);
    this.#handlers.set(kind, { handler, most });
    if (repeats) this.#repeating.add(kind);
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
    while (!(await jobs.hold(keys))) await sleep(clock, POLL_MS);
    try {
      return await work();
    } finally {
      // A hold that cannot be released ends by itself.
      await jobs.endHolds(keys).catch(() => undefined);
    }
  }

  /** Writes in the background until the store takes it. `stop` waits for one last attempt. */
  persist(write: () => Promise<void>): void {
    const writing = this.#write(write).finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
  }

  /** Does this work at intervals of `everyMs`, in one of the processes that call this. */
  repeat(kind: string, everyMs: number, work: () => Promise<unknown>): void {
    const round = async () => {
      await work().catch((error: unknown) => this.#log('warn', error, `${kind} failed; trying again later`));
      return this.#options.clock.now() + everyMs;
    };
    this.on(kind, round, { repeats: true });
  }

  /** Removes the handlers of these kinds, and resolves when those under way have ended. */
  async off(kinds: readonly string[]): Promise<void> {
    for (const kind of kinds) this.#handlers.delete(kind);
    await this.#looking;
    await this.#ended(kinds);
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
    await Promise.all([jobs.endHolds([this.#processKey]), jobs.release()]).catch((error: unknown) =>
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

  async #ended(kinds: readonly string[] = [...this.#busy.values()].map(({ kind }) => kind)): Promise<void> {
    await Promise.allSettled([...this.#busy.values()].map(({ kind, ended }) => kinds.includes(kind) && ended));
  }

  async #lookUntilIdle(): Promise<void> {
    const { clock, jobs } = this.#options;
    while (this.#isRunning && this.#lookAgain) {
      this.#lookAgain = false;
      try {
        for (const kind of this.#repeating) {
          if (this.#handlers.has(kind)) await jobs.ensure({ kind, key: kind });
          this.#repeating.delete(kind);
        }
        const claimed = await this.#claim();
        for (const job of claimed) this.#begin(job);
        // More jobs may be due. If there is no room for them now, the end of a job starts another read.
        if (claimed.length > 0) this.#lookAgain = true;
        else {
          const next = await jobs.nextAt([...this.#handlers.keys()].filter((kind) => !this.#blocked.has(kind)));
          this.#wakeAt(Math.min(next ?? Number.POSITIVE_INFINITY, ...this.#blocked.values()));
        }
      } catch (error) {
        this.#log('error', error, 'the jobs could not be read; trying again');
        this.#wakeAt(clock.now() + backoff(1));
      }
    }
  }

  /** Claims as many jobs as there is room for; jobs of a blocked kind one at a time. */
  #claim(): Promise<Job[]> {
    const rooms = [...this.#handlers].map(([kind, { most }]) => {
      const running = [...this.#busy.values()].filter((job) => job.kind === kind).length;
      const until = this.#blocked.get(kind);
      if (until !== undefined) return [kind, until <= this.#options.clock.now() && running === 0 ? 1 : 0];
      return [kind, Math.max(0, most - running)];
    });
    return this.#options.jobs.claim(Object.fromEntries(rooms));
  }

  #begin(job: Job): void {
    // Its lease had ended while it ran here. This claim extends the lease.
    if (this.#busy.has(job.id)) return;
    const abort = new AbortController();
    const ended = this.#run(job, abort).finally(() => {
      this.#busy.delete(job.id);
      this.look();
    });
    this.#busy.set(job.id, { kind: job.kind, ended, abort });
  }

  async #run(job: Job, abort: AbortController): Promise<void> {
    const { clock, jobs } = this.#options;
    const handler = this.#handlers.get(job.kind)?.handler;
    if (!handler) return jobs.retry(job, { reason: 'no handler', runAt: job.runAt, counts: false });
    let again: number | undefined;
    let written: Write | undefined;
    const run: Run = {
      signal: abort.signal,
      check: async () => {
        if (abort.signal.aborted || !(await jobs.isMine(job.id))) throw new ClaimLost();
      },
      onDone: (write) => {
        written = write;
      },
    };
    const tooLong = () => {
      abort.abort();
      throw new Error(`${job.kind} took more than ${HANDLER_MS / 1000} s`);
    };
    try {
      again = await inTime(clock, HANDLER_MS, (async () => handler(job, run))(), tooLong);
    } catch (error) {
      if (!(error instanceof ClaimLost)) await this.#write(() => this.#failed(job, error));
      return;
    }
    this.#outages.delete(job.id);
    this.#blocked.delete(job.kind);
    await this.#write(() => (again === undefined ? jobs.done(job, written) : jobs.again(job, again)));
  }

  async #failed(job: Job, error: unknown): Promise<void> {
    const { clock, jobs, log } = this.#options;
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof Blocked) {
      // A job of a blocked kind goes back to its place.
      if (!this.#blocked.has(job.kind))
        log('warn', { job: job.id, kind: job.kind, reason }, `jobs wait; one is tried every ${RETRY_MS / 1000} s`);
      this.#blocked.set(job.kind, clock.now() + RETRY_MS);
      return jobs.retry(job, { reason, runAt: job.runAt, counts: false });
    }
    const isAway = isOutage(error);
    const attempts = job.attempts + (isAway ? 0 : 1);
    const outages = (this.#outages.get(job.id) ?? 0) + (isAway ? 1 : 0);
    const fields = { job: job.id, kind: job.kind, attempt: attempts, reason };
    if (isLast(job, error, clock.now())) {
      log('error', fields, 'a job could not be done and is on the list of dead jobs');
      this.#outages.delete(job.id);
      await jobs.bury(job, reason);
      return;
    }
    log(levelOf(error, 'warn'), fields, 'a job could not be done; trying again later');
    if (isAway) this.#outages.set(job.id, outages);
    await jobs.retry(job, { reason, runAt: clock.now() + backoff(attempts + outages), counts: !isAway });
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
        await sleep(this.#options.clock, Math.min(LEASE_MS, backoff(failures)), [this.#stopping.signal]);
      }
    }
  }

  get #processKey(): string {
    return `process ${this.#options.jobs.owner}`;
  }

  async #announce(): Promise<void> {
    const { jobs, process } = this.#options;
    if (process) await jobs.hold([this.#processKey], PROCESS, process);
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
    const ids = [...this.#busy.keys()];
    const kept = await this.#options.jobs.renew(ids, [...this.#held.keys()]);
    for (const id of ids) if (!kept.includes(id)) this.#busy.get(id)?.abort.abort();
  }

  /** `at`: epoch ms. */
  #wakeAt(at: number): void {
    const { clock } = this.#options;
    clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => this.look(), Math.min(LOOK_MS, Math.max(1, at - clock.now())));
  }

  #log(level: 'warn' | 'error', error: unknown, message: string): void {
    this.#options.log(levelOf(error, level), { error: String(error) }, message);
  }
}
