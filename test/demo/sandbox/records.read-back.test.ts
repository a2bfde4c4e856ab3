import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A1, Client, CRID, id, type Json, MRID, seeded, TSUID } from './helper.ts';

/* A created record can be read back, changed and removed, by its own distributor only. */

let client: Client;
beforeEach(async () => {
  client = await Client.start();
});
afterEach(() => client.close());

interface Kind {
  name: string;
  /** The record's id, as answers spell it, and as requests do. */
  id: string;
  query?: string;
  base: string;
  /** The path that makes one, below `base`. */
  make?: string;
  body: Record<string, unknown>;
  /** The fields of an update, and a value that the update refuses. */
  change?: Record<string, unknown>;
  wrong?: [field: string, value: unknown];
  deleted: Record<string, unknown>;
  list?: string;
}

const KINDS: Kind[] = [
  {
    ...{ name: 'message route', id: 'MessageRouteId', base: '/v1.0/message/routes' },
    body: {
      RouteName: 'Inbox',
      MessageUrl: 'https://x.test/m',
      MessageUrlMethod: 'POST',
      AccountId: A1,
      MessagePasswordToken: 'kept-from-answers',
    },
    change: { RouteName: 'Inbox two' },
    wrong: ['MessageUrl', 'ftp://x.test'],
    deleted: { MessageRouteStatus: 'Deleted', MRID: expect.any(String) },
    list: `/v1.0/account/message/routes?AccountId=${A1}`,
  },
  {
    ...{ name: 'voice route', id: 'CallRouteId', query: 'CallRouteID', base: '/v1.0/voice/routes' },
    body: { RouteName: 'Trunk', RouteType: 'Trunk', TrunkIp1: '192.0.2.1', AccountId: A1 },
    change: { TrunkIp1: '192.0.2.2' },
    wrong: ['RouteType', 'Pigeon'],
    deleted: { CallRouteStatus: 'Deleted' },
    list: `/v1.0/account/voice/routes?AccountId=${A1}`,
  },
  {
    ...{ name: 'webhook', id: 'WebhookId', base: '/v1.0/webhook', make: '/create' },
    body: { WebhookUrl: 'https://x.test/h', SubscribedEvents: 'Order_Update' },
    change: { SubscribedEvents: 'New_Sms' },
    wrong: ['SubscribedEvents', 'Nonsense'],
    deleted: { WebhookStatus: 'Deleted' },
    list: '/v1.0/account/webhooks',
  },
  {
    ...{ name: 'product', id: 'ProductId', base: '/v1.0/products' },
    body: { SKU: 'S', Description: 'D', Type: 'data', Cost: 1, BillingFrequency: 'MRC' },
    change: { Cost: 2 },
    wrong: ['BillingFrequency', 'weekly'],
    deleted: { ProductStatus: 'Deleted' },
    list: '/v1.0/account/products',
  },
  {
    ...{ name: 'package', id: 'PackageId', base: '/v1.0/packages' },
    body: { PackageName: 'P', Type: 'esim', Price: 5, Monthly: true },
    change: { Price: 6 },
    wrong: ['Price', 'much'],
    deleted: { PackageStatus: 'Deleted' },
    list: '/v1.0/account/packages?Filter=Active',
  },
  {
    ...{ name: 'subscription', id: 'SubscriptionId', base: '/v1.0/subscriptions' },
    body: { SubscriberId: TSUID, TNID: id('NID', 1), PackageId: id('PKID', 1), Type: 'Mvno' },
    change: { ICCID: '8901240397190195850' },
    wrong: ['PackageId', id('PKID', 77)],
    deleted: { SubscriptionStatus: 'Deleted' },
    list: '/v1.0/account/subscriptions',
  },
  {
    ...{ name: 'feature', id: 'FeatureId', base: '/v1.0/subscriptions/features', make: '/add' },
    body: { FeatureName: 'F' },
    deleted: { FeatureStatus: 'Deleted' },
  },
];

