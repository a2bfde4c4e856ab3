import { withoutOwn } from '../catalogue/input.ts';
import { type Call, type Consent, isChange, type LocalHistory } from '../catalogue/operation.ts';
import { canonical } from '../ledger/action.ts';
import { sendKey } from '../ledger/later.ts';
import type { Action, Digests, End, NewAction, StoredSecret } from '../ledger/ledger.ts';
import { type Actor, personOf } from '../lib/actor.ts';
import { CLOCK_SKEW_MS, LONG_WAIT_MS } from '../lib/clock.ts';
import { asSwitchboardError, changed, type Failure, SwitchboardError, severity } from '../lib/errors.ts';
import { withoutUrlSecrets } from '../lib/hide.ts';
import { defined, type Fields } from '../lib/values.ts';
import { withholdActivation } from '../platform/dialect/redact.ts';
import type { Answers, ReadAnswer } from './answers.ts';
import { reasonText } from './approval.ts';
import { type Changes, exclusiveOf, problemError } from './change.ts';
import {
  GatePart,
  type Job,
  type JobContext,
  notConfirmed,
  type Performed,
  type PerformOptions,
  RENEWED,
} from './confirmation.ts';
import type { Decisions } from './decisions.ts';
import { withPartialHistory } from './partial-history.ts';
import { type Asked, changeDone, differenceError, differenceOf, factsOf } from './question.ts';
import type { OperationSecrets, Sender, Sent } from './sender.ts';
import type { ActionStates, Ends } from './states.ts';

const REPLACED =
  'The platform issued another PIN than the one that was sent. The one it issued is in force; it is shown to the person who confirmed.';

/** Maximum time for a call, from its start to its answer. */
export const DEADLINE_MS = 180_000;
/** The longest pause of the platform for which a person waits who only reads. */
const PATIENCE_MS = 30_000;
/** The patience of a caller with a read. Changes, assistants, batches and background work wait until their deadline. */
export function patienceOf({ priority }: Actor): { maxPauseMs?: number } {
  return priority === 'person' ? { maxPauseMs: PATIENCE_MS } : {};
}
/** Maximum time for the background's reads about one call. */
export const READS_MS = 45_000;
/** How often the change of one call is built again because it waited, before it is given up. */
const MOST_REBUILDS = 2;

/** A recorded job while it is sent. */
interface Flight {
  job: Job;
  action: Action;
  /** Secrets made for this call. */
  made: Record<string, string> | undefined;
  /** Epoch ms of the last byte sent. */
  writtenAt: number | undefined;
  /** Time (epoch ms) until which no other process takes the action over, as of the last read. */
  claimedUntil: number;
}

/** The secrets of an answer: one for the person who confirmed, and one that a later operation sends. */
interface EndSecrets {
  once: Record<string, string> | undefined;
  keep: StoredSecret | undefined;
}

