import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { FETCH_MS, REACH_MS } from '../../lib/durations.ts';
import { Proxies } from '../../lib/proxies.ts';
import { createClient } from '../../platform/client.ts';
import { demoData } from '../demo.ts';
import { registrationFinding } from './registration.ts';
import type { Finding } from './report.ts';

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
    if (Warning !== undefined) yield ['FAIL', Warning, 'platform token'];
    const registration = await registrationFinding(config, client);
    if (registration !== undefined) yield registration;
  } finally {
    await client.close();
  }
  return undefined;
}
