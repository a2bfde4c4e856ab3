import type { Field } from '../catalogue/field-types.ts';
import { soleMember, takesNull } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { isRecord } from '../lib/json.ts';
import { isPossiblePhone, toE164 } from '../platform/dialect/phone.ts';
import { hintFor, type Notation } from './field-hints.ts';
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
  if (text === 'null' && !inQuotes && takesNull(tool, path)) return { value: null };
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
  const word = text.trim().toLowerCase();
  if (['true', 'yes', 'on'].includes(word)) return { value: true };
  if (['false', 'no', 'off'].includes(word)) return { value: false };
  return { problem: `${path}: must be yes or no${notation === 'form' ? '' : `, for example ${path}=yes`}.` };
}

function readNumber(text: string, { field, path, notation }: Place): TypedValue {
  const digits = text.trim();
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
  const word = text.trim().toLowerCase();
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

/** True if this text is the serial number of a SIM (18 to 22 digits) and the field is an ICCID. */
export function fitsIccid(field: Field, text: string): boolean {
  return /^iccid$/i.test(field.name) && /^\d{18,21}[\dFf]?$/.test(text);
}

/** True if this text is a time such as 8h or a day, and the field is a time. */
export function fitsTime(field: Field, text: string): boolean {
  return field.kind === 'since' && /^(\d{1,5}[mhdw]$|\d{4}-\d{2}-\d{2})/i.test(text);
}

/** Reads a phone number that begins at this token. It may span several tokens: "+1 201 555 0101". */
export function readPhone(tokens: readonly Token[], at: number): { text: string; used: number } | undefined {
  const first = tokens[at];
  if (!first || first.equals !== undefined || !/^\+?[\d(][\d().\-\s]*$/.test(first.text)) return undefined;
  if (isPhone(first.text)) return { text: first.text, used: 1 };
  let joined = first.text;
  for (let used = 2; used <= 6; used += 1) {
    const next = tokens[at + used - 1];
    if (!next || next.equals !== undefined || !/^[\d().-]+$/.test(next.text)) return undefined;
    joined += ` ${next.text}`;
    if (isPhone(joined)) return { text: joined, used };
  }
  return undefined;
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (text.startsWith('+')) return digits.length >= 7 && isPossiblePhone(text);
  const national = digits.length === 10 || (digits.length === 11 && digits.startsWith('1'));
  return national && isPossiblePhone(toE164(text));
}

/** True if the value fits the field itself, or an entry of its list. */
export function entryFits(field: Field, fits: (field: Field) => boolean): boolean {
  const entry = field.kind === 'list' ? field.items : field.kind === 'rows' ? soleMember(field) : field;
  return entry !== undefined && fits(entry);
}
