import { type Fields, textOf } from '../../../src/lib/json.ts';
import { eventOperations } from '../events.ts';
import { type Guide, LINE, phoneIn } from './guide.ts';

const isPassed = (answer: Fields) => answer.Eligible === true || answer.Eligible === 'true';

export const portIn: Guide = {
  name: 'port_in',
  title: 'Port a number in',
  description: 'Eligibility, details, approval, tracking and correction in one form',
  group: 'numbers',
  words: 'portin guide',
  takesOthers: true,
  from: { PortInNumber: LINE, CurrentAccountNumber: 'CurrentAccountNumber' },
  reads: (text) => {
    if (/^[A-Za-z]+-/.test(text)) return { OrderId: text };
    const phone = phoneIn(text);
    return phone === undefined ? undefined : { [LINE]: phone };
  },
  names: { form: 'numbers_portin_eligibility', field: 'PhoneNumber' },
  steps: [
    {
      name: 'check',
      title: 'Eligibility',
      form: {
        of: 'numbers_portin_eligibility',
        submit: 'Check',
        text: 'Checks whether this number can be ported in and which carrier has it now. The check starts nothing and costs nothing.',
        given: () => ({ TargetClassification: 'Mobile' }),
      },
      run: {
        operation: 'numbers_portin_eligibility',
        busy: 'Checking whether the number can be ported…',
        stops: (answer) =>
          isPassed(answer)
            ? undefined
            : { problem: 'This number cannot be ported in.', quoted: textOf(answer.Message) },
        keeps: (answer, known) => ({
          PortInNumber: answer.PhoneNumber ?? known.PhoneNumber,
          CurrentCarrierName: answer.CurrentCarrier,
          LineType: answer.NumberType,
        }),
      },
    },
    {
      name: 'submit',
      title: 'Details',
      form: {
        of: 'numbers_portin',
        submit: 'Ask to confirm',
        text: 'Ports the number in, usually within 1 to 5 business days. Nothing is sent before an approver confirms.',
        found: ({ CurrentCarrierName, LineType }) => ({
          text: 'This number can be ported.',
          facts: [textOf(CurrentCarrierName), textOf(LineType)].filter((fact) => fact !== ''),
        }),
        hints: ({ LineType }) => [
          { text: 'All details must match the records of the losing carrier exactly.' },
          ...(/land|wire ?line|fixed/i.test(textOf(LineType))
            ? [
                {
                  text: 'A landline needs a port-in date, 5 to 10 business days ahead.',
                  field: 'PortInDate',
                },
              ]
            : []),
        ],
      },
      run: {
        operation: 'numbers_portin',
        busy: 'Working on it…',
        keeps: ({ OrderId }) => ({ OrderId }),
      },
    },
  ],
  end: {
    kind: 'order',
    title: 'Tracking',
    step: 'submit',
    key: 'OrderId',
    follow: eventOperations.readOrder,
    correct: { operation: eventOperations.correctOrder.operation },
    stop: { operation: 'numbers_portin_cancel' },
  },
};
