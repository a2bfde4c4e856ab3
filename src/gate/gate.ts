import { inputRemarks } from '../catalogue/input.ts';
import { isChange, type Level, type LocalHistory, mayAsk, mayResend, type Tool } from '../catalogue/operation.ts';
import type { Action, ActionsView, Also, Notes } from '../ledger/ledger.ts';
import { AlreadyTaken } from '../ledger/rows.ts';
import { type Actor, personOf, type Way } from '../lib/actor.ts';
import { SwitchboardError } from '../lib/errors.ts';
import { withoutUrlSecrets } from '../lib/hide.ts';
import type { Fields } from '../lib/values.ts';
import { withholdActivation } from '../platform/dialect/redact.ts';
import { readOutcome } from '../store/key-values.ts';
import type { Job } from '../work/jobs.ts';
import type { Handler } from '../work/worker.ts';
import { type Decision, type Refusal, waysFor, whoCan } from './approval.ts';
import { Asking, type BuiltJob, type FoundQuestion } from './asking.ts';
import { BatchRows } from './batch-rows.ts';
import { Changes, requireNoProblem, withReadBack } from './change.ts';
import {
  type Job as Call,
  type Confirmation,
  errorWithCharge,
  type GateOptions,
  type GateParts,
  givenIn,
  operationOf,
  type Performed,
  type PerformOptions,
  type Previewed,
  ToolIndex,
  withWarnings,
} from './confirmation.ts';
import { ActionStates, Decisions, deciderOf } from './decisions.ts';
import { DEADLINE_MS, Dispatcher, type RevealSource } from './dispatch.ts';
import { Reconciler } from './reconcile.ts';
import { Answers, OperationSecrets, Sender } from './sender.ts';

/** Calls that a client makes at once arrive within this time. */
const ARRIVAL_MS = 5_000;

/**
 * The one gate: validate → role → consent → ledger → send → parse → redact. Every surface calls it. It hands out
 * read-only views: no surface reaches the ledger's writing side, the client or the redactor through it.
 */
export class Gate {
  /** Actions and their audit trail. */
  readonly actions: ActionsView;
  /** Data that surfaces store with actions. */
  readonly notes: Notes;
  /** Rows of batches: reads them, and sends those of a confirmed batch. */
  readonly batchRows: BatchRows;
  readonly #parts: Parts;

