import type { Clock } from '../../../lib/clock.ts';
import { addColumns, type Database, openDatabase } from '../../../store/database.ts';
import type { Posted, UnconfirmedPost } from '../types.ts';

/*
 * Files of earlier versions keep their column and table names: `said` is what a message shows, `doubts` has unconfirmed
 * posts, and `told` the users who were notified.
 */
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

/** The message about one subject: an order, a conversation, a call. */
export interface Thread extends Posted {
  /** What was last shown, as the caller encoded it. */
  shown: string;
  at: number;
  /** It is in a channel that SLACK_EVENTS_CHANNEL no longer names: nothing is added to it. */
  inOtherChannel: boolean;
}

/** A period in which Slack refuses every event. `notified`: the users who were warned about it. */
export interface Outage {
  channel: string;
  reason: string;
  since: number;
  notified: string[];
}

const CALLS_MS = 7 * 86_400_000;

/** What the events channel shows, in a file that all processes share. */
export class EventThreads {
  private readonly db: Database;
  private readonly channel: string;
  private readonly clock: Clock;

  constructor(path: string, channel: string, clock: Clock) {
    this.channel = channel;
    this.clock = clock;
    this.db = openDatabase(path, SCHEMA, { durable: true });
    // `asked` is the channel as the settings named it; Slack may answer with another id for the same one.
    addColumns(this.db, 'threads', { asked: 'TEXT' });
    this.db.run(`DELETE FROM threads WHERE key LIKE 'call %' AND at < ?`, clock.now() - CALLS_MS);
  }

  get(key: string): Thread | undefined {
    const row = this.db.get<Posted & { shown: string; at: number; asked: string | null }>(
      'SELECT channel, ts, said AS shown, at, asked FROM threads WHERE key = ?',
      key,
    );
    return row && { ...row, inOtherChannel: (row.asked ?? row.channel) !== this.channel };
  }

  /** Records the message about `key` and what it shows. Settles every unconfirmed post about `key`. */
  put(key: string, { channel, ts }: Posted, shown: string): void {
    this.db.transaction(() => {
      this.db.run(
        'INSERT OR REPLACE INTO threads (key, channel, ts, said, at, asked) VALUES (?, ?, ?, ?, ?, ?)',
        key,
        channel,
        ts,
        shown,
        this.clock.now(),
        this.channel,
      );
      this.db.run('DELETE FROM doubts WHERE key = ?', key);
    });
  }

  unconfirmed(name: string): UnconfirmedPost | undefined {
    const row = this.db.get<{ doubt: string }>('SELECT doubt FROM doubts WHERE name = ?', name);
    return row && (JSON.parse(row.doubt) as UnconfirmedPost);
  }

  /** `key`: what the message is about, as for `put`. */
  putUnconfirmed(name: string, key: string, post: UnconfirmedPost | undefined): void {
    if (post)
      this.db.run('INSERT OR REPLACE INTO doubts (name, key, doubt) VALUES (?, ?, ?)', name, key, JSON.stringify(post));
    else this.db.run('DELETE FROM doubts WHERE name = ?', name);
  }

  outage(): Outage | undefined {
    const row = this.db.get<Omit<Outage, 'notified'> & { told: string }>(
      'SELECT channel, reason, since, told FROM outage',
    );
    if (!row) return undefined;
    const { told, ...outage } = row;
    return { ...outage, notified: JSON.parse(told) as string[] };
  }

  putOutage(outage: Outage | undefined): void {
    if (!outage) this.db.run('DELETE FROM outage');
    else
      this.db.run(
        'INSERT OR REPLACE INTO outage (one, channel, reason, since, told) VALUES (1, ?, ?, ?, ?)',
        outage.channel,
        outage.reason,
        outage.since,
        JSON.stringify(outage.notified),
      );
  }

  close(): void {
    this.db.close();
  }
}
