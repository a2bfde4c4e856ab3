import { textOf } from '../../../src/lib/values.ts';
import { isNearWindow, isWireline, wirelineDateProblem } from '../../shared/directory.ts';
import { type Guide, LINE } from './guide.ts';

/** The carrier that a person named. The check says which one has the number. */
const SAID = 'SaidCarrier';
/** Fields that it names as the operation does. */
const SAME = ['CurrentAccountNumber', 'PortInDate', 'SubscriberName', 'AssignedSubscriberId', 'ICCID', 'AccountId'];

export const portIn: Guide = {
  name: 'port_in',
  title: 'Port a number in',
  description: 'Eligibility, details and approval in one form',
  group: 'numbers',
  words: 'portin guide',
  takesOthers: true,
  from: {
    PortInNumber: LINE,
    CurrentCarrierName: SAID,
    ...Object.fromEntries(SAME.map((name) => [name, name])),
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
        // Only a landline has a date.
        given: ({ PortInDate }) => ({ TargetClassification: PortInDate === undefined ? 'Mobile' : 'Landline' }),
      },
      run: {
        operation: 'numbers_portin_eligibility',
        stops: (answer) =>
          String(answer.Eligible) === 'true'
            ? undefined
            : { problem: 'This number cannot be ported in.', quoted: textOf(answer.Message) },
        keeps: (answer, known) => ({
          PortInNumber: answer.PhoneNumber ?? known.PhoneNumber,
          CurrentCarrierName: textOf(answer.CurrentCarrier) || known[SAID],
          LineType: answer.NumberType,
        }),
      },
    },
    {
      name: 'submit',
      title: 'Details',
      form: {
        of: 'numbers_portin',
        text: 'Ports the number in, usually within 1 to 5 business days. Nothing is sent before an approver approves it.',
        found: ({ CurrentCarrierName, LineType }) => ({
          text: 'This number can be ported.',
          facts: [textOf(CurrentCarrierName), textOf(LineType)].filter((fact) => fact !== ''),
        }),
        hints: ({ LineType, CurrentCarrierName: found, [SAID]: said }) => {
          const other = `You wrote “${textOf(said)}”. The check names ${textOf(found)}, which is filled in.`;
          const dated = 'A landline needs a port-in date, 5 to 10 business days ahead.';
          return [
            { text: 'All details must match the records of the losing carrier exactly.' },
            ...(isOther(said, found) ? [{ text: other }] : []),
            ...(isLandline(LineType) ? [{ text: dated, field: 'PortInDate' }] : []),
          ];
        },
        problem: ({ PortInDate }, { LineType }, now) =>
          // The platform's own clock may accept a day next to the window.
          isLandline(LineType) && PortInDate !== undefined && !isNearWindow(textOf(PortInDate), now)
            ? wirelineDateProblem(textOf(PortInDate), now)
            : undefined,
      },
      run: {
        operation: 'numbers_portin',
        keeps: ({ OrderId }) => ({ OrderId }),
      },
    },
  ],
  end: {
    title: 'Tracking',
    places: 'numbers_portin',
    headline: () => 'The port-in was submitted',
    hasCode: () => false,
    next: () =>
      'A port takes several days. If the platform delivers its events to Switchboard, the thread of the order mentions you. Otherwise look it up once a day.',
  },
};

/** True for the platform's names for the kind of a landline. */
function isLandline(kind: unknown): boolean {
  return isWireline({ LineType: kind }) === true;
}

/** True if a person named another carrier than the check. "T-Mobile" is the same as "T-Mobile USA". */
function isOther(said: unknown, found: unknown): boolean {
  const [one, other] = [said, found].map((name) =>
    textOf(name)
      .toLowerCase()
      .replace(/[^\p{L}\d]/gu, ''),
  );
  return Boolean(one && other && !one.includes(other) && !other.includes(one));
}
