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
      { TNID: id('NID', 1), Plan: 'none', MessageRoute: 'Main SMS route', VoiceRoute: 'Main SIP trunk' },
    ]);
    expect(Numbers[1]).not.toHaveProperty('SubscriptionId');
    const lists = ['subscriptions', 'packages', 'message/routes', 'voice/routes'];
    for (const path of lists.map((list) => `/v1.0/account/${list}`)) expect(await world.sent(path)).toHaveLength(1);
    await world.close();
  });

  it('has filters in words, and the dates of what was cancelled or scheduled here', async () => {
    const world = await openWorld();
    const client = await world.client();
    const done = (name: string, input: object) => world.cli([name, '--json', JSON.stringify(input), '--yes']);
    await done('subscribers_guardian_features_set', { SubscriberId: TSUID, EnableIntelligentGuardianCalls: true });
    const filter = { SubscriberId: TSUID, Phone: seeded(1), FilterMode: 'BLACKLIST', ApplyToInbound: true };
    await done('subscribers_call_filter_create', filter);
    const park = { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: '12/31/2099' };
    await done('numbers_status', park);
    await done('numbers_cancel', { PhoneNumbers: [{ Number: seeded(5) }] });
    const Filters = 'messages: no filter, guardian filtering off; calls: 1 filter, guardian filtering on';
    const whole = value(await call(client, 'numbers_lookup', { PhoneNumber: seeded(1), Full: true }));
    expect(whole).toMatchObject({ Filters, CallFilters: [{ Phone: seeded(1) }], MessageFilters: [] });
    const PhoneNumbers = [seeded(1), seeded(3), seeded(5)];
    const { Numbers } = value(await call(client, 'numbers_lookup', { PhoneNumbers, Full: true }));
    expect(Numbers).toMatchObject([
      { Filters },
      { Scheduled: [{ StatusChange: 'park', EffectiveDate: '12/31/2099' }] },
      { CancelledAt: expect.any(String), ReactivateUntil: expect.any(String) },
    ]);
    const cancelled = value(await call(client, 'numbers_lookup', { PhoneNumber: seeded(5) }));
    expect(cancelled).toMatchObject({ CancelledAt: Numbers[2].CancelledAt, DataUsage: { Used: '19.75 MB' } });
    expect(cancelled.DataUsage).not.toHaveProperty('Remaining');
    await world.control('clock', { advance: '32d' });
    const released = value(await call(client, 'numbers_lookup', { PhoneNumber: seeded(5) }));
    expect(released.ReleasedAfter).toBe(cancelled.ReactivateUntil);
    expect(released).not.toHaveProperty('ReactivateUntil');
    const found = value(await call(client, 'numbers_find', { Query: 'Sample Line 4' }));
    expect(found.Hint).toBe(`Only the caller name is so, not the customer: ${seeded(4)}.`);
    expect(value(await call(client, 'numbers_find', { Query: 'Ava Stone' }))).not.toHaveProperty('Hint');
    await world.close();
  });

  it('an order says what its state means, whose it is, and why something is not known', async () => {
    const world = await openWorld();
    const client = await world.client();
    await world.control('orders', { OrderId: ORDER, Status: 'Scheduled' });
    const elsewhere = value(await call(client, 'numbers_order_get', { OrderId: ORDER }));
    expect(elsewhere).toMatchObject({
      Meaning: expect.stringContaining('The losing carrier agreed'),
      NotKnown: expect.stringContaining('not placed through Switchboard'),
    });
    const park = { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: '12/31/2099' };
    const { OrderId } = (await world.cli(['numbers_status', '--json', JSON.stringify(park), '--yes'])).json();
    expect(value(await call(client, 'numbers_order_get', { OrderId }))).toMatchObject({
      Meaning: 'It takes effect on Dec 31, 2099. Nothing changes before.',
      Customer: 'Ava Stone · Acme Mobile',
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
    expect(Date.parse(waiting.AskedAt)).toBeGreaterThan(0);
    expect(waiting.AskedBy).not.toBe('');
    const diagnosed = value(await call(client, 'numbers_diagnose', { PhoneNumber: seeded(5) }));
    expect(diagnosed).toMatchObject({ Waiting: [{ AlsoCovers: [seeded(3)] }] });
    const other = value(await call(client, 'numbers_lookup', { PhoneNumber: seeded(1) }));
    expect(other).not.toHaveProperty('Waiting');
    const park = { StatusChange: 'park', PhoneNumbers: [{ Number: seeded(3) }], EffectiveDate: begunDay() };
    const refused = texts(await call(client, 'numbers_status', park));
    expect(refused).toContain('Wait until a person has decided');
    expect(refused).not.toMatch(/have .* confirmed/i);
    await world.close();
  });
});
