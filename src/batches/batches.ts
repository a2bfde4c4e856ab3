import { batchedBy } from '../catalogue/change.ts';
import { cleaned } from '../catalogue/input.ts';
import { isChange, mayAsk, type Tool } from '../catalogue/operation.ts';
import { forbidden, reasonText } from '../gate/approval.ts';
import { type ConfirmedBatch, eachOf, isTransient, type SharedReads } from '../gate/batch-rows.ts';
import {
  BATCH_RUN,
  batchDigest,
  inputOfRows,
  isAlready,
  type Performed,
  type PerformOptions,
  type Previewed,
  statementWithoutNumbers,
  unsent,
} from '../gate/confirmation.ts';
import { READS_MS } from '../gate/dispatch.ts';
import type { Gate } from '../gate/gate.ts';
import { factsOf } from '../gate/question.ts';
import type { Action } from '../ledger/action.ts';
import { type Actor, hasRole, identified, personOf, type Way } from '../lib/actor.ts';
import { type Clock, FRESH_MS, LOOK_MS, MINUTE_MS, POLL_MS, RETRY_MS, sleep } from '../lib/clock.ts';
import { asSwitchboardError, invalidInput, SwitchboardError } from '../lib/errors.ts';
import { defined, type Fields, recordOf } from '../lib/values.ts';
import { numberKey, numbersIn } from '../platform/dialect/number-lists.ts';
import { readOutcome } from '../store/key-values.ts';
import type { Queries } from '../store/types.ts';
import { backoff } from '../work/jobs.ts';
import type { Run, Worker } from '../work/worker.ts';
import {
  consentOf,
  costsOf,
  effectsOf,
  frozenOf,
  plannedOf,
  questionInput,
  statementOfAll,
  sumOf,
  targetsKey,
} from './question.ts';
import {
  type EndingLines,
  type GivenList,
  listNotes,
  planCsv,
  readRows,
  remarksOf,
  resultsCsv,
  tooFewRows,
} from './rows.ts';
import {
  type Batch,
  type BatchRow,
  type BatchView,
  changeDoneIn,
  countsOf,
  endOf,
  hasEnded,
  isException,
  isNotDone,
  isOver,
  type Plan,
  questionOf,
  rowsOf,
  type StoredRow,
  shownState,
  stateNow,
  stopReason,
} from './states.ts';
import { type BatchStore, type NewBatch, newId, PLAN_JOB, RUN_JOB } from './store.ts';

export { type BatchView, isOver } from './states.ts';

const MAX_LISTED = 50;
/** Longest wait of a caller for the plan. Planning then goes on, and asks by itself. */
export const PLAN_WAIT_MS = 15_000;

/** A turn starts no further requests after this time. The job runs again at once if rows are left. */
const TURN_MS = 20_000;
/** Rows that are read at the same time. */
const READS = 4;
/** A row that could not be read this many times is left out. */
const MOST_TRIES = 5;
/** Maximum number of requests at the same time. */
const MOST_AT_ONCE = 8;
/** Time that the last readings of an unknown outcome take, after the platform can no longer be working on it. */
const LAST_READ_MS = MINUTE_MS;

/** Options of a new batch. */
interface BatchOptions {
  /** Stored with the question, for the surface that shows its card. */
  notes?: Fields | undefined;
  /** The requester's reason. It does not count when a repeat is recognised. */
  reason?: string | undefined;
  /** No question is asked before `ask` is called, so that the writer of the list can read its plan first. */
  isHeld?: boolean | undefined;
}

interface BatchRequest extends BatchOptions {
  operation: string;
  list: GivenList;
  shared: Fields;
}

/** A new batch, or the one of the same list that has not ended. `read`: remarks about how the list was read. */
interface CreatedBatch {
  view: BatchView;
  read: string[];
  isRepeat: boolean;
}

interface BatchesParts {
  store: BatchStore;
  gate: Gate;
  clock: Clock;
  worker: Pick<Worker, 'on' | 'look'>;
  /** The workflow that finds lines by their last digits. */
  finder?: string | undefined;
}

/**
 * One operation over a list of rows, with one yes. A batch is planned and run by jobs, in whichever process takes them.
 */
