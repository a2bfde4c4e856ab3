import * as z from 'zod';
import type { Fields } from '../lib/json.ts';

const derived = { input: new WeakMap<z.ZodType, Fields>(), output: new WeakMap<z.ZodType, Fields>() };

/**
 * The JSON schema of a definition's input or answer, with the marks of its fields. It is derived once, because each start
 * reads the schemas of the whole catalogue several times, so callers must not change it.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Fields {
  let found = derived[io].get(schema);
  if (!found) {
    found = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Fields;
    derived[io].set(schema, found);
  }
  return found;
}
