import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { A1, A2, Client, CRID, id, type Json, MRID, PROVISION, seeded, TSUID } from '../helper.ts';

let client: Client;
beforeEach(async () => {
  client = await Client.start();
});
afterEach(() => client.close());

const wrong = async (path: string, body: unknown, field: string) => {
  const answer = await client.post(path, body);
  expect([field, answer.status]).toEqual([field, 400]);
  expect(answer.body.Message).toContain(field);
};

describe('the seed', () => {
  it('holds the ten numbers', async () => {
    const { body } = await client.get('/v1.0/numbers/inventory');
    const rows: Json[] = body.PhoneNumbers;
    expect(body).toMatchObject({ TotalResults: 10, PageNumber: 1, Filter: '' });
    expect(rows.map((row) => row.NumberType).join(' ')).toBe('mvno voip mvno voip mvno iot mvno mvno mvno mvno');
    expect(rows.map((row) => row.Status)).toEqual([
      ...Array(6).fill('Active'),
      'Cancelled - Pending Delete',
      'Cancelled - Pending Delete',
      'Cancelled',
      'Active',
    ]);
    expect(rows[0]).toMatchObject({ Tnid: id('NID', 1), MessageRouteId: MRID, VoiceRouteId: CRID });
    expect(rows.every((row) => /^\d{4}$/.test(row.PortOutPin))).toBe(true);
    expect(rows[4]).toMatchObject({ MessageEnabled: 'true', VoiceEnabled: 'true' });
    expect(rows[9].AssignedSubscriberId).toBeNull();
    expect(rows.map((row) => row.MessageType)[5]).toBe('p2p');
  });

  it('filters and pages the inventory', async () => {
    const pending = await client.get('/v1.0/numbers/inventory?Filter=Cancelled%20-%20Pending%20Delete');
    expect(pending.body.PhoneNumbers.map((row: Json) => row.Number)).toEqual([seeded(7), seeded(8)]);
    const page = await client.get('/v1.0/numbers/inventory?PageNumber=2&TotalNumbersRequested=4');
    expect(page.body.TotalResults).toBe(10);
    expect(page.body.PhoneNumbers.map((row: Json) => row.Number)).toEqual([5, 6, 7, 8].map(seeded));
    expect((await client.get('/v1.0/numbers/inventory?PageNumber=0')).body.Message).toContain('PageNumber');
  });

  it('finds a number by Number, PhoneNumber and ICCID', async () => {
    const one = await client.number(seeded(1));
    expect(one).toMatchObject({ Number: seeded(1), TNID: id('NID', 1), Status: 'Active', AssignedSubscriberId: TSUID });
    expect(one).not.toHaveProperty('PortOutPin');
    expect((await client.get(`/v1.0/numbers?Number=${seeded(1)}`)).body).toEqual(one);
    expect((await client.get(`/v1.0/numbers?ICCID=${one.Iccid}`)).body).toEqual(one);
    expect((await client.get('/v1.0/numbers?Number=%2B19995550100')).status).toBe(404);
    expect((await client.get('/v1.0/numbers')).body.Message).toContain('PhoneNumber');
  });
});

