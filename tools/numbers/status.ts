import * as z from 'zod';
import { defineOperation, type Effect, type Finding, type Look } from '../../src/catalogue/operation.ts';
import { defined, type Fields, listOf, recordOf, recordsIn, words } from '../../src/lib/values.ts';
import { dayText } from '../../src/platform/dialect/readings.ts';
import { orderState } from '../../src/platform/dialect/verdict.ts';

import { adviseFor, type NumberFound, numbersIn, stateBefore, statesOf } from '../shared/before.ts';
import * as field from '../shared/fields.ts';
import { CHOICE_WORDS, eachOnce, notAmong, out, passed, phonesText } from '../shared/fields.ts';
import { datesOf, hasTakenEffect, isAhead, isCarriedOut, todayIn } from '../shared/line.ts';
import { judgeNumbers } from '../shared/states.ts';

const CHANGES = ['park', 'activate', 'swap', 'swap-sim', 'replace'] as const;
type Change = (typeof CHANGES)[number];

const CANCEL_MOVED =
  'cancel has moved: use numbers_cancel (Slack: /numbers cancel +1…), which shows the consent statement and cancels at once';

/** `cancel` is refused, as by the platform, with a pointer to the cancel flow (PLATFORM.md, Number status). */
const statusChange = z.preprocess(
  (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
  z.enum(CHANGES, {
    error: ({ input }) =>
      String(input).startsWith('cancel') ? CANCEL_MOVED : notAmong(input, CHANGES, CHOICE_WORDS.StatusChange),
  }),
);

/** The state in which a change has no effect. */
const ALREADY: Readonly<Partial<Record<Change, string>>> = { park: 'parked', activate: 'active' };

const NO_WAY_BACK = 'The old number cannot be taken back.';

/** The words of each change. `done`: "parked" in "2 of 3 numbers parked". */
const WORDS: Readonly<Record<Change, { verb: string; done: string; consequence: string; undo: string }>> = {
  park: {
    verb: 'Park',
    done: 'parked',
    consequence:
      'Calls, texts and data stop until it is activated; the number is kept (not confirmed by the platform).',
    undo: 'It can be activated again.',
  },
  activate: {
    verb: 'Activate',
    done: 'activated',
    consequence: 'Calls, texts and data work again, with their charges.',
    undo: 'It can be parked again.',
  },
  swap: {
    verb: 'Swap',
    done: 'swapped',
    consequence: 'The subscriber loses this number and gets another one; a swap is used up.',
    undo: NO_WAY_BACK,
  },
  'swap-sim': {
    verb: 'Swap the SIM of',
    done: 'moved to their new SIM',
    consequence: 'The old SIM stops working.',
    undo: 'Another SIM swap changes it back.',
  },
  replace: {
    verb: 'Replace',
    done: 'replaced',
    consequence: 'The subscriber loses this number and gets another one.',
    undo: NO_WAY_BACK,
  },
};

/** The day of a change, unless it has begun and the answer shows a completed order or each number in its new state. */
function dayAhead(input: Fields, now: Date, answer: Fields): string | undefined {
  const change = { StatusChange: String(input.StatusChange), EffectiveDate: String(input.EffectiveDate) };
  const rows = recordsIn(answer.Numbers);
  const isDone =
    isCarriedOut(change, orderState(answer), now) ||
    (rows.length > 0 && rows.every(({ Status }) => hasTakenEffect(change, Status, now)));
  return isAhead(change.EffectiveDate, now) && !isDone ? dayText(change.EffectiveDate) : undefined;
}

/** The problem or the warning of a change of one number: it has the state already, or another change is scheduled. */
async function scheduleOf(
  { StatusChange, EffectiveDate }: { StatusChange: Change; EffectiveDate: string },
  { phone, status, record }: NumberFound,
  look: Look,
): Promise<{ problem?: string; warning?: string }> {
  const { Scheduled = [] } = await datesOf({ ...record, Number: phone }, look.history);
  const says = (one: (typeof Scheduled)[number]) => `${one.StatusChange} scheduled for ${dayText(one.EffectiveDate)}`;
  const [latest] = Scheduled;
  if (status !== '' && status === ALREADY[StatusChange]) {
    const is = `${phone} is already ${String(record.Status)}${latest ? `, and has a ${says(latest)}` : ''}`;
    return { problem: adviseFor(look, is, 'Leave it out; numbers_lookup shows its state') };
  }
  const same = Scheduled.find((one) => one.EffectiveDate === EffectiveDate);
  if (same?.StatusChange === StatusChange)
    return { problem: adviseFor(look, `${phone} has this change already: ${says(same)}`) };
  return latest === undefined
    ? {}
    : { warning: `The earlier change of ${phone} stays; which of the two holds is not confirmed by the platform.` };
}

/** The effect of a change on each number: what it changes, the value before, and the value after. */
function effectOn(change: Change, phone: string, { States, Sims }: Fields, sim: string | undefined): Effect {
  const member = 'StatusChange';
  if (change === 'swap-sim') {
    const before = recordOf(Sims)[phone];
    const isNone = phone in recordOf(Sims) && !before;
    return { what: 'SIM', member, ...(isNone ? { empty: true } : { before }), after: sim };
  }
  const after = { park: 'Parked', activate: 'Active', swap: undefined, replace: undefined }[change];
  return after === undefined
    ? { what: 'Phone number', member, before: phone, after: 'another number' }
    : { what: 'Service', member, ...stateBefore(States, phone), after };
}

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/status',
  title: 'Park or activate',
  description:
    'Parks or activates numbers on EffectiveDate, swaps their SIM (give the new ICCID), or swaps or replaces the phone number itself: the old one is lost; ask which is meant (not confirmed by the platform). Never cancels: numbers_cancel.',
  risk: 'destroy',
  batch: { row: 'Number', list: 'PhoneNumbers', most: 100 },
  source: 'S+I',
  notes:
    'PLATFORM.md, Number status: cancel is refused; PLATFORM.md, Number states; assumed: what each change does, lists have at most 100 entries, a number with Status Failed was not changed',
  input: () => ({
    StatusChange: statusChange,
    PhoneNumbers: field.numberRowsWith({ ICCID: field.iccid.optional() }).overwrite(eachOnce),
    EffectiveDate: field.usDate.describe('MM/DD/YYYY'),
    AreaCode: field.areaCode.optional().describe('of the new number'),
    ZipCode: field.zipCode.optional(),
  }),
  rules: ({ StatusChange, PhoneNumbers = [], EffectiveDate }, now) => {
    const bare = StatusChange === 'swap-sim' ? PhoneNumbers.find((row) => row.ICCID === undefined) : undefined;
    const twice = PhoneNumbers.find(({ Number: one }, at) => PhoneNumbers.findIndex((row) => row.Number === one) < at);
    const message = `a new SIM (swap-sim) needs the serial (ICCID) of the new SIM of each number, for example ${bare?.Number}: 8901240397190195850`;
    return [
      ...(bare ? [{ field: 'PhoneNumbers', message }] : []),
      ...(twice ? [{ field: 'PhoneNumbers', message: `${twice.Number} is given twice, with different SIMs` }] : []),
      ...listOf(passed('EffectiveDate', EffectiveDate, now)),
    ];
  },
  output: () => ({
    ...out.members('OrderId OrderDate OrderStatus ChangeType EffectiveDate'),
    Numbers: out.rows({ Number: out.plain, QrCode: out.plain }),
  }),
  answer: {
    status: 'OrderStatus',
    refusedStates: ['Cancelled', 'Canceled'],
    rows: 'Numbers',
    renumbers: ({ StatusChange }) => StatusChange === 'swap' || StatusChange === 'replace',
    verb: ({ StatusChange }) => WORDS[StatusChange as Change].done,
    scheduled: dayAhead,
  },
  before: async (input, look) => {
    const phones = input.PhoneNumbers.map((row) => row.Number);
    const { numbers, ...checked } = await numbersIn(phones, 'PhoneNumbers', input, look);
    if (checked.problem) return checked;
    const schedules = await Promise.all(numbers.map((number) => scheduleOf(input, number, look)));
    const message = schedules.map(({ problem }) => problem).find((problem) => problem !== undefined);
    // Today is offered from midnight in the east of the US, hours before it has begun in every zone.
    const [day, today] = [dayText(input.EffectiveDate), dayText(todayIn(look.now))];
    const isLater = isAhead(input.EffectiveDate, look.now) && day !== today;
    return {
      ...checked,
      ...(message !== undefined && { problem: { field: 'PhoneNumbers', message } }),
      warnings: [
        ...(checked.warnings ?? []),
        ...schedules.flatMap(({ warning }) => warning ?? []),
        ...(isLater ? ['A scheduled change cannot be taken back before its day.'] : []),
      ],
      known: {
        States: statesOf(numbers),
        Sims: Object.fromEntries(numbers.map(({ phone, record }) => [phone, record.Iccid])),
        // A day that ends while the question waits is another question.
        ...(day < today && { IsOver: true }),
      },
    };
  },
  keys: ['StatusChange'],
  endsNumber: ({ StatusChange }) => StatusChange === 'swap' || StatusChange === 'replace',
  effects: ({ StatusChange, PhoneNumbers }, known) =>
    PhoneNumbers.map(({ Number: of, ICCID }) => ({ of, ...defined(effectOn(StatusChange, of, known, ICCID)) })),
  consent: ({ StatusChange, PhoneNumbers, EffectiveDate }, { IsOver }) => {
    const { consequence, undo, verb } = WORDS[StatusChange];
    return {
      title: `${verb} ${phonesText(PhoneNumbers)}`,
      consequence: `${consequence} Effective ${dayText(EffectiveDate, { weekday: true })}${IsOver ? ', which is over in the east of the US' : ''}.`,
      undo,
      confirm: `${verb} ${PhoneNumbers.length === 1 ? 'this number' : `${PhoneNumbers.length} numbers`}`,
    };
  },
  // Parked and Active can be read, but the result of a swap or replacement cannot.
  reconcile: async ({ StatusChange, PhoneNumbers, EffectiveDate }, trace): Promise<Finding> => {
    if (StatusChange !== 'park' && StatusChange !== 'activate')
      return {
        outcome: 'unknown',
        saw: `no record shows the result of a ${StatusChange}: check the number's order`,
      };
    const [wanted, before] = StatusChange === 'park' ? ['Parked', 'Active'] : ['Active', 'Parked'];
    const ahead = isAhead(EffectiveDate, trace.now);
    const finding = await judgeNumbers(PhoneNumbers, trace, {
      same: ({ shown }) => shown.StatusChange === StatusChange,
      judge: (state) => {
        if (state === wanted.toLowerCase()) return 'done';
        return state === before.toLowerCase() && !ahead ? 'not_done' : 'unknown';
      },
      answer: (done, notDone) => ({
        OrderStatus: notDone.length === 0 ? 'Complete' : 'Partial',
        ChangeType: StatusChange,
        EffectiveDate,
        Numbers: [
          ...done.map((row) => ({ Number: row.Number, Status: wanted })),
          ...notDone.map((row) => ({ Number: row.Number, Status: 'Failed', StatusMessage: `it is ${before}` })),
        ],
      }),
    });
    return finding.outcome === 'unknown' && ahead
      ? { ...finding, saw: words`${finding.saw}; the change takes effect on ${EffectiveDate}` }
      : finding;
  },
  examples: [
    { StatusChange: 'park', PhoneNumbers: [{ Number: '+12015550103' }], EffectiveDate: '12/31/2026' },
    {
      StatusChange: 'swap-sim',
      PhoneNumbers: [{ Number: '+12015550103', ICCID: '8901240397190195850' }],
      EffectiveDate: '12/31/2026',
    },
  ],
});
