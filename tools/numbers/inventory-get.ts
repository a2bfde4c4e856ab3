import { defineOperation } from '../../src/catalogue/operation.ts';
import { openChoice, out, page, rowsAPage } from '../shared/fields.ts';
import { numberRecord } from './get.ts';

const { TNID: Tnid, ...record } = numberRecord;

export default defineOperation({
  endpoint: 'GET /v1.0/numbers/inventory',
  title: 'Number inventory',
  description: 'All numbers in long pages of full records. By digits, name or criteria: numbers_find.',
  source: 'S+I',
  notes: 'PLATFORM.md, Inventory; PLATFORM.md, Number record: PortOutPin is removed; assumed: at most 100 rows a page',
  input: () => ({
    Filter: openChoice(['Active', 'Parked', 'Cancelled - Pending Delete', 'Cancelled'], 100)
      .optional()
      .describe('a state; Cancelled: released ones only'),
    PageNumber: page.optional(),
    TotalNumbersRequested: rowsAPage('PageNumber').optional().describe('at most 100'),
  }),
  output: () => ({
    ...out.members('AccountId TotalResults PageNumber Filter'),
    PhoneNumbers: out.rows({ ...record, Tnid }),
  }),
  examples: [{ Filter: 'Active', PageNumber: 1, TotalNumbersRequested: 50 }, { Filter: 'Cancelled - Pending Delete' }],
});
