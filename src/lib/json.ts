/** A value that JSON can hold. */
type Json = string | number | boolean | null | Json[] | JsonObject;
type JsonObject = { [key: string]: Json | undefined };

/** Members by name, of any type: an input, an answer, the fields of a log line. */
export type Fields = Record<string, unknown>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined members, as `exactOptionalPropertyTypes` wants them. */
export function defined<T extends object>(members: T): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

/** A text or a number of a JSON text. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;
const LONG_INTEGER = /^-?\d{16,}$/;

/**
 * JSON.parse that returns an integer of more than 2^53 as a text of its digits, because a number would lose some of them:
 * an ICCID has 19 or 20.
 */
export function parseExact(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  // A text that is no JSON throws here, so the pattern sees complete tokens only.
  const value: unknown = JSON.parse(text, reviver);
  if (!/\d{16}/.test(text)) return value;
  const exact = text.replace(TOKEN, (token) =>
    LONG_INTEGER.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return exact === text ? value : JSON.parse(exact, reviver);
}

/** The JSON object in a text; undefined if the text is anything else. */
export function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Maximum depth: more levels than any call or response of this product has. */
export const MAX_JSON_DEPTH = 64;

/**
 * True if a JSON text nests deeper than `most` levels. It is checked before parsing, because recursive code would run
 * out of stack on a deep value.
 */
export function tooDeep(text: string, most = MAX_JSON_DEPTH): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (quoted) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) quoted = false;
    } else if (code === 0x22) quoted = true;
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return false;
}

/** The value if it is an object, otherwise an empty object. */
export function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

/** The records of a list; none of any other value. */
export function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A string, a number or a boolean as text, otherwise an empty string. `String` throws for some objects of JSON. */
export function scalarText(value: unknown): string {
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** The value if it is a string, otherwise an empty string. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/* Looks through a JSON value of any shape. Every search in a value is a filter over its parts. */

/** A value inside another one, or the outermost value itself. */
export interface Part {
  value: unknown;
  /** The name of its member, or its index in a list; '' for the outermost value. */
  key: string | number;
  /** The name of its member; for an entry of a list, that of the list. */
  name: string;
  /** The list or record that holds it; undefined for the outermost value. */
  around: Part | undefined;
  /** The number of lists and records around it. */
  depth: number;
}

/** Deeper than any JSON that is read (`MAX_JSON_DEPTH`): only an object that contains itself is. */
const MAX_DEPTH = 5_000;

const outermost = (value: unknown): Part => ({ value, key: '', name: '', around: undefined, depth: 0 });

/**
 * Every part of a value in order, each before those in it. It needs no stack, however deep the value is.
 *
 * @param into false for a part whose own parts are left out
 * @throws RangeError for an object that contains itself
 */
export function partsOf(value: unknown, into?: (part: Part) => boolean): Part[] {
  const found: Part[] = [];
  const open = [outermost(value)];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    found.push(part);
    const { value: inner, name } = part;
    if (typeof inner !== 'object' || inner === null || into?.(part) === false) continue;
    const depth = part.depth + 1;
    if (depth > MAX_DEPTH) throw new RangeError('nested too deeply');
    if (Array.isArray(inner))
      for (let key = inner.length - 1; key >= 0; key -= 1)
        open.push({ value: inner[key], key, name, around: part, depth });
    else {
      const keys = Object.keys(inner);
      for (let at = keys.length - 1; at >= 0; at -= 1) {
        const key = keys[at] as string;
        open.push({ value: (inner as Fields)[key], key, name: key, around: part, depth });
      }
    }
  }
  return found;
}

/** The parts that hold no others: texts, numbers, flags and nulls. */
export function leaves(value: unknown, into?: (part: Part) => boolean): Part[] {
  return partsOf(value, into).filter((part) => typeof part.value !== 'object' || part.value === null);
}

/** The texts of a value. */
export function textsIn(value: unknown): (Part & { value: string })[] {
  return partsOf(value).filter((part): part is Part & { value: string } => typeof part.value === 'string');
}

/** The replacements in a copy, for the parts of a value. */
export interface Changes {
  /** In place of a text, a number, a flag or null. */
  leaf?: (part: Part) => unknown;
  /** In place of a member's name; undefined leaves the member out. */
  member?: (part: Part) => string | undefined;
  /** Members that are added to a record. */
  added?: (record: Part) => Readonly<Record<string, unknown>> | undefined;
}

/** A copy of a value with other leaves and members. */
export function mapLeaves(value: unknown, changes: Changes): unknown {
  return mapPart(outermost(value), changes);
}

function mapPart(around: Part, changes: Changes): unknown {
  const { value, name } = around;
  const depth = around.depth + 1;
  if (typeof value !== 'object' || value === null) return changes.leaf ? changes.leaf(around) : value;
  if (Array.isArray(value))
    return value.map((one: unknown, key) => mapPart({ value: one, key, name, around, depth }, changes));
  const members: [string, unknown][] = [];
  for (const [key, one] of Object.entries(value)) {
    const part = { value: one, key, name: key, around, depth };
    const written = changes.member ? changes.member(part) : key;
    if (written !== undefined) members.push([written, mapPart(part, changes)]);
  }
  members.push(...Object.entries(changes.added?.(around) ?? {}));
  // Without assignments, because assigning a member called __proto__ would set the prototype.
  return Object.fromEntries(members);
}

/** The innermost record around a part; undefined if it is in no record. */
export function recordAround({ around }: Part): Fields | undefined {
  let at = around;
  while (Array.isArray(at?.value)) at = at.around;
  return at?.value as Fields | undefined;
}

/** The path of a part: `Numbers.0.ICCID`. `isNamed`: without the indexes of lists. */
export function pathOf(part: Part, isNamed = false): string {
  const keys: (string | number)[] = [];
  for (let at: Part | undefined = part; at?.around !== undefined; at = at.around)
    if (!isNamed || typeof at.key === 'string') keys.unshift(at.key);
  return keys.join('.');
}
