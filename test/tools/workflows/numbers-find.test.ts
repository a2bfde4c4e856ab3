import { describe, expect, it } from 'vitest';
import { example } from '../../e2e/table.derived.ts';
import { begunDay } from '../../support/clock.ts';
import { A1, id, ORDER, seeded, TSUID } from '../../support/seed.ts';
import { call, openWorld, texts, value } from '../../support/world.ts';
import { platform } from '../platform.ts';

const world = await openWorld();
const client = await world.client();

describe('finding numbers among ten', () => {
  const find = async (Query: string, more: Record<string, unknown> = {}) =>
    value(await call(client, 'numbers_find', { Query, ...more }));
  const numbers = async (Query: string, more: Record<string, unknown> = {}) =>
    (await find(Query, more)).Numbers.map((row: { Number: string }) => row.Number);

  it.each([
    ['0104', [4]],
    ['0102, (201) 555-0104, …0107', [2, 4, 7]],
    ['0102 0104', [2, 4]],
    ['0102 and 0104,', [2, 4]],
    ['555 0104', [4]],
    ['ava 0104', [4]],
    ['ava 0102', []],
    ['+1 201 555 0104', [4]],
    ['０１０４', [4]],
    ['Ben Reed', [2]],
    ['eed', []],
    ['ben@globex.example', [2]],
    // Lines without a subscriber are the account's too, by its name as by its id.
    ['Acme Mobile', [1, 3, 4, 5, 6, 7, 8, 9, 10]],
    [A1, [1, 3, 4, 5, 6, 7, 8, 9, 10]],
    [TSUID, [1, 3, 4, 5, 6, 7, 8]],
  ])('%s', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected.map(seeded));
  });

  it('names a subscriber whose only number is being ported in, and finds that number', async () => {
    const done = (operation: string, input: object) => world.person(operation, { ...example(operation), ...input });
    const { SubscriberId } = await done('subscribers_create', { Name: 'Jonas Weber' });
    expect((await find('Jonas Weber')).Message).toContain(`Subscribers without a number in service: ${SubscriberId}.`);
    await done('numbers_portin', { AssignedSubscriberId: SubscriberId });
    expect((await find('Jonas Weber')).Numbers).toMatchObject([{ Number: '+13125550150', Status: 'On order' }]);
  });

  it('says which lines only their caller name brings up', async () => {
    expect((await find('Sample Line 4')).Hint).toBe(`Only the caller name is so, not the customer: ${seeded(4)}.`);
    expect(await find('Ava Stone')).not.toHaveProperty('Hint');
  });

  it.each<[Record<string, unknown>, number[]]>([
    [{ Status: 'cancelled - pending delete' }, [7, 8]],
    [{ AreaCode: '201', Product: 'iot' }, [6]],
    [{ Query: 'ava', Status: 'Active', Sort: 'Number', Descending: true }, [6, 5, 4, 3, 1]],
    [{ UsedFrom: 19 }, [5]],
  ])('by criteria: %j', async (input, expected) => {
    const { Numbers } = value(await call(client, 'numbers_find', input));
    expect(Numbers.map((row: { Number: string }) => row.Number)).toEqual(expected.map(seeded));
  });
});

/** The jobs that recorded assistants needed many calls for, by the calls that they take now. */
const among = await platform({ numbers: 300, subscribers: 12 });

it('one call for a search, a report and a list finds lines among 300 by area code, month of purchase, name and data used', async () => {
  const criteria = { AreaCode: '201', BoughtFrom: '2026-04-01', BoughtTo: '2026-04-30', UsedFrom: 900 };
  const order = { Sort: 'Used', Descending: true, Data: true };
  const found = value(await call(among.client, 'numbers_find', { Query: 'Person 3', ...criteria, ...order }));
  const used = found.Numbers.map((row: { Used: string }) => Number.parseInt(row.Used, 10));
  expect(found.Found).toBeGreaterThan(1);
  expect(used).toEqual([...used].sort((a: number, b: number) => b - a));
  for (const row of found.Numbers) {
    expect(Number.parseInt(row.Used, 10)).toBeGreaterThanOrEqual(900);
    const limits = { NotifyValue: 500, LimitValue: 1000 };
    expect(row).toMatchObject({ Customer: 'Person 3 Stone', BoughtOn: '2026-04-15', ...limits });
  }
  // Three pages of numbers, one of subscribers, one of usage and one of limits.
  expect(among.requests()).toHaveLength(6);
});

it('finding numbers among many stops after a few requests, and says what it did not search', async () => {
  const { client, requests } = await platform({ numbers: 100_000, subscribers: 50_000 });
  const found = value(await call(client, 'numbers_find', { Query: 'stone' }));
  expect(requests()).toHaveLength(8);
  expect(found.Numbers.length).toBe(25);
  expect(found.Message).toMatch(/^The first 25 of \d+ are shown/);
  expect(found.Unseen).toBe(
    'Only numbers 1 to 400 of 100000 and subscribers 1 to 400 of 50000 were searched. Page=2 searches the next ones. A full number or a subscriber id is found at once.',
  );
  const late = value(await call(client, 'numbers_find', { Query: '99999' }));
  const missed = 'No match: only numbers 1 to 400 of 100000 were searched. Page=2 searches the next ones.';
  expect(late).toMatchObject({ Numbers: [], Found: 0, NextPage: 2, Unseen: expect.stringContaining(missed) });
  expect(late).not.toHaveProperty('Message');
  // A full number is read, at any place in the list.
  const exact = value(await call(client, 'numbers_find', { Query: '+12010099999' }));
  expect(exact).toMatchObject({ Numbers: [{ Number: '+12010099999', Customer: 'Person 49999 Stone' }], Found: 1 });
  expect(exact).not.toHaveProperty('Unseen');
});

