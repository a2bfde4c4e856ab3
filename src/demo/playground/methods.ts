// The Web API's methods, with the answers that Slack would give.
import { dateFormat } from '../../lib/clock.ts';
import { defined, type Fields, isRecord } from '../../lib/values.ts';
import { AGENT_METHODS } from './agent-methods.ts';
import {
  channelFor,
  contentOf,
  type Method,
  type MethodEntry,
  metadataOf,
  need,
  Refusal,
  refuse,
  structured,
  warn,
} from './arguments.ts';
import { FILE_METHODS } from './file-methods.ts';
import { history, replies } from './history.ts';
import { checkView, MAX_VIEW_BYTES } from './limits.ts';
import { messagePayload, viewPayload } from './payloads.ts';
import { IDS, MAX_STACK, type State } from './state.ts';
import { STREAM_METHODS } from './stream-methods.ts';
import { type Channel, type Message, str, type Trigger, type User } from './types.ts';

const postMessage: Method = (state, args) => {
  const channel = channelFor(state, args);
  const content = contentOf(state, args);
  const threadTs = str(args.thread_ts);
  if (threadTs && !state.message(threadTs, channel.id)) throw new Refusal('thread_not_found');
  const message = state.post({
    channel: channel.id,
    text: content.text,
    blocks: content.blocks ?? [],
    threadTs,
    metadata: metadataOf(args),
    source: 'api',
  });
  return {
    channel: channel.id,
    ts: message.ts,
    message: messagePayload(message),
    ...warn(state, 'chat.postMessage', content),
  };
};

const postEphemeral: Method = (state, args) => {
  const channel = channelFor(state, args);
  const user = need(args, 'user');
  if (!state.users.has(user)) throw new Refusal('user_not_found');
  if (!channel.members.has(user)) throw new Refusal('user_not_in_channel');
  const content = contentOf(state, args);
  const message = state.post({
    channel: channel.id,
    text: content.text,
    blocks: content.blocks ?? [],
    threadTs: str(args.thread_ts),
    ephemeralTo: user,
    source: 'api',
  });
  return { message_ts: message.ts, ...warn(state, 'chat.postEphemeral', content) };
};

function ownMessage(state: State, args: Fields, refusal: string): Message {
  const channel = channelFor(state, args);
  const message = state.message(need(args, 'ts'), channel.id);
  if (!message || message.ephemeralTo) throw new Refusal('message_not_found');
  if (message.user !== IDS.BOT_USER) throw new Refusal(refusal);
  if (message.stream?.state(state.clock.now()) === 'streaming') throw new Refusal('streaming_state_conflict');
  return message;
}

const update: Method = (state, args) => {
  const message = ownMessage(state, args, 'cant_update_message');
  const content = contentOf(state, args);
  // As in Slack, an update that has only text removes the old blocks.
  state.edit(message, content.text, content.blocks ?? []);
  const answer = { channel: message.channel, ts: message.ts, text: message.text, message: messagePayload(message) };
  return { ...answer, ...warn(state, 'chat.update', content) };
};

const remove: Method = (state, args) => {
  const message = ownMessage(state, args, 'cant_delete_message');
  state.remove(message);
  return { channel: message.channel, ts: message.ts };
};

const permalink: Method = (state, args) => {
  const channel = channelFor(state, args, false);
  const ts = need(args, 'message_ts');
  const message = state.message(ts, channel.id);
  if (!message || message.ephemeralTo) throw new Refusal('message_not_found');
  const url = `https://${state.team.domain}.slack.com/archives/${channel.id}/p${ts.replace('.', '')}`;
  return { channel: channel.id, permalink: url };
};

function definition(state: State, args: Fields, type: 'modal' | 'home'): Fields {
  const view = structured(args.view);
  if (!isRecord(view)) throw refuse('invalid_arguments', [{ path: '/view', message: 'must be an object' }]);
  if (Buffer.byteLength(JSON.stringify(view)) > MAX_VIEW_BYTES) throw new Refusal('view_too_large');
  const problems = checkView(view, { files: state.files });
  if (problems.length > 0) throw refuse('invalid_arguments', problems);
  if (view.type !== type) {
    throw refuse('invalid_arguments', [{ path: '/view/type', message: `must be ${type}` }]);
  }
  return view;
}

