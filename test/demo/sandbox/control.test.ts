import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { A1, Client, id, type Json, MRID, ORDER, PROVISION, portIn, receiver, seeded } from './helper.ts';

let client: Client;
afterEach(() => client.close());

const product = { SKU: 'S', Description: 'D', Type: 't', Cost: 1, BillingFrequency: 'NRC' };

describe('faults', () => {
  it('answer a status instead, as often as asked, and then no more', async () => {
    client = await Client.start();
    const path = '/v1.0/numbers/inventory';
    await client.get(path);
    await client.control('faults', { path, times: 2, status: 503, retryAfter: 7 });
    for (let n = 0; n < 2; n += 1) {
      const answer = await client.get(`${path}?PageNumber=1`);
      expect([answer.status, answer.headers.get('retry-after'), answer.body.StatusCode]).toEqual([503, '7', 503]);
    }
    expect((await client.get(path)).status).toBe(200);
    await client.control('faults', { path: '/v1.0/oauth2/tokens', status: 500 });
    expect((await client.raw('POST', '/v1.0/oauth2/tokens', {})).status).toBe(500);
    const rows: Json[] = (await client.control('requests')).body;
    expect(rows.map((row) => row.status)).toEqual([200, 200, 503, 503, 200, 500]);
  });

  it('cut the connection after the work, or before it', async () => {
    client = await Client.start();
    const path = '/v1.0/products';
    await client.token(path);
    const count = async () => (await client.state()).products.length;
    await client.control('faults', { path, dropAfterCommit: true });
    await expect(client.post(path, product)).rejects.toThrow();
    expect(await count()).toBe(3);
    await client.control('faults', { path, dropBeforeCommit: true });
    await expect(client.post(path, product)).rejects.toThrow();
    expect(await count()).toBe(3);
    expect((await client.post(path, product)).status).toBe(200);
    expect((await client.control('requests')).body.filter((row: Json) => row.dropped)).toHaveLength(2);
  });
});

describe('reset', () => {
  it('restores the seed, the clock, tokens, limits, settings, logs, faults and what was under way', async () => {
    client = await Client.start();
    const seed = await client.state();
    const hook = await receiver();
    hook.answers.push(500, 500, 500);
    const token = await client.token('/v1.0/numbers/inventory');
    await client.post('/v1.0/webhook/create', { WebhookUrl: hook.url, SubscribedEvents: 'Order_Update' });
    await client.post('/v1.0/numbers/portin', portIn('+13125550190'));
    await client.post('/v1.0/numbers/reactivate', { PhoneNumber: seeded(7), AccountId: A1 });
    await client.control('settings', { requestsPerMinute: 1, tokenSeconds: 5 });
    await client.control('faults', { path: '/v1.0/numbers', status: 500 });
    await client.advance('40d');
    await client.control('reset', {});
    const { now, ...state } = await client.state();
    const { now: start, ...records } = seed;
    expect(new Date(now).getTime() - new Date(start).getTime()).toBeLessThan(5000);
    const undated = (value: unknown) => JSON.stringify(value).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T');
    expect(undated(state)).toBe(undated(records));
    expect((await client.control('requests')).body).toEqual([]);
    expect((await client.control('deliveries')).body).toEqual([]);
    const stale = await client.raw('GET', '/v1.0/numbers/inventory', undefined, { Authorization: `Bearer ${token}` });
    expect(stale.status).toBe(401);
    client.forgetTokens();
    expect((await client.get('/v1.0/numbers/inventory')).status).toBe(200);
    const before = hook.received.length;
    await client.advance('5m');
    expect(hook.received).toHaveLength(before);
    await hook.close();
  });
});

it('empties the rate windows at a reset', async () => {
  client = await Client.start();
  const path = '/v1.0/numbers/inventory';
  for (const round of ['first', 'second']) {
    await client.control('settings', { requestsPerMinute: 2 });
    expect([round, (await client.get(path)).status, (await client.get(path)).status]).toEqual([round, 200, 429]);
    await client.control('reset', {});
    client.forgetTokens();
  }
});

