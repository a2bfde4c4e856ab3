import { batchedBy } from '../catalogue/batch-rule.ts';
import { cleaned } from '../catalogue/input.ts';
import { mayAsk } from '../catalogue/offered.ts';
import { isChange, type Tool } from '../catalogue/operation.ts';
import { forbidden, reasonText } from '../gate/approval.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import type { Performed, PerformOptions, Previewed } from '../gate/gate.ts';
import { type Action, changeOf } from '../ledger/action.ts';
import type { AlsoWritten } from '../ledger/ledger.ts';
import { type Actor, hasRole, identified, personOf, type Way } from '../lib/actor.ts';
import { sleep } from '../lib/clock.ts';
import { POLL_MS } from '../lib/durations.ts';
import { invalidInput, SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, recordOf } from '../lib/json.ts';
import { readOutcome } from '../store/key-values.ts';
import type { Worker } from '../work/worker.ts';
import { planCsv, resultsCsv } from './csv.ts';
import { allOf, costOf } from './effects.ts';
import { type BatchParts, minutesOf, Planner } from './planner.ts';
import { plannedOf, questionInput, sumOf } from './question.ts';
import { type EndingLines, type GivenList, listNotes, notBatched, readRows, tooFewRows } from './rows.ts';
import { Runner } from './runner.ts';
import {
  type Batch,
  type BatchRow,
  type BatchView,
  differingIn,
  hasEnded,
  isException,
  isNotDone,
  isOver,
  leftOutBy,
  PAGE_ROWS,
  type PauseReason,
  type Plan,
  questionsOf,
  type RowsPage,
  rowsOf,
  viewOf,
} from './states.ts';
import { type NewBatch, newId, PLAN_JOB, RUN_JOB } from './store.ts';

const MAX_LISTED = 50;
const LEAST_ROWS = 2;
/** Longest wait of a caller for the plan. Planning then goes on, and asks by itself. */
export const PLAN_WAIT_MS = 15_000;

/** Rows that are not done, or will not be, come first. */
type RowOrder = 'exceptions first';

export type BatchControl = 'pause' | 'resume' | 'stop';

export interface ControlOptions {
  /**
   * Asks the person at a terminal whether a paused batch of changes shall go on. A click is the yes itself, but a command
   * is not: without this, a terminal resumes none.
   */
  ask?: () => Promise<boolean>;
}

interface WaitOptions {
  ms: number;
  signal?: AbortSignal;
  onView?: (view: BatchView) => void;
}

interface BatchRequest {
  operation: string;
  list: GivenList;
  shared: Fields;
  notes?: Fields | undefined;
  /** The requester's reason. It does not count when a repeat is recognised. */
  reason?: string | undefined;
}

interface CreatedBatch {
  view: BatchView;
  read: string[];
  isRepeat: boolean;
}

export interface BatchesOptions extends BatchParts {
  worker: Pick<Worker, 'on' | 'look'>;
  /** The workflow that finds lines by their last digits. */
  finder?: string | undefined;
}

/**
 * One operation over a list of rows, with one yes. A batch is planned and run by jobs, in whichever process takes them.
 */
export class Batches {
  readonly #options: BatchesOptions;
  readonly #planner: Planner;
  /** Called with the id of a batch after each turn of it in this process. */
  readonly #listeners = new Set<(id: string) => void>();

  constructor(options: BatchesOptions) {
    this.#options = options;
    this.#planner = new Planner(options);
  }

