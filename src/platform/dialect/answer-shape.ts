import type { Fields } from '../../lib/json.ts';

/**
 * The members of an answer that say whether the work was done; the defaults are those of the cancel flow (PLATFORM.md,
 * Cancellation). Lists whose rows have a state (`Numbers`, `PhoneNumbers`, `To`) are read even if they are not named.
 */
export interface AnswerShape {
  /** The member with the state of the work; `Status` by default. */
  status?: string;
  /** States other than `Failed` and similar words in which nothing was done. */
  refusedStates?: readonly string[];
  /** The states that mean success, if the documents name them: any other state leaves the outcome open. */
  success?: readonly string[];
  /** The documents show a success without a body. */
  bare?: true;
  /** Every number asked for is in one of the two lists. */
  listed?: true;
  /** The member that lists the completed work; `NumbersChange` by default. */
  changed?: string;
  /** The member that lists the failed work; `FailedChange` by default. `NumbersInvalid` is always read. */
  failed?: string;
  /** The member with one row for each number. */
  rows?: string;
  /** True if the answer of this call names new numbers: a swap. */
  renumbers?: (input: Fields) => boolean;
  /** The date on which a success takes effect, in the spelling of the input; undefined if the answer shows its effect. */
  scheduled?: (input: Fields, now: Date, answer: Fields) => string | undefined;
  /** The work that a success leaves undone, for the first stage of a change: "nothing is cancelled yet". */
  leaves?: string;
  /** The word for a success that only starts work which goes on: "Started". */
  begins?: string;
  /**
   * The state of what a done call set, in words: "The PIN is in force". It replaces the state of the answer, which is
   * that of the platform's own order.
   */
  stands?: (answer: Fields) => string;
  /** "cancelled" in "2 of 3 numbers cancelled". */
  verb?: string | ((input: Fields) => string);
  /** "number" in "2 of 3 numbers cancelled". */
  noun?: string;
}
