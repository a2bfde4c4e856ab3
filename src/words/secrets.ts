import * as z from 'zod';
import type { Tool } from '../operation.ts';

/** The names of all fields the catalogue marks secret, and of the secrets operations keep. */
export function secretNames(tools: readonly Tool[]): Set<string> {
  const names = new Set<string>();
  const walk = (schema: unknown, name: string): void => {
    if (Array.isArray(schema)) for (const member of schema) walk(member, name);
    if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return;
    const at = schema as Record<string, unknown>;
    if (at.secret === true && name !== '') names.add(name);
    for (const [key, child] of Object.entries((at.properties ?? {}) as Record<string, unknown>)) walk(child, key);
    for (const key of ['items', 'anyOf', 'oneOf', 'allOf']) walk(at[key], name);
  };
  for (const tool of tools) {
    walk(z.toJSONSchema(tool.input, { io: 'input', unrepresentable: 'any' }), '');
    if (tool.kind === 'operation' && tool.keeps) names.add(tool.keeps.secret);
  }
  return names;
}
