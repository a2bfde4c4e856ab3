import * as z from 'zod';
import { defineOperation, higher, type Ordinary } from '../../src/catalogue/operation.ts';
import { type Fields, recordsBy, recordsIn } from '../../src/lib/values.ts';
import { adviseFor, numbersIn } from '../shared/before.ts';
import { choice, numberList, out, phonesText } from '../shared/fields.ts';
import { hasData, megabytes as megabytesOf } from '../shared/line.ts';
import { limitsRecord } from './data-usage-settings.ts';

/** The interface's example values are integers without a range; this is the largest integer of most databases. */
const MOST_MB = 2_147_483_647;

const megabytes = z
  .number('must be a number of megabytes')
  .min(0, 'must not be below 0')
  .max(MOST_MB, `must not be above ${MOST_MB}`);

/** The thresholds in a sentence, as forms label them. */
const LABELS = { NotifyValue: '“Notify at”', ThrottleValue: '“Slow down at”', LimitValue: '“Data limit”' } as const;

/** The first two thresholds in the wrong order: Notify < Throttle < Limit (PLATFORM.md, Data usage). */
function rising(input: Partial<Record<'NotifyValue' | 'ThrottleValue' | 'LimitValue', number | null | undefined>>) {
  const given = (['NotifyValue', 'ThrottleValue', 'LimitValue'] as const).flatMap((field) => {
    const value = input[field];
    return typeof value === 'number' ? [{ field, value }] : [];
  });
  const at = given.findIndex(({ value }, index) => value >= (given[index + 1]?.value ?? Number.POSITIVE_INFINITY));
  const [lower, upper] = [given[at], given[at + 1]];
  if (lower === undefined || upper === undefined) return undefined;
  const message = `${lower.value} MB must be below ${LABELS[upper.field]} (${upper.value} MB): lower this value or raise the other`;
  return { field: lower.field, message };
}

const SPEEDS = [
  '64-kbps',
  '128-kbps',
  '256-kbps',
  '512-kbps',
  '1-mbps',
  '5-mbps',
  '20-mbps',
  '50-mbps',
  '100-mbps',
] as const;

/** A throttle that is as fast as now or faster. */
const faster: Ordinary = {
  words: 'if it is faster than now',
  holds: (value, { record }) => {
    const speedOf = (speed: unknown) => (SPEEDS as readonly unknown[]).indexOf(speed);
    return speedOf(record?.ThrottleSpeed) >= 0 && speedOf(value) > speedOf(record?.ThrottleSpeed);
  },
};

const noticed: Ordinary = { words: 'if it is not removed', holds: (value) => value !== null };

/** Finds a problem that shows only once the values of the record are filled in. */
function wholeProblem({ LimitValue, ThrottleValue, ThrottleSpeed, NotifyValue }: Fields) {
  if (typeof LimitValue !== 'number')
    return { field: 'LimitValue', message: 'is needed: these numbers have no limit yet, for example 20000' };
  if (typeof ThrottleValue === 'number' && typeof ThrottleSpeed !== 'string')
    return { field: 'ThrottleSpeed', message: 'is needed with a value to slow down at, for example 1-mbps' };
  if (typeof ThrottleSpeed === 'string' && typeof ThrottleValue !== 'number')
    return {
      field: 'ThrottleValue',
      message: 'is needed with a throttle speed: the usage in MB from which data is slowed down',
    };
  return rising({ LimitValue, ThrottleValue, NotifyValue } as Parameters<typeof rising>[0]);
}

