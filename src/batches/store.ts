import { randomBytes } from 'node:crypto';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { RowFacts } from '../gate/batch.ts';
import { canonical } from '../ledger/action.ts';
import type { Actor } from '../lib/actor.ts';
import { type Clock, DAY_MS } from '../lib/clock.ts';
import { REDRAW_MS } from '../lib/durations.ts';
import type { Failure } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import type { Database, Queries, Value } from '../store/types.ts';
import { addJob, type NewJob } from '../work/jobs.ts';
import type { Batch, BatchRow, BatchState, PauseReason, Plan, RowState } from './batch.ts';
import type { GivenRow } from './rows.ts';

/** A row of a new batch. `asked` has the facts that another batch read about it. */
export type NewRow = GivenRow & { asked?: RowFacts | undefined };

export const PLAN_JOB = 'batch.plan';
export const RUN_JOB = 'batch.run';
/** A surface draws the card of a batch, while it runs and after it has stopped. */
export const SHOW_JOB = 'batch.show';

interface StoredBatch {
  id: string;
  operation: string;
  actor: string;
  shared: string;
  notes: string | null;
  state: BatchState;
  reason: string | null;
  plan: string | null;
  digest: string | null;
  created_at: number;
  started_at: number | null;
  resumed_at: number | null;
  ended_at: number | null;
  updated_at: number;
}

interface StoredRow {
  n: number;
  line: number;
  target: string;
  said: string;
  state: RowState;
  tries: number;
  failure: string | null;
  asked: string | null;
  action: string | null;
  result: string | null;
  at: number | null;
}

export interface NewBatch {
  operation: string;
  actor: Actor;
  person: string;
  shared: Fields;
  /** Stored with the question, for the surface that shows its card. */
  notes?: Fields | undefined;
  /** Identifies a repeat of the same request. */
  request: string;
  rows: readonly NewRow[];
}

/** A batch that waits for its yes, and is stopped when another one is written in its place. */
export interface Replaced {
  id: string;
  /** Id of the batch in its place. */
  next: string;
  who: string;
  /** Number of rows that were left out. */
  rows: number;
}

/** Rows of one INSERT. */
const ROWS = 50;
/** Batches that are deleted in one step. Other work can use the database between two steps. */
const STEP = 100;
/** States that a batch does not leave. */
export const ENDED: readonly BatchState[] = ['done', 'partly', 'failed', 'stopped'];

/** The tables of batches and their rows. */
export class BatchStore {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Writes a batch and the job that plans it. */
  async create(batch: NewBatch): Promise<string> {
    const id = newId();
    await this.#db.transaction((queries) => this.#insert(queries, id, batch));
    return id;
  }