describe('availability and provision', () => {
  it('lists areas, AreaCode before ZipCode', async () => {
    const ask = (rest: object) =>
      client.post('/v1.0/numbers/availability', {
        NumberType: 'mobile',
        MessageEnabled: true,
        VoiceEnabled: false,
        ...rest,
      });
    const one = (await ask({ AreaCode: '201', ZipCode: '84043' })).body;
    expect(one).toMatchObject({ ResultsTotal: 1, AvailableNumberAreas: [{ AreaCode: 201 }] });
    expect((await ask({ AreaCode: '999', ZipCode: '84043' })).body.AvailableNumberAreas[0].Zipcode).toBe('84043');
    expect((await ask({ AreaCode: '999' })).body.AvailableNumberAreas).toEqual([]);
    const all = (await ask({ AreaCode: '', PageNumber: 2 })).body;
    expect(all.AvailableNumberAreas).toHaveLength(100);
    await wrong(
      '/v1.0/numbers/availability',
      { NumberType: 'iot', MessageEnabled: true, VoiceEnabled: true },
      'NumberType',
    );
    await wrong('/v1.0/numbers/availability', { NumberType: 'mobile', VoiceEnabled: true }, 'MessageEnabled');
  });

  it('makes active numbers in sequence, with their orders', async () => {
    const first = (await client.post('/v1.0/numbers/provision', { ...PROVISION, AssignedSubscriberId: TSUID })).body;
    expect(first).toMatchObject({ PhoneNumberAssigned: '+14155552000', OrderStatus: 'Complete', SubscriberId: TSUID });
    expect(first.PhoneNumberId).toMatch(/^NID-/);
    expect(await client.number('+14155552000')).toMatchObject({
      Status: 'Active',
      ProductType: 'sms+data',
      OrderId: first.OrderId,
    });
    const order = await client.get(`/v1.0/numbers/order?OrderId=${first.OrderId}`);
    expect(order.body).toMatchObject({ OrderType: 'provision', OrderStatus: 'Complete' });
    await client.advance('1s');
    expect((await client.post('/v1.0/numbers/provision', PROVISION)).body.PhoneNumberAssigned).toBe('+14155552001');
  });

  it('names what is missing or does not fit', async () => {
    const refused = async (change: object, message: string) => {
      const answer = await client.post('/v1.0/numbers/provision', { ...PROVISION, ...change });
      expect([answer.status, answer.body.Message]).toEqual([400, expect.stringContaining(message)]);
      await client.advance('1s');
    };
    const bare = await client.post('/v1.0/numbers/provision', { ...PROVISION, MessageRouteId: undefined });
    expect(bare.body).toEqual({ StatusCode: 400, Message: 'MessageRouteId required' });
    await client.advance('1s');
    await refused({ NumberType: 'mobile' }, 'NumberType');
    await refused({ NumberType: 'iot' }, 'NumberType / MessageType mismatch');
    await refused({ NumberType: 'voip', MessageType: 'p2p' }, 'NumberType / MessageType mismatch');
    await refused({ VoiceEnabled: true }, 'VoiceRouteId');
    await refused({ VoiceEnabled: 'yes' }, 'VoiceEnabled must be a boolean');
    await refused({ MessageRouteId: 'MRID-x' }, 'Invalid MessageRouteId');
    await refused({ VoiceRouteId: 'CRID-x' }, 'Invalid VoiceRouteId');
    await refused({ AssignedSubscriberId: 'TSUID-x' }, 'Invalid AssignedSubscriberId');
    await refused({ AccountId: 'AID-x' }, 'Invalid AccountId');
    await refused({ AccountId: A2, AssignedSubscriberId: TSUID }, 'AssignedSubscriberId');
    await refused({ ICCID: '123' }, 'ICCID');
    await refused({ ICCID: (await client.number(seeded(1))).Iccid }, 'ICCID');
    await refused({ AreaCode: '911' }, 'AreaCode');
    await refused({ ProductType: 'everything' }, 'ProductType');
    expect((await client.state()).numbers).toHaveLength(10);
  });
});

describe('update', () => {
  it('binds a subscriber and a SIM, and keeps the rest', async () => {
    const body = {
      Number: seeded(10),
      AssignedSubscriberId: TSUID,
      Iccid: '8901240397190556232',
      CnamFirstName: 'Zed',
    };
    const answer = await client.post('/v1.0/numbers/update', body);
    expect(answer.body).toMatchObject({ Number: seeded(10), UpdateOrderStatus: 'Complete', Iccid: body.Iccid });
    expect(await client.number(seeded(10))).toMatchObject({
      AssignedSubscriberId: TSUID,
      MessageType: 'a2p',
      Cnam: 'Zed Line 10',
    });
    expect((await client.post('/v1.0/numbers/update', { Number: '+19995550100' })).status).toBe(404);
    await wrong(
      '/v1.0/numbers/update',
      { Number: seeded(10), AssignedSubscriberId: id('TSUID', 2) },
      'AssignedSubscriberId',
    );
    await wrong('/v1.0/numbers/update', { Number: seeded(6), MessageType: 'a2p' }, 'MessageType');
    await wrong('/v1.0/numbers/update', { Number: seeded(6), VoiceEnabled: true }, 'VoiceRouteId');
    await wrong('/v1.0/numbers/update', { Number: seeded(7), MessageEnabled: true }, 'Cancelled - Pending Delete');
  });
});

