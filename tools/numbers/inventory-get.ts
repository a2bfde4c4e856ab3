import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { recordOf } from '../../src/lib/json.ts';
import { openChoice, out, page, rowsAPage, text } from '../shared/fields.ts';

const row = {
  Number: out.text,
  Tnid: out.key('NID', 'TNID'),
  OrderId: out.key('JNUOID', 'JNOID', 'TNOID'),
  NumberType: out.text,
  Classification: out.text,
  Status: out.text,
  MessageType: out.text,
  MessageEnabled: out.flag,
  MessageRouteId: out.text,
  VoiceEnabled: out.flag,
  VoiceRouteId: out.text,
  OriginalDatePurchased: out.text,
  AssignedSubscriberId: out.text,
  Iccid: out.text,
  Cnam: out.text,
  ProductType: out.text,
  SwapsRemaining: out.number,
} as const;

/** The platform's spelling of a member given in any letter case; undefined if no row has the member. */
function spelled(name: string): string | undefined {
  return NAMES.find((known) => known.toLowerCase() === name.toLowerCase());
}

const NAMES: readonly string[] = ['AccountId', ...Object.keys(row)];

export default defineOperation({
  endpoint: 'GET /v1.0/numbers/inventory',
  title: 'Number inventory',
  description: 'All numbers in long pages of full records. By digits, name or criteria: numbers_find.',
  source: 'S+I',
  notes:
    'PLATFORM.md, Inventory; PLATFORM.md, Number record: PortOutPin is removed; assumed: at most 100 rows a page, Fields has at most 30 entries and is not sent',
  input: () => ({
    Filter: openChoice(['Active', 'Parked', 'Cancelled - Pending Delete', 'Cancelled'], 100)
      .optional()
      .describe('a state; Cancelled: released ones only'),
    PageNumber: page.optional(),
    TotalNumbersRequested: rowsAPage('PageNumber').optional().describe('at most 100'),
    Fields: z
      .array(text(50))
      .min(1, 'name at least one member, for example Number and Status')
      .max(30)
      .optional()
      .describe('members to keep: Number, Status, …'),
  }),
  rules: ({ Fields = [] }) => {
    const unknown = Fields.find((name) => spelled(name) === undefined);
    return unknown === undefined
      ? undefined
      : { field: 'Fields', message: `${unknown} is not a member of a row: choose from ${NAMES.join(', ')}` };
  },
  // The platform does not know Fields. It returns whole rows, of which only the chosen members are shown.
  send: ({ Fields: _, ...query }) => query,
  present: async (answer, { input: { Fields } }) => {
    if (Fields === undefined || !Array.isArray(answer.PhoneNumbers)) return answer;
    const kept = new Set(['Number', ...Fields.map(spelled)]);
    const pick = (value: unknown) =>
      Object.fromEntries(Object.entries(recordOf(value)).filter(([name]) => kept.has(name)));
    return { ...answer, PhoneNumbers: answer.PhoneNumbers.map(pick) };
  },
  output: () => ({
    AccountId: out.text,
    TotalResults: out.number,
    PageNumber: out.number,
    Filter: out.text,
    PhoneNumbers: out.rows(row),
  }),
  examples: [{ Filter: 'Active', PageNumber: 1, TotalNumbersRequested: 50 }, { Filter: 'Cancelled - Pending Delete' }],
});