/** Sends reads, and sends recorded changes and writes how they ended. */
export class Dispatcher extends GatePart<{
  answers: Answers;
  sender: Sender;
  secrets: OperationSecrets;
  changes: Changes;
  ends: Ends;
  states: ActionStates;
  decisions: Decisions;
}> {
  /** Resolves when no change sent by this process is under way. */
  async idle(): Promise<void> {
    const { running } = this.parts.states;
    while (running.size > 0) await Promise.allSettled(running.values());
  }

  /** Runs a read. Reads change nothing, so they are not recorded as actions, and go on while the database is away. */
  async read(job: Job): Promise<ReadAnswer> {
    const own = this.parts.history.of(job.actor);
    if (job.tool.kind === 'workflow' && job.tool.needsHistory) return this.#read(job, own);
    return withPartialHistory(own, (history) => this.#read(job, history));
  }

  async #read(job: Job, history: LocalHistory): Promise<ReadAnswer> {
    const { answers, redactor, sender } = this.parts;
    if (job.tool.kind === 'operation') {
      const sent = await sender.send(job.tool, job);
      const answer = answers.readOfRead(job, { ...sent, answer: withoutOwn(job.tool, sent.answer) });
      const { present } = job.tool;
      if (!present) return answer;
      return { ...answer, value: await present(answer.value, { input: job.input, history }) };
    }
    const answer = await job.tool.run(job.input, {
      call: this.calls({ ...job, confirmed: false }, history),
      known: {},
      tell: (sofar) => job.onPart?.(withholdActivation(redactor.omit(sofar))),
      history,
    });
    return answers.readOfRead(job, { answer, secrets: [] });
  }

  /**
   * Calls for a workflow or a check. They pass the same gate; gated calls run only within a confirmed action. `history`:
   * that of the read they are part of.
   */
  calls(context: JobContext, history?: LocalHistory): Call {
    return async (id, raw) => {
      const tool = this.parts.tools.get(id);
      const input = this.parts.tools.parse(tool, raw);
      const job: Job = { ...context, tool, input, given: input };
      if (tool.risk === 'read') return (await (history ? this.#read(job, history) : this.read(job))).value;
      if (isChange(tool) && !context.confirmed)
        throw new Error(`${id} is a change and may not run before a person confirmed`);
      const done = await this.run(job, this.parts.ledger.digests(id, input, input));
      return done.kind === 'done' ? done.value : {};
    };
  }

  /**
   * Runs a change that needs no separate confirmation: a step of a confirmed one, a row of a confirmed batch, or one
   * for which the owner waived it. It is written to the ledger before anything is sent.
   */
  async run(
    job: Job,
    digests: Digests,
    more: Pick<NewAction, 'batch'> & { known?: Fields; consent?: Consent } = {},
  ): Promise<Performed> {
    const { ledger, redactor, secrets, ends, states } = this.parts;
    const { tool, input, actor } = job;
    // The record of a stored secret holds the numbers of a cancel order, which are needed to read its outcome.
    const known = { ...(await secrets.require(tool, input))?.known, ...more.known };
    const id = ledger.newId();
    const fresh: NewAction = {
      operation: tool.id,
      actorId: actor.id,
      actorName: actor.name,
      person: personOf(actor),
      surface: actor.surface,
      state: 'in_flight',
      input,
      shown: redactor.omit(input),
      known,
      consent: more.consent,
      // A step is part of the change that was asked for, which has the reason.
      reason: job.partOf === undefined ? reasonText(job.reason) : undefined,
      digest: digests.given,
      fullDigest: digests.full,
      exclusive: exclusiveOf(tool, input, known),
      expiresAt: job.deadline,
      partOf: job.partOf,
      batch: more.batch,
      holds: job.holds,
    };
    const action = await ends.orAbandon(id, () => ledger.create(fresh, id));
    job.onStage?.(id);
    states.step('sent', id);
    return this.#track(action, this.#dispatch(job, action));
  }

  /** Claims a confirmed action and runs it to its end. An action whose record has no valid proof is failed instead. */
  execute(action: Action, actor: Actor, options: PerformOptions = {}): Promise<Performed> {
    return this.#track(action, this.#execute(action, actor, options));
  }

  async #execute({ id }: Action, actor: Actor, options: PerformOptions): Promise<Performed> {
    const { ledger, clock, tools, decisions, states, ends } = this.parts;
    const proven = await ends.orAbandon(id, () => ledger.confirmed(id));
    if ('flaw' in proven) {
      const now = await states.refresh(id);
      throw now.state === 'confirmed' ? await decisions.distrust(id, proven.flaw) : notConfirmed(now);
    }
    const { action, input, given } = proven;
    const tool = tools.get(action.operation);
    const job: Job = {
      ...options,
      tool,
      input,
      given,
      actor: { ...actor, priority: 'confirmed' },
      deadline: clock.now() + DEADLINE_MS,
      confirmed: true,
    };
    const { known, isStale } = await this.#requireUnchanged(job, action);
    const claimed = await ends.orAbandon(id, () => ledger.claim(id));
    if (!claimed) throw notConfirmed(await states.refresh(id));
    states.step('sent', id);
    states.changed(claimed);
    return this.#dispatch({ ...job, mayBegin: this.builtAgain(job, action, isStale) }, { ...action, known });
  }

  /**
   * For `mayBegin`: builds the change of a call again before an attempt that follows a pause, and ends the call if it is
   * another one by then.
   *
   * @param isStale of the records that it was built from
   */
  builtAgain(job: Job, asked: Asked, isStale: IsStale) {
    return rebuilding(isStale, async () => {
      const deadline = Math.min(job.deadline, this.parts.clock.now() + READS_MS);
      const { difference, isStale } = await this.#differenceNow({ ...job, deadline }, asked);
      if (difference) throw new SwitchboardError({ ...differenceError(difference, asked), effect: 'nothing_done' });
      return isStale;
    });
  }

  /** Compares the change of a call, built from the records as they are now, with the one that was asked about. */
  async #differenceNow(job: Job, asked: Asked) {
    const { changes, tools } = this.parts;
    const { tool, given } = job;
    const reads = this.reads({ ...job, confirmed: false });
    const now = await changes.build({ tool, input: tools.withAccount(tool, given), given }, job, reads.call);
    return { difference: differenceOf(tool, asked, now), isStale: reads.isStale };
  }

  /** Calls that read what one change rests on. */
  reads(context: JobContext): { call: Call; isStale: IsStale } {
    const { clock } = this.parts;
    let firstAt = Number.POSITIVE_INFINITY;
    let lastAt = Number.POSITIVE_INFINITY;
    let hasWaited = false;
    const call: Call = async (id, input) => {
      const from = clock.now();
      let waits = false;
      const onWait: JobContext['onWait'] = (why, seconds) => {
        waits = true;
        context.onWait?.(why, seconds);
      };
      const answer = await this.calls({ ...context, onWait })(id, input);
      lastAt = clock.now();
      if (waits && lastAt - Math.max(from, firstAt) > LONG_WAIT_MS) hasWaited = true;
      firstAt = Math.min(firstAt, lastAt);
      return answer;
    };
    return { call, isStale: () => hasWaited || clock.now() - lastAt > LONG_WAIT_MS };
  }

  /**
   * Requests the stored secret of a confirmed action again (an AuthCode), because it may have ended meanwhile, by the
   * platform's clock. The new one counts only for the same statement and numbers.
   */
  async #renew(job: Job, action: Action): Promise<void> {
    const { secrets, clock } = this.parts;
    const { tool, input } = job;
    const takes = tool.kind === 'operation' ? tool.takes : undefined;
    const request = takes?.renew(action.known);
    if (takes === undefined || request === undefined) return;
    const calls = this.calls({ ...job, deadline: clock.now() + READS_MS, confirmed: false, partOf: action.id });
    const answer = await calls(takes.from, request);
    await this.#foundAgain(job, action, answer);
    await secrets.replace(takes, input, answer);
  }

  /** Fails a confirmed action that is not sent. Returns the error for the caller. */
  async #fail(action: Action, error: SwitchboardError): Promise<SwitchboardError> {
    const { ledger, states, ends } = this.parts;
    const face: Failure = { ...error.face, outcome: 'not_done' };
    const failed = await ends.orAbandon(action.id, () =>
      ledger.settle(action.id, { from: ['confirmed'], state: 'failed', error: face }),
    );
    if (!failed) return notConfirmed(await states.refresh(action.id));
    states.changed(failed);
    return new SwitchboardError(face, { cause: error });
  }

  /**
   * Requests a stored secret again and builds the change again. If it differs from the one that was confirmed, or its
   * records cannot be read, the action fails and nothing is sent. A workflow's preparing step runs again, because what it
   * fetched may have ended.
   *
   * @returns the facts for the steps that follow
   */
  async #requireUnchanged(job: Job, action: Action): Promise<{ known: Fields; isStale: IsStale }> {
    const found = await this.#renew(job, action)
      .then(() => this.#factsNow(job, action))
      .catch((failure: unknown) => asSwitchboardError(failure));
    if (found instanceof SwitchboardError) throw await this.#fail(action, found);
    return found;
  }

  async #factsNow(job: Job, action: Action): Promise<{ known: Fields; isStale: IsStale }> {
    const { tool } = job;
    const { difference, isStale } = await this.#differenceNow({ ...job, partOf: action.id }, action);
    if (difference) throw new SwitchboardError(differenceError(difference, action));
    if (tool.kind !== 'workflow' || !tool.prepare) return { known: action.known, isStale };
    const step = await tool.prepare(job.input, this.calls({ ...job, confirmed: false, partOf: action.id }));
    if (step.problem) throw problemError(step.problem);
    return { known: await this.#foundAgain(job, action, step.known), isStale };
  }

  /** Notes facts that were found again after the yes. Rejects if the question would read differently with them. */
  async #foundAgain({ tool, input }: Job, action: Action, facts: Fields): Promise<Fields> {
    const known = { ...action.known, ...facts };
    await this.parts.ledger.notes.remember(action.id, { [RENEWED]: facts });
    const reason = factsOf(action).raised?.reason;
    const [asked, now] = [action.known, known].map((one) => canonical(tool.consent?.(input, one, reason) ?? null));
    if (asked === now) return known;
    throw new SwitchboardError(
      differenceError({ what: "the platform's statement or its numbers have changed" }, action),
    );
  }

  #track(action: Action, work: Promise<Performed>): Promise<Performed> {
    const { id } = action;
    const { states, worker } = this.parts;
    states.running.set(id, work);
    void worker.hold(sendKey(id), work).catch(() => undefined);
    const done = () => {
      states.running.delete(id);
      // Writing an end notifies the listeners. They are notified here only of an end that could not be written.
      if (states.unwritten.has(id)) states.changed({ ...action, state: 'in_flight' });
    };
    work.then(done, done);
    return work;
  }

  /** Sends an action in the state `in_flight` and writes its end, including failures. */
  async #dispatch(job: Job, action: Action): Promise<Performed> {
    const flight = this.#prepare(job, action);
    const sent = await this.#send(flight);
    const { answer, ...secrets } = await this.#readAnswer(flight, sent);
    await this.#writeEnd(flight, answer, secrets);
    this.parts.states.step('settled', action.id);
    if (answer.refused) {
      const failure = new SwitchboardError(answer.refused);
      throw answer.refused.outcome === 'unknown' ? changed(failure, { follow: action.id }) : failure;
    }
    const ended = { ...action, state: answer.partly ? ('partly' as const) : ('done' as const), result: answer.value };
    const result: Performed = { ...answer, actionId: action.id, ...defined({ change: changeDone(job.tool, ended) }) };
    return secrets.once ? { ...result, once: secrets.once } : result;
  }

  #prepare(job: Job, action: Action): Flight {
    const made = this.parts.secrets.make(job.tool, job.input);
    const flight: Flight = { job, action, made, writtenAt: undefined, claimedUntil: 0 };
    flight.job = {
      ...job,
      input: { ...job.input, ...made },
      partOf: action.id,
      mayBegin: async (attempt) => ((await job.mayBegin?.(attempt)) ?? true) && this.#holdsClaim(flight),
      mayWrite: () => (job.mayWrite?.() ?? true) && this.parts.clock.now() < flight.claimedUntil - CLOCK_SKEW_MS,
      onWritten: (at) => {
        flight.writtenAt = at;
        job.onWritten?.(at);
      },
    };
    return flight;
  }

  /** The platform's answer. If there is none, the action ends as failed or unknown. */
  async #send(flight: Flight): Promise<Sent> {
    const { sender, history, ends, log, states } = this.parts;
    const { job, action } = flight;
    const { tool, input } = job;
    try {
      const sent =
        tool.kind === 'operation'
          ? await sender.send(tool, job)
          : {
              answer: await tool.run(input, {
                call: this.calls(job),
                known: action.known,
                tell: () => undefined,
                history: history.of(job.actor),
              }),
              secrets: [],
            };
      states.step('answered', action.id);
      return sent;
    } catch (error) {
      const failure = asSwitchboardError(error);
      if (failure.detail) log(severity(failure.face), { action: action.id, detail: failure.detail }, failure.message);
      const state = failure.face.outcome === 'unknown' ? 'unknown' : 'failed';
      const { writtenAt } = flight;
      // The requester of a workflow follows the workflow, not its step.
      const { follow: _, ...stored } = failure.face;
      await ends.record(action.id, { from: ['in_flight'], fenced: true, state, error: stored, writtenAt });
      states.step('settled', action.id);
      throw state === 'unknown' ? changed(failure, { follow: action.id }) : failure;
    }
  }

  async #readAnswer(
    { job, action, made, writtenAt }: Flight,
    sent: Sent,
  ): Promise<{ answer: ReadAnswer } & EndSecrets> {
    const { answers, secrets, ends, log } = this.parts;
    try {
      const answer = answers.read(job, sent, action);
      const { once, replaced } = secrets.toShow(job.tool, { sent: job.input, made, answer: sent.answer });
      if (replaced) answer.value.Warning = [answer.value.Warning, REPLACED].filter(Boolean).join(' ');
      return { answer, once, keep: secrets.toStore(job.tool, sent.answer, answer.value) };
    } catch (error) {
      const failure = await ends.lost(action.id, error, writtenAt);
      log('error', { action: action.id, detail: failure.detail }, failure.message);
      throw changed(failure, { follow: action.id });
    }
  }

  async #writeEnd({ action, writtenAt }: Flight, answer: ReadAnswer, secrets: EndSecrets): Promise<void> {
    const stored = { ...answer, value: withoutUrlSecrets(answer.value) };
    const end: End = { from: ['in_flight'], fenced: true, writtenAt, ...endOf(stored, secrets) };
    try {
      await this.parts.ends.write(action.id, end);
    } catch (error) {
      throw changed(asSwitchboardError(error), { follow: action.id });
    }
  }

  /** True if this process still has the right to send an action. False if the ledger cannot be read. */
  async #holdsClaim(flight: Flight): Promise<boolean> {
    const { ledger, log } = this.parts;
    const { id } = flight.action;
    try {
      flight.claimedUntil = (await ledger.takeovers.claimedUntil(id)) ?? 0;
      return flight.claimedUntil > 0;
    } catch (error) {
      log('error', { action: id, error: String(error) }, 'the ledger could not be read, so nothing was sent');
      return false;
    }
  }
}

