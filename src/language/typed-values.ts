import { listedKinds, type RecordKind, recordKinds } from '../../tools/surfaces/records.ts';
import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf, soleMember, takesNull } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { type Fields, isRecord, plainForm } from '../lib/values.ts';
import { isPossiblePhone, readPhones, toE164 } from '../platform/dialect/phone.ts';
import { hintFor } from './help.ts';
import type { Token } from './tokens.ts';

/** The value of a typed text, or the reason why it cannot be read. */
export type TypedValue = { value: unknown } | { problem: string };

/** A field to read a text for. `path` is its name as typed, such as "BillingAddress.City". */
export interface Place {
  tool: Tool;
  field: Field;
  path: string;
}

/** Kinds of values that are never an empty text. */
const FILLED: readonly string[] = ['phone', 'id', 'choice', 'date', 'us-date', 'url', 'email', 'iccid', 'number'];

/** Reads the text of `Field=value` as the value its field holds. Text stays text; the definition validates it later. */
export function readValue(place: Place, text: string, inQuotes: boolean): TypedValue {
  const { tool, field, path } = place;
  // `Field=` with nothing behind it removes the value.
  if ((text === 'null' || text === '') && !inQuotes && takesNull(tool, path)) return { value: null };
  if (text === '' && !inQuotes && FILLED.includes(field.kind))
    return { problem: `${path}: cannot be empty. Give a value${field.required ? '' : ', or leave it out'}.` };
  switch (field.kind) {
    case 'boolean': {
      const word = plainForm(text).toLowerCase();
      if (['true', 'yes', 'on'].includes(word)) return { value: true };
      if (['false', 'no', 'off'].includes(word)) return { value: false };
      return { problem: `${path}: must be yes or no, for example ${path}=yes.` };
    }
    case 'number': {
      const digits = plainForm(text);
      if (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(digits)) return { value: Number(digits) };
      return { problem: `${path}: must be a number, for example ${path}=${field.example ?? field.minimum ?? 1}.` };
    }
    case 'choice':
      return { value: choiceNamed(field, text) ?? text };
    case 'list':
      return text.trimStart().startsWith('[')
        ? readJson(text, Array.isArray, place)
        : { value: splitList(field.items, text) };
    case 'rows':
      return readRows(text.trim(), place);
    case 'group':
      if (text.trimStart().startsWith('{')) return readJson(text, isRecord, place);
      return {
        problem: `${path}: has several parts; write each, for example ${path}.${field.fields?.[0]?.name}=….`,
      };
    case 'json':
    case 'keywords':
      return { value: tool.input.shape[path]?.safeParse(text).success ? text : jsonOrText(text) };
    default:
      return { value: text };
  }
}

function readRows(text: string, place: Place): TypedValue {
  const { tool, field, path } = place;
  if (text.startsWith('[')) return readJson(text, Array.isArray, place);
  if (text.startsWith('{')) {
    const row = readJson(text, isRecord, place);
    return 'problem' in row ? row : { value: [row.value] };
  }
  const member = soleMember(field);
  if (!member) return { problem: `${path}: each entry has several values. ${hintFor(tool, field, path)}` };
  return { value: splitList(member, text).map((piece) => ({ [member.name]: piece })) };
}

function readJson(text: string, accepts: (value: unknown) => boolean, place: Place): TypedValue {
  try {
    const value: unknown = JSON.parse(text);
    if (accepts(value)) return { value };
  } catch {
    // The message below does not repeat the text, which may be secret.
  }
  const { tool, field, path } = place;
  return { problem: `${path}: could not be read. ${hintFor(tool, field, path)}` };
}

