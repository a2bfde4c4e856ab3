import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, LOG_AGAIN_MS } from '../lib/clock.ts';
import {
  CLOSING,
  foreign,
  fromLoopback,
  fromOtherOrigin,
  MAX_BODY,
  readBody,
  sameSecret,
  sendJson,
  UnreadBody,
} from '../lib/http.ts';
import { UNSIGNED_BODY } from '../lib/load.ts';
import type { Log } from '../lib/log.ts';
import { levelOf } from '../store/key-values.ts';
import type { Inbox } from './inbox.ts';
import { type Endpoint, parseDelivery } from './parse.ts';

/** The credentials that the platform presents: Basic, or a token as `Bearer` or `Token`. */
export type Credentials = { username: string; password: string } | { token: string };

export interface EventsOptions {
  config: { username?: string | undefined; password?: string | undefined; token?: string | undefined };
  inbox: Pick<Inbox, 'receive' | 'counters'>;
  clock: Clock;
  log: Log;
  /** Credentials made by `webhooks sync`, accepted beside the configured ones. Read at every request. */
  registered?: () => Promise<readonly Credentials[]>;
  /**
   * Treats requests from this computer as requests of its user (`Config.local`). Otherwise every delivery without
   * credentials is refused, because a proxy on this computer may hide that it forwards.
   */
  local: boolean;
  /** True in the demo, which registers itself: programs on this computer may deliver without credentials. */
  demo?: boolean;
  /** Removes secret members before anything is written. */
  strip?: <T>(value: T) => T;
}

/** Why a delivery was refused. */
export const REFUSAL_REASONS = [
  ...(['credentials', 'method', 'too_large', 'slow', 'cut_off'] as const),
  ...(['content_type', 'unreadable', 'senseless', 'store'] as const),
] as const;

interface Refusal {
  status: number;
  reason: (typeof REFUSAL_REASONS)[number];
  message: string;
  headers?: Readonly<Record<string, string>>;
}

const NOT_STORED: Refusal = {
  status: 503,
  reason: 'store',
  message: 'The event could not be stored; deliver it again.',
  headers: { 'Retry-After': '5', ...CLOSING },
};

const PATHS = new Map<string, Endpoint>([
  ['/events/platform', 'platform'],
  ['/events/messages', 'messages'],
  ['/events/message-status', 'message-status'],
  ['/events/voice', 'voice'],
]);

/** `/events/…`: checks the credentials, reads the body, writes the event to the inbox, then answers 200. */
export class EventsHttp {
  readonly #options: EventsOptions;
  readonly #configured: Credentials[] = [];
  /** When each reason was last logged. */
  readonly #logged = new Map<string, number>();

  constructor(options: EventsOptions) {
    this.#options = options;
    const { username, password, token } = options.config;
    if (username !== undefined && password !== undefined) this.#configured.push({ username, password });
    if (token !== undefined) this.#configured.push({ token });
  }

