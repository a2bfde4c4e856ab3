import type { Field } from '../../../catalogue/field-types.ts';
import { soleMember } from '../../../catalogue/fields.ts';
import { type Fields, isRecord } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { inputsOf } from './form-fields.ts';
import { cut } from './text.ts';

/** The path of the input in a block, without the mark of the step. */
export function pathOf(blockId: string): string {
  return blockId.split('~')[0] ?? blockId;
}

/** The input of a submitted form. Empty fields are left out. */
export function readForm(fields: readonly Field[], state: Fields): Fields {
  const input: Fields = {};
  const byPath = new Map(Object.entries(state).map(([block, value]) => [pathOf(block), value]));
  for (const { field, path } of inputsOf(fields)) {
    const value = readValue(field, byPath.get(path));
    if (value !== undefined) put(input, path.split('.'), value);
  }
  return input;
}

function readValue(field: Field, block: unknown): unknown {
  const element = isRecord(block) ? (block[IDS.value] ?? block[IDS.pick]) : undefined;
  if (!isRecord(element)) return undefined;
  const raw = rawOf(element);
  if (raw === undefined) return undefined;
  switch (field.kind) {
    case 'boolean':
      return Array.isArray(raw) ? raw.includes('true') || undefined : raw === 'true';
    case 'number':
      return Number(raw);
    case 'us-date': {
      const [year = '', month = '', day = ''] = String(raw).split('-');
      return `${month}/${day}/${year}`;
    }
    case 'list':
      return Array.isArray(raw) ? raw : pieces(String(raw), field.items?.kind !== 'text');
    case 'rows': {
      const member = soleMember(field);
      if (!member || String(raw).trimStart().startsWith('[')) return json(String(raw));
      return pieces(String(raw), true).map((piece) => ({ [member.name]: piece }));
    }
    case 'group':
      return json(String(raw));
    default:
      return raw;
  }
}

/** The value entered: text, an option, several options or a day; undefined if empty. */
function rawOf(element: Fields): unknown {
  const { value, selected_option: one, selected_options: many, selected_date: day } = element;
  if (Array.isArray(many)) {
    const chosen = many.flatMap((item) => (isRecord(item) && typeof item.value === 'string' ? [item.value] : []));
    return chosen.length === 0 ? undefined : chosen;
  }
  if (isRecord(one)) return one.value;
  const text = value ?? day;
  return text === null || text === undefined || text === '' ? undefined : text;
}

function pieces(text: string, commas: boolean): string[] {
  return text
    .split(commas ? /[\n,;]+/ : /\n+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/** Malformed JSON stays text, so that validation can explain what is wrong with it. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function put(into: Fields, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) into[key] = value;
  else {
    const inner = isRecord(into[key]) ? into[key] : {};
    into[key] = inner;
    put(inner, rest, value);
  }
}

/** The value at a path such as "CurrentBillingAddress.Zip". */
export function valueAt(values: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), values);
}

/** Problems by block. A problem without a block of its own goes to a related one, otherwise to the first. */
export function errorsAt(
  fields: readonly Field[],
  problems: readonly { field: string; message: string }[],
): Record<string, string> {
  const paths = inputsOf(fields).map(({ path }) => path);
  const errors: Record<string, string> = {};
  for (const { field, message } of problems) {
    const exact = paths.find((path) => field === path || field.startsWith(`${path}.`));
    const inside = paths.find((path) => path.startsWith(`${field}.`));
    const block = exact ?? inside ?? paths[0];
    if (block === undefined) continue;
    const text = exact || inside ? message : `${field}: ${message}`;
    errors[block] ??= cut(text.charAt(0).toUpperCase() + text.slice(1), 300);
  }
  return errors;
}

/** Whether any of the fields, at any depth, is secret. */
export function hasSecrets(fields: readonly Field[]): boolean {
  return fields.some((field) => field.secret || field.items?.secret === true || hasSecrets(field.fields ?? []));
}

/** The input without its secrets, at any depth. Only this may be stored to prefill a form. */
export function withoutSecrets(fields: readonly Field[], input: Fields): Fields {
  const kept: Fields = {};
  for (const field of fields) {
    const value = input[field.name];
    if (value === undefined || field.secret || field.items?.secret) continue;
    if (field.fields && Array.isArray(value)) {
      const members = field.fields;
      kept[field.name] = value.map((row: unknown) => (isRecord(row) ? withoutSecrets(members, row) : row));
    } else kept[field.name] = field.fields && isRecord(value) ? withoutSecrets(field.fields, value) : value;
  }
  return kept;
}
