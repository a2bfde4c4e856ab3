import { randomBytes } from 'node:crypto';
import { append, canonical } from '../ledger/action.ts';
import { deleteOldRows, OPEN_ROW } from '../ledger/rows.ts';
import { LedgerPart } from '../ledger/seal.ts';
import { personOf, type Way } from '../lib/actor.ts';
import { DAY_MS, REDRAW_MS } from '../lib/clock.ts';
import { type Failure, invalidInput } from '../lib/errors.ts';
import { plainText } from '../lib/values.ts';
import { type Columns, insert, json, marks, update } from '../store/key-values.ts';
import type { Queries, Value } from '../store/types.ts';
import { addJob, type NewJob } from '../work/jobs.ts';
import type { GivenRow } from './rows.ts';
import { type Batch, type BatchState, ENDED, type Plan, type StopReason, type StoredRow } from './states.ts';

export const PLAN_JOB = 'batch.plan';
export const RUN_JOB = 'batch.run';
/** A surface draws the card of a batch, while it runs and after it has stopped. */
export const SHOW_JOB = 'batch.show';

/** A batch to write. `plan`: set for a batch of reads, which runs at once. */
export interface NewBatch
  extends Pick<Batch, 'operation' | 'actor' | 'shared'>,
    Partial<Pick<Batch, 'notes' | 'requestReason' | 'isHeld' | 'plan'>> {
  /** True if it takes the place of a question, so that it is one at any level. */
  asks?: boolean;
  rows: readonly GivenRow[];
}

/** Rows of one INSERT. */
const ROWS = 50;

const BATCH = `SELECT id, operation, actor, shared, notes, request_reason AS "requestReason", held AS "isHeld", state,
  reason, plan, created_at AS "createdAt", started_at AS "startedAt", updated_at AS "updatedAt" FROM batches`;
const BATCH_JSON = ['actor', 'shared', 'notes', 'isHeld', 'reason', 'plan'];
const ROW = 'SELECT n, line, target, said, tries, failure, asked, action, result, at FROM batch_rows';
const ROW_JSON = ['said', 'failure', 'asked', 'result'];

/** The tables of batches and their rows. */
export class BatchStore extends LedgerPart {
  /**
   * Writes a batch unless its actor has one of the same list that has not ended. Two calls at once write one. `over`: ids
   * of batches that do not count.
   */
  createOnce(batch: NewBatch, over: readonly string[]): Promise<{ id: string; isNew: boolean }> {
    const { actor, operation, rows } = batch;
    return this.parts.db.transaction(async (queries) => {
      await queries.lock(`batch ${actor.id} ${operation}`);
      const where = `WHERE actor_id = ? AND operation = ? AND state NOT IN (${marks(ENDED)}) ORDER BY created_at DESC`;
      for (const twin of await this.#batches(queries, where, actor.id, operation, ...ENDED)) {
        // A plan that its writer only reads does not keep the same list from being asked about.
        const isUnasked = twin.isHeld && !batch.isHeld && ['planning', 'planned'].includes(twin.state);
        if (isUnasked || over.includes(twin.id) || canonical(twin.shared) !== canonical(batch.shared)) continue;
        if (isSameList(rows, await this.rows(twin.id, queries))) return { id: twin.id, isNew: false };
      }
      const id = newId();
      await this.#insert(queries, id, batch);
      return { id, isNew: true };
    });
  }

