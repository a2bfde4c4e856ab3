import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { Agent, type buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { after, type Clock, FETCH_MS, inTime, systemClock } from './clock.ts';

/** Compares in constant time, so that timing does not reveal how much of the secret was right. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

export interface Origins {
  /** Host names accepted beside loopback. */
  hosts: readonly string[];
  /** Accepts the Origin `null`, which a browser sends for a form in a local file. */
  opaque?: boolean;
}

/**
 * The header for which a request is refused before anything else is checked. A foreign Host or Origin means that
 * another site's web page is calling (DNS rebinding; the MCP specification requires servers to validate Origin).
 * Undefined if the request may go on.
 */
export function foreign(request: IncomingMessage, { hosts, opaque }: Origins): string | undefined {
  const isKnown = (url: string) => {
    const host = parseUrl(url)?.hostname ?? '';
    return host !== '' && (isLoopback(host) || hosts.includes(host));
  };
  if (!isKnown(`http://${request.headers.host ?? ''}`)) return 'Host';
  const { origin } = request.headers;
  if (origin === undefined || (origin === 'null' && opaque === true)) return undefined;
  return isKnown(origin) ? undefined : 'Origin';
}

/** Headers that proxies and tunnels add, beside every `x-forwarded-…`. A request with one of them is not local. */
const FORWARDING = [
  'forwarded',
  'via',
  'x-real-ip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-original-host',
  'x-original-forwarded-for',
  'true-client-ip',
  'cf-connecting-ip',
  'fastly-client-ip',
];

/**
 * True for a caller on this computer: it is connected over loopback, asks for a loopback name, and was not forwarded by
 * a local proxy. HTTP/1.0 counts as forwarded: no browser and no MCP client speaks it, but nginx uses it for its
 * upstream by default and adds no header.
 *
 * A proxy that speaks HTTP/1.1, rewrites Host and adds no header cannot be distinguished from a local caller.
 * PUBLIC_URL or credentials must be set behind such a proxy (src/start/README.md, Behind a proxy).
 */
export function fromLoopback(request: IncomingMessage): boolean {
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  return (
    isLoopback(address) &&
    isLoopback(parseUrl(`http://${request.headers.host ?? ''}`)?.hostname ?? '') &&
    request.httpVersion !== '1.0' &&
    FORWARDING.every((name) => request.headers[name] === undefined) &&
    Object.keys(request.headers).every((name) => !name.startsWith('x-forwarded'))
  );
}

/**
 * True when a web page of another origin makes this request, or sent the browser to this address. Another port of this
 * computer is another origin too. Programs other than browsers send no such header and are let through.
 *
 * @param publicUrl PUBLIC_URL; its origin counts as this server's too, even if a proxy rewrites Host
 */
export function fromOtherOrigin(request: IncomingMessage, publicUrl?: string): boolean {
  const { origin, host = '' } = request.headers;
  const own = publicUrl === undefined ? undefined : new URL(publicUrl);
  // For the host of PUBLIC_URL, only its origin counts. For another host both schemes count, because it is not known
  // whether a proxy adds TLS.
  const named = [`http://${host}`, `https://${host}`].map(parseUrl).filter((url) => url !== undefined);
  const ownOrigins = named
    // On this computer, the listening port counts beside the port that PUBLIC_URL names.
    .filter(({ hostname, port }) => hostname !== own?.hostname || (isLoopback(hostname) && port !== own.port))
    .map((url) => url.origin);
  if (origin !== undefined && origin !== own?.origin && !ownOrigins.includes(origin)) return true;
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/** The bearer token of a request, if it carries one. */
export function bearer(request: IncomingMessage): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
}

