import { shownWhen } from '../../../../tools/surfaces/forms.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import { lineMembers } from './form-lines.ts';

/** One input of a form, with its path such as "CurrentBillingAddress.Zip" or "PackageItems.0.Price". */
export interface FormInput {
  path: string;
  label: string;
  field: Field;
  required: boolean;
}

/** Maximum number of rows of one field in a form. */
export const MAX_ROWS = 20;

/** True for rows that have an input for each member. */
function hasRowInputs(field: Field): boolean {
  return field.kind === 'rows' && lineMembers(field) === undefined;
}

/** The number of rows to show: those there are, and one if the field is required. `counts`: rows shown, by field. */
export function rowCount(field: Field, value: unknown, counts: Readonly<Record<string, number>> = {}): number {
  const filled = Array.isArray(value) ? value.length : 0;
  return Math.min(MAX_ROWS, counts[field.name] ?? Math.max(filled, field.required ? 1 : 0));
}

/** The inputs of a form: required ones first, the members of a group together. Rows are left out. */
export function inputsOf(fields: readonly Field[], prefix = '', labels = '', required = true): FormInput[] {
  const inputs = fields
    .filter((field) => !hasRowInputs(field))
    .map((field): FormInput[] => {
      const path = prefix + field.name;
      const name = labels === '' ? field.label : `${labels}: ${lowerFirst(field.label)}`;
      const must = required && field.required;
      if (field.kind === 'group' && field.fields) return inputsOf(field.fields, `${path}.`, field.label, must);
      return [{ path, label: name, field, required: must }];
    });
  const isFirst = (group: FormInput[]) => prefix !== '' || group.some((input) => input.required);
  return [...inputs.filter(isFirst), ...inputs.filter((group) => !isFirst(group))].flat();
}

/** "Street 1" becomes "street 1"; "ZIP" stays. */
export function lowerFirst(label: string): string {
  return /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label;
}

/** The inputs of each row of a field that has an input for each member. */
export function rowInputs(field: Field, count: number): FormInput[][] {
  return Array.from({ length: count }, (_, i) =>
    inputsOf(field.fields ?? [], `${field.name}.${i}.`, `${singular(field.label)} ${i + 1}`),
  );
}

/** "Package items" becomes "Package item". */
export function singular(label: string): string {
  return label.replace(/s$/, '');
}

/** Fields with rows of inputs. A file cannot be typed, so its rows are left out: a link does the same. */
export function rowFields(fields: readonly Field[]): Field[] {
  return fields.filter((field) => hasRowInputs(field) && !(field.fields ?? []).some((member) => member.attachment));
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
