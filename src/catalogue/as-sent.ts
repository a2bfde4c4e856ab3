import { type Fields, isRecord, MAX_JSON_DEPTH, tooDeep } from '../lib/json.ts';

/** The part of a JSON schema that says how a value is read. */
interface ValueSchema {
  type?: string;
  nullable?: boolean;
  anyOf?: readonly ValueSchema[];
  properties?: Readonly<Record<string, ValueSchema>>;
  items?: ValueSchema;
}

/**
 * Reads a value as clients really send it: null for a member that is left out, and lists, objects, numbers and booleans
 * as text. A value that is not exactly what the schema takes is returned unchanged, and the schema refuses it.
 *
 * @returns undefined if the value is null and null has no meaning
 */
export function asSent(schema: ValueSchema, value: unknown): unknown {
  const options = schema.anyOf ?? [schema];
  if (value === null) return options.some(({ type, nullable }) => type === 'null' || nullable) ? null : undefined;
  const takes = (type: string) => options.some((option) => option.type === type);
  const read = typeof value === 'string' && !takes('string') ? fromText(value, takes) : value;
  const option = options.find(({ type }) => type === (Array.isArray(read) ? 'array' : 'object'));
  if (Array.isArray(read)) return read.map((one: unknown) => (option?.items && asSent(option.items, one)) ?? one);
  return isRecord(read) && option ? membersAsSent(option, read) : read;
}

/** Names that the platform uses for one member, in its answers and in what it takes. */
const SAME = [['TNID', 'PhoneNumberId']];

/** The name of a field in the schema's spelling. The platform spells some in two ways: CallRouteID and CallRouteId. */
function spelled(name: string, properties: object, given: Fields): string {
  if (Object.hasOwn(properties, name)) return name;
  const names = [name, ...(SAME.find((same) => isAmong(name, same)) ?? [])];
  const found = Object.keys(properties).filter((known) => isAmong(known, names));
  const [only] = found;
  return found.length === 1 && only !== undefined && !Object.hasOwn(given, only) ? only : name;
}

function isAmong(name: string, names: readonly string[]): boolean {
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}

/** The members of an object, without those that are left out. An unknown member is returned unchanged. */
export function membersAsSent({ properties = {} }: ValueSchema, given: Fields): Fields {
  const read = Object.entries(given).map(([written, value]) => {
    const name = spelled(written, properties, given);
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return [name, schema ? asSent(schema, value) : value] as const;
  });
  return Object.fromEntries(read.filter(([, value]) => value !== undefined));
}

/** A number without an exponent and short enough to be exact. */
const NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/;

function fromText(text: string, takes: (type: string) => boolean): unknown {
  const trimmed = text.trim();
  if (takes('boolean') && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === 'true';
  if ((takes('number') || takes('integer')) && NUMBER.test(trimmed)) return Number(trimmed);
  const isList = takes('array') && trimmed.startsWith('[');
  if (!isList && !(takes('object') && trimmed.startsWith('{'))) return text;
  if (tooDeep(trimmed, MAX_JSON_DEPTH)) return text;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return text;
  }
}
