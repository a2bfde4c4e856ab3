import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, inTime, systemClock } from './clock.ts';

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
