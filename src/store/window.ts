import { randomUUID } from 'node:crypto';
import type { Clock } from '../lib/clock.ts';
import { openDatabase } from './database.ts';

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

/** How many places are held is counted as they come and go: a take is one statement, and costs the same whatever the limit. */
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

/** The budget's window in a file, so that all local processes together keep the platform's limit. */
export function createSharedWindow(path: string, clock: Clock): Window & { close(): void } {
  const db = openDatabase(path, SCHEMA, { durable: false });
  const known = new Set<string>();
  // A release only makes a place free sooner than it was taken for, so it may be written a little later.
  const released = new Map<string, number>();
  let timer: unknown;
  let closed = false;
  const flush = () => {
    if (timer !== undefined) clock.clearTimeout(timer);
    timer = undefined;
    if (released.size === 0) return;
    db.transaction(() => {
      for (const [id, at] of released) db.run('UPDATE places SET free_at = ? WHERE id = ?', at, id);
    });
    released.clear();
  };
  const prune = (lane: string) => {
    flush();
    db.run('DELETE FROM places WHERE lane = ? AND free_at <= ?', lane, clock.now());
  };
  const insert = (id: string, lane: string, limit: number, holdMs: number) =>
    db.run(
      'INSERT INTO places (id, lane, free_at) SELECT ?, ?, ? WHERE (SELECT held FROM lanes WHERE lane = ?) < ?',
      id,
      lane,
      clock.now() + holdMs,
      lane,
      limit,
    ) === 1;
  return {
    take: (lane, limit, holdMs) => {
      if (!known.has(lane)) {
        db.run('INSERT OR IGNORE INTO lanes (lane, held) VALUES (?, 0)', lane);
        known.add(lane);
        prune(lane);
      }
      const id = randomUUID();
      if (insert(id, lane, limit, holdMs)) return { id };
      // Full as counted: what has fallen free meanwhile is taken out, and the count is asked again.
      prune(lane);
      if (insert(id, lane, limit, holdMs)) return { id };
      // Under a limit below what is held, more than one must leave first.
      const leaver = db.get<{ at: number }>(
        `SELECT free_at AS at FROM places WHERE lane = ?1 ORDER BY free_at
         LIMIT 1 OFFSET max(0, (SELECT held FROM lanes WHERE lane = ?1) - ?2)`,
        lane,
        limit,
      );
      return { freeAt: leaver?.at ?? clock.now() };
    },
    release: (id, at) => {
      // The place of a request that outlives the window falls free when its hold is over.
      if (closed) return;
      released.set(id, at);
      timer ??= clock.setTimeout(flush, FLUSH_MS);
    },
    held: (lane) => {
      prune(lane);
      return db.get<{ held: number }>('SELECT held FROM lanes WHERE lane = ?', lane)?.held ?? 0;
    },
    close: () => {
      if (closed) return;
      flush();
      closed = true;
      db.close();
    },
  };
}
