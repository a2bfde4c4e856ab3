import { type Change, withNames } from '../catalogue/change.ts';
import { hasQuote, withoutTexts } from '../catalogue/input.ts';
import type { Call, Consent, Tool } from '../catalogue/operation.ts';
import { canonicalCall } from '../ledger/action.ts';
import { type Action, type Digests, type NewAction, TooManyOpen } from '../ledger/ledger.ts';
import { personOf } from '../lib/actor.ts';
import { after, FETCH_MS } from '../lib/clock.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, listOf, type Part, partsOf, pathOf, sharedWith, textsIn } from '../lib/values.ts';
import type { Redactor } from '../platform/dialect/redact.ts';
import { type Decider, forbidden, nobodyCan, reasonText, traitsOf } from './approval.ts';
import { type Built, type Changes, endsNumber, exclusiveOf, keysOf, problemError } from './change.ts';
import {
  ALSO_ASKED,
  type Ask,
  GatePart,
  type Job,
  MOST_WAITING,
  notConfirmed,
  type Performed,
  type Previewed,
  REPLACED_BY,
  requestOf,
  withWarning,
} from './confirmation.ts';
import { type ActionStates, type Decisions, deciderOf } from './decisions.ts';
import type { Dispatcher } from './dispatch.ts';
import { actedOn, BATCH_RUN, operationOf } from './frozen-batch.ts';
import { differenceOf, type Earlier, factsOf, type QuestionFacts } from './question.ts';
import type { OperationSecrets } from './sender.ts';

/** Maximum number of questions of one requester that may wait for a person. */
const MOST_OPEN = 50;

/** The question about a call: a new one, or one that waits. */
interface FoundQuestion {
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
interface AskRequest {
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

/** A call with its change. Nothing has been sent yet. */
export interface BuiltJob extends Job {
  readonly built: Built;
  /** Tells whether the records that it was built from have to be read again. */
  readonly isStale: () => boolean;
}

/** The content of a question. */
interface Question {
  consent: Consent;
  known: Fields;
  /** Epoch ms; infinite if nothing shortens the wait. */
  expiresAt: number;
}

/** A pending or running call that must end before another one for the same values may start. */
interface Conflict {
  action: Action;
  /** The values (phone numbers) that both calls name. */
  values: string[];
  /** True if it is the same operation for the same values. */
  same: boolean;
  /** Ids of further calls that must end, too. */
  more: readonly string[];
}

/**
 * The steps before a person is asked: the change of the call, its question, and whether another call for the same number
 * already waits. These steps change nothing for a customer.
 */
export class Preparation extends GatePart<{
  secrets: OperationSecrets;
  changes: Changes;
  dispatcher: Dispatcher;
  states: ActionStates;
}> {
  /**
   * Builds the change of a call on the caller's own input, so that the account of the record replaces the configured
   * default. Reads that fail are named in `warnings`.
   */
  async build(job: Job): Promise<BuiltJob> {
    const { clock, changes, dispatcher } = this.parts;
    const { actor, signal } = job;
    const deadline = Math.min(job.deadline, clock.now() + FETCH_MS);
    const context = { actor, deadline, confirmed: false, ...defined({ signal }) };
    const { call, isStale } = dispatcher.reads(context);
    const built = await changes.build(job, context, call);
    return { ...job, input: built.input, built, isStale };
  }

  #callsOf({ actor, deadline, holds, signal, onStage }: Job): Call {
    return this.parts.dispatcher.calls({
      actor,
      deadline,
      confirmed: false,
      ...defined({ holds, signal, onStage }),
    });
  }

