import { randomBytes, randomUUID } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { formatExpiry, type SandboxClock } from './clock.ts';
import { ApiError } from './errors.ts';
import type { SavedTokens } from './store.ts';

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** Returns the scope of a token: host and path of a URL, without its query and a default port. */
function scopeOf(url: URL): string {
  return `${url.host.toLowerCase()}${url.pathname}`;
}

/**
 * Returns host and path of a request, without `:80` or `:443` in the Host header, because a URL leaves them out too.
 */
export function requestScope(host: string, path: string): string {
  const name = host.toLowerCase();
  const port = Object.values(DEFAULT_PORTS).find((p) => name.endsWith(`:${p}`));
  return `${port === undefined ? name : name.slice(0, -(port.length + 1))}${path}`;
}

export type Bearer = { kind: 'valid'; distributor: string; inScope: boolean } | { kind: 'refused'; error: ApiError };

/** Maximum number of tokens whose signature is remembered. */
const REMEMBERED = 1_000;

/** Access tokens: JWTs (HS256), short-lived, scoped to one full URL (PLATFORM.md, Authentication). */
export class Tokens {
  readonly #secret: string;
  #epoch: string;
  readonly #clock: SandboxClock;
  /** Payloads of tokens whose signature was right. A client sends one token with many requests. */
  readonly #verified = new Map<string, JWTPayload>();

  constructor(clock: SandboxClock, saved: SavedTokens | null) {
    this.#clock = clock;
    this.#secret = saved?.tokenSecret ?? randomBytes(32).toString('base64');
    this.#epoch = saved?.tokenEpoch ?? randomUUID();
  }

  saved(): SavedTokens {
    return { tokenSecret: this.#secret, tokenEpoch: this.#epoch };
  }

  /** Invalidates every token issued so far. */
  expireAll(): void {
    this.#epoch = randomUUID();
  }

  async issue(distributor: string, endpoint: URL, seconds: number): Promise<{ token: string; tokenExpiry: string }> {
    const issued = Math.floor(this.#clock.now() / 1000);
    const expires = issued + seconds;
    const payload = {
      ...{ scope: scopeOf(endpoint), epoch: this.#epoch, sub: distributor, jti: randomUUID() },
      ...{ iat: issued, exp: expires },
    };
    const token = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(Buffer.from(this.#secret, 'base64'));
    this.#remember(token, payload);
    return { token, tokenExpiry: formatExpiry(expires * 1000) };
  }

  /**
   * Throws 401 for a missing, expired or invalid token. The result says whether a valid one is in scope, otherwise 403.
   */
  async read(header: string | undefined, scope: string): Promise<Bearer> {
    const refuse = (message: string): Bearer => ({ kind: 'refused', error: new ApiError(401, message) });
    const token = /^Bearer +(\S+)$/i.exec(header ?? '')?.[1];
    if (token === undefined) return refuse('Authorization token is missing');
    try {
      const payload = await this.#payload(token);
      const hasEnded = (payload.exp ?? 0) * 1000 <= this.#clock.now();
      if (hasEnded || payload.epoch !== this.#epoch || payload.sub === undefined)
        return refuse('Authorization token has expired');
      return { kind: 'valid', distributor: payload.sub, inScope: payload.scope === scope };
    } catch (error) {
      const expired = error instanceof Error && 'code' in error && error.code === 'ERR_JWT_EXPIRED';
      return refuse(expired ? 'Authorization token has expired' : 'Authorization token is invalid');
    }
  }

  /** Returns the payload of a token. Throws if its signature is wrong or it has expired. */
  async #payload(token: string): Promise<JWTPayload> {
    const known = this.#verified.get(token);
    if (known) return known;
    const { payload } = await jwtVerify(token, Buffer.from(this.#secret, 'base64'), {
      algorithms: ['HS256'],
      currentDate: new Date(this.#clock.now()),
    });
    this.#remember(token, payload);
    return payload;
  }

  #remember(token: string, payload: JWTPayload): void {
    if (this.#verified.size >= REMEMBERED) this.#verified.clear();
    this.#verified.set(token, payload);
  }
}