export default defineOperation({
  id: 'numbers_data_usage_set',
  endpoint: 'POST /v1.0/numbers/data-usage',
  title: 'Set data limits',
  description:
    'Sets data thresholds, the same for every number given. What is left out stays and must be equal; else batches_create. NotifyValue < ThrottleValue < LimitValue.',
  batch: { row: 'Number', list: 'PhoneNumbers', most: 100 },
  source: 'S',
  notes:
    'PLATFORM.md, Data usage: one set for all numbers of a call, the platform removes what is left out, so it is read and sent again; assumed: ThrottleValue and ThrottleSpeed go together, lists have at most 100 entries, a number with Status Failed was not changed',
  input: () => ({
    PhoneNumbers: numberList,
    LimitValue: megabytes.meta({ title: 'Data limit' }).describe('in MB: data stops here').optional(),
    NotifyValue: megabytes.meta({ title: 'Notify at' }).describe('in MB').nullish(),
    ThrottleValue: megabytes.meta({ title: 'Slow down at' }).describe('in MB').nullish(),
    ThrottleSpeed: choice(SPEEDS).meta({ title: 'Slowed to' }).nullish(),
    ValueUnit: choice(['MB']).default('MB'),
  }),
  keys: ['PhoneNumbers', 'ValueUnit'],
  current: {
    read: 'numbers_data_usage_settings',
    input: ({ PhoneNumbers }) =>
      Array.isArray(PhoneNumbers) && PhoneNumbers.length > 0 ? { PhoneNumbers } : undefined,
    record: ({ PhoneNumbers }) => (recordsIn(PhoneNumbers).length === 1 ? recordsIn(PhoneNumbers)[0] : undefined),
    records: ({ PhoneNumbers }) => recordsBy('Number', recordsIn(PhoneNumbers)),
    replaces: true,
    goesWith: { ThrottleSpeed: 'ThrottleValue' },
    whole: wholeProblem,
  },
  rules: rising,
  ordinary: { LimitValue: higher, NotifyValue: noticed, ThrottleValue: higher, ThrottleSpeed: faster },
  raised: {
    'a limit or throttle that is new or lower, or a notice that is removed': [
      'LimitValue',
      'ThrottleValue',
      'ThrottleSpeed',
      'NotifyValue',
    ],
  },
  hazards: { NotifyValue: 'Nobody is notified of the usage any more.' },
  before: async (input, look) => {
    const phones = input.PhoneNumbers.map((row) => row.Number);
    const [usage, { numbers, ...checked }] = await Promise.all([
      look.read('numbers_data_usage_info', { PhoneNumbers: input.PhoneNumbers }),
      numbersIn(phones, 'PhoneNumbers', input, look),
    ]);
    const used = recordsIn(usage.found?.PhoneNumbers);
    // In one order: the platform may list them in another one at the yes.
    const over = (limit: number | null = null) =>
      used.flatMap((row) => (limit !== null && (megabytesOf(row.Used) ?? 0) >= limit ? String(row.Number) : [])).sort();
    const idle = numbers.filter(({ record }) => !hasData(record)).map(({ phone }) => phone);
    const says = (phones: readonly string[], words: string) =>
      phones.length === 0 ? [] : [`${phonesText(phones)}: ${words}`];
    const isRow = look.isRow || numbers.length === 1;
    const message = adviseFor({ isRow }, `${phonesText(idle)}: no data on this line, so a limit has no effect`);
    return {
      ...checked,
      ...(idle.length > 0 && checked.problem === undefined && { problem: { field: 'PhoneNumbers', message } }),
      warnings: [
        ...(checked.warnings ?? []),
        ...says(over(input.LimitValue), 'more than this limit is used already, so data stops at once.'),
        ...says(over(input.ThrottleValue), 'more than this is used already, so data is slowed at once.'),
      ],
    };
  },
  send: (input) => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null)),
  consent: (input, _known, reasons) => ({
    title: `Set the data limits of ${phonesText(input.PhoneNumbers)}`,
    consequence: reasons,
    undo: 'The limits can be changed back.',
    confirm: 'Set these limits',
  }),
  output: () => ({
    ...out.members('Status StatusMessage'),
    ...limitsRecord,
    PhoneNumbers: out.rows({ Number: out.plain }),
  }),
  answer: { rows: 'PhoneNumbers', verb: 'given these limits' },
  examples: [{ PhoneNumbers: [{ Number: '+12015550101' }], LimitValue: 20_000, NotifyValue: 10_000 }],
});
