// The methods for an agent's conversations: assistant.threads.* and agents.sessions.*.
import type { Fields } from '../../lib/values.ts';
import {
  channelFor,
  invalid,
  type Method,
  type MethodEntry,
  need,
  Refusal,
  sessionStatusOf,
  structured,
} from './arguments.ts';
import type { State } from './state.ts';
import { objects, str } from './types.ts';

const MAX_PROMPTS = 4;
const MAX_LOADING = 10;
const MAX_TITLE = 200;
const STOP_EVENT = 'agent_session_stopped';
const NO_STOP_WARNING = 'missing_agent_session_stopped_event_subscription';

/** The thread that a call names by its first message. */
function threadOf(state: State, args: Fields): { channel: string; thread: string } {
  const channel = channelFor(state, { channel: args.channel_id });
  const thread = need(args, 'thread_ts');
  if (!state.message(thread, channel.id)) throw new Refusal('thread_not_found');
  return { channel: channel.id, thread };
}

function titleOf(args: Fields): string | undefined {
  const title = str(args.title);
  if (title !== undefined && (title === '' || title.length > MAX_TITLE)) {
    throw invalid('title', `must be 1 to ${MAX_TITLE} characters`);
  }
  return title;
}

const setWorking: Method = (state, args) => {
  const { channel, thread } = threadOf(state, args);
  const loading = structured(args.loading_messages) ?? [];
  if (!Array.isArray(loading) || loading.length > MAX_LOADING) {
    throw invalid('loading_messages', `must be a list of at most ${MAX_LOADING}`);
  }
  state.sessions.setWorking(channel, thread, { text: str(args.status) ?? '', loading: loading.map(String) });
  return {};
};

const setPrompts: Method = (state, args) => {
  const channel = channelFor(state, { channel: args.channel_id });
  const prompts = objects(structured(args.prompts));
  const isComplete = prompts.every(({ title, message }) => str(title) && str(message));
  if (prompts.length === 0 || prompts.length > MAX_PROMPTS || !isComplete) {
    throw invalid('prompts', `must be 1 to ${MAX_PROMPTS} with title and message`);
  }
  const thread = str(args.thread_ts);
  if (thread !== undefined && !state.message(thread, channel.id)) throw new Refusal('thread_not_found');
  const list = prompts.map(({ title, message }) => ({ title: String(title), message: String(message) }));
  state.sessions.setPrompts(channel.id, thread, { title: str(args.title), prompts: list });
  return {};
};

const setTitle: Method = (state, args) => {
  const { channel, thread } = threadOf(state, args);
  state.sessions.setTitle(channel, thread, titleOf(args) ?? need(args, 'title'));
  return {};
};

const setStatus: Method = (state, args) => {
  const { channel, thread } = threadOf(state, args);
  const status = sessionStatusOf(args.status) ?? sessionStatusOf(need(args, 'status'));
  if (!status) throw invalid('status', 'is required');
  const initiator = str(args.initiator_user_id);
  if (initiator !== undefined && !state.channels.get(channel)?.members.has(initiator)) {
    throw new Refusal('user_not_in_channel');
  }
  const { title } = state.sessions.setStatus(channel, thread, status, titleOf(args));
  const answer = { status, agent_status: status, title: title ?? '' };
  if (status !== 'processing' || state.events.has(STOP_EVENT)) return answer;
  state.warnings.push(`agents.sessions.setStatus: ${NO_STOP_WARNING}`);
  return { ...answer, warning: NO_STOP_WARNING, response_metadata: { warnings: [NO_STOP_WARNING] } };
};

const rename: Method = (state, args) => {
  const { channel, thread } = threadOf(state, args);
  const session = state.sessions.rename(channel, thread, titleOf(args) ?? need(args, 'title'));
  if (!session) throw new Refusal('session_not_found');
  return { title: session.title };
};

export const AGENT_METHODS: Readonly<Record<string, MethodEntry>> = {
  'assistant.threads.setStatus': { run: setWorking, scopes: ['assistant:write', 'chat:write'] },
  'assistant.threads.setSuggestedPrompts': { run: setPrompts, scopes: ['assistant:write'] },
  'assistant.threads.setTitle': { run: setTitle, scopes: ['assistant:write'] },
  'agents.sessions.setStatus': { run: setStatus, scopes: ['assistant:write', 'chat:write'] },
  'agents.sessions.rename': { run: rename, scopes: ['assistant:write', 'chat:write'] },
};
