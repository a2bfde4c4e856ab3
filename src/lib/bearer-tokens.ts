import type { IncomingMessage } from 'node:http';
import type { Role } from './actor.ts';
import type { Attempts } from './attempts.ts';
import type { Config } from './config.ts';
import { bearer, fromLoopback, type Refusal, sameSecret } from './http.ts';

/** The person or program a bearer token belongs to. */
export interface TokenHolder {
  /** "token:ops" or "oauth:<sub>": the same identity on every surface. */
  person: string;
  /** For display. */
  name: string;
  role: Role;
  /** Epoch ms; left out for a token of the settings. */
  expiresAt?: number;
}

/** Checks the access tokens of an OAuth issuer. */
export interface AccessTokens {
  /** True if this text has the form of an access token. */
  looksLike(token: string): boolean;
  judge(token: string): Promise<TokenHolder | Refusal>;
  /** `WWW-Authenticate` of an answer to a request without a token. */
  challenge(): string;
}

export interface BearerOptions {
  config: Pick<Config, 'MCP_HTTP_TOKENS' | 'public'>;
  /** Left out: no OAuth issuer is configured. */
  oauth?: AccessTokens | undefined;
  attempts: Attempts;
}

/** The sender of a request: the holder of its token, or `local` for a program on this computer that needs none. */
export type Caller = TokenHolder | 'local';

export const isRefusal = (found: Caller | Refusal): found is Refusal => found !== 'local' && 'status' in found;

/**
 * Identifies the callers of `/mcp`, `/readyz` and `/metrics`: by a token of MCP_HTTP_TOKENS or of the OAuth issuer, or
 * as a program on this computer if neither is configured.
 */
export class BearerTokens {
  readonly #options: BearerOptions;

  constructor(options: BearerOptions) {
    this.#options = options;
  }

  /** The caller of this request. Wrong tokens are answered late, and with 429 if too many of them wait. */
  async callerOf(request: IncomingMessage): Promise<Caller | Refusal> {
    const { config, oauth } = this.#options;
    if (config.MCP_HTTP_TOKENS.length > 0 || oauth !== undefined) return this.#holderOf(request);
    if (config.public) return PUBLIC_WITHOUT_TOKENS;
    return fromLoopback(request) ? 'local' : OTHER_COMPUTER;
  }

  async #holderOf(request: IncomingMessage): Promise<TokenHolder | Refusal> {
    const { config, oauth, attempts } = this.#options;
    const given = bearer(request);
    if (given === undefined) return this.#refusal();
    const match = config.MCP_HTTP_TOKENS.find(({ token }) => sameSecret(given, token));
    // Signed tokens cannot be guessed, so wrong ones are not counted. Clients often present expired ones.
    if (!match && oauth?.looksLike(given)) return oauth.judge(given);
    const person = match && `token:${match.name}`;
    if (!(await attempts.judge(request.socket.remoteAddress, person)))
      return {
        status: 429,
        error: 'Too many wrong tokens came from this address; try again in a minute.',
        headers: { 'retry-after': '60' },
      };
    return match && person !== undefined ? { person, name: match.name, role: match.role } : this.#refusal();
  }

  /** The answer to a request without a valid token. */
  #refusal(): Refusal {
    const { config, oauth } = this.#options;
    const sources = [
      ...(config.MCP_HTTP_TOKENS.length > 0 ? ['token of MCP_HTTP_TOKENS'] : []),
      ...(oauth ? ['access token of MCP_OAUTH_ISSUER'] : []),
    ];
    return {
      status: 401,
      error: `A bearer token is needed: Authorization: Bearer <${sources.join(' or ')}>.`,
      headers: { 'www-authenticate': oauth?.challenge() ?? NO_OAUTH },
    };
  }
}

/** `WWW-Authenticate` where no OAuth issuer is configured. */
const NO_OAUTH = 'Bearer realm="switchboard"';

const PUBLIC_WITHOUT_TOKENS: Refusal = {
  status: 401,
  error:
    'PUBLIC_URL lets others reach this server, so a bearer token is needed, and none is set: set MCP_HTTP_TOKENS or MCP_OAUTH_ISSUER.',
  headers: { 'www-authenticate': NO_OAUTH },
};

const OTHER_COMPUTER: Refusal = {
  status: 403,
  error: 'Without MCP_HTTP_TOKENS or MCP_OAUTH_ISSUER, only this computer may call.',
  headers: { 'www-authenticate': NO_OAUTH },
};
