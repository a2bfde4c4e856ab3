import type { Actor } from '../lib/actor.ts';
import { identified, personOf } from '../lib/actor.ts';
import type { Clock } from '../lib/clock.ts';
import type { Database, Queries, Transaction } from '../store/types.ts';
import { addJob } from '../work/jobs.ts';
import { append } from './chain.ts';
import { showJob } from './later.ts';
import type { Seal } from './seal.ts';

/** An approver who is away, by Slack user id. */
export interface Absence {
  approver: string;
  /** Epoch ms. */
  until: number;
  /** The approver who is asked instead. */
  instead: string;
}

/** The name of these lines of the audit trail, in place of an operation. */
const OPERATION = 'approvers';

/**
 * Keeps which approvers are away. This changes who is notified, and not who may confirm, which the settings say. Every
 * change is in the audit trail, and the questions that wait are shown again.
 */
export class Absences {
  readonly #db: Database;
  readonly #clock: Clock;

  readonly #seal: Seal;

  constructor({ db, clock, seal }: { db: Database; clock: Clock; seal: Seal }) {
    this.#db = db;
    this.#clock = clock;
    this.#seal = seal;
  }

  /** The absences that last, the one that ends first before the others. */
  list(): Promise<Absence[]> {
    const sql = 'SELECT approver, until, instead FROM absences WHERE until > ? ORDER BY until, approver';
    return this.#db.all<Absence>(sql, this.#clock.now());
  }

  /** Records an absence, in place of an earlier one of this approver. */
  async away(absence: Absence, by: Actor): Promise<void> {
    const { approver, until, instead } = absence;
    const detail = `${approver} until ${new Date(until).toISOString()}, ${instead} instead`;
    await this.#db.transaction(async (tx) => {
      await tx.run('DELETE FROM absences WHERE approver = ? OR until <= ?', approver, this.#clock.now());
      await tx.run('INSERT INTO absences (approver, until, instead) VALUES (?, ?, ?)', approver, until, instead);
      await this.#changed(tx, { what: 'away', detail }, by);
    });
  }

  /** Ends an absence. False if there is none. */
  back(approver: string, by: Actor): Promise<boolean> {
    return this.#db.transaction(async (tx) => {
      const ended = await tx.run('DELETE FROM absences WHERE approver = ? AND until > ?', approver, this.#clock.now());
      if (ended === 0) return false;
      await this.#changed(tx, { what: 'back', detail: approver }, by);
      return true;
    });
  }

  async #changed(tx: Transaction, { what, detail }: { what: string; detail: string }, by: Actor): Promise<void> {
    const now = this.#clock.now();
    const decider = identified(personOf(by), by.name);
    for (const { id } of await waiting(tx)) await addJob(tx, showJob(id), now);
    await append(tx, this.#seal, {
      ...{ at: now, action: '', operation: OPERATION, what, who: by.name, detail, decider, way: 'terminal' },
      ...{ requester: null, batch: null, reason: null, change_digest: null },
    });
  }
}

function waiting(queries: Queries): Promise<{ id: string }[]> {
  return queries.all<{ id: string }>("SELECT id FROM actions WHERE state = 'pending'");
}
