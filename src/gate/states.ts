import { withNames } from '../catalogue/change.ts';
import { changeOf, levelOfAction } from '../ledger/action.ts';
import type { Action, End } from '../ledger/ledger.ts';
import { type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined } from '../lib/values.ts';
import {
  type Confirmation,
  decidedByOf,
  GatePart,
  isPaid,
  notConfirmed,
  type Performed,
  statusOf,
  withCharge,
} from './confirmation.ts';
import { factsOf } from './question.ts';

/** Adds the charge to the error of an action that costs money. */
function endOf(action: Action, error: Failure): Failure {
  return isPaid(action) ? withCharge(error) : error;
}

/** A durable step of an action. */
export type Step = 'asked' | 'confirmed' | 'sent' | 'answered' | 'settled';

/** The current state of actions for readers, and the listeners for changes. */
export class ActionStates extends GatePart {
  readonly #listeners = new Set<(action: Action) => void>();
  readonly #stepListeners = new Set<(step: Step, id: string) => void>();
  /** Changes that this process sends, by action id. */
  readonly running = new Map<string, Promise<Performed>>();
  /** The errors of actions whose end could not be written yet. */
  readonly unwritten = new Map<string, Failure>();

  /** URL where a person may decide about an action; undefined if the page is not served, or CONFIRM_VIA has no `page`. */
  pageUrl(id: string): string | undefined {
    const { pages, approval } = this.parts;
    return pages !== undefined && approval.via.includes('page') ? `${pages}/confirm/${id}` : undefined;
  }

  /** The action for readers. */
  async current(id: string): Promise<Action | undefined> {
    const action = await this.parts.ledger.get(id);
    return action && this.asKnown(action);
  }

  /** The same action; if its end could not be written yet, it counts as unknown. */
  asKnown(action: Action): Action {
    const error = action.state === 'in_flight' ? this.unwritten.get(action.id) : undefined;
    return error ? { ...action, state: 'unknown', error } : action;
  }

  /** The action as it is now, expired first if its time is over. Rejects with `not_found`. */
  async refresh(id: string): Promise<Action> {
    const action = await this.current(id);
    if (!action) {
      throw new SwitchboardError({
        code: 'not_found',
        message: `There is no confirmation ${id}.`,
        outcome: 'not_done',
      });
    }
    if (action.state !== 'pending' || action.expiresAt > this.parts.clock.now()) return action;
    await this.expire(id);
    return (await this.parts.ledger.get(id)) ?? action;
  }

  /** Expires one action if its time is over. */
  async expire(id: string): Promise<void> {
    for (const action of await this.parts.ledger.takeovers.expire(id)) this.changed(action);
  }

  /** Expires every action that is due. */
  async sweepExpired(): Promise<void> {
    for (const action of await this.parts.ledger.takeovers.expire()) this.changed(action);
  }

  /** All that a reader may see of an action. */
  describe(given: Action): Confirmation {
    const action = this.asKnown(given);
    const { consent } = action;
    const { tools } = this.parts;
    const change = changeOf(action);
    const isRefused = action.state === 'declined' || action.state === 'expired';
    const { consequence = '', cost, undo = '' } = consent ?? {};
    const texts = [consequence, cost === undefined ? '' : `Cost: ${cost}.`, undo];
    return {
      id: action.id,
      status: statusOf(action.state),
      summary: withNames(consent?.title ?? tools.find(action.operation)?.title ?? action.operation, change?.names),
      consequence: withNames(texts.filter((text) => text !== '').join(' '), change?.names),
      expiresAt: new Date(action.expiresAt).toISOString(),
      ...defined({
        statement: consent?.statement,
        customer: factsOf(action).customer,
        change: change && { ...change, level: levelOfAction(action) },
        reason: action.reason,
        numbers: consent?.orderNumbers,
        url: action.state === 'pending' ? this.pageUrl(action.id) : undefined,
        decidedBy: decidedByOf(action),
        decidedReason: action.decidedReason,
        result: action.result,
        error: isRefused ? notConfirmed(action).face : action.error && endOf(action, action.error),
      }),
    };
  }

