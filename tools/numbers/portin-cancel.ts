import { defineOperation } from '../../src/catalogue/operation.ts';
import { defined, textOf, words } from '../../src/lib/values.ts';
import { quoted } from '../../src/platform/dialect/phone.ts';
import { readTexts } from '../../src/platform/dialect/readings.ts';
import { hasEnded, orderState } from '../../src/platform/dialect/verdict.ts';
import { namedOf } from '../shared/before.ts';
import { orderId, out } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/portin/cancel',
  title: 'Cancel a port-in order',
  description: 'Cancels a port-in order for good, by OrderId. The number stays at its carrier. Refused once Completed.',
  risk: 'destroy',
  resend: true,
  source: 'S',
  notes: 'PLATFORM.md, Port-in: a cancelled port-in is final',
  input: () => ({ OrderId: orderId }),
  output: () => ({ OrderId: out.plain, Status: out.plain }),
  before: async ({ OrderId }, look) => {
    const order = await look.read('numbers_order_get', { OrderId });
    if (!order.found) {
      const message = words`the order could not be read, so a question could not name its number: ${order.message}`;
      return { problem: { field: 'OrderId', message, code: order.code === 'not_found' ? 'not_found' : 'unavailable' } };
    }
    const { found } = order;
    // The record of an order names no customer; the question that placed it here did.
    const placed = (await look.history.sentAbout(OrderId)).find(({ customer }) => customer !== undefined);
    const status = orderState(found);
    const numbers = readTexts(found.PhoneNumbersOrdered) ?? [];
    if (hasEnded(status)) {
      const message = words`${OrderId} is ${quoted(status)}: it has ended and cannot be cancelled. numbers_order_get shows it`;
      return { problem: { field: 'OrderId', message } };
    }
    return {
      ...defined({ customer: placed?.customer }),
      names: namedOf('port-in order', OrderId, numbers),
      known: { PhoneNumbersOrdered: numbers, OrderStatus: status },
      rests: { [OrderId]: { status } },
      ...(numbers.length === 0 && { warnings: ['The platform does not name the numbers of this order.'] }),
    };
  },
  keys: ['OrderId'],
  effects: (_input, { OrderStatus }) => [
    { what: 'Port-in', ...(textOf(OrderStatus) !== '' && { before: OrderStatus }), after: 'Cancelled' },
  ],
  consent: ({ OrderId }, known) => ({
    orderNumbers: readTexts(known.PhoneNumbersOrdered) ?? [],
    title: `Cancel port-in order ${OrderId}`,
    consequence: 'The port-in stops and the number stays at its current carrier.',
    undo: 'Permanent. Porting the number later needs a fresh eligibility check and a new order.',
    confirm: 'Cancel this port-in',
  }),
  // An order that was cancelled stays so, and no other call ends it in this way.
  reconcile: async ({ OrderId }, { call }) => {
    const status = orderState(await call('numbers_order_get', { OrderId }));
    const saw = words`numbers_order_get shows the order as ${status === '' ? 'without a state' : quoted(status)}`;
    if (status === 'Cancelled') return { outcome: 'done', result: { OrderId, Status: 'Cancelled' }, saw };
    return { outcome: status === '' ? 'unknown' : 'not_done', saw };
  },
});
