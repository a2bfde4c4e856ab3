import { shownWhen } from '../../../../tools/surfaces/forms.ts';
import { labelOf, soleMember } from '../../../catalogue/input.ts';
import type { Field, Tool } from '../../../catalogue/operation.ts';
import { jsonOrText } from '../../../language/typed-values.ts';
import { capital, type Fields, isRecord, lowerFirst, plainForm, recordOf, recordsIn } from '../../../lib/values.ts';
import { IDS } from '../types.ts';
import { cut, typedText, unescaped } from './text.ts';

/** One input of a form, with its path such as "CurrentBillingAddress.Zip". */
export interface FormInput {
  path: string;
  label: string;
  field: Field;
  required: boolean;
}

/** A file cannot be typed, so a list of files has no input: a link does the same. */
const isTyped = ({ fields = [] }: Field) => !fields.some((member) => member.attachment);

/** The inputs of a form: required ones first, the members of a group together. */
export function inputsOf(fields: readonly Field[], prefix = '', labels = '', required = true): FormInput[] {
  const inputs = fields.filter(isTyped).map((field): FormInput[] => {
    const path = prefix + field.name;
    const name = labels === '' ? field.label : `${labels}: ${lowerFirst(field.label)}`;
    const must = required && field.required;
    if (field.kind === 'group' && field.fields) return inputsOf(field.fields, `${path}.`, field.label, must);
    return [{ path, label: name, field, required: must }];
  });
  const isFirst = (group: FormInput[]) => prefix !== '' || group.some((input) => input.required);
  return [...inputs.filter(isFirst), ...inputs.filter((group) => !isFirst(group))].flat();
}

/** Names of the fields that these values make needless. */
export function needlessFields(tool: Tool, values: Fields): ReadonlySet<string> {
  const conditions = shownWhen[tool.id] ?? {};
  const isNeedless = (name: string): boolean => {
    const when = conditions[name];
    if (!when) return false;
    // A field whose own condition is not met decides nothing.
    if (isNeedless(when.field)) return true;
    const chosen = values[when.field];
    if (chosen === undefined || chosen === null) return when.unset !== true && values[name] === undefined;
    return !when.is.some((value) => String(value).toLowerCase() === String(chosen).toLowerCase());
  };
  return new Set(Object.keys(conditions).filter(isNeedless));
}

/** The fields, with those required that these values make so. */
export function withRequired(tool: Tool, fields: readonly Field[], values: Fields): Field[] {
  const conditions = shownWhen[tool.id] ?? {};
  const needless = needlessFields(tool, values);
  return fields.map((field) =>
    conditions[field.name]?.required && !needless.has(field.name) ? { ...field, required: true } : field,
  );
}

/*
 * Converts lists, rows and keyword rules to lines of text, one entry per line, and back. People do not have to type
 * JSON in a form, but pasted JSON is accepted too.
 */

/**
 * The entries of the text of a field, each with its line number, starting at 1. A comma or semicolon ends an entry too,
 * except in free text.
 */
function entriesOf(text: string, field: Field): { text: string; line: number }[] {
  const isFreeText = field.kind !== 'rows' && field.items?.kind === 'text';
  return text
    .split('\n')
    .flatMap((line, i) =>
      (isFreeText ? [line] : line.split(/[,;]+/)).map((piece) => ({ text: piece.trim(), line: i + 1 })),
    )
    .filter((entry) => entry.text !== '');
}

/** The members of rows in the order in which a line has them, with colons between: the one that is needed first. */
export function lineMembers(field: Field): readonly Field[] {
  const first = field.kind === 'rows' ? soleMember(field) : undefined;
  return first ? [first, ...(field.fields ?? []).filter((member) => member !== first)] : [];
}

/** Rows as lines. */
export function rowLines(field: Field, rows: readonly unknown[]): string {
  const lines = rows.map((row) => {
    if (!isRecord(row)) return String(row);
    const values = lineMembers(field).map(({ name }) => row[name] ?? '');
    return values.join(': ').replace(/(: )+$/, '');
  });
  return lines.join('\n');
}

/** Reads rows from lines. */
function rowsFrom(field: Field, text: string): unknown {
  const members = lineMembers(field);
  if (members.length === 0 || text.trimStart().startsWith('[')) return jsonOrText(text);
  return entriesOf(text, field).map((entry) => {
    const row = entry.text.replace(/^tel:/i, '');
    const values = members.length === 1 ? [row] : row.split(':').map((value) => value.trim());
    const rest = values.splice(members.length - 1).join(':');
    return Object.fromEntries(
      members.map(({ name }, at) => [name, values[at] ?? rest]).filter(([, value]) => value !== ''),
    );
  });
}

