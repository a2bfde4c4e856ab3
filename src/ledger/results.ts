import { activationsIn } from '../lib/activation.ts';
import type { Fields } from '../lib/json.ts';
import type { Seal } from './seal.ts';

/*
 * Storage of results. A result with an eSIM's activation code is sealed as a whole, because anyone who has the code can
 * install the SIM.
 */

/** Prefix of a sealed result. No JSON text begins with it. */
const SEALED = 'sealed:';

/** The text of a result for its column. Throws if a value cannot be written as JSON. */
export function resultText(id: string, result: Fields, seal: Seal): string {
  const json = JSON.stringify(result);
  if (Object.keys(activationsIn(result)).length === 0) return json;
  return SEALED + Buffer.from(seal.seal(json, recordOf(id))).toString('base64');
}

/** The JSON of a row's result; undefined for a row without one, or with one that this installation has not sealed. */
export function resultJson({ id, result }: { id: string; result: string | null }, seal: Seal): string | undefined {
  if (result === null || !result.startsWith(SEALED)) return result ?? undefined;
  try {
    return String(seal.open(Buffer.from(result.slice(SEALED.length), 'base64'), recordOf(id)));
  } catch {
    // The row is damaged or belongs to another installation. Its list is still shown.
    return undefined;
  }
}

function recordOf(id: string): string {
  return `${id}/result`;
}
