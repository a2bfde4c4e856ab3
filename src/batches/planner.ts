import { batchedBy } from '../catalogue/batch-rule.ts';
import { makesAnew } from '../catalogue/change.ts';
import type { Tool } from '../catalogue/operation.ts';
import { isTransient } from '../gate/batch-rows.ts';
import { keysOf } from '../gate/change.ts';
import { withWarning } from '../gate/confirmation.ts';
import { BATCH_RUN, batchDigest, inputOfRows, statementWithoutNumbers } from '../gate/frozen-batch.ts';
import type { Gate, Previewed } from '../gate/gate.ts';
import type { SharedReads } from '../gate/shared-reads.ts';
import { canonical, changeOf } from '../ledger/action.ts';
import type { Action, AlsoWritten } from '../ledger/ledger.ts';
import { identified, personOf } from '../lib/actor.ts';
import { type Clock, DAY_MS } from '../lib/clock.ts';
import { FRESH_MS, RETRY_MS } from '../lib/durations.ts';
import { asSwitchboardError, invalidInput, type SwitchboardError } from '../lib/errors.ts';
import { defined } from '../lib/json.ts';
import type { Run } from '../work/worker.ts';
import { reasonOf } from './csv.ts';
import { effectsOf, statementOfAll } from './effects.ts';
import {
  batchQuestion,
  consentOf,
  frozenOf,
  levelOfRows,
  type PlannedRow,
  plannedOf,
  questionInput,
} from './question.ts';
import { type GivenRow, listNotes, withRemarks } from './rows.ts';
import type { Batch, Outcome, Plan, StoredRow } from './states.ts';
import { questionsOf, rowsOf, wasLeftOut } from './states.ts';
import type { BatchStore } from './store.ts';

/** A turn of a handler starts no further requests after this time. The job runs again at once if rows are left. */
export const TURN_MS = 20_000;
/** Rows that are read at the same time. */
const READS = 4;
/** Rows that a warning about an earlier batch names. */
const MOST_TARGETS = 5;
/** The outcomes of rows that were sent and did, or may have done, something. */
const SENT: readonly Outcome[] = ['running', 'done', 'unknown'];
/** A row that could not be read this many times is left out. */
const MOST_TRIES = 5;

export interface BatchParts {
  store: BatchStore;
  gate: Gate;
  clock: Clock;
}

/** The platform's statement: as the question shows it, and as it is compared before a row is sent. */
interface Stated {
  shown: string | undefined;
  compared: string | undefined;
}

