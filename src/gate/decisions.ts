import { batchedBy, withNames } from '../catalogue/change.ts';
import { changeOf, levelOfAction } from '../ledger/action.ts';
import type { Action, ActionsView, Also, End, Flaw, State } from '../ledger/ledger.ts';
import { standingOf } from '../ledger/lookups.ts';
import { type Actor, personOf, type Way } from '../lib/actor.ts';
import { POLL_MS, sleep, systemClock } from '../lib/clock.ts';
import { type Failure, SwitchboardError } from '../lib/errors.ts';
import { defined, quote, words } from '../lib/values.ts';
import { type Decider, type Decision, forbidden, type Refusal, reasonText, refusalOf } from './approval.ts';
import {
  type Confirmation,
  decidedByOf,
  FACES,
  GatePart,
  isEnded,
  isPaid,
  notConfirmed,
  operationOf,
  type Performed,
  statusOf,
  withCharge,
} from './confirmation.ts';
import { factsOf, foundDone, sentMeanwhile } from './question.ts';

/**
 * The current state of actions for readers, the listeners for changes, and the ends that are written. If an end cannot be
 * written, the action counts as unknown at once, so that it does not appear to be running, and the write is retried until it
 * succeeds.
 */
export class ActionStates extends GatePart {
  readonly #listeners = new Set<(action: Action) => void>();
  /** Changes that this process sends, by action id. */
  readonly running = new Map<string, Promise<Performed>>();
  /** Ends that could not be written yet, and their errors, by action id. */
  readonly unwritten = new Map<string, { end: End; error: Failure }>();

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
    const error = action.state === 'in_flight' ? this.unwritten.get(action.id)?.error : undefined;
    return error ? { ...action, state: 'unknown', error } : action;
  }

  /** The action as it is now, expired first if its time is over. Rejects with `not_found`. */
  async refresh(id: string): Promise<Action> {
    const action = await this.current(id);
    if (!action)
      throw new SwitchboardError({
        code: 'not_found',
        message: `There is no confirmation ${id}.`,
        outcome: 'not_done',
      });
    if (action.state !== 'pending' || action.expiresAt > this.parts.clock.now()) return action;
    await this.expire(id);
    return (await this.parts.ledger.get(id)) ?? action;
  }

  /** Expires an action if its time is over. */
  async expire(id: string): Promise<void> {
    this.changed(await this.parts.ledger.expire(id));
  }

  /** All that a reader may see of an action. */
  describe(given: Action): Confirmation {
    const action = this.asKnown(given);
    const { consent } = action;
    const { tools } = this.parts;
    const change = changeOf(action);
    const isRefused = action.state === 'declined' || action.state === 'expired';
    const { how, headline } = standingOf(action, tools.find(action.operation), this.parts.clock.now());
    const stored = action.error && isPaid(action) ? withCharge(action.error) : action.error;
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
        headline: action.state !== 'done' || how === 'done' || how === 'begun' ? undefined : headline,
        result: action.result,
        error: isRefused ? notConfirmed(action).face : stored,
      }),
    };
  }

  /** Returns a function that removes the listener. */
  onChange(listener: (action: Action) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Notifies every listener of an action as it is now; undefined if it has not changed. An error in one listener does not
   * affect the others.
   */
  changed(given: Action | undefined): void {
    if (given === undefined) return;
    const action = this.asKnown(given);
    for (const listener of this.#listeners) {
      try {
        listener(action);
      } catch (error) {
        const fields = { action: action.id, error: String(error) };
        this.parts.log('error', fields, 'a listener failed to handle a changed action');
      }
    }
  }

  /** Notifies the listeners of a change that the ledger has written. Throws what the action is now if it has written none. */
  async requireChanged(id: string, written: Action | undefined): Promise<Action> {
    if (!written) throw notConfirmed(await this.refresh(id));
    this.changed(written);
    return written;
  }

  /**
   * Writes the end of a call that was answered. Rejects with a `SwitchboardError` with outcome `unknown` if the ledger cannot
   * be written. The action then counts as unknown, and the write is retried in the background.
   */
  async write(id: string, end: End): Promise<void> {
    try {
      await this.#settle(id, end);
    } catch (error) {
      // The end itself cannot be serialised (too deep, or not a JSON value), so that a retry cannot succeed.
      if (error instanceof RangeError || error instanceof TypeError) throw await this.lost(id, error, end.written);
      const failure = lostAnswer('record', error);
      this.#retry(id, end, failure.face, error);
      throw failure;
    }
  }

  /** Marks an action as unknown whose answer could not be processed. Never rejects, and returns the error for the caller. */
  async lost(id: string, cause: unknown, written: End['written']): Promise<SwitchboardError> {
    const failure = lostAnswer('process', cause);
    await this.record(id, { from: ['in_flight'], fenced: true, state: 'unknown', error: failure.face, written });
    return failure;
  }

  /** Writes the end of a call that failed. Never rejects, so that the caller gets the call's error, not the ledger's. */
  async record(id: string, end: End & { error: Failure }): Promise<void> {
    await this.#settle(id, end).catch((error: unknown) => this.#retry(id, end, end.error, error));
  }

  async #settle(id: string, end: End): Promise<void> {
    // The answer itself also settles an action that another process has meanwhile marked unknown.
    const from: End['from'] = end.state === 'unknown' ? end.from : [...end.from, 'unknown'];
    const action = await this.parts.ledger.settle(id, { ...end, from });
    if (action) return this.changed(action);
    const ended = await this.parts.ledger.get(id);
    // An earlier attempt was written, and only its confirmation by the database was lost.
    if (ended?.state === end.state) return;
    const fields = { action: id, state: end.state };
    this.parts.log('error', fields, 'an answer arrived for an action that had already ended differently');
  }

  #retry(id: string, end: End, error: Failure, why: unknown): void {
    const { worker, log } = this.parts;
    log('error', { action: id, error: String(why) }, 'writing to the ledger failed and will be retried');
    this.unwritten.set(id, { end, error });
    worker.persist(async () => {
      const waiting = this.unwritten.get(id);
      if (waiting === undefined) return;
      await this.#settle(id, waiting.end);
      this.unwritten.delete(id);
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
      this.parts.worker.persist(async () => {
        const { ledger } = this.parts;
        await this.running.get(id)?.catch(() => undefined);
        if ((await ledger.get(id))?.owner !== ledger.ownerId) return;
        const end: End = { from: ['confirmed', 'in_flight'], fenced: true, state: 'failed', error: NOT_SENT };
        this.changed(await ledger.settle(id, end));
      });
      throw error;
    }
  }
}

