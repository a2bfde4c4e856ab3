import { hasPlaceholder } from '../lib/hide.ts';
import { type Fields, isRecord } from '../lib/values.ts';
import { isSame, jsonIn, readFlag, readTexts } from '../platform/dialect/readings.ts';
import type { Field } from './field-types.ts';
import { fieldsOf, takesNull } from './fields.ts';
import type { Tool } from './operation.ts';

/** The record in the answer of the read that `current` names. */
export function recordIn({ current }: Tool, answer: Fields, given: Fields): Fields | undefined {
  return current?.record ? current.record(answer, given) : answer;
}

/**
 * The record's values as the fields of the operation take them. Secrets, and values that cannot be read, are left out. A
 * text that the record shows for several fields is there under the record's own name for it.
 */
export function currentIn(tool: Tool, answer: Fields, given: Fields): Fields {
  const record = recordIn(tool, answer, given) ?? {};
  const { member = '' } = tool.current?.joined ?? {};
  return { ...(record[member] ? { [member]: record[member] } : {}), ...valuesNow(tool, record) };
}

/** The text of the record that contains the value of a field among others. `start`: the result of `currentIn`. */
export function wholeOf({ current }: Tool, name: string, start: Fields = {}): string | undefined {
  const whole = current?.joined?.fields.includes(name) ? start[current.joined.member] : undefined;
  return typeof whole === 'string' ? whole : undefined;
}

/** The values of a record, by field. */
export function valuesNow(tool: Tool, record: Fields): Fields {
  const values: Fields = {};
  for (const field of fieldsOf(tool)) {
    const { name, secret, attachment } = field;
    if (secret || attachment || tool.current?.keys.includes(name)) continue;
    const value = readAs(field, memberNow(tool, name, record));
    // A value with a part that is hidden would be sent as it is shown.
    if (hasPlaceholder(value)) continue;
    if (value !== undefined && tool.input.shape[name]?.safeParse(value).success === true) values[name] = value;
  }
  return values;
}

/** The value that a record has for a field; the record's own value if the field does not take it. */
export function valueNow(tool: Tool, field: Field, record: Fields): unknown {
  const value = memberNow(tool, field.name, record);
  return readAs(field, value) ?? value;
}

function memberNow({ current }: Tool, name: string, record: Fields): unknown {
  return record[current?.members?.[name] ?? name];
}

function readAs(field: Field, value: unknown): unknown {
  if (value === undefined || value === null || value === '') return undefined;
  switch (field.kind) {
    case 'boolean':
      return readFlag(value);
    case 'number':
      return Number.isFinite(Number(value)) ? Number(value) : undefined;
    case 'choice':
      return field.choices?.find((choice) => choice.toLowerCase() === String(value).toLowerCase());
    case 'list':
      return readTexts(value);
    case 'rows':
      return Array.isArray(value) ? value.map((row: unknown) => membersOf(field, row)) : undefined;
    case 'group':
      return membersOf(field, value);
    default:
      return typeof value === 'object' ? undefined : String(value);
  }
}

function membersOf({ fields = [] }: Field, value: unknown): unknown {
  if (!isRecord(value)) return undefined;
  const members = fields.flatMap((field) => {
    const member = readAs(field, value[field.name]);
    return member === undefined ? [] : [[field.name, member] as const];
  });
  return Object.fromEntries(members);
}

/** Holds the part of a form's input that differs from the record. */
export interface Changes {
  /** The keys and the fields that differ. The gate fills in what an endpoint that replaces the record needs. */
  input: Fields;
  /** Fields that were emptied and that the platform cannot remove. */
  kept: readonly string[];
  isEmpty: boolean;
}

/**
 * Compares a form with the values it started from.
 *
 * @param shown names of the fields that the form has. Only these can have been emptied.
 */
export function changesOf(
  tool: Tool,
  { start, entered, shown }: { start: Fields; entered: Fields; shown: ReadonlySet<string> },
): Changes {
  const { keys = [] } = tool.current ?? {};
  const input: Fields = {};
  const kept: string[] = [];
  let isEmpty = true;
  for (const { name } of fieldsOf(tool)) {
    const [was, is] = [start[name], entered[name]];
    const isRemoved = is === undefined && !isNothing(was) && shown.has(name);
    const isChanged =
      is !== undefined && !keys.includes(name) && !isSame(is, was) && JSON.stringify(is) !== JSON.stringify(was);
    if (isChanged || isRemoved) isEmpty = false;
    if (is !== undefined && (isChanged || keys.includes(name))) input[name] = is;
    if (!isRemoved) continue;
    if (takesNull(tool, name)) input[name] = null;
    else if (Array.isArray(was) && tool.input.shape[name]?.safeParse([]).success) input[name] = [];
    else kept.push(name);
  }
  return { input, kept, isEmpty };
}

/** True for a value that a form shows as an empty field: no text, no entries, keyword rules without a word. */
function isNothing(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') {
    const rules = /^\s*\{/.test(value) ? jsonIn(value) : undefined;
    return value.trim() === '' || (isRecord(rules) && isNothing(rules));
  }
  return typeof value === 'object' && Object.values(value).every(isNothing);
}
