import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyOptions, BodyTooLarge, BodyTooSlow, CLOSING, readBody } from '../../lib/http.ts';
import { MAX_JSON_DEPTH, tooDeep } from '../../lib/json.ts';
import { overLimit } from './limits.ts';

/** The messages of one request. */
export interface Body {
  value: unknown;
  text: string;
}

/** Reads the messages of a request; undefined if it was refused. */
export async function readMessages(request: IncomingMessage, response: ServerResponse): Promise<Body | undefined> {
  const raw = await readRaw(request, response);
  return raw && parseMessages(raw, response);
}

/** Reads the body of a request as it was sent; undefined if it was refused. */
export async function readRaw(
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyOptions = {},
): Promise<Buffer | undefined> {
  try {
    return await readBody(request, options);
  } catch (error) {
    // The rest of an oversized body is not read, so the connection cannot be used again.
    if (error instanceof BodyTooLarge) refuse(response, 413, `The body is too large: ${error.message}.`, CLOSING);
    else if (error instanceof BodyTooSlow) refuse(response, 408, 'The body did not arrive in time.', CLOSING);
    else refuse(response, 400, 'The body is not JSON.', {}, -32700);
    return undefined;
  }
}

/** The messages of a body; undefined if it was refused. */
export function parseMessages(raw: Buffer, response: ServerResponse): Body | undefined {
  try {
    const text = raw.toString('utf8');
    if (tooDeep(text)) {
      refuse(response, 400, `The body has more than ${MAX_JSON_DEPTH} levels.`, {}, -32600);
      return undefined;
    }
    const value: unknown = JSON.parse(text);
    const over = overLimit(value);
    if (over === undefined) return { value, text };
    refuse(response, 400, over, {}, -32600);
    return undefined;
  } catch {
    refuse(response, 400, 'The body is not JSON.', {}, -32700);
    return undefined;
  }
}

/** Answers with a protocol error that belongs to no request. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = -32000,
): void {
  // Requests that are pipelined behind a refused one must not take more processor time.
  const closing = status === 429 ? CLOSING : {};
  const common = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  response.writeHead(status, { ...common, ...closing, ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
