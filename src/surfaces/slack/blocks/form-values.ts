import type { Field } from '../../../catalogue/field-types.ts';
import { type Fields, isRecord } from '../../../lib/json.ts';
import { plainForm } from '../../../lib/text.ts';
import { IDS } from '../ids.ts';
import { typedText, unescaped } from '../typed.ts';
import { entriesOf, jsonOr, keywordsFrom, rowsFrom } from './form-lines.ts';
import { type FormInput, inputsOf, rowFields, rowInputs } from './form-shape.ts';
import { cut } from './text.ts';

/** The path of the input in a block, without the mark of the step. */
export function pathOf(blockId: string): string {
  return blockId.split('~')[0] ?? blockId;
}

/** The input of a submitted form. Empty fields are left out, and so are fields that the form does not show. */
export function readForm(fields: readonly Field[], state: Fields): Fields {
  const byPath = blocksByPath(state);
  const read = (inputs: readonly FormInput[], depth: number) => {
    const input: Fields = {};
    for (const { field, path } of inputs) {
      const value = readValue(field, byPath.get(path));
      if (value !== undefined) put(input, path.split('.').slice(depth), value);
    }
    return input;
  };
  const input = read(inputsOf(fields), 0);
  for (const field of rowFields(fields)) {
    const rows = rowsShown(field, byPath);
    if (rows.length > 0) input[field.name] = rows.map((inputs) => read(inputs, 2));
  }
  return input;
}

function blocksByPath(state: Fields): Map<string, unknown> {
  return new Map(Object.entries(state).map(([block, value]) => [pathOf(block), value]));
}

/** The rows of a field that the form has. */
function rowsShown(field: Field, byPath: ReadonlyMap<string, unknown>): FormInput[][] {
  const indices = [...byPath.keys()].flatMap((path) =>
    path.startsWith(`${field.name}.`) ? [Number(path.split('.')[1])] : [],
  );
  return rowInputs(field, Math.max(-1, ...indices) + 1);
}

/**
 * The value entered in a block: text as it was typed, an option, several options or a day; undefined if it is empty.
 *
 * @param asTyped changes back what Slack changes in a typed text
 */
export function enteredIn(block: unknown, asTyped = typedText): unknown {
  const element = isRecord(block) ? (block[IDS.value] ?? block[IDS.pick]) : undefined;
  if (!isRecord(element)) return undefined;
  const { value, selected_option: one, selected_options: many, selected_date: day } = element;
  if (Array.isArray(many))
    return many.length === 0 ? undefined : many.flatMap((item) => (isRecord(item) ? [item.value] : []));
  if (isRecord(one)) return one.value;
  return typeof value === 'string' && value !== '' ? asTyped(value) : day || undefined;
}

function readValue(field: Field, block: unknown): unknown {
  const raw = enteredIn(block, field.secret ? unescaped : typedText);
  if (raw === undefined) return undefined;
  switch (field.kind) {
    case 'boolean':
      return Array.isArray(raw) ? raw.includes('true') || undefined : raw === 'true';
    case 'number':
      return Number(plainForm(String(raw)));
    case 'us-date': {
      const [year = '', month = '', day = ''] = String(raw).split('-');
      return `${month}/${day}/${year}`;
    }
    case 'choices':
      return Array.isArray(raw) ? raw.join(',') : raw;
    case 'list':
      return Array.isArray(raw) ? raw : entriesOf(String(raw), field).map(({ text }) => text);
    case 'rows':
      return rowsFrom(field, String(raw));
    case 'keywords':
      return keywordsFrom(String(raw));
    case 'group':
      return jsonOr(String(raw));
    default:
      return raw;
  }
}

function put(into: Fields, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) into[key] = value;
  else {
    const inner = isRecord(into[key]) ? into[key] : {};
    into[key] = inner;
    put(inner, rest, value);
  }
}

/** The value at a path such as "CurrentBillingAddress.Zip" or "PackageItems.0.Price". */
export function valueAt(values: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    if (Array.isArray(inner)) return inner[Number(key)];
    return isRecord(inner) ? inner[key] : undefined;
  }, values);
}

/**
 * Problems by block. A problem without a block goes to a related one, otherwise to the first. With the form's state, a
 * problem of a list names the line.
 */
export function errorsAt(
  fields: readonly Field[],
  problems: readonly { field: string; message: string }[],
  state: Fields = {},
): Record<string, string> {
  const byPath = blocksByPath(state);
  const rows = rowFields(fields).flatMap((field) => rowsShown(field, byPath).flat());
  const inputs = [...rows, ...inputsOf(fields).filter(({ path }) => byPath.size === 0 || byPath.has(path))];
  const found: Record<string, string> = {};
  for (const { field, message } of problems) {
    const exact = inputs.find(({ path }) => field === path || field.startsWith(`${path}.`));
    const inside = inputs.find(({ path }) => path.startsWith(`${field}.`));
    const { path } = exact ?? inside ?? inputs[0] ?? {};
    if (path === undefined) continue;
    const line = exact && lineOf(exact, field, byPath.get(exact.path));
    const about = line ?? (exact || inside ? '' : `${field}: `);
    const text = about + message;
    const shown = text.charAt(0).toUpperCase() + text.slice(1);
    // Slack shows one text per block. Further problems are added only if they name lines of a list.
    if (found[path] === undefined) found[path] = cut(shown, 300);
    else if (line !== undefined) found[path] = cut(`${found[path]} ${shown}`, 300);
  }
  return found;
}

/** "line 3 (+1201): ": the entry of a list that a problem such as "PhoneNumbers.2.Number" is about. */
function lineOf({ field, path }: FormInput, problem: string, block: unknown): string | undefined {
  const index = Number(problem.slice(path.length + 1).split('.')[0]);
  const raw = enteredIn(block);
  if (problem === path || !Number.isInteger(index) || typeof raw !== 'string') return undefined;
  const entry = entriesOf(raw, field)[index];
  return entry && `line ${entry.line} (${cut(entry.text, 40)}): `;
}

/** True if any of the fields, at any depth, is secret. */
export function hasSecrets(fields: readonly Field[]): boolean {
  return fields.some((field) => field.secret || field.items?.secret === true || hasSecrets(field.fields ?? []));
}

/** The input without its secrets, at any depth. Only this may be stored to prefill a form. */
export function withoutSecrets(fields: readonly Field[], input: Fields): Fields {
  const kept: Fields = {};
  for (const { name, fields: members, items, secret } of fields) {
    const value = input[name];
    if (value === undefined || secret || items?.secret) continue;
    const without = (row: unknown) => (members && isRecord(row) ? withoutSecrets(members, row) : row);
    kept[name] = Array.isArray(value) ? value.map(without) : without(value);
  }
  return kept;
}
