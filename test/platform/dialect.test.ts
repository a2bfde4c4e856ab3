import { findPhoneNumbersInText, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { describe, expect, it } from 'vitest';
import type { Fields } from '../../src/lib/values.ts';
import { onlyAskedFor } from '../../src/platform/dialect/number-lists.ts';
import { isPossiblePhone, phonesIn, toE164 } from '../../src/platform/dialect/phone.ts';
import { readDate, readMoment } from '../../src/platform/dialect/readings.ts';

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());

it.each([
  ['2026-07-01T12:00:00.56', 'America/Denver', '2026-07-01T18:00:00.560Z'],
  ['2025-10-29T12:36:19.338438+00:00', 'Asia/Tokyo', '2025-10-29T12:36:19.338Z'],
  ['2026-01-01T00:00:00+0530', 'UTC', '2025-12-31T18:30:00.000Z'],
  ['2026-07-01 12:00', 'UTC', '2026-07-01T12:00:00.000Z'],
  ['07/01/2026 12:05:06 AM', 'America/New_York', '2026-07-01T04:05:06.000Z'],
  ['02/05/2023', 'America/Denver', '2023-02-05T07:00:00.000Z'],
])('reads %s in %s', (text, zone, expected) => {
  expect(iso(readMoment(text, zone))).toBe(expected);
});

it.each(['', 'soon', '2026-02-30', '13/01/2026', '2026-01-01T25:00:00', '01/01/2026 13:00:00 PM', '5', 5, null])(
  'does not take %s for a date',
  (text) => {
    expect(readDate(text, 'UTC')).toBeUndefined();
  },
);

it('takes a day for the whole day of the zone', () => {
  const span = readDate('2026-03-08', 'America/New_York');
  expect([iso(span?.from), iso(span?.until)]).toEqual(['2026-03-08T05:00:00.000Z', '2026-03-09T03:59:59.999Z']);
});

it('keeps both readings of an hour that occurs twice', () => {
  const span = readDate('2026-11-01T01:30:00', 'America/New_York');
  expect([iso(span?.from), iso(span?.until)]).toEqual(['2026-11-01T05:30:00.000Z', '2026-11-01T06:30:00.000Z']);
});

const digits = (count: number, seed: number) =>
  Array.from({ length: count }, (_, at) => ((seed * 7919 + at * 104_729 + ((seed * (at + 3)) >> 2)) >>> 0) % 10).join(
    '',
  );

it('reads numbers as the library does, also those that it is not asked about', () => {
  const texts = ['', '+', '+1', '2015550101', '(201) 555-0101', '1 201 555 0101', '+44 20 7946 0958'];
  for (let seed = 0; seed < 2_000; seed += 1) texts.push(`+1${digits(8 + (seed % 4), seed)}`, `+${digits(11, seed)}`);
  for (const text of texts) {
    const national = parsePhoneNumberFromString(text, 'US')?.number ?? text;
    expect(toE164(text), text).toBe(national);
    expect(isPossiblePhone(national), text).toBe(parsePhoneNumberFromString(national)?.isPossible() === true);
  }
});

it('does not drop an extension: such a text is no number', () => {
  for (const text of ['+12015550101x5', '+1 201 555 0101 ext 5', '(201) 555-0101 ext. 5']) {
    expect(toE164(text)).toBe(text);
    expect(isPossiblePhone(text)).toBe(false);
  }
});

it('finds the numbers in a sentence that the library finds, also short ones of other countries', () => {
  const texts = [
    'park 0103',
    'code 011 43 12345',
    'at +49 49691',
    'at +683 4123',
    'ring 201 555 0101 and 0102',
    'none',
  ];
  for (let seed = 0; seed < 300; seed += 1) {
    const number = digits(3 + (seed % 10), seed);
    texts.push(`call ${number}`, `call +${number}`, `call 011 ${number}`, `0104 and ${number}`, `of (${number})`);
  }
  const found = texts.map((text) => phonesIn(text));
  const expected = texts.map((text) => findPhoneNumbersInText(text, 'US').map(({ number }) => String(number.number)));
  expect(found).toEqual(expected.map((numbers) => [...new Set(numbers)]));
  expect(found.flat().filter((number) => number.length < 9).length).toBeGreaterThan(0);
});

const [A, B, C] = ['+12015550177', '+12015550178', '+12015550179'];
const PHONE = { PhoneNumber: A };
const ID = '11111111-1111-4111-8111-1111111111aa';
const OTHER_ID = '11111111-1111-4111-8111-1111111111bb';
const TWO = { PhoneNumbers: [{ Number: A }, { Number: B }] };
const FILTERS = { SubscriberId: `TSUID-${ID}` };

