import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Role } from './actor.ts';
import { after, type Clock, inTime, MINUTE_MS, sleep, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { BoundedMap, isLoopback, parseUrl } from './values.ts';

/** Compares in constant time, so that timing does not reveal how much of the secret was right. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * The header for which a request is refused before anything else is checked. A foreign Host or Origin means that
 * another site's web page is calling (DNS rebinding; the MCP specification requires servers to validate Origin).
 * Undefined if the request may go on.
 *
 * @param hosts host names accepted beside loopback
 * @param opaque accepts the Origin `null`, which a browser sends for a form in a local file
 */
export function foreign(request: IncomingMessage, hosts: readonly string[], opaque = false): string | undefined {
  const isKnown = (url: string) => {
    const host = parseUrl(url)?.hostname ?? '';
    return host !== '' && (isLoopback(host) || hosts.includes(host));
  };
  if (!isKnown(`http://${request.headers.host ?? ''}`)) return 'Host';
  const { origin } = request.headers;
  if (origin === undefined || (origin === 'null' && opaque)) return undefined;
  return isKnown(origin) ? undefined : 'Origin';
}

/** Headers that proxies and tunnels add. A request with one of them is not local. */
const FORWARDING =
  /^(forwarded|via|x-forwarded.*|(x-real|x-client|x-cluster-client|true-client|cf-connecting|fastly-client)-ip|x-original-(host|forwarded-for))$/;

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
    !Object.keys(request.headers).some((name) => FORWARDING.test(name))
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
  const parts = (request.headers.cookie ?? '').split(';').map((part) => part.trim());
  return parts.flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []));
}

/** Why a body could not be read, and the status to answer with. */
const UNREAD = { too_large: 413, slow: 408, cut_off: 400 } as const;

/** A body that could not be read. Answer it with `CLOSING`: the rest of the body may still be on its way. */
export class UnreadBody extends Error {
  readonly reason: keyof typeof UNREAD;
  readonly status: number;

