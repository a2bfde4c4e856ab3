import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { decodeJwt } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A1, Client, id, PROVISION, portIn, seeded } from './helper.ts';

let client: Client;
beforeEach(async () => {
  client = await Client.start();
});
afterEach(() => client.close());

const INVENTORY = '/v1.0/numbers/inventory';
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe('tokens', () => {
  it('answers token, successful and tokenExpiry in the platform format, with exp by the sandbox clock', async () => {
    const answer = await client.raw('POST', '/v1.0/oauth2/tokens', {
      AccountKey: 'DID-sandbox',
      AccountSecret: 'sandbox-secret',
      ApiEndpoint: `${client.sandbox.url}${INVENTORY}`,
    });
    expect(Object.keys(answer.body).sort()).toEqual(['successful', 'token', 'tokenExpiry']);
    expect(answer.body.successful).toBe(true);
    expect(answer.body.tokenExpiry).toMatch(/^03\/02\/2026 01:00:0\d PM$/);
    expect(decodeJwt(answer.body.token).exp).toBe(Date.parse(`${answer.body.tokenExpiry} UTC`) / 1000);
  });

  it('refuses wrong credentials with 401, and names what is missing', async () => {
    const ask = (body: object) => client.raw('POST', '/v1.0/oauth2/tokens', body);
    const good = { AccountKey: 'DID-sandbox', AccountSecret: 'sandbox-secret', ApiEndpoint: 'https://x.test/v1.0/a' };
    expect((await ask({ ...good, AccountSecret: 'other-secret' })).status).toBe(401);
    expect((await ask({ ...good, AccountKey: 'DID-nobody' })).status).toBe(401);
    for (const field of Object.keys(good)) {
      const answer = await ask({ ...good, [field]: undefined });
      expect([answer.status, answer.body.StatusCode]).toEqual([400, 400]);
      expect(answer.body.Message).toContain(field);
    }
    expect((await ask({ ...good, ApiEndpoint: '/v1.0/numbers' })).body.Message).toContain('ApiEndpoint');
    expect((await client.raw('GET', '/v1.0/oauth2/tokens')).status).toBe(405);
  });

  it('scopes a token to host and path, the query left out', async () => {
    const token = await client.token(`${INVENTORY}?Filter=Active`);
    expect((await client.raw('GET', `${INVENTORY}?PageNumber=1`, undefined, bearer(token))).status).toBe(200);
    expect((await client.raw('GET', '/v1.0/numbers?Number=1', undefined, bearer(token))).status).toBe(403);
    const elsewhere = await client.raw('POST', '/v1.0/oauth2/tokens', {
      AccountKey: 'DID-sandbox',
      AccountSecret: 'sandbox-secret',
      ApiEndpoint: `http://elsewhere.test${INVENTORY}`,
    });
    expect((await client.raw('GET', INVENTORY, undefined, bearer(elsewhere.body.token))).status).toBe(403);
  });

  it('refuses missing, foreign, expired and withdrawn tokens with 401', async () => {
    expect((await client.raw('GET', INVENTORY)).status).toBe(401);
    expect((await client.raw('GET', INVENTORY, undefined, bearer('a.b.c'))).status).toBe(401);
    const other = await Client.start();
    expect((await client.raw('GET', INVENTORY, undefined, bearer(await other.token(INVENTORY)))).status).toBe(401);
    await other.close();
    const token = await client.token(INVENTORY);
    await client.advance('3590s');
    expect((await client.raw('GET', INVENTORY, undefined, bearer(token))).status).toBe(200);
    await client.advance('11s');
    expect((await client.raw('GET', INVENTORY, undefined, bearer(token))).status).toBe(401);
    const second = await client.token(INVENTORY);
    await client.control('expire-tokens', {});
    expect((await client.raw('GET', INVENTORY, undefined, bearer(second))).status).toBe(401);
    await client.control('settings', { tokenSeconds: 5 });
    const third = await client.token(INVENTORY);
    await client.advance('6s');
    expect((await client.raw('GET', INVENTORY, undefined, bearer(third))).status).toBe(401);
  });
});

