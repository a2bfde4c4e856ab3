import * as z from 'zod';
import { defineOperation, type Harm, harmless, target, when } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordOf } from '../../src/lib/json.ts';
import { notInService, numbersIn } from '../shared/before.ts';
import { choice, listNumbers, numberList, out } from '../shared/fields.ts';
import { megabytes as megabytesOf } from '../shared/line.ts';

/** The interface's example values are integers without a range; this is the largest integer of most databases. */
const MOST_MB = 2_147_483_647;

const megabytes = z
  .number('must be a number of megabytes')
  .min(0, 'must not be below 0')
  .max(MOST_MB, `must not be above ${MOST_MB}`);

/** The first two thresholds in the wrong order: Notify < Throttle < Limit (PLATFORM.md, Data usage). */
function rising(input: Partial<Record<'NotifyValue' | 'ThrottleValue' | 'LimitValue', number | undefined>>) {
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

/** The rows of the numbers in an answer. */
function rowsIn({ PhoneNumbers }: Fields): Fields[] {
  return Array.isArray(PhoneNumbers) ? PhoneNumbers.map(recordOf) : [];
}

function limitsOf({ LimitValue, NotifyValue, ThrottleValue, ThrottleSpeed }: Fields): Fields {
  return defined({ LimitValue, NotifyValue, ThrottleValue, ThrottleSpeed });
}

/** A limit that is less than a tenth above what is used is reached soon. */
function isClose(value: number, used: number): boolean {
  return value * 10 < used * 11;
}
/** A threshold below this counts as none at all. */
const LEAST_MB = 1;

interface Row {
  phone: string;
  /** Undefined if the usage could not be read. */
  used: number | undefined;
}

function usageOf(numbers: unknown, usage: unknown): Row[] {
  const rows = Array.isArray(usage) ? usage.map(recordOf) : [];
  const used = new Map(rows.map((row) => [row.Number, megabytesOf(row.Used)]));
  return (Array.isArray(numbers) ? numbers.map(recordOf) : []).map(({ Number: phone }) => ({
    phone: String(phone),
    used: used.get(phone),
  }));
}

/** True if a value is clearly above the usage of every number. Usage that could not be read counts as too much. */
function isAbove(value: unknown, rows: readonly Row[]): boolean {
  if (typeof value !== 'number' || value < LEAST_MB || rows.length === 0) return false;
  return rows.every(({ used }) => used !== undefined && !isClose(value, used));
}

const leavesData = when(
  'it is 1 MB or more and at least a tenth above what every number has used',
  (value, { input, known }) => isAbove(value, usageOf(input.PhoneNumbers, known.Usage)),
);

/** The harm of a low limit. `stops` is a clause such as "its data stops". */
function nears(noun: string, stops: string): Harm<number> {
  return {
    what: 'a limit or throttle below 1 MB, or less than a tenth above what a number has used',
    reason: (value, { input, known }) => {
      if (value < LEAST_MB) return `A ${noun} of ${value} MB: ${stops} at once.`;
      const rows = usageOf(input.PhoneNumbers, known.Usage);
      const near = rows.filter(({ used }) => used !== undefined && isClose(value, used));
      const unread = rows.filter(({ used }) => used === undefined).map(({ phone }) => ({ Number: phone }));
      return [
        ...near.slice(0, 3).map(({ phone, used }) => `${phone} has used ${used} MB: ${stops} ${whenAt(value, used)}.`),
        ...(near.length > 3 ? [`The same holds for ${near.length - 3} more.`] : []),
        ...(unread.length === 0
          ? []
          : [`The data usage of ${listNumbers(unread)} could not be read, so ${stops} perhaps at once.`]),
      ].join(' ');
    },
  };
}

function whenAt(value: number, used: number | undefined): string {
  return used !== undefined && used >= value ? 'at once' : 'soon';
}

export default defineOperation({
  id: 'numbers_data_usage_set',
  endpoint: 'POST /v1.0/numbers/data-usage',
  title: 'Set data limits',
  description:
    'Sets data thresholds in MB, the same for every number given: notify, throttle, and stop at LimitValue. Replaces earlier ones: a threshold left out is removed. Required order: NotifyValue < ThrottleValue < LimitValue. Tethering cannot be throttled separately.',
  risk: 'write',
  batch: { row: 'Number', list: 'PhoneNumbers', most: 100 },
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
  current: {
    read: 'numbers_data_usage_settings',
    keys: ['PhoneNumbers'],
    input: ({ PhoneNumbers }) =>
      Array.isArray(PhoneNumbers) && PhoneNumbers.length === 1 ? { PhoneNumbers } : undefined,
    record: (answer) => rowsIn(answer)[0],
    replaces: true,
  },
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
  harmless: {
    PhoneNumbers: target,
    LimitValue: leavesData,
    NotifyValue: harmless('only notifies'),
    ThrottleValue: leavesData,
    ThrottleSpeed: harmless('takes effect at ThrottleValue'),
    ValueUnit: harmless('the unit of the thresholds'),
  },
  raised: {
    LimitValue: nears('limit', 'its data stops'),
    ThrottleValue: nears('throttle', 'its data is slowed'),
  },
  before: async (input, look) => {
    const usage = await look.read('numbers_data_usage_info', { PhoneNumbers: input.PhoneNumbers });
    const known = { Usage: usage.found?.PhoneNumbers ?? [] };
    const rows = usageOf(input.PhoneNumbers, known.Usage);
    // The customer is read only if a person is asked.
    if ([input.LimitValue, input.ThrottleValue ?? input.LimitValue].every((value) => isAbove(value, rows)))
      return { known };
    const settings = await look.read('numbers_data_usage_settings', { PhoneNumbers: input.PhoneNumbers });
    const [first, ...others] = rowsIn(settings.found ?? {});
    const phones = input.PhoneNumbers.map((row) => row.Number);
    const looked = await numbersIn(phones, 'PhoneNumbers', input, look, notInService);
    const { numbers: _numbers, fill: _account, ...checked } = looked;
    const Record = first && others.length === 0 ? limitsOf(first) : undefined;
    return { ...checked, known: { ...known, ...defined({ Record }) }, drifts: ['Usage'] };
  },
  consent: (input, _known, reasons) => ({
    title: `Limit data to ${input.LimitValue} MB for ${listNumbers(input.PhoneNumbers)}`,
    consequence: `${reasons} Data stops at ${input.LimitValue} MB.`,
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
