import { aheadOf, HOUR_MS, monotonicOf, WEEK_MS } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import type { Fields } from '../lib/values.ts';
import { withholdActivation } from '../platform/dialect/redact.ts';
import { inSteps, marks } from '../store/key-values.ts';
import type { Database, Queries } from '../store/types.ts';
import { addJob, backoff, chunks } from '../work/jobs.ts';
import {
  type ActionRow,
  boundText,
  type ClaimedRows,
  type DecidedBy,
  decidedText,
  type End,
  type NewAction,
  type SealedInput,
  type State,
} from './action.ts';
import type { ReadingRecord } from './later.ts';
import { followUnknown, laterJob, laterKey, removeLater, saveReading } from './later.ts';
import { addToTotal, changeRow, countDecision, isName, PLACES, touchNames, VALUES, writeNames } from './lookups.ts';
import { LedgerPart, type Seal } from './seal.ts';

/* Writes the rows of an action: its question, the decision and the end. */

/**
 * The row of a new action, bound to the text that a person sees of it. `owner`: the process that sends it, if it is
 * sent at once.
 */
export function newRow(fresh: NewAction, made: { id: string; now: number; owner: string; seal: Seal }): ActionRow {
  const { id, now, owner, seal } = made;
  const isSent = fresh.state === 'in_flight';
  const decided = fresh.batch?.decided;
  const row: ActionRow = {
    id,
    operation: fresh.operation,
    actor_id: fresh.actorId,
    actor_name: fresh.actorName,
    person: fresh.person ?? fresh.actorId,
    surface: fresh.surface,
    state: fresh.state,
    digest: fresh.digest,
    full_digest: fresh.fullDigest ?? fresh.digest,
    input: seal.seal({ sent: fresh.input, given: fresh.given ?? fresh.input } satisfies SealedInput, id),
    shown: JSON.stringify(fresh.shown),
    known: JSON.stringify(withholdActivation(fresh.known)),
    consent: fresh.consent ? JSON.stringify(fresh.consent) : null,
    reason: fresh.reason ?? null,
    created_at: now,
    expires_at: fresh.expiresAt,
    sent_at: isSent ? now : null,
    owner: isSent ? owner : null,
    updated_at: now,
    notes: JSON.stringify(fresh.notes ?? {}),
    part_of: fresh.partOf ?? null,
    batch: fresh.batch?.id ?? null,
    // The decision about a batch holds for each of its rows.
    decided_by: decided?.decidedBy ?? null,
    decided_person: decided?.decidedPerson ?? null,
    decided_via: decided?.decidedVia ?? null,
    decided_at: decided?.decidedAt ?? null,
    decided_reason: null,
    finished_at: null,
    result: null,
    error: null,
    bound: null,
    proof: null,
  };
  return { ...row, bound: seal.mac(boundText(row)) };
}

/** A row of a batch that is neither sent nor left out, and has no answer. */
export const OPEN_ROW = 'action IS NULL AND failure IS NULL AND result IS NULL';

/**
 * Thrown when an action may not be sent: another one has claimed a row of its batch, the batch does not run any more, or
 * the same call was made beside it. Or an action may not be written, because a question that it takes the place of does not
 * wait any more: the message is its id.
 */
export class AlreadyTaken extends Error {
  override readonly name = 'AlreadyTaken';
}

/**
 * Claims rows of a batch for an action, all or none. Throws `AlreadyTaken`. The lock on the batch makes a pause or stop
 * wait for a claim under way, so that nothing is claimed after it was answered.
 */
export async function claimRows(queries: Queries, { id, rows }: ClaimedRows, action: string): Promise<void> {
  if (!(await batchRuns(queries, id))) throw new AlreadyTaken();
  const claimed = await queries.run(
    `UPDATE batch_rows SET action = ? WHERE batch = ? AND asked IS NOT NULL AND ${OPEN_ROW}
       AND n IN (${marks(rows)})`,
    ...[action, id, ...rows],
  );
  if (claimed !== rows.length) throw new AlreadyTaken();
}

/** True if a batch runs, so that its rows may be sent. In a transaction, it stays so until the end. */
export async function batchRuns(queries: Queries, id: string): Promise<boolean> {
  return (await queries.get(`SELECT 1 FROM batches WHERE id = ? AND state = 'running' FOR UPDATE`, id)) !== undefined;
}

/** Writes a decision with its proof. The caller has locked the row. */
export async function writeDecision(
  queries: Queries,
  asked: ActionRow,
  {
    state,
    by,
    via,
    now,
    owner,
  }: { state: 'confirmed' | 'declined'; by: DecidedBy | undefined; via: string; now: number; owner: string | null },
  seal: Seal,
): Promise<ActionRow> {
  const set = {
    state,
    decided_by: by?.name ?? null,
    decided_person: by?.person ?? null,
    decided_via: via,
    decided_at: now,
    decided_reason: by?.reason ?? null,
    finished_at: state === 'declined' ? now : null,
    updated_at: now,
    owner,
  };
  const row = { ...asked, ...set };
  row.proof = seal.mac(decidedText(row, state));
  await changeRow(queries, row.id, { ...set, proof: row.proof });
  await addJob(queries, laterJob('show', row.id), now);
  if (by !== undefined) await countDecision(queries, row, by.way);
  return row;
}

