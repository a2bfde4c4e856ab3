import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { type BodyOptions, CLOSING, readBody, sendJson, UnreadBody } from '../../lib/http.ts';
import { type Fields, isRecord, MAX_JSON_DEPTH, objectIn, tooDeep } from '../../lib/values.ts';
import { INVALID_PARAMS, INVALID_REQUEST, LISTEN, PARSE_ERROR, type ServerDefinition } from './protocol.ts';

/*
 * The limits of one message of a client, in characters where nothing else is said. A session and a subscription keep
 * parts of messages as long as they live, so those parts are short.
 */

/** Messages in one body. */
const MAX_MESSAGES = 50;
/** A request's id and its progress token, which are kept until the answer. */
const MAX_ID = 200;
/**
 * The parameters of `initialize`, which a session keeps. The limit also applies to `_meta`, which contains them since
 * 2026-07-28. The ledger records the name of the client whose user decides.
 */
const MAX_INITIALIZE = 16 * 1024;
/** The parameters of any other request except a tool call. */
const MAX_PARAMS = 64 * 1024;
/** The name of a method, a tool or a prompt. */
const MAX_NAME = 200;
/** A URI that is read or subscribed to. */
const MAX_URI = 500;
/**
 * Subscriptions of one session, and resources of one stream of changes. Beyond this limit, the oldest subscription of a
 * session ends.
 */
export const MAX_SUBSCRIBED = 200;
/** A line over stdio, in bytes. */
const MAX_LINE = 10 * 1024 * 1024;
/** Sessions of all clients. */
export const MAX_SESSIONS = 500;

/*
 * Checks each message of a client before an SDK reads it, in both protocols and on both transports. The SDKs drop a
 * message that is no valid request, or answer with the text of their validator.
 */

export type RequestId = string | number;

/** A request, a notification or a response that both SDKs accept. */
export interface Message {
  jsonrpc: '2.0';
  id?: RequestId;
  method?: string;
  params?: Fields;
  result?: Fields;
  error?: Fields;
}

/** A message that is refused. The text names the member, and says how to correct it. */
export class RefusedMessage extends Error {
  /** The id of the request, or null if it has none that can be repeated. */
  readonly id: RequestId | null;
  readonly code: number;

  constructor(id: RequestId | null, code: number, message: string) {
    super(message);
    this.id = id;
    this.code = code;
  }
}

const name = z.string().max(MAX_NAME);
const uri = z.string().max(MAX_URI);
const requestId = z.custom<RequestId>(
  (id) => (typeof id === 'string' ? id.length <= MAX_ID : Number.isSafeInteger(id)),
  `must be an integer, or a string of at most ${MAX_ID} characters`,
);
const fields = z.record(z.string(), z.unknown());
const Request = z.object({ jsonrpc: z.literal('2.0'), method: name, id: requestId, params: z.unknown().optional() });
const Notification = Request.omit({ id: true });
/** One with both an error and a result is an error, so that it is no yes. */
const Response = z.union([
  z.object({ jsonrpc: z.literal('2.0'), id: requestId, error: z.looseObject({ code: z.int(), message: z.string() }) }),
  z.object({ jsonrpc: z.literal('2.0'), id: requestId, result: fields }),
]);

const params = (members: z.ZodRawShape) =>
  z.looseObject({ _meta: z.looseObject({ progressToken: requestId.optional() }).optional(), ...members });
