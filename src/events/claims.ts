import type { Clock } from '../lib/clock.ts';
import type { Database, Queries, Value } from '../store/types.ts';
import {
  type Claim,
  type ClaimedEvent,
  FIRST,
  fromRow,
  HEADS,
  LIVE,
  OPEN,
  PARKED,
  type Row,
  UNCLAIMED,
} from './inbox-schema.ts';
import type { WriteQueue, Writing } from './write-queue.ts';

/**
 * The events that this process may handle now, and the time of its next claim (epoch ms; undefined: when there is
 * work).
 */
export interface Claimable {
  events: ClaimedEvent[];
  wakeAt: number | undefined;
}

/** While events cannot be shown, none is handled before `until`. It is 0 while they can be shown. */
interface Pause {
  until: number;
  /** Events that arrived up to this time had to wait. They are handled one by one, in order. */
  inOrderUntil: number;
}

interface LiveClaim {
  id: number;
  subject: string;
  until: number;
}

/** Longest random delay after a collision, so that the processes claim again at different times. */
const COLLISION_MS = 20;

export interface ClaimsOptions {
  database: Database;
  clock: Clock;
  queue: WriteQueue;
  /** Identifies this process. */
  owner: string;
}

/** Decides which process handles which event. Only the first open event of each subject can be claimed. */
export class Claims {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #queue: WriteQueue;
  readonly #owner: string;

  constructor({ database, clock, queue, owner }: ClaimsOptions) {
    this.#database = database;
    this.#clock = clock;
    this.#queue = queue;
    this.#owner = owner;
  }

  /** Claims at most `limit` due events for `ms`, the longest due first. */
  async take(limit: number, ms: number): Promise<Claimable> {
    const now = this.#clock.now();
    const pause = await this.#pause();
    if (pause.until > now) return { events: [], wakeAt: pause.until };
    const live = await this.#live(now);
    const first = await this.#first(now);
    const lapse = Math.min(...live.map(({ until }) => until));
    const wakeAt = Math.min(first?.next_at ?? Number.POSITIVE_INFINITY, lapse);
    const later = { events: [], wakeAt: Number.isFinite(wakeAt) ? wakeAt : undefined };
    if (!first || first.next_at > now) return later;
    const isAlone = pause.until > 0 || first.arrived_at <= pause.inOrderUntil;
    if (isAlone && live.length > 0) return { events: [], wakeAt: lapse };
    const events = isAlone ? await this.#claimAlone(now + ms) : await this.#claimMany(limit, now + ms, pause);
    if (events.length === 0)
      return { events, wakeAt: this.#clock.now() + 1 + Math.floor(Math.random() * COLLISION_MS) };
    return { events: events.map((event) => ({ ...event, isProbe: pause.until > 0 })), wakeAt: undefined };
  }

  /** Extends claims for `ms`. Resolves to the claims that this process still holds. */
  async renew(claims: readonly Claim[], ms: number): Promise<Claim[]> {
    if (claims.length === 0) return [];
    const rows = await this.#database.all<Claim>(
      `UPDATE events SET claimed_until = ? WHERE owner = ? AND ${OPEN} AND id IN (${places(claims)}) RETURNING id, claim`,
      this.#clock.now() + ms,
      this.#owner,
      ...claims.map(({ id }) => id),
    );
    return claims.filter(({ id, claim }) => rows.some((row) => row.id === id && row.claim === claim));
  }

