import { describe, expect, it } from 'vitest';
import { begunDay } from '../../support/clock.ts';
import { call, id, ORDER, openWorld, seeded, TSUID, texts, value } from '../../support/world.ts';

describe('looking numbers up', () => {
  it('adds plan and routes with Full, or their absence in words, and reads each list once', async () => {
    const world = await openWorld();
    const client = await world.client();
    const { Numbers, ...rest } = value(
      await call(client, 'numbers_lookup', { PhoneNumbers: [seeded(5), seeded(1)], Full: true }),
    );
    expect(rest).toEqual({});
    expect(Numbers).toMatchObject([
      { TNID: id('NID', 5), SubscriptionId: id('SUB', 1), PackageId: id('PKID', 1), Plan: 'Starter' },
      { TNID: id('NID', 1), Plan: 'none', MessageRoute: 'Main SMS route', MessageRouteId: id('MRID', 1) },
    ]);
    expect(Numbers[1]).not.toHaveProperty('SubscriptionId');
    const lists = ['subscriptions', 'packages', 'message/routes', 'voice/routes'];
    for (const path of lists.map((list) => `/v1.0/account/${list}`)) expect(await world.sent(path)).toHaveLength(1);
    await world.close();
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
    await world.close();
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
    await world.close();
  });
});
