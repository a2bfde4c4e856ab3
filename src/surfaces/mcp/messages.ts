import { z } from 'zod';
import { type Fields, isRecord, MAX_JSON_DEPTH, tooDeep } from '../../lib/json.ts';
import { MAX_ID, MAX_INITIALIZE, MAX_NAME, MAX_PARAMS, MAX_SUBSCRIBED, MAX_URI } from './limits.ts';
import { INVALID_PARAMS, INVALID_REQUEST, LISTEN, PARSE_ERROR } from './protocol.ts';

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

/** Why a message is refused. `id` is the id of the request, or null if it has none that can be repeated. */
export interface Refused {
  id: RequestId | null;
  code: number;
  /** Names the member, and says how to correct it. */
  message: string;
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
const Response = z.union([
  z.object({ jsonrpc: z.literal('2.0'), id: requestId, result: fields }),
  z.object({ jsonrpc: z.literal('2.0'), id: requestId, error: z.looseObject({ code: z.int(), message: z.string() }) }),
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

/** The JSON value of a text, or why it is refused. */
export function jsonIn(text: string): { value: unknown } | { refused: Refused } {
  if (tooDeep(text)) return refused(null, INVALID_REQUEST, `The message has more than ${MAX_JSON_DEPTH} levels.`);
  try {
    // Some encoders begin a text with a byte order mark, which JSON.parse refuses.
    return { value: JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) };
  } catch {
    return refused(null, PARSE_ERROR, 'The message is not JSON.');
  }
}

/** The answer that tells a client why its message is refused. */
export function errorAnswer({ id, code, message }: Refused): Fields {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** True if this message waits for an answer that ends it. A stream of changes stays open. */
export function awaitsAnswer({ id, method }: Message): boolean {
  return id !== undefined && method !== undefined && method !== LISTEN;
}

/** The id with which a message is refused: null if it is no request, or has none that can be repeated. */
export function refusedId(value: unknown): RequestId | null {
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

/** One message, with the members of the protocol only, or why it is refused. */
export function messageIn(value: unknown): { message: Message } | { refused: Refused } {
  if (!isRecord(value)) return refused(null, INVALID_REQUEST, 'A message must be a JSON object.');
  if (isResponse(value)) {
    const { success, data } = Response.safeParse(withoutNulls(value));
    // A refusal never repeats the id of a response, which would look like the answer to a request with it.
    if (!success)
      return refused(
        null,
        INVALID_REQUEST,
        'A response must have jsonrpc "2.0", the id of the request, and either result, an object, or error with code and message.',
      );
    return { message: data };
  }
  const envelope = ('id' in value ? Request : Notification).safeParse(value, { error: problem });
  if (!envelope.success) return refused(refusedId(value), INVALID_REQUEST, wordsOf(envelope.error));
  const { params: given = {}, ...request } = envelope.data;
  if (!('id' in request)) return { message: { ...request, ...(isRecord(given) && { params: given }) } };
  const cleaned = isRecord(given) ? withArguments(withoutNulls(given)) : given;
  // A client of the newer protocol says there who it is.
  if (isRecord(cleaned) && isRecord(given) && given._meta === null) cleaned._meta = null;
  const read = (PARAMS[request.method] ?? OTHER).safeParse(cleaned, { error: problem });
  const why = read.success ? tooLong(request.method, read.data) : wordsOf(read.error, 'params');
  if (why !== undefined) return refused(request.id as RequestId, INVALID_PARAMS, why);
  return { message: { ...request, ...(value.params !== undefined && { params: read.data as Fields }) } as Message };
}

function refused(id: RequestId | null, code: number, message: string): { refused: Refused } {
  return { refused: { id, code, message } };
}

/** What is wrong with a value, in words. */
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

function tooLong(method: string, given: Fields): string | undefined {
  const isOver = (value: unknown, most: number) => value !== undefined && JSON.stringify(value).length > most;
  if (isOver(given._meta, MAX_INITIALIZE)) return `_meta: has more than ${MAX_INITIALIZE} characters; send less.`;
  // The arguments of a tool call are bounded by the body, and dropped after the call.
  if (method === 'tools/call') return undefined;
  const most = method === 'initialize' ? MAX_INITIALIZE : MAX_PARAMS;
  return isOver(given, most) ? `params: has more than ${most} characters; send less.` : undefined;
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

/** The parameters, with arguments that the client sent as JSON text. Any other text stays, and is refused. */
function withArguments(given: Fields): Fields {
  const read = typeof given.arguments === 'string' ? jsonIn(given.arguments) : undefined;
  return read && 'value' in read && isRecord(read.value) ? { ...given, arguments: read.value } : given;
}
