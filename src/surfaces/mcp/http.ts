import type { IncomingMessage, ServerResponse } from 'node:http';
import { slackbotPerson } from '../../language/assistants/own-tools.ts';
import { failure, withSlackBlocks } from '../../language/assistants/results.ts';
import { type Actor, LOCAL_ASSISTANT, type Role } from '../../lib/actor.ts';
import { after, retried, systemClock } from '../../lib/clock.ts';
import { type Bearers, IdentityLoad, isRefusal, type Refusal, TOO_MANY_CALLS, UNSIGNED_BODY } from '../../lib/http.ts';
import { defined } from '../../lib/values.ts';
import { type Message, parseMessages, readRaw, refuse } from './messages.ts';
import {
  type Changes,
  type ClientStream,
  type Handler,
  type HttpExchange,
  INVALID_PARAMS,
  INVALID_REQUEST,
  LISTEN,
  type McpOptions,
  mayBeModern,
  ProtocolError,
  type ServerDefinition,
  type Slackbot,
  type SlackbotRefusal,
} from './protocol.ts';
import { defineServer } from './server.ts';
import { type Session, Sessions } from './sessions.ts';

/** The sender of a request. */
interface Owner {
  /** Identity and role. Each session and stream belongs to one owner. */
  id: string;
  /** False if the body of a request comes without a token, so that it must arrive soon. */
  hasToken: boolean;
  /** When the access token expires, in epoch ms; undefined if it does not. */
  expiresAt?: number | undefined;
}

/**
 * Streamable HTTP in both protocols. Clients of 2026-07-28 and later have no session; older ones may open one with
 * `initialize`. Each adapter is loaded when the first client needs it.
 */
export class HttpEras {
  readonly load = new IdentityLoad();
  readonly sessions = new Sessions();
  readonly #changes: Changes | undefined;
  readonly #onError: (error: unknown) => void;
  readonly #loadModern = retried(async () => (await import('./modern.ts')).modernHttp(this.#changes, this.#onError));

  /** @param changes those that clients may subscribe to; undefined if there are none */
  constructor(changes: Changes | undefined, onError: (error: unknown) => void = () => undefined) {
    this.#changes = changes;
    this.#onError = onError;
  }

