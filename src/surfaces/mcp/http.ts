import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Actor, personOf, type Role } from '../../lib/actor.ts';
import type { Attempts } from '../../lib/attempts.ts';
import { bearer, fromLoopback, sameSecret } from '../../lib/http.ts';
import { refuse } from './http-body.ts';
import { HttpEras } from './http-eras.ts';
import type { ServerDefinition } from './protocol.ts';
import { defineServer, type McpOptions } from './server.ts';

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

/** `/mcp`: authenticates callers and serves them in the protocol they speak. Host and Origin are checked before. */
export class McpHttp {
  readonly #options: McpHttpOptions;
  readonly #eras: HttpEras;

  constructor(options: McpHttpOptions) {
    const { changes, backend, onError } = options;
    this.#options = options;
    this.#eras = new HttpEras({
      changes,
      follow: async () => (await backend()).follow?.(),
      onError: (error) => onError?.(error),
    });
  }

  /** The number of open sessions. */
  sessions(): number {
    return this.#eras.sessions();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const actor = await this.#authenticate(request, response);
    if (actor) await this.#eras.handle({ request, response }, actor, (more) => this.#define(actor, more));
  }

  close(): Promise<void> {
    return this.#eras.close();
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

  /** The server of one request or session. */
  #define(actor: Actor, more: Pick<McpOptions, 'stream' | 'changes'>): ServerDefinition {
    const { changes: _changes, tokens, local, ...options } = this.#options;
    return defineServer({
      ...options,
      ...more,
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
