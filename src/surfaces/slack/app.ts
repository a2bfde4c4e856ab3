import type { IncomingMessage, ServerResponse } from 'node:http';
import { App, type Logger, LogLevel, type ReceiverEvent, webApi } from '@slack/bolt';
import { guidesFor } from '../../../tools/surfaces/tasks.ts';
import { WATCH_ENDED } from '../../events/watches.ts';
import { RecordSearch } from '../../language/records.ts';
import { CHECK_MS, inTime } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { Proxies } from '../../lib/proxies.ts';
import { defined } from '../../lib/values.ts';
import { KeyValues } from '../../store/key-values.ts';
import type { Database } from '../../store/types.ts';
import type { Handler } from '../../work/worker.ts';
import { type ClientOptions, SocketMode } from './api/socket-mode.ts';
import { downloads, TIMEOUT_MS, WebApi } from './api/web.ts';
import type { SlackContext } from './context.ts';
import { showDecided } from './flows/engine.ts';
import { advanceGuide, followChanged, GUIDE_GOES_ON, goOnLater, guideNote } from './flows/guide-flow.ts';
import { INTERRUPTED, tellInterrupted } from './flows/turn.ts';
import { commandList } from './listeners/commands.ts';
import { listen } from './listeners/listen.ts';
import { createReceiver, type Process, SlackSignatures, slackbotCalls } from './listeners/receiver.ts';
import { Cards } from './live/cards.ts';
import { SlackEvents } from './live/events.ts';
import { Home } from './live/home.ts';
import { ActionMessages, BatchCards } from './live/messages.ts';
import { deletePicture, PICTURE } from './live/pictures.ts';
import { createMemory, Directory, Recipients } from './people/directory.ts';
import { createReworder, Roles } from './people/roles.ts';

export type { SlackConfig } from './types.ts';

export interface SlackOptions
  extends Pick<
    SlackContext,
    'config' | 'gate' | 'batches' | 'tools' | 'groups' | 'assistant' | 'clock' | 'log' | 'jobs' | 'worker'
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
  #events: SlackEvents | undefined;

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
    const { home, batchCards, cards } = context;
    const own = { [INTERRUPTED]: tellInterrupted, [PICTURE]: deletePicture, [GUIDE_GOES_ON]: goOnLater };
    for (const [kind, handlerOf] of Object.entries(own)) worker.on(kind, handlerOf(context));
    this.#handlers = { ...home.handlers, ...batchCards.handlers, ...cards.handlers };
    this.#stop = gate.onChange((action) => {
      worker.look();
      home.show(action);
      if (guideNote(action)) void this.#track(advanceGuide(context, action.id).then(() => undefined));
      void this.#track(followChanged(context, action));
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
    const { config, tools, groups } = this.#context;
    // Code is compiled when it first runs. A command that the app does not have goes through Bolt and is answered at
    // once. The others are only parsed, so Slack is asked nothing.
    const nobody = { user_id: 'U0', team_id: 'T0', channel_id: 'C0', text: '' };
    await this.#process({ body: { ...nobody, command: '/' }, ack: async () => undefined });
    for (const { parse } of commandList(tools, groups, config.SLACK_COMMAND_PREFIX))
      parse(this.#context, 'help', { userId: 'U0', teamId: 'T0' });
    await this.#context.roles.warmUp();
  }

  async close(): Promise<void> {
    await this.#socket?.close();
    await Promise.allSettled([...this.#working]);
    this.#stop();
    await Promise.allSettled([...this.#working]);
    // Work on a batch waits for cards, which these handlers draw.
    await this.#context.batchCards.close();
    await this.#context.worker.off(Object.keys(this.#handlers));
    await this.#events?.close();
  }

  /** Shows platform events in SLACK_EVENTS_CHANNEL. Their threads are stored in `database` (area slack-events). */
  openEvents(database: Database): SlackEvents | undefined {
    const channel = this.#context.config.SLACK_EVENTS_CHANNEL;
    // Without a channel, no card shows a watch.
    if (channel === undefined) this.#context.worker.on(WATCH_ENDED, async () => undefined);
    else this.#events = new SlackEvents(this.#context, channel, database);
    return this.#events;
  }

  /** False while Socket Mode is connecting. */
  get connected(): boolean {
    return this.#socket?.connected ?? true;
  }

  /** Rejects if Slack does not answer, if the token is refused, and while Socket Mode is connecting. */
  async health(): Promise<void> {
    if (!this.connected)
      throw new Error('Slack is connecting (Socket Mode); commands and clicks arrive once it is connected');
    const { web, recipients, clock } = this.#context;
    const asked = web.identity().then(() => recipients.problem());
    const problem = await inTime(clock, CHECK_MS, asked, () => `Slack did not answer within ${CHECK_MS / 1000} s`);
    if (problem !== undefined) throw new Error(problem);
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
    recipients: new Recipients({ ...options, roles, web }),
    reworded: createReworder(tools, config.SLACK_COMMAND_PREFIX),
  };
  const messages = new ActionMessages(services);
  return {
    ...services,
    answered: new KeyValues({ database, clock, kind: 'answered message' }),
    offers: new KeyValues({ database, clock, kind: 'offer' }),
    memory: createMemory(clock),
    directory: new Directory(),
    records: new RecordSearch(gate, tools, () => clock.now()),
    cards: new Cards(services, messages),
    batchCards: new BatchCards(services, messages),
    download: downloads({ token, apiUrl: config.SLACK_API_URL, fetch: proxies.fetch }),
    home: new Home(services, guidesFor(tools)),
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
