import { describe, expect, it } from 'vitest';
import { seeded } from '../../support/seed.ts';
import { call, face, openWorld, value } from '../../support/world.ts';

const world = await openWorld();

describe('the day of a change of status', () => {
  const park = async (EffectiveDate: string, number: string) =>
    call(await world.client(), 'numbers_status', { StatusChange: 'park', PhoneNumbers: [number], EffectiveDate });

  it.each([['2099-11-30', seeded(1)]])('%s is asked about with its weekday', async (date, number) => {
    const { confirmation } = value(await park(date, number));
    expect(confirmation.consequence).toContain('Effective Monday, 2099-11-30.');
  });

  it.each(['next Monday', '2099-02-30', '13/01/2099'])('is refused as %s', async (date) => {
    expect(face(await park(date, seeded(1)))).toMatchObject({ field: 'EffectiveDate', code: 'invalid_input' });
  });
});
