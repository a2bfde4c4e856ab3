import { existsSync } from 'node:fs';
import { operations } from '../../../tools/index.ts';
import { eventOperations, subscribableEvents } from '../../../tools/surfaces/events.ts';
import { eventsMissing, latestRegistration, type Registration, readRegistered } from '../../events/registrations.ts';
import { deliveryUrls, ownWebhook } from '../../events/sync.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { dataFile } from '../../lib/data-dir.ts';
import { FETCH_MS } from '../../lib/durations.ts';
import type { Client } from '../../platform/types.ts';
import { DATA_FILE, openInstallation } from '../installation.ts';
import type { Finding } from './report.ts';

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
    operations: eventOperations.sync,
    accountId,
    namedAccountId: made?.accountId,
    messageRoutes: [],
    read: (id, input) => readWith(client, id, input),
  });
  const { webhook: address, messages } = deliveryUrls(url);
  const own = ownWebhook({ url, accountId, registered, made: made?.webhookId === undefined ? [] : [made.webhookId] });
  if (own === undefined)
    return [made === undefined ? 'ok' : 'FAIL', `no webhook delivers to ${address}; ${SYNC} registers one`, what];
  if (own.url !== address) {
    const detail = `webhook ${own.id} delivers to ${own.url} instead of ${address}; ${SYNC} shows the difference`;
    return ['FAIL', detail, what];
  }
  const missing = eventsMissing(subscribableEvents, own.events);
  if (missing.length > 0) {
    const detail = `webhook ${own.id} does not deliver ${missing.join(', ')}; ${SYNC} shows the difference`;
    return ['FAIL', detail, what];
  }
  const { routes } = registered;
  const here = routes.filter(({ fields }) => fields.MessageUrl === messages).length;
  const counted = `${here} of ${routes.length} message routes deliver here`;
  return ['ok', `webhook ${own.id} delivers all events to ${address}; ${counted}`, what];
}

/** The latest registration of this installation, without its credentials. */
async function registrationOf(config: Config): Promise<Registration | undefined> {
  if (config.DATABASE_URL === undefined && !existsSync(dataFile(config, DATA_FILE))) return undefined;
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined });
  try {
    const { tables } = await store.health();
    // Reading would create the tables.
    if (tables === 'missing') return undefined;
    return await latestRegistration(store.database('events'), config.PLATFORM_BASE_URL ?? '');
  } finally {
    await store.close();
  }
}

function readWith(client: Pick<Client, 'send'>, id: string, input: Record<string, unknown>) {
  const operation = operations.find((one) => one.id === id);
  if (operation?.risk !== 'read') throw new Error(`${id} is not a reading operation`);
  const { method, path } = operation;
  const deadline = Date.now() + FETCH_MS;
  return client.send({ method, path, input, read: true, resend: true, priority: 'person', deadline });
}
