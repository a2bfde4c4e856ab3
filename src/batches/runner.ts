import { batchedBy } from '../catalogue/batch-rule.ts';
import type { Tool } from '../catalogue/operation.ts';
import { type ConfirmedBatch, isTransient } from '../gate/batch-rows.ts';
import { READS_MS } from '../gate/dispatch.ts';
import { inputOfRows } from '../gate/frozen-batch.ts';
import { MINUTE_MS } from '../lib/clock.ts';
import { LOOK_MS, RETRY_MS } from '../lib/durations.ts';
import { asSwitchboardError } from '../lib/errors.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { numberKey, numbersIn } from '../platform/dialect/number-lists.ts';
import { backoff } from '../work/jobs.ts';
import type { Run } from '../work/worker.ts';
import { type BatchParts, TURN_MS } from './planner.ts';
import { frozenOf } from './question.ts';
import { type Batch, type BatchRow, countsOf, questionOf, rowsOf, stopReason } from './states.ts';

/** Maximum number of requests at the same time. */
const MOST_AT_ONCE = 8;
/** Time that the last readings of an unknown outcome take, after the platform can no longer be working on it. */
const LAST_READ_MS = MINUTE_MS;

/** Sends the rows of a confirmed batch, and reads those of a batch that only reads. */
export class Runner {
  readonly #parts: BatchParts;

  constructor(parts: BatchParts) {
    this.#parts = parts;
  }

  /** One turn. Resolves to the time of the next one (epoch ms); undefined if the batch has ended. */
  async turn(id: string, run: Run): Promise<number | undefined> {
    const { store, gate, clock } = this.#parts;
    const started = clock.now();
    let opened: ConfirmedBatch | undefined;
    for (;;) {
      await run.check();
      const batch = await store.get(id);
      const tool = batch && gate.tool(batch.operation);
      if (batch === undefined || tool === undefined) return undefined;
      if (batch.state !== 'running') return undefined;
      const rows = await rowsOf({ store, actions: gate.actions }, tool, id);
      if (tool.risk !== 'read') {
        opened ??= await this.#open(batch, rows);
        if (opened === undefined || clock.now() >= opened.until) {
          await store.move(id, ['running'], 'stopped', { reason: { why: 'time' } });
          return undefined;
        }
      }
      const next = await this.#step(batch, tool, rows, opened);
      await store.touch(id);
      if (next === 'ended') return undefined;
      if (next !== undefined && (await store.get(id))?.state === 'running') return clock.now() + next;
      if (clock.now() - started > TURN_MS) return clock.now();
    }
  }

