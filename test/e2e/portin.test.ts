import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../support/folder.ts';
import { controlSandbox } from '../support/on-sandbox.ts';
import { type Running, startCli } from '../support/process.ts';
import { call, type Json, until, value } from '../support/world.ts';

/*
 * A port-in by an assistant alone, against a running `switchboard start`. Each step is reported to the assistant, which
 * asks the platform only then.
 */

const TOKEN = 'what-the-platform-presents-1';
const folder = makeFolder();
let running: Running;
let url: string;
let client: Client;
const told: string[] = [];
const asked: string[] = [];

beforeAll(async () => {
  running = startCli(['start'], folder.path, {
    PORT: '0',
    EVENTS_TOKEN: TOKEN,
    MCP_HTTP_TOKENS: 'ana:approver:token-of-ana',
  });
  url = (await running.said(/listens on (http:\/\/127\.0\.0\.1:\d+)/))[1] ?? '';
  client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.push(params.uri);
  });
  // The assistant's own person, who says yes; over HTTP they need the token of an approver.
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return { action: 'accept', content: {} };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), {
      requestInit: { headers: { authorization: 'Bearer token-of-ana' } },
    }) as never,
  );
  await client.listTools();
  value(
    await call(client, 'webhook_create', {
      WebhookUrl: `${url}/events/platform`,
      SubscribedEvents: 'Order_Update',
      AuthenticationType: 'Token',
      AuthenticationToken: TOKEN,
    }),
  );
});
afterAll(async () => {
  await client?.close();
  if (running.child.exitCode === null) await running.stop('SIGKILL');
  folder.remove();
});

const control = (path: string, body?: unknown): Promise<Json> => controlSandbox(url, path, body);
const details = (PortInNumber: string, more: Record<string, unknown> = {}) => ({
  PortInNumber,
  CurrentCarrierName: 'Example Wireless',
  CurrentAccountNumber: '46512222',
  CurrentAccountPassword: '90817263',
  CurrentBillingAddress: { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' },
  SubscriberName: 'Ava Stone',
  ...more,
});
/** Waits until the order is reported as changed, and returns it as its resource shows it. */
async function followed(uri: string, before: number, status: string): Promise<Json> {
  await until(() => told.filter((one) => one === uri).length > before);
  const { contents } = await client.readResource({ uri });
  const order = JSON.parse(String((contents[0] as { text: string }).text));
  expect(order.OrderStatus).toBe(status);
  return order;
}
const count = (uri: string) => told.filter((one) => one === uri).length;

describe('a port-in over MCP alone', () => {
  it('goes from eligibility to completion, and reads the order once for each step it was told of', async () => {
    const number = '+13125550151';
    const { messages } = await client.getPrompt({ name: 'port_in', arguments: { PhoneNumber: number } });
    expect(JSON.stringify(messages)).toContain('numbers_portin_eligibility');
    const eligible = value(
      await call(client, 'numbers_portin_eligibility', { PhoneNumber: number, TargetClassification: 'Mobile' }),
    );
    expect(eligible).toMatchObject({ Eligible: true, CurrentCarrier: 'Example Wireless' });
    const { OrderId } = value(await call(client, 'numbers_portin', details(number)));
    expect(asked.at(-1)).toContain(`Port in ${number}`);
    expect(asked.at(-1)).not.toContain('90817263');
    const uri = `switchboard://orders/${OrderId}`;
    await client.subscribeResource({ uri });
    const reads = async () =>
      ((await control('requests')) as { path: string; method: string }[]).filter(
        ({ path, method }) => method === 'GET' && path === '/v1.0/numbers/order',
      ).length;
    const before = await reads();
    for (const Status of ['Pending Carrier Approval', 'Scheduled', 'Completed']) {
      const seen = count(uri);
      await control('orders', { OrderId, Status });
      await followed(uri, seen, Status);
    }
    // The program reads once for each of the four reported states, and the assistant once for each of three. Nothing is
    // polled in between.
    expect((await reads()) - before).toBeLessThanOrEqual(7);
    expect(value(await call(client, 'numbers_lookup', { PhoneNumber: number })).Number.Status).toBe('Active');
    const { Orders } = value(await call(client, 'events_since', { Since: '1h', OrderId }));
    expect(Orders).toEqual([expect.objectContaining({ OrderId, Status: 'Completed' })]);
  });

  it('goes through a rejection, its reason in plain words, the correction and completion', async () => {
    const number = '+13125550190';
    const { OrderId } = value(await call(client, 'numbers_portin', details(number)));
    const uri = `switchboard://orders/${OrderId}`;
    await client.subscribeResource({ uri });
    let seen = count(uri);
    await control('clock', { advance: '2m' });
    const rejected = await followed(uri, seen, 'Rejected');
    expect(rejected.ErrorMessage).toContain('ACCOUNT_NUM');
    const { Orders } = value(await call(client, 'events_since', { Since: '1h', OrderId }));
    expect(Orders[0]).toMatchObject({ Status: 'Rejected', Why: expect.stringContaining('account number') });

    seen = count(uri);
    value(await call(client, 'numbers_portin_update', { OrderId, CurrentAccountNumber: '46512346' }));
    await followed(uri, seen, 'Submitted');
    for (const Status of ['Scheduled', 'Completed']) {
      seen = count(uri);
      await control('orders', { OrderId, Status });
      await followed(uri, seen, Status);
    }
    expect(value(await call(client, 'numbers_lookup', { PhoneNumber: number })).Number.Status).toBe('Active');
  });
});
