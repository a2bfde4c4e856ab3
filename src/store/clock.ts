import { type Clock, monotonicOf } from '../lib/clock.ts';

/**
 * If the wall clock and the monotonic clock differ by more than this, the machine was suspended or its clock was set.
 */
const JUMP_MS = 250;

/**
 * The database's time, as the machine's clock plus the last measured difference. The measurement is accurate to the
 * round trip of a query, so all processes of an installation agree that closely.
 */
export class DatabaseClock implements Clock {
  readonly #clock: Clock;
  #difference = 0;
  #measuredAt = 0;
  #monotonicAt = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Time in ms by which the machine's clock is behind the database's. */
  get difference(): number {
    return this.#difference;
  }

  /**
   * True if the machine slept, or its clock was set, since the difference was measured: measure again before relying on
   * it.
   */
  get hasJumped(): boolean {
    const wall = this.#clock.now() - this.#measuredAt;
    return Math.abs(wall - (performance.now() - this.#monotonicAt)) > JUMP_MS;
  }

  /**
   * Sets the difference from one reading of the database's clock.
   * @param databaseTime epoch ms, read between `sentAt` and now by the machine's clock
   */
  measured(databaseTime: number, sentAt: number): void {
    const now = this.#clock.now();
    this.#difference = Math.round(databaseTime - (sentAt + now) / 2);
    this.#measuredAt = now;
    this.#monotonicAt = performance.now();
  }

  now(): number {
    return this.#clock.now() + this.#difference;
  }

  setTimeout(run: () => void, ms: number): unknown {
    return this.#clock.setTimeout(run, ms);
  }

  clearTimeout(handle: unknown): void {
    this.#clock.clearTimeout(handle);
  }

  monotonic(): number {
    return monotonicOf(this.#clock);
  }
}
