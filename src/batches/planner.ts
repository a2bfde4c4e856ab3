import { batchedBy } from '../catalogue/batch-rule.ts';
import type { Tool } from '../catalogue/operation.ts';
import { isTransient } from '../gate/batch-rows.ts';
import { withWarning } from '../gate/confirmation.ts';
import { BATCH_RUN, batchDigest, inputOfRows, statementWithoutNumbers } from '../gate/frozen-batch.ts';
import type { Gate } from '../gate/gate.ts';
import type { SharedReads } from '../gate/shared-reads.ts';
import { canonical } from '../ledger/action.ts';
import { type Clock, DAY_MS } from '../lib/clock.ts';
import { FRESH_MS, RETRY_MS } from '../lib/durations.ts';
import { asSwitchboardError } from '../lib/errors.ts';
import { defined } from '../lib/json.ts';
import type { Run } from '../work/worker.ts';
import { effectsOf, statementOfAll } from './effects.ts';
import { consentOf, frozenOf, levelOfRows, type PlannedRow, plannedOf, questionInput } from './question.ts';
import { listNotes, withRemarks } from './rows.ts';
import { type Batch, type Outcome, type Plan, questionOf, rowsOf, type StoredRow } from './states.ts';
import type { BatchStore } from './store.ts';

/** A turn of a handler starts no further requests after this time. The job runs again at once if rows are left. */
export const TURN_MS = 20_000;
/** Rows that are read at the same time. */
const READS = 4;
/** Rows that a warning about another batch names. */
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

/** Reads each row of a batch of changes once, and asks for the yes. */
export class Planner {
  readonly #parts: BatchParts;
  /** The answers that the rows of a batch share, kept over several turns. */
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
    if (batch.state === 'waiting') return this.#ask(tool, batch);
    if (batch.state !== 'planning') return undefined;
    const started = clock.now();
    for (;;) {
      const rows = await store.rows(id);
      const open = rows.filter(({ asked, failure }) => asked === undefined && failure === undefined);
      if (open.length === 0) return this.#finish(batch, tool, rows);
      await run.check();
      if ((await store.get(id))?.state !== 'planning') return undefined;
      if (this.#reads?.id !== id || clock.now() - this.#reads.at >= FRESH_MS)
        this.#reads = { id, reads: gate.batchRows.sharedReads(open.length), at: clock.now() };
      const { reads } = this.#reads;
      const again = await Promise.all(open.slice(0, READS).map((row) => this.#look(batch, tool, row, reads)));
      await store.touch(id);
      if (again.includes(true)) return clock.now() + RETRY_MS;
      if (clock.now() - started > TURN_MS) return clock.now();
    }
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

  /** Writes the plan, and asks unless its writer reads it first. A batch without a row that can be sent fails. */
  async #finish(batch: Batch, tool: Tool, rows: readonly StoredRow[]): Promise<undefined> {
    const { store } = this.#parts;
    this.#reads = undefined;
    const ready = plannedOf(rows);
    if (ready.length === 0) {
      const { n = 1, target = '', failure } = rows[0] ?? {};
      await store.move(batch.id, ['planning'], 'failed', {
        reason: { why: 'nothing_ready', row: n, target, failure },
      });
      return;
    }
    const plan = await this.#planOf(batch, tool, rows, ready);
    const isPlanned = await store.move(batch.id, ['planning'], batch.isHeld ? 'planned' : 'waiting', { plan });
    if (isPlanned && !batch.isHeld) await this.#ask(tool, { ...batch, state: 'waiting', plan });
  }

  async #planOf(batch: Batch, tool: Tool, rows: readonly StoredRow[], ready: readonly PlannedRow[]): Promise<Plan> {
    const { gate } = this.#parts;
    const input = inputOfRows(tool, batch.shared, [ready[0]?.said ?? {}]);
    const statement = await gate.batchRows.statement(batch.operation, input, batch.actor);
    const effects = effectsOf(tool, batch.shared, ready);
    const consent = {
      ...consentOf(tool, batch.shared, rows, effects),
      ...(statement && { statement: statementOfAll(statement, ready) }),
    };
    const repeat = await this.#repeatOf(batch, tool, ready);
    const notes = listNotes({ rows: withRemarks(tool, ready), ignored: [] });
    const warning = [effects.caution, repeat, ...notes].filter((text) => text !== '').join(' ');
    const plan: Plan = {
      risk: tool.risk === 'write' && levelOfRows(ready) === 'approver' ? 'destroy' : tool.risk,
      minutes: await minutesOf(gate, tool, ready.length),
      consent: withWarning(consent, warning || undefined),
      statement: statementWithoutNumbers(statement),
      ...(repeat !== '' && { asks: true }),
    };
    return { ...plan, digest: batchDigest(frozenOf(batch, plan, rows)) };
  }

  /** A warning if the same batch, or one with some of the same rows and values, was started before. Empty for none. */
  async #repeatOf(batch: Batch, tool: Tool, ready: readonly PlannedRow[]): Promise<string> {
    const { store, gate, clock } = this.#parts;
    for (const twin of await store.startedLike(batch, clock.now() - DAY_MS)) {
      // A row that was refused did nothing, so that asking for it again repeats nothing.
      const rows = await rowsOf({ store, actions: gate.actions }, tool, twin.id);
      const again = sameRows(
        rows.filter(({ outcome }) => SENT.includes(outcome)),
        ready,
      );
      const at = new Date(twin.startedAt ?? twin.createdAt).toISOString();
      if (again !== '') return `${again} with the same values were sent for ${twin.actor.name} at ${at} (${twin.id}).`;
    }
    return '';
  }

