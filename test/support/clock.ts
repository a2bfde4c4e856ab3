import { type Clock, DAY_MS, SECOND_MS, systemClock } from '../../src/lib/clock.ts';

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

/**
 * The system's clock with a `skip` that moves it forward and runs the timers it passes, and a `step` that sets it.
 */
export class SkippingClock implements Clock {
  private ahead = 0;
  private stepped = 0;
  private readonly timers = new Set<RealTimer>();

  now(): number {
    return this.monotonic() + this.stepped;
  }

  monotonic(): number {
    return Date.now() + this.ahead;
  }

  step(ms: number): void {
    this.stepped += ms;
  }

  setTimeout(run: () => void, ms: number): unknown {
    const timer: RealTimer = { at: this.monotonic() + ms, run, handle: undefined };
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
      if (timer.at > this.monotonic()) continue;
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
 * Timers of these lengths, in ms, wait for a limit or for another attempt, and end no request and no claim. Background work
 * looks around every 500 ms or whole seconds.
 */
const isWait = (ms: number) =>
  ms === SECOND_MS || (ms > 500 && ms < 8 * SECOND_MS && ms % 500 !== 0) || (ms >= 25_000 && ms < 30_000);

/**
 * The system's clock, on which waits for a limit or for another attempt end at once and take their time by the clock. They
 * are no part of most tests. While it is held, they go on until it is released.
 */
export class FastClock implements Clock {
  private ahead = 0;
  private held: (() => void)[] | undefined;

  now(): number {
    return Date.now() + this.ahead;
  }

  skip(ms: number): void {
    this.ahead += ms;
  }

  hold(): void {
    this.held = [];
  }

  release(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const end of held) end();
  }

  setTimeout(run: () => void, ms: number): unknown {
    if (!isWait(ms)) return systemClock.setTimeout(run, ms);
    const at = this.now() + ms;
    const wait = { isOver: false };
    const end = () =>
      setImmediate(() => {
        if (wait.isOver) return;
        this.ahead += Math.max(0, at - this.now());
        run();
      });
    if (this.held) this.held.push(end);
    else end();
    return wait;
  }

  clearTimeout(handle: unknown): void {
    if (typeof handle === 'object' && handle !== null && 'isOver' in handle) handle.isOver = true;
    else systemClock.clearTimeout(handle);
  }
}