/** The value of a text in JSON. Malformed JSON stays text, so that validation can explain what is wrong with it. */
export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Splits values at commas. A comma inside a URL is part of the URL. */
function splitList(items: Field | undefined, text: string): string[] {
  const parts = items?.kind === 'url' ? text.split(/,(?=\s*https?:\/\/)/i) : text.split(',');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** The choice that the text names in any letter case. */
export function choiceNamed(field: Field, text: string): string | undefined {
  const word = plainForm(text).toLowerCase();
  return (field.choices ?? field.known)?.find((choice) => choice.toLowerCase() === word);
}

/** True if this text is an id that the field, or an entry of its list, takes. */
export function fitsId(field: Field, text: string): boolean {
  const one = field.kind === 'list' ? field.items : field;
  return (
    one?.kind === 'id' &&
    (one.ids ?? []).some(
      (prefix) => text.toLowerCase().startsWith(`${prefix.toLowerCase()}-`) && text.length > prefix.length + 1,
    )
  );
}

/** True if this text is a time such as 8h or a day, and the field is a time. */
export function fitsTime(field: Field, text: string): boolean {
  if (field.kind === 'date' || field.kind === 'us-date')
    return /^(\d{1,2}\/\d{1,2}\/\d{4}|\d{4}-\d{2}-\d{2})$/.test(text);
  return field.kind === 'since' && /^(\d{1,5}[mhdw]$|\d{4}-\d{2}-\d{2})/i.test(text);
}

/** Most tokens that a number with spaces takes: "+44 (0) 20 79 46 00 18". */
const MAX_PARTS = 8;

/** A part of a number with the signs around it, a bullet, or a word between two numbers. */
const PART = /^(?:and|(?:tel:)?[\d\s+().\-/,;|&`*_~"'“”„‘’«»‹›<>[\]{}•‣◦▪●·:#]+)$/i;

/**
 * Reads the phone numbers that begin at this token. One number may span several tokens ("+1 201 555 0101"), and one
 * token may have several numbers.
 */
export function readPhone(tokens: readonly Token[], at: number): { numbers: string[]; used: number } | undefined {
  let joined = '';
  let longest: { numbers: string[]; used: number } | undefined;
  for (let used = 1; used <= MAX_PARTS; used += 1) {
    const next = tokens[at + used - 1];
    if (!next || next.equals !== undefined || !PART.test(plainForm(next.text))) break;
    joined = used === 1 ? next.text : `${joined} ${next.text}`;
    const numbers = readPhones(joined) ?? [];
    // A typed number has a country code, or as many digits as a US number. Fewer are the end of one.
    const hasCode = /\+|(?<!\d)0[01]/.test(plainForm(joined));
    const areWhole = numbers.every((one) => isPossiblePhone(one) && (hasCode || /^\+1\d{10}$/.test(one)));
    const areMany = longest === undefined && numbers.length > 1 && areWhole;
    if (areMany || (numbers.length === 1 && areWhole)) longest = { numbers, used };
    if (areMany) break;
  }
  return longest;
}

/** True if the value fits the field itself, or an entry of its list. */
export function entryFits(field: Field, fits: (field: Field) => boolean): boolean {
  const entry = field.kind === 'list' ? field.items : field.kind === 'rows' ? soleMember(field) : field;
  return entry !== undefined && fits(entry);
}

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
  const fitting = [...recordKinds, ...listedKinds].filter(({ ids }) =>
    ids.some((prefix) => field.ids?.includes(prefix) === true),
  );
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

/** The placeholder of the field of a record: "A name, or the last digits of a line". */
export function waysToName(field: Field): string {
  if (field.kind === 'phone')
    return `A number, its last digits or a name${field.example === undefined ? '' : `, for example ${field.example}`}`;
  const kind = kindOf(field);
  if (!kind) return 'Paste its id';
  // What has a name of its own is not known by a line.
  const isOfLines = kind.numbers ?? kind.ofNumber ?? (kind.names.length === 0 && kind.through);
  return isOfLines ? 'A name, or the last digits of a line' : 'Choose, or type a part of its name';
}

/** True for the field of a line: its number, or its id. */
export function isOfLine(field: Field): boolean {
  return field.kind === 'phone' || kindOf(field)?.noun === 'line';
}

/** True if a field takes a record that people can name. */
export function takesReference(field: Field): boolean {
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

function inFields(fields: readonly Field[] = [], values: Fields, path: Reference['path']): Reference[] {
  return fields.flatMap((field) => inValue(field, values[field.name], [...path, field.name]));
}

function inValue(field: Field | undefined, value: unknown, path: Reference['path']): Reference[] {
  if (!field) return [];
  if (typeof value === 'string') return isReference(field, value) ? [{ path, field, text: value.trim() }] : [];
  if (isRecord(value)) return inFields(field.fields, value, path);
  const entries: unknown[] = Array.isArray(value) ? value : [];
  return entries.flatMap((entry, i) => inValue(isRecord(entry) ? field : field.items, entry, [...path, i]));
}

/** The input with another value at this path. */
export function withValue(input: Fields, path: Reference['path'], value: string): Fields {
  const copy = structuredClone(input);
  path.reduce<unknown>((inner, key, i) => {
    const at = inner as Record<string | number, unknown>;
    if (i === path.length - 1) at[key] = value;
    return at[key];
  }, copy);
  return copy;
}

/** The short lookup command of a group and the tool behind it. */
export interface Lookup {
  tool: Tool;
  /** The field for the number. */
  field: string;
  /** The command: the group's name in the singular. */
  word: string;
  /** Finds numbers by last digits or a name, which are this field's. */
  find: { tool: Tool; field: string } | undefined;
}

export function lookups(
  tools: readonly Tool[],
  groups: Readonly<Record<string, { lookup?: string; find?: string }>>,
): Lookup[] {
  return Object.entries(groups).flatMap(([group, { lookup, find }]) => {
    const found = withMainField(tools, lookup);
    return found ? [{ ...found, word: group.replace(/s$/, ''), find: withMainField(tools, find) }] : [];
  });
}

function withMainField(tools: readonly Tool[], id: string | undefined): { tool: Tool; field: string } | undefined {
  const tool = tools.find((candidate) => candidate.id === id);
  const fields = tool === undefined ? [] : fieldsOf(tool);
  const field = fields.find(({ required }) => required) ?? fields[0];
  return tool && field ? { tool, field: field.name } : undefined;
}

/**
 * Finds the lookup that a person's text asks for: one number, or a search term for `find` (last digits, a name of up to
 * four words, an id of a subscriber or an account). Undefined if it is neither.
 */
export function wantedIn(text: string): { number: string } | { query: string } | undefined {
  const asked = plainForm(unquoted(text));
  const [number, ...others] = (readPhones(asked) ?? []).filter(isPossiblePhone);
  if (number !== undefined) return others.length === 0 ? { number } : undefined;
  if (/^(\+|…|\.{2,3}|\*|x+)?\d{3,10}$/i.test(asked.replace(/[\s().-]/g, ''))) return { query: asked };
  if (/^(T?SUID|AID)-[\w-]+$/i.test(asked)) return { query: asked };
  const words = asked.split(/\s+/);
  if (words.length > 4 || asked.length > 60) return undefined;
  return words.every((word) => /^[\p{L}][\p{L}\p{M}'’.-]*$/u.test(word)) && asked.length > 1
    ? { query: asked }
    : undefined;
}

/** A text without the quotation marks around all of it, as they are typed around a name. */
export function unquoted(text: string): string {
  return text.trim().replace(/^["“”„]([^"“”„]*)["“”]$/, (_, inner: string) => inner.trim());
}
