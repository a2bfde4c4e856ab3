import { type RealTime, systemTime } from '../../src/demo/sandbox/clock.ts';

/** Real time, whose timers a test can end before their time. */
export class HeldTime implements RealTime {
  readonly #timers = new Map<unknown, { ms: number; run: () => void }>();
  readonly now: () => number;

  constructor(now = systemTime.now) {
    this.now = now;
  }

  setTimeout(fn: () => void, ms: number): unknown {
    const run = () => {
      this.clearTimeout(handle);
      fn();
    };
    const handle = systemTime.setTimeout(run, ms);
    this.#timers.set(handle, { ms, run });
    return handle;
  }

  clearTimeout(handle: unknown): void {
    systemTime.clearTimeout(handle);
    this.#timers.delete(handle);
  }

  /** Ends the timers that were to take this long. Returns their number. */
  end(ms: number): number {
    const ended = [...this.#timers.values()].filter((timer) => timer.ms === ms);
    for (const { run } of ended) run();
    return ended.length;
  }
}