  /** Returns a function that removes the listener. */
  onChange(listener: (action: Action) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Notifies every listener of an action as it is now. An error in one listener does not affect the others. */
  changed(given: Action): void {
    const action = this.asKnown(given);
    for (const listener of this.#listeners) {
      try {
        listener(action);
      } catch (error) {
        this.parts.log(
          'error',
          { action: action.id, error: String(error) },
          'a listener failed to handle a changed action',
        );
      }
    }
  }

  /** Calls the listener after every durable step of an action. */
  onStep(listener: (step: Step, id: string) => void): void {
    this.#stepListeners.add(listener);
  }

  /** A durable step of an action is done. */
  step(step: Step, id: string): void {
    for (const listener of this.#stepListeners) listener(step, id);
  }
}

const NOT_SENT: Failure = {
  code: 'unavailable',
  message: 'The database of Switchboard was not available when this was to be sent.',
  effect: 'nothing_done',
  next: 'Ask for it again.',
  outcome: 'not_done',
};

/**
 * Writes how actions ended. If an end cannot be written, the action counts as unknown at once, so that it does not
 * appear to be running, and the write is retried until it succeeds.
 */
export class Ends extends GatePart<{
  states: ActionStates;
}> {
  /** Ends that could not be written yet, by action id. */
  readonly #waiting = new Map<string, End>();

  /**
   * Writes an end. Rejects with a `SwitchboardError` with outcome `unknown` if the ledger cannot be written. The action
   * then counts as unknown, and the write is retried in the background.
   */
  async write(id: string, end: End): Promise<void> {
    try {
      await this.#settle(id, end);
    } catch (error) {
      // The end itself cannot be serialised (too deep, or not a JSON value), so that a retry cannot succeed.
      const isAboutData = error instanceof RangeError || error instanceof TypeError;
      throw await this.lost(id, error, end.writtenAt, isAboutData ? undefined : end);
    }
  }

  /**
   * Marks an action as unknown after a failure that followed the platform's answer. Returns the error for the caller,
   * which describes this first failure even if more failures follow.
   * @param end the end that could not be written; left out if the answer itself could not be processed
   */
  async lost(id: string, error: unknown, writtenAt: number | undefined, end?: End): Promise<SwitchboardError> {
    const isOwn = error instanceof SwitchboardError;
    const what = isOwn ? error.message.replace(/\.$/, '') : String(error);
    const part = end === undefined ? 'process' : 'record';
    const face: Failure = {
      code: 'server_error',
      message: `The platform answered, but Switchboard could not ${part} the answer (${what.slice(0, 200)}).`,
      effect: 'maybe_done',
      outcome: 'unknown',
    };
    const unknown: End = { from: ['in_flight'], fenced: true, state: 'unknown', error: face, writtenAt };
    try {
      const action = await this.parts.ledger.settle(id, unknown);
      if (action) this.parts.states.changed(action);
      if (end !== undefined) this.#retry(id, end, face);
    } catch (second) {
      this.parts.log(
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
      this.parts.log('error', { action: id, error: String(error) }, 'writing to the ledger failed and will be retried');
      this.#retry(id, end, end.error);
    }
  }

  async #settle(id: string, end: End): Promise<void> {
    // The answer itself also settles an action that another process has meanwhile marked unknown.
    const from: End['from'] = end.state === 'unknown' ? end.from : [...end.from, 'unknown'];
    const action = await this.parts.ledger.settle(id, { ...end, from });
    if (action) {
      this.parts.states.changed(action);
      return;
    }
    const ended = await this.parts.ledger.get(id);
    // An earlier attempt was written, and only its confirmation by the database was lost.
    if (ended?.state === end.state) return;
    this.parts.log(
      'error',
      { action: id, state: end.state },
      'an answer arrived for an action that had already ended differently',
    );
  }

  #retry(id: string, end: End, face: Failure): void {
    const { states, worker } = this.parts;
    this.#waiting.set(id, end);
    states.unwritten.set(id, face);
    worker.persist(async () => {
      const waiting = this.#waiting.get(id);
      if (waiting === undefined) return;
      await this.#settle(id, waiting);
      this.#waiting.delete(id);
      states.unwritten.delete(id);
    });
  }

  /**
   * Runs a step before the sending of an action. If it fails, because the database is away or was raised by a newer
   * program, the action is abandoned: the caller gets an error that says that nothing was done, but it is not known
   * whether the write succeeded. The action therefore ends as failed once it can be written, so that no process sends it
   * later.
   */
  async orAbandon<T>(id: string, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.parts.worker.persist(() => this.#abandon(id));
      throw error;
    }
  }

  async #abandon(id: string): Promise<void> {
    const { ledger, states } = this.parts;
    await states.running.get(id)?.catch(() => undefined);
    const action = await ledger.get(id);
    if (action?.owner !== ledger.ownerId) return;
    const from: End['from'] = ['confirmed', 'in_flight'];
    const ended = await ledger.settle(id, { from, fenced: true, state: 'failed', error: NOT_SENT });
    if (ended) states.changed(ended);
  }
}
