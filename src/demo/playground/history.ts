// conversations.history and conversations.replies, with which the app reads the messages of a channel.
import type { Fields } from '../../lib/values.ts';
import { messagePayload } from './payloads.ts';
import type { State } from './state.ts';
import { type Channel, type Message, str } from './types.ts';

const MAX_PAGE = 999;

/** Returns one page of a channel, newest first and without replies in threads, as Slack does. */
export function history(state: State, channel: Channel, args: Fields): Fields {
  const all = shared(state, channel).filter((message) => message.threadTs === undefined);
  return page(all.reverse(), args);
}

/** Returns one page of a thread, oldest first; undefined if there is no such message. */
export function replies(state: State, channel: Channel, args: Fields): Fields | undefined {
  const ts = str(args.ts) ?? '';
  const all = shared(state, channel).filter((message) => message.ts === ts || message.threadTs === ts);
  return all.length === 0 ? undefined : page(all, args);
}

const shared = (state: State, channel: Channel): Message[] =>
  state.messagesOf(channel.id).filter((message) => message.ephemeralTo === undefined);

function page(all: readonly Message[], args: Fields): Fields {
  const inclusive = String(args.inclusive) === 'true';
  const oldest = Number(str(args.oldest) ?? 0);
  const latest = Number(str(args.latest) ?? Number.POSITIVE_INFINITY);
  const inside = all.filter(({ ts }) => {
    const at = Number(ts);
    return inclusive ? at >= oldest && at <= latest : at > oldest && at < latest;
  });
  const limit = Math.min(Math.max(1, Number(args.limit ?? 100) || 100), MAX_PAGE);
  const start = Number(str(args.cursor) ?? 0) || 0;
  const next = start + limit < inside.length ? String(start + limit) : '';
  const withMetadata = String(args.include_all_metadata) === 'true';
  return {
    messages: inside.slice(start, start + limit).map((message) => {
      const { metadata, ...rest } = messagePayload(message);
      return withMetadata && metadata !== undefined ? { ...rest, metadata } : rest;
    }),
    has_more: next !== '',
    response_metadata: { next_cursor: next },
  };
}
