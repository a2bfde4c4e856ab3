import type { Clock } from '../../../lib/clock.ts';
import { openDatabase } from '../../../store/database.ts';

export type Seen = ReturnType<typeof openSeen>;

const FORGET_EVERY_MS = 60_000;

/** What has been handled, for as long as it could come again: in a file, so that a restart forgets none of it. */
export function openSeen(path: string, clock: Clock) {
  // A power cut may take back the last of it: what was signed before that is then a second old.
  const db = openDatabase(
    path,
    'CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT',
    {
      durable: false,
    },
  );
  let forgotten = Number.NEGATIVE_INFINITY;
  return {
    /** True the first time, also where two processes ask at once. */
    first(key: string, keepMs: number): boolean {
      const now = clock.now();
      if (now - forgotten > FORGET_EVERY_MS) {
        forgotten = now;
        db.run('DELETE FROM seen WHERE until <= ?', now);
      }
      return db.run('INSERT OR IGNORE INTO seen (key, until) VALUES (?, ?)', key, now + keepMs) === 1;
    },
    close: () => db.close(),
  };
}
