import { defineOperation, type Harm, type Look, type Ordinary, target } from '../../src/catalogue/operation.ts';
import { defined, type Fields } from '../../src/lib/json.ts';
import { words } from '../../src/lib/words.ts';
import { hasEnded, isRejected, orderState } from '../../src/platform/dialect/orders.ts';
import { quoted } from '../../src/platform/dialect/plain-values.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { lookAtSubscriber, text as textOf } from '../shared/before.ts';
import {
  carrierAddress,
  iccid,
  lineKind,
  orderId,
  out,
  passed,
  portInDate,
  secretText,
  seeded,
  someChange,
  text,
} from '../shared/fields.ts';
import { orderName } from '../shared/named.ts';
import { isWireline, portsWireline, wirelineDateProblem } from '../shared/port-in-window.ts';

/** The rule of members that a losing carrier asks to correct (PLATFORM.md, Orders). */
const correctable: Ordinary = {
  words: 'if the port-in was ordered through Switchboard or is Rejected',
  holds: (_value, { known }) => known.Correctable === true,
};
const correction: Harm<unknown> = {
  what: 'a correction of an order that was placed elsewhere and is not Rejected',
  reason:
    'The order was not placed through Switchboard and is not known to be Rejected: wrong details stop the port-in.',
};
const moves = 'another SIM, carrier or kind of line';

interface Correction {
  OrderId: string;
  PortInDate?: string | undefined;
  TargetPortinClassification?: string | undefined;
}

/** Reads the order, and its earlier calls if it was placed through this installation. */
async function before({ OrderId, PortInDate, TargetPortinClassification }: Correction, look: Look) {
  const [{ found, ...failed }, sent] = await Promise.all([
    look.read('numbers_order_get', { OrderId }),
    look.history.sentAbout(OrderId),
  ]);
  // The platform requires a date for every correction of a wireline order (PLATFORM.md, Port-in).
  const wireline = isWireline({ TargetPortinClassification }) || (await portsWireline(found, look));
  const status = orderState(found);
  const ended = hasEnded(status)
    ? words`${OrderId} is ${quoted(status)}: it has ended and cannot be corrected. numbers_order_get shows it`
    : undefined;
  const placed = sent.find(({ operation, started }) => started && operation === 'numbers_portin');
  const updates = sent.filter(({ shown }) => shown.OrderId === OrderId);
  // The list begins with the newest change, which is applied last.
  const Record: Fields | undefined =
    placed && Object.assign({}, placed.shown, ...updates.reverse().map(({ shown }) => shown));
  const phones = readTexts(found?.PhoneNumbersOrdered) ?? [];
  const holder = textOf(Record?.AssignedSubscriberId);
  const {
    fill: _account,
    warnings = [],
    ...customer
  } = holder === undefined ? {} : await lookAtSubscriber(holder, look);
  return {
    ...customer,
    ...(ended
      ? { problem: { field: 'OrderId', message: ended, code: 'bad_request' as const } }
      : wireline
        ? defined({ problem: wirelineDateProblem(PortInDate, look.now) })
        : {}),
    names: orderName('port-in order', OrderId, phones),
    known: {
      Correctable: placed !== undefined || isRejected(status),
      ...defined({ Record }),
      ...(status === '' ? {} : { Status: status }),
      Phones: phones,
    },
    warnings: [
      ...('why' in failed ? [`Order ${OrderId} could not be read before asking: ${String(failed.why)}`] : []),
      ...warnings,
    ],
  };
}

/** "The order was rejected, for +13125550111: the correction submits it again." */
function orderWords({ Status, Phones }: Fields): string {
  const phones = readTexts(Phones) ?? [];
  if (Status === undefined) return '';
  const whom = phones.length === 0 ? '' : `, for ${phones.join(', ')}`;
  if (isRejected(String(Status))) return `The order was rejected${whom}: the correction submits it again. `;
  return `The order is ${String(Status).toLowerCase()}${whom}. `;
}

export default defineOperation({
  id: 'numbers_portin_update',
  endpoint: 'POST /v1.0/numbers/portin/update',
  title: 'Correct a port-in order',
  description:
    'Corrects an open port-in order: carrier account details, address or date. Fields left out keep their values. In the answer, Status (Updated) is this correction and OrderStatus is the order. A Rejected order is submitted again. Refused once Completed or Cancelled. numbers_order_get shows what the carrier objected to.',
  risk: 'write',
  resend: true,
  source: 'S+I',
  notes:
    'PLATFORM.md, Port-in: wireline window; PLATFORM.md, Orders; assumed: a correction of an order placed elsewhere that is not Rejected needs an approver',
  input: () => ({
    OrderId: orderId,
    CurrentCarrierName: text().optional(),
    CurrentAccountNumber: text(100).meta({ private: true }).optional(),
    CurrentAccountPassword: secretText().meta({ title: 'Account PIN or password at that carrier' }).optional(),
    CurrentBillingAddress: carrierAddress.meta({ private: true }).optional(),
    PortInDate: portInDate
      .optional()
      .describe('YYYY-MM-DD; landlines only: a business day 5 to 10 business days ahead'),
    SubscriberName: text().optional(),
    TargetPortinClassification: lineKind
      .optional()
      .describe('the line at the losing carrier: Mobile or Landline; not mvno or iot')
      .meta({ title: 'Kind of line here' }),
    ICCID: iccid.optional(),
  }),
  rules: (input, now) =>
    someChange(input, ['OrderId'], 'CurrentAccountNumber') ?? passed('PortInDate', input.PortInDate, now),
  ordinary: {
    OrderId: target,
    CurrentAccountNumber: correctable,
    CurrentAccountPassword: correctable,
    CurrentBillingAddress: correctable,
    SubscriberName: correctable,
    PortInDate: correctable,
  },
  unreadable: [
    'CurrentCarrierName',
    'CurrentAccountNumber',
    'CurrentAccountPassword',
    'CurrentBillingAddress',
    'SubscriberName',
    'PortInDate',
    'TargetPortinClassification',
    'ICCID',
  ],
  // A Rejected order is submitted again, also with the details that it has (PLATFORM.md, Orders).
  effects: (_input, { Status }) =>
    isRejected(String(Status)) ? [{ what: 'Order', before: Status, after: 'Submitted' }] : [],
  raised: {
    CurrentCarrierName: {
      what: moves,
      reason: (name) => `The number is taken from another carrier: ${name}.`,
    },
    TargetPortinClassification: {
      what: moves,
      reason: (kind) => `The number becomes a line of another kind: ${kind}.`,
    },
    ICCID: { what: moves, reason: (iccid) => `The ported number works on the SIM ${iccid}, and on no other.` },
    CurrentAccountNumber: correction,
    CurrentAccountPassword: correction,
    CurrentBillingAddress: correction,
    SubscriberName: correction,
    PortInDate: correction,
  },
  before,
  consent: ({ OrderId }, known, reasons) => ({
    title: `Change the port-in order ${OrderId}`,
    consequence: `${orderWords(known)}${reasons}`,
    undo: 'Another correction can change it back until the order is completed.',
    confirm: 'Change this order',
  }),
  output: () => ({ OrderId: out.text, Status: out.text, OrderStatus: out.text, Message: out.text }),
  examples: [{ OrderId: seeded('JNUOID'), CurrentAccountNumber: '46512346' }],
});
