import * as z from 'zod';
import { type Fields, recordOf, textOf } from '../../../src/lib/values.ts';
import { isCompleted, orderState } from '../../../src/platform/dialect/verdict.ts';
import { e164, iccid, usDate } from '../../shared/fields.ts';
import { kindOf, simState, todayIn } from '../../shared/line.ts';
import { type Guide, guideForm, LINE } from './guide.ts';

const SIM = { esim: 'eSIM', card: 'SIM card' } as const;

const lineForm = guideForm({
  id: 'guide_swap_sim',
  title: 'Swap a SIM',
  input: () => ({
    PhoneNumber: e164.meta({ title: 'Line' }).describe('Last digits or the name of its subscriber are enough'),
  }),
  example: { PhoneNumber: '+12015550101' },
});

const simForm = guideForm({
  id: 'guide_swap_sim_card',
  title: 'New SIM',
  input: () => ({
    Sim: z.enum([SIM.esim, SIM.card]).meta({ title: 'The new SIM is' }),
    ICCID: iccid.meta({ title: 'Serial of the new SIM (ICCID)' }).describe('On the card, or with the eSIM profile'),
    EffectiveDate: usDate.meta({ title: 'Swap on' }),
  }),
  example: { Sim: SIM.card, ICCID: '8901240397190195850', EffectiveDate: '12/31/2026' },
});

export const swapSim: Guide = {
  name: 'swap_sim',
  title: 'Swap a SIM',
  description: 'From the old SIM to the new one, with the QR code at the end',
  group: 'numbers',
  words: 'swap guide',
  from: { Number: LINE, Iccid: 'ICCID' },
  names: { form: lineForm, field: 'PhoneNumber' },
  steps: [
    {
      name: 'line',
      title: 'Line',
      form: {
        of: lineForm,
        submit: 'Next',
        text: 'Moves a line to another SIM. Nothing changes before an approver approves it.',
        unless: LINE,
      },
      run: {
        operation: 'numbers_lookup',
        input: ({ PhoneNumber }) => ({ PhoneNumber }),
        stops: (answer) => {
          const number = recordOf(answer.Number);
          const state = textOf(number.Status);
          if (!/^active$/i.test(state))
            return { problem: `A SIM can be swapped while a line is active. This one is “${state}”.` };
          const hasNone = kindOf(number) === 'voip' && simState(number) === undefined;
          return hasNone ? { problem: 'This is an internet phone line, which has no SIM.' } : undefined;
        },
        keeps: (answer) => ({
          Name: recordOf(answer.Subscriber).Name,
          OldIccid: recordOf(answer.Number).Iccid,
        }),
      },
    },
    {
      name: 'swap',
      title: 'New SIM',
      form: {
        of: simForm,
        text: 'The old SIM is expected to stop working when the swap takes effect. Nothing is sent before an approver approves it.',
        found: ({ PhoneNumber, Name, OldIccid }) => ({
          text: 'The line is active.',
          facts: [
            textOf(PhoneNumber),
            textOf(Name) || 'no subscriber',
            // The card has the end of the serial in print too.
            textOf(OldIccid) === ''
              ? 'no SIM on record'
              : `SIM ending in ${textOf(OldIccid).replace(/\D/g, '').slice(-6)}`,
          ],
        }),
        given: (_, now, timeZone) => ({ EffectiveDate: todayIn(now, timeZone) }),
      },
      run: {
        operation: 'numbers_status',
        input: ({ PhoneNumber, ICCID, EffectiveDate }) => ({
          StatusChange: 'swap-sim',
          PhoneNumbers: [{ Number: PhoneNumber, ICCID }],
          EffectiveDate,
        }),
        keeps: (answer) => ({ Order: orderState(answer) }),
      },
    },
  ],
  end: {
    title: 'Done',
    headline: (known) =>
      isSwapped(known)
        ? `${textOf(known.PhoneNumber)} works on its new SIM`
        : `The SIM of ${textOf(known.PhoneNumber)} will be swapped`,
    hasCode: ({ Sim }) => Sim === SIM.esim,
    next: (known) => {
      const begin = isSwapped(known)
        ? 'The customer'
        : 'The old SIM works until the swap takes effect. Then the customer';
      return known.Sim === SIM.esim
        ? `${begin} scans the QR code with the phone: Settings › Add eSIM. The old SIM can be removed afterwards.`
        : `${begin} puts the new SIM card into the phone and restarts it.`;
    },
  },
};

/** True if the platform answered that the swap is done. Otherwise it works on it, or its day is to come. */
function isSwapped({ Order }: Fields): boolean {
  return isCompleted(textOf(Order));
}
