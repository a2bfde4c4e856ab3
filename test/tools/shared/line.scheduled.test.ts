import { beforeEach, describe, expect, it } from 'vitest';
import { dayText } from '../../../src/platform/dialect/readings.ts';
import { todayIn } from '../../../tools/shared/line.ts';
import { asks, followed } from '../../support/asking.ts';
import { confirm, decline, look } from '../../support/page.ts';
import { id, seeded, TSUID } from '../../support/seed.ts';
import { call, face, type Json, openWorld, texts, value } from '../../support/world.ts';

/* A status change for a later day: every surface says the day, and the same change is not ordered twice. */

const day = (days: number) => {
  const [year, month, date] = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).split('-');
  return `${month}/${date}/${year}`;
};
const LATER = day(10);
const park = (EffectiveDate: string, ...numbers: number[]) => ({
  StatusChange: 'park',
  PhoneNumbers: numbers.map((n) => ({ Number: seeded(n) })),
  EffectiveDate,
});

const world = await openWorld();
const client = await world.client();
beforeEach(() => world.afresh());
async function order(input: ReturnType<typeof park>): Promise<Json> {
  const { id, url } = await asks(client, 'numbers_status', input);
  await confirm(url);
  return { ...(await followed(client, id)), url };
}

/** An assistant that asks for this is told these sentences. The question is declined. */
async function expectTold(operation: string, input: Record<string, unknown>, ...sentences: string[]): Promise<void> {
  const asked = await call(client, operation, input);
  for (const sentence of sentences) expect(texts(asked), operation).toContain(sentence);
  await decline(value(asked).confirmation.url);
}

describe('a number that is parked later', () => {
  it('is told with its day: in the result, on the page and in the lookup', async () => {
    const ended = await order(park(LATER, 3));
    expect(ended).toMatchObject({ status: 'done', result: { Warning: expect.stringContaining(dayText(LATER)) } });
    expect(ended.result.Warning).toBe(`Scheduled for ${dayText(LATER)}. Nothing changes before that day.`);
    const { html } = await look(ended.url);
    // The card may be read after that day, and the platform may have reported nothing.
    const later = 'The end is shown here once the platform reports it.';
    for (const text of [`Scheduled for ${dayText(LATER)}`, `From ${dayText(LATER)}`, later])
      expect(html).toContain(text);
    expect(html).not.toContain('What changed');
    const looked = value(await call(client, 'numbers_lookup', { PhoneNumber: seeded(3) }));
    expect(looked.Summary).toContain(`scheduled: park on ${dayText(LATER)}`);
    expect(looked.Scheduled).toEqual([{ StatusChange: 'park', EffectiveDate: LATER }]);
  });

  it('is not said to have changed at the terminal: the values are those from its day on', async () => {
    const input = JSON.stringify(park(LATER, 6));
    const { out } = await world.cli(['numbers_status', '--json', input, '--yes', '--output', 'table']);
    expect(out).toMatch(new RegExp(`^From ${dayText(LATER)}:\n  Service: Active → Parked\n`));
    expect(out).not.toContain('Changed:');
  });

  it('is not ordered twice: the second one names the first', async () => {
    await order(park(LATER, 4));
    const again = face(await call(client, 'numbers_status', park(LATER, 4, 5)));
    expect(again).toMatchObject({ code: 'invalid_input', field: 'PhoneNumbers', outcome: 'not_done' });
    expect(again.message).toContain(`${seeded(4)} has this change already: park scheduled for ${dayText(LATER)}`);
    expect(await world.sent('/v1.0/numbers/status')).toHaveLength(1);
    expect((await asks(client, 'numbers_status', park(day(11), 4))).status).toBe('pending');
    const ran = await world.cli(['numbers_status', '--json', JSON.stringify(park(LATER, 4)), '--yes']);
    expect(ran.code).toBe(2);
  });

  it('is named to whoever confirms another one, alone and in a batch, with what is not confirmed', async () => {
    const [soon, later] = [day(20), day(21)];
    await order(park(soon, 3));
    const text = `A change of ${seeded(3)} is scheduled for ${dayText(soon)}: Park ${seeded(3)}.`;
    await expectTold('numbers_status', park(later, 3), text, 'which of the two holds is not confirmed by the platform');
    const PhoneNumbers = [{ Number: seeded(3) }];
    for (const [operation, input] of [
      ['numbers_cancel', { PhoneNumbers }],
      ['numbers_update', { Number: seeded(3), CnamFirstName: 'Bo' }],
      ['numbers_portout', { PortOutNumber: seeded(3) }],
      ['numbers_data_usage_set', { PhoneNumbers, LimitValue: 30_000 }],
      ['subscriptions_create', { TNID: id('NID', 3), PackageId: id('PKID', 1), SubscriberId: TSUID, Type: 'Mvno' }],
    ] as const)
      await expectTold(operation, input, text);
    const Fields = { StatusChange: 'park', EffectiveDate: later };
    const batch = { Operation: 'numbers_status', Numbers: [seeded(3), seeded(5)], Fields };
    await expectTold('batches_create', batch, `is scheduled for ${dayText(soon)}`);
    // The opposite, which has no effect yet, says when it can be asked for.
    const back = face(await call(client, 'numbers_status', { ...park(later, 3), StatusChange: 'activate' }));
    expect(back.message).toContain(`already Active, and has a park scheduled for ${dayText(soon)}`);
    // A first one says that it is not taken back.
    const notBack = 'A scheduled change cannot be taken back before its day.';
    await expectTold('numbers_status', park(soon, 6), notBack);
    // One for today does not, at any hour.
    const now = await call(client, 'numbers_status', park(todayIn(new Date()), 6));
    expect(texts(now)).not.toContain(notBack);
  });

  it('is named to whoever confirms another one while its outcome is unknown, and after a person settled it', async () => {
    const [soon, later] = [day(30), day(31)];
    await world.control('faults', { path: '/v1.0/numbers/status', dropAfterCommit: true, times: 1 });
    const lost = await order(park(soon, 5));
    expect(lost.status).toBe('unknown');
    const swap = { ...park(later, 5), StatusChange: 'swap' };
    const what = `for ${dayText(soon)}: Park ${seeded(5)}.`;
    const doubt = `A change of ${seeded(5)} may be scheduled (its outcome is unknown) ${what}`;
    await expectTold('numbers_status', swap, doubt);
    await world.settle([lost.id, '--done']);
    await expectTold('numbers_status', swap, `A change of ${seeded(5)} is scheduled ${what}`);
  });
});
