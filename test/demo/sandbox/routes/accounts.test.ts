import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A1, Client, id, type Json, seeded, TSUID } from '../helper.ts';

/* Accounts, subscribers, filters and workgroups are read back, changed and removed. */

const T2 = id('TSUID', 2);
const WID = id('WID', 1);

let client: Client;
beforeEach(async () => {
  client = await Client.start();
});
afterEach(() => client.close());

const refused = async (
  path: string,
  body: object,
  message: string,
  status = 400,
  who: 'sandbox' | 'other' = 'sandbox',
) => {
  const answer = await client.post(path, body, who);
  expect([message, answer.status, answer.body.Message]).toEqual([message, status, expect.stringContaining(message)]);
};
const missing = async (path: string, who: 'sandbox' | 'other' = 'sandbox') =>
  expect((await client.get(path, who)).status).toBe(404);

const FILTERS = [
  {
    kind: 'call',
    path: '/v1.0/subscribers/call-filter',
    idField: 'CallFilterId',
    noun: 'Numbers',
    made: { FilterMode: 'BLACKLIST', BlockInternational: true, TranscriptionAction: 'NOTIFY' },
    update: { FilterMode: 'WHITELIST', BlockUnknownNumbers: true },
    replaced: { BlockInternational: false, TranscriptionAction: null },
    wrong: { FilterMode: 'CHILD' },
  },
  {
    kind: 'message',
    path: '/v1.0/subscribers/message-filter',
    idField: 'MessageFilterId',
    noun: 'Contacts',
    made: { FilterMode: 'ADOLESCENT', BlockLinks: true, KeywordFilter: '{"CustomKeywords":["x"]}' },
    update: { FilterMode: 'INACTIVE', BlockMedia: true },
    replaced: { BlockLinks: false, KeywordFilter: null },
    wrong: { FilterMode: 'WHITELIST' },
  },
] as const;

describe.each(FILTERS)('a $kind filter', ({ path, idField, noun, made, update, replaced, wrong }) => {
  const [allowed, blocked] = [`Allowed${noun}`, `Blocked${noun}`];
  const lists = { [allowed]: ['+12015551111', '+12015552222'], [blocked]: ['+12015553333'] };
  const create = async (): Promise<Json> =>
    (await client.post(path, { SubscriberId: TSUID, Phone: seeded(1), ApplyToInbound: true, ...made, ...lists })).body;
  const read = async () => (await client.get(`${path}?SubscriberId=${TSUID}`)).body;
  const listPath = (list: string, FilterId: string, subscriber = TSUID) =>
    `${path}/${list}-${noun.toLowerCase()}?SubscriberId=${subscriber}&${idField}=${FilterId}`;

  it('is created, read, updated, read, deleted, and then not found', async () => {
    const { Successful: _, ...filter } = await create();
    expect(await read()).toEqual([filter]);
    const changed = await client.post(`${path}/update`, { FilterId: filter.FilterId, ...update });
    expect(changed.body).toMatchObject({ FilterId: filter.FilterId, Phone: seeded(1), ...update, Successful: true });
    expect(await read()).toMatchObject([{ SubscriberId: TSUID, ...update }]);
    const gone = await client.post(`${path}/delete`, { [idField]: filter.FilterId });
    expect(gone.body).toMatchObject({ Status: 'Deleted', FilterId: filter.FilterId, DateDeleted: expect.any(String) });
    expect(await read()).toEqual([]);
    await refused(`${path}/delete`, { [idField]: filter.FilterId }, filter.FilterId, 404);
    await refused(`${path}/update`, { FilterId: filter.FilterId, ...update }, filter.FilterId, 404);
    await missing(listPath('allowed', filter.FilterId));
  });

  it('is replaced by an update, but for mode, number and subscriber', async () => {
    const { FilterId } = await create();
    const { body } = await client.post(`${path}/update`, { FilterId, NotificationPhones: ['+12015554444'] });
    expect(body).toMatchObject({
      SubscriberId: TSUID,
      Phone: seeded(1),
      FilterMode: made.FilterMode,
      NotificationPhones: ['+12015554444'],
      ApplyToInbound: false,
      [allowed]: [],
      [blocked]: [],
      ...replaced,
    });
  });

  it('names what is missing or wrong, and changes nothing', async () => {
    const { FilterId } = await create();
    const before = await read();
    await refused(`${path}/update`, update, 'FilterId');
    await refused(`${path}/update`, { FilterId, ...wrong }, 'FilterMode');
    await refused(`${path}/update`, { FilterId, Phone: 'x' }, 'Phone');
    await refused(`${path}/update`, { FilterId, [blocked]: ['x'] }, `${blocked}[0]`);
    await refused(`${path}/update`, { FilterId, ApplyToInbound: 'yes' }, 'ApplyToInbound');
    await refused(`${path}/update`, { FilterId, SubscriberId: T2 }, 'SubscriberId');
    await refused(`${path}/delete`, {}, idField);
    const entry = { SubscriberId: TSUID, [idField]: FilterId, [noun]: ['+12015551111'] };
    await refused(`${path}/allowed-${noun.toLowerCase()}/remove`, { ...entry, [noun]: undefined }, noun);
    await refused(`${path}/allowed-${noun.toLowerCase()}/remove`, { ...entry, SubscriberId: T2 }, FilterId, 404);
    expect((await client.get(`${path}/allowed-${noun.toLowerCase()}?SubscriberId=${TSUID}`)).status).toBe(400);
    await missing(listPath('blocked', FilterId, T2));
    expect(await read()).toEqual(before);
  });

  it('does not exist for another distributor', async () => {
    const { FilterId } = await create();
    const before = await read();
    await refused(`${path}/update`, { FilterId, ...update }, FilterId, 404, 'other');
    await refused(`${path}/delete`, { [idField]: FilterId }, FilterId, 404, 'other');
    await missing(listPath('allowed', FilterId), 'other');
    expect(await read()).toEqual(before);
  });
});

