import { SwitchboardError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';

/** An attempt that fails in less time may be repeated by any caller. */
const SLOW_MS = 500;
/** Minimum time between two slow attempts to reach a database that is away. */
const PROBE_MS = 1_000;

/**
 * Knows whether the database is away. Logs it once when it is lost and once when it is back, however many callers find
 * out, so that they need not log it.
 */
export class Outage {
  readonly #log: Log;
  #reason: Error | undefined;
  #round = 0;
  /** True if the last attempt was slow. */
  #isSlow = false;
  /** The time of the next attempt during an outage, on the scale of `performance.now()`. */
  #probeAt = 0;

  constructor(log: Log = () => undefined) {
    this.#log = log;
  }

  /** The failure that began the outage; undefined while the database is available. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** The number of outages that have ended. */
  get round(): number {
    return this.#round;
  }

  /**
   * Returns the error that a caller gets.
   * @param round that of the beginning of the attempt: a failure of one that began before the last outage ended is late
   */
  failed<E>(error: E, round: number): E {
    if (!isStoreUnavailable(error) || this.#reason !== undefined || round !== this.#round) return error;
    this.#reason = error;
    this.#log('error', { error: error.detail }, 'the database is not available: reads go on, changes are refused');
    return error;
  }

  /** Call it after a success that shows that the database takes writes. */
  ended(): void {
    if (this.#reason === undefined) return;
    this.#reason = undefined;
    this.#round += 1;
    this.#log('warn', {}, 'the database is available again');
  }

  /**
   * Runs an attempt to reach the database. If attempts at a database that is away take long, one caller at a time finds
   * out whether it is back, and the others fail at once.
   */
  async attempt<T>(run: () => Promise<T>): Promise<T> {
    const reason = this.#reason;
    if (reason !== undefined && performance.now() < this.#probeAt) throw reason;
    const began = performance.now();
    // Until this attempt has ended, the others fail; without an outage they have their own.
    if (reason !== undefined && this.#isSlow) this.#probeAt = Number.POSITIVE_INFINITY;
    try {
      return await run();
    } finally {
      this.#isSlow = performance.now() - began > SLOW_MS;
      this.#probeAt = this.#isSlow ? performance.now() + PROBE_MS : 0;
    }
  }
}

/** The database is away, full or too slow. Callers that had already sent something say so in their own error. */
export function storeUnavailable(cause: unknown): SwitchboardError {
  return new SwitchboardError(
    {
      code: 'unavailable',
      message: 'The database of Switchboard is not available right now.',
      effect: 'nothing_done',
      next: 'Try again in a moment.',
      outcome: 'not_done',
    },
    { detail: `database: ${cause instanceof Error ? cause.message : String(cause)}`, cause },
  );
}

/** True for an error made by `storeUnavailable`. */
export function isStoreUnavailable(error: unknown): error is SwitchboardError {
  return (
    error instanceof SwitchboardError &&
    error.face.code === 'unavailable' &&
    (error.detail ?? '').startsWith('database: ')
  );
}

/** Reads records that only add to an answer. Resolves to `otherwise` while the database is away. */
export async function readOrElse<T, O>(reading: Promise<T>, otherwise: O): Promise<T | O> {
  try {
    return await reading;
  } catch (error) {
    if (!isStoreUnavailable(error)) throw error;
    return otherwise;
  }
}

/** The log level of a failure. The store logs once that the database is away, so that what fails with it need not. */
export function levelOf<L>(error: unknown, level: L): L | 'debug' {
  return isStoreUnavailable(error) ? 'debug' : level;
}