describe.each(KINDS.map((kind) => [kind.name, kind] as const))('a %s', (_name, kind) => {
  const make = () => client.post(`${kind.base}${kind.make ?? ''}`, kind.body);
  const read = (value: string, who?: 'other') =>
    client.get(`${kind.base}?${kind.query ?? kind.id}=${encodeURIComponent(value)}`, who);
  const rows = async (who?: 'other'): Promise<Json[]> => {
    const { body } = await client.get(kind.list ?? '', who);
    return Array.isArray(body) ? body : (body.Results ?? []);
  };

  it('is made, read, listed, changed, read again, deleted, and then not found', async () => {
    const { body } = kind;
    const made = await make();
    const given = made.body[kind.id];
    expect([made.status, given]).toEqual([200, expect.any(String)]);
    expect((await read(given)).body).toMatchObject({ [kind.id]: given, Successful: true });
    expect(JSON.stringify((await read(given)).body)).not.toContain('kept-from-answers');
    if (kind.list) expect((await rows()).map((row) => row[kind.id])).toContain(given);

    if (kind.change) {
      const changed = await client.post(`${kind.base}/update`, { [kind.id]: given, ...kind.change });
      expect([changed.status, changed.body]).toEqual([200, expect.objectContaining(kind.change)]);
      const { body: now } = await read(given);
      expect(now).toMatchObject(kind.change);
      const kept = Object.keys(body).filter((name) => !(name in (kind.change ?? {})) && name in now);
      for (const name of kept) expect([name, now[name]]).toEqual([name, body[name]]);
    }

    const path = `${kind.base}/delete`;
    const removed = await client.post(path, { [kind.id]: given });
    expect([removed.status, removed.body]).toEqual([200, expect.objectContaining(kind.deleted)]);
    expect((await read(given)).status).toBe(404);
    expect((await client.post(path, { [kind.id]: given })).status).toBe(404);
    if (kind.list) expect((await rows()).map((row) => row[kind.id])).not.toContain(given);
  });

  it('is not there for another distributor', async () => {
    const made = await make();
    const given = made.body[kind.id];
    expect((await read(given, 'other')).status).toBe(404);
    expect((await client.post(`${kind.base}/delete`, { [kind.id]: given }, 'other')).status).toBe(404);
    if (kind.change) {
      const answer = await client.post(`${kind.base}/update`, { [kind.id]: given, ...kind.change }, 'other');
      expect([400, 404]).toContain(answer.status);
    }
    expect((await read(given)).status).toBe(200);
  });

  it('names what is missing or wrong', async () => {
    const missing = await client.get(kind.base);
    expect([missing.status, missing.body.Message]).toEqual([400, expect.stringContaining(kind.query ?? kind.id)]);
    const empty = await client.post(`${kind.base}/delete`, {});
    expect([empty.status, empty.body.Message]).toEqual([400, expect.stringContaining(kind.id)]);
    if (!kind.change || !kind.wrong) return;
    expect((await client.post(`${kind.base}/update`, { ...kind.change })).body.Message).toContain(kind.id);
    const made = await make();
    const before = (await read(made.body[kind.id])).body;
    const [field, value] = kind.wrong;
    const refused = await client.post(`${kind.base}/update`, { [kind.id]: made.body[kind.id], [field]: value });
    expect([refused.status, refused.body.Message]).toEqual([400, expect.stringContaining(field)]);
    expect((await read(made.body[kind.id])).body).toEqual(before);
  });
});

