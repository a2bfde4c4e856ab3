import * as z from 'zod';
import { defineOperation } from '../../src/catalogue/operation.ts';
import { accountId, numberList, out } from '../shared/fields.ts';
import { cancellable, oneAtATime } from './cancel-order-submit.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/cancel-order-request',
  title: 'Cancellation, stage 1',
  description:
    'Stage 1 of cancelling numbers: returns the consent statement and an OrderId for numbers_cancel_order_submit. Cancels nothing. numbers_cancel does both stages.',
  risk: 'write',
  batch: { not: 'numbers_cancel does both stages' },
  source: 'A',
  notes:
    'PLATFORM.md, Cancellation; PLATFORM.md, Versions: live from 1.0.16; assumed: the request lists numbers as PhoneNumbers [{Number}], lists have at most 100 entries',
  input: () => ({ PhoneNumbers: numberList, AccountId: accountId.optional() }),
  free: 'it cancels nothing: the second stage waits for a person',
  output: () => ({
    ...out.members('OrderId ConsentStatement ExpiresAt'),
    NumbersValid: z.array(z.unknown()).nullable().optional(),
    NumbersInvalid: z.array(z.unknown()).nullable().optional(),
  }),
  answer: { changed: 'NumbersValid', verb: 'accepted for cancellation', leaves: 'nothing is cancelled yet' },
  before: cancellable,
  exclusive: oneAtATime,
  keeps: { secret: 'AuthCode', under: 'OrderId', until: 'ExpiresAt' },
  // A request cancels nothing, even if its answer was lost.
  reconcile: async () => ({ outcome: 'not_done', saw: 'a cancel request changes nothing that could be read' }),
  examples: [{ PhoneNumbers: [{ Number: '+12015550103' }] }],
});
