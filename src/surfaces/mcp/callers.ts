import type { IncomingMessage } from 'node:http';
import type { Actor, Role } from '../../lib/actor.ts';
import type { Attempts } from '../../lib/attempts.ts';
import { type AccessTokens, BearerTokens, isRefusal, NO_OAUTH, type TokenRefusal } from '../../lib/bearer-tokens.ts';
import { fromLoopback } from '../../lib/http.ts';

export interface CallerOptions {
  tokens: readonly { name: string; role: Role; token: string }[];
  /** Left out: no OAuth issuer is configured. */
  oauth?: AccessTokens | undefined;
  /** Role of callers on loopback if neither tokens nor OAuth are set. */
  role: Role;
  /** The local user, for whom callers on loopback act if neither tokens nor OAuth are set. */
  user: string;
  /** True if others reach this server through PUBLIC_URL. Every call then needs a token. */
  public?: boolean;
  /** Shared in this process. Answers to callers with wrong tokens are delayed. */
  attempts: Attempts;
}

/** A caller of `/mcp`. */
export interface Caller {
  actor: Actor;
  /** When its access token expires, in epoch ms; left out if it does not. */
  expiresAt?: number;
}

/** Identifies the callers of `/mcp`: the holder of a bearer token, or a program on this computer. */
export class Callers {
  readonly #options: CallerOptions;
  readonly #tokens: BearerTokens;

  constructor(options: CallerOptions) {
    this.#options = options;
    this.#tokens = new BearerTokens(options);
  }

  async identify(request: IncomingMessage): Promise<Caller | TokenRefusal> {
    if (!this.#tokens.areSet) return this.#local(request);
    const holder = await this.#tokens.holderOf(request);
    if (isRefusal(holder)) return holder;
    const { person, name, role, expiresAt } = holder;
    const id = person.startsWith('oauth:') ? `mcp:${person}` : `mcp:http:${name}`;
    const actor: Actor = { id, name, person, role, surface: 'mcp', priority: 'assistant' };
    return { actor, ...(expiresAt !== undefined && { expiresAt }) };
  }

  #local(request: IncomingMessage): Caller | TokenRefusal {
    const { role, user } = this.#options;
    const headers = { 'www-authenticate': NO_OAUTH };
    if (this.#options.public) {
      const error =
        'PUBLIC_URL lets others reach this server, so a bearer token is needed, and none is set: set MCP_HTTP_TOKENS or MCP_OAUTH_ISSUER.';
      return { status: 401, error, headers };
    }
    if (!fromLoopback(request))
      return { status: 403, error: 'Without MCP_HTTP_TOKENS only this computer may call.', headers };
    const name = 'an assistant on this computer';
    return { actor: { id: 'mcp:http', name, person: `local:${user}`, role, surface: 'mcp', priority: 'assistant' } };
  }
}
