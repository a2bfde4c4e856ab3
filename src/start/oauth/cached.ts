import { type Clock, DAY_MS, monotonicOf } from '../../lib/clock.ts';
import { FRESH_MS, RETRY_MS } from '../../lib/durations.ts';

/** A value fetched from the issuer. One fetch serves all callers that wait for it. */
export class Cached<T> {
  readonly #fetch: () => Promise<T>;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #held: { value: T; at: number } | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #error: unknown;
  #pending: Promise<void> | undefined;

  /** `onError` is called for every fetch that fails. */
  constructor(options: { fetch: () => Promise<T>; clock: Clock; onError: (error: unknown) => void }) {
    this.#fetch = options.fetch;
    this.#clock = options.clock;
    this.#onError = options.onError;
  }

  /**
   * Returns the value, fetched again if it is older than ten minutes. If that fails, the old value is used for up to a
   * day.
   *
   * @throws the error of the last fetch, if there is no value to use
   */
  async get(): Promise<T> {
    if (!this.#held || this.#age() >= FRESH_MS) await this.#refresh();
    if (this.#held && this.#age() < DAY_MS) return this.#held.value;
    throw this.#error;
  }

  /**
   * Returns the value, fetched again now, or the last one if it was fetched less than ten seconds ago.
   *
   * @throws the error of the last fetch, if that failed
   */
  async renew(): Promise<T> {
    await this.#refresh();
    if (this.#held && this.#error === undefined) return this.#held.value;
    throw this.#error;
  }

  #age(): number {
    return monotonicOf(this.#clock) - (this.#held?.at ?? 0);
  }

  #refresh(): Promise<void> {
    if (this.#pending !== undefined) return this.#pending;
    // Callers must not be able to cause requests to the issuer at will.
    if (monotonicOf(this.#clock) - this.#triedAt < RETRY_MS) return Promise.resolve();
    this.#pending = this.#load().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #load(): Promise<void> {
    try {
      const value = await this.#fetch();
      this.#held = { value, at: monotonicOf(this.#clock) };
      this.#error = undefined;
    } catch (error) {
      this.#error = error;
      this.#onError(error);
    }
    this.#triedAt = monotonicOf(this.#clock);
  }
}