function trigger(state: State, args: Fields): Trigger {
  const found = state.triggers.get(str(args.trigger_id) ?? need(args, 'interactivity_pointer'));
  if (!found) throw new Refusal('invalid_trigger_id');
  if (found.used) throw new Refusal('exchanged_trigger_id');
  if (state.clock.now() > found.expiresAt) throw new Refusal('expired_trigger_id');
  return found;
}

const open: Method = (state, args) => {
  const used = trigger(state, args);
  const view = definition(state, args, 'modal');
  used.used = true;
  return { view: viewPayload(state, state.openView(used.user, view)) };
};

const push: Method = (state, args) => {
  const used = trigger(state, args);
  const view = definition(state, args, 'modal');
  const stack = state.stacks.get(used.user) ?? [];
  const top = stack.at(-1);
  if (!top || !used.viewId) throw new Refusal('invalid_trigger_id');
  if (stack.length >= MAX_STACK) throw new Refusal('push_limit_reached');
  used.used = true;
  return { view: viewPayload(state, state.openView(used.user, view, top)) };
};

const updateView: Method = (state, args) => {
  const id = str(args.view_id);
  const external = str(args.external_id);
  const all = [...state.stacks.values()].flat();
  const view = id
    ? state.view(id)
    : all.find((candidate) => external !== undefined && candidate.definition.external_id === external);
  if (!view) throw new Refusal('not_found');
  const fresh = definition(state, args, view.type);
  if (str(args.hash) && args.hash !== view.hash) throw new Refusal('hash_conflict');
  state.updateView(view, fresh);
  return { view: viewPayload(state, view) };
};

const publish: Method = (state, args) => {
  const user = need(args, 'user_id');
  if (!state.users.has(user)) throw new Refusal('invalid_arguments');
  const fresh = definition(state, args, 'home');
  const known = state.homes.get(user);
  if (str(args.hash) && known && args.hash !== known.hash) throw new Refusal('hash_conflict');
  if (known) state.updateView(known, fresh);
  return { view: viewPayload(state, known ?? state.openView(user, fresh)) };
};

function tzOffset(tz: string, at: number): number {
  const parts = dateFormat('en-US', { timeZone: tz, timeZoneName: 'longOffset' }).formatToParts(at);
  const name = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT';
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(name);
  return match ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60) : 0;
}

function userPayload(state: State, user: User): Fields {
  const foreign = user.teamId !== IDS.TEAM;
  return {
    id: user.id,
    team_id: user.teamId,
    name: user.name,
    real_name: user.realName,
    deleted: user.deleted,
    is_bot: user.isBot,
    is_admin: false,
    is_restricted: user.isGuest === true,
    ...(foreign ? { is_stranger: true } : {}),
    tz: user.tz,
    tz_label: user.tz,
    tz_offset: tzOffset(user.tz, state.clock.now()),
    profile: { real_name: user.realName, display_name: user.name, team: user.teamId },
  };
}

function channelPayload(channel: Channel): Fields {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: !channel.imWith && !channel.isPrivate,
    is_group: false,
    is_im: Boolean(channel.imWith),
    is_private: channel.isPrivate,
    is_archived: channel.isArchived,
    is_ext_shared: channel.isExtShared,
    is_member: channel.members.has(IDS.BOT_USER),
    ...defined({ user: channel.imWith || undefined }),
    num_members: channel.members.size,
  };
}

const usersInfo: Method = (state, args) => {
  const user = state.users.get(need(args, 'user'));
  if (!user) throw new Refusal('user_not_found');
  return { user: userPayload(state, user) };
};

const groupUsers: Method = (state, args) => {
  const group = state.groups.get(need(args, 'usergroup'));
  if (!group) throw new Refusal('no_such_subteam');
  return { users: [...group.users] };
};

