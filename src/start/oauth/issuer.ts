import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
  None,
  type ServerMetadata,
} from 'openid-client';
import { type Actor, hasRole, type Role } from '../../lib/actor.ts';
import type { AccessTokens, TokenHolder } from '../../lib/bearer-tokens.ts';
import { type Clock, DAY_MS, monotonicOf } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { CLOCK_SKEW_MS, FETCH_MS, FRESH_MS, RETRY_MS } from '../../lib/durations.ts';
import { isSafeUrl, type Refusal } from '../../lib/http.ts';
import type { Fields } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import type { Proxies } from '../../lib/proxies.ts';
import type { RoleRule } from '../../lib/settings.ts';
import { type AuthorizationFlow, RETURN_PATH, SignInFailed, type SignInSecrets } from '../../surfaces/web/sign-in.ts';

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

/** Asymmetric signatures only. With a symmetric one, anyone who can check a token could create one. */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`));
/** Types of a JWT that is an access token (RFC 9068); many issuers write JWT, or nothing. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt'];

/** A refused token. The client sees the message, so it contains no part of the token. */
class Invalid extends Error {}

export interface AccessTokenOptions {
  provider: Provider;
  /** MCP_OAUTH_AUDIENCE. */
  audience: string;
  /** MCP_OAUTH_ROLES. */
  rules: readonly RoleRule[];
  /** Address of the protected-resource metadata. */
  metadataUrl: string;
  clock: Clock;
  log: Log;
}

/** Checks the access tokens of the OAuth issuer (RFC 9068; MCP, Authorization: Token Handling). */
export class OAuthTokens implements AccessTokens {
  readonly #options: AccessTokenOptions;

  constructor(options: AccessTokenOptions) {
    this.#options = options;
  }

  looksLike(token: string): boolean {
    return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);
  }

  challenge(error?: { code: 'invalid_token' | 'insufficient_scope'; description: string }): string {
    const { metadataUrl, rules } = this.#options;
    const scope = scopesOf(rules).join(' ');
    const parts = [
      'realm="switchboard"',
      `resource_metadata="${metadataUrl}"`,
      ...(scope === '' ? [] : [`scope="${scope}"`]),
      ...(error ? [`error="${error.code}"`, `error_description="${error.description}"`] : []),
    ];
    return `Bearer ${parts.join(', ')}`;
  }

  async judge(token: string): Promise<TokenHolder | Refusal> {
    const { rules, log } = this.#options;
    try {
      const { claims, person } = await this.verify(token);
      const role = roleOfToken(claims, rules);
      if (role) return { person, name: nameOfClaims(claims), role, expiresAt: (claims.exp ?? 0) * 1000 };
      // Only a client that lacks scopes is asked to get more of them.
      const isScope = lacksScope(claims, rules);
      const description = isScope ? 'it has none of the scopes needed' : 'MCP_OAUTH_ROLES gives this identity no role';
      const challenge = this.challenge({ code: 'insufficient_scope', description });
      return {
        status: 403,
        error: `The access token is valid, and ${description}.`,
        headers: isScope ? { 'www-authenticate': challenge } : {},
      };
    } catch (error) {
      if (error instanceof ProviderUnavailable) return UNAVAILABLE;
      if (!(error instanceof Invalid)) throw error;
      log('debug', { reason: error.message }, 'an access token was refused');
      return {
        status: 401,
        error: `The access token is refused: ${error.message}.`,
        headers: { 'www-authenticate': this.challenge({ code: 'invalid_token', description: error.message }) },
      };
    }
  }

  /**
   * Returns the claims of a valid token, and the person or program that it is about.
   *
   * @throws Invalid with the reason; ProviderUnavailable where the token cannot be checked now
   */
  async verify(token: string): Promise<{ claims: JWTPayload; person: string }> {
    const { provider, audience, clock } = this.#options;
    const metadata = (await provider.client()).serverMetadata();
    const { payload: claims, protectedHeader } = await jwtVerify(token, provider.keyOf, {
      issuer: metadata.issuer,
      audience,
      algorithms: [...ALGORITHMS, 'EdDSA', 'Ed25519'],
      clockTolerance: CLOCK_SKEW_MS / 1000,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'sub'],
    }).catch((error: unknown) => {
      throw error instanceof errors.JOSEError ? new Invalid(reasonOf(error)) : error;
    });
    const { typ = 'jwt' } = protectedHeader;
    if (!TYPES.includes(typ.toLowerCase())) throw new Invalid('it is not an access token');
    // A token bound to a client's key must not be accepted without proof of that key (RFC 9449, RFC 8705).
    if (claims.cnf !== undefined) throw new Invalid('it is bound to a key of its client, which is not supported');
    if (['nonce', 'at_hash', 'c_hash'].some((name) => claims[name] !== undefined))
      throw new Invalid('it is an ID token, not an access token');
    const person = personOfClaims(claims, metadata);
    if (person === undefined) throw new Invalid('its subject is not valid');
    return { claims, person };
  }
}

const UNAVAILABLE: Refusal = {
  status: 503,
  error: 'The OAuth issuer cannot be reached, so the access token cannot be checked; try again later.',
  headers: { 'retry-after': String(RETRY_MS / 1000) },
};

const CLAIMS: Readonly<Record<string, string>> = {
  aud: 'its audience is not MCP_OAUTH_AUDIENCE',
  iss: 'it was issued by another issuer',
  nbf: 'it is not valid yet',
  exp: 'it has no expiry',
  sub: 'it has no subject',
};
const REASONS: Readonly<Record<string, string>> = {
  [errors.JWTExpired.code]: 'it has expired',
  [errors.JOSEAlgNotAllowed.code]: 'its algorithm is not allowed',
  [errors.JWSSignatureVerificationFailed.code]: 'its signature is not valid',
  [errors.JWKSNoMatchingKey.code]: 'it was signed with a key that the issuer does not publish',
  [errors.JWKSMultipleMatchingKeys.code]: 'it does not name its key, and the issuer publishes several',
};

function reasonOf(error: errors.JOSEError): string {
  const claim =
    error instanceof errors.JWTClaimValidationFailed && (CLAIMS[error.claim] ?? 'one of its claims is wrong');
  return claim || (REASONS[error.code] ?? 'it is not a signed JWT');
}

/** The longest valid subject (OpenID Connect Core, section 2: at most 255 ASCII characters). */
const MAX_SUBJECT = 255;

/**
 * Returns the identity of the person or program that a token is about; undefined if it has no valid subject. It is the
 * claim `sub`. If the issuer uses a different `sub` for each client, the claim `oid` is used if there is one (Microsoft
 * Entra).
 */
export function personOfClaims(claims: JWTPayload, metadata: ServerMetadata): string | undefined {
  const subject = hasPairwiseSubjects(metadata) && typeof claims.oid === 'string' ? claims.oid : claims.sub;
  const isUsable = typeof subject === 'string' && /^[\x21-\x7e]+$/.test(subject) && subject.length <= MAX_SUBJECT;
  return isUsable ? `oauth:${subject}` : undefined;
}

/** Returns the person's name for display. It does not identify the person, because people may choose it themselves. */
export function nameOfClaims(claims: JWTPayload): string {
  const given = [claims.email, claims.preferred_username, claims.name, claims.sub];
  return given.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? 'unnamed';
}

/** True if the same person has the same identity in tokens of different clients. */
export function isSameForAllClients(claims: JWTPayload, metadata: ServerMetadata): boolean {
  return !hasPairwiseSubjects(metadata) || typeof claims.oid === 'string';
}

function hasPairwiseSubjects({ subject_types_supported: types = [] }: ServerMetadata): boolean {
  return types.length > 0 && types.every((type) => type === 'pairwise');
}

export interface FlowOptions {
  config: Pick<Config, 'MCP_OAUTH_ISSUER' | 'CONFIRM_TWO_PERSON'>;
  provider: Provider;
  tokens: OAuthTokens;
  /** MCP_OAUTH_AUDIENCE. */
  audience: string;
  /** MCP_OAUTH_ROLES. */
  rules: readonly RoleRule[];
  /** The address of this server as browsers reach it. */
  url: string;
  log: Log;
}

/** The authorization code flow with PKCE, as `openid-client` speaks it. */
export class OpenIdFlow implements AuthorizationFlow {
  readonly issuer: string;
  readonly #options: FlowOptions;
  readonly #redirectUri: string;
  /** The audience as RFC 8707 sends it. Issuers whose audiences are not URLs refuse the parameter. */
  readonly #resource: Record<string, string>;

  constructor(options: FlowOptions) {
    this.#options = options;
    this.issuer = new URL(options.config.MCP_OAUTH_ISSUER ?? '').host;
    this.#redirectUri = `${options.url}${RETURN_PATH}`;
    this.#resource = /^https?:/.test(options.audience) ? { resource: options.audience } : {};
  }

  async begin({ state, nonce, verifier }: SignInSecrets, again: boolean): Promise<URL> {
    return buildAuthorizationUrl(await this.#client(), {
      redirect_uri: this.#redirectUri,
      scope: ['openid', 'profile', 'email', ...scopesOf(this.#options.rules)].join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...this.#resource,
      ...(again && { prompt: 'login' }),
    });
  }

  async finish(query: string, secrets: SignInSecrets) {
    const client = await this.#client();
    const metadata = client.serverMetadata();
    const { claims, accessToken } = await this.#exchange(client, query, secrets);
    const person = personOfClaims(claims, metadata);
    if (person === undefined) throw new SignInFailed(403, 'The ID token has no valid subject.');
    if (this.#options.config.CONFIRM_TWO_PERSON && !isSameForAllClients(claims, metadata)) {
      const text = 'CONFIRM_TWO_PERSON needs an issuer that gives a person the same subject for every client';
      throw new SignInFailed(403, `${text}; confirm in Slack.`);
    }
    return { person, name: nameOfClaims(claims), role: await this.#roleOf(claims, person, accessToken) };
  }

  /** Returns the role from the ID token or the access token, because issuers put groups into either. */
  async #roleOf(claims: IDToken, person: string, accessToken: string): Promise<Role | undefined> {
    const { rules, tokens, log } = this.#options;
    const personal = roleOfPerson(claims, rules);
    if ((personal && hasRole({ role: personal }, 'approver')) || !tokens.looksLike(accessToken)) return personal;
    try {
      const access = await tokens.verify(accessToken);
      return (access.person === person ? roleOfToken(access.claims, rules) : undefined) ?? personal;
    } catch (error) {
      // The access token is for another API, so only the ID token counts.
      log('debug', { reason: String(error) }, 'the access token of a sign-in gives no role');
      return personal;
    }
  }

  async #exchange(client: Configuration, query: string, { state, nonce, verifier }: SignInSecrets) {
    const current = new URL(`${this.#redirectUri}?${query}`);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    try {
      const answer = await authorizationCodeGrant(client, current, checks, this.#resource);
      const claims = answer.claims();
      if (claims) return { claims, accessToken: answer.access_token };
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown };
      // The whole error is not logged, because its cause holds the answer of the token endpoint.
      this.#options.log('warn', { issuer: this.issuer, code, error: message }, 'a sign-in failed');
      if (error instanceof AuthorizationResponseError)
        throw new SignInFailed(403, `The OAuth issuer refused the sign-in (${error.error}).`, { cause: error });
      if (error instanceof TypeError || code === 'OAUTH_TIMEOUT') throw unreachable(error);
      throw new SignInFailed(403, 'The answer of the OAuth issuer is not valid.', { cause: error });
    }
    throw new SignInFailed(403, 'The issuer sent no ID token.');
  }

  async #client(): Promise<Configuration> {
    const client = await this.#options.provider.client().catch((error: unknown) => {
      throw error instanceof ProviderUnavailable ? unreachable(error) : error;
    });
    const { authorization_endpoint, token_endpoint } = client.serverMetadata();
    if (authorization_endpoint === undefined || token_endpoint === undefined)
      throw new SignInFailed(503, 'The OAuth issuer offers no sign-in for browsers.');
    return client;
  }
}

