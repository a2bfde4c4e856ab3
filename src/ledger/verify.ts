import type { Failure } from '../lib/errors.ts';
import type { Queries } from '../store/types.ts';
import { addJob } from '../work/jobs.ts';
import type { ActionRow } from './action.ts';
import { addAudit, auditEntries, digestOf, type EndRow, hashOf, isProven, type TrailEnd } from './audit.ts';
import { readJob, removeLater, showJob } from './later.ts';
import { addToTotal, changeRow } from './lookups.ts';
import { newReading, saveReading } from './readings.ts';
import type { Seal } from './seal.ts';

/* Checks the chain of the audit trail, and that ledger and trail agree. */

/** The result of a check of the audit trail. */
export interface Verified {
  /** Number of entries. */
  entries: number;
  /** The last one; undefined for an empty trail. */
  end: TrailEnd | undefined;
  /** The faults, in sentences. */
  flaws: string[];
}

export interface VerifyOptions {
  seal: Seal;
  /** An end that was kept elsewhere. */
  known?: TrailEnd | undefined;
}

/** Checks the whole trail. Entries that are written meanwhile are left out. */
export async function verifyTrail(queries: Queries, { seal, known }: VerifyOptions): Promise<Verified> {
  const end = await readEnd(queries);
  const removed: Run[] = [];
  const altered: Run[] = [];
  const flaws: string[] = [];
  let [entries, knownHash]: [number, string | undefined] = [0, undefined];
  let [previous, last]: [Previous, TrailEnd | undefined] = [{ seq: 0, hash: '', isWhole: true }, undefined];
  for await (const page of auditEntries(queries, {})) {
    for (const entry of page) {
      const { seq, hash } = entry;
      if (seq > end.last) break;
      entries += 1;
      if (seq === known?.seq) knownHash = hash;
      if (seq > previous.seq + 1) removed.push({ from: previous.seq + 1, to: seq - 1 });
      const isWhole = hashOf(entry) === hash;
      if (!isWhole) addTo(altered, seq);
      else if (previous.isWhole && seq === previous.seq + 1 && entry.prev !== previous.hash)
        flaws.push(`Entry ${seq} does not follow the one before: one of them was altered or inserted with a new hash.`);
      if (entry.known !== null && digestOf(entry.known) !== entry.change_digest)
        flaws.push(`The change of ${entry.action} (entry ${seq}) was altered in the ledger.`);
      previous = { seq, hash, isWhole };
      if (seq <= (end.seq ?? 0)) last = { seq, hash };
    }
  }
  flaws.unshift(
    ...removed.map((run) => `${entriesOf(run)} removed.`),
    ...altered.map((run) => `${entriesOf(run)} altered or moved.`),
  );
  flaws.push(...endFlaws({ last, entries }, end, seal));
  if (known !== undefined && knownHash === undefined)
    flaws.push(`The trail had an entry ${known.seq}, which is missing.`);
  else if (known !== undefined && knownHash !== known.hash)
    flaws.push(`Entry ${known.seq} is not the one that was the end: it, or entries before it, were rewritten.`);
  for await (const { id, state } of withoutEntry(queries))
    flaws.push(`Action ${id} is ${state} in the ledger, and the trail has no entry that says so.`);
  return { entries, end: last, flaws };
}

type Previous = TrailEnd & { isWhole: boolean };

/** Entries that follow each other and have the same flaw. */
interface Run {
  from: number;
  to: number;
}

function addTo(runs: Run[], seq: number): void {
  const last = runs.at(-1);
  if (last?.to === seq - 1) last.to = seq;
  else runs.push({ from: seq, to: seq });
}

function entriesOf({ from, to }: Run): string {
  return from === to ? `Entry ${from} was` : `Entries ${from} to ${to} were`;
}

/** The stored end, and the highest number of an entry. Read at once, so that both are of the same moment. */
type End = { last: number } & { [name in keyof EndRow]: EndRow[name] | null };