/** Reads each row of a batch of changes once, and asks for the yes. */
export class Planner {
  readonly #parts: BatchParts;
  #reads: { id: string; reads: SharedReads; at: number } | undefined;

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /** One turn. Resolves to the time of the next one; undefined if the plan is complete. */
  async turn(id: string, run: Run): Promise<number | undefined> {
    const { store, gate, clock } = this.#parts;
    const batch = await store.get(id);
    const tool = batch && gate.tool(batch.operation);
    if (batch === undefined || tool === undefined) return undefined;
    if (batch.state === 'waiting') return this.#ask(batch);
    if (batch.state !== 'planning') return undefined;
    const started = clock.now();
    for (;;) {
      const rows = await store.rows(id);
      const open = rows.filter(({ asked, failure }) => asked === undefined && failure === undefined);
      if (open.length === 0) return this.#finish(batch, tool, rows);
      await run.check();
      if ((await store.get(id))?.state !== 'planning') return undefined;
      const reads = this.#readsOf(id, open.length);
      const again = await Promise.all(open.slice(0, READS).map((row) => this.#look(batch, tool, row, reads)));
      await store.touch(id);
      if (again.includes(true)) return clock.now() + RETRY_MS;
      if (clock.now() - started > TURN_MS) return clock.now();
    }
  }

  /**
   * The question about a list as it would be asked now. Its rows are read, and nothing is stored or sent. Throws
   * `invalid_input` if none of them can be sent.
   */
  async preview(batch: Batch, given: readonly GivenRow[], signal?: AbortSignal): Promise<Previewed> {
    const { gate } = this.#parts;
    const tool = gate.tool(batch.operation);
    if (tool === undefined) throw notReady(undefined);
    const unread = { tries: 0, asked: undefined, action: undefined, result: undefined, at: undefined };
    const rows = given.map((row, at): StoredRow => ({ ...row, ...unread, n: at + 1 }));
    const open = rows.filter(({ failure }) => failure === undefined);
    const reads = gate.batchRows.sharedReads(open.length);
    for (let from = 0; from < open.length; from += READS) {
      signal?.throwIfAborted();
      await Promise.all(
        open.slice(from, from + READS).map(async (row) => {
          const input = inputOfRows(tool, batch.shared, [row.said]);
          Object.assign(row, await gate.batchRows.look(batch.operation, input, batch.actor, reads));
        }),
      );
    }
    if (plannedOf(rows).length === 0) throw notReady(rows.find(({ failure }) => failure !== undefined));
    const planned: Batch = {
      ...batch,
      state: 'waiting',
      plan: await this.planOf(batch, tool, rows, { shown: undefined, compared: undefined }),
    };
    const store = { get: async () => planned, rows: async () => rows, move: async () => false };
    const question = batchQuestion({ store, tools: [tool], actions: gate.actions, worker: { look: () => undefined } });
    return gate.preview(question, questionInput(planned, rows), batch.actor);
  }

  /** The answers that the rows of a batch share, kept over several turns. */
  #readsOf(id: string, rows: number): SharedReads {
    const { gate, clock } = this.#parts;
    if (this.#reads?.id !== id || clock.now() - this.#reads.at >= FRESH_MS)
      this.#reads = { id, reads: gate.batchRows.sharedReads(rows), at: clock.now() };
    return this.#reads.reads;
  }

  /** Reads one row. True if it must be read again later. */
  async #look(batch: Batch, tool: Tool, { n, said, tries }: StoredRow, reads: SharedReads): Promise<boolean> {
    const { store, gate } = this.#parts;
    const input = inputOfRows(tool, batch.shared, [said]);
    const found = await gate.batchRows.look(batch.operation, input, batch.actor, reads);
    const isAgain = 'failure' in found && isTransient(found.failure) && tries + 1 < MOST_TRIES;
    if (isAgain) await store.tried(batch.id, n);
    else await store.found(batch.id, n, found);
    return isAgain;
  }

  /** Writes the plan, and asks. A batch without a row that can be sent fails. */
  async #finish(batch: Batch, tool: Tool, rows: readonly StoredRow[]): Promise<undefined> {
    const { store, gate } = this.#parts;
    const { id, actor } = batch;
    this.#reads = undefined;
    const who = identified(personOf(actor), actor.name);
    // Until no old batch has gone on between its reading and the writing of this one: then both or neither are written.
    for (;;) {
      const olds = await this.#corrected(batch, tool, rows);
      const kept = await this.#withoutLeftOut(batch, rows, olds);
      const plan = await this.#plan(batch, tool, kept);
      if (plan === undefined) {
        const { n = 1, target = '', failure } = kept[0] ?? {};
        await store.move(id, ['planning'], 'failed', { reason: { why: 'nothing_ready', row: n, target, failure } });
        return;
      }
      const replaces = olds.map((old) => old.id);
      const asks = olds.some(({ rows }) => rows.some(wasLeftOut));
      const next: Plan = { ...plan, ...(replaces.length > 0 && { replaces }), ...(asks && { asks }) };
      const also: AlsoWritten = (queries) => store.replace(queries, { olds, next: id, who }, next);
      const isWritten = await gate.replace(
        olds.flatMap(({ question }) => question?.id ?? []),
        actor,
        also,
      );
      const planned = await store.get(id);
      if (planned?.state === 'waiting') return this.#ask(planned);
      // The batch was stopped, or a newer one took its place.
      if (isWritten || planned?.state !== 'planning') return;
    }
  }

