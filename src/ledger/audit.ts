import { identified } from '../lib/actor.ts';
import type { Queries } from '../store/types.ts';
import type { ActionRow, DecidedBy } from './action.ts';
import { type AuditLine, append } from './chain.ts';
import type { Seal } from './seal.ts';

export type { AuditLine } from './chain.ts';

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

/** A line of the audit trail about a shown activation code. */
export interface Revealed {
  /** Identity and name. */
  who: string;
  /** The number, and the surface. */
  detail: string;
}

/** The answer with the code. */
export interface RevealedFrom {
  /** Empty if it was read from the platform. */
  action: string;
  operation: string;
  requester: string;
}

/** Adds an entry about a shown activation code, last in a transaction (`append`). */
export async function addReveal(
  queries: Queries,
  seal: Seal,
  line: Revealed & RevealedFrom & { at: number },
): Promise<void> {
  await append(queries, seal, {
    ...line,
    what: 'revealed',
    decider: null,
    way: null,
    batch: null,
    reason: null,
    change_digest: null,
  });
}

/** The steps of an action in the trail, except its question and the yeses. */
export async function tracesOf(queries: Queries, id: string): Promise<string[]> {
  const rows = await queries.all<{ what: string }>(
    `SELECT DISTINCT what FROM audit WHERE action = ? AND what NOT IN ('asked', 'approved', 'confirmed') ORDER BY what`,
    id,
  );
  return rows.map(({ what }) => what);
}

/** The newest lines, the latest first. */
export function readAudit(queries: Queries, limit: number): Promise<AuditLine[]> {
  return queries.all<AuditLine>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?', limit);
}

/** An entry with what its action records about the change. */
export interface AuditEntry extends AuditLine {
  /** JSON. Null for a step without a change, and after the action was deleted (LEDGER_KEEP_DAYS). */
  known: string | null;
}

export interface EntryFilter {
  /** Dated in this time (epoch ms, both included). */
  from?: number;
  until?: number;
  /** Numbered higher. */
  after?: number;
}

/** Entries of one page of `auditEntries`. */
const PAGE = 1_000;

/** Entries, the oldest first, page by page. */
export async function* auditEntries(
  queries: Queries,
  { from = 0, until = Number.MAX_SAFE_INTEGER, after = Number.MIN_SAFE_INTEGER }: EntryFilter,
): AsyncGenerator<AuditEntry[]> {
  for (let last = after; ; ) {
    const entries = await queries.all<AuditEntry>(
      `SELECT u.*, a.known FROM audit u LEFT JOIN actions a ON a.id = u.action AND u.change_digest IS NOT NULL
         WHERE u.seq > ? AND u.at >= ? AND u.at <= ? ORDER BY u.seq LIMIT ?`,
      last,
      from,
      until,
      PAGE,
    );
    yield entries;
    const end = entries.at(-1);
    if (end === undefined || entries.length < PAGE) return;
    last = end.seq;
  }
}
