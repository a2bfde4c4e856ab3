import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { controlSandbox } from '../support/on-sandbox.ts';
import { confirm } from '../support/page.ts';
import { pair, startServer } from '../support/process.ts';
import { A1, ORDER, seeded } from '../support/seed.ts';
import { call, until, value } from '../support/world.ts';

let url: string;
let client: Client;
const told: string[] = [];

beforeAll(async () => {
  const started = await startServer();
  ({ url } = started);
  await pair(started.folder);
  client = new Client({ name: 'test', version: '1' });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.push(params.uri);
  });
  // A stream that is opened tells of every record that was subscribed to before.
  let listens: (() => void) | undefined;
  const listening = new Promise<void>((resolve) => {
    listens = resolve;
  });
  const noticing: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === 'GET') listens?.();
    return response;
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { fetch: noticing }) as never);
  await listening;
});
afterAll(() => client?.close());

/** The order reaches this state at the platform, which delivers it. */
async function reaches(Status: string): Promise<void> {
  await controlSandbox(url, 'orders', { OrderId: ORDER, Status });
  await deliver(Status);
}

async function deliver(Status: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ OrderId: ORDER, Status, ErrorMessage: '' });
  expect((await fetch(`${url}/events/platform`, { method: 'POST', headers, body })).status).toBe(200);
}

const read = async (uri: string) => {
  const { contents } = await client.readResource({ uri });
  return JSON.parse(String((contents[0] as { text: string }).text));
};

it('follows an order without polling: told once for each step the platform delivers', async () => {
  const uri = `switchboard://orders/${ORDER}`;
  await client.subscribeResource({ uri });
  await reaches('Scheduled');
  await deliver('Scheduled');
  await until(() => told.includes(uri));
  expect(await read(uri)).toMatchObject({ OrderStatus: 'Scheduled' });
  expect(told.filter((one) => one === uri)).toHaveLength(1);
});

it('tells of the steps of a confirmation, and of nothing after unsubscribing', async () => {
  const { confirmation } = value(await call(client, 'numbers_reactivate', { PhoneNumber: seeded(7), AccountId: A1 }));
  const uri = `switchboard://confirmations/${confirmation.id}`;
  await client.subscribeResource({ uri });
  const number = `switchboard://numbers/${seeded(7)}`;
  await client.subscribeResource({ uri: number });
  await confirm(confirmation.url);
  await until(() => told.includes(number));
  expect(told.filter((one) => one === number)).toHaveLength(1);
  // Every step is reported: confirmed, sent, settled. The page answers when it is settled.
  await until(() => told.filter((one) => one === uri).length >= 3);
  expect(await read(uri)).toMatchObject({ id: confirmation.id, status: 'done' });
  const before = told.length;
  const order = `switchboard://orders/${ORDER}`;
  await client.unsubscribeResource({ uri: order });
  await reaches('Completed');
  const handled = async () => /handled_total\{kind="order"\} 2/.test(await (await fetch(`${url}/metrics`)).text());
  for (let tries = 0; tries < 200 && !(await handled()); tries += 1)
    await new Promise((resolve) => setImmediate(resolve));
  expect(await handled()).toBe(true);
  expect(told).toHaveLength(before);
});