describe('data usage', () => {
  const set = { ValueUnit: 'MB', NotifyValue: 5, ThrottleValue: 10, ThrottleSpeed: '64-kbps', LimitValue: 15 };
  const numbers = { PhoneNumbers: [{ Number: seeded(1) }, { Number: seeded(3) }] };

  it('applies one set to every number, and reads it back with the usage', async () => {
    const info = async () => (await client.post('/v1.0/numbers/data-usage/info', numbers)).body.PhoneNumbers[0];
    expect(await info()).toMatchObject({
      Used: '12.5 MB',
      Remaining: '7.5 MB',
      CurrentBehavior: 'Active',
      Status: 'ACTIVE',
    });
    expect((await client.post('/v1.0/numbers/data-usage', { ...set, ...numbers })).body).toMatchObject({
      Status: 'Complete',
      ...set,
    });
    const settings = await client.post('/v1.0/numbers/data-usage/settings', numbers);
    expect(settings.body.PhoneNumbers).toEqual(
      numbers.PhoneNumbers.map((row) => ({ ...row, Status: 'Success', StatusMessage: '', ...set })),
    );
    expect(await info()).toMatchObject({ Remaining: '2.5 MB', CurrentBehavior: 'Throttled' });
  });

  it('checks order, unit, speed and numbers', async () => {
    const bad = (change: object, field: string) =>
      wrong('/v1.0/numbers/data-usage', { ...set, ...numbers, ...change }, field);
    await bad({ NotifyValue: 10 }, 'NotifyValue');
    await bad({ ThrottleValue: 15 }, 'ThrottleValue');
    await bad({ ThrottleValue: null, NotifyValue: 20 }, 'NotifyValue');
    await bad({ ThrottleSpeed: '2-mbps' }, 'ThrottleSpeed');
    await bad({ ValueUnit: 'GB' }, 'ValueUnit');
    await bad({ LimitValue: '15' }, 'LimitValue');
    await bad({ PhoneNumbers: [seeded(1)] }, 'PhoneNumbers[0]');
    await bad({ PhoneNumbers: [{}] }, 'PhoneNumbers[0].Number');
    const unknown = { ...set, PhoneNumbers: [{ Number: '+19995550100' }] };
    expect((await client.post('/v1.0/numbers/data-usage', unknown)).status).toBe(404);
  });
});

describe('cancellation', () => {
  const request = (numbers: string[], rest: object = {}) =>
    client.post('/v1.0/numbers/cancel-order-request', {
      PhoneNumbers: numbers.map((number) => ({ Number: number })),
      ...rest,
    });
  const submit = (OrderId: string, AuthCode: string) =>
    client.post('/v1.0/numbers/cancel-order-submit', { OrderId, AuthCode });

  it('cancels in two stages, at once, with a code that works once', async () => {
    const { body } = await request([seeded(1), seeded(9), '+19995550100']);
    expect(body.NumbersValid).toEqual([{ Number: seeded(1) }]);
    expect(body.NumbersInvalid.map((row: Json) => row.Number)).toEqual([seeded(9), '+19995550100']);
    for (const words of [seeded(1), 'immediate', '30 days', '5 USD']) expect(body.ConsentStatement).toContain(words);
    expect(Date.parse(body.ExpiresAt) - Date.parse((await client.state()).now)).toBeGreaterThan(290_000);
    expect((await client.number(seeded(1))).Status).toBe('Active');
    expect((await submit(body.OrderId, 'WRONG')).body.Message).toContain('AuthCode');
    const done = await submit(body.OrderId, body.AuthCode);
    expect(done.body).toMatchObject({ OrderId: body.OrderId, Status: 'Complete', FailedChange: [] });
    expect(done.body.NumbersChange[0].Number).toBe(seeded(1));
    expect((await client.number(seeded(1))).Status).toBe('Cancelled - Pending Delete');
    expect((await submit(body.OrderId, body.AuthCode)).body.Message).toContain('already been used');
    expect((await submit('JNUOID-x', body.AuthCode)).status).toBe(404);
    expect(JSON.stringify(await client.state())).not.toContain(body.AuthCode);
  });

  it('lets a code live five minutes, and a second request void the first', async () => {
    const first = (await request([seeded(1)])).body;
    await client.advance('5m');
    expect((await submit(first.OrderId, first.AuthCode)).body.Message).toContain('expired');
    const second = (await request([seeded(1), seeded(3)])).body;
    const third = (await request([seeded(3)])).body;
    expect((await submit(second.OrderId, second.AuthCode)).body.Message).toContain('voided');
    expect((await client.number(seeded(1))).Status).toBe('Active');
    expect((await submit(third.OrderId, third.AuthCode)).body.Status).toBe('Complete');
  });

  it('reports what could not be changed', async () => {
    const both = (await request([seeded(1), seeded(3)])).body;
    const swap = { StatusChange: 'swap', EffectiveDate: '03/02/2026', PhoneNumbers: [{ Number: seeded(1) }] };
    await client.post('/v1.0/numbers/status', swap);
    const done = (await submit(both.OrderId, both.AuthCode)).body;
    expect(done).toMatchObject({
      Status: 'Complete',
      NumbersChange: [{ Number: seeded(3) }],
      FailedChange: [{ Number: seeded(1) }],
    });
    const alone = (await request([seeded(5)])).body;
    await client.post('/v1.0/numbers/status', { ...swap, PhoneNumbers: [{ Number: seeded(5) }] });
    expect((await submit(alone.OrderId, alone.AuthCode)).body).toMatchObject({ Status: 'Failed', NumbersChange: [] });
  });

  it('refuses a request without one number that can be cancelled', async () => {
    expect((await request([seeded(9)])).body.Message).toContain(seeded(9));
    expect((await request([seeded(2)], { AccountId: A1 })).status).toBe(400);
    expect((await request([seeded(2)], { AccountId: 'AID-x' })).body.Message).toBe('Invalid AccountId');
    expect((await request([])).body.Message).toContain('PhoneNumbers');
  });

  it('releases a number at the first midnight after 30 days', async () => {
    const statuses = async () => (await client.state()).numbers.slice(6, 9).map((row: Json) => row.Status);
    await client.control('clock', { now: '2026-03-03T23:59:59Z' });
    expect(await statuses()).toEqual(['Cancelled - Pending Delete', 'Cancelled - Pending Delete', 'Cancelled']);
    await client.advance('2s');
    expect(await statuses()).toEqual(['Cancelled - Pending Delete', 'Cancelled', 'Cancelled']);
    await client.advance('30d');
    expect(await statuses()).toEqual(['Cancelled', 'Cancelled', 'Cancelled']);
  });
});

