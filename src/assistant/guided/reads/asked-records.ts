import { references } from '../../../../tools/surfaces/records.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { keysOf } from '../../../gate/change.ts';
import { nounOf } from '../../../language/typed-values.ts';
import type { Fields } from '../../../lib/json.ts';

/* "Can I delete the ESIM-01 product": the record that a question about a change names, and the operation that reads it. */

/** The read of the record that a change is about. Undefined if the sentence names none, or nothing reads it. */
export function recordRead(
  tool: Tool,
  input: Fields,
  toolOf: (id: string) => Tool | undefined,
): { tool: Tool; input: Fields; name: string } | undefined {
  const keys = keysOf(tool);
  for (const field of fieldsOf(tool)) {
    const name = input[field.name];
    if (field.kind !== 'id' || !keys.includes(field.name) || typeof name !== 'string') continue;
    const read = references.find(({ noun }) => noun === nounOf(field))?.read;
    const own = read && toolOf(read.operation);
    if (read && own) return { tool: own, input: read.input(name), name };
  }
  return undefined;
}
