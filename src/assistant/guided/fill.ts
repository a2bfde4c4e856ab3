import type { Field } from '../../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { fitsIccid, fitsId } from '../../language/typed-values.ts';
import type { Fields } from '../../lib/json.ts';
import type { Facts } from './facts.ts';

/** The input of an operation, filled in as far as the values of a sentence say without doubt. */
export function filled(tool: Tool, facts: Facts, given: Fields = {}): Fields {
  const fields = fieldsOf(tool);
  const input: Fields = { ...given };
  fillNumbers(fields, facts, input);
  const ids = [...facts.ids];
  for (const field of fields) {
    if (field.kind !== 'id' || input[field.name] !== undefined) continue;
    const at = ids.findIndex((id) => fitsId(field, id));
    if (at >= 0) input[field.name] = ids.splice(at, 1)[0];
  }
  const one = (kind: Field['kind'], value: unknown) => {
    const [only, ...others] = fields.filter((field) => field.kind === kind);
    if (value !== undefined && only && others.length === 0) input[only.name] ??= value;
  };
  one('date', facts.dates[0]);
  one('multiline', facts.quoted);
  one('email', facts.email);
  if (facts.iccid !== undefined) {
    const serial = fields.find((field) => fitsIccid(field, facts.iccid ?? ''));
    if (serial) input[serial.name] ??= facts.iccid;
  }
  if (facts.areaCode !== undefined && fields.some(({ name }) => name === 'AreaCode')) input.AreaCode ??= facts.areaCode;
  return Object.fromEntries(Object.entries(input).filter(([name, value]) => fits(tool, name, value)));
}

/**
 * The input with the last digits of several numbers in its list of numbers, which surfaces find. One alone is searched
 * before.
 */
export function withDigits(tool: Tool, digits: readonly string[], input: Fields): Fields {
  const list = fieldsOf(tool).find((field) => field.required && field.kind !== 'phone' && takesNumbers(field));
  if (!list || digits.length < 2 || input[list.name] !== undefined) return input;
  return { ...input, [list.name]: listed(list, digits) };
}

/** True if nothing is missing. */
export function isComplete(tool: Tool, input: Fields): boolean {
  return tool.input.safeParse(input).success;
}

/** Puts the numbers into the first field for numbers. The other fields stay empty unless each gets exactly one. */
function fillNumbers(fields: readonly Field[], { numbers }: Facts, input: Fields): void {
  if (numbers.length === 0) return;
  const places = fields.filter(takesNumbers);
  const required = places.filter(({ required }) => required);
  const [first, ...others] = required.length > 0 ? required : places;
  if (!first) return;
  // If several fields take a number, such as sender and receiver, the order in the sentence does not tell them apart.
  if (others.length > 0 && numbers.length > 1) return;
  if (first.kind === 'phone') {
    if (numbers.length === 1) input[first.name] = numbers[0];
  } else input[first.name] = listed(first, numbers);
}

/** Numbers as the rows or members of a list field. */
function listed(field: Field, numbers: readonly string[]): unknown[] {
  return numbers.map((number) => (field.kind === 'rows' ? { [soleMember(field)?.name ?? 'Number']: number } : number));
}

/** True if a field holds a phone number or a list of them. */
export function takesNumbers(field: Field): boolean {
  if (field.kind === 'phone') return true;
  if (field.kind === 'list') return field.items?.kind === 'phone';
  return field.kind === 'rows' && soleMember(field)?.kind === 'phone';
}

/** True if the operation takes this value. A value that it refuses is left to the form. */
function fits(tool: Tool, name: string, value: unknown): boolean {
  const type = tool.input.shape[name] as { safeParse(value: unknown): { success: boolean } } | undefined;
  return value !== undefined && type?.safeParse(value).success === true;
}