  /** The batch, opened with the yes of a person; undefined if its time is over or no yes covers these rows. */
  async #open(batch: Batch, rows: readonly BatchRow[]): Promise<ConfirmedBatch | undefined> {
    const { gate } = this.#parts;
    if (batch.plan === undefined) return undefined;
    const yes = await questionOf(gate.actions, batch.id);
    if (yes === undefined || !['in_flight', 'done', 'unknown'].includes(yes.state)) return undefined;
    return gate.batchRows.open(yes.id, frozenOf(batch, batch.plan, rows)).catch((error: unknown) => {
      if (asSwitchboardError(error).face.code === 'forbidden_by_role') return undefined;
      throw error;
    });
  }

  /** Sends the next rows. Resolves to the wait (ms) before the next step, or `ended`. */
  async #step(
    batch: Batch,
    tool: Tool,
    rows: readonly BatchRow[],
    opened: ConfirmedBatch | undefined,
  ): Promise<number | 'ended' | undefined> {
    const { store } = this.#parts;
    if (rows.some(({ outcome }) => outcome === 'running')) return LOOK_MS;
    if (await this.#release(batch.id, rows))
      return backoff(Math.min(5, Math.max(...rows.map(({ tries }) => tries)) + 1));
    const ready = rows.filter(({ outcome }) => outcome === 'waiting');
    if (ready.length === 0) return this.#end(batch.id, rows);
    const held = await this.#heldBy(batch, tool, rows);
    if (held !== undefined) return held;
    const reason = stopReason(batch.plan?.risk ?? 'destroy', rows);
    if (reason) {
      await store.move(batch.id, ['running'], 'stopped', { reason });
      return 'ended';
    }
    const requests = new Set(rows.map(({ action }) => action).filter((action) => action !== undefined)).size;
    const sent = await (opened === undefined
      ? this.#read(batch, tool, ready)
      : this.#send(batch, opened, groupsOf(tool, ready, requests)));
    return sent ? undefined : RETRY_MS;
  }

  /**
   * Waits while the outcome of a row is unknown and may still be found by reading. Stops the batch if it stays unknown.
   * Resolves to the wait (ms) before the next look, to `ended`, or to undefined if no row holds the batch.
   */
  async #heldBy({ id }: Batch, tool: Tool, rows: readonly BatchRow[]): Promise<number | 'ended' | undefined> {
    const { store, gate, clock } = this.#parts;
    for (const { n: row, target, action, outcome } of rows) {
      if (outcome !== 'unknown') continue;
      const until = action === undefined || !tool.reconcile ? undefined : await gate.workedUntil(action);
      if (until !== undefined && clock.now() < until + LAST_READ_MS) return LOOK_MS;
      await store.move(id, ['running'], 'stopped', { reason: { why: 'unknown', row, target, action } });
      return 'ended';
    }
    return undefined;
  }

  /** Makes rows ready again whose request certainly did nothing because the platform was away or busy. */
  async #release(id: string, rows: readonly BatchRow[]): Promise<boolean> {
    const failed = rows.flatMap(({ outcome, failure, action = [] }) =>
      outcome === 'failed' && failure && isTransient(failure) ? action : [],
    );
    let released = 0;
    for (const action of new Set(failed)) released += await this.#parts.store.release(id, action);
    return released > 0;
  }

  async #end(id: string, rows: readonly BatchRow[]): Promise<'ended'> {
    const counts = countsOf(rows.filter(({ outcome, at }) => outcome !== 'left_out' || at !== undefined));
    const undone = counts.failed + counts.unknown + counts.left_out;
    const state = undone === 0 ? 'done' : counts.done + counts.unknown === 0 ? 'failed' : 'partly';
    await this.#parts.store.move(id, ['running'], state);
    return 'ended';
  }

  /** True if at least one row was sent or left out. */
  async #send(batch: Batch, opened: ConfirmedBatch, groups: readonly number[][]): Promise<boolean> {
    const { store, clock } = this.#parts;
    const results = await Promise.all(groups.map((numbers) => opened.send(numbers, batch.actor)));
    for (const { leftOut } of results)
      for (const { n, failure } of leftOut) await store.found(batch.id, n, { failure }, clock.now());
    return results.some(({ sent, leftOut }) => sent || leftOut.length > 0);
  }

  /** Reads rows for a batch that changes nothing. True if at least one has ended. */
  async #read(batch: Batch, tool: Tool, ready: readonly BatchRow[]): Promise<boolean> {
    const most = batchedBy(tool)?.most ?? 1;
    if (most > 1 && ready.length > 1) {
      const ended = await this.#readOnce(batch, tool, ready.slice(0, most));
      if (ended !== 'refused') return ended;
    }
    // One by one: a number that the platform refuses would fail the others of its request.
    const each = ready.slice(0, MOST_AT_ONCE);
    const ended = await Promise.all(each.map((row) => this.#readOnce(batch, tool, [row])));
    return ended.includes(true);
  }

  /** One request for these rows. False if it must be repeated later; `refused` if rows must be read one by one. */
  async #readOnce(batch: Batch, tool: Tool, rows: readonly BatchRow[]): Promise<boolean | 'refused'> {
    const { store, gate, clock } = this.#parts;
    const input = inputOfRows(
      tool,
      batch.shared,
      rows.map(({ said }) => said),
    );
    try {
      const actor = { ...batch.actor, priority: 'batch' as const };
      const done = await gate.perform(tool.id, input, actor, { deadline: clock.now() + READS_MS });
      const value = done.kind === 'done' ? done.value : {};
      const found = rows.map((row) => ({ n: row.n, result: rowOfList(tool, value, row.target) ?? value }));
      if (rows.length > 1 && rows.some(({ target }) => rowOfList(tool, value, target) === undefined)) return 'refused';
      for (const { n, result } of found) await store.found(batch.id, n, { result }, clock.now());
      return true;
    } catch (error) {
      const failure = { ...asSwitchboardError(error).face, outcome: 'not_done' as const };
      if (isTransient(failure) && failure.code !== 'server_error') return false;
      if (rows.length > 1) return 'refused';
      for (const { n } of rows) await store.found(batch.id, n, { failure }, clock.now());
      return true;
    }
  }
}

/** The requests of the next step: the first row alone, then 2, 4, … at once, or in one request that takes a list. */
function groupsOf(tool: Tool, ready: readonly BatchRow[], requests: number): number[][] {
  const numbers = ready.map(({ n }) => n);
  const rule = batchedBy(tool);
  const most = rule?.list === undefined ? 1 : (rule.most ?? 1);
  if (most > 1) return [numbers.slice(0, Math.min(most, 2 ** Math.min(requests, 10)))];
  return numbers.slice(0, Math.min(MOST_AT_ONCE, requests + 1)).map((n) => [n]);
}

/** The part of an answer about one number, if the operation answers with a list. */
function rowOfList(tool: Tool, value: Fields, target: string): Fields | undefined {
  const list = batchedBy(tool)?.list;
  const found = list === undefined ? undefined : numbersIn(value[list]);
  const own = found?.find(({ number }) => numberKey(number) === numberKey(target))?.record;
  return isRecord(own) ? own : undefined;
}
