import type { IncomingMessage } from 'node:http';
import type { Actor, Role } from '../../lib/actor.ts';
import type { Attempts } from '../../lib/bearer-tokens.ts';
import type { Config } from '../../lib/config.ts';
import { cookies, fromLoopback, sameSecret } from '../../lib/http.ts';
import { OAUTH_SESSION_MS, type Pairing, SESSION_MS } from './pairing.ts';

export interface SessionOptions {
  pairing: Pairing;
  tokens: readonly { name: string; role: Role; token: string }[];
  /** True if browsers of this computer can be paired (`Config.local`). */
  local: boolean;
  /** Name of the local user, who signs in with a key of `switchboard key`. */
  user: string;
  attempts: Attempts;
  /** True if cookies are sent over https only. */
  secure: boolean;
  /** The OAuth settings as one text; undefined without OAuth. */
  oauth?: string | undefined;
}

/** Creates `Sessions` from the settings. */
export function sessionsOf(config: Config, pairing: Pairing, attempts: Attempts): Sessions {
  return new Sessions({
    pairing,
    attempts,
    tokens: config.MCP_HTTP_TOKENS,
    local: config.local,
    user: config.user,
    secure: config.PUBLIC_URL?.startsWith('https:') ?? false,
    // The settings that a sign-in with the OAuth issuer depends on.
    oauth:
      config.MCP_OAUTH_ISSUER &&
      JSON.stringify([config.MCP_OAUTH_ISSUER, config.MCP_OAUTH_AUDIENCE, config.MCP_OAUTH_ROLES]),
  });
}

/**
 * Sign-ins on the confirmation page: with an approver's token, with the OAuth issuer, or from a browser paired with
 * this computer. Knowing the address of a page is not enough.
 */
export class Sessions {
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /**
   * True if the caller can pair their browser, because the server is local and the request comes from this computer.
   */
  mayPair(request: IncomingMessage): boolean {
    return this.#options.local && fromLoopback(request);
  }

  /** True if any approver token is configured. */
  get hasTokens(): boolean {
    return this.#options.tokens.some(({ role }) => role === 'approver');
  }

  /**
   * The person signed in and a digest of their cookie. Undefined without a sign-in, for an expired session, a revoked
   * token, or a paired browser on another computer.
   */
  async find(request: IncomingMessage): Promise<{ person: Actor; id: string } | undefined> {
    const { pairing, tokens, user } = this.#options;
    for (const value of cookies(request, pairing.cookieName)) {
      const found = await pairing.find(value);
      if (found === undefined) continue;
      const { person: id, proof, name } = found;
      const entry = tokens.find((one) => `token:${one.name}` === id && one.role === 'approver');
      const isPaired = id === `local:${user}` && proof === '';
      const needed = id.startsWith('oauth:') ? this.#oauthProof() : entry && pairing.proofOf(entry.token);
      const isValid = isPaired ? this.mayPair(request) : needed !== undefined && sameSecret(needed, proof);
      if (!isValid) continue;
      const shown = isPaired ? user : (entry?.name ?? name ?? id);
      // The identity is recorded as the decider.
      const person = { id: `page:${id}`, person: id, name: shown, role: 'approver', surface: 'page' } as const;
      return { person: { ...person, priority: 'person' }, id: pairing.sessionId(value) };
    }
    return undefined;
  }

  /**
   * Signs in with an approver's token. Repeated attempts with a wrong token, or with one of another role, are delayed
   * longer and longer. They are counted by `address`, the address of the connection.
   */
  async signIn(
    token: string,
    address: string | undefined,
  ): Promise<{ kind: 'in'; cookie: string } | { kind: 'wrong' } | { kind: 'busy' }> {
    const { attempts, pairing, tokens } = this.#options;
    // Every token is compared, so that timing does not reveal which one was similar.
    const [match] = tokens.filter((entry) => sameSecret(token, entry.token));
    const approver = match?.role === 'approver' ? match : undefined;
    if (!(await attempts.judge(address, approver && `token:${approver.name}`))) return { kind: 'busy' };
    if (!approver) return { kind: 'wrong' };
    const value = await pairing.open({ person: `token:${approver.name}`, proof: pairing.proofOf(approver.token) });
    return { kind: 'in', cookie: this.#cookie(value) };
  }

  /**
   * Pairs the browser behind this request with a one-time key. Returns the cookie; undefined if the key is not valid.
   */
  async pair(request: IncomingMessage, key: string): Promise<string | undefined> {
    const { pairing, user } = this.#options;
    if (!this.mayPair(request) || !(await pairing.redeem(key))) return undefined;
    return this.#cookie(await pairing.open({ person: `local:${user}`, proof: '' }));
  }

  /** Signs in an approver whom the OAuth issuer identified. Returns the cookie. */
  async openOAuth(person: string, name: string): Promise<string> {
    const proof = this.#oauthProof();
    if (proof === undefined) throw new Error('no OAuth issuer is configured');
    return this.#cookie(await this.#options.pairing.open({ person, name, proof }, OAUTH_SESSION_MS), OAUTH_SESSION_MS);
  }

  #oauthProof(): string | undefined {
    const { oauth, pairing } = this.#options;
    return oauth === undefined ? undefined : pairing.proofOf(oauth);
  }

  #cookie(value: string, ms: number = SESSION_MS): string {
    const secure = this.#options.secure ? '; Secure' : '';
    return `${this.#options.pairing.cookieName}=${value}; Path=/confirm; Max-Age=${ms / 1000}; HttpOnly; SameSite=Strict${secure}`;
  }
}