describe('a data file', () => {
  it('carries records, clock, tokens and what is due over a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbox-'));
    const data = join(folder, 'deep', 'state.json');
    const hook = await receiver();
    client = await Client.start({ data });
    const { port } = client.sandbox;
    await client.post('/v1.0/webhook/create', {
      WebhookUrl: hook.url,
      SubscribedEvents: 'Order_Update',
      AuthenticationType: 'Token',
      AuthenticationToken: 'tok',
    });
    const { OrderId } = (await client.post('/v1.0/numbers/portin', portIn('+13125550190'))).body;
    await client.advance('30s');
    hook.answers.push(500);
    await client.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    const { PhoneNumberAssigned } = (await client.post('/v1.0/numbers/provision', PROVISION)).body;
    const cancel = (await client.post('/v1.0/numbers/cancel-order-request', { PhoneNumbers: [{ Number: seeded(1) }] }))
      .body;
    const token = await client.token('/v1.0/numbers/inventory');
    const { now, ...before } = await client.state();
    await client.close();

    expect(statSync(data).mode & 0o777).toBe(0o600);
    for (const secret of [cancel.AuthCode, '0550']) expect(readFileSync(data, 'utf8')).not.toContain(`"${secret}"`);
    client = await Client.start({ data, port });
    // The first request may still meet a pooled connection of the sandbox that was closed.
    await client.control('requests').catch(() => null);
    const { now: later, ...after } = await client.state();
    expect(after).toEqual(before);
    expect(Date.parse(later) - Date.parse(now)).toBeGreaterThanOrEqual(0);
    expect(Date.parse(later) - Date.parse(now)).toBeLessThan(10_000);
    const kept = await client.raw('GET', '/v1.0/numbers/inventory', undefined, { Authorization: `Bearer ${token}` });
    expect(kept.status).toBe(200);
    expect((await client.number(PhoneNumberAssigned)).Status).toBe('Active');
    await client.advance('1m');
    expect((await client.get(`/v1.0/numbers/order?OrderId=${OrderId}`)).body.OrderStatus).toBe('Rejected');
    const statuses = hook.received.map((one) => JSON.parse(one.body).Status);
    expect(statuses).toEqual(['Submitted', 'Scheduled', 'Scheduled', 'Rejected']);
    expect(hook.received.every((one) => one.headers.authorization === 'Bearer tok')).toBe(true);
    const submit = { OrderId: cancel.OrderId, AuthCode: cancel.AuthCode };
    expect((await client.post('/v1.0/numbers/cancel-order-submit', submit)).body.Status).toBe('Complete');
    await hook.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a sandbox', () => {
  it('listens on loopback, and a host server can mount it', async () => {
    client = await Client.start();
    expect(client.sandbox.url).toBe(`http://127.0.0.1:${client.sandbox.port}`);
    const host = createServer((req, res) => client.sandbox.handle(req, res));
    await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
    const state = await (await fetch(`${url}/sandbox/state`)).json();
    expect(state).toMatchObject({
      messageRoutes: [{ MessageRouteId: MRID }],
      subscriptions: [{ SubscriptionId: id('SUB', 1) }],
    });
    host.closeAllConnections();
    host.close();
  });
});

describe('data used', () => {
  it('is what the control plane says, and moves the behaviour with it', async () => {
    client = await Client.start();
    const ask = async () =>
      (await client.post('/v1.0/numbers/data-usage/info', { PhoneNumbers: [{ Number: seeded(3) }] })).body
        .PhoneNumbers[0];
    const { LimitValue } = (await client.control('usage', { Number: seeded(3), UsedMb: 0 })).body;
    expect(await ask()).toMatchObject({ Used: '0 B', CurrentBehavior: 'Active' });
    await client.control('usage', { Number: seeded(3), UsedMb: LimitValue });
    expect(await ask()).toMatchObject({ Used: `${LimitValue} MB`, Remaining: '0 B', CurrentBehavior: 'Limited' });
    expect((await client.control('usage', { Number: '+12015550177', UsedMb: 1 })).status).toBe(404);
    expect((await client.control('usage', { Number: seeded(3), UsedMb: -1 })).status).toBe(400);
  });
});
