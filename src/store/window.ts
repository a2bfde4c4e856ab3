import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Window } from '../platform/types.ts';
import { openDatabase } from './database.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS places (id TEXT PRIMARY KEY, lane TEXT NOT NULL, free_at INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS places_lane ON places (lane, free_at);
`;

/** The budget's window in a file, so that all local processes together keep the platform's limit (design: one budget). */
export function createSharedWindow(path: string, clock: Clock): Window & { close(): void } {
  const db = openDatabase(path, SCHEMA, { durable: false });
  return {
    take: (lane, limit, holdMs) =>
      db.transaction(() => {
        const now = clock.now();
        db.run('DELETE FROM places WHERE lane = ? AND free_at <= ?', lane, now);
        const held = db.get<{ n: number; soonest: number | null }>(
          'SELECT count(*) AS n, min(free_at) AS soonest FROM places WHERE lane = ?',
          lane,
        );
        if (held !== undefined && held.n >= limit) return { freeAt: held.soonest ?? now };
        const id = randomUUID();
        db.run('INSERT INTO places (id, lane, free_at) VALUES (?, ?, ?)', id, lane, now + holdMs);
        return { id };
      }),
    release: (id, at) => {
      db.run('UPDATE places SET free_at = ? WHERE id = ?', at, id);
    },
    held: (lane) =>
      db.get<{ n: number }>('SELECT count(*) AS n FROM places WHERE lane = ? AND free_at > ?', lane, clock.now())?.n ??
      0,
    close: () => db.close(),
  };
}
