import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import type { Fields } from '../../src/lib/json.ts';
import { lookAtNumbers } from '../shared/before.ts';
import { choice, listNumbers, numberList, out } from '../shared/fields.ts';
import { megabytes as megabytesOf } from '../shared/line.ts';

const megabytes = z.number('must be a number of megabytes').min(0, 'must not be below 0');

/** The first two thresholds in the wrong order: Notify < Throttle < Limit (PLATFORM.md, Data usage). */
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

/** Why this limit needs a person; undefined if every number has used less. Usage that could not be read counts as too much. */
function stops(input: { LimitValue: number; PhoneNumbers: { Number: string }[] }, known: Fields) {
  if (input.LimitValue === 0) return 'A limit of 0 MB stops data at once.';
  const rows = Array.isArray(known.Usage) ? (known.Usage as { Number?: unknown; Used?: unknown }[]) : [];
  const used = input.PhoneNumbers.map(({ Number: phone }) => ({
    phone,
    used: megabytesOf(rows.find((row) => row.Number === phone)?.Used),
  }));
  const over = used.filter((row) => row.used !== undefined && row.used >= input.LimitValue);
  const unread = used.filter((row) => row.used === undefined);
  const sentences = [
    ...over.slice(0, 3).map(({ phone, used: mb }) => `${phone} has used ${mb} MB: its data stops at once.`),
    ...(over.length > 3 ? [`Data also stops at once for ${over.length - 3} more.`] : []),
    ...(unread.length === 0
      ? []
      : [
          `The data usage of ${listNumbers(unread.map(({ phone }) => ({ Number: phone })))} could not be read, so data may stop at once.`,
        ]),
  ];
  return sentences.length === 0 ? undefined : sentences.join(' ');
}

export default defineOperation({
  id: 'numbers_data_usage_set',
  endpoint: 'POST /v1.0/numbers/data-usage',
  title: 'Set data limits',
  description:
    'Sets data thresholds in MB, the same for every number given: notify, throttle, and stop at LimitValue. Replaces earlier ones: a threshold left out is removed. Required order: NotifyValue < ThrottleValue < LimitValue. Tethering cannot be throttled separately.',
  risk: 'write',
  resend: true,
  source: 'S',
  notes:
    'PLATFORM.md, Data usage: one set for all numbers of a call, LimitValue is required; assumed: ThrottleValue and ThrottleSpeed go together, lists have at most 100 entries, a number with Status Failed was not changed',
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
      return {
        field: 'ThrottleValue',
        message: 'is needed with ThrottleSpeed: the usage in MB from which data is throttled',
      };
    }
    return rising(input);
  },
  raisedBy: 'a limit of 0, or at or below what a number has used',
  raises: (input, known) => {
    const reason = stops(input, known);
    return reason === undefined ? undefined : { risk: 'destroy', reason };
  },
  before: async (input, look) => {
    const usage = await look.read('numbers_data_usage_info', { PhoneNumbers: input.PhoneNumbers });
    const known = { Usage: usage.found?.PhoneNumbers ?? [] };
    // The customer is read only if a person is asked.
    if (stops(input, known) === undefined) return { known };
    const phones = input.PhoneNumbers.map((row) => row.Number);
    const { numbers: _numbers, fill: _account, ...checked } = await lookAtNumbers(phones, input, look);
    return { ...checked, known, drifts: ['Usage'] };
  },
  consent: (input, known) => ({
    title: `Limit data to ${input.LimitValue} MB for ${listNumbers(input.PhoneNumbers)}`,
    consequence: stops(input, known) ?? `Data stops at ${input.LimitValue} MB.`,
    undo: 'Setting a higher limit restores data.',
    confirm: 'Set this limit',
  }),
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
