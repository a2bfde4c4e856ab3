import { defineWorkflow } from '../../src/catalogue/operation.ts';
import { ended, joined, words } from '../../src/lib/values.ts';
import * as stages from '../numbers/cancel-order-submit.ts';
import { accountId, numberList } from '../shared/fields.ts';
import { reactivateUntil } from '../shared/line.ts';

export default defineWorkflow({
  id: 'numbers_cancel',
  group: 'numbers',
  title: 'Cancel a line',
  description:
    'Cancels numbers: a person confirms its consent statement, then service ends at once. Undo: numbers_reactivate within 30 days, 5 USD a number. To pause: numbers_status park.',
  risk: 'destroy',
  batch: { row: 'Number', list: 'PhoneNumbers', most: 100 },
  input: () => ({ PhoneNumbers: numberList, AccountId: accountId.optional() }),
  output: () => ({ ...stages.cancelRecord, NumbersInvalid: stages.cancelRecord.FailedChange }),
  answer: {
    verb: 'cancelled',
    success: stages.CANCEL_DONE,
    listed: true,
    undo: { until: 'ReactivateUntil', says: (day) => `Can be reactivated until ${day} for 5 USD a number.` },
  },
  before: stages.cancellable,
  exclusive: stages.oneAtATime,
  // Stage 1 cancels nothing. It runs first because the person must read its statement before deciding.
  prepare: async (input, call) => {
    const request = await call('numbers_cancel_order_request', input);
    const invalid = stages.invalidNumbers(request);
    const missing = stages.withoutStatement(request);
    const none = words`${ended(words`none of these numbers can be cancelled: ${joined(invalid, '; ')}`)} numbers_lookup shows their state`;
    const isNone = invalid.length > 0 && stages.validNumbers(request).length === 0;
    return {
      known: request,
      ...(missing !== undefined && { problem: { field: 'PhoneNumbers', message: missing, code: 'bad_request' } }),
      ...(isNone && { problem: { field: 'PhoneNumbers', message: none } }),
    };
  },
  consent: (input, known) => stages.cancelConsent(known, input.PhoneNumbers),
  endsNumber: true,
  effects: ({ PhoneNumbers }, known) => stages.cancelEffects(PhoneNumbers, known),
  run: async (_input, { call, known, history }) => {
    const answer = await call('numbers_cancel_order_submit', { OrderId: known.OrderId });
    const result = {
      ...answer,
      ...(stages.invalidNumbers(known).length > 0 ? { NumbersInvalid: known.NumbersInvalid } : {}),
    };
    if (Array.isArray(answer.NumbersChange) && answer.NumbersChange.length === 0) return result;
    return { ...result, ReactivateUntil: reactivateUntil(history.now().toISOString()) };
  },
  reconcile: (_input, trace) => stages.cancelFinding(trace.known.OrderId, trace),
  examples: [{ PhoneNumbers: [{ Number: '+12015550103' }] }],
});
