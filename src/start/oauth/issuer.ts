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
import { hasRole, type Role } from '../../lib/actor.ts';
import { CLOCK_SKEW_MS, type Clock, DAY_MS, FETCH_MS, FRESH_MS, monotonicOf, RETRY_MS } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { causeOf } from '../../lib/errors.ts';
import type { Refusal, TokenHolder } from '../../lib/http.ts';
import type { Log } from '../../lib/log.ts';
import { Proxies } from '../../lib/proxies.ts';
import type { RoleRule } from '../../lib/settings.ts';
import { type Fields, isRecord, isSafeUrl, parseUrl, scalarText } from '../../lib/values.ts';
import { RETURN_PATH, SignInFailed, type SignInSecrets } from '../../surfaces/web/session.ts';

/** The published data of the issuer: its metadata, as a client of it, and its signing keys. */
interface Held {
  client: Configuration;
  keys: ReturnType<typeof createLocalJWKSet>;
  /** On the scale of `monotonicOf`. */
  at: number;
}

/** The issuer cannot be reached or its answer cannot be used, so a token that was presented may be valid or not. */
class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** OAuth as MCP_OAUTH_* configures it. */
interface OAuthOptions {
  config: Config;
  /** MCP_OAUTH_ISSUER. */
  issuer: string;
  /** MCP_OAUTH_AUDIENCE. */
  audience: string;
  /** MCP_OAUTH_ROLES. */
  rules: readonly RoleRule[];
  /** The address of this server as others reach it, without a slash at its end. */
  url: string;
  /** Address of the protected-resource metadata. */
  metadataUrl: string;
  clock: Clock;
  log: Log;
}

/** The OAuth issuer: its metadata and its signing keys, fetched when they are needed and kept for ten minutes. */
function createProvider({ config, issuer, audience, clock, log }: OAuthOptions) {
  let held: Held | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let failure: ProviderUnavailable | undefined;
  let pending: Promise<void> | undefined;

  /**
   * The public key of a token. If it is not known, the keys are fetched again, because issuers rotate them.
   *
   * @throws ProviderUnavailable; JWKSNoMatchingKey where the issuer has no such key
   */
  const keyOf: JWTVerifyGetKey = async (header, token) => {
    const { keys } = await current();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      return (await current(true)).keys(header, token);
    }
  };

  /**
   * What the issuer publishes. While it does not answer, the last answer counts for a day.
   *
   * @param renew only a fresh answer counts
   * @throws ProviderUnavailable
   */
  async function current(renew = false): Promise<Held> {
    const since = (at: number) => monotonicOf(clock) - at;
    const age = () => since(held?.at ?? Number.NEGATIVE_INFINITY);
    // One fetch serves all that wait for it. Callers cannot cause requests to the issuer at will.
    if (renew || age() >= FRESH_MS) {
      if (since(triedAt) >= RETRY_MS) pending ??= load();
      await pending;
    }
    if (held && age() < DAY_MS && !(renew && failure)) return held;
    throw failure;
  }

  async function load(): Promise<void> {
    const proxies = new Proxies(config);
    try {
      const client = await discover('oidc', proxies).catch((error: unknown) =>
        discover('oauth2', proxies).catch(() => Promise.reject(error)),
      );
      const { jwks_uri = '', authorization_endpoint, token_endpoint } = client.serverMetadata();
      for (const [name, address] of Object.entries({ jwks_uri, authorization_endpoint, token_endpoint }))
        if (address !== undefined && !isSafeUrl(address))
          throw new Error(`its ${name} must be an https:// URL (http:// only on loopback)`);
      const answer = await proxies.fetch(jwks_uri, { signal: AbortSignal.timeout(FETCH_MS) });
      if (answer.status !== 200) throw new Error(`${jwks_uri} answers ${answer.status}`);
      held = { client, keys: createLocalJWKSet((await answer.json()) as JSONWebKeySet), at: monotonicOf(clock) };
      failure = undefined;
    } catch (error) {
      const reason = `${issuer}: ${causeOf(error)}`;
      log('warn', { issuer, error: reason }, 'the OAuth issuer failed');
      failure = new ProviderUnavailable(reason, { cause: error });
    }
    triedAt = monotonicOf(clock);
    pending = undefined;
  }

  /** Reads the metadata where OpenID providers or OAuth servers publish it (RFC 8414, OpenID Connect Discovery). */
  function discover(algorithm: 'oidc' | 'oauth2', proxies: Proxies): Promise<Configuration> {
    const { MCP_OAUTH_CLIENT_ID: clientId = audience, MCP_OAUTH_CLIENT_SECRET: secret } = config;
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

  return { keyOf, current };
}

