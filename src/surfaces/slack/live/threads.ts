import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../store/types.ts';
import type { Posted, UnconfirmedPost } from '../types.ts';

/** The message about one subject: an order, a conversation, a call. */
export interface Thread extends Posted {
  /** The content that was last shown, in the caller's encoding. */
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

/** The messages in the events channel, shared by all processes. The columns are described with their table. */
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
    await this.#db.run(`DELETE FROM threads WHERE key LIKE 'call %' AND at < ?`, this.#clock.now() - CALLS_MS);
  }

  async get(key: string): Promise<Thread | undefined> {
    const row = await this.#db.get<Posted & { shown: string; at: number; asked: string | null }>(
      'SELECT channel, ts, said AS shown, at, asked FROM threads WHERE key = ?',
      key,
    );
    return row && { ...row, inOtherChannel: (row.asked ?? row.channel) !== this.#channel };
  }

  /** Records the message about `key` and what it shows. Settles every unconfirmed post about `key`. */
  async put(key: string, { channel, ts }: Posted, shown: string): Promise<void> {
    await this.#db.transaction(async (queries) => {
      await queries.run(
        `INSERT INTO threads (key, channel, ts, said, at, asked) VALUES (?, ?, ?, ?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET channel = excluded.channel, ts = excluded.ts, said = excluded.said,
             at = excluded.at, asked = excluded.asked`,
        key,
        channel,
        ts,
        shown,
        this.#clock.now(),
        this.#channel,
      );
      await queries.run('DELETE FROM doubts WHERE key = ?', key);
    });
  }

  async unconfirmed(name: string): Promise<UnconfirmedPost | undefined> {
    const row = await this.#db.get<{ doubt: string }>('SELECT doubt FROM doubts WHERE name = ?', name);
    return row && (JSON.parse(row.doubt) as UnconfirmedPost);
  }

  /** `key` names the subject of the message, as for `put`. */
  async putUnconfirmed(name: string, key: string, post: UnconfirmedPost | undefined): Promise<void> {
    if (post)
      await this.#db.run(
        `INSERT INTO doubts (name, key, doubt) VALUES (?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET key = excluded.key, doubt = excluded.doubt`,
        name,
        key,
        JSON.stringify(post),
      );
    else await this.#db.run('DELETE FROM doubts WHERE name = ?', name);
  }

  async outage(): Promise<Outage | undefined> {
    const row = await this.#db.get<Omit<Outage, 'notified'> & { told: string }>(
      'SELECT channel, reason, since, told FROM outage',
    );
    if (!row) return undefined;
    const { told, ...outage } = row;
    return { ...outage, notified: JSON.parse(told) as string[] };
  }

  /** Records the start of an outage of this channel. Resolves to false if it was recorded before. */
  async beginOutage(reason: string): Promise<boolean> {
    const begun = await this.#db.run(
      `INSERT INTO outage (one, channel, reason, since, told) VALUES (1, ?, ?, ?, '[]')
         ON CONFLICT (one) DO UPDATE SET channel = excluded.channel, reason = excluded.reason, since = excluded.since,
           told = excluded.told WHERE outage.channel <> excluded.channel`,
      this.#channel,
      reason,
      this.#clock.now(),
    );
    return begun === 1;
  }

  /** Resolves to true if the outage had another reason before. */
  async changeReason(reason: string): Promise<boolean> {
    return (await this.#db.run('UPDATE outage SET reason = ? WHERE reason <> ?', reason, reason)) === 1;
  }

  /** Resolves to false if the outage was over already. */
  async endOutage(): Promise<boolean> {
    return (await this.#db.run('DELETE FROM outage')) === 1;
  }

  /**
   * Records that a user was warned of the outage, or that this failed. Resolves to false if that was recorded before.
   */
  setNotified(since: number, user: string, isNotified: boolean): Promise<boolean> {
    return this.#db.transaction(async (queries) => {
      const row = await queries.get<{ told: string }>('SELECT told FROM outage WHERE since = ? FOR UPDATE', since);
      const users = new Set(row ? (JSON.parse(row.told) as string[]) : []);
      if (!row || users.has(user) === isNotified) return false;
      if (isNotified) users.add(user);
      else users.delete(user);
      await queries.run('UPDATE outage SET told = ? WHERE since = ?', JSON.stringify([...users]), since);
      return true;
    });
  }
}
