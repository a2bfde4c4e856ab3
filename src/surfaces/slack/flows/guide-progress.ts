import type { Guide } from '../../../../tools/surfaces/guides/guide.ts';
import { type Fields, textOf } from '../../../lib/json.ts';

/** The progress of a guide. It is among the known values, in lower case because the platform's members are not. */
export interface Progress {
  /** Names of the steps that ran. */
  ran: readonly string[];
  /** The steps that were left out, in words. */
  leftOut: readonly string[];
  /** The id of the action whose answer has the activation code of an eSIM. */
  code: string | undefined;
}

export function progressOf({ ran, leftOut, code }: Fields): Progress {
  const texts = (list: unknown) => (Array.isArray(list) ? list.map(textOf) : []);
  return { ran: texts(ran), leftOut: texts(leftOut), code: textOf(code) || undefined };
}

/** A sentence for each step that was done. `named`: with names in place of ids. */
export function doneSoFar(guide: Guide, known: Fields, named: (text: string) => string): string[] {
  const { ran } = progressOf(known);
  return guide.steps.flatMap(({ name, done }) => (done && ran.includes(name) ? [named(done(known))] : []));
}
