import { defineOperation } from '../../src/catalogue/operation.ts';
import { words } from '../../src/lib/values.ts';
import { quoted } from '../../src/platform/dialect/phone.ts';
import { CANCELLED, numbersIn, PENDING_DELETE, stateBefore, statesOf } from '../shared/before.ts';
import { accountId, e164, out, seeded } from '../shared/fields.ts';
import { judgeNumbers } from '../shared/states.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/reactivate',
  title: 'Reactivate a number',
  description: 'Restores a cancelled number on its SIM, within 30 days, for 5 USD.',
  risk: 'spend',
  batch: { row: 'PhoneNumber' },
  defaultAccount: true,
  source: 'S',
  notes: 'PLATFORM.md, Reactivation: 30 days, 5 USD; assumed: the fee is not refunded',
  input: () => ({ PhoneNumber: e164, AccountId: accountId.optional() }),
  output: () => ({ PhoneNumber: out.plain, AccountId: out.plain, Status: out.plain, StatusMessage: out.plain }),
  answer: {
    success: ['Success', 'Successful', 'Succeeded', 'Complete', 'Completed'],
    refusedStates: ['Cancelled', CANCELLED],
    // It says again that the number was reactivated, and for how much.
    aside: ['StatusMessage'],
  },
  before: async (input, look) => {
    const { numbers, ...checked } = await numbersIn(
      [input.PhoneNumber],
      'PhoneNumber',
      input,
      look,
      ({ phone, status, record }) => {
        if (status === '' || status === PENDING_DELETE) return undefined;
        if (status === CANCELLED) {
          return `${phone} is Cancelled: it was permanently released 30 days after its cancellation. Get a new number with numbers_provision`;
        }
        return words`${phone} is ${quoted(record.Status)}, not cancelled: there is nothing to reactivate. numbers_lookup shows its state`;
      },
    );
    return { ...checked, known: { States: statesOf(numbers) } };
  },
  effects: ({ PhoneNumber }, known) => [
    { what: 'Service', ...stateBefore(known.States, PhoneNumber), after: 'Active' },
  ],
  consent: ({ PhoneNumber }) => ({
    title: `Reactivate ${PhoneNumber}`,
    consequence: 'Billed when the carrier accepts.',
    undo: 'The fee is not refunded; the number can be cancelled again.',
    cost: '5 USD',
    confirm: 'Reactivate for 5 USD',
  }),
  explains: {
    // PLATFORM.md, Reactivation and Versions: an unknown number is answered with 400, so a 404 means that the endpoint
    // is missing.
    not_found:
      'Until release 1.0.16 ships, the platform’s support reactivates numbers by hand, although this endpoint is described as live in beta. Ask support to reactivate the number.',
    // The fee is billed when the carrier accepts (PLATFORM.md, Reactivation).
    bad_request: (quotes) =>
      quotes.some((quote) => /carrier (has )?(refused|rejected|declined)/i.test(quote))
        ? {
            message: 'The carrier refused.',
            next: 'Contact the carrier; trying again with the same input will not help.',
          }
        : undefined,
  },
  reconcile: ({ PhoneNumber }, trace) =>
    judgeNumbers([{ Number: PhoneNumber }], trace, {
      same: ({ operation }) => operation === 'numbers_reactivate',
      judge: (state) => (state === 'active' ? 'done' : state.startsWith('cancelled') ? 'not_done' : 'unknown'),
      answer: () => ({ PhoneNumber, Status: 'Success', StatusMessage: 'Found active.' }),
    }),
  examples: [{ PhoneNumber: '+12015550107', AccountId: seeded('AID') }],
});
