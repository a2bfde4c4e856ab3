import * as z from 'zod';

import { defineOperation, type Effect, type Finding, type Look, type Problem } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordOf } from '../../src/lib/json.ts';
import { listOf } from '../../src/lib/lists.ts';
import { words } from '../../src/lib/words.ts';
import { dayText } from '../../src/platform/dialect/dates.ts';
import { orderState } from '../../src/platform/dialect/orders.ts';

import { type NumberFound, notInService, numbersIn, statesOf } from '../shared/before.ts';
import { CHOICE_WORDS } from '../shared/choice-words.ts';
import {
  areaCode,
  e164,
  eachOnce,
  iccid,
  listNumbers,
  notAmong,
  out,
  passed,
  usDate,
  zipCode,
} from '../shared/fields.ts';
import { hasTakenEffect, isAhead, isCarriedOut, todayIn } from '../shared/line.ts';
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

interface Words {
  title: (numbers: string) => string;
  consequence: string;
  undo: string;
  /** "Park" in "Park this number" and "Park 3 numbers". */
  verb: string;
}

const WORDS: Readonly<Record<Change, Words>> = {
  park: {
    title: (numbers) => `Park ${numbers}`,
    consequence:
      'Assumed, not documented: calls, texts and data stop; the number is kept. Whether it costs less is not known.',
    undo: 'Activating the number again is assumed to restore service.',
    verb: 'Park',
  },
  activate: {
    title: (numbers) => `Activate ${numbers}`,
    consequence: 'Assumed, not documented: calls, texts and data work again, with their charges.',
    undo: 'The number can be parked again.',
    verb: 'Activate',
  },
  swap: {
    title: (numbers) => `Swap ${numbers} for another number`,
    consequence:
      'Assumed, not documented: the subscriber gets a different phone number and loses this one, and one of the remaining swaps is used. How swap differs from replace is the platform’s open question.',
    undo: 'No way to take the old number back is documented.',
    verb: 'Swap',
  },
  'swap-sim': {
    title: (numbers) => `Swap the SIM of ${numbers}`,
    consequence: 'Assumed, not documented: service moves to the new SIM, and the old SIM stops working.',
    undo: 'Another SIM swap is assumed to change it back.',
    verb: 'Swap the SIM of',
  },
  replace: {
    title: (numbers) => `Replace ${numbers} by a new number`,
    consequence:
      'Assumed, not documented: a new number takes its place, and the subscriber loses the old one. How replace differs from swap is the platform’s open question.',
    undo: 'No way to take the old number back is documented.',
    verb: 'Replace',
  },
};

/** "2 of 3 numbers parked". */
const DONE: Readonly<Record<Change, string>> = {
  park: 'parked',
  activate: 'activated',
  swap: 'swapped',
  'swap-sim': 'moved to their new SIM',
  replace: 'replaced',
};

/** The day of a change, unless it has begun and the answer shows a completed order or each number in its new state. */
function dayAhead(input: Fields, now: Date, answer: Fields): string | undefined {
  const change = { StatusChange: String(input.StatusChange), EffectiveDate: String(input.EffectiveDate) };
  const rows = Array.isArray(answer.Numbers) ? answer.Numbers.map(recordOf) : [];
  const isDone =
    isCarriedOut(change, orderState(answer), now) ||
    (rows.length > 0 && rows.every(({ Status }) => hasTakenEffect(change, Status, now)));
  return isAhead(change.EffectiveDate, now) && !isDone ? dayText(change.EffectiveDate) : undefined;
}

const OPPOSITE: Readonly<Record<string, string>> = { park: 'activate', activate: 'park' };

/** Finds the same change of a number that was already ordered for the same day, and not taken back since. */
async function scheduledBefore(
  input: { StatusChange: string; EffectiveDate: string; PhoneNumbers: readonly { Number: string }[] },
  look: Look,
): Promise<string | undefined> {
  if (!isAhead(input.EffectiveDate, look.now)) return undefined;
  for (const { Number: phone } of input.PhoneNumbers) {
    const ordered = (await look.done(phone)).filter(
      ({ shown, order }) => shown.EffectiveDate === input.EffectiveDate && !isCarriedOut(input, order, look.now),
    );
    const earlier = ordered.find(({ shown }) => shown.StatusChange === input.StatusChange);
    const back = ordered.find(({ shown }) => shown.StatusChange === OPPOSITE[input.StatusChange]);
    if (earlier && !(back && back.at > earlier.at))
      return `${phone} is already scheduled for ${dayText(input.EffectiveDate)}: "${earlier.title}", asked by ${earlier.by} at ${earlier.at.toISOString()} (${earlier.id}). Leave it out, or choose another date`;
  }
  return undefined;
}

