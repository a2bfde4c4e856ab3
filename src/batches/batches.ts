import { batchedBy } from '../catalogue/batch-rule.ts';
import { cleaned } from '../catalogue/input.ts';
import { mayAsk } from '../catalogue/offered.ts';
import { isChange, type Tool } from '../catalogue/operation.ts';
import { forbidden, reasonText } from '../gate/approval.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import type { Performed, PerformOptions, Previewed } from '../gate/gate.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Actor, hasRole, identified, personOf, type Way } from '../lib/actor.ts';
import { sleep } from '../lib/clock.ts';
import { POLL_MS } from '../lib/durations.ts';
import { invalidInput, SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, recordOf } from '../lib/json.ts';
import { readOutcome } from '../store/key-values.ts';
import type { Worker } from '../work/worker.ts';
import { planCsv, resultsCsv } from './csv.ts';
import { costOf } from './effects.ts';
import { type BatchParts, minutesOf, Planner } from './planner.ts';
import { batchQuestion, plannedOf, questionInput, sumOf } from './question.ts';
import { type EndingLines, type GivenList, listNotes, notBatched, readRows, tooFewRows } from './rows.ts';
import { Runner } from './runner.ts';
import {
  type Batch,
  type BatchRow,
  type BatchView,
  changeDoneIn,
  hasEnded,
  isException,
  isNotDone,
  isOver,
  questionOf,
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

/** Options of a new batch. */
export interface BatchOptions {
  /** Stored with the question, for the surface that shows its card. */
  notes?: Fields | undefined;
  /** The requester's reason. It does not count when a repeat is recognised. */
  reason?: string | undefined;
  /** Nobody is asked before `ask` is called, so that the writer of the list can read its plan first. */
  isHeld?: boolean | undefined;
}

interface BatchRequest extends BatchOptions {
  operation: string;
  list: GivenList;
  shared: Fields;
}

/** A new batch, or the one of the same list that has not ended. `read`: remarks about how the list was read. */
export interface CreatedBatch {
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
  /** Called with the id of a batch after each turn of it in this process. */
  readonly #listeners = new Set<(id: string) => void>();

  constructor(options: BatchesOptions) {
    this.#options = options;
  }

  /** Lets this process plan and run batches, those of other processes included. */
  work(): void {
    for (const [kind, worker] of [
      [PLAN_JOB, new Planner(this.#options)],
      [RUN_JOB, new Runner(this.#options)],
    ] as const)
      this.#options.worker.on(kind, async (job, run) => {
        const id = String(job.payload.id);
        try {
          return await worker.turn(id, run);
        } finally {
          // Wakes the callers that wait for the batch.
          for (const listener of this.#listeners) listener(id);
        }
      });
  }

  /**
   * Writes a batch, which is then planned. The same list returns the batch that has not ended. Throws `invalid_input` for
   * an operation or a list that cannot be used, such as a list of one row, and `forbidden_by_role`.
   */
  async create(request: BatchRequest, actor: Actor): Promise<CreatedBatch> {
    return this.#write(await this.#fresh(request, actor, LEAST_ROWS), actor);
  }

  async #write({ fresh, read }: { fresh: NewBatch; read: string[] }, actor: Actor): Promise<CreatedBatch> {
    const { store, worker } = this.#options;
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

  /**
   * Writes a new batch of the rows that another one has not done. Rows with an unknown outcome are not repeated. Throws
   * `invalid_input` if there are none or the batch has not ended.
   */
  async rest(id: string, actor: Actor, options: BatchOptions = {}): Promise<CreatedBatch> {
    const { operation, shared } = await this.#require(id, actor);
    const { state, notDone, counts } = await this.view(id, actor);
    if (!isOver(state) || notDone === 0) {
      const left = counts.left_out > 0 ? ' Rows that were left out do not count: give those in a new list.' : '';
      throw invalidInput('RestOf', `RestOf: there is nothing to ask for again; the batch is ${state}.${left}`);
    }
    const records = (await this.rows(id, actor)).filter(isNotDone).map(({ said }) => said);
    return this.#write(await this.#fresh({ ...options, operation, list: { records }, shared }, actor, 1), actor);
  }

  /** Reads a list into a new batch, with the lines that its last digits name. `least`: number of rows. */
  async #fresh(
    { operation, list, shared: given, notes, reason, isHeld }: BatchRequest,
    actor: Actor,
    least: number,
  ): Promise<{ fresh: NewBatch; read: string[] }> {
    const { gate, clock } = this.#options;
    const tool = gate.tool(operation);
    if (tool === undefined) throw invalidInput('Operation', `Operation: there is no operation ${operation}.`);
    if (batchedBy(tool) === undefined) throw notBatched(tool);
    requireRole(tool, actor);
    const how = { shared: recordOf(cleaned(given)), now: new Date(clock.now()) };
    const first = readRows(tool, list, how);
    if (first.rows.length < least) throw tooFewRows(tool);
    const { rows, shared, ignored } =
      first.ends.length === 0
        ? first
        : readRows(tool, list, { ...how, lines: await this.#linesEnding(first.ends, actor) });
    // Reads need no yes, so nothing is found out about them before they run.
    const plan = tool.risk === 'read' && {
      plan: { risk: tool.risk, minutes: await minutesOf(gate, tool, rows.length) },
    };
    const fresh = { operation, actor, shared, notes, requestReason: reasonText(reason), rows, ...plan };
    // What concerns Switchboard alone needs no yes.
    return { fresh: { ...fresh, ...(isHeld && isChange(tool) && { isHeld }) }, read: listNotes({ rows, ignored }) };
  }

  /** Finds the lines that end in these digits, in one search for the whole list. */
  async #linesEnding(ends: readonly string[], actor: Actor): Promise<EndingLines> {
    const { gate, finder } = this.#options;
    const tool = finder === undefined ? undefined : gate.tool(finder);
    if (tool?.kind !== 'workflow' || tool.ends === undefined) return { numbers: undefined };
    const found = await gate.perform(tool.id, tool.ends.input(ends), actor);
    return { numbers: found.kind === 'done' ? tool.ends.numbers(found.value) : undefined };
  }

  /** The input of the question about a planned batch, and the requester's reason. */
  async question(id: string, actor: Actor): Promise<{ input: Fields; reason: string | undefined }> {
    const batch = await this.#require(id, actor);
    const input = questionInput(this.#tool(batch), batch, await this.#options.store.rows(id));
    return { input, reason: batch.requestReason };
  }

  /** The question about a planned batch as it would be asked now. Nothing is asked or sent. */
  async preview(id: string, actor: Actor): Promise<Previewed> {
    const { store, gate, worker } = this.#options;
    const tool = this.#tool(await this.#require(id, actor));
    const { input } = await this.question(id, actor);
    return gate.preview(batchQuestion({ store, tools: [tool], actions: gate.actions, worker }), input, actor);
  }

  /** Asks for the yes of a planned batch in the name of its requester, who may answer at once. */
  async ask(id: string, actor: Actor, options: PerformOptions): Promise<Performed> {
    await this.#options.store.move(id, ['planned'], 'waiting');
    const { input, reason } = await this.question(id, actor);
    return this.#options.gate.perform(BATCH_RUN, input, actor, { ...options, ...defined({ reason }) });
  }

  /** The state of a batch for its requester or an approver. Rejects with `not_found`. */
  async view(id: string, actor: Actor): Promise<BatchView> {
    return readOutcome(this.#viewOf(await this.#require(id, actor)));
  }

  /** All rows with their outcomes, by default in the order of the list. */
  async rows(id: string, actor: Actor, order?: RowOrder): Promise<BatchRow[]> {
    const rows = await this.#rowsOf(await this.#require(id, actor));
    return order ? [...rows.filter(isException), ...rows.filter((row) => !isException(row))] : rows;
  }

  /** All rows as CSV: the plan before the run, afterwards the results. */
  async csv(id: string, actor: Actor, which: 'plan' | 'results'): Promise<string> {
    const batch = await this.#require(id, actor);
    const rows = await this.#rowsOf(batch);
    return which === 'plan' ? planCsv(rows) : resultsCsv(rows, this.#tool(batch).risk === 'read');
  }

  /**
   * Leaves rows out of a batch that waits for its yes, or is not asked about yet: a new batch has the other rows, which are
   * read again, and asks about them in the name of the same requester. For the requester or an approver. Throws
   * `invalid_input` for a row that is not ready, if no row remains, or if the batch does not wait.
   *
   * @param numbers numbers of the rows, from 1
   */
  async leaveOut(id: string, numbers: readonly number[], actor: Actor, way: Way): Promise<BatchView> {
    const { store, gate, worker } = this.#options;
    const batch = await this.#require(id, actor);
    requireRole(this.#tool(batch), actor);
    const ready = plannedOf(await store.rows(id));
    const out = ready.filter(({ n }) => numbers.includes(n));
    if (numbers.length === 0 || out.length < new Set(numbers).size)
      throw invalidInput('Rows', 'Rows: name one or more of the rows that are ready.');
    const records = ready.filter((row) => !out.includes(row)).map(({ said }) => said);
    if (records.length === 0) throw invalidInput('Rows', 'Rows: at least one row must remain. Decline it instead.');
    const { operation, shared, notes, requestReason: asked, state, actor: requester } = batch;
    const given = { operation, list: { records }, shared, notes, reason: asked, isHeld: state === 'planned' };
    const { fresh } = await this.#fresh(given, requester, 1);
    const next = newId();
    const also = async (queries: Parameters<typeof store.moveIn>[0]) => {
      const reason = { why: 'replaced', by: next } as const;
      if (!(await store.moveIn(queries, id, ['planned', 'waiting'], 'stopped', { reason }))) return false;
      await store.insert(queries, next, fresh);
      return true;
    };
    const question = await questionOf(gate.actions, id);
    const reason = `${out.length === 1 ? '1 row was' : `${out.length} rows were`} left out. The others are asked about as batch ${next}.`;
    // If the question is confirmed at the same time, only one of the two decisions counts.
    if (question !== undefined) await gate.decline(question.id, actor, way, { reason, also });
    else if (!(await store.inTransaction(also))) throw invalidInput('id', 'id: this batch does not wait for a yes.');
    worker.look();
    return this.view(next, actor);
  }

  /** The newest batches that this actor may see. */
  async list(actor: Actor): Promise<BatchView[]> {
    const own = hasRole(actor, 'approver') ? undefined : personOf(actor);
    return Promise.all((await this.#options.store.list(MAX_LISTED, own)).map((batch) => this.#viewOf(batch)));
  }

  /**
   * Stops a batch for its requester or an approver. What is done stays done, rows that are being sent are answered, and
   * nothing else is sent. Rejects with `invalid_input` if the batch has ended.
   */
  async stop(id: string, actor: Actor, way: Way): Promise<BatchView> {
    const { store, gate } = this.#options;
    const batch = await this.#require(id, actor);
    const question = await questionOf(gate.actions, id);
    if (batch.state === 'waiting' && question?.state === 'pending') {
      // A tool call is made by an assistant, which decides nothing.
      if (way === 'client') await gate.withdraw(question.id, actor);
      else await gate.decline(question.id, actor, way);
    }
    const who = whoOf(actor, way);
    const stopped = await store.move(id, ['planning', 'planned', 'waiting', 'running'], 'stopped', {
      reason: { why: 'person', who },
      by: { name: who, person: way === 'client' ? undefined : personOf(actor), way },
    });
    if (!stopped) throw invalidInput('id', 'id: the batch has ended, so it cannot be stopped.');
    return this.view(id, actor);
  }

  /**
   * Resolves when `isOn` is false for the batch, the time is over, or the signal aborts.
   *
   * @param options.onView is called with each state of the batch that is read
   */
  async while(
    isOn: (view: BatchView) => boolean,
    id: string,
    actor: Actor,
    { ms, signal, onView }: { ms: number; signal?: AbortSignal; onView?: (view: BatchView) => void },
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

  /** Ids of the batches that were changed at or after `at` (epoch ms), in any process. */
  updatedSince(at: number): Promise<{ id: string; at: number }[]> {
    return this.#options.store.updatedSince(at);
  }

  async #viewOf(batch: Batch): Promise<BatchView> {
    const tool = this.#tool(batch);
    const question = await questionOf(this.#options.gate.actions, batch.id);
    const rows = await this.#rowsOf(batch);
    const view = { ...viewOf(tool, batch, question, rows), cost: costNow(tool, batch, rows) };
    const done = isAsked(question) ? [] : rows.filter(changeDoneIn);
    return { ...view, changed: done.length === 0 ? undefined : sumOf(plannedOf(done)) };
  }

  #rowsOf(batch: Batch): Promise<BatchRow[]> {
    const { store, gate } = this.#options;
    return rowsOf({ store, actions: gate.actions }, this.#tool(batch), batch.id);
  }

  /** The batch if this actor may see and stop it: the requester on any surface, or an approver. */
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

/** True if a person is or was asked about a batch. Otherwise it needed no yes. */
function isAsked(question: Action | undefined): boolean {
  return question === undefined || question.state === 'pending' || question.decidedAt !== undefined;
}

function requireRole(tool: Tool, { role, name }: Actor): void {
  if (!mayAsk(role, tool)) throw forbidden(`${tool.title} needs the role operator; ${name} has ${role}.`);
}

/** The person who acts, and the assistant that acts for them. */
function whoOf(actor: Actor, way: Way): string {
  const who = identified(personOf(actor), actor.name);
  if (way !== 'client') return who;
  return actor.surface === 'assistant' ? `the model, for ${who}` : `an assistant, for ${who}`;
}

/** The cost of a batch: as planned, and at its end that of the rows that are done or may be. */
function costNow(tool: Tool, { state, plan, shared }: Batch, rows: readonly BatchRow[]): string | undefined {
  if (!hasEnded(state)) return plan?.consent?.cost;
  const costBy = (wanted: BatchRow['outcome']) =>
    costOf(
      tool,
      shared,
      rows.filter(({ outcome }) => outcome === wanted),
    );
  const [known, open] = [costBy('done'), costBy('unknown')];
  return open === undefined ? known : [...(known ? [known] : []), `possibly ${open} more`].join(', ');
}

export { type BatchView, isOver } from './states.ts';