  /**
   * Answers a request of this caller.
   *
   * @param define makes the server of one request or session, with the stream or the changes through which it reaches the
   *   client
   */
  async handle(
    { request, response }: Omit<HttpExchange, 'body'>,
    caller: Owner,
    define: (more: { stream?: ClientStream; changes?: Changes }) => ServerDefinition,
  ): Promise<void> {
    const changes = defined({ changes: this.#changes });
    writeAccepted(request);
    const session = request.headers['mcp-session-id'];
    if (request.method !== 'POST') {
      if (typeof session !== 'string')
        return refuse(response, 405, 'POST a JSON-RPC message, or give Mcp-Session-Id.', { allow: 'POST' });
      const found = this.#sessionOf(session, caller, response);
      if (request.method !== 'GET') return found?.handle(request, response);
      return found && this.#admitStream(response, caller) ? found.openStream(request, response) : undefined;
    }
    if (this.load.isFull(caller.id)) return refuseTooMany(response, TOO_MANY_CALLS);
    const raw = await readRaw(request, response, caller.hasToken ? {} : { within: UNSIGNED_BODY.within });
    const body = raw && parseMessages(raw, response);
    if (!body) return;
    // A request without the header is older than the revision that has no arrays of messages.
    const version = String(request.headers['mcp-protocol-version'] ?? '');
    if (Array.isArray(body) && version >= '2025-06-18') return refuse(response, 400, ONE_MESSAGE, {}, INVALID_REQUEST);
    const given = { request, response, body };
    const isWrongType = !/^application\/json\s*(?:;|$)/i.test(request.headers['content-type'] ?? '');
    if (isWrongType) return refuse(response, 415, 'Content-Type: must be application/json.', {}, INVALID_REQUEST);
    const tooMany = this.load.admitCalls(caller.id, Array.isArray(body) ? body.length : 1, response);
    if (tooMany !== undefined) return refuseTooMany(response, tooMany);
    if (mayBeModern(request.headers, body)) {
      const modern = await this.#loadModern();
      if (!modern.isLegacy(given)) {
        const definition = define(changes);
        if (!Array.isArray(body) && body.method === LISTEN) {
          if (!this.#admitStream(response, caller)) return;
          try {
            await modern.listen(body, response, definition);
          } catch (error) {
            if (!(error instanceof ProtocolError)) throw error;
            return refuse(response, 200, error.message, {}, INVALID_PARAMS);
          }
        }
        return modern.handle(given, definition);
      }
    }
    const legacy = await import('./legacy.ts');
    const opens = [body].flat().some((message) => legacy.isInitializeRequest(message));
    // The SDK would refuse these headers without the id of the request, so that its sender waits for an answer.
    if (TYPES.some((one) => !request.headers.accept?.includes(one)))
      return refuse(response, 406, `Accept: must contain ${TYPES.join(' and ')}.`, {}, INVALID_REQUEST);
    // A client that initializes learns from the answer which versions there are.
    if (!opens && version !== '' && !legacy.SUPPORTED_PROTOCOL_VERSIONS.includes(version)) {
      const supported = `use one of ${legacy.SUPPORTED_PROTOCOL_VERSIONS.join(', ')}`;
      const text = `MCP-Protocol-Version: ${version.slice(0, 40)} is not supported; ${supported}.`;
      return refuse(response, 400, text, {}, INVALID_REQUEST);
    }
    // A client that initializes may still name a session that has ended.
    if (opens) return legacy.openSession(given, this.sessions, caller.id, (stream) => define({ ...changes, stream }));
    if (typeof session !== 'string') return legacy.answerOnce(given, define({}));
    await this.#sessionOf(session, caller, response)?.handle(request, response, body);
  }

  /** Answers one message whose body was read before, without a session and without streams of changes. */
  async handleAlone(given: HttpExchange, definition: ServerDefinition): Promise<void> {
    const { request, body } = given;
    writeAccepted(request);
    if (mayBeModern(request.headers, body)) {
      const modern = await this.#loadModern();
      if (!modern.isLegacy(given)) return modern.handle(given, definition);
    }
    await (await import('./legacy.ts')).answerOnce(given, definition);
  }

  /** Ends all sessions and streams. */
  async close(): Promise<void> {
    await this.sessions.close();
    await (await this.#loadModern.opened)?.close();
  }

  /** The session with this id; undefined if the request was refused because this caller has none. */
  #sessionOf(id: string, caller: Owner, response: ServerResponse): Session | undefined {
    const session = this.sessions.get(id, caller.id);
    if (!session) refuse(response, 404, 'There is no such session; initialize again.');
    return session;
  }

  /**
   * Counts a stream of changes until it is closed. False if this identity has too many streams or has already
   * disconnected.
   */
  #admitStream(response: ServerResponse, caller: Owner): boolean {
    if (response.destroyed) return false;
    const tooMany = this.load.admitStream(caller.id, response);
    if (tooMany !== undefined) {
      refuseTooMany(response, tooMany);
      return false;
    }
    if (caller.expiresAt === undefined) return true;
    // The client opens the next stream with its new token. A change may still be written to a stream that is ending.
    response.on('error', () => undefined);
    response.once(
      'close',
      after(systemClock, caller.expiresAt - Date.now(), () => response.end()),
    );
    return true;
  }
}

const ONE_MESSAGE = 'POST one JSON-RPC message: MCP has no batches of them since 2025-06-18.';

function refuseTooMany(response: ServerResponse, message: string): void {
  refuse(response, 429, message, { 'retry-after': '1' });
}

/** The types that an answer of `/mcp` can have. */
const TYPES = ['application/json', 'text/event-stream'];

/** Writes the header Accept as the SDKs know it: without wildcards and capital letters. Without it, all is accepted. */
function writeAccepted({ headers, rawHeaders }: IncomingMessage): void {
  const given = (headers.accept ?? '*').toLowerCase();
  headers.accept = given.includes('*') ? TYPES.join(', ') : given;
  // The adapters to Fetch requests read the headers as they came.
  const at = rawHeaders.findIndex((name, place) => place % 2 === 0 && name.toLowerCase() === 'accept');
  if (at >= 0) rawHeaders[at + 1] = headers.accept;
  else rawHeaders.push('Accept', headers.accept);
}

interface McpHttpOptions
  extends Omit<McpOptions, 'actor' | 'userRole' | 'pageRole' | 'stopping' | 'stream' | 'slackbot'> {
  bearers: Bearers;
  /** Role of callers on this computer if no tokens are needed. */
  role: Role;
  /** The local user, for whom callers on this computer act. */
  user: string;
  /** True if a browser can be paired with this computer, so that callers without a token can confirm on the page. */
  local: boolean;
  /** Left out where Slack signs no requests. */
  slackbot?: Slackbot | undefined;
}

/** `/mcp`: authenticates callers and serves them in the protocol they speak. Host and Origin are checked before. */
export class McpHttp {
  readonly #options: McpHttpOptions;
  readonly #eras: HttpEras;
  readonly #stopping = new AbortController();

  constructor(options: McpHttpOptions) {
    this.#options = options;
    this.#eras = new HttpEras(options.changes, options.onError);
  }

  /** The number of open sessions. */
  sessions(): number {
    return this.#eras.sessions.size;
  }

  /** Answers a request: one that Slack signs, or one of a caller with a token or on this computer. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (admitPage(request, response)) return;
    // A request with an invalid signature is refused even if it has a valid token.
    const { headers } = request;
    if (headers['x-slack-signature'] !== undefined || headers['x-slack-request-timestamp'] !== undefined)
      return this.#handleSigned(request, response);
    const caller = await identify(request, this.#options);
    if ('status' in caller) return refuse(response, caller.status, caller.error, caller.headers);
    await this.#eras.handle({ request, response }, caller, (more) => this.#define(caller.actor, more));
  }

  /** Answers the calls that wait for their client's user, because the process stops. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Ends all sessions and streams. */
  close(): Promise<void> {
    return this.#eras.close();
  }

  /** Serves a request that Slack signs. Signature, age and repetition are checked before any part of it is used. */
  async #handleSigned(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { slackbot } = this.#options;
    if (!slackbot)
      return refuse(response, 401, 'Requests signed by Slack are not accepted here: SLACK_SIGNING_SECRET is not set.');
    if (request.method !== 'POST') return refuse(response, 405, 'POST a JSON-RPC message.', { allow: 'POST' });
    const raw = await readRaw(request, response, UNSIGNED_BODY);
    if (!raw) return;
    const { signatures } = slackbot;
    if (!signatures.isGenuine(raw, request.headers))
      return refuse(response, 401, 'Not signed by Slack, or too old. Nothing was done.');
    const message = parseMessages(raw, response);
    if (!message) return;
    if (Array.isArray(message)) return refuse(response, 400, 'POST one JSON-RPC message.', {}, -32600);
    // Two such requests in one second can have the same bytes, because they name no person and each client counts its
    // ids from the start. So their repetition is not refused.
    const repeatable = typeof message.method === 'string' && DISCOVERY.has(message.method);
    if (!repeatable && !(await signatures.isNew(request.headers)))
      return refuse(response, 401, 'This signed request was handled before. Nothing was done.');
    const definition = await this.#definitionFor(slackbot, message);
    if ('blocks' in definition) {
      const { text, retryAfterSeconds } = definition;
      if (retryAfterSeconds === undefined) return refuse(response, 403, text);
      return refuse(response, 503, text, { 'retry-after': String(retryAfterSeconds) });
    }
    await this.#eras.handleAlone({ request, response, body: message }, definition);
  }

  /** The server for the person that a message names, or the reason why there is none. */
  async #definitionFor(slackbot: Slackbot, { method, params }: Message): Promise<ServerDefinition | SlackbotRefusal> {
    // The reason is the result of a call, so that the person reads it.
    const refusing = ({ text: message, blocks, retryAfterSeconds }: SlackbotRefusal) => {
      const code = retryAfterSeconds === undefined ? 'forbidden_by_role' : 'unavailable';
      const face = { code, message, effect: 'stated', outcome: 'not_done', ...defined({ retryAfterSeconds }) } as const;
      // It stores nothing and shows nothing.
      const slackbot = { notes: {}, present: async () => ({ blocks: [] }) };
      const definition = this.#define(DISCOVERER, { slackbot });
      const call = () => withSlackBlocks(failure(face), blocks);
      return { ...definition, handlers: { ...definition.handlers, 'tools/call': call } };
    };
    if (method === LISTEN)
      return { text: 'Slackbot is told nothing later; read what changed with a tool.', blocks: [] };
    const person = slackbotPerson(params);
    if (!person) return DISCOVERY.has(method ?? '') ? refusing(UNNAMED) : UNNAMED;
    const caller = await slackbot.admit(person);
    if (!('refused' in caller)) return this.#define(caller.actor, { slackbot: caller.answers });
    return method === 'tools/call' ? refusing(caller.refused) : caller.refused;
  }

