import type { Config } from '../../lib/config.ts';
import { Proxies } from '../../lib/proxies.ts';
import type { Say } from './report.ts';

/** Names each proxy in force, and what is reached directly. */
export function checkProxies(config: Config, say: Say): void {
  for (const line of proxyLines(config)) say('ok', 'proxy', line);
}

/** One line for each proxy in force and for what is reached directly, of the servers that these settings name. */
function proxyLines(config: Config): string[] {
  const { HTTPS_PROXY, HTTP_PROXY } = config;
  if (HTTPS_PROXY === undefined && HTTP_PROXY === undefined)
    return ['none is set (HTTPS_PROXY, HTTP_PROXY): other servers are reached directly'];
  const proxies = new Proxies(config);
  const byWay = new Map<string, string[]>();
  for (const [name, url] of Object.entries(serversOf(config))) {
    if (url === undefined) continue;
    const proxy = proxies.of(url);
    const way = proxy === undefined ? 'reached directly' : `reached through ${proxy.url} (${proxy.setting})`;
    byWay.set(way, [...(byWay.get(way) ?? []), `${name} ${new URL(url).host}`]);
  }
  if (byWay.size === 0) return ['is set, and these settings name no other server'];
  return [...byWay].map(([way, names]) => `${names.join(', ')}: ${way}`);
}

function serversOf(config: Config): Record<string, string | undefined> {
  const { PLATFORM_BASE_URL, SLACK_BOT_TOKEN, SLACK_API_URL, ASSISTANT_MODEL, ASSISTANT_URL, MCP_OAUTH_ISSUER } =
    config;
  return {
    'the platform': PLATFORM_BASE_URL,
    Slack: SLACK_BOT_TOKEN === undefined ? undefined : (SLACK_API_URL ?? 'https://slack.com/api/'),
    'the model': ASSISTANT_MODEL === undefined ? undefined : (ASSISTANT_URL ?? 'https://api.anthropic.com/v1'),
    OAuth: MCP_OAUTH_ISSUER,
  };
}