/** What a scheduled change means until its day (PLATFORM.md, Number status). */
const NOT_TAKEN_BACK = 'No operation takes a scheduled change back';

type Ordered = Awaited<ReturnType<Look['done']>>[number];

/** The changes of a number that were ordered here and have not taken effect. */
async function scheduledFor({ phone, status }: { phone: string; status: string }, look: Look): Promise<Ordered[]> {
  return (await look.done(phone)).filter(({ shown, order }) => {
    const change = { StatusChange: String(shown.StatusChange), EffectiveDate: String(shown.EffectiveDate) };
    const isOver = isCarriedOut(change, order, look.now) || hasTakenEffect(change, status, look.now);
    return isAhead(change.EffectiveDate, look.now) && !isOver;
  });
}

function scheduleText(phone: string, { shown, id }: Ordered): string {
  return `${phone} has a ${String(shown.StatusChange)} scheduled for ${dayText(String(shown.EffectiveDate))} (${id})`;
}

/** What the person should know about changes of these numbers that take effect later, this one included. */
async function scheduleWarnings(
  { EffectiveDate }: { EffectiveDate: string },
  numbers: readonly NumberFound[],
  look: Look,
): Promise<string[]> {
  const each = await Promise.all(
    numbers.map(async (number) => {
      const [latest] = await scheduledFor(number, look);
      return latest === undefined ? [] : [scheduleText(number.phone, latest)];
    }),
  );
  const others = each.flat();
  // Today is offered from midnight in the east of the US, hours before it has begun in every zone.
  const isLater = isAhead(EffectiveDate, look.now) && EffectiveDate !== todayIn(look.now);
  const own = isLater ? [`${NOT_TAKEN_BACK} before its day.`] : [];
  if (others.length === 0) return own;
  return [`${others.join('; ')}. It stays; what the platform does with both is not documented.`, ...own];
}

/** The problem of a change that is asked for before the scheduled one that it follows. */
async function scheduledFirst(
  { StatusChange }: { StatusChange: Change },
  numbers: readonly NumberFound[],
  look: Look,
): Promise<string | undefined> {
  for (const number of numbers) {
    if (number.status !== ALREADY[StatusChange]) continue;
    const [latest] = await scheduledFor(number, look);
    const is = `${number.phone} is already ${String(number.record.Status)}`;
    if (latest === undefined || latest.shown.StatusChange !== OPPOSITE[StatusChange])
      return `${is}. Leave it out; numbers_lookup shows its state`;
    return `${is}, and ${scheduleText('it', latest)}. Ask for ${StatusChange} once that has taken effect. ${NOT_TAKEN_BACK}`;
  }
  return undefined;
}

function simNeeded(phone: string): Problem {
  return {
    field: 'PhoneNumbers',
    message: `a new SIM (swap-sim) needs the serial (ICCID) of the new SIM of each number, for example ${phone}: 8901240397190195850`,
  };
}

/** The effects of a change on each number, with the values of its record as those before. */
function statusEffects(
  input: { StatusChange: Change; PhoneNumbers: readonly { Number: string; ICCID?: string | undefined }[] },
  known: Fields,
): Effect[] {
  return input.PhoneNumbers.map(({ Number: of, ICCID }): Effect => {
    const [state, sim] = [recordOf(known.States)[of], recordOf(known.Sims)[of]];
    if (input.StatusChange === 'park' || input.StatusChange === 'activate')
      return {
        of,
        what: 'Service',
        ...defined({ before: state }),
        after: input.StatusChange === 'park' ? 'Parked' : 'Active',
      };
    if (input.StatusChange === 'swap-sim')
      return { of, what: 'SIM', ...(typeof sim === 'string' && sim !== '' && { before: sim }), after: ICCID };
    return { of, what: 'Phone number', before: of, after: 'another number' };
  });
}

