import { type CryptoKey, createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { ServerMetadata } from 'openid-client';
import getRawBody from 'raw-body';
import { request } from 'undici';
import * as z from 'zod';
import { type Clock, DAY_MS, monotonicOf } from '../../lib/clock.ts';
import { FETCH_MS, FRESH_MS, RETRY_MS } from '../../lib/durations.ts';
import { isSafeUrl, parseUrl } from '../../lib/http.ts';
import type { Fields } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import type { Proxies } from '../../lib/proxies.ts';
import { type RoleRule, scopesOf } from '../../lib/roles.ts';
import { withoutTrailing } from '../../lib/text.ts';

/** Maximum size of an answer of the issuer, in bytes. */
const MAX_ANSWER = 512 * 1024;

const endpoint = z.string().refine(isSafeUrl, { message: 'must be an https:// URL (http:// only on loopback)' });
const metadataSchema = z.looseObject({
  issuer: z.string(),
  jwks_uri: endpoint,
  authorization_endpoint: endpoint.optional(),
  token_endpoint: endpoint.optional(),
  code_challenge_methods_supported: z.array(z.string()).optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  subject_types_supported: z.array(z.string()).optional(),
});

/** The issuer's metadata (RFC 8414, OpenID Connect Discovery). */
export type ProviderMetadata = ServerMetadata & { jwks_uri: string };

/**
 * Thrown if the issuer cannot be reached or its answer cannot be used. The token that was presented may be valid or
 * not.
 */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

export interface ProviderOptions {
  /** MCP_OAUTH_ISSUER. */
  issuer: string;
  proxies: Proxies;
  clock: Clock;
  log: Log;
}

/** The OAuth issuer: its metadata and its signing keys, fetched when they are needed and cached. */
export class Provider {
  readonly #issuer: string;
  readonly #proxies: Proxies;
  readonly #metadata: Cached<ProviderMetadata>;
  readonly #keys: Cached<ReturnType<typeof createLocalJWKSet>>;

  constructor({ issuer, proxies, clock, log }: ProviderOptions) {
    this.#issuer = issuer;
    this.#proxies = proxies;
    const onError = (error: unknown) =>
      log('warn', { issuer, error: error instanceof Error ? error.message : String(error) }, 'the OAuth issuer failed');
    this.#metadata = new Cached({ fetch: () => discover(issuer, proxies), clock, onError });
    this.#keys = new Cached({ fetch: () => this.#fetchKeys(), clock, onError });
  }

  /** @throws ProviderUnavailable */
  metadata(): Promise<ProviderMetadata> {
    return this.#metadata.get();
  }

  /** Returns the issuer as its metadata names it, or as the settings name it while it cannot be reached. */
  async name(): Promise<string> {
    try {
      return (await this.metadata()).issuer;
    } catch {
      // The failure was logged already.
      return this.#issuer;
    }
  }

  /**
   * Returns the public key of a token. If it is not known, the keys are fetched again, because issuers rotate them.
   *
   * @throws ProviderUnavailable; JWKSNoMatchingKey where the issuer has no such key
   */
  readonly keyOf: JWTVerifyGetKey = async (header, token): Promise<CryptoKey> => {
    const keys = await this.#keys.get();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await this.#keys.renew())(header, token);
    }
  };

  /** The number of keys that the issuer publishes. @throws ProviderUnavailable */
  async countKeys(): Promise<number> {
    return (await this.#keys.get()).jwks().keys.length;
  }

  async #fetchKeys(): Promise<ReturnType<typeof createLocalJWKSet>> {
    const { jwks_uri: address } = await this.metadata();
    const answer = await fetchJson(address, this.#proxies);
    try {
      return createLocalJWKSet(answer as JSONWebKeySet);
    } catch (error) {
      throw new ProviderUnavailable(`${address} answers no set of keys`, { cause: error });
    }
  }
}

/** Reads the metadata at the addresses where OpenID providers, then OAuth servers, publish it. */
async function discover(issuer: string, proxies: Proxies): Promise<ProviderMetadata> {
  const plain = withoutTrailing(issuer, '/');
  const { origin, pathname } = new URL(plain);
  const addresses = [
    `${plain}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`,
  ];
  let failure: unknown;
  for (const address of addresses) {
    try {
      return check(await fetchJson(address, proxies), address, plain);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failure;
}

function check(answer: unknown, address: string, issuer: string): ProviderMetadata {
  const parsed = metadataSchema.safeParse(answer);
  if (!parsed.success) {
    const [problem] = parsed.error.issues;
    throw new ProviderUnavailable(`${address}: ${problem?.path.join('.')} ${problem?.message}`);
  }
  // Only a slash at the end may differ. Tokens are compared with the name in the metadata.
  if (withoutTrailing(parsed.data.issuer, '/') !== issuer)
    throw new ProviderUnavailable(`${address} is of another issuer than MCP_OAUTH_ISSUER`);
  return answer as ProviderMetadata;
}

/** Fetches JSON from the issuer. Redirects are not followed. */
async function fetchJson(address: string, { dispatcher }: Proxies): Promise<unknown> {
  try {
    const { statusCode, body } = await request(address, {
      headers: { accept: 'application/json' },
      ...(dispatcher && { dispatcher }),
      signal: AbortSignal.timeout(FETCH_MS),
    });
    const text = await getRawBody(body, { limit: MAX_ANSWER, encoding: 'utf8' });
    if (statusCode !== 200) throw new ProviderUnavailable(`${address} answers ${statusCode}`);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error;
    throw new ProviderUnavailable(`${address}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** A value fetched from the issuer. One fetch serves all callers that wait for it. */
class Cached<T> {
  readonly #fetch: () => Promise<T>;
  readonly #clock: Clock;
  readonly #onError: (error: unknown) => void;
  #held: { value: T; at: number } | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #error: unknown;
  #pending: Promise<void> | undefined;

  /** `onError` is called for every fetch that fails. */
  constructor(options: { fetch: () => Promise<T>; clock: Clock; onError: (error: unknown) => void }) {
    this.#fetch = options.fetch;
    this.#clock = options.clock;
    this.#onError = options.onError;
  }

  /**
   * Returns the value, fetched again if it is older than ten minutes. If that fails, the old value is used for up to a
   * day.
   *
   * @throws the error of the last fetch, if there is no value to use
   */
  async get(): Promise<T> {
    if (!this.#held || this.#age() >= FRESH_MS) await this.#refresh();
    if (this.#held && this.#age() < DAY_MS) return this.#held.value;
    throw this.#error;
  }

  /**
   * Returns the value, fetched again now, or the last one if it was fetched less than ten seconds ago.
   *
   * @throws the error of the last fetch, if that failed
   */
  async renew(): Promise<T> {
    await this.#refresh();
    if (this.#held && this.#error === undefined) return this.#held.value;
    throw this.#error;
  }

  #age(): number {
    return monotonicOf(this.#clock) - (this.#held?.at ?? 0);
  }

  #refresh(): Promise<void> {
    if (this.#pending !== undefined) return this.#pending;
    // Callers must not be able to cause requests to the issuer at will.
    if (monotonicOf(this.#clock) - this.#triedAt < RETRY_MS) return Promise.resolve();
    this.#pending = this.#load().finally(() => {
      this.#pending = undefined;
    });
    return this.#pending;
  }

  async #load(): Promise<void> {
    try {
      const value = await this.#fetch();
      this.#held = { value, at: monotonicOf(this.#clock) };
      this.#error = undefined;
    } catch (error) {
      this.#error = error;
      this.#onError(error);
    }
    this.#triedAt = monotonicOf(this.#clock);
  }
}

/** The path of the protected-resource metadata; the path of the resource may follow it. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

interface ResourceOptions {
  /** The address of this server as others reach it, without a slash at its end. */
  url: string;
  audience: string;
  rules: readonly RoleRule[];
  /** The issuer as it names itself. */
  issuer: string;
}

/** The protected-resource metadata of `/mcp` (RFC 9728, section 2). */
export function resourceMetadata({ url, audience, rules, issuer }: ResourceOptions): Fields {
  const scopes = scopesOf(rules);
  return {
    resource: resourceOf(url, audience),
    resource_name: 'Switchboard',
    authorization_servers: [issuer],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  };
}

/**
 * The resource that clients request a token for (RFC 8707): MCP_OAUTH_AUDIENCE if it is an address of this server,
 * otherwise the address of `/mcp`, because clients refuse metadata of another server.
 */
export function resourceOf(url: string, audience: string): string {
  const isOwn = parseUrl(audience)?.origin === new URL(url).origin;
  return isOwn ? audience : `${url}/mcp`;
}