/** All values of the cookies with this name: cookies of several paths may share it. */
export function cookies(request: IncomingMessage, name: string): string[] {
  return (request.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
}

/** Says why a body could not be read, and the status to answer with. */
const UNREAD = { too_large: 413, slow: 408, cut_off: 400 } as const;

/** A body that could not be read. Answer it with `CLOSING`: the rest of the body may still be on its way. */
export class UnreadBody extends Error {
  readonly reason: keyof typeof UNREAD;

  constructor(reason: keyof typeof UNREAD, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  get status(): number {
    return UNREAD[this.reason];
  }
}

export interface BodyOptions {
  /** In bytes; 1 MiB by default. */
  limit?: number;
  /** Maximum time for the body to arrive; not limited by default. */
  within?: { ms: number; clock?: Clock };
}

export const MAX_BODY = 1024 * 1024;
/**
 * Maximum part of an oversized body that is read and dropped, so that the sender reads the answer before the connection
 * closes.
 */
const MAX_DROPPED = 8 * 1024 * 1024;

/**
 * Reads the raw body of a request.
 *
 * @throws UnreadBody; its message is a sentence for the sender
 */
export async function readBody(request: IncomingMessage, options: BodyOptions = {}): Promise<Buffer> {
  const { limit = MAX_BODY, within } = options;
  const body = readUpTo(request, limit);
  if (within === undefined) return body;
  const { clock = systemClock, ms } = within;
  return inTime(clock, ms, body, () => {
    throw new UnreadBody('slow', 'The body did not arrive in time.');
  });
}

async function readUpTo(request: IncomingMessage, limit: number): Promise<Buffer> {
  // Loaded with the first body: its tables of character sets are more code than a command at the terminal runs.
  const { default: getRawBody } = await import('raw-body');
  try {
    return await getRawBody(request, { limit });
  } catch (error) {
    const { type } = error as { type?: unknown };
    if (type !== 'entity.too.large') throw new UnreadBody('cut_off', 'The body was cut off.', { cause: error });
  }
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length;
      if (size > MAX_DROPPED) break;
    }
  } catch {
    // Its sender has disconnected.
  }
  throw new UnreadBody('too_large', `A body may have at most ${limit} bytes.`);
}

/** For responses to a body that was not read to its end, so that the connection cannot be reused. */
export const CLOSING = { connection: 'close' } as const;

/** Sends a JSON response that is not cached, unless the request was answered already or its sender has disconnected. */
export function sendJson(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(text);
}

/** The answer to a request that is refused. */
export interface Refusal {
  status: number;
  /** A sentence that says why, and what to do. */
  error: string;
  headers?: Readonly<Record<string, string>>;
}

export function sendRefusal(response: ServerResponse, { status, error, headers }: Refusal): void {
  sendJson(response, status, { error }, headers);
}

/** The reason for refusing a URL with a user name or password. */
export const NO_CREDENTIALS =
  'must not contain a user name or password (https://user:password@…), because they would appear in logs and on cards';

/** A URL, or undefined for a text that is none. `URL.canParse` of Node 20 refuses some URLs with é, ü or ñ. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** A user name or password of a URL. One that is not percent-encoded is used as written. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** True for `https://user:password@host`, and for a text that is not a valid URL if its host part contains `@`. */
export function hasCredentials(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return /^[a-z][a-z0-9+.-]{0,20}:\/\/[^/?#]*@/i.test(text);
  return url.username !== '' || url.password !== '';
}

/** The reason for refusing white space: programs drop it, so that the address differs from the one a reader sees. */
export const NO_SPACES = 'must not contain spaces, tabs or line breaks';

/** True if a text has white space or control characters in it. */
export function hasSpaces(text: string): boolean {
  return /[\s\p{Cc}]/u.test(text);
}

/**
 * A URL as programs use it, so that what a person reads is what is sent: the host in punycode and plain numbers,
 * slashes for backslashes, other characters percent-encoded. A text that is no URL, or has white space, is returned
 * unchanged.
 */
export function plainUrl(text: string): string {
  const href = hasSpaces(text) ? undefined : parseUrl(text)?.href;
  return href === undefined || href === `${text}/` ? text : href;
}

/** A host name or address, with or without a port or a prefix length, as a URL with this host is used. */
export function plainHost(text: string): string {
  const [, host = '', rest = ''] = /^([^/:]+)([/:]\d+)?$/.exec(text) ?? [];
  const url = host === '' || hasSpaces(text) ? undefined : parseUrl(`https://${host}`);
  return url === undefined ? text : `${url.hostname}${rest}`;
}

/** True if a text has ASCII characters only: other letters look like them. */
export function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** True if a host name or address is this computer's own. */
export function isLoopback(host: string): boolean {
  return /^(127(\.\d+){3}|localhost|\[?::1\]?)$/.test(host);
}

/** A host name or address for a URL: an IPv6 address is put in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** True for an https URL, and for an http URL on loopback. */
export function isSafeUrl(value: string): boolean {
  const url = parseUrl(value);
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
}

/** The settings HTTPS_PROXY, HTTP_PROXY and NO_PROXY. */
export interface ProxySettings {
  HTTPS_PROXY?: string | undefined;
  HTTP_PROXY?: string | undefined;
  NO_PROXY?: readonly string[];
}

/** A proxy that requests to some address go through. */
export interface Proxy {
  setting: 'HTTPS_PROXY' | 'HTTP_PROXY';
  /** Without user name and password. */
  url: string;
}

/** No connection could be made through a proxy, so nothing was sent. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** The system's or undici's code; undefined if the proxy answered. */
  readonly code: string | undefined;
  /** The status that the proxy answered; undefined if it did not. */
  readonly status: number | undefined;

  constructor(proxy: Proxy, host: string, cause: unknown) {
    const { code, message = '' } = (cause ?? {}) as { code?: unknown; message?: string };
    const status = /^Proxy response \((\d{3})\)/.exec(message)?.[1];
    const own = typeof code === 'string' ? (code === CLOSED ? 'ECONNRESET' : code) : undefined;
    const reason = status === undefined ? (own ?? message) : `it answered ${status}`;
    const login = status === '407' ? ', with its user name and password (http://user:password@host:port)' : '';
    super(
      `No connection to ${host} could be made through the proxy ${proxy.url} (${proxy.setting}): ${reason}. Check ${proxy.setting}${login}, or add ${host} to NO_PROXY.`,
      { cause },
    );
    this.code = status === undefined ? own : undefined;
    this.status = status === undefined ? undefined : Number(status);
  }
}

