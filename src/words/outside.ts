import * as z from 'zod';
import type { Tool } from '../operation.ts';

const cache = new WeakMap<Tool, ReadonlySet<string>>();

/** The members of an answer that hold text from outside, by name; of a workflow's the ones it declares itself. */
function outsideNames(tool: Tool): ReadonlySet<string> {
  const found = cache.get(tool);
  if (found) return found;
  const names = new Set<string>();
  const walk = (schema: unknown, name: string): void => {
    if (Array.isArray(schema)) for (const member of schema) walk(member, name);
    if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return;
    const at = schema as Record<string, unknown>;
    if (at.outside === true) names.add(name);
    for (const [key, child] of Object.entries((at.properties ?? {}) as Record<string, unknown>)) walk(child, key);
    for (const key of ['items', 'anyOf', 'oneOf', 'allOf']) walk(at[key], name);
  };
  walk(z.toJSONSchema(tool.output, { io: 'output', unrepresentable: 'any' }), '');
  cache.set(tool, names);
  return names;
}

/** Which of those stand in this answer with something in them, each name once. */
export function outsideIn(tool: Tool, value: Record<string, unknown>): string[] {
  const names = outsideNames(tool);
  const found = new Set<string>();
  const walk = (part: unknown, name: string): void => {
    if (typeof part === 'string') {
      if (part !== '' && names.has(name)) found.add(name);
    } else if (Array.isArray(part)) for (const member of part) walk(member, name);
    else if (part !== null && typeof part === 'object')
      for (const [key, member] of Object.entries(part)) walk(member, key);
  };
  if (names.size > 0) walk(value, '');
  return [...found];
}
