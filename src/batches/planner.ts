import { batchedBy } from '../catalogue/batch.ts';
import type { Tool } from '../catalogue/operation.ts';
import { BATCH_RUN, batchDigest, inputOfRows, statementWithoutNumbers } from '../gate/batch.ts';
import { withWarning } from '../gate/confirmation.ts';
import type { Gate } from '../gate/gate.ts';
import type { SharedReads } from '../gate/shared-reads.ts';
import { canonical } from '../ledger/action.ts';
import { type Clock, DAY_MS } from '../lib/clock.ts';
import { FRESH_MS, RETRY_MS } from '../lib/durations.ts';
import { asSwitchboardError } from '../lib/errors.ts';
import type { Run } from '../work/worker.ts';
import { type Batch, type BatchRow, type Plan, TURN_MS } from './batch.ts';
import { effectsOf, statementOfAll } from './effects.ts';
import { changesOf, consentOf, frozenOf, questionInput } from './question.ts';
import { listNotes, withRemarks } from './rows.ts';
import type { BatchStore } from './store.ts';

/** Rows that are read at the same time. */
const READS = 4;
/** Rows that a warning about an earlier batch names. */
const MOST_TARGETS = 5;
/** A row that could not be read this many times is left out. */
const MOST_TRIES = 5;

export interface BatchParts {
  store: BatchStore;
  gate: Gate;
  clock: Clock;
}

