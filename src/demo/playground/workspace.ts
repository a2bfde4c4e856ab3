// A Slack workspace in memory: the Web API with Slack's limits, and people who type and click.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { type Conversing, createConversing } from './conversing.ts';
import { createDeliverer, type Delivered, sign } from './deliver.ts';
import { type Api, createApi } from './http.ts';
import { createPeople, type People } from './people.ts';
import { createSocketMode, type SocketMode } from './socket.ts';
import { ALL_SCOPES, IDS, State } from './state.ts';
import type { CallRecord, Channel, Fault, Message, SentByApp, SentToApp, View } from './types.ts';

export { IDS } from './state.ts';

export interface WorkspaceOptions {
  clock?: Clock;
  /** URL of the app (`http://…/slack/events`). It can be set later, and is not used while the app is on Socket Mode. */
  requestUrl?: string;
  signingSecret?: string;
  botToken?: string;
  appToken?: string;
  /** Scopes the app was granted; all by default. */
  scopes?: readonly string[];
  /** Base of the addresses handed to the app when the handler is mounted on another server. */
  baseUrl?: string;
  /** Path in front of `/api/`, `/response/` and `/socket`; '' by default. */
  prefix?: string;
  /** The events that the app subscribes to; all by default. */
  events?: readonly string[];
  /** A time zone for everybody in the workspace, by its IANA name. By default each person has a different one. */
  timeZone?: string | undefined;
  /** Time that Slack takes to process an uploaded file, in ms of the clock; 0 by default. */
  fileProcessingMs?: number;
  /**
   * Time for signatures in Unix ms; the clock's time by default. Pass `Date.now` if the app checks against real time.
   */
  signatureTime?: () => number;
}

