import type { Action, End, Ledger } from '../ledger/ledger.ts';
import { type Failure, SwitchboardError } from '../lib/errors.ts';
import type { Worker } from '../work/worker.ts';
import type { GateOptions } from './confirmation.ts';

export interface EndsParts {
  ledger: Ledger;
  worker: Worker;
  log: NonNullable<GateOptions['log']>;
  changed: (action: Action) => void;
}

/**
 * Writes how actions ended. If an end cannot be written, the action counts as unknown at once, so that it does not
 * appear to be running, and the write is retried until it succeeds.
 */
export class Ends {
  readonly #parts: EndsParts;
  /** Ends that could not be written yet, by action id. */
  readonly #waiting = new Map<string, { end: End; face: Failure }>();

  constructor(parts: EndsParts) {
    this.#parts = parts;
  }

  /**
   * Writes an end. Rejects with a `SwitchboardError` with outcome `unknown` if the ledger cannot be written. The action
   * then counts as unknown, and the write is retried in the background.
   */
  async write(id: string, end: End): Promise<void> {
    try {
      await this.#settle(id, end);
    } catch (error) {
      throw await this.lost(id, error, end.writtenAt, isAboutData(error) ? undefined : end);
    }
  }

  /**
   * Marks an action as unknown after a failure that followed the platform's answer. Returns the error for the caller,
   * which describes this first failure even if more failures follow.
   * @param end the end that could not be written; left out if the answer itself could not be processed
   */
  async lost(id: string, error: unknown, writtenAt: number | undefined, end?: End): Promise<SwitchboardError> {
    const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const part = end === undefined ? 'process' : 'record';
    const face: Failure = {
      code: 'server_error',
      message: `The platform answered, but Switchboard could not ${part} the answer (${what.slice(0, 200)}).`,
      effect: 'maybe_done',
      outcome: 'unknown',
    };
    const unknown: End = { from: ['in_flight'], fenced: true, state: 'unknown', error: face, writtenAt };
    try {
      const action = await this.#parts.ledger.settle(id, unknown);
      if (action) this.#parts.changed(action);
      if (end !== undefined) this.#retry(id, end, face);
    } catch (second) {
      this.#parts.log(
        'error',
        { action: id, error: String(second) },
        'writing to the ledger failed and will be retried',
      );
      this.#retry(id, end ?? unknown, face);
    }
    return new SwitchboardError(face, { cause: error, detail: error instanceof Error ? (error.stack ?? what) : what });
  }

  /**
   * Writes the end of a call that failed. Never rejects, so that the caller gets the call's error, not the ledger's.
   */
  async record(id: string, end: End & { error: Failure }): Promise<void> {
    try {
      await this.#settle(id, end);
    } catch (error) {
      this.#parts.log(
        'error',
        { action: id, error: String(error) },
        'writing to the ledger failed and will be retried',
      );
      this.#retry(id, end, end.error);
    }
  }

  async #settle(id: string, end: End): Promise<void> {
    // The answer itself also settles an action that another process has meanwhile marked unknown.
    const from: End['from'] = end.state === 'unknown' ? end.from : [...end.from, 'unknown'];
    const action = await this.#parts.ledger.settle(id, { ...end, from });
    if (action) {
      this.#parts.changed(action);
      return;
    }
    const ended = await this.#parts.ledger.get(id);
    // An earlier attempt was written, and only its confirmation by the database was lost.
    if (ended?.state === end.state) return;
    this.#parts.log(
      'error',
      { action: id, state: end.state },
      'an answer arrived for an action that had already ended differently',
    );
  }

  #retry(id: string, end: End, face: Failure): void {
    this.#waiting.set(id, { end, face });
    this.#parts.worker.persist(async () => {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) return;
      await this.#settle(id, waiting.end);
      this.#waiting.delete(id);
    });
  }

  /** The error of an action whose end is not in the ledger yet: readers see it as unknown, not as running. */
  unwritten(id: string): Failure | undefined {
    return this.#waiting.get(id)?.face;
  }
}

/** True if the end itself cannot be serialised (too deep, or not a JSON value), so that a retry cannot succeed. */
function isAboutData(error: unknown): boolean {
  return error instanceof RangeError || error instanceof TypeError;
}
