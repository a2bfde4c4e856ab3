// The payloads Slack sends to an app, member for member.
import { randomBytes, randomUUID } from 'node:crypto';
import { defined, type Fields } from '../../lib/values.ts';
import { stateValues } from './forms.ts';
import { IDS, type State } from './state.ts';
import type { Channel, Message, User, View } from './types.ts';
import { richText } from './typing.ts';

const VERIFICATION_TOKEN = 'playground-verification-token';

function teamOf(state: State, user: User, override?: string): Fields {
  const id = override ?? user.teamId;
  return { id, domain: id === IDS.TEAM ? state.team.domain : state.otherTeam.domain };
}

function userOf(user: User, override?: string): Fields {
  return { id: user.id, username: user.name, name: user.name, team_id: override ?? user.teamId };
}

export function messagePayload(message: Message): Fields {
  return {
    type: 'message',
    user: message.user,
    ...(message.botId ? { bot_id: message.botId, app_id: IDS.APP } : {}),
    team: IDS.TEAM,
    ts: message.ts,
    ...defined({ thread_ts: message.threadTs || undefined }),
    text: message.text,
    blocks: message.blocks,
    ...defined({ metadata: message.metadata, edited: message.edited, files: message.files?.map((id) => ({ id })) }),
  };
}

export function viewPayload(state: State, view: View): Fields {
  const d = view.definition;
  return {
    id: view.id,
    team_id: IDS.TEAM,
    type: view.type,
    blocks: d.blocks,
    private_metadata: d.private_metadata ?? '',
    callback_id: d.callback_id ?? '',
    state: { values: stateValues(state, view) },
    hash: view.hash,
    title: d.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: d.clear_on_close ?? false,
    notify_on_close: d.notify_on_close ?? false,
    close: d.close ?? null,
    submit: d.submit ?? null,
    previous_view_id: view.previousId,
    root_view_id: view.rootId,
    app_id: IDS.APP,
    external_id: d.external_id ?? '',
    app_installed_team_id: IDS.TEAM,
    bot_id: IDS.BOT,
  };
}

/** The event of a message that a person typed: `message` in a direct message with the app, otherwise `app_mention`. */
export function typedMessage(state: State, message: Message, channel: Channel): Fields {
  const user = state.users.get(message.user);
  const isForeign = user !== undefined && user.teamId !== IDS.TEAM;
  const parent = message.threadTs === undefined ? undefined : state.message(message.threadTs, channel.id);
  return {
    ...(channel.imWith ? { type: 'message', channel_type: 'im' } : { type: 'app_mention' }),
    client_msg_id: randomUUID(),
    user: message.user,
    text: message.text,
    ts: message.ts,
    team: user?.teamId ?? IDS.TEAM,
    // For a person from another workspace, Slack names that workspace in two more members.
    ...(isForeign ? { user_team: user.teamId, source_team: user.teamId } : {}),
    blocks: [richText(message.text, randomBytes(3).toString('hex'))],
    ...defined({
      thread_ts: message.threadTs,
      parent_user_id: parent?.user,
      app_context: channel.imWith ? appContext(state, message.user) : undefined,
    }),
    channel: channel.id,
    event_ts: message.ts,
  };
}

/** The channel that a person is looking at, as Slack names it to an agent; undefined if there is none. */
export function appContext(state: State, user: string): Fields | undefined {
  const channel = state.viewed.get(user);
  if (channel === undefined || !state.events.has('app_context_changed')) return undefined;
  return { entities: [{ type: 'slack#/types/channel_id', value: channel, team_id: IDS.TEAM }] };
}

/** The message or view in which an interaction happened. */
export type Place = { message: Message } | { view: View };

function common(state: State, type: string, user: User, team?: string): Fields {
  return {
    type,
    user: userOf(user, team),
    api_app_id: IDS.APP,
    token: VERIFICATION_TOKEN,
    team: teamOf(state, user, team),
    enterprise: null,
    is_enterprise_install: false,
  };
}