  /**
   * Creates the question: runs the preparing steps, then builds its text. `earlier`: earlier identical calls that the
   * question warns about. Throws if a step shows that the call cannot work. A secret of a preparing step that ends sooner
   * than the question is fetched again after the yes.
   *
   * @param options.replaced ids of the waiting questions that it takes the place of; undefined for a call that is not asked
   * about now
   * @param options.isPreview leaves the preparing steps out, because they may make a call
   */
  async question(
    job: BuiltJob,
    earlier: Pick<Earlier, 'doubted' | 'warned'>,
    { replaced, isPreview = false }: { replaced?: readonly string[]; isPreview?: boolean } = {},
  ): Promise<Question> {
    const { tool, input, built } = job;
    const { checked, raised, change, left } = built;
    const stored = await this.parts.secrets.require(tool, input);
    let known: Fields = { ...checked.known, ...stored?.known };
    let expiresAt = Number.POSITIVE_INFINITY;
    const warnings = [...(job.remarks ?? []), ...listOf(tool.caution?.(input)), ...(checked.warnings ?? [])];
    if (replaced !== undefined) warnings.push(...(await this.#besides(job, replaced)));
    if (tool.kind === 'workflow' && tool.prepare && !isPreview) {
      const step = await tool.prepare(input, this.#callsOf(job));
      if (step.problem) throw problemError(step.problem);
      known = { ...known, ...step.known };
      warnings.push(...(step.warnings ?? []));
    } else if (stored && !(tool.kind === 'operation' && tool.takes?.renew(known))) expiresAt = stored.expiresAt;
    const consent = consentOf(tool, input, known, raised?.reason);
    const facts: QuestionFacts = {
      ...defined({ customer: checked.customer, customers: checked.customers, raised }),
      warnings,
      hidden: hiddenIn(input, this.parts.redactor),
      outside: [
        ...outsideInConsent(tool, input, known, [raised?.reason, built.bareReason]),
        ...namedIn(consent, change.names),
      ],
      doubted: earlier.doubted,
      warned: earlier.warned,
      rests: checked.rests ?? {},
      filled: Object.keys(input).filter((name) => !(name in job.given)),
      left,
      unread: checked.unread.map(({ read }) => read),
    };
    if (tool.kind === 'operation' && tool.takes && !consent.orderNumbers?.length)
      throw new SwitchboardError({
        code: 'invalid_input',
        outcome: 'not_done',
        field: tool.takes.under,
        message: `${tool.takes.under}: the numbers of this order are not known, so a question could not name them.`,
        effect: 'nothing_sent',
        next: `Start again with ${tool.takes.from}.`,
      });
    return { consent, known: { ...known, question: facts, change }, expiresAt };
  }

  /**
   * Names the questions that wait about the same operation for some of the same numbers and stay open beside this one.
   * `replaced`: ids of those that it takes the place of.
   */
  async #besides({ tool, input, replaces }: BuiltJob, replaced: readonly string[]): Promise<string[]> {
    const { ledger, clock, tools } = this.parts;
    const own = { operation: tool.id, shown: input };
    const operation = tools.find(operationOf(own));
    const numbers = linesIn(own);
    if (operation === undefined || operation.adds === true || numbers.length === 0) return [];
    const waiting = await ledger.list({ states: ['pending'], limit: MOST_WAITING, oldestFirst: true });
    return waiting.flatMap((action) => {
      const isOther = action.id !== replaces && !replaced.includes(action.id) && action.expiresAt > clock.now();
      const shared = isOther && operationOf(action) === operation.id ? sharedWith(numbers, linesIn(action)) : [];
      if (shared.length === 0) return [];
      const id = action.operation === BATCH_RUN ? `batch ${String(action.shown.Batch)}` : action.id;
      const some = shared.slice(0, 3).join(', ') + (shared.length > 3 ? ` and ${shared.length - 3} more` : '');
      return `An earlier question of ${action.actorName} for ${some} still waits and is not replaced by this one (${id}).`;
    });
  }

  /** The call with what was read for it. Throws if that leaves nothing to do, or forbids it. It only reads. */
  async check(job: Job): Promise<BuiltJob> {
    const built = await this.build(job);
    if (built.built.checked.problem) throw problemError(built.built.checked.problem);
    return built;
  }

  /** The question of a call as it would be stored, without secrets and statement. Throws if the call cannot work. */
  async preview(job: BuiltJob, earlier: Earlier = { doubted: [], warned: [] }): Promise<Previewed> {
    const { redactor } = this.parts;
    if (job.built.checked.problem) throw problemError(job.built.checked.problem);
    const { consent, known } = await this.question(job, earlier, { isPreview: true });
    return {
      operation: job.tool.id,
      shown: redactor.omit(job.input),
      known: redactor.omit(known),
      consent: withWarning(consent, earlier.warning),
    };
  }

  /**
   * Returns the pending or running call for one of the same values, if only one of them may be open at a time. This
   * holds if one of them cancels, moves or releases the number, or if the definition says so. It names all such calls, so
   * that the next attempt does not find another one. `except`: ids of calls
   * that this one replaces.
   */
  async conflictOf(job: Job, except: readonly string[] = []): Promise<Conflict | undefined> {
    const { ledger, clock, tools } = this.parts;
    const { tool } = job;
    const own = await this.exclusiveValues(job);
    if (own.length === 0) return undefined;
    const found: Omit<Conflict, 'more'>[] = [];
    for (const action of await ledger.open.holding(own, ['pending', 'confirmed', 'in_flight'])) {
      const other = tools.get(operationOf(action));
      const excludes =
        tool.exclusive?.with.includes(other.id) || endsNumber(tool, job.input) || endsNumber(other, action.shown);
      if (!excludes || except.includes(action.id)) continue;
      if (action.state === 'pending' && action.expiresAt <= clock.now()) continue;
      const others = exclusiveOf(tools.get(action.operation), action.shown, action.known);
      const values = sharedWith(own, others);
      const same = action.operation === tool.id && values.length === own.length && values.length === others.length;
      found.push({ action, values, same });
    }
    const [first, ...others] = found;
    return first && { ...first, more: others.map(({ action }) => action.id) };
  }

  /** The values (phone numbers) for which only one call may run at a time. */
  async exclusiveValues({ tool, input }: Job): Promise<string[]> {
    const stored = await this.parts.secrets.find(tool, input);
    return exclusiveOf(tool, input, stored?.known ?? {});
  }

  /**
   * Runs `work` while no other call for one of the same numbers, and no identical call, is prepared, in this process or in
   * another.
   * The job that `work` gets writes no action if another process has taken over because this one was suspended.
   */
  async exclusively<Given extends Job, T>(job: Given, digest: string, work: (job: Given) => Promise<T>): Promise<T> {
    const values = await this.exclusiveValues(job);
    const holds = [...values, digest].map((value) => `prepare ${value}`);
    return this.parts.worker.exclusively(holds, () => work({ ...job, holds }));
  }

  /** The error that names the conflicting call. */
  conflictError(
    { tool, input, actor }: Pick<Job, 'tool' | 'input' | 'actor'>,
    { action, values, more }: Conflict,
  ): SwitchboardError {
    // An id is compared in capitals, and named as it was given.
    const given = Object.entries(input).find(([, value]) => String(value).toUpperCase() === values[0]);
    const field =
      given?.[0] ?? ('PhoneNumbers' in tool.input.shape ? 'PhoneNumbers' : Object.keys(tool.input.shape)[0]);
    const named = given === undefined ? values.slice(0, 3).join(', ') : String(given[1]);
    const isPending = action.state === 'pending';
    const url = isPending ? this.parts.states.pageUrl(action.id) : undefined;
    const title = action.consent?.title ?? this.parts.tools.get(action.operation).title;
    const state = isPending
      ? `waits for a person until ${new Date(action.expiresAt).toISOString()}${url === undefined ? '' : `, on ${url}`}`
      : 'was confirmed and is running';
    const isOwn = action.person === personOf(actor);
    const taken = isOwn ? 'withdraw it' : `have it declined, or ask ${action.actorName} to withdraw it`;
    const others = more.length === 0 ? '' : ` These must end first, too: ${more.join(', ')}.`;
    const next = `${isPending ? `Wait until a person has decided, or ${taken}.` : 'Wait until it ends.'}${others}`;
    return new SwitchboardError({
      code: 'invalid_input',
      outcome: 'not_done',
      message: `${field}: ${named}: "${title}", asked by ${action.actorName}, ${state} (${action.id}).`,
      effect: 'nothing_sent',
      next,
      ...defined({ field }),
    });
  }
}

/** The phone numbers that a call, or a batch, is for. */
function linesIn(action: Pick<Action, 'operation' | 'shown'>): string[] {
  const found = textsIn(actedOn(action)).map(({ value }) => value);
  return [...new Set(found.filter((value) => /^\+\d{7,15}$/.test(value)))];
}

/** The text of a question. Only an operation that changes nothing has no `consent`. */
function consentOf(tool: Tool, input: Fields, known: Fields, reasons: string | undefined): Consent {
  if (tool.consent) return tool.consent(input, known, reasons);
  return { title: tool.title, consequence: tool.description, undo: '', confirm: 'Do it' };
}

/**
 * Finds the members of a question that repeat text of the platform's records, by comparing them with a question without
 * that text.
 */
function outsideInConsent(
  { id, consent }: Tool,
  input: Fields,
  known: Fields,
  [reason, bareReason]: readonly [string | undefined, string | undefined],
): QuestionFacts['outside'] {
  if (!consent) return [];
  const shown = consent(input, known, reason);
  const without = consent(input, withoutTexts(known), bareReason);
  // That of a batch counts records, and the counts differ without their texts.
  const isCounting = id === BATCH_RUN;
  const differs = shown.consequence !== without.consequence || shown.undo !== without.undo;
  return [
    ...(shown.title !== without.title && hasQuote(shown.title) ? ['summary' as const] : []),
    ...(differs && (!isCounting || hasQuote(`${shown.consequence} ${shown.undo}`)) ? ['consequence' as const] : []),
  ];
}

/** The members of a question in which a record's name will stand for its id. */
function namedIn({ title, consequence, undo }: Consent, names: Change['names']): QuestionFacts['outside'] {
  const isNamed = (text: string) => withNames(text, names) !== text && hasQuote(withNames(text, names));
  return [
    ...(isNamed(title) ? ['summary' as const] : []),
    ...(isNamed(`${consequence} ${undo}`) ? ['consequence' as const] : []),
  ];
}

/** Paths of the secret members of an input ("CurrentAccountPassword"): the question names them without their values. */
function hiddenIn(value: unknown, { isSecret }: Redactor): string[] {
  const isHidden = ({ key }: Part) => typeof key === 'string' && isSecret(key);
  const found = partsOf(value, (part) => !isHidden(part));
  return found
    .filter((part) => isHidden(part) && part.value !== undefined && part.value !== null)
    .map((part) => pathOf(part, true));
}
