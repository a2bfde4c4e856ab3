import type { App } from '@slack/bolt';
import { guidesFor } from '../../../../tools/surfaces/tasks.ts';
import { failureText } from '../../../language/outcome.ts';
import { lookups } from '../../../language/typed-values.ts';
import { defined, type Fields, leaves, recordOf, recordsIn, textOf } from '../../../lib/values.ts';
import { isStoreUnavailable } from '../../../store/key-values.ts';
import { type Message, notice, OUT_OF_DATE } from '../blocks/text.ts';
import type { SlackContext } from '../context.ts';
import { type Acked, admitted, type Click, type Flow, NO_BUTTON, openedAt, Reply, updated } from '../flows/engine.ts';
import { openForm, suggest } from '../flows/forms.ts';
import { startGuide } from '../flows/guide-flow.ts';
import { answerTalk, lookUpMentioned, type Said, type SentFile, stopTurn } from '../flows/turn.ts';
import { TEXT_BLOCK } from '../live/events.ts';
import { textOfRich, typedLine } from '../typed.ts';
import { type FlowName, guideShortcut, type Origin, sentView, type ViewOf } from '../types.ts';
import { ACTIONS, FLOWS } from './actions.ts';
import { type Command, commandList } from './commands.ts';

/** Answers Slack, once. Rejects if the connection is gone, which does not stop the work. */
export type Ack = (response?: unknown) => Promise<void>;

const MAX_DEPTH = 8;
/** The subtypes of what a person wrote: with files, in a thread and "also sent" beside it, with /me. */
const WRITTEN: readonly unknown[] = ['file_share', 'thread_broadcast', 'me_message'];
const FAILED = notice(
  '❌',
  'Something failed inside Switchboard. The log has the details. Check the card or the app’s Home before you try again.',
);

/** Handles one kind of request, without Bolt's types: reads the person and place, acknowledges, then works. */
type Handle = (slack: SlackContext, body: Fields, ack: Ack) => Promise<void>;

/**
 * Registers a listener with Bolt for each kind of request. Tables say what handles a command, a button and a view.
 *
 * @param track follows the work of a request until it ends
 */
export function listen(app: App, slack: SlackContext, track: (work: Promise<void>) => Promise<void>): void {
  const { tools, groups, config } = slack;
  const on =
    (handle: Handle) =>
    ({ body, ack }: { body: unknown; ack?: unknown }) =>
      track(handle(slack, body as Fields, ack as Ack));

  const commands = commandList(tools, groups, config.SLACK_COMMAND_PREFIX);
  app.command(ANY, on(typed(new Map(commands.map(({ command, parse }) => [command, parse])))));
  app.action(ANY, on(clicked));
  app.options(ANY, on(searched));
  app.view({ callback_id: ANY, type: 'view_submission' }, on(viewSent));
  app.view({ callback_id: ANY, type: 'view_closed' }, on(viewClosed));
  app.shortcut({ callback_id: ANY, type: 'message_action' }, on(messageShortcut));
  app.shortcut({ callback_id: ANY, type: 'shortcut' }, on(globalShortcut));
  app.event('app_home_opened', on(homeOpened));
  app.event('agent_session_stopped', on(sessionStopped));
  // No permission follows from what a person looks at, so nothing is done with it.
  app.event('app_context_changed', async () => undefined);
  app.event('app_mention', on(talk));
  app.event('message', on(talk));
}

const ANY = /^/;

function typed(parses: ReadonlyMap<string, Command['parse']>): Handle {
  return async (slack, body, ack) => {
    const origin = originOf(body);
    const command = textOf(body.command);
    const parse = parses.get(command);
    if (!parse) return ack(ephemeral(notice('🤔', `${command} is not a command of this app.`)));
    let acked: Acked;
    try {
      acked = parse(slack, typedLine(textOf(body.text)), origin);
    } catch (error) {
      await ack(ephemeral(FAILED));
      throw error;
    }
    await ack(acked.now ? ephemeral(acked.now) : undefined);
    await guarded(slack, origin, acked.after);
  };
}

/** Action ids are unique within a message, so that buttons of one kind are numbered: `sb_fill_3`. */
const NUMBER = /_(\d+|back)$/;

