import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A1, A2, Client, CRID, id, type Json, MRID, seeded, TSUID } from './helper.ts';

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

  it('makes an account that subscribers can join', async () => {
    const made = await client.post('/v1.0/account/create', {
      AccountName: 'New Co',
      AccountAdmin: 'a@x.test',
      BillingAddress: { Street1: '1 Main', Country: 'USA' },
    });
    expect(made.body).toMatchObject({
      AccountName: 'New Co',
      TotalSubscribers: 0,
      BillingAddress: { Street1: '1 Main', City: null },
    });
    const { AccountId } = made.body;
    const person = {
      Name: 'Kim',
      Email: 'kim@x.test',
      PhoneNumbers: [],
      Role: 'Manager',
      Password: 'pass-kim-1',
      AccountId,
    };
    const kim = await client.post('/v1.0/subscribers/create', person);
    expect(kim.body).toMatchObject({ Name: 'Kim', Role: 'Manager', Account: { AccountId, CompanyName: 'New Co' } });
    const read = await client.get(`/v1.0/subscribers/get?SubscriberId=${kim.body.SubscriberId}`);
    expect(read.body).toEqual(kim.body);
    expect(JSON.stringify(kim.body) + JSON.stringify(await client.state())).not.toContain('pass-kim-1');
    await refused('/v1.0/subscribers/create', { ...person, Email: 'KIM@x.test' }, 'Email already exists');
    const other = await client.post('/v1.0/subscribers/create', { ...person, AccountId: id('AID', 9) }, 'other');
    expect(other.body).toEqual({ StatusCode: 400, Message: 'Email already exists' });
    await refused(
      '/v1.0/subscribers/create',
      { ...person, Email: 'k2@x.test', AccountId: 'AID-x' },
      'Invalid AccountId',
    );
    for (const field of Object.keys(person))
      await refused('/v1.0/subscribers/create', { ...person, Email: 'k3@x.test', [field]: undefined }, field);
    await refused('/v1.0/subscribers/create', { ...person, Email: 'k3@x.test', Role: 'Boss' }, 'Role');
    await refused('/v1.0/account/create', { AccountAdmin: 'a@x.test' }, 'AccountName');
    await refused('/v1.0/account/create', { AccountName: 'x', BillingAddress: 'here' }, 'BillingAddress');
    expect((await client.get('/v1.0/subscribers/get?SubscriberId=TSUID-x')).status).toBe(404);
  });
});