  /** The requester's batches that wait, or are planned, and that this one corrects. */
  async #corrected(batch: Batch, tool: Tool, rows: readonly StoredRow[]): Promise<Corrected[]> {
    const { store, gate } = this.#parts;
    const found: Corrected[] = [];
    if (tool.adds) return found;
    for (const old of await store.undecided(batch.actor.id, batch.operation)) {
      if (old.id === batch.id || old.createdAt > batch.createdAt || !hasSameKeys(tool, old, batch)) continue;
      const [question] = await questionsOf(gate.actions, old.id);
      // A person has decided about it, or its time is over.
      if (question !== undefined && question.state !== 'pending') continue;
      const waiting = await store.rows(old.id);
      if (corrects(rows, waiting)) found.push({ ...old, question, rows: waiting });
    }
    return found;
  }

  /** The rows, without those that a person left out of a batch that this one takes the place of. */
  async #withoutLeftOut(
    { id }: Batch,
    rows: readonly StoredRow[],
    olds: readonly Corrected[],
  ): Promise<readonly StoredRow[]> {
    const { store } = this.#parts;
    const left = new Map(olds.flatMap((old) => old.rows.filter(wasLeftOut).map((row) => [row.target, row.failure])));
    const isLeft = ({ asked, target }: StoredRow) => asked !== undefined && left.has(target);
    for (const row of rows.filter(isLeft)) {
      const failure = left.get(row.target);
      if (failure) await store.leaveOut(id, row.n, failure);
    }
    return rows.some(isLeft) ? store.rows(id) : rows;
  }

  /** The plan of a batch whose rows were read; undefined without a row that can be sent. */
  async #plan(batch: Batch, tool: Tool, rows: readonly StoredRow[]): Promise<Plan | undefined> {
    const ready = plannedOf(rows);
    const [first] = ready;
    if (first === undefined) return undefined;
    const input = inputOfRows(tool, batch.shared, [first.said]);
    const statement = await this.#parts.gate.batchRows.statement(batch.operation, input, batch.actor);
    const shown = statement && statementOfAll(statement, ready);
    return this.planOf(batch, tool, rows, { shown, compared: statementWithoutNumbers(statement) });
  }

  /** The plan of a batch with at least one row that can be sent. Reads nothing from the platform. */
  async planOf(batch: Batch, tool: Tool, rows: readonly StoredRow[], { shown, compared }: Stated): Promise<Plan> {
    const { gate } = this.#parts;
    const ready = plannedOf(rows);
    const level = levelOfRows(ready);
    const effects = effectsOf(tool, batch.shared, ready);
    const consent = { ...consentOf(tool, batch.shared, rows, effects), ...(shown && { statement: shown }) };
    const warnings = await Promise.all([this.#repeatOf(batch, tool, ready), this.#waitingOf(batch, ready)]);
    const repeat = warnings.filter((text) => text !== undefined).join(' ');
    const notes = listNotes({ rows: withRemarks(tool, ready), ignored: [] });
    const warning = [effects.caution, repeat, ...notes].filter((text) => text !== undefined && text !== '').join(' ');
    const plan: Plan = {
      risk: tool.risk === 'write' && level === 'approver' ? 'destroy' : tool.risk,
      minutes: await minutesOf(gate, tool, ready.length),
      consent: withWarning(consent, warning || undefined),
      statement: compared,
      ...(repeat !== '' && { asks: true }),
    };
    return { ...plan, digest: batchDigest(frozenOf(batch, plan, rows)) };
  }

  /** A warning if the same batch, or one with some of the same rows and values, was started before. */
  async #repeatOf(batch: Batch, tool: Tool, ready: readonly PlannedRow[]): Promise<string | undefined> {
    const { store, gate, clock } = this.#parts;
    const own = new Map(ready.map(({ said, target }) => [canonical(said), target]));
    for (const twin of await store.startedLike(batch, clock.now() - DAY_MS)) {
      // A row that was refused did nothing, so that asking for it again repeats nothing.
      const sent = (await rowsOf({ store, actions: gate.actions }, tool, twin.id)).filter(({ outcome }) =>
        SENT.includes(outcome),
      );
      const again = sent.flatMap(({ said }) => own.get(canonical(said)) ?? []);
      if (again.length === 0) continue;
      const at = new Date(twin.startedAt ?? twin.createdAt).toISOString();
      return `${someOf(again, ready)} with the same values were sent for ${twin.actor.name} at ${at} (${twin.id}).`;
    }
    return undefined;
  }

  /**
   * A warning if another person's batch with some of the same rows and values waits. Only for rows that make something
   * each time: the gate names the other questions about a record.
   */
  async #waitingOf(batch: Batch, ready: readonly PlannedRow[]): Promise<string | undefined> {
    const { store, gate } = this.#parts;
    const made = ready.filter(({ asked }) => {
      const change = changeOf(asked);
      return change !== undefined && makesAnew(change);
    });
    if (made.length === 0) return undefined;
    const own = new Map(made.map(({ said, target }) => [canonical(said), target]));
    for (const other of await store.undecidedLike(batch)) {
      const [question] = await questionsOf(gate.actions, other.id);
      if (question !== undefined && question.state !== 'pending') continue;
      const open = (await store.rows(other.id)).filter(({ failure }) => failure === undefined);
      const both = open.flatMap(({ said }) => own.get(canonical(said)) ?? []);
      if (both.length === 0) continue;
      const at = new Date(other.createdAt).toISOString();
      return `${someOf(both, ready)} with the same values wait in a batch of ${other.actor.name}, asked at ${at} (${other.id}). A row that one of the two sends is left out of the other.`;
    }
    return undefined;
  }

  /** Asks the people who may confirm. A question that waits already is left as it is. */
  async #ask(batch: Batch): Promise<undefined> {
    const { store, gate } = this.#parts;
    if ((await questionsOf(gate.actions, batch.id)).length > 0) return;
    try {
      const input = questionInput(batch, await store.rows(batch.id));
      const { notes, requestReason: reason } = batch;
      const asked = await gate.perform(BATCH_RUN, input, batch.actor, defined({ notes, reason }));
      // Another batch took its place while the question was written, so the question cannot be confirmed any more.
      if (asked.kind === 'pending' && (await store.get(batch.id))?.state !== 'waiting')
        await gate.withdraw(asked.action.id, batch.actor);
    } catch (error) {
      const failure = asSwitchboardError(error).face;
      // Only the user of the requester's client or terminal may be able to confirm, whom the requester's next call asks.
      if (failure.code === 'forbidden_by_role') return;
      await store.move(batch.id, ['waiting'], 'failed', { reason: { why: 'failure', failure } });
    }
  }
}