  constructor(given: GateOptions) {
    this.#parts = partsOf(given);
    this.actions = given.ledger.view();
    this.notes = given.ledger.notes;
    this.batchRows = new BatchRows(this.#parts);
  }

  /**
   * Runs an operation or workflow for an actor. A call that needs confirmation may come back as `pending`. The steps:
   *
   * 1. The role: may this actor ask for it?
   * 2. The input: parsed, with the default account (`ToolIndex`). A read is sent now (`Dispatcher.read`).
   * 3. The change: the records read, what is left out filled in, before and after, the level (`Changes.build`).
   * 4. Repeats: earlier calls like this one that have no known end are resolved first (`Asking.earlierCalls`).
   * 5. Consent: the change waits for a person whose yes its level needs (`Asking`, `Decisions`).
   * 6. After the yes: the proof of the decision, and the change built again (`Dispatcher.execute`).
   * 7. The ledger: the action is `in_flight` on disk (`Ledger.create`, `Ledger.claim`).
   * 8. Sending, while this process holds the action's job (`Sender`).
   * 9. The answer: secrets removed, the verdict read (`Answers`).
   * 10. The end, written to the ledger (`ActionStates.write`). An unknown one is read later (`Reconciler`).
   */
  async perform(id: string, raw: unknown, actor: Actor, options: PerformOptions = {}): Promise<Performed> {
    const tool = this.#parts.tools.get(id);
    let job: Call | undefined;
    try {
      job = this.#jobOf(tool, raw, actor, options);
      return withheld(await this.#run(job), job.remarks);
    } catch (error) {
      throw errorWithCharge(error, tool, job?.input);
    }
  }

  /**
   * The question of a change as it would be asked now. It only reads, and nothing is stored. Throws what would keep it from
   * being asked.
   */
  async preview(id: string, raw: unknown, actor: Actor): Promise<Previewed> {
    const { asking, tools } = this.#parts;
    return asking.preview(await asking.build(this.#jobOf(tools.get(id), raw, actor)));
  }

  #jobOf(tool: Tool, raw: unknown, actor: Actor, options: PerformOptions = {}) {
    if (!mayAsk(actor.role, tool))
      throw new SwitchboardError({
        code: 'forbidden_by_role',
        message: `${tool.title} needs the role operator; ${actor.name} has ${actor.role}.`,
        next: 'Ask an operator, or have the role raised in the settings.',
        outcome: 'not_done',
      });
    const input = this.#parts.tools.parse(tool, raw);
    const now = this.#parts.clock.now();
    return {
      startedAt: now,
      deadline: now + DEADLINE_MS,
      ...options,
      tool,
      input,
      given: givenIn(raw, input),
      actor,
      remarks: inputRemarks(tool, raw, input),
      confirmed: false,
    };
  }

  async #run(call: Call): Promise<Performed> {
    const { asking, dispatcher } = this.#parts;
    const { tool } = call;
    if (tool.risk === 'read') return dispatcher.read(call);
    const job = await asking.build(call);
    if (isChange(tool)) return this.#change(job);
    // It changes nothing for a customer, such as a watch or the request of an AuthCode.
    requireNoProblem(job.built.checked);
    return asking.exclusively(job, async (held) => {
      await asking.requireFree(held);
      return dispatcher.run(held);
    });
  }

  /** Asks for a change, or sends it at once where the owner waived the question. */
  async #change(job: BuiltJob): Promise<Performed> {
    const { asking, answers, dispatcher, approval } = this.#parts;
    const { tool, input, built } = job;
    const { checked, change } = built;
    if (built.isNothing) {
      const remarks = ['Nothing was sent: this is already so.', ...(await asking.endReplaced(job))];
      const value = withWarnings({ ...change.sends, ...built.left }, ...remarks);
      return { kind: 'done', value, already: true };
    }
    // An edit takes the place of a question, and is one.
    const mayWaive = change.level === 'own' && checked.asks !== true && job.replaces === undefined;
    const isUnasked = mayWaive && (checked.asks === false || (!approval.asksOwn && (await this.#mayStillAsk(job))));
    // Calls that a client makes at once arrive one after the other.
    const since = (job.startedAt ?? 0) - (isUnasked && !mayResend(tool, input) ? ARRIVAL_MS : 0);
    const findOrRun = async (held: BuiltJob): Promise<FoundQuestion | Performed> => {
      const earlier = await asking.earlierCalls(held, since);
      if (earlier.done) return answers.repeated(tool, earlier.done);
      if (!isUnasked || (checked.asks !== false && earlier.warning !== undefined))
        return asking.question(held, earlier);
      requireNoProblem(checked);
      await asking.requireFree(held);
      const { known, consent } = await asking.textOf(held, earlier);
      const mayBegin = dispatcher.builtAgain(job, { known, consent }, job.isStale);
      const beside = {
        since,
        // A yes to a question about the same call may have come meanwhile.
        refuses: (twins: readonly Action[]) => !mayResend(tool, input) && twins.some(({ id }) => !earlier.sent.has(id)),
      };
      const remarks = await asking.endReplaced(held);
      try {
        const done = await dispatcher.run({ ...held, mayBegin }, { known, consent, beside, notes: job.notes });
        return done.kind === 'done' ? { ...done, value: withWarnings(done.value, ...remarks) } : done;
      } catch (error) {
        if (error instanceof AlreadyTaken) return findOrRun(held);
        throw error;
      }
    };
    const found = await asking.exclusively(job, findOrRun);
    return 'kind' in found ? found : asking.answer(job, found);
  }

  /** True if the requester may ask for a call now, as at a yes: a job may make it long after they asked. */
  async #mayStillAsk({ tool, input, actor }: BuiltJob): Promise<boolean> {
    const { requesters, tools } = this.#parts;
    const asked = { actorId: actor.id, person: personOf(actor), surface: actor.surface };
    const operation = tools.get(operationOf({ operation: tool.id, shown: input }));
    // If it cannot be told, a person is asked, and it is looked up again at the yes.
    const why = await requesters.refusal(asked, operation).catch((error: unknown) => String(error));
    return why === undefined;
  }

  /**
   * Confirms an action for a person on a page, on a card or in another process, and runs it. Rejects with
   * `not_confirmed` if it is too late, and with `forbidden_by_role` if this person may not decide.
   */
  async confirm(id: string, person: Actor, way: Way, options: PerformOptions = {}): Promise<Performed> {
    const confirmed = await this.#parts.decisions.confirm(id, deciderOf(person, way));
    return withheld(await this.#parts.dispatcher.execute(confirmed, { ...person, priority: 'person' }, options));
  }

  /**
   * Returns an answer with the activation codes of eSIMs, which all other answers leave out. It is available to the
   * requester, to the person who confirmed, and to operators who ask for it. Undefined if the answer has no codes. Each
   * reveal is written to the audit trail. Rejects with `forbidden_by_role`.
   */
  reveal(source: RevealSource, person: Actor): Promise<Fields | undefined> {
    return this.#parts.dispatcher.reveal(source, person);
  }

  /**
   * Records that a person declined. Rejects with the same errors as `confirm`. Requesters may always withdraw their own
   * request. `reason`: in their own words, for the requester and the audit trail. `also`: is done in the same transaction.
   */
  decline(id: string, person: Actor, way: Way, more: { reason?: string | undefined; also?: Also } = {}) {
    return this.#parts.decisions.decline(id, deciderOf(person, way, more.reason), more.also);
  }

  /**
   * Withdraws a question of this requester, without a decision of a person. Rejects with `forbidden_by_role`, and with
   * `not_confirmed` if it does not wait any more.
   */
  withdraw(id: string, requester: Actor): Promise<Action> {
    return this.#parts.decisions.withdraw(id, personOf(requester));
  }

  /**
   * The reason why this person may not decide about an action by this way, by the rules of `confirm`; undefined if they
   * may.
   */
  refusal(decision: Decision, action: Action, person: Actor, way: Way): Refusal | undefined {
    return this.#parts.decisions.refusal(decision, action, deciderOf(person, way));
  }

  /** Settles an unknown outcome as a person states it. */
  settle(id: string, person: Actor, outcome: 'done' | 'not_done', way: Way): Promise<Action> {
    return readOutcome(this.#parts.reconciler.settle(id, person, outcome, way));
  }

  /** State and result of an action for its requester or an approver. Unknown outcomes are read first. */
  follow(id: string, actor: Actor): Promise<Confirmation> {
    return readOutcome(this.#parts.reconciler.follow(id, actor));
  }

  /** Time (epoch ms) until which the platform may still be working on an action; undefined for an unknown id. */
  workedUntil(id: string): Promise<number | undefined> {
    return this.#parts.reconciler.workedUntil(id);
  }

  /** Reads the platform to resolve an unknown outcome; undefined if the reading was inconclusive. */
  reconcile(id: string, actor: Actor): Promise<Action | undefined> {
    return readOutcome(this.#parts.reconciler.reconcile(id, actor));
  }

  /** Reads the unknown outcomes about these numbers now. Called when a delivery names them. */
  readAbout(values: readonly string[]): Promise<void> {
    return this.#parts.reconciler.readAbout(values);
  }

  /** Does what happens to an action later: the handler of a job, by its kind. */
  handlers(): Readonly<Record<'expire' | 'send' | 'read', Handler>> {
    const { states, reconciler } = this.#parts;
    const idOf = ({ payload }: Job) => String(payload.action);
    return {
      expire: async (job) => void (await states.expire(idOf(job))),
      send: async (job) => void (await reconciler.takeOver(idOf(job))),
      read: async (job) => (await reconciler.read(idOf(job))).nextAt,
    };
  }

  /** The action as it is now. Rejects with `not_found`. */
  refresh(id: string): Promise<Action> {
    return readOutcome(this.#parts.states.refresh(id));
  }

  /** Returns a function that removes the listener. */
  onChange(listener: (action: Action) => void): () => void {
    return this.#parts.states.onChange(listener);
  }

  tool(id: string): Tool | undefined {
    return this.#parts.tools.find(id);
  }

  /** Events and watched numbers, as this actor uses them. */
  history(actor: Actor): LocalHistory {
    return this.#parts.history.of(actor);
  }

  /**
   * URL where a person may decide about an action; undefined if the page is not served or CONFIRM_VIA does not allow
   * it.
   */
  pageUrl(id: string): string | undefined {
    return this.#parts.states.pageUrl(id);
  }

  /** True if CONFIRM_VIA allows this way. */
  decidesBy(way: Way): boolean {
    return this.#parts.approval.via.includes(way);
  }

  /**
   * How the confirmation page takes the yes for a call of this actor: from a browser that is paired with this computer, or
   * from people who sign in; undefined if nobody can confirm there.
   */
  pageWay(actor: Actor, level: Level): 'paired' | 'signed in' | undefined {
    const { approval } = this.#parts;
    const page = waysFor(personOf(actor), undefined, approval, level).find(({ way }) => way === 'page');
    if (page?.reason !== undefined) return undefined;
    return approval.pairing && (level === 'own' || !approval.twoPerson) ? 'paired' : 'signed in';
  }

  /** Names the people who can confirm a call of this actor, as part of a sentence. */
  whoCan(actor: Actor, level?: Level): string {
    return whoCan(personOf(actor), this.#parts.approval, level);
  }

  /** Secrets made for the person who confirmed. They are returned once, to that person only. */
  async takeOnce(id: string, person: string): Promise<Record<string, string> | undefined> {
    return (await this.#parts.ledger.get(id))?.decidedPerson === person ? this.#parts.ledger.takeOnce(id) : undefined;
  }

  /** The time in epoch ms. */
  now(): number {
    return this.#parts.clock.now();
  }

  /** IANA zone of times in the platform's answers that carry none. */
  get timeZone(): string {
    return this.#parts.timeZone;
  }

  /** Requests to the platform in the last minute, their limit, and the number of waiting calls. */
  budget(): Promise<{ used: number; limit: number; waiting: number }> {
    return this.#parts.client.budget();
  }

  /** Resolves when no change sent by this process is under way. */
  async idle(): Promise<void> {
    const { running } = this.#parts.states;
    while (running.size > 0) await Promise.allSettled(running.values());
  }
}

/** The parts of the gate. Each has them all. */
const PARTS = {
  answers: Answers,
  asking: Asking,
  changes: Changes,
  decisions: Decisions,
  dispatcher: Dispatcher,
  reconciler: Reconciler,
  secrets: OperationSecrets,
  sender: Sender,
  states: ActionStates,
};
type Parts = GateParts & { [Name in keyof typeof PARTS]: InstanceType<(typeof PARTS)[Name]> };

function partsOf(given: GateOptions): Parts {
  const tools = new ToolIndex(given.tools.map(withReadBack), given.clock, given.defaultAccountId);
  const parts = { ...given, tools } as Parts;
  return Object.assign(parts, Object.fromEntries(Object.entries(PARTS).map(([name, Part]) => [name, new Part(parts)])));
}

/**
 * A result for a surface: without activation codes and the secrets in addresses. `remarks`: what its reader should know
 * about how the input was read. A question has them as warnings.
 */
function withheld(performed: Performed, remarks: readonly string[] = []): Performed {
  if (performed.kind !== 'done') return performed;
  return { ...performed, value: withoutUrlSecrets(withholdActivation(withWarnings(performed.value, ...remarks))) };
}
