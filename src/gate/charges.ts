import type { Tool } from '../catalogue/operation.ts';
import { type ErrorFace, SwitchboardError } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import type { Action } from './ledger/ledger.ts';

/* What the end of a call that costs money says about the charge. Every surface takes the words from here. */

export const NOTHING_CHARGED = 'Nothing was charged.';
/** Charges follow the work (PLATFORM.md, Reactivation), so whoever finds out whether it was done knows the charge too. */
export const MAYBE_CHARGED = 'It may have been charged: if it was done, it was charged.';

const SAID = /\bnothing was charged\b|\bmay have been charged\b/i;
/** The hint at the end of a message that says how to follow the call (follow-up.ts). */
const HINT = / ?Follow it with\b.*$/s;

/** Whether a call with this input costs money. `input` is valid; undefined if that is not known yet. */
function costsMoney(tool: Pick<Tool, 'risk' | 'consent'>, input: Fields | undefined): boolean {
  if (tool.risk === 'spend') return true;
  return tool.risk === 'write' && input !== undefined && tool.consent?.(input, {}).cost !== undefined;
}

/** Whether this action costs money: the person who confirms it is shown a cost. */
export function isPaid({ consent }: { consent?: Action['consent'] }): boolean {
  return consent?.cost !== undefined;
}

/**
 * The error of a call that costs money, with the sentence about the charge. It is added once, whoever passes the error
 * on. Left as it is: an error that says that the action had ended before, or is running.
 */
export function withCharge(face: ErrorFace): ErrorFace {
  if (SAID.test(face.message) || (face.code === 'not_confirmed' && face.reason === undefined)) return face;
  const sentence = face.outcome === 'unknown' ? MAYBE_CHARGED : NOTHING_CHARGED;
  const [hint = ''] = HINT.exec(face.message) ?? [];
  const message = hint === '' ? face.message : face.message.slice(0, -hint.length);
  return { ...face, message: `${message} ${sentence}${hint}` };
}

/** What is thrown for this call: if it costs money, an error has that sentence. Anything else is returned as it is. */
export function chargeTold(error: unknown, tool: Pick<Tool, 'risk' | 'consent'>, input: Fields | undefined): unknown {
  if (!(error instanceof SwitchboardError) || !costsMoney(tool, input)) return error;
  const face = withCharge(error.face);
  const detail = error.detail === undefined ? {} : { detail: error.detail };
  return face === error.face ? error : new SwitchboardError(face, { ...detail, cause: error });
}