function unreachable(cause: unknown): SignInFailed {
  return new SignInFailed(503, 'The OAuth issuer cannot be reached; try again later.', { cause });
}

/** The claims that hold the scopes granted to a client (RFC 9068; some issuers use `scp`). */
const SCOPE_CLAIMS = ['scope', 'scp'];

const isScope = ({ claim }: RoleRule): boolean => SCOPE_CLAIMS.includes(claim);

/** The scopes that MCP_OAUTH_ROLES names, in its order. */
export function scopesOf(rules: readonly RoleRule[]): string[] {
  return [...new Set(rules.filter(isScope).map(({ value }) => value))];
}

/**
 * The role of an access token; undefined for none. Its scopes describe the client's grant, and its other claims the
 * person. If MCP_OAUTH_ROLES has entries of both kinds, the lower role counts.
 */
export function roleOfToken(claims: Readonly<Fields>, rules: readonly RoleRule[]): Role | undefined {
  const granted = rules.filter(isScope);
  const personal = rules.filter((rule) => !isScope(rule));
  if (granted.length === 0) return highest(claims, personal);
  const client = highest(claims, granted);
  if (personal.length === 0) return client;
  return lower(client, highest(claims, personal));
}

/** True if MCP_OAUTH_ROLES names scopes and this token has none of them, so that its client may request more. */
export function lacksScope(claims: Readonly<Fields>, rules: readonly RoleRule[]): boolean {
  const granted = rules.filter(isScope);
  return granted.length > 0 && highest(claims, granted) === undefined;
}

