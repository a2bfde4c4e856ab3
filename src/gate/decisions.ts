import { batchedBy } from '../catalogue/change.ts';
import type { Action, ActionsView, DecidedBy, Flaw, State } from '../ledger/ledger.ts';
import { type Actor, personOf, type Way } from '../lib/actor.ts';
import { POLL_MS, sleep, systemClock } from '../lib/clock.ts';
import { type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined, quote, words } from '../lib/values.ts';
import { type Decider, type Decision, forbidden, type Refusal, reasonText, refusalOf } from './approval.ts';
import { FACES, GatePart, isEnded, isPaid, MOST_WAITING, notConfirmed, withCharge } from './confirmation.ts';
import { operationOf } from './frozen-batch.ts';
import { factsOf, foundDone, sentMeanwhile } from './question.ts';
import type { ActionStates, Ends } from './states.ts';

type Asked = Pick<Action, 'person' | 'known'>;

/** Applies decisions: checks the rules, then writes to the ledger, where the first decision wins. */
export class Decisions extends GatePart<{
  states: ActionStates;
  ends: Ends;
}> {
  /** The reason why this person may not decide about the action by this way; undefined if they may. */
  refusal(decision: Decision, action: Asked, decider: Decider): Refusal | undefined {
    return refusalOf(decision, action, decider, this.parts.approval);
  }

  /** Throws `forbidden_by_role` if this person may not decide. */
  require(decision: Decision, action: Asked, decider: Decider): void {
    const refusal = this.refusal(decision, action, decider);
    if (refusal) throw forbidden(refusal.message);
  }

  /**
   * Records a person's yes. Rejects with `forbidden_by_role` if this person may not decide, `not_confirmed` if another
   * decision came first, it is too late, its requester may not ask for it any more, or what the question says of the same
   * call is no longer true (`sentMeanwhile`), and `unavailable` if the record does not prove what was requested, the
   * requester cannot be looked up or the ledger cannot be written.
   */
  async confirm(id: string, decider: Decider): Promise<Action> {
    const { ledger, states, ends, tools } = this.parts;
    const asked = await states.refresh(id);
    this.require('confirm', asked, decider);
    if (asked.state !== 'pending') throw notConfirmed(asked);
    await this.#requireRequester(asked);
    for (const doubted of factsOf(asked).doubted) {
      const earlier = await states.current(doubted);
      if (earlier && isEnded(earlier)) throw await this.#end(asked, foundDone(earlier));
    }
    const refuses = (twins: Action[]) =>
      sentMeanwhile(
        asked,
        twins.map((twin) => states.asKnown(twin)),
        tools.get(asked.operation),
      );
    const list = batchedBy(tools.get(asked.operation))?.list;
    const decided = await ends.orAbandon(id, () => ledger.confirm(id, recorded(decider), refuses, list));
    if (decided === undefined) {
      const now = await states.refresh(id);
      const flaw = now.state === 'pending' ? await ledger.flaw(id) : undefined;
      throw flaw === undefined ? notConfirmed(now) : await this.distrust(id, flaw);
    }
    if ('refused' in decided) throw await this.#end(asked, decided.refused);
    states.changed(decided.confirmed);
    return decided.confirmed;
  }

  /** Ends a question whose requester may not ask for it any more. */
  async #requireRequester(asked: Action): Promise<void> {
    const { tools, requesters } = this.parts;
    const why = await requesters.refusal(asked, tools.get(operationOf(asked)));
    if (why === undefined) return;
    throw await this.#end(asked, {
      code: 'not_confirmed',
      reason: 'changed',
      message: words`${quote(asked.actorName)} asked for this and may not ask for it any more: ${why}.`,
      effect: 'nothing_sent',
      next: 'Somebody who may can ask for it again.',
      outcome: 'not_done',
    });
  }

  /** Ends the questions that warn that the outcome of this call is unknown, once it was found done. */
  async outdate(earlier: Action): Promise<void> {
    if (!isEnded(earlier)) return;
    const waiting = await this.parts.ledger.list({ states: ['pending'], limit: MOST_WAITING });
    for (const asked of waiting)
      if (factsOf(asked).doubted.includes(earlier.id)) await this.#end(asked, foundDone(earlier));
  }

  async #end(asked: Action, face: Failure): Promise<SwitchboardError> {
    const { ledger, states } = this.parts;
    const error = isPaid(asked) ? withCharge(face) : face;
    const failed = await ledger.settle(asked.id, { from: ['pending'], state: 'failed', error });
    if (failed) states.changed(failed);
    return failed ? new SwitchboardError(error) : notConfirmed(await states.refresh(asked.id));
  }

  /** Records that a person declined. Rejects with the same errors as `confirm`. */
  async decline(id: string, decider: Decider): Promise<Action> {
    const { ledger, states } = this.parts;
    this.require('decline', await states.refresh(id), decider);
    const declined = await ledger.decline(id, recorded(decider));
    if (!declined) throw notConfirmed(await states.refresh(id));
    states.changed(declined);
    return declined;
  }

  /**
   * Withdraws a question in the name of its requester. No person has decided. Rejects with `forbidden_by_role` for
   * any other person, with `not_confirmed` if it ended without a yes, and with `invalid_input` if it was confirmed.
   */
  async withdraw(id: string, requester: string): Promise<Action> {
    const { ledger, states } = this.parts;
    const asked = await states.refresh(id);
    if (asked.person !== requester) throw forbidden('Only its requester can withdraw this question.');
    const withdrawn = await ledger.decline(id, undefined);
    if (!withdrawn) throw tooLate(notConfirmed(await states.refresh(id)));
    states.changed(withdrawn);
    return withdrawn;
  }

  /** Fails an action whose record has no valid proof, or is of a time to come. Only the process that changes the state writes the log line. */
  async distrust(id: string, { why, detail }: Flaw): Promise<SwitchboardError> {
    const { ledger, states, log } = this.parts;
    const error = why === 'clock' ? FACES.clockSetBack : FACES.unsealed;
    const failed = await ledger.settle(id, { from: ['pending', 'confirmed'], state: 'failed', error });
    if (failed) {
      log('error', { action: id, flaw: detail }, 'an action was not run: its record in the ledger cannot be trusted');
      states.changed(failed);
    }
    return new SwitchboardError(error);
  }
}

