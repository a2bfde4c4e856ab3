import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose';
import type { AccessTokens, TokenHolder } from '../../lib/bearer-tokens.ts';
import type { Clock } from '../../lib/clock.ts';
import { CLOCK_SKEW_MS, RETRY_MS } from '../../lib/durations.ts';
import type { Refusal } from '../../lib/http.ts';
import type { Log } from '../../lib/log.ts';
import { lacksScope, type RoleRule, roleOfToken, scopesOf } from '../../lib/roles.ts';
import { type Provider, type ProviderMetadata, ProviderUnavailable } from './provider.ts';

/** Asymmetric signatures only. With a symmetric one, anyone who can check a token could create one. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Types of a JWT that is an access token (RFC 9068); many issuers write JWT, or nothing. */
const TYPES = ['at+jwt', 'application/at+jwt', 'jwt'];

/** Thrown for a refused token. The client sees the message, so it contains no part of the token. */
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
    try {
      const { claims, person } = await this.verify(token);
      const role = roleOfToken(claims, this.#options.rules);
      if (role === undefined) return this.#noRole(claims);
      return { person, name: nameOfClaims(claims), role, expiresAt: (claims.exp ?? 0) * 1000 };
    } catch (error) {
      if (error instanceof ProviderUnavailable) return UNAVAILABLE;
      if (!(error instanceof Invalid)) throw error;
      this.#options.log('debug', { reason: error.message }, 'an access token was refused');
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
    const metadata = await provider.metadata();
    // Checked before the signature, so that tokens of other issuers do not cause a fetch of the keys.
    if (readIssuer(token) !== metadata.issuer) throw new Invalid('it was issued by another issuer');
    const checks = {
      issuer: metadata.issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_MS / 1000,
      currentDate: new Date(clock.now()),
      requiredClaims: ['exp', 'sub'],
    };
    const claims = await verified(token, provider, checks);
    // A token bound to a client's key must not be accepted without proof of that key (RFC 9449, RFC 8705).
    if (claims.cnf !== undefined) throw new Invalid('it is bound to a key of its client, which is not supported');
    if (['nonce', 'at_hash', 'c_hash'].some((name) => claims[name] !== undefined))
      throw new Invalid('it is an ID token, not an access token');
    const person = personOfClaims(claims, metadata);
    if (person === undefined) throw new Invalid('its subject is not valid');
    return { claims, person };
  }

  /** Asks the client for more scopes only if scopes are missing. */
  #noRole(claims: JWTPayload): Refusal {
    const isScope = lacksScope(claims, this.#options.rules);
    const description = isScope ? 'it has none of the scopes needed' : 'MCP_OAUTH_ROLES gives this identity no role';
    const challenge = isScope && this.challenge({ code: 'insufficient_scope', description });
    return {
      status: 403,
      error: `The access token is valid, and ${description}.`,
      headers: challenge ? { 'www-authenticate': challenge } : {},
    };
  }
}

const UNAVAILABLE: Refusal = {
  status: 503,
  error: 'The OAuth issuer cannot be reached, so the access token cannot be checked; try again later.',
  headers: { 'retry-after': String(RETRY_MS / 1000) },
};

/**
 * Returns the issuer that a token names.
 *
 * @throws Invalid if it is not a JWT, or of a type that is not an access token
 */
function readIssuer(token: string): string | undefined {
  try {
    const { typ } = decodeProtectedHeader(token);
    if (typ !== undefined && !TYPES.includes(typ.toLowerCase())) throw new Invalid('it is not an access token');
    return decodeJwt(token).iss;
  } catch (error) {
    if (error instanceof Invalid) throw error;
    throw new Invalid('it is not a signed JWT');
  }
}

async function verified(
  token: string,
  { keyOf }: Provider,
  checks: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keyOf, checks)).payload;
  } catch (error) {
    if (error instanceof errors.JWKSMultipleMatchingKeys) return verifiedByAny(token, error, checks);
    throw asInvalid(error);
  }
}

/** Verifies a token without a key id with every key that fits. */
async function verifiedByAny(
  token: string,
  keys: errors.JWKSMultipleMatchingKeys,
  checks: Parameters<typeof jwtVerify>[2],
): Promise<JWTPayload> {
  for await (const key of keys) {
    try {
      return (await jwtVerify(token, key, checks)).payload;
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed)) throw asInvalid(error);
    }
  }
  throw new Invalid('its signature is not valid');
}

const CLAIMS: Readonly<Record<string, string>> = {
  aud: 'its audience is not MCP_OAUTH_AUDIENCE',
  iss: 'it was issued by another issuer',
  nbf: 'it is not valid yet',
  exp: 'it has no expiry',
  sub: 'it has no subject',
};

/** Converts an error of jose to `Invalid`. Returns any other error unchanged. */
function asInvalid(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return new Invalid('it has expired');
  if (error instanceof errors.JWTClaimValidationFailed)
    return new Invalid(CLAIMS[error.claim] ?? 'one of its claims is not valid');
  if (error instanceof errors.JOSEAlgNotAllowed) return new Invalid('its algorithm is not allowed');
  if (error instanceof errors.JWSSignatureVerificationFailed) return new Invalid('its signature is not valid');
  if (error instanceof errors.JWKSNoMatchingKey)
    return new Invalid('it was signed with a key that the issuer does not publish');
  return error instanceof errors.JOSEError ? new Invalid('it is not a signed JWT') : error;
}

/** The longest valid subject (OpenID Connect Core, section 2: at most 255 ASCII characters). */
const MAX_SUBJECT = 255;

/**
 * Returns the identity of the person or program that a token is about; undefined if it has no valid subject. It is the
 * claim `sub`. If the issuer uses a different `sub` for each client, the claim `oid` is used if there is one (Microsoft
 * Entra).
 */
export function personOfClaims(claims: JWTPayload, metadata: ProviderMetadata): string | undefined {
  const subject = hasPairwiseSubjects(metadata) && typeof claims.oid === 'string' ? claims.oid : claims.sub;
  const isUsable = typeof subject === 'string' && /^[\x21-\x7e]+$/.test(subject) && subject.length <= MAX_SUBJECT;
  return isUsable ? `oauth:${subject}` : undefined;
}

/** Returns the person's name for display. It does not identify the person, because people may choose it themselves. */
export function nameOfClaims(claims: JWTPayload): string {
  const given = [claims.email, claims.preferred_username, claims.name, claims.sub];
  const [name] = given.filter((one): one is string => typeof one === 'string' && one.trim() !== '');
  return name ?? 'unnamed';
}

/** True if the same person has the same identity in tokens of different clients. */
export function isSameForAllClients(claims: JWTPayload, metadata: ProviderMetadata): boolean {
  return !hasPairwiseSubjects(metadata) || typeof claims.oid === 'string';
}

function hasPairwiseSubjects({ subject_types_supported: types = [] }: ProviderMetadata): boolean {
  return types.length > 0 && types.every((type) => type === 'pairwise');
}
