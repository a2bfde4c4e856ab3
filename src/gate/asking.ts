import { makesAnew } from '../catalogue/change.ts';
import { type Consent, mayResend, type Tool } from '../catalogue/operation.ts';
import { canonicalCall } from '../ledger/action.ts';
import type { Action, NewAction } from '../ledger/ledger.ts';
import type { Repeat } from '../ledger/lookups.ts';
import { AlreadyTaken } from '../ledger/rows.ts';
import { personOf } from '../lib/actor.ts';
import { after, DAY_MS, FETCH_MS, POLL_MS, sleep, systemClock } from '../lib/clock.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, listOf, type Part, partsOf, pathOf, sharedWith } from '../lib/values.ts';
import { type Decider, forbidden, nobodyCan, traitsOf } from './approval.ts';
import { type Built, type Changes, endsNumber, exclusiveOf, keysOf, narrowed, requireNoProblem } from './change.ts';
import {
  ALSO_ASKED,
  BATCH_RUN,
  type Confirmation,
  callOf,
  END_TOLD,
  GatePart,
  inputsOf,
  isEnded,
  isRunning,
  type Job,
  notConfirmed,
  operationOf,
  type Performed,
  type Previewed,
  requestOf,
  unsent,
} from './confirmation.ts';
import { type ActionStates, type Decisions, deciderOf } from './decisions.ts';
import { type Dispatcher, recordOf } from './dispatch.ts';
import {
  differenceOf,
  type Earlier,
  factsFrom,
  factsOf,
  orderOf,
  type QuestionFacts,
  sentAt,
  someOf,
} from './question.ts';
import type { Reconciler } from './reconcile.ts';
import type { OperationSecrets } from './sender.ts';

/** Maximum number of questions of one requester that may wait for a person. */
const MOST_OPEN = 50;

/** No earlier calls. */
const NONE: Earlier = { doubted: [], warned: [], sent: new Set(), waiting: new Set() };

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

/**
 * Builds the change of a call and its question, finds the calls that are like it, asks a person to confirm it, and runs it if
 * the user of the caller confirms at once. The steps before a person is asked change nothing for a customer.
 */
