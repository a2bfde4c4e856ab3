import { defineOperation } from '../../src/catalogue/operation.ts';
import { text } from '../shared/before.ts';
import { numberList, out } from '../shared/fields.ts';
import { behaviourSaid, lineSaid, notRead, ofLines } from '../shared/line-sentences.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/data-usage/info',
  title: 'Data used',
  description: 'Data used and remaining for numbers, and whether they are throttled or stopped.',
  risk: 'read',
  batch: { row: 'Number', list: 'PhoneNumbers', most: 100 },
  source: 'S+I',
  notes: 'PLATFORM.md, Data usage; assumed: lists have at most 100 entries',
  input: () => ({ PhoneNumbers: numberList }),
  output: () => ({
    Status: out.text,
    PhoneNumbers: out.rows({
      Number: out.text,
      Status: out.text,
      StatusMessage: out.text,
      Used: out.text,
      Remaining: out.text,
      CurrentBehavior: out.text,
    }),
  }),
  sentences: {
    of: 'PhoneNumbers',
    title: (count, { PhoneNumbers }) => `Data used ${ofLines(PhoneNumbers, count)}`,
    row: (row, _input, nameOf) => {
      const PhoneNumbers = [{ Number: text(row.Number) ?? '' }];
      const says = [lineSaid(text(row.Number) ?? '', nameOf), notRead(row) ?? behaviourSaid(row)];
      return {
        says: says.filter((part) => part !== '').join(': '),
        usage: row,
        next: [
          { tool: 'numbers_data_usage_settings', title: 'Data limits', input: { PhoneNumbers } },
          { tool: 'numbers_data_usage_set', title: 'Set data limits', input: { PhoneNumbers } },
        ],
      };
    },
  },
  examples: [{ PhoneNumbers: [{ Number: '+12015550101' }] }],
});