/**
 * undici's code for a connection that the other side closed. A connector that fails with it is called again and again,
 * without an end of the request.
 */
const CLOSED = 'UND_ERR_SOCKET';

/** The failure of a proxy that caused an error; undefined for an error of another kind. */
export function proxyErrorIn(error: unknown): ProxyError | undefined {
  if (error instanceof ProxyError) return error;
  return error instanceof Error ? proxyErrorIn(error.cause) : undefined;
}

/** Options of the connections to one origin. */
export type ConnectionOptions = Omit<Pool.Options, 'connect' | 'factory'> & { connectMs?: number };

/**
 * Connections to other servers, through the proxies of the settings where they apply. This computer's own addresses are
 * always reached directly.
 */
export class Proxies {
  readonly #settings: ProxySettings;
  readonly #isDirect: (url: URL) => boolean;
  #dispatcher: Dispatcher | undefined;

  constructor(settings: ProxySettings = {}) {
    this.#settings = settings;
    this.#isDirect = exceptions(settings.NO_PROXY ?? []);
  }

  /** The proxy for a URL; undefined if it is reached directly. */
  of(url: string | URL): Proxy | undefined {
    const target = new URL(url);
    // As in undici and Node, HTTP_PROXY serves https too if it is the only one.
    const isSecure = /^(https|wss):$/.test(target.protocol) && this.#settings.HTTPS_PROXY !== undefined;
    const setting = isSecure ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    const proxy = this.#isDirect(target) ? undefined : parseUrl(this.#settings[setting] ?? '');
    return proxy && { setting, url: proxy.origin };
  }