const groups: Method = (state, args) => ({
  usergroups: [...state.groups.values()].map((group) => ({
    id: group.id,
    team_id: IDS.TEAM,
    is_usergroup: true,
    name: group.name,
    handle: group.handle,
    user_count: group.users.length,
    ...(String(args.include_users) === 'true' ? { users: [...group.users] } : {}),
  })),
});

const conversationsOpen: Method = (state, args) => {
  const user = state.users.get((str(args.users) ?? need(args, 'channel')).split(',')[0] ?? '');
  if (!user) throw new Refusal('user_not_found');
  return { channel: { id: state.im(user.id).id } };
};

/** Returns the channel if the app may read it: the app must be a member and have the scope for this kind of channel. */
function readable(state: State, args: Fields): Channel {
  const channel = channelFor(state, args, false);
  if (!channel.members.has(IDS.BOT_USER)) throw new Refusal('not_in_channel');
  const needed = channel.imWith ? 'im:history' : channel.isPrivate ? 'groups:history' : 'channels:history';
  if (!state.scopes.has(needed)) throw new Refusal('missing_scope', { needed, provided: [...state.scopes].join(',') });
  return channel;
}

const conversationsReplies: Method = (state, args) => {
  const found = replies(state, readable(state, args), args);
  if (!found) throw new Refusal('thread_not_found');
  return found;
};

const join: Method = (state, args) => {
  const channel = state.channels.get(need(args, 'channel'));
  if (!channel || channel.isPrivate) throw new Refusal('channel_not_found');
  if (channel.isArchived) throw new Refusal('is_archived');
  channel.members.add(IDS.BOT_USER);
  return { channel: channelPayload(channel) };
};

const READ_HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];
const READ_CHANNELS = ['channels:read', 'groups:read', 'im:read'];
export const METHODS: Record<string, MethodEntry> = {
  'auth.test': {
    run: (state) => ({
      url: `https://${state.team.domain}.slack.com/`,
      team: state.team.name,
      user: 'switchboard',
      team_id: IDS.TEAM,
      enterprise_id: state.team.enterprise,
      user_id: IDS.BOT_USER,
      bot_id: IDS.BOT,
      app_id: IDS.APP,
      is_enterprise_install: false,
    }),
    scopes: [],
  },
  'api.test': { run: (_, args) => ({ args }), scopes: [] },
  'chat.postMessage': { run: postMessage, scopes: ['chat:write'] },
  'chat.postEphemeral': { run: postEphemeral, scopes: ['chat:write'] },
  'chat.update': { run: update, scopes: ['chat:write'] },
  'chat.delete': { run: remove, scopes: ['chat:write'] },
  'chat.getPermalink': { run: permalink, scopes: [] },
  'views.open': { run: open, scopes: [] },
  'views.push': { run: push, scopes: [] },
  'views.update': { run: updateView, scopes: [] },
  'views.publish': { run: publish, scopes: [] },
  'users.info': { run: usersInfo, scopes: ['users:read'] },
  'usergroups.list': { run: groups, scopes: ['usergroups:read'] },
  'usergroups.users.list': { run: groupUsers, scopes: ['usergroups:read'] },
  'conversations.info': {
    run: (state, args) => ({ channel: channelPayload(channelFor(state, args, false)) }),
    scopes: READ_CHANNELS,
  },
  'conversations.history': {
    run: (state, args) => history(state, readable(state, args), args),
    scopes: READ_HISTORY,
  },
  'conversations.replies': { run: conversationsReplies, scopes: READ_HISTORY },
  'conversations.open': { run: conversationsOpen, scopes: ['im:write'] },
  'conversations.join': { run: join, scopes: ['channels:join'] },
  ...FILE_METHODS,
  ...STREAM_METHODS,
  ...AGENT_METHODS,
  'bots.info': {
    run: () => ({ bot: { id: IDS.BOT, deleted: false, name: 'Switchboard', user_id: IDS.BOT_USER, app_id: IDS.APP } }),
    scopes: ['users:read'],
  },
};