/** The role of a person by their claims, without regard to scopes; undefined for none. */
export function roleOfPerson(claims: Readonly<Fields>, rules: readonly RoleRule[]): Role | undefined {
  const personal = rules.filter((rule) => !isScope(rule));
  return highest(claims, personal);
}

function highest(claims: Readonly<Fields>, rules: readonly RoleRule[]): Role | undefined {
  return rules
    .filter((rule) => matches(claims, rule))
    .map(({ role }) => role)
    .reduce<Role | undefined>((best, role) => (best && hasRole({ role: best }, role) ? best : role), undefined);
}

function lower(one: Role | undefined, other: Role | undefined): Role | undefined {
  if (!one || !other) return undefined;
  const actor: Pick<Actor, 'role'> = { role: one };
  return hasRole(actor, other) ? other : one;
}

function matches(claims: Readonly<Fields>, { claim, value }: RoleRule): boolean {
  // Anyone may have entered an address that the issuer did not verify.
  if (claim === 'email' && claims.email_verified !== true) return false;
  const found = claimOf(claims, claim);
  if (Array.isArray(found)) return found.some((one) => isPlain(one) && String(one) === value);
  if (SCOPE_CLAIMS.includes(claim) && typeof found === 'string') return found.split(' ').includes(value);
  return isPlain(found) && String(found) === value;
}

/** A claim by its name or by its path (`realm_access.roles`). */
function claimOf(claims: Readonly<Fields>, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Fields)[part];
  }
  return found;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
