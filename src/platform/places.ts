import { randomUUID } from 'node:crypto';
import { after, type Clock, MINUTE_MS, monotonicOf } from '../lib/clock.ts';
import { readOrElse } from '../store/key-values.ts';
import type { Database, Transaction } from '../store/types.ts';
import type { ClientOptions } from './wire.ts';

/** A window whose next free place is not known is counted again after this time. */
export const COUNT_AGAIN_MS = 1_000;
/** While the database is away, the processes that were counted share this part of the window. */
const PART_OF_COUNTED = 1 / 2;
/** Each other process has this part, because it does not know how many others there are. The window holds six of them. */
const PART_OF_NEW = 1 / 12;
/** A place whose request is not sent at once is held for this much longer. */
const KEPT_MS = MINUTE_MS;
/** A place is held for this long at most, by every process: its timeout may be longer, and no request travels for longer. */
export const LONGEST_HOLD_MS = 3 * MINUTE_MS;
/** Released places are written together, so that a read costs one transaction and not two. */
const GATHER_MS = 50;
/** Ended rows are deleted this often. */
const TIDY_MS = 5_000;

/** The share of a class of requests in the window. */
export interface Share {
  /** The class, as a number: 0 is the most urgent. */
  level: number;
  /** Maximum number of places held by all classes when one is given to this class. */
  limit: number;
  /** Maximum number of places that this class may hold. */
  ownLimit: number;
  /** The last places of the class, which actors that hold `many` leave to others; 0: none are kept. */
  newcomers: number;
  many: number;
}

/** No place is free. */
export interface Full {
  /** The time when the next one is free. */
  freeAt: number;
  /**
   * The reason: the window is full or one request probes, the class or the actor has used its own part, or a 429 pauses
   * all.
   */
  full: 'window' | 'class' | 'actor' | 'paused';
}

/** A place that was taken, or the reason why none was. */
export type Taken = { id: string; probes: boolean } | Full;

/** A lane in the database: after a 429 the end of its pause and of its probe, and the places held in it. */
interface LaneState {
  until: number | null;
  doubtful: number | null;
  probe: number | null;
  total: number;
}

const LANE = `SELECT l.paused_until AS until, l.doubtful, l.probe_until AS probe,
    (SELECT count(*) FROM places p WHERE p.lane = ? AND p.free_at > ?) AS total
  FROM (SELECT 1) AS one LEFT JOIN lanes l ON l.lane = ?`;

/** A place of this process. */
interface Held {
  /** In the time of `now`. */
  freeAt: number;
  level: number;
  actor: string;
}

interface PlacesOptions {
  clock: Clock;
  log: ClientOptions['log'];
  /** Shared by all processes of an installation. If left out, the window belongs to this process alone. */
  database: Database | undefined;
  /** Name of the lane in the database. */
  lane: string;
  /** A place without an answer is free after this time, in ms. */
  holdMs: number;
}

/**
 * The sliding window of one lane. A place is one row, inserted in a transaction that counts the others, so that all
 * processes together keep the limit. While the database is away, this process uses a part of the window.
 *
 * All times are the monotonic ones of the clock, which all processes of a machine share, so that a clock that is set
 * neither frees places nor holds them. Processes of several machines use the time of their database, which each of them
 * follows by its own monotonic clock.
 */