  /** The server of one request or session. */
  #define(actor: Actor, more: Pick<McpOptions, 'stream' | 'changes' | 'slackbot'>): ServerDefinition {
    const { changes: _changes, slackbot: _slackbot, local, ...others } = this.#options;
    const definition = defineServer({
      ...others,
      ...more,
      actor,
      userRole: actor.role,
      stopping: this.#stopping.signal,
      // If browsers are paired with this computer, callers without a token act for its user, who can confirm on the
      // page.
      pageRole: local ? 'approver' : actor.role,
    });
    const owner = ownerOf(actor);
    const { handlers } = definition;
    const counted = (method: 'tools/call' | 'resources/read', ...given: Parameters<Handler>) =>
      this.#eras.load.counted(owner, async () => handlers[method](...given));
    return {
      ...definition,
      handlers: {
        ...handlers,
        'tools/call': (...given) => counted('tools/call', ...given) ?? BUSY,
        'resources/read': (...given) => {
          const reading = counted('resources/read', ...given);
          if (reading === undefined) throw new ProtocolError(INVALID_PARAMS, TOO_MANY_CALLS);
          return reading;
        },
      },
    };
  }
}

/**
 * Lets a page read the answers, whose origin was accepted before. True if the request was only the browser's question
 * whether the page may send one, which is answered.
 */
