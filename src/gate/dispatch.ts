import { fieldsOf, withoutOwn } from '../catalogue/input.ts';
import { type Call, type Consent, isChange, type LocalHistory, type Tool } from '../catalogue/operation.ts';
import type { Action, End, NewAction, StoredSecret } from '../ledger/ledger.ts';
import { laterDay, type Repeat } from '../ledger/lookups.ts';
import { laterKey } from '../ledger/rows.ts';
import { type Actor, hasRole, identified, personOf } from '../lib/actor.ts';
import { aheadOf, CLOCK_SKEW_MS, LONG_WAIT_MS } from '../lib/clock.ts';
import { asSwitchboardError, changed, type Failure, SwitchboardError, severity } from '../lib/errors.ts';
import { withoutUrlSecrets } from '../lib/hide.ts';
import { defined, type Fields, joined, listOf, textsIn } from '../lib/values.ts';
import { oneSpelling, spellings } from '../platform/dialect/readings.ts';
import type { Redactor } from '../platform/dialect/redact.ts';
import { activationsIn, activationsOf } from '../platform/dialect/redact.ts';
import { isStoreUnavailable } from '../store/key-values.ts';
import { forbidden, isOwn, reasonText, traitsOf } from './approval.ts';
import { type Changes, exclusiveOf, keysOf, requireNoProblem } from './change.ts';
import {
  BATCH_RUN,
  callOf,
  GatePart,
  type Job,
  type JobContext,
  notConfirmed,
  type Performed,
  type PerformOptions,
  RENEWED,
  unsent,
  withWarnings,
} from './confirmation.ts';
import type { ActionStates, Decisions } from './decisions.ts';
import {
  type Asked,
  changeDone,
  consentDifference,
  differenceError,
  differenceOf,
  factsOf,
  outdated,
  someOf,
  UNKNOWN_BESIDE,
} from './question.ts';
import type { Answers, OperationSecrets, ReadAnswer, Sender, Sent } from './sender.ts';

const REPLACED =
  'The platform issued another PIN than the one that was sent. The one it issued is in force; it is shown to the person who confirmed.';

/** Maximum time for a call, from its start to its answer. */
export const DEADLINE_MS = 180_000;
/** Maximum time for the background's reads about one call. */
export const READS_MS = 45_000;
/** Number of times that the change of one call is built again because it waited, before it is given up. */
const MOST_REBUILDS = 2;

/** The parts of a new action that follow from its call and what was found out about it. */
export function recordOf(job: Job, known: Fields, redactor: Redactor) {
  const { tool, input, actor, partOf, holds } = job;
  return {
    ...callOf(job),
    actorId: actor.id,
    actorName: actor.name,
    person: personOf(actor),
    surface: actor.surface,
    shown: redactor.omit(input),
    known: redactor.omit(known),
    // A step is part of the change that was asked for, which has the reason.
    reason: partOf === undefined ? reasonText(job.reason) : undefined,
    exclusive: exclusiveOf(tool, input, known),
    partOf,
    holds,
  };
}

/**
 * The records and numbers that a change is about, and those that it leads to. From their last reading to its end, no other
 * change of them runs: where the platform replaces a record or a list, what a call leaves out is sent as it was read, and
 * would undo the other one, and a question says what the other records lead to and cost. Rows of a batch, many of which lead
 * to one record and are sent at once, hold only what they are about. A batch itself holds nothing.
 */
function recordsHeld({ tool, input, isHeld }: Pick<Job, 'tool' | 'input' | 'isHeld'>, isRow = false): string[] {
  if (isHeld || tool.id === BATCH_RUN || !isChange(tool)) return [];
  const keys = keysOf(tool);
  const fields = fieldsOf(tool).filter(({ name, kind }) => (kind === 'id' && !isRow) || keys.includes(name));
  const named = fields.flatMap(({ name }) => (name === 'AccountId' ? [] : textsIn(input[name])));
  const values = [...named.map(({ value }) => value), ...exclusiveOf(tool, input, {})];
  return [...new Set(values)].filter((value) => RECORD.test(value));
}

