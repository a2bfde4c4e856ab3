import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, face, openWorld, seeded, value, type World } from '../../support/world.ts';

describe('the day of a change of status', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const park = async (EffectiveDate: string, number: string) =>
    call(await world.client(), 'numbers_status', { StatusChange: 'park', PhoneNumbers: [number], EffectiveDate });

  it.each([
    ['2099-11-30', seeded(1)],
    ['11/30/2099', seeded(3)],
  ])('%s is asked about with its weekday', async (date, number) => {
    const { confirmation } = value(await park(date, number));
    expect(confirmation.consequence).toContain('Effective Monday, Nov 30, 2099.');
  });

  it('is sent in the form of the platform', async () => {
    const parked = await world.cli([
      'numbers_status',
      'StatusChange=park',
      `PhoneNumbers=${seeded(5)}`,
      'EffectiveDate=2099-11-30',
      '--yes',
    ]);
    expect([parked.code, parked.json().Warning]).toEqual([0, expect.stringContaining('Nov 30, 2099')]);
  });

  it.each(['next Monday', '2099-02-30', '13/01/2099'])('is refused as %s', async (date) => {
    expect(face(await park(date, seeded(1)))).toMatchObject({ field: 'EffectiveDate', code: 'invalid_input' });
  });

  it('of a park that has taken effect is no longer called scheduled', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const line = [
      'numbers_status',
      'StatusChange=park',
      `PhoneNumbers=${seeded(6)}`,
      `EffectiveDate=${today}`,
      '--yes',
    ];
    expect((await world.cli(line)).code).toBe(0);
    const [year, month, day] = today.split('-');
    const again = face(await park(`${month}/${day}/${year}`, seeded(6)));
    expect(again.message).toContain('is already Parked');
    expect(again.message).not.toMatch(/scheduled|act_/);
  });
});
