import { defineOperation } from '../../src/catalogue/operation.ts';
import { ended, words } from '../../src/lib/values.ts';
import { quoted } from '../../src/platform/dialect/phone.ts';
import { dayText, readFlag } from '../../src/platform/dialect/readings.ts';
import { lookAtHolder } from '../shared/before.ts';
import { isNearWindow, isWireline, wirelineDateProblem } from '../shared/directory.ts';
import * as field from '../shared/fields.ts';
import { KIND_WORDS, out, passed, seeded } from '../shared/fields.ts';

export default defineOperation({
  endpoint: 'POST /v1.0/numbers/portin',
  title: 'Port a number in',
  description:
    'Orders the transfer of a number from another carrier, usually 1 to 5 business days. numbers_portin_cancel stops it until it completes.',
  risk: 'spend',
  batch: { not: 'each line has its own account number and password' },
  defaultAccount: true,
  exclusive: { with: [], values: ({ PortInNumber }) => [PortInNumber] },
  source: 'S+I',
  notes:
    'PLATFORM.md, Port-in: wireline window; PLATFORM.md, Limits: one a second; assumed: an order answered as Rejected was not placed',
  lane: 'portin',
  input: () => ({
    PortInNumber: field.e164,
    CurrentCarrierName: field.text(),
    CurrentAccountNumber: field.text(100).meta({ private: true }),
    CurrentAccountPassword: field.secretText().meta({ title: 'Account PIN or password at that carrier' }),
    CurrentBillingAddress: field.carrierAddress.meta({ private: true }),
    SubscriberName: field.text().optional(),
    TargetPortinClassification: field
      .choice(['mvno', 'iot'], KIND_WORDS)
      .optional()
      .describe('our new line')
      .meta({ title: 'Kind of our new line' }),
    AssignedSubscriberId: field.subscriberId.optional(),
    PortInDate: field.portInDate.optional().describe('YYYY-MM-DD; landlines only: 5 to 10 business days ahead'),
    ICCID: field.iccid.optional().describe('physical SIM only'),
    AccountId: field.accountId.optional(),
  }),
  rules: ({ PortInDate }, now) => passed('PortInDate', PortInDate, now),
  output: () => out.members('OrderId OrderDate Status PhoneNumber ICCID'),
  answer: { refusedStates: ['Cancelled', 'Canceled'] },
  before: async (input, look) => {
    const { found } = await look.read('numbers_portin_eligibility', {
      PhoneNumber: input.PortInNumber,
      TargetClassification: input.PortInDate === undefined ? 'Mobile' : 'Landline',
    });
    if (readFlag(found?.Eligible) === false) {
      const why = found?.Message === undefined ? 'it is not eligible' : quoted(found.Message);
      const head = ended(words`${input.PortInNumber} cannot be ported in: ${why}`);
      const message = words`${head} Resolve this with the losing carrier, then try again`;
      return { problem: { field: 'PortInNumber', message, code: 'bad_request' } };
    }
    const wireline = isWireline(found);
    if (input.PortInDate === undefined && wireline) {
      const message = words`${input.PortInNumber} is a ${quoted(found?.NumberType)} number, which needs a date: give PortInDate, 5 to 10 business days ahead`;
      return { problem: { field: 'PortInDate', message } };
    }
    const outside = wireline ? wirelineDateProblem(input.PortInDate, look.now) : undefined;
    if (outside && !isNearWindow(input.PortInDate, look.now)) return { problem: outside };
    const checked = await lookAtHolder(input, look);
    // The platform judges the date by its own clock, so a date one day outside the window is a note and not refused.
    const late = outside ? [`The platform will probably refuse the date: ${outside.message}.`] : [];
    return { ...checked, warnings: [...late, ...(checked.warnings ?? [])] };
  },
  consent: ({ PortInNumber, CurrentCarrierName, PortInDate }) => ({
    title: `Port in ${PortInNumber}`,
    consequence: `The number moves to us${PortInDate === undefined ? ', usually within 1 to 5 business days,' : ` on ${dayText(PortInDate)}`} and ${CurrentCarrierName} ends service for it.`,
    undo: 'The port-in can be cancelled until it completes, not afterwards.',
    cost: "The distributor's rate for a line",
    confirm: 'Start the port-in',
  }),
  examples: [
    {
      PortInNumber: '+13125550150',
      CurrentCarrierName: 'Lakeside Wireless',
      CurrentAccountNumber: '46512222',
      CurrentAccountPassword: '0550',
      CurrentBillingAddress: { Street1: '1 Main St', Street2: 'Suite 2', City: 'Chicago', State: 'IL', Zip: '60601' },
      SubscriberName: 'Ava Stone',
      TargetPortinClassification: 'mvno',
      AssignedSubscriberId: seeded('TSUID'),
    },
  ],
});
