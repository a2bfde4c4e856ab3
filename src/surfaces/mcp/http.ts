import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Actor, personOf, type Role } from '../../lib/actor.ts';
import type { Attempts } from '../../lib/attempts.ts';
import { BodyTooLarge, bearer, CLOSING, fromLoopback, readBody, sameSecret } from '../../lib/http.ts';
import { MAX_JSON_DEPTH, tooDeep } from '../../lib/json.ts';
import { listens, mayBeModern } from './era.ts';
import { overLimit } from './limits.ts';
import type { ModernHttp, ModernRequest } from './modern.ts';
import type { ClientStream, ServerDefinition } from './protocol.ts';
import { defineServer, type McpOptions } from './server.ts';
import { Sessions } from './sessions.ts';

/** Streams of changes of one identity, so that one identity cannot take those of others. */
const MAX_OWN_STREAMS = 50;

export interface McpHttpOptions extends Omit<McpOptions, 'actor' | 'userRole' | 'pageRole' | 'stream'> {
  tokens: readonly { name: string; role: Role; token: string }[];
  /** Role of callers on loopback if no tokens are set. */
  role: Role;
  /** The local user, for whom callers on loopback act if no tokens are set. */
  user: string;
  /** Others reach this server through PUBLIC_URL, so every call needs a token. */
  public?: boolean;
  /** A browser can be paired with this computer, so callers without tokens can confirm on the page. */
  local: boolean;
  /** Shared in this process. Callers that present wrong tokens are answered late. */
  attempts: Attempts;
}

interface Body {
  value: unknown;
  text: string;
}

/**
 * `/mcp`: Streamable HTTP. Clients of 2026-07-28 and later have no session; older ones have one after `initialize`, or do
 * without. Host and Origin are checked before.
 */
export class McpHttp {
  readonly #options: McpHttpOptions;
  readonly #sessions = new Sessions();
  readonly #streams = new Map<string, number>();
  #modern: Promise<ModernHttp> | undefined;

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
    const session = request.headers['mcp-session-id'];
    if (request.method !== 'POST') {
      if (typeof session === 'string') return this.#handleInSession(session, actor, request, response);
      return refuse(response, 405, 'POST a JSON-RPC message, or give Mcp-Session-Id.', { allow: 'POST' });
    }
    const body = await parse(request, response);
    if (!body) return;
    if (mayBeModern(request.headers, body.text)) {
      const modern = await this.#loadModern();
      if (!modern.isLegacy({ request, body: body.value }))
        return this.#handleModern(modern, actor, { request, response, body: body.value });
    }
    if (typeof session === 'string') return this.#handleInSession(session, actor, request, response, body);
    const legacy = await import('./legacy.ts');
    const given = { request, response, body: body.value };
    if (!legacy.opensSession(body.value)) return legacy.answerOnce(given, this.#define(actor, {}));
    return legacy.openSession(given, this.#sessions, actor.id, (stream) =>
      this.#define(actor, { stream, changes: this.#options.changes }),
    );
  }

  async close(): Promise<void> {
    await this.#sessions.close();
    await (await this.#modern)?.close();
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

  async #handleInSession(
    id: string,
    actor: Actor,
    request: IncomingMessage,
    response: ServerResponse,
    body?: Body,
  ): Promise<void> {
    const session = this.#sessions.get(id, actor.id);
    if (!session) return refuse(response, 404, 'There is no such session; initialize again.');
    session.use(request, response);
    await session.handle(request, response, body?.value);
  }

  async #handleModern(modern: ModernHttp, actor: Actor, given: ModernRequest): Promise<void> {
    const { changes, backend } = this.#options;
    const { response, body } = given;
    if (changes && listens(body)) {
      const open = this.#streams.get(actor.id) ?? 0;
      if (open >= MAX_OWN_STREAMS)
        return refuse(response, 429, `${actor.name} has ${open} streams of changes open; close one first.`);
      this.#streams.set(actor.id, open + 1);
      response.once('close', () => this.#streams.set(actor.id, (this.#streams.get(actor.id) ?? 1) - 1));
      (await backend()).follow?.();
    }
    await modern.handle(given, this.#define(actor, { changes }));
  }

  #loadModern(): Promise<ModernHttp> {
    const { changes, onError } = this.#options;
    this.#modern ??= import('./modern.ts').then(
      ({ ModernHttp }) => new ModernHttp(changes && { changes }, (error) => onError?.(error)),
    );
    return this.#modern;
  }

  /** The server of one request or session. */
  #define(
    actor: Actor,
    { stream, changes }: { stream?: ClientStream; changes?: McpHttpOptions['changes'] },
  ): ServerDefinition {
    const { changes: _all, tokens, local, ...options } = this.#options;
    return defineServer({
      ...options,
      ...(stream ? { stream } : {}),
      ...(changes ? { changes } : {}),
      actor,
      userRole: actor.role,
      // Without tokens the page is for the browsers that are paired with this computer.
      pageRole: tokens.length === 0 && local ? 'approver' : actor.role,
    });
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

async function parse(request: IncomingMessage, response: ServerResponse): Promise<Body | undefined> {
  try {
    const text = (await readBody(request)).toString('utf8');
    if (tooDeep(text)) {
      refuse(response, 400, `The body has more than ${MAX_JSON_DEPTH} levels.`, {}, -32600);
      return undefined;
    }
    const value: unknown = JSON.parse(text);
    const over = overLimit(value);
    if (over === undefined) return { value, text };
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
