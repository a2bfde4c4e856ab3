import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import { type Fields, textOf } from '../../../lib/json.ts';

/** What a run remembers among the known values, in lower case because the platform's members are not. */
export interface Progress {
  /** Names of the steps that ran. */
  ran: readonly string[];
  /** What was left out, in words. */
  leftOut: readonly string[];
  /** Where the activation code of an eSIM is read again: an action's id. */
  code: string | undefined;
}

export function progressOf({ ran, leftOut, code }: Fields): Progress {
  const texts = (list: unknown) => (Array.isArray(list) ? list.map(textOf) : []);
  return { ran: texts(ran), leftOut: texts(leftOut), code: textOf(code) || undefined };
}

/** What was done so far, a sentence for each step. `named`: with names in place of ids. */
export function doneSoFar(guide: Guide, known: Fields, named: (text: string) => string): string[] {
  const { ran } = progressOf(known);
  return guide.steps.flatMap(({ name, done }) => (done && ran.includes(name) ? [named(done(known))] : []));
}
