import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { begunDay } from '../support/clock.ts';
import { call, confirmed, face, id, openWorld, seeded, value, type World } from '../support/world.ts';

/* An input that is known to be wrong is refused before a person is asked, with every wrong field in one answer. */

const ADDRESS = { Street1: '1 Main St', City: 'Chicago', State: 'IL', Zip: '60601' };
const PORT_IN = {
  PortInNumber: '+13125550150',
  CurrentCarrierName: 'Lakeside Wireless',
  CurrentAccountNumber: '46512222',
  CurrentAccountPassword: '0550',
  CurrentBillingAddress: ADDRESS,
  AssignedSubscriberId: id('TSUID', 1),
};
const FILTER = { SubscriberId: id('TSUID', 1), Phone: seeded(1), FilterMode: 'CHILD' };
const rows = (...phones: string[]) => phones.map((phone) => ({ Number: phone }));

let world: World;
let client: Awaited<ReturnType<World['client']>>;
beforeAll(async () => {
  world = await openWorld({ MCP_TOOLSETS: 'all' });
  client = await world.client();
});
afterAll(() => world.close());
beforeEach(() => world.reset());

/** Operation, input, and the wrong fields with a part of each text. */
const WRONG: readonly [string, Record<string, unknown>, Record<string, string>][] = [
  [
    'numbers_portin',
    { ...PORT_IN, CurrentBillingAddress: { ...ADDRESS, State: 'Ilinois', Zip: '6060' } },
    {
      'CurrentBillingAddress.State': 'must be a US state',
      'CurrentBillingAddress.Zip': 'a ZIP code has five digits',
    },
  ],
  [
    'numbers_status',
    { StatusChange: 'swap-sim', PhoneNumbers: rows(seeded(3)), EffectiveDate: '12/31/2036', ZipCode: '840' },
    {
      ZipCode: 'five digits',
      PhoneNumbers: 'needs the serial (ICCID) of the new SIM',
    },
  ],
  [
    'message_outbound',
    { To: rows('+12015550199', '+12015550199'), From: seeded(1), Body: 'Hello' },
    { To: 'is given twice' },
  ],
  // A rule over the whole input would be wrong while its only change is not readable.
  [
    'account_update',
    { AccountId: id('AID', 1), BillingAddress: { Zip: '8' } },
    { 'BillingAddress.Zip': 'five digits' },
  ],
];

it.each(WRONG)('%s names every wrong field, and sends nothing', async (operation, input, wrong) => {
  const { code, field, fields, message, outcome } = face(await call(client, operation, input));
  expect({ code, outcome }).toEqual({ code: 'invalid_input', outcome: 'not_done' });
  expect(fields?.map((problem) => problem.field).sort()).toEqual(Object.keys(wrong).sort());
  for (const problem of fields ?? []) {
    expect(problem.message).toContain(wrong[problem.field]);
    expect(message).toContain(`${problem.field}: ${problem.message}`);
  }
  expect(field).toBe(fields?.[0]?.field);
  expect(await world.requests()).toEqual([]);
});

it('accepts states by code and name, long ZIP codes, other countries, severities in small letters, and this day', async () => {
  const abroad = { State: 'Ontario', Zip: 'M5V 2T6', Country: 'Canada' };
  const created = await confirmed(client, 'account_create', {
    AccountName: 'North',
    BillingAddress: abroad,
    MailingAddress: { State: 'new york', Zip: '10001-1234', Country: 'USA' },
  });
  expect(created.AccountId).toMatch(/^AID-/);
  const KeywordFilter = '{"CustomKeywords":["bet"],"SeverityMap":{"bet":"high"}}';
  await confirmed(client, 'subscribers_message_filter_create', { ...FILTER, KeywordFilter });
  const [sent] = await world.sent('/v1.0/subscribers/message-filter');
  expect(sent).toBeDefined();
  const park = { StatusChange: 'park', PhoneNumbers: rows(seeded(3)), EffectiveDate: begunDay() };
  expect(value(await call(client, 'numbers_status', park)).confirmation.status).toBe('pending');
});

it('refuses a day that is over everywhere before anybody is asked', async () => {
  const park = { StatusChange: 'park', PhoneNumbers: rows(seeded(3)), EffectiveDate: '01/05/2026' };
  const refused = face(await call(client, 'numbers_status', park));
  expect(refused).toMatchObject({ code: 'invalid_input', field: 'EffectiveDate', outcome: 'not_done' });
  expect(refused.message).toContain('Jan 5, 2026 has passed: give today or a later day.');
  expect(await world.requests()).toEqual([]);
  const batch = { Operation: 'numbers_status', Numbers: [seeded(3), seeded(5)] };
  const { StatusChange, EffectiveDate } = park;
  const many = face(await call(client, 'batches_create', { ...batch, Fields: { StatusChange, EffectiveDate } }));
  expect(many.message).toContain('Jan 5, 2026 has passed');
});

describe('a value that does not fit the record', () => {
  it.each<[string, Record<string, unknown>, string, string]>([
    [
      'numbers_reactivate',
      { PhoneNumber: seeded(7), AccountId: id('AID', 2) },
      'AccountId',
      'belongs to “Acme Mobile” (AID-',
    ],
    ['numbers_update', { Number: seeded(6), MessageType: 'a2p' }, 'MessageType', 'carries p2p messages only'],
    ['numbers_data_usage_set', { PhoneNumbers: rows(seeded(9)), LimitValue: 0 }, 'PhoneNumbers', 'is Cancelled'],
    [
      'packages_items_delete',
      { PackageId: id('PKID', 1), PackageItemId: id('PIID', 999) },
      'PackageItemId',
      'has no item',
    ],
  ])('is refused: %s', async (operation, input, field, says) => {
    const error = face(await call(client, operation, input));
    const code = field === 'PackageItemId' ? 'not_found' : 'invalid_input';
    expect(error).toMatchObject({ code, outcome: 'not_done', field });
    expect(error.message).toContain(says);
  });
});
