import type { Tool } from '../../catalogue/operation.ts';
import { MAX_REASON } from '../../gate/approval.ts';
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { hasPlaceholder, PLACEHOLDER_REFUSED } from '../../lib/placeholders.ts';
import { REASON, takesReason } from './listed.ts';

/* The reason of an assistant's call. It is shown with the change and kept, but it is no part of the change. */

/** The input of a call without the reason, and the reason. A field `Reason` of the operation stays in the input. */
export function reasonedInput(tool: Tool | undefined, given: Fields): { input: Fields; reason?: string } {
  return tool && takesReason(tool) ? withoutReason(given) : { input: given };
}

/** The arguments without the reason, and the reason. Throws `invalid_input` for one that is no text or too long. */
export function withoutReason(given: Fields): { input: Fields; reason?: string } {
  const name = Object.keys(given).find((key) => key.toLowerCase() === REASON.toLowerCase());
  if (name === undefined) return { input: given };
  const { [name]: reason, ...input } = given;
  if (reason === null || reason === undefined) return { input };
  if (hasPlaceholder(reason)) throw invalidInput(REASON, `${REASON}: ${PLACEHOLDER_REFUSED}.`);
  if (typeof reason === 'string' && [...reason].length <= MAX_REASON) return { input, ...defined({ reason }) };
  throw invalidInput(REASON, `${REASON}: must be a text of at most ${MAX_REASON} characters.`);
}
