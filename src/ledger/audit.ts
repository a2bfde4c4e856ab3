import { createHash } from 'node:crypto';
import { identified } from '../lib/actor.ts';
import { marks } from '../store/key-values.ts';
import type { Queries } from '../store/types.ts';
import type { ActionRow, DecidedBy } from './action.ts';
import type { Seal } from './seal.ts';

/** One step of an action. */
export interface AuditStep {
  what: string;
  who: string;
  detail?: string;
  /** The person who decided in this step. */
  by?: DecidedBy | undefined;
  reason?: string | null;
  /** Digest of the change that the action records. */
  change?: string | null;
  /** Epoch ms. */
  at: number;
}

/** Adds an entry about an action as it is now, last in a transaction (`append`). Entries are never changed afterwards. */
export async function addAudit(queries: Queries, seal: Seal, row: ActionRow, step: AuditStep): Promise<void> {
  const { what, who, detail = '', by, reason = null, change = null, at } = step;
  const decider = by?.person ?? row.decided_person;
  await append(queries, seal, {
    at,
    action: row.id,
    operation: row.operation,
    what,
    who,
    detail,
    requester: row.person,
    decider: decider ? identified(decider, by?.name ?? row.decided_by ?? undefined) : null,
    way: by?.way ?? row.decided_via,
    batch: row.batch,
    reason,
    change_digest: change,
  });
}

/** A line about a shown activation code: who read it and where, and the answer with it. `action`: empty for a read. */
export type Revealed = Pick<NewEntry, 'who' | 'detail' | 'action' | 'operation' | 'requester'>;

/** An entry with what its action records about the change. */
export interface AuditEntry extends AuditLine {
  /** JSON. Null for a step without a change, and after the action was deleted (LEDGER_KEEP_DAYS). */
  known: string | null;
}

/** Entries of one page of `auditEntries`. */
const PAGE = 1_000;

/**
 * Entries, the oldest first, page by page.
 * @param only.from dated in this time (epoch ms, both included)
 * @param only.after numbered higher
 */
export async function* auditEntries(
  queries: Queries,
  only: { from?: number; until?: number; after?: number } = {},
): AsyncGenerator<AuditEntry[]> {
  const { from = 0, until = Number.MAX_SAFE_INTEGER, after = Number.MIN_SAFE_INTEGER } = only;
  for (let last = after; ; ) {
    const entries = await queries.all<AuditEntry>(
      `SELECT u.*, a.known FROM audit u LEFT JOIN actions a ON a.id = u.action AND u.change_digest IS NOT NULL
         WHERE u.seq > ? AND u.at >= ? AND u.at <= ? ORDER BY u.seq LIMIT ?`,
      ...[last, from, until, PAGE],
    );
    yield entries;
    const end = entries.at(-1);
    if (end === undefined || entries.length < PAGE) return;
    last = end.seq;
  }
}

/*
 * The audit trail is a chain: each entry has the hash of the one before, and a number without gaps. One row records the
 * end of the chain, sealed with the key of this installation. So an entry that is removed, altered, inserted or moved is
 * found (`verify.ts`), even with the exported entries alone.
 */

/** One entry of the audit trail. */
export interface AuditLine {
  /** From 1, without gaps. */
  seq: number;
  at: number;
  action: string;
  operation: string;
  what: string;
  /** Name of the person or program that did this step, for display. */
  who: string;
  detail: string;
  /** Identity of the person who requested the action. */
  requester: string | null;
  /** Identity and name of the person who decided; null before a decision. */
  decider: string | null;
  /** The way of deciding that this person used. */
  way: string | null;
  /** The batch that the action belongs to. */
  batch: string | null;
  /** The reason of the person who asked or declined, in their own words. */
  reason: string | null;
  /** Digest of what the action records about its change (`digestOf`); null for a step without one. */
  change_digest: string | null;
  /** Hash of the entry before; empty for the first one. */
  prev: string;
  hash: string;
}

export type NewEntry = Omit<AuditLine, 'seq' | 'prev' | 'hash'>;

/** The end of the chain: the number and the hash of the last entry. */
export interface TrailEnd {
  seq: number;
  hash: string;
}

/** The stored end. */
interface EndRow extends TrailEnd {
  /** Proves that this installation wrote it. */
  proof: string;
  /** The first entry that was written after an end without a valid proof. */
  doubt: number | null;
}

const MEMBERS = [
  'prev',
  'seq',
  'at',
  'action',
  'operation',
  'what',
  'who',
  'detail',
  'requester',
  'decider',
  'way',
  'batch',
  'reason',
  'change_digest',
] as const satisfies readonly (keyof AuditLine)[];

/** The hash of an entry: SHA-256 over the JSON list of its members. */
export function hashOf(entry: Omit<AuditLine, 'hash'>): string {
  return digestOf(JSON.stringify(MEMBERS.map((name) => entry[name])));
}

