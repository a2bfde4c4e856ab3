import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Window } from '../platform/types.ts';
import { openDatabase } from './database.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS places (id TEXT PRIMARY KEY, lane TEXT NOT NULL, free_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS places_lane ON places (lane, free_at);
CREATE TABLE IF NOT EXISTS lanes (lane TEXT PRIMARY KEY, held INTEGER NOT NULL) WITHOUT ROWID;
`;

const FLUSH_MS = 200;

/**
 * The budget's window in a file, so that all local processes together keep the platform's limit (design: one budget).
 * How many places are held is counted as they come and go: a take costs the same whatever the limit.
 */
export function createSharedWindow(path: string, clock: Clock): Window & { close(): void } {
  const db = openDatabase(path, SCHEMA, { durable: false });
  const known = new Set<string>();
  // A release only makes a place free sooner than it was taken for, so it may be written with the next take.
  const released = new Map<string, number>();
  let timer: unknown;
  const writeReleased = () => {
    for (const [id, at] of released) db.run('UPDATE places SET free_at = ? WHERE id = ?', at, id);
    released.clear();
  };
  const flush = () => {
    timer = undefined;
    if (released.size > 0) db.transaction(writeReleased);
  };
  const prune = (lane: string, now: number) => {
    const gone = db.run('DELETE FROM places WHERE lane = ? AND free_at <= ?', lane, now);
    if (gone > 0) db.run('UPDATE lanes SET held = held - ? WHERE lane = ?', gone, lane);
  };
  return {
    take: (lane, limit, holdMs) =>
      db.transaction(() => {
        const now = clock.now();
        if (!known.has(lane)) {
          db.run('INSERT OR IGNORE INTO lanes (lane, held) VALUES (?, 0)', lane);
          known.add(lane);
        }
        writeReleased();
        prune(lane, now);
        if (db.run('UPDATE lanes SET held = held + 1 WHERE lane = ? AND held < ?', lane, limit) === 0) {
          const soonest = db.get<{ at: number | null }>('SELECT min(free_at) AS at FROM places WHERE lane = ?', lane);
          return { freeAt: soonest?.at ?? now };
        }
        const id = randomUUID();
        db.run('INSERT INTO places (id, lane, free_at) VALUES (?, ?, ?)', id, lane, now + holdMs);
        return { id };
      }),
    release: (id, at) => {
      released.set(id, at);
      timer ??= clock.setTimeout(flush, FLUSH_MS);
    },
    held: (lane) =>
      db.get<{ n: number }>('SELECT count(*) AS n FROM places WHERE lane = ? AND free_at > ?', lane, clock.now())?.n ??
      0,
    close: () => {
      if (timer !== undefined) clock.clearTimeout(timer);
      flush();
      db.close();
    },
  };
}
