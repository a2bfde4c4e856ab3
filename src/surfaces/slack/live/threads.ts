import { type Clock, DAY_MS } from '../../../lib/clock.ts';
import { KeyValues } from '../../../store/key-values.ts';
import type { Database } from '../../../store/types.ts';
import type { Posted } from '../types.ts';

/** The message about one subject: an order, a conversation, a call. */
export interface Thread extends Posted {
  /** The content that was last shown, in the caller's encoding. */
  shown: string;
  at: number;
  /** It is in a channel that SLACK_EVENTS_CHANNEL no longer names: nothing is added to it. */
  inOtherChannel: boolean;
}

/** The place of a message is stored for this long after it was last used: longer than a batch runs or a call lasts. */
export const STORED_MS = 7 * DAY_MS;
/** The same for orders and conversations. An order may wait for weeks, and its message is linked in App Homes. */
const LONG_MS = 365 * DAY_MS;

/** The messages in the events channel by subject, shared by all processes. */
export class EventThreads {
  readonly #stored: KeyValues;
  readonly #channel: string;
  readonly #clock: Clock;

  constructor(database: Database, channel: string, clock: Clock) {
    this.#channel = channel;
    this.#clock = clock;
    this.#stored = new KeyValues({ database, clock, kind: 'event message' });
  }

  async get(key: string): Promise<Thread | undefined> {
    const stored = await this.#stored.get(key);
    if (stored === undefined) return undefined;
    const { eventsChannel, ...thread } = JSON.parse(stored) as Omit<Thread, 'inOtherChannel'> & {
      eventsChannel: string;
    };
    return { ...thread, inOtherChannel: eventsChannel !== this.#channel };
  }

  /** Stores the message about `key` and what it shows. */
  put(key: string, { channel, ts }: Posted, shown: string): Promise<void> {
    const at = this.#clock.now();
    const value = JSON.stringify({ channel, ts, shown, at, eventsChannel: this.#channel });
    return this.#stored.change(key, at + (key.startsWith('call ') ? STORED_MS : LONG_MS), () => value);
  }
}
