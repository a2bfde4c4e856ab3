import { batchedBy } from '../catalogue/change.ts';
import type { Tool } from '../catalogue/operation.ts';
import { type ConfirmedBatch, eachOf, isTransient, type SharedReads } from '../gate/batch-rows.ts';
import {
  BATCH_RUN,
  batchDigest,
  inputOfRows,
  isAlready,
  statementWithoutNumbers,
  unsent,
} from '../gate/confirmation.ts';
import { READS_MS } from '../gate/dispatch.ts';
import type { Gate } from '../gate/gate.ts';
import { factsOf } from '../gate/question.ts';
import type { Action } from '../ledger/action.ts';
import { type Clock, FRESH_MS, LOOK_MS, MINUTE_MS, RETRY_MS } from '../lib/clock.ts';
import { asSwitchboardError, SwitchboardError } from '../lib/errors.ts';
import { defined } from '../lib/values.ts';
import { numberKey, numbersIn } from '../platform/dialect/number-lists.ts';
import { backoff } from '../work/jobs.ts';
import type { Run } from '../work/worker.ts';
import {
  consentOf,
  effectsOf,
  frozenOf,
  plannedOf,
  questionInput,
  statementOfAll,
  sumOf,
  targetsKey,
} from './question.ts';
import { listNotes, remarksOf } from './rows.ts';
import {
  type Batch,
  type BatchRow,
  endOf,
  type Plan,
  questionOf,
  rowsOf,
  type StoredRow,
  stopReason,
} from './states.ts';
import type { BatchStore } from './store.ts';

/* The turns of a batch: its rows are read and asked about, and after the yes they are sent. */

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

export interface BatchParts {
  store: BatchStore;
  gate: Gate;
  clock: Clock;
}

/** One turn. Resolves to the time of the next one (epoch ms); undefined if there is none. `asks`: of its job. */
export type Turn = (id: string, run: Run, asks: boolean) => Promise<number | undefined>;

