import * as z from 'zod';
import { defineWorkflow } from '../../src/operation.ts';
import { accountId, numberList, out } from '../fields.ts';
import { cancelConsent, cancelFinding } from '../numbers/cancel-order-submit.ts';

export default defineWorkflow({
  id: 'numbers_cancel',
  group: 'numbers',
  title: 'Cancel numbers',
  description:
    'Cancels numbers, both stages in one gated step: requests the cancellation, shows a person the consent statement, submits when they confirm. Service ends at once. Undo: numbers_reactivate within 30 days, 5 USD a number.',
  risk: 'destroy',
  input: z.strictObject({ PhoneNumbers: numberList, AccountId: accountId.optional() }),
  output: z.looseObject({
    OrderId: out.text,
    Status: out.text,
    NumbersChange: z.array(z.unknown()).nullable().optional(),
    FailedChange: z.array(z.unknown()).nullable().optional(),
  }),
  // Stage 1 cancels nothing; its statement is what the person must read before deciding.
  prepare: async (input, call) => {
    const request = await call('numbers_cancel_order_request', input);
    return {
      known: request,
      ...(typeof request.ExpiresAt === 'string' ? { expiresAt: request.ExpiresAt } : {}),
    };
  },
  consent: (input, known) => cancelConsent(known, input.PhoneNumbers),
  run: async (_input, call, known, _tell, here) => {
    const result = await call('numbers_cancel_order_submit', { OrderId: known.OrderId });
    if (result.Status !== 'Complete') return result;
    // platform.md, Number: reactivation within 30 days of the cancellation.
    return { ...result, ReactivateUntil: new Date(here.now().getTime() + 30 * 86_400_000).toISOString() };
  },
  reconcile: (_input, trace) => cancelFinding(trace.known.OrderId, trace),
  examples: [{ PhoneNumbers: [{ Number: '+12015550103' }] }],
});
