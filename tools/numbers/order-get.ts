import { defineOperation } from '../../src/catalogue/operation.ts';
import { carrierReason } from '../../src/platform/dialect/carrier-reasons.ts';
import { text } from '../shared/before.ts';
import { idOf, out, seeded } from '../shared/fields.ts';
import { submittedWith } from '../shared/submitted.ts';

export default defineOperation({
  id: 'numbers_order_get',
  endpoint: 'GET /v1.0/numbers/order',
  title: 'Order status',
  description:
    'State of an order (port-in, provision, change): OrderStatus, the carrier message with Why and Correct (the fields), and SubmittedWith: the details a port-in was sent with here, masked. A port-in ends as Completed, Rejected or Cancelled.',
  risk: 'read',
  resend: true,
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
    const reason = carrierReason(text(answer.ErrorMessage) ?? text(answer.OrderStatusMessage) ?? '');
    const submitted = await submittedWith(input.OrderId, history);
    return {
      ...answer,
      ...(reason ? { Why: reason.words, Correct: reason.fields } : {}),
      ...(submitted ? { SubmittedWith: submitted } : {}),
    };
  },
  examples: [{ OrderId: seeded('JNUOID') }],
});