/**
 * Tells whether what was read may not be true any more: the last answer came long ago, or it was waited for so long after
 * the first one.
 */
type IsStale = () => boolean;

/**
 * For `mayBegin`: reads again what a call rests on before an attempt that follows a pause.
 *
 * @param isStale of what was read before the first attempt
 * @param rebuild rejects if something has changed
 */
export function rebuilding(isStale: IsStale, rebuild: () => Promise<IsStale>): NonNullable<Job['mayBegin']> {
  let times = 0;
  let isOld = isStale;
  return async ({ paused, keep }) => {
    if (!paused && !isOld()) return true;
    keep();
    do {
      if (times === MOST_REBUILDS) throw new SwitchboardError(WAITED_TOO_OFTEN);
      times += 1;
      isOld = await rebuild().catch((error: unknown) => {
        throw new SwitchboardError({ ...asSwitchboardError(error).face, outcome: 'not_done' }, { cause: error });
      });
    } while (isOld());
    return true;
  };
}

const WAITED_TOO_OFTEN: Failure = {
  code: 'rate_limited',
  outcome: 'not_done',
  message: 'The platform kept this waiting several times, and what it rests on may have changed each time.',
  effect: 'nothing_done',
  next: 'Ask for it again in a minute.',
};

/** The end of an action with this answer. */
function endOf({ value, refused, partly }: ReadAnswer, { once, keep }: EndSecrets): Omit<End, 'from'> {
  if (refused?.outcome === 'unknown') return { state: 'unknown', error: refused };
  if (refused) return { state: 'failed', result: value, error: refused };
  return { state: partly ? 'partly' : 'done', result: value, once, keep };
}
