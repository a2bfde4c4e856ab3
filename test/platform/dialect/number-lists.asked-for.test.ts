import { describe, expect, it } from 'vitest';
import type { Fields } from '../../../src/lib/values.ts';
import { onlyAskedFor } from '../../../src/platform/dialect/number-lists.ts';

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
    [
      'the right record of another account',
      { WebhookId: 'WID-1', AccountId: 'AID-1' },
      { WebhookId: 'WID-1', AccountID: 'AID-2' },
    ],
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
    expect(onlyAskedFor(FILTERS, answer)).toEqual({
      Results: [own],
      Total: 2,
      Warning: '1 row of another record was in the platform’s answer, and left out here.',
    });
    // A list within the record that was asked for does not make it another one.
    const linked = [{ Number: B }, { Number: C }];
    expect(onlyAskedFor(PHONE, { Number: A, Linked: linked })).toEqual({
      Number: A,
      Linked: [],
      Warning: '2 rows of other records were in the platform’s answer, and left out here.',
    });
  });
});