async function readEnd(queries: Queries): Promise<End> {
  const end = await queries.get<End>(
    `SELECT e.seq, e.hash, e.proof, e.doubt, (SELECT coalesce(max(seq), 0) FROM audit) AS last
       FROM (SELECT 1 AS one) x LEFT JOIN audit_end e ON e.one = x.one`,
  );
  return end ?? { seq: null, hash: null, proof: null, doubt: null, last: 0 };
}

/** The faults of the end of the chain. */
function endFlaws({ last, entries }: { last: TrailEnd | undefined; entries: number }, end: End, seal: Seal): string[] {
  const { seq, hash, proof, doubt } = end;
  if (seq === null || hash === null || proof === null)
    return entries === 0 ? [] : ['The record of the end of the trail was removed.'];
  const flaws: string[] = [];
  if ((last?.seq ?? 0) < seq)
    flaws.push(`The trail was cut: its entries from ${(last?.seq ?? 0) + 1} to ${seq} are missing.`);
  else if (last?.hash !== hash) flaws.push(`Entry ${seq} is not the one that was written as the end.`);
  if (end.last > seq)
    flaws.push(`${entriesOf({ from: seq + 1, to: end.last })} inserted: the recorded end is entry ${seq}.`);
  if (!isProven({ seq, hash, proof, doubt }, seal))
    flaws.push(
      'The record of the end is not sealed with the key of this installation (SEALING_KEY): the whole trail may have been rewritten.',
    );
  if (doubt !== null)
    flaws.push(
      `The record of the end was not sealed when entry ${doubt} was written: entries before it may have been rewritten.`,
    );
  return flaws;
}

/** Actions of one page of `withoutEntry`. */
const PAGE = 1_000;

/** Actions whose state no entry of the trail shows. */
async function* withoutEntry(queries: Queries): AsyncGenerator<{ id: string; state: string }> {
  for (let after = ''; ; ) {
    const found = await queries.all<{ id: string; state: string; entries: number }>(
      `SELECT a.id, a.state, (SELECT count(*) FROM audit u WHERE u.action = a.id AND u.what =
           CASE a.state WHEN 'pending' THEN 'asked' WHEN 'in_flight' THEN 'sent' ELSE a.state END) AS entries
         FROM actions a WHERE a.id > ? ORDER BY a.id LIMIT ?`,
      after,
      PAGE,
    );
    for (const { entries, ...action } of found) if (entries === 0) yield action;
    const last = found.at(-1);
    if (last === undefined || found.length < PAGE) return;
    after = last.id;
  }
}

/**
 * Ends the actions that were open when their files were copied to a database. Processes on the database may have sent
 * them, so their outcome is unknown to an installation that uses the files, and it sends none of them.
 * @param copiedAt epoch ms
 */
export async function endCopied(
  queries: Queries,
  { copiedAt, now, seal }: { copiedAt: number; now: number; seal: Seal },
): Promise<void> {
  const rows = await queries.all<ActionRow>(
    `SELECT * FROM actions WHERE state = 'confirmed' OR (state = 'pending' AND expires_at > ?)`,
    copiedAt,
  );
  const message = `It was open when this data was copied to a database, at ${new Date(copiedAt).toISOString()}. It may have been confirmed and sent from there.`;
  const error: Failure = { code: 'unavailable', message, effect: 'maybe_done', outcome: 'unknown' };
  for (const row of rows) {
    const end = { state: 'unknown', error: JSON.stringify(error), finished_at: now, updated_at: now } as const;
    await changeRow(queries, row.id, end);
    await saveReading(queries, row.id, newReading(undefined, error));
    await removeLater(queries, row.id, ['expire', 'send']);
    await addJob(queries, readJob(row.id, now), now);
    if (row.consent !== null) await addJob(queries, showJob(row.id), now);
  }
  await addToTotal(queries, 'unknown', rows.length);
  // A stored secret works once, and may have been used from the database.
  await queries.run('DELETE FROM vault');
  for (const row of rows)
    await addAudit(queries, seal, row, { what: 'unknown', who: 'switchboard', detail: message, at: now });
}