/** Writes an end, without its entry in the audit trail. Undefined if the action is in none of the states `from`, or belongs to another process. */
export async function writeEnd(
  queries: Queries,
  end: End,
  made: { id: string; result: string | null; error: string | null; owner: string; now: number },
): Promise<ActionRow | undefined> {
  const { id, result, error, owner, now } = made;
  const row = await queries.get<ActionRow>(
    `UPDATE actions SET state = ?, result = ?, error = ?, finished_at = ?, updated_at = ?
       WHERE id = ? AND state IN (${marks(end.from)})
         AND (state <> 'in_flight' OR owner = ? OR CAST(? AS INTEGER) = 0) RETURNING *`,
    ...[end.state, result, error, now, now, id, ...end.from, owner, end.fenced ? 1 : 0],
  );
  if (!row) return undefined;
  await removeLater(queries, id, ['send']);
  if (end.from.includes('pending')) await removeLater(queries, id, ['expire']);
  if (end.from.includes('unknown')) await removeLater(queries, id, ['read']);
  if (end.state === 'unknown') await followUnknown(queries, row, { ...end, now });
  else if (row.consent !== null) await addJob(queries, laterJob('show', id), now);
  await touchNames(queries, id, now);
  await writeNames(queries, id, now, { result: withholdActivation(end.result) });
  await addToTotal(queries, end.state, 1);
  return row;
}

/** Actions deleted in one step. */
const STEP = 100;

/** States that an action does not leave, so that its row is not needed any more. */
const ENDED: readonly State[] = ['done', 'partly', 'failed', 'declined', 'expired'];

/**
 * Deletes actions that ended, and were last changed before `before` (epoch ms), in small steps. The audit trail stays.
 * Processes that do this at the same time delete different actions.
 * @returns the number of deleted actions
 */
export async function deleteOldActions(db: Database, before: number): Promise<number> {
  let deleted = 0;
  for (const state of ENDED) deleted += await inSteps(STEP, () => deleteSome(db, state, before));
  return deleted;
}

/** Reads first, so that nothing is written if there is no old action. */
async function deleteSome(db: Database, state: State, before: number): Promise<number> {
  // One state at a time, by an index over (state, updated_at). For a list of states SQLite would sort all their actions.
  const old = `SELECT id FROM actions WHERE state = ? AND updated_at < ? ORDER BY updated_at LIMIT ${STEP}`;
  if ((await db.get(old, state, before)) === undefined) return 0;
  return db.transaction(async (queries) => {
    const rows = await queries.all<{ id: string }>(
      `DELETE FROM actions WHERE id IN (${old} FOR UPDATE SKIP LOCKED) RETURNING id`,
      state,
      before,
    );
    if (rows.length === 0) return 0;
    const ids = rows.map(({ id }) => id);
    await queries.run(`DELETE FROM action_names WHERE action IN (${marks(ids)})`, ...ids);
    // An installation without a surface that draws actions has not run these jobs.
    await queries.run(`DELETE FROM jobs WHERE key IN (${marks(ids)})`, ...ids.map((id) => laterKey('show', id)));
    await addToTotal(queries, state, -rows.length);
    return rows.length;
  });
}

/** The part of a sent action that may be shown. */
interface SentAction {
  id: string;
  operation: string;
  /** True while the action is running or its outcome is unknown. */
  open: boolean;
  shown: Fields;
  known: Fields;
}

interface SentRow {
  id: string;
  operation: string;
  state: string;
  shown: string;
  known: string;
}

const ASKED = PLACES.shown | PLACES.known;

/** The part of the ledger about actions whose outcome is, or was, unknown. */
export class Readings extends LedgerPart {
  /**
   * The attempts to resolve this outcome so far; undefined before the first. If the clock was set forward since, or the
   * machine was suspended, the times in it are later by as much, so that no time seems to have passed. The monotonic time
   * of a machine that has restarted does not tell.
   */
  async find(id: string): Promise<ReadingRecord | undefined> {
    const row = await this.parts.db.get<{ reading: string | null }>('SELECT reading FROM actions WHERE id = ?', id);
    const record = row?.reading ? (JSON.parse(row.reading) as ReadingRecord) : undefined;
    const { writtenAt: at, ahead, notDone } = record ?? {};
    if (record === undefined || at === undefined || ahead === undefined) return record;
    const { clock } = this.parts;
    const set = at - ahead > monotonicOf(clock) ? 0 : Math.max(0, Math.round(aheadOf(clock) - ahead));
    return { ...record, writtenAt: at + set, notDone: notDone && { ...notDone, at: notDone.at + set } };
  }

