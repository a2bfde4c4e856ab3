import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { type Fields, isRecord } from '../lib/json.ts';

/** Names of the secret fields in an input that was typed on a line. */
export function secretsTyped(tool: Tool, input: Fields): string[] {
  return secretsIn(fieldsOf(tool), input, '');
}

function secretsIn(fields: readonly Field[], input: Fields, prefix: string): string[] {
  return fields.flatMap((field) => {
    const value = input[field.name];
    if (value === undefined || value === null) return [];
    if (field.secret) return [prefix + field.name];
    if (field.kind === 'group' && isRecord(value))
      return secretsIn(field.fields ?? [], value, `${prefix}${field.name}.`);
    if (field.kind === 'rows' && Array.isArray(value)) {
      const rows = value
        .filter(isRecord)
        .flatMap((row) => secretsIn(field.fields ?? [], row, `${prefix}${field.name}.`));
      return [...new Set(rows)];
    }
    return [];
  });
}
