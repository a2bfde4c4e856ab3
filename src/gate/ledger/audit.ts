import { identified } from '../../lib/actor.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Database } from '../../store/database.ts';
import type { ActionRow, DecidedBy } from './action.ts';

/** One line of the audit trail. */
export interface AuditLine {
  at: number;
  action: string;
  operation: string;
  what: string;
  /** Who did this step, for display. */
  who: string;
  detail: string;
  /** Identity of the person who requested the action. */
  requester: string | null;
  /** Identity and name of the person who decided; null before a decision. */
  decider: string | null;
  /** The way they decided by. */
  way: string | null;
}

/** One step of an action. */
export interface AuditStep {
  what: string;
  who: string;
  detail?: string;
  /** The person who decided in this step. */
  by?: DecidedBy | undefined;
}

/** The audit trail: one line for every step of every action, never changed afterwards. */
export class AuditTrail {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(db: Database, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Adds a line about an action as it is now. */
  add(row: ActionRow, { what, who, detail = '', by }: AuditStep): void {
    const decider = by?.person ?? row.decided_person;
    this.#db.run(
      'INSERT INTO audit (at, action, operation, what, who, detail, requester, decider, way) VALUES (?,?,?,?,?,?,?,?,?)',
      this.#clock.now(),
      row.id,
      row.operation,
      what,
      who,
      detail,
      row.person ?? row.actor_id,
      decider ? identified(decider, by?.name ?? row.decided_by ?? undefined) : null,
      by?.way ?? row.decided_via,
    );
  }
}

/** The steps of an action in the trail, except its question and its confirmation. */
export function tracesOf(db: Database, id: string): string[] {
  return db
    .all<{ what: string }>(
      `SELECT DISTINCT what FROM audit WHERE action = ? AND what NOT IN ('asked', 'confirmed') ORDER BY what`,
      id,
    )
    .map(({ what }) => what);
}

/** The newest lines, the latest first. */
export function readAudit(db: Database, limit: number): AuditLine[] {
  return db.all<AuditLine>('SELECT * FROM audit ORDER BY seq DESC LIMIT ?', limit);
}
