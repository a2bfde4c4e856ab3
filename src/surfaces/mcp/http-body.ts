import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyOptions, CLOSING, readBody, sendJson, UnreadBody } from '../../lib/http.ts';
import { MAX_MESSAGES } from './limits.ts';
import { errorAnswer, jsonIn, type Message, messageIn, type Refused, type RequestId, refusedId } from './messages.ts';
import { INVALID_PARAMS, INVALID_REQUEST } from './protocol.ts';

/** The message of one request, or several. */
export type Body = Message | Message[];

/** Reads the messages of a request; undefined if it was refused. */
export async function readMessages(
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyOptions,
): Promise<Body | undefined> {
  const raw = await readRaw(request, response, options);
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

/** The message of a body, or several; undefined if it was refused. */
export function parseMessages(raw: Buffer, response: ServerResponse): Body | undefined {
  const json = jsonIn(raw.toString('utf8'));
  if ('refused' in json) return refuseMessage(response, json.refused);
  const given = [json.value].flat();
  if (given.length === 0 || given.length > MAX_MESSAGES)
    return refuseMessage(response, invalid(`A body must hold one message, or an array of at most ${MAX_MESSAGES}.`));
  const messages: Message[] = [];
  for (const one of given) {
    const read = messageIn(one);
    if ('refused' in read) return refuseMessage(response, read.refused);
    messages.push(read.message);
  }
  const ids = messages.flatMap(({ id, method }) => (id === undefined || method === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) return refuseMessage(response, invalid('Two requests have the same id.'));
  const [message] = messages;
  if (Array.isArray(json.value)) return messages;
  requestIds.set(response, refusedId(message));
  return message;
}

function invalid(message: string): Refused {
  return { id: null, code: INVALID_REQUEST, message };
}

/** Refuses a message. Wrong parameters are the answer to a request, and no failure of HTTP. */
function refuseMessage(response: ServerResponse, refused: Refused): undefined {
  sendJson(response, refused.code === INVALID_PARAMS ? 200 : 400, errorAnswer(refused));
}

/** The ids of the requests that were read, by their response. */
const requestIds = new WeakMap<ServerResponse, RequestId | null>();

/** Answers with a protocol error. It has the id of the request if its body was read. */
export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  code = -32000,
): void {
  // Requests that are pipelined behind a refused one must not take more processor time.
  const closing = status === 429 ? CLOSING : {};
  const id = requestIds.get(response) ?? null;
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id }, { ...closing, ...headers });
}