describe('routes', () => {
  const route = { RouteName: 'R', MessageUrl: 'https://x.test/m', MessageUrlMethod: 'POST', AccountId: A1 };

  it('makes and changes message routes, passwords kept in', async () => {
    const secrets = { MessagePasswordToken: 'in-secret', CallbackMessagePasswordToken: 'cb-secret' };
    const made = await client.post('/v1.0/message/routes', {
      ...route,
      ...secrets,
      MessageAuthenticationType: 'Basic',
    });
    expect(made.body).toMatchObject({ ...route, MessageRouteEnabled: true, MessageAuthenticationType: 'Basic' });
    const changed = await client.post('/v1.0/message/routes/update', {
      MessageRouteId: made.body.MessageRouteId,
      RouteName: 'Renamed',
      CallbackMessageUrl: null,
      MessageRouteEnabled: false,
    });
    expect(changed.body).toMatchObject({
      RouteName: 'Renamed',
      MessageUrl: route.MessageUrl,
      MessageRouteEnabled: false,
    });
    for (const value of [made.body, changed.body, await client.state()])
      expect(JSON.stringify(value)).not.toContain('-secret');
    await refused('/v1.0/message/routes', { ...route, AccountId: undefined }, 'AccountId');
    await refused('/v1.0/message/routes', { ...route, AccountId: 'AID-x' }, 'Invalid AccountId');
    await refused('/v1.0/message/routes', { ...route, MessageUrl: 'http://x.test/m' }, 'MessageUrl');
    await refused('/v1.0/message/routes', { ...route, RouteName: undefined }, 'RouteName');
    await refused(
      '/v1.0/message/routes',
      { ...route, MessageAuthenticationType: 'Token' },
      'MessageAuthenticationType',
    );
    const update = '/v1.0/message/routes/update';
    await refused(update, { MessageRouteId: MRID, MessageRouteEnabled: null }, 'MessageRouteEnabled');
    await refused(update, { MessageRouteId: 'MRID-x' }, 'MRID-x', 404);
    await refused(update, { MessageRouteId: MRID, AccountId: A2 }, MRID, 404);
    const alone = await client.post('/v1.0/message/routes', { ...route, AccountId: undefined }, 'other');
    expect(alone.body.AccountId).toBe(id('AID', 9));
  });

  it('makes, reads and lists voice routes', async () => {
    const given = { RouteName: 'V', RouteType: 'Trunk', TrunkPort1: '5061', Trunk1Priortiy: 10, AccountId: A2 };
    const made = await client.post('/v1.0/voice/routes', { ...given, IpWhitelist: [{ IpAddress: '20.20.10.10' }] });
    expect(made.body).toMatchObject({ ...given, IpWhiteList: [] });
    const read = await client.get(`/v1.0/voice/routes?CallRouteID=${made.body.CallRouteId}`);
    expect(read.body).toMatchObject({ ...given, CallRouteStatus: 'Active' });
    const list = await client.get(`/v1.0/account/voice/routes?AccountId=${A2}`);
    expect(list.body).toMatchObject({
      AccountID: A2,
      TotalRoutes: 1,
      Results: [{ IpWhitelist: [{ IpAddress: '20.20.10.10' }] }],
    });
    expect((await client.get('/v1.0/account/voice/routes')).body.Results[0].CallRouteId).toBe(CRID);
    expect((await client.get('/v1.0/account/voice/routes?AccountId=AID-x')).status).toBe(404);
    await refused('/v1.0/voice/routes', { ...given, RouteType: 'Pigeon' }, 'RouteType');
    await refused('/v1.0/voice/routes', { ...given, TrunkPort1: 5061 }, 'TrunkPort1');
    await refused('/v1.0/voice/routes', { ...given, Trunk1Priortiy: 1.5 }, 'Trunk1Priortiy');
    await refused('/v1.0/voice/routes', { ...given, IpWhitelist: [{}] }, 'IpWhitelist[0].IpAddress');
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

  it('makes packages and adds items', async () => {
    const items = [{ ProductId: id('PRID', 2), Price: '1.12', Monthly: false, Type: 'data' }];
    const given = { PackageName: 'P', Type: 'sip', Price: 300, Monthly: true, PackageItems: items };
    const made = await client.post('/v1.0/packages', given);
    expect(made.body).toMatchObject({ PackageName: 'P', Active: true, PackageItems: [{ Price: 1.12 }] });
    expect(made.body.PackageId).toMatch(/^PID-/);
    const add = {
      PackageId: made.body.PackageId,
      ProductId: id('PRID', 1),
      Price: '2.50',
      Monthly: true,
      Type: 'esim',
    };
    expect((await client.post('/v1.0/packages/items/add', add)).body).toMatchObject({
      ...add,
      Price: 2.5,
      Active: true,
    });
    await refused('/v1.0/packages/items/add', { ...add, PackageId: 'PKID-x' }, 'PKID-x', 404);
    await refused('/v1.0/packages/items/add', { ...add, ProductId: 'PRID-x' }, 'Invalid ProductId');
    await refused('/v1.0/packages/items/add', { ...add, Price: 'cheap' }, 'Price');
    await refused('/v1.0/packages', { ...given, PackageItems: [{ ProductId: 'PRID-x' }] }, 'PackageItems[0].ProductId');
    await refused('/v1.0/packages', { ...given, Monthly: 'yes' }, 'Monthly');
    await refused('/v1.0/products/delete', { ProductId: id('PRID', 2) }, 'package');
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

  it('makes, reads and assigns features', async () => {
    const given = { AccountId: A2, FeatureName: 'Boost', FeatureType: 'Data', FeatureDescription: 'More' };
    const { body } = await client.post('/v1.0/subscriptions/features/add', given);
    expect(body).toMatchObject({ ...given, Active: true });
    expect((await client.get(`/v1.0/subscriptions/features?FeatureId=${body.FeatureId}`)).body).toEqual(body);
    const assign = { FeatureId: body.FeatureId, SubscriptionId: id('SUB', 1) };
    const path = '/v1.0/subscriptions/features/assignments/add';
    expect((await client.post(path, assign)).body.FeatureAssignmentId).toMatch(/^FAID-/);
    await refused(path, assign, 'FeatureId');
    await refused(path, { ...assign, SubscriptionId: 'SUB-x' }, 'Invalid SubscriptionId');
    await refused(path, { ...assign, FeatureId: 'FEID-x' }, 'Invalid FeatureId');
    await refused('/v1.0/subscriptions/features/add', { ...given, FeatureName: undefined }, 'FeatureName');
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

  it('makes call filters and edits their lists', async () => {
    const path = '/v1.0/subscribers/call-filter';
    const given = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'WHITELIST', AllowedNumbers: ['+12015551111'] };
    const { body } = await client.post(path, given);
    expect(body).toMatchObject({ ...given, BlockedNumbers: [], BlockUnknownNumbers: false });
    const edit = async (list: string, Numbers: string[]): Promise<Json> =>
      (await client.post(`${path}/${list}`, { SubscriberId: TSUID, CallFilterId: body.FilterId, Numbers })).body;
    expect((await edit('allowed-numbers/add', ['+12015552222', '+12015551111'])).AllowedNumbers).toEqual([
      '+12015551111',
      '+12015552222',
    ]);
    expect((await edit('blocked-numbers/add', ['+12015553333', '+12015554444'])).BlockedNumbers).toHaveLength(2);
    expect((await edit('blocked-numbers/remove', ['+12015553333'])).BlockedNumbers).toEqual(['+12015554444']);
    expect((await client.get(`${path}?SubscriberId=${TSUID}`)).body).toMatchObject([{ FilterId: body.FilterId }]);
    expect((await client.get(`${path}?Phone=${seeded(3)}`)).body).toEqual([]);
    expect((await client.get(`${path}?AccountId=${A2}`)).body).toEqual([]);
    expect((await client.get(path, 'other')).body).toEqual([]);
    await refused(path, { ...given, FilterMode: 'ACTIVE' }, 'FilterMode');
    await refused(path, { ...given, SubscriberId: 'TSUID-x' }, 'Invalid SubscriberId');
    await refused(path, { ...given, Phone: 'x' }, 'Phone');
    const edits = { SubscriberId: TSUID, CallFilterId: 'CFID-x', Numbers: ['+12015552222'] };
    await refused(`${path}/allowed-numbers/add`, edits, 'CFID-x', 404);
    await refused(`${path}/blocked-numbers/remove`, { ...edits, Numbers: undefined }, 'Numbers');
    await refused(`${path}/blocked-numbers/add`, { ...edits, Numbers: ['x'] }, 'Numbers[0]');
    const foreign = { SubscriberId: id('TSUID', 2), CallFilterId: body.FilterId, Numbers: ['+12015552222'] };
    await refused(`${path}/allowed-numbers/add`, foreign, 'not found', 404);
  });

  it('makes message filters with levels and modes', async () => {
    const path = '/v1.0/subscribers/message-filter';
    const given = { SubscriberId: TSUID, Phone: seeded(1), BlockLinks: true };
    for (const FilterMode of ['CHILD', 'ADOLESCENT', 'TEENAGER', 'ACTIVE', 'MONITOR_ONLY', 'INACTIVE'])
      expect((await client.post(path, { ...given, FilterMode })).body).toMatchObject({ ...given, FilterMode });
    await refused(path, { ...given, FilterMode: 'WHITELIST' }, 'FilterMode');
    const { FilterId } = (await client.post(path, { ...given, FilterMode: 'CHILD' })).body;
    const edit = { SubscriberId: TSUID, MessageFilterId: FilterId, Contacts: ['+12015555555'] };
    expect((await client.post(`${path}/allowed-contacts/add`, edit)).body.AllowedContacts).toEqual(edit.Contacts);
    expect((await client.post(`${path}/blocked-contacts/add`, edit)).body.BlockedContacts).toEqual(edit.Contacts);
    await refused(`${path}/allowed-contacts/add`, { ...edit, MessageFilterId: undefined }, 'MessageFilterId');
  });
});

it('changes a workgroup activity', async () => {
  const path = '/v1.0/workgroups/activity/update';
  const WorkgroupActivityId = id('WAID', 1);
  const given = { WorkgroupActivityId, DigitOrder: 4, WorkgroupId: id('WID', 1), SmsNotification: true };
  expect((await client.post(path, given)).body).toEqual({
    WorkgroupActivityStatus: 'Updated',
    WorkgroupActivityId,
    Successful: true,
  });
  expect((await client.state()).workgroups[0].Activities[0].fields).toMatchObject({
    DigitOrder: 4,
    SmsNotification: true,
    PhoneNumber: seeded(1),
  });
  await refused(path, {}, 'WorkgroupActivityId');
  await refused(path, { WorkgroupActivityId: 'WAID-x' }, 'WAID-x', 404);
  await refused(path, { WorkgroupActivityId, WorkgroupId: 'WID-x' }, 'WorkgroupId');
  await refused(path, { WorkgroupActivityId, DigitOrder: '4' }, 'DigitOrder');
});