export class Batches {
  readonly #parts: BatchesParts;
  /** The answers that the rows of a batch share, kept over several turns of its plan. */
  #kept: { id: string; reads: SharedReads; at: number } | undefined;

  constructor(parts: BatchesParts) {
    this.#parts = parts;
  }

  /** Lets this process plan and run batches, those of other processes included. */
  work(): void {
    const { worker } = this.#parts;
    worker.on(PLAN_JOB, ({ payload }, turn) => this.#plan(String(payload.id), turn, payload.asks === true));
    worker.on(RUN_JOB, ({ payload }, turn) => this.#run(String(payload.id), turn));
  }

  /**
   * Writes a batch, which is then planned. The same list returns the batch that has not ended. Throws `invalid_input` for
   * an operation or a list that cannot be used, such as a list of one row, and `forbidden_by_role`.
   */
  async create(request: BatchRequest, actor: Actor): Promise<CreatedBatch> {
    return this.#write(await this.#read(request, actor, 2), actor);
  }

  /**
   * Writes a new batch of the rows that another one has not done, and no later batch or call either. Rows with an unknown
   * outcome are not repeated. Throws `invalid_input` if there are none or the batch has not ended.
   */
  async rest(id: string, actor: Actor, options: BatchOptions = {}): Promise<CreatedBatch> {
    const batch = await this.#require(id, actor);
    const { operation, shared } = batch;
    const { state, notDone, counts } = await this.view(id, actor);
    const rows = isOver(state) && notDone > 0 ? (await this.rows(id, actor)).filter(isNotDone) : [];
    const records: Fields[] = [];
    for (const { said } of rows) {
      const input = inputOfRows(this.#tool(batch), shared, [said]);
      if (!(await this.#parts.gate.batchRows.isDoneElsewhere(batch, input))) records.push(said);
    }
    if (records.length === 0) {
      const why = rows.length > 0 ? ' A later batch or call has done, or may have done, these rows.' : '';
      const left = counts.left_out > 0 ? ' Rows that were left out do not count: give those in a new list.' : '';
      throw invalidInput('RestOf', `RestOf: there is nothing to ask for again; the batch is ${state}.${why}${left}`);
    }
    return this.#write(await this.#read({ ...options, operation, list: { records }, shared }, actor), actor);
  }

  async #write({ fresh, read }: { fresh: NewBatch; read: string[] }, actor: Actor): Promise<CreatedBatch> {
    // A twin whose question has ended is over, although its own state does not say so yet.
    let over: string[] = [];
    for (;;) {
      const { id, isNew } = await this.#parts.store.createOnce(fresh, over);
      if (isNew) this.#parts.worker.look();
      const view = await this.view(id, actor);
      if (isNew || !isOver(view.state)) return { view, read, isRepeat: !isNew };
      over = [...over, id];
    }
  }

  /** Reads a list into a new batch, with the lines that its last digits name. `least`: number of rows. */
  async #read({ operation, list, shared: given, notes, reason, isHeld }: BatchRequest, actor: Actor, least = 1) {
    const { gate, clock } = this.#parts;
    const tool = gate.tool(operation);
    if (tool === undefined) throw invalidInput('Operation', `Operation: there is no operation ${operation}.`);
    if (!mayAsk(actor.role, tool))
      throw forbidden(`${tool.title} needs the role operator; ${actor.name} has ${actor.role}.`);
    const how = { shared: recordOf(cleaned(given)), now: new Date(clock.now()) };
    const first = readRows(tool, list, how);
    if (first.rows.length < least) throw tooFewRows(tool);
    const { ends } = first;
    const { rows, shared, ignored } =
      ends.length === 0 ? first : readRows(tool, list, { ...how, lines: await this.#linesEnding(ends, actor) });
    const fresh: NewBatch = { operation, actor, shared, notes, requestReason: reasonText(reason), rows };
    // Reads need no yes, so nothing is found out about them before they run.
    if (tool.risk === 'read') fresh.plan = { risk: tool.risk, minutes: await minutesOf(gate, tool, rows.length) };
    // A change of Switchboard alone needs no yes.
    if (isHeld && isChange(tool)) fresh.isHeld = true;
    return { fresh, read: listNotes(rows, ignored) };
  }

  /** Finds the lines that end in these digits, in one search for the whole list. */
  async #linesEnding(ends: readonly string[], actor: Actor): Promise<EndingLines> {
    const { gate, finder = '' } = this.#parts;
    const tool = gate.tool(finder);
    if (tool?.kind !== 'workflow' || tool.ends === undefined) return { numbers: undefined };
    const found = await gate.perform(tool.id, tool.ends.input(ends), actor);
    return { numbers: found.kind === 'done' ? tool.ends.numbers(found.value) : undefined };
  }

  /** The input of the question about a planned batch, and the requester's reason. */
  async question(id: string, actor: Actor): Promise<{ input: Fields; reason: string | undefined }> {
    const batch = await this.#require(id, actor);
    const input = questionInput(this.#tool(batch), batch, await this.#parts.store.rows(batch.id));
    return { input, reason: batch.requestReason };
  }

  /** The question about a planned batch as it would be asked now. Nothing is asked or sent. */
  async preview(id: string, actor: Actor): Promise<Previewed> {
    return this.#parts.gate.preview(BATCH_RUN, (await this.question(id, actor)).input, actor);
  }

  /** Asks for the yes of a planned batch. Only its requester can, who may answer at once. */
  async ask(id: string, actor: Actor, options: PerformOptions): Promise<Performed> {
    const batch = await this.#require(id, actor);
    requireWriter(batch, actor);
    await this.#parts.store.move(batch.id, ['planned'], 'waiting');
    const { input, reason } = await this.question(id, actor);
    return this.#parts.gate.perform(BATCH_RUN, input, actor, { ...options, ...defined({ reason }) });
  }

  /** The state of a batch for its requester or an approver. Rejects with `not_found`. */
  async view(id: string, actor: Actor): Promise<BatchView> {
    return readOutcome(this.#viewOf(await this.#require(id, actor)));
  }

  /** All rows with their outcomes, in the order of the list, or those first that are not done, or will not be. */
  async rows(id: string, actor: Actor, order?: 'exceptions first'): Promise<BatchRow[]> {
    const batch = await this.#require(id, actor);
    const rows = await rowsOf(this.#parts, this.#tool(batch), batch.id);
    return order ? rows.sort((one, other) => Number(isException(other)) - Number(isException(one))) : rows;
  }

  /** All rows as a CSV file: the plan before the run, afterwards the results. Excel needs the byte order mark. */
  async csv(id: string, actor: Actor, which: 'plan' | 'results'): Promise<string> {
    const batch = await this.#require(id, actor);
    const rows = await this.rows(id, actor);
    const isRead = this.#tool(batch).risk === 'read';
    return `\uFEFF${which === 'plan' ? planCsv(rows) : resultsCsv(rows, batch.state, isRead)}`;
  }

  /**
   * Leaves rows out of a batch that waits for its yes, or is not asked about yet: a new batch has the other rows, which are
   * read again, and asks about them in the name of the same requester. For the requester, or once it is asked about for an
   * approver. Throws `invalid_input` for a row that is not ready, if no row remains, or if the batch does not wait.
   *
   * @param numbers numbers of the rows, from 1
   */
  async leaveOut(id: string, numbers: readonly number[], actor: Actor, way: Way): Promise<BatchView> {
    const batch = await this.#require(id, actor);
    if (batch.state === 'planned') requireWriter(batch, actor);
    const ready = plannedOf(await this.#parts.store.rows(batch.id));
    const records = ready.filter(({ n }) => !numbers.includes(n)).map(({ said }) => said);
    const out = ready.length - records.length;
    if (out === 0 || out < new Set(numbers).size)
      throw invalidInput('Rows', 'Rows: name one or more of the rows that are ready.');
    if (records.length === 0) throw invalidInput('Rows', 'Rows: at least one row must remain. Decline it instead.');
    // Its requester is not the one who reads that there is another question.
    const given = {
      ...batch,
      notes: personOf(actor) === personOf(batch.actor) ? batch.notes : { ...batch.notes, leftOutBy: actor.name },
      list: { records },
      reason: batch.requestReason,
      isHeld: batch.state === 'planned',
    };
    const { fresh } = await this.#read(given, batch.actor);
    const reason = `${out === 1 ? '1 row was' : `${out} rows were`} left out. The others are asked about as batch`;
    return this.#replace(batch.id, fresh, { actor, way, reason });
  }

  /**
   * Writes an edited batch in the place of one that waits for its yes, or is not asked about yet. For its requester. Throws
   * as `create`, and `invalid_input` if the batch does not wait.
   */
  async edit(id: string, request: BatchRequest, actor: Actor, way: Way): Promise<CreatedBatch> {
    const batch = await this.#require(id, actor);
    requireWriter(batch, actor);
    const { fresh, read } = await this.#read(request, actor, 2);
    const view = await this.#replace(batch.id, fresh, { actor, way, reason: 'It was edited, and is now batch' });
    return { view, read, isRepeat: false };
  }

  /** Replaces a batch, and declines its question. `reason`: the id of the new batch follows it. */
  async #replace(id: string, fresh: NewBatch, by: { actor: Actor; way: Way; reason: string }): Promise<BatchView> {
    const { store, gate, worker } = this.#parts;
    const next = newId();
    const question = await questionOf(gate.actions, id);
    const also = (tx?: Queries) => store.replace(id, next, { ...fresh, asks: question !== undefined }, tx);
    const reason = `${by.reason} ${next}.`;
    // In one transaction: one of the two can always be confirmed, even if the process ends here.
    await (question === undefined ? also() : gate.decline(question.id, by.actor, by.way, { reason, also }));
    worker.look();
    return this.view(next, by.actor);
  }

  /** The newest batches that this actor may see. */
  async list(actor: Actor): Promise<BatchView[]> {
    const own = hasRole(actor, 'approver') ? undefined : personOf(actor);
    return Promise.all((await this.#parts.store.list(MAX_LISTED, own)).map((batch) => this.#viewOf(batch)));
  }

  /**
   * Stops a batch for its requester or an approver. Rows that are done stay done, those that are being sent are answered, and
   * nothing else is sent. Rejects with `invalid_input` if the batch has ended.
   */
  async stop(id: string, actor: Actor, way: Way): Promise<BatchView> {
    const { store, gate } = this.#parts;
    const batch = await this.#require(id, actor);
    if (!mayStop(batch, actor)) throw forbidden('Only the requester of this batch and approvers can stop it.');
    const question = await questionOf(gate.actions, batch.id);
    // A tool call is made by an assistant, which decides nothing.
    const isAssistant = way === 'client';
    if (batch.state === 'waiting' && question?.state === 'pending')
      await (isAssistant ? gate.withdraw(question.id, batch.actor) : gate.decline(question.id, actor, way));
    const who = identified(personOf(actor), actor.name);
    const caller = actor.surface === 'assistant' ? 'the model' : 'an assistant';
    const name = isAssistant ? `${caller}, for ${who}` : who;
    const isStopped = await store.move(batch.id, ['planning', 'planned', 'waiting', 'running'], 'stopped', {
      reason: { why: 'person', who: name },
      by: { name, person: isAssistant ? undefined : personOf(actor), way },
    });
    if (!isStopped) throw invalidInput('id', 'id: the batch has ended, so it cannot be stopped.');
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
    const { clock } = this.#parts;
    // Any process may have the batch, so it is read again and again.
    for (const until = clock.now() + ms; ; await sleep(clock, POLL_MS, [signal])) {
      const view = await this.view(id, actor);
      onView?.(view);
      if (!isOn(view) || clock.now() >= until || signal?.aborted) return view;
    }
  }

  /** Ids of the batches that were changed at or after `at` (epoch ms), in any process. */
  updatedSince(at: number): Promise<{ id: string; at: number }[]> {
    return this.#parts.store.updatedSince(at);
  }

  async #viewOf(batch: Batch): Promise<BatchView> {
    const { id, operation, actor, plan, createdAt, startedAt, updatedAt } = batch;
    const tool = this.#tool(batch);
    const question = await questionOf(this.#parts.gate.actions, id);
    const rows = await rowsOf(this.#parts, tool, id);
    const { state, reason } = shownState({ ...batch, state: stateNow(batch, rows) }, question);
    const isEnded = hasEnded(batch.state);
    const { cost, maybeCost } = costsOf(tool, batch, rows);
    const spent = [...(cost ? [cost] : []), ...(maybeCost ? [`possibly ${maybeCost} more`] : [])].join(', ');
    const changed = rows.filter(changeDoneIn);
    const standing = rows.flatMap(({ stands }) => stands ?? []);
    return {
      ...{ id, operation, plan, createdAt, startedAt, state, reason },
      asked:
        state === 'planned'
          ? await this.#parts.gate.preview(BATCH_RUN, questionInput(tool, batch, rows), actor)
          : undefined,
      endedAt: isEnded ? updatedAt : undefined,
      title: plan?.consent?.title ?? tool.title,
      actorId: actor.id,
      requester: { person: personOf(actor), actorName: actor.name, surface: actor.surface },
      decider: question,
      changed: changed.length === 0 ? undefined : sumOf(plannedOf(changed)),
      cost: isEnded ? spent || undefined : plan?.consent?.cost,
      counts: countsOf(rows),
      scheduled: rows.filter(({ scheduled }) => scheduled).length,
      standing: [...new Set(standing)].map((text) => [text, standing.filter((one) => one === text).length]),
      total: rows.length,
      // The rows of a replaced batch are in the one that took its place, or were left out on purpose.
      notDone: reason?.why === 'replaced' ? 0 : rows.filter(isNotDone).length,
      confirmation: question?.id,
    };
  }

  /**
   * The batch, for its requester, for approvers, and in Slack also for the operators who may confirm it. `given`: its id or
   * that of its question.
   */
  async #require(given: string, actor: Actor): Promise<Batch> {
    const { store, gate } = this.#parts;
    const asked = given.startsWith('act_') ? await readOutcome(gate.actions.get(given)) : undefined;
    const id = asked?.operation === BATCH_RUN ? String(asked.shown.Batch) : given;
    const batch = await readOutcome(store.get(id));
    if (batch && mayStop(batch, actor)) return batch;
    const question = batch && actor.surface === 'slack' ? await questionOf(gate.actions, id) : undefined;
    if (batch && question && gate.refusal('confirm', question, actor, 'slack') === undefined) return batch;
    const message = `There is no batch ${given.slice(0, 60)} of yours.`;
    throw new SwitchboardError({ code: 'not_found', message, outcome: 'not_done' });
  }

  /** Reads each row of a batch of changes once, and asks for the yes. */
  async #plan(id: string, run: Run, asks: boolean): Promise<number | undefined> {
    const { store, gate, clock } = this.#parts;
    const started = clock.now();
    for (;;) {
      const batch = await store.get(id);
      const tool = batch && gate.tool(batch.operation);
      if (batch === undefined || tool === undefined) return undefined;
      if (batch.state === 'waiting') return this.#askOf(tool, batch);
      if (batch.state !== 'planning') return undefined;
      const rows = await store.rows(id);
      const open = rows.filter(({ asked, failure }) => asked === undefined && failure === undefined);
      if (open.length === 0) {
        this.#kept = undefined;
        return this.#finish(tool, { ...batch, asks }, rows);
      }
      if (clock.now() - started > TURN_MS) return clock.now();
      await run.check();
      if (this.#kept?.id !== id || clock.now() - this.#kept.at >= FRESH_MS)
        this.#kept = { id, reads: gate.batchRows.sharedReads(tool, open), at: clock.now() };
      const { reads } = this.#kept;
      const look = async ({ n, said, tries }: StoredRow): Promise<boolean> => {
        const found = await gate.batchRows.look(tool.id, inputOfRows(tool, batch.shared, [said]), batch.actor, reads);
        const isAgain = 'failure' in found && isTransient(found.failure) && tries + 1 < MOST_TRIES;
        if (isAgain) await store.tried(id, n);
        else await store.found(id, n, found);
        return isAgain;
      };
      const again = await Promise.all(open.slice(0, READS).map(look));
      await store.touch(id);
      if (again.includes(true)) return clock.now() + RETRY_MS;
    }
  }

  /** Writes the plan, and asks unless its writer reads it first. A batch without a row that can be sent fails. */
  async #finish(tool: Tool, batch: Batch & { asks: boolean }, rows: readonly StoredRow[]): Promise<number | undefined> {
    const { store, gate, clock } = this.#parts;
    const ready = plannedOf(rows);
    const [first] = ready;
    if (first === undefined) {
      const { n: row = 1, target = '', failure } = rows[0] ?? {};
      // Its requester corrected the question that waits about these targets to the values that they have.
      const waiting = await gate.actions.list({ actorId: batch.actor.id, states: ['pending'], limit: 50 });
      for (const { id } of rows.some(isAlready) ? sameTargets(tool, batch, rows, waiting) : [])
        await gate.withdraw(id, batch.actor).catch((error: unknown) => {
          // A question that was decided meanwhile stays as it is.
          if (!(error instanceof SwitchboardError) || isTransient(error.face)) throw error;
        });
      await store.move(batch.id, ['planning'], 'failed', { reason: { why: 'nothing_ready', row, target, failure } });
      return undefined;
    }
    const { shared } = batch;
    const { n, said, tries } = first;
    let statement: string | undefined;
    try {
      statement = await gate.batchRows.statement(tool.id, inputOfRows(tool, shared, [said]), batch);
    } catch (error) {
      const failure = unsent(error);
      const isAgain = isTransient(failure) && tries + 1 < MOST_TRIES;
      if (isAgain) await store.tried(batch.id, n);
      // A question needs the platform's statement.
      else await store.move(batch.id, ['planning'], 'failed', { reason: { why: 'failure', failure } });
      return isAgain ? clock.now() + RETRY_MS : undefined;
    }
    const effects = effectsOf(tool, shared, ready);
    const notes = listNotes(ready.map((row) => ({ ...row, remarks: remarksOf(tool, row.said, row.said) })));
    const plan: Plan = {
      risk: tool.risk === 'write' && sumOf(ready).level === 'approver' ? 'destroy' : tool.risk,
      minutes: await minutesOf(gate, tool, ready.length),
      consent: {
        ...consentOf(tool, shared, rows, effects),
        ...(statement && { statement: statementOfAll(statement, ready) }),
      },
      warnings: [...effects.cautions, ...notes],
      statement: statementWithoutNumbers(statement),
      asks: batch.asks || ready.some(({ asked }) => factsOf(asked).warned.length > 0),
    };
    plan.digest = batchDigest(frozenOf({ ...batch, plan }, rows));
    const isPlanned = await store.move(batch.id, ['planning'], batch.isHeld ? 'planned' : 'waiting', { plan });
    return isPlanned && !batch.isHeld ? this.#askOf(tool, { ...batch, state: 'waiting', plan }) : undefined;
  }

  /** Asks the people who may confirm. A question that waits already is left as it is. */
  async #askOf(tool: Tool, batch: Batch): Promise<undefined> {
    const { store, gate } = this.#parts;
    const { id, actor, notes, requestReason: reason, createdAt } = batch;
    if ((await questionOf(gate.actions, id)) !== undefined) return;
    const rows = await store.rows(id);
    const asked = await gate.actions.since(createdAt, 200, { operation: BATCH_RUN });
    const newer = sameTargets(tool, batch, rows, asked).find(
      ({ createdAt: at, state }) => at > createdAt && ['pending', 'confirmed', 'in_flight', 'done'].includes(state),
    );
    // The planning of this one took longer than that of a newer list for the same targets.
    if (newer && newer.shown.Batch !== id) {
      await store.move(id, ['waiting'], 'stopped', { reason: { why: 'replaced', by: String(newer.shown.Batch) } });
      return;
    }
    try {
      const input = questionInput(tool, batch, rows);
      const question = await gate.perform(BATCH_RUN, input, actor, defined({ notes, reason }));
      // It was stopped while the question was written, so the question cannot be confirmed any more.
      if (question.kind === 'pending' && (await store.get(id))?.state !== 'waiting')
        await gate.withdraw(question.action.id, actor);
    } catch (error) {
      const failure = asSwitchboardError(error).face;
      // Only the user of the requester's client or terminal may be able to confirm, whom the requester's next call asks.
      if (failure.code !== 'forbidden_by_role')
        await store.move(id, ['waiting'], 'failed', { reason: { why: 'failure', failure } });
    }
  }

  /** Sends the rows of a confirmed batch, and reads those of a batch that only reads. */
  async #run(id: string, run: Run): Promise<number | undefined> {
    const { store, gate, clock } = this.#parts;
    const started = clock.now();
    let opened: ConfirmedBatch | undefined;
    for (;;) {
      await run.check();
      const batch = await store.get(id);
      const tool = batch && gate.tool(batch.operation);
      if (batch?.state !== 'running' || tool === undefined) return undefined;
      const rows = await rowsOf(this.#parts, tool, id);
      if (tool.risk !== 'read' && (opened === undefined || clock.now() >= opened.until)) {
        const yes = (await questionOf(gate.actions, batch.id))?.id ?? '';
        // It is a failure if the time of the yes is over, or if none covers these rows.
        const covered = await gate.batchRows.open(yes, frozenOf(batch, rows)).catch((error: unknown) => {
          // Earlier rows may have been sent, so it says nothing about what was.
          const { effect: _, ...failure } = asSwitchboardError(error).face;
          if (failure.code === 'forbidden_by_role') return failure;
          throw error;
        });
        if ('message' in covered) {
          await store.move(id, ['running'], 'stopped', { reason: { why: 'failure', failure: covered } });
          return undefined;
        }
        opened = covered;
      }
      const wait = await this.#step(tool, batch, rows, opened);
      await store.touch(id);
      if (wait === 'ended') return undefined;
      if (wait > 0 && (await store.get(id))?.state === 'running') return clock.now() + wait;
      if (clock.now() - started > TURN_MS) return clock.now();
    }
  }

  /** Sends the next rows. Resolves to the wait (ms) before the next step, or `ended`. */
  async #step(tool: Tool, batch: Batch, rows: readonly BatchRow[], opened: ConfirmedBatch | undefined) {
    const { store, gate, clock } = this.#parts;
    const { id } = batch;
    if (rows.some(({ outcome }) => outcome === 'running')) return LOOK_MS;
    // Rows are ready again whose request certainly did nothing because the platform was away or busy.
    const failed = rows.filter(({ outcome, failure }) => outcome === 'failed' && failure && isTransient(failure));
    let released = 0;
    for (const action of new Set(failed.flatMap(({ action = [] }) => action)))
      released += await store.release(id, action);
    if (released > 0) return backoff(Math.min(5, Math.max(...rows.map(({ tries }) => tries)) + 1));
    const ready = rows.filter(({ outcome }) => outcome === 'waiting');
    if (ready.length === 0) {
      await store.move(id, ['running'], endOf(rows));
      return 'ended';
    }
    // A row of unknown outcome holds the batch while it may still be found by reading, and then stops it.
    const unknown = rows.find(({ outcome }) => outcome === 'unknown');
    if (unknown?.action !== undefined && tool.reconcile) {
      const until = await gate.workedUntil(unknown.action);
      if (until !== undefined && clock.now() < until + LAST_READ_MS) return LOOK_MS;
    }
    const reason = unknown
      ? { why: 'unknown' as const, row: unknown.n, target: unknown.target, action: unknown.action }
      : stopReason(batch.plan?.risk ?? 'destroy', rows);
    if (reason) {
      await store.move(id, ['running'], 'stopped', { reason });
      return 'ended';
    }
    const requests = new Set(rows.flatMap(({ action = [] }) => action)).size;
    const isSent = opened
      ? await this.#send(opened, batch, groupsOf(tool, ready, requests))
      : await this.#readNext(tool, batch, ready);
    return isSent ? 0 : RETRY_MS;
  }

  /** True if at least one row was sent or left out. */
  async #send(opened: ConfirmedBatch, batch: Batch, groups: readonly number[][]): Promise<boolean> {
    const { store, clock } = this.#parts;
    const results = await Promise.all(groups.map((numbers) => opened.send(numbers, batch.actor)));
    for (const { n, failure } of results.flatMap(({ leftOut }) => leftOut))
      await store.found(batch.id, n, { failure }, clock.now());
    return results.some(({ sent, leftOut }) => sent || leftOut.length > 0);
  }

  /** Reads rows for a batch that changes nothing. True if at least one has ended. */
  async #readNext(tool: Tool, batch: Batch, ready: readonly BatchRow[]): Promise<boolean> {
    const { store, gate, clock } = this.#parts;
    const { list = '', most = 1 } = batchedBy(tool) ?? {};
    const until = clock.now() + TURN_MS;
    const actor = { ...batch.actor, priority: 'batch' as const };
    const rows = ready.slice(0, Math.max(most, MOST_AT_ONCE));
    const call = gate.batchRows.sharedReads(tool, rows).calls(async (operation, input) => {
      const done = await gate.perform(operation, input, actor, { deadline: clock.now() + READS_MS });
      return done.kind === 'done' ? done.value : {};
    });
    let [hasEnded, isBusy] = [false, false];
    await eachOf(rows, MOST_AT_ONCE, async ({ n, said, target }) => {
      // A request for many rows is not repeated for each of them.
      if (isBusy || clock.now() > until) return;
      try {
        const value = await call(tool.id, inputOfRows(tool, batch.shared, [said]));
        const own = numbersIn(value[list]).find(({ number }) => numberKey(number) === numberKey(target));
        await store.found(batch.id, n, { result: own?.record ?? value }, clock.now());
      } catch (error) {
        const failure = { ...asSwitchboardError(error).face, outcome: 'not_done' as const };
        if (isTransient(failure) && failure.code !== 'server_error') {
          isBusy = true;
          return;
        }
        await store.found(batch.id, n, { failure }, clock.now());
      }
      hasEnded = true;
    });
    return hasEnded;
  }

  #tool({ operation }: Batch): Tool {
    const tool = this.#parts.gate.tool(operation);
    if (tool === undefined) throw invalidInput(undefined, `There is no operation ${operation}.`);
    return tool;
  }
}

/** True for the requester on any surface, and for an approver. */
function mayStop({ actor: writer }: Batch, actor: Actor): boolean {
  return writer.id === actor.id || personOf(writer) === personOf(actor) || hasRole(actor, 'approver');
}

/** Throws `forbidden_by_role` for anybody but the requester, whose question it will be. */
function requireWriter({ actor: writer }: Batch, actor: Actor): void {
  if (personOf(writer) !== personOf(actor))
    throw forbidden('Only the requester of this batch can have it asked about.');
}

/** Of these actions, the questions of a batch's requester about the same targets. */
function sameTargets(tool: Tool, { actor, shared }: Batch, rows: readonly StoredRow[], among: readonly Action[]) {
  const key = targetsKey(tool, shared, rows);
  return among.filter(({ actorId, shown }) => key !== undefined && actorId === actor.id && shown.Targets === key);
}

/** Expected minutes of a run that may use half of the budget. */
async function minutesOf(gate: Gate, tool: Tool, rows: number): Promise<number> {
  const { limit } = await gate.budget();
  const rule = batchedBy(tool);
  const reads = tool.before === undefined && rule?.reads === undefined ? 0 : 2;
  const perRow = reads + (rule?.list === undefined ? 1 : 0.1);
  return Math.max(1, Math.ceil((rows * perRow) / Math.max(1, limit / 2)));
}

/** The requests of the next step: the first row alone, then 2, 4, … at once, or in one request that takes a list. */
function groupsOf(tool: Tool, ready: readonly BatchRow[], requests: number): number[][] {
  const numbers = ready.map(({ n }) => n);
  const { list, most = 1 } = batchedBy(tool) ?? {};
  if (list !== undefined && most > 1) return [numbers.slice(0, Math.min(most, 2 ** Math.min(requests, 10)))];
  return numbers.slice(0, Math.min(MOST_AT_ONCE, requests + 1)).map((n) => [n]);
}
