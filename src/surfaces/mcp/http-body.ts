import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyOptions, CLOSING, readBody, sendJson, UnreadBody } from '../../lib/http.ts';
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
    if (!(error instanceof UnreadBody)) throw error;
    refuse(response, error.status, error.message, CLOSING);
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
  headers: Readonly<Record<string, string>> = {},
  code = -32000,
): void {
  // Requests that are pipelined behind a refused one must not take more processor time.
  const closing = status === 429 ? CLOSING : {};
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id: null }, { ...closing, ...headers });
}
