import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  None,
} from 'openid-client';
import { type Clock, DAY_MS, monotonicOf } from '../../lib/clock.ts';
import { FETCH_MS, FRESH_MS, RETRY_MS } from '../../lib/durations.ts';
import { isSafeUrl } from '../../lib/http.ts';
import type { Log } from '../../lib/log.ts';
import type { Proxies } from '../../lib/proxies.ts';

/** What the issuer publishes: its metadata, as a client of it, and its signing keys. */
interface Held {
  client: Configuration;
  keys: ReturnType<typeof createLocalJWKSet>;
  /** On the scale of `monotonicOf`. */
  at: number;
}

/** The issuer cannot be reached or its answer cannot be used, so a token that was presented may be valid or not. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

export interface ProviderOptions {
  /** MCP_OAUTH_ISSUER. */
  issuer: string;
  clientId: string;
  /** Undefined for a public client. */
  secret: string | undefined;
  proxies: Proxies;
  clock: Clock;
  log: Log;
}

/** The OAuth issuer: its metadata and its signing keys, fetched when they are needed and kept for ten minutes. */
export class Provider {
  readonly #options: ProviderOptions;
  #held: Held | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #error: ProviderUnavailable | undefined;
  #pending: Promise<void> | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  /** This server as a client of the issuer. @throws ProviderUnavailable */
  async client(): Promise<Configuration> {
    return (await this.#current()).client;
  }

  /** The number of keys that the issuer publishes. @throws ProviderUnavailable */
  async countKeys(): Promise<number> {
    return (await this.#current()).keys.jwks().keys.length;
  }

  /**
   * The public key of a token. If it is not known, the keys are fetched again, because issuers rotate them.
   *
   * @throws ProviderUnavailable; JWKSNoMatchingKey where the issuer has no such key
   */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    const { keys } = await this.#current();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await this.#current(true)).keys(header, token);
    }
  };

  /** While the issuer does not answer, the last answer counts for a day. `renew`: only a fresh answer counts. */
  async #current(renew = false): Promise<Held> {
    const age = () => monotonicOf(this.#options.clock) - (this.#held?.at ?? Number.NEGATIVE_INFINITY);
    if (renew || age() >= FRESH_MS) await this.#refresh();
    if (this.#held && age() < DAY_MS && !(renew && this.#error)) return this.#held;
    throw this.#error;
  }

  /** One fetch serves all that wait for it. Callers cannot cause requests to the issuer at will. */
  async #refresh(): Promise<void> {
    if (!this.#pending && monotonicOf(this.#options.clock) - this.#triedAt < RETRY_MS) return;
    this.#pending ??= this.#load().finally(() => {
      this.#pending = undefined;
    });
    await this.#pending;
  }

  async #load(): Promise<void> {
    const { issuer, proxies, clock, log } = this.#options;
    try {
      const client = await this.#discover('oidc').catch((error: unknown) =>
        this.#discover('oauth2').catch(() => Promise.reject(error)),
      );
      const { jwks_uri = '' } = client.serverMetadata();
      if (!isSafeUrl(jwks_uri)) throw new Error('its jwks_uri must be an https:// URL (http:// only on loopback)');
      const answer = await proxies.fetch(jwks_uri, { signal: AbortSignal.timeout(FETCH_MS) });
      if (answer.status !== 200) throw new Error(`${jwks_uri} answers ${answer.status}`);
      const keys = createLocalJWKSet((await answer.json()) as JSONWebKeySet);
      this.#held = { client, keys, at: monotonicOf(clock) };
      this.#error = undefined;
    } catch (error) {
      const { message, cause } = error as Error;
      const reason = `${issuer}: ${cause instanceof Error && cause.message !== '' ? cause.message : message}`;
      log('warn', { issuer, error: reason }, 'the OAuth issuer failed');
      this.#error = new ProviderUnavailable(reason, { cause: error });
    }
    this.#triedAt = monotonicOf(clock);
  }

  /** Reads the metadata where OpenID providers or OAuth servers publish it (RFC 8414, OpenID Connect Discovery). */
  #discover(algorithm: 'oidc' | 'oauth2'): Promise<Configuration> {
    const { issuer, clientId, secret, proxies } = this.#options;
    const authenticate: ClientAuth = (server, ...call) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      const withSecret = methods.includes('client_secret_basic') ? ClientSecretBasic : ClientSecretPost;
      return withSecret(secret)(server, ...call);
    };
    return discovery(new URL(issuer), clientId, undefined, secret === undefined ? None() : authenticate, {
      algorithm,
      timeout: FETCH_MS / 1000,
      [customFetch]: (address, options) => proxies.fetch(address, options as RequestInit),
      // An http issuer is on loopback, because start-up refuses any other.
      execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
    });
  }
}
