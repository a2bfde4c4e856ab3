import { type Clock, DAY_MS, systemClock } from '../../src/lib/clock.ts';

export const START = Date.parse('2026-03-02T12:00:00.000Z');

/** The day (MM/DD/YYYY) on which a change takes effect at once: the latest that has begun in every time zone of the US. */
export function begunDay(now = Date.now()): string {
  const [year, month, day] = new Date(now - DAY_MS / 2).toISOString().slice(0, 10).split('-');
  return `${month}/${day}/${year}`;
}

/** The day (YYYY-MM-DD, UTC) that many days from now. */
export const dayIn = (days: number, now = Date.now()): string =>
  new Date(now + days * DAY_MS).toISOString().slice(0, 10);

/** The business day (YYYY-MM-DD, UTC) that many business days from now. */
export function businessDayAhead(count: number, now = Date.now()): string {
  for (let days = 1, left = count; ; days += 1) {
    const day = dayIn(days, now);
    if (![0, 6].includes(new Date(day).getUTCDay())) left -= 1;
    if (left === 0) return day;
  }
}

interface Timer {
  at: number;
  run: () => void;
}

/** A clock that moves only when a test moves it. Timers run in order as it passes them. */
export class FakeClock implements Clock {
  private time: number;
  private stepped = 0;
  private readonly timers = new Set<Timer>();

  constructor(start = START) {
    this.time = start;
  }

  now(): number {
    return this.time + this.stepped;
  }

  monotonic(): number {
    return this.time;
  }

  /** Sets the system clock forward or back. No time passes. */
  step(ms: number): void {
    this.stepped += ms;
  }

  setTimeout(run: () => void, ms: number): unknown {
    const timer = { at: this.time + ms, run };
    this.timers.add(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    for (const timer of this.timers) if (timer === handle) this.timers.delete(timer);
  }

  /** The number of timers that have not run. */
  get pending(): number {
    return this.timers.size;
  }

  /** Returns the number of timers that ran. */
  advance(ms: number): number {
    const end = this.time + ms;
    let count = 0;
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.fire(timer);
      count += 1;
    }
    this.time = end;
    return count;
  }

  /** Advances, and after each timer waits for the work that it started. */
  async pass(ms: number, settle: () => Promise<void>): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (let timer = this.next(end); timer; timer = this.next(end)) {
      this.fire(timer);
      await settle();
    }
    this.time = end;
    await settle();
  }

  private next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.timers) if (timer.at <= end && (!next || timer.at < next.at)) next = timer;
    return next;
  }

  private fire(timer: Timer): void {
    this.timers.delete(timer);
    this.time = Math.max(this.time, timer.at);
    timer.run();
  }
}

interface RealTimer extends Timer {
  handle: unknown;
}

/** The system's clock with a `skip` that moves it forward and runs the timers it passes. */
export class SkippingClock implements Clock {
  private ahead = 0;
  private readonly timers = new Set<RealTimer>();

  now(): number {
    return Date.now() + this.ahead;
  }

  setTimeout(run: () => void, ms: number): unknown {
    const timer: RealTimer = { at: this.now() + ms, run, handle: undefined };
    timer.handle = systemClock.setTimeout(() => this.fire(timer), ms);
    this.timers.add(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    for (const timer of this.timers) {
      if (timer !== handle) continue;
      systemClock.clearTimeout(timer.handle);
      this.timers.delete(timer);
    }
  }

  skip(ms: number): void {
    this.ahead += ms;
    for (const timer of [...this.timers]) {
      if (timer.at > this.now()) continue;
      systemClock.clearTimeout(timer.handle);
      this.fire(timer);
    }
  }

  private fire(timer: RealTimer): void {
    this.timers.delete(timer);
    timer.run();
  }
}

/**
 * The system's clock, many times as fast: for waits that are no part of a test, such as the second between two purchases.
 * Starts at the present time. `skip` moves it forward, and its timers run no sooner for that.
 */
export class FastClock implements Clock {
  private readonly began = Date.now();
  private readonly factor: number;
  private ahead = 0;

  constructor(factor = 10) {
    this.factor = factor;
  }

  now(): number {
    return this.began + (Date.now() - this.began) * this.factor + this.ahead;
  }

  skip(ms: number): void {
    this.ahead += ms;
  }

  setTimeout(run: () => void, ms: number): unknown {
    return systemClock.setTimeout(run, ms / this.factor);
  }

  clearTimeout(handle: unknown): void {
    systemClock.clearTimeout(handle);
  }
}
