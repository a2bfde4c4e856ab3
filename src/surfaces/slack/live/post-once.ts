import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { AHEAD_MS } from '../../../lib/durations.ts';
import { NeedsPerson } from '../../../lib/errors.ts';
import { defined } from '../../../lib/json.ts';
import type { Log } from '../../../lib/log.ts';
import { isAmbiguous, SlackRefusal } from '../api/refusal.ts';
import type { WebApi } from '../api/web.ts';
import type { Message } from '../blocks/text.ts';
import type { Posted, UnconfirmedPost } from '../types.ts';

/** The arrival of an unconfirmed message, read from the channel. */
export type Arrival =
  /** It arrived at `at`. Further copies were removed, except `left`. */
  | { kind: 'arrived'; at: Posted; left: Posted[] }
  /** Slack may still show it. */
  | { kind: 'pending' }
  /** Slack did not accept it, because too much time has passed. */
  | { kind: 'lost' }
  /** The app may not read the channel. */
  | { kind: 'unreadable' };

export interface PostJob {
  channel: string;
  threadTs?: string | undefined;
  message: Message;
  /** Left by an earlier attempt at this message. */
  unconfirmed: UnconfirmedPost | undefined;
  /** Stores that the message is about to be sent; `undefined`: Slack refused it, so nothing is unconfirmed. */
  store(post: UnconfirmedPost | undefined): Promise<void>;
  /** Called immediately before the message is sent; rejects if this process may not send it any more. */
  check?: (() => Promise<void>) | undefined;
}

/** Maximum number of times that an unconfirmed message is sent before its arrival is known. */
export const MAX_POSTS = 2;
/** Time after which a message that the channel does not show counts as lost. Slack shows messages within seconds. */
export const ARRIVAL_MS = 120_000;
/** The app may not read the channel, or an emulator of Slack has no history. Another call would not help. */
const UNREADABLE = new Set([
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'method_not_supported_for_channel_type',
  'unknown_method',
  'access_denied',
]);
/** The app cannot have posted in a channel it is not in, or in a thread that is gone. */
const IMPOSSIBLE = new Set(['not_in_channel', 'channel_not_found', 'thread_not_found']);

/**
 * Posts messages that must appear once, although Slack may accept one without answering. Each message has a mark in its
 * metadata, by which it is looked up in the channel before it is sent again.
 */
export class OncePoster {
  readonly #web: WebApi;
  readonly #clock: Clock;
  readonly #log: Log;
  #warned = false;

  constructor(options: { web: WebApi; clock: Clock; log: Log }) {
    this.#web = options.web;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /**
   * Posts the message, or finds it where an earlier attempt left it; `found` messages may be out of date. Rejects with
   * an ambiguous `SlackRefusal` while it is unknown whether Slack has the message, and with `NeedsPerson` if the app
   * cannot find out.
   */
  async post(job: PostJob): Promise<Posted & { found: boolean }> {
    const { channel, threadTs } = job;
    let before = job.unconfirmed;
    if (before) {
      const arrival = await this.look(before);
      if (arrival.kind === 'arrived') return { ...arrival.at, found: true };
      // If the settings now name another channel, a message that the old one lacks is posted as a new one.
      if (arrival.kind === 'lost' || before.channel !== channel) before = undefined;
      else if (before.posts >= MAX_POSTS) throw await this.#giveUp(job, before, arrival);
    }
    await job.check?.();
    const sent = this.next(before, channel, threadTs);
    // Stored first: if the process ends before Slack answers, the next one looks before it posts again.
    await job.store(sent);
    await job.check?.();
    try {
      const options = { mark: sent.mark, ...defined({ threadTs }) };
      return { ...(await this.#web.post(channel, job.message, options)), found: false };
    } catch (error) {
      // A clear refusal means that this attempt changed nothing.
      if (!isAmbiguous(error)) await job.store(before);
      else if (error.answered && (before === undefined || before.answered))
        await job.store({ ...sent, answered: true });
      throw error;
    }
  }

  /** Looks up an unconfirmed message in its channel. Rejects with `SlackRefusal` if Slack cannot be asked now. */
  async look(post: UnconfirmedPost): Promise<Arrival> {
    try {
      // Slack's clock may differ, so a message may appear older than the first attempt.
      const messages = await this.#web.marked(post.channel, post.since - AHEAD_MS, post.threadTs);
      const [at, ...copies] = messages.filter(({ mark }) => mark === post.mark);
      if (at) {
        return { kind: 'arrived', at: { channel: at.channel, ts: at.ts }, left: await this.#removeCopies(copies) };
      }
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      if (UNREADABLE.has(error.reason)) {
        this.#warnUnreadable(post.channel, error.reason);
        return { kind: 'unreadable' };
      }
      if (!IMPOSSIBLE.has(error.reason)) throw error;
    }
    return { kind: post.answered || this.#clock.now() - post.last >= ARRIVAL_MS ? 'lost' : 'pending' };
  }

  /** The record of sending the message, for the first time or again. */
  next(before: UnconfirmedPost | undefined, channel: string, threadTs?: string): UnconfirmedPost {
    const now = this.#clock.now();
    return {
      channel,
      ...defined({ threadTs }),
      mark: before?.mark ?? randomBytes(12).toString('base64url'),
      posts: (before?.posts ?? 0) + 1,
      since: before?.since ?? now,
      last: now,
    };
  }

  async #giveUp(job: PostJob, { posts }: UnconfirmedPost, arrival: Arrival): Promise<Error> {
    if (arrival.kind === 'pending') {
      return new SlackRefusal('chat.postMessage', 'unsettled', {
        ambiguous: true,
        detail: `sent ${posts} times without an answer; the channel is checked again`,
      });
    }
    await job.store(undefined);
    return new NeedsPerson(
      'Slack did not answer when it was posted, twice, and the app may not read the channel (missing scope). Look there: drop the event if it is shown, otherwise retry it.',
    );
  }

  /** Logs this once, because every check would repeat it. */
  #warnUnreadable(channel: string, reason: string): void {
    if (this.#warned) return;
    this.#warned = true;
    this.#log(
      'warn',
      { channel, reason },
      'Slack does not let the app read its own messages, so one may appear twice after a slow answer; reinstall the app from manifest.json (channels:history, groups:history, im:history, mpim:history)',
    );
  }

  /** Removes further copies of a message. Resolves with those that could not be removed. */
  async #removeCopies(copies: readonly Posted[]): Promise<Posted[]> {
    const left: Posted[] = [];
    for (const { channel, ts } of copies) {
      try {
        await this.#web.remove({ channel, ts });
      } catch (error) {
        this.#log('warn', { channel, error: String(error) }, 'failed to remove a message that Slack shows twice');
        left.push({ channel, ts });
      }
    }
    return left;
  }
}
