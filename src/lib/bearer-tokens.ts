import type { IncomingMessage } from 'node:http';
import type { Role } from './actor.ts';
import { type Clock, MINUTE_MS, sleep } from './clock.ts';
import type { Config } from './config.ts';
import { bearer, fromLoopback, type Refusal, sameSecret } from './http.ts';
import type { Log } from './log.ts';
import { BoundedMap } from './values.ts';

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

interface BearerOptions {
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
    const { config, oauth, attempts } = this.#options;
    if (config.MCP_HTTP_TOKENS.length === 0 && oauth === undefined) {
      if (config.public) return PUBLIC_WITHOUT_TOKENS;
      return fromLoopback(request) ? 'local' : OTHER_COMPUTER;
    }
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

/** Wrong credentials that an address may present per minute before its requests are answered late. */
const FREE = 10;
/** The delay of an answer to an address beyond them. */
const DELAY_MS = 5_000;
/** Delayed answers per address at a time; further requests are refused. */
const MAX_WAITING = 10;
/** Maximum number of remembered addresses. Beyond it, the least recently seen one is dropped. */
const MAX_PEERS = 10_000;
/** Maximum number of remembered identities per address. */
const MAX_KNOWN = 100;

interface Peer {
  wrong: number;
  /** Epoch ms. The count starts again a minute later. */
  since: number;
  waiting: number;
  /**
   * Identities that signed in from this address. They are not slowed down by wrong credentials of others behind the
   * same proxy.
   */
  known: Set<string>;
}

/**
 * Slows down guessing of credentials over `/mcp`, the confirmation pages, `/readyz` and `/metrics` together, by network
 * address. Create one per process. While an address keeps presenting wrong ones, its requests
 * are answered late whether right or wrong, so that guessing in parallel does not help. Identities that signed in from
 * the address before are not slowed down.
 */
export class Attempts {
  readonly #peers = new BoundedMap<string, Peer>(MAX_PEERS);
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  /**
   * Called for every credential that was presented. `address`: the address of the connection. `identity`: the identity
   * that the credential belongs to; undefined for a wrong one. Resolves with true when the request may be answered, and
   * with false if too many wait already (429).
   */
  async judge(address: string | undefined, identity: string | undefined): Promise<boolean> {
    const name = networkOf(address ?? '');
    const now = this.#clock.now();
    const peer = this.#peers.get(name) ?? { wrong: 0, since: now, waiting: 0, known: new Set() };
    // Setting it again makes this address the newest of the map.
    this.#peers.set(name, peer);
    if (now - peer.since >= MINUTE_MS) Object.assign(peer, { wrong: 0, since: now });
    if (identity === undefined) {
      peer.wrong += 1;
      const message = 'repeated wrong tokens from one address; its requests are answered late';
      if (peer.wrong === FREE + 1) this.#log('warn', { peer: name, wrong: peer.wrong }, message);
    } else if (peer.wrong <= FREE || peer.known.has(identity)) {
      if (peer.known.size < MAX_KNOWN) peer.known.add(identity);
      return true;
    }
    if (peer.wrong <= FREE) return true;
    if (peer.waiting >= MAX_WAITING) return false;
    peer.waiting += 1;
    await sleep(this.#clock, DELAY_MS);
    peer.waiting -= 1;
    return true;
  }
}

/** The network of an address. A customer of an IPv6 network has 2^64 addresses, which count as one. */
function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:/, '');
  if (!plain.includes(':')) return plain;
  const [front = [], back = []] = plain.split('::', 2).map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0');
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}
