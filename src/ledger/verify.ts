import type { Failure } from '../lib/errors.ts';
import type { Queries } from '../store/types.ts';
import { addJob } from '../work/jobs.ts';
import type { ActionRow } from './action.ts';
import {
  type AuditLine,
  addAudit,
  auditEntries,
  digestOf,
  type EndRow,
  hashOf,
  isProven,
  type TrailEnd,
} from './audit.ts';
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

/** Entries with the same flaw. */
interface Run {
  kind: 'missing' | 'altered' | 'moved' | 'rewritten';
  from: number;
  to: number;
  /** Moved: the places between where they are and where they were written. */
  by: number;
}

/** Checks the whole trail. Entries that are written meanwhile are left out. */
export async function verifyTrail(queries: Queries, { seal, known }: VerifyOptions): Promise<Verified> {
  const end = await readEnd(queries);
  const chain = new Chain(end?.seq ?? 0, known);
  const changes: string[] = [];
  for await (const page of auditEntries(queries, {})) {
    for (const entry of page) {
      if (entry.seq > end.last) break;
      chain.add(entry);
      if (entry.known !== null && digestOf(entry.known) !== entry.change_digest)
        changes.push(`The change of ${entry.action} (entry ${entry.seq}) was altered in the ledger.`);
    }
  }
  const flaws = [...chain.flaws(), ...endFlaws(chain, end, seal), ...chain.knownFlaws(), ...changes];
  for await (const { id, state } of withoutEntry(queries))
    flaws.push(`Action ${id} is ${state} in the ledger, and the trail has no entry that says so.`);
  return { entries: chain.count, end: chain.last, flaws };
}

/** The entry with this number; undefined if there is none. */
export function entryAt(queries: Queries, seq: number): Promise<AuditLine | undefined> {
  return queries.get<AuditLine>('SELECT * FROM audit WHERE seq = ?', seq);
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

/** The entries as they are read, in their order. */
class Chain {
  readonly #until: number;
  readonly #known: TrailEnd | undefined;
  readonly #runs: Run[] = [];
  /** Altered entries, to find those that changed places. */
  readonly #altered: AuditLine[] = [];
  #knownHash: string | undefined;
  #previous: { seq: number; hash: string; isWhole: boolean } | undefined;
  count = 0;
  last: TrailEnd | undefined;

  /** `until`: the number of the last entry, as the end records it. */
  constructor(until: number, known: TrailEnd | undefined) {
    this.#until = until;
    this.#known = known;
  }

  add(entry: AuditLine): void {
    const { seq } = entry;
    const previous = this.#previous ?? { seq: 0, hash: '', isWhole: true };
    this.count += 1;
    if (seq === this.#known?.seq) this.#knownHash = entry.hash;
    if (seq > previous.seq + 1) this.#note('missing', previous.seq + 1, seq - 1);
    const isWhole = this.#check(entry);
    const follows = seq === previous.seq + 1 && entry.prev === previous.hash;
    if (isWhole && previous.isWhole && seq === previous.seq + 1 && !follows)
      this.#note('rewritten', previous.seq === 0 ? seq : previous.seq);
    this.#previous = { seq, hash: entry.hash, isWhole };
    if (seq <= this.#until) this.last = { seq, hash: entry.hash };
  }

  /** True if the entry is as it was written, in its place. */
  #check(entry: AuditLine): boolean {
    if (hashOf(entry) === entry.hash) return true;
    const by = [-1, 1].find((step) => hashOf({ ...entry, seq: entry.seq + step }) === entry.hash);
    if (by !== undefined) this.#note('moved', entry.seq, entry.seq, by);
    else {
      this.#note('altered', entry.seq);
      if (this.#altered.length < MOST_COMPARED) this.#altered.push(entry);
    }
    return false;
  }

  #note(kind: Run['kind'], from: number, to = from, by = 0): void {
    const last = this.#runs.at(-1);
    if (last?.kind === kind && last.by === by && last.to === from - 1) last.to = to;
    else this.#runs.push({ kind, from, to, by });
  }

  flaws(): string[] {
    const places = new Map<number, number>();
    for (const entry of this.#altered) {
      const own = this.#altered.find(({ seq }) => hashOf({ ...entry, seq }) === entry.hash);
      if (own) places.set(entry.seq, own.seq);
    }
    return this.#runs.map((run) => {
      const place = run.kind === 'altered' && run.from === run.to ? places.get(run.from) : undefined;
      return place === undefined ? sentenceOf(run) : `Entry ${run.from} was moved: it was entry ${place}.`;
    });
  }

  /** The faults of the end that was kept elsewhere. */
  knownFlaws(): string[] {
    const known = this.#known;
    if (known === undefined || this.#knownHash === known.hash) return [];
    return this.#knownHash === undefined
      ? [`The trail had an entry ${known.seq}, which is missing.`]
      : [`Entry ${known.seq} is not the one that was the end: it, or entries before it, were rewritten.`];
  }
}

/** Altered entries that are compared with each other's places. */
const MOST_COMPARED = 100;

function sentenceOf({ kind, from, to, by }: Run): string {
  const those = from === to ? `Entry ${from}` : `Entries ${from} to ${to}`;
  const were = from === to ? 'was' : 'were';
  switch (kind) {
    case 'missing':
      return `${those} ${were} removed.`;
    case 'altered':
      return `${those} ${were} altered.`;
    case 'moved':
      return `${those} ${were} moved: ${from === to ? 'it was' : 'they were'} one place ${by < 0 ? 'earlier, and an entry was inserted before' : 'later, and an entry before was removed'}.`;
    case 'rewritten':
      return `${those} ${were} altered or inserted with a new hash, which the next entry does not follow.`;
  }
}

/** The faults of the end of the chain. */
function endFlaws({ last, count }: Chain, end: End, seal: Seal): string[] {
  const { seq, hash, proof, doubt } = end;
  if (seq === null || hash === null || proof === null)
    return count === 0 ? [] : ['The record of the end of the trail was removed.'];
  const flaws: string[] = [];
  if ((last?.seq ?? 0) < seq)
    flaws.push(`The trail was cut: its entries from ${(last?.seq ?? 0) + 1} to ${seq} are missing.`);
  else if (last?.hash !== hash) flaws.push(`Entry ${seq} is not the one that was written as the end.`);
  if (end.last > seq)
    flaws.push(
      `${seq + 1 === end.last ? `Entry ${end.last} was` : `Entries ${seq + 1} to ${end.last} were`} inserted: the recorded end is entry ${seq}.`,
    );
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
