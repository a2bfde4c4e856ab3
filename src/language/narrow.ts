/** The outcome of an event. */
export type Outcome = 'failed' | 'declined' | 'approved' | 'open' | 'done' | 'cancelled';

/** The entries that a question of events asks for. */
export interface Narrow {
  outcome?: Outcome;
  /** Beginnings of words, such as “swap”, of which the title of a change has one. Empty: any change. */
  kinds: readonly string[];
  /** The words of the question: “failed” and “swaps”. */
  said: string;
}