describe('errors and answers', () => {
  it.each([
    ['application/json', 'application/json'],
    ['text/json', 'text/json'],
    ['text/plain', 'text/plain'],
    ['*/*', 'application/json'],
    ['image/png', 'application/json'],
    ['text/json;q=0.2, text/plain;q=0.9', 'text/plain'],
  ])('serves an error for Accept %s as %s, with two properties', async (accept, type) => {
    const answer = await client.raw('GET', INVENTORY, undefined, { Accept: accept });
    expect([answer.status, answer.type]).toEqual([401, type]);
    expect(Object.keys(answer.body)).toEqual(['StatusCode', 'Message']);
  });

  it('tells unknown paths and wrong methods apart', async () => {
    expect((await client.raw('GET', '/v1.0/nothing')).status).toBe(404);
    expect((await client.raw('GET', '/nothing')).status).toBe(404);
    const wrong = await client.raw('GET', '/v1.0/numbers/provision');
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await client.raw('POST', INVENTORY, {})).status).toBe(405);
  });

  it('refuses malformed and oversized bodies', async () => {
    expect((await client.call('POST', '/v1.0/products', '{"SKU":')).status).toBe(400);
    expect((await client.call('POST', '/v1.0/products', '[]')).status).toBe(400);
    const big = await client.call('POST', '/v1.0/products', JSON.stringify({ SKU: 'x'.repeat(1024 * 1024) }));
    expect([big.status, big.body.StatusCode]).toEqual([413, 413]);
  });

  it('puts Successful on every 200 object', async () => {
    expect((await client.get(INVENTORY)).body.Successful).toBe(true);
    expect((await client.post('/v1.0/account/create', { AccountName: 'New' })).body.Successful).toBe(true);
    expect((await client.get('/v1.0/subscribers/call-filter')).body).toEqual([]);
    expect((await client.get('/v1.0/numbers')).body).not.toHaveProperty('Successful');
  });
});

describe('isolation', () => {
  it('shows the other distributor nothing of the first', async () => {
    expect((await client.get(INVENTORY, 'other')).body).toMatchObject({ TotalResults: 0, AccountId: id('AID', 9) });
    for (const path of [
      `/v1.0/numbers?PhoneNumber=${encodeURIComponent(seeded(1))}`,
      `/v1.0/numbers?ICCID=89012403971900010010`,
      `/v1.0/numbers/order?OrderId=${id('JNUOID', 1)}`,
      `/v1.0/subscribers/get?SubscriberId=${id('TSUID', 1)}`,
      `/v1.0/subscribers/guardian-features?SubscriberId=${id('TSUID', 1)}`,
      `/v1.0/voice/routes?CallRouteID=${id('CRID', 1)}`,
      `/v1.0/account/voice/routes?AccountId=${A1}`,
      `/v1.0/subscriptions/features?FeatureId=${id('FEID', 1)}`,
    ]) {
      expect([path, (await client.get(path)).status]).toEqual([path, 200]);
      expect([path, (await client.get(path, 'other')).status]).toEqual([path, 404]);
    }
    const foreign = await client.post('/v1.0/numbers/provision', { ...PROVISION, AccountId: A1 }, 'other');
    expect([foreign.status, foreign.body.Message]).toEqual([400, 'Invalid MessageRouteId']);
    const sub = { Name: 'N', Email: 'n@x.test', PhoneNumbers: [], Role: 'Manager', Password: 'p', AccountId: A1 };
    expect((await client.post('/v1.0/subscribers/create', sub, 'other')).body.Message).toBe('Invalid AccountId');
    expect((await client.post('/v1.0/products/delete', { ProductId: id('PRID', 2) }, 'other')).status).toBe(404);
    const gone = await client.post('/v1.0/numbers/reactivate', { PhoneNumber: seeded(7) }, 'other');
    expect(gone.text).toMatch(/^Number not found!\nTransactionLogId: /);
  });
});