  /** Gives back every claim of this process, so that another one takes over at once. */
  async release(): Promise<void> {
    await this.#database.run(
      `UPDATE events SET claimed_until = 0, owner = NULL WHERE ${OPEN} AND claimed_until > 0 AND owner = ?`,
      this.#owner,
    );
  }

  /**
   * Ends the wait of a pause, so that the next event is tried at once. The pause itself goes on until an event is
   * shown.
   */
  async endPause(): Promise<void> {
    const now = this.#clock.now();
    await this.#database.run('UPDATE event_pause SET until = ? WHERE until > ?', now, now);
  }

  async #pause(queries: Queries = this.#database): Promise<Pause> {
    const row = await queries.get<Pause>('SELECT until, in_order_until AS "inOrderUntil" FROM event_pause');
    return row ?? { until: 0, inOrderUntil: 0 };
  }

  /** Claims of any process that have not lapsed. */
  #live(now: number, queries: Queries = this.#database): Promise<LiveClaim[]> {
    return queries.all<LiveClaim>(`SELECT c.id, c.subject, c.claimed_until AS until FROM events c WHERE ${LIVE}`, now);
  }

  /** The event that falls due next among those that can be claimed. */
  #first(now: number): Promise<Pick<Row, 'next_at' | 'arrived_at'> | undefined> {
    return this.#database.get(
      `SELECT e.next_at, e.arrived_at ${HEADS} AND e.next_at < ${PARKED} AND ${UNCLAIMED}
         ORDER BY e.next_at, e.id LIMIT 1`,
      now,
    );
  }

  /** Claims events of different subjects. Gives them back if a pause has begun in the meantime. */
  async #claimMany(limit: number, until: number, pause: Pause): Promise<ClaimedEvent[]> {
    const claimed = await this.#queue.writeLater(({ queries }) =>
      this.#claim(queries, { limit, until, after: pause.inOrderUntil }),
    );
    if (claimed.length === 0) return [];
    if ((await this.#pause()).until <= this.#clock.now()) return this.#withoutCollisions(claimed);
    for (const claim of claimed) await giveBack(this.#database, claim);
    return [];
  }

  /** Claims the first event that is due, if no process has a claim. Processes do this one after another. */
  #claimAlone(until: number): Promise<ClaimedEvent[]> {
    return this.#database.transaction(async (queries) => {
      await queries.lock('events claimed alone');
      const live = await this.#live(this.#clock.now(), queries);
      const now = this.#clock.now();
      // In the meantime, another process may have tried an event and put off all others.
      if (live.length > 0 || (await this.#pause(queries)).until > now) return [];
      return this.#claim(queries, { limit: 1, until, after: 0 });
    });
  }

  async #claim(
    queries: Queries,
    { limit, until, after }: { limit: number; until: number; after: number },
  ): Promise<ClaimedEvent[]> {
    const now = this.#clock.now();
    const rows = await queries.all<Row>(
      `WITH due AS (
         SELECT e.id FROM events e WHERE ${OPEN} AND e.next_at <= ? AND +e.claimed_until <= ? AND +e.arrived_at > ?
           AND ${FIRST} AND ${UNCLAIMED} ORDER BY e.next_at, e.id LIMIT ? FOR UPDATE SKIP LOCKED)
       UPDATE events SET claim = claim + 1, owner = ?, claimed_until = ? WHERE id IN (SELECT id FROM due) RETURNING *`,
      now,
      now,
      after,
      now,
      limit,
      this.#owner,
      until,
    );
    return rows
      .sort((a, b) => a.next_at - b.next_at || a.id - b.id)
      .map((row) => ({ ...fromRow(row), claim: row.claim, claimedUntil: row.claimed_until, isProbe: false }));
  }

  /**
   * Gives back an event if another process has claimed one of the same subject at the same time. The transaction of a
   * claim does not see a concurrent one; after both are written, the later one sees the other.
   */
  async #withoutCollisions(claimed: readonly ClaimedEvent[]): Promise<ClaimedEvent[]> {
    if (claimed.length === 0 || this.#database.engine === 'sqlite') return [...claimed];
    const ids = new Set(claimed.map(({ id }) => id));
    const others = (await this.#live(this.#clock.now())).filter(({ id }) => !ids.has(id));
    const collides = ({ event }: ClaimedEvent) => others.some(({ subject }) => subject === event.subject);
    const lost = claimed.filter(collides);
    for (const claim of lost) await giveBack(this.#database, claim);
    return claimed.filter((event) => !collides(event));
  }
}

/** Ends a claim if it is still the newest one. */
export async function giveBack(queries: Queries, { id, claim }: Claim): Promise<void> {
  await queries.run('UPDATE events SET claimed_until = 0, owner = NULL WHERE id = ? AND claim = ?', id, claim);
}

/** The row of an open event, locked, if the claim is still the newest. */
export function claimedRow({ queries }: Writing, { id, claim }: Claim): Promise<Row | undefined> {
  return queries.get<Row>(`SELECT * FROM events WHERE id = ? AND claim = ? AND ${OPEN} FOR UPDATE`, id, claim);
}

function places(values: readonly unknown[]): string {
  return values.map((): Value => '?').join(', ');
}
