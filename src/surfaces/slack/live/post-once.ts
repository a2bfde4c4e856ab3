import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../lib/clock.ts';
import { NeedsPerson } from '../../../lib/errors.ts';
import type { Message } from '../blocks/text.ts';
import type { Log } from '../types.ts';
import { type Posted, SlackRefusal, type Web } from './web.ts';

/** A message that was sent to Slack and of which no answer told whether it arrived. Kept on disk by the caller. */
export interface Doubt {
  channel: string;
  threadTs?: string;
  /** Stands in the message's metadata; the same for every time it is sent. */
  mark: string;
  /** How often it was sent, and when first and last (epoch ms). */
  posts: number;
  since: number;
  last: number;
  /** Each time an error of Slack's servers was the answer: none of the requests is still under way. */
  answered?: true;
}

/** What a look into the channel says about a message in doubt. */
export type Sight =
  /** It stands there: the first of its copies. The others were removed, `left` are those that could not be. */
  | { kind: 'there'; at: Posted; left: Posted[] }
  /** Slack may still be about to show it. */
  | { kind: 'not yet' }
  /** So much time has passed that Slack did not take it. */
  | { kind: 'never' }
  /** This app may not read the channel. */
  | { kind: 'unreadable' };

export interface OnceJob {
  channel: string;
  threadTs?: string | undefined;
  message: Message;
  /** Left by an earlier attempt at this message. */
  doubt: Doubt | undefined;
  /** Writes down that the message is about to be sent; `undefined`: Slack refused it, so it is in no doubt. */
  keep(doubt: Doubt | undefined): void;
}

export type Once = ReturnType<typeof createOnce>;

/** A message in doubt is sent this often at most until it is settled whether it arrived. */
export const MAX_POSTS = 2;
/** After this, a message that is not in the channel was not taken. Slack shows messages within seconds. */
export const SETTLED_MS = 120_000;
/** How much older than the first attempt a message may seem: Slack's clock and ours differ. */
const SKEW_MS = 120_000;
/** Reading is not allowed, or Slack's stand-in has no history. Asking again does not help. */
const UNREADABLE = new Set([
  'missing_scope',
  'no_permission',
  'not_allowed_token_type',
  'method_not_supported_for_channel_type',
  'unknown_method',
  'access_denied',
]);
/** The app cannot have posted where it is not, nor into a thread that is gone. */
const NOT_THERE = new Set(['not_in_channel', 'channel_not_found', 'thread_not_found']);

/**
 * Posts messages that must stand in a channel once although Slack may take one without answering. Each carries a mark
 * in its metadata, and is looked for in the channel before it is sent again.
 */
export function createOnce(options: { web: Web; clock: Clock; log: Log }) {
  const { web, clock, log } = options;
  let warned = false;

  /** Looks for a message in doubt. Rejects with `SlackRefusal` where Slack cannot be asked now. */
  async function look(doubt: Doubt): Promise<Sight> {
    try {
      const found = await web.marked(doubt.channel, doubt.since - SKEW_MS, doubt.threadTs);
      const [at, ...copies] = found.filter(({ mark }) => mark === doubt.mark);
      if (at) return { kind: 'there', at: { channel: at.channel, ts: at.ts }, left: await removed(copies) };
    } catch (error) {
      if (!(error instanceof SlackRefusal)) throw error;
      if (UNREADABLE.has(error.reason)) {
        warn(doubt.channel, error.reason);
        return { kind: 'unreadable' };
      }
      if (!NOT_THERE.has(error.reason)) throw error;
    }
    return { kind: doubt.answered || clock.now() - doubt.last >= SETTLED_MS ? 'never' : 'not yet' };
  }

  /** Said once: every look would say the same. */
  function warn(channel: string, reason: string): void {
    if (warned) return;
    warned = true;
    log(
      'warn',
      { channel, reason },
      'Slack does not let the app read its own messages, so one may appear twice after a slow answer; reinstall the app from manifest.json (channels:history, groups:history, im:history, mpim:history)',
    );
  }

  async function removed(copies: readonly Posted[]): Promise<Posted[]> {
    const left: Posted[] = [];
    for (const copy of copies) {
      try {
        await web.remove(copy);
      } catch (error) {
        log(
          'warn',
          { channel: copy.channel, error: String(error) },
          'a message that Slack shows twice was not removed',
        );
        left.push({ channel: copy.channel, ts: copy.ts });
      }
    }
    return left;
  }

  /**
   * Posts the message, or finds it where an earlier attempt left it (`found`: it may say what was true then). Rejects
   * with `SlackRefusal`; with an ambiguous one while it is not settled whether Slack has it, and with `NeedsPerson`
   * where the app cannot find that out.
   */
  async function post(job: OnceJob): Promise<Posted & { found: boolean }> {
    const { channel, threadTs } = job;
    let { doubt } = job;
    if (doubt) {
      const sight = await look(doubt);
      if (sight.kind === 'there') return { ...sight.at, found: true };
      // Where the settings name another channel by now, what the old one has not got is new.
      if (sight.kind === 'never' || doubt.channel !== channel) doubt = undefined;
      else if (doubt.posts >= MAX_POSTS) {
        if (sight.kind === 'not yet') throw unsettled(doubt.posts);
        job.keep(undefined);
        throw new NeedsPerson(
          'Slack did not answer when it was posted, twice, and the app may not read the channel (missing scope). Look there: drop the event if it is shown, otherwise retry it.',
        );
      }
    }
    const before = doubt;
    const sent = next(before, channel, threadTs);
    // Written before Slack is told: a process that dies in between looks before it posts again.
    job.keep(sent);
    try {
      return { ...(await web.post(channel, job.message, threadTs, sent.mark)), found: false };
    } catch (error) {
      // A clear no leaves it as it was before this attempt.
      if (!(error instanceof SlackRefusal) || !error.ambiguous) job.keep(before);
      else if (error.answered && (before === undefined || before.answered)) job.keep({ ...sent, answered: true });
      throw error;
    }
  }

  /** The doubt that sending the message (again) makes. */
  function next(before: Doubt | undefined, channel: string, threadTs?: string): Doubt {
    const now = clock.now();
    return {
      channel,
      ...(threadTs === undefined ? {} : { threadTs }),
      mark: before?.mark ?? randomBytes(12).toString('base64url'),
      posts: (before?.posts ?? 0) + 1,
      since: before?.since ?? now,
      last: now,
    };
  }

  return { post, look, next };
}

function unsettled(posts: number): SlackRefusal {
  return new SlackRefusal('chat.postMessage', 'unsettled', {
    ambiguous: true,
    detail: `sent ${posts} times without an answer; the channel is looked at again`,
  });
}
