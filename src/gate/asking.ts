import type { Tool } from '../catalogue/operation.ts';
import { canonicalCall } from '../ledger/action.ts';
import { type Action, type Digests, type NewAction, TooManyOpen } from '../ledger/ledger.ts';
import { personOf } from '../lib/actor.ts';
import { after } from '../lib/clock.ts';
import { SwitchboardError } from '../lib/errors.ts';
import type { Fields } from '../lib/values.ts';
import { type Decider, forbidden, nobodyCan, reasonText } from './approval.ts';
import { exclusiveOf, keysOf, problemError } from './change.ts';
import {
  ALSO_ASKED,
  type Ask,
  GatePart,
  notConfirmed,
  type Performed,
  REPLACED_BY,
  requestOf,
  withWarning,
} from './confirmation.ts';
import { type Decisions, deciderOf } from './decisions.ts';
import type { Dispatcher } from './dispatch.ts';
import { BATCH_RUN } from './frozen-batch.ts';
import type { BuiltJob, Preparation } from './prepare.ts';
import { differenceOf, type Earlier, factsOf } from './question.ts';
import type { ActionStates } from './states.ts';
import { traitsOf } from './surfaces.ts';

/** Maximum number of questions of one requester that may wait for a person. */
const MOST_OPEN = 50;

/** The question about a call: a new one, or one that waits. */
export interface FoundQuestion {
  action: Action;
  /** False for the question of another requester. */
  isOwn: boolean;
  /** True for a question that an earlier call of this requester asked. */
  isRepeat?: boolean;
  /** True for a question that this person asked by another surface, and which is answered there. */
  isElsewhere?: boolean;
  /** Ids of the questions that it takes the place of. */
  replaced?: readonly string[];
}

/** A call that a person must confirm. */
export interface AskRequest {
  job: BuiltJob;
  /** Identify repeats of this call. */
  digests: Digests;
  /** Earlier calls like this one. */
  earlier: Earlier;
}

