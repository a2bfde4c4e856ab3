import type { Tool } from '../../src/catalogue/operation.ts';
import { type Fields, recordOf } from '../../src/lib/values.ts';
import { eventOperations } from './events.ts';
import type { Guide } from './guides/guide.ts';
import { newLine } from './guides/new-line.ts';
import { portIn } from './guides/port-in.ts';
import { swapSim } from './guides/swap-sim.ts';

/** The common tasks: a line to type, and for some a button that opens a form or a guide. */
export interface Task {
  /** "Cancel a line". */
  text: string;
  /** The line after the group's command, with bare values. */
  line: string;
  /** The command, without the slash, if it is not the group's. */
  command?: string;
  /** The operation whose form the button opens. */
  opens?: string;
  /** The guide that the button starts (`guides` in `tasks.ts`). */
  guide?: string;
  /** Text of the button. */
  label?: string;
}

/** Tasks by group, the most frequent first. Help and the hints of Slack's commands begin with them. */
export const tasks: Readonly<Record<string, readonly Task[]>> = {
  numbers: [
    { text: 'Find a line by its number, its last digits or a name', line: '0104' },
    {
      text: 'Find out why it cannot text, call or use data',
      line: 'why 0104',
      opens: 'numbers_diagnose',
      label: 'Why?',
    },
    { text: 'Port a number in, step by step', line: 'portin guide', guide: 'port_in', label: 'Port a number in' },
    { text: 'Set up a new line, step by step', line: 'new guide ava stone', guide: 'new_line', label: 'New line' },
    { text: 'Swap a SIM, step by step', line: 'swap guide 0101', guide: 'swap_sim', label: 'Swap a SIM' },
    { text: 'Park or activate a line', line: 'status form', opens: 'numbers_status', label: 'Park or activate' },
    { text: 'Do one thing with many numbers, with one confirmation', line: 'numbers status', command: 'batch' },
    { text: 'Cancel a line', line: 'cancel 0104', opens: 'numbers_cancel', label: 'Cancel a line' },
    { text: 'Reactivate a cancelled line', line: 'reactivate 0107' },
    { text: 'Be notified when a data limit is near', line: 'watch 0101' },
  ],
  subscribers: [
    { text: 'Look up a subscriber by name', line: 'ava stone' },
    { text: 'Filter messages and calls of a line', line: 'guard 0101' },
    { text: 'Create a subscriber', line: 'create form', opens: 'subscribers_create', label: 'Create a subscriber' },
  ],
  message: [
    { text: 'Send a message', line: 'outbound form', opens: 'message_outbound', label: 'Send a message' },
    { text: 'Messages of a line', line: 'search 0101' },
    { text: 'See a message route', line: 'routes main sms' },
  ],
  events: [
    { text: 'What happened in the last hours', line: 'since 8h' },
    { text: 'What happened to a line', line: 'since 1d +12015550104' },
  ],
};

/** In the order in which surfaces offer them. */
export const guides: readonly Guide[] = [newLine, swapSim, portIn];

/** The forms of the guides' own. */
export const guideForms: readonly Tool[] = guides.flatMap(({ steps }) =>
  steps.flatMap(({ form }) => (form && typeof form.of !== 'string' ? [form.of] : [])),
);

/** True for an operation that places or corrects the order of a guide. */
export function placesOrder(operation: string): boolean {
  const places = guides.map(({ end }) => end.places);
  return [...places, eventOperations.correctOrder.operation].includes(operation);
}

/** A step that is often wanted after an operation was done. It opens a form with the number of the operation. */
interface AfterStep {
  operation: string;
  /** The field that the number fills. */
  field: string;
  /** Text of the button. */
  label: string;
  /** Offered only if the request left this field empty. */
  unless?: string;
  /** Offered only once the order has completed. */
  completed?: true;
  /** Offered only if the request had these values. */
  after?: Fields;
  /** Values of the step beside the number. */
  given?: Fields;
  /** The guide that it starts with the number, in place of the operation's form. */
  guide?: string;
}

const ACTIVATE: AfterStep = { operation: 'numbers_status', field: 'PhoneNumbers', label: 'Activate' };
const ASSIGN: AfterStep = { operation: 'numbers_update', field: 'Number', label: 'Give it to a subscriber' };
const REACTIVATE: AfterStep = { operation: 'numbers_reactivate', field: 'PhoneNumber', label: 'Reactivate' };

/** Steps offered on the card of an operation that was done, by the operation's id. */
export const afterSteps: Readonly<Record<string, readonly AfterStep[]>> = {
  numbers_cancel: [REACTIVATE],
  numbers_cancel_order_submit: [REACTIVATE],
  numbers_status: [{ ...ACTIVATE, after: { StatusChange: 'park' }, given: { StatusChange: 'activate' } }],
  numbers_portin: [{ ...ASSIGN, completed: true, unless: 'AssignedSubscriberId' }],
  numbers_provision: [{ ...ASSIGN, unless: 'AssignedSubscriberId', guide: 'new_line' }],
};

/** The changes that may make an eSIM. The platform's answer to any other change may repeat the code of the SIM in use. */
const MAKES_SIM: Readonly<Record<string, (input: Fields) => boolean>> = {
  numbers_portin: () => true,
  numbers_provision: () => true,
  numbers_status: ({ StatusChange }) => StatusChange !== 'park' && StatusChange !== 'activate',
  numbers_update: ({ Iccid }) => Iccid !== undefined,
};

/**
 * True if an operation with this input may have made an eSIM, so that its code is shown once it is done. The platform's
 * answer has a code for a SIM card too.
 *
 * @param guided the guide that asked for it, and what it knows
 */
export function mayMakeSim(operation: string, input: Fields, guided: Fields = {}): boolean {
  const end = guides.find(({ name }) => name === guided.guide)?.end;
  const known = recordOf(guided.known);
  const isCard = end !== undefined && known.Sim !== undefined && !end.hasCode(known);
  return !isCard && MAKES_SIM[operation]?.(input) === true;
}

/**
 * True if the SIM of an operation may be a SIM card, which needs no code: its serial was given, and no guide asked which
 * kind it is.
 */
export function mayBeCard({ Iccid, ICCID, PhoneNumbers }: Fields, guided: Fields = {}): boolean {
  const rows = Array.isArray(PhoneNumbers) ? PhoneNumbers.map(recordOf) : [];
  const isGiven = [Iccid, ICCID, ...rows.map((row) => row.ICCID)].some((serial) => typeof serial === 'string');
  return isGiven && recordOf(guided.known).Sim === undefined;
}
