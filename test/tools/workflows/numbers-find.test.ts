import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from '../../../tools/index.ts';
import { A1, call, openWorld, seeded, TSUID, value, type World } from '../../support/world.ts';
import { platform } from '../platform.ts';

describe('finding numbers among ten', () => {
  let world: World;
  let client: Client;
  beforeAll(async () => {
    world = await openWorld();
    client = await world.client();
  });
  afterAll(() => world.close());

  const find = async (Query: string, more: Record<string, unknown> = {}) =>
    value(await call(client, 'numbers_find', { Query, ...more }));
  const numbers = async (Query: string, more: Record<string, unknown> = {}) =>
    (await find(Query, more)).Numbers.map((row: { Number: string }) => row.Number);

  it.each([
    ['0104', [4]],
    ['0102, (201) 555-0104, …0107', [2, 4, 7]],
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
    const example = (operation: string) => tools.find(({ id }) => id === operation)?.examples[0] ?? {};
    const done = async (operation: string, input: object) => {
      const given = JSON.stringify({ ...example(operation), ...input });
      return (await world.cli([operation, '--json', given, '--yes'])).json();
    };
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
describe('one call for a search, a report and a list', () => {
  let among: Awaited<ReturnType<typeof platform>>;
  beforeAll(async () => {
    among = await platform({ numbers: 300, subscribers: 12 });
  });
  afterAll(() => among.close());

  it('finds lines among 300 by area code, month of purchase, name and data used', async () => {
    const found = value(
      await call(among.client, 'numbers_find', {
        Query: 'Person 3',
        AreaCode: '201',
        BoughtFrom: '2026-04-01',
        BoughtTo: '2026-04-30',
        UsedFrom: 900,
        Sort: 'Used',
        Descending: true,
        Data: true,
      }),
    );
    const used = found.Numbers.map((row: { Used: string }) => Number.parseInt(row.Used, 10));
    expect(found.Found).toBeGreaterThan(1);
    expect(used).toEqual([...used].sort((a: number, b: number) => b - a));
    for (const row of found.Numbers) {
      expect(Number.parseInt(row.Used, 10)).toBeGreaterThanOrEqual(900);
      expect(row).toMatchObject({
        Customer: 'Person 3 Stone',
        BoughtOn: '2026-04-15',
        NotifyValue: 500,
        LimitValue: 1000,
      });
    }
    // Three pages of numbers, one of subscribers, one of usage and one of limits.
    expect(among.requests()).toHaveLength(6);
  });
});

describe('finding numbers among many', () => {
  it('stops after a few requests, and says what it did not search', async () => {
    const { client, requests, close } = await platform({ numbers: 100_000, subscribers: 50_000 });
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
    await close();
  });
});
