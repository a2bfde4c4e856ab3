import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { ServerMetadata } from 'openid-client';
import type { AccessTokens, TokenHolder } from '../../lib/bearer-tokens.ts';
import type { Clock } from '../../lib/clock.ts';
import { CLOCK_SKEW_MS, RETRY_MS } from '../../lib/durations.ts';
import type { Refusal } from '../../lib/http.ts';
import type { Log } from '../../lib/log.ts';
import { lacksScope, type RoleRule, roleOfToken, scopesOf } from '../../lib/roles.ts';
import { type Provider, ProviderUnavailable } from './provider.ts';

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
