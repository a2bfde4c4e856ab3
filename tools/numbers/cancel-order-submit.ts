import * as z from 'zod';
import {
  type Checked,
  defineOperation,
  type Effect,
  type Exclusive,
  type Finding,
  type Look,
  type Trace,
} from '../../src/catalogue/operation.ts';
import { ended, type Fields, joined, plainText, recordOf, textsIn, type Words, words } from '../../src/lib/values.ts';
import { numbersIn as listedIn, numberKey } from '../../src/platform/dialect/number-lists.ts';
import { quoted } from '../../src/platform/dialect/phone.ts';
import { memberOf } from '../../src/platform/dialect/readings.ts';
import { CANCELLED, inFull, lookAtNumbers, namedOf, PENDING_DELETE, stateBefore, statesOf } from '../shared/before.ts';
import { orderId, out, phonesText } from '../shared/fields.ts';
import { judgeNumbers } from '../shared/states.ts';

/**
 * States of a submitted cancellation that mean success (PLATFORM.md, Cancellation). The other spellings are assumed.
 */
export const CANCEL_DONE = ['Complete', 'Completed', 'Success', 'Successful'];

const list = z.array(z.unknown()).nullable().optional();
export const cancelRecord = { OrderId: out.plain, Status: out.plain, NumbersChange: list, FailedChange: list } as const;

/**
 * The numbers that a stored cancel request found valid, in any shape that the platform lists them in, each once. They are in
 * one order, because the order that is made anew at the yes may list them in another.
 */
export function validNumbers(known: Fields): { Number: string }[] {
  const refused = new Set(listedIn(memberOf(known, 'NumbersInvalid')).map(({ number }) => numberKey(number)));
  const numbers = listedIn(memberOf(known, 'NumbersValid')).flatMap(({ number }) =>
    number === '' || refused.has(numberKey(number)) ? [] : inFull(number),
  );
  return [...new Set(numbers)].sort().map((number) => ({ Number: number }));
}

/** The numbers that a cancel request refused, one line each: "+12015550109: Number is Cancelled". */
export function invalidNumbers(known: Fields): Words[] {
  return [...listedIn(memberOf(known, 'NumbersInvalid'))]
    .sort((one, other) => (one.number < other.number ? -1 : 1))
    .flatMap(({ number, record }) => {
      if (number === '') return [];
      const reason = ['Reason', 'Message']
        .map((name) => memberOf(record, name))
        .find((text) => typeof text === 'string');
      return [words`${quoted(number)}${reason === undefined || reason === '' ? '' : words`: ${quoted(reason)}`}`];
    });
}

/** Other cancellations of the same numbers are refused while one waits or runs, because a second request is assumed to void its AuthCode. */
export const oneAtATime: Exclusive<{ PhoneNumbers: { Number: string }[] }> = {
  with: ['numbers_cancel', 'numbers_cancel_order_submit'],
  values: (input, known) => {
    const valid = validNumbers(known);
    return (valid.length > 0 ? valid : (input.PhoneNumbers ?? [])).map((row) => row.Number);
  },
};

/**
 * Reads the numbers of a cancellation. A single released number is refused here. Among several numbers, the request
 * stage names the released ones.
 */
export async function cancellable(
  input: { PhoneNumbers: { Number: string }[]; AccountId?: string | undefined },
  look: Look,
): Promise<Checked> {
  const phones = input.PhoneNumbers.map((row) => row.Number);
  const { numbers, ...checked } = await lookAtNumbers(phones, input, look);
  const gone = numbers.filter(({ status }) => isGone(status));
  const found = { ...checked, known: { States: statesOf(numbers) } };
  const message = gone.map(({ phone, status }) =>
    status === PENDING_DELETE
      ? `${phone} is already cancelled. numbers_reactivate brings it back within 30 days, for 5 USD`
      : `${phone} is Cancelled and was released: there is nothing left to cancel`,
  );
  if (gone.length > 0 && gone.length === new Set(phones).size)
    return { ...found, problem: { field: 'PhoneNumbers', message: message.join('. ') } };
  // The customers of numbers that are left out are not concerned.
  const customers = Object.fromEntries(
    Object.entries(checked.customers ?? {}).filter(([phone]) => !gone.some((one) => one.phone === phone)),
  );
  return {
    ...found,
    customer: [...new Set(Object.values(customers))].join('; '),
    customers,
  };
}

/** Names of a member with the statement, which the platform documents without its name. */
const STATEMENT = /consent|statement|agree|terms|declar|disclos|disclaim|acknowledg|notice/i;

/** The platform's consent statement in the answer of the request stage. A list of lines is one statement. */
function statementIn(known: Fields): string | undefined {
  const texts = ['ConsentStatement', ...Object.keys(known).filter((name) => STATEMENT.test(name))].map((name) =>
    textsIn(known[name])
      .map((part) => part.value)
      .join('\n'),
  );
  // An id or a word such as "yes" is none.
  return texts.find((text) => /\s/.test(text.trim()));
}

/** The reason why a cancellation cannot be offered: a person would not see what they consent to. */
export function withoutStatement(known: Fields): Words | undefined {
  if (statementIn(known) !== undefined) return undefined;
  return 'the platform sent no consent statement with this cancel request, so nobody can be asked to consent. Nothing is cancelled; ask the platform’s support';
}

