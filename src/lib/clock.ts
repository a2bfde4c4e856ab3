import { BoundedMap } from './values.ts';

/** The time, in milliseconds since the epoch, and timers. Modules are given a clock, so that tests can control it. */
export interface Clock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
  /**
   * Milliseconds since an arbitrary moment, the same for all processes of a machine until it restarts. Changes of the
   * system clock do not affect it, and it does not count while the machine is suspended. If left out, `now` is used.
   */
  monotonic?(): number;
}

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const WEEK_MS = 7 * DAY_MS;
/** The longest delay that a timer supports. A timer with a longer delay fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock's monotonic time in ms. */
export function monotonicOf(clock: Clock): number {
  return clock.monotonic?.() ?? clock.now();
}

/** The lead of the clock over its monotonic time, in ms. */
export function aheadOf(clock: Clock): number {
  return clock.now() - monotonicOf(clock);
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (run, ms) => {
    const timer = setTimeout(run, ms);
    timer.unref();
    return timer;
  },
  clearTimeout: (handle) => clearTimeout(handle as NodeJS.Timeout),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
};

/** Sets a timer; returns a function that cancels it. A delay too long for timers never fires. */
export function after(clock: Clock, ms: number, run: () => void): () => void {
  if (!(ms < LONGEST_TIMER_MS)) return () => undefined;
  const handle = clock.setTimeout(run, Math.max(0, ms));
  return () => clock.clearTimeout(handle);
}

/** Waits `ms`. Resolves to false as soon as one of the signals fires. */
export function sleep(
  clock: Clock,
  ms: number,
  signals: ReadonlyArray<AbortSignal | undefined> = [],
): Promise<boolean> {
  return new Promise((resolve) => {
    if (signals.some((signal) => signal?.aborted)) {
      resolve(false);
      return;
    }
    const end = (slept: boolean) => {
      cancel();
      for (const signal of signals) signal?.removeEventListener('abort', onAbort);
      resolve(slept);
    };
    const onAbort = () => end(false);
    const cancel = after(clock, ms, () => end(true));
    for (const signal of signals) signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** The result of `work`, or of `late` if it takes longer than `ms`. The work goes on, and its late failure is ignored. */
export async function inTime<T, L>(clock: Clock, ms: number, work: Promise<T>, late: () => L): Promise<T | L> {
  let cancel: () => void = () => undefined;
  const limit = new Promise<void>((resolve) => {
    cancel = after(clock, ms, resolve);
  }).then(late);
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel();
  }
}

/** Maximum number of stored formats. There may be many time zones, because each person has one. */
const MAX_FORMATS = 200;

const formats = new BoundedMap<string, Intl.DateTimeFormat>(MAX_FORMATS);

/**
 * A date format that is made once. Each one holds memory outside the JavaScript heap that the garbage collector does
 * not see, so making one per text lets the process grow by gigabytes.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
}

/* Durations in ms that several folders share, by what they are for. A folder keeps those that only it needs. */

/** Time limit of one small request to another server, and of a connection to it. */
export const FETCH_MS = 10_000;
/** Time limit of a check whether a server answers, while a person waits for the result. */
export const CHECK_MS = 2_000;
/** Time in which a call of a person at a terminal tries to reach the platform. With a start, it is below five seconds. */
export const REACH_MS = 3_000;
/** What was read longer ago than this, because a call waited for the budget, is read again before the call is sent. */
export const LONG_WAIT_MS = 5_000;
/** Pause after another system failed, before it is asked again. */
export const RETRY_MS = 10_000;
/** Interval between reads of what another process may have written, in the background. */
export const LOOK_MS = 2_000;
/** The same interval while a caller waits for the other process. */
export const POLL_MS = 250;
/** Changes within this time are handled together. */
export const GATHER_MS = 200;
/** Minimum time between two updates of a view. */
export const REDRAW_MS = 1_000;
/** Interval between reports on the progress of work. */
export const PROGRESS_MS = 10_000;
/** A value fetched from another system is used again for this long. */
export const FRESH_MS = 10 * 60_000;
/** The clocks of this installation's processes, of its database and of its issuer may differ by this much. */
export const CLOCK_SKEW_MS = 5_000;
/** A time that is later than now by less than this is accepted, because the clock that it came from may be ahead. */
export const AHEAD_MS = 2 * 60_000;
/** Minimum time between two log lines for the same reason. */
export const LOG_AGAIN_MS = 30_000;
/** Maximum time in which calls under way are answered after a signal to stop. */
export const STOP_MS = 25_000;
/** Retention time of events. */
export const KEPT_MS = 30 * DAY_MS;

/** Opens something once, at the first call. If that fails, the next call tries again. */
export function retried<T>(open: () => Promise<T>): { (): Promise<T>; readonly opened: Promise<T> | undefined } {
  let opened: Promise<T> | undefined;
  const get = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return Object.defineProperty(get, 'opened', { get: () => opened }) as ReturnType<typeof retried<T>>;
}
