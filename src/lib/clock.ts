/** The time, in milliseconds since the epoch, and timers. Modules are given a clock, so that tests can control it. */
export interface Clock {
  now(): number;
  setTimeout(run: () => void, ms: number): unknown;
  clearTimeout(handle: unknown): void;
  /**
   * Milliseconds since an arbitrary moment. Changes of the system clock do not affect it, and it does not count while
   * the machine is suspended. If left out, `now` is used.
   */
  monotonic?(): number;
}

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
  monotonic: () => performance.now(),
};