async function clicked(slack: SlackContext, body: Fields, ack: Ack): Promise<void> {
  await ack();
  const [first] = Array.isArray(body.actions) ? body.actions : [];
  if (first === undefined) return;
  const action = recordOf(first);
  const message = recordOf(body.message);
  // The text from outside in a message of this app.
  const text = recordsIn(message.blocks).find((one) => one.block_id === TEXT_BLOCK);
  const origin = originOf(body);
  const click: Click = {
    actionId: textOf(action.action_id),
    value: textOf(recordOf(action.selected_option).value) || textOf(action.value),
    messageTs: textOf(recordOf(body.container).message_ts) || undefined,
    ...defined({ quoted: text && textsOf(text.elements).join(''), postedTs: textOf(message.ts) || undefined }),
    ...(recordOf(body.view).type === 'modal' && { view: sentView(body.view) }),
    origin,
    reply: new Reply(slack, origin),
  };
  const id = click.actionId.replace(NUMBER, '');
  const handle = Object.hasOwn(ACTIONS, id) ? ACTIONS[id] : undefined;
  await guarded(slack, origin, async () => void (await (handle?.(slack, click) ?? click.reply.add(NO_BUTTON))));
}

async function searched(slack: SlackContext, body: Fields, ack: Ack): Promise<void> {
  const asked = { blockId: textOf(body.block_id), typed: textOf(body.value), origin: originOf(body) };
  await ack({ options: await suggest(slack, sentView(body.view), asked) });
}

async function viewSent(slack: SlackContext, body: Fields, ack: Ack): Promise<void> {
  const view = sentView(body.view);
  const origin = openedAt(slack, view, originOf(body));
  const submit = view.state && (FLOWS[view.state.flow] as Flow<FlowName>).submit;
  const { ack: response, after } = (await submit?.(slack, view as ViewOf<FlowName>, origin)) ?? updated(OUT_OF_DATE);
  await ack(response);
  await guarded(slack, origin, after);
}

/** The person has closed a view that asks Slack to say so (`notify_on_close`). */
async function viewClosed(slack: SlackContext, body: Fields, ack: Ack): Promise<void> {
  await ack();
  const view = sentView(body.view);
  if (view.state) await (FLOWS[view.state.flow] as Flow<FlowName>).closed?.(slack, view as ViewOf<FlowName>);
}

/** "Look up numbers" on a message. */
async function messageShortcut(slack: SlackContext, body: Fields, ack: Ack): Promise<void> {
  await ack();
  const origin = originOf(body);
  const reply = new Reply(slack, origin);
  const member = await admitted(slack, origin, 'viewer', reply);
  if (member) await lookUpMentioned(slack, textsOf(body.message).join('\n'), { origin, reply, actor: member.actor });
}

/** The shortcut of a guide, or "Look up a number". */
async function globalShortcut(slack: SlackContext, body: Fields, ack: Ack): Promise<void> {
  await ack();
  const { tools, groups } = slack;
  const guide = guidesFor(tools).find(({ name }) => guideShortcut(name) === body.callback_id);
  const [lookup] = lookups(tools, groups);
  if (guide) await startGuide(slack, guide, {}, originOf(body));
  else if (lookup) await openForm(slack, lookup.tool, {}, originOf(body));
}

async function homeOpened(slack: SlackContext, body: Fields): Promise<void> {
  const event = recordOf(body.event);
  const teamId = textOf(body.team_id) || textOf(body.context_team_id);
  if (['home', ''].includes(textOf(event.tab))) await slack.home.opened({ userId: textOf(event.user), teamId });
}

/** Handles a mention of the app, or a direct message to it. Joins and messages of bots, including this one, get no answer. */
async function talk(slack: SlackContext, body: Fields): Promise<void> {
  const said = saidIn(body);
  if (!said || (await slack.roles.isOwnBot(said.origin.userId))) return;
  await guarded(slack, said.origin, () => answerTalk(slack, said));
}

/**
 * Handles the Stop button of a session. Slack has ended its streams; the turn ends here, and sets the status. For a
 * person who may not stop it, the turn goes on, and its answer arrives as a message.
 */
