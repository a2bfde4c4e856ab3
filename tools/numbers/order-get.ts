import { defineOperation, type LocalHistory } from '../../src/catalogue/operation.ts';
import { type Fields, recordOf } from '../../src/lib/json.ts';
import { carrierReason, orderState } from '../../src/platform/dialect/orders.ts';
import { text } from '../shared/before.ts';
import { idOf, out, seeded } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'GET /v1.0/numbers/order',
  title: 'Order status',
  description:
    'State of an order (port-in, provision, change): OrderStatus, the carrier message with Why and Correct (the fields), and what a port-in was sent with here, masked. A port-in ends as Completed, Rejected or Cancelled.',
  source: 'S+I',
  notes: 'PLATFORM.md, Orders; PLATFORM.md, Identifiers: TNOID stands in number records',
  input: () => ({ OrderId: idOf('JNUOID', 'JNOID', 'TNOID') }),
  output: () => ({
    OrderId: out.text,
    OrderDate: out.text,
    OrderStatus: out.text,
    Status: out.text,
    OrderType: out.text,
    OrderStatusMessage: out.said,
    ErrorMessage: out.said,
    PhoneNumbersOrdered: out.rows({ Number: out.text }),
    Why: out.own,
    Correct: out.owns,
    SubmittedWith: out.record({ CurrentCarrierName: out.said, SubscriberName: out.said }),
  }),
  present: async (answer, { input, history }) => {
    const message = text(answer.ErrorMessage) ?? text(answer.OrderStatusMessage) ?? '';
    const reason = carrierReason(message);
    const status = orderState(answer);
    if (status !== '') await history.keepOrder(input.OrderId, { status, message, numbers: numbersOf(answer) });
    const submitted = await submittedWith(input.OrderId, history);
    return {
      ...answer,
      ...(reason ? { Why: reason.words, Correct: reason.fields } : {}),
      ...(submitted ? { SubmittedWith: submitted } : {}),
    };
  },
  examples: [{ OrderId: seeded('JNUOID') }],
});

function numbersOf({ PhoneNumbersOrdered: rows }: Fields): string[] {
  return Array.isArray(rows) ? rows.flatMap((row) => text(recordOf(row).Number) ?? []) : [];
}

const PORT_IN: ReadonlySet<string> = new Set(['numbers_portin', 'numbers_portin_update']);
/** Fields that a carrier may object to. The password is left out of every record. */
const SHOWN = [
  'CurrentCarrierName',
  'CurrentAccountNumber',
  'CurrentBillingAddress',
  'SubscriberName',
  'PortInDate',
  'TargetPortinClassification',
  'ICCID',
] as const;

/**
 * The details with which a port-in was submitted through this installation, including corrections. Only the last four
 * characters of the account number are shown. Undefined for an order that was placed elsewhere.
 */
async function submittedWith(orderId: string, history: LocalHistory): Promise<Fields | undefined> {
  const sent = (await history.sentAbout(orderId)).filter(({ operation }) => PORT_IN.has(operation));
  if (sent.length === 0) return undefined;
  // Calls are listed newest first, so a later correction replaces earlier values.
  const latest = (field: string) => sent.find(({ shown }) => shown[field] !== undefined)?.shown[field];
  const details = SHOWN.map((field) => [
    field,
    field === 'CurrentAccountNumber' ? masked(latest(field)) : latest(field),
  ]);
  return Object.fromEntries(details.filter(([, value]) => value !== undefined));
}

/** "…2345". A short value is hidden whole. */
function masked(value: unknown): string | undefined {
  const whole = text(value);
  if (whole === undefined) return undefined;
  return whole.length > 6 ? `…${whole.slice(-4)}` : '…';
}