export class Asking extends GatePart<{
  secrets: OperationSecrets;
  changes: Changes;
  decisions: Decisions;
  dispatcher: Dispatcher;
  reconciler: Reconciler;
  states: ActionStates;
}> {
  /**
   * The waiting question for this call, or a new one. The caller keeps other calls for the same numbers out meanwhile.
   * Throws if nobody could confirm it.
   */
  async question(job: BuiltJob, earlier: Earlier): Promise<FoundQuestion> {
    const { decisions, approval } = this.parts;
    const { change, checked } = job.built;
    const requester = personOf(job.actor);
    const decider = deciderFor(job);
    // Checked first, because a preparing step may make a call that the platform records.
    const nobody = nobodyCan(requester, decider, approval, change.level);
    if (nobody) throw nobody;
    const asked = { person: requester, known: { ...checked.known, change } };
    if (job.unasked && decider && !decisions.refusal('confirm', asked, decider))
      throw job.unasked(await this.preview(job, earlier));
    const { same } = earlier;
    if (same && isCurrent(same, job, earlier)) {
      const isElsewhere = same.actorId !== job.actor.id;
      return { action: same, isOwn: true, isRepeat: job.tool.id !== BATCH_RUN, isElsewhere };
    }
    requireNoProblem(checked);
    const replaced = await this.#replacedBy(job, same);
    const conflict = await this.conflictOf(job, replaced);
    // The same call of another requester is shown instead of asked again. One with other values is another call.
    if (conflict && earlier.waiting.has(conflict.action.id)) return { action: conflict.action, isOwn: false };
    if (conflict) throw this.conflictError(job, conflict);
    return { action: await this.#newQuestion(job, earlier, replaced), isOwn: true, replaced };
  }

  /** Asks the user of the caller, if they may decide, and runs the call. Otherwise the question waits. */
  async answer(job: BuiltJob, found: FoundQuestion): Promise<Performed> {
    const { clock, decisions, dispatcher, ledger, states } = this.parts;
    const { action, isOwn, isRepeat, isElsewhere, replaced = [] } = found;
    const { requestedAt } = requestOf(action);
    const pending = (more: Partial<Confirmation> = {}): Performed => {
      return { kind: 'pending', action, confirmation: { ...states.describe(action), ...more } };
    };
    if (!isOwn) {
      // From now on, this requester may read the state of the other one's question.
      await ledger.notes.merge(action.id, ALSO_ASKED, { [personOf(job.actor)]: true });
      return pending(requestOf(action));
    }
    if (job.signal?.aborted) await this.#withdraw(action);
    const decider = deciderFor(job);
    // A person who may not decide is not asked. The action waits for one who may.
    if (!job.ask || !decider || decisions.refusal('confirm', action, decider))
      return pending({
        ...(isRepeat && { isRepeat, requestedAt }),
        ...(replaced.length > 0 && { replaces: replaced }),
      });
    job.onWait?.('person', Math.max(0, Math.round((action.expiresAt - clock.now()) / 1000)));
    const answer = await this.#answerOf(action, job.ask, job.signal);
    // One wish has one yes: a break in the terminal leaves a question waiting that is asked on another surface.
    if ((job.signal?.aborted || answer === 'cancel') && !isElsewhere) await this.#withdraw(action);
    if (answer === 'unavailable') return pending();
    if (answer === 'expired' || clock.now() >= action.expiresAt) throw notConfirmed(await states.refresh(action.id));
    if (answer === 'cancel') return pending({ isRepeat: true, requestedAt });
    if (answer === 'decline') throw notConfirmed(await decisions.decline(action.id, decider));
    return dispatcher.execute(await decisions.confirm(action.id, decider), job.actor, job);
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

  /**
   * Ends the waiting questions that a call without a question takes the place of. Resolves to remarks for its result. Throws
   * if a person said yes to one meanwhile.
   */
  async endReplaced(job: BuiltJob): Promise<string[]> {
    const { ledger, states } = this.parts;
    const remarks: string[] = [];
    for (const old of await this.#replacedBy(job, undefined)) {
      const ended = await ledger.decline(old, undefined);
      states.changed(ended);
      if (ended === undefined) await this.#requireOver(job, old);
      else remarks.push(`The question that waited (${old}) was withdrawn.`);
    }
    return remarks;
  }

  /** Throws unless this question that a call takes the place of ended by itself: the call would be done beside it. */
  async #requireOver({ replaces }: BuiltJob, old: string): Promise<void> {
    const now = await this.parts.states.refresh(old);
    if (old === replaces || !['declined', 'expired', 'failed'].includes(now.state)) throw notConfirmed(now);
  }

  /** Writes a question to the ledger: everything that will be sent, with the operation's consent text. */
  async #newQuestion(job: BuiltJob, earlier: Earlier, replaced: readonly string[]): Promise<Action> {
    const { ledger, clock, redactor, states, confirmSeconds } = this.parts;
    // A preparing step may make a call that the platform records, so this is checked first.
    await ledger.open.requireRoom(job.actor.id, MOST_OPEN + replaced.length);
    const stages: string[] = [];
    const staged = { ...job, onStage: (id: string) => void stages.push(id) };
    const { consent, known, expiresAt } = await this.textOf(staged, earlier);
    const fresh: NewAction = {
      ...recordOf(job, known, redactor),
      state: 'pending',
      consent,
      mostOpen: MOST_OPEN,
      expiresAt: Math.min(clock.now() + confirmSeconds * 1000, expiresAt),
      notes: job.notes,
    };
    const create = async (replaces: readonly string[]): Promise<Action> => {
      try {
        return await ledger.create({ ...fresh, replaces });
      } catch (error) {
        if (!(error instanceof AlreadyTaken)) throw error;
        await this.#requireOver(job, error.message);
        return create(replaces.filter((old) => old !== error.message));
      }
    };
    const action = await create(replaced);
    for (const old of replaced) states.changed(await ledger.get(old));
    for (const stage of stages) await ledger.joinTo(action.id, stage);
    states.changed(action);
    return action;
  }

  /** The person's answer; `expired` if the time is over or the caller cancelled first. */
  async #answerOf(action: Action, ask: NonNullable<Job['ask']>, signal: AbortSignal | undefined) {
    const { clock } = this.parts;
    const expired = new AbortController();
    const cancel = after(clock, action.expiresAt - clock.now(), () => expired.abort());
    const stop = AbortSignal.any([expired.signal, ...listOf(signal)]);
    try {
      const late = new Promise<'expired'>((resolve) => stop.addEventListener('abort', () => resolve('expired')));
      return await Promise.race([ask(action, stop), late]);
    } finally {
      cancel();
    }
  }

  /** Withdraws a question whose caller cancelled. */
  async #withdraw(action: Action): Promise<never> {
    const { ledger, states } = this.parts;
    states.changed(await ledger.decline(action.id, undefined));
    throw notConfirmed((await ledger.get(action.id)) ?? action);
  }

  /**
   * Builds the change of a call on the caller's own input, so that the account of the record replaces the configured
   * default. Reads that fail are named in `warnings`.
   */
  async build(job: Job): Promise<BuiltJob> {
    const { clock, changes, dispatcher } = this.parts;
    const deadline = Math.min(job.deadline, clock.now() + FETCH_MS);
    const context = { actor: job.actor, deadline, confirmed: false, ...defined({ signal: job.signal }) };
    const { call, isStale } = dispatcher.reads(context);
    const built = await changes.build(job, context, call);
    return { ...job, input: built.input, built, isStale };
  }

  /**
   * Creates the question: runs the preparing steps, then builds its text. `earlier`: earlier identical calls that the
   * question warns about. Throws if a step shows that the call cannot work. A secret of a preparing step that ends sooner
   * than the question is fetched again after the yes: `expiresAt` (epoch ms) is infinite if nothing shortens the wait.
   *
   * @param isPreview leaves the preparing steps out, because they may make a call
   */
  async textOf(job: BuiltJob, earlier: Earlier, isPreview = false) {
    const { tool, input, built } = job;
    const { checked, raised, left } = built;
    const stored = await this.parts.secrets.find(tool, input, true);
    let known: Fields = { ...checked.known, ...stored?.known };
    let expiresAt = Number.POSITIVE_INFINITY;
    const warnings = [...(job.remarks ?? []), ...listOf(tool.caution?.(input))];
    const { actor, deadline, holds, signal, onStage } = job;
    const context = { actor, deadline, confirmed: false, ...defined({ holds, signal, onStage }) };
    const prepared = isPreview ? undefined : this.parts.dispatcher.prepared(tool, input, context);
    // No person has confirmed anything yet, so such a step has not done what was asked for.
    const step = await prepared?.catch((error: unknown) => {
      throw new SwitchboardError(unsent(error), { cause: error });
    });
    if (step) {
      known = { ...known, ...step.known };
      warnings.push(...(step.warnings ?? []));
    } else if (stored && !(tool.kind === 'operation' && tool.takes?.renew(known))) expiresAt = stored.expiresAt;
    // Only an operation that changes nothing has no text of its own.
    const consent: Consent = tool.consent?.(input, known, raised?.reason) ?? {
      title: tool.title,
      consequence: tool.description,
      undo: '',
      confirm: 'Do it',
    };
    const change = narrowed(tool, built, known);
    const facts: QuestionFacts = {
      ...factsFrom(checked, warnings),
      ...(change !== built.change && { customer: change.concerns.join('; ') }),
      ...defined({ raised }),
      hidden: this.#hiddenIn(input),
      doubted: earlier.doubted,
      warned: earlier.warned,
      sent: [...earlier.sent],
      filled: Object.keys(input).filter((name) => !(name in job.given)),
      left,
    };
    const { warning } = earlier;
    const consequence = warning ? `Warning: ${warning}\n${consent.consequence}` : consent.consequence;
    return { consent: { ...consent, consequence }, known: { ...known, question: facts, change }, expiresAt };
  }

  /** Paths of the secret members of an input ("CurrentAccountPassword"): the question names them without their values. */
  #hiddenIn(input: Fields): string[] {
    const isHidden = ({ key }: Part) => typeof key === 'string' && this.parts.redactor.isSecret(key);
    return partsOf(input, (part) => !isHidden(part))
      .filter((part) => isHidden(part) && part.value !== undefined && part.value !== null)
      .map((part) => pathOf(part, true));
  }

  /** The question of a call as it would be stored, without secrets and statement. Throws if the call cannot work. */
  async preview(job: BuiltJob, earlier = NONE): Promise<Previewed> {
    const { redactor } = this.parts;
    requireNoProblem(job.built.checked);
    const { consent, known } = await this.textOf(job, earlier, true);
    return { operation: job.tool.id, shown: redactor.omit(job.input), known: redactor.omit(known), consent };
  }

  /**
   * Returns the pending or running call for one of the same values, if only one of them may be open at a time. This
   * holds if one of them cancels, moves or releases the number, or if the definition says so. It names all such calls, so
   * that the next attempt does not find another one. `except`: ids of calls
   * that this one replaces or belongs to.
   */
  async conflictOf(job: Job, except: readonly string[] = []): Promise<Conflict | undefined> {
    const { ledger, clock } = this.parts;
    const own = await this.exclusiveValues(job);
    if (own.length === 0) return undefined;
    const open = await ledger.open.holding(own, ['pending', 'confirmed', 'in_flight']);
    const isOver = ({ state, expiresAt }: Action) => state === 'pending' && expiresAt <= clock.now();
    const [first, ...others] = open.filter(
      (one) => this.#excludes(job, one) && !except.includes(one.id) && !isOver(one),
    );
    return first && { action: first, values: this.#sharedValues(own, first), more: others.map(({ id }) => id) };
  }

  /**
   * The calls of unknown outcome that this one excludes, or that change the same records, with the values (phone numbers,
   * ids) that both are about. A call that may not be sent again is told of the others of its operation too.
   */
  async unknownBeside(job: Job): Promise<Repeat[]> {
    const beside = await this.parts.dispatcher.unknownBeside(job);
    const own = mayResend(job.tool, job.input) ? [] : await this.exclusiveValues(job);
    const found = own.length === 0 ? [] : await this.parts.ledger.open.holding(own, ['unknown']);
    const excluded = found
      .filter((one) => one.operation === job.tool.id || this.#excludes(job, one))
      .map((action) => ({ action, values: this.#sharedValues(own, action) }));
    return [...excluded, ...beside.filter(({ action }) => !excluded.some((one) => one.action.id === action.id))];
  }

  /** True if one of two calls cancels, moves or releases its numbers, or if its definition says that it excludes the other. */
  #excludes({ tool, input }: Job, action: Action): boolean {
    const other = this.parts.tools.get(operationOf(action));
    return (
      tool.exclusive?.with.includes(other.id) === true ||
      endsNumber(tool, input) ||
      inputsOf(action).some((one) => endsNumber(other, one))
    );
  }

  #sharedValues(own: readonly string[], { operation, shown, known }: Action): string[] {
    return sharedWith(own, exclusiveOf(this.parts.tools.get(operation), shown, known));
  }

  /** Throws if another call for one of the same values waits or runs that must end first. `except`: as in `conflictOf`. */
  async requireFree(job: Job, except: readonly string[] = []): Promise<void> {
    const conflict = await this.conflictOf(job, except);
    if (conflict) throw this.conflictError(job, conflict);
  }

  /** The values (phone numbers) for which only one call may run at a time. */
  async exclusiveValues({ tool, input }: Job): Promise<string[]> {
    const stored = await this.parts.secrets.find(tool, input);
    return exclusiveOf(tool, input, stored?.known ?? {});
  }

  /**
   * Runs `work` while no other call for one of the same numbers or for the same records, and no identical call, is prepared,
   * in this process or in another.
   * The job that `work` gets writes no action if another process has taken over because this one was suspended.
   */
  async exclusively<Given extends Job, T>(job: Given, work: (job: Given) => Promise<T>): Promise<T> {
    const { ledger, worker } = this.parts;
    const values = await this.exclusiveValues(job);
    const target = targetKey(job.tool, job.input);
    if (target !== undefined) values.push(ledger.digest(job.tool.id, { target }));
    const holds = [...values, ledger.digest(job.tool.id, job.given)].map((value) => `prepare ${value}`);
    return worker.exclusively(holds, () => work({ ...job, holds }));
  }

  /** The error that names the conflicting call. */
  conflictError({ tool, input }: Pick<Job, 'tool' | 'input'>, { action, values, more }: Conflict): SwitchboardError {
    // An id is compared in capitals.
    const given = Object.keys(input).find((name) => String(input[name]).toUpperCase() === values[0]);
    const field = given ?? ('PhoneNumbers' in tool.input.shape ? 'PhoneNumbers' : Object.keys(tool.input.shape)[0]);
    const isPending = action.state === 'pending';
    const title = action.consent?.title ?? this.parts.tools.get(action.operation).title;
    const url = this.parts.states.pageUrl(action.id);
    const until = `${new Date(action.expiresAt).toISOString()}${url === undefined ? '' : `, on ${url}`}`;
    const state = isPending ? `waits for a person until ${until}` : 'was confirmed and is running';
    const ids = [action.id, ...more].join(', ');
    return new SwitchboardError({
      code: 'invalid_input',
      outcome: 'not_done',
      message: `${field}: ${values.slice(0, 3).join(', ')}: "${title}", asked by ${action.actorName}, ${state} (${ids}).`,
      effect: 'nothing_sent',
      next: isPending ? 'Wait until a person has decided, or have it withdrawn or declined.' : 'Wait until it ends.',
      ...defined({ field }),
    });
  }

  /**
   * Finds the calls that are the same as this one, and says what they mean for it. Those that have no known end are resolved
   * first; the requester's own call that still runs is waited for. The result of an earlier call is returned to its own
   * requester only: any other requester gets a warning and a new question. So does the requester if an approver decides, or if
   * the surface warns of own calls. A waiting question of another requester is a warning, and with `again` a call that was done
   * is one too. So is a call for some of the same targets of a list, and one of unknown outcome that this call excludes. Calls
   * that may be sent again are repeated unless they were made in parallel.
   *
   * @param since epoch ms: the requester's own call that ended at this time or later was made in parallel
   */
  async earlierCalls(job: BuiltJob, since: number): Promise<Earlier> {
    const { ledger, clock, states, reconciler, tools } = this.parts;
    const { tool, input, actor, replaces, built, again = false } = job;
    const isOnce = !mayResend(tool, input);
    const isAnew = makesAnew(built.change);
    const doubted: string[] = [];
    const warnings: string[] = [];
    const warned: string[] = [];
    const found = new Set<string>();
    const sent = new Set<string>();
    const waiting = new Set<string>();
    const orders = new Set<unknown>();
    let same: Action | undefined;
    // A requester who still believes an outcome to be unknown would repeat the work.
    let untold: Action | undefined;
    let isDoubted = false;
    const latest = async (action: Action) => {
      const now = (await states.current(action.id)) ?? action;
      return now.state === 'unknown' ? ((await reconciler.reconcile(now.id, actor)) ?? now) : now;
    };
    const warn = (action: Action, values?: readonly string[]) => {
      const warning = warningOf(action, action.actorId === actor.id, values);
      if (warning === undefined) return;
      warnings.push(warning);
      if (action.state !== 'pending') warned.push(action.id);
      if (action.state !== 'unknown') return;
      doubted.push(action.id);
      orders.add(orderOf(action));
    };
    const call = callOf(job);
    const repeated = isOnce ? call : { ...call, list: undefined };
    for (const { action, values } of await ledger.open.repeats(repeated, Math.min(since, clock.now() - DAY_MS))) {
      found.add(action.id);
      if (action.id === replaces) continue;
      const own = action.actorId === actor.id;
      const isWhole = values === undefined;
      if (action.state === 'pending') {
        if (isWhole) waiting.add(action.id);
        if (isWhole && action.person === personOf(actor)) same = same === undefined || own ? action : same;
        else if (isOnce && isAnew) warn(action, values);
        continue;
      }
      if (!isOnce && (!own || again || action.state === 'unknown')) continue;
      sent.add(action.id);
      const wasOpen = !isEnded(action);
      if (isWhole && own && isRunning(action)) await this.#waitFor(action, job);
      const now = wasOpen ? await latest(action) : action;
      if (isWhole && own && !again && isEnded(now)) {
        if (wasOpen || (now.finishedAt ?? 0) >= since) return this.#told(now);
        const asksForEnd = isOnce && traitsOf(actor.surface).asksForEnd;
        if (asksForEnd && now.wasUnknown && now.notes[END_TOLD] === undefined) untold ??= now;
      }
      if (isWhole && now.state === 'unknown') isDoubted = true;
      const isUnknownToDecider =
        !own || built.change.level === 'approver' || traitsOf(actor.surface).warnsOfOwn === true;
      const isTold = isAnew && (!isWhole || isUnknownToDecider);
      if (isOnce && (isTold || (isWhole ? wasOpen : now.state === 'unknown'))) warn(now, values);
    }
    if (untold && !isDoubted) return this.#told(untold);
    // Workflows come first, then the operations they sent.
    const isStep = ({ action }: Repeat) => tools.get(action.operation).kind === 'operation';
    const beside = await this.unknownBeside(job);
    for (const { action, values } of beside.sort((one, other) => Number(isStep(one)) - Number(isStep(other)))) {
      // The stages of one cancellation belong to the same order and are reported once.
      const order = orderOf(action);
      if (found.has(action.id) || (order !== undefined && orders.has(order))) continue;
      orders.add(order);
      const now = await latest(action);
      if (now.state === 'unknown') warn(now, values);
    }
    return { same, doubted, warned, sent, waiting, ...(warnings.length > 0 && { warning: warnings.join(' ') }) };
  }

  /** The end of the requester's own call, which is its answer. Notes that the requester has learned it. */
  async #told(done: Action): Promise<Earlier> {
    if (done.wasUnknown) await this.parts.ledger.notes.remember(done.id, { [END_TOLD]: true });
    return { ...NONE, done };
  }

  /**
   * Waits until the requester's own call ends, successfully or not, in this process or another. Its end is read from the
   * ledger afterwards: the first caller gets the error. Rejects with the outcome `unknown` if it has not ended in time.
   */
  async #waitFor(twin: Action, { deadline, signal }: BuiltJob): Promise<void> {
    const { states, clock } = this.parts;
    const call = states.running.get(twin.id);
    if (call !== undefined) return void (await call.catch(() => undefined));
    while (clock.now() < deadline && !signal?.aborted) {
      const now = await states.current(twin.id);
      if (now === undefined || !isRunning(now)) return;
      await sleep(systemClock, POLL_MS, [signal]);
    }
    throw new SwitchboardError({
      code: 'timeout',
      message: 'The same call is running and has not ended yet.',
      effect: 'nothing_more_sent',
      follow: twin.id,
      outcome: 'unknown',
    });
  }
}

