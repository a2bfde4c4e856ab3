import type { Action, Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined } from '../lib/json.ts';
import { isPaid, withCharge } from './charges.ts';
import { type Confirmation, decidedByOf, type GateOptions, notConfirmed, statusOf } from './confirmation.ts';
import { factsOf } from './facts.ts';
import type { ToolIndex } from './tool-index.ts';

/** Adds the charge to the error of an action that costs money. */
function endOf(action: Action, error: Failure): Failure {
  return isPaid(action) ? withCharge(error) : error;
}

export interface ConfirmationsOptions {
  ledger: Ledger;
  clock: Clock;
  tools: ToolIndex;
  log: NonNullable<GateOptions['log']>;
  /** The error of an action whose end could not be written yet. */
  unwritten: (id: string) => Failure | undefined;
  /** The address where a person may decide about an action; undefined if the page is not served or not allowed. */
  pageUrl: (id: string) => string | undefined;
}

/** The current state of actions for readers, and the listeners for changes. */
export class Confirmations {
  readonly #options: ConfirmationsOptions;
  readonly #listeners = new Set<(action: Action) => void>();

  constructor(options: ConfirmationsOptions) {
    this.#options = options;
  }

  /** The action for readers: if its end could not be written yet, it counts as unknown. */
  async current(id: string): Promise<Action | undefined> {
    const action = await this.#options.ledger.get(id);
    return action && this.#withUnwrittenEnd(action);
  }

  #withUnwrittenEnd(action: Action): Action {
    const error = action.state === 'in_flight' ? this.#options.unwritten(action.id) : undefined;
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
    if (action.state !== 'pending' || action.expiresAt > this.#options.clock.now()) return action;
    await this.expire(id);
    return (await this.#options.ledger.get(id)) ?? action;
  }

  /** Expires one action if its time is over. */
  async expire(id: string): Promise<void> {
    for (const action of await this.#options.ledger.expire(id)) this.changed(action);
  }

  /** Expires every action that is due. */
  async sweepExpired(): Promise<void> {
    for (const action of await this.#options.ledger.expire()) this.changed(action);
  }

  /** All that a reader may see of an action. */
  describe(given: Action): Confirmation {
    const action = this.#withUnwrittenEnd(given);
    const { consent } = action;
    const isRefused = action.state === 'declined' || action.state === 'expired';
    return {
      id: action.id,
      status: statusOf(action.state),
      summary: consent?.title ?? this.#options.tools.find(action.operation)?.title ?? action.operation,
      consequence: consent ? `${consent.consequence} ${consent.undo}` : '',
      expiresAt: new Date(action.expiresAt).toISOString(),
      ...defined({
        statement: consent?.statement,
        customer: factsOf(action).customer,
        numbers: consent?.orderNumbers,
        url: action.state === 'pending' ? this.#options.pageUrl(action.id) : undefined,
        decidedBy: decidedByOf(action),
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
    const action = this.#withUnwrittenEnd(given);
    for (const listener of this.#listeners) {
      try {
        listener(action);
      } catch (error) {
        this.#options.log(
          'error',
          { action: action.id, error: String(error) },
          'a listener failed to handle a changed action',
        );
      }
    }
  }
}