describe('what is in use', () => {
  it('a package keeps its subscribers until each subscription is deleted', async () => {
    const refused = await client.post('/v1.0/packages/delete', { PackageId: id('PKID', 1) });
    expect([refused.status, refused.body.Message]).toEqual([400, expect.stringContaining('active subscriptions (1)')]);
    await client.post('/v1.0/subscriptions/delete', { SubscriptionId: id('SUB', 1) });
    expect((await client.post('/v1.0/packages/delete', { PackageId: id('PKID', 1) })).status).toBe(200);
    // The product is in no package any more.
    expect((await client.post('/v1.0/products/delete', { ProductId: id('PRID', 1) })).status).toBe(200);
  });

  it('numbers on a deleted route lose their routing', async () => {
    await client.post('/v1.0/message/routes/delete', { MessageRouteId: MRID });
    await client.post('/v1.0/voice/routes/delete', { CallRouteId: CRID });
    expect(await client.number(seeded(1))).toMatchObject({ MessageRouteId: null, VoiceRouteId: null });
    expect((await client.post('/v1.0/numbers/update', { Number: seeded(1), MessageRouteId: MRID })).status).toBe(400);
  });

  it('a deleted feature or subscription takes its assignments with it', async () => {
    const assign = { FeatureId: id('FEID', 1), SubscriptionId: id('SUB', 1) };
    const path = '/v1.0/subscriptions/features/assignments';
    const list = async () => (await client.get(`${path}?FeatureId=${id('FEID', 1)}`)).body;
    const { FeatureAssignmentId } = (await client.post(`${path}/add`, assign)).body;
    expect(await list()).toEqual([{ FeatureAssignmentId, ...assign, Active: true }]);
    expect((await client.post(`${path}/delete`, { FeatureAssignmentId }, 'other')).status).toBe(404);
    expect((await client.post(`${path}/delete`, { FeatureAssignmentId })).body).toMatchObject({
      FeatureAssignmentStatus: 'Deleted',
    });
    expect((await client.post(`${path}/delete`, { FeatureAssignmentId })).status).toBe(404);
    await client.post(`${path}/add`, assign);
    await client.post('/v1.0/subscriptions/delete', { SubscriptionId: id('SUB', 1) });
    expect(await list()).toEqual([]);
    await client.post('/v1.0/subscriptions/features/delete', { FeatureId: id('FEID', 1) });
    expect(await list()).toMatchObject({ StatusCode: 404 });
  });
});

describe('items, lists and the search', () => {
  it('a changed webhook needs the credentials of its kind, and delivers in the new way', async () => {
    const hook = { WebhookUrl: 'https://x.test/h', SubscribedEvents: 'Order_Update' };
    const { WebhookId } = (await client.post('/v1.0/webhook/create', hook)).body;
    const update = (body: object) => client.post('/v1.0/webhook/update', { WebhookId, ...body });
    expect((await update({ AuthenticationType: 'Basic' })).body.Message).toContain('AuthenticationUsername');
    expect((await update({ AuthenticationType: 'Token', AuthenticationToken: 't-1' })).status).toBe(200);
    expect((await update({ Method: 'PUT' })).body).toMatchObject({ AuthenticationType: 'Token', Method: 'PUT' });
  });

  it('the search finds what a number sent and received, newest first, a page at a time', async () => {
    const send = (From: string, To: string, Body: string) =>
      client.post('/v1.0/message/outbound', { To: [{ Number: To }], From, Body });
    await send(seeded(1), seeded(3), 'one');
    await client.advance('1m');
    await send(seeded(3), seeded(1), 'two');
    await client.advance('1m');
    await client.control('inbound', { From: '+12015550199', To: seeded(1), Body: 'three' });
    const search = async (query: string, who?: 'other') => await client.get(`/v1.0/message/search?${query}`, who);
    const phone = encodeURIComponent(seeded(1));
    const { body } = await search(`phoneNumber=${phone}`);
    expect(body).toMatchObject({ PhoneNumber: seeded(1), ResultsTotalRecords: 3, ResultsPages: 1 });
    expect(body.Results.map((row: Json) => [row.Body, row.Direction])).toEqual([
      ['three', 'Inbound'],
      ['two', 'Inbound'],
      ['one', 'Outbound'],
    ]);
    const second = await search(`PhoneNumber=${phone}&Page=2&Results=2`);
    expect(second.body).toMatchObject({ ResultsPages: 2, Results: [{ Body: 'one', To: [{ Number: seeded(3) }] }] });
    const { MessageID } = body.Results[0];
    expect((await client.get(`/v1.0/message/details?MessageId=${MessageID}`)).body.Body).toBe('three');
    expect((await search(`phoneNumber=${phone}`, 'other')).status).toBe(404);
    expect((await search('')).body.Message).toContain('phoneNumber');
    expect((await search(`phoneNumber=${phone}&Page=none`)).body.Message).toContain('Page');
  });
});
