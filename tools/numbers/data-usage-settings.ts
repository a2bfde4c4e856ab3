import { defineOperation } from '../../src/catalogue/operation.ts';
import { text } from '../shared/before.ts';
import { numberList, out } from '../shared/fields.ts';
import { limitsSaid, lineSaid, notRead, ofLines } from '../shared/line-sentences.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/data-usage/settings',
  title: 'Data limits',
  description: 'The data thresholds set for numbers: notify, throttle and its speed, limit.',
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
      NotifyValue: out.number,
      ThrottleValue: out.number,
      ThrottleSpeed: out.text,
      LimitValue: out.number,
      ValueUnit: out.text,
    }),
  }),
  sentences: {
    of: 'PhoneNumbers',
    title: (count, { PhoneNumbers }) => `Data limits ${ofLines(PhoneNumbers, count)}`,
    row: (row, _input, nameOf) => {
      const PhoneNumbers = [{ Number: text(row.Number) ?? '' }];
      return {
        says: `${lineSaid(text(row.Number) ?? '', nameOf)}: ${notRead(row) ?? limitsSaid(row)}`,
        next: [
          { tool: 'numbers_data_usage_set', title: 'Set data limits', input: { PhoneNumbers } },
          { tool: 'numbers_data_usage_info', title: 'Data used', input: { PhoneNumbers } },
        ],
      };
    },
  },
  examples: [{ PhoneNumbers: [{ Number: '+12015550101' }] }],
});
