import { asks, defineOperation, type Look, type Ordinary } from '../../src/catalogue/operation.ts';
import { defined, type Fields, words } from '../../src/lib/values.ts';
import { quoted } from '../../src/platform/dialect/phone.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { hasEnded, isRejected, orderState } from '../../src/platform/dialect/verdict.ts';
import { lookAtPerson, namedOf, text as textOf } from '../shared/before.ts';
import { isWireline, portsWireline, wirelineDateProblem } from '../shared/directory.ts';
import * as field from '../shared/fields.ts';
import { out, passed, seeded } from '../shared/fields.ts';

/** The rule of members that a losing carrier asks to correct (PLATFORM.md, Orders). */
const correctable: Ordinary = {
  words: 'if the port-in was ordered through Switchboard or is Rejected',
  holds: (_value, { known }) => known.Correctable === true,
};

/** The details that a losing carrier may object to. */
const CORRECTED = [
  'CurrentAccountNumber',
  'CurrentAccountPassword',
  'CurrentBillingAddress',
  'SubscriberName',
  'PortInDate',
] as const;
const ofEach = <T>(rule: T) =>
  Object.fromEntries(CORRECTED.map((name) => [name, rule])) as Record<(typeof CORRECTED)[number], T>;

const WRONG_DETAILS = 'The order was not placed here: wrong details stop the port-in.';

/** Reads the order, and its earlier calls if it was placed through this installation. */
async function before(input: Fields & { OrderId: string; PortInDate?: string | undefined }, look: Look) {
  const { OrderId, PortInDate, TargetPortinClassification: kind } = input;
  const [{ found }, sent] = await Promise.all([
    look.read('numbers_order_get', { OrderId }),
    look.history.sentAbout(OrderId),
  ]);
  // The platform requires a date for every correction of a wireline order (PLATFORM.md, Port-in).
  const wireline = isWireline({ LineType: kind }) || (await portsWireline(found, look));
  const status = orderState(found);
  const ended = hasEnded(status)
    ? words`${OrderId} is ${quoted(status)}: it has ended and cannot be corrected. numbers_order_get shows it`
    : undefined;
  const placed = sent.find(({ operation, started }) => started && operation === 'numbers_portin');
  // The list begins with the newest change, which is applied last.
  const updates = sent.flatMap(({ shown }) => (shown.OrderId === OrderId ? [shown] : [])).reverse();
  // A new order names the kind of the new line here, and a correction that of the line at the losing carrier.
  const ordered = placed && { ...placed.shown, TargetPortinClassification: undefined };
  const Record: Fields | undefined = ordered && Object.assign(ordered, ...updates);
  const { customer } = await lookAtPerson(textOf(Record?.AssignedSubscriberId), look);
  const late = wireline ? wirelineDateProblem(PortInDate, look.now) : undefined;
  return {
    ...defined({ customer }),
    ...defined({ problem: ended ? { field: 'OrderId', message: ended, code: 'bad_request' as const } : late }),
    names: namedOf('port-in order', OrderId, readTexts(found?.PhoneNumbersOrdered) ?? []),
    rests: { [OrderId]: { Status: status } },
    known: {
      Correctable: placed !== undefined || isRejected(status),
      ...defined({ Record, Status: status || undefined }),
    },
  };
}

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/portin/update',
  title: 'Correct a port-in order',
  description:
    'Corrects an open port-in order: carrier account details, address or date. A Rejected order is submitted again. numbers_order_get shows what the carrier objected to.',
  resend: true,
  source: 'S+I',
  notes:
    'PLATFORM.md, Port-in: wireline window; PLATFORM.md, Orders; assumed: a correction of an order placed elsewhere that is not Rejected needs an approver',
  input: () => ({
    OrderId: field.orderId,
    CurrentCarrierName: field.text().optional(),
    CurrentAccountNumber: field.text(100).meta({ private: true }).optional(),
    CurrentAccountPassword: field.secretText().meta({ title: 'Account PIN or password at that carrier' }).optional(),
    CurrentBillingAddress: field.carrierAddress.meta({ private: true }).optional(),
    PortInDate: field.portInDate.optional().describe('YYYY-MM-DD; landlines only: 5 to 10 business days ahead'),
    SubscriberName: field.text().optional(),
    TargetPortinClassification: field.lineKind
      .optional()
      .describe('line at the old carrier: Mobile or Landline')
      .meta({ title: 'Kind of line at the old carrier' }),
    ICCID: field.iccid.optional(),
  }),
  rules: ({ PortInDate }, now) => passed('PortInDate', PortInDate, now),
  keys: ['OrderId'],
  ordinary: ofEach(correctable),
  unreadable: [...CORRECTED, 'CurrentCarrierName', 'TargetPortinClassification', 'ICCID'],
  // A Rejected order is submitted again, also with the details that it has (PLATFORM.md, Orders).
  effects: (_input, { Status }) =>
    isRejected(String(Status)) ? [{ what: 'Order', before: Status, after: 'Submitted' }] : [],
  raised: {
    'another SIM, carrier or kind of line': ['CurrentCarrierName', 'TargetPortinClassification', 'ICCID'],
    'a correction of an order that was placed elsewhere and is not Rejected': CORRECTED,
  },
  hazards: { ...ofEach(WRONG_DETAILS), ICCID: 'The number works on this SIM, and on no other.' },
  before,
  consent: asks('Change', 'port-in order', 'OrderId', { undo: 'An order that was rejected stays submitted.' }),
  output: () => ({ OrderId: out.plain, Status: out.plain, OrderStatus: out.plain, Message: out.plain }),
  // The state of the order says it.
  answer: { aside: ['Status', 'OrderType', 'Message'] },
  examples: [{ OrderId: seeded('JNUOID'), CurrentAccountNumber: '46512346' }],
});
