import { describe, expect, it } from 'vitest';
import { parseInput } from '../../src/catalogue/input.ts';
import type { Tool } from '../../src/catalogue/operation.ts';
import { tools } from '../../tools/index.ts';
import { A1, MRID, TSUID } from '../support/seed.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

/* Arguments as clients really send them. */

const NUMBER = '+12015550101';
const ROUTE = { MessageRouteId: MRID, RouteName: 'Support', MessageUsername: null };
const EMPTIED = { SubscriberId: TSUID, PhoneNumbers: [] };
const TEXT = { From: NUMBER, Body: 'Hi' };
const ONE = { PhoneNumbers: [{ Number: NUMBER }] };
const LINE = { PhoneNumber: NUMBER };
/** An operation, what is sent, and the input as it is read. */
const READ: [sentence: string, operation: string, given: object, means: object][] = [
  ['null for members that are left out', 'numbers_get', { ...LINE, Number: null, ICCID: null }, LINE],
  ['null for the account', 'events_since', { AccountId: null, Only: null, Since: '8h' }, { Since: '8h' }],
  ['null for a member that it removes', 'message_routes_update', ROUTE, ROUTE],
  [
    'null beside a list',
    'message_outbound',
    { ...TEXT, To: ['+12015550199'], CampaignId: null, MmsMedia: null },
    { ...TEXT, To: [{ Number: '+12015550199' }] },
  ],
  ['an empty list that empties the one of a record', 'subscribers_update', EMPTIED, EMPTIED],
  [
    'null inside an object that is JSON text',
    'account_update',
    { AccountId: A1, BillingAddress: '{"Street1":"1 Main St","Street2":null}' },
    { AccountId: A1, BillingAddress: { Street1: '1 Main St' } },
  ],
  ['booleans as text', 'numbers_lookup', { ...LINE, Full: 'true' }, { ...LINE, Full: true }],
  ['booleans as Python writes them', 'numbers_lookup', { ...LINE, Full: 'False' }, { ...LINE, Full: false }],
  ['integers as text', 'numbers_find', { Query: 'Stone', Rows: '5' }, { Query: 'Stone', Rows: 5 }],
  ['decimals as text', 'numbers_find', { UsedFrom: '1.5' }, { UsedFrom: 1.5 }],
];
/** What is sent for a list of one number. */
const LISTS: readonly unknown[] = [
  `[{"Number":"${NUMBER}"}]`,
  ` ["${NUMBER}"] `,
  [`{"Number":"${NUMBER}"}`],
  NUMBER,
  // JSON that is cut off, and an object in place of the list.
  `[{"Number":"${NUMBER}"}`,
  `{"Number":"${NUMBER}"}`,
];
const PROTO = `[{"Number":"${NUMBER}","__proto__":{"Number":"+12015550102"}}]`;
const FILTER = { SubscriberId: TSUID, Phone: NUMBER, FilterMode: 'CHILD', ApplyToInbound: true };
/** An operation, what is sent, and the start of the only reason why it is refused, which names the field. */
const REFUSED: [operation: string, given: object, message: RegExp][] = [
  ['subscribers_get', { SubscriberId: null }, /^SubscriberId: is missing; /],
  ['numbers_lookup', { ...LINE, Full: 'yes' }, /^Full: must be true or false/],
  ['numbers_find', { UsedFrom: '5 MB' }, /^UsedFrom: must be a number/],
  ['numbers_find', { UsedFrom: '1e3' }, /^UsedFrom: must be a number/],
  ['numbers_find', { UsedFrom: '9007199254740993' }, /^UsedFrom: must be a number/],
  [
    'subscribers_message_filter_create',
    { ...FILTER, KeywordFilter: '{"SeverityMap":{"bet":"BAD"}}' },
    /^KeywordFilter: SeverityMap.bet must be/,
  ],
  ['numbers_data_usage_info', { PhoneNumbers: 'all lines' }, /^PhoneNumbers: must be an array/],
  ['numbers_diagnose', { PhoneNumber: [] }, /^PhoneNumber: must be a string; for example \+\d+\.$/],
  ['subscribers_get', { SubscriberId: { id: TSUID } }, /^SubscriberId: must be a string; for example TSUID-[\w-]+\./],
  ['subscribers_get', { SubscriberId: 'null' }, /^SubscriberId: must start with TSUID-/],
  ['numbers_data_usage_info', { PhoneNumbers: PROTO }, /^PhoneNumbers\.0\.__proto__: is not a field/],
];
const read = (operation: string, given: object) =>
  parseInput(tools.find(({ id }) => id === operation) as Tool, given, NOW);

describe('the catalogue', () => {
  it.each(READ)('reads %s', (_what, operation, given, means) => expect(read(operation, given)).toEqual(means));

  it.each(LISTS)('reads %j for a list of one number', (PhoneNumbers) =>
    expect(read('numbers_data_usage_info', { PhoneNumbers })).toEqual(ONE),
  );
  it.each(REFUSED)('refuses %s %j', (operation, given, message) => {
    const field = /^\^([\w.\\]+):/.exec(message.source)?.[1]?.replaceAll('\\', '');
    const face = expect.objectContaining({ code: 'invalid_input', field, message: expect.stringMatching(message) });
    expect(() => read(operation, given)).toThrow(expect.objectContaining({ face }));
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
