import type { Clock } from '../../../lib/clock.ts';
import { openDatabase } from '../../../store/database.ts';
import type { Doubt } from './once.ts';
import type { Posted } from './web.ts';

const SCHEMA = `CREATE TABLE IF NOT EXISTS threads (
  key TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  ts TEXT NOT NULL,
  said TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS doubts (
  name TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  doubt TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS outage (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  channel TEXT NOT NULL,
  reason TEXT NOT NULL,
  since INTEGER NOT NULL,
  told TEXT NOT NULL DEFAULT '[]'
) STRICT`;

/** A message that stands for something: where it is, and what it said last. */
export interface Thread extends Posted {
  reworded: string;
  at: number;
  /** It stands in a channel that SLACK_EVENTS_CHANNEL no longer names: nothing is added to it. */
  elsewhere: boolean;
}

/** Slack refuses events, since when and why; `told` are the people who were told. */
export interface Outage {
  channel: string;
  reason: string;
  since: number;
  told: string[];
}

export type Threads = ReturnType<typeof openThreads>;

const CALLS_MS = 7 * 86_400_000;

/** What the events' channel shows and what it may show, in a file that all processes share. */
export function openThreads(path: string, channel: string, clock: Clock) {
  const db = openDatabase(path, SCHEMA, { durable: true });
  // `asked`: the channel as the settings named it; Slack may answer with another id for the same one.
  if (!db.get(`SELECT 1 FROM pragma_table_info('threads') WHERE name = 'asked'`))
    db.run(`ALTER TABLE threads ADD COLUMN asked TEXT`);
  db.run(`DELETE FROM threads WHERE key LIKE 'call %' AND at < ?`, clock.now() - CALLS_MS);

  return {
    get(key: string): Thread | undefined {
      const row = db.get<Posted & { reworded: string; at: number; asked: string | null }>(
        'SELECT channel, ts, said AS reworded, at, asked FROM threads WHERE key = ?',
        key,
      );
      return row && { ...row, elsewhere: (row.asked ?? row.channel) !== channel };
    },

    /** The message stands there and says this; what was in doubt about `key` is settled. */
    keep(key: string, { channel: at, ts }: Posted, reworded: string): void {
      db.transaction(() => {
        db.run(
          'INSERT OR REPLACE INTO threads (key, channel, ts, said, at, asked) VALUES (?, ?, ?, ?, ?, ?)',
          key,
          at,
          ts,
          reworded,
          clock.now(),
          channel,
        );
        db.run('DELETE FROM doubts WHERE key = ?', key);
      });
    },

    doubt(name: string): Doubt | undefined {
      const row = db.get<{ doubt: string }>('SELECT doubt FROM doubts WHERE name = ?', name);
      return row && (JSON.parse(row.doubt) as Doubt);
    },

    /** `key`: what the message is about, as for `keep`. */
    putDoubt(name: string, key: string, doubt: Doubt | undefined): void {
      if (doubt)
        db.run('INSERT OR REPLACE INTO doubts (name, key, doubt) VALUES (?, ?, ?)', name, key, JSON.stringify(doubt));
      else db.run('DELETE FROM doubts WHERE name = ?', name);
    },

    outage(): Outage | undefined {
      const row = db.get<Omit<Outage, 'told'> & { told: string }>('SELECT channel, reason, since, told FROM outage');
      return row && { ...row, told: JSON.parse(row.told) as string[] };
    },

    putOutage(outage: Outage | undefined): void {
      if (!outage) db.run('DELETE FROM outage');
      else
        db.run(
          'INSERT OR REPLACE INTO outage (one, channel, reason, since, told) VALUES (1, ?, ?, ?, ?)',
          outage.channel,
          outage.reason,
          outage.since,
          JSON.stringify(outage.told),
        );
    },

    close: () => db.close(),
  };
}