/** The person whom the caller can ask at once; by default the user of the surface it came by. */
function deciderFor({ ask, decider, actor }: BuiltJob): Decider | undefined {
  return ask && (decider ?? deciderOf(actor, traitsOf(actor.surface).way));
}

/**
 * True if a waiting question shows the records as they were read now, warns about these earlier calls, and of no outcome
 * that is known by now. A read that fails now changes nothing.
 */
function isCurrent(waiting: Action, { tool, built }: BuiltJob, earlier: Earlier): boolean {
  // Its texts name the lines in the order of the call that asked it, and the two calls say the same.
  const input = { ...built.input, ...waiting.shown };
  const difference = differenceOf(tool, waiting, { ...built, input });
  if (difference && !difference.unread) return false;
  const { doubted, warned } = factsOf(waiting);
  const isKnown = (ids: readonly string[], among: readonly string[]) => ids.every((id) => among.includes(id));
  return isKnown(doubted, earlier.doubted) && isKnown(earlier.doubted, doubted) && isKnown(earlier.warned, warned);
}

/** The records that a call changes, as one text; undefined for a call that names none, or adds something to one. */
function targetKey(tool: Tool, input: Fields): string | undefined {
  if (tool.adds) return undefined;
  if (tool.id === BATCH_RUN) return typeof input.Targets === 'string' ? input.Targets : undefined;
  const named = keysOf(tool).filter((name) => name !== 'AccountId' && input[name] !== undefined);
  return named.length === 0 ? undefined : canonicalCall(Object.fromEntries(named.map((name) => [name, input[name]])));
}

