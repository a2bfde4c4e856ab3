import { beforeEach, expect, it } from 'vitest';
import { loadConfig } from '../../../src/lib/config.ts';
import { registrationFinding } from '../../../src/start/doctor/checks.ts';
import { Client } from '../../demo/sandbox/helper.ts';
import { makeFolder } from '../../support/folder.ts';
import { onSandbox } from '../../support/on-sandbox.ts';

/* Tests what `switchboard doctor` says about the registration, as read from the platform's deliveries. */

const HERE = 'https://sb.example.com';
let platform: Client;
beforeEach(async () => {
  platform = await Client.start();
});

const health = () => {
  const env = { PUBLIC_URL: HERE, MCP_HTTP_TOKENS: 'desk:operator:a-long-token-of-the-desk' };
  const config = loadConfig({ ...onSandbox(platform.sandbox.url), DATA_DIR: makeFolder(), ...env });
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

it('fails for events that are not delivered, and where the platform cannot be read', async () => {
  await register('Order_Update');
  expect(await health()).toEqual(['FAIL', expect.stringContaining('does not deliver New_Sms, Call_'), 'registration']);
  await platform.control('faults', { path: '/v1.0/account/webhooks', times: 1, status: 403 });
  await expect(health()).rejects.toThrow('403');
});
