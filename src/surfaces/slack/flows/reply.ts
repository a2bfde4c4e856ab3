import { defined } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { isAmbiguous } from '../api/refusal.ts';
import type { WebApi } from '../api/web.ts';
import { type Block, type Message, notice } from '../blocks/text.ts';
import type { Origin } from '../types.ts';

/** Uses of a response_url that Slack allows. */
const USES = 5;
/** Uses that progress leaves for the answer. */
const RESERVED = 3;

/**
 * Answers one person, so that only they see it: through the interaction's response_url, which needs no membership and
 * can replace a message; otherwise with an ephemeral message, and finally with a direct one.
 */
export class Reply {
  readonly #web: WebApi;
  readonly #log: Log;
  readonly #origin: Origin;
  /** An earlier message of this app is replaced. */
  readonly #replaces: boolean;
  /** Blocks below the answer. */
  readonly #below: readonly Block[];
  #left: number;
  #queue: Promise<unknown> = Promise.resolve();
  #answered = false;

  constructor(
    { web, log }: { web: WebApi; log: Log },
    origin: Origin,
    options: { replaces?: boolean; below?: readonly Block[] } = {},
  ) {
    this.#web = web;
    this.#log = log;
    this.#origin = origin;
    this.#replaces = options.replaces ?? false;
    this.#below = options.below ?? [];
    this.#left = origin.responseUrl ? USES : 0;
  }

  /** Replaces the message that says the work is in progress. */
  progress(sofar: string | Message): void {
    if (!this.#replaces || this.#left <= RESERVED) return;
    void this.#next(async () => {
      if (this.#answered || this.#left <= RESERVED) return;
      await this.#respond(typeof sofar === 'string' ? notice('⏳', sofar) : sofar, true);
    });
  }

  /** Shows the answer, in place of the progress if possible. */
  show({ text, blocks }: Message): Promise<boolean> {
    this.#answered = true;
    const message = { text, blocks: [...blocks, ...this.#below] };
    return this.#next(
      async () => (await this.#respond(message, this.#replaces)) || (await this.#sendOtherwise(message)),
    );
  }

  /** Sends one more message, next to the answer. */
  add(message: Message): Promise<boolean> {
    return this.#next(async () => (await this.#respond(message, false)) || (await this.#sendOtherwise(message)));
  }

  /**
   * Sends a secret. It never goes into a direct message, because Slack stores those. `channel`: another channel the
   * person is in.
   */
  addEphemeral(message: Message, channel?: string): Promise<boolean> {
    return this.#next(async () => {
      if (await this.#respond(message, false)) return true;
      const place = this.#origin.channel ?? channel;
      if (!place || place.startsWith('D')) return false;
      return this.#web.whisper(place, this.#origin.userId, message).then(
        () => true,
        () => false,
      );
    });
  }

  /** Sends one message at a time, in order. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work, work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #respond({ text, blocks }: Message, replace: boolean): Promise<boolean> {
    const { responseUrl } = this.#origin;
    if (!responseUrl || this.#left <= 0) return false;
    this.#left -= 1;
    try {
      await this.#web.respond(responseUrl, { response_type: 'ephemeral', replace_original: replace, text, blocks });
      return true;
    } catch (error) {
      this.#log('warn', { error: String(error) }, 'a response_url did not accept an answer');
      // Slack refused it, so the address has expired or is used up.
      if (!isAmbiguous(error)) this.#left = 0;
      return false;
    }
  }

  async #sendOtherwise(message: Message): Promise<boolean> {
    const { channel, userId, threadTs } = this.#origin;
    try {
      if (channel) {
        // Only the person reads a direct message, and an ephemeral message would disappear with the next reload.
        if (channel.startsWith('D')) await this.#web.post(channel, message, defined({ threadTs }));
        else await this.#web.whisper(channel, userId, message, threadTs);
        return true;
      }
    } catch (error) {
      this.#log('info', { error: String(error) }, 'Slack refused an ephemeral message; sending a direct message');
    }
    try {
      await this.#web.direct(userId, message);
      return true;
    } catch (error) {
      this.#log('error', { user: userId, error: String(error) }, 'failed to answer a person in Slack');
      return false;
    }
  }
}
