import { mayAsk } from '../catalogue/offered.ts';
import { type LocalHistory, mayResend, type Tool } from '../catalogue/operation.ts';
import type { Action, ActionsView, Ledger, Notes } from '../ledger/ledger.ts';
import { withholdActivation } from '../lib/activation.ts';
import { type Actor, personOf, type Way } from '../lib/actor.ts';
import { SwitchboardError } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import type { Client } from '../platform/types.ts';
import type { Job } from '../work/jobs.ts';
import type { Handler } from '../work/worker.ts';
import { Abandoned } from './abandoned.ts';
import { Answers } from './answers.ts';
import { Asking } from './asking.ts';
import { chargeTold } from './charges.ts';
import { Checks } from './checks.ts';
import type { Confirmation, GateOptions, Performed, PerformOptions } from './confirmation.ts';
import { Confirmations } from './confirmations.ts';
import { type Decision, type Refusal, whoCan } from './decide.ts';
import { Decisions, deciderOf } from './decisions.ts';
import { DEADLINE_MS, Dispatcher } from './dispatch.ts';
import { Ends } from './ends.ts';
import type { Job as Call } from './job.ts';
import { OperationSecrets } from './operation-secrets.ts';
import { Outcomes } from './outcomes.ts';
import { type AssessedJob, Preparation, problemError } from './prepare.ts';
import { type Alike, alikeCalls, earlierAttempt } from './repeats.ts';
import { type RevealSource, Reveals } from './reveals.ts';
import { Sender } from './sender.ts';
import { saidIn, ToolIndex } from './tool-index.ts';

const SETTLE_MS = 300_000;

/**
 * The one gate: validate → role → consent → ledger → send → parse → redact. Every surface calls it. It hands out
 * read-only views: no surface reaches the ledger's writing side, the client or the redactor through it.
 */
export class Gate {
  /** Actions and their audit trail. */
  readonly actions: ActionsView;
  /** Data that surfaces store with actions. */
  readonly notes: Notes;
  readonly #options: GateOptions;
  readonly #ledger: Ledger;
  readonly #client: Client;
  readonly #tools: ToolIndex;
  readonly #answers: Answers;
  readonly #ends: Ends;
  readonly #confirmations: Confirmations;
  readonly #decisions: Decisions;
  readonly #dispatcher: Dispatcher;
  readonly #preparation: Preparation;
  readonly #asking: Asking;
  readonly #reveals: Reveals;
  readonly #outcomes: Outcomes;
  readonly #onStep: NonNullable<GateOptions['onStep']>;

