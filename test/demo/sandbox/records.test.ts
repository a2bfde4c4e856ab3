import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A1, Client, id, type Json, seeded, TSUID } from './helper.ts';

let client: Client;
beforeEach(async () => {
  client = await Client.start();
});
afterEach(() => client.close());

const refused = async (path: string, body: object, message: string, status = 400) => {
  const answer = await client.post(path, body);
  expect([message, answer.status, answer.body.Message]).toEqual([message, status, expect.stringContaining(message)]);
};

describe('accounts and subscribers', () => {
  it('lists exactly the numbers assigned to a subscriber, whatever moves them', async () => {
    const listed = async (n: number) =>
      (await client.get(`/v1.0/subscribers/get?SubscriberId=${id('TSUID', n)}`)).body.PhoneNumbers as string[];
    const assigned = async (n: number) =>
      ((await client.state()).numbers as Json[])
        .filter((row) => row.AssignedSubscriberId === id('TSUID', n))
        .map((row) => row.Number);
    expect(await listed(1)).toEqual(await assigned(1));
    expect(await listed(1)).toContain(seeded(1));
    expect(await listed(1)).not.toContain(seeded(9));
    expect(await listed(2)).toEqual([seeded(2)]);
    await client.post('/v1.0/numbers/update', { Number: seeded(10), AssignedSubscriberId: id('TSUID', 1) });
    expect(await listed(1)).toContain(seeded(10));
    await client.post('/v1.0/numbers/status', {
      StatusChange: 'replace',
      EffectiveDate: '03/02/2026',
      AreaCode: '312',
      PhoneNumbers: [{ Number: seeded(10) }],
    });
    expect(await listed(1)).toContain('+13125552000');
    expect(await listed(1)).not.toContain(seeded(10));
    expect((await client.state()).subscribers[0].PhoneNumbers).toEqual(await assigned(1));
  });

  it('binds the free numbers a subscriber is created with, and refuses those of others', async () => {
    const sub = { Name: 'N', Email: 'n@x.test', Role: 'Subscriber', Password: 'p', AccountId: A1 };
    await refused('/v1.0/subscribers/create', { ...sub, PhoneNumbers: [seeded(1)] }, 'PhoneNumbers');
    await refused('/v1.0/subscribers/create', { ...sub, PhoneNumbers: ['+12015550177'] }, 'PhoneNumbers');
    const made = await client.post('/v1.0/subscribers/create', { ...sub, PhoneNumbers: [seeded(10)] });
    expect(made.body.PhoneNumbers).toEqual([seeded(10)]);
    expect((await client.number(seeded(10))).AssignedSubscriberId).toBe(made.body.SubscriberId);
  });
});

describe('products, packages, subscriptions, features', () => {
  it('deletes a product only once no active package holds it', async () => {
    const product = { SKU: 'S', Description: 'D', Type: 'esim', SubType: 'esim', Cost: 12.34, BillingFrequency: 'MRC' };
    expect((await client.post('/v1.0/products', product)).body).toMatchObject({ ...product, Active: true });
    await refused('/v1.0/products', { ...product, Cost: '12' }, 'Cost');
    await refused('/v1.0/products', { ...product, BillingFrequency: 'Weekly' }, 'BillingFrequency');
    await refused('/v1.0/products/delete', { ProductId: id('PRID', 1) }, 'package');
    await refused('/v1.0/packages/items/delete', { PackageId: id('PKID', 1), PackageItemId: 'PIID-x' }, 'PIID-x', 404);
    const item = { PackageId: id('PID', 1), PackageItemId: id('PIID', 1) };
    expect((await client.post('/v1.0/packages/items/delete', item)).body.PackageItemStatus).toBe('Deleted');
    const gone = await client.post('/v1.0/products/delete', { ProductId: id('PID', 1) });
    expect(gone.body).toMatchObject({ ProductId: id('PID', 1), ProductStatus: 'Deleted' });
    await refused('/v1.0/products/delete', { ProductId: id('PRID', 1) }, 'not found', 404);
  });

  it('allows one subscription per number, of its kind', async () => {
    const given = { SubscriberId: TSUID, TNID: id('NID', 1), PackageId: id('PKID', 1), Type: 'mvno' };
    const path = '/v1.0/subscriptions';
    await refused(path, { ...given, Type: 'Voip' }, 'Type');
    await refused(path, { ...given, TNID: 'NID-x' }, 'TNID');
    await refused(path, { ...given, TNID: undefined }, 'TNID');
    await refused(path, { ...given, SubscriberId: 'TSUID-x' }, 'SubscriberId');
    await refused(path, { ...given, SubscriberId: id('TSUID', 2) }, 'SubscriberId');
    await refused(path, { ...given, PackageId: 'PKID-x' }, 'PackageId');
    expect((await client.post(path, given)).body).toMatchObject({ ...given, Type: 'Mvno', Active: true });
    await refused(path, given, 'TNID');
  });
});

describe('guardian', () => {
  it('keeps two flags apart', async () => {
    const path = '/v1.0/subscribers/guardian-features';
    await client.post(path, { SubscriberId: TSUID, EnableIntelligentGuardianCalls: true });
    await client.post(path, { SubscriberId: TSUID, EnableIntelligentGuardianMessages: true });
    expect((await client.get(`${path}?SubscriberId=${TSUID}`)).body).toEqual({
      SubscriberId: TSUID,
      EnableIntelligentGuardianCalls: true,
      EnableIntelligentGuardianMessages: true,
      Successful: true,
    });
    await refused(path, { SubscriberId: 'TSUID-x' }, 'not found', 404);
    await refused(
      path,
      { SubscriberId: TSUID, EnableIntelligentGuardianCalls: 'on' },
      'EnableIntelligentGuardianCalls',
    );
  });
});
