import type { Action, Ledger } from '../ledger/ledger.ts';
import type { Clock } from '../lib/clock.ts';
import { type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined } from '../lib/json.ts';
import type { Approval } from './approval.ts';
import { isPaid, withCharge } from './charges.ts';
import {
  type Confirmation,
  decidedByOf,
  type GateOptions,
  notConfirmed,
  type Performed,
  statusOf,
} from './confirmation.ts';
import { factsOf } from './question.ts';
import type { ToolIndex } from './tool-index.ts';

/** Adds the charge to the error of an action that costs money. */
function endOf(action: Action, error: Failure): Failure {
  return isPaid(action) ? withCharge(error) : error;
}

/** A durable step of an action. */
export type Step = 'asked' | 'confirmed' | 'sent' | 'answered' | 'settled';

export interface StatesOptions {
  ledger: Ledger;
  clock: Clock;
  tools: ToolIndex;
  approval: Approval;
  /** URL of the server with the confirmation pages; undefined if none are served. */
  pages: string | undefined;
  log: NonNullable<GateOptions['log']>;
}

/** The current state of actions for readers, and the listeners for changes. */
export class ActionStates {
  readonly #options: StatesOptions;
  readonly #listeners = new Set<(action: Action) => void>();
  readonly #stepListeners = new Set<(step: Step, id: string) => void>();
  /** Changes that this process sends, by action id. */
  readonly running = new Map<string, Promise<Performed>>();
  /** The errors of actions whose end could not be written yet. */
  readonly unwritten = new Map<string, Failure>();

  constructor(options: StatesOptions) {
    this.#options = options;
  }

  /** URL where a person may decide about an action; undefined if the page is not served, or CONFIRM_VIA has no `page`. */
  pageUrl(id: string): string | undefined {
    const { pages, approval } = this.#options;
    return pages !== undefined && approval.via.includes('page') ? `${pages}/confirm/${id}` : undefined;
  }

  /** The action for readers: if its end could not be written yet, it counts as unknown. */
  async current(id: string): Promise<Action | undefined> {
    const action = await this.#options.ledger.get(id);
    return action && this.#withUnwrittenEnd(action);
  }

  #withUnwrittenEnd(action: Action): Action {
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

  /** Calls the listener after every durable step of an action. */
  onStep(listener: (step: Step, id: string) => void): void {
    this.#stepListeners.add(listener);
  }

  /** A durable step of an action is done. */
  step(step: Step, id: string): void {
    for (const listener of this.#stepListeners) listener(step, id);
  }
}
