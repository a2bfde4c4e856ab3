import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { parseUrl } from '../../lib/http.ts';
import type { Fields } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { Proxies } from '../../lib/proxies.ts';
import type { OAuthTokens, OpenIdFlow, Provider } from './issuer.ts';

/** The path of the protected-resource metadata; the path of the resource may follow it. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

/** The issuer, the check of its access tokens, and the sign-in on the confirmation page. */
export interface OAuth {
  provider: Provider;
  tokens: OAuthTokens;
  flow: OpenIdFlow;
  /**
   * The resource that clients request a token for (RFC 8707): MCP_OAUTH_AUDIENCE if it is an address of this server,
   * otherwise the address of `/mcp`, because clients refuse metadata of another server.
   */
  resource: string;
  /** The protected-resource metadata of `/mcp` (RFC 9728, section 2). */
  resourceMetadata(): Promise<Fields>;
}

/**
 * Opens OAuth as MCP_OAUTH_* configures it; undefined without an issuer. Its libraries are loaded only with one, and
 * nothing is fetched yet.
 *
 * @param url the address of this server as others reach it, without a slash at its end
 */
export async function loadOAuth(
  config: Config,
  { url, clock, log }: { url: string; clock: Clock; log: Log },
): Promise<OAuth | undefined> {
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_AUDIENCE: audience, MCP_OAUTH_ROLES: rules } = config;
  if (issuer === undefined || audience === undefined || rules === undefined) return undefined;
  const { OAuthTokens, OpenIdFlow, Provider, scopesOf } = await import('./issuer.ts');
  const { MCP_OAUTH_CLIENT_ID: clientId = audience, MCP_OAUTH_CLIENT_SECRET: secret } = config;
  const provider = new Provider({ issuer, clientId, secret, proxies: new Proxies(config), clock, log });
  const metadataUrl = `${url}${METADATA_PATH}/mcp`;
  const tokens = new OAuthTokens({ provider, audience, rules, metadataUrl, clock, log });
  const flow = new OpenIdFlow({ config, provider, tokens, audience, rules, url, log });
  const resource = parseUrl(audience)?.origin === new URL(url).origin ? audience : `${url}/mcp`;
  const scopes = scopesOf(rules);
  const resourceMetadata = async () => ({
    resource,
    resource_name: 'Switchboard',
    // As the issuer names itself. Its failure was logged.
    authorization_servers: [
      await provider.client().then(
        (client) => client.serverMetadata().issuer,
        () => issuer,
      ),
    ],
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
  });
  return { provider, tokens, flow, resource, resourceMetadata };
}
