import * as z from 'zod';
import { type Fields, isRecord } from '../lib/values.ts';

const derived = { input: new WeakMap<z.ZodType, Fields>(), output: new WeakMap<z.ZodType, Fields>() };

/**
 * The JSON schema of a definition's input or answer, with the marks of its fields. It is derived once, because each start
 * reads the schemas of the whole catalogue several times, so callers must not change it.
 */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Fields {
  let found = derived[io].get(schema);
  if (!found) {
    found = withAlternatives(z.toJSONSchema(schema, { io, unrepresentable: 'any' })) as Fields;
    derived[io].set(schema, found);
  }
  return found;
}

/** Writes a value that may be null as two alternatives. The library writes a bare type so: ["string", "null"]. */
function withAlternatives(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withAlternatives);
  if (!isRecord(node)) return node;
  const whole = Object.fromEntries(Object.entries(node).map(([name, part]) => [name, withAlternatives(part)]));
  if (!Array.isArray(whole.type)) return whole;
  const { type, ...outer } = whole;
  return { ...outer, anyOf: (type as unknown[]).map((one) => ({ type: one })) };
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

/** The kind of field that holds a text: its form is fixed, or it takes any text. */
export type TextKind = 'choice' | 'fixed' | 'free';

/**
 * An input whose texts are replaced, by the kind of their field. A text that the schema does not know is free: nothing
 * else is known of it.
 */
export function mapTexts<T>(schema: z.ZodType, input: T, replace: (text: string, kind: TextKind) => string): T {
  const walk = (value: unknown, nodes: readonly Fields[]): unknown => {
    if (typeof value === 'string') return replace(value, kindOfText(value, nodes));
    if (Array.isArray(value))
      return value.map((one: unknown) =>
        walk(
          one,
          nodes.flatMap(({ items }) => optionsOf(items)),
        ),
      );
    if (!isRecord(value)) return value;
    const members = Object.entries(value).map(([name, member]) => {
      const known = nodes.flatMap(({ properties }) => (isRecord(properties) ? optionsOf(properties[name]) : []));
      return [name, walk(member, known)] as const;
    });
    return Object.fromEntries(members);
  };
  return walk(input, optionsOf(jsonSchema(schema, 'input'))) as T;
}

/** The alternatives of a schema, with the marks beside them. */
function optionsOf(node: unknown): Fields[] {
  if (!isRecord(node)) return [];
  const { anyOf, ...outer } = node;
  return Array.isArray(anyOf)
    ? anyOf.flatMap((one) => optionsOf(one).map((option) => ({ ...outer, ...option })))
    : [node];
}

function kindOfText(text: string, nodes: readonly Fields[]): TextKind {
  const has = (member: string) => nodes.some((node) => node[member] !== undefined);
  if (nodes.some(({ enum: choices }) => Array.isArray(choices) && choices.includes(text))) return 'choice';
  const isLines = nodes.some(({ kind }) => kind === 'multiline' || kind === 'words');
  return ['pattern', 'format', 'known', 'enum'].some(has) || (has('kind') && !isLines) ? 'fixed' : 'free';
}
