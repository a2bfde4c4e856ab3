import { afterEach, beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../../src/lib/config.ts';
import { registrationFinding } from '../../../src/start/doctor/platform.ts';
import { events as EVENTS } from '../../../tools/webhook/create.ts';
import { Client, MRID } from '../../demo/sandbox/helper.ts';
import { scratch } from '../../events/support.ts';
import { onSandbox } from '../../support/on-sandbox.ts';

/* Tests what `switchboard doctor` says about the registration, as read from the platform's deliveries. */

const HERE = 'https://sb.example.com';
let platform: Client;
beforeEach(async () => {
  platform = await Client.start();
});
afterEach(() => platform.close());

const health = (
  env: Record<string, string> = { PUBLIC_URL: HERE, MCP_HTTP_TOKENS: 'desk:operator:a-long-token-of-the-desk' },
) => {
  const config = loadConfig({
    ...onSandbox(platform.sandbox.url),
    DATA_DIR: scratch(),
    ...env,
  });
  return registrationFinding(config, {
    send: async ({ method, path }) => {
      const { status, body, text } = await platform.call(method, path);
      if (status !== 200) throw new Error(`${status} ${text}`);
      return Array.isArray(body) ? { Results: body } : body;
    },
  });
};
const register = (SubscribedEvents: string) =>
  platform.post('/v1.0/webhook/create', { WebhookUrl: `${HERE}/events/platform`, SubscribedEvents });

it('says that nothing is registered, which is no fault before the first sync', async () => {
  expect(await health()).toEqual([
    'ok',
    `no webhook delivers to ${HERE}/events/platform; switchboard webhooks sync registers one`,
    'registration',
  ]);
});

it('names the webhook, and counts the routes that deliver here', async () => {
  const { body } = await register(EVENTS.join(','));
  await platform.post('/v1.0/message/routes/update', { MessageRouteId: MRID, MessageUrl: `${HERE}/events/messages` });
  expect(await health()).toEqual([
    'ok',
    `webhook ${body.WebhookId} delivers all events to ${HERE}/events/platform; 1 of 1 message routes deliver here`,
    'registration',
  ]);
});

it('fails for events that are not delivered, and where the platform cannot be read', async () => {
  await register('Order_Update');
  expect(await health()).toEqual(['FAIL', expect.stringContaining('does not deliver New_Sms, Call_'), 'registration']);
  await platform.control('faults', { path: '/v1.0/account/webhooks', times: 1, status: 403 });
  await expect(health()).rejects.toThrow('403');
});