/** A call with its change. Nothing has been sent yet. */
export interface BuiltJob extends Job {
  readonly built: Built;
  /** Tells whether the records that it was built from have to be read again. */
  readonly isStale: () => boolean;
}

/** A pending or running call that must end before another one for the same values may start. */
interface Conflict {
  action: Action;
  /** The values (phone numbers) that both calls name. */
  values: string[];
  /** Ids of further calls that must end, too. */
  more: readonly string[];
}

/**
 * What an earlier call means for a new one: who made it, when, and how it ended; undefined for one that did nothing.
 *
 * @param values the targets that both calls have, if not all of them
 */
function warningOf(action: Action, own: boolean, values?: readonly string[]): string | undefined {
  const { actorName, id, state, consent, operation } = action;
  const [asked, sent] = [action.createdAt, sentAt(action)].map((at) => new Date(at).toISOString());
  const some = values === undefined ? '' : ` for ${someOf(values)}`;
  const by = own ? '' : `, asked by ${actorName},`;
  if (state === 'pending')
    return `${actorName} asked for the same call${some} at ${asked} (${id}); it still waits for a person. Once one of the two is sent, a yes to the other sends nothing.`;
  if (state === 'unknown')
    return `An earlier call${some} ("${consent?.title ?? operation}", ${id})${by} was sent at ${sent} and its outcome is unknown: it may have been done already. Check before confirming.`;
  const how = isRunning(action) ? 'is running now' : { done: 'was done', partly: 'was partly done' }[String(state)];
  const made =
    own && !some ? `The same call was sent at ${sent}` : `${actorName} made the same call${some} at ${sent} (${id})`;
  return how && `${made}; it ${how}. Confirming does it a second time.`;
}