export class Places {
  readonly #options: PlacesOptions;
  readonly #owner = randomUUID();
  /** The places of this process, by id. */
  readonly #own = new Map<string, Held>();
  /** Places that the database does not have as they are now. */
  readonly #unwritten = new Set<string>();
  readonly #writes = new Set<Promise<unknown>>();
  /** Cancels the next write of changed places. */
  #cancel: (() => void) | undefined;
  #tidiedAt = Number.NEGATIVE_INFINITY;
  /** This process's part of the window while the database is away. */
  #part = 1;
  /** The places of the other processes at the last count, and until when they are held at most. */
  #others = { taken: 0, until: 0 };
  /** Time of the last attempt to take a place. The others do not count a process that took none for a minute. */
  #triedAt = Number.NEGATIVE_INFINITY;
  /** The state after a 429, for the time without a database. */
  #pausedUntil = 0;
  #isDoubtful = false;
  #isProbing = false;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** The time of the places, in ms. */
  now(): number {
    return Math.floor(monotonicOf(this.#options.clock));
  }

  /** Takes a place for an actor. Rejects only if the database refuses the statements themselves. */
  async take(share: Share, actor: string): Promise<Taken> {
    if (this.#options.database && this.now() - this.#triedAt > MINUTE_MS) this.#part = PART_OF_NEW;
    this.#triedAt = this.now();
    const shared = this.#options.database?.transaction((tx) => this.#takeShared(tx, share, actor));
    const taken = shared && (await readOrElse(shared, undefined));
    if (taken) return taken;
    const alone = this.#takeAlone(share, actor);
    if (this.#options.database) this.#writeAllAgain();
    return alone;
  }

  /** Frees the place after this time; 0: at once. */
  release(id: string, ms: number): void {
    const own = this.#own.get(id);
    if (!own) return;
    own.freeAt = Math.min(own.freeAt, this.now() + ms);
    this.#flush(id, Math.min(ms, GATHER_MS));
  }

  /** True if the place is held for this long from now on. */
  holds(id: string, ms: number): boolean {
    return (this.#own.get(id)?.freeAt ?? 0) >= this.now() + ms;
  }

  /** Holds the place for longer, because its request is not sent yet. */
  keep(id: string): void {
    const own = this.#own.get(id);
    if (!own) return;
    own.freeAt += KEPT_MS;
    this.#flush(id);
  }

  /**
   * Keeps all processes from taking places before `until` (in the time of `now`). After that, a single request may take one
   * until `probed` records its answer.
   */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    this.#isDoubtful = true;
    this.#isProbing = false;
    this.#write((database) =>
      database.run(
        `INSERT INTO lanes (lane, paused_until, doubtful, probe_until) VALUES (?, ?, 1, 0)
           ON CONFLICT (lane) DO UPDATE SET doubtful = 1, probe_until = 0,
             paused_until = CASE WHEN lanes.paused_until > excluded.paused_until
               THEN lanes.paused_until ELSE excluded.paused_until END`,
        this.#options.lane,
        until,
      ),
    );
  }

  /**
   * Records the answer to the single request after a pause. `isOpen`: the platform answered something other than 429.
   */
  probed(isOpen: boolean): void {
    this.#isDoubtful = !isOpen;
    this.#isProbing = false;
    this.#write((database) =>
      database.run('UPDATE lanes SET doubtful = ?, probe_until = 0 WHERE lane = ?', isOpen ? 0 : 1, this.#options.lane),
    );
  }

  /** Places held now, by all processes. */
  async held(): Promise<number> {
    const { database, lane } = this.#options;
    const sql = 'SELECT count(*) AS n FROM places WHERE lane = ? AND free_at > ?';
    const row = database && (await readOrElse(database.get<{ n: number }>(sql, lane, this.now()), undefined));
    return row?.n ?? this.#ownHeld().length;
  }

  /** Resolves when all pending writes of this process have ended. */
  async close(): Promise<void> {
    if (this.#cancel) this.#writeChanged();
    await Promise.all(this.#writes);
  }

  async #takeShared(tx: Transaction, share: Share, actor: string): Promise<Taken> {
    const { lane, holdMs } = this.#options;
    await tx.lock(`places ${lane}`);
    if (this.now() - this.#tidiedAt >= TIDY_MS) await this.#tidy(tx);
    const now = this.now();
    const state = await tx.get<LaneState>(LANE, lane, now, lane);
    if (state === undefined) throw new Error('the lane could not be read');
    const { until, probe, total } = state;
    this.#others = { taken: Math.max(0, total - this.#own.size), until: now + MINUTE_MS };
    if (until !== null && until > now) return { freeAt: until, full: 'paused' };
    if (state.doubtful && probe !== null && probe > now) return { freeAt: probe, full: 'window' };
    const { own, mine } = await this.#counts(tx, share, { actor, total, now });
    const limit = limitFor(share, mine);
    if (total >= limit)
      return { freeAt: await this.#nextFree(tx, now, total - limit), full: total < share.limit ? 'actor' : 'window' };
    if (own >= share.ownLimit)
      return { freeAt: await this.#nextFree(tx, now, own - share.ownLimit, share.level), full: 'class' };
    const id = randomUUID();
    const freeAt = now + holdMs;
    await tx.run(
      'INSERT INTO places (id, lane, owner, level, actor, free_at) VALUES (?, ?, ?, ?, ?, ?)',
      ...[id, lane, this.#owner, share.level, actor, freeAt],
    );
    if (state.doubtful) await tx.run('UPDATE lanes SET probe_until = ? WHERE lane = ?', freeAt, lane);
    this.#own.set(id, { freeAt, level: share.level, actor });
    return { id, probes: state.doubtful === 1 };
  }

  /** Held places of the class and of the actor. They are counted only where they decide. */
  async #counts(
    tx: Transaction,
    { level, limit, ownLimit, newcomers }: Share,
    { actor, total, now }: { actor: string; total: number; now: number },
  ) {
    if (total < limit - newcomers && total < ownLimit) return { own: 0, mine: 0 };
    const row = await tx.get<{ own: number | null; mine: number | null }>(
      `SELECT sum(CASE WHEN level = ? THEN 1 ELSE 0 END) AS own, sum(CASE WHEN actor = ? THEN 1 ELSE 0 END) AS mine
         FROM places WHERE lane = ? AND free_at > ?`,
      ...[level, actor, this.#options.lane, now],
    );
    return { own: row?.own ?? 0, mine: row?.mine ?? 0 };
  }

  /** Deletes ended rows, writes those of this process, and counts the processes that send. */
  async #tidy(tx: Transaction): Promise<void> {
    const { lane } = this.#options;
    const now = this.now();
    this.#tidiedAt = now;
    await this.#writeOwn(tx, now);
    this.#ownHeld();
    // A time that is later than any request needs is that of another clock: before the machine restarted, or of the store
    // that this one was copied from.
    const latest = now + LONGEST_HOLD_MS + KEPT_MS;
    await tx.run('DELETE FROM places WHERE lane = ? AND (free_at <= ? OR free_at > ?)', lane, now, latest);
    await tx.run('DELETE FROM lanes WHERE lane = ? AND (paused_until > ? OR probe_until > ?)', lane, latest, latest);
    const others = 'SELECT count(DISTINCT owner) AS n FROM places WHERE lane = ? AND owner <> ?';
    const row = await tx.get<{ n: number }>(others, lane, this.#owner);
    this.#part = PART_OF_COUNTED / (1 + (row?.n ?? 0));
  }

  /** Time when `more` + 1 places will be free, of one class if `level` is given; 0 if fewer are held. */
  async #nextFree(tx: Transaction, now: number, more: number, level?: number): Promise<number> {
    const row = await tx.get<{ at: number }>(
      `SELECT free_at AS at FROM places WHERE lane = ? AND free_at > ? AND (level = ? OR ? < 0)
         ORDER BY free_at LIMIT 1 OFFSET ?`,
      ...[this.#options.lane, now, level ?? -1, level ?? -1, more],
    );
    return row?.at ?? 0;
  }

  /** Writes the places of this process that the database does not have as they are. */
  async #writeOwn(tx: Transaction, now: number): Promise<void> {
    for (const id of this.#unwritten) {
      const own = this.#own.get(id);
      if (own && own.freeAt > now - this.#options.holdMs)
        await tx.run(
          `INSERT INTO places (id, lane, owner, level, actor, free_at) VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (id) DO UPDATE SET free_at = excluded.free_at`,
          ...[id, this.#options.lane, this.#owner, own.level, own.actor, own.freeAt],
        );
    }
    this.#unwritten.clear();
  }

  /** Takes a place in this process's part of the window, without the database. */
  #takeAlone(share: Share, actor: string): Taken {
    const { level, ownLimit } = share;
    const now = this.now();
    if (this.#pausedUntil > now) return { freeAt: this.#pausedUntil, full: 'paused' };
    if (this.#isDoubtful && this.#isProbing) return { freeAt: now + COUNT_AGAIN_MS, full: 'window' };
    const held = this.#ownHeld();
    const ofClass = held.filter((one) => one.level === level);
    const limit = limitFor(share, held.filter((one) => one.actor === actor).length);
    const taken = this.#others.until > now ? this.#others.taken : 0;
    const part = (all: number) => Math.max(1, Math.floor((all - taken) * this.#part));
    const full = (places: readonly Held[], most: number) =>
      places[places.length - most]?.freeAt ?? now + COUNT_AGAIN_MS;
    if (held.length >= part(limit))
      return { freeAt: full(held, part(limit)), full: held.length < part(share.limit) ? 'actor' : 'window' };
    if (ofClass.length >= part(ownLimit)) return { freeAt: full(ofClass, part(ownLimit)), full: 'class' };
    const id = randomUUID();
    this.#own.set(id, { freeAt: now + this.#options.holdMs, level, actor });
    this.#isProbing = this.#isDoubtful;
    return { id, probes: this.#isDoubtful };
  }

  /** The places of this process, sorted by the time at which they are free. */
  #ownHeld(): Held[] {
    const now = this.now();
    for (const [id, { freeAt }] of this.#own) if (freeAt <= now) this.#own.delete(id);
    return [...this.#own.values()].sort((a, b) => a.freeAt - b.freeAt);
  }

  /** Lets the next count write all places of this process first, because a transaction that failed may have held them. */
  #writeAllAgain(): void {
    this.#tidiedAt = Number.NEGATIVE_INFINITY;
    for (const id of this.#own.keys()) this.#unwritten.add(id);
  }

  /** Writes a place with the others that changed: now, or where `ms` is given, those of this time together. */
  #flush(id: string, ms = 0): void {
    if (!this.#options.database) return;
    this.#unwritten.add(id);
    if (ms === 0) this.#writeChanged();
    else this.#cancel ??= after(this.#options.clock, ms, () => this.#writeChanged());
  }

  #writeChanged(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#write((database) => database.transaction((tx) => this.#writeOwn(tx, this.now())));
  }

  /**
   * Writes without waiting. If the database is away, the next place that is taken writes the change, or the row expires.
   */
  #write(write: (database: Database) => Promise<unknown>): void {
    const { database } = this.#options;
    if (!database) return;
    const writing = write(database)
      .catch((error: unknown) => {
        this.#writeAllAgain();
        this.#options.log?.('debug', { error: String(error) }, 'the budget could not be written');
      })
      .finally(() => this.#writes.delete(writing));
    this.#writes.add(writing);
  }
}

/** The most places that may be held when one is given to an actor that holds `mine`. */
function limitFor({ limit, newcomers, many }: Share, mine: number): number {
  return newcomers > 0 && mine >= many ? Math.max(1, limit - newcomers) : limit;
}
