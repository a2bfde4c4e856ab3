import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../lib/clock.ts';
import { foreign, fromLoopback, fromOtherOrigin, sameSecret } from '../lib/http.ts';
import type { Log } from '../lib/log.ts';
import type { Inbox } from './inbox.ts';
import { type Endpoint, parseDelivery } from './parse.ts';

/** What the platform presents: Basic, or a token as `Bearer` or `Token`. */
export type Credentials = { username: string; password: string } | { token: string };

export interface EventsOptions {
  config: { username?: string | undefined; password?: string | undefined; token?: string | undefined };
  inbox: Pick<Inbox, 'receive' | 'refused'>;
  clock: Clock;
  log: Log;
  /** Credentials made by `webhooks sync`, beside the configured ones; asked at every request. */
  registered?: () => readonly Credentials[];
  /** PUBLIC_URL or HOST lets others reach this server: without credentials nobody may deliver. */
  public?: boolean;
  /** Takes secret members out before anything is written. */
  strip?: <T>(value: T) => T;
}

/** Why a delivery was turned away. */
export type Refusal =
  | 'credentials'
  | 'method'
  | 'too_large'
  | 'slow'
  | 'cut_off'
  | 'content_type'
  | 'unreadable'
  | 'senseless'
  | 'store';

export const MAX_BODY = 1024 * 1024;
const BODY_MS = 10_000;
/** How much of an oversized body is read away, so that the sender hears the answer. */
const MAX_DRAIN = 8 * MAX_BODY;
/** One line in the log for each reason in so long; the counters have them all. */
const LOG_EVERY_MS = 10_000;

const DOORS: Readonly<Record<string, { gate: Endpoint; methods: readonly string[] }>> = {
  '/events/platform': { gate: 'platform', methods: ['POST', 'PUT'] },
  '/events/messages': { gate: 'messages', methods: ['POST', 'PUT', 'GET'] },
  '/events/message-status': { gate: 'message-status', methods: ['POST', 'PUT', 'GET'] },
  '/events/voice': { gate: 'voice', methods: ['POST', 'PUT', 'GET'] },
};

export type Events = ReturnType<typeof createEvents>;

/** `/events/…`: credentials, then the body, then the disk, then 200. */
export function createEvents(options: EventsOptions) {
  const { inbox, clock, log } = options;
  const { username, password, token } = options.config;
  const configured: Credentials[] = [];
  if (username !== undefined && password !== undefined) configured.push({ username, password });
  if (token !== undefined) configured.push({ token });
  const logged = new Map<Refusal, number>();

  function refuse(response: ServerResponse, path: string, status: number, why: Refusal, message: string): true {
    inbox.refused(why);
    const now = clock.now();
    if (now - (logged.get(why) ?? Number.NEGATIVE_INFINITY) >= LOG_EVERY_MS) {
      logged.set(why, now);
      log(why === 'store' ? 'error' : 'warn', { path, status, why }, `a delivery was refused: ${message}`);
    }
    answer(response, status, { received: false, reason: why, message });
    return true;
  }

  const credentials = () => [...configured, ...(options.registered?.() ?? [])];

  /** Undefined when it may come in. Every credential is compared in full, whether the one before fitted or not. */
  function stranger(request: IncomingMessage): string | undefined {
    const accepted = credentials();
    if (accepted.length === 0) {
      const history = !options.public && fromLoopback(request) && foreign(request, { hosts: [] }) === undefined;
      if (history && !fromOtherOrigin(request)) return undefined;
      return 'No credentials are configured here, so only this computer may deliver. Set EVENTS_USERNAME and EVENTS_PASSWORD, or EVENTS_TOKEN.';
    }
    const given = presented(request.headers.authorization);
    if (!given) return 'Credentials are missing: Basic or a token is needed in Authorization.';
    const fits = accepted.filter((one) => {
      if ('token' in one) return 'token' in given && sameSecret(given.token, one.token);
      if (!('username' in given)) return false;
      const name = sameSecret(given.username, one.username);
      return sameSecret(given.password, one.password) && name;
    });
    return fits.length > 0 ? undefined : 'The credentials are not the ones configured here.';
  }

  /** Answers a request to one of the four paths; false for any other. */
  async function handle(request: IncomingMessage, response: ServerResponse, path: string): Promise<boolean> {
    const at = Object.hasOwn(DOORS, path) ? DOORS[path] : undefined;
    if (!at) return false;
    const problem = stranger(request);
    if (problem !== undefined) {
      response.setHeader('WWW-Authenticate', 'Basic realm="events"');
      if (!(Number(request.headers['content-length'] ?? 0) <= MAX_BODY)) response.setHeader('Connection', 'close');
      return refuse(response, path, 401, 'credentials', problem);
    }
    const method = request.method ?? '';
    // A web page can have a browser GET any address; until a delivery proves itself by credentials that must not count.
    const methods = credentials().length === 0 ? ['POST'] : at.methods;
    if (!methods.includes(method)) {
      response.setHeader('Allow', methods.join(', '));
      response.setHeader('Connection', 'close');
      return refuse(response, path, 405, 'method', `Deliveries come by ${methods.join(' or ')}.`);
    }
    const body = await readRaw(request, clock);
    if (body === 'too_large') {
      response.setHeader('Connection', 'close');
      return refuse(response, path, 413, 'too_large', `A delivery may have at most ${MAX_BODY} bytes.`);
    }
    if (body === 'slow') {
      response.setHeader('Connection', 'close');
      return refuse(response, path, 408, 'slow', 'The body did not arrive in time.');
    }
    if (body === 'cut_off') return refuse(response, path, 400, 'cut_off', 'The body was cut off.');
    const header = request.headers['x-event'];
    const parsed = parseDelivery({
      gate: at.gate,
      body,
      contentType: request.headers['content-type'],
      named: typeof header === 'string' ? header : undefined,
      ...(method === 'GET' ? { query: new URL(request.url ?? '/', 'http://localhost').searchParams } : {}),
    });
    if ('reason' in parsed) return refuse(response, path, 400, parsed.reason, parsed.message);
    try {
      await inbox.receive(options.strip ? options.strip(parsed.event) : parsed.event);
    } catch (error) {
      log('error', { path, error: String(error) }, 'an event could not be kept');
      response.setHeader('Retry-After', '5');
      return refuse(response, path, 503, 'store', 'The event could not be kept just now; deliver it again.');
    }
    answer(response, 200, { received: true });
    return true;
  }

  return { handle, paths: Object.keys(DOORS) };
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

function answer(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  });
  response.end(text);
}

/** The whole body; what is too large is read away up to a point, so that the sender can hear why. */
function readRaw(request: IncomingMessage, clock: Clock): Promise<Buffer | 'too_large' | 'slow' | 'cut_off'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = clock.setTimeout(() => finish('slow'), BODY_MS);
    const finish = (outcome: Buffer | 'too_large' | 'slow' | 'cut_off') => {
      clock.clearTimeout(timer);
      request.removeListener('data', take);
      if (typeof outcome === 'string') request.resume();
      resolve(outcome);
    };
    const take = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY) chunks.push(chunk);
      else {
        chunks.length = 0;
        if (size > MAX_DRAIN) finish('too_large');
      }
    };
    request.on('data', take);
    request.once('end', () => finish(size > MAX_BODY ? 'too_large' : Buffer.concat(chunks, size)));
    request.once('error', () => finish('cut_off'));
    request.once('close', () => finish('cut_off'));
  });
}