function admitPage({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
  const { origin } = headers;
  if (origin === undefined) return false;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'Mcp-Session-Id, WWW-Authenticate, Retry-After');
  response.setHeader('vary', 'Origin');
  if (method !== 'OPTIONS') return false;
  response.writeHead(204, {
    'access-control-allow-methods': 'POST, GET, DELETE',
    // Those that the page asks for: the versions of the protocol add headers of their own.
    'access-control-allow-headers': headers['access-control-request-headers'] ?? 'content-type',
    'access-control-max-age': '600',
  });
  response.end();
  return true;
}

const BUSY = failure({ code: 'rate_limited', message: TOO_MANY_CALLS, outcome: 'not_done' });

/** The owner of a session. It includes the role, because a session keeps the role it was opened with. */
function ownerOf({ id, role }: Actor): string {
  return `${role} ${id}`;
}

/** Identifies the caller of `/mcp`: the holder of a bearer token, or a program on this computer. */
async function identify(
  request: IncomingMessage,
  { bearers, role, user }: McpHttpOptions,
): Promise<(Owner & { actor: Actor }) | Refusal> {
  const common = { surface: 'mcp', priority: 'assistant' } as const;
  const caller = await bearers.callerOf(request);
  if (caller === 'local') {
    const actor: Actor = { ...common, id: 'mcp:http', name: LOCAL_ASSISTANT, person: `local:${user}`, role };
    return { actor, id: ownerOf(actor), hasToken: false };
  }
  if (isRefusal(caller)) return caller;
  const { person, name, expiresAt } = caller;
  const id = person.startsWith('oauth:') ? `mcp:${person}` : `mcp:http:${name}`;
  const actor: Actor = { ...common, id, name, person, role: caller.role };
  return { actor, id: ownerOf(actor), hasToken: true, expiresAt };
}

/** Methods that a client may call, and repeat, before it names a person, because they only describe the server. */
const DISCOVERY = new Set(['initialize', 'notifications/initialized', 'ping', 'server/discover', 'tools/list']);
const UNNAMED: SlackbotRefusal = {
  text: 'params._meta.slack names no person (user_id, team_id), so this is for nobody. Nothing was done.',
  blocks: [],
};

/** Lists tools for a client that names no person yet. It calls nothing. */
const DISCOVERER: Actor = {
  id: 'slack:slackbot',
  name: 'Slackbot',
  role: 'operator',
  surface: 'slack',
  priority: 'assistant',
};
