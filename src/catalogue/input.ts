import type * as z from 'zod';
import { invalidInput } from '../lib/errors.ts';
import type { Fields } from '../lib/json.ts';
import { nearest } from '../lib/nearest.ts';
import { fieldsOf, isRecord, soleMember } from './fields.ts';
import type { Tool } from './operation.ts';

/**
 * Checks one input against its definition: the fields, then the rules across them.
 * Returns it normalised. Rejects with `invalid_input`, one sentence that names the field and how to correct it.
 */
export function parseInput(tool: Tool, raw: unknown, now: Date): Fields {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) {
    throw invalidInput(undefined, `${tool.id} takes an object of fields: ${Object.keys(tool.input.shape).join(', ')}.`);
  }
  const parsed = tool.input.safeParse(withRows(tool, raw));
  if (!parsed.success) throw fieldError(tool, parsed.error, raw);
  const problem = tool.rules?.(parsed.data, now);
  if (problem) throw invalidInput(problem.field, `${problem.field}: ${sentence(problem.message)}`);
  return parsed.data;
}

/** Every problem of an input by field path ("PhoneNumbers.0.Number"), for forms. */
export function fieldProblems(tool: Tool, raw: unknown, now: Date): { field: string; message: string }[] {
  const parsed = tool.input.safeParse(isRecord(raw) ? withRows(tool, raw) : raw);
  if (!parsed.success) {
    return parsed.error.issues.map((issue) => {
      const { field, message } = describe(tool, issue, raw);
      return { field, message: sentence(message) };
    });
  }
  const problem = tool.rules?.(parsed.data, now);
  return problem ? [{ field: problem.field, message: sentence(problem.message) }] : [];
}

/**
 * Lists of numbers in the platform's shape: `[{"Number": "+1…"}]`. Plain numbers, which many callers write first, are
 * accepted too, because such a row needs nothing but Number.
 */
function withRows(tool: Tool, raw: object): Fields {
  const input: Fields = { ...raw };
  for (const field of fieldsOf(tool)) {
    const value = input[field.name];
    if (field.kind !== 'rows' || !Array.isArray(value) || soleMember(field)?.name !== 'Number') continue;
    input[field.name] = value.map((row: unknown) => (typeof row === 'string' ? { Number: row } : row));
  }
  return input;
}

/** Maximum length of an unknown field's name, which the caller wrote, in a message. */
const MAX_NAMED = 40;

function fieldError(tool: Tool, error: z.ZodError, raw: unknown) {
  const [first, ...others] = error.issues.map((issue) => describe(tool, issue, raw));
  if (!first) return invalidInput(undefined, `${tool.id}: the input is not valid.`);
  const { field, message } = first;
  const wrong = [...new Set(others.map((other) => other.field.slice(0, MAX_NAMED)))].filter(
    (name) => name !== '' && name !== field,
  );
  const more = wrong.length > 3 ? ` and ${wrong.length - 3} more` : '';
  const rest = wrong.length > 0 ? ` (Also wrong: ${wrong.slice(0, 3).join(', ')}${more}.)` : '';
  return invalidInput(field, `${field}: ${sentence(message)}${rest}`);
}

function describe(tool: Tool, issue: z.core.$ZodIssue, raw: unknown): { field: string; message: string } {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const field = path === '' ? key : `${path}.${key}`;
    const known = path === '' ? Object.keys(tool.input.shape) : [];
    const near = nearest(key, known);
    const hint = near
      ? `did you mean ${near}?`
      : known.length > 0
        ? `the fields are ${known.join(', ')}`
        : 'leave it out';
    return { field, message: `is not a field of ${tool.id}; ${hint}` };
  }
  const given = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    raw,
  );
  if (issue.code === 'invalid_type' && given === undefined) {
    return { field: path, message: `is missing; ${example(tool, path)}` };
  }
  if (issue.code === 'invalid_type') {
    return {
      field: path,
      message: `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}; ${example(tool, path)}`,
    };
  }
  if (issue.code === 'invalid_value' && given === undefined) {
    return { field: path, message: `is missing; ${issue.message}` };
  }
  return { field: path, message: issue.message };
}

function example(tool: Tool, path: string): string {
  const value = path.split('.').reduce<unknown>((at, key) => (at as Fields | undefined)?.[key], tool.examples[0]);
  return value === undefined || value === null
    ? `see the fields of ${tool.id}`
    : typeof value === 'object'
      ? exampleOfMany(value)
      : `for example ${String(value)}`;
}

/** A list by its first plain value, which reads the same on every surface; the fields of an operation say the rest. */
function exampleOfMany(value: object): string {
  const [first] = Object.values(value);
  if (typeof first === 'object' && first !== null) return exampleOfMany(first);
  return Array.isArray(value) || Object.keys(value).length === 1
    ? `for example ${String(first)}`
    : `it has ${Object.keys(value).join(', ')}`;
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
