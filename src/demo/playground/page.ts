// The demo's Slack-like page at /playground, for people without a workspace. Loopback only.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRecord } from '../../lib/values.ts';
import { Acts } from './acts.ts';
import { readAsset } from './assets.ts';
import { MAX_FILE } from './files.ts';
import { readBody, readBytes } from './http.ts';
import type { Command, Done, TourStep } from './protocol.ts';
import { renderConfirm } from './render.ts';
import { HOME, Rooms, type RoomsOptions } from './rooms.ts';
import { shellHtml } from './shell.ts';
import type { State } from './state.ts';
import { parseJson } from './types.ts';
import { IDS } from './workspace.ts';

export interface PlaygroundOptions extends RoomsOptions {
  /** Shown while typing `/`. */
  commands?: Command[];
  /** The steps of a tour. With them, the sidebar offers the tour and the controls of the sandbox at `/sandbox/`. */
  tour?: readonly TourStep[];
  /** The model that answers plain words, for the sidebar. */
  answers?: { model: string | undefined };
  /** Time in ms that a request for updates waits for a change, in real time. */
  pollMs?: number;
}

const BASE = '/playground';
const MAX_TOKENS = 200;
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

interface Exchange {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
}

/** The page of a workspace: its markup, script and pictures, and what its script asks for. */
export class Playground {
  readonly #options: PlaygroundOptions;
  readonly #state: State;
  readonly #rooms: Rooms;
  readonly #acts: Acts;
  readonly #tokens: Buffer[] = [];

  constructor(options: PlaygroundOptions) {
    this.#options = options;
    this.#state = options.workspace.state;
    this.#rooms = new Rooms(options, BASE);
    this.#acts = new Acts(options.workspace, options.slackbot);
  }

  /** Returns true if the request was for the page, and was answered or refused. */
  async handle(req: IncomingMessage, res: ServerResponse): Promise<boolean> {
    const url = new URL(req.url ?? '/', 'http://local');
    if (url.pathname !== BASE && !url.pathname.startsWith(`${BASE}/`)) return false;
    const refusal = refusalOf(req);
    try {
      if (refusal) send(res, 403, 'text/plain', refusal);
      else await this.#answer({ req, res, url });
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'failed';
      if (!res.headersSent) sendJson(res, 500, { outcome: 'failed', reason });
    }
    return true;
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { req, res, url } = exchange;
    const path = url.pathname.slice(BASE.length).replace(/\/$/, '');
    const isGet = req.method === 'GET';
    if (isGet && this.#sendAsset(res, path)) return;
    if (!this.#isKnown(req.headers['x-playground-token'])) return send(res, 403, 'text/plain', 'reload the page');
    if (isGet && path === '/state') return this.#sendState(exchange);
    if (req.method === 'POST' && path === '/upload') return this.#receiveFile(exchange);
    const isJson = req.headers['content-type']?.startsWith('application/json') === true;
    if (req.method !== 'POST' || !isJson) return sendJson(res, 405, { error: 'POST application/json' });
    const body = parseJson(await readBody(req));
    if (!isRecord(body)) return sendJson(res, 400, { error: 'not an object' });
    if (path === '/confirm') {
      return sendJson(res, 200, { html: renderConfirm(isRecord(body.confirm) ? body.confirm : {}) });
    }
    if (path !== '/do') return sendJson(res, 404, { error: 'not found' });
    const { outcome, reason, errors, options } = await this.#acts.run(body);
    sendJson(res, 200, { outcome, reason, errors, options } as Done);
  }

  /** Sends what a browser requests without the page's token. False if the path is none of these. */
  #sendAsset(res: ServerResponse, path: string): boolean {
    const [, file, download] = /^\/files\/(F\w+)(\/download)?$/.exec(path) ?? [];
    if (path === '') send(res, 200, 'text/html', this.#page());
    else if (path === '/app.js') send(res, 200, 'text/javascript', readAsset('playground.js'));
    else if (path === '/app.css') send(res, 200, 'text/css', readAsset('playground.css'));
    else if (file !== undefined && download) this.#sendFile(res, file);
    else if (file !== undefined) this.#sendPicture(res, file);
    else return false;
    return true;
  }

  /** The id cannot be guessed, so no token is needed. */
  #sendPicture(res: ServerResponse, id: string): void {
    const file = this.#state.files.image({ id });
    if (file?.data) send(res, 200, file.mimetype, file.data);
    else send(res, 404, 'text/plain', 'no such picture');
  }

  #sendFile(res: ServerResponse, id: string): void {
    const file = this.#state.files.find(id);
    if (!file?.data || file.readyAt === undefined) {
      send(res, 404, 'text/plain', 'no such file');
      return;
    }
    const disposition = `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`;
    send(res, 200, 'application/octet-stream', file.data, { 'content-disposition': disposition });
  }