describe('accounts', () => {
  it('must be named where there are several, and belong to one distributor', async () => {
    const path = '/v1.0/account/update';
    await refused(path, { AccountName: 'X' }, 'AccountId is required for distributors with multiple accounts.');
    await refused(path, { AccountId: A1, AccountName: '' }, 'AccountName');
    await refused(path, { AccountId: A1, BillingAddress: 'here' }, 'BillingAddress');
    await refused(path, { AccountId: A1, AccountName: 'X' }, A1, 404, 'other');
    expect((await client.post(path, { AccountName: 'Other Two' }, 'other')).body.AccountName).toBe('Other Two');
    expect((await client.get('/v1.0/distributor/accounts', 'other')).body).toHaveLength(1);
    expect((await client.get('/v1.0/account')).status).toBe(400);
    await missing(`/v1.0/account?AccountId=${A1}`, 'other');
  });
});

describe('workgroups', () => {
  const path = '/v1.0/workgroups/update';

  it('are listed, read with their members, and changed', async () => {
    const { body } = await client.get(`/v1.0/workgroups?WorkgroupId=${WID}`);
    expect(body).toMatchObject({ WorkgroupId: WID, Name: 'Front desk', AccountId: A1, Active: true });
    expect(body.Activities).toMatchObject([{ WorkgroupActivityId: id('WAID', 1), PhoneNumber: seeded(1) }]);
    const update = { Name: 'Reception', Type: 'round-robin', OffHoursType: 'User', OffHoursId: TSUID };
    const changed = await client.post(path, { WorkgroupId: WID, ...update });
    expect(changed.body).toEqual({ ...body, ...update });
    expect((await client.get(`/v1.0/workgroups?WorkgroupId=${WID}`)).body).toEqual(changed.body);
    expect((await client.get('/v1.0/account/workgroups')).body.Workgroups).toEqual([
      { WorkgroupId: WID, Name: 'Reception', Type: 'round-robin', Active: true },
    ]);
  });
});