/** Reads each row of a batch of changes once, and asks for the yes. */
export function planning(parts: BatchParts): Turn {
  const { store, gate, clock } = parts;
  /** The answers that the rows of a batch share, kept over several turns. */
  let kept: { id: string; reads: SharedReads; at: number } | undefined;
  return async (id, run, asks) => {
    const started = clock.now();
    for (;;) {
      const batch = await store.get(id);
      const tool = batch && gate.tool(batch.operation);
      if (batch === undefined || tool === undefined) return undefined;
      if (batch.state === 'waiting') return ask(parts, tool, batch);
      if (batch.state !== 'planning') return undefined;
      const rows = await store.rows(id);
      const open = rows.filter(({ asked, failure }) => asked === undefined && failure === undefined);
      if (open.length === 0) {
        kept = undefined;
        return finish(parts, tool, { ...batch, asks }, rows);
      }
      if (clock.now() - started > TURN_MS) return clock.now();
      await run.check();
      if (kept?.id !== id || clock.now() - kept.at >= FRESH_MS)
        kept = { id, reads: gate.batchRows.sharedReads(tool, open), at: clock.now() };
      const { reads } = kept;
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
  };
}

/** Writes the plan, and asks unless its writer reads it first. A batch without a row that can be sent fails. */
async function finish(
  parts: BatchParts,
  tool: Tool,
  batch: Batch & { asks: boolean },
  rows: readonly StoredRow[],
): Promise<number | undefined> {
  const { store, gate, clock } = parts;
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
    // Without the platform's statement nobody can be asked.
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
  plan.digest = batchDigest(frozenOf(batch, plan, rows));
  const isPlanned = await store.move(batch.id, ['planning'], batch.isHeld ? 'planned' : 'waiting', { plan });
  return isPlanned && !batch.isHeld ? ask(parts, tool, { ...batch, state: 'waiting', plan }) : undefined;
}

/** Of these actions, the questions of a batch's requester about the same targets. */
function sameTargets(tool: Tool, { actor, shared }: Batch, rows: readonly StoredRow[], among: readonly Action[]) {
  const key = targetsKey(tool, shared, rows);
  return among.filter(({ actorId, shown }) => key !== undefined && actorId === actor.id && shown.Targets === key);
}

/** Asks the people who may confirm. A question that waits already is left as it is. */
async function ask({ store, gate }: BatchParts, tool: Tool, batch: Batch): Promise<undefined> {
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
    const question = await gate.perform(BATCH_RUN, questionInput(tool, batch, rows), actor, defined({ notes, reason }));
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

/** Expected minutes of a run that may use half of the budget. */
export async function minutesOf(gate: Gate, tool: Tool, rows: number): Promise<number> {
  const { limit } = await gate.budget();
  const rule = batchedBy(tool);
  const reads = tool.before === undefined && rule?.reads === undefined ? 0 : 2;
  const perRow = reads + (rule?.list === undefined ? 1 : 0.1);
  return Math.max(1, Math.ceil((rows * perRow) / Math.max(1, limit / 2)));
}

/** Sends the rows of a confirmed batch, and reads those of a batch that only reads. */
export function running(parts: BatchParts): Turn {
  const { store, gate, clock } = parts;
  return async (id, run) => {
    const started = clock.now();
    let opened: ConfirmedBatch | undefined;
    for (;;) {
      await run.check();
      const batch = await store.get(id);
      const tool = batch && gate.tool(batch.operation);
      if (batch?.state !== 'running' || tool === undefined) return undefined;
      const rows = await rowsOf(parts, tool, id);
      if (tool.risk !== 'read' && (opened === undefined || clock.now() >= opened.until)) {
        const yes = (await questionOf(gate.actions, batch.id))?.id ?? '';
        // It is a failure if the time of the yes is over, or if none covers these rows.
        const covered = await gate.batchRows.open(yes, frozenOf(batch, batch.plan, rows)).catch((error: unknown) => {
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
      const wait = await step(parts, tool, batch, { rows, opened });
      await store.touch(id);
      if (wait === 'ended') return undefined;
      if (wait > 0 && (await store.get(id))?.state === 'running') return clock.now() + wait;
      if (clock.now() - started > TURN_MS) return clock.now();
    }
  };
}

/** Sends the next rows. Resolves to the wait (ms) before the next step, or `ended`. */
async function step(
  parts: BatchParts,
  tool: Tool,
  batch: Batch,
  { rows, opened }: { rows: readonly BatchRow[]; opened: ConfirmedBatch | undefined },
): Promise<number | 'ended'> {
  const { store, gate, clock } = parts;
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
    ? await send(parts, opened, batch, groupsOf(tool, ready, requests))
    : await read(parts, tool, batch, ready);
  return isSent ? 0 : RETRY_MS;
}

/** True if at least one row was sent or left out. */
async function send(
  { store, clock }: BatchParts,
  opened: ConfirmedBatch,
  batch: Batch,
  groups: readonly number[][],
): Promise<boolean> {
  const results = await Promise.all(groups.map((numbers) => opened.send(numbers, batch.actor)));
  for (const { n, failure } of results.flatMap(({ leftOut }) => leftOut))
    await store.found(batch.id, n, { failure }, clock.now());
  return results.some(({ sent, leftOut }) => sent || leftOut.length > 0);
}

/** The requests of the next step: the first row alone, then 2, 4, … at once, or in one request that takes a list. */
function groupsOf(tool: Tool, ready: readonly BatchRow[], requests: number): number[][] {
  const numbers = ready.map(({ n }) => n);
  const { list, most = 1 } = batchedBy(tool) ?? {};
  if (list !== undefined && most > 1) return [numbers.slice(0, Math.min(most, 2 ** Math.min(requests, 10)))];
  return numbers.slice(0, Math.min(MOST_AT_ONCE, requests + 1)).map((n) => [n]);
}

/** Reads rows for a batch that changes nothing. True if at least one has ended. */
async function read(parts: BatchParts, tool: Tool, batch: Batch, ready: readonly BatchRow[]): Promise<boolean> {
  const { store, gate, clock } = parts;
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
