import type { Field } from '../catalogue/field-types.ts';
import { soleMember, takesNull } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { isRecord } from '../lib/json.ts';
import { plainForm } from '../lib/text.ts';
import { isIccid, readIccid } from '../platform/dialect/iccid.ts';
import { isPossiblePhone, readPhones } from '../platform/dialect/phone.ts';
import { hintFor, type Notation } from './help.ts';
import type { Token } from './tokens.ts';

/** The value of a typed text, or the reason why it cannot be read. */
export type TypedValue = { value: unknown } | { problem: string };

/** A field to read a text for. `path` is its name as typed, such as "BillingAddress.City". */
export interface Place {
  tool: Tool;
  field: Field;
  path: string;
  notation: Notation;
}

/** Reads the text of `Field=value` as the value its field holds. Text stays text; the definition validates it later. */
export function readValue(place: Place, text: string, inQuotes: boolean): TypedValue {
  const { tool, field, path } = place;
  // `Field=` with nothing behind it removes the value.
  if ((text === 'null' || text === '') && !inQuotes && takesNull(tool, path)) return { value: null };
  switch (field.kind) {
    case 'boolean':
      return readBoolean(text, place);
    case 'number':
      return readNumber(text, place);
    case 'choice':
      return { value: choiceNamed(field, text) ?? text };
    case 'list':
      return text.trimStart().startsWith('[')
        ? readJson(text, Array.isArray, place)
        : { value: splitList(field.items, text) };
    case 'rows':
      return readRows(text.trim(), place);
    case 'group':
      return readGroup(text, place);
    case 'json':
    case 'keywords':
      return { value: tool.input.shape[path]?.safeParse(text).success ? text : jsonOrText(text) };
    default:
      return { value: text };
  }
}

function readBoolean(text: string, { path, notation }: Place): TypedValue {
  const word = plainForm(text).toLowerCase();
  if (['true', 'yes', 'on'].includes(word)) return { value: true };
  if (['false', 'no', 'off'].includes(word)) return { value: false };
  return { problem: `${path}: must be yes or no${notation === 'form' ? '' : `, for example ${path}=yes`}.` };
}

function readNumber(text: string, { field, path, notation }: Place): TypedValue {
  const digits = plainForm(text);
  if (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(digits)) return { value: Number(digits) };
  const example = String(field.example ?? field.minimum ?? 1);
  return { problem: `${path}: must be a number, for example ${notation === 'form' ? '' : `${path}=`}${example}.` };
}

function readRows(text: string, place: Place): TypedValue {
  const { tool, field, path, notation } = place;
  if (text.startsWith('[')) return readJson(text, Array.isArray, place);
  if (text.startsWith('{')) {
    const row = readJson(text, isRecord, place);
    return 'problem' in row ? row : { value: [row.value] };
  }
  const member = soleMember(field);
  if (!member) return { problem: `${path}: each entry has several values. ${hintFor(notation, tool, field, path)}` };
  return { value: splitList(member, text).map((piece) => ({ [member.name]: piece })) };
}

function readGroup(text: string, place: Place): TypedValue {
  if (text.trimStart().startsWith('{')) return readJson(text, isRecord, place);
  const { field, path, notation } = place;
  const [member] = field.fields ?? [];
  return {
    problem:
      notation === 'form' || !member
        ? `${path}: has several parts. Give ${field.label} in the form.`
        : `${path}: has several parts; write each, for example ${path}.${member.name}=….`,
  };
}

function readJson(text: string, accepts: (value: unknown) => boolean, place: Place): TypedValue {
  try {
    const value: unknown = JSON.parse(text);
    if (accepts(value)) return { value };
  } catch {
    // The message below does not repeat the text, which may be secret.
  }
  const { tool, field, path, notation } = place;
  return { problem: `${path}: could not be read. ${hintFor(notation, tool, field, path)}` };
}

function jsonOrText(text: string): unknown {
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

/** True if this text is the serial number of a SIM (18 to 22 digits) and the field takes one. */
export function fitsIccid(field: Field, text: string): boolean {
  return field.kind === 'iccid' && isIccid(text);
}

/** True if this text is a time such as 8h or a day, and the field is a time. */
export function fitsTime(field: Field, text: string): boolean {
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
    const isOne = numbers.length === 1 && numbers.every((number) => isWhole(joined, number));
    const areMany = longest === undefined && numbers.length > 1 && numbers.every((number) => isWhole(joined, number));
    if (isOne || areMany) longest = { numbers, used };
    if (areMany) break;
  }
  return longest;
}

/** A typed number has a country code, or as many digits as a US number. Fewer are the end of one. */
function isWhole(typed: string, number: string): boolean {
  const hasCode = /\+|(?<!\d)0[01]/.test(plainForm(typed));
  return isPossiblePhone(number) && (hasCode || /^\+1\d{10}$/.test(number));
}

/** Reads the serial of a SIM that begins at this token, in groups or not. */
export function readSerial(tokens: readonly Token[], at: number): { text: string; used: number } | undefined {
  let joined = '';
  for (let used = 1; used <= MAX_PARTS; used += 1) {
    const next = tokens[at + used - 1];
    if (!next || next.equals !== undefined || !/^[\d.-]+f?$/i.test(plainForm(next.text))) return undefined;
    joined += plainForm(next.text);
    const following = tokens[at + used]?.text ?? '';
    if (isIccid(joined) && !/^\d+f?$/i.test(plainForm(following))) return { text: readIccid(joined), used };
  }
  return undefined;
}

/** True if the value fits the field itself, or an entry of its list. */
export function entryFits(field: Field, fits: (field: Field) => boolean): boolean {
  const entry = field.kind === 'list' ? field.items : field.kind === 'rows' ? soleMember(field) : field;
  return entry !== undefined && fits(entry);
}