  /** Connections to any origin, for what takes undici's dispatcher; undefined if no proxy is set. */
  get dispatcher(): Dispatcher | undefined {
    if (this.#settings.HTTPS_PROXY === undefined && this.#settings.HTTP_PROXY === undefined) return undefined;
    this.#dispatcher ??= new Agent({ factory: (origin) => this.connect(String(origin)) });
    return this.#dispatcher;
  }

  /** Connections to one origin. Close them after use. */
  connect(origin: string, { connectMs = FETCH_MS, ...options }: ConnectionOptions = {}): Dispatcher {
    const proxy = this.of(origin);
    if (proxy === undefined) return new Pool(origin, { ...options, connect: { timeout: connectMs } });
    const { username, password } = new URL(this.#settings[proxy.setting] ?? '');
    const login = [username, password].map(decoded).join(':');
    return new ProxyAgent({
      ...options,
      uri: proxy.url,
      ...(username !== '' && { token: `Basic ${Buffer.from(login).toString('base64')}` }),
      proxyTls: { timeout: connectMs },
      requestTls: { timeout: connectMs },
      clientFactory: (to, given) => new Pool(to, { ...given, headersTimeout: connectMs }),
      factory: (to, given: Pool.Options) => new Pool(to, { ...given, connect: explained(given.connect, proxy) }),
    });
  }

  /** `fetch` that follows no redirect. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    if (this.of(input instanceof Request ? input.url : input) === undefined) return fetchDirect(input, init);
    const through: object = { dispatcher: this.dispatcher };
    try {
      return await fetchDirect(input, { ...init, ...through });
    } catch (error) {
      const cause = proxyErrorIn(error);
      throw cause ? new TypeError(cause.message, { cause }) : error;
    }
  };
}

/** The connector of a `ProxyAgent`, whose failures name the proxy and its setting. */
function explained(connect: Pool.Options['connect'], proxy: Proxy): buildConnector.connector {
  if (typeof connect !== 'function') throw new TypeError('a proxy agent has a connector of its own');
  return (options, callback) =>
    connect(options, (...[error, socket]: Parameters<buildConnector.Callback>) =>
      error === null
        ? callback(null, socket as NonNullable<typeof socket>)
        : callback(new ProxyError(proxy, options.hostname, error), null),
    );
}

/**
 * Tells whether a URL is of this computer or of a host of NO_PROXY: names with those below them, addresses, networks, each
 * also with a port.
 */
function exceptions(entries: readonly string[]): (url: URL) => boolean {
  const names: { name: string; port: string }[] = [];
  const addresses = new BlockList();
  for (const entry of entries.map((one) => one.toLowerCase())) {
    const [address = '', bits] = entry.split('/');
    const version = isIP(address);
    const family = version === 4 ? 'ipv4' : 'ipv6';
    if (version !== 0 && bits === undefined) addresses.addAddress(address, family);
    else if (version !== 0 && /^\d+$/.test(bits ?? '') && Number(bits) <= (version === 4 ? 32 : 128))
      addresses.addSubnet(address, Number(bits), family);
    else {
      const [, name = entry, port = ''] = /^(.+):(\d+)$/.exec(entry) ?? [];
      names.push({ name: name.replace(/^\*?\./, '').replace(/^\[|\]$/g, ''), port });
    }
  }
  return ({ protocol, hostname, port }) => {
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    if (entries.includes('*') || isLoopback(host)) return true;
    const version = isIP(host);
    if (version !== 0 && addresses.check(host, version === 4 ? 'ipv4' : 'ipv6')) return true;
    const own = port === '' ? (/^(https|wss):$/.test(protocol) ? '443' : '80') : port;
    return names.some(
      (one) => (one.port === '' || one.port === own) && (host === one.name || host.endsWith(`.${one.name}`)),
    );
  };
}

/**
 * `fetch` that does not follow redirects: such an answer is returned with its status of 3xx.
 *
 * With `redirect: 'error'`, `fetch` of Node 20 and 22 no longer ends the body when its signal is aborted, once garbage
 * has been collected (https://github.com/nodejs/undici/pull/4750).
 */
export const fetchDirect: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });

/*
 * The limits on load, in one place. A request beyond a limit is answered with 429, or its connection is closed, so that
 * memory does not grow with the number of requests.
 */

/** Requests under way in this process. Open streams and `/healthz` do not count. */
const MAX_REQUESTS = 1_000;
/** Calls under way of one identity, and unanswered requests on one connection: HTTP/1.1 allows pipelining. */
const MAX_OWN_CALLS = 100;
/** Open streams of one identity. */
const MAX_OWN_STREAMS = 50;
/** Open connections. Beyond it, the one that has been idle for the longest time is closed. */
export const MAX_CONNECTIONS = 2_000;
/** Maximum number of sessions of one identity; beyond it, the least recently used one ends. */
export const MAX_OWN_SESSIONS = 50;
/** Limits of a body that comes without a valid token or signature. */
export const UNSIGNED_BODY = { limit: 256 * 1024, within: { ms: 5_000 } } as const;

/** Time limits for a client to send its headers, and its whole request, in ms. */
export const TIMEOUTS = { headersTimeout: 10_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 } as const;

export const TOO_MANY_CALLS = `At most ${MAX_OWN_CALLS} calls of one identity run at a time; try again when some have ended.`;

const TOO_MANY_REQUESTS: Refusal = {
  status: 429,
  error: 'Too many requests are under way. Nothing was done; try again in a second.',
  headers: { 'retry-after': '1', ...CLOSING },
};

/** Counts by identity. */
class Tally extends Map<string, number> {
  /** Counts `many` more until the returned function is called; undefined if they would be more than `most`. */
  take(identity: string, most: number, many = 1): (() => void) | undefined {
    if (this.of(identity) + many > most) return undefined;
    this.set(identity, this.of(identity) + many);
    return () => {
      this.set(identity, this.of(identity) - many);
      if (this.of(identity) === 0) this.delete(identity);
    };
  }

  of(identity: string): number {
    return this.get(identity) ?? 0;
  }
}

/** Calls and streams of each identity at `/mcp`. */
export class IdentityLoad {
  readonly #calls = new Tally();
  readonly #running = new Tally();
  readonly #streams = new Tally();

