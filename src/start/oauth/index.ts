import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import type { Log } from '../../lib/log.ts';
import type { OAuth } from './issuer.ts';

/** The path of the protected-resource metadata; the path of the resource may follow it. */
export const METADATA_PATH = '/.well-known/oauth-protected-resource';

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
  const { createOAuth } = await import('./issuer.ts');
  return createOAuth({ config, issuer, audience, rules, url, metadataUrl: `${url}${METADATA_PATH}/mcp`, clock, log });
}
