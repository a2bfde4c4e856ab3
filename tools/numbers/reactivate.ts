import * as z from 'zod';
import { defineOperation } from '../../src/operation.ts';
import { accountId, e164, out } from '../fields.ts';

export default defineOperation({
  id: 'numbers_reactivate',
  endpoint: 'POST /v1.0/numbers/reactivate',
  title: 'Reactivate a cancelled number',
  description:
    'Brings a number in "Cancelled - Pending Delete" back on its SIM, within 30 days of cancellation. Costs 5 USD. AccountId is needed when the distributor has several accounts.',
  risk: 'spend',
  resend: false,
  source: 'S',
  notes: 'platform.md, Numbers: reactivation rules; Limits: recovery window and fee; assumed: the fee is not refunded',
  input: z.strictObject({ PhoneNumber: e164, AccountId: accountId.optional() }),
  output: z.looseObject({ PhoneNumber: out.text, AccountId: out.text, Status: out.text, StatusMessage: out.text }),
  consent: ({ PhoneNumber }) => ({
    title: `Reactivate ${PhoneNumber}`,
    consequence: 'A recovery fee of 5 USD is billed for this number when the carrier accepts.',
    undo: 'No refund of the fee is documented; the number can be cancelled again.',
    confirm: 'Reactivate for 5 USD',
  }),
  reconcile: async ({ PhoneNumber }, { call }) => {
    const number = await call('numbers_get', { PhoneNumber });
    if (number.Status === 'Active') return { done: { PhoneNumber, Status: 'Success', StatusMessage: 'Found active.' } };
    return String(number.Status).startsWith('Cancelled') ? 'not_done' : 'unknown';
  },
  examples: [{ PhoneNumber: '+12015550107', AccountId: 'AID-00000000-0000-4000-8000-000000000001' }],
});