export default defineOperation({
  id: 'numbers_status',
  endpoint: 'POST /v1.0/numbers/status',
  title: 'Change the status of numbers',
  description:
    'Parks or activates numbers on EffectiveDate, swaps their SIM (give ICCID of the new one), or swaps or replaces the phone number itself. Assumed, not documented: a parked number has no service and is kept until activate; a swapped or replaced number is lost. What swap and replace do differently is not documented: ask the person which. Never cancels: use numbers_cancel.',
  risk: 'destroy',
  batch: { row: 'Number', list: 'PhoneNumbers', most: 100 },
  resend: false,
  source: 'S+I',
  notes:
    'PLATFORM.md, Number status: cancel is refused; PLATFORM.md, Number states; assumed: what each change does, lists have at most 100 entries, a number with Status Failed was not changed',
  input: () => ({
    StatusChange: statusChange,
    PhoneNumbers: z
      .array(z.strictObject({ Number: e164, ICCID: iccid.optional() }))
      .min(1, 'give at least one number, for example +12015550101')
      .max(100, 'at most 100 numbers in one call')
      .overwrite(eachOnce),
    EffectiveDate: usDate.describe('MM/DD/YYYY'),
    AreaCode: areaCode.optional().describe('of the new number'),
    ZipCode: zipCode.optional(),
  }),
  rules: ({ StatusChange, PhoneNumbers = [], EffectiveDate }, now) => {
    const bare = StatusChange === 'swap-sim' ? PhoneNumbers.find((row) => row.ICCID === undefined) : undefined;
    return [...(bare ? [simNeeded(bare.Number)] : []), ...listOf(passed('EffectiveDate', EffectiveDate, now))];
  },
  output: () => ({
    OrderId: out.text,
    OrderDate: out.text,
    OrderStatus: out.text,
    ChangeType: out.text,
    EffectiveDate: out.text,
    Numbers: out.rows({ Number: out.text, QrCode: out.text }),
  }),
  answer: {
    status: 'OrderStatus',
    refusedStates: ['Cancelled', 'Canceled'],
    rows: 'Numbers',
    renumbers: ({ StatusChange }) => StatusChange === 'swap' || StatusChange === 'replace',
    verb: ({ StatusChange }) => DONE[StatusChange as Change],
    scheduled: dayAhead,
  },
  before: async (input, look) => {
    const { numbers, ...checked } = await numbersIn(
      input.PhoneNumbers.map((row) => row.Number),
      'PhoneNumbers',
      input,
      look,
      notInService,
    );
    const first = checked.problem ? undefined : await scheduledFirst(input, numbers, look);
    if (first) return { ...checked, problem: { field: 'PhoneNumbers', message: first } };
    // A number that is in its new state already is described by that, and not by the order that led there.
    const earlier = checked.problem ? undefined : await scheduledBefore(input, look);
    if (earlier) return { problem: { field: 'PhoneNumbers', message: earlier } };
    const Sims = Object.fromEntries(numbers.map(({ phone, record }) => [phone, record.Iccid]));
    const warnings = [...(checked.warnings ?? []), ...(await scheduleWarnings(input, numbers, look))];
    return { ...checked, warnings, known: { States: statesOf(numbers), Sims } };
  },
  keys: ['StatusChange'],
  endsNumber: ({ StatusChange }) => StatusChange === 'swap' || StatusChange === 'replace',
  effects: statusEffects,
  consent: ({ StatusChange, PhoneNumbers, EffectiveDate }) => {
    const words = WORDS[StatusChange];
    const isOne = PhoneNumbers.length === 1;
    const counted = (text: string) =>
      isOne ? text : text.replace(/\b([Tt])he number\b( is)?/g, (_, t, is) => `${t}he numbers${is ? ' are' : ''}`);
    return {
      title: words.title(listNumbers(PhoneNumbers)),
      consequence: counted(`${words.consequence} Effective ${dayText(EffectiveDate, { weekday: true })}.`),
      undo: counted(words.undo),
      says: ['StatusChange', 'EffectiveDate'],
      confirm: `${words.verb} ${isOne ? 'this number' : `${PhoneNumbers.length} numbers`}`,
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
