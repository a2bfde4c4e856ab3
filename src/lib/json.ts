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
