import { type Change, withNames } from '../catalogue/change.ts';
import { hasQuote, withoutTexts } from '../catalogue/input.ts';
import type { Call, Consent, Tool } from '../catalogue/operation.ts';
import { actedOn } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { personOf } from '../lib/actor.ts';
import { FETCH_MS } from '../lib/clock.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, listOf, type Part, partsOf, pathOf, sharedWith, textsIn } from '../lib/values.ts';
import type { Redactor } from '../platform/dialect/redact.ts';
import { type Built, type Changes, endsNumber, exclusiveOf, problemError } from './change.ts';
import { GatePart, type Job, MOST_WAITING, type Previewed, withWarning } from './confirmation.ts';
import type { Dispatcher } from './dispatch.ts';
import { BATCH_RUN, operationOf } from './frozen-batch.ts';
import type { Earlier, QuestionFacts } from './question.ts';
import type { OperationSecrets } from './sender.ts';
import type { ActionStates } from './states.ts';

/** A call with its change. Nothing has been sent yet. */
export interface BuiltJob extends Job {
  readonly built: Built;
  /** Tells whether the records that it was built from have to be read again. */
  readonly isStale: () => boolean;
}

/** The content of a question. */
export interface Question {
  consent: Consent;
  known: Fields;
  /** Epoch ms; infinite if nothing shortens the wait. */
  expiresAt: number;
}

/** A pending or running call that must end before another one for the same values may start. */
export interface Conflict {
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
function linesIn({ shown }: Pick<Action, 'shown'>): string[] {
  const found = textsIn(actedOn(shown)).map(({ value }) => value);
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
