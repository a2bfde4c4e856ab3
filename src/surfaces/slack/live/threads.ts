import { type Clock, DAY_MS } from '../../../lib/clock.ts';
import type { Database, Queries } from '../../../store/types.ts';
import type { Posted, UnconfirmedPost } from '../types.ts';

/** The message about one subject: an order, a conversation, a call. */
export interface Thread extends Posted {
  /** The content that was last shown, in the caller's encoding. */
  shown: string;
  at: number;
  /** It is in a channel that SLACK_EVENTS_CHANNEL no longer names: nothing is added to it. */
  inOtherChannel: boolean;
}

/** A message about a subject: its thread, or a reply in it. */
export interface MessageName {
  /** The subject. */
  key: string;
  /** The same for every attempt to post the message. */
  name: string;
}

type Unconfirmed = Record<string, UnconfirmedPost>;

/** The place of a message is stored for this long after it was last used: longer than a batch runs or a call lasts. */
export const STORED_MS = 7 * DAY_MS;

/**
 * The messages in the events channel, shared by all processes. Posts that Slack has not confirmed are stored with their
 * subject, by name.
 */
export class EventThreads {
  readonly #db: Database;
  readonly #channel: string;
  readonly #clock: Clock;

  constructor(database: Database, channel: string, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
    this.#db = database;
  }

  /** Removes the threads of calls that ended long ago. */
  async forgetCalls(): Promise<void> {
    await this.#db.run(`DELETE FROM threads WHERE key LIKE 'call %' AND at < ?`, this.#clock.now() - STORED_MS);
  }

  async get(key: string): Promise<Thread | undefined> {
    const row = await this.#db.get<Posted & { shown: string; at: number; events_channel: string | null }>(
      'SELECT channel, ts, shown, at, events_channel FROM threads WHERE key = ? AND ts IS NOT NULL',
      key,
    );
    if (!row) return undefined;
    const { events_channel: eventsChannel, ...thread } = row;
    return { ...thread, inOtherChannel: (eventsChannel ?? row.channel) !== this.#channel };
  }

  /** Records the message about `key` and what it shows. Settles every unconfirmed post about `key`. */
  async put(key: string, { channel, ts }: Posted, shown: string): Promise<void> {
    await this.#db.run(
      `INSERT INTO threads (key, channel, ts, shown, at, events_channel) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET channel = excluded.channel, ts = excluded.ts, shown = excluded.shown,
           at = excluded.at, events_channel = excluded.events_channel, unconfirmed = NULL`,
      ...[key, channel, ts, shown, this.#clock.now(), this.#channel],
    );
  }

  async unconfirmed({ key, name }: MessageName): Promise<UnconfirmedPost | undefined> {
    return (await unconfirmedOf(this.#db, key))[name];
  }

  /** Records that a message is being posted; `undefined`: Slack refused it, or the post is settled. */
  putUnconfirmed({ key, name }: MessageName, post: UnconfirmedPost | undefined): Promise<void> {
    return this.#db.transaction(async (tx) => {
      await tx.lock(`messages about ${key}`);
      const { [name]: _before, ...others } = await unconfirmedOf(tx, key);
      const all = post ? { ...others, [name]: post } : others;
      const text = Object.keys(all).length === 0 ? null : JSON.stringify(all);
      if (text !== null)
        await tx.run(
          `INSERT INTO threads (key, at, unconfirmed) VALUES (?, ?, ?)
             ON CONFLICT (key) DO UPDATE SET unconfirmed = excluded.unconfirmed`,
          ...[key, this.#clock.now(), text],
        );
      else {
        await tx.run('DELETE FROM threads WHERE key = ? AND ts IS NULL', key);
        await tx.run('UPDATE threads SET unconfirmed = NULL WHERE key = ? AND unconfirmed IS NOT NULL', key);
      }
    });
  }
}

async function unconfirmedOf(queries: Pick<Queries, 'get'>, key: string): Promise<Unconfirmed> {
  const row = await queries.get<{ unconfirmed: string | null }>('SELECT unconfirmed FROM threads WHERE key = ?', key);
  return row?.unconfirmed ? (JSON.parse(row.unconfirmed) as Unconfirmed) : {};
}
