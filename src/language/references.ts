import { type RecordKind, recordKinds } from '../../tools/surfaces/records.ts';
import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { isPossiblePhone, toE164 } from '../platform/dialect/phone.ts';
import { wantedIn } from './lookup.ts';
import { fitsId } from './typed-values.ts';

/* Texts in an input that name a record instead of giving its number or id, such as "0104" or "ava stone". */

/** A text in an input that has to be found. */
export interface Reference {
  /** The path in the input: "PhoneNumbers", 0, "Number". */
  path: readonly (string | number)[];
  /** The phone or id field that it was given for. */
  field: Field;
  text: string;
}

/** Longer texts are no names. */
const MAX_TEXT = 100;
const ID = /^[A-Za-z]{2,7}-[\w.-]{4,}$/;

/** The kind of record whose id a field takes; undefined if people cannot name it. */
export function kindOf(field: Field): RecordKind | undefined {
  if (field.kind !== 'id') return undefined;
  const fitting = recordKinds.filter(({ ids }) => ids.some((prefix) => field.ids?.includes(prefix) === true));
  return fitting.find(({ id }) => id.includes(field.name)) ?? (fitting.length === 1 ? fitting[0] : undefined);
}

/** True if two ids name the same record of a kind, whose prefix is spelled in several ways (PLATFORM.md, Identifiers). */
export function isSameId({ ids }: RecordKind, one: string, other: string): boolean {
  const bare = (id: string) => id.toLowerCase().replace(new RegExp(`^(${ids.join('|').toLowerCase()})-`), '');
  return bare(one) === bare(other);
}

/** Names the kind of record that a field takes: "number", "message route". */
export function nounOf(field: Field): string {
  return field.kind === 'phone' ? 'number' : (kindOf(field)?.noun ?? 'record');
}

/** True if a field takes a record that people can name. */
function takesReference(field: Field): boolean {
  return field.kind === 'phone' || kindOf(field) !== undefined;
}

/** True if a text given for this field is a name or digits to search, and no number or id. */
export function isReference(field: Field, text: string): boolean {
  const term = text.trim();
  if (term.length < 2 || term.length > MAX_TEXT || !takesReference(field)) return false;
  // An id of the field's own kind may be short: only the platform knows how long its ids are.
  if (ID.test(term) || fitsId(field, term)) return false;
  const wanted = wantedIn(term);
  if (field.kind !== 'phone') return wanted !== undefined || /\p{L}/u.test(term);
  return !term.startsWith('+') && !isPossiblePhone(toE164(term)) && wanted !== undefined && 'query' in wanted;
}

/** Every text in an input that has to be found, in the order of the fields. */
export function referencesIn(tool: Tool, input: Fields): Reference[] {
  return inFields(fieldsOf(tool), input, []);
}

function inFields(fields: readonly Field[], values: Fields, path: readonly (string | number)[]): Reference[] {
  return fields.flatMap((field) => inValue(field, values[field.name], [...path, field.name]));
}

function inValue(field: Field, value: unknown, path: readonly (string | number)[]): Reference[] {
  if (typeof value === 'string') return isReference(field, value) ? [{ path, field, text: value.trim() }] : [];
  if (Array.isArray(value)) {
    return value.flatMap((entry: unknown, i) => {
      if (isRecord(entry)) return inFields(field.fields ?? [], entry, [...path, i]);
      return field.items ? inValue(field.items, entry, [...path, i]) : [];
    });
  }
  return isRecord(value) ? inFields(field.fields ?? [], value, path) : [];
}

/** The input with another value at this path. */
export function withValue(input: Fields, path: readonly (string | number)[], value: string): Fields {
  const copy = structuredClone(input);
  let inner: unknown = copy;
  for (const key of path.slice(0, -1)) inner = (inner as Record<string | number, unknown>)[key];
  const last = path.at(-1);
  if (last !== undefined) (inner as Record<string | number, unknown>)[last] = value;
  return copy;
}
