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
  /** The guide that the button starts (`flows.ts`). */
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
      label: 'Why',
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
    { text: 'Add a subscriber', line: 'create form', opens: 'subscribers_create', label: 'Add a subscriber' },
  ],
  message: [
    { text: 'Send an SMS', line: 'outbound form', opens: 'message_outbound', label: 'Send an SMS' },
    { text: 'Messages of a line', line: 'search 0101' },
    { text: 'See a message route', line: 'routes main sms' },
  ],
  events: [
    { text: 'What happened in the last hours', line: 'since 8h' },
    { text: 'What happened to a line', line: 'since 1d +12015550104' },
  ],
};