describe('reactivation', () => {
  const ask = (body: object) => client.post('/v1.0/numbers/reactivate', body);
  const business = async (body: object, words: string) => {
    const answer = await ask(body);
    expect([answer.status, answer.type]).toEqual([400, 'text/plain']);
    expect(answer.text).toContain(words);
    expect(answer.text.split('\n').at(-1)).toMatch(/^TransactionLogId: [0-9a-f-]{36}$/);
  };

  it('brings a number back with its SIM, for 5 USD', async () => {
    const before = await client.number(seeded(7));
    const { body } = await ask({ PhoneNumber: seeded(7), AccountId: A1 });
    expect(body).toMatchObject({ PhoneNumber: seeded(7), AccountId: A1, Status: 'Success', Successful: true });
    expect(body.StatusMessage).toMatch(/fee .* charged/);
    expect(await client.number(seeded(7))).toEqual({ ...before, Status: 'Active' });
    expect((await client.state()).fees).toMatchObject([{ Number: seeded(7), Amount: 5, Currency: 'USD' }]);
    await client.advance('60d');
    client.forgetTokens();
    expect((await client.number(seeded(7))).Status).toBe('Active');
  });

  it('refuses in plain text, and charges nothing', async () => {
    await business({ PhoneNumber: seeded(7) }, 'AccountId is required for distributors with multiple accounts.');
    await business({ PhoneNumber: '+19995550100', AccountId: A1 }, 'Number not found!');
    await business({ PhoneNumber: seeded(7), AccountId: A2 }, 'Number not found!');
    await business({ PhoneNumber: seeded(7), AccountId: 'AID-x' }, 'Invalid AccountId');
    await business({ PhoneNumber: seeded(1), AccountId: A1 }, 'is not Cancelled - Pending Delete');
    await business({ PhoneNumber: seeded(9), AccountId: A1 }, 'new provision is required');
    await business({ PhoneNumber: seeded(8), AccountId: A1 }, 'carrier');
    const state = await client.state();
    expect(state.fees).toEqual([]);
    expect(state.numbers[7].Status).toBe('Cancelled - Pending Delete');
  });

  it('answers validation errors as an object with StatusMessage', async () => {
    for (const body of [
      { AccountId: A1 },
      { PhoneNumber: 5, AccountId: A1 },
      { PhoneNumber: '2015550107', AccountId: A1 },
    ]) {
      const answer = await ask(body);
      expect([answer.status, answer.type]).toEqual([400, 'application/json']);
      expect(answer.body.StatusMessage).toMatch(/[Vv]alidation errors occurred.*PhoneNumber/);
      expect(answer.body).not.toHaveProperty('Successful');
    }
  });
});
