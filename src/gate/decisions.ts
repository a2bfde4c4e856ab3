import { makesAnew } from '../catalogue/change.ts';
import { mayResend } from '../catalogue/operation.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action, ActionsView, AlsoWritten, DecidedBy, Flaw, State } from '../ledger/ledger.ts';
import { type Actor, personOf, type Way } from '../lib/actor.ts';
import { sleep, systemClock } from '../lib/clock.ts';
import { POLL_MS } from '../lib/durations.ts';
import { type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined } from '../lib/json.ts';
import { quote, words } from '../lib/words.ts';
import { type Decider, type Decision, forbidden, type Refusal, reasonText, refusalOf } from './approval.ts';
import { FACES, type GateParts, isEnded, isPaid, MOST_WAITING, notConfirmed, withCharge } from './confirmation.ts';
import { operationOf } from './frozen-batch.ts';
import { factsOf } from './question.ts';
import type { ActionStates, Ends } from './states.ts';

type Asked = Pick<Action, 'person' | 'known'>;

type DecisionsOptions = GateParts & {
  states: ActionStates;
  ends: Ends;
};

/** Applies decisions: checks the rules, then writes to the ledger, where the first decision wins. */
export class Decisions {
  readonly #options: DecisionsOptions;

  constructor(options: DecisionsOptions) {
    this.#options = options;
  }

  /** The reason why this person may not decide about the action by this way; undefined if they may. */
  refusal(decision: Decision, action: Asked, decider: Decider): Refusal | undefined {
    return refusalOf(decision, action, decider, this.#options.approval);
  }

  /** Throws `forbidden_by_role` if this person may not decide. */
  require(decision: Decision, action: Asked, decider: Decider): void {
    const refusal = this.refusal(decision, action, decider);
    if (refusal) throw forbidden(refusal.message);
  }

  /**
   * Records a person's yes. Rejects with `forbidden_by_role` if this person may not decide, `not_confirmed` if another
   * decision came first, it is too late, its requester may not ask for it any more, the same call was sent meanwhile or
   * the question lacks a warning it would carry now, and `unavailable` if the record does not prove what was requested,
   * the requester cannot be looked up or the ledger cannot be written.
   */
  async confirm(id: string, decider: Decider): Promise<Action> {
    const { ledger, states, ends } = this.#options;
    const asked = await states.refresh(id);
    this.require('confirm', asked, decider);
    if (asked.state !== 'pending') throw notConfirmed(asked);
    await this.#requireRequester(asked);
    await this.#requireWarned(asked);
    await this.#requireDoubt(asked);
    const confirmed = await ends.orAbandon(id, () => ledger.confirm(id, recorded(decider), this.#blocking(asked)));
    if (!confirmed) {
      const now = await states.refresh(id);
      const flaw = now.state === 'pending' ? await ledger.flaw(id) : undefined;
      if (flaw !== undefined) throw await this.distrust(id, flaw);
      // The same call was confirmed at the same time.
      if (now.state === 'pending') await this.#requireWarned(asked);
      throw notConfirmed(now);
    }
    states.changed(confirmed);
    return confirmed;
  }

  /** Ends a question whose requester may not ask for it any more. */
  async #requireRequester(asked: Action): Promise<void> {
    const { tools, requesters } = this.#options;
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

  /**
   * Tells whether a call that was sent after this question was asked has done its work. Undefined for a question that
   * rests on a record, which shows what was done and is compared when the change is built again.
   */
  #blocking(asked: Action): ((twin: Action) => boolean) | undefined {
    const change = changeOf(asked);
    const tool = this.#options.tools.find(asked.operation);
    if (change === undefined || tool === undefined || !makesAnew(change) || mayResend(tool, asked.shown))
      return undefined;
    return (twin) => twin.state !== 'unknown' && twin.state !== 'failed' && sentAt(twin) >= asked.createdAt;
  }

  /**
   * Ends a question if the same call was sent after it was asked, because the person who confirms was not told: the work
   * was done already, is being done, or has an unknown outcome.
   */
  async #requireWarned(asked: Action): Promise<void> {
    const { ledger, states, tools } = this.#options;
    const named = factsOf(asked).doubted;
    const twins = await Promise.all((await ledger.open.sentTwins(asked.id)).map(({ id }) => states.refresh(id)));
    if (twins.length === 0 || mayResend(tools.get(asked.operation), asked.shown)) return;
    const blocks = this.#blocking(asked);
    const sent = blocks && twins.find(blocks);
    const twin = twins.find(({ id, state }) => state === 'unknown' && !named.includes(id));
    if (twin === undefined) {
      if (sent !== undefined) throw await this.#repeated(asked, sent);
      return;
    }
    const withdrawn = await ledger.decline(asked.id, undefined);
    if (withdrawn) states.changed(withdrawn);
    const at = new Date(twin.sentAt ?? twin.createdAt).toISOString();
    throw new SwitchboardError({
      code: 'not_confirmed',
      message: `The same call was sent at ${at} for ${twin.actorName} (${twin.id}) after this was asked, and its outcome is unknown: it may have been done already. This question does not say so and was withdrawn.`,
      effect: 'nothing_sent',
      next: 'Check, then ask again: the new question carries the warning.',
      outcome: 'not_done',
      reason: 'replaced',
    });
  }

  /**
   * Ends a question that warns of an earlier call of unknown outcome, if that call has been found done since: what the
   * question says is no longer true, and a yes would do the work a second time.
   */
  async #requireDoubt(asked: Action): Promise<void> {
    for (const id of factsOf(asked).doubted) {
      const earlier = await this.#options.states.current(id);
      if (earlier && isEnded(earlier)) throw await this.#outdate(asked, earlier);
    }
  }

