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
  /** The action as it is now; rejects where there is none. */
  refresh: (id: string) => Action;
  /** Tells whoever shows the action that it has moved. */
  changed: (id: string) => void;
}

/** Every decision of a person passes here: the rules first, then the ledger, which knows who was first. */
export class Decisions {
  readonly #options: DecisionsOptions;

  constructor(options: DecisionsOptions) {
    this.#options = options;
  }

  /** Why this person may not decide about the action by this way; undefined where they may. */
  refusal(decision: Decision, action: Pick<Action, 'person'>, decider: Decider): Refusal | undefined {
    return refusalOf(decision, action.person, decider, this.#options.approval);
  }

  /** Throws `forbidden_by_role` where this person may not decide. */
  require(decision: Decision, action: Pick<Action, 'person'>, decider: Decider): void {
    const refusal = this.refusal(decision, action, decider);
    if (refusal) throw forbidden(refusal.message);
  }

  /**
   * A person's yes. Throws `forbidden_by_role` where it is not theirs to say, `not_confirmed` where somebody was faster,
   * it is too late or the question lacks a warning it would carry now, and `unavailable` where the record is not what
   * was asked for.
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
   * The same call may have been sent since the question was asked, and its outcome be unknown. Whoever confirms now has
   * not read that it may have been done already: the question is withdrawn, the next one says it.
   */
  #requireWarned(asked: Action): void {
    const { ledger, refresh, changed, toolOf } = this.#options;
    const told = factsOf(asked).doubted;
    const twin = ledger
      .sentTwins(asked.id)
      .map(({ id }) => refresh(id))
      .find(({ id, state }) => state === 'unknown' && !told.includes(id));
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

  /** A person's no. Throws as `confirm` does. */
  decline(id: string, decider: Decider): Action {
    const { ledger, refresh, changed } = this.#options;
    this.require('decline', refresh(id), decider);
    const declined = ledger.decline(id, recorded(decider));
    if (!declined) throw notConfirmed(refresh(id));
    changed(id);
    return declined;
  }

  /** Ends an action whose record does not prove what it claims: it is never run. Logged once, by whoever ends it. */
  distrust(id: string, flaw: string): SwitchboardError {
    const { ledger, changed, log } = this.#options;
    if (ledger.settle(id, { from: ['pending', 'confirmed'], state: 'failed', error: FACES.unsealed })) {
      log('error', { action: id, flaw }, 'an action was not run: its record in the ledger cannot be trusted');
      changed(id);
    }
    return new SwitchboardError(FACES.unsealed);
  }
}

/** A person as a decider by one way. */
export function deciderOf(person: Actor, way: Way): Decider {
  return { person: personOf(person), name: person.name, role: person.role, way };
}

/** As much of a decider as the ledger keeps. */
function recorded({ person, name, way }: Decider): DecidedBy {
  return { person, name, way };
}
