import { batchedBy, targetFields } from '../catalogue/batch.ts';
import { isChange, type Tool } from '../catalogue/operation.ts';
import { type Fields, isRecord } from '../lib/json.ts';

/**
 * The values of a call that may exclude another one: the numbers that it changes, and what its definition names.
 */
export function exclusiveOf(tool: Tool, input: Fields, known: Fields): string[] {
  return [...new Set([...(tool.exclusive?.values(input, known) ?? []), ...numbersOf(tool, input)])];
}

/** The phone numbers among the targets of a call. */
function numbersOf(tool: Tool, input: Fields): string[] {
  const rule = batchedBy(tool);
  if (!isChange(tool) || rule === undefined) return [];
  return targetFields(rule)
    .flatMap((name) => input[name])
    .map((value) => (isRecord(value) ? value.Number : value))
    .filter((value): value is string => typeof value === 'string' && /^\+\d{7,15}$/.test(value));
}

/** True if a call cancels, moves or releases its numbers, so that no other change of them may wait beside it. */
export function endsNumber(tool: Tool, input: Fields): boolean {
  return tool.endsNumber === true || (typeof tool.endsNumber === 'function' && tool.endsNumber(input));
}
