import { defineOperation, type SentChange } from '../../src/catalogue/operation.ts';
import { defined, type Fields, recordsIn, textOf } from '../../src/lib/values.ts';
import { dayText, readDate } from '../../src/platform/dialect/readings.ts';
import { carrierReason, orderState } from '../../src/platform/dialect/verdict.ts';
import { text } from '../shared/before.ts';
import { CARRIER_ACCOUNT, maskedAccount } from '../shared/directory.ts';
import { idOf, out } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/numbers/order',
  title: 'Order status',
  description:
    'State of an order (port-in, provision, change) and its Meaning, Customer, the carrier message with Why and Correct (the fields), and what a port-in was sent with here, masked.',
  source: 'S+I',
  notes: 'PLATFORM.md, Orders; PLATFORM.md, Identifiers: TNOID stands in number records',
  input: () => ({ OrderId: idOf('JNUOID', 'JNOID', 'TNOID') }),
  output: () => ({
    ...out.members('OrderId OrderDate OrderStatus Status OrderType OrderStatusMessage ErrorMessage'),
    PhoneNumbersOrdered: out.rows({ Number: out.plain }),
    Meaning: out.own,
    Why: out.own,
    Correct: out.owns,
    Customer: out.said,
    SubmittedWith: out.record({ CurrentCarrierName: out.said, SubscriberName: out.said }),
    NotKnown: out.own,
  }),
  present: async (answer, { input, history }) => {
    const message = text(answer.ErrorMessage) ?? text(answer.OrderStatusMessage) ?? '';
    const reason = carrierReason(message);
    const status = orderState(answer);
    const numbers = recordsIn(answer.PhoneNumbersOrdered).flatMap((row) => text(row.Number) ?? []);
    if (status !== '') await history.keepOrder(input.OrderId, { status, message, numbers });
    const sent = await history.sentAbout(input.OrderId);
    const submitted = submittedWith(sent);
    const isPortIn = submitted !== undefined || /port/i.test(textOf(answer.OrderType));
    const { PortInDate, EffectiveDate } = answer;
    const day = isPortIn ? (PortInDate ?? submitted?.PortInDate) : (EffectiveDate ?? sent[0]?.shown.EffectiveDate);
    return {
      ...answer,
      ...defined({
        Meaning: meaningOf(status, isPortIn, textOf(day)),
        Customer: sent.find(({ customer }) => customer)?.customer,
        SubmittedWith: submitted,
      }),
      ...(reason ? { Why: reason.words, Correct: reason.fields } : {}),
      ...(sent.length === 0 && { NotKnown: `${ELSEWHERE}${isPortIn ? ' or what it was sent with' : ''}.` }),
    };
  },
});

/** The meanings of the states of a port-in (PLATFORM.md, Orders). */
const MEANINGS: Readonly<Record<string, string>> = {
  Submitted: 'The losing carrier has not answered yet.',
  'Pending Carrier Approval': 'The losing carrier is deciding.',
  Rejected: 'The losing carrier refused. Correct what it objected to. That submits the order again.',
  Completed: 'The number is in service here.',
  Cancelled: 'The order has ended. Another one can be placed.',
};
const ELSEWHERE = 'The order was not placed through Switchboard, or too long ago to know its customer';

/** The meaning of the state of an order. A text of the platform that is no day is not repeated. */
function meaningOf(status: string, isPortIn: boolean, given: string): string | undefined {
  if (status !== 'Scheduled') return isPortIn ? MEANINGS[status] : undefined;
  const day = readDate(given, 'UTC') === undefined ? 'a day that the platform does not name' : dayText(given);
  return isPortIn
    ? `The losing carrier agreed. The number moves on ${day}, and works there until then.`
    : `It takes effect on ${day}. Nothing changes before.`;
}

/** Fields that a carrier may object to. The password is left out of every record. */
const SHOWN = [
  'CurrentCarrierName',
  'CurrentAccountNumber',
  'CurrentBillingAddress',
  'SubscriberName',
  'PortInDate',
  'ICCID',
] as const;

/**
 * The details with which a port-in was submitted through this installation, including corrections. Only the last four
 * characters of the account number are shown, as to an assistant in any question about it. Undefined for an order that was placed elsewhere.
 *
 * @param sent the changes of the order, newest first, so that a later correction replaces earlier values
 */
function submittedWith(sent: readonly SentChange[]): Fields | undefined {
  const orders = sent.filter(({ operation }) => /^numbers_portin(_update)?$/.test(operation));
  if (orders.length === 0) return undefined;
  const latest = (field: string) => orders.find(({ shown }) => shown[field] !== undefined)?.shown[field];
  const account = maskedAccount(latest(CARRIER_ACCOUNT));
  return defined({ ...Object.fromEntries(SHOWN.map((name) => [name, latest(name)])), [CARRIER_ACCOUNT]: account });
}
