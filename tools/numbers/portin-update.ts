import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { defined } from '../../src/lib/json.ts';
import {
  carrierAddress,
  iccid,
  lineKind,
  orderId,
  out,
  portInDate,
  secretText,
  someChange,
  text,
} from '../shared/fields.ts';
import { isWireline, portsWireline, wirelineDateProblem } from '../shared/port-in-window.ts';

export default defineOperation({
  id: 'numbers_portin_update',
  endpoint: 'POST /v1.0/numbers/portin/update',
  title: 'Correct a port-in order',
  description:
    'Corrects an open port-in order: carrier account details, address or date. Fields left out keep their values. In the answer, Status (Updated) is this correction and OrderStatus is the order. A Rejected order is submitted again. Refused once Completed or Cancelled. numbers_order_get shows what the carrier objected to.',
  risk: 'write',
  resend: true,
  source: 'S+I',
  notes: 'PLATFORM.md, Port-in: wireline window; PLATFORM.md, Orders',
  input: z.strictObject({
    OrderId: orderId,
    CurrentCarrierName: text().optional(),
    CurrentAccountNumber: text(100).optional(),
    CurrentAccountPassword: secretText().meta({ title: 'Account PIN or password at that carrier' }).optional(),
    CurrentBillingAddress: carrierAddress.optional(),
    PortInDate: portInDate
      .optional()
      .describe('YYYY-MM-DD; landlines only: a business day 5 to 10 business days ahead'),
    SubscriberName: text().optional(),
    TargetPortinClassification: lineKind.optional().meta({ title: 'Target port-in classification' }),
    ICCID: iccid.optional(),
  }),
  rules: (input) => someChange(input, ['OrderId'], 'CurrentAccountNumber'),
  // The platform requires a date for every correction of a wireline order (PLATFORM.md, Port-in).
  before: async (input, look) => {
    const declared = isWireline({ TargetPortinClassification: input.TargetPortinClassification });
    const wireline = declared || (await portsWireline(input.OrderId, look));
    return wireline ? defined({ problem: wirelineDateProblem(input.PortInDate, look.now) }) : {};
  },
  output: z.looseObject({ OrderId: out.text, Status: out.text, OrderStatus: out.text, Message: out.text }),
  examples: [{ OrderId: 'JNUOID-00000000-0000-4000-8000-000000000001', CurrentAccountNumber: '46512346' }],
});
