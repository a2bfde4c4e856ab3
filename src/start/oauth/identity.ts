import type { JWTPayload } from 'jose';
import type { ProviderMetadata } from './provider.ts';

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
