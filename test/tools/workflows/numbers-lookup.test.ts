import { describe, expect, it } from 'vitest';
import { begunDay } from '../../support/clock.ts';
import { call, id, openWorld, seeded, texts, value } from '../../support/world.ts';

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
