import type { Fields } from '../lib/values.ts';

/** The rows of an answer in words. */
export interface Sentences<I = Fields> {
  /** The member of the answer with the rows. */
  of: string;
  /** The member with the number of all rows, if the answer has one page of them. */
  total?: string;
  /** A title for a count of rows; it is 0 if there are none. */
  title: (count: number, input: I, answer: Fields) => string;
  /** `nameOf`: the name of a record or of the customer of a line, by id or number, as far as it is known. */
  row: (row: Fields, input: I, nameOf: (id: string) => string | undefined) => RowSentence;
  /** Sentences on the whole answer, below the rows. */
  remarks?: (answer: Fields) => readonly string[];
}

/** One row in words. */
export interface RowSentence {
  says: string;
  /** When it happened, in epoch ms. */
  at?: number;
  /** A record of data used, which follows as a bar. */
  usage?: Fields;
  /** A text that a person wrote. */
  quote?: string;
  /** Operations on this row, with what is known of their input. */
  next?: readonly { tool: string; title: string; input: Fields }[];
}
