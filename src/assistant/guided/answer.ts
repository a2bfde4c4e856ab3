import type { Fields } from '../../lib/json.ts';

/**
 * The answer of the catalogue to plain words. Nothing was performed: the surface performs a `lookup` and `events`, which
 * are reads, draws the form, or asks the question.
 */
export interface GuidedAnswer {
  /**
   * - `lookup`: a read with a complete input, or one whose number `find` looks for.
   * - `form`: an operation with the values that the words give.
   * - `question`: a gated operation with a complete input. Performing it asks a person.
   * - `events`: the read of events since a time.
   * - `help`: nothing fits, or the words only ask about an operation.
   */
  kind: 'lookup' | 'form' | 'question' | 'events' | 'help';
  /** Undefined for general help. */
  operation: string | undefined;
  input: Fields;
  /** One sentence that says how the words were read. */
  understood: string;
  /** A read that finds the number of a person whom the words name. */
  find?: { operation: string; input: Fields };
  /** The guide that leads through the change, where surfaces have one. */
  guide?: string;
}