  /** Answers a request to one of the four paths. Resolves to false for any other path. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    const endpoint = PATHS.get(path);
    if (endpoint === undefined) return false;
    const refusal = await this.#receive(request, endpoint).catch((error: unknown): Refusal => {
      this.#options.log(levelOf(error, 'error'), { path, error: String(error) }, 'an event could not be kept');
      return NOT_STORED;
    });
    if (refusal) this.#refuse(response, path, refusal);
    else sendJson(response, 200, { received: true });
    return true;
  }

  /** Writes the event to the inbox. Resolves to a refusal if it may not be. */
  async #receive(request: IncomingMessage, endpoint: Endpoint): Promise<Refusal | undefined> {
    const { inbox, registered, strip, clock, demo } = this.#options;
    const known = [...this.#configured, ...((await registered?.()) ?? [])];
    const isOwnDemo = demo === true && this.#configured.length === 0 && request.headers.authorization === undefined;
    const isOpen = known.length === 0 || isOwnDemo;
    const problem = isOpen ? this.#strangerProblem(request) : credentialProblem(request, known);
    if (problem !== undefined) {
      const isLarge = !(Number(request.headers['content-length'] ?? 0) <= MAX_BODY);
      const headers = { 'WWW-Authenticate': 'Basic realm="events"', ...(isLarge ? CLOSING : {}) };
      return { status: 401, reason: 'credentials', message: problem, headers };
    }
    // A web page can make a browser GET any address, so a GET counts only with credentials.
    const allowed = isOpen ? ['POST'] : ['POST', 'PUT', ...(endpoint === 'platform' ? [] : ['GET'])];
    if (!allowed.includes(request.method ?? '')) {
      const message = `Deliveries come by ${allowed.join(' or ')}.`;
      return { status: 405, reason: 'method', message, headers: { Allow: allowed.join(', '), ...CLOSING } };
    }
    let body: Buffer;
    try {
      body = await readBody(request, { limit: MAX_BODY, within: { ...UNSIGNED_BODY.within, clock } });
    } catch (error) {
      if (!(error instanceof UnreadBody)) throw error;
      return { status: error.status, reason: error.reason, message: error.message, headers: CLOSING };
    }
    const header = request.headers['x-event'];
    const parsed = parseDelivery({
      endpoint,
      body,
      contentType: request.headers['content-type'],
      named: typeof header === 'string' ? header : undefined,
      ...(request.method === 'GET' && { query: new URL(request.url ?? '/', 'http://localhost').searchParams }),
    });
    if ('reason' in parsed) return { status: 400, ...parsed };
    await inbox.receive(strip ? strip(parsed.event) : parsed.event);
    return undefined;
  }

  /** Without credentials, only this computer may deliver, and only if the server serves this computer alone. */
  #strangerProblem(request: IncomingMessage): string | undefined {
    const { local } = this.#options;
    const isOwn = local && fromLoopback(request) && foreign(request, { hosts: [] }) === undefined;
    if (isOwn && !fromOtherOrigin(request)) return undefined;
    const who = local ? 'only this computer may deliver' : 'nothing may deliver to a server that others can reach';
    return `No credentials are configured for events, so ${who}. Set EVENTS_USERNAME and EVENTS_PASSWORD, or EVENTS_TOKEN, or run: switchboard webhooks sync`;
  }

  #refuse(response: ServerResponse, path: string, { status, reason, message, headers }: Refusal): void {
    const { inbox, clock, log } = this.#options;
    inbox.counters.count('refused', reason);
    const now = clock.now();
    // A failure of the store was already logged with its cause.
    if (reason !== 'store' && now - (this.#logged.get(reason) ?? Number.NEGATIVE_INFINITY) >= LOG_AGAIN_MS) {
      this.#logged.set(reason, now);
      log('warn', { path, status, why: reason }, `a delivery was refused: ${message}`);
    }
    sendJson(response, status, { received: false, reason, message }, headers);
  }
}

/** Compares every accepted credential in full even after a match, so that the duration reveals nothing. */
function credentialProblem(request: IncomingMessage, accepted: readonly Credentials[]): string | undefined {
  const given = presented(request.headers.authorization);
  if (!given) return 'Credentials are missing: Basic or a token is needed in Authorization.';
  const textOf = (one: Credentials) => JSON.stringify('token' in one ? [one.token] : [one.username, one.password]);
  const matching = accepted.filter((one) => sameSecret(textOf(given), textOf(one)));
  return matching.length > 0 ? undefined : 'The credentials are not the configured ones.';
}

function presented(header = ''): Credentials | undefined {
  const [, scheme = '', value = ''] = /^(Basic|Bearer|Token) +(\S+) *$/i.exec(header) ?? [];
  if (value === '') return undefined;
  if (scheme.toLowerCase() !== 'basic') return { token: value };
  const [, username = '', password] = /^([^:]*):(.*)$/s.exec(Buffer.from(value, 'base64').toString('utf8')) ?? [];
  return password === undefined ? undefined : { username, password };
}
