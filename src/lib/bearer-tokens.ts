import type { IncomingMessage } from 'node:http';
import type { Role } from './actor.ts';
import type { Attempts } from './attempts.ts';
import { bearer, sameSecret } from './http.ts';

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

/** The answer to a request that is refused. */
export interface TokenRefusal {
  status: 401 | 403 | 429 | 503;
  error: string;
  headers: Record<string, string>;
}

/** Checks the access tokens of an OAuth issuer. */
export interface AccessTokens {
  /** True if this text has the form of an access token. */
  looksLike(token: string): boolean;
  judge(token: string): Promise<TokenHolder | TokenRefusal>;
  /** `WWW-Authenticate` of an answer to a request without a token. */
  challenge(): string;
}

export interface BearerOptions {
  /** MCP_HTTP_TOKENS. */
  tokens: readonly { name: string; role: Role; token: string }[];
  /** Left out: no OAuth issuer is configured. */
  oauth?: AccessTokens | undefined;
  attempts: Attempts;
}

export const isRefusal = (found: TokenHolder | TokenRefusal): found is TokenRefusal => 'status' in found;

/** The tokens of MCP_HTTP_TOKENS and of the OAuth issuer, as `/mcp`, `/readyz` and `/metrics` check them. */
export class BearerTokens {
  readonly #options: BearerOptions;

  constructor(options: BearerOptions) {
    this.#options = options;
  }

  /** True if callers need a token. */
  get areSet(): boolean {
    return this.#options.tokens.length > 0 || this.#options.oauth !== undefined;
  }

  /** The caller of this request. Wrong tokens are answered late, and with 429 if too many of them wait. */
  async holderOf(request: IncomingMessage): Promise<TokenHolder | TokenRefusal> {
    const { tokens, oauth, attempts } = this.#options;
    const given = bearer(request);
    if (given === undefined) return this.refusal();
    const match = tokens.find(({ token }) => sameSecret(given, token));
    // Signed tokens cannot be guessed, so wrong ones are not counted. Clients often present expired ones.
    if (!match && oauth?.looksLike(given)) return oauth.judge(given);
    const person = match && `token:${match.name}`;
    if (!(await attempts.judge(request.socket.remoteAddress, person)))
      return {
        status: 429,
        error: 'Too many wrong tokens came from this address; try again in a minute.',
        headers: { 'retry-after': '60' },
      };
    return match && person !== undefined ? { person, name: match.name, role: match.role } : this.refusal();
  }

  /** The answer to a request without a valid token. */
  refusal(): TokenRefusal {
    const { tokens, oauth } = this.#options;
    const sources = [
      ...(tokens.length > 0 ? ['token of MCP_HTTP_TOKENS'] : []),
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
export const NO_OAUTH = 'Bearer realm="switchboard"';
