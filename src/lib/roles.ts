import { type Actor, hasRole, type Role } from './actor.ts';
import type { Fields } from './json.ts';

/** One entry of MCP_OAUTH_ROLES: a token with this value of this claim has this role. */
export interface RoleRule {
  claim: string;
  value: string;
  role: Role;
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