/** SHA-256 of a text, in base64url. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

/**
 * Takes the next number, and returns it with the end before. The end stays locked until the transaction ends. An end
 * that was deleted or set back does not stop the next entry from being written.
 */
const NEXT = `INSERT INTO audit_end (one, seq, hash, proof)
  VALUES (1, (SELECT coalesce(max(seq), 0) + 1 FROM audit), '', '')
  ON CONFLICT (one) DO UPDATE
    SET seq = CASE WHEN excluded.seq > audit_end.seq + 1 THEN excluded.seq ELSE audit_end.seq + 1 END
  RETURNING seq, hash, proof, doubt`;

const INSERT = `INSERT INTO audit (${[...MEMBERS, 'hash'].join(', ')})
  VALUES (${marks([...MEMBERS, 'hash'])})`;

/**
 * Adds an entry to the chain. Call it last in a transaction: the end is locked until the transaction ends, so that
 * processes add one after another, and a transaction that waits for the end must hold nothing that its holder needs.
 */
export async function append(queries: Queries, seal: Seal, fresh: NewEntry): Promise<void> {
  const end = await queries.get<EndRow>(NEXT);
  if (end === undefined) throw new Error('the end of the audit trail was not written');
  const { seq, hash: prev } = end;
  const isFirst = seq === 1 && prev === '';
  const doubt = isFirst || isProven({ ...end, seq: seq - 1 }, seal) ? end.doubt : (end.doubt ?? seq);
  // The entry as it is read back, so that its hash stays the same.
  const stored = Object.entries(fresh).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD') : value,
  ]);
  const entry = { ...(Object.fromEntries(stored) as NewEntry), seq, prev };
  const hash = hashOf(entry);
  await queries.run(INSERT, ...MEMBERS.map((name) => entry[name]), hash);
  const proof = seal.mac(endText({ seq, hash, doubt }));
  await queries.run('UPDATE audit_end SET hash = ?, proof = ?, doubt = ?', hash, proof, doubt);
}

/** True if this installation wrote this end. */
function isProven(end: EndRow, seal: Seal): boolean {
  return seal.proves(endText(end), end.proof);
}

/** Proves the end with the first key, if one of the others proves it. */
export async function proveAgain(queries: Queries, seal: Seal): Promise<void> {
  const end = await queries.get<EndRow>('SELECT seq, hash, proof, doubt FROM audit_end FOR UPDATE');
  if (end !== undefined && isProven(end, seal))
    await queries.run('UPDATE audit_end SET proof = ?', seal.mac(endText(end)));
}

function endText({ seq, hash, doubt }: Omit<EndRow, 'proof'>): string {
  return JSON.stringify(['audit end', seq, hash, doubt]);
}

/* Checks the chain of the audit trail, and that ledger and trail agree. */

/**
 * Checks the whole trail. Entries that are written meanwhile are left out.
 * @param known an end that was kept elsewhere
 * @returns the number of entries, the last one (undefined for an empty trail), and the faults in sentences
 */
export async function verifyTrail(
  queries: Queries,
  { seal, known }: { seal: Seal; known?: TrailEnd | undefined },
): Promise<{ entries: number; end: TrailEnd | undefined; flaws: string[] }> {
  // Read with the highest number of an entry at once, so that both are of the same moment.
  const [end = NO_END] = await queries.all<End>(
    `SELECT e.seq, e.hash, e.proof, e.doubt, (SELECT coalesce(max(seq), 0) FROM audit) AS last
       FROM (SELECT 1 AS one) x LEFT JOIN audit_end e ON e.one = x.one`,
  );
  const removed: Run[] = [];
  const altered: Run[] = [];
  const flaws: string[] = [];
  let [entries, knownHash]: [number, string | undefined] = [0, undefined];
  let previous = { seq: 0, hash: '', isWhole: true };
  let last: TrailEnd | undefined;
  for await (const page of auditEntries(queries, {})) {
    for (const entry of page) {
      const { seq, hash } = entry;
      if (seq > end.last) break;
      entries += 1;
      if (seq === known?.seq) knownHash = hash;
      if (seq > previous.seq + 1) removed.push({ from: previous.seq + 1, to: seq - 1 });
      const isWhole = hashOf(entry) === hash;
      const run = altered.at(-1);
      if (!isWhole && run?.to === seq - 1) run.to = seq;
      else if (!isWhole) altered.push({ from: seq, to: seq });
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

/** Entries that follow each other and have the same flaw. */
interface Run {
  from: number;
  to: number;
}

function entriesOf({ from, to }: Run): string {
  return from === to ? `Entry ${from} was` : `Entries ${from} to ${to} were`;
}

/** The stored end, and the highest number of an entry. */
type End = { last: number } & { [name in keyof EndRow]: EndRow[name] | null };

const NO_END: End = { seq: null, hash: null, proof: null, doubt: null, last: 0 };

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
