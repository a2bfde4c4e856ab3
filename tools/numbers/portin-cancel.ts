import * as z from 'zod';
import { defineOperation } from '../../src/operation.ts';
import { orderId, out } from '../fields.ts';

export default defineOperation({
  id: 'numbers_portin_cancel',
  endpoint: 'POST /v1.0/numbers/portin/cancel',
  title: 'Cancel a port-in order',
  description:
    'Cancels a port-in order for good, by OrderId, never by phone number. The number stays at its carrier; porting it later needs a new eligibility check and order. Refused once Completed.',
  risk: 'destroy',
  resend: true,
  source: 'S',
  notes: 'platform.md, Numbers; Order: a cancelled port-in is final',
  input: z.strictObject({ OrderId: orderId }),
  output: z.looseObject({ OrderId: out.text, Status: out.text }),
  consent: ({ OrderId }) => ({
    title: `Cancel port-in order ${OrderId}`,
    consequence: 'The port-in stops and the number stays at its present carrier.',
    undo: 'Permanent. Porting the number later needs a fresh eligibility check and a new order.',
    confirm: 'Cancel this port-in',
  }),
  examples: [{ OrderId: 'JNUOID-00000000-0000-4000-8000-000000000001' }],
});
