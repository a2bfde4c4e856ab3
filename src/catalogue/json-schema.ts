import * as z from 'zod';
import { type Fields, isRecord } from '../lib/json.ts';

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

type Mark = 'secret' | 'outside' | 'attachment' | 'own' | 'told' | 'private';

/** The names of all fields of a schema that carry this mark of tools/shared/fields.ts, at any depth. */
export function markedNames(schema: z.ZodType, io: 'input' | 'output', mark: Mark): string[] {
  return marked(schema, io, mark).map(({ name }) => name);
}

/** The paths of the members of an answer that carry this mark (`Findings[].Finding`). */
export function markedPaths(schema: z.ZodType, mark: Mark): string[] {
  return marked(schema, 'output', mark).map(({ path }) => path);
}

function marked(schema: z.ZodType, io: 'input' | 'output', mark: Mark): { name: string; path: string }[] {
  const found: { name: string; path: string }[] = [];
  const walk = (part: unknown, name: string, path: string): void => {
    if (Array.isArray(part)) for (const member of part) walk(member, name, path);
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return;
    const at = part as Fields;
    if (at[mark] === true && name !== '') found.push({ name, path });
    for (const [key, child] of Object.entries((at.properties ?? {}) as Fields))
      walk(child, key, path === '' ? key : `${path}.${key}`);
    walk(at.items, name, `${path}[]`);
    for (const key of ['anyOf', 'oneOf', 'allOf']) walk(at[key], name, path);
  };
  walk(jsonSchema(schema, io), '', '');
  return found;
}

/** Every value of the choices in an input, at any depth. The definition wrote them. */
export function choicesIn(schema: z.ZodType): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (part: unknown): void => {
    if (Array.isArray(part)) for (const member of part) walk(member);
    else if (isRecord(part)) {
      if (Array.isArray(part.enum)) for (const value of part.enum) found.add(String(value));
      for (const child of Object.values(part)) walk(child);
    }
  };
  walk(jsonSchema(schema, 'input'));
  return found;
}
