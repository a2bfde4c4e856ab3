import { failureText } from '../../language/failure.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { FETCH_MS, REACH_MS } from '../../lib/durations.ts';
import { asSwitchboardError } from '../../lib/errors.ts';
import { Proxies } from '../../lib/proxies.ts';
import { createClient } from '../../platform/client.ts';
import { registrationHealth } from '../commands/doctor-registration.ts';
import { demoData } from '../demo.ts';
import type { Say } from './report.ts';

/** Checks the credentials and the registration for events. */
export async function checkPlatform(config: Config, say: Say): Promise<void> {
  if (config.demo) {
    const data = demoData(config);
    const kept = data === undefined ? 'it starts with new data' : `its data are kept in ${data}`;
    return say('ok', 'platform', `demo mode, no PLATFORM_* settings: the embedded sandbox is used; ${kept}`);
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
    const zone = config.PLATFORM_TIME_ZONE;
    const until = Warning === undefined ? `; the token lasts until ${tokenExpiry} (${zone})` : '';
    say('ok', 'platform', `${config.PLATFORM_BASE_URL} accepts the credentials${until}`);
    if (Warning !== undefined) say('FAIL', 'platform token', Warning);
    const registration = await registrationHealth(config, client);
    if (registration !== undefined) say(registration.ok ? 'ok' : 'FAIL', 'registration', registration.line);
  } catch (error) {
    say('FAIL', 'platform', failureText(asSwitchboardError(error).face, 'terminal'));
  } finally {
    await client.close();
  }
  return undefined;
}
