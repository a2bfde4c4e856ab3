import type { IncomingMessage } from 'node:http';
import type { Actor, Role } from '../../lib/actor.ts';
import type { Attempts } from '../../lib/attempts.ts';
import type { Config } from '../../lib/config.ts';
import { cookies, fromLoopback, sameSecret } from '../../lib/http.ts';
import { type Pairing, SESSION_MS } from './pairing.ts';

export interface SessionOptions {
  pairing: Pairing;
  tokens: readonly { name: string; role: Role; token: string }[];
  /** Whether browsers of this computer can be paired (`Config.local`). */
  local: boolean;
  /** Name of the local user: whoever holds a key of `switchboard key`. */
  user: string;
  attempts: Attempts;
  /** Cookies go over https only. */
  secure: boolean;
}

/** What a page needs to know to sign somebody in. */
export type SignIn = { kind: 'in'; cookie: string } | { kind: 'wrong' } | { kind: 'busy' };

/** `Sessions` as the settings have it. */
export function sessionsOf(config: Config, pairing: Pairing, attempts: Attempts): Sessions {
  return new Sessions({
    pairing,
    attempts,
    tokens: config.MCP_HTTP_TOKENS,
    local: config.local,
    user: config.user,
    secure: config.PUBLIC_URL?.startsWith('https:') ?? false,
  });
}

/**
 * Who looks at the confirmation page: an approver's token that signed in, or a browser paired with this computer.
 * An address alone signs nobody in.
 */
export class Sessions {
  private readonly options: SessionOptions;

  constructor(options: SessionOptions) {
    this.options = options;
  }

  /** Whether the caller could pair their browser: the server is local, and the request comes from this computer. */
  mayPair(request: IncomingMessage): boolean {
    return this.options.local && fromLoopback(request);
  }

  /** Whether there is any approver's token to sign in with. */
  get hasTokens(): boolean {
    return this.options.tokens.some(({ role }) => role === 'approver');
  }

  /** The person signed in; undefined as in `find`. */
  async who(request: IncomingMessage): Promise<Actor | undefined> {
    return (await this.find(request))?.person;
  }

  /**
   * Who is signed in, and a digest of the cookie that says so. Undefined for a stranger, an expired session, a revoked
   * token, or a paired browser from elsewhere.
   */
  async find(request: IncomingMessage): Promise<{ person: Actor; id: string } | undefined> {
    const { pairing, tokens, user } = this.options;
    for (const value of cookies(request, pairing.cookieName)) {
      const found = await pairing.find(value);
      if (found === undefined) continue;
      if (found.person === `local:${user}` && found.proof === '') {
        if (this.mayPair(request)) return { person: person(found.person, user), id: pairing.sessionId(value) };
        continue;
      }
      const entry = tokens.find(({ name }) => `token:${name}` === found.person);
      if (entry?.role === 'approver' && sameSecret(pairing.proofOf(entry.token), found.proof))
        return { person: person(found.person, entry.name), id: pairing.sessionId(value) };
    }
    return undefined;
  }

  /**
   * Signs in with an approver's token. A wrong one, or one of another role, is answered ever later. `address`: of the
   * connection, by which wrong ones are counted.
   */
  async signIn(token: string, address: string | undefined): Promise<SignIn> {
    const { attempts, pairing, tokens } = this.options;
    // Every token is compared, so that the time taken tells nothing of which came near.
    const [match] = tokens.filter((entry) => sameSecret(token, entry.token));
    const approver = match?.role === 'approver' ? match : undefined;
    if (!(await attempts.judge(address, approver && `token:${approver.name}`))) return { kind: 'busy' };
    if (!approver) return { kind: 'wrong' };
    const value = await pairing.open({ person: `token:${approver.name}`, proof: pairing.proofOf(approver.token) });
    return { kind: 'in', cookie: this.cookie(value) };
  }

  /** Pairs the browser behind this request with a one-time key. Answers the cookie; undefined where the key does not count. */
  async pair(request: IncomingMessage, key: string): Promise<string | undefined> {
    const { pairing, user } = this.options;
    if (!this.mayPair(request) || !(await pairing.redeem(key))) return undefined;
    return this.cookie(await pairing.open({ person: `local:${user}`, proof: '' }));
  }

  private cookie(value: string): string {
    const secure = this.options.secure ? '; Secure' : '';
    return `${this.options.pairing.cookieName}=${value}; Path=/confirm; Max-Age=${SESSION_MS / 1000}; HttpOnly; SameSite=Strict${secure}`;
  }
}

/** The page's own requests, by the identity that is written down as the decider. */
function person(id: string, name: string): Actor {
  return { id: `page:${id}`, person: id, name, role: 'approver', surface: 'page', priority: 'person' };
}
