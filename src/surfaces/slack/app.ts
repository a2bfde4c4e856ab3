import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type Logger, LogLevel, SocketModeReceiver, webApi } from '@slack/bolt';
import { groups as allGroups } from '../../../tools/groups.ts';
import type { Tool } from '../../catalogue/operation.ts';
import type { Gate } from '../../gate/gate.ts';
import type { Action, ActionsView } from '../../gate/ledger/ledger.ts';
import type { Clock } from '../../lib/clock.ts';
import { createGuides, type Guides, guidesFor } from './flows/guide.ts';
import { commandList } from './listeners/commands.ts';
import { createHandlers, SHORTCUTS } from './listeners/handlers.ts';
import { createReceiver } from './listeners/receiver.ts';
import { openSeen } from './listeners/seen.ts';
import { createCards } from './live/cards.ts';
import { createSlackEvents, type SlackEvents } from './live/events.ts';
import { createHome } from './live/home.ts';
import { createWeb } from './live/web.ts';
import { createDirectory } from './people/directory.ts';
import { createMemory } from './people/memory.ts';
import { createRoles } from './people/roles.ts';
import { createSaid } from './people/said.ts';
import type { Log, SlackConfig, SlackContext, SlackGroup } from './types.ts';

export type { PlatformEvent } from './listeners/handlers.ts';
export type { SlackConfig } from './types.ts';

export interface SlackOptions {
  config: SlackConfig;
  gate: Gate;
  tools: readonly Tool[];
  clock: Clock;
  log: Log;
  /** Left out: the catalogue's. */
  groups?: Readonly<Record<string, SlackGroup>>;
  /** Where requests that were handled are remembered, so that none is handled again after a restart; else in memory. */
  seenFile?: string;
  /** Serve POST /slack/events; by default where a signing secret is set. */
  httpHandler?: boolean;
  /** For one call to Slack, in ms; 4,000 by default. */
  timeoutMs?: number;
}

export interface Slack {
  /** POST /slack/events. */
  handle(req: IncomingMessage, res: ServerResponse): Promise<void>;
  /** Begins to connect Socket Mode where it is set, and to bring cards up to date; waits for neither. */
  start(): Promise<void>;
  close(): Promise<void>;
  /** Brings an action's card up to date; posts it where it has none and waits for a person. */
  publish(action: Action): Promise<void>;
  /** Shows what happens at the platform in SLACK_EVENTS_CHANNEL; its threads are kept in the file at `path`. */
  openEvents(path: string): SlackEvents | undefined;
  /** Rejects when Slack does not answer or the token is refused, and while Socket Mode is connecting. */
  health(): Promise<void>;
  /** Resolves when nothing that somebody asked for is under way. */
  idle(): Promise<void>;
}

/** The library's own defaults wait half an hour; here somebody is waiting. Tries are counted in web.ts. */
const TIMEOUT_MS = 4_000;
/** Whoever asks whether Slack answers waits no longer than this. */
const HEALTH_MS = 3_000;