describe('looking numbers up', () => {
  it('adds plan and routes with Full, or their absence in words, and reads each list once', async () => {
    const world = await openWorld();
    const client = await world.client();
    const both = { PhoneNumbers: [seeded(5), seeded(1)], Full: true };
    const { Numbers, ...rest } = value(await call(client, 'numbers_lookup', both));
    expect(rest).toEqual({});
    expect(Numbers).toMatchObject([
      { TNID: id('NID', 5), SubscriptionId: id('SUB', 1), PackageId: id('PKID', 1), Plan: 'Starter' },
      { TNID: id('NID', 1), Plan: 'none', MessageRoute: 'Main SMS route', MessageRouteId: id('MRID', 1) },
    ]);
    expect(Numbers[1]).not.toHaveProperty('SubscriptionId');
    const lists = ['subscriptions', 'packages', 'message/routes', 'voice/routes'];
    for (const path of lists.map((list) => `/v1.0/account/${list}`)) expect(await world.sent(path)).toHaveLength(1);
  });

  it('has filters in words and the dates of what was done here, and an order says what its state means', async () => {
    const world = await openWorld();
    const client = await world.client();
    const done = (name: string, input: object) => world.cli([name, '--json', JSON.stringify(input), '--yes']);
    const lookUp = async (input: Record<string, unknown>) => value(await call(client, 'numbers_lookup', input));
    await done('subscribers_guardian_features_set', { SubscriberId: TSUID, EnableIntelligentGuardianCalls: true });
    const filter = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'BLACKLIST', ApplyToInbound: true };
    await done('subscribers_call_filter_create', filter);
    const change = { StatusChange: 'park', EffectiveDate: '12/31/2099' };
    const parked = await done('numbers_status', { ...change, PhoneNumbers: [{ Number: seeded(3) }] });
    await done('numbers_cancel', { PhoneNumbers: [{ Number: seeded(5) }] });
    const Filters = 'messages: no filter, guardian filtering off; calls: 1 filter, guardian filtering on';
    const whole = await lookUp({ PhoneNumber: seeded(1), Full: true });
    expect(whole).toMatchObject({ Filters, CallFilters: [{ Phone: seeded(1) }], MessageFilters: [] });
    const { Numbers } = await lookUp({ PhoneNumbers: [seeded(1), seeded(3), seeded(5)], Full: true });
    expect(Numbers).toMatchObject([{ Filters }, { Scheduled: [change] }, { ReactivateUntil: expect.any(String) }]);
    const cancelled = await lookUp({ PhoneNumber: seeded(5) });
    expect(cancelled).toMatchObject({ CancelledAt: Numbers[2].CancelledAt, DataUsage: { Used: '19.75 MB' } });
    expect(cancelled.DataUsage).not.toHaveProperty('Remaining');
    await world.control('clock', { advance: '32d' });
    const released = await lookUp({ PhoneNumber: seeded(5) });
    expect(released).toMatchObject({ ReleasedAfter: cancelled.ReactivateUntil });
    expect(released).not.toHaveProperty('ReactivateUntil');
    const order = async (OrderId: string) => value(await call(client, 'numbers_order_get', { OrderId }));
    expect(await order(parked.json().OrderId)).toMatchObject({ Customer: 'Ava Stone · Acme Mobile' });
    await world.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    expect(await order(ORDER)).toMatchObject({
      Meaning: expect.stringContaining('The losing carrier agreed'),
      NotKnown: expect.stringContaining('not placed through Switchboard'),
    });
  });

  it('says what waits for a number, and a refusal because of it asks for patience', async () => {
    const world = await openWorld();
    const client = await world.client();
    await call(client, 'numbers_cancel', { PhoneNumbers: [{ Number: seeded(3) }, { Number: seeded(5) }] });
    const found = value(await call(client, 'numbers_lookup', { PhoneNumber: seeded(3) }));
    expect(found.Summary).toContain('; a change waits for a person');
    const [waiting] = found.Waiting;
    expect(waiting).toMatchObject({ What: expect.stringContaining('Cancel'), AlsoCovers: [seeded(5)] });
    const other = value(await call(client, 'numbers_lookup', { PhoneNumber: seeded(1) }));
    expect(other).not.toHaveProperty('Waiting');
    const park = { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: begunDay() };
    const refused = texts(await call(client, 'numbers_status', park));
    expect(refused).toContain('Wait until a person has decided');
    expect(refused).not.toMatch(/have .* confirmed/i);
  });
});