describe('an answer to a read', () => {
  it.each<[string, Fields, Fields]>([
    ['the number', PHONE, { Number: A }],
    ['without its country code', PHONE, { Number: '2015550177' }],
    ['without its plus', PHONE, { Number: '12015550177' }],
    ['as a number of JSON', PHONE, { Number: 12_015_550_177 }],
    ['as people write it', PHONE, { PhoneNumber: '+1 (201) 555-0177' }],
    ['with the prefix of calls abroad', PHONE, { PhoneNumber: '0012015550177' }],
    ['in full width', PHONE, { Number: '＋１２０１５５５０１７７' }],
    ['as an address', PHONE, { Number: `tel:${A}` }],
    ['without the member', PHONE, { Status: 'Active' }],
    ['null, and empty', PHONE, { Number: null, PhoneNumber: '' }],
    ['another number under a name that was not asked for', PHONE, { Number: A, ForwardsTo: B }],
    ['a SIM with its padding', { ICCID: '8901240397190195850' }, { Iccid: '8901240397190195850F' }],
    ['an id in another case', { MessageRouteId: `MRID-${ID}` }, { MessageRouteId: `mrid-${ID.toUpperCase()}` }],
    ['an id with the other prefix of its kind', { PackageId: `PKID-${ID}` }, { PackageId: `PID-${ID}` }],
    ['the order in a record of numbers', { OrderId: `JNUOID-${ID}` }, { OrderId: `TNOID-${ID}` }],
    ['another spelling of the member', { CallRouteID: `CRID-${ID}` }, { CallRouteId: `CRID-${ID}` }],
    ['rows without the member', FILTERS, { Results: [{ FilterId: 'CFID-1' }] }],
    ['rows of both', TWO, { PhoneNumbers: [{ Number: B }, { Number: '2015550177' }] }],
    ['one row of two, and no other', TWO, { PhoneNumbers: [{ Number: A }] }],
    ['a message to the line', { phoneNumber: A }, { Results: [{ From: B, To: A }] }],
    ['a message from the line', { phoneNumber: A }, { Results: [{ From: A, To: [{ Number: B }] }] }],
    ['a query that names no record', { Filter: 'Active' }, { PhoneNumbers: [{ Number: C }] }],
  ])('is taken: %s', (_what, query, answer) => expect(onlyAskedFor(query, answer)).toEqual(answer));

  it.each<[string, Fields, Fields]>([
    ['another number', PHONE, { Number: B }],
    ['another number in another form', PHONE, { PhoneNumber: '(201) 555-0178' }],
    ['the number with an extension', PHONE, { Number: `${A};ext=1` }],
    ['a text that is no number', PHONE, { Number: 'withheld' }],
    ['two numbers, one of them its own', PHONE, { PhoneNumber: A, Number: B }],
    ['another spelling of the member', { phoneNumber: A }, { PHONENUMBER: B }],
    ['another SIM', { ICCID: '8901240397190195850' }, { Iccid: '8901240397190195851' }],
    ['another id', { MessageRouteId: `MRID-${ID}` }, { MessageRouteId: `MRID-${OTHER_ID}` }],
    ['another id, and the name of the right one', FILTERS, { SubscriberId: `TSUID-${OTHER_ID}`, Name: 'Ava' }],
    ['another id in the other spelling', { CallRouteID: `CRID-${ID}` }, { VoiceRouteId: `CRID-${OTHER_ID}` }],
    ['of another account', { WebhookId: 'WID-1', AccountId: 'AID-1' }, { WebhookId: 'WID-1', AccountID: 'AID-2' }],
    ['a row of another number', { PhoneNumbers: [{ Number: A }] }, { PhoneNumbers: [{ Number: B }] }],
    ['a row in place of one of two', TWO, { PhoneNumbers: [{ Number: A }, { Number: C }] }],
    ['rows of another subscriber', FILTERS, { Results: [{ SubscriberId: `TSUID-${OTHER_ID}` }] }],
    ['messages of other lines', { phoneNumber: A }, { Results: [{ From: B, To: C }] }],
  ])('is refused: %s', (_what, query, answer) =>
    expect(() => onlyAskedFor(query, answer)).toThrow('The platform answered with another record'),
  );

  it('has only the rows that were asked for, and says so', () => {
    const own = { FilterId: 'CFID-1', SubscriberId: `TSUID-${ID}` };
    const answer = { Results: [own, { FilterId: 'CFID-2', SubscriberId: `TSUID-${OTHER_ID}` }], Total: 2 };
    const Warning = '1 row of another record was in the platform’s answer, and left out here.';
    expect(onlyAskedFor(FILTERS, answer)).toEqual({ Results: [own], Total: 2, Warning });
    // A list within the record that was asked for does not make it another one.
    const two = Warning.replace('1 row of another record was', '2 rows of other records were');
    const linked = { Number: A, Linked: [{ Number: B }, { Number: C }] };
    expect(onlyAskedFor(PHONE, linked)).toEqual({ Number: A, Linked: [], Warning: two });
  });
});
