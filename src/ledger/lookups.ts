import { type Fields, listOf, textsIn } from '../lib/values.ts';
import { withholdActivation } from '../platform/dialect/redact.ts';
import { marks, update } from '../store/key-values.ts';
import type { Queries } from '../store/types.ts';
import {
  type Action,
  type ActionRow,
  actionOf,
  canonical,
  canonicalCall,
  type SealedInput,
  type State,
} from './action.ts';
import { LedgerPart } from './part.ts';

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
export const isName = (value: string): boolean => NAME.test(value);

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
  // This table is not sealed, so no activation code of an eSIM is listed in it.
  for (const [part, bit] of Object.entries(PLACES))
    for (const { value } of textsIn(withholdActivation(parts[part as keyof typeof PLACES])))
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
/** Calls that wait, run or have no known end, and those that did something at a time or later. Takes now and that time. */
const COUNTS = `(a.state IN ('confirmed','in_flight','unknown') OR (a.state = 'pending' AND a.expires_at > ?)
  OR (a.state IN ('done','partly') AND a.updated_at >= ?))`;

/** Digests that identify a call: `given` covers the caller's own input, `full` everything that is sent. */
export interface Digests {
  given: string;
  full: string;
  /** The same by the other keys of SEALING_KEY, by which a repeat of an older call is found. */
  others?: readonly { given: string; full: string }[];
}

/** A call of an operation that takes a list of targets. */
export interface ListedCall extends SealedInput {
  operation: string;
  /** The field with the targets. */
  list: string;
}

/** The entries of two lists that are the same. */
export function sharedTargets(list: string, one: Fields, other: Fields): unknown[] {
  const theirs = new Set(listOf(other[list]).map(canonical));
  return listOf(one[list]).filter((entry) => theirs.has(canonical(entry)));
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
 * Finds calls that have not ended: repeats of one call, calls for the same numbers, and the questions of a requester.
 */
export class OpenCalls extends LedgerPart {
  /**
   * The same calls of any actor that wait, run or have no known end, and those that did something and were last changed at
   * `since` (epoch ms) or later; the newest first. A repeat has the same input of the caller, or sends the same: the two
   * differ if a record was readable for one of the calls only.
   */
  same({ given, full, others = [] }: Digests, since: number, queries: Queries = this.parts.db): Promise<Action[]> {
    const all = [{ given, full }, ...others];
    return this.#actions(
      queries,
      `SELECT * FROM actions a WHERE (digest IN (${marks(all)}) OR full_digest IN (${marks(all)}))
         AND ${COUNTS} ORDER BY created_at DESC`,
      ...all.map((one) => one.given),
      ...all.map((one) => one.full),
      this.parts.clock.now(),
      since,
    );
  }

  /** Calls as in `same` that say the same about some of the same targets; those about exactly these targets are among them. */
  async sharing(call: ListedCall, since: number, queries: Queries = this.parts.db): Promise<Action[]> {
    const { operation, list } = call;
    const names = textsIn(call.sent[list]).flatMap(({ value }) => (isName(value) ? [value] : []));
    const rest = ({ [list]: _, ...others }: Fields) => canonicalCall(others);
    const found = new Map<string, ActionRow>();
    for (let from = 0; from < names.length; from += VALUES) {
      const some = names.slice(from, from + VALUES);
      const rows = await queries.all<ActionRow>(
        `SELECT * FROM actions a WHERE operation = ? AND ${COUNTS} AND id IN
           (SELECT action FROM action_names WHERE value IN (${marks(some)}) AND (places & ${PLACES.shown}) <> 0)`,
        operation,
        this.parts.clock.now(),
        since,
        ...some,
      );
      for (const row of rows) found.set(row.id, row);
    }
    const sharing = [...found.values()].filter((row) => {
      const { sent, given } = this.parts.seal.open(row.input, row.id) as SealedInput;
      const isAlike = rest(sent) === rest(call.sent) || rest(given) === rest(call.given);
      return isAlike && sharedTargets(list, sent, call.sent).length > 0;
    });
    return sharing.map((row) => actionOf(row, this.parts.seal));
  }

  /** The id of this person's question about the call that waits, or that was not ended yet; empty for none. */
  async waiting(digest: string, person: string): Promise<string> {
    const sql = `SELECT id FROM actions WHERE digest = ? AND person = ? AND state = 'pending' AND part_of IS NULL`;
    return (await this.parts.db.get<{ id: string }>(sql, digest, person))?.id ?? '';
  }

  /** The waiting questions of this actor about one operation. */
  pendingOf(actorId: string, operation: string): Promise<Action[]> {
    return this.#actions(
      this.parts.db,
      `SELECT * FROM actions WHERE actor_id = ? AND operation = ? AND state = 'pending' AND expires_at > ?`,
      actorId,
      operation,
      this.parts.clock.now(),
    );
  }

  /** Actions in these states that hold one of the values exclusively, the oldest first. */
  async holding(values: readonly string[], states: readonly State[]): Promise<Action[]> {
    const found = new Map<string, Action>();
    for (let from = 0; from < values.length; from += VALUES) {
      const some = values.slice(from, from + VALUES);
      const actions = await this.#actions(
        this.parts.db,
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
  async requireRoom(actorId: string, most: number, queries: Queries = this.parts.db): Promise<void> {
    const open = await queries.get<{ n: number; first: number | null }>(
      `SELECT count(*) AS n, min(expires_at) AS first FROM actions
         WHERE state = 'pending' AND actor_id = ? AND expires_at > ?`,
      actorId,
      this.parts.clock.now(),
    );
    if (open && open.n >= most) throw new TooManyOpen(open.first ?? this.parts.clock.now());
  }

  async #actions(queries: Queries, sql: string, ...values: (string | number)[]): Promise<Action[]> {
    return (await queries.all<ActionRow>(sql, ...values)).map((row) => actionOf(row, this.parts.seal));
  }
}