/** Asks a person to confirm calls, and runs those that the user of the caller confirms at once. */
export class Asking extends GatePart<{
  preparation: Preparation;
  decisions: Decisions;
  dispatcher: Dispatcher;
  states: ActionStates;
}> {
  /**
   * The waiting question for this call, or a new one. The caller keeps other calls for the same numbers out meanwhile.
   * Throws if nobody could confirm it.
   */
  async question(request: AskRequest): Promise<FoundQuestion> {
    const { preparation, decisions, approval } = this.parts;
    const { job, earlier } = request;
    const { change, checked } = job.built;
    const requester = personOf(job.actor);
    const decider = deciderFor(job);
    // Checked first, because a preparing step may make a call that the platform records.
    const nobody = nobodyCan(requester, decider, approval, change.level);
    if (nobody) throw nobody;
    const asked = { person: requester, known: { ...checked.known, change } };
    if (job.unasked && decider && !decisions.refusal('confirm', asked, decider))
      throw job.unasked(await preparation.preview(job, earlier));
    const { same } = earlier;
    const isElsewhere = same !== undefined && same.actorId !== job.actor.id;
    if (same && isCurrent(same, job) && warnsOf(same, earlier))
      return { action: same, isOwn: true, isRepeat: job.tool.id !== BATCH_RUN, isElsewhere };
    if (checked.problem) throw problemError(checked.problem);
    const replaced = await this.#replacedBy(job, same);
    const conflict = await preparation.conflictOf(job, replaced);
    // The same question of another requester is shown instead of asked again.
    if (conflict?.same && conflict.action.state === 'pending') return { action: conflict.action, isOwn: false };
    if (conflict) throw preparation.conflictError(job, conflict);
    return { action: await this.#newQuestion(request, replaced), isOwn: true, replaced };
  }

  /** Asks the user of the caller, if they may decide, and runs the call. Otherwise the question waits. */
  async answer(job: BuiltJob, { action, isOwn, isRepeat, isElsewhere, replaced }: FoundQuestion): Promise<Performed> {
    if (!isOwn) {
      // From now on, this requester may read the state of the other one's question.
      const { ledger, states } = this.parts;
      await ledger.notes.merge(action.id, ALSO_ASKED, { [personOf(job.actor)]: true });
      return { kind: 'pending', action, confirmation: { ...states.describe(action), ...requestOf(action) } };
    }
    if (job.signal?.aborted) await this.#withdraw(action);
    const decider = deciderFor(job);
    // A person who may not decide is not asked. The action waits for one who may.
    if (!job.ask || !decider || this.parts.decisions.refusal('confirm', action, decider))
      return this.#pending(action, isRepeat, replaced);
    // One wish has one yes: that of the terminal is for the question which waits on another surface.
    return this.#askNow(job, job.ask, action, { decider, keeps: isElsewhere });
  }

  #pending(action: Action, isRepeat = false, replaced: readonly string[] = []): Performed {
    const confirmation = this.parts.states.describe(action);
    const repeat = isRepeat ? { isRepeat, requestedAt: requestOf(action).requestedAt } : {};
    const replaces = replaced.length === 0 ? {} : { replaces: replaced };
    return { kind: 'pending', action, confirmation: { ...confirmation, ...repeat, ...replaces } };
  }

  /** @param keeps true for a question of another surface, which a break in the terminal leaves waiting */
  async #askNow(
    job: BuiltJob,
    ask: Ask,
    action: Action,
    { decider, keeps = false }: { decider: Decider; keeps?: boolean | undefined },
  ): Promise<Performed> {
    const { clock, decisions, dispatcher, states } = this.parts;
    job.onWait?.('person', Math.max(0, Math.round((action.expiresAt - clock.now()) / 1000)));
    const answer = await this.#answerOf(action, ask, job.signal);
    if (job.signal?.aborted && !keeps) await this.#withdraw(action);
    if (answer === 'unavailable') return this.#pending(action);
    if (answer === 'expired' || clock.now() >= action.expiresAt) throw notConfirmed(await states.refresh(action.id));
    if (answer === 'cancel' && keeps) return this.#pending(action, true);
    if (answer === 'cancel') await this.#withdraw(action);
    if (answer === 'decline') throw notConfirmed(await decisions.decline(action.id, decider));
    const confirmed = await decisions.confirm(action.id, decider);
    states.step('confirmed', action.id);
    return dispatcher.execute(confirmed, job.actor, job);
  }

  /**
   * Ids of the waiting questions that this call replaces: the same call, if its question lacks a warning or shows a
   * record that has changed since; the requester's own calls of the same operation for the same records; and the one
   * that is being edited.
   */
  async #replacedBy({ tool, input, actor, replaces }: BuiltJob, twin: Action | undefined): Promise<string[]> {
    const { ledger } = this.parts;
    const edited = replaces === undefined ? undefined : await ledger.get(replaces);
    if (edited && edited.person !== personOf(actor)) throw forbidden('Only its requester can edit this question.');
    if (edited && edited.state !== 'pending') throw notConfirmed(edited);
    const target = targetKey(tool, input);
    const own = target === undefined ? [] : await ledger.open.pendingOf(actor.id, tool.id);
    const same = own.filter(({ shown }) => targetKey(tool, shown) === target);
    return [...new Set([edited, twin, ...same].flatMap((action) => action?.id ?? []))];
  }

  /** Ends questions that another one replaces. Their pages lead to it, and they cannot be confirmed any more. */
  async #replace(ids: readonly string[], by: string): Promise<void> {
    const { ledger, states } = this.parts;
    for (const id of ids) {
      await ledger.notes.remember(id, { [REPLACED_BY]: by });
      const replaced = await ledger.decline(id, undefined, 'replaced');
      if (replaced) states.changed(replaced);
    }
  }

  /** Writes a question to the ledger: everything that will be sent, with the operation's consent text. */
  async #newQuestion({ job, digests, earlier }: AskRequest, replaced: readonly string[]): Promise<Action> {
    const { ledger, clock, redactor, preparation, states, confirmSeconds } = this.parts;
    const { tool, input, actor, notes } = job;
    // A preparing step may make a call that the platform records, so this is checked first.
    await withinLimit(() => ledger.open.requireRoom(actor.id, MOST_OPEN + replaced.length));
    const stages: string[] = [];
    const question = await preparation.question({ ...job, onStage: (id) => void stages.push(id) }, earlier, {
      replaced,
    });
    const fresh: NewAction = {
      operation: tool.id,
      actorId: actor.id,
      actorName: actor.name,
      person: personOf(actor),
      surface: actor.surface,
      state: 'pending',
      input,
      given: job.given,
      shown: redactor.omit(input),
      known: redactor.omit(question.known),
      consent: withWarning(question.consent, earlier.warning),
      reason: reasonText(job.reason),
      digest: digests.given,
      fullDigest: digests.full,
      exclusive: exclusiveOf(tool, input, question.known),
      holds: job.holds,
      mostOpen: MOST_OPEN,
      expiresAt: Math.min(clock.now() + confirmSeconds * 1000, question.expiresAt),
      notes,
    };
    const id = ledger.newId();
    await this.#replace(replaced, id);
    const action = await withinLimit(() => ledger.create(fresh, id));
    for (const stage of stages) await ledger.joinTo(action.id, stage);
    states.step('asked', action.id);
    states.changed(action);
    return action;
  }

  /** The person's answer; `expired` if the time is over or the caller cancelled first. */
  async #answerOf(action: Action, ask: Ask, signal: AbortSignal | undefined) {
    const { clock } = this.parts;
    const stop = new AbortController();
    const cancel = after(clock, action.expiresAt - clock.now(), () => stop.abort());
    const abort = () => stop.abort();
    signal?.addEventListener('abort', abort, { once: true });
    try {
      const late = new Promise<'expired'>((resolve) => stop.signal.addEventListener('abort', () => resolve('expired')));
      return await Promise.race([ask(action, stop.signal), late]);
    } finally {
      cancel();
      signal?.removeEventListener('abort', abort);
    }
  }

  /** Withdraws a question whose caller cancelled. */
  async #withdraw(action: Action): Promise<never> {
    const { ledger, states } = this.parts;
    const withdrawn = await ledger.decline(action.id, undefined);
    if (withdrawn) states.changed(withdrawn);
    throw notConfirmed((await ledger.get(action.id)) ?? action);
  }
}

