import type { Clock } from '../lib/clock.ts';
import { textsIn } from '../lib/json.ts';
import { marks, update } from '../store/key-values.ts';
import type { Queries } from '../store/types.ts';
import { type Action, type ActionRow, actionOf, type State } from './action.ts';
import type { Seal } from './seal.ts';

/**
 * The parts of an action in which a value occurs, as bits, because an action is listed once for each value.
 * `exclusive`: only one call for the value may be open at a time.
 */
export const PLACES = { shown: 1, known: 2, result: 4, exclusive: 8 } as const;

/** Phone numbers and ids: up to 64 characters without spaces, at least one of them a digit. */
const NAME = /^(?=\S*\d)\S{1,64}$/;
/** Rows of one INSERT: PostgreSQL and SQLite limit the number of values of a statement. */
const ROWS = 100;

/** True for a value that is listed. */
export function isName(value: string): boolean {
  return NAME.test(value);
}

/** The parts of an action that name something. */
export type NamedParts = Partial<Record<keyof typeof PLACES, unknown>>;

/** Lists the values that an action names, so that a number's actions are found without reading all of them. */
export async function writeNames(queries: Queries, action: string, at: number, parts: NamedParts): Promise<void> {
  const rows = [...placesOf(parts)];
  for (let from = 0; from < rows.length; from += ROWS) {
    const some = rows.slice(from, from + ROWS);
    await queries.run(
      `INSERT INTO action_names (value, updated_at, action, places) VALUES ${some.map(() => '(?, ?, ?, ?)').join(', ')}
         ON CONFLICT (action, value) DO UPDATE SET updated_at = excluded.updated_at,
           places = action_names.places | excluded.places`,
      ...some.flatMap(([value, places]) => [value, at, action, places]),
    );
  }
}

/** Call after `updated_at` of an action has changed. */
export async function touchNames(queries: Queries, action: string, at: number): Promise<void> {
  await queries.run('UPDATE action_names SET updated_at = ? WHERE action = ?', at, action);
}

/** Changes columns of an action, the time of the change among them. */
export async function changeRow(
  queries: Queries,
  id: string,
  set: Partial<ActionRow> & Pick<ActionRow, 'updated_at'>,
): Promise<void> {
  await update(queries, 'actions', { ...set }, 'id = ?', id);
  await touchNames(queries, id, set.updated_at);
}

function placesOf(parts: NamedParts): Map<string, number> {
  const places = new Map<string, number>();
  for (const [part, bit] of Object.entries(PLACES))
    for (const { value } of textsIn(parts[part as keyof typeof PLACES]))
      if (isName(value)) places.set(value, (places.get(value) ?? 0) | bit);
  return places;
}

/** The states that an action may still leave. There are few such actions, so they are counted on each request. */
const OPEN_STATES = ['pending', 'confirmed', 'in_flight', 'unknown'] as const satisfies readonly State[];

/**
 * Adds to the stored count of actions that have ended for good, because counting all of them takes longer as their
 * number grows.
 */
export async function addToTotal(queries: Queries, state: State, n: number): Promise<void> {
  if (n === 0 || OPEN_STATES.some((open) => open === state)) return;
  await addTotal(queries, { kind: 'state', key: state, n });
}

/** Adds to a stored number of actions, and to the sum of their times in ms. */
export async function addTotal(
  queries: Queries,
  { kind, key, n, ms = 0 }: { kind: 'state' | 'decision'; key: string; n: number; ms?: number },
): Promise<void> {
  await queries.run(
    `INSERT INTO totals (kind, key, n, ms) VALUES (?, ?, ?, ?)
       ON CONFLICT (kind, key) DO UPDATE SET n = totals.n + excluded.n, ms = totals.ms + excluded.ms`,
    ...[kind, key, n, ms],
  );
}

/** Counts the actions in each state; states without any are left out. */
export async function readCounts(queries: Queries): Promise<{ state: State; n: number }[]> {
  const open = await queries.all<{ state: State; n: number }>(
    `SELECT state, count(*) AS n FROM actions WHERE state IN (${marks(OPEN_STATES)}) GROUP BY state`,
    ...OPEN_STATES,
  );
  const ended = await queries.all<{ state: State; n: number }>(
    `SELECT key AS state, n FROM totals WHERE kind = 'state' AND n > 0`,
  );
  return [...open, ...ended];
}

/** Maximum number of values in one query. */
const VALUES = 100;

