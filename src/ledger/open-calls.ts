import type { Clock } from '../lib/clock.ts';
import type { Queries } from '../store/types.ts';
import { type Action, type ActionRow, actionOf, type State } from './action.ts';
import { PLACES } from './lookups.ts';
import type { Seal } from './seal.ts';

/** Maximum number of values in one query. */
const VALUES = 100;

/** Digests that identify a call: `given` covers the caller's own input, `full` everything that is sent. */
export interface Digests {
  given: string;
  full: string;
}

/**
 * Thrown when a requester has as many open questions as they may have. `until`: the time when the first of them
 * expires.
 */
export class TooManyOpen extends Error {
  override readonly name = 'TooManyOpen';
  readonly until: number;

  constructor(until: number) {
    super('too many open questions');
    this.until = until;
  }
}

/**
 * A repeat has the same input of the caller, or sends the same. The two differ if a record was readable for one of the
 * calls only.
 */
const SAME = '(digest = ? OR full_digest = ?)';

/**
 * Finds calls that have not ended: repeats of one call, calls for the same numbers, and the questions of a requester.
 */
export class OpenCalls {
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #seal: Seal;

  constructor(db: Queries, clock: Clock, seal: Seal) {
    this.#db = db;
    this.#clock = clock;
    this.#seal = seal;
  }

  /** The pending action of this actor for the same call, if there is one. */
  async pendingTwin({ given, full }: Digests, actorId: string, queries = this.#db): Promise<Action | undefined> {
    const row = await queries.get<ActionRow>(
      `SELECT * FROM actions WHERE ${SAME} AND actor_id = ? AND state = 'pending' AND expires_at > ?`,
      given,
      full,
      actorId,
      this.#clock.now(),
    );
    return row && actionOf(row, this.#seal);
  }

  /** Earlier calls that are the same and still run, or whose outcome is unknown, the newest first. */
  unsettledTwins({ given, full }: Digests): Promise<Action[]> {
    return this.#actions(
      `SELECT * FROM actions WHERE ${SAME} AND state IN ('unknown','confirmed','in_flight') ORDER BY created_at DESC`,
      given,
      full,
    );
  }

  /** The same calls as this one, by any actor, that were sent and have no known end; the newest first. */
  sentTwins(id: string): Promise<Action[]> {
    return this.#actions(
      `SELECT a.* FROM actions a JOIN actions asked ON asked.id = ?
         WHERE (a.digest = asked.digest OR a.full_digest = asked.full_digest) AND a.id <> asked.id
           AND a.state IN ('unknown','in_flight') ORDER BY a.created_at DESC`,
      id,
    );
  }

  /** Actions in these states that hold one of the values exclusively, the oldest first. */
  async holding(values: readonly string[], states: readonly State[]): Promise<Action[]> {
    const found = new Map<string, Action>();
    for (let from = 0; from < values.length; from += VALUES) {
      const some = values.slice(from, from + VALUES);
      const actions = await this.#actions(
        `SELECT a.* FROM action_names n JOIN actions a ON a.id = n.action
           WHERE n.value IN (${marks(some)}) AND (n.places & ${PLACES.exclusive}) <> 0 AND a.state IN (${marks(states)})`,
        ...some,
        ...states,
      );
      for (const action of actions) found.set(action.id, action);
    }
    return [...found.values()].sort((one, other) => one.createdAt - other.createdAt);
  }

  /** Throws `TooManyOpen` if this actor has `most` questions that wait for a person. */
  async requireRoom(actorId: string, most: number, queries = this.#db): Promise<void> {
    const open = await queries.get<{ n: number; first: number | null }>(
      `SELECT count(*) AS n, min(expires_at) AS first FROM actions
         WHERE state = 'pending' AND actor_id = ? AND expires_at > ?`,
      actorId,
      this.#clock.now(),
    );
    if (open && open.n >= most) throw new TooManyOpen(open.first ?? this.#clock.now());
  }

  async #actions(sql: string, ...values: string[]): Promise<Action[]> {
    return (await this.#db.all<ActionRow>(sql, ...values)).map((row) => actionOf(row, this.#seal));
  }
}

const marks = (values: readonly unknown[]) => values.map(() => '?').join(', ');
