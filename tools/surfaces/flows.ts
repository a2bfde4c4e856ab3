import { eventOperations } from './events.ts';

/**
 * A flow over several operations that are hard to use one by one: check, submit, follow, correct, stop. It is data from
 * which surfaces derive forms and texts.
 */
export interface Guide {
  /** Also the name of the prompt for the same flow. */
  name: string;
  title: string;
  description: string;
  /** Group of the command that starts it. */
  group: string;
  /** The words after that command. */
  words: string;
  check: {
    operation: string;
    title: string;
    text: string;
    /** Prefilled values. */
    given: Readonly<Record<string, string>>;
    /** The field for a number that was typed after the command. */
    phone: string;
    /** Members of the answer: `passes` names the result of the check, and `why` the reason if it did not pass. */
    passes: string;
    why: string;
    /** Members of the answer that are shown above the next step. */
    facts: readonly string[];
    /** Members of the answer that prefill fields of the next step. */
    carries: Readonly<Record<string, string>>;
  };
  submit: {
    operation: string;
    title: string;
    text: string;
    /** Shown above the form. With `when`, a hint is shown only if that fact matches, and `field` is then required. */
    hints: readonly { when?: readonly [fact: string, pattern: RegExp]; text: string; field?: string }[];
  };
  /** The member of the submission's answer that identifies the order. */
  key: string;
  follow: typeof eventOperations.readOrder;
  correct: { operation: string; title: string };
  stop: { operation: string; title: string };
}

export const guides: readonly Guide[] = [
  {
    name: 'port_in',
    title: 'Port a number in',
    description: 'Eligibility, details, approval, tracking and correction in one form',
    group: 'numbers',
    words: 'portin guide',
    check: {
      operation: 'numbers_portin_eligibility',
      title: 'Eligibility',
      text: 'Checks whether this number can be ported in and which carrier has it now. The check starts nothing and costs nothing.',
      given: { TargetClassification: 'Mobile' },
      phone: 'PhoneNumber',
      passes: 'Eligible',
      why: 'Message',
      facts: ['CurrentCarrier', 'NumberType'],
      carries: { PhoneNumber: 'PortInNumber', CurrentCarrier: 'CurrentCarrierName' },
    },
    submit: {
      operation: 'numbers_portin',
      title: 'Details',
      text: 'Ports the number in, usually within 1 to 5 business days. Nothing is sent before an approver confirms.',
      hints: [
        { text: 'All details must match the records of the losing carrier exactly.' },
        {
          when: ['NumberType', /land|wire ?line|fixed/i],
          text: 'A landline needs a port-in date, 5 to 10 business days ahead.',
          field: 'PortInDate',
        },
      ],
    },
    key: 'OrderId',
    follow: eventOperations.readOrder,
    correct: {
      operation: eventOperations.correctOrder.operation,
      title: 'Correct and re-submit',
    },
    stop: { operation: 'numbers_portin_cancel', title: 'Cancel the order' },
  },
];