  /** Asks the people who may confirm. A question that waits already is left as it is. */
  async #ask(tool: Tool, batch: Batch): Promise<undefined> {
    const { store, gate } = this.#parts;
    const { id, actor, notes, requestReason: reason, createdAt } = batch;
    if ((await questionOf(gate.actions, id)) !== undefined) return;
    const input = questionInput(tool, batch, await store.rows(id));
    const open = await gate.actions.list({ actorId: actor.id, states: ['pending'], limit: 50 });
    const isNewer = ({ shown, createdAt: at }: (typeof open)[number]) =>
      input.Targets !== undefined && shown.Targets === input.Targets && at > createdAt;
    const newer = open.find(isNewer);
    // The planning of this one took longer than that of a newer list for the same targets.
    if (newer && String(newer.shown.Batch) !== id) {
      await store.move(id, ['waiting'], 'stopped', { reason: { why: 'replaced', by: String(newer.shown.Batch) } });
      return;
    }
    try {
      const asked = await gate.perform(BATCH_RUN, input, actor, defined({ notes, reason }));
      // It was stopped while the question was written, so the question cannot be confirmed any more.
      if (asked.kind === 'pending' && (await store.get(id))?.state !== 'waiting')
        await gate.withdraw(asked.action.id, actor);
    } catch (error) {
      const failure = asSwitchboardError(error).face;
      // Only the user of the requester's client or terminal may be able to confirm, whom the requester's next call asks.
      if (failure.code === 'forbidden_by_role') return;
      await store.move(id, ['waiting'], 'failed', { reason: { why: 'failure', failure } });
    }
  }
}

/** Names the rows of a plan that another batch has with the same values: all of them, or some. Empty for none. */
function sameRows(others: readonly StoredRow[], ready: readonly PlannedRow[]): string {
  const own = new Map(ready.map(({ said, target }) => [canonical(said), target]));
  const targets = others.flatMap(({ said }) => own.get(canonical(said)) ?? []);
  if (targets.length === 0) return '';
  if (targets.length === ready.length) return 'The same rows';
  const named = targets.slice(0, MOST_TARGETS).join(', ');
  return `${targets.length} of these rows (${named}${targets.length > MOST_TARGETS ? ', …' : ''})`;
}

/** Expected minutes of a run that may use half of the budget. */
export async function minutesOf(gate: Gate, tool: Tool, rows: number): Promise<number> {
  const { limit } = await gate.budget();
  const rule = batchedBy(tool);
  const perRow =
    (tool.before === undefined && rule?.reads === undefined ? 0 : 2) + (rule?.list === undefined ? 1 : 0.1);
  return Math.max(1, Math.ceil((rows * perRow) / Math.max(1, limit / 2)));
}
