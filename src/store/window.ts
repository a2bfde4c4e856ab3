import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { type Database, openDatabase } from './database.ts';

/** The sliding window of requests that were sent, in one process or in all that share a store. */
export interface Window {
  /**
   * Takes a place in `lane` if fewer than `limit` are held. Returns its id, or the epoch ms at which fewer than `limit`
   * are held as far as is known now. Callers with different limits share a lane: a lower limit leaves places to the
   * others. A place is held until the time that `release` sets, and at most for `holdMs`.
   */
  take(lane: string, limit: number, holdMs: number): { id: string } | { freeAt: number };
  /** The request was answered or failed: its place falls free at `at` (epoch ms). */
  release(id: string, at: number): void;
  /** Places held now, for App Home, /metrics and the limits resource. */
  held(lane: string): number;
}

/** Triggers count the places that are held, so that a take is one statement and costs the same whatever the limit. */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS places (id TEXT PRIMARY KEY, lane TEXT NOT NULL, free_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS places_lane ON places (lane, free_at);
CREATE TABLE IF NOT EXISTS lanes (lane TEXT PRIMARY KEY, held INTEGER NOT NULL) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS taken AFTER INSERT ON places BEGIN
  UPDATE lanes SET held = held + 1 WHERE lane = new.lane;
END;
CREATE TRIGGER IF NOT EXISTS freed AFTER DELETE ON places BEGIN
  UPDATE lanes SET held = held - 1 WHERE lane = old.lane;
END;
`;

const FLUSH_MS = 200;

/** The window of the budget in a file, so that all local processes together keep the platform's limit. */
export class SharedWindow implements Window {
  readonly #db: Database;
  readonly #clock: Clock;
  /** Lanes that are in the file. */
  readonly #lanes = new Set<string>();
  /** A release makes a place free sooner than it was taken for, so it may be written a little later. */
  readonly #released = new Map<string, number>();
  #timer: unknown;
  #isClosed = false;

  constructor(path: string, clock: Clock) {
    this.#db = openDatabase(path, SCHEMA, { durable: false });
    this.#clock = clock;
  }

  take(lane: string, limit: number, holdMs: number): { id: string } | { freeAt: number } {
    this.#addLane(lane);
    const id = randomUUID();
    if (this.#insert(id, lane, limit, holdMs)) return { id };
    // The lane is full as counted. Remove the places that have fallen free meanwhile, and try again.
    this.#prune(lane);
    if (this.#insert(id, lane, limit, holdMs)) return { id };
    // If the limit is below the number of places held, more than one must fall free first.
    const next = this.#db.get<{ at: number }>(
      `SELECT free_at AS at FROM places WHERE lane = ?1 ORDER BY free_at
         LIMIT 1 OFFSET max(0, (SELECT held FROM lanes WHERE lane = ?1) - ?2)`,
      lane,
      limit,
    );
    return { freeAt: next?.at ?? this.#clock.now() };
  }

  release(id: string, at: number): void {
    // The place of a request that outlives the window falls free when its hold is over.
    if (this.#isClosed) return;
    this.#released.set(id, at);
    this.#timer ??= this.#clock.setTimeout(() => this.#flush(), FLUSH_MS);
  }

  held(lane: string): number {
    this.#prune(lane);
    return this.#db.get<{ held: number }>('SELECT held FROM lanes WHERE lane = ?', lane)?.held ?? 0;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    this.#db.close();
  }

  #addLane(lane: string): void {
    if (this.#lanes.has(lane)) return;
    this.#db.run('INSERT OR IGNORE INTO lanes (lane, held) VALUES (?, 0)', lane);
    this.#lanes.add(lane);
    this.#prune(lane);
  }

  #insert(id: string, lane: string, limit: number, holdMs: number): boolean {
    const inserted = this.#db.run(
      'INSERT INTO places (id, lane, free_at) SELECT ?, ?, ? WHERE (SELECT held FROM lanes WHERE lane = ?) < ?',
      id,
      lane,
      this.#clock.now() + holdMs,
      lane,
      limit,
    );
    return inserted === 1;
  }

  #prune(lane: string): void {
    this.#flush();
    this.#db.run('DELETE FROM places WHERE lane = ? AND free_at <= ?', lane, this.#clock.now());
  }

  #flush(): void {
    if (this.#timer !== undefined) this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#released.size === 0) return;
    this.#db.transaction(() => {
      for (const [id, at] of this.#released) this.#db.run('UPDATE places SET free_at = ? WHERE id = ?', at, id);
    });
    this.#released.clear();
  }
}

export function createSharedWindow(path: string, clock: Clock): SharedWindow {
  return new SharedWindow(path, clock);
}
