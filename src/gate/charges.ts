import type { Tool } from '../catalogue/operation.ts';
import type { Action } from '../ledger/ledger.ts';
import { changed, type Failure, SwitchboardError } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';

/** True if a call with this input costs money. `input` is a valid input, or undefined if there is none yet. */
function costsMoney(tool: Pick<Tool, 'risk' | 'consent'>, input: Fields | undefined): boolean {
  if (tool.risk === 'spend') return true;
  return tool.risk === 'write' && input !== undefined && tool.consent?.(input, {}).cost !== undefined;
}

/** True if this action costs money, so that a cost is shown to the person who confirms it. */
export function isPaid({ consent }: { consent?: Action['consent'] }): boolean {
  return consent?.cost !== undefined;
}

/**
 * Adds the charge to the failure of a call that costs money. No charge is added if the action had ended before or is
 * still running.
 */
export function withCharge(failure: Failure): Failure {
  if (failure.code === 'not_confirmed' && failure.reason === undefined) return failure;
  return { ...failure, charge: failure.outcome === 'unknown' ? 'maybe' : 'none' };
}

/** Adds the charge to the error of a call that costs money. Anything else is returned as it is. */
export function errorWithCharge(
  error: unknown,
  tool: Pick<Tool, 'risk' | 'consent'>,
  input: Fields | undefined,
): unknown {
  if (!(error instanceof SwitchboardError) || !costsMoney(tool, input)) return error;
  return changed(error, withCharge(error.face));
}
