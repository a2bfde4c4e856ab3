import type { Fields } from '../../lib/json.ts';

/**
 * The answer of the catalogue to plain words. Nothing was performed: the surface performs a `lookup` and `events`, which
 * are reads, draws the form, or asks the question.
 */
export interface GuidedAnswer {
  /**
   * - `lookup`: a read whose input is complete.
   * - `form`: an operation whose input is filled in as far as the words say.
   * - `question`: a gated operation whose input is complete. Performing it asks a person.
   * - `events`: what happened since a time, which is a read.
   * - `help`: nothing fits, or the words ask about an operation and not for it.
   */
  kind: 'lookup' | 'form' | 'question' | 'events' | 'help';
  /** Undefined for general help. */
  operation: string | undefined;
  input: Fields;
  /** What was understood, in one sentence. */
  understood: string;
  /** A read that finds the number of a person whom the words name. */
  find?: { operation: string; input: Fields };
}
