import { BoundedMap } from './lists.ts';

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
  const limit = new Promise<L>((resolve, reject) => {
    cancel = after(clock, ms, () => {
      work.catch(() => undefined);
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    });
  });
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
