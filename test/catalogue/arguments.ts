import type { Json } from '../support/world.ts';

/* Arguments as clients really send them: one row each. */

export interface Row {
  sentence: string;
  operation: string;
  given: Json;
  /** The input as the operation reads it. */
  means?: Json;
  /** The only reason why it is refused, as a pattern, and the field. */
  refused?: { field: string; message: RegExp };
}

const NUMBER = '+12015550101';
const TSUID = 'TSUID-00000000-0000-4000-8000-000000000001';
const AID = 'AID-00000000-0000-4000-8000-000000000001';
const MRID = 'MRID-00000000-0000-4000-8000-000000000001';

export const rows: Row[] = [
  {
    sentence: 'null for members that are left out',
    operation: 'numbers_get',
    given: { PhoneNumber: NUMBER, Number: null, ICCID: null },
    means: { PhoneNumber: NUMBER },
  },
  {
    sentence: 'null for a required member',
    operation: 'subscribers_get',
    given: { SubscriberId: null },
    refused: { field: 'SubscriberId', message: /^SubscriberId: is missing; / },
  },
  {
    sentence: 'null for the account',
    operation: 'events_since',
    given: { AccountId: null, Only: null, Since: '8h' },
    means: { Since: '8h' },
  },
  {
    sentence: 'null for a member that it removes',
    operation: 'message_routes_update',
    given: { MessageRouteId: MRID, RouteName: 'Support', MessageUsername: null },
    means: { MessageRouteId: MRID, RouteName: 'Support', MessageUsername: null },
  },
  {
    sentence: 'null beside a list',
    operation: 'message_outbound',
    given: { From: NUMBER, To: ['+12015550199'], Body: 'Hi', CampaignId: null, MmsMedia: null },
    means: { From: NUMBER, To: [{ Number: '+12015550199' }], Body: 'Hi' },
  },
  {
    sentence: 'null inside an object that is JSON text',
    operation: 'account_update',
    given: { AccountId: AID, BillingAddress: '{"Street1":"1 Main St","Street2":null}' },
    means: { AccountId: AID, BillingAddress: { Street1: '1 Main St' } },
  },
  {
    sentence: 'a list as JSON text',
    operation: 'numbers_data_usage_info',
    given: { PhoneNumbers: `[{"Number":"${NUMBER}"}]` },
    means: { PhoneNumbers: [{ Number: NUMBER }] },
  },
  {
    sentence: 'a list of plain numbers as JSON text',
    operation: 'numbers_data_usage_info',
    given: { PhoneNumbers: ` ["${NUMBER}"] ` },
    means: { PhoneNumbers: [{ Number: NUMBER }] },
  },
  {
    sentence: 'rows of a list as JSON text',
    operation: 'numbers_data_usage_info',
    given: { PhoneNumbers: [`{"Number":"${NUMBER}"}`] },
    means: { PhoneNumbers: [{ Number: NUMBER }] },
  },
  {
    sentence: 'booleans as text',
    operation: 'numbers_lookup',
    given: { PhoneNumber: NUMBER, Full: 'true' },
    means: { PhoneNumber: NUMBER, Full: true },
  },
  {
    sentence: 'booleans as Python writes them',
    operation: 'numbers_lookup',
    given: { PhoneNumber: NUMBER, Full: 'False' },
    means: { PhoneNumber: NUMBER, Full: false },
  },
  {
    sentence: 'a text that is no boolean',
    operation: 'numbers_lookup',
    given: { PhoneNumber: NUMBER, Full: 'yes' },
    refused: { field: 'Full', message: /^Full: must be true or false/ },
  },
  {
    sentence: 'integers as text',
    operation: 'numbers_find',
    given: { Query: 'Stone', Rows: '5' },
    means: { Query: 'Stone', Rows: 5 },
  },
  {
    sentence: 'decimals as text',
    operation: 'numbers_find',
    given: { UsedFrom: '1.5' },
    means: { UsedFrom: 1.5 },
  },
  {
    sentence: 'a number with a unit',
    operation: 'numbers_find',
    given: { UsedFrom: '5 MB' },
    refused: { field: 'UsedFrom', message: /^UsedFrom: must be a number/ },
  },
  {
    sentence: 'a number with an exponent',
    operation: 'numbers_find',
    given: { UsedFrom: '1e3' },
    refused: { field: 'UsedFrom', message: /^UsedFrom: must be a number/ },
  },
  {
    sentence: 'an integer that would be rounded',
    operation: 'numbers_find',
    given: { UsedFrom: '9007199254740993' },
    refused: { field: 'UsedFrom', message: /^UsedFrom: must be a number/ },
  },
  {
    sentence: 'a text for a list',
    operation: 'numbers_data_usage_info',
    given: { PhoneNumbers: 'all lines' },
    refused: { field: 'PhoneNumbers', message: /^PhoneNumbers: must be an array/ },
  },
  {
    sentence: 'a number for a list of numbers',
    operation: 'numbers_data_usage_info',
    given: { PhoneNumbers: NUMBER },
    means: { PhoneNumbers: [{ Number: NUMBER }] },
  },
  {
    sentence: 'the number in JSON that is cut off, for a list of numbers',
    operation: 'numbers_data_usage_info',
    given: { PhoneNumbers: `[{"Number":"${NUMBER}"}` },
    means: { PhoneNumbers: [{ Number: NUMBER }] },
  },
  {
    sentence: 'an object for a list of numbers',
    operation: 'numbers_data_usage_info',
    given: { PhoneNumbers: `{"Number":"${NUMBER}"}` },
    means: { PhoneNumbers: [{ Number: NUMBER }] },
  },
  {
    sentence: 'a list for a number of a phone',
    operation: 'numbers_diagnose',
    given: { PhoneNumber: [] },
    refused: { field: 'PhoneNumber', message: /^PhoneNumber: must be a string; for example \+\d+\.$/ },
  },
  {
    sentence: 'an object for an id',
    operation: 'subscribers_get',
    given: { SubscriberId: { id: TSUID } },
    refused: { field: 'SubscriberId', message: /^SubscriberId: must be a string; for example TSUID-[\w-]+\./ },
  },
  {
    sentence: 'the text "null" for an id',
    operation: 'subscribers_get',
    given: { SubscriberId: 'null' },
    refused: { field: 'SubscriberId', message: /^SubscriberId: must start with TSUID-/ },
  },
  {
    sentence: 'a member of Object.prototype as JSON text',
    operation: 'numbers_data_usage_info',
    given: { PhoneNumbers: `[{"Number":"${NUMBER}","__proto__":{"Number":"+12015550102"}}]` },
    refused: { field: 'PhoneNumbers.0.__proto__', message: /^PhoneNumbers\.0\.__proto__: is not a field/ },
  },
];