describe('rates', () => {
  it('counts token, failed and good requests in one sliding window per distributor', async () => {
    await client.control('settings', { requestsPerMinute: 4 });
    const token = await client.token(INVENTORY); // 1
    const ask = (path: string) => client.raw('GET', path, undefined, bearer(token));
    expect((await ask(INVENTORY)).status).toBe(200); // 2
    await client.advance('30s');
    expect((await ask('/v1.0/numbers')).status).toBe(403); // 3
    for (let n = 0; n < 6; n += 1) expect((await client.raw('GET', INVENTORY)).status).toBe(401); // nobody's
    expect((await ask(`${INVENTORY}?PageNumber=x`)).status).toBe(400); // 4
    const refused = await ask(INVENTORY);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    const noToken = await client.raw('POST', '/v1.0/oauth2/tokens', { AccountKey: 'DID-sandbox' });
    expect(noToken.status).toBe(429);
    expect((await client.get(INVENTORY, 'other')).status).toBe(200);
    await client.advance('30s');
    expect((await ask(INVENTORY)).status).toBe(200);
    expect((await ask(INVENTORY)).status).toBe(200);
    expect((await ask(INVENTORY)).status).toBe(429);
  });

  it('allows 120 by default', async () => {
    const token = await client.token(INVENTORY);
    const statuses: number[] = [];
    for (let n = 0; n < 120; n += 1)
      statuses.push((await client.raw('GET', `${INVENTORY}?TotalNumbersRequested=1`, undefined, bearer(token))).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(119);
    expect(statuses.at(-1)).toBe(429);
  });

  it('limits provision and port-in to one a second each, outside the window', async () => {
    await client.control('settings', { requestsPerMinute: 2 });
    expect((await client.post('/v1.0/numbers/provision', PROVISION)).status).toBe(200);
    const again = await client.post('/v1.0/numbers/provision', PROVISION);
    expect([again.status, again.headers.get('retry-after')]).toEqual([429, '1']);
    expect((await client.post('/v1.0/numbers/portin', portIn('+13125550150'))).status).toBe(200);
    expect((await client.post('/v1.0/numbers/portin', portIn('+13125550151'))).status).toBe(429);
    await client.advance('1s');
    expect((await client.post('/v1.0/numbers/provision', PROVISION)).status).toBe(200);
    expect((await client.post('/v1.0/numbers/portin', portIn('+13125550151'))).status).toBe(200);
  });
});

describe('the control plane', () => {
  it('answers loopback only', async () => {
    const ask = (headers: Record<string, string>) =>
      new Promise<number>((resolve, reject) => {
        const call = request(`${client.sandbox.url}/sandbox/state`, { headers }, (res) => {
          res.resume();
          resolve(res.statusCode ?? 0);
        });
        call.on('error', reject).end();
      });
    expect(await ask({})).toBe(200);
    expect(await ask({ Origin: client.sandbox.url })).toBe(200);
    expect(await ask({ Origin: client.sandbox.url, 'Sec-Fetch-Site': 'same-origin' })).toBe(200);
    // A page that another program of this machine serves is another origin.
    expect(await ask({ Origin: 'http://localhost:3900' })).toBe(403);
    expect(await ask({ Origin: 'http://127.0.0.1:3900' })).toBe(403);
    expect(await ask({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
    expect(await ask({ 'Sec-Fetch-Site': 'same-site' })).toBe(403);
    expect(await ask({ 'X-Forwarded-For': '203.0.113.9' })).toBe(403);
    expect(await ask({ Via: '1.1 proxy' })).toBe(403);
    expect(await ask({ Origin: 'https://evil.test' })).toBe(403);
    expect(await ask({ Origin: 'null' })).toBe(403);
    expect(await ask({ Host: 'rebound.test' })).toBe(403);
  });

  it('names what is wrong with a request', async () => {
    const wrong = async (what: string, body: unknown, word: string) => {
      const answer = await client.control(what, body);
      expect([what, answer.status]).toEqual([what, 400]);
      expect(answer.body.Message).toContain(word);
    };
    await wrong('clock', '{', 'not JSON');
    await wrong('clock', {}, 'advance');
    await wrong('clock', { advance: 'soon' }, 'advance');
    await wrong('clock', { now: '2026-03-01T00:00:00Z' }, 'now');
    await wrong('orders', { OrderId: id('JNUOID', 1), Status: 'Lost' }, 'Status');
    await wrong('calls', { From: '+13125550100', To: seeded(1), Event: 'Call_Lost' }, 'Event');
    await wrong('inbound', { From: '+13125550100', To: seeded(1) }, 'Body');
    await wrong('faults', { path: '/v1.0/numbers' }, 'status');
    await wrong('faults', { path: '/v1.0/numbers', status: 500, hangMs: 5 }, 'one of');
    await wrong('settings', { tokenSeconds: 0 }, 'tokenSeconds');
    expect((await client.control('orders', { OrderId: 'JNUOID-x', Status: 'Rejected' })).status).toBe(404);
    expect((await client.control('inbound', { From: seeded(1), To: '+13125550100', Body: 'x' })).status).toBe(404);
    expect((await client.control('nothing')).status).toBe(404);
    expect((await client.control('clock')).status).toBe(405);
  });

  it('lists the requests to the platform, not those to itself', async () => {
    await client.get(INVENTORY);
    await client.raw('GET', INVENTORY);
    const { body } = await client.control('requests');
    expect(
      body.map((row: { method: string; path: string; status: number }) => [row.method, row.path, row.status]),
    ).toEqual([
      ['POST', '/v1.0/oauth2/tokens', 200],
      ['GET', INVENTORY, 200],
      ['GET', INVENTORY, 401],
    ]);
    expect(Date.parse(body[0].time)).toBeGreaterThanOrEqual(Date.parse('2026-03-02T12:00:00Z'));
  });
});

it('stands alone: nothing of it imports from outside src/demo/sandbox', () => {
  const root = new URL('../../../src/demo/sandbox', import.meta.url).pathname;
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    expect([file, text.split('\n').length < 450]).toEqual([file, true]);
    for (const [, from = ''] of text.matchAll(/from '([^']+)'/g)) {
      const up = (from.match(/\.\.\//g) ?? []).length > file.split('/').length - 1;
      expect([file, from, up]).toEqual([file, from, false]);
    }
  }
});
