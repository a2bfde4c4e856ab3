import type { Clock } from '../../../lib/clock.ts';
import { type Database, openDatabase } from '../../../store/database.ts';

const FORGET_EVERY_MS = 60_000;
const SCHEMA = 'CREATE TABLE IF NOT EXISTS seen (key TEXT PRIMARY KEY, until INTEGER NOT NULL) STRICT';

/** Requests that were handled, in a file, so that none is handled again after a restart. */
export class SeenRequests {
  private readonly db: Database;
  private readonly clock: Clock;
  private forgotten = Number.NEGATIVE_INFINITY;

  constructor(path: string, clock: Clock) {
    this.clock = clock;
    // A power cut may undo the last writes. Slack's signatures of those requests expire within minutes.
    this.db = openDatabase(path, SCHEMA, { durable: false });
  }

  /** True the first time within `keepMs`, also if two processes ask at once. */
  first(key: string, keepMs: number): boolean {
    const now = this.clock.now();
    if (now - this.forgotten > FORGET_EVERY_MS) {
      this.forgotten = now;
      this.db.run('DELETE FROM seen WHERE until <= ?', now);
    }
    return this.db.run('INSERT OR IGNORE INTO seen (key, until) VALUES (?, ?)', key, now + keepMs) === 1;
  }

  close(): void {
    this.db.close();
  }
}
