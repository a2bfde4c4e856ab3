import * as z from 'zod';
import { defineOperation } from '../../src/operation.ts';
import { choice, numberList, out } from '../fields.ts';

const megabytes = z.number('must be a number of megabytes').min(0, 'must not be below 0');

/** The two thresholds that stand in the wrong order: Notify < Throttle < Limit (gaps.md, Data usage). */
function rising(input: { NotifyValue?: number | undefined; ThrottleValue?: number | undefined; LimitValue: number }) {
  const given = (['NotifyValue', 'ThrottleValue', 'LimitValue'] as const).flatMap((field) => {
    const value = input[field];
    return value === undefined ? [] : [{ field, value }];
  });
  for (const [index, lower] of given.entries()) {
    const upper = given[index + 1];
    if (upper === undefined || lower.value < upper.value) continue;
    return {
      field: lower.field,
      message: `${lower.field} (${lower.value} MB) must be below ${upper.field} (${upper.value} MB): lower the first or raise the second`,
    };
  }
  return undefined;
}

export default defineOperation({
  id: 'numbers_data_usage_set',
  endpoint: 'POST /v1.0/numbers/data-usage',
  title: 'Set data limits',
  description:
    'Sets data thresholds in MB, the same for every number given: notify, slow down, stop at LimitValue. Replaces the earlier ones. Rising: NotifyValue < ThrottleValue < LimitValue. Tethering cannot be throttled separately.',
  risk: 'write',
  resend: true,
  source: 'S',
  notes:
    'platform.md, Enumerations and Limits: one set for all numbers of a call; interface: LimitValue is required; assumed: ThrottleValue and ThrottleSpeed go together, lists have at most 100 entries, a number with Status Failed was not changed',
  input: z.strictObject({
    PhoneNumbers: numberList,
    LimitValue: megabytes.meta({ title: 'Limit in MB' }).describe('data stops here'),
    NotifyValue: megabytes.meta({ title: 'Notify at, in MB' }).optional(),
    ThrottleValue: megabytes.meta({ title: 'Slow down at, in MB' }).optional(),
    ThrottleSpeed: choice([
      '64-kbps',
      '128-kbps',
      '256-kbps',
      '512-kbps',
      '1-mbps',
      '5-mbps',
      '20-mbps',
      '50-mbps',
      '100-mbps',
    ]).optional(),
    ValueUnit: choice(['MB']).default('MB'),
  }),
  rules: (input) => {
    if (input.ThrottleValue !== undefined && input.ThrottleSpeed === undefined) {
      return { field: 'ThrottleSpeed', message: 'is needed with ThrottleValue, for example 1-mbps' };
    }
    if (input.ThrottleSpeed !== undefined && input.ThrottleValue === undefined) {
      return { field: 'ThrottleValue', message: 'is needed with ThrottleSpeed: from how many MB on to slow down' };
    }
    return rising(input);
  },
  output: z.looseObject({
    Status: out.text,
    StatusMessage: out.text,
    ValueUnit: out.text,
    NotifyValue: out.number,
    ThrottleValue: out.number,
    ThrottleSpeed: out.text,
    LimitValue: out.number,
    PhoneNumbers: out.rows({ Number: out.text }),
  }),
  answer: { rows: 'PhoneNumbers', verb: 'given these limits' },
  examples: [
    {
      PhoneNumbers: [{ Number: '+12015550101' }],
      LimitValue: 20_000,
      NotifyValue: 10_000,
      ThrottleValue: 15_000,
      ThrottleSpeed: '1-mbps',
    },
  ],
});
