import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Client, id, seeded } from '../helper.ts';

let client: Client;
beforeEach(async () => {
  client = await Client.start();
});
afterEach(() => client.close());

describe('status', () => {
  const change = (StatusChange: string, number: string, rest: object = {}, row: object = {}) =>
    client.post('/v1.0/numbers/status', {
      StatusChange,
      EffectiveDate: '03/02/2026',
      PhoneNumbers: [{ Number: number, ...row }],
      ...rest,
    });

  it('parks and activates, and refuses every other move', async () => {
    const parked = await change('park', seeded(1));
    expect(parked.body).toMatchObject({
      OrderStatus: 'Complete',
      ChangeType: 'park',
      EffectiveDate: '2026-03-02T00:00:00',
    });
    expect((await client.number(seeded(1))).Status).toBe('Parked');
    for (const move of ['park', 'swap', 'replace', 'swap-sim'])
      expect((await change(move, seeded(1), {}, { ICCID: '8901240397190556232' })).status).toBe(400);
    expect((await change('activate', seeded(1))).status).toBe(200);
    expect((await client.number(seeded(1))).Status).toBe('Active');
    expect((await change('activate', seeded(1))).status).toBe(400);
    for (const n of [7, 9]) expect((await change('park', seeded(n))).body.Message).toContain('Cancelled');
  });

  it('takes effect on its EffectiveDate by the sandbox clock, not before', async () => {
    const ahead = { EffectiveDate: '03/05/2026' };
    const asked = await change('park', seeded(1), ahead);
    expect(asked.body).toMatchObject({ OrderStatus: 'Scheduled', Numbers: [{ Number: seeded(1), Status: 'Active' }] });
    const replaced = await change('replace', seeded(3), { ...ahead, AreaCode: '312' });
    expect(replaced.body.Numbers[0].Number).toBe(seeded(3));
    // A number that is promised to a scheduled change is given to no other line.
    expect((await change('swap', seeded(4), { AreaCode: '312' })).body.Numbers[0].Number).toBe('+13125552001');
    const order = async () => (await client.get(`/v1.0/numbers/order?OrderId=${asked.body.OrderId}`)).body.OrderStatus;
    await client.control('clock', { now: '2026-03-04T23:59:59Z' });
    expect([(await client.number(seeded(1))).Status, await order()]).toEqual(['Active', 'Scheduled']);
    await client.control('clock', { advance: '1s' });
    expect([(await client.number(seeded(1))).Status, await order()]).toEqual(['Parked', 'Complete']);
    expect(await client.number('+13125552000')).toMatchObject({ TNID: id('NID', 3) });
  });

  it('leaves a number alone that was cancelled before the day came', async () => {
    const asked = await change('park', seeded(7), { EffectiveDate: '03/05/2026' });
    expect(asked.status).toBe(400);
    const parked = await change('park', seeded(3), { EffectiveDate: '03/05/2026' });
    const { body } = await client.post('/v1.0/numbers/cancel-order-request', { PhoneNumbers: [{ Number: seeded(3) }] });
    await client.post('/v1.0/numbers/cancel-order-submit', { OrderId: body.OrderId, AuthCode: body.AuthCode });
    await client.control('clock', { advance: '10d' });
    const order = (await client.get(`/v1.0/numbers/order?OrderId=${parked.body.OrderId}`)).body;
    expect(order).toMatchObject({ OrderStatus: 'Failed', ErrorMessage: expect.stringContaining(seeded(3)) });
  });

  it('refuses cancel and points to the cancel flow', async () => {
    const answer = await change('cancel', seeded(1));
    expect([answer.status, answer.body.Message]).toEqual([400, expect.stringContaining('cancel-order-request')]);
    expect((await client.number(seeded(1))).Status).toBe('Active');
  });

  it('swaps the SIM, the number, and counts swaps', async () => {
    await change('swap-sim', seeded(1), {}, { ICCID: '8901240397190556232' });
    expect((await client.number(seeded(1))).Iccid).toBe('8901240397190556232');
    const swapped = await change('swap', seeded(1), { AreaCode: '312' });
    expect(swapped.body.Numbers[0]).toMatchObject({ Number: '+13125552000', PreviousNumber: seeded(1) });
    expect(await client.number('+13125552000')).toMatchObject({ TNID: id('NID', 1), SwapsRemaining: 1 });
    expect((await client.get(`/v1.0/numbers?Number=${seeded(1)}`)).status).toBe(404);
    await change('swap', '+13125552000', { AreaCode: '312' });
    expect((await change('swap', '+13125552001', { AreaCode: '312' })).body.Message).toContain('no swaps remaining');
    expect((await change('replace', '+13125552001')).body.Numbers[0].Number).toBe('+12015552000');
  });

  it('checks date, numbers and change, and changes all or nothing', async () => {
    for (const [field, move, rest] of [
      ['EffectiveDate', 'park', { EffectiveDate: '2026-03-02' }],
      ['EffectiveDate', 'park', { EffectiveDate: '02/30/2026' }],
      ['StatusChange', 'lose', {}],
      ['PhoneNumbers', 'park', { PhoneNumbers: [] }],
      ['ICCID', 'swap-sim', {}],
    ] as const) {
      const { status, body } = await change(move, seeded(1), rest);
      expect([status, body.Message]).toEqual([400, expect.stringContaining(field)]);
    }
    const mixed = { PhoneNumbers: [{ Number: seeded(1) }, { Number: '+19995550100' }] };
    expect((await change('park', seeded(1), mixed)).status).toBe(404);
    expect((await client.number(seeded(1))).Status).toBe('Active');
  });
});
