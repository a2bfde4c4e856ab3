import * as z from 'zod';
import { defineWorkflow } from '../../src/operation.ts';
import { accountId, numberList, out } from '../fields.ts';
import { cancelConsent, cancelFinding, validNumbers } from '../numbers/cancel-order-submit.ts';

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
  run: (_input, call, known) => call('numbers_cancel_order_submit', { OrderId: known.OrderId }),
  reconcile: async (_input, { call, known }) => cancelFinding(validNumbers(known), call),
  examples: [{ PhoneNumbers: [{ Number: '+12015550103' }] }],
});
