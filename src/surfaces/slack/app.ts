import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type Logger, LogLevel, type ReceiverEvent, webApi } from '@slack/bolt';
import { guides } from '../../../tools/surfaces/tasks.ts';
import { failureText } from '../../language/outcome.ts';
import { RecordSearch } from '../../language/records.ts';
import { lookupIn } from '../../language/typed-values.ts';
import { CHECK_MS, inTime } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { Proxies } from '../../lib/proxies.ts';
import { defined, type Fields, leaves, recordOf, recordsIn, textOf } from '../../lib/values.ts';
import { isStoreUnavailable, KeyValues } from '../../store/key-values.ts';
import type { Database } from '../../store/types.ts';
import type { Handler } from '../../work/worker.ts';
import { downloads, TIMEOUT_MS, WebApi } from './api/web.ts';
import * as ui from './blocks/text.ts';
import type { SlackContext } from './context.ts';
import {
  type Acked,
  admitted,
  type Click,
  type Flow,
  NO_BUTTON,
  openedAt,
  Reply,
  showDecided,
  updated,
} from './flows/engine.ts';
import { openForm, suggest } from './flows/forms.ts';
import { advanceGuide, GUIDE_GOES_ON, goOnLater, guideNote, startGuide } from './flows/guide-flow.ts';
import {
  answerTalk,
  INTERRUPTED,
  lookUpMentioned,
  type Said,
  type SentFile,
  stopTurn,
  tellInterrupted,
} from './flows/turn.ts';
import { ACTIONS, deletePicture, FLOWS, PICTURE } from './listeners/actions.ts';
import { type Command, commandList } from './listeners/commands.ts';
import {
  type ClientOptions,
  createReceiver,
  type Process,
  SlackSignatures,
  SocketMode,
  slackbotCalls,
} from './listeners/receiver.ts';
import { Cards } from './live/cards.ts';
import { SlackEvents, TEXT_BLOCK } from './live/events.ts';
import { Home } from './live/home.ts';
import { createMemory, createReworder, Directory, Roles } from './people/roles.ts';
import { type FlowName, guideShortcut, type Origin, sentView, type ViewOf } from './types.ts';

export type { SlackConfig } from './types.ts';

export interface SlackOptions
  extends Pick<
    SlackContext,
    'config' | 'gate' | 'batches' | 'tools' | 'assistant' | 'clock' | 'log' | 'jobs' | 'worker'
  > {
  /** Values that this surface shares with other processes and with its next start (area slack-seen). */
  seen: Database;
  /** Timeout of one call to Slack, in ms; 4,000 by default. */
  timeoutMs?: number;
}

/** The Slack surface: Bolt at its edge, and everything behind it derived from the tools and the gate. */
export class Slack {
  readonly #context: SlackContext;
  /** Slackbot's calls of tools over MCP; undefined without a signing secret, with which Slack signs them. */
  readonly slackbot: ReturnType<typeof slackbotCalls> | undefined;
  readonly #receive: ReturnType<typeof createReceiver> | undefined;
  readonly #socket: SocketMode | undefined;
  readonly #stop: () => void;
  /** Handlers of jobs, from `start` on. */
  readonly #handlers: Readonly<Record<string, Handler>>;
  readonly #process: Process;
  /** Requests in progress after their acknowledgement. */
  readonly #working = new Set<Promise<void>>();

