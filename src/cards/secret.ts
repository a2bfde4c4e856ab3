import { fieldsOf, labelOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { formatPhone } from '../language/show.ts';
import { type Fields, textsIn } from '../lib/json.ts';

/**
 * Names a secret that is shown once, and its number: "Port-out PIN of (201) 555-0103".
 *
 * @param name the field of the secret
 * @param input the input of the call that made it
 */
export function secretLabel(name: string, tool: Tool | undefined, input: Fields = {}): string {
  const label = (tool && fieldsOf(tool).find((field) => field.name === name)?.label) ?? labelOf(name);
  const phones = new Set(textsIn(input).flatMap(({ value }) => (/^\+\d{7,15}$/.test(value) ? [value] : [])));
  const [phone] = phones;
  return phone === undefined || phones.size > 1 ? label : `${label} of ${formatPhone(phone).national}`;
}