/** Digests that identify a call: `given` covers the caller's own input, `full` everything that is sent. */
export interface Digests {
  given: string;
  full: string;
  /** The same by the other keys of SEALING_KEY, by which a repeat of an older call is found. */
  others?: readonly { given: string; full: string }[];
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
function sameCall({ given, full, others = [] }: Digests): { sql: string; values: string[] } {
  const all = [{ given, full }, ...others];
  const values = [...all.map((one) => one.given), ...all.map((one) => one.full)];
  return { sql: `(digest IN (${marks(all)}) OR full_digest IN (${marks(all)}))`, values };
}

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
  async pendingTwin(digests: Digests, actorId: string, queries = this.#db): Promise<Action | undefined> {
    const same = sameCall(digests);
    const row = await queries.get<ActionRow>(
      `SELECT * FROM actions WHERE ${same.sql} AND actor_id = ? AND state = 'pending' AND expires_at > ?`,
      ...same.values,
      actorId,
      this.#clock.now(),
    );
    return row && actionOf(row, this.#seal);
  }

  /**
   * The newest same call of this actor that is running, or that was done, in whole or in part, at `since` (epoch ms) or
   * later.
   */
  async twinSince(digests: Digests, actorId: string, since: number): Promise<Action | undefined> {
    if (!Number.isFinite(since)) return undefined;
    const same = sameCall(digests);
    const [found] = await this.#actions(
      `SELECT * FROM actions WHERE ${same.sql} AND actor_id = ?
         AND (state IN ('confirmed','in_flight') OR (state IN ('done','partly') AND finished_at >= ?))
         ORDER BY created_at DESC LIMIT 1`,
      ...[...same.values, actorId, since],
    );
    return found;
  }

  /** The waiting questions of this actor about one operation. */
  pendingOf(actorId: string, operation: string): Promise<Action[]> {
    return this.#actions(
      `SELECT * FROM actions WHERE actor_id = ? AND operation = ? AND state = 'pending' AND expires_at > ?`,
      actorId,
      operation,
      this.#clock.now(),
    );
  }

  /** Earlier calls that are the same and still run, or whose outcome is unknown, the newest first. */
  unsettledTwins(digests: Digests): Promise<Action[]> {
    const same = sameCall(digests);
    return this.#actions(
      `SELECT * FROM actions WHERE ${same.sql} AND state IN ('unknown','confirmed','in_flight') ORDER BY created_at DESC`,
      ...same.values,
    );
  }

  /**
   * The same calls of this actor that were done, in whole or in part, after their outcome had been unknown, and changed
   * at `since` (epoch ms) or later; the newest first.
   */
  doneAfterUnknown(digests: Digests, actorId: string, since: number): Promise<Action[]> {
    const same = sameCall(digests);
    return this.#actions(
      `SELECT * FROM actions WHERE ${same.sql} AND state IN ('done','partly') AND reading IS NOT NULL AND actor_id = ?
         AND updated_at >= ? ORDER BY created_at DESC`,
      ...same.values,
      actorId,
      since,
    );
  }

  /** The questions about the same call, of any actor, that wait; the newest first. */
  pendingTwins(digests: Digests): Promise<Action[]> {
    const same = sameCall(digests);
    return this.#actions(
      `SELECT * FROM actions WHERE ${same.sql} AND state = 'pending' AND expires_at > ? ORDER BY created_at DESC`,
      ...[...same.values, this.#clock.now()],
    );
  }

  /**
   * The same calls as this question, by any actor, that run or have no known end, and those that were sent after it was
   * asked and did something; the newest first.
   */
  async sentTwins(id: string, queries = this.#db): Promise<Action[]> {
    const rows = await queries.all<ActionRow>(
      `SELECT a.* FROM actions a JOIN actions asked ON asked.id = ?
         WHERE (a.digest = asked.digest OR a.full_digest = asked.full_digest) AND a.id <> asked.id
           AND (a.state IN ('unknown','confirmed','in_flight')
             OR (a.state IN ('done','partly') AND coalesce(a.sent_at, a.created_at) >= asked.created_at))
         ORDER BY a.created_at DESC`,
      id,
    );
    return rows.map((row) => actionOf(row, this.#seal));
  }

  /** The same calls, of any actor, that were sent at `since` (epoch ms) or later and run, or did something. */
  sentSince(digests: Digests, since: number): Promise<Action[]> {
    const same = sameCall(digests);
    return this.#actions(
      `SELECT * FROM actions WHERE ${same.sql} AND state IN ('in_flight','done','partly')
         AND coalesce(sent_at, created_at) >= ? ORDER BY created_at DESC`,
      ...[...same.values, since],
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

  async #actions(sql: string, ...values: (string | number)[]): Promise<Action[]> {
    return (await this.#db.all<ActionRow>(sql, ...values)).map((row) => actionOf(row, this.#seal));
  }
}
