import type { Clock } from '../lib/clock.ts';
import type { Failure } from '../lib/errors.ts';
import { plainText } from '../lib/words.ts';
import type { Database, Queries } from '../store/types.ts';
import { type Action, type ActionRow, actionOf } from './action.ts';
import { addAudit } from './audit.ts';
import { touchNames } from './names.ts';
import { newOutcome, saveOutcome } from './outcomes.ts';
import type { Seal } from './seal.ts';
import { addToTotal } from './totals.ts';

/** Maximum number of actions in one transaction, so that none holds the database for long. */
const STEP = 100;

/** Actions of dead processes. */
export interface TakenOver {
  /** Confirmed actions that were not sent. They belong to this process now. */
  confirmed: Action[];
  /** Actions that may have been sent. They have ended as unknown. */
  interrupted: Action[];
}

/**
 * Work that any process does for all of them: it expires questions, and takes over actions of dead processes. Each
 * action is changed once.
 */
export class Takeovers {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #seal: Seal;

  constructor(db: Database, clock: Clock, seal: Seal) {
    this.#db = db;
    this.#clock = clock;
    this.#seal = seal;
  }

  /** Expires the actions that are due, or one of them. Reads first, so that nothing is written if none is due. */
  async expire(id?: string): Promise<Action[]> {
    const expired: Action[] = [];
    const due = `state = 'pending' AND expires_at <= ? AND ${id === undefined ? '1=1' : 'id = ?'}`;
    const given = id === undefined ? [] : [id];
    while (await this.#db.get(`SELECT 1 FROM actions WHERE ${due} LIMIT 1`, this.#clock.now(), ...given)) {
      const some = await this.#db.transaction(async (queries) => {
        const now = this.#clock.now();
        const rows = await queries.all<ActionRow>(
          `UPDATE actions SET state = 'expired', finished_at = ?, updated_at = ?
             WHERE state = 'pending' AND id IN
               (SELECT id FROM actions WHERE ${due} LIMIT ${STEP} FOR UPDATE ${id === undefined ? 'SKIP LOCKED' : ''})
             RETURNING *`,
          now,
          now,
          now,
          ...given,
        );
        for (const row of rows) {
          await touchNames(queries, row.id, now);
          await addAudit(queries, row, { what: 'expired', who: 'switchboard', at: now });
        }
        await addToTotal(queries, 'expired', rows.length);
        return rows.map((row) => actionOf(row, this.#seal));
      });
      expired.push(...some);
      // The remaining ones are locked by a decision or by another process that expires them.
      if (some.length < STEP) break;
    }
    return expired;
  }

  async takeOver(options: { owner: string; silentMs: number; interrupted: Failure }): Promise<TakenOver> {
    const { owner, silentMs, interrupted } = options;
    const taken: TakenOver = { confirmed: [], interrupted: [] };
    const orphaned = `state IN ('confirmed', 'in_flight') AND owner IS DISTINCT FROM ?
      AND NOT EXISTS (SELECT 1 FROM owners WHERE owners.id = actions.owner AND owners.seen_at > ?)`;
    const look = () => [owner, this.#clock.now() - silentMs] as const;
    while (await this.#db.get(`SELECT 1 FROM actions WHERE ${orphaned} LIMIT 1`, ...look())) {
      const rows = await this.#db.transaction(async (queries) => {
        const found = await queries.all<ActionRow>(
          `SELECT * FROM actions WHERE ${orphaned} LIMIT ${STEP} FOR UPDATE SKIP LOCKED`,
          ...look(),
        );
        const moved: ActionRow[] = [];
        for (const row of found) moved.push(await this.#takeOne(queries, row, owner, interrupted));
        return moved;
      });
      for (const row of rows)
        taken[row.state === 'confirmed' ? 'confirmed' : 'interrupted'].push(actionOf(row, this.#seal));
      if (rows.length < STEP) break;
    }
    return taken;
  }

  async #takeOne(queries: Queries, before: ActionRow, owner: string, interrupted: Failure): Promise<ActionRow> {
    const now = this.#clock.now();
    const isSent = before.state === 'in_flight';
    const row: ActionRow = isSent
      ? { ...before, owner, state: 'unknown', error: JSON.stringify(interrupted), finished_at: now, updated_at: now }
      : { ...before, owner, updated_at: now };
    await queries.run(
      'UPDATE actions SET owner = ?, state = ?, error = ?, finished_at = ?, updated_at = ? WHERE id = ?',
      owner,
      row.state,
      row.error,
      row.finished_at,
      now,
      row.id,
    );
    await touchNames(queries, row.id, now);
    if (!isSent) return row;
    await saveOutcome(queries, row.id, newOutcome(undefined, interrupted, now));
    await addAudit(queries, row, {
      what: 'unknown',
      who: 'switchboard',
      detail: plainText(interrupted.message),
      at: now,
    });
    return row;
  }

  /**
   * Time (epoch ms) until which no other process takes over an action that this owner sends; undefined if it has lost
   * its claim. The owner counts as alive for `silentMs` after it last wrote that it is alive.
   */
  async claimedUntil(id: string, owner: string, silentMs: number): Promise<number | undefined> {
    const claim = `SELECT o.seen_at AS seen_at FROM actions a JOIN owners o ON o.id = a.owner
      WHERE a.id = ? AND a.state = 'in_flight' AND a.owner = ?`;
    const row = await this.#db.get<{ seen_at: number }>(claim, id, owner);
    if (row && row.seen_at > this.#clock.now() - silentMs / 2) return row.seen_at + silentMs;
    // The owner's last write is old, so it is renewed under a lock, while no other process can take the action over.
    return this.#db.transaction(async (queries) => {
      const held = await queries.get(
        `SELECT 1 FROM actions WHERE id = ? AND state = 'in_flight' AND owner = ? FOR UPDATE`,
        id,
        owner,
      );
      if (held === undefined) return undefined;
      const now = this.#clock.now();
      await queries.run('UPDATE owners SET seen_at = ? WHERE id = ?', now, owner);
      return now + silentMs;
    });
  }
}
