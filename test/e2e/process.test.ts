import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filesWith, makeFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { confirm, press } from '../support/page.ts';
import { pair, type Running, startCli, startServer } from '../support/process.ts';
import { A1, seeded } from '../support/seed.ts';
import { call, until, value } from '../support/world.ts';

describe('switchboard start, in demo mode', () => {
  const folder = makeFolder();
  let running: Running;
  let client: Client;
  beforeAll(async () => {
    const started = await startServer({ MCP_TOOLSETS: 'all' }, folder);
    running = started.running;
    client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${started.url}/mcp`)) as never);
    await client.listTools();
    await pair(folder);
  });
  afterAll(() => client?.close());

  const gated = async (name: string, input: Record<string, unknown>) => {
    const { confirmation } = value(await call(client, name, input));
    const page = await confirm(confirmation.url);
    expect(page.html).toMatch(/>Done[.,(  ]/);
    const followed = value(await call(client, 'confirmations_get', { id: confirmation.id }));
    expect(followed.status).toBe('done');
    return { ...followed.result, page: page.html };
  };

  it('keeps secrets out of its log and its files', async () => {
    const { page } = await gated('numbers_portout', { PortOutNumber: seeded(5) });
    const pin = /Port-out PIN[^<]*: <code>(\d{6})</.exec(page)?.[1] ?? '';
    expect(pin).toMatch(/^\d{6}$/);
    const { confirmation } = value(
      await call(client, 'numbers_portout', { PortOutNumber: seeded(5), PortOutPIN: '8172635' }),
    );
    await press(confirmation.url, 'confirm');
    const dana = { Name: 'Dana Fox', Email: 'dana@acme.example', Password: 'pass-of-dana' };
    await gated('subscribers_create', { ...dana, Role: 'Subscriber', AccountId: A1, PhoneNumbers: [] });
    for (const secret of [pin, '8172635', 'pass-of-dana', 'sandbox-secret', 'AuthCode":']) {
      expect([secret, running.err().includes(secret)]).toEqual([secret, false]);
      expect([secret, filesWith(join(folder, 'data'), secret)]).toEqual([secret, []]);
    }
    expect(running.out()).toBe('');
  });
});

it('switchboard start, from its first moment has whoever connects wait for the end of the start-up; /healthz answers at once', async () => {
  const folder = makeFolder();
  const port = await freePort();
  startCli(['start'], folder, { PORT: String(port) });
  const heard: string[] = [];
  const ask = async (path: string) => {
    try {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(25_000) });
      await answer.arrayBuffer();
      heard.push(`${path} ${answer.status}`);
      return answer.status;
    } catch (error) {
      const cause = (error as { cause?: { code?: string } }).cause?.code;
      heard.push(`${path} ${cause ?? (error as Error).name}`);
      return 0;
    }
  };
  await until(async () => (await ask('/healthz')) === 200);
  await Promise.all(['/playground', '/metrics'].map(ask));
  await ask('/sandbox/state');
  expect(heard.at(-1)).toBe('/sandbox/state 200');
  expect(new Set(heard.filter((one) => !/ (ECONNREFUSED|ECONNRESET|200)$/.test(one)))).toEqual(new Set());
});