  /** Stops a batch that waits for its yes, and writes another one in its place. Undefined if it does not wait. */
  async replace({ id: old, next: id, who, rows }: Replaced, batch: NewBatch): Promise<string | undefined> {
    const reason: PauseReason = { why: 'replaced', who, rows, by: id };
    const stopped = await this.#db.transaction(async (queries) => {
      const now = this.#clock.now();
      const changed = await queries.run(
        `UPDATE batches SET state = 'stopped', reason = ?, ended_at = ?, updated_at = ? WHERE id = ? AND state = 'waiting'`,
        ...[JSON.stringify(reason), now, now, old],
      );
      if (changed > 0) await this.#insert(queries, id, batch);
      return changed > 0;
    });
    return stopped ? id : undefined;
  }

  async #insert(
    queries: Queries,
    id: string,
    { operation, actor, person, shared, notes, request, rows }: NewBatch,
  ): Promise<void> {
    const now = this.#clock.now();
    await queries.run(
      `INSERT INTO batches (id, operation, actor_id, person, actor, shared, notes, request, state, created_at, updated_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'planning', ?, ?)`,
      ...[id, operation, actor.id, person, JSON.stringify(actor), JSON.stringify(shared)],
      ...[notes === undefined ? null : JSON.stringify(notes), request, now, now],
    );
    for (let from = 0; from < rows.length; from += ROWS) {
      const some = rows.slice(from, from + ROWS);
      await queries.run(
        `INSERT INTO batch_rows (batch, n, line, target, said, state, asked, failure)
             VALUES ${some.map(() => '(?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
        ...some.flatMap(({ line, target, said, asked, failure }, at): Value[] => [
          ...[id, from + at + 1, line, target, JSON.stringify(said), stateOf({ asked, failure })],
          asked === undefined ? null : JSON.stringify(asked),
          failure === undefined ? null : JSON.stringify(failure),
        ]),
      );
    }
    await addJob(queries, { kind: PLAN_JOB, key: `${PLAN_JOB} ${id}`, payload: { id } }, now);
  }

  async get(id: string): Promise<Batch | undefined> {
    const row = await this.#db.get<StoredBatch>('SELECT * FROM batches WHERE id = ?', id);
    return row && batchOf(row);
  }

  /** The newest batch of this actor for the same request that has not ended. */
  async openTwin(actorId: string, request: string): Promise<Batch | undefined> {
    const row = await this.#db.get<StoredBatch>(
      `SELECT * FROM batches WHERE actor_id = ? AND request = ? AND state NOT IN (${marks(ENDED)})
         ORDER BY created_at DESC LIMIT 1`,
      ...[actorId, request, ...ENDED],
    );
    return row && batchOf(row);
  }

  /** Earlier batches of the same operation with the same shared fields that were started since `since`, newest first. */
  async startedLike(
    { id, operation, shared }: Pick<Batch, 'id' | 'operation' | 'shared'>,
    since: number,
  ): Promise<Batch[]> {
    const rows = await this.#db.all<StoredBatch>(
      'SELECT * FROM batches WHERE operation = ? AND id <> ? AND started_at >= ? ORDER BY started_at DESC',
      ...[operation, id, since],
    );
    return rows.map(batchOf).filter((batch) => canonical(batch.shared) === canonical(shared));
  }

  /** The newest batches, of one person or of all. */
  async list(limit: number, person?: string): Promise<Batch[]> {
    const [where, values] = person === undefined ? ['', []] : ['WHERE person = ?', [person]];
    const rows = await this.#db.all<StoredBatch>(
      `SELECT * FROM batches ${where} ORDER BY created_at DESC LIMIT ?`,
      ...values,
      limit,
    );
    return rows.map(batchOf);
  }

  /** Ids of the batches that were changed at or after `at` (epoch ms), with the time of the change. */
  updatedSince(at: number): Promise<{ id: string; at: number }[]> {
    return this.#db.all('SELECT id, updated_at AS at FROM batches WHERE updated_at >= ? ORDER BY updated_at', at);
  }

  /** All rows, in the order of the list. */
  async rows(id: string): Promise<BatchRow[]> {
    return (await this.#db.all<StoredRow>('SELECT * FROM batch_rows WHERE batch = ? ORDER BY n', id)).map(rowOf);
  }

  /** Writes what the plan found about a row that was not read yet. */
  async planned(id: string, n: number, found: { asked: RowFacts } | { failure: Failure } | 'again'): Promise<void> {
    if (found === 'again') {
      await this.#db.run('UPDATE batch_rows SET tries = tries + 1 WHERE batch = ? AND n = ?', id, n);
      return;
    }
    const [state, column, value] =
      'asked' in found ? ['ready', 'asked', found.asked] : ['left_out', 'failure', found.failure];
    await this.#db.run(
      `UPDATE batch_rows SET state = ?, ${column} = ?, tries = 0 WHERE batch = ? AND n = ? AND state = 'new'`,
      ...[state as string, JSON.stringify(value), id, n],
    );
  }

  /** Leaves out a row that was not sent. */
  async leaveOut(id: string, n: number, failure: Failure): Promise<void> {
    await this.#db.run(
      `UPDATE batch_rows SET state = 'left_out', failure = ?, at = ? WHERE batch = ? AND n = ? AND state = 'ready'`,
      ...[JSON.stringify(failure), this.#clock.now(), id, n],
    );
  }

  /** Writes the end of a read. */
  async readEnded(id: string, n: number, end: { result: Fields } | { failure: Failure }): Promise<void> {
    await this.#db.run(
      `UPDATE batch_rows SET state = ?, result = ?, failure = ?, at = ? WHERE batch = ? AND n = ? AND state = 'ready'`,
      'result' in end ? 'done' : 'failed',
      'result' in end ? JSON.stringify(end.result) : null,
      'failure' in end ? JSON.stringify(end.failure) : null,
      ...[this.#clock.now(), id, n],
    );
  }

  /**
   * Makes the rows of an action ready again that certainly did nothing, because the platform was away or busy. Rows
   * whose outcome was unknown for a time are not sent again by themselves, even if it was resolved later.
   */
  release(id: string, action: string): Promise<number> {
    return this.#db.run(
      `UPDATE batch_rows SET state = 'ready', action = NULL, tries = tries + 1
         WHERE batch = ? AND action = ? AND state = 'sent'
           AND EXISTS (SELECT 1 FROM actions a WHERE a.id = ? AND a.state = 'failed')
           AND NOT EXISTS (SELECT 1 FROM audit u WHERE u.action = ? AND u.what = 'unknown')`,
      ...[id, action, action, action],
    );
  }

  /** Writes the plan. The batch then waits for a person, or runs at once if it only reads. */
  async setPlan(id: string, plan: Plan, digest: string | undefined): Promise<boolean> {
    return this.#change(id, ['planning'], async (queries, now) => {
      const reads = plan.risk === 'read';
      const changed = await queries.run(
        `UPDATE batches SET state = ?, plan = ?, digest = ?, started_at = ?, updated_at = ?
           WHERE id = ? AND state = 'planning'`,
        ...[reads ? 'running' : 'waiting', JSON.stringify(plan), digest ?? null, reads ? now : null, now, id],
      );
      if (changed > 0 && reads) await this.#addRun(queries, id, now);
      return changed;
    });
  }

  /** Starts a batch that a person confirmed. A second call changes nothing. */
  start(id: string, digest: string): Promise<boolean> {
    return this.#change(id, ['waiting'], async (queries, now) => {
      const changed = await queries.run(
        `UPDATE batches SET state = 'running', started_at = ?, updated_at = ?
           WHERE id = ? AND state = 'waiting' AND digest = ?`,
        ...[now, now, id, digest],
      );
      if (changed > 0) await this.#addRun(queries, id, now);
      return changed;
    });
  }

  /** Resumes a batch that is paused for this reason. False if it is not, or not any more. */
  resume(id: string, reason: PauseReason | undefined): Promise<boolean> {
    return this.#change(id, ['paused'], async (queries, now) => {
      const changed = await queries.run(
        `UPDATE batches SET state = 'running', reason = NULL, resumed_at = ?, updated_at = ?
           WHERE id = ? AND state = 'paused' AND COALESCE(reason, '') = ?`,
        ...[now, now, id, reason === undefined ? '' : JSON.stringify(reason)],
      );
      if (changed > 0) await this.#addRun(queries, id, now);
      return changed;
    });
  }

  /** Moves a batch to another state. False if it is in none of the states `from`. */
  move(id: string, from: readonly BatchState[], state: BatchState, reason?: PauseReason): Promise<boolean> {
    return this.#change(id, from, async (queries, now) => {
      const changed = await queries.run(
        `UPDATE batches SET state = ?, reason = ?, ended_at = ?, updated_at = ?
           WHERE id = ? AND state IN (${marks(from)})`,
        ...[state, reason === undefined ? null : JSON.stringify(reason), ENDED.includes(state) ? now : null, now, id],
        ...from,
      );
      if (changed > 0) await addJob(queries, showBatchJob(id, now), now);
      return changed;
    });
  }

  /** Records that rows have changed, for those who follow the batch. */
  async touch(id: string): Promise<void> {
    await this.#db.run('UPDATE batches SET updated_at = ? WHERE id = ?', this.#clock.now(), id);
  }

  /**
   * Deletes batches that ended, and were last changed, more than `keepMs` ago. A batch that waits for a person is deleted
   * a day later: by then its question has expired, and the ledger has deleted the yes that resuming it would need.
   */
  async deleteOld(keepMs: number): Promise<void> {
    const before = this.#clock.now() - keepMs;
    while ((await this.#deleteSome(before)) === STEP) await otherWork();
  }

  /** Deletes batches that are older than `before` (epoch ms). Resolves to their number, at most `STEP`. */
  async #deleteSome(before: number): Promise<number> {
    const old = `SELECT id FROM batches WHERE (state IN (${marks(ENDED)}) AND updated_at < ?)
      OR (state <> 'running' AND updated_at < ?) LIMIT ${STEP}`;
    const values = [...ENDED, before, before - DAY_MS];
    // Read first, so that nothing is written if there is no old batch.
    if ((await this.#db.get(old, ...values)) === undefined) return 0;
    return this.#db.transaction(async (queries) => {
      const ids = (await queries.all<{ id: string }>(`${old} FOR UPDATE SKIP LOCKED`, ...values)).map(({ id }) => id);
      if (ids.length === 0) return 0;
      await queries.run(`DELETE FROM batch_rows WHERE batch IN (${marks(ids)})`, ...ids);
      // An installation without a surface that draws batches has not run these jobs.
      await queries.run(`DELETE FROM jobs WHERE key IN (${marks(ids)})`, ...ids.map(showKey));
      await queries.run(`DELETE FROM batches WHERE id IN (${marks(ids)})`, ...ids);
      return ids.length;
    });
  }

  async #change(
    id: string,
    from: readonly BatchState[],
    work: (queries: Queries, now: number) => Promise<number>,
  ): Promise<boolean> {
    const now = await this.get(id);
    if (now === undefined || !from.includes(now.state)) return false;
    return (await this.#db.transaction((queries) => work(queries, this.#clock.now()))) > 0;
  }

  async #addRun(queries: Queries, id: string, now: number): Promise<void> {
    await addJob(queries, { kind: RUN_JOB, key: `${RUN_JOB} ${id}`, payload: { id } }, now);
    await addJob(queries, showBatchJob(id, now), now);
  }
}

export function newId(): string {
  return `bat_${randomBytes(10).toString('hex')}`;
}

function stateOf({ asked, failure }: Pick<NewRow, 'asked' | 'failure'>): RowState {
  if (failure !== undefined) return 'left_out';
  return asked === undefined ? 'new' : 'ready';
}

/** `now`: epoch ms. A change that follows soon, such as a pause, is drawn with this one. */
export function showBatchJob(id: string, now: number): NewJob {
  return { kind: SHOW_JOB, key: showKey(id), payload: { id }, runAt: now + REDRAW_MS };
}

const showKey = (id: string) => `${SHOW_JOB} ${id}`;

function batchOf(row: StoredBatch): Batch {
  return {
    id: row.id,
    operation: row.operation,
    actor: JSON.parse(row.actor) as Actor,
    shared: JSON.parse(row.shared) as Fields,
    notes: parsed<Fields>(row.notes),
    state: row.state,
    reason: parsed<PauseReason>(row.reason),
    plan: parsed<Plan>(row.plan),
    digest: row.digest ?? undefined,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    resumedAt: row.resumed_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    updatedAt: row.updated_at,
  };
}

function rowOf(row: StoredRow): BatchRow {
  const { n, line, target, state, tries } = row;
  return {
    ...{ n, line, target, state, tries },
    said: JSON.parse(row.said) as Fields,
    failure: parsed<Failure>(row.failure),
    asked: parsed<RowFacts>(row.asked),
    action: row.action ?? undefined,
    result: parsed<Fields>(row.result),
    at: row.at ?? undefined,
  };
}

function parsed<T>(text: string | null): T | undefined {
  return text === null ? undefined : (JSON.parse(text) as T);
}

function marks(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}