/** A confirmed question cannot be withdrawn. The end of its action is not that of this call. */
function tooLate(error: SwitchboardError): SwitchboardError {
  const { follow: _, ...face } = error.face;
  if (face.reason !== undefined) return error;
  return new SwitchboardError({ ...face, code: 'invalid_input', field: 'id', outcome: 'not_done' }, { cause: error });
}

/** A person who decides by this way. */
export function deciderOf(person: Actor, way: Way, reason?: string): Decider {
  return { person: personOf(person), name: person.name, role: person.role, way, reason: reasonText(reason) };
}

/** The part of a decider that the ledger records. */
function recorded({ person, name, way, reason }: Decider): DecidedBy {
  return { person, name, way, ...defined({ reason }) };
}

/**
 * Waits while an action is in one of these states. The ledger is read again and again, because a person may decide in
 * another process.
 *
 * @param options.signal ends the wait
 * @param options.ms ends the wait after this time
 * @returns the state in which the action is then; undefined if the ledger does not have it
 */
export async function whileIn(
  states: readonly State[],
  id: string,
  gate: { actions: Pick<ActionsView, 'get'>; onChange: (listener: (action: Action) => void) => () => void },
  options: { signal: AbortSignal; ms?: number },
): Promise<State | undefined> {
  const { signal } = options;
  const until = options.ms === undefined ? Number.POSITIVE_INFINITY : Date.now() + options.ms;
  let wake = new AbortController();
  const stop = gate.onChange((action) => {
    if (action.id === id) wake.abort();
  });
  try {
    for (;;) {
      wake = new AbortController();
      const state = (await gate.actions.get(id))?.state;
      if (state === undefined || !states.includes(state)) return state;
      if (signal.aborted || Date.now() >= until) return state;
      await sleep(systemClock, POLL_MS, [signal, wake.signal]);
    }
  } finally {
    stop();
  }
}
