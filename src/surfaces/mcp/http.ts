import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';
import { type Actor, personOf, type Role } from '../../lib/actor.ts';
import type { Attempts } from '../../lib/attempts.ts';
import { BodyTooLarge, bearer, CLOSING, fromLoopback, readBody, sameSecret } from '../../lib/http.ts';
import { MAX_JSON_DEPTH, tooDeep } from '../../lib/json.ts';
import { overLimit } from './limits.ts';
import { createMcpServer, type McpOptions } from './server.ts';

export interface McpHttpOptions extends Omit<McpOptions, 'actor' | 'canAsk' | 'userRole'> {
  tokens: readonly { name: string; role: Role; token: string }[];
  /** Of callers on loopback where no tokens are set. */
  role: Role;
  /** The local user: whom callers on loopback act for where no tokens are set. */
  user: string;
  /** PUBLIC_URL lets others reach this server: nobody calls without a token. */
  public?: boolean;
  /** Of this process: callers that present wrong tokens are answered late. */
  attempts: Attempts;
}

interface Session {
  transport: StreamableHTTPServerTransport;
  actorId: string;
  usedAt: number;
  /** Open streams to the client: it listens, and needs no requests to be there. */
  streams: number;
  /** Tells what the client missed while it had none. */
  opened: () => void;
}

const MAX_SESSIONS = 500;
/** Of one identity: its own oldest goes first, so that nobody pushes others out. */
const MAX_OWN_SESSIONS = 50;
const IDLE_MS = 30 * 60_000;

/** `/mcp`: Streamable HTTP with sessions (after initialize) and without. Host and Origin are checked before. */
export function createMcpHttp(options: McpHttpOptions) {
  const sessions = new Map<string, Session>();
  const { attempts } = options;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const actor = whoCalls(request);
    if (bearer(request) !== undefined && options.tokens.length > 0) {
      if (!(await attempts.judge(request.socket.remoteAddress, actor && personOf(actor))))
        return refuse(response, 429, 'Too many wrong tokens came from this address; try again in a minute.', {
          'retry-after': '60',
        });
    }
    if (!actor) {
      response.setHeader('www-authenticate', 'Bearer realm="switchboard"');
      if (options.tokens.length > 0)
        return refuse(response, 401, 'A bearer token is needed: Authorization: Bearer <token of MCP_HTTP_TOKENS>.');
      return options.public
        ? refuse(
            response,
            401,
            'PUBLIC_URL lets others reach this server, so a bearer token is needed, and none is set: set MCP_HTTP_TOKENS.',
          )
        : refuse(response, 403, 'Without MCP_HTTP_TOKENS only this computer may call.');
    }
    const id = request.headers['mcp-session-id'];
    if (typeof id === 'string') {
      const session = sessions.get(id);
      // A session is no credential: it belongs to the caller that opened it.
      if (!session || session.actorId !== actor.id)
        return refuse(response, 404, 'There is no such session; initialize again.');
      session.usedAt = Date.now();
      if (request.method === 'GET') {
        whenOpen(response, () => {
          session.streams += 1;
          session.opened();
          response.once('close', () => {
            session.streams -= 1;
            session.usedAt = Date.now();
          });
        });
      }
      const body = request.method === 'POST' ? await parse(request, response) : { value: undefined };
      if (body) await session.transport.handleRequest(request, response, body.value);
      return undefined;
    }
    if (request.method !== 'POST')
      return refuse(response, 405, 'POST a JSON-RPC message, or give Mcp-Session-Id.', { allow: 'POST' });
    const body = await parse(request, response);
    if (!body) return undefined;
    const made: { session?: Session; told?: () => void } = {};
    const line = {
      open: () => (made.session?.streams ?? 0) > 0,
      onOpen: (told: () => void) => {
        made.told = told;
      },
    };
    const opens = Array.isArray(body.value) ? body.value.some(isInitializeRequest) : isInitializeRequest(body.value);
    const transport = new StreamableHTTPServerTransport(
      opens
        ? {
            sessionIdGenerator: randomUUID,
            onsessioninitialized: (id) => {
              prune(actor.id);
              made.session = {
                transport,
                actorId: actor.id,
                usedAt: Date.now(),
                streams: 0,
                opened: () => made.told?.(),
              };
              sessions.set(id, made.session);
            },
            onsessionclosed: (closed) => {
              sessions.delete(closed);
            },
          }
        : // Without a session nothing of the server can reach the client later: one JSON answer.
          { sessionIdGenerator: undefined as never, enableJsonResponse: true },
    );
    // Without a session nothing can be told to the client later.
    const { changes, ...rest } = options;
    const server = createMcpServer({
      ...rest,
      ...(opens && changes ? { changes, line } : {}),
      actor,
      userRole: actor.role,
      canAsk: opens,
    });
    await server.connect(transport as never);
    if (!opens) response.once('close', () => void server.close());
    await transport.handleRequest(request, response, body.value);
    return undefined;
  }

  function whoCalls(request: IncomingMessage): Actor | undefined {
    if (options.tokens.length === 0) {
      if (options.public || !fromLoopback(request)) return undefined;
      return {
        id: 'mcp:http',
        name: 'an assistant on this computer',
        person: `local:${options.user}`,
        role: options.role,
        surface: 'mcp',
        priority: 'assistant',
      };
    }
    const token = bearer(request);
    const match = token === undefined ? undefined : options.tokens.find((entry) => sameSecret(token, entry.token));
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

  function prune(newcomer: string): void {
    const now = Date.now();
    let own = [...sessions.values()].filter((session) => session.actorId === newcomer).length;
    // Whoever listens stays; of the others the least lately used goes first.
    const silent = (session: Session) => Number(session.streams === 0);
    const oldest = [...sessions].sort(([, a], [, b]) => silent(b) - silent(a) || a.usedAt - b.usedAt);
    for (const [id, session] of oldest) {
      const idle = session.streams === 0 && now - session.usedAt >= IDLE_MS;
      const tooMany = session.actorId === newcomer && own >= MAX_OWN_SESSIONS;
      if (!idle && !tooMany && sessions.size < MAX_SESSIONS) continue;
      if (session.actorId === newcomer) own -= 1;
      sessions.delete(id);
      void session.transport.close();
    }
  }

  return {
    handle,
    sessions: () => sessions.size,
    close: async () => {
      await Promise.allSettled([...sessions.values()].map((session) => session.transport.close()));
      sessions.clear();
    },
  };
}

/** Calls back once the stream's head is out: before, nothing can be told over it. */
function whenOpen(response: ServerResponse, then: () => void): void {
  if (response.destroyed) return;
  if (!response.headersSent) setImmediate(() => whenOpen(response, then));
  else if (response.statusCode === 200) then();
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
    // What is left of an oversized body is not read: the connection cannot be used again.
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
