import type { Clock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import type { Log } from '../../lib/log.ts';
import type { OAuth } from './index.ts';

/** Opens OAuth if MCP_OAUTH_ISSUER is set. Its libraries are loaded only then. */
export async function loadOAuth(
  config: Config,
  options: { url: string; clock: Clock; log: Log },
): Promise<OAuth | undefined> {
  if (config.MCP_OAUTH_ISSUER === undefined) return undefined;
  const { openOAuth } = await import('./index.ts');
  return openOAuth(config, options);
}