/** Keyword rules as lines: `word` or `word: HIGH`. Undefined for rules that lines cannot show. */
export function keywordLines(json: string): string | undefined {
  const rules = jsonOrText(/^\s*\{/.test(json) ? json : `{${json}}`);
  if (!isRecord(rules)) return undefined;
  const { CustomKeywords: words = [], SeverityMap: severities = {}, ...others } = rules;
  if (!Array.isArray(words) || !isRecord(severities) || Object.keys(others).length > 0) return undefined;
  if (Object.keys(severities).some((word) => !words.includes(word))) return undefined;
  return words.map((word) => [word, severities[String(word)] ?? []].flat().join(': ')).join('\n');
}

/** Reads keyword rules from lines, in the platform's format: a JSON object in a string. */
function keywordsFrom(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  const rules = text
    .split('\n')
    .map((line) => /^(.*\S)\s*:\s*([A-Za-z_]+)$/.exec(line.trim()) ?? [line, line.trim()])
    .filter(([, word]) => word !== '');
  const severe = rules.flatMap(([, word, severity]) => (severity ? [[word, severity.toUpperCase()]] : []));
  return JSON.stringify({
    CustomKeywords: [...new Set(rules.map(([, word]) => word))],
    ...(severe.length > 0 && { SeverityMap: Object.fromEntries(severe) }),
  });
}

/**
 * A choice as a form shows it: "MONITOR_ONLY" and "Call_On_Hold" become "Monitor only" and "Call on hold". Other
 * spellings stay.
 */
export function choiceLabel(choice: string): string {
  if (/^[A-Z][a-z]+(_[A-Z][a-z]+)+$/.test(choice)) return labelOf(choice);
  return /^[A-Z]{2,}(_[A-Z]+)*$/.test(choice) && choice.length > 3 ? labelOf(choice) : choice;
}

/** The path of the input in a block, without the mark of the step. */
export function pathOf(blockId: string): string {
  return blockId.split('~')[0] ?? blockId;
}

/** The input of a submitted form. Empty fields are left out, and so are fields that the form does not show. */
export function readForm(fields: readonly Field[], state: Fields): Fields {
  const byPath = blocksByPath(state);
  const input: Fields = {};
  for (const { field, path } of inputsOf(fields)) {
    const value = readValue(field, byPath.get(path));
    if (value !== undefined) put(input, path.split('.'), value);
  }
  return input;
}

const blocksByPath = (state: Fields) => new Map(Object.entries(state).map(([block, value]) => [pathOf(block), value]));

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

/** The values of a form as Slack sends it if nothing is typed. */
export function drawnValues(blocks: unknown): Fields {
  const inputs = recordsIn(blocks).filter(({ type }) => type === 'input');
  return Object.fromEntries(
    inputs.map(({ block_id, element }) => {
      const { action_id, initial_value, initial_option, initial_options, initial_date } = recordOf(element);
      const chosen = {
        selected_option: initial_option,
        selected_options: initial_options,
        selected_date: initial_date,
      };
      return [block_id, { [String(action_id)]: { value: initial_value, ...chosen } }];
    }),
  );
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
      return jsonOrText(String(raw));
    default:
      return raw;
  }
}

function put(into: Fields, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) {
    const inner = recordOf(into[key]);
    put(inner, rest, value);
    into[key] = inner;
  } else into[key] = value;
}

/** The value at a path such as "CurrentBillingAddress.Zip". */
export function valueAt(values: Fields, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => recordOf(inner)[key], values);
}

/** A problem with a field. */
export interface FieldProblem {
  field: string;
  message: string;
}

/**
 * Problems by block. A problem without a block goes to a related one, otherwise to the first. With the form's state, a
 * problem of a list names the line.
 */
export function errorsAt(fields: readonly Field[], problems: readonly FieldProblem[], state: Fields = {}) {
  const byPath = blocksByPath(state);
  const inputs = inputsOf(fields).filter(({ path }) => byPath.size === 0 || byPath.has(path));
  const found: Record<string, string> = {};
  for (const { field, message } of problems) {
    const exact = inputs.find(({ path }) => field === path || field.startsWith(`${path}.`));
    const inside = inputs.find(({ path }) => path.startsWith(`${field}.`));
    const { path } = exact ?? inside ?? inputs[0] ?? {};
    if (path === undefined) continue;
    const line = exact && lineOf(exact, field, byPath.get(exact.path));
    const about = line ?? (exact || inside ? '' : `${field}: `);
    const text = about + message;
    const shown = capital(text);
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

/** The input without its secrets, at any depth, but with their removals. Only this may be stored to prefill a form. */
export function withoutSecrets(fields: readonly Field[], input: Fields): Fields {
  const kept: Fields = {};
  for (const { name, fields: members, items, secret } of fields) {
    const value = input[name];
    if (value === undefined || (value !== null && (secret || items?.secret))) continue;
    const without = (row: unknown) => (members && isRecord(row) ? withoutSecrets(members, row) : row);
    kept[name] = Array.isArray(value) ? value.map(without) : without(value);
  }
  return kept;
}