  /** Lets this process plan and run batches, those of other processes included. */
  work(): void {
    const { worker } = this.#options;
    const planner = this.#planner;
    const runner = new Runner(this.#options);
    worker.on(PLAN_JOB, (job, run) => this.#takeTurn(String(job.payload.id), (id) => planner.turn(id, run)));
    worker.on(RUN_JOB, (job, run) => this.#takeTurn(String(job.payload.id), (id) => runner.turn(id, run)));
  }

  /** Takes a turn of a batch, and then wakes the callers that wait for the batch. */
  async #takeTurn<T>(id: string, turn: (id: string) => Promise<T>): Promise<T> {
    try {
      return await turn(id);
    } finally {
      for (const listener of this.#listeners) listener(id);
    }
  }

  /**
   * Writes a batch, which is then planned. The same list returns the batch that has not ended. One for the same
   * targets with other values takes the place of the requester's batch that waits, once it is planned. `read`: remarks
   * for the requester about how the list was read. Throws `invalid_input` for an operation or a list that cannot be
   * used, such as a list of one row, and `forbidden_by_role`.
   */
  create(request: BatchRequest, actor: Actor): Promise<CreatedBatch> {
    return this.#create(request, actor, LEAST_ROWS);
  }

  /** Throws what `create` would throw for this list, and writes nothing. */
  check(request: BatchRequest, actor: Actor): void {
    this.#read(request, actor, LEAST_ROWS);
  }

  #read({ operation, list, shared }: BatchRequest, actor: Actor, least: number) {
    const { gate, clock } = this.#options;
    const tool = gate.tool(operation);
    if (tool === undefined) throw invalidInput('Operation', `Operation: there is no operation ${operation}.`);
    if (batchedBy(tool) === undefined) throw notBatched(tool);
    requireRole(tool, actor);
    const how = { shared: recordOf(cleaned(shared)), now: new Date(clock.now()) };
    const first = readRows(tool, list, how);
    if (first.rows.length < least) throw tooFewRows(tool);
    return { tool, how, first };
  }

  /** The rows of a list, with the lines that its last digits name. */
  async #given(request: BatchRequest, actor: Actor, least: number) {
    const { tool, how, first } = this.#read(request, actor, least);
    const lines = first.ends.length === 0 ? undefined : await this.#linesEnding(first.ends, actor);
    return { tool, given: lines === undefined ? first : readRows(tool, request.list, { ...how, lines }) };
  }

  /**
   * The question about a list, or about the rows that another batch has not done, as it would be asked now. It only reads,
   * and nothing is stored. Throws as `create` and `again` would, and `invalid_input` for a list without a row that can be
   * sent.
   */
  async preview(of: BatchRequest | { again: string }, actor: Actor, signal?: AbortSignal): Promise<Previewed> {
    const request = 'again' in of ? await this.#requestAgain(of.again, actor) : of;
    const { given } = await this.#given(request, actor, 'again' in of ? 1 : LEAST_ROWS);
    const now = this.#options.clock.now();
    const batch: Batch = {
      ...{ id: newId(), operation: request.operation, actor, shared: given.shared, state: 'planning' },
      ...{ notes: undefined, requestReason: undefined, reason: undefined, plan: undefined },
      ...{ createdAt: now, startedAt: undefined, resumedAt: undefined, updatedAt: now },
    };
    return this.#planner.preview(batch, given.rows, signal);
  }

  async #create(request: BatchRequest, actor: Actor, least: number): Promise<CreatedBatch> {
    const { store, gate, worker } = this.#options;
    const { operation, notes } = request;
    const requestReason = reasonText(request.reason);
    const { tool, given } = await this.#given(request, actor, least);
    // As the gate sends them, so that the question is about the same values.
    const { rows, shared } = given;
    const read = listNotes(given);
    // Reads need no yes, so nothing is found out about them before they run.
    const isRead = tool.risk === 'read';
    const plan = isRead && { plan: { risk: tool.risk, minutes: await minutesOf(gate, tool, rows.length) } };
    const fresh = { operation, actor, shared, notes, requestReason, rows, ...plan };
    // A twin whose question has ended is over, although its own state does not say so yet.
    let over: string[] = [];
    for (;;) {
      const { id, isNew } = await store.createOnce(fresh, over);
      if (isNew) worker.look();
      const view = await this.view(id, actor);
      if (isNew || !isOver(view.state)) return { view, read, isRepeat: !isNew };
      over = [...over, id];
    }
  }

