import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import type { Actor } from '../../lib/actor.ts';
import { BodyTooLarge, CLOSING, readBody } from '../../lib/http.ts';
import { MAX_JSON_DEPTH, tooDeep } from '../../lib/json.ts';
import { type Caller, type CallerOptions, Callers } from './callers.ts';
import { overLimit } from './limits.ts';
import { type McpOptions, McpServer } from './server.ts';
import { Session, Sessions } from './sessions.ts';

export type McpHttpOptions = Omit<McpOptions, 'actor' | 'canAsk' | 'userRole' | 'stream'> & CallerOptions;

/** The longest delay of Node's timers. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** `/mcp`: Streamable HTTP, with a session after `initialize` or without one. Host and Origin are checked before. */
export class McpHttp {
  readonly #options: McpHttpOptions;
  readonly #callers: Callers;
  readonly #sessions = new Sessions();

  constructor(options: McpHttpOptions) {
    this.#options = options;
    this.#callers = new Callers(options);
  }

  /** The number of open sessions. */
  sessions(): number {
    return this.#sessions.size;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const caller = await this.#authenticate(request, response);
    if (!caller) return;
    const { actor, expiresAt } = caller;
    // A stream ends when the token that opened it expires. The client opens the next one with its new token.
    if (request.method === 'GET' && expiresAt !== undefined) this.#endAt(expiresAt, response);
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') return this.#handleInSession(id, actor, request, response);
    if (request.method !== 'POST')
      return refuse(response, 405, 'POST a JSON-RPC message, or give Mcp-Session-Id.', { allow: 'POST' });
    const body = await parse(request, response);
    if (!body) return;
    const messages: unknown[] = Array.isArray(body.value) ? body.value : [body.value];
    if (messages.some((message) => isInitializeRequest(message)))
      await this.#open(actor, request, response, body.value);
    else await this.#answerOnce(actor, request, response, body.value);
  }

  close(): Promise<void> {
    return this.#sessions.close();
  }

  /** The caller; undefined if the request was refused. */
  async #authenticate(request: IncomingMessage, response: ServerResponse): Promise<Caller | undefined> {
    const caller = await this.#callers.identify(request);
    if (!('status' in caller)) return caller;
    refuse(response, caller.status, caller.error, caller.headers);
    return undefined;
  }

  #endAt(expiresAt: number, response: ServerResponse): void {
    const timer = setTimeout(() => response.end(), Math.min(MAX_TIMER_MS, Math.max(0, expiresAt - Date.now())));
    timer.unref();
    response.once('close', () => clearTimeout(timer));
  }

  async #handleInSession(id: string, actor: Actor, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = this.#sessions.get(id, ownerOf(actor));
    if (!session) return refuse(response, 404, 'There is no such session; initialize again.');
    session.use(request, response);
    const body = request.method === 'POST' ? await parse(request, response) : { value: undefined };
    if (body) await session.handle(request, response, body.value);
  }

  /** Opens a session for a client that initializes. */
  async #open(actor: Actor, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#sessions.add(id, session),
      onsessionclosed: (id) => this.#sessions.delete(id),
    });
    const session = new Session(ownerOf(actor), transport);
    const server = new McpServer({
      ...this.#options,
      stream: session,
      actor,
      userRole: actor.role,
      canAsk: true,
    });
    await server.connect(asTransport(transport));
    await transport.handleRequest(request, response, body);
  }

  /** Answers without a session: one JSON answer, because nothing can reach the client later. */
  async #answerOnce(actor: Actor, request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    const { changes: _changes, ...options } = this.#options;
    const server = new McpServer({ ...options, actor, userRole: actor.role, canAsk: false });
    await server.connect(asTransport(transport));
    response.once('close', () => void server.close());
    await transport.handleRequest(request, response, body);
  }
}

/** The owner of a session. It includes the role, because a session keeps the role it was opened with. */
function ownerOf({ id, role }: Actor): string {
  return `${role} ${id}`;
}

/** The SDK's own transport does not fit its interface under `exactOptionalPropertyTypes`. */
function asTransport(transport: StreamableHTTPServerTransport): Transport {
  return transport as Transport;
}

async function parse(request: IncomingMessage, response: ServerResponse): Promise<{ value: unknown } | undefined> {
  try {
    const text = (await readBody(request)).toString('utf8');
    if (tooDeep(text)) {
      refuse(response, 400, `The body has more than ${MAX_JSON_DEPTH} levels.`, {}, -32600);
      return undefined;
    }
    const value: unknown = JSON.parse(text);
    const over = overLimit(value);
    if (over === undefined) return { value };
    refuse(response, 400, over, {}, -32600);
    return undefined;
  } catch (error) {
    // The rest of an oversized body is not read, so the connection cannot be used again.
    if (error instanceof BodyTooLarge) refuse(response, 413, `The body is too large: ${error.message}.`, CLOSING);
    else refuse(response, 400, 'The body is not JSON.', {}, -32700);
    return undefined;
  }
}

function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code = -32000,
): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}
