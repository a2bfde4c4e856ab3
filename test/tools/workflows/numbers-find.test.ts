import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { A1, call, face, id, openWorld, seeded, TSUID, value, type World } from '../../support/world.ts';
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

  it('names the numbers that a name has, where only the state leaves none', async () => {
    expect(await find('acme', { Status: 'Parked' })).toMatchObject({
      Found: 0,
      WithoutCriteria: 9,
      Message: '9 match “acme”, and none of them fits the criteria.',
    });
    expect(await find('nobody-here', { Status: 'Parked' })).not.toHaveProperty('WithoutCriteria');
  });

  it.each([
    ['0104', [4]],
    ['…0104', [4]],
    ['0102, (201) 555-0104, …0107', [2, 4, 7]],
    ['0102, reed', []],
    ['ending', []],
    ['+1 201 555 0104', [4]],
    ['(201) 555-0104', [4]],
    ['０１０４', [4]],
    ['٠١٠٤', [4]],
    ['+１ ２０１ ５５５ ０１０４', [4]],
    ['Ben Reed', [2]],
    ['reed', [2]],
    ['eed', []],
    ['ben@globex.example', [2]],
    ['Globex', [2]],
    // Lines without a subscriber are the account's too, by its name as by its id.
    ['Acme Mobile', [1, 3, 4, 5, 6, 7, 8, 9, 10]],
    [A1, [1, 3, 4, 5, 6, 7, 8, 9, 10]],
    ['sample line 3', [3]],
    [TSUID, [1, 3, 4, 5, 6, 7, 8]],
    [id('AID', 2), [2]],
  ])('%s', async (query, expected) => {
    expect(await numbers(query)).toEqual(expected.map(seeded));
  });

  it('answers with short rows: number, status, customer, account', async () => {
    const answer = await find('0107');
    expect(answer).toEqual({
      Numbers: [
        {
          Number: seeded(7),
          Status: 'Cancelled - Pending Delete',
          Customer: 'Ava Stone',
          SubscriberId: TSUID,
          Account: 'Acme Mobile',
          CallerName: 'Sample Line 7',
          Kind: 'mvno',
          Product: 'sms+data+voice',
          BoughtOn: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
        },
      ],
      Found: 1,
    });
  });

  it('says that nothing matches, and marks the names as text from outside', async () => {
    expect(await find('zeppelin')).toEqual({ Numbers: [], Found: 0, Message: 'No number matches.' });
    const marks = (await call(client, 'numbers_find', { Query: 'ava' }))._meta?.['switchboard/outside'];
    expect(marks).toEqual(['Numbers[].Customer', 'Numbers[].Account', 'Numbers[].CallerName']);
    expect(face(await call(client, 'numbers_find', { Query: 'x' }))).toMatchObject({ field: 'Query' });
  });

  it.each<[Record<string, unknown>, number[]]>([
    [{ Status: 'cancelled - pending delete' }, [7, 8]],
    [{ AreaCode: '201', Product: 'iot' }, [6]],
    [{ Product: 'voip', AccountId: A1 }, [4]],
    [{ AreaCode: '312' }, []],
    [{ Query: 'ava', Status: 'Active', Sort: 'Number', Descending: true }, [6, 5, 4, 3, 1]],
    [{ UsedFrom: 19 }, [5]],
    [{ BoughtFrom: '2999-01-01' }, []],
  ])('by criteria: %j', async (input, expected) => {
    const { Numbers } = value(await call(client, 'numbers_find', input));
    expect(Numbers.map((row: { Number: string }) => row.Number)).toEqual(expected.map(seeded));
  });

  it('shows which services of a line are off, so that no line has to be diagnosed one by one', async () => {
    await world.cli(['numbers_update', seeded(3), 'MessageEnabled=false', '--yes']);
    const rows: { Number: string; Trouble?: string }[] = (await find('ava')).Numbers;
    expect(rows.filter(({ Trouble }) => Trouble !== undefined)).toEqual([
      expect.objectContaining({ Number: seeded(3), Trouble: 'SMS is off' }),
    ]);
    await world.reset();
  });

  it.each([
    ['312', 'No number ends in 312. AreaCode=312 finds the numbers of that area.'],
    ['+13125550111', /^No number matches\. .*ported in.*ordered elsewhere.*numbers_order_get/],
    ['5550111', /^No number matches\. .*ported in.*ordered elsewhere.*numbers_order_get/],
    ['89012403971900010030', 'No number ends in these digits. numbers_get with ICCID finds the number of a SIM.'],
  ])('names the next step if nothing matches %s', async (query, message) => {
    const answer = await find(query);
    expect(answer).toMatchObject({ Numbers: [], Message: expect.stringMatching(message) });
  });

  it.each(['no subscriber', '(no subscriber)', 'orphan', 'Orphans'])(
    'finds numbers without a subscriber by %s',
    async (Query) => {
      const { Numbers } = value(await call(client, 'numbers_find', { Query }));
      expect(Numbers.map((row: { Number: string }) => row.Number)).toEqual([9, 10].map(seeded));
    },
  );

  it.each<[Record<string, unknown>, number[]]>([
    [{ Route: 'main sms route' }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [{ Route: id('CRID', 1), Product: 'voip' }, [2, 4]],
    [{ Route: 'none' }, []],
    [{ Plan: 'Starter' }, [5]],
    [{ Plan: 'none', Status: 'Active' }, [1, 3, 4, 6, 10]],
  ])('finds lines by route and plan: %j', async (input, expected) => {
    const { Numbers } = value(await call(client, 'numbers_find', input));
    expect(Numbers.map((row: { Number: string }) => row.Number)).toEqual(expected.map(seeded));
  });

  it('shows routes, plan and limits by name, or their absence in words', async () => {
    const { Numbers } = await find('0103', { Full: true, Data: true });
    expect(Numbers).toMatchObject([
      { Number: seeded(3), VoiceRoute: 'Main SIP trunk', Plan: 'none', Account: 'Acme Mobile', LimitValue: 20 },
    ]);
    expect((await find('0106', { Full: true })).Numbers[0]).toMatchObject({ VoiceRoute: 'none' });
    const { Numbers: orphans } = await find('0110', { Full: true });
    expect(orphans).toMatchObject([{ Number: seeded(10), Account: 'Acme Mobile', Plan: 'none' }]);
    expect((await find('0102', { Full: true })).Numbers[0].Plan).toBe('not read: another account');
    await world.reset();
  });

  it('counts by route and plan, and names everybody with e-mail and role', async () => {
    const totals = async (CountBy: string) => value(await call(client, 'numbers_find', { CountBy })).Totals;
    expect(await totals('VoiceRoute')).toMatchObject([
      { VoiceRoute: 'Main SIP trunk', RouteId: id('CRID', 1), Numbers: 9 },
      { VoiceRoute: 'none', Numbers: 1 },
    ]);
    expect(await totals('Plan')).toMatchObject([
      { Plan: 'none', Numbers: 8 },
      { Plan: 'not read: another account', Numbers: 1 },
      { Plan: 'Starter', PackageId: id('PKID', 1), Numbers: 1 },
    ]);
    const people = await totals('Customer');
    expect(people).toContainEqual(
      expect.objectContaining({ Customer: 'Ben Reed', Email: 'ben@globex.example', Role: 'Subscriber', Numbers: 1 }),
    );
    const few = await platform({ numbers: 1, subscribers: 2 });
    const { Totals } = value(await call(few.client, 'numbers_find', { CountBy: 'Customer' }));
    expect(Totals).toMatchObject([
      { Customer: 'Person 0 Stone', Numbers: 1 },
      { Customer: 'Person 1 Stone', Numbers: 0 },
    ]);
    await few.close();
  });

  it('needs a text or a criterion', async () => {
    for (const input of [{}, { Page: 2 }, { Rows: 3, NumbersOnly: true }])
      expect(face(await call(client, 'numbers_find', input))).toMatchObject({ code: 'invalid_input', field: 'Query' });
  });
});

