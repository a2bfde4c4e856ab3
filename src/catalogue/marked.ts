import * as z from 'zod';
import type { Fields } from '../lib/json.ts';

/** The names of all fields of a schema that carry this mark of tools/shared/fields.ts, at any depth. */
export function markedNames(
  schema: z.ZodType,
  io: 'input' | 'output',
  mark: 'secret' | 'outside' | 'attachment',
): string[] {
  const names: string[] = [];
  const walk = (part: unknown, name: string): void => {
    if (Array.isArray(part)) for (const member of part) walk(member, name);
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return;
    const at = part as Fields;
    if (at[mark] === true && name !== '') names.push(name);
    for (const [key, child] of Object.entries((at.properties ?? {}) as Fields)) walk(child, key);
    for (const key of ['items', 'anyOf', 'oneOf', 'allOf']) walk(at[key], name);
  };
  walk(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), '');
  return names;
}