  constructor(options: SlackOptions) {
    const { config, gate, clock, log, worker } = options;
    const token = config.SLACK_BOT_TOKEN;
    if (token === undefined) throw new Error('SLACK_BOT_TOKEN is missing');
    const logger = boltLogger(log);
    const proxies = new Proxies(config);
    const clientOptions: ClientOptions = {
      ...defined({ slackApiUrl: config.SLACK_API_URL || undefined }),
      retryConfig: { retries: 0 },
      timeout: options.timeoutMs ?? TIMEOUT_MS,
      rejectRateLimitedCalls: true,
      fetch: proxies.fetch,
    };
    // A separate client keeps the token in the header and out of request bodies.
    const client = new webApi.WebClient(token, { ...clientOptions, logger, logLevel: LogLevel.WARN });
    const web = new WebApi({ call: (method, args) => client.apiCall(method, args), fetch: proxies.fetch, clock, log });
    const context = createContext(options, web, token, proxies);
    this.#context = context;
    const { home, cards } = context;
    const own = { [INTERRUPTED]: tellInterrupted, [PICTURE]: deletePicture, [GUIDE_GOES_ON]: goOnLater };
    for (const [kind, handlerOf] of Object.entries(own)) worker.on(kind, handlerOf(context));
    this.#handlers = { ...home.handlers, ...cards.handlers };
    this.#stop = gate.onChange((action) => {
      worker.look();
      home.show(action);
      if (guideNote(action)) void this.#track(advanceGuide(context, action.id).then(() => undefined));
      // The message says "Running" since the yes.
      if (action.state !== 'in_flight') void this.#track(showDecided(context, action));
    });
    // Bolt gets verified requests through `process`, so its receiver does nothing.
    const app = new App({
      authorize: async () => ({ botToken: token }),
      receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
      ignoreSelf: false,
      logger,
      logLevel: LogLevel.WARN,
      clientOptions,
    });
    this.#process = (event) => app.processEvent(event as ReceiverEvent);
    app.error(async (error) => log('error', { error: error.message }, 'Bolt failed to handle a request'));
    listen(app, context, (work) => this.#track(work));
    const secret = config.SLACK_SIGNING_SECRET;
    if (secret !== undefined) {
      const seen = new KeyValues({ database: options.seen, clock, kind: 'handled request' });
      const signatures = new SlackSignatures({ secret, clock, seen });
      this.#receive = createReceiver(signatures, log, this.#process);
      this.slackbot = slackbotCalls(context, signatures);
    }
    const appToken = config.SLACK_APP_TOKEN;
    const { dispatcher } = proxies;
    if (appToken !== undefined)
      this.#socket = new SocketMode({ app, appToken, logger, clientOptions, dispatcher, clock, log });
  }

  /** Handles POST /slack/events. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#receive) await this.#receive(request, response);
    else response.writeHead(404).end();
  }

  /** Starts to connect Socket Mode and to update cards. Resolves before either is done. */
  async start(): Promise<void> {
    // Start-up does not wait for Slack. `health` reports the connection, and cards that cannot be drawn are tried again.
    void this.#socket?.connect();
    for (const [kind, handler] of Object.entries(this.#handlers)) this.#context.worker.on(kind, handler);
  }

  /** Does once what the first command would wait for, without a call that changes anything. */
  async warmUp(): Promise<void> {
    const { config, tools } = this.#context;
    // Code is compiled when it first runs. A command that the app does not have goes through Bolt and is answered at
    // once. The others are only parsed, so Slack is asked nothing.
    const nobody = { user_id: 'U0', team_id: 'T0', channel_id: 'C0', text: '' };
    await this.#process({ body: { ...nobody, command: '/' }, ack: async () => undefined });
    for (const { parse } of commandList(tools, config.SLACK_COMMAND_PREFIX))
      parse(this.#context, 'help', { userId: 'U0', teamId: 'T0' });
    await this.#context.roles.warmUp();
  }

  async close(): Promise<void> {
    await this.#socket?.close();
    await Promise.allSettled([...this.#working]);
    this.#stop();
    await Promise.allSettled([...this.#working]);
    // Work on a batch waits for cards, which these handlers draw.
    await this.#context.cards.close();
    await this.#context.worker.off(Object.keys(this.#handlers));
  }

  /** Shows platform events in SLACK_EVENTS_CHANNEL. Their threads are stored in `database` (area slack-events). */
  openEvents(database: Database): SlackEvents | undefined {
    const channel = this.#context.config.SLACK_EVENTS_CHANNEL;
    return channel === undefined ? undefined : new SlackEvents(this.#context, channel, database);
  }

  /** False while Socket Mode is connecting. */
  get connected(): boolean {
    return this.#socket?.connected ?? true;
  }

  /** Rejects if Slack does not answer, if the token is refused, and while Socket Mode is connecting. */
  async health(): Promise<void> {
    if (!this.connected)
      throw new Error('Slack is connecting (Socket Mode); commands and clicks arrive once it is connected');
    const { web, clock } = this.#context;
    await inTime(clock, CHECK_MS, web.identity(), () => {
      throw new Error(`Slack did not answer within ${CHECK_MS / 1000} s`);
    });
  }

  /** True if a person (`slack:T…/U…`) is an operator now; undefined if Slack does not say. */
  isOperator(person: string): Promise<boolean | undefined> {
    return this.#context.roles.isOperator(person);
  }

  /** Resolves when no request is in progress. */
  async idle(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled([...this.#working]);
  }

  /** Follows work until it ends. A failure is logged and affects no other request. */
  #track(work: Promise<void>): Promise<void> {
    const done = work.catch((error: unknown) => {
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#context.log('error', { error: detail }, 'failed to carry out a Slack request');
    });
    this.#working.add(done);
    void done.finally(() => this.#working.delete(done));
    return done;
  }
}

function createContext(options: SlackOptions, web: WebApi, token: string, proxies: Proxies): SlackContext {
  const { config, gate, tools, clock, seen: database } = options;
  const roles = new Roles({ ...options, web });
  const services = {
    ...options,
    ...{ database, web, roles },
    reworded: createReworder(tools, config.SLACK_COMMAND_PREFIX),
  };
  const lookup = lookupIn(tools);
  if (lookup === undefined) throw new Error('the catalogue has no lookup');
  return {
    ...services,
    lookup,
    answered: new KeyValues({ database, clock, kind: 'answered message' }),
    offers: new KeyValues({ database, clock, kind: 'offer' }),
    memory: createMemory(),
    directory: new Directory(),
    records: new RecordSearch(gate, tools, () => clock.now()),
    cards: new Cards(services),
    download: downloads({ token, apiUrl: config.SLACK_API_URL, fetch: proxies.fetch }),
    home: new Home(services),
  };
}

/** Bolt's warnings and errors as log lines, never a payload. */
function boltLogger(log: Log): Logger {
  const logAt =
    (level: 'warn' | 'error') =>
    (...parts: unknown[]) => {
      const texts = parts.map((part) => (part instanceof Error ? part.message : typeof part === 'string' ? part : ''));
      log(level, { from: 'bolt' }, texts.join(' ').slice(0, 500));
    };
  const ignored = () => undefined;
  return {
    ...{ debug: ignored, info: ignored, setLevel: ignored, setName: ignored, getLevel: () => LogLevel.WARN },
    warn: logAt('warn'),
    error: logAt('error'),
  };
}

/** Answers Slack, once. Rejects if the connection is gone, which does not stop the work. */
type Ack = (response?: unknown) => Promise<void>;

const MAX_DEPTH = 8;
/** The subtypes of what a person wrote: with files, in a thread and "also sent" beside it, with /me. */
const WRITTEN: readonly unknown[] = ['file_share', 'thread_broadcast', 'me_message'];
const FAILED = ui.notice(
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
  const { tools, config } = slack;
  const on =
    (handle: Handle) =>
    ({ body, ack }: { body: unknown; ack?: unknown }) =>
      track(handle(slack, body as Fields, ack as Ack));

  const commands = commandList(tools, config.SLACK_COMMAND_PREFIX);
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
    if (!parse) return ack(ephemeral(ui.notice('🤔', `${command} is not a command of this app.`)));
    let acked: Acked;
    try {
      acked = parse(slack, ui.typedLine(textOf(body.text)), origin);
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
  const [action = {}] = recordsIn(body.actions);
  const message = recordOf(body.message);
  // The text from outside in a message of this app.
  const text = recordsIn(message.blocks).find((one) => one.block_id === TEXT_BLOCK);
  const view = recordOf(body.view).type === 'modal' ? sentView(body.view) : undefined;
  const origin = view ? openedAt(slack, view, originOf(body)) : originOf(body);
  const click: Click = {
    actionId: textOf(action.action_id),
    value: textOf(recordOf(action.selected_option).value) || textOf(action.value),
    messageTs: textOf(recordOf(body.container).message_ts) || undefined,
    ...defined({ quoted: text && textsOf(text.elements).join(''), postedTs: textOf(message.ts) || undefined, view }),
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
  const { ack: response, after } = (await submit?.(slack, view as ViewOf<FlowName>, origin)) ?? updated(ui.OUT_OF_DATE);
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
  const guide = guides.find(({ name }) => guideShortcut(name) === body.callback_id);
  if (guide) await startGuide(slack, guide, {}, originOf(body));
  else await openForm(slack, slack.lookup.tool, {}, originOf(body));
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
    await new Reply(slack, origin).add(isAway ? ui.notice('❌', failureText(error.face, 'slack')) : FAILED);
    // The store itself logs that the database is away.
    if (!isAway) throw error;
  }
}

function ephemeral({ text, blocks }: ui.Message): Fields {
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
  return block.type === 'rich_text' ? ui.textOfRich(block) : textsOf(block).join('\n');
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