  /** Writes a batch and the job that plans it and asks about it, or that runs it if it only reads. */
  async #insert(queries: Queries, id: string, batch: NewBatch): Promise<void> {
    const now = this.parts.clock.now();
    const { operation, actor, shared, notes, requestReason = null, isHeld = false, asks, rows, plan } = batch;
    await insert(queries, 'batches', [
      {
        ...{ id, operation, actor_id: actor.id, person: personOf(actor), actor: json(actor), shared: json(shared) },
        ...{ notes: json(notes), request_reason: requestReason, held: json(isHeld), plan: json(plan) },
        ...{ state: plan ? 'running' : 'planning', created_at: now, started_at: plan ? now : null, updated_at: now },
      },
    ]);
    const stored = rows.map(({ line, target, said, failure }, at) => ({
      ...{ batch: id, n: at + 1, line, target, said: json(said), failure: json(failure) },
    }));
    for (let from = 0; from < stored.length; from += ROWS)
      await insert(queries, 'batch_rows', stored.slice(from, from + ROWS));
    if (plan) await this.#addRun(queries, id, now);
    else
      await addJob(queries, { kind: PLAN_JOB, key: `${PLAN_JOB} ${id}`, payload: { id, ...(asks && { asks }) } }, now);
  }

  async get(id: string): Promise<Batch | undefined> {
    return (await this.#batches(this.parts.db, 'WHERE id = ?', id))[0];
  }

  /** The newest batches, of one person or of all. */
  list(limit: number, person?: string): Promise<Batch[]> {
    const order = 'ORDER BY created_at DESC LIMIT ?';
    if (person === undefined) return this.#batches(this.parts.db, order, limit);
    return this.#batches(this.parts.db, `WHERE person = ? ${order}`, person, limit);
  }

  async #batches(queries: Queries, where: string, ...values: Value[]): Promise<Batch[]> {
    const rows = await queries.all<Columns>(`${BATCH} ${where}`, ...values);
    return rows.map((row) => read<Batch>(row, BATCH_JSON));
  }

  /** Ids of the batches that were changed at or after `at` (epoch ms), with the time of the change. */
  updatedSince(at: number): Promise<{ id: string; at: number }[]> {
    return this.parts.db.all('SELECT id, updated_at AS at FROM batches WHERE updated_at >= ? ORDER BY updated_at', at);
  }

  /** All rows, in the order of the list. */
  async rows(id: string, queries: Queries = this.parts.db): Promise<StoredRow[]> {
    const rows = await queries.all<Columns>(`${ROW} WHERE batch = ? ORDER BY n`, id);
    return rows.map((row) => read<StoredRow>(row, ROW_JSON));
  }

  /**
   * Writes what was found about a row: the plan's facts, why it is left out, or the answer of a read. Nothing is changed
   * about a row that was sent, was left out or has its answer, and a row is planned once: a late planner changes no row that
   * a person is asked about. `at`: the row ends with it (epoch ms).
   */
  async found(id: string, n: number, found: RowFound, at?: number): Promise<void> {
    const [[column = '', value] = []] = Object.entries(found);
    const set = { [column]: json(value), at: at ?? null, tries: 0 };
    const open = at === undefined ? `${OPEN_ROW} AND asked IS NULL` : OPEN_ROW;
    await update(this.parts.db, 'batch_rows', set, `batch = ? AND n = ? AND ${open}`, id, n);
  }

  /** Counts a reading of a row that failed and is repeated. */
  async tried(id: string, n: number): Promise<void> {
    await this.parts.db.run('UPDATE batch_rows SET tries = tries + 1 WHERE batch = ? AND n = ?', id, n);
  }

  /**
   * Makes the rows of an action ready again that certainly did nothing, because the platform was away or busy. Rows
   * whose outcome was unknown for a time are not sent again by themselves, even if it was resolved later.
   */
  release(id: string, action: string): Promise<number> {
    return this.parts.db.run(
      `UPDATE batch_rows SET action = NULL, tries = tries + 1 WHERE batch = ? AND action = ?
         AND EXISTS (SELECT 1 FROM actions a WHERE a.id = ? AND a.state = 'failed')
         AND NOT EXISTS (SELECT 1 FROM audit u WHERE u.action = ? AND u.what = 'unknown')`,
      ...[id, action, action, action],
    );
  }

  /** Replaces a batch that is not confirmed by another one. Throws `invalid_input` if it does not wait any more. */
  async replace(id: string, by: string, batch: NewBatch, queries?: Queries): Promise<void> {
    if (queries === undefined) return this.parts.db.transaction((own) => this.replace(id, by, batch, own));
    const change: Move = { reason: { why: 'replaced', by } };
    const isReplaced = await this.#moveIn(queries, id, ['planned', 'waiting'], 'stopped', change);
    if (!isReplaced) throw invalidInput('id', 'id: this batch does not wait for a yes.');
    await this.#insert(queries, by, batch);
  }

  /**
   * Moves a batch to another state. False if it is in none of the states `from`. The audit trail has that a batch of changes
   * was stopped.
   */
  move(id: string, from: readonly BatchState[], state: BatchState, change: Move = {}): Promise<boolean> {
    return this.parts.db.transaction((queries) => this.#moveIn(queries, id, from, state, change));
  }

  async #moveIn(queries: Queries, id: string, from: readonly BatchState[], state: BatchState, change: Move) {
    const { reason, plan, by } = change;
    const now = this.parts.clock.now();
    const isRun = state === 'running';
    const set = {
      ...{ state, reason: json(reason), updated_at: now },
      ...(isRun && { started_at: now }),
      ...(plan && { plan: json(plan) }),
    };
    const changed = await update(queries, 'batches', set, `id = ? AND state IN (${marks(from)})`, id, ...from);
    if (changed === 0) return false;
    if (isRun) await this.#addRun(queries, id, now);
    else if (state !== 'waiting') await addJob(queries, showBatchJob(id, now), now);
    // A batch that another one replaces has sent nothing, and the trail has the end of its question.
    if (state === 'stopped' && reason && reason.why !== 'replaced') await this.#auditStop(queries, id, reason, by);
    return true;
  }

  /** Stops the batches that have not ended. Rows that were not sent get this failure. */
  async stopAll(queries: Queries, failure: Failure): Promise<void> {
    const open = ['planning', 'planned', 'waiting', 'running'] as const;
    for (const { id } of await this.#batches(queries, `WHERE state IN (${marks(open)})`, ...open)) {
      await queries.run(`UPDATE batch_rows SET failure = ? WHERE batch = ? AND ${OPEN_ROW}`, json(failure), id);
      await this.#moveIn(queries, id, open, 'stopped', { reason: { why: 'failure', failure } });
    }
  }

  /** Adds the stop of a batch of changes to the audit trail, last in a transaction (`append`). */
  async #auditStop(queries: Queries, id: string, reason: StopReason, by: Move['by']): Promise<void> {
    const [batch] = await this.#batches(queries, 'WHERE id = ?', id);
    if (batch === undefined || batch.plan?.risk === 'read') return;
    await append(queries, this.parts.seal, {
      ...{ at: this.parts.clock.now(), action: '', operation: batch.operation, what: 'stopped', batch: id },
      ...{ who: by?.name ?? 'switchboard', detail: stopText(reason), requester: personOf(batch.actor) },
      ...{ way: by?.way, decider: by?.person && by.name },
    });
  }

  async #addRun(queries: Queries, id: string, now: number): Promise<void> {
    await addJob(queries, { kind: RUN_JOB, key: `${RUN_JOB} ${id}`, payload: { id } }, now);
    await addJob(queries, showBatchJob(id, now), now);
  }

  /** Records that rows have changed, for those who follow the batch. */
  async touch(id: string): Promise<void> {
    await this.parts.db.run('UPDATE batches SET updated_at = ? WHERE id = ?', this.parts.clock.now(), id);
  }

  /**
   * Deletes batches that ended, and were last changed, more than `keepMs` ago. A batch that waits for a person is deleted
   * a day later: by then its question has expired.
   */
  async deleteOld(keepMs: number): Promise<void> {
    const before = this.parts.clock.now() - keepMs;
    const old = `SELECT id FROM batches WHERE (state IN (${marks(ENDED)}) AND updated_at < ?)
      OR (state <> 'running' AND updated_at < ?)`;
    const values = [...ENDED, before, before - DAY_MS];
    await deleteOldRows(this.parts.db, 'batches', [old, ...values], async (queries, ids) => {
      await queries.run(`DELETE FROM batch_rows WHERE batch IN (${marks(ids)})`, ...ids);
      // An installation without a surface that draws batches has not run these jobs.
      await queries.run(`DELETE FROM jobs WHERE key IN (${marks(ids)})`, ...ids.map(showKey));
    });
  }
}

