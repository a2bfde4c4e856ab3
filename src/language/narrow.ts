/** The outcome of an event. */
export type Outcome = 'failed' | 'declined' | 'approved' | 'open' | 'done' | 'cancelled';

/** The entries of a list that a question asks for. */
export interface Narrow {
  /** The name of the records that are asked for, in a list of records. */
  name?: string;
  /** The line that is picked out of a list of numbers, by its end or its place; -1 is the last one. */
  line?: { ending: string } | { at: number };
  /** The lines that are left out of a list of numbers, by their digits, their holders or their products. */
  without?: readonly string[];
  /** Of subscribers: their roles, any if empty, and the account that they belong to. */
  roles?: readonly string[];
  account?: string;
  outcome?: Outcome;
  /** A second outcome of orders that is asked for beside it: “stuck or rejected”. */
  orOutcome?: Outcome;
  /** Of events: beginnings of words, such as “swap”, of which the title of a change has one. Empty: any change. */
  kinds: readonly string[];
  /** The time of the entries that are asked for: ISO, `until` excluded. An entry whose time is not known is kept. */
  since?: string;
  until?: string;
  /** Of messages: what the line received or sent. */
  direction?: 'in' | 'out';
  /** Of messages: the other number. */
  contact?: string;
  /** Of messages: words that their text has. */
  text?: string;
  /** Of events: words that name the record which they are about. */
  about?: string;
  /** The words of the question: “failed” and “swaps”, “Starter”. */
  said: string;
}
