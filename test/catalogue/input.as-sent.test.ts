import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/catalogue/input.ts';
import type { Tool } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

/* Arguments as clients really send them. */

const NUMBER = '+12015550101';
const TSUID = 'TSUID-00000000-0000-4000-8000-000000000001';
const AID = 'AID-00000000-0000-4000-8000-000000000001';
const MRID = 'MRID-00000000-0000-4000-8000-000000000001';

/** An operation, what is sent, and the input as it is read. */
const READ: [sentence: string, operation: string, given: object, means: object][] = [
  [
    'null for members that are left out',
    'numbers_get',
    { PhoneNumber: NUMBER, Number: null, ICCID: null },
    { PhoneNumber: NUMBER },
  ],
  ['null for the account', 'events_since', { AccountId: null, Only: null, Since: '8h' }, { Since: '8h' }],
  [
    'null for a member that it removes',
    'message_routes_update',
    { MessageRouteId: MRID, RouteName: 'Support', MessageUsername: null },
    { MessageRouteId: MRID, RouteName: 'Support', MessageUsername: null },
  ],
  [
    'null beside a list',
    'message_outbound',
    { From: NUMBER, To: ['+12015550199'], Body: 'Hi', CampaignId: null, MmsMedia: null },
    { From: NUMBER, To: [{ Number: '+12015550199' }], Body: 'Hi' },
  ],
  [
    'an empty list that empties the one of a record',
    'subscribers_update',
    { SubscriberId: TSUID, PhoneNumbers: [] },
    { SubscriberId: TSUID, PhoneNumbers: [] },
  ],
  [
    'null inside an object that is JSON text',
    'account_update',
    { AccountId: AID, BillingAddress: '{"Street1":"1 Main St","Street2":null}' },
    { AccountId: AID, BillingAddress: { Street1: '1 Main St' } },
  ],
  [
    'a list as JSON text',
    'numbers_data_usage_info',
    { PhoneNumbers: `[{"Number":"${NUMBER}"}]` },
    { PhoneNumbers: [{ Number: NUMBER }] },
  ],
  [
    'a list of plain numbers as JSON text',
    'numbers_data_usage_info',
    { PhoneNumbers: ` ["${NUMBER}"] ` },
    { PhoneNumbers: [{ Number: NUMBER }] },
  ],
  [
    'rows of a list as JSON text',
    'numbers_data_usage_info',
    { PhoneNumbers: [`{"Number":"${NUMBER}"}`] },
    { PhoneNumbers: [{ Number: NUMBER }] },
  ],
  ['booleans as text', 'numbers_lookup', { PhoneNumber: NUMBER, Full: 'true' }, { PhoneNumber: NUMBER, Full: true }],
  [
    'booleans as Python writes them',
    'numbers_lookup',
    { PhoneNumber: NUMBER, Full: 'False' },
    { PhoneNumber: NUMBER, Full: false },
  ],
  ['integers as text', 'numbers_find', { Query: 'Stone', Rows: '5' }, { Query: 'Stone', Rows: 5 }],
  ['decimals as text', 'numbers_find', { UsedFrom: '1.5' }, { UsedFrom: 1.5 }],
  [
    'a number for a list of numbers',
    'numbers_data_usage_info',
    { PhoneNumbers: NUMBER },
    { PhoneNumbers: [{ Number: NUMBER }] },
  ],
  [
    'the number in JSON that is cut off, for a list of numbers',
    'numbers_data_usage_info',
    { PhoneNumbers: `[{"Number":"${NUMBER}"}` },
    { PhoneNumbers: [{ Number: NUMBER }] },
  ],
  [
    'an object for a list of numbers',
    'numbers_data_usage_info',
    { PhoneNumbers: `{"Number":"${NUMBER}"}` },
    { PhoneNumbers: [{ Number: NUMBER }] },
  ],
];

/** An operation, what is sent, and the field and the start of the only reason why it is refused. */
const REFUSED: [sentence: string, operation: string, given: object, field: string, message: RegExp][] = [
  [
    'null for a required member',
    'subscribers_get',
    { SubscriberId: null },
    'SubscriberId',
    /^SubscriberId: is missing; /,
  ],
  [
    'a text that is no boolean',
    'numbers_lookup',
    { PhoneNumber: NUMBER, Full: 'yes' },
    'Full',
    /^Full: must be true or false/,
  ],
  ['a number with a unit', 'numbers_find', { UsedFrom: '5 MB' }, 'UsedFrom', /^UsedFrom: must be a number/],
  ['a number with an exponent', 'numbers_find', { UsedFrom: '1e3' }, 'UsedFrom', /^UsedFrom: must be a number/],
  [
    'an integer that would be rounded',
    'numbers_find',
    { UsedFrom: '9007199254740993' },
    'UsedFrom',
    /^UsedFrom: must be a number/,
  ],
  [
    'a text for a list',
    'numbers_data_usage_info',
    { PhoneNumbers: 'all lines' },
    'PhoneNumbers',
    /^PhoneNumbers: must be an array/,
  ],
  [
    'a list for a number of a phone',
    'numbers_diagnose',
    { PhoneNumber: [] },
    'PhoneNumber',
    /^PhoneNumber: must be a string; for example \+\d+\.$/,
  ],
  [
    'an object for an id',
    'subscribers_get',
    { SubscriberId: { id: TSUID } },
    'SubscriberId',
    /^SubscriberId: must be a string; for example TSUID-[\w-]+\./,
  ],
  [
    'the text "null" for an id',
    'subscribers_get',
    { SubscriberId: 'null' },
    'SubscriberId',
    /^SubscriberId: must start with TSUID-/,
  ],
  [
    'a member of Object.prototype as JSON text',
    'numbers_data_usage_info',
    { PhoneNumbers: `[{"Number":"${NUMBER}","__proto__":{"Number":"+12015550102"}}]` },
    'PhoneNumbers.0.__proto__',
    /^PhoneNumbers\.0\.__proto__: is not a field/,
  ],
];

const read = (operation: string, given: object) =>
  parseInput(tools.find(({ id }) => id === operation) as Tool, given, NOW);

describe('the catalogue', () => {
  it.each(READ)('reads %s', (_what, operation, given, means) => expect(read(operation, given)).toEqual(means));

  it.each(REFUSED)('refuses %s', (_what, operation, given, field, message) => {
    const refusal = () => read(operation, given);
    expect(refusal).toThrow(
      expect.objectContaining({ face: expect.objectContaining({ code: 'invalid_input', field }) }),
    );
    expect(refusal).toThrow(message);
  });

  it('takes the two names that the platform has for one member', () => {
    const CallRouteID = 'CRID-00000000-0000-4000-8000-000000000001';
    expect(read('voice_routes_get', { CallRouteId: CallRouteID })).toEqual({ CallRouteID });
    const line = { SubscriberId: 'TSUID-1', PackageId: 'PKID-1', Type: 'Mvno' };
    expect(read('subscriptions_create', { ...line, PhoneNumberId: 'NID-1' })).toMatchObject({ ...line, TNID: 'NID-1' });
    // Both at once are two members.
    expect(() => read('voice_routes_get', { CallRouteID, CallRouteId: CallRouteID })).toThrow('CallRouteId');
    expect(() => read('voice_routes_get', { CallRouteId: CallRouteID, callrouteid: CallRouteID })).toThrow(
      'callrouteid',
    );
  });
});