export interface Workspace extends People, Conversing {
  readonly ids: typeof IDS;
  /** The time zone of the page. */
  readonly timeZone: string;
  readonly state: State;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  /** For `clientOptions.slackApiUrl` or SLACK_API_URL; known once it listens or `baseUrl` is set. */
  readonly apiUrl: string;
  handle(req: IncomingMessage, res: ServerResponse): Promise<boolean>;
  handleUpgrade(req: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  listen(port?: number): Promise<string>;
  close(): Promise<void>;
  setRequestUrl(url: string): void;
  setBaseUrl(url: string): void;
  setScopes(scopes: readonly string[]): void;
  fail(method: string, fault: Fault, times?: number): void;
  clearFaults(): void;
  addChannel(id: string, name: string, members: string[], extra?: Partial<Channel>): Channel;

  raw(body: string, headers: Record<string, string>): Promise<Delivered>;
  /** Headers that make `body` a genuine request at `seconds` (now by default). */
  sign(body: string, seconds?: number): Record<string, string>;
  replay(deliveryId: string): Promise<Delivered>;
  disconnectSockets: SocketMode['disconnect'];
  socketConnections(): number;

  messages(channel: string, options?: { visibleTo?: string; threadTs?: string }): Message[];
  message(ts: string): Message | undefined;
  openViews(user: string): View[];
  home(user: string): View | undefined;
  calls(method?: string): CallRecord[];
  deliveries(): Delivered[];
  bytesFromApp(): SentByApp[];
  bytesToApp(): SentToApp[];
  warnings(): string[];
  onChange(listener: () => void): () => void;
}

export function createWorkspace(options: WorkspaceOptions = {}): Workspace {
  const clock = options.clock ?? systemClock;
  const state = new State(clock);
  state.files.processingMs = options.fileProcessingMs ?? 0;
  state.scopes = new Set(options.scopes ?? ALL_SCOPES);
  const prefix = options.prefix ?? '';
  const botToken = options.botToken ?? 'xoxb-playground-bot';
  const appToken = options.appToken ?? 'xapp-playground-app';
  const signingSecret = options.signingSecret ?? 'playground-signing-secret';
  let requestUrl = options.requestUrl;
  let baseUrl = options.baseUrl;
  let server: Server | undefined;

  const base = (): string => {
    if (!baseUrl) throw new Error('the workspace has no address yet: call listen() or set baseUrl');
    return baseUrl.replace(/\/$/, '') + prefix;
  };
  if (baseUrl) state.files.baseUrl = base();
  const sockets = createSocketMode(state, `${prefix}/socket`);
  const api: Api = createApi({
    state,
    botToken,
    appToken,
    prefix,
    base,
    socketUrl: () => `${base().replace(/^http/, 'ws')}/socket?ticket=${sockets.ticket()}`,
  });
  const deliverer = createDeliverer({
    state,
    sockets,
    requestUrl: () => requestUrl,
    signingSecret,
    signatureTime: options.signatureTime ?? (() => clock.now()),
  });
  if (options.events) state.events = new Set(options.events);
  const { timeZone } = options;
  if (timeZone) for (const user of state.users.values()) user.tz = timeZone;
  const people = createPeople({ state, api, deliverer, responseUrl: (id) => `${base()}/response/${id}` });
  const conversing = createConversing(state, people);

  const handle: Workspace['handle'] = (req, res) => api.handle(req, res);

  return {
    ...people,
    ...conversing,
    ids: IDS,
    timeZone: timeZone ?? state.users.get(IDS.U_AGENT)?.tz ?? 'UTC',
    state,
    botToken,
    appToken,
    signingSecret,
    get apiUrl() {
      return `${base()}/api/`;
    },
    handle,
    handleUpgrade: (req, socket, head) => sockets.handleUpgrade(req, socket, head),
    async listen(port = 0) {
      // On a busy computer the app may not see within the default of five seconds that a connection has been closed.
      const made = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
        void handle(req, res).then((done) => {
          if (!done) res.writeHead(404).end();
        });
      });
      made.on('upgrade', (req, socket, head) => {
        if (!sockets.handleUpgrade(req, socket, head)) socket.destroy();
      });
      await new Promise<void>((resolve, reject) => {
        made.once('error', reject);
        made.listen(port, '127.0.0.1', resolve);
      });
      server = made;
      baseUrl = `http://127.0.0.1:${(made.address() as AddressInfo).port}`;
      state.files.baseUrl = base();
      return baseUrl;
    },
    async close() {
      await sockets.close();
      const closing = server;
      server = undefined;
      if (!closing) return;
      const closed = new Promise<void>((resolve) => closing.close(() => resolve()));
      closing.closeAllConnections();
      await closed;
    },
    setRequestUrl(url) {
      requestUrl = url;
    },
    setBaseUrl(url) {
      baseUrl = url;
      state.files.baseUrl = base();
    },
    setScopes(scopes) {
      state.files.processingMs = options.fileProcessingMs ?? 0;
      state.scopes = new Set(scopes);
    },
    fail: api.fail,
    clearFaults: api.clearFaults,
    addChannel: (...args) => state.addChannel(...args),
    raw: deliverer.raw,
    sign: (body, seconds) =>
      sign(signingSecret, body, seconds ?? Math.floor((options.signatureTime ?? clock.now)() / 1000)),
    replay: deliverer.replay,
    disconnectSockets: sockets.disconnect,
    socketConnections: sockets.connections,

    messages: (channel, { visibleTo, threadTs } = {}) =>
      state
        .messagesOf(channel)
        .filter(
          (message) =>
            (visibleTo === undefined || message.ephemeralTo === undefined || message.ephemeralTo === visibleTo) &&
            (threadTs === undefined || message.threadTs === threadTs),
        ),
    message: (ts) => state.message(ts),
    openViews: (user) => [...(state.stacks.get(user) ?? [])],
    home: (user) => state.homes.get(user),
    calls: (method) => [...state.calls].filter((call) => method === undefined || call.method === method),
    deliveries: () => [...deliverer.log],
    bytesFromApp: () => [...state.sentByApp],
    bytesToApp: () => [...state.sentToApp],
    warnings: () => [...state.warnings],
    onChange: (listener) => state.onChange(listener),
  };
}
