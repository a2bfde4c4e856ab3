import { finalOrderStates } from '../shared/orders.ts';
import { eventOperations } from './events.ts';

/**
 * Several operations that people get wrong when they meet them one by one, as one guided flow: check, collect and
 * submit, follow, correct, stop. Data; the surfaces make forms and texts of it.
 */
export interface Guide {
  /** The prompt of the same flow has this name too. */
  name: string;
  title: string;
  description: string;
  /** Of the command that starts it. */
  group: string;
  /** The words after that command. */
  words: string;
  /** What may stand after the words: `OrderId` goes on with an order that is under way. */
  check: {
    operation: string;
    title: string;
    says: string;
    /** Filled in from the start. */
    given: Readonly<Record<string, string>>;
    /** The field a number typed beside the words fills. */
    phone: string;
    /** The member of the answer that says yes, and the one that says why not. */
    passes: string;
    why: string;
    /** Shown above the next step. */
    facts: readonly string[];
    /** From the answer into the next step's input. */
    carries: Readonly<Record<string, string>>;
  };
  submit: {
    operation: string;
    title: string;
    says: string;
    /** Said above the form; with `when` only where the answer's member matches. */
    hints: readonly { when?: readonly [member: string, pattern: RegExp]; text: string; field?: string }[];
  };
  /** The member of the submission's answer that the rest goes by. */
  key: string;
  follow: typeof eventOperations.readOrder;
  /** States in which nothing moves any more. */
  ends: readonly string[];
  correct: { operation: string; title: string; says: string };
  stop: { operation: string; title: string };
}

export const guides: readonly Guide[] = [
  {
    name: 'port_in',
    title: 'Port a number in',
    description: 'Eligibility, details, approval, tracking, correction: one form that goes along',
    group: 'numbers',
    words: 'portin guide',
    check: {
      operation: 'numbers_portin_eligibility',
      title: 'Eligibility',
      says: 'Asks whether this number can be moved here, and which carrier has it now. It starts nothing and costs nothing.',
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
      says: 'Moves the number here, usually within 1 to 5 business days. Nothing is sent before an approver confirms.',
      hints: [
        { text: 'Everything must be as the losing carrier has it, letter by letter: it compares.' },
        {
          when: ['NumberType', /land|wire ?line|fixed/i],
          text: 'A landline needs a port-in date, 5 to 10 business days ahead.',
          field: 'PortInDate',
        },
      ],
    },
    key: 'OrderId',
    follow: eventOperations.readOrder,
    ends: finalOrderStates,
    correct: {
      operation: eventOperations.correctOrder.operation,
      title: 'Correct and re-submit',
      says: 'Change what the carrier objects to. The account PIN stays as it was unless you type another one.',
    },
    stop: { operation: 'numbers_portin_cancel', title: 'Cancel the order' },
  },
];