/** The Slack surface: Bolt at its edge, everything behind it derived from the tools and the door. */
export async function createSlack(options: SlackOptions): Promise<Slack> {
  const { config, gate, tools, clock, log } = options;
  const token = config.SLACK_BOT_TOKEN;
  if (token === undefined) throw new Error('SLACK_BOT_TOKEN is missing');
  const groups = options.groups ?? allGroups;
  const logger = boltLogger(log);
  const clientOptions = {
    ...(config.SLACK_API_URL ? { slackApiUrl: config.SLACK_API_URL } : {}),
    retryConfig: { retries: 0 },
    timeout: options.timeoutMs ?? TIMEOUT_MS,
    rejectRateLimitedCalls: true,
  };
  let receive: Parameters<typeof createReceiver>[0]['process'] = async () => undefined;
  const app = new App({
    authorize: async () => ({ botToken: token }),
    receiver: {
      init: (made) => {
        receive = (event) => made.processEvent(event);
      },
      start: async () => undefined,
      stop: async () => undefined,
    },
    ignoreSelf: false,
    logger,
    logLevel: LogLevel.WARN,
    clientOptions,
  });
  // The token goes into the header of a client of our own, never into a body.
  const slackClient = new webApi.WebClient(token, { ...clientOptions, logger, logLevel: LogLevel.WARN });
  const web = createWeb({ call: (method, args) => slackClient.apiCall(method, args), clock, log });
  const reworded = createSaid(tools, config.SLACK_COMMAND_PREFIX);
  const roles = createRoles({ config, web, clock, log });
  let guides: Guides | undefined;
  const cards = createCards({
    config,
    gate,
    web,
    clock,
    log,
    reworded,
    moved: (id) => guides?.actionMoved(id),
  });
  const home = createHome({
    config,
    gate,
    groups,
    commands: commandList(tools, groups, config.SLACK_COMMAND_PREFIX),
    web,
    roles,
    clock,
    log,
    reworded,
    guides: guidesFor(tools),
  });
  const directory = createDirectory();
  const stopLearning = gate.onChange((action) => directory.learnActions([action]));
  const shared: Omit<SlackContext, 'guides'> = {
    config,
    gate,
    tools,
    groups,
    clock,
    log,
    web,
    roles,
    memory: createMemory(clock),
    directory,
    cards,
    home,
    reworded,
    before: (tool, given) => before(gate.actions, tool, given),
  };
  guides = createGuides(shared);
  const slack: SlackContext = { ...shared, guides };
  const on = createHandlers(slack);

  const working = new Set<Promise<void>>();
  /** What is under way after the answer to Slack; a failure is logged here and ends nothing else. */
  const track = (work: Promise<void>): Promise<void> => {
    const done = work.catch((error: unknown) =>
      log(
        'error',
        { error: error instanceof Error ? (error.stack ?? error.message) : String(error) },
        'a Slack request was not carried out',
      ),
    );
    working.add(done);
    void done.finally(() => working.delete(done));
    return done;
  };
  /** Bolt's payloads as plain records, and its `ack` as one function. */
  const plain = (body: unknown) => body as Record<string, unknown>;
  const answer = (ack: unknown) => ack as (response?: unknown) => Promise<void>;

  app.command(/.*/, ({ body, ack }) => track(on.command(plain(body), answer(ack))));
  app.action(/.*/, ({ body, ack }) => track(on.click(plain(body), answer(ack))));
  app.options(/.*/, ({ body, ack }) => track(on.suggest(plain(body), answer(ack))));
  app.view({ callback_id: /.*/, type: 'view_submission' }, ({ body, ack }) =>
    track(on.submit(plain(body), answer(ack))),
  );
  app.view({ callback_id: /.*/, type: 'view_closed' }, ({ ack }) => track(answer(ack)()));
  app.shortcut({ callback_id: SHORTCUTS.message, type: 'message_action' }, ({ body, ack }) =>
    track(on.messageShortcut(plain(body), answer(ack))),
  );
  app.shortcut({ callback_id: /.*/, type: 'shortcut' }, ({ body, ack }) =>
    track(on.globalShortcut(plain(body), answer(ack))),
  );
  app.event('app_home_opened', ({ body }) => track(on.homeOpened(plain(body))));
  app.error(async (error) => log('error', { error: error.message }, 'Bolt could not handle a request'));

  const secret = config.SLACK_SIGNING_SECRET;
  const seen = openSeen(options.seenFile ?? ':memory:', clock);
  const http =
    secret !== undefined && options.httpHandler !== false
      ? createReceiver({ secret, clock, log, seen, process: (event) => receive(event) })
      : undefined;
  const socket =
    config.SLACK_APP_TOKEN === undefined
      ? undefined
      : new SocketModeReceiver({
          appToken: config.SLACK_APP_TOKEN,
          logger,
          installerOptions: { clientOptions: { ...clientOptions, retryConfig: { retries: 2 } } },
        });
  socket?.init(app);

  const opened: SlackEvents[] = [];
  let closed = false;
  let reconnect: unknown;
  let connected = false;
  socket?.client.on('connected', () => {
    connected = true;
  });
  for (const event of ['connecting', 'reconnecting', 'disconnected'])
    socket?.client.on(event, () => {
      connected = false;
    });
  /** Slack may be down when we start: tried again, ever more rarely, without holding anything else up. */
  async function connect(attempt: number): Promise<void> {
    if (!socket || closed) return;
    try {
      await socket.start();
    } catch (error) {
      log('error', { error: String(error) }, 'Socket Mode could not connect; it is tried again');
      reconnect = clock.setTimeout(() => void connect(attempt + 1), Math.min(60_000, 5_000 * 2 ** attempt));
    }
  }

  return {
    async handle(req, res) {
      if (http) await http(req, res);
      else res.writeHead(404).end();
    },
    async start() {
      directory.learnActions(gate.actions.list({ limit: 200 }));
      // Nothing else waits for Slack; `health` says how far the connection is.
      void connect(0);
      // Slack being slow or down is no reason not to start: cards are compared again every few seconds.
      void cards
        .start()
        .catch((error: unknown) =>
          log('warn', { error: String(error) }, 'cards could not be brought up to date at start'),
        );
    },
    async close() {
      closed = true;
      clock.clearTimeout(reconnect);
      await socket
        ?.stop()
        .catch((error: unknown) => log('info', { error: String(error) }, 'Socket Mode was not connected'));
      await Promise.allSettled([...working]);
      stopLearning();
      home.close();
      slack.guides.close();
      await cards.close();
      for (const events of opened) await events.close();
      seen.close();
    },
    publish: (action) => cards.sync(action.id),
    openEvents(path) {
      const channel = config.SLACK_EVENTS_CHANNEL;
      if (channel === undefined) return undefined;
      const events = createSlackEvents(slack, channel, path);
      opened.push(events);
      return events;
    },
    async health() {
      if (socket && !connected)
        throw new Error('Slack is connecting (Socket Mode); commands and clicks arrive once it is connected');
      const late = web.sleep(HEALTH_MS).then(() => {
        throw new Error(`Slack did not answer within ${HEALTH_MS / 1000} s`);
      });
      late.catch(() => undefined);
      await Promise.race([web.identity(), late]);
    },
    async idle() {
      while (working.size > 0) await Promise.allSettled([...working]);
    },
  };
}

/** Bolt's own log lines: warnings and errors, never a payload. */
function boltLogger(log: Log): Logger {
  const words = (parts: unknown[]) =>
    parts
      .map((part) => (part instanceof Error ? part.message : typeof part === 'string' ? part : ''))
      .join(' ')
      .slice(0, 500);
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts: unknown[]) => log('warn', { from: 'bolt' }, words(parts)),
    error: (...parts: unknown[]) => log('error', { from: 'bolt' }, words(parts)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}

/** What was given before for the one record a button names, so that a correction starts from the old values. */
function before(actions: ActionsView, tool: Tool, given: Record<string, unknown>): Record<string, unknown> {
  const [id, ...more] = Object.values(given);
  if (typeof id !== 'string' || more.length > 0 || !/^[A-Z]+-/.test(id)) return {};
  const old: Record<string, unknown> = {};
  for (const { state, shown } of actions.about(id, 10)) {
    if (state !== 'done' && state !== 'partly') continue;
    for (const name of Object.keys(tool.input.shape)) if (name in shown && !(name in old)) old[name] = shown[name];
  }
  return old;
}