/** The consent texts of a cancellation, for the submit stage and for the workflow that does both stages. */
export function cancelConsent(known: Fields, fallback: { Number: string }[]) {
  const numbers = validNumbers(known);
  const shown = numbers.length > 0 ? numbers : fallback;
  const said = statementIn(known);
  const invalid = invalidNumbers(known);
  const left = invalid.length === 0 ? '' : plainText(ended(words` Will not be cancelled: ${joined(invalid, '; ')}`));
  return {
    title: `Cancel ${shown.length > 0 ? phonesText(shown) : 'the numbers of this order'}`,
    consequence: `Service ends at once.${left}`,
    undo: 'Can be reactivated within 30 days for 5 USD a number; after that the number is lost.',
    confirm:
      shown.length === 1 ? 'Cancel this number' : shown.length === 0 ? 'Cancel them' : `Cancel ${shown.length} numbers`,
    ...(said !== undefined && { statement: said }),
    ...(numbers.length > 0 && { orderNumbers: numbers.map((row) => row.Number) }),
  };
}

/**
 * The effects of a cancellation on each number. The state that the records have is the value before. The platform leaves
 * out a number that is cancelled already, and one that the request stage refused.
 */
export function cancelEffects(numbers: readonly { Number: string }[], known: Fields): Effect[] {
  const states = recordOf(known.States);
  const valid = validNumbers(known).map((row) => numberKey(row.Number));
  return numbers
    .filter((row) => !isGone(states[row.Number]) && (valid.length === 0 || valid.includes(numberKey(row.Number))))
    .map((row) => ({
      of: row.Number,
      what: 'Service',
      ...stateBefore(states, row.Number),
      after: 'Cancelled - Pending Delete',
    }));
}

/** True for a state in which nothing is left to cancel. */
function isGone(state: unknown): boolean {
  const known = String(state).toLowerCase();
  return known === PENDING_DELETE || known === CANCELLED;
}

/** Reads the numbers of a cancellation whose outcome is unknown. */
export async function cancelFinding(orderId: unknown, trace: Trace): Promise<Finding> {
  const numbers = validNumbers(trace.known);
  if (numbers.length === 0) return { outcome: 'unknown', saw: 'the numbers of the order are not known' };
  return judgeNumbers(numbers, trace, {
    orderId,
    same: ({ operation }) => operation.startsWith('numbers_cancel'),
    judge: (state) => (state === '' ? 'unknown' : state.startsWith('cancelled') ? 'done' : 'not_done'),
    answer: (done, notDone) => ({
      Status: notDone.length === 0 ? 'Complete' : 'Partial',
      NumbersChange: done,
      FailedChange: notDone.map((row) => ({ ...row, Reason: 'it is not cancelled' })),
    }),
  });
}

/** The AuthCode of the order may have ended by the yes, so a new one is always requested, which comes with a new order. */
const ANEW =
  'The order is made anew when this is confirmed, for the same numbers and the same statement; the result names both orders.';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/cancel-order-submit',
  title: 'Cancellation, stage 2',
  description:
    'Stage 2 of cancelling: ends service at once for the numbers of an OrderId from numbers_cancel_order_request. Undo: numbers_reactivate.',
  risk: 'destroy',
  source: 'S',
  notes: 'PLATFORM.md, Cancellation; assumed: the lists hold {Number, Reason}',
  input: () => ({ OrderId: orderId }),
  output: () => cancelRecord,
  answer: { verb: 'cancelled', success: CANCEL_DONE, listed: true },
  takes: {
    secret: 'AuthCode',
    under: 'OrderId',
    from: 'numbers_cancel_order_request',
    renew: (known) => {
      const valid = validNumbers(known);
      // All numbers of the first request, so that the same ones are named as not accepted again.
      const others = listedIn(memberOf(known, 'NumbersInvalid')).map(({ number }) => ({ Number: inFull(number) }));
      const all = [...valid, ...others.filter((row) => /^\+\d{8,15}$/.test(row.Number))];
      return valid.length === 0 ? undefined : { PhoneNumbers: all };
    },
  },
  endsNumber: true,
  effects: ({ OrderId }, known) => {
    const numbers = validNumbers(known);
    return cancelEffects(numbers.length > 0 ? numbers : [{ Number: OrderId }], known);
  },
  before: async (input, look) => {
    const phones = validNumbers(look.known).map((row) => row.Number);
    const unnamed = 'the numbers of this order are not known, so a question could not name them';
    const missing = withoutStatement(look.known) ?? (phones.length === 0 ? unnamed : undefined);
    if (missing && look.known.OrderId) return { problem: { field: 'OrderId', message: missing, code: 'bad_request' } };
    const { numbers, ...checked } = await lookAtNumbers(phones, input, look);
    const names = namedOf('cancellation order', input.OrderId, phones);
    return { ...checked, names, known: { ...look.known, States: statesOf(numbers) } };
  },
  exclusive: { with: oneAtATime.with, values: (_input, known) => validNumbers(known).map((row) => row.Number) },
  consent: (_input, known) => {
    const consent = cancelConsent(known, []);
    return { ...consent, consequence: `${consent.consequence} ${ANEW}` };
  },
  reconcile: ({ OrderId }, trace) => cancelFinding(OrderId, trace),
});
