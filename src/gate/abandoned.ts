import type { Action, Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import type { GateOptions } from './confirmation.ts';

const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;

const FACE: Failure = {
  code: 'unavailable',
  message: 'The database of Switchboard was not available when this was to be sent.',
  effect: 'nothing_done',
  next: 'Ask for it again.',
  outcome: 'not_done',
};

export interface AbandonedOptions {
  ledger: Ledger;
  clock: Clock;
  log: NonNullable<GateOptions['log']>;
  changed: (action: Action) => void;
  /** True while this process sends the action. */
  isRunning: (id: string) => boolean;
}

/**
 * Ends actions that were not sent because the database was away. The caller got an error that says that nothing was
 * done, but it is not known whether the last write succeeded. The action therefore ends as failed once the database is
 * back, so that no process sends it later.
 */
export class Abandoned {
  readonly #options: AbandonedOptions;
  readonly #ids = new Set<string>();
  #timer: unknown;
  #waitMs = FIRST_RETRY_MS;
  #isClosed = false;

  constructor(options: AbandonedOptions) {
    this.#options = options;
  }

  /** Runs a step before the sending of an action. If the database is away, the action is abandoned. */
  async unless<T>(id: string, step: () => Promise<T>): Promise<T> {
    try {
      const result = await step();
      if (result !== undefined) this.#ids.delete(id);
      return result;
    } catch (error) {
      if (isStoreUnavailable(error)) {
        this.#ids.add(id);
        this.#schedule();
      }
      throw error;
    }
  }

  /** Stops the timer and makes a last attempt to end the actions. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#options.clock.clearTimeout(this.#timer);
    await this.#endAll();
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer ??= this.#options.clock.setTimeout(() => void this.#attempt(), this.#waitMs);
  }

  async #attempt(): Promise<void> {
    await this.#endAll();
    this.#timer = undefined;
    this.#waitMs = this.#ids.size === 0 ? FIRST_RETRY_MS : Math.min(LONGEST_RETRY_MS, this.#waitMs * 2);
    if (this.#ids.size > 0) this.#schedule();
  }

  async #endAll(): Promise<void> {
    for (const id of this.#ids) {
      try {
        await this.#end(id);
        this.#ids.delete(id);
      } catch (error) {
        this.#options.log('debug', { action: id, error: String(error) }, 'the database is still away; trying again');
        return;
      }
    }
  }

  async #end(id: string): Promise<void> {
    const { ledger, isRunning, changed } = this.#options;
    if (isRunning(id)) return;
    const action = await ledger.get(id);
    if (action?.owner !== ledger.ownerId) return;
    const ended = await ledger.settle(id, {
      from: ['confirmed', 'in_flight'],
      fenced: true,
      state: 'failed',
      error: FACE,
    });
    if (ended) changed(ended);
  }
}
