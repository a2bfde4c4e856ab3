// The methods that stream a message: chat.startStream, chat.appendStream, chat.stopStream.
import type { Fields } from '../../lib/values.ts';
import {
  channelFor,
  contentOf,
  invalid,
  type Method,
  type MethodEntry,
  metadataOf,
  need,
  Refusal,
  sessionStatusOf,
  structured,
} from './arguments.ts';
import { messagePayload } from './payloads.ts';
import { IDS, type State } from './state.ts';
import { chunksProblem, MAX_MARKDOWN, Stream, type TaskDisplay } from './streams.ts';
import { type Message, type MessageStream, str } from './types.ts';

const DISPLAYS: readonly string[] = ['timeline', 'plan', 'dense'];

/** The chunks of a call; `markdown_text` is the same as one chunk of text. Empty if the call has neither. */
function chunksOf(args: Fields): Fields[] {
  const text = str(args.markdown_text);
  const chunks = structured(args.chunks);
  if (text !== undefined && text.length > MAX_MARKDOWN) throw new Refusal('msg_too_long');
  if (chunks === undefined) return text === undefined ? [] : [{ type: 'markdown_text', text }];
  const problem = chunksProblem(chunks);
  if (problem) throw new Refusal(problem);
  return [...(text === undefined ? [] : [{ type: 'markdown_text', text }]), ...(chunks as Fields[])];
}

function draw(state: State, message: Message, stream: MessageStream, more: Fields[] = []): void {
  message.text = stream.text();
  message.blocks = state.withIds([...stream.blocks(), ...more]);
  state.changed();
}

const start: Method = (state, args) => {
  const channel = channelFor(state, args);
  const threadTs = need(args, 'thread_ts');
  const parent = state.message(threadTs, channel.id);
  if (!parent) throw new Refusal('thread_not_found');
  if (!channel.imWith) {
    for (const name of ['recipient_user_id', 'recipient_team_id']) {
      if (str(args[name]) === undefined) throw new Refusal(`missing_${name}`);
    }
  }
  const display = str(args.task_display_mode) ?? 'timeline';
  if (!DISPLAYS.includes(display)) throw invalid('task_display_mode', 'must be timeline, plan or dense');
  const chunks = chunksOf(args);
  const stream = new Stream(display as TaskDisplay, state.clock.now());
  stream.append(chunks);
  const thread = parent.threadTs ?? threadTs;
  const message = state.post({ channel: channel.id, text: '', threadTs: thread, stream, source: 'api' });
  draw(state, message, stream);
  return { channel: channel.id, ts: message.ts };
};

/** The app's message that is being streamed. Refuses any other as Slack does. */
function streaming(state: State, args: Fields): { message: Message; stream: MessageStream } {
  const channel = channelFor(state, args);
  const message = state.message(need(args, 'ts'), channel.id);
  if (!message || message.ephemeralTo) throw new Refusal('message_not_found');
  if (message.user !== IDS.BOT_USER) throw new Refusal('message_not_owned_by_app');
  const { stream } = message;
  const now = stream?.state(state.clock.now());
  if (now === 'stopped_by_user') throw new Refusal('stopped_by_user');
  if (!stream || now !== 'streaming') throw new Refusal('message_not_in_streaming_state');
  return { message, stream };
}

const append: Method = (state, args) => {
  const { message, stream } = streaming(state, args);
  const chunks = chunksOf(args);
  if (chunks.length === 0) throw invalid('markdown_text', 'markdown_text or chunks is required');
  stream.append(chunks);
  draw(state, message, stream);
  return { channel: message.channel, ts: message.ts };
};

const stop: Method = (state, args) => {
  const { message, stream } = streaming(state, args);
  const chunks = chunksOf(args);
  const more = args.blocks === undefined ? [] : (contentOf(state, { blocks: args.blocks }).blocks ?? []);
  const status = sessionStatusOf(args.session_status);
  const metadata = metadataOf(args);
  stream.append(chunks);
  stream.stop('app');
  if (metadata !== undefined) message.metadata = metadata;
  draw(state, message, stream, more);
  if (status && message.threadTs) state.sessions.setStatus(message.channel, message.threadTs, status);
  return { channel: message.channel, ts: message.ts, message: messagePayload(message) };
};

export const STREAM_METHODS: Readonly<Record<string, MethodEntry>> = {
  'chat.startStream': { run: start, scopes: ['chat:write'] },
  'chat.appendStream': { run: append, scopes: ['chat:write'] },
  'chat.stopStream': { run: stop, scopes: ['chat:write'] },
};