  constructor(reason: keyof typeof UNREAD, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.status = UNREAD[reason];
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
export function gauge(
  name: string,
  help: string,
  value: number,
  labels: Readonly<Record<string, string>> = {},
): Metric {
  return { name, help, type: 'gauge', values: [{ labels, value }] };
}

interface LabelledMetric extends Omit<Metric, 'values'> {
  label: string;
  known: readonly string[];
  counts: ReadonlyMap<string, number>;
}

/**
 * A metric with one value for each value of a label. Those of `known` that have not occurred are 0, so that a query does
 * not find a gap before the first one occurs.
 */
export function perLabel({ label, known, counts, ...metric }: LabelledMetric): Metric {
  const all = [...new Set([...known, ...counts.keys()])];
  return { ...metric, values: all.map((one) => ({ labels: { [label]: one }, value: counts.get(one) ?? 0 })) };
}

/** The person or program a bearer token belongs to. */
export interface TokenHolder {
  /** "token:ops" or "oauth:<sub>": the same identity on every surface. */
  person: string;
  /** For display. */
  name: string;
  role: Role;
  /** Epoch ms; left out for a token of the settings. */
  expiresAt?: number;
}

/** Checks the access tokens of an OAuth issuer. */
interface AccessTokens {
  /** True if this text has the form of an access token. */
  looksLike(token: string): boolean;
  judge(token: string): Promise<TokenHolder | Refusal>;
  /** `WWW-Authenticate` of an answer to a request without a token. */
  challenge(): string;
}

/** The sender of a request: the holder of its token, or `local` for a program on this computer that needs none. */
export type Caller = TokenHolder | 'local';

export const isRefusal = (found: Caller | Refusal): found is Refusal => found !== 'local' && 'status' in found;

/** The refusal of a request without a valid token. */
function unidentified(status: 401 | 403, error: string, challenge = 'Bearer realm="switchboard"'): Refusal {
  return { status, error, headers: { 'www-authenticate': challenge } };
}

/**
 * Identifies the callers of `/mcp`, `/readyz` and `/metrics`: by a token of MCP_HTTP_TOKENS or of the OAuth issuer, or
 * as a program on this computer if neither is configured.
 */
export function createBearers(
  config: Pick<Config, 'MCP_HTTP_TOKENS' | 'public'>,
  attempts: Attempts,
  oauth?: AccessTokens,
) {
  const { MCP_HTTP_TOKENS: tokens } = config;

  /** The caller of this request. Wrong tokens are answered late, and with 429 if too many of them wait. */
  async function callerOf(request: IncomingMessage): Promise<Caller | Refusal> {
    if (tokens.length === 0 && oauth === undefined) {
      const unset = 'a bearer token is needed, and none is set: set MCP_HTTP_TOKENS or MCP_OAUTH_ISSUER.';
      if (config.public) return unidentified(401, `PUBLIC_URL lets others reach this server, so ${unset}`);
      if (fromLoopback(request)) return 'local';
      return unidentified(403, 'Without MCP_HTTP_TOKENS or MCP_OAUTH_ISSUER, only this computer may call.');
    }
    const sources = [
      ...(tokens.length > 0 ? ['token of MCP_HTTP_TOKENS'] : []),
      ...(oauth ? ['access token of MCP_OAUTH_ISSUER'] : []),
    ];
    const needed = `A bearer token is needed: Authorization: Bearer <${sources.join(' or ')}>.`;
    const refusal = () => unidentified(401, needed, oauth?.challenge());
    const given = bearer(request);
    if (given === undefined) return refusal();
    const match = tokens.find(({ token }) => sameSecret(given, token));
    // Signed tokens cannot be guessed, so wrong ones are not counted. Clients often present expired ones.
    if (!match && oauth?.looksLike(given)) return oauth.judge(given);
    const person = match && `token:${match.name}`;
    if (!(await attempts.judge(request.socket.remoteAddress, person)))
      return {
        status: 429,
        error: 'Too many wrong tokens came from this address; try again in a minute.',
        headers: { 'retry-after': '60' },
      };
    return match && person !== undefined ? { person, name: match.name, role: match.role } : refusal();
  }

  return { callerOf };
}
export type Bearers = ReturnType<typeof createBearers>;

/** Wrong credentials that an address may present per minute before its requests are answered late. */
const FREE = 10;
/** The delay of an answer to an address beyond them. */
const DELAY_MS = 5_000;
/** Delayed answers per address at a time; further requests are refused. */
const MAX_WAITING = 10;
/** Maximum number of remembered addresses. Beyond it, the least recently seen one is dropped. */
const MAX_PEERS = 10_000;
/** Maximum number of remembered identities per address. */
const MAX_KNOWN = 100;

interface Peer {
  wrong: number;
  /** Epoch ms. The count starts again a minute later. */
  since: number;
  waiting: number;
  /**
   * Identities that signed in from this address. They are not slowed down by wrong credentials of others behind the
   * same proxy.
   */
  known: Set<string>;
}

/**
 * Slows down guessing of credentials over `/mcp`, the confirmation pages, `/readyz` and `/metrics` together, by network
 * address. Create one per process. While an address keeps presenting wrong ones, its requests
 * are answered late whether right or wrong, so that guessing in parallel does not help. Identities that signed in from
 * the address before are not slowed down.
 */
export function createAttempts(clock: Clock, log: Log) {
  const peers = new BoundedMap<string, Peer>(MAX_PEERS);

  /**
   * Called for every credential that was presented. `address`: the address of the connection. `identity`: the identity
   * that the credential belongs to; undefined for a wrong one. Resolves with true when the request may be answered, and
   * with false if too many wait already (429).
   */
  async function judge(address: string | undefined, identity: string | undefined): Promise<boolean> {
    const name = networkOf(address ?? '');
    const now = clock.now();
    const peer = peers.get(name) ?? { wrong: 0, since: now, waiting: 0, known: new Set() };
    // Setting it again makes this address the newest of the map.
    peers.set(name, peer);
    if (now - peer.since >= MINUTE_MS) Object.assign(peer, { wrong: 0, since: now });
    if (identity === undefined) {
      peer.wrong += 1;
      const message = 'repeated wrong tokens from one address; its requests are answered late';
      if (peer.wrong === FREE + 1) log('warn', { peer: name, wrong: peer.wrong }, message);
    } else if (peer.wrong <= FREE || peer.known.has(identity)) {
      if (peer.known.size < MAX_KNOWN) peer.known.add(identity);
      return true;
    }
    if (peer.wrong <= FREE) return true;
    if (peer.waiting >= MAX_WAITING) return false;
    peer.waiting += 1;
    await sleep(clock, DELAY_MS);
    peer.waiting -= 1;
    return true;
  }

  return { judge };
}
export type Attempts = ReturnType<typeof createAttempts>;

/** The network of an address. A customer of an IPv6 network has 2^64 addresses, which count as one. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/, '');
  if (!plain.includes(':')) return plain;
  const [front = [], back = []] = plain.split('::', 2).map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