function placed(state: State, place: Place): Fields {
  if ('view' in place) {
    return {
      container: { type: 'view', view_id: place.view.id },
      view: viewPayload(state, place.view),
    };
  }
  const { message } = place;
  const container = {
    type: 'message',
    message_ts: message.ts,
    channel_id: message.channel,
    is_ephemeral: message.ephemeralTo !== undefined,
    ...defined({ thread_ts: message.threadTs || undefined }),
  };
  return {
    container,
    channel: channelOf(state, message.channel),
    // Slack leaves out `message` for ephemeral messages, so an app cannot rebuild them from the payload.
    ...(message.ephemeralTo === undefined ? { message: messagePayload(message) } : {}),
    state: { values: stateValues(state, message) },
  };
}

function channelOf(state: State, id: string): Fields {
  const channel = state.channels.get(id);
  return { id, name: channel?.imWith ? 'directmessage' : (channel?.name ?? id) };
}

export function blockActions(
  state: State,
  user: User,
  place: Place,
  action: Fields,
  ids: { triggerId: string; responseUrl?: string | undefined; team?: string | undefined },
): Fields {
  return {
    ...common(state, 'block_actions', user, ids.team),
    ...placed(state, place),
    trigger_id: ids.triggerId,
    ...defined({ response_url: ids.responseUrl || undefined }),
    actions: [{ ...action, action_ts: state.ts() }],
  };
}

export function blockSuggestion(
  state: State,
  user: User,
  place: Place,
  at: { actionId: string; blockId: string; value: string; team?: string | undefined },
): Fields {
  const { state: _values, ...where } = placed(state, place);
  return {
    ...common(state, 'block_suggestion', user, at.team),
    ...where,
    action_id: at.actionId,
    block_id: at.blockId,
    value: at.value,
  };
}

export function viewSubmission(state: State, user: User, view: View, triggerId: string, team?: string): Fields {
  return {
    ...common(state, 'view_submission', user, team),
    trigger_id: triggerId,
    view: viewPayload(state, view),
    response_urls: [],
  };
}

export function viewClosed(state: State, user: User, view: View, isCleared: boolean): Fields {
  return { ...common(state, 'view_closed', user), view: viewPayload(state, view), is_cleared: isCleared };
}

export function globalShortcut(state: State, user: User, callbackId: string, triggerId: string, team?: string): Fields {
  return {
    ...common(state, 'shortcut', user, team),
    callback_id: callbackId,
    trigger_id: triggerId,
    action_ts: state.ts(),
  };
}

export function messageShortcut(
  state: State,
  user: User,
  message: Message,
  callbackId: string,
  ids: { triggerId: string; responseUrl: string; team?: string | undefined },
): Fields {
  return {
    ...common(state, 'message_action', user, ids.team),
    callback_id: callbackId,
    trigger_id: ids.triggerId,
    response_url: ids.responseUrl,
    action_ts: state.ts(),
    message_ts: message.ts,
    channel: channelOf(state, message.channel),
    message: messagePayload(message),
  };
}

export function slashCommand(
  state: State,
  user: User,
  fields: { channel: string; command: string; text: string; team?: string | undefined },
  ids: { triggerId: string; responseUrl: string },
): Record<string, string> {
  const team = teamOf(state, user, fields.team);
  return {
    token: VERIFICATION_TOKEN,
    team_id: String(team.id),
    team_domain: String(team.domain),
    channel_id: fields.channel,
    channel_name: String(channelOf(state, fields.channel).name),
    user_id: user.id,
    user_name: user.name,
    command: fields.command,
    text: fields.text,
    api_app_id: IDS.APP,
    is_enterprise_install: 'false',
    response_url: ids.responseUrl,
    trigger_id: ids.triggerId,
  };
}

export function eventCallback(state: State, event: Fields, team: string = IDS.TEAM): Fields {
  return {
    token: VERIFICATION_TOKEN,
    team_id: team,
    context_team_id: IDS.TEAM,
    context_enterprise_id: null,
    api_app_id: IDS.APP,
    event: { event_ts: state.ts(), ...event },
    type: 'event_callback',
    // A restart of the process must not repeat an id that the app has handled.
    event_id: `Ev${state.hash()}`,
    event_time: Math.floor(state.clock.now() / 1000),
    authorizations: [
      { enterprise_id: null, team_id: IDS.TEAM, user_id: IDS.BOT_USER, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: team !== IDS.TEAM,
    event_context: `4-${state.serial()}`,
  };
}