async function sessionStopped(slack: SlackContext, body: Fields): Promise<void> {
  const event = recordOf(body.event);
  const place = { channel: textOf(event.channel), threadTs: textOf(event.thread_ts) };
  if (place.channel === '' || place.threadTs === '') return;
  const teamId = textOf(event.user_team) || textOf(body.team_id);
  const origin = { ...place, userId: textOf(event.user), teamId };
  const member = await admitted(slack, origin, 'viewer', new Reply(slack, origin));
  if (!member) return;
  // The process that ran the turn may have ended, and then no other process sets the status.
  const isAnswered = await stopTurn(slack, place, origin, member.actor);
  if (!isAnswered) await slack.web.session(place, 'active');
}

/** Sends the person a message about an unexpected failure. The error is rethrown for the log. */
async function guarded(slack: SlackContext, origin: Origin, work: (() => Promise<void>) | undefined): Promise<void> {
  try {
    await work?.();
  } catch (error) {
    const isAway = isStoreUnavailable(error);
    await new Reply(slack, origin).add(isAway ? notice('❌', failureText(error.face, 'slack')) : FAILED);
    // The store itself logs that the database is away.
    if (!isAway) throw error;
  }
}

function ephemeral({ text, blocks }: Message): Fields {
  return { response_type: 'ephemeral', text, blocks };
}

/** The mention or direct message in an event; undefined for all that the app does not answer. */
function saidIn(body: Fields): Said | undefined {
  const event = recordOf(body.event);
  const isMessage = event.type === 'message' && event.channel_type === 'im';
  if (!isMessage && event.type !== 'app_mention') return undefined;
  const subtype = WRITTEN.includes(event.subtype) ? undefined : event.subtype;
  if ([subtype, event.bot_id, event.bot_profile, event.app_id].some((mark) => mark !== undefined)) return undefined;
  const userId = textOf(event.user);
  const channel = textOf(event.channel);
  if (userId === '' || channel === '') return undefined;
  const threadTs = textOf(event.thread_ts) || undefined;
  const teamId = textOf(event.user_team) || textOf(event.team) || textOf(body.team_id);
  return {
    // A message of an app's own composer may have blocks alone.
    text: textOf(event.text).trim() === '' ? recordsIn(event.blocks).map(blockText).join('\n') : textOf(event.text),
    forwarded: forwardedIn(event),
    ts: textOf(event.ts),
    files: recordsIn(event.files).map(sentFile),
    origin: { userId, teamId, channel, ...defined({ threadTs }) },
  };
}

function blockText(block: Fields): string {
  return block.type === 'rich_text' ? textOfRich(block) : textsOf(block).join('\n');
}

/** The text of the messages that a message forwards; undefined if it forwards none. A preview of a link is none. */
function forwardedIn({ attachments }: Fields): string | undefined {
  const shared = recordsIn(attachments).filter((one) => one.is_share === true || one.is_msg_unfurl === true);
  if (shared.length === 0) return undefined;
  return shared
    .map((one) => textOf(one.text) || textsOf([one.message_blocks, one.blocks]).join('\n') || textOf(one.fallback))
    .join('\n')
    .trim();
}

function sentFile({ name, filetype, mode, is_external: isExternal, ...rest }: Fields): SentFile {
  // Any app can register a file at any address. Only files that Slack stores are read.
  const isStored = isExternal !== true && textOf(mode) !== 'external';
  const url = textOf(rest.url_private_download) || textOf(rest.url_private);
  return { name: textOf(name) || 'file', type: textOf(filetype), url: isStored ? url : '' };
}

function originOf(body: Fields): Origin {
  const [user, container] = [recordOf(body.user), recordOf(body.container)];
  const first = (...texts: unknown[]) => texts.map(textOf).find((text) => text !== '');
  return {
    userId: first(body.user_id, user.id) ?? '',
    teamId: first(user.team_id, body.team_id, recordOf(body.team).id) ?? '',
    ...defined({
      channel: first(body.channel_id, recordOf(body.channel).id, container.channel_id),
      threadTs: first(container.thread_ts, recordOf(body.message).thread_ts),
      responseUrl: first(body.response_url),
      triggerId: first(body.trigger_id),
    }),
  };
}

/** Every text in a message, including its blocks and attachments, each once. */
function textsOf(message: unknown): string[] {
  const texts = leaves(message, ({ depth }) => depth <= MAX_DEPTH).flatMap(({ key, value }) =>
    typeof value === 'string' && (key === 'text' || key === 'fallback') ? [value] : [],
  );
  return [...new Set(texts)];
}
