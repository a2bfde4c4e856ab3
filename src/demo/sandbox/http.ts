import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, PlainTextError, ValidationObjectError } from './errors.ts';
import { isObject, type JsonObject } from './json.ts';

/** Maximum size of a body: 1 MiB (PLATFORM.md, Limits). */
const BODY_LIMIT = 1024 * 1024;

/** Maximum number of bytes of an oversized body that are read and dropped, so that the sender can read the answer. */
const DRAIN_LIMIT = 16 * BODY_LIMIT;

export interface Answer {
  status: number;
  type: string;
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** The content types in which an error body is offered (PLATFORM.md, Errors). */
const ERROR_TYPES = ['application/json', 'text/json', 'text/plain'] as const;

/** Returns the error type that the Accept header prefers, or application/json if it prefers none of the three. */
function negotiate(accept: string | undefined): string {
  let best: { type: string; q: number } = { type: ERROR_TYPES[0], q: 0 };
  for (const part of (accept ?? '').split(',')) {
    const [range = '', ...params] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const weight = params.find((param) => param.startsWith('q='));
    const q = weight === undefined ? 1 : Number(weight.slice(2));
    const type =
      ERROR_TYPES.find((known) => known === range) ??
      (range === '*/*' || range === 'application/*' ? ERROR_TYPES[0] : range === 'text/*' ? 'text/plain' : null);
    if (type !== null && q > best.q) best = { type, q };
  }
  return best.type;
}

export function jsonAnswer(status: number, value: unknown, type = 'application/json'): Answer {
  return { status, type: `${type}; charset=utf-8`, body: JSON.stringify(value), headers: {} };
}

/**
 * Builds an error's answer: `{StatusCode, Message}` and no other property, except for the two forms of reactivation.
 */
export function errorAnswer(error: ApiError, accept: string | undefined): Answer {
  if (error instanceof PlainTextError) {
    const body = `${error.message}\nTransactionLogId: ${randomUUID()}`;
    return { status: error.status, type: 'text/plain; charset=utf-8', body, headers: error.headers };
  }
  const value =
    error instanceof ValidationObjectError
      ? { Status: 'Failed', StatusMessage: error.message }
      : { StatusCode: error.status, Message: error.message };
  return { ...jsonAnswer(error.status, value, negotiate(accept)), headers: error.headers };
}

export function send(res: ServerResponse, answer: Answer): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(answer.status, { ...answer.headers, 'Content-Type': answer.type, 'Cache-Control': 'no-store' });
  res.end(answer.body);
}

/** Reads the whole body as text. Throws 413 if it exceeds the limit. */
export async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= BODY_LIMIT) chunks.push(chunk);
    else chunks.length = 0;
    if (size > DRAIN_LIMIT) break;
  }
  if (size > BODY_LIMIT) throw new ApiError(413, 'The request body is larger than 1 MiB', { Connection: 'close' });
  return Buffer.concat(chunks).toString('utf8');
}

/** Parses a body as a JSON object. An empty body has no fields. */
export function parseObject(text: string): JsonObject {
  if (text.trim() === '') return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError(400, 'The request body is malformed: not JSON');
  }
  if (!isObject(value)) throw new ApiError(400, 'The request body is malformed: not a JSON object');
  return value;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** Reads a URL; undefined for a text that is none. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** Returns the host name of a Host header or Origin, without the port. */
export function hostName(host: string): string {
  return host.replace(/:\d+$/, '');
}