/** No list has a second page, so no cursor was ever given. Some clients send an empty one with their first request. */
const OTHER = params({ cursor: z.literal('', 'was not given by this server; leave it out').optional() });
const URI = params({ uri });
/** The parameters of the methods that this server has. */
const PARAMS: Readonly<Record<string, typeof OTHER | ReturnType<typeof params>>> = {
  initialize: params({
    protocolVersion: z.string(),
    capabilities: z.record(z.string(), fields),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
  'tools/call': params({ name, arguments: fields.optional() }),
  'resources/read': URI,
  'resources/subscribe': URI,
  'resources/unsubscribe': URI,
  'prompts/get': params({ name, arguments: z.record(z.string(), z.string()).optional() }),
  'completion/complete': params({
    ref: z.looseObject({ type: z.string() }),
    argument: z.looseObject({ name: z.string(), value: z.string() }),
  }),
  [LISTEN]: params({
    notifications: z.looseObject({ resourceSubscriptions: z.array(uri).max(MAX_SUBSCRIBED).optional() }),
  }),
};

/** The JSON value of a text. Throws `RefusedMessage`. */
function jsonIn(text: string): unknown {
  if (tooDeep(text))
    throw new RefusedMessage(null, INVALID_REQUEST, `The message has more than ${MAX_JSON_DEPTH} levels.`);
  try {
    // Some encoders begin a text with a byte order mark, which JSON.parse refuses.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    throw new RefusedMessage(null, PARSE_ERROR, 'The message is not JSON.');
  }
}

/** The answer that tells a client why its message is refused. */
export function errorAnswer({ id, code, message }: Pick<RefusedMessage, 'id' | 'code' | 'message'>): Fields {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** True if this message waits for an answer that ends it. A stream of changes stays open. */
export function awaitsAnswer({ id, method }: Message): boolean {
  return id !== undefined && method !== undefined && method !== LISTEN;
}

/** The id with which a message is refused: null if it is no request, or has none that can be repeated. */
function refusedId(value: unknown): RequestId | null {
  if (!isRecord(value) || isResponse(value)) return null;
  const { id } = value;
  const isRepeatable =
    (typeof id === 'string' && id.length <= MAX_ID) ||
    (typeof id === 'number' && Math.abs(id) <= Number.MAX_SAFE_INTEGER);
  return isRepeatable ? id : null;
}

function isResponse(value: Fields): boolean {
  return !('method' in value) && ('result' in value || 'error' in value);
}

/** One message, with the members of the protocol only. Throws `RefusedMessage`. */
export function messageIn(value: unknown): Message {
  if (!isRecord(value)) throw new RefusedMessage(null, INVALID_REQUEST, 'A message must be a JSON object.');
  if (isResponse(value)) {
    const { success, data } = Response.safeParse(withoutNulls(value));
    // A refusal never repeats the id of a response, which would look like the answer to a request with it.
    if (!success)
      throw new RefusedMessage(
        null,
        INVALID_REQUEST,
        'A response must have jsonrpc "2.0", the id of the request, and either result, an object, or error with code and message.',
      );
    return data;
  }
  const envelope = ('id' in value ? Request : Notification).safeParse(value, { error: problem });
  if (!envelope.success) throw new RefusedMessage(refusedId(value), INVALID_REQUEST, wordsOf(envelope.error));
  const { params: given = {}, ...request } = envelope.data;
  if (!('id' in request)) return { ...request, ...(isRecord(given) && { params: given }) };
  const cleaned = isRecord(given) ? withoutNulls(given) : given;
  if (isRecord(cleaned) && isRecord(given)) {
    // A client of the newer protocol says there who it is.
    if (given._meta === null) cleaned._meta = null;
    // Some clients send the arguments as JSON text. Any other text stays, and is refused.
    const text = given.arguments;
    if (typeof text === 'string' && !tooDeep(text)) cleaned.arguments = objectIn(text) ?? text;
  }
  const id = request.id as RequestId;
  // `constructor` is no method of this server, but a member of every object.
  const known = Object.hasOwn(PARAMS, request.method) ? PARAMS[request.method] : undefined;
  const read = (known ?? OTHER).safeParse(cleaned, { error: problem });
  if (!read.success) throw new RefusedMessage(id, INVALID_PARAMS, wordsOf(read.error, 'params'));
  const params: Fields = read.data;
  const requireShort = (name: string, member: unknown, most: number) => {
    if (member !== undefined && JSON.stringify(member).length > most)
      throw new RefusedMessage(id, INVALID_PARAMS, `${name}: has more than ${most} characters; send less.`);
  };
  requireShort('_meta', params._meta, MAX_INITIALIZE);
  // The arguments of a tool call are bounded by the body, and dropped after the call.
  if (request.method !== 'tools/call')
    requireShort('params', params, request.method === 'initialize' ? MAX_INITIALIZE : MAX_PARAMS);
  return { ...request, id, ...(value.params !== undefined && { params }) };
}

/** The problem with a value, in words. */
const problem: z.core.$ZodErrorMap = (issue) => {
  if (issue.code === 'too_big')
    return `has more than ${issue.maximum} ${issue.origin === 'array' ? 'members' : 'characters'}`;
  if (issue.code === 'invalid_value') return `must be ${JSON.stringify(issue.values[0])}`;
  if (issue.input === undefined) return 'is missing';
  return issue.code === 'invalid_type' && issue.expected === 'string' ? 'must be a string' : 'must be an object';
};

function wordsOf({ issues: [issue] }: z.ZodError, whole = 'message'): string {
  return `${issue?.path.join('.').slice(0, 100) || whole}: ${issue?.message}.`;
}

/** Members whose values are the caller's own. */
const OWN = new Set(['arguments', 'content', 'inputResponses', 'requestState']);

/** A value without members that are null: some clients write so what they leave out. The caller's own values stay. */
function withoutNulls(value: Fields): Fields {
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([key, member]) => [key, isRecord(member) && !OWN.has(key) ? withoutNulls(member) : member]),
  );
}

/** Reads the body of a request as it was sent; undefined if it was refused. */
export async function readRaw(
  request: IncomingMessage,
  response: ServerResponse,
  options: BodyOptions,
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
export function parseMessages(raw: Buffer, response: ServerResponse): Message | Message[] | undefined {
  try {
    const value = jsonIn(raw.toString('utf8'));
    const given = [value].flat();
    if (given.length === 0 || given.length > MAX_MESSAGES) {
      const text = `A body must hold one message, or an array of at most ${MAX_MESSAGES}.`;
      throw new RefusedMessage(null, INVALID_REQUEST, text);
    }
    const messages = given.map((one) => messageIn(one));
    const ids = messages.flatMap(({ id, method }) => (id === undefined || method === undefined ? [] : [id]));
    if (new Set(ids).size < ids.length)
      throw new RefusedMessage(null, INVALID_REQUEST, 'Two requests have the same id.');
    if (Array.isArray(value)) return messages;
    const [message] = messages;
    requestIds.set(response, refusedId(message));
    return message;
  } catch (error) {
    if (!(error instanceof RefusedMessage)) throw error;
    // Wrong parameters are the answer to a request, and no failure of HTTP.
    sendJson(response, error.code === INVALID_PARAMS ? 200 : 400, errorAnswer(error));
    return undefined;
  }
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

export interface StdioOptions {
  /** Makes the server of the connection. */
  define: () => ServerDefinition;
  transport: StdioTransport;
  onError: (error: unknown) => void;
}

/** A connection that can be closed. */
export type StdioConnection = Pick<StdioTransport, 'close'>;

/** A line that is too long to be read. The connection cannot go on, because the rest of the line is no message. */
class LineTooLong extends Error {}

/**
 * The connection to a client over stdio, one JSON message a line, for the SDKs of both protocols. Lines that are no
 * valid message are answered here, because the SDKs' own transports drop them.
 */
export class StdioTransport {
  onmessage: ((message: Message) => void) | undefined;
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  readonly #stdin: Readable;
  readonly #stdout: Writable;
  readonly #underWay = new Set<RequestId>();
  /** The first valid message, which is also passed on; undefined if the input ends before. */
  readonly first: Promise<Message | undefined>;
  /** Resolves when the client has closed its end. Rejects with `LineTooLong`, and with a failure of our own. */
  readonly ended: Promise<unknown>;
  readonly #started: Promise<void>;
  #firstCame: (message: Message | undefined) => void = () => undefined;
  /** Passes on messages from now on. Called by the SDK. */
  start: () => Promise<void> = async () => undefined;
  #allAnswered: () => void = () => undefined;
  #isClosed = false;

  constructor(stdin: Readable, stdout: Writable) {
    this.#stdin = stdin;
    this.#stdout = stdout;
    this.first = new Promise((resolve) => {
      this.#firstCame = resolve;
    });
    this.#started = new Promise((resolve) => {
      this.start = async () => resolve();
    });
    this.ended = Promise.race([this.#readAll(), new Promise((resolve) => stdout.once('close', resolve))]);
    // The failure is for the caller of `ended`, who may ask for it later.
    this.ended.catch(() => undefined);
  }

  /** Called by the SDK. */
  send(message: object): Promise<void> {
    const { id, method } = message as Message;
    if (method === undefined && id !== undefined) this.#settle(id);
    return this.#write(message);
  }

  /** Reads no more, and resolves when every request that was read is answered. */
  async drain(): Promise<void> {
    this.#stdin.destroy();
    if (this.#underWay.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#allAnswered = resolve;
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stdin.destroy();
    this.#allAnswered();
    this.onclose?.();
  }

  async #readAll(): Promise<void> {
    try {
      for await (const line of linesOf(this.#stdin)) await this.#read(line);
    } catch (error) {
      // An input that fails has ended. The system's errors have a code.
      if (error instanceof Error && 'code' in error) return;
      if (error instanceof LineTooLong)
        void this.#write(errorAnswer({ id: null, code: INVALID_REQUEST, message: error.message }));
      throw error;
    } finally {
      this.#firstCame(undefined);
    }
  }

  async #read(line: string): Promise<void> {
    let message: Message;
    try {
      const value = jsonIn(line);
      if (Array.isArray(value)) return await this.#refuseAll(value);
      message = messageIn(value);
    } catch (error) {
      if (!(error instanceof RefusedMessage)) throw error;
      // A client that reads no answers is not read either.
      return this.#write(errorAnswer(error));
    }
    if (awaitsAnswer(message) && message.id !== undefined) this.#underWay.add(message.id);
    // A request that its client cancelled is not answered.
    if (message.method === 'notifications/cancelled') this.#settle(message.params?.requestId as RequestId);
    this.#firstCame(message);
    // The client waits until the adapter of its protocol is loaded.
    await this.#started;
    this.onmessage?.(message);
  }

  /** Refuses each request of an array. Only one version of the protocol has arrays, and no SDK reads them over stdio. */
  async #refuseAll(values: readonly unknown[]): Promise<void> {
    const ids = values.map(refusedId).filter((id) => id !== null);
    const message = 'An array is no message; send one message a line. Nothing was done.';
    for (const id of ids.length === 0 ? [null] : ids)
      await this.#write(errorAnswer({ id, code: INVALID_REQUEST, message }));
  }

  #settle(id: RequestId): void {
    this.#underWay.delete(id);
    if (this.#underWay.size === 0) this.#allAnswered();
  }

  #write(message: object): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stdout.write(`${JSON.stringify(message)}\n`)) resolve();
      else this.#stdout.once('drain', resolve);
    });
  }
}

/** The lines of an input that are not empty. The last one may lack its end. Throws `LineTooLong`. */
async function* linesOf(stdin: Readable): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (part: Buffer) => {
    length += part.length;
    const most = `${MAX_LINE / 1024 ** 2} MiB`;
    if (length > MAX_LINE)
      throw new LineTooLong(`A line on stdin has more than ${most}. Send less at once, for example a batch in parts.`);
    parts.push(part);
  };
  const whole = () => {
    // Some clients end a message as C ends a string. JSON has no such character.
    const text = Buffer.concat(parts).toString('utf8').replaceAll('\0', '').trim();
    parts = [];
    length = 0;
    return text;
  };
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      const line = whole();
      if (line !== '') yield line;
    }
    keep(chunk.subarray(from));
  }
  const last = whole();
  if (last !== '') yield last;
}
