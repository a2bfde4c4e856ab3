import { plainText } from '../lib/values.ts';
import { withholdActivation } from '../platform/dialect/redact.ts';
import { inSteps, marks } from '../store/key-values.ts';
import type { Database, Queries } from '../store/types.ts';
import { addJob } from '../work/jobs.ts';
import {
  type ActionRow,
  bindingOf,
  type ClaimedRows,
  type DecidedBy,
  type End,
  type NewAction,
  proofOf,
  type SealedInput,
  type State,
} from './action.ts';
import { countDecision } from './actions-view.ts';
import type { AuditStep } from './audit.ts';
import { readJob, removeLater, showJob, showKey } from './later.ts';
import { addToTotal, changeRow, touchNames, writeNames } from './lookups.ts';
import { newReading, saveReading } from './readings.ts';
import { resultText, type Seal } from './seal.ts';

/* Writes the rows of an action: its question, the decision and the end. */

/** The columns of an action without a decision. */
const UNDECIDED = {
  decided_by: null,
  decided_person: null,
  decided_via: null,
  decided_at: null,
  decided_reason: null,
  finished_at: null,
  result: null,
  error: null,
  bound: null,
  proof: null,
} satisfies Partial<ActionRow>;

/**
 * The row of a new action, bound to the text that a person sees of it. `owner`: the process that sends it, if it is
 * sent at once.
 */
export function newRow(fresh: NewAction, made: { id: string; now: number; owner: string; seal: Seal }): ActionRow {
  const { id, now, owner, seal } = made;
  const isSent = fresh.state === 'in_flight';
  const row: ActionRow = {
    ...UNDECIDED,
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
    ...decisionOf(fresh.batch),
  };
  return { ...row, bound: bindingOf(row, seal) };
}

/** The decision about a batch, which holds for each of its rows. */
function decisionOf(batch: NewAction['batch']): Partial<ActionRow> {
  if (batch === undefined) return {};
  const { decidedBy, decidedPerson, decidedVia, decidedAt } = batch.decided;
  return {
    decided_by: decidedBy ?? null,
    decided_person: decidedPerson ?? null,
    decided_via: decidedVia ?? null,
    decided_at: decidedAt ?? null,
  };
}

/** A row of a batch that is neither sent nor left out, and has no answer. */
export const OPEN_ROW = 'action IS NULL AND failure IS NULL AND result IS NULL';

/** Thrown when a row of a batch may not be sent: another action has claimed it, or the batch does not run any more. */
export class RowsTaken extends Error {
  override readonly name = 'RowsTaken';
}

/**
 * Claims rows of a batch for an action, all or none. Throws `RowsTaken`. The lock on the batch makes a pause or stop
 * wait for a claim under way, so that nothing is claimed after it was answered.
 */
export async function claimRows(queries: Queries, { id, rows }: ClaimedRows, action: string): Promise<void> {
  if (!(await batchRuns(queries, id))) throw new RowsTaken();
  const claimed = await queries.run(
    `UPDATE batch_rows SET action = ? WHERE batch = ? AND asked IS NOT NULL AND ${OPEN_ROW}
       AND n IN (${marks(rows)})`,
    ...[action, id, ...rows],
  );
  if (claimed !== rows.length) throw new RowsTaken();
}

/** True if a batch runs, so that its rows may be sent. In a transaction, it stays so until the end. */
export async function batchRuns(queries: Queries, id: string): Promise<boolean> {
  return (await queries.get(`SELECT 1 FROM batches WHERE id = ? AND state = 'running' FOR UPDATE`, id)) !== undefined;
}

/** A decision about a waiting action. */
export interface Decision {
  state: 'confirmed' | 'declined';
  by: DecidedBy | undefined;
  via: string;
  /** Epoch ms. */
  now: number;
  /** The process that sends the action. */
  owner: string | null;
}

/** Writes a decision with its proof. The caller has locked the row. */
export async function writeDecision(
  queries: Queries,
  asked: ActionRow,
  { state, by, via, now, owner }: Decision,
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
  row.proof = proofOf(row, state, seal);
  await changeRow(queries, row.id, { ...set, proof: row.proof });
  await addJob(queries, showJob(row.id), now);
  if (by !== undefined) await countDecision(queries, row, by.way);
  return row;
}

/** The texts of an action's end. Throws before anything is written if a value cannot be written as JSON. */
export function textsOf(
  id: string,
  { result, error }: End,
  seal: Seal,
): { result: string | null; error: string | null } {
  return { result: result ? resultText(id, result, seal) : null, error: error ? JSON.stringify(error) : null };
}

/** An end to write. */
export interface Ending {
  id: string;
  end: End;
  texts: ReturnType<typeof textsOf>;
  /** The process that writes it. */
  owner: string;
  /** Epoch ms. */
  now: number;
}

/** Writes an end, without its entry in the audit trail. Undefined if the action is in none of the states `from`, or belongs to another process. */
export async function writeEnd(
  queries: Queries,
  { id, end, texts, owner, now }: Ending,
): Promise<ActionRow | undefined> {
  const row = await queries.get<ActionRow>(
    `UPDATE actions SET state = ?, result = ?, error = ?, finished_at = ?, updated_at = ?
       WHERE id = ? AND state IN (${marks(end.from)})
         AND (state <> 'in_flight' OR owner = ? OR CAST(? AS INTEGER) = 0) RETURNING *`,
    end.state,
    texts.result,
    texts.error,
    now,
    now,
    id,
    ...end.from,
    owner,
    end.fenced ? 1 : 0,
  );
  if (!row) return undefined;
  await removeLater(queries, id, ['send']);
  if (end.from.includes('pending')) await removeLater(queries, id, ['expire']);
  if (end.state === 'unknown') {
    await saveReading(queries, id, newReading(end.writtenAt, end.error));
    await addJob(queries, readJob(id, now), now);
  } else if (end.from.includes('unknown')) await removeLater(queries, id, ['read']);
  if (row.consent !== null) await addJob(queries, showJob(id), now);
  await touchNames(queries, id, now);
  await writeNames(queries, id, now, { result: withholdActivation(end.result) });
  await addToTotal(queries, end.state, 1);
  return row;
}

/** The step of an end, for the audit trail. */
export function endStep({ state, result, error, who = 'switchboard', by, detail }: End, at: number): AuditStep {
  // The warning in the result of a partly done action names what was not done.
  const warning = state === 'partly' && typeof result?.Warning === 'string' ? result.Warning : '';
  return { what: state, who, detail: detail ?? (error ? plainText(error.message) : warning), by, at };
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
    await queries.run(`DELETE FROM jobs WHERE key IN (${marks(ids)})`, ...ids.map(showKey));
    await addToTotal(queries, state, -rows.length);
    return rows.length;
  });
}
