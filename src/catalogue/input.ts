import type * as z from 'zod';
import { invalidInput } from '../lib/errors.ts';
import { fieldsOf, isRecord, soleMember } from './fields.ts';
import type { Tool } from './operation.ts';

/**
 * Checks one input against its definition: the fields, then the rules across them.
 * Returns it normalised. Rejects with `invalid_input`, one sentence that names the field and the way out.
 */
export function parseInput(tool: Tool, raw: unknown, now: Date): Record<string, unknown> {
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
 * Lists of numbers in the platform's shape: `[{"Number": "+1…"}]`. Plain numbers, which most callers write first, mean
 * the same, since Number is all that such a row needs.
 */
function withRows(tool: Tool, raw: object): Record<string, unknown> {
  const input: Record<string, unknown> = { ...raw };
  for (const field of fieldsOf(tool)) {
    const value = input[field.name];
    if (field.kind !== 'rows' || !Array.isArray(value) || soleMember(field)?.name !== 'Number') continue;
    input[field.name] = value.map((row: unknown) => (typeof row === 'string' ? { Number: row } : row));
  }
  return input;
}

function fieldError(tool: Tool, error: z.ZodError, raw: unknown) {
  const [issue] = error.issues;
  if (!issue) return invalidInput(undefined, `${tool.id}: the input is not valid.`);
  const { field, message } = describe(tool, issue, raw);
  const more = error.issues.length - 1;
  const rest = more > 0 ? ` (${more} more ${more === 1 ? 'field is' : 'fields are'} wrong too.)` : '';
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
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], tool.examples[0]);
  return value === undefined || value === null
    ? `see the fields of ${tool.id}`
    : `for example ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

/** Longer than any name here: no typing mistake of one. */
const MAX_WORD = 100;

/** The candidate a typing mistake most likely meant, if one is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAX_WORD) return undefined;
  const lower = word.toLowerCase();
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(lower, candidate.toLowerCase());
    if (!best || distance < best.distance) best = { candidate, distance };
  }
  return best && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replace, (previous[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    previous = row;
  }
  return previous[b.length] ?? 0;
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