const NOT_SENT: Failure = {
  code: 'unavailable',
  message: 'The database of Switchboard was not available when this was to be sent.',
  effect: 'nothing_done',
  next: 'Ask for it again.',
  outcome: 'not_done',
};

/** The error of a call whose answer came and was lost. It describes the first failure, even if more follow. */
function lostAnswer(step: 'process' | 'record', cause: unknown): SwitchboardError {
  const what = cause instanceof SwitchboardError ? cause.message.replace(/\.$/, '') : String(cause);
  const message = `The platform answered, but Switchboard could not ${step} the answer (${what.slice(0, 200)}).`;
  const detail = cause instanceof Error ? (cause.stack ?? what) : what;
  return new SwitchboardError(
    { code: 'server_error', message, effect: 'maybe_done', outcome: 'unknown' },
    { cause, detail },
  );
}

type Asked = Pick<Action, 'person' | 'known'>;

/** Applies decisions: checks the rules, then writes to the ledger, where the first decision wins. */
export class Decisions extends GatePart<{ states: ActionStates }> {
  /** The reason why this person may not decide about the action by this way; undefined if they may. */
  refusal(decision: Decision, action: Asked, decider: Decider): Refusal | undefined {
    const asked = { requester: action.person, level: levelOfAction(action) };
    return refusalOf(decision, asked, decider, this.parts.approval);
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
    const { ledger, states, tools, requesters } = this.parts;
    const asked = await states.refresh(id);
    this.require('confirm', asked, decider);
    if (asked.state !== 'pending') throw notConfirmed(asked);
    const why = await requesters.refusal(asked, tools.get(operationOf(asked)));
    if (why !== undefined)
      throw await this.#end(asked, {
        code: 'not_confirmed',
        reason: 'changed',
        message: words`${quote(asked.actorName)} asked for this and may not ask for it any more: ${why}.`,
        effect: 'nothing_sent',
        next: 'Somebody who may can ask for it again.',
        outcome: 'not_done',
      });
    for (const doubted of factsOf(asked).doubted) {
      const earlier = await states.current(doubted);
      if (earlier && isEnded(earlier)) throw await this.#end(asked, foundDone(earlier));
    }
    const tool = tools.get(asked.operation);
    const refuses = (twins: Action[]) => {
      const known = twins.map((twin) => states.asKnown(twin));
      return sentMeanwhile(asked, known, tool);
    };
    const list = batchedBy(tool)?.list;
    const decided = await states.orAbandon(id, () => ledger.confirm(id, decider, refuses, list));
    if (decided === undefined) {
      const now = await states.refresh(id);
      const flaw = now.state === 'pending' ? await ledger.flaw(id) : undefined;
      throw flaw === undefined ? notConfirmed(now) : await this.distrust(id, flaw);
    }
    if ('refused' in decided) throw await this.#end(asked, decided.refused);
    states.changed(decided.confirmed);
    return decided.confirmed;
  }

  async #end(asked: Action, face: Failure): Promise<SwitchboardError> {
    const { ledger, states } = this.parts;
    const error = isPaid(asked) ? withCharge(face) : face;
    await states.requireChanged(asked.id, await ledger.settle(asked.id, { from: ['pending'], state: 'failed', error }));
    return new SwitchboardError(error);
  }

  /** Records that a person declined. Rejects with the same errors as `confirm`. */
  async decline(id: string, decider: Decider, also?: Also): Promise<Action> {
    const { ledger, states } = this.parts;
    this.require('decline', await states.refresh(id), decider);
    return states.requireChanged(id, await ledger.decline(id, decider, also));
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
    states.changed(withdrawn);
    if (withdrawn) return withdrawn;
    const error = notConfirmed(await states.refresh(id));
    if (error.face.reason !== undefined) throw error;
    // A confirmed question cannot be withdrawn. The end of its action is not that of this call.
    const { follow: _, ...face } = error.face;
    throw new SwitchboardError({ ...face, code: 'invalid_input', field: 'id', outcome: 'not_done' }, { cause: error });
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

/** A person who decides by this way. */
export function deciderOf(person: Actor, way: Way, reason?: string): Decider {
  return { person: personOf(person), name: person.name, role: person.role, way, reason: reasonText(reason) };
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
  gate: { actions: Pick<ActionsView, 'get'> },
  { signal, ms = Number.POSITIVE_INFINITY }: { signal: AbortSignal; ms?: number },
): Promise<State | undefined> {
  for (const until = Date.now() + ms; ; await sleep(systemClock, POLL_MS, [signal])) {
    const state = (await gate.actions.get(id))?.state;
    if (state === undefined || !states.includes(state) || signal.aborted || Date.now() >= until) return state;
  }
}
