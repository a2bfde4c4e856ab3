import type { Fields } from '../../lib/json.ts';
import { type RoleRule, scopesOf } from '../../lib/roles.ts';
import { parseUrl } from '../../lib/url.ts';

/** The path of the protected-resource metadata; the path of the resource may follow it. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

export interface ResourceOptions {
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
