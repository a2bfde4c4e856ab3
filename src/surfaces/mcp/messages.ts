import { type Fields, isRecord, MAX_JSON_DEPTH, tooDeep } from '../../lib/json.ts';
import { MAX_ID } from './limits.ts';
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
  if (isResponse(value)) return responseIn(value);
  const { jsonrpc, method, id, params } = value;
  const echoed = refusedId(value);
  if (jsonrpc !== '2.0') return refused(echoed, INVALID_REQUEST, 'jsonrpc: must be "2.0".');
  if (typeof method !== 'string') return refused(echoed, INVALID_REQUEST, 'method: must be the name of a method.');
  if (!('id' in value)) return { message: { jsonrpc, method, ...(isRecord(params) && { params }) } };
  if (!isId(id))
    return refused(echoed, INVALID_REQUEST, 'id: must be a string or an integer; leave it out in a notification.');
  const given = isRecord(params) ? withArguments(withoutNulls(params)) : params === undefined ? {} : params;
  // A client of the newer protocol says there who it is.
  if (isRecord(given) && isRecord(params) && params._meta === null) given._meta = null;
  const problem = problemIn(given, method);
  if (problem !== undefined) return refused(id, INVALID_PARAMS, problem);
  return { message: { jsonrpc, id, method, ...(isRecord(params) && isRecord(given) && { params: given }) } };
}

/** A response of the client. A refusal never repeats its id, which would look like the answer to a request with it. */
function responseIn(response: Fields): { message: Message } | { refused: Refused } {
  const { jsonrpc, id, result, error } = withoutNulls(response);
  if (jsonrpc === '2.0' && isId(id)) {
    if (isRecord(result) && error === undefined) return { message: { jsonrpc, id, result } };
    if (isRecord(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string')
      return { message: { jsonrpc, id, error } };
  }
  return refused(
    null,
    INVALID_REQUEST,
    'A response must have jsonrpc "2.0", the id of the request, and either result, an object, or error with code and message.',
  );
}

function isId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

function refused(id: RequestId | null, code: number, message: string): { refused: Refused } {
  return { refused: { id, code, message } };
}

/** A type of value. `objects` and `texts` are objects whose members all have the type. */
type Shape = 'text' | 'object' | 'objects' | 'texts' | 'id' | Shapes;
/** Members by name. A name with `?` may be left out. */
interface Shapes {
  readonly [member: string]: Shape;
}

const PAGE: Shapes = { 'cursor?': 'text' };
const URI: Shapes = { uri: 'text' };

/** The parameters of the methods that this server has. */
const PARAMS = new Map<string, Shapes>(
  Object.entries({
    initialize: {
      protocolVersion: 'text',
      capabilities: 'objects',
      clientInfo: { name: 'text', version: 'text' },
    },
    'tools/list': PAGE,
    'tools/call': { name: 'text', 'arguments?': 'object' },
    'resources/list': PAGE,
    'resources/templates/list': PAGE,
    'resources/read': URI,
    'resources/subscribe': URI,
    'resources/unsubscribe': URI,
    'prompts/list': PAGE,
    'prompts/get': { name: 'text', 'arguments?': 'texts' },
    'completion/complete': { ref: { type: 'text' }, argument: { name: 'text', value: 'text' } },
    [LISTEN]: { notifications: 'object' },
  }),
);

/** Members whose values are the caller's own. */
const OWN = new Set(['arguments', 'content', 'inputResponses', 'requestState']);

/** A value without members that are null: some clients write so what they leave out. The caller's own values stay. */
function withoutNulls(value: Fields): Fields {
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(
    members.map(([name, member]) => [name, isRecord(member) && !OWN.has(name) ? withoutNulls(member) : member]),
  );
}

/** The parameters, with arguments that the client sent as JSON text. Any other text stays, and is refused. */
function withArguments(params: Fields): Fields {
  const { arguments: given } = params;
  const read = typeof given === 'string' ? jsonIn(given) : undefined;
  return read && 'value' in read && isRecord(read.value) ? { ...params, arguments: read.value } : params;
}

/** The first problem of the parameters; undefined if there is none. */
function problemIn(params: unknown, method: string): string | undefined {
  if (!isRecord(params)) return 'params: must be an object; leave it out if there is nothing to give.';
  const common: Shapes = { '_meta?': { 'progressToken?': 'id' } };
  return membersProblem(params, { ...common, ...PARAMS.get(method) }, '');
}

/** The end of a problem with a member that may be missing. The member inside an object says it already. */
const LEFT_OUT = ', or left out';

function membersProblem(given: Fields, shapes: Shapes, path: string): string | undefined {
  for (const [key, shape] of Object.entries(shapes)) {
    const name = key.replace('?', '');
    const value = given[name];
    if (value === undefined && key.endsWith('?')) continue;
    const problem = problemOf(value, shape, `${path}${name}`);
    if (problem === undefined) continue;
    const mayLack = key.endsWith('?') && !problem.endsWith(LEFT_OUT);
    return mayLack ? `${problem}${LEFT_OUT}.` : `${problem}.`;
  }
  return undefined;
}

/** The problem of one value, without its full stop. */
function problemOf(value: unknown, shape: Shape, path: string): string | undefined {
  if (value === undefined) return `${path}: is missing`;
  if (shape === 'text') return typeof value === 'string' ? undefined : `${path}: must be a string`;
  if (shape === 'id') return isId(value) ? undefined : `${path}: must be a string or an integer`;
  if (!isRecord(value) && typeof value === 'string')
    return `${path}: must be an object, and this text is not the JSON of one`;
  if (!isRecord(value)) return `${path}: must be an object`;
  if (shape === 'object') return undefined;
  if (typeof shape === 'object') return membersProblem(value, shape, `${path}.`)?.replace(/\.$/, '');
  const fits = shape === 'texts' ? (one: unknown) => typeof one === 'string' : isRecord;
  const wrong = Object.keys(value).find((name) => !fits(value[name]));
  return wrong === undefined
    ? undefined
    : `${path}.${wrong.slice(0, 40)}: must be ${shape === 'texts' ? 'a string' : 'an object'}`;
}
