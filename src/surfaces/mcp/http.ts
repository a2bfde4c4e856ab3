import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { type Actor, personOf, type Role } from '../../lib/actor.ts';
import type { Attempts } from '../../lib/attempts.ts';
import { BodyTooLarge, bearer, CLOSING, fromLoopback, readBody, sameSecret } from '../../lib/http.ts';
import { MAX_JSON_DEPTH, tooDeep } from '../../lib/json.ts';
import { overLimit } from './limits.ts';
import { type McpOptions, McpServer } from './server.ts';
import { Session, Sessions } from './sessions.ts';

export interface McpHttpOptions extends Omit<McpOptions, 'actor' | 'canAsk' | 'userRole' | 'stream'> {
  tokens: readonly { name: string; role: Role; token: string }[];
  /** Role of callers on loopback if no tokens are set. */
  role: Role;
  /** The local user, for whom callers on loopback act if no tokens are set. */
  user: string;
  /** Others reach this server through PUBLIC_URL, so every call needs a token. */
  public?: boolean;
  /** Shared in this process. Callers that present wrong tokens are answered late. */
  attempts: Attempts;
}

/** `/mcp`: Streamable HTTP, with a session after `initialize` or without one. Host and Origin are checked before. */
export class McpHttp {
  readonly #options: McpHttpOptions;
  readonly #sessions = new Sessions();

  constructor(options: McpHttpOptions) {
    this.#options = options;
  }

  /** The number of open sessions. */
  sessions(): number {
    return this.#sessions.size;
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const actor = await this.#authenticate(request, response);
    if (!actor) return;
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
  async #authenticate(request: IncomingMessage, response: ServerResponse): Promise<Actor | undefined> {
    const { tokens, attempts } = this.#options;
    const actor = this.#actorOf(request);
    if (bearer(request) !== undefined && tokens.length > 0) {
      if (!(await attempts.judge(request.socket.remoteAddress, actor && personOf(actor)))) {
        refuse(response, 429, 'Too many wrong tokens came from this address; try again in a minute.', {
          'retry-after': '60',
        });
        return undefined;
      }
    }
    if (!actor) this.#refuseStranger(response);
    return actor;
  }

  #refuseStranger(response: ServerResponse): void {
    response.setHeader('www-authenticate', 'Bearer realm="switchboard"');
    if (this.#options.tokens.length > 0)
      refuse(response, 401, 'A bearer token is needed: Authorization: Bearer <token of MCP_HTTP_TOKENS>.');
    else if (this.#options.public)
      refuse(
        response,
        401,
        'PUBLIC_URL lets others reach this server, so a bearer token is needed, and none is set: set MCP_HTTP_TOKENS.',
      );
    else refuse(response, 403, 'Without MCP_HTTP_TOKENS only this computer may call.');
  }

  async #handleInSession(id: string, actor: Actor, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = this.#sessions.get(id, actor.id);
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
    const session = new Session(actor.id, transport);
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

  #actorOf(request: IncomingMessage): Actor | undefined {
    const { tokens, user, role } = this.#options;
    if (tokens.length === 0) {
      if (this.#options.public || !fromLoopback(request)) return undefined;
      return {
        id: 'mcp:http',
        name: 'an assistant on this computer',
        person: `local:${user}`,
        role,
        surface: 'mcp',
        priority: 'assistant',
      };
    }
    const token = bearer(request);
    const match = token === undefined ? undefined : tokens.find((entry) => sameSecret(token, entry.token));
    return (
      match && {
        id: `mcp:http:${match.name}`,
        name: match.name,
        person: `token:${match.name}`,
        role: match.role,
        surface: 'mcp',
        priority: 'assistant',
      }
    );
  }
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