describe('criteria in the words of people', () => {
  let world: World;
  let client: Client;
  beforeAll(async () => {
    world = await openWorld();
    client = await world.client();
  });
  afterAll(() => world.close());

  it.each<[Record<string, unknown>, number[]]>([
    // A word of several names means all of them, and one that is not the first means its own.
    [{ Route: 'main' }, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    [{ Route: 'sip' }, [1, 2, 3, 4, 5, 7, 8, 9, 10]],
    [{ Product: 'mobile' }, [1, 3, 5, 7, 8, 9, 10]],
    [{ Product: 'internet phone' }, [2, 4]],
    [{ Product: 'data SIM (iot)' }, [6]],
    [{ Status: 'orphan' }, [9, 10]],
  ])('finds lines: %j', async (input, expected) => {
    const { Numbers } = value(await call(client, 'numbers_find', input));
    expect(Numbers.map((row: { Number: string }) => row.Number)).toEqual(expected.map(seeded));
  });

  it.each([
    [{ Route: 'west' }, 'Route', ['Main SMS route', 'Main SIP trunk']],
    [{ Plan: 'family' }, 'Plan', ['Starter']],
    [{ Status: 'sleeping' }, 'Status', ['Active', 'Parked', 'Cancelled - Pending Delete', 'Cancelled']],
    [{ Product: 'fax' }, 'Product', expect.arrayContaining(['mvno', 'mobile', 'sms-only'])],
  ])('names the values that there are for one that no line has: %j', async (input, name, Choices) => {
    const answer = value(await call(client, 'numbers_find', input));
    expect(answer).toMatchObject({ Found: 0, Choices, Hint: expect.stringContaining(name) });
  });

  it('says of which lines the plan could not be read', async () => {
    for (const input of [{ Plan: 'none' }, { Plan: 'Starter' }, { Plan: 'none', AccountId: id('AID', 2) }])
      expect(value(await call(client, 'numbers_find', input)).Unseen).toBe(
        `The platform lists the subscriptions of one account, so the plan of these lines could not be read, and they may fit too: ${seeded(2)}.`,
      );
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

  it('counts by customer with the data used, and says that nothing was left out', async () => {
    const { Totals, Found, ...rest } = value(
      await call(among.client, 'numbers_find', { CountBy: 'Customer', Data: true }),
    );
    expect(Found).toBe(300);
    expect(Totals).toHaveLength(12);
    expect(Totals[0]).toMatchObject({ Customer: expect.stringMatching(/^Person \d+ Stone$/), Numbers: 25 });
    expect(Totals[0].States).toMatch(/^(Active|Parked) \d+, (Active|Parked) \d+$/);
    expect(Totals[0].UsedMb).toBeGreaterThan(0);
    expect(rest).toEqual({});
    expect(among.requests()).toHaveLength(7);
  });

  it('gives the numbers alone, as lists and batches take them', async () => {
    const answer = value(await call(among.client, 'numbers_find', { AreaCode: '201', NumbersOnly: true }));
    expect(answer).toEqual({ PhoneNumbers: expect.any(Array), Found: 300 });
    expect(new Set(answer.PhoneNumbers).size).toBe(300);
    among.requests();
  });

  it('says what a report did not read', async () => {
    const many = await platform({ numbers: 900, subscribers: 10 });
    const { Found, Unseen, NextPage } = value(await call(many.client, 'numbers_find', { CountBy: 'Status' }));
    expect([Found, NextPage]).toEqual([400, 2]);
    expect(Unseen).toMatch(/^Only numbers 1 to 400 of 900 were searched/);
    expect(many.requests()).toHaveLength(4);
    await many.close();
  });

  it('looks 20 numbers up with names, data used and limits', async () => {
    const PhoneNumbers = Array.from({ length: 20 }, (_, n) => `+1201${String(n).padStart(7, '0')}`);
    const { Numbers } = value(await call(among.client, 'numbers_lookup', { PhoneNumbers }));
    expect(Numbers).toHaveLength(20);
    expect(Numbers[1]).toMatchObject({ Customer: 'Person 1 Stone', Used: '37 MB', LimitValue: 1000 });
    expect(Numbers[1].Summary).toMatch(/^No SIM is bound to it/);
    // A request for each number, one page of subscribers, one for usage and one for limits.
    expect(among.requests()).toHaveLength(23);
    const more = await call(among.client, 'numbers_lookup', { PhoneNumbers: [...PhoneNumbers, '+12015559999'] });
    expect(face(more)).toMatchObject({ field: 'PhoneNumbers' });
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

  it.each([A1, 'person'])('shows all matches, page by page, and their account: %s', async (Query) => {
    const { client, close } = await platform({ numbers: 44, subscribers: 44, accountId: A1 });
    const seen: string[] = [];
    let next: number | undefined = 1;
    const messages: unknown[] = [];
    while (next !== undefined && messages.length < 5) {
      const answer: Record<string, unknown> = value(await call(client, 'numbers_find', { Query, Page: next }));
      expect(answer.Found).toBe(44);
      for (const row of answer.Numbers as Record<string, unknown>[]) {
        expect(row.Account).toBeTruthy();
        seen.push(String(row.Number));
      }
      messages.push(answer.Message);
      next = answer.NextPage as number | undefined;
    }
    expect(new Set(seen).size).toBe(44);
    expect(seen).toHaveLength(44);
    expect(messages).toEqual([
      'The first 25 of 44 are shown. Page=10001 shows the next ones; more digits or words narrow the search.',
      'Matches 26 to 44 of 44 are shown.',
    ]);
    await close();
  });

  it('searches on where it stopped, to the end of the lists', async () => {
    const { client, requests, close } = await platform({ numbers: 900, subscribers: 450 });
    const pages: Record<string, unknown>[] = [];
    let next: number | undefined = 1;
    while (next !== undefined && pages.length < 5) {
      const answer: Record<string, unknown> = value(
        await call(client, 'numbers_find', { Query: '0895', ...(next === 1 ? {} : { Page: next }) }),
      );
      pages.push(answer);
      next = answer.NextPage as number | undefined;
    }
    expect(pages.map(({ Found, NextPage }) => [Found, NextPage])).toEqual([
      [0, 2],
      [0, 3],
      [1, undefined],
    ]);
    expect(pages[2]?.Unseen).toMatch(/^Only numbers 801 to 900 of 900 were searched\. A full number/);
    const asked = requests();
    expect(new Set(asked).size).toBe(asked.length);
    const beyond = value(await call(client, 'numbers_find', { Query: 'stone', Page: 9 }));
    expect(beyond).toMatchObject({ Found: 0, Unseen: expect.stringMatching(/^The lists end before this Page\./) });
    expect(beyond).not.toHaveProperty('NextPage');
    await close();
  });
});
