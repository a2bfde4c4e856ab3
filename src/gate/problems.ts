import type { RecordProblem } from '../catalogue/operation.ts';
import { invalidInput, SwitchboardError } from '../lib/errors.ts';
import { ended, words } from '../lib/words.ts';

/** The error for a problem that a check or a step found. */
export function problemError({ field, message, code }: RecordProblem): SwitchboardError {
  const problem = ended(words`${field}: ${message}`);
  if (code === undefined) return invalidInput(field, problem);
  return new SwitchboardError({ code, message: problem, outcome: 'not_done', field });
}
