import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { DAY_MS } from '../lib/clock.ts';
import type { Day, EntityKind } from './entities.ts';
import type { Token } from './tokens.ts';

/* Which entities a field of the catalogue takes, and the value that it gets. */

/** The slot of what the search of lines and customers looks for. It is a field of no operation but `numbers_find`. */
export const QUERY = 'Query';
/** The slot of a token that fills no field. */
export const OUTSIDE = 'O';
/** The value of a choice that a message leaves open. */
export const OPEN = '-';
/** Entities that name a line, a customer or another record. */
export const NAMES_A_RECORD: readonly EntityKind[] = ['phone', 'line', 'iccid', 'id', 'email', 'digits', 'text'];

/** The entities that a kind of field takes. A kind that is missing takes words and any entity, and an id may be a name. */
const TAKEN: Partial<Record<Field['kind'], readonly EntityKind[]>> = {
  phone: ['phone', 'line'],
  iccid: ['iccid', 'digits'],
  id: ['id', 'phone', 'line', 'text', 'email', 'digits', 'url'],
  date: ['day'],
  'us-date': ['day'],
  since: ['day'],
  url: ['url'],
  email: ['email'],
  number: ['count', 'volume', 'money', 'area', 'digits'],
  boolean: [],
  choice: ['speed'],
  keywords: ['text'],
  choices: [],
  json: [],
  multiline: ['text'],
};
/** Days that a list looks back to. */
const LOOKS_BACK = /^(?:Bought|Since|Until)/;
const WEEK_DAYS = 7;
const YEAR_DAYS = 365;

/** The fields of an operation that words may fill, by slot. A member of a group is the slot `Group.Member`. */
export function slotsOf(tool: Tool): Map<string, Field> {
  const slots = new Map<string, Field>();
  for (const field of fieldsOf(tool)) {
    if (field.secret || field.attachment) continue;
    if (field.kind !== 'group') slots.set(field.name, field);
    else for (const member of field.fields ?? []) slots.set(`${field.name}.${member.name}`, member);
  }
  return slots;
}

/** True for a field that holds several values. */
export function isList({ kind }: Pick<Field, 'kind'>): boolean {
  return kind === 'list' || kind === 'rows';
}

/** True for a field that takes one of a few values. */
export function isChoice({ kind, known }: Field): boolean {
  return kind === 'boolean' || kind === 'choice' || kind === 'choices' || known !== undefined;
}

/** The field of one value: an entry of a list, or the field itself. */
export function entryOf(field: Field): Field {
  return field.items ?? (field.kind === 'rows' ? field.fields?.[0] : undefined) ?? field;
}

/** True if a slot may hold a token. `field` is undefined for what the search looks for. */
export function takes(field: Field | undefined, token: Token): boolean {
  if (!field || field.name === QUERY) return !token.kind || NAMES_A_RECORD.includes(token.kind);
  const { kind } = entryOf(field);
  // A list of numbers may name its lines by their holders.
  if (!token.kind) return kind === 'id' || !(kind in TAKEN) || (kind === 'phone' && field.kind === 'rows');
  return TAKEN[kind]?.includes(token.kind) ?? true;
}

/** The value of an entity, or of a word, in a field. */
export function fieldValue(field: Field | undefined, { kind, value, raw }: Token, now: number): unknown {
  if (kind === undefined || value === undefined) return raw;
  const taken = field ? entryOf(field).kind : 'text';
  if (typeof value !== 'object') return taken === 'number' ? Number(value) : taken === 'text' ? String(value) : value;
  const day = field && (taken === 'since' || LOOKS_BACK.test(field.name)) ? lookedBack(value, now) : value;
  if (taken === 'us-date') return `${day.iso.slice(5, 7)}/${day.iso.slice(8)}/${day.iso.slice(0, 4)}`;
  return taken === 'date' || taken === 'since' || field?.name === 'Until' ? day.iso : raw;
}

/** A day that is read as one to come ("monday", "november") is the last one where a list looks back. */
function lookedBack(day: Day, now: number): Day {
  if (day.at <= now) return day;
  const at = day.at - (day.at - now <= WEEK_DAYS * DAY_MS ? WEEK_DAYS : YEAR_DAYS) * DAY_MS;
  return { at, iso: new Date(Date.parse(day.iso) - (day.at - at)).toISOString().slice(0, 10) };
}
