import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { startSandbox } from '../../../../src/demo/sandbox/index.ts';
import { makeFolder } from '../../../support/folder.ts';
import { onSandbox } from '../../../support/on-sandbox.ts';
import { startCli } from '../../../support/process.ts';
import { until } from '../../../support/until.ts';

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

it('is ready as soon as Socket Mode is connected, however early readiness was asked for', async () => {
  const sandbox = await startSandbox({ port: 0 });
  const held: ServerResponse[] = [];
  const slack = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.includes('apps.connections.open')) held.push(response);
    else response.end(JSON.stringify({ ok: true, team_id: 'T1', user_id: 'U1', bot_id: 'B1' }));
  });
  await new Promise<void>((resolve) => slack.listen(0, '127.0.0.1', resolve));
  const { port } = slack.address() as AddressInfo;
  const sockets = new WebSocketServer({ server: slack });
  sockets.on('connection', (socket) => socket.send(JSON.stringify({ type: 'hello', num_connections: 1 })));
  const folder = makeFolder();
  const running = startCli(['start'], folder.path, {
    ...onSandbox(sandbox.url),
    PORT: '0',
    SLACK_BOT_TOKEN: 'xoxb-late',
    SLACK_APP_TOKEN: 'xapp-late',
    SLACK_API_URL: `http://127.0.0.1:${port}/api/`,
  });
  onTestFinished(async () => {
    await running.stop('SIGKILL');
    for (const socket of sockets.clients) socket.terminate();
    slack.closeAllConnections();
    slack.close();
    await sandbox.close();
    folder.remove();
  });
  const url = (await running.said(/listens on (http:\S+)/))[1] ?? '';
  const ready = async () => (await fetch(`${url}/readyz`)).json() as Promise<{ ready: boolean; problems: string[] }>;
  await until(() => held.length > 0, 'the request for a connection');
  await until(
    async () => (await ready()).problems,
    (problems) => problems.join().includes('Slack is connecting'),
  );
  held[0]?.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${port}/link` }));
  await until(() => sockets.clients.size > 0, 'a connection');
  const connected = performance.now();
  await until(async () => (await ready()).ready, 'ready');
  const ms = Math.round(performance.now() - connected);
  process.stdout.write(`ready ${ms} ms after Socket Mode was connected\n`);
  // A remembered failure would last 20 seconds.
  expect(ms).toBeLessThan(10_000);
});