  /** Ends the questions that warn that the outcome of this call is unknown, once it was found done. */
  async outdate(earlier: Action): Promise<void> {
    if (!isEnded(earlier)) return;
    const waiting = await this.#options.ledger.list({ states: ['pending'], limit: MOST_WAITING });
    for (const asked of waiting) if (factsOf(asked).doubted.includes(earlier.id)) await this.#outdate(asked, earlier);
  }

  /** Fails a question whose call was made again, and sent, while it waited. */
  #repeated(asked: Action, twin: Action): Promise<SwitchboardError> {
    const how = twin.state === 'partly' ? 'partly done' : twin.state === 'done' ? 'done' : 'sent, and is running now';
    return this.#end(asked, {
      code: 'not_confirmed',
      reason: 'changed',
      message: `After this was asked, the same call of ${twin.actorName} was ${how} (${twin.id}, sent at ${new Date(sentAt(twin)).toISOString()}).`,
      effect: 'nothing_more_sent',
      next: 'Ask for it again only if it is to be done a second time.',
      outcome: 'not_done',
    });
  }

  #outdate(asked: Action, earlier: Action): Promise<SwitchboardError> {
    const how = earlier.state === 'partly' ? 'partly done' : 'done';
    return this.#end(asked, {
      code: 'not_confirmed',
      reason: 'changed',
      message: `The question said that the outcome of an earlier call is unknown. It is known now: the call that was sent at ${new Date(sentAt(earlier)).toISOString()} (${earlier.id}) was ${how}.`,
      effect: 'nothing_sent',
      next: 'Ask for it again only if it is to be done a second time.',
      outcome: 'not_done',
    });
  }

  async #end(asked: Action, face: Failure): Promise<SwitchboardError> {
    const { ledger, states } = this.#options;
    const error = isPaid(asked) ? withCharge(face) : face;
    const failed = await ledger.settle(asked.id, { from: ['pending'], state: 'failed', error });
    if (failed) states.changed(failed);
    return failed ? new SwitchboardError(error) : notConfirmed(await states.refresh(asked.id));
  }

  /** Records that a person declined. Rejects with the same errors as `confirm`. `also`: see `Ledger.decline`. */
  async decline(id: string, decider: Decider, also?: AlsoWritten): Promise<Action> {
    const { ledger, states } = this.#options;
    this.require('decline', await states.refresh(id), decider);
    const declined = await ledger.decline(id, recorded(decider), undefined, also);
    if (!declined) throw notConfirmed(await states.refresh(id));
    states.changed(declined);
    return declined;
  }

  /**
   * Withdraws a question in the name of its requester. No person has decided. Rejects with `forbidden_by_role` for
   * any other person, with `not_confirmed` if it ended without a yes, and with `invalid_input` if it was confirmed.
   */
  async withdraw(id: string, requester: string): Promise<Action> {
    const { ledger, states } = this.#options;
    const asked = await states.refresh(id);
    if (asked.person !== requester) throw forbidden('Only its requester can withdraw this question.');
    const withdrawn = await ledger.decline(id, undefined);
    if (!withdrawn) throw tooLate(notConfirmed(await states.refresh(id)));
    states.changed(withdrawn);
    return withdrawn;
  }

  /** Fails an action whose record has no valid proof, or is of a time to come. Only the process that changes the state writes the log line. */
  async distrust(id: string, { why, detail }: Flaw): Promise<SwitchboardError> {
    const { ledger, states, log } = this.#options;
    const error = why === 'clock' ? FACES.clockSetBack : FACES.unsealed;
    const failed = await ledger.settle(id, { from: ['pending', 'confirmed'], state: 'failed', error });
    if (failed) {
      log('error', { action: id, flaw: detail }, 'an action was not run: its record in the ledger cannot be trusted');
      states.changed(failed);
    }
    return new SwitchboardError(error);
  }
}

/** Epoch ms. A confirmed call is sent next. */
function sentAt({ sentAt: at, decidedAt, createdAt }: Action): number {
  return at ?? decidedAt ?? createdAt;
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
