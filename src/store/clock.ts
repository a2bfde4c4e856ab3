import { type Clock, monotonicOf } from '../lib/clock.ts';

/**
 * The database's time, as the machine's clock plus the last measured difference. The measurement is accurate to the
 * round trip of a query, so all processes of an installation agree that closely.
 */
export class DatabaseClock implements Clock {
  readonly #clock: Clock;
  #difference = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Time in ms by which the machine's clock is behind the database's. */
  get difference(): number {
    return this.#difference;
  }

  /**
   * Sets the difference from one reading of the database's clock.
   * @param databaseTime epoch ms, read between `sentAt` and now by the machine's clock
   */
  measured(databaseTime: number, sentAt: number): void {
    this.#difference = Math.round(databaseTime - (sentAt + this.#clock.now()) / 2);
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
