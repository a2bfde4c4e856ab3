import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import type { ServerMetadata } from 'openid-client';
import * as z from 'zod';
import { type Clock, DAY_MS, monotonicOf } from '../../lib/clock.ts';
import { FETCH_MS, FRESH_MS, RETRY_MS } from '../../lib/durations.ts';
import { isSafeUrl } from '../../lib/http.ts';
import type { Log } from '../../lib/log.ts';
import type { Proxies } from '../../lib/proxies.ts';
import { withoutTrailing } from '../../lib/text.ts';

const endpoint = z.string().refine(isSafeUrl, { message: 'must be an https:// URL (http:// only on loopback)' });
const metadataSchema = z.looseObject({
  issuer: z.string(),
  jwks_uri: endpoint,
  authorization_endpoint: endpoint.optional(),
  token_endpoint: endpoint.optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  subject_types_supported: z.array(z.string()).optional(),
});

/** The issuer's metadata (RFC 8414, OpenID Connect Discovery). */
export type ProviderMetadata = ServerMetadata & { jwks_uri: string };

/** Metadata and signing keys. */
interface Held {
  metadata: ProviderMetadata;
  keys: ReturnType<typeof createLocalJWKSet>;
  /** On the scale of `monotonicOf`. */
  at: number;
}

/** The issuer cannot be reached or its answer cannot be used, so a token that was presented may be valid or not. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** The OAuth issuer: its metadata and its signing keys, fetched when they are needed and kept for ten minutes. */
export class Provider {
  /** MCP_OAUTH_ISSUER. */
  readonly issuer: string;
  readonly #proxies: Proxies;
  readonly #clock: Clock;
  readonly #log: Log;
  #held: Held | undefined;
  #triedAt = Number.NEGATIVE_INFINITY;
  #error: ProviderUnavailable | undefined;
  #pending: Promise<void> | undefined;

  constructor(issuer: string, { proxies, clock, log }: { proxies: Proxies; clock: Clock; log: Log }) {
    this.issuer = issuer;
    this.#proxies = proxies;
    this.#clock = clock;
    this.#log = log;
  }

  /** @throws ProviderUnavailable */
  async metadata(): Promise<ProviderMetadata> {
    return (await this.#current()).metadata;
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
    const age = () => monotonicOf(this.#clock) - (this.#held?.at ?? Number.NEGATIVE_INFINITY);
    if (renew || age() >= FRESH_MS) await this.#refresh();
    if (this.#held && age() < DAY_MS && !(renew && this.#error)) return this.#held;
    throw this.#error;
  }

  /** One fetch serves all that wait for it. Callers cannot cause requests to the issuer at will. */
  async #refresh(): Promise<void> {
    if (!this.#pending && monotonicOf(this.#clock) - this.#triedAt < RETRY_MS) return;
    this.#pending ??= this.#load().finally(() => {
      this.#pending = undefined;
    });
    await this.#pending;
  }

  async #load(): Promise<void> {
    try {
      const metadata = await this.#discover();
      const keys = createLocalJWKSet((await this.#fetchJson(metadata.jwks_uri)) as JSONWebKeySet);
      this.#held = { metadata, keys, at: monotonicOf(this.#clock) };
      this.#error = undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log('warn', { issuer: this.issuer, error: reason }, 'the OAuth issuer failed');
      this.#error = new ProviderUnavailable(reason, { cause: error });
    }
    this.#triedAt = monotonicOf(this.#clock);
  }

  /** Reads the metadata at the addresses where OpenID providers, then OAuth servers, publish it. */
  async #discover(): Promise<ProviderMetadata> {
    const plain = withoutTrailing(this.issuer, '/');
    const { origin, pathname } = new URL(plain);
    const [openid, oauth] = [
      `${plain}/.well-known/openid-configuration`,
      `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`,
    ];
    const answer = await this.#fetchJson(openid).catch(async (error: unknown) =>
      this.#fetchJson(oauth).catch(() => Promise.reject(error)),
    );
    const parsed = metadataSchema.safeParse(answer);
    const [problem] = parsed.error?.issues ?? [];
    if (problem) throw new Error(`the metadata of ${plain}: ${problem.path.join('.')} ${problem.message}`);
    // Only a slash at the end may differ. Tokens are compared with the name in the metadata.
    if (withoutTrailing(parsed.data?.issuer ?? '', '/') !== plain)
      throw new Error(`the metadata of ${plain} is of another issuer than MCP_OAUTH_ISSUER`);
    return answer as ProviderMetadata;
  }

  /** Redirects are not followed. */
  async #fetchJson(address: string): Promise<unknown> {
    const headers = { accept: 'application/json' };
    const signal = AbortSignal.timeout(FETCH_MS);
    let answer: Response;
    try {
      answer = await this.#proxies.fetch(address, { headers, signal, redirect: 'manual' });
    } catch (error) {
      const { message, cause } = error as Error;
      throw new Error(`${address}: ${cause instanceof Error ? cause.message : message}`, { cause: error });
    }
    if (answer.status !== 200) throw new Error(`${address} answers ${answer.status}`);
    return answer.json();
  }
}
