import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import type { Fields } from '../../lib/json.ts';
import type { Log } from '../../lib/log.ts';
import { Proxies } from '../../lib/proxies.ts';
import { OAuthTokens } from './access-tokens.ts';
import { OpenIdFlow } from './flow.ts';
import { METADATA_PATH, Provider, resourceMetadata } from './provider.ts';

/**
 * The parts that MCP_OAUTH_* configures: the issuer, the check of its access tokens, and the sign-in on the
 * confirmation page.
 */
export interface OAuth {
  provider: Provider;
  tokens: OAuthTokens;
  flow: OpenIdFlow;
  /** The protected-resource metadata (RFC 9728). */
  resourceMetadata(): Promise<Fields>;
}

/**
 * Opens OAuth as the settings configure it; undefined without MCP_OAUTH_ISSUER. Nothing is fetched yet.
 *
 * @param url the address of this server as others reach it, without a slash at its end
 */
export function openOAuth(
  config: Config,
  { url, clock, log }: { url: string; clock: Clock; log: Log },
): OAuth | undefined {
  const { MCP_OAUTH_ISSUER: issuer, MCP_OAUTH_AUDIENCE: audience, MCP_OAUTH_ROLES: rules } = config;
  if (issuer === undefined || audience === undefined || rules === undefined) return undefined;
  const proxies = new Proxies(config);
  const provider = new Provider({ issuer, proxies, clock, log });
  const metadataUrl = `${url}${METADATA_PATH}/mcp`;
  const tokens = new OAuthTokens({ provider, audience, rules, metadataUrl, clock, log });
  const flow = new OpenIdFlow({
    provider,
    tokens,
    issuer: new URL(issuer).host,
    clientId: config.MCP_OAUTH_CLIENT_ID ?? audience,
    clientSecret: config.MCP_OAUTH_CLIENT_SECRET,
    audience,
    rules,
    twoPerson: config.CONFIRM_TWO_PERSON,
    url,
    fetch: proxies.fetch,
    log,
  });
  return {
    provider,
    tokens,
    flow,
    resourceMetadata: async () => resourceMetadata({ url, audience, rules, issuer: await provider.name() }),
  };
}

/** Opens OAuth if MCP_OAUTH_ISSUER is set. Its libraries are loaded only then. */
export async function loadOAuth(
  config: Config,
  options: { url: string; clock: Clock; log: Log },
): Promise<OAuth | undefined> {
  if (config.MCP_OAUTH_ISSUER === undefined) return undefined;
  const { openOAuth } = await import('./index.ts');
  return openOAuth(config, options);
}
