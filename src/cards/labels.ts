/** The labels of a card's actions, by meaning. The labels of an operation's definition take the place of these. */
export const LABELS = {
  confirm: 'Approve',
  decline: 'Decline',
  withdraw: 'Withdraw',
  edit: 'Edit',
  /** Leads to the place where a person decides. */
  open: 'Open the question',
  again: 'Ask again',
  check: 'Check now',
  wasDone: 'It was done',
  wasNot: 'It was not done',
  once: 'Show the secret once',
  qr: 'Show QR code',
  everything: 'Show everything',
  /** Opens the form of an operation. */
  fill: 'Put it right',
  /** Runs an operation without a form. */
  run: 'Put it right',
  guide: 'Start',
  /** Opens the form of all filters of a number. */
  guard: 'Guard',
  look: 'Look up',
  moreSteps: 'More actions…',
  page: 'Details',
  share: 'Share',
  json: 'JSON',
  /** Asks for the yes of a planned batch. */
  batchAsk: 'Ask for approval',
  batchEdit: 'Edit',
  stop: 'Stop',
  rows: 'All rows',
  leave: 'Leave rows out',
  results: 'Results',
  rest: 'Ask for the rest',
  /** An order in its guide. */
  orderFix: 'Correct and re-submit',
  orderLook: 'Refresh',
  orderStop: 'Cancel the order',
} as const;

export type ActionId = keyof typeof LABELS;

/** Other words for some of them. */
export const ASSIGN = 'Give it to a subscriber';
export const APPLY = 'Apply';
export const CANCEL = 'Cancel';
export const PLAN = 'Plan as CSV';
export const DISCARD = 'Discard';
