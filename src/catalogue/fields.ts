import type * as z from 'zod';
import { nearestOf } from '../lib/nearest.ts';
import { capital, defined, type Fields, isRecord } from '../lib/values.ts';
import type { Lead } from './change.ts';
import type { Field } from './field-types.ts';
import { jsonSchema, markedNames } from './json-schema.ts';
import type { Tool } from './operation.ts';

/** The part of a JSON schema that the catalogue's inputs use, with the meta keys of tools/shared/fields.ts. */
interface Node {
  type?: string;
  enum?: readonly unknown[];
  anyOf?: readonly Node[];
  properties?: Readonly<Record<string, Node>>;
  required?: readonly string[];
  items?: Node;
  format?: string;
  title?: string;
  description?: string;
  examples?: readonly unknown[];
  default?: unknown;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  kind?: NonNullable<z.GlobalMeta['kind']>;
  ids?: readonly string[];
  known?: readonly string[];
  secret?: boolean;
  attachment?: boolean;
}

const cache = new WeakMap<Tool, { fields: readonly Field[]; nullable: ReadonlySet<string> }>();

/** The input fields of an operation in the order of its definition. */
export function fieldsOf(tool: Tool): readonly Field[] {
  return derived(tool).fields;
}

/** True if the operation takes null, which clears a value. */
export function takesNull(tool: Tool, field: string): boolean {
  return derived(tool).nullable.has(field);
}

/** The member of a row that a plain value stands for: the only one, or the only required one. */
export function soleMember(field: Field): Field | undefined {
  const members = field.fields ?? [];
  const required = members.filter((member) => member.required);
  return members.length === 1 ? members[0] : required.length === 1 ? required[0] : undefined;
}

/**
 * Maximum length of a name in a label. A longer name came from outside, not from the platform; the label shows its
 * beginning.
 */
const MAX_NAME = 100;

/** The label of a platform name: "AssignedSubscriberId" becomes "Assigned subscriber". */
export function labelOf(name: string): string {
  const words = (name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name)
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .replace(/([A-Za-z])(\d)(?!\d)/g, '$1 $2')
    .split(/\s+/)
    .filter((word) => word !== '');
  // "Subscriber" is enough for a subscriber's id, but a phone number is not its id.
  if (words.length > 1 && words.at(-1)?.toLowerCase() === 'id' && !/^phone ?number/i.test(words.join(' '))) words.pop();
  return capital(words.map((word) => ACRONYMS.get(word.toLowerCase()) ?? word.toLowerCase()).join(' '));
}

const ACRONYMS = new Map(
  (
    'ICCID NGP SKU PIN URL URI SIP IP SIM eSIM SMS MMS TNID CNAM PSTN RTP TRP WSS ZIP JSON ID QR MIME API USD MB MRC' +
    ' NRC HTTP HTTPS VoIP IoT MVNO IMEI E911 AID DID'
  )
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);

function derived(tool: Tool) {
  let found = cache.get(tool);
  if (!found) {
    const root = jsonSchema(tool.input, 'input') as Node;
    const entries = Object.entries(root.properties ?? {});
    found = {
      fields: entries.map(([name, node]) =>
        fieldOf(
          name,
          node,
          root,
          tool.examples.map((example) => example[name]),
        ),
      ),
      nullable: new Set(
        entries.filter(([, node]) => node.anyOf?.some((option) => option.type === 'null')).map(([n]) => n),
      ),
    };
    cache.set(tool, found);
  }
  return found;
}

function fieldOf(name: string, raw: Node, parent: Node | undefined, shown: readonly unknown[]): Field {
  const node = plain(raw);
  const kind = kindOf(name, node);
  const example = shown.find((candidate) => candidate !== undefined && candidate !== null) ?? node.examples?.[0];
  return {
    name,
    label: node.title ?? labelOf(name),
    description: node.description ?? '',
    required: (parent?.required?.includes(name) ?? false) && node.default === undefined,
    secret: node.secret === true,
    kind,
    ...defined({
      choices: node.enum?.map(String),
      known: node.known,
      ids: node.ids,
      example: example === undefined || typeof example === 'string' ? example : JSON.stringify(example),
      default: node.default,
      maxLength: node.maxLength,
      rest: node.kind === 'words' ? true : undefined,
      attachment: node.attachment,
    }),
    ...(node.minimum === undefined || node.minimum <= Number.MIN_SAFE_INTEGER ? {} : { minimum: node.minimum }),
    ...(node.maximum === undefined || node.maximum >= Number.MAX_SAFE_INTEGER ? {} : { maximum: node.maximum }),
    ...(kind === 'group' ? { fields: membersOf(node, shown) } : {}),
    ...(kind === 'rows' && node.items ? { fields: membersOf(plain(node.items), shown.flat()) } : {}),
    ...(kind === 'list' && node.items ? { items: fieldOf(name, node.items, undefined, shown.flat()) } : {}),
  };
}

function membersOf(node: Node, shown: readonly unknown[]): Field[] {
  return Object.entries(node.properties ?? {}).map(([name, member]) =>
    fieldOf(
      name,
      member,
      node,
      shown.map((value) => (isRecord(value) ? value[name] : undefined)),
    ),
  );
}

/** The first alternative of a union with null, or of spellings of one value: the one a person fills in. */
function plain(node: Node): Node {
  if (!node.anyOf) return node;
  const { anyOf, ...outer } = node;
  const first = anyOf.find((option) => option.type !== 'null');
  return first ? { ...plain(first), ...outer } : outer;
}

