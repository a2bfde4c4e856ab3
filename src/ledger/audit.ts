import type { Change } from '../catalogue/operation.ts';
import { identified } from '../lib/actor.ts';
import type { Queries } from '../store/types.ts';
import type { ActionRow, DecidedBy } from './action.ts';

/** One line of the audit trail. */
export interface AuditLine {
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
  /** The change, before and after, as JSON: on the first line of an action. */
  change: string | null;
}

/** One step of an action. */
export interface AuditStep {
  what: string;
  who: string;
  detail?: string;
  /** The person who decided in this step. */
  by?: DecidedBy | undefined;
  reason?: string | null;
  change?: Change | undefined;
  /** Epoch ms. */
  at: number;
}

/** Adds a line about an action as it is now. Lines are never changed afterwards. */
export async function addAudit(queries: Queries, row: ActionRow, step: AuditStep): Promise<void> {
  const { what, who, detail = '', by, reason = null, change, at } = step;
  const decider = by?.person ?? row.decided_person;
  await queries.run(
    'INSERT INTO audit (at, action, operation, what, who, detail, requester, decider, way, batch, reason, change) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)',
    at,
    row.id,
    row.operation,
    what,
    who,
    detail,
    row.person ?? row.actor_id,
    decider ? identified(decider, by?.name ?? row.decided_by ?? undefined) : null,
    by?.way ?? row.decided_via,
    row.batch,
    reason,
    change === undefined ? null : JSON.stringify(change),
  );
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

export async function addReveal(queries: Queries, line: Revealed & RevealedFrom & { at: number }): Promise<void> {
  const { at, action, operation, who, detail, requester } = line;
  await queries.run(
    'INSERT INTO audit (at, action, operation, what, who, detail, requester) VALUES (?,?,?,?,?,?,?)',
    ...[at, action, operation, 'revealed', who, detail, requester],
  );
}

/** The steps of an action in the trail, except its question and its confirmation. */
export async function tracesOf(queries: Queries, id: string): Promise<string[]> {
  const rows = await queries.all<{ what: string }>(
    `SELECT DISTINCT what FROM audit WHERE action = ? AND what NOT IN ('asked', 'confirmed') ORDER BY what`,
    id,
  );
  return rows.map(({ what }) => what);
}

/** The newest lines, the latest first. */
export function readAudit(queries: Queries, limit: number): Promise<AuditLine[]> {
  return queries.all<AuditLine>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?', limit);
}

/** Lines of one page of `auditLines`. */
const PAGE = 1_000;

/** The lines dated `from` to `until` (epoch ms, both included), the oldest first, page by page. */
export async function* auditLines(queries: Queries, { from, until }: { from: number; until: number }) {
  for (let after = -1; ; ) {
    const lines = await queries.all<AuditLine>(
      'SELECT * FROM audit WHERE seq > ? AND at >= ? AND at <= ? ORDER BY seq LIMIT ?',
      after,
      from,
      until,
      PAGE,
    );
    yield lines;
    const last = lines.at(-1);
    if (last === undefined || lines.length < PAGE) return;
    after = last.seq;
  }
}