/** A batch that another one corrects, as it was read. */
type Corrected = Batch & { question: Action | undefined; rows: readonly StoredRow[] };

/** True if two batches are about the same records, as far as the fields that their rows share name them. */
function hasSameKeys(tool: Tool, one: Batch, other: Batch): boolean {
  const names = keysOf(tool).filter((name) => name !== 'AccountId');
  return names.every((name) => canonical(one.shared[name] ?? null) === canonical(other.shared[name] ?? null));
}

/** True for a list that has every row that the waiting one would send, and is not longer than the whole of that one. */
function corrects(list: readonly StoredRow[], waiting: readonly StoredRow[]): boolean {
  const [targets, all] = [list, waiting].map((rows) => new Set(rows.map(({ target }) => target)));
  if (targets === undefined || all === undefined || targets.size > all.size) return false;
  return waiting.every(({ target, failure }) => failure !== undefined || targets.has(target));
}

/** The error for a list without a row that can be sent. */
function notReady(row: StoredRow | undefined): SwitchboardError {
  const why = row === undefined ? '' : ` ${row.target === '' ? `Line ${row.line}` : row.target}: ${reasonOf(row)}`;
  return invalidInput('Rows', `Rows: none of them can be sent.${why}`);
}

/** Names the rows that another batch has too: all of this one, or some. */
function someOf(targets: readonly string[], ready: readonly PlannedRow[]): string {
  if (targets.length === ready.length) return 'The same rows';
  const named = targets.slice(0, MOST_TARGETS).join(', ');
  return `${targets.length} of these rows (${named}${targets.length > MOST_TARGETS ? ', …' : ''})`;
}

/** Expected minutes of a run that may use half of the budget. */
export async function minutesOf(gate: Gate, tool: Tool, rows: number): Promise<number> {
  const { limit } = await gate.budget();
  const perRow =
    (tool.before === undefined && batchedBy(tool)?.reads === undefined ? 0 : 2) +
    (batchedBy(tool)?.list === undefined ? 1 : 0.1);
  return Math.max(1, Math.ceil((rows * perRow) / Math.max(1, limit / 2)));
}