/** Runs a step, and turns `TooManyOpen` into an error for the requester. */
async function withinLimit<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof TooManyOpen)) throw error;
    throw new SwitchboardError({
      code: 'rate_limited',
      message: `${MOST_OPEN} of your requests already wait for a person, which is the limit.`,
      effect: 'nothing_sent',
      next: `Have some of them confirmed or declined first; the next one expires at ${new Date(error.until).toISOString()}.`,
      outcome: 'not_done',
    });
  }
}

/** The person whom the caller can ask at once; by default the user of the surface it came by. */
function deciderFor({ ask, decider, actor }: BuiltJob): Decider | undefined {
  return ask && (decider ?? deciderOf(actor, traitsOf(actor.surface).way));
}

/** True if a waiting question shows the records as they were read now. A read that fails now changes nothing. */
function isCurrent(waiting: Action, { tool, built }: BuiltJob): boolean {
  // Its texts name the lines in the order of the call that asked it, and the two calls say the same.
  const input = { ...built.input, ...waiting.shown };
  const difference = differenceOf(tool, waiting, { ...built, input });
  return difference === undefined || difference.unread !== undefined;
}

/** The records that a call changes, as one text; undefined for a call that names none, or adds something to one. */
function targetKey(tool: Tool, input: Fields): string | undefined {
  if (tool.adds) return undefined;
  if (tool.id === BATCH_RUN) return typeof input.Targets === 'string' ? input.Targets : undefined;
  const named = keysOf(tool).filter((name) => name !== 'AccountId' && input[name] !== undefined);
  return named.length === 0 ? undefined : canonicalCall(Object.fromEntries(named.map((name) => [name, input[name]])));
}

/** True if the question of a waiting action warns about these earlier calls, and of no outcome that is known by now. */
function warnsOf(waiting: Action, earlier: Earlier): boolean {
  const { doubted, warned } = factsOf(waiting);
  if (doubted.some((id) => !earlier.doubted.includes(id))) return false;
  return earlier.doubted.every((id) => doubted.includes(id)) && earlier.warned.every((id) => warned.includes(id));
}
