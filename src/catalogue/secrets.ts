import type * as z from 'zod';
import { type Fields, isRecord } from '../lib/json.ts';
import { jsonSchema, markedNames } from './json-schema.ts';
import type { Tool } from './operation.ts';

/** The names of all fields the catalogue marks secret, and of the secrets operations keep. */
export function secretNames(tools: readonly Tool[]): Set<string> {
  const stored = tools.flatMap((tool) => (tool.kind === 'operation' && tool.keeps ? [tool.keeps.secret] : []));
  return new Set([...tools.flatMap((tool) => markedNames(tool.input, 'input', 'secret')), ...stored]);
}

/**
 * Names the members with texts and numbers that a caller may have written: the free fields of every change, and the
 * members of answers that hold text from outside.
 */
export function writableNames(tools: readonly Tool[]): Set<string> {
  const inputs = tools.filter(({ risk }) => risk !== 'read').map(({ input }) => freeFields(input));
  return new Set([...inputs.flat(), ...tools.flatMap((tool) => markedNames(tool.output, 'output', 'outside'))]);
}

/** Kinds of fields that have a fixed form (tools/shared/fields.ts). */
const FIXED = new Set(['phone', 'id', 'date', 'us-date', 'since']);

/** The names of all fields that take any text, or any number, at any depth. */
function freeFields(schema: z.ZodType): string[] {
  const found: string[] = [];
  const walk = (part: unknown, name: string): void => {
    if (Array.isArray(part)) for (const member of part) walk(member, name);
    if (!isRecord(part)) return;
    const { type, kind, pattern } = part;
    const isText = type === 'string' && part.enum === undefined && pattern === undefined && !FIXED.has(String(kind));
    if (isText || type === 'number' || type === 'integer') found.push(name);
    for (const [key, child] of Object.entries((part.properties ?? {}) as Fields)) walk(child, key);
    for (const key of ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf']) walk(part[key], name);
  };
  walk(jsonSchema(schema, 'input'), '');
  return found.filter((name) => name !== '');
}