  /** Finds the lines that end in these digits, in one search for the whole list. */
  async #linesEnding(ends: readonly string[], actor: Actor): Promise<EndingLines> {
    const { gate, finder } = this.#options;
    const tool = finder === undefined ? undefined : gate.tool(finder);
    if (tool?.kind !== 'workflow' || tool.ends === undefined) return { numbers: undefined };
    const found = await gate.perform(tool.id, tool.ends.input(ends), actor);
    return { numbers: found.kind === 'done' ? tool.ends.numbers(found.value) : undefined };
  }

  /**
   * The input of the question about a planned batch, and the requester's reason. Performing it asks; the question that
   * waits already is the same.
   */
  async question(id: string, actor: Actor): Promise<{ input: Fields; reason: string | undefined }> {
    const batch = await this.#require(id, actor);
    return { input: questionInput(batch, await this.#options.store.rows(id)), reason: batch.requestReason };
  }

  /** Asks for the yes of a planned batch in the name of its requester, who may answer at once. */
  async ask(id: string, actor: Actor, options: PerformOptions): Promise<Performed> {
    const { input, reason } = await this.question(id, actor);
    return this.#options.gate.perform(BATCH_RUN, input, actor, { ...options, ...defined({ reason }) });
  }

  /** The state of a batch for its requester or an approver. Rejects with `not_found`. */
  async view(id: string, actor: Actor): Promise<BatchView> {
    return readOutcome(this.#viewOf(await this.#require(id, actor)));
  }

  /** Rows with their outcomes, 100 on a page. `page`: from 1. */
  async page(id: string, actor: Actor, page: number, order?: RowOrder): Promise<RowsPage> {
    const rows = await this.rows(id, actor, order);
    const pages = Math.max(1, Math.ceil(rows.length / PAGE_ROWS));
    if (!Number.isInteger(page) || page < 1 || page > pages)
      throw invalidInput('Page', `Page: must be from 1 to ${pages}.`);
    return { rows: rows.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS), page, pages, differs: differingIn(rows) };
  }

  /** All rows with their outcomes, by default in the order of the list. */
  async rows(id: string, actor: Actor, order?: RowOrder): Promise<BatchRow[]> {
    const { rows } = await this.#shown(await this.#require(id, actor));
    return order ? [...rows.filter(isException), ...rows.filter((row) => !isException(row))] : rows;
  }

  /** All rows as CSV: the plan before the run, afterwards the results. */
  async csv(id: string, actor: Actor, which: 'plan' | 'results'): Promise<string> {
    const batch = await this.#require(id, actor);
    const { rows } = await this.#shown(batch);
    return which === 'plan' ? planCsv(rows) : resultsCsv(rows, this.#tool(batch).risk === 'read');
  }

  /** The rows that were not done, to ask for them again in a new batch. Empty while the batch has not ended. */
  async notDone(id: string, actor: Actor): Promise<Fields[]> {
    const batch = await this.#require(id, actor);
    const { state, reason } = await this.#viewOf(batch);
    // Its rows are in the batch that took its place, or were left out on purpose.
    if (reason?.why === 'replaced') return [];
    if (!isOver(state)) return [];
    return (await this.#shown(batch)).rows.filter(isNotDone).map(({ said }) => said);
  }

  /**
   * Writes a new batch of the rows that another one has not done. Rows with an unknown outcome are not repeated. Throws
   * `invalid_input` if there are none or the batch has not ended.
   */
  async again(id: string, actor: Actor, more: Pick<BatchRequest, 'notes' | 'reason'> = {}): Promise<CreatedBatch> {
    // One row may be left of a longer list.
    return this.#create({ ...more, ...(await this.#requestAgain(id, actor)) }, actor, 1);
  }

  async #requestAgain(id: string, actor: Actor): Promise<BatchRequest> {
    const { operation, shared } = await this.#require(id, actor);
    const records = await this.notDone(id, actor);
    if (records.length === 0) {
      const { state, counts } = await this.view(id, actor);
      const left = counts.left_out > 0 ? ' Rows that were left out do not count: give those in a new list.' : '';
      throw invalidInput('Again', `Again: there is nothing to ask for again; the batch is ${state}.${left}`);
    }
    return { operation, list: { records }, shared };
  }

  /**
   * Leaves rows out of a batch that waits for its yes: its question is withdrawn, and a new batch asks about the other
   * rows in the name of the same requester. For the requester or an approver. Throws `invalid_input` for a row that is
   * not ready, if no row remains, or if the batch does not wait.
   *
   * @param numbers numbers of the rows, from 1
   */
  async leaveOut(id: string, numbers: readonly number[], actor: Actor, way: Way): Promise<BatchView> {
    const { store, gate, worker } = this.#options;
    const batch = await this.#require(id, actor);
    requireRole(this.#tool(batch), actor);
    const who = identified(personOf(actor), actor.name);
    const rows = await store.rows(id);
    const out = new Set(numbers);
    const ready = rows.filter(({ asked }) => asked !== undefined);
    const own = ready.filter(({ n }) => out.has(n));
    if (out.size === 0 || own.length < out.size)
      throw invalidInput('Rows', 'Rows: name one or more of the rows that are ready.');
    if (own.length === ready.length)
      throw invalidInput('Rows', 'Rows: at least one row must remain. Decline it instead.');
    const failure = leftOutBy(actor.name);
    const others = rows.map((row) => (out.has(row.n) ? { ...row, asked: undefined, failure } : row));
    if (batch.state !== 'waiting') throw notWaiting();
    const { operation, shared, notes, requestReason, createdAt } = batch;
    const next = newId();
    // The old question waits until there is a plan without these rows.
    const remaining = plannedOf(others);
    const shown = batch.plan?.consent?.statement?.replaceAll(allOf(plannedOf(rows)), allOf(remaining));
    const stated = { shown, compared: batch.plan?.statement };
    const planned = await this.#planner.planOf({ ...batch, id: next }, this.#tool(batch), others, stated);
    const plan: Plan = { ...planned, asks: true };
    const kept = { operation, actor: batch.actor, shared, notes, requestReason, createdAt };
    const fresh: NewBatch = { ...kept, rows: others, plan };
    const replaced = { olds: [batch], next, who, rows: own.length };
    const question = await this.#questionOf(id);
    const many = own.length === 1 ? '1 row was' : `${own.length} rows were`;
    const reason = `${many} left out. The others are asked about as batch ${next}.`;
    const also: AlsoWritten = (queries) => store.replace(queries, replaced, fresh);
    // The decline ends the old question. If it is confirmed at the same time, only one of the two decisions counts.
    if (question !== undefined) await gate.decline(question.id, actor, way, { reason, also });
    else if (!(await gate.replace([], actor, also))) throw notWaiting();
    worker.look();
    return this.view(next, actor);
  }

  /** The newest batches that this actor may see. */
  async list(actor: Actor): Promise<BatchView[]> {
    const own = hasRole(actor, 'approver') ? undefined : personOf(actor);
    return Promise.all((await this.#options.store.list(MAX_LISTED, own)).map((batch) => this.#viewOf(batch)));
  }

  /**
   * Pauses, resumes or stops a batch for its requester or an approver. Rejects with `invalid_input` in a wrong state,
   * with `forbidden_by_role` if it may not be resumed, and with `not_confirmed` if the person at the terminal says no. A
   * batch that a person or the stop rule paused is resumed by a person, by one of the ways of CONFIRM_VIA, and one that
   * an approver paused by an approver. A tool call resumes only a batch that a tool call paused.
   */
  async control(
    id: string,
    action: BatchControl,
    actor: Actor,
    way: Way,
    { ask }: ControlOptions = {},
  ): Promise<BatchView> {
    const { store, gate, worker } = this.#options;
    const batch = await this.#require(id, actor);
    const byTool = way === 'client' ? ({ byTool: true } as const) : {};
    const reason: PauseReason = { why: 'person', who: whoOf(actor, way), role: actor.role, ...byTool };
    const question = await this.#questionOf(id);
    if (action === 'resume' && batch.state === 'paused') {
      const refusal = this.#resumeRefusal(batch, question, actor, way);
      if (refusal !== undefined) throw forbidden(refusal);
      if (way === 'terminal' && isChange(this.#tool(batch)) && !(await ask?.())) throw notResumed();
    }
    if (action === 'stop' && batch.state === 'waiting' && question?.state === 'pending') {
      // A tool call is made by an assistant, which decides nothing.
      if (way === 'client') await gate.withdraw(question.id, actor);
      else await gate.decline(question.id, actor, way);
    }
    const by = { name: whoOf(actor, way), person: way === 'client' ? undefined : personOf(actor), way };
    const changed =
      action === 'pause'
        ? await store.move(id, ['running'], 'paused', { reason, by })
        : action === 'resume'
          ? await store.move(id, ['paused'], 'running', { was: batch.reason, by })
          : await store.move(id, ['planning', 'waiting', 'running', 'paused'], 'stopped', { reason, by });
    const view = await this.view(id, actor);
    // A batch whose process has ended is running, too, until another one takes it over.
    const isAlready = action === 'resume' && view.state === 'running';
    if (!changed && !isAlready) {
      const what = isOver(view.state) ? 'the batch has ended, so it' : `a batch that is ${view.state}`;
      throw invalidInput('Action', `Action: ${what} cannot be told to ${action}.`);
    }
    worker.look();
    return view;
  }

  /** The reason why this person cannot resume a paused batch by this way, with who can; undefined if they can. */
  #resumeRefusal(batch: Batch, question: Action | undefined, actor: Actor, way: Way): string | undefined {
    const { reason } = batch;
    const tool = this.#tool(batch);
    if (!mayAsk(actor.role, tool)) return roleText(tool, actor);
    if (way === 'client') {
      if (reason?.why === 'person' && reason.byTool) return undefined;
      const who = reason?.why === 'person' ? `${reason.who} paused it` : 'the stop rule paused it';
      return `No tool call resumes this batch: ${who}. A person resumes it on its card, its page or the terminal.`;
    }
    // Who may decide, and by which way, is a rule of the gate. Reads and watches wait for nobody's yes.
    if (question !== undefined && isChange(tool)) {
      const refusal = this.#options.gate.refusal('resume', question, actor, way);
      if (refusal !== undefined) return refusal.message;
    }
    const isApprovers = reason?.why === 'person' && reason.byTool !== true && reason.role === 'approver';
    if (isApprovers && !hasRole(actor, 'approver'))
      return `${reason.who} paused this batch as an approver, so an approver resumes it.`;
    return undefined;
  }

  /** Resolves when the batch has left these states, the time is over, or the signal aborts. */
  whileIn(states: readonly BatchView['state'][], id: string, actor: Actor, options: WaitOptions): Promise<BatchView> {
    return this.#while(({ state }) => states.includes(state), id, actor, options);
  }

  /** The same while rows of the batch are being sent. */
  whileSending(id: string, actor: Actor, options: WaitOptions): Promise<BatchView> {
    return this.#while(({ counts }) => counts.running > 0, id, actor, options);
  }

  async #while(
    isOn: (view: BatchView) => boolean,
    id: string,
    actor: Actor,
    { ms, signal, onView }: WaitOptions,
  ): Promise<BatchView> {
    const { clock } = this.#options;
    const until = clock.now() + ms;
    let wake = new AbortController();
    const listener = (of: string) => {
      if (of === id) wake.abort();
    };
    this.#listeners.add(listener);
    try {
      for (;;) {
        wake = new AbortController();
        const view = await this.view(id, actor);
        onView?.(view);
        if (!isOn(view) || clock.now() >= until || signal?.aborted) return view;
        // Another process may have the batch, so it is read again and again.
        await sleep(clock, POLL_MS, [signal, wake.signal]);
      }
    } finally {
      this.#listeners.delete(listener);
    }
  }

  /** Resolves when a planned batch has its question, or the time is over. */
  whileUnasked(id: string, actor: Actor, { ms }: { ms: number }): Promise<BatchView> {
    const isComing = ({ state, confirmation }: BatchView) =>
      state === 'planning' || (state === 'waiting' && confirmation === undefined);
    return this.#while(isComing, id, actor, { ms });
  }

  /** Ids of the batches that were changed at or after `at` (epoch ms), in any process. */
  updatedSince(at: number): Promise<{ id: string; at: number }[]> {
    return this.#options.store.updatedSince(at);
  }

  async #viewOf(batch: Batch): Promise<BatchView> {
    const { question, rows, isAsked } = await this.#shown(batch);
    const tool = this.#tool(batch);
    const view = { ...viewOf(tool, batch, question, rows), cost: costNow(tool, batch, rows) };
    if (isAsked) return view;
    const sum = (outcomes: readonly BatchRow['outcome'][]) => {
      const found = rows.filter(({ outcome, asked }) => outcomes.includes(outcome) && asked && changeOf(asked));
      return found.length === 0 ? undefined : sumOf(plannedOf(found));
    };
    const changing = isOver(view.state) ? undefined : sum(['waiting', 'running']);
    return { ...view, ...defined({ changed: sum(['done']), changing }) };
  }

  /**
   * Returns the question about a batch, and its rows. `isAsked`: a person is or was asked about it. Otherwise the rows
   * that are done have `changed`.
   */
  async #shown(batch: Batch): Promise<{ question: Action | undefined; rows: BatchRow[]; isAsked: boolean }> {
    const { store, gate } = this.#options;
    const question = await this.#questionOf(batch.id);
    const rows = await rowsOf({ store, actions: gate.actions }, this.#tool(batch), batch.id);
    if (question === undefined || question.state === 'pending' || question.decidedAt !== undefined)
      return { question, rows, isAsked: true };
    const changed = ({ outcome, asked }: BatchRow) => (outcome === 'done' && asked ? changeOf(asked) : undefined);
    return { question, rows: rows.map((row) => ({ ...row, changed: changed(row) })), isAsked: false };
  }

  /** The newest question about a batch. */
  async #questionOf(id: string): Promise<Action | undefined> {
    const asked = await questionsOf(this.#options.gate.actions, id);
    return asked.find(({ decidedAt }) => decidedAt !== undefined) ?? asked[0];
  }

  /** The batch if this actor may see and control it: the requester on any surface, or an approver. */
  async #require(id: string, actor: Actor): Promise<Batch> {
    const batch = await readOutcome(this.#options.store.get(id));
    const own = batch && (batch.actor.id === actor.id || personOf(batch.actor) === personOf(actor));
    if (batch && (own || hasRole(actor, 'approver'))) return batch;
    throw new SwitchboardError({
      code: 'not_found',
      message: `id: there is no batch ${id.slice(0, 60)} of yours.`,
      outcome: 'not_done',
      field: 'id',
    });
  }

  #tool({ operation }: Batch): Tool {
    const tool = this.#options.gate.tool(operation);
    if (tool === undefined) throw invalidInput(undefined, `There is no operation ${operation}.`);
    return tool;
  }
}

function requireRole(tool: Tool, actor: Actor): void {
  if (!mayAsk(actor.role, tool)) throw forbidden(roleText(tool, actor));
}

function roleText({ title }: Tool, { name, role }: Actor): string {
  return `${title} needs the role operator; ${name} has ${role}.`;
}

/** The person who acts, and the assistant that acts for them. */
function whoOf(actor: Actor, way: Way): string {
  const who = identified(personOf(actor), actor.name);
  if (way !== 'client') return who;
  return actor.surface === 'assistant' ? `the model, for ${who}` : `an assistant, for ${who}`;
}

function notResumed(): SwitchboardError {
  return new SwitchboardError({
    code: 'not_confirmed',
    message: 'The batch was not resumed: it goes on when a person says so.',
    effect: 'nothing_more_sent',
    outcome: 'not_done',
    reason: 'declined',
  });
}

/** The cost of a batch: as planned, and at its end that of the rows that are done or may be. */
function costNow(tool: Tool, { state, plan, shared }: Batch, rows: readonly BatchRow[]): string | undefined {
  if (!hasEnded(state)) return plan?.consent?.cost;
  const [known, open] = (['done', 'unknown'] as const).map((wanted) => {
    const found = rows.filter(({ outcome }) => outcome === wanted);
    return costOf(tool, shared, found);
  });
  return open === undefined ? known : [...(known ? [known] : []), `possibly ${open} more`].join(', ');
}

function notWaiting(): SwitchboardError {
  return invalidInput('id', 'id: this batch does not wait for a yes.');
}

export { type BatchView, isOver, PAGE_ROWS, type RowsPage } from './states.ts';
