import { existsSync } from 'node:fs';
import { operations } from '../../../tools/index.ts';
import { eventOperations, subscribableEvents } from '../../../tools/surfaces/events.ts';
import {
  eventsMissing,
  latestRegistration,
  type Registered,
  type Registration,
  readRegistered,
} from '../../events/registrations.ts';
import { deliveryUrls, ownWebhook } from '../../events/sync.ts';
import { failureText } from '../../language/failure.ts';
import { systemClock } from '../../lib/clock.ts';
import type { Config } from '../../lib/config.ts';
import { dataFile } from '../../lib/data-dir.ts';
import { FETCH_MS } from '../../lib/durations.ts';
import { asSwitchboardError } from '../../lib/errors.ts';
import type { Client } from '../../platform/types.ts';
import { DATA_FILE, openInstallation } from '../installation.ts';

const SYNC = 'switchboard webhooks sync';

/** Result of the check of the registration for events, for `switchboard doctor`. */
export interface RegistrationHealth {
  ok: boolean;
  line: string;
}

/**
 * Reads what the platform delivers, as `webhooks sync` does, and compares it with this server. It changes nothing.
 *
 * @returns undefined if there is no address to compare with: nothing was registered and PUBLIC_URL is not set
 */
export async function registrationHealth(
  config: Config,
  client: Pick<Client, 'send'>,
): Promise<RegistrationHealth | undefined> {
  try {
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
    return healthOf({ url, accountId, made, registered });
  } catch (error) {
    return { ok: false, line: `cannot be read: ${failureText(asSwitchboardError(error).face, 'terminal')}` };
  }
}

function healthOf(found: {
  url: string;
  accountId: string | undefined;
  made: Registration | undefined;
  registered: Registered;
}): RegistrationHealth {
  const { url, accountId, made, registered } = found;
  const { webhook: address, messages } = deliveryUrls(url);
  const own = ownWebhook({ url, accountId, registered, made: made?.webhookId === undefined ? [] : [made.webhookId] });
  if (own === undefined)
    return { ok: made === undefined, line: `no webhook delivers to ${address}; ${SYNC} registers one` };
  if (own.url !== address)
    return {
      ok: false,
      line: `webhook ${own.id} delivers to ${own.url} instead of ${address}; ${SYNC} shows the difference`,
    };
  const missing = eventsMissing(subscribableEvents, own.events);
  if (missing.length > 0)
    return {
      ok: false,
      line: `webhook ${own.id} does not deliver ${missing.join(', ')}; ${SYNC} shows the difference`,
    };
  const here = registered.routes.filter(({ fields }) => fields.MessageUrl === messages).length;
  return {
    ok: true,
    line: `webhook ${own.id} delivers all events to ${address}; ${here} of ${registered.routes.length} message routes deliver here`,
  };
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
  return client.send({
    method,
    path,
    input,
    read: true,
    resend: true,
    priority: 'person',
    deadline: Date.now() + FETCH_MS,
  });
}
