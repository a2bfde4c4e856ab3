import { mayResend, type Tool } from '../catalogue/operation.ts';
import { type Actor, personOf, type Way } from '../lib/actor.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { FACES, type GateOptions, notConfirmed } from './confirmation.ts';
import { type Approval, type Decider, type Decision, forbidden, type Refusal, refusalOf } from './decide.ts';
import { factsOf } from './facts.ts';
import type { Action, DecidedBy, Ledger } from './ledger/ledger.ts';

export interface DecisionsOptions {
  ledger: Ledger;
  approval: Approval;
  log: NonNullable<GateOptions['log']>;
  toolOf: (id: string) => Tool;
  /** The action as it is now. Throws if there is none. */
  refresh: (id: string) => Action;
  /** Notifies listeners that the action has changed. */
  changed: (id: string) => void;
}

/** Applies decisions: checks the rules, then writes to the ledger, where the first decision wins. */
export class Decisions {
  readonly #options: DecisionsOptions;

  constructor(options: DecisionsOptions) {
    this.#options = options;
  }

  /** Why this person may not decide about the action by this way; undefined if they may. */
  refusal(decision: Decision, action: Pick<Action, 'person'>, decider: Decider): Refusal | undefined {
    return refusalOf(decision, action.person, decider, this.#options.approval);
  }

  /** Throws `forbidden_by_role` if this person may not decide. */
  require(decision: Decision, action: Pick<Action, 'person'>, decider: Decider): void {
    const refusal = this.refusal(decision, action, decider);
    if (refusal) throw forbidden(refusal.message);
  }

  /**
   * A person confirms. Throws `forbidden_by_role` if this person may not decide, `not_confirmed` if another decision
   * came first, it is too late or the question lacks a warning it would carry now, and `unavailable` if the record does
   * not prove what was asked for.
   */
  confirm(id: string, decider: Decider): Action {
    const { ledger, refresh, changed } = this.#options;
    const asked = refresh(id);
    this.require('confirm', asked, decider);
    if (asked.state === 'pending') this.#requireWarned(asked);
    const confirmed = ledger.confirm(id, recorded(decider));
    if (!confirmed) {
      const now = refresh(id);
      const flaw = now.state === 'pending' ? ledger.flaw(id) : undefined;
      throw flaw === undefined ? notConfirmed(now) : this.distrust(id, flaw);
    }
    changed(id);
    return confirmed;
  }

  /**
   * Withdraws a question if the same call was sent after it was asked and has an unknown outcome, because the question
   * does not warn that the work may have been done already. The next question does.
   */
  #requireWarned(asked: Action): void {
    const { ledger, refresh, changed, toolOf } = this.#options;
    const named = factsOf(asked).doubted;
    const twin = ledger
      .sentTwins(asked.id)
      .map(({ id }) => refresh(id))
      .find(({ id, state }) => state === 'unknown' && !named.includes(id));
    if (twin === undefined || mayResend(toolOf(asked.operation), asked.shown)) return;
    ledger.decline(asked.id, undefined);
    changed(asked.id);
    const at = new Date(twin.sentAt ?? twin.createdAt).toISOString();
    throw new SwitchboardError({
      code: 'not_confirmed',
      message: `The same call was sent at ${at} for ${twin.actorName} (${twin.id}) after this was asked, and its outcome is unknown: it may have been done already. This question does not say so and was withdrawn; nothing was sent. Check, then ask again: the new question carries the warning.`,
      outcome: 'not_done',
      reason: 'cancelled',
    });
  }

  /** A person declines. Throws what `confirm` throws. */
  decline(id: string, decider: Decider): Action {
    const { ledger, refresh, changed } = this.#options;
    this.require('decline', refresh(id), decider);
    const declined = ledger.decline(id, recorded(decider));
    if (!declined) throw notConfirmed(refresh(id));
    changed(id);
    return declined;
  }

  /** Fails an action whose record has no valid proof. Only the process that changes its state logs it. */
  distrust(id: string, flaw: string): SwitchboardError {
    const { ledger, changed, log } = this.#options;
    if (ledger.settle(id, { from: ['pending', 'confirmed'], state: 'failed', error: FACES.unsealed })) {
      log('error', { action: id, flaw }, 'an action was not run: its record in the ledger cannot be trusted');
      changed(id);
    }
    return new SwitchboardError(FACES.unsealed);
  }
}

/** A person who decides by this way. */
export function deciderOf(person: Actor, way: Way): Decider {
  return { person: personOf(person), name: person.name, role: person.role, way };
}

/** The part of a decider that the ledger records. */
function recorded({ person, name, way }: Decider): DecidedBy {
  return { person, name, way };
}