/** Reads each row of a batch once, and asks for the yes. */
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
    const reads = await this.#readsOf(id);
    for (;;) {
      const rows = (await store.rows(id)).filter(({ state }) => state === 'new').slice(0, READS);
      if (rows.length === 0) break;
      await run.check();
      if ((await store.get(id))?.state !== 'planning') return undefined;
      const again = await Promise.all(rows.map((row) => this.#look(batch, tool, row, reads)));
      await store.touch(id);
      if (again.includes(true)) return clock.now() + RETRY_MS;
      if (clock.now() - started > TURN_MS) return clock.now();
    }
    this.#reads = undefined;
    await this.#finish(batch, tool);
    const planned = await store.get(id);
    return planned?.state === 'waiting' ? this.#ask(planned) : undefined;
  }

  /** The answers that the rows of a batch share, kept over several turns. */
  async #readsOf(id: string): Promise<SharedReads> {
    const { store, gate, clock } = this.#parts;
    const kept = this.#reads;
    if (kept?.id === id && clock.now() - kept.at < FRESH_MS) return kept.reads;
    const rows = (await store.rows(id)).filter(({ state }) => state === 'new');
    const reads = gate.batchRows.sharedReads(rows.length);
    this.#reads = { id, reads, at: clock.now() };
    return reads;
  }

  /** Reads one row. True if it must be read again later. */
  async #look(batch: Batch, tool: Tool, row: BatchRow, reads: SharedReads): Promise<boolean> {
    const { store, gate } = this.#parts;
    const input = inputOfRows(tool, batch.shared, [row.said]);
    if (tool.risk === 'read') {
      await store.planned(batch.id, row.n, { asked: { shown: input, known: {}, consent: undefined } });
      return false;
    }
    const found = await gate.batchRows.look(batch.operation, input, batch.actor, reads);
    const isLast = row.tries + 1 >= MOST_TRIES;
    if (found.is === 'unread' && !isLast) {
      await store.planned(batch.id, row.n, 'again');
      return true;
    }
    await store.planned(batch.id, row.n, found.is === 'ready' ? { asked: found.asked } : { failure: found.failure });
    return false;
  }

  async #finish(batch: Batch, tool: Tool): Promise<void> {
    const { store, gate } = this.#parts;
    const rows = await store.rows(batch.id);
    const ready = rows.filter(({ asked }) => asked !== undefined);
    const [first] = ready;
    if (first === undefined) {
      const { n = 1, target = '', failure } = rows[0] ?? {};
      await store.move(batch.id, ['planning'], 'failed', { why: 'nothing_ready', row: n, target, failure });
      return;
    }
    const statement = await gate.batchRows.statement(
      batch.operation,
      inputOfRows(tool, batch.shared, [first.said]),
      batch.actor,
    );
    const { limit } = await gate.budget();
    const minutes = minutesOf(tool, ready.length, limit);
    const isRead = tool.risk === 'read';
    const { level, changes } = changesOf(rows);
    const risk = tool.risk === 'write' && level === 'approver' ? 'destroy' : tool.risk;
    const effects = effectsOf(tool, batch.shared, ready);
    const consent = isRead ? undefined : consentOf(tool, batch.shared, rows, effects);
    const stated = statement === undefined ? {} : { statement: statementOfAll(statement, ready) };
    const plan: Plan = {
      risk,
      level,
      changes,
      consent: consent && withWarning({ ...consent, ...stated }, await this.#warningOf(batch, tool, ready)),
      customers: effects.customers,
      lists: effects.lists,
      statement: statementWithoutNumbers(statement),
      exclusive: tool.exclusive === undefined ? [] : ready.map(({ target }) => target),
      minutes,
    };
    const digest = isRead ? undefined : batchDigest(frozenOf(batch, plan, rows));
    await store.setPlan(batch.id, JSON.parse(JSON.stringify(plan)) as Plan, digest);
  }

  /** What the question warns about: an earlier batch like it, and values of rows that may be mistyped. */
  async #warningOf(batch: Batch, tool: Tool, ready: readonly BatchRow[]): Promise<string | undefined> {
    const notes = listNotes({ rows: withRemarks(tool, ready), ignored: [] });
    const warnings = [await this.#repeatOf(batch, ready), ...notes];
    return warnings.filter((text) => text !== undefined).join(' ') || undefined;
  }

  /** A warning if the same batch, or one with some of the same rows and values, was started before. */
  async #repeatOf({ id, operation, shared }: Batch, ready: readonly BatchRow[]): Promise<string | undefined> {
    const { store, clock } = this.#parts;
    const earlier = await store.startedLike({ id, operation, shared }, clock.now() - DAY_MS);
    const own = new Map(ready.map(({ said, target }) => [canonical(said), target]));
    for (const twin of earlier) {
      const sent = (await store.rows(twin.id)).filter(({ state }) => state === 'sent' || state === 'done');
      const again = sent.flatMap(({ said }) => own.get(canonical(said)) ?? []);
      if (again.length === 0) continue;
      const at = new Date(twin.startedAt ?? twin.createdAt).toISOString();
      const all = again.length === ready.length;
      const which = all
        ? 'The same rows'
        : `${again.length} of these rows (${again.slice(0, MOST_TARGETS).join(', ')}${again.length > MOST_TARGETS ? ', …' : ''})`;
      return `${which} with the same values were sent for ${twin.actor.name} at ${at} (${twin.id}).`;
    }
    return undefined;
  }

  /** Asks the people who may confirm. A question that waits already is left as it is. */
  async #ask(batch: Batch): Promise<undefined> {
    const { store, gate } = this.#parts;
    const asked = (await gate.actions.about(batch.id)).some(({ operation }) => operation === BATCH_RUN);
    if (asked) return;
    try {
      const input = questionInput(batch, await store.rows(batch.id));
      await gate.perform(BATCH_RUN, input, batch.actor, batch.notes ? { notes: batch.notes } : {});
    } catch (error) {
      const failure = asSwitchboardError(error).face;
      // Only the user of the requester's client or terminal may be able to confirm, whom the requester's next call asks.
      if (failure.code === 'forbidden_by_role') return;
      await store.move(batch.id, ['waiting'], 'failed', { why: 'failure', failure });
    }
  }
}

/** Expected minutes of a run that may use half of the budget. `limit`: requests a minute. */
function minutesOf(tool: Tool, rows: number, limit: number): number {
  const perRow =
    (tool.before === undefined && batchedBy(tool)?.reads === undefined ? 0 : 2) +
    (batchedBy(tool)?.list === undefined ? 1 : 0.1);
  return Math.max(1, Math.ceil((rows * perRow) / Math.max(1, limit / 2)));
}