function kindOf(name: string, node: Node): Field['kind'] {
  if (node.kind) return node.kind === 'words' ? 'text' : node.kind;
  if (node.enum) return 'choice';
  if (node.type === 'boolean') return 'boolean';
  if (node.type === 'number' || node.type === 'integer') return 'number';
  if (node.type === 'array') return plain(node.items ?? {}).type === 'object' ? 'rows' : 'list';
  if (node.type === 'object') return node.properties ? 'group' : 'json';
  if (node.type !== 'string') return 'json';
  if (node.format === 'email') return 'email';
  if (node.format === 'uri') return 'url';
  return /(Description|Message|Body|Notes?)$/.test(name) && (node.maxLength ?? 0) > 255 ? 'multiline' : 'text';
}

/** Names a record for people by its id, and says where it leads. */
export interface RecordReference {
  /** "message route". */
  noun: string;
  /** Prefixes of its ids, in capitals. */
  ids: readonly string[];
  /** Members that hold its id. They tell apart kinds that share a prefix. */
  id: readonly string[];
  /** The read of one record. */
  read?: { operation: string; input: (id: string) => Fields };
  /** The name that people know; undefined if the record has none. */
  nameOf: (record: Fields) => string | undefined;
  /** The destinations of traffic, money or control through this record. */
  leads?: (record: Fields) => readonly Lead[];
}

/** The names of all fields the catalogue marks secret, and of the secrets operations keep. */
export function secretNames(tools: readonly Tool[]): Set<string> {
  const stored = tools.flatMap((tool) => (tool.kind === 'operation' && tool.keeps ? [tool.keeps.secret] : []));
  return new Set([...tools.flatMap((tool) => markedNames(tool.input, 'input', 'secret')), ...stored]);
}

/**
 * Names the members with texts and numbers that a caller may have written: the free fields of every change, and the
 * members of answers that hold text from outside.
 */
export function writableNames(tools: readonly Tool[]): Set<string> {
  const inputs = tools.filter(({ risk }) => risk !== 'read').map(({ input }) => freeFields(input));
  // A sentence that quotes others has their words too.
  const outputs = tools.flatMap(({ output }) => [
    ...markedNames(output, 'output', 'outside'),
    ...markedNames(output, 'output', 'told'),
  ]);
  return new Set([...inputs.flat(), ...outputs]);
}

/** Kinds of fields that have a fixed form (tools/shared/fields.ts). */
const FIXED = new Set(['phone', 'id', 'date', 'us-date', 'since']);

/** The names of all fields that take any text, or any number, at any depth. */
function freeFields(schema: z.ZodType): string[] {
  const found: string[] = [];
  const walk = (part: unknown, name: string): void => {
    if (Array.isArray(part)) for (const member of part) walk(member, name);
    if (!isRecord(part)) return;
    const { type, kind, pattern } = part;
    const isText = type === 'string' && part.enum === undefined && pattern === undefined && !FIXED.has(String(kind));
    if (isText || type === 'number' || type === 'integer') found.push(name);
    for (const [key, child] of Object.entries((part.properties ?? {}) as Fields)) walk(child, key);
    for (const key of ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf']) walk(part[key], name);
  };
  walk(jsonSchema(schema, 'input'), '');
  return found.filter((name) => name !== '');
}

/* The fields that a wrong name may mean. */

/** Words that many names have, and that tell no field from another. */
const COMMON = /^(?:id|ids|value|enabled|enable|is|has|of|the|in|at|to|a|new|with|for|set|type)$/;
const MOST = 3;

interface Named {
  name: string;
  label?: string;
  required?: boolean;
}

/** The fields that the name may mean, the likeliest first; empty if none is similar. */
export function nearFields(name: string, fields: readonly Named[]): string[] {
  const similarTo = nearestOf(fields.map((field) => field.name));
  // A slip of one name means no other.
  const slip = similarTo(name, Math.max(1, Math.floor(name.length / 4)));
  if (slip !== undefined) return [slip];
  const words = wordsIn(name);
  const scored = fields
    .map((field) => {
      const own = wordsIn(`${field.name} ${field.label ?? ''}`);
      return { name: field.name, score: words.filter((word) => own.includes(word)).length / Math.max(1, own.length) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
  const similar = name.length < 5 ? undefined : similarTo(name);
  return [...new Set([...(similar ? [similar] : []), ...scored.map((one) => one.name)])].slice(0, MOST);
}

function wordsIn(name: string): string[] {
  const words = name
    .slice(0, 100)
    .replace(/([a-z])([A-Z0-9])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return [...new Set(words.filter((word) => word !== '' && !COMMON.test(word)))];
}

/** Maximum number of fields in a sentence where no one is similar. */
const MOST_LISTED = 8;

/**
 * The suggestion for a name that is no field: the fields that may be meant, or some of those there are.
 *
 * @param shown the name of a field as it is typed
 */
export function insteadOf(
  name: string,
  fields: readonly Named[],
  shown: (name: string) => string = (one) => one,
): string {
  const near = nearFields(name, fields).map((one) => shown(one));
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`;
  const sorted = [...fields].sort((one, other) => Number(other.required ?? false) - Number(one.required ?? false));
  const listed = sorted.slice(0, MOST_LISTED).map((field) => shown(field.name));
  const more = fields.length - listed.length;
  return `the fields are ${listed.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
