import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../config.ts';

/** Equal without telling by time how much was right. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

export interface Origins {
  /** Host names accepted beside loopback. */
  hosts: readonly string[];
}

/**
 * Why a request is refused before anything else is looked at: a foreign Host or Origin means that a web page of
 * somebody else is calling (DNS rebinding; MCP: servers MUST validate Origin). Undefined when it may go on.
 */
export function foreign(request: IncomingMessage, allowed: Origins): string | undefined {
  const host = hostOf(`http://${request.headers.host ?? ''}`);
  if (host === undefined || !knows(host, allowed)) return 'Host';
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  const from = hostOf(origin);
  return from !== undefined && knows(from, allowed) ? undefined : 'Origin';
}

function knows(host: string, allowed: Origins): boolean {
  return isLoopback(host) || allowed.hosts.includes(host);
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined;
}

/** What proxies and tunnels add: a request that was passed on comes from somewhere else. */
const PASSED_ON = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via', 'cf-connecting-ip'];

/**
 * True for a caller at this very computer: connected over loopback, asking for a loopback name, and not passed on by
 * a proxy that runs here too.
 */
export function fromLoopback(request: IncomingMessage): boolean {
  const address = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const host = hostOf(`http://${request.headers.host ?? ''}`);
  return (
    isLoopback(address) &&
    host !== undefined &&
    isLoopback(host) &&
    PASSED_ON.every((name) => request.headers[name] === undefined)
  );
}

/** The bearer token of a request, if it carries one. */
export function bearer(request: IncomingMessage): string | undefined {
  const match = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '');
  return match?.[1];
}

export class BodyTooLarge extends Error {}

/** The raw body, at most `limit` bytes. */
export async function readBody(request: IncomingMessage, limit = 1024 * 1024): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit) throw new BodyTooLarge(`a body may have at most ${limit} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