  async #sendState({ res, url }: Exchange): Promise<void> {
    const user = this.#state.users.get(url.searchParams.get('user') ?? '');
    const channel = url.searchParams.get('channel') ?? '';
    if (!user) return sendJson(res, 404, { error: 'no such user' });
    const isMember = channel === HOME || this.#state.channels.get(channel)?.members.has(user.id);
    await this.#change(Number(url.searchParams.get('since')), res);
    if (!res.destroyed) sendJson(res, 200, this.#rooms.snapshot(user, isMember ? channel : IDS.C_SUPPORT));
  }

  /** Waits until the version is no longer `since`, or until the wait is over. */
  #change(since: number, res: ServerResponse): Promise<void> {
    if (this.#state.version !== since) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(end, this.#options.pollMs ?? 25_000);
      timer.unref();
      const stop = this.#state.onChange(end);
      res.on('close', end);
    });
  }

  /** Stores a file that a person chose in a form. */
  async #receiveFile({ req, res, url }: Exchange): Promise<void> {
    const user = this.#state.users.get(url.searchParams.get('user') ?? '');
    const name = url.searchParams.get('name') ?? 'file';
    if (!user) return sendJson(res, 404, { error: 'no such user' });
    if (Number(req.headers['content-length']) > MAX_FILE) {
      return sendJson(res, 413, { error: `The file is larger than ${MAX_FILE / 1_000_000} MB.` });
    }
    const data = await readBytes(req, MAX_FILE);
    const file = this.#state.files.add({ name, data, user: user.id });
    sendJson(res, 200, { id: file.id, name: file.name });
  }

  #page(): string {
    return shellHtml({
      base: BASE,
      token: this.#newToken(),
      user: IDS.U_AGENT,
      channel: IDS.C_SUPPORT,
      events: IDS.C_EVENTS,
      zone: this.#options.workspace.timeZone,
      people: this.#rooms.people().map(({ id, realName }) => ({ id, name: realName })),
      commands: this.#options.commands ?? [],
      mentions: this.#rooms.mentions(),
      tour: this.#options.tour,
      answers: this.#options.answers,
    });
  }

  #newToken(): string {
    const token = randomBytes(24).toString('hex');
    this.#tokens.push(Buffer.from(token));
    if (this.#tokens.length > MAX_TOKENS) this.#tokens.shift();
    return token;
  }

  #isKnown(given: unknown): boolean {
    const bytes = Buffer.from(String(given ?? ''));
    return this.#tokens.some((token) => token.length === bytes.length && timingSafeEqual(token, bytes));
  }
}

export function createPlayground(options: PlaygroundOptions): Playground {
  return new Playground(options);
}

/** Returns why a request is refused; undefined for one of the page itself on this computer. */
function refusalOf({ headers, socket }: IncomingMessage): string | undefined {
  if (!isLoopbackHost(headers.host) || !isLoopbackAddress(socket.remoteAddress)) {
    return 'The playground is available on this computer only.';
  }
  const { origin } = headers;
  const site = headers['sec-fetch-site'];
  // Another port of this computer is a different origin. Its pages must not read or click anything on this page.
  const isOtherSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isForeign = (origin !== undefined && origin !== `http://${headers.host}`) || isOtherSite;
  return isForeign ? 'Requests from other pages are refused. Open this address in the address bar.' : undefined;
}

function isLoopbackHost(host: string | undefined): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(host ?? '');
}

function isLoopbackAddress(address: string | undefined): boolean {
  return address === undefined || /^(127\.|::1$|::ffff:127\.)/.test(address);
}

function send(
  res: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, {
    'content-type': typeof body === 'string' ? `${type}; charset=utf-8` : type,
    'content-security-policy': CSP,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    ...headers,
  });
  res.end(body);
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  send(res, status, 'application/json', JSON.stringify(body));
}