  constructor(options: GateOptions) {
    const { client, ledger, clock, worker, redactor, approval, history, platformUrl, timeZone = 'UTC' } = options;
    const log = options.log ?? (() => undefined);
    const pageUrl = (id: string) => this.pageUrl(id);
    const refresh = (id: string) => this.#confirmations.refresh(id);
    const changed = (action: Action) => this.#confirmations.changed(action);
    const toolOf = (id: string) => this.#tools.get(id);
    const shared = { ledger, clock, worker, redactor, approval, history, log, timeZone, pageUrl };
    this.#options = options;
    this.#ledger = ledger;
    this.#client = client;
    this.actions = ledger.view();
    this.notes = ledger.notes;
    this.#onStep = options.onStep ?? (() => undefined);
    this.#tools = new ToolIndex({ tools: options.tools, clock, defaultAccountId: options.defaultAccountId });
    this.#ends = new Ends({ ledger, worker, log, changed });
    this.#confirmations = new Confirmations({
      ...shared,
      tools: this.#tools,
      unwritten: (id) => this.#ends.unwritten(id),
    });
    const running = () => this.#dispatcher.running;
    const abandoned = new Abandoned({ ledger, worker, changed, running });
    this.#decisions = new Decisions({ ledger, approval, log, toolOf, refresh, changed, abandoned });
    this.#answers = new Answers({ clock, redactor, completions: options.completions, log });
    const secrets = new OperationSecrets({ vault: ledger.vault, clock, timeZone, log });
    const steps = {
      ...shared,
      tools: this.#tools,
      secrets,
      decisions: this.#decisions,
      confirmations: this.#confirmations,
      abandoned,
      onStep: this.#onStep,
    };
    const checks = new Checks({
      ...shared,
      tools: this.#tools,
      secrets,
      calls: (context) => this.#dispatcher.calls(context),
    });
    const sender = new Sender({ tools: options.tools, platformUrl, client, redactor, secrets });
    this.#dispatcher = new Dispatcher({ ...steps, answers: this.#answers, checks, sender, ends: this.#ends });
    this.#preparation = new Preparation({ ...steps, checks, calls: (context) => this.#dispatcher.calls(context) });
    this.#asking = new Asking({
      ...steps,
      confirmSeconds: options.confirmSeconds,
      preparation: this.#preparation,
      dispatcher: this.#dispatcher,
    });
    this.#reveals = new Reveals({ ledger, clock, tools: this.#tools, dispatcher: this.#dispatcher });
    this.#outcomes = new Outcomes({
      ...shared,
      ends: this.#ends,
      settleMs: options.settleMs ?? SETTLE_MS,
      receipts: options.receipts ?? (async () => []),
      toolOf,
      changed,
      refresh,
      running,
      confirmation: (action) => this.confirmation(action),
      execute: (action, actor) => this.#dispatcher.execute(action, actor),
      decisions: this.#decisions,
      calls: (actor, deadline) => this.#dispatcher.calls({ actor, deadline, confirmed: false }),
    });
  }

  /** Runs an operation or workflow for an actor. A call that needs confirmation may come back as `pending`. */
  async perform(id: string, raw: unknown, actor: Actor, options: PerformOptions = {}): Promise<Performed> {
    return shown(await this.#perform(id, raw, actor, options));
  }

  async #perform(id: string, raw: unknown, actor: Actor, options: PerformOptions): Promise<Performed> {
    const tool = this.#tools.get(id);
    let input: Fields | undefined;
    try {
      requireRole(actor, tool);
      const deadline = options.deadline ?? this.#options.clock.now() + DEADLINE_MS;
      input = this.#tools.parse(tool, raw);
      const said = saidIn(raw, input);
      const job: Call = { ...options, tool, input, said, actor, deadline, confirmed: false };
      if (tool.risk === 'read') return await this.#dispatcher.read(job);
      return await this.#change(await this.#preparation.assess(job));
    } catch (error) {
      throw chargeTold(error, tool, input);
    }
  }

  async #change(job: AssessedJob): Promise<Performed> {
    const { tool, input, said, actor, again = false } = job;
    const digests = this.#ledger.digests(tool.id, said, input);
    const alike = job.needsConfirmation ? await this.#alikeCalls(job) : [];
    const earlier = await earlierAttempt(
      {
        ledger: this.#ledger,
        current: (id) => this.#confirmations.current(id),
        running: this.#dispatcher.running,
        reconcile: (id, who) => this.#outcomes.reconcile(id, who),
      },
      { mayResend: mayResend(tool, input), digests, again, alike },
      actor,
    );
    if (earlier.done) return this.#answers.repeated(tool, earlier.done);
    if (job.needsConfirmation || earlier.warning) return this.#asking.ask({ job, digests, earlier });
    if (job.checked.problem) throw problemError(job.checked.problem);
    return this.#preparation.exclusively(job, async () => {
      const conflict = await this.#preparation.conflictOf(job);
      if (conflict) throw this.#preparation.conflictError(tool, conflict);
      return this.#dispatcher.run(job, digests);
    });
  }

  /** Earlier calls with an unknown outcome that this one overlaps. */
  async #alikeCalls(job: AssessedJob): Promise<Alike[]> {
    const parts = { ledger: this.#ledger, toolOf: (id: string) => this.#tools.get(id) };
    return alikeCalls(parts, job.tool, await this.#preparation.exclusiveValues(job));
  }

  /**
   * Confirms an action for a person on a page, on a card or in another process, and runs it. Rejects with
   * `not_confirmed` if it is too late, and with `forbidden_by_role` if this person may not decide.
   */
  async confirm(id: string, person: Actor, way: Way, options: PerformOptions = {}): Promise<Performed> {
    const confirmed = await this.#decisions.confirm(id, deciderOf(person, way));
    this.#onStep('confirmed', id);
    return shown(await this.#dispatcher.execute(confirmed, { ...person, priority: 'person' }, options));
  }

  /**
   * Returns an answer with the activation codes of eSIMs, which all other answers leave out. It is available to the
   * requester, to the person who confirmed, and to operators who ask for it. Undefined if the answer has no codes. Each
   * reveal is written to the audit trail. Rejects with `forbidden_by_role`.
   */
  reveal(source: RevealSource, person: Actor): Promise<Fields | undefined> {
    return this.#reveals.reveal(source, person);
  }

  /**
   * Records that a person declined. Rejects with the same errors as `confirm`. Requesters may always withdraw their own
   * request.
   */
  decline(id: string, person: Actor, way: Way): Promise<Action> {
    return this.#decisions.decline(id, deciderOf(person, way));
  }

  /**
   * The reason why this person may not decide about an action by this way, by the rules of `confirm`; undefined if they
   * may.
   */
  refusal(decision: Decision, action: Action, person: Actor, way: Way): Refusal | undefined {
    return this.#decisions.refusal(decision, action, deciderOf(person, way));
  }

  /** Settles an unknown outcome as a person states it. */
  settle(id: string, person: Actor, outcome: 'done' | 'not_done', way: Way): Promise<Action> {
    return this.#outcomes.settle(id, person, outcome, way);
  }

  /** State and result of an action for its requester or an approver. Unknown outcomes are read first. */
  follow(id: string, actor: Actor): Promise<Confirmation> {
    return this.#outcomes.follow(id, actor);
  }

  /** Time (epoch ms) until which the platform may still be working on an action; undefined for an unknown id. */
  workedUntil(id: string): Promise<number | undefined> {
    return this.#outcomes.workedUntil(id);
  }

  /** Reads the platform to resolve an unknown outcome; undefined if the reading was inconclusive. */
  reconcile(id: string, actor: Actor): Promise<Action | undefined> {
    return this.#outcomes.reconcile(id, actor);
  }

  /** Reads the unknown outcomes about these numbers now. Called when a delivery names them. */
  readAbout(values: readonly string[]): Promise<void> {
    return this.#outcomes.readAbout(values);
  }

  /** Does what happens to an action later: the handler of a job, by its kind. */
  handlers(): Readonly<Record<'expire' | 'send' | 'read', Handler>> {
    const idOf = ({ payload }: Job) => String(payload.action);
    const ended = async (work: Promise<void>) => {
      await work;
      return undefined;
    };
    return {
      expire: (job) => ended(this.#confirmations.expire(idOf(job))),
      send: (job) => ended(this.#outcomes.takeOver(idOf(job))),
      read: (job) => this.#outcomes.readLater(idOf(job)),
    };
  }

  /** Expires pending actions whose time is over. */
  sweepExpired(): Promise<void> {
    return this.#confirmations.sweepExpired();
  }

  /** The action as it is now. Rejects with `not_found`. */
  refresh(id: string): Promise<Action> {
    return this.#confirmations.refresh(id);
  }

  /** All that a reader may see of an action. */
  confirmation(action: Action): Confirmation {
    return this.#confirmations.describe(action);
  }

  /** Returns a function that removes the listener. */
  onChange(listener: (action: Action) => void): () => void {
    return this.#confirmations.onChange(listener);
  }

  tool(id: string): Tool | undefined {
    return this.#tools.find(id);
  }

  /** Events and watched numbers, as this actor uses them. */
  history(actor: Actor): LocalHistory {
    return this.#options.history(actor);
  }

  /**
   * URL where a person may decide about an action; undefined if the page is not served or CONFIRM_VIA does not allow
   * it.
   */
  pageUrl(id: string): string | undefined {
    return this.decidesBy('page') ? this.#options.pageUrl(id) : undefined;
  }

  /** True if CONFIRM_VIA allows this way. */
  decidesBy(way: Way): boolean {
    return this.#options.approval.via.includes(way);
  }

  /** Names the people who can confirm a call of this actor, as part of a sentence. */
  whoCan(actor: Actor): string {
    return whoCan(personOf(actor), undefined, this.#options.approval);
  }

  /** Secrets made for the person who confirmed. They are returned once, to that person only. */
  async takeOnce(id: string, person: string): Promise<Record<string, string> | undefined> {
    return (await this.#ledger.get(id))?.decidedPerson === person ? this.#ledger.takeOnce(id) : undefined;
  }

  hasOnce(id: string): Promise<boolean> {
    return this.#ledger.hasOnce(id);
  }

  /** IANA zone of times in the platform's answers that carry none. */
  get timeZone(): string {
    return this.#options.timeZone ?? 'UTC';
  }

  /** Requests to the platform in the last minute, their limit, and the number of waiting calls. */
  budget(): Promise<{ used: number; limit: number; waiting: number }> {
    return this.#client.budget();
  }

  /** Resolves when no change sent by this process is under way. */
  idle(): Promise<void> {
    return this.#dispatcher.idle();
  }
}

/** Withholds activation codes from surfaces. */
function shown(performed: Performed): Performed {
  return performed.kind === 'done' ? { ...performed, value: withholdActivation(performed.value) } : performed;
}

function requireRole(actor: Actor, tool: Tool): void {
  if (mayAsk(actor.role, tool)) return;
  throw new SwitchboardError({
    code: 'forbidden_by_role',
    message: `${tool.title} needs the role operator; ${actor.name} has ${actor.role}.`,
    next: 'Ask an operator, or have the role raised in the settings.',
    outcome: 'not_done',
  });
}

export type { ActionsView, Notes } from '../ledger/ledger.ts';
export type { Ask, Confirmation, GateOptions, Performed, PerformOptions } from './confirmation.ts';
export { statusOf } from './confirmation.ts';
