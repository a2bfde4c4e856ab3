import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../../src/demo/sandbox/index.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { makeFolder, startCli } from '../../support/process.ts';
import { until } from '../../support/until.ts';

it('opens everything else while Socket Mode is still connecting to a Slack that hangs', async () => {
  const sandbox = await startSandbox({ port: 0 });
  let asked = 0;
  let gaveUp = 0;
  // Takes every request and answers none. Requests that the process gives up are closed.
  const hanging = createServer((request, response) => {
    if (!request.url?.includes('apps.connections.open')) return;
    asked += 1;
    response.once('close', () => {
      gaveUp += 1;
    });
  });
  await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
  const folder = makeFolder();
  const running = startCli(['start'], folder.path, {
    ...onSandbox(sandbox.url),
    PORT: '0',
    SLACK_BOT_TOKEN: 'xoxb-hanging',
    SLACK_APP_TOKEN: 'xapp-hanging',
    SLACK_API_URL: `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/api/`,
    SLACK_EVENTS_CHANNEL: 'C000EVENTS',
    EVENTS_TOKEN: 'what-the-platform-presents',
    CONFIRM_VIA: 'page',
  });
  onTestFinished(async () => {
    await running.stop('SIGKILL');
    hanging.closeAllConnections();
    hanging.close();
    await sandbox.close();
    folder.remove();
  });
  const url = (await running.said(/listens on (http:\S+)/))[1] ?? '';
  expect(gaveUp, 'the doors are open before the process gives a request up').toBe(0);
  await until(() => asked > 0, 'the request for a connection');
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const answers = await Promise.all([
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(initialize),
    }),
    fetch(`${url}/confirm/act_of_nobody`),
    fetch(`${url}/events/messages`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Token what-the-platform-presents' },
      body: JSON.stringify({ MessageId: 'TMID-1', Direction: 'INBOUND', From: '+15550001111', To: '+12015550101' }),
    }),
    fetch(`${url}/readyz`),
  ]);
  const [mcp, page, event, ready] = answers.map(({ status }) => status);
  expect([mcp, event, ready]).toEqual([200, 200, 503]);
  expect(page).not.toBe(503);
  expect(JSON.stringify(await answers[3]?.json())).toContain('Slack is connecting');
});
