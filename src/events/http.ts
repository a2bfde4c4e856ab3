import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import { LOG_AGAIN_MS } from '../lib/durations.ts';
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
  /**
   * True in the demo, which registers itself. Programs on this computer may then deliver without the sandbox's
   * credentials.
   */
  demo?: boolean;
  /** Removes secret members before anything is written. */
  strip?: <T>(value: T) => T;
}

/** Why a delivery was refused. */
export const REFUSAL_REASONS = [
  'credentials',
  'method',
  'too_large',
  'slow',
  'cut_off',
  'content_type',
  'unreadable',
  'senseless',
  'store',
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

interface Refusal {
  status: number;
  reason: RefusalReason;
  message: string;
  headers?: Readonly<Record<string, string>>;
}

interface DeliveryPath {
  endpoint: Endpoint;
  methods: readonly string[];
}

export { MAX_BODY };

const NOT_STORED: Refusal = {
  status: 503,
  reason: 'store',
  message: 'The event could not be stored; deliver it again.',
  headers: { 'Retry-After': '5' },
};

const PATHS: Readonly<Record<string, DeliveryPath>> = {
  '/events/platform': { endpoint: 'platform', methods: ['POST', 'PUT'] },
  '/events/messages': { endpoint: 'messages', methods: ['POST', 'PUT', 'GET'] },
  '/events/message-status': { endpoint: 'message-status', methods: ['POST', 'PUT', 'GET'] },
  '/events/voice': { endpoint: 'voice', methods: ['POST', 'PUT', 'GET'] },
};

/** `/events/…`: checks the credentials, reads the body, writes the event to the inbox, then answers 200. */
export class EventsHttp {
  readonly #options: EventsOptions;
  readonly #configured: Credentials[] = [];
  /** When each reason was last logged. */
  readonly #logged = new Map<RefusalReason, number>();

  constructor(options: EventsOptions) {
    this.#options = options;
    const { username, password, token } = options.config;
    if (username !== undefined && password !== undefined) this.#configured.push({ username, password });
    if (token !== undefined) this.#configured.push({ token });
  }

  /** Answers a request to one of the four paths. Resolves to false for any other path. */
  async handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    const found = Object.hasOwn(PATHS, path) ? PATHS[path] : undefined;
    if (!found) return false;
    const refusal = (await this.#refusalOf(request, found)) ?? (await this.#receive(request, path, found.endpoint));
    if (refusal) this.#refuse(response, path, refusal);
    else sendJson(response, 200, { received: true });
    return true;
  }

  /** Checks the caller and the method, before the body is read. */
  async #refusalOf(request: IncomingMessage, { methods }: DeliveryPath): Promise<Refusal | undefined> {
    let accepted: readonly Credentials[];
    try {
      accepted = [...this.#configured, ...((await this.#options.registered?.()) ?? [])];
    } catch (error) {
      this.#options.log(
        levelOf(error, 'error'),
        { error: String(error) },
        'the registered credentials could not be read',
      );
      return { ...NOT_STORED, headers: { ...NOT_STORED.headers, ...CLOSING } };
    }
    const isDemo = this.#options.demo === true && this.#configured.length === 0;
    if (isDemo && request.headers.authorization === undefined) accepted = [];
    const problem = accepted.length === 0 ? this.#strangerProblem(request) : credentialProblem(request, accepted);
    if (problem !== undefined) {
      const isLarge = !(Number(request.headers['content-length'] ?? 0) <= MAX_BODY);
      const headers = { 'WWW-Authenticate': 'Basic realm="events"', ...(isLarge ? CLOSING : {}) };
      return { status: 401, reason: 'credentials', message: problem, headers };
    }
    // A web page can make a browser GET any address, so a GET counts only with credentials.
    const allowed = accepted.length === 0 ? ['POST'] : methods;
    if (allowed.includes(request.method ?? '')) return undefined;
    const message = `Deliveries come by ${allowed.join(' or ')}.`;
    return { status: 405, reason: 'method', message, headers: { Allow: allowed.join(', '), ...CLOSING } };
  }

  /** Without credentials, only this computer may deliver, and only if the server serves this computer alone. */
  #strangerProblem(request: IncomingMessage): string | undefined {
    const { local } = this.#options;
    const isOwn = local && fromLoopback(request) && foreign(request, { hosts: [] }) === undefined;
    if (isOwn && !fromOtherOrigin(request)) return undefined;
    const who = local ? 'only this computer may deliver' : 'nothing may deliver to a server that others can reach';
    return `No credentials are configured for events, so ${who}. Set EVENTS_USERNAME and EVENTS_PASSWORD, or EVENTS_TOKEN, or run: switchboard webhooks sync`;
  }

  /** Writes the event to the inbox. Resolves to a refusal if it could not be written. */
  async #receive(request: IncomingMessage, path: string, endpoint: Endpoint): Promise<Refusal | undefined> {
    const { inbox, strip, clock, log } = this.#options;
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
    try {
      await inbox.receive(strip ? strip(parsed.event) : parsed.event);
      return undefined;
    } catch (error) {
      log(levelOf(error, 'error'), { path, error: String(error) }, 'an event could not be written to the inbox');
      return NOT_STORED;
    }
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
  const matching = accepted.filter((one) => {
    if ('token' in one) return 'token' in given && sameSecret(given.token, one.token);
    if (!('username' in given)) return false;
    const isUser = sameSecret(given.username, one.username);
    return sameSecret(given.password, one.password) && isUser;
  });
  return matching.length > 0 ? undefined : 'The credentials are not the configured ones.';
}

function presented(header: string | undefined): Credentials | undefined {
  const match = /^(Basic|Bearer|Token) +(\S+) *$/i.exec(header ?? '');
  const [, scheme = '', value = ''] = match ?? [];
  if (!match) return undefined;
  if (scheme.toLowerCase() !== 'basic') return { token: value };
  const pair = Buffer.from(value, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  return colon < 0 ? undefined : { username: pair.slice(0, colon), password: pair.slice(colon + 1) };
}