  /** Writes the record of an action. */
  save(id: string, record: ReadingRecord): Promise<void> {
    return saveReading(this.parts.db, id, { ...record, ahead: aheadOf(this.parts.clock) });
  }

  /** Replaces the error of an action that is still unknown. Resolves to false if it is no longer unknown. */
  updateError(id: string, error: Failure): Promise<boolean> {
    return this.parts.db.transaction(async (queries) => {
      const now = this.parts.clock.now();
      const changed = await queries.run(
        `UPDATE actions SET error = ?, updated_at = ? WHERE id = ? AND state = 'unknown'`,
        JSON.stringify(error),
        now,
        id,
      );
      if (changed === 1) await touchNames(queries, id, now);
      return changed === 1;
    });
  }

  /** Ids of unknown actions whose shown input contains this value as a whole string. */
  async unknownAbout(value: string): Promise<string[]> {
    const rows = await this.parts.db.all<{ id: string }>(
      `SELECT a.id AS id FROM actions a CROSS JOIN action_names n
         WHERE a.state = 'unknown' AND n.action = a.id AND n.value = ? AND (n.places & ${PLACES.shown}) <> 0`,
      value,
    );
    return rows.map(({ id }) => id);
  }

  /** Ids of actions of the same operation that are running or whose outcome is unknown. */
  async openLike(operation: string, except: string): Promise<string[]> {
    const rows = await this.parts.db.all<{ id: string }>(
      `SELECT id FROM actions WHERE operation = ? AND id <> ? AND state IN ('in_flight','unknown')`,
      operation,
      except,
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Returns the values that occur in the result of an action of the same operation that was done, in whole or in part,
   * and ended at `since` (epoch ms) or later. A value that the ledger does not list counts as claimed, because it
   * cannot be looked up.
   */
  async claimed(
    operation: string,
    { values, except, since }: { values: readonly string[]; except: string; since: number },
  ): Promise<ReadonlySet<string>> {
    const claimed = new Set(values.filter((value) => !isName(value)));
    const listed = [...new Set(values.filter(isName))];
    for (const some of chunks(listed, VALUES)) {
      const rows = await this.parts.db.all<{ value: string }>(
        `SELECT n.value AS value FROM action_names n JOIN actions a ON a.id = n.action
           WHERE n.value IN (${marks(some)}) AND n.updated_at >= ?
             AND (n.places & ${PLACES.result}) <> 0 AND a.operation = ? AND a.id <> ?
             AND a.state IN ('done','partly') AND a.finished_at >= ?`,
        ...some,
        since,
        operation,
        except,
        since,
      );
      for (const { value } of rows) claimed.add(value);
    }
    return claimed;
  }

  /**
   * Actions of any operation whose shown input or known values contain this value as a whole string, and that are open
   * or were done at `since` (epoch ms) or later.
   */
  async sentAbout(value: string, except: string, since: number): Promise<SentAction[]> {
    const columns = 'a.id AS id, a.operation AS operation, a.state AS state, a.shown AS shown, a.known AS known';
    const named = `n.action = a.id AND n.value = ? AND (n.places & ${ASKED}) <> 0 AND a.id <> ?`;
    const open = await this.parts.db.all<SentRow>(
      `SELECT ${columns} FROM actions a CROSS JOIN action_names n WHERE a.state IN ('in_flight','unknown') AND ${named}`,
      value,
      except,
    );
    const done = await this.parts.db.all<SentRow>(
      `SELECT ${columns} FROM action_names n CROSS JOIN actions a
         WHERE ${named} AND n.updated_at >= ? AND a.state IN ('done','partly') AND a.finished_at >= ?`,
      value,
      except,
      since,
      since,
    );
    return [...open, ...done].map(({ id, operation, state, shown, known }) => ({
      id,
      operation,
      open: state === 'in_flight' || state === 'unknown',
      shown: JSON.parse(shown) as Fields,
      known: JSON.parse(known) as Fields,
    }));
  }
}

/** Maximum length of a reading's text. */
export const MAX_OBSERVED = 700;
/** Readings begin this far into the backoff, so that the first wait is 16 s. */
const FIRST_WAIT = 5;
/** Prefix of a stored first reading that showed the work as partly done. */
export const PARTLY = 'partly: ';

/** Two readings agree if both showed the same part as done, or both showed nothing as done. */
export function agrees(first: ReadingRecord['notDone'], outcome: 'partly' | 'not_done', observed: string): boolean {
  return outcome === 'partly' ? first?.observed === observed : first?.observed.startsWith(PARTLY) === false;
}

/**
 * Time of the next reading (epoch ms): after a growing wait at first, hourly after the first hour, and only on request
 * after a week. `settled`: time from which the platform can no longer be working on the action.
 */
export function nextReadingAt(attempts: number, began: number, settled: number): number | undefined {
  const age = began - settled;
  if (age > WEEK_MS) return undefined;
  const wait = age > HOUR_MS ? HOUR_MS : backoff(FIRST_WAIT + attempts);
  return began < settled ? Math.min(began + wait, settled) : began + wait;
}