/** Asymmetric signatures only. With a symmetric one, anyone who can check a token could create one. */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`));
/** Types of a JWT that is an access token (RFC 9068); many issuers write JWT, or nothing. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt'];

/** A refused token. The client sees the message, so it contains no claim of the token. */
class Invalid extends Error {}

/**
 * The OAuth issuer, the check of its access tokens (RFC 9068; MCP, Authorization: Token Handling), and the sign-in on the
 * confirmation page: the authorization code flow with PKCE.
 */
export function createOAuth(options: OAuthOptions) {
  const { config, issuer, audience, rules, url, metadataUrl, clock, log } = options;
  const host = new URL(issuer).host;
  /**
   * The resource that clients request a token for (RFC 8707): MCP_OAUTH_AUDIENCE if it is an address of this server,
   * otherwise the address of `/mcp`, because clients refuse metadata of another server.
   */
  const resource = parseUrl(audience)?.origin === new URL(url).origin ? audience : `${url}/mcp`;
  const provider = createProvider(options);
  const redirectUri = `${url}${RETURN_PATH}`;
  /** The audience as RFC 8707 sends it. Issuers whose audiences are not URLs refuse the parameter. */
  const resourceAsked: Record<string, string> = /^https?:/.test(audience) ? { resource: audience } : {};

  /** The protected-resource metadata of `/mcp` (RFC 9728, section 2). */
  async function resourceMetadata(): Promise<Fields> {
    const scopes = scopesOf(rules);
    // Its failure was logged.
    const held = await provider.current().catch(() => undefined);
    return {
      resource,
      resource_name: 'Switchboard',
      // As the issuer names itself.
      authorization_servers: [held?.client.serverMetadata().issuer ?? issuer],
      bearer_methods_supported: ['header'],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
    };
  }

  function looksLike(token: string): boolean {
    return /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token);
  }

  function challenge(error?: { code: 'invalid_token' | 'insufficient_scope'; description: string }): string {
    const scope = scopesOf(rules).join(' ');
    const parts = [
      'realm="switchboard"',
      `resource_metadata="${metadataUrl}"`,
      ...(scope === '' ? [] : [`scope="${scope}"`]),
      ...(error ? [`error="${error.code}"`, `error_description="${error.description}"`] : []),
    ];
    return `Bearer ${parts.join(', ')}`;
  }

  async function judge(token: string): Promise<TokenHolder | Refusal> {
    try {
      const { claims, person } = await verify(token);
      const role = roleOfToken(claims, rules);
      if (role) return { person, name: nameOfClaims(claims), role, expiresAt: (claims.exp ?? 0) * 1000 };
      // Only a client that lacks scopes is asked to get more of them.
      const scopes = rules.filter(isScope);
      const lacksScope = scopes.length > 0 && highest(claims, scopes) === undefined;
      const description = lacksScope
        ? 'it has none of the scopes needed'
        : 'MCP_OAUTH_ROLES gives this identity no role';
      return {
        status: 403,
        error: `The access token is valid, and ${description}.`,
        headers: lacksScope ? { 'www-authenticate': challenge({ code: 'insufficient_scope', description }) } : {},
      };
    } catch (error) {
      if (error instanceof ProviderUnavailable) return UNAVAILABLE;
      if (!(error instanceof Invalid)) throw error;
      log('debug', { reason: error.message }, 'an access token was refused');
      return {
        status: 401,
        error: `The access token is refused: ${error.message}.`,
        headers: { 'www-authenticate': challenge({ code: 'invalid_token', description: error.message }) },
      };
    }
  }

  /**
   * Returns the claims of a valid token, and the person or program that it is about.
   *
   * @throws Invalid with the reason; ProviderUnavailable where the token cannot be checked now
   */
  async function verify(token: string): Promise<{ claims: JWTPayload; person: string }> {
    const metadata = (await provider.current()).client.serverMetadata();
    const { payload: claims, protectedHeader } = await jwtVerify(token, provider.keyOf, {
      issuer: metadata.issuer,
      audience,
      algorithms: [...ALGORITHMS, 'EdDSA', 'Ed25519'],
      clockTolerance: CLOCK_SKEW_MS / 1000,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'sub'],
    }).catch((error: unknown) => {
      if (error instanceof ProviderUnavailable) throw error;
      // It is too short, or its numbers are not valid.
      if (!(error instanceof errors.JOSEError))
        throw new Invalid('its key, as the issuer publishes it, cannot be used');
      // It is sent in a header. Some messages repeat a name of the token's own header.
      throw new Invalid(error.message.replace(/["\\]/g, "'").replace(/[^ -~]/g, ' '));
    });
    if (!TYPES.includes((protectedHeader.typ ?? 'jwt').toLowerCase())) throw new Invalid('it is not an access token');
    // A token bound to a client's key must not be accepted without proof of that key (RFC 9449, RFC 8705).
    if (claims.cnf !== undefined) throw new Invalid('it is bound to a key of its client, which is not supported');
    if (['nonce', 'at_hash', 'c_hash'].some((name) => claims[name] !== undefined))
      throw new Invalid('it is an ID token, not an access token');
    const person = personOfClaims(claims, metadata);
    if (person === undefined) throw new Invalid('its subject is not valid');
    return { claims, person };
  }

  async function begin({ state, nonce, verifier }: SignInSecrets, again: boolean): Promise<URL> {
    return buildAuthorizationUrl(await signInClient(), {
      redirect_uri: redirectUri,
      scope: ['openid', 'profile', 'email', ...scopesOf(rules)].join(' '),
      state,
      nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...resourceAsked,
      ...(again && { prompt: 'login' }),
    });
  }

  async function finish(query: string, secrets: SignInSecrets) {
    const client = await signInClient();
    const metadata = client.serverMetadata();
    const { claims, accessToken } = await exchange(client, query, secrets);
    const person = personOfClaims(claims, metadata);
    if (person === undefined) throw new SignInFailed(403, 'The ID token has no valid subject.');
    const isOfThisClient = hasPairwiseSubjects(metadata) && typeof claims.oid !== 'string';
    if (config.CONFIRM_TWO_PERSON && isOfThisClient) {
      const text = 'CONFIRM_TWO_PERSON needs an issuer that gives a person the same subject for every client';
      throw new SignInFailed(403, `${text}; confirm in Slack.`);
    }
    return { person, name: nameOfClaims(claims), role: await roleOf(claims, person, accessToken) };
  }

  /** Returns the role from the ID token or the access token, because issuers put groups into either. */
  async function roleOf(claims: IDToken, person: string, accessToken: string): Promise<Role | undefined> {
    const personal = roleOfPerson(claims, rules);
    if ((personal && hasRole({ role: personal }, 'approver')) || !looksLike(accessToken)) return personal;
    try {
      const access = await verify(accessToken);
      return (access.person === person ? roleOfToken(access.claims, rules) : undefined) ?? personal;
    } catch (error) {
      // The access token is for another API, so only the ID token counts.
      log('debug', { reason: String(error) }, 'the access token of a sign-in gives no role');
      return personal;
    }
  }

  async function exchange(client: Configuration, query: string, { state, nonce, verifier }: SignInSecrets) {
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    try {
      const answer = await authorizationCodeGrant(client, new URL(`${redirectUri}?${query}`), checks, resourceAsked);
      const claims = answer.claims();
      if (claims) return { claims, accessToken: answer.access_token };
    } catch (error) {
      const { code, message } = error as { code?: unknown; message?: unknown };
      // The whole error is not logged, because its cause holds the answer of the token endpoint.
      log('warn', { issuer: host, code, error: message }, 'a sign-in failed');
      if (error instanceof AuthorizationResponseError)
        throw new SignInFailed(403, `The OAuth issuer refused the sign-in (${error.error}).`, { cause: error });
      if (error instanceof TypeError || code === 'OAUTH_TIMEOUT') throw unreachable(error);
      throw new SignInFailed(403, 'The answer of the OAuth issuer is not valid.', { cause: error });
    }
    throw new SignInFailed(403, 'The issuer sent no ID token.');
  }

  async function signInClient(): Promise<Configuration> {
    const { client } = await provider.current().catch((error: unknown) => {
      throw error instanceof ProviderUnavailable ? unreachable(error) : error;
    });
    const { authorization_endpoint, token_endpoint } = client.serverMetadata();
    if (authorization_endpoint === undefined || token_endpoint === undefined)
      throw new SignInFailed(503, 'The OAuth issuer offers no sign-in for browsers.');
    return client;
  }

  return { looksLike, judge, challenge, issuer: host, begin, finish, resource, provider, resourceMetadata };
}

export type OAuth = ReturnType<typeof createOAuth>;

const UNAVAILABLE: Refusal = {
  status: 503,
  error: 'The OAuth issuer cannot be reached, so the access token cannot be checked; try again later.',
  headers: { 'retry-after': String(RETRY_MS / 1000) },
};

/** The longest valid subject (OpenID Connect Core, section 2: at most 255 ASCII characters). */
const MAX_SUBJECT = 255;

/**
 * Returns the identity of the person or program that a token is about; undefined if it has no valid subject. It is the
 * claim `sub`. If the issuer uses a different `sub` for each client, the claim `oid` is used if there is one (Microsoft
 * Entra).
 */
function personOfClaims(claims: JWTPayload, metadata: ServerMetadata): string | undefined {
  const subject = hasPairwiseSubjects(metadata) && typeof claims.oid === 'string' ? claims.oid : claims.sub;
  const isUsable = typeof subject === 'string' && /^[\x21-\x7e]+$/.test(subject) && subject.length <= MAX_SUBJECT;
  return isUsable ? `oauth:${subject}` : undefined;
}

/** Returns the person's name for display. It does not identify the person, because people may choose it themselves. */
function nameOfClaims(claims: JWTPayload): string {
  const given = [claims.email, claims.preferred_username, claims.name, claims.sub];
  return given.find((one): one is string => typeof one === 'string' && one.trim() !== '') ?? 'unnamed';
}

function hasPairwiseSubjects({ subject_types_supported: types = [] }: ServerMetadata): boolean {
  return types.length > 0 && types.every((type) => type === 'pairwise');
}

function unreachable(cause: unknown): SignInFailed {
  return new SignInFailed(503, 'The OAuth issuer cannot be reached; try again later.', { cause });
}

/** The claims that hold the scopes granted to a client (RFC 9068; some issuers use `scp`). */
const SCOPE_CLAIMS = ['scope', 'scp'];

const isScope = ({ claim }: RoleRule): boolean => SCOPE_CLAIMS.includes(claim);

/** The scopes that MCP_OAUTH_ROLES names, in its order. */
function scopesOf(rules: readonly RoleRule[]): string[] {
  return [...new Set(rules.filter(isScope).map(({ value }) => value))];
}

/**
 * The role of an access token; undefined for none. Its scopes describe the client's grant, and its other claims the
 * person. If MCP_OAUTH_ROLES has entries of both kinds, the lower role counts.
 */
function roleOfToken(claims: Readonly<Fields>, rules: readonly RoleRule[]): Role | undefined {
  const granted = rules.filter(isScope);
  if (granted.length === 0) return roleOfPerson(claims, rules);
  const client = highest(claims, granted);
  if (granted.length === rules.length) return client;
  const person = roleOfPerson(claims, rules);
  return client && person && (hasRole({ role: client }, person) ? person : client);
}

/** The role of a person by their claims, without regard to scopes; undefined for none. */
function roleOfPerson(claims: Readonly<Fields>, rules: readonly RoleRule[]): Role | undefined {
  const personal = rules.filter((rule) => !isScope(rule));
  return highest(claims, personal);
}

function highest(claims: Readonly<Fields>, rules: readonly RoleRule[]): Role | undefined {
  const holds = ({ claim, value }: RoleRule) => {
    // Anyone may have entered an address that the issuer did not verify.
    if (claim === 'email' && claims.email_verified !== true) return false;
    // A claim is named by its name or by its path (`realm_access.roles`).
    const path = Object.hasOwn(claims, claim) ? [claim] : claim.split('.');
    const step = (at: unknown, name: string) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined);
    const found = path.reduce<unknown>(step, claims);
    if (SCOPE_CLAIMS.includes(claim) && typeof found === 'string') return found.split(' ').includes(value);
    return [found].flat().some((one) => scalarText(one) === value);
  };
  const roles = rules.filter(holds).map(({ role }) => role);
  return (['approver', 'operator', 'viewer'] as const).find((role) => roles.includes(role));
}
