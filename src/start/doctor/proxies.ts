import type { Config } from '../../lib/config.ts';
import { Proxies } from '../../lib/proxies.ts';
import type { Finding } from './report.ts';

/** Names each proxy in force, and what is reached directly, of the servers that these settings name. */
export function* checkProxies(config: Config): Iterable<Finding> {
  if (config.HTTPS_PROXY === undefined && config.HTTP_PROXY === undefined)
    return yield ['ok', 'none is set (HTTPS_PROXY, HTTP_PROXY): other servers are reached directly'];
  const proxies = new Proxies(config);
  const servers: Record<string, string | undefined | false> = {
    'the platform': config.PLATFORM_BASE_URL,
    Slack: config.SLACK_BOT_TOKEN !== undefined && (config.SLACK_API_URL ?? 'https://slack.com/api/'),
    'the model': config.ASSISTANT_MODEL !== undefined && (config.ASSISTANT_URL ?? 'https://api.anthropic.com/v1'),
    OAuth: config.MCP_OAUTH_ISSUER,
  };
  for (const [name, url] of Object.entries(servers)) {
    if (!url) continue;
    const proxy = proxies.of(url);
    const way = proxy === undefined ? 'reached directly' : `reached through ${proxy.url} (${proxy.setting})`;
    yield ['ok', `${name} ${new URL(url).host}: ${way}`];
  }
  return undefined;
}
