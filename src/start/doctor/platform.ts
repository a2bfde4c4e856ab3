import { existsSync } from 'node:fs';
import { operations } from '../../../tools/index.ts';
import { subscribableEvents } from '../../../tools/surfaces/events.ts';
import { eventsMissing, latestRegistration, type Registration, readRegistered } from '../../events/registrations.ts';
import { deliveryUrls, ownWebhook } from '../../events/sync.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { dataFile } from '../../lib/data-dir.ts';
import { FETCH_MS, REACH_MS } from '../../lib/durations.ts';
import { Proxies } from '../../lib/proxies.ts';
import { createClient } from '../../platform/client.ts';
import type { Client } from '../../platform/wire.ts';
import { isStoreUnavailable } from '../../store/key-values.ts';
import { NUMBER } from '../../store/schema.ts';
import { demoData } from '../demo.ts';
import { DATA_FILE, openInstallation } from '../installation.ts';
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

/** Checks the credentials and the registration for events. */
export async function* checkPlatform(config: Config): AsyncIterable<Finding> {
  if (config.demo) {
    const data = demoData(config);
    const kept = data === undefined ? 'it starts with new data' : `its data are kept in ${data}`;
    return yield ['ok', `demo mode, no PLATFORM_* settings: the embedded sandbox is used; ${kept}`];
  }
  const client = createClient({
    baseUrl: config.PLATFORM_BASE_URL ?? '',
    accountKey: config.PLATFORM_ACCOUNT_KEY ?? '',
    accountSecret: config.PLATFORM_ACCOUNT_SECRET ?? '',
    timeZone: config.PLATFORM_TIME_ZONE,
    requestsPerMinute: config.PLATFORM_REQUESTS_PER_MINUTE,
    timeoutMs: Math.min(config.PLATFORM_TIMEOUT_MS, FETCH_MS),
    reachMs: REACH_MS,
    clock: systemClock,
    proxies: new Proxies(config),
  });
  try {
    const { tokenExpiry, Warning } = await client.token('/v1.0/numbers/inventory', {
      priority: 'person',
      deadline: Date.now() + FETCH_MS,
    });
    const until = `; the token lasts until ${tokenExpiry} (${config.PLATFORM_TIME_ZONE})`;
    yield ['ok', `${config.PLATFORM_BASE_URL} accepts the credentials${Warning === undefined ? until : ''}`];
    if (Warning !== undefined) yield ['warn', Warning, 'platform token'];
    const registration = await registrationFinding(config, client).catch((error: unknown): Finding => {
      if (!isStoreUnavailable(error)) throw error;
      return ['FAIL', 'not compared, because the database cannot be used', 'registration'];
    });
    if (registration !== undefined) yield registration;
  } finally {
    await client.close();
  }
  return undefined;
}

const SYNC = 'switchboard webhooks sync';

/**
 * Reads what the platform delivers, as `webhooks sync` does, and compares it with this server. It changes nothing.
 *
 * @returns undefined if there is no address to compare with: nothing was registered and PUBLIC_URL is not set
 * @throws SwitchboardError where the platform cannot be read
 */
export async function registrationFinding(config: Config, client: Pick<Client, 'send'>): Promise<Finding | undefined> {
  const what = 'registration';
  const made = await registrationOf(config);
  const url = made?.url ?? config.PUBLIC_URL;
  if (url === undefined) return undefined;
  const accountId = made?.accountId ?? config.PLATFORM_ACCOUNT_ID;
  const registered = await readRegistered({
    accountId,
    namedAccountId: made?.accountId,
    messageRoutes: [],
    read: (id, input) => {
      const operation = operations.find((one) => one.id === id);
      if (operation?.risk !== 'read') throw new Error(`${id} is not a reading operation`);
      const { method, path } = operation;
      const deadline = Date.now() + FETCH_MS;
      return client.send({ method, path, input, read: true, resend: true, priority: 'person', deadline });
    },
  });
  const { webhook: address, messages } = deliveryUrls(url);
  const own = ownWebhook({ url, accountId, registered, made: made?.webhookId === undefined ? [] : [made.webhookId] });
  if (own === undefined)
    return [made === undefined ? 'ok' : 'FAIL', `no webhook delivers to ${address}; ${SYNC} registers one`, what];
  const missing = eventsMissing(subscribableEvents, own.events);
  const problem =
    own.url === address ? `does not deliver ${missing.join(', ')}` : `delivers to ${own.url} instead of ${address}`;
  if (own.url !== address || missing.length > 0)
    return ['FAIL', `webhook ${own.id} ${problem}; ${SYNC} shows the difference`, what];
  const { routes } = registered;
  const here = routes.filter(({ MessageUrl }) => MessageUrl === messages).length;
  const counted = `${here} of ${routes.length} message routes deliver here`;
  return ['ok', `webhook ${own.id} delivers all events to ${address}; ${counted}`, what];
}

/** The latest registration of this installation, without its credentials. */
async function registrationOf(config: Config): Promise<Registration | undefined> {
  if (config.DATABASE_URL === undefined && !existsSync(dataFile(config, DATA_FILE))) return undefined;
  const store = await openInstallation(config);
  try {
    // Reading would make or raise the tables.
    if ((await store.health()).number !== NUMBER) return undefined;
    return await latestRegistration(store.database('events'), config.PLATFORM_BASE_URL ?? '');
  } finally {
    await store.close();
  }
}