  /**
   * True if a further call would exceed the limit. Checked before its body is read, because reading costs more than
   * refusing.
   */
  isFull(identity: string): boolean {
    return Math.max(this.#calls.of(identity), this.#running.of(identity)) >= MAX_OWN_CALLS;
  }

  /**
   * Counts the calls of a request until it is answered. Returns a sentence if they are too many.
   *
   * @param many messages in the body of the request
   */
  admitCalls(identity: string, many: number, response: ServerResponse): string | undefined {
    const isFree = this.#running.of(identity) + many <= MAX_OWN_CALLS;
    return isFree && heldBy(response, this.#calls.take(identity, MAX_OWN_CALLS, many)) ? undefined : TOO_MANY_CALLS;
  }

  /** Runs a call and counts it until it ends, also when its client disconnects. Undefined: there are too many. */
  counted<T>(identity: string, work: () => Promise<T>): Promise<T> | undefined {
    const end = this.#running.take(identity, MAX_OWN_CALLS);
    return end && work().finally(end);
  }

  /** Counts a stream until it closes. Returns a sentence if there are too many. */
  admitStream(identity: string, response: ServerResponse): string | undefined {
    if (!heldBy(response, this.#streams.take(identity, MAX_OWN_STREAMS)))
      return `At most ${MAX_OWN_STREAMS} streams of one identity may be open; close one first.`;
    uncounted.get(response)?.();
    return undefined;
  }
}

/** Functions that stop counting a request that became a stream, by its response. */
const uncounted = new WeakMap<ServerResponse, () => void>();

/** Requests and connections of the whole process. */
export class ProcessLoad {
  #requests = 0;
  #onLeave: () => void = () => undefined;
  /** Open connections and their requests under way, the least recently used one first. */
  readonly #connections = new Map<Socket, number>();

  connected(socket: Socket): void {
    this.#connections.set(socket, 0);
    socket.once('close', () => this.#connections.delete(socket));
    if (this.#connections.size <= MAX_CONNECTIONS) return;
    for (const [other, requests] of this.#connections) if (requests === 0) return void other.destroy();
    socket.destroy();
  }

  /** Resolves when no request is under way. Open streams do not count. */
  async idle(): Promise<void> {
    while (this.#requests > 0)
      await new Promise<void>((resolve) => {
        this.#onLeave = resolve;
      });
  }

  /** Counts a request until it is answered. False if there are too many; the request has been refused then. */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request;
    // The parser hands over the requests that it has read although the connection is closed.
    if (socket.destroyed) return false;
    const pending = this.#connections.get(socket) ?? 0;
    if (pending >= MAX_OWN_CALLS) {
      socket.destroy();
      return false;
    }
    // Set again, so that this connection is the newest of the map.
    this.#connections.delete(socket);
    this.#connections.set(socket, pending + 1);
    response.once('close', () => {
      const open = this.#connections.get(socket);
      if (open !== undefined) this.#connections.set(socket, open - 1);
    });
    response.once('finish', () => {
      // The body of an answered request may go on, and may have come without a valid token.
      if (request.complete) return;
      after(systemClock, UNSIGNED_BODY.within.ms, () => request.complete || socket.destroy());
    });
    if (this.#requests >= MAX_REQUESTS) {
      sendRefusal(response, TOO_MANY_REQUESTS);
      return false;
    }
    this.#requests += 1;
    const leave = () => {
      if (!uncounted.delete(response)) return;
      this.#requests -= 1;
      this.#onLeave();
    };
    uncounted.set(response, leave);
    response.once('close', leave);
    return true;
  }
}

function heldBy(response: ServerResponse, release: (() => void) | undefined): boolean {
  if (release === undefined) return false;
  if (response.destroyed) release();
  else response.once('close', release);
  return true;
}

/** A metric at the moment it is read, in Prometheus' terms. */
export interface Metric {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  values: readonly { labels?: Readonly<Record<string, string>>; value: number }[];
}

/** A gauge with a single value. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name, help, type: 'gauge', values: [{ value }] };
}

/**
 * A metric with one value for each value of a label. Those of `known` that have not occurred are 0, so that a query does
 * not find a gap before the first one occurs.
 */
export function perLabel(options: {
  name: string;
  help: string;
  type: 'gauge' | 'counter';
  label: string;
  known: readonly string[];
  counts: ReadonlyMap<string, number>;
}): Metric {
  const { name, help, type, label, known, counts } = options;
  const all = [...new Set([...known, ...counts.keys()])];
  return { name, help, type, values: all.map((one) => ({ labels: { [label]: one }, value: counts.get(one) ?? 0 })) };
}
