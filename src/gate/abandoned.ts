import type { Action, Ledger } from '../ledger/ledger.ts';
import type { Failure } from '../lib/errors.ts';
import { isStoreUnavailable } from '../store/unavailable.ts';
import type { Worker } from '../work/worker.ts';

const FACE: Failure = {
  code: 'unavailable',
  message: 'The database of Switchboard was not available when this was to be sent.',
  effect: 'nothing_done',
  next: 'Ask for it again.',
  outcome: 'not_done',
};

export interface AbandonedOptions {
  ledger: Ledger;
  worker: Worker;
  changed: (action: Action) => void;
  /** Changes that this process sends, by action id. */
  running: () => ReadonlyMap<string, Promise<unknown>>;
}

/**
 * Ends actions that were not sent because the database was away. The caller got an error that says that nothing was
 * done, but it is not known whether the last write succeeded. The action therefore ends as failed once the database is
 * back, so that no process sends it later.
 */
export class Abandoned {
  readonly #options: AbandonedOptions;

  constructor(options: AbandonedOptions) {
    this.#options = options;
  }

  /** Runs a step before the sending of an action. If the database is away, the action is abandoned. */
  async unless<T>(id: string, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      if (isStoreUnavailable(error)) this.#options.worker.persist(() => this.#end(id));
      throw error;
    }
  }

  async #end(id: string): Promise<void> {
    const { ledger, running, changed } = this.#options;
    await running()
      .get(id)
      ?.catch(() => undefined);
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