const RECORD = /^(\+\d+|[A-Z]+-.+)$/;

const holdOf = (value: string) => `record ${oneSpelling(value)}`;

/** Sends reads, and sends recorded changes and writes how they ended. */
export class Dispatcher extends GatePart<{
  answers: Answers;
  sender: Sender;
  secrets: OperationSecrets;
  changes: Changes;
  states: ActionStates;
  decisions: Decisions;
}> {
  /** Runs a read. Reads change nothing, so they are not recorded as actions, and go on while the database is away. */
  async read(job: Job): Promise<ReadAnswer> {
    const own = this.parts.history.of(job.actor);
    if (job.tool.kind === 'workflow' && job.tool.needsHistory) return this.#read(job, own);
    return withPartialHistory(own, (history) => this.#read(job, history));
  }

  async #read(job: Job, history: LocalHistory): Promise<ReadAnswer> {
    const { answers, sender } = this.parts;
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
      const done = await this.run(job);
      return done.kind === 'done' ? done.value : {};
    };
  }

  /** What the preparing step of a workflow finds; undefined if it has none. Throws if it shows that the call cannot work. */
  async prepared(tool: Tool, input: Fields, context: JobContext) {
    if (tool.kind !== 'workflow' || !tool.prepare) return undefined;
    const step = await tool.prepare(input, this.calls({ ...context, confirmed: false }));
    requireNoProblem(step);
    return step;
  }

  /**
   * Runs a change that needs no separate confirmation: a step of a confirmed one, a row of a confirmed batch, or one
   * for which the owner waived it. It is written to the ledger before anything is sent.
   */
  async run(
    job: Job,
    more: Pick<NewAction, 'batch' | 'beside' | 'notes'> & { known?: Fields; consent?: Consent } = {},
  ): Promise<Performed> {
    const { ledger, redactor, secrets, states } = this.parts;
    // The record of a stored secret holds the numbers of a cancel order, which are needed to read its outcome.
    const known = { ...(await secrets.find(job.tool, job.input, true))?.known, ...more.known };
    const id = ledger.newId();
    const fresh: NewAction = {
      ...recordOf(job, known, redactor),
      state: 'in_flight',
      consent: more.consent,
      expiresAt: job.deadline,
      batch: more.batch,
      beside: more.beside,
      notes: more.notes,
    };
    const records = recordsHeld(job, more.batch !== undefined);
    return this.parts.worker.exclusively(records.map(holdOf), async () => {
      const action = await states.orAbandon(id, () => ledger.create(fresh, id));
      job.onStage?.(id);
      // A record that is replaced may have changed between its reading and now.
      let isFirst = records.length > 0 && job.tool.current?.replaces === true;
      const mayBegin: Job['mayBegin'] = async (attempt) => {
        const isOld = isFirst || attempt.paused;
        isFirst = false;
        return (await job.mayBegin?.({ ...attempt, paused: isOld })) ?? true;
      };
      return this.#track(action, this.#dispatch({ ...job, mayBegin }, action));
    });
  }

  /** Claims a confirmed action and runs it to its end. An action whose record has no valid proof is failed instead. */
  execute(action: Action, actor: Actor, options: PerformOptions = {}): Promise<Performed> {
    return this.#track(action, this.#execute(action, actor, options));
  }

  async #execute({ id }: Action, actor: Actor, options: PerformOptions): Promise<Performed> {
    const { ledger, clock, tools, decisions, states } = this.parts;
    const proven = await states.orAbandon(id, () => ledger.confirmed(id));
    if ('flaw' in proven) {
      const now = await states.refresh(id);
      throw now.state === 'confirmed' ? await decisions.distrust(id, proven.flaw) : notConfirmed(now);
    }
    const { action, input, given } = proven;
    const tool = tools.get(action.operation);
    let isHeld = false;
    const work = this.parts.worker.exclusively(recordsHeld({ tool, input }).map(holdOf), async () => {
      isHeld = true;
      const job: Job = {
        ...options,
        tool,
        input,
        given,
        actor: { ...actor, priority: 'confirmed' },
        deadline: clock.now() + DEADLINE_MS,
        confirmed: true,
        isHeld,
      };
      const facts = await this.#factsNow(job, action).catch(async (error: unknown) => {
        const face = unsent(error);
        const failed = await states.orAbandon(id, () =>
          ledger.settle(id, { from: ['confirmed'], state: 'failed', error: face }),
        );
        await states.requireChanged(id, failed);
        throw new SwitchboardError(face, { cause: error });
      });
      await states.requireChanged(id, await states.orAbandon(id, () => ledger.claim(id)));
      const mayBegin = this.builtAgain(job, action, facts.isStale);
      return this.#dispatch({ ...job, mayBegin }, { ...action, known: facts.known });
    });
    return work.catch((error: unknown) => {
      if (isHeld) throw error;
      return states.orAbandon(id, () => Promise.reject(error));
    });
  }

  /**
   * Other changes of the same records whose outcome is unknown, so that the platform may still carry them out, and undo this
   * one. The same call is none of them.
   */
  async unknownBeside({ tool, input, given }: Pick<Job, 'tool' | 'input' | 'given'>): Promise<Repeat[]> {
    const { ledger, tools } = this.parts;
    const found = new Map<string, Repeat>();
    for (const value of recordsHeld({ tool, input }, true))
      for (const id of (await Promise.all(spellings(value).map((one) => ledger.readings.unknownAbout(one)))).flat()) {
        const action = await ledger.get(id);
        const other = action && tools.find(action.operation)?.current;
        const undoes = other?.read === tool.current?.read || (other?.replaces && !value.startsWith('+'));
        if (action && other && undoes) found.set(id, { action, values: [...(found.get(id)?.values ?? []), value] });
      }
    if (found.size === 0) return [];
    const call = { ...callOf({ tool, input, given }), list: undefined };
    for (const { action } of await ledger.open.repeats(call, 0)) found.delete(action.id);
    return [...found.values()];
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
      if (difference)
        throw new SwitchboardError({ ...differenceError(difference, asked, job.confirmed), effect: 'nothing_done' });
      return isStale;
    });
  }

  /** Compares the change of a call, built from the records as they are now, with the one that was asked about. */
  async #differenceNow(job: Job, asked: Asked) {
    const { changes, clock, tools } = this.parts;
    const { tool, input, given } = job;
    const reads = this.reads({ ...job, confirmed: false });
    // A day that the call names may be over by now.
    const [problem] = listOf(tool.rules?.(given, new Date(clock.now())));
    if (problem) return { difference: { what: problem.message }, isStale: reads.isStale };
    const { unnamed } = factsOf(asked);
    const call = { tool, input: tools.withAccount(tool, given, input), given };
    const now = await changes.build(call, { ...job, unnamed }, reads.call);
    return { difference: differenceOf(tool, asked, now), isStale: reads.isStale, now };
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
   * The facts for the steps that follow a yes. A stored secret (an AuthCode) is requested again, because it may have ended
   * meanwhile by the platform's clock, and so is what a workflow's preparing step fetched. The change is built again.
   * Rejects if it differs from the one that was confirmed, or its records cannot be read: then nothing is sent.
   */
  async #factsNow(job: Job, action: Action): Promise<{ known: Fields; isStale: IsStale }> {
    const { tool, input } = job;
    const { secrets, ledger, clock } = this.parts;
    const context = { ...job, confirmed: false, partOf: action.id };
    const renewed = (facts: Fields) => ledger.notes.remember(action.id, { [RENEWED]: facts });
    const takes = tool.kind === 'operation' ? tool.takes : undefined;
    const request = takes?.renew(action.known);
    if (takes && request) {
      const answer = await this.calls({ ...context, deadline: clock.now() + READS_MS })(takes.from, request);
      await renewed(answer);
      await secrets.replace(takes, input, answer);
    }
    const { difference, isStale, now } = await this.#differenceNow(context, action);
    if (difference) throw new SwitchboardError(differenceError(difference, action));
    const { doubted } = factsOf(action);
    const untold = (await this.unknownBeside(job)).find((one) => !doubted.includes(one.action.id));
    if (untold) throw new SwitchboardError(outdated(UNKNOWN_BESIDE, untold.action));
    const step = await this.prepared(tool, input, context);
    if (step === undefined) return { known: action.known, isStale };
    await renewed(step.known);
    const found = { ...now?.checked.known, ...step.known };
    const what = consentDifference(tool, action, { input, known: found, raised: factsOf(action).raised });
    if (what !== undefined) throw new SwitchboardError(differenceError({ what }, action));
    return { known: { ...action.known, ...step.known }, isStale };
  }

  #track(action: Action, work: Promise<Performed>): Promise<Performed> {
    const { id } = action;
    const { states, worker } = this.parts;
    states.running.set(id, work);
    void worker.hold(laterKey('send', id), work).catch(() => undefined);
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
    const { answers, clock, history, log, secrets, sender, states } = this.parts;
    const { tool } = job;
    const { id } = action;
    const made = secrets.make(tool, job.input);
    const input = { ...job.input, ...made };
    let written: End['written'];
    // Until then, no other process takes the action over.
    let claimedUntil = 0;
    const own: Job = {
      ...job,
      input,
      partOf: id,
      isHeld: true,
      mayBegin: async (attempt) => {
        if ((await job.mayBegin?.(attempt)) === false) return false;
        const until = await this.parts.ledger.claimedUntil(id).catch((error: unknown) => {
          log('error', { action: id, error: String(error) }, 'the ledger could not be read, so nothing was sent');
        });
        claimedUntil = until ?? 0;
        return until !== undefined;
      },
      mayWrite: () => (job.mayWrite?.() ?? true) && clock.now() < claimedUntil - CLOCK_SKEW_MS,
      onWritten: (at) => {
        written = { at, ahead: aheadOf(clock) };
        job.onWritten?.(at);
      },
    };
    const endsFrom = () => ({ from: ['in_flight' as const], fenced: true, written });
    const followed = (error: SwitchboardError) =>
      error.face.outcome === 'unknown' ? changed(error, { follow: id }) : error;
    let sent: Sent;
    try {
      if (tool.kind === 'operation') sent = await sender.send(tool, own);
      else {
        const run = { call: this.calls(own), known: action.known, history: history.of(job.actor) };
        sent = { answer: await tool.run(input, run), secrets: [] };
      }
    } catch (error) {
      // If there is no answer, the action ends as failed or unknown.
      const failure = asSwitchboardError(error);
      if (failure.detail) log(severity(failure.face), { action: id, detail: failure.detail }, failure.message);
      const state = failure.face.outcome === 'unknown' ? 'unknown' : 'failed';
      // The requester of a workflow follows the workflow, not its step.
      const { follow: _, ...stored } = failure.face;
      await states.record(id, { ...endsFrom(), state, error: stored });
      throw followed(failure);
    }
    let answer: ReadAnswer;
    let shown: ReturnType<OperationSecrets['toShow']>;
    let keep: StoredSecret | undefined;
    try {
      answer = answers.read(own, sent, action);
      shown = secrets.toShow(tool, { sent: input, made, answer: sent.answer });
      if (shown.replaced) answer.value = withWarnings(answer.value, REPLACED);
      keep = secrets.toStore(tool, sent.answer, answer.value);
    } catch (error) {
      const failure = await states.lost(id, error, written);
      log('error', { action: id, detail: failure.detail }, failure.message);
      throw followed(failure);
    }
    const { refused, partly, value } = answer;
    const result = withoutUrlSecrets(value);
    const { once } = shown;
    const end: Omit<End, 'from'> =
      refused?.outcome === 'unknown'
        ? { state: 'unknown', error: refused }
        : refused
          ? { state: 'failed', result, error: refused }
          : { state: partly ? 'partly' : 'done', result, once, keep };
    await states.write(id, { ...endsFrom(), ...end }).catch((error: unknown) => {
      throw followed(asSwitchboardError(error));
    });
    if (refused) throw followed(new SwitchboardError(refused));
    const done = { ...action, state: end.state, result: value };
    const from = laterDay(done, tool, this.parts.clock.now());
    return { ...answer, actionId: id, ...defined({ change: changeDone(tool, done), from, once }) };
  }

  /**
   * Hands out the activation codes of eSIMs, which every other result of the gate leaves out: the answer with its codes;
   * undefined if it has none. Rejects with `forbidden_by_role`.
   */
  async reveal(source: RevealSource, actor: Actor): Promise<Fields | undefined> {
    const { ledger, tools, clock } = this.parts;
    const person = personOf(actor);
    const who = identified(person, actor.name);
    const action = 'action' in source ? await ledger.get(source.action) : undefined;
    const isOperator = hasRole(actor, 'operator') && !('action' in source && action === undefined);
    // The answers of an assistant leave this installation with the conversation.
    if (traitsOf(actor.surface).isAssistant || !(isOperator || (action && isOwn(action, person))))
      throw forbidden(
        `The activation code of an eSIM is shown to operators, and not to assistants; ${actor.name} has the role ${actor.role}. Nothing was done. Ask an operator.`,
      );
    if ('action' in source) return ledger.reveal(source.action, { who, detail: actor.surface });
    const { operation } = source;
    const tool = tools.get(operation);
    if (tool.risk !== 'read') throw new Error(`${operation} is not a read`);
    const input = tools.parse(tool, source.input);
    const deadline = clock.now() + DEADLINE_MS;
    const job = { tool, input, given: input, actor, deadline, confirmed: false };
    const answer = (await this.read(job)).value;
    if (Object.keys(activationsIn(answer)).length === 0) return undefined;
    const about = someOf(activationsOf(answer).flatMap(({ phone }) => phone ?? []));
    const detail = `${actor.surface} ${about}`.trim();
    await ledger.revealed({ who, detail, action: '', operation, requester: person });
    return answer;
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
        throw new SwitchboardError(unsent(error), { cause: error });
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

const MISSED =
  'Switchboard’s own records (events, earlier changes) could not be read, because its database is not available.';

/** The history's answers while the database is away. */
const EMPTY: Readonly<Record<string, unknown>> = {
  happened: { list: [], more: false },
  isListening: true,
  lastMessage: undefined,
  sentAbout: [],
  keepOrder: undefined,
  waitingFor: [],
  watched: [],
};

/** Reads from the platform. While the database is away, the read goes on without the history, and its answer says so. */
async function withPartialHistory(own: LocalHistory, read: (history: LocalHistory) => Promise<ReadAnswer>) {
  let isMissed = false;
  const history = new Proxy(own, {
    get: (target, name) => {
      const method: ((...given: unknown[]) => unknown) | undefined = Reflect.get(target, name);
      if (typeof name === 'symbol' || method === undefined || !(name in EMPTY)) return method?.bind(target);
      return async (...given: unknown[]) => {
        try {
          return await method.apply(target, given);
        } catch (error) {
          if (!isStoreUnavailable(error)) throw error;
          isMissed = true;
          return EMPTY[name];
        }
      };
    },
  });
  try {
    const answer = await read(history);
    if (!isMissed) return answer;
    return { ...answer, value: withWarnings(answer.value, MISSED) };
  } catch (error) {
    // A record that the platform does not have may be in the history.
    if (!isMissed || !(error instanceof SwitchboardError) || error.face.code !== 'not_found') throw error;
    throw changed(error, { next: joined([error.face.next, MISSED]) });
  }
}

/** The answer with an eSIM's activation code: that of an action, or of a read that is made now. */
export type RevealSource = { action: string } | { operation: string; input: Fields };