/** The finding about a row that is not sent, and was not left out. */
type RowFound = Pick<StoredRow, 'asked'> | Pick<StoredRow, 'failure'> | Pick<StoredRow, 'result'>;

/** Members that change with the state of a batch. */
interface Move {
  reason?: StopReason | undefined;
  plan?: Plan;
  /**
   * The person who stops it, as the trail shows them; left out if the rules do. `person`: undefined for an assistant, which decides
   * nothing.
   */
  by?: { name: string; person: string | undefined; way: Way };
}

/** The detail of a stop in the audit trail. */
function stopText(reason: StopReason): string {
  if (reason.why === 'refused') return `stop rule: row ${reason.row} (${reason.target}) was refused`;
  if (reason.why === 'unknown') return `stop rule: the outcome of row ${reason.row} (${reason.target}) stays unknown`;
  if (reason.why === 'often') return `stop rule: ${reason.count} rows were refused`;
  return reason.why === 'failure' ? plainText(reason.failure.message) : '';
}

/**
 * True for a list that sends the rows of a stored one, in any order: it has every row that the plan did not leave out, and
 * none that the stored list did not have.
 */
function isSameList(given: readonly GivenRow[], stored: readonly StoredRow[]): boolean {
  const keyOf = ({ target, said }: Pick<GivenRow, 'target' | 'said'>) => canonical({ target, said });
  const wanted = new Set(given.filter(({ failure }) => failure === undefined).map(keyOf));
  const had = new Set(stored.map(keyOf));
  return (
    wanted.size > 0 &&
    [...wanted].every((key) => had.has(key)) &&
    // A row that was left out does not count.
    stored.every((row) => (row.failure !== undefined && row.at === undefined) || wanted.has(keyOf(row)))
  );
}

export function newId(): string {
  return `bat_${randomBytes(10).toString('hex')}`;
}

/** `now`: epoch ms. A change that follows soon, such as a stop, is drawn with this one. */
export function showBatchJob(id: string, now: number): NewJob {
  return { kind: SHOW_JOB, key: showKey(id), payload: { id }, runAt: now + REDRAW_MS };
}

const showKey = (id: string) => `${SHOW_JOB} ${id}`;

/** A stored row as an object. `texts`: the columns that hold JSON. */
function read<T>(row: Columns, texts: readonly string[]): T {
  const members = Object.entries(row).map(([name, value]) => [
    name,
    value === null ? undefined : texts.includes(name) ? JSON.parse(String(value)) : value,
  ]);
  return Object.fromEntries(members) as T;
}
