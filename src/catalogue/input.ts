import * as z from 'zod';
import { type FieldProblem, invalidInput } from '../lib/errors.ts';
import { standInsIn } from '../lib/hide.ts';
import { nearestOf } from '../lib/nearest.ts';
import {
  capital,
  cleanText,
  defined,
  type Fields,
  isRecord,
  leaves,
  listOf,
  MAX_JSON_DEPTH,
  mapLeaves,
  memberAt,
  type Part,
  partsOf,
  pathOf,
  textsIn,
  tooDeep,
} from '../lib/values.ts';
import { iccidRemark, isPlainValue, readPhones } from '../platform/dialect/phone.ts';
import type { Lead } from './change.ts';
import {
  type Field,
  jsonSchema,
  markedNames,
  markedPaths,
  type Problem,
  partsIn,
  remembered,
  type Tool,
} from './operation.ts';

/**
 * Checks one input against its definition: the fields, and the rules across them.
 * Returns it normalised. Rejects with `invalid_input`, which names every wrong field and how to correct it.
 */
export function parseInput(tool: Tool, raw: unknown, now: Date): Fields {
  if (raw === null || typeof raw !== 'object' || Array.isArray(raw)) {
    throw invalidInput(undefined, `${tool.id} takes an object of fields: ${Object.keys(tool.input.shape).join(', ')}.`);
  }
  const checked = check(tool, raw, now);
  if ('input' in checked) return checked.input;
  const { problems } = checked;
  const named = problems.slice(0, MAX_NAMED).map(({ field, message }) => `${field}: ${message}`);
  const more = problems.length - named.length;
  const rest = more > 0 ? ` ${more} more ${more === 1 ? 'field is' : 'fields are'} wrong.` : '';
  throw invalidInput(problems[0]?.field, `${named.join(' ')}${rest}`, problems);
}

/** Every problem of an input by field path ("PhoneNumbers.0.Number"), for forms. */
export function fieldProblems(tool: Tool, raw: unknown, now: Date): FieldProblem[] {
  const checked = check(tool, isRecord(raw) ? raw : {}, now);
  return 'input' in checked ? [] : checked.problems;
}

/**
 * Remarks for the reader of a call on the reading of its input: the fields that lost invisible characters, those whose
 * null removes nothing, and serials of SIMs that may be mistyped.
 *
 * @param raw the input as it was given
 * @param input the same input, normalised
 */
export function inputRemarks(tool: Tool, raw: unknown, input: Fields): string[] {
  const numbers = new Set(textsOf(tool, raw, 'phone').map(({ path }) => path));
  // A number is shown as it was read.
  const unseen = textsIn(raw)
    .filter(({ value: text, depth }) => depth <= MAX_DEPTH && cleanText(text).length !== text.length)
    .map((part) => cleanText(pathOf(part)))
    .filter((path) => !numbers.has(path));
  const nulls = tool.current === undefined ? [] : nullsIn(raw);
  const ignored = nulls.filter((path) => memberAt(input, path) === undefined);
  return [
    ...(ignored.length === 0 ? [] : [`${ignored.slice(0, MAX_NAMED).join(', ')}: ${NOT_REMOVED}`]),
    ...(unseen.length === 0 ? [] : [`${unseen.slice(0, MAX_NAMED).join(', ')}: invisible characters were removed.`]),
    ...doubtfulSerials(tool, input).map(({ serial, remark }) => `The serial ${serial} ${remark}`),
  ];
}

/** The serials of SIMs in an input that may be mistyped, with their paths and the reason. */
export function doubtfulSerials(tool: Tool, input: Fields): { field: string; serial: string; remark: string }[] {
  return textsOf(tool, input, 'iccid').flatMap(({ path, text }) => {
    const remark = iccidRemark(text);
    return remark === undefined ? [] : [{ field: path, serial: text, remark }];
  });
}

/** A null that has no meaning for its field counts as left out. A person who wrote it may have meant a removal. */
const NOT_REMOVED = 'cannot be removed, so null counts as left out.';

/** Paths of the members of an input that are null, such as "BillingAddress.Street2". */
function nullsIn(values: unknown): string[] {
  const nulls = leaves(values, ({ value }) => !Array.isArray(value)).filter(({ value }) => value === null);
  return nulls.map((part) => cleanText(pathOf(part)));
}

/** The field at a path of an input ("PhoneNumbers.0.Number"). An entry of a list has the field of the list. */
function fieldAt(tool: Tool, path: string): Field | undefined {
  const names = path.split('.').filter((name) => !/^\d+$/.test(name));
  return names.reduce<Field | undefined>(
    (at, name, depth) => (depth === 0 ? fieldsOf(tool) : at?.fields)?.find((field) => field.name === name),
    undefined,
  );
}

/** The texts in an input whose fields are of this kind, with their paths. */
function textsOf(tool: Tool, input: unknown, kind: Field['kind']): { path: string; text: string }[] {
  return textsIn(input).flatMap((part) => {
    const path = pathOf(part);
    const field = fieldAt(tool, path);
    return (field?.items ?? field)?.kind === kind ? [{ path, text: part.value }] : [];
  });
}

function check(tool: Tool, raw: object, now: Date): { input: Fields } | { problems: FieldProblem[] } {
  const read = withRows(tool, membersAsSent(jsonSchema(tool.input, 'input'), cleaned({ ...raw }) as Fields));
  const given = tool.current === undefined ? withoutNothing(tool, read) : read;
  const parsed = tool.input.safeParse(given);
  const hidden = standInsIn(given);
  const known = new Set(hidden.map(({ field }) => field));
  const invalid = parsed.success ? [] : parsed.error.issues.flatMap((issue) => describe(tool, issue, given));
  const issues = [...hidden, ...invalid.filter(({ field }) => !known.has(field))];
  const topOf = (path: string) => path.split('.')[0] ?? path;
  const wrong = new Set(issues.map(({ field }) => topOf(field)));
  // The fields that are correct by themselves, normalised.
  const sound = () =>
    Object.entries(tool.input.shape).flatMap(([name, schema]) => {
      const read = wrong.has(name) ? undefined : z.safeParse(schema, given[name]);
      return read?.success && read.data !== undefined ? [[name, read.data] as const] : [];
    });
  const valid: Fields = parsed.success ? parsed.data : Object.fromEntries(sound());
  // The rules run although fields are wrong, so that one answer names everything.
  const broken = [...listOf(tool.rules?.(valid, now)), ...nothingGiven(tool, valid, raw)].filter(
    ({ field, ofWhole }) => parsed.success || (!ofWhole && !wrong.has(topOf(field))),
  );
  if (parsed.success && issues.length === 0 && broken.length === 0) return { input: parsed.data };
  const problems = [...issues, ...broken];
  return {
    problems: problems
      // A value of a wrong type breaks other rules too, which would only confuse.
      .filter(({ field }, at) => problems.findIndex((one) => one.field === field) === at)
      .map(({ field, message }) => ({ field, message: /[.?!]$/.test(message) ? message : `${message}.` })),
  };
}

/**
 * The members of a call that replaces no values of a record, without the optional ones that hold nothing: an empty list, or a
 * null that removes a value of a record. Many callers write each member, and the call is the same without these.
 */
function withoutNothing(tool: Tool, given: Fields): Fields {
  const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  const kept = Object.entries(given).filter(([name, value]) => !isNothing(value) || !takes(tool, name, undefined));
  return Object.fromEntries(kept);
}

/** The problem of a change of a record that names nothing but the record, or whose nulls have no meaning. */
function nothingGiven(tool: Tool, input: Fields, raw: object): Problem[] {
  const isKey = (name: string) => tool.keys?.includes(name) === true;
  const hasChange = Object.keys(input).some((name) => !isKey(name) && input[name] !== undefined);
  const example = Object.keys(tool.examples[0] ?? {}).find((name) => !isKey(name));
  if (tool.risk !== 'write' || !tool.keys || hasChange || example === undefined) return [];
  const cleared = nullsIn(raw).find((name) => !isKey(name));
  const message =
    cleared === undefined
      ? `nothing to change: say what becomes different, for example ${example}`
      : 'cannot be removed, so null counts as left out, and nothing would change';
  return [{ field: cleared ?? example, ofWhole: true, message }];
}

/**
 * Lists of numbers in the platform's shape: `[{"Number": "+1…"}]`. Plain numbers, which many callers write first, are
 * accepted too, because such a row needs nothing but Number. A text of several numbers, as they are pasted, is as many
 * entries.
 */
function withRows(tool: Tool, given: Fields): Fields {
  const input: Fields = { ...given };
  for (const field of fieldsOf(tool)) {
    const value = input[field.name];
    const isRows = field.kind === 'rows' && soleMember(field)?.name === 'Number';
    const entries = typeof value === 'string' && readPhones(value) !== undefined ? [value] : value;
    if (!Array.isArray(entries) || !(isRows || field.items?.kind === 'phone')) continue;
    input[field.name] = entries.flatMap((entry: unknown) => {
      const text = isRows && isRecord(entry) && Object.keys(entry).length === 1 ? entry.Number : entry;
      if (typeof text !== 'string') return [entry];
      const numbers = readPhones(text) ?? [];
      return (numbers.length > 1 ? numbers : [text]).map((number) => (isRows ? { Number: number } : number));
    });
  }
  return input;
}

/** Maximum number of wrong fields in a message. The error has them all. */
const MAX_NAMED = 8;

function describe(tool: Tool, issue: z.core.$ZodIssue, raw: unknown): FieldProblem[] {
  const path = issue.path.map(String).join('.');
  if (issue.code !== 'unrecognized_keys') return [{ field: path, message: describeValue(tool, issue, raw) }];
  const known = path === '' ? fieldsOf(tool) : (fieldAt(tool, path)?.fields ?? []);
  return issue.keys.map((key, at) => {
    // The caller wrote the name.
    const name = key.slice(0, MAX_NAME);
    // The first one also lists the fields that there are.
    const instead =
      known.length > 0 && (at === 0 || nearFields(key, known).length > 0) ? insteadOf(key, known) : 'leave it out';
    return { field: path === '' ? name : `${path}.${name}`, message: `is not a field of ${tool.id}; ${instead}` };
  });
}

/** Maximum length of an unknown field's name in a message. */
const MAX_NAME = 40;

function describeValue(tool: Tool, issue: z.core.$ZodIssue, raw: unknown): string {
  const path = issue.path.map(String).join('.');
  const given = issue.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    raw,
  );
  if (issue.code === 'invalid_type' && given === undefined) return `is missing; ${example(tool, path)}`;
  if (issue.code === 'invalid_type' && issue.expected === 'boolean') return 'must be true or false';
  if (issue.code === 'invalid_type')
    return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}; ${example(tool, path)}`;
  if (issue.code === 'invalid_value' && given === undefined) return `is missing; ${issue.message}`;
  // The validator's own words, where the definition gives no others.
  if (issue.message.startsWith('Too small:') && issue.code === 'too_small')
    return issue.minimum === 1 ? 'must not be empty' : `must not be below ${issue.minimum}`;
  if (issue.message.startsWith('Too big:') && issue.code === 'too_big')
    return issue.origin === 'string' ? `at most ${issue.maximum} characters` : `at most ${issue.maximum}`;
  return issue.message;
}

function example(tool: Tool, path: string): string {
  const value = path.split('.').reduce<unknown>((at, key) => (at as Fields | undefined)?.[key], tool.examples[0]);
  return value === undefined || value === null
    ? `see the fields of ${tool.id}`
    : typeof value === 'object'
      ? exampleOfMany(value)
      : typeof value === 'string' && /^\d+$/.test(value)
        ? // Digits without quotes would look like the number that was refused.
          `for example "${value}"`
        : `for example ${String(value)}`;
}

/** A list by its first plain value, which reads the same on every surface; the fields of an operation say the rest. */
function exampleOfMany(value: object): string {
  const [first] = Object.values(value);
  if (first === undefined) return 'leave it out if there is nothing to give';
  if (typeof first === 'object' && first !== null) return exampleOfMany(first);
  return Array.isArray(value) || Object.keys(value).length === 1
    ? `for example ${String(first)}`
    : `it has ${Object.keys(value).join(', ')}`;
}

/** The input with the default account, if the operation takes one and the caller named none. */
export function withDefaultAccount(tool: Tool, input: Fields, account: unknown): Fields {
  const takesDefault = tool.kind === 'operation' && tool.defaultAccount === true;
  return account === undefined || !takesDefault || namesAccount(input) ? input : { ...input, AccountId: account };
}

/** True if the caller named an account, so that the default does not apply. */
export function namesAccount(raw: unknown): boolean {
  return isRecord(raw) && raw.AccountId !== undefined && raw.AccountId !== null;
}

/**
 * Reads a value as clients really send it: null for a member that is left out, and lists, objects, numbers and booleans
 * as text. A value that is not exactly what the schema takes is returned unchanged, and the schema refuses it.
 *
 * @returns undefined if the value is null and null has no meaning
 */
export function asSent(schema: Node, value: unknown): unknown {
  const options = schema.anyOf ?? [schema];
  if (value === null) return options.some(({ type, nullable }) => type === 'null' || nullable) ? null : undefined;
  const takes = (type: string) => options.some((option) => option.type === type);
  const [only] = options.filter(({ type }) => type !== 'null');
  // A field whose text is JSON, or names in a row, is given as an object or as a list too.
  if (only?.type === 'string' && only.kind === 'keywords' && isRecord(value)) return JSON.stringify(value);
  if (only?.type === 'string' && only.kind === 'choices' && Array.isArray(value))
    return value.every((one) => typeof one === 'string') ? value.join(',') : value;
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
  const isAmong = (one: string, names: readonly string[]) =>
    names.some((other) => other.toLowerCase() === one.toLowerCase());
  const names = [name, ...(SAME.find((same) => isAmong(name, same)) ?? [])];
  const [only, ...others] = Object.keys(properties).filter((known) => isAmong(known, names));
  return only === undefined || others.length > 0 || Object.hasOwn(given, only) ? name : only;
}

/** The members of an object, without those that are left out. An unknown member is returned unchanged. */
export function membersAsSent({ properties = {} }: Node, given: Fields): Fields {
  const names = new Set<string>();
  const read = Object.entries(given).map(([written, value]) => {
    // A member that is given in two spellings is none of the second name.
    const name = names.has(spelled(written, properties, given)) ? written : spelled(written, properties, given);
    names.add(name);
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

/** Deeper members of an input are left as they are. The definition refuses them. */
const MAX_DEPTH = 12;

/** An input whose texts and names have lost invisible characters. The input itself is not changed. */
export function cleaned(value: unknown): unknown {
  const leaf = (part: Part) =>
    typeof part.value === 'string' && part.depth <= MAX_DEPTH ? cleanText(part.value) : part.value;
  return mapLeaves(value, { leaf, member: ({ name, depth }) => (depth <= MAX_DEPTH ? cleanText(name) : name) });
}

/** Members whose name marks them as free text, independent of their value: a subscriber may be called "Active". */
const FREE_TEXT =
  /(?:name|message|body|description|text|note|notes|reason|statement|comment|subject|cnam|label|title)$/i;
/** A member's name as the platform writes it. Any other name came from outside and is not repeated in a mark. */
const MEMBER = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
/** The gate writes `Warning` (a platform's own one is `PlatformWarning`). It quotes the texts of others. */
const QUOTE = /[“”·]|:\/\/|\+\d{7,15} \(/;
/** Maximum number of paths: more than any answer of the catalogue has. */
const MAX_PATHS = 80;

const NONE: ReadonlySet<string> = new Set();

/** True if a sentence of Switchboard has words of others: a text in quotation marks, an address, or a customer. */
export function hasQuote(text: string): boolean {
  return QUOTE.test(text);
}

/**
 * What a definition declares about the texts of its answer: by name the members that hold text from outside (`out.said`
 * of tools/shared/fields.ts), by path those that it writes itself (`out.own`) and its sentences that quote others
 * (`out.told`).
 */
const declaredIn = remembered(({ output }: Tool) => ({
  outside: new Set(markedNames(output, 'output', 'outside')),
  own: new Set(markedPaths(output, 'own')),
  told: new Set(markedPaths(output, 'told')),
}));

/**
 * Paths of the members of an answer whose text may have been written outside (`Results[].RouteName`), each once. The
 * rule also covers members the platform adds: a text is from outside unless its value is plain (plain-values.ts), and
 * always if its member is declared so or holds free text by its name. The sentences that a definition writes itself are
 * not marked, so that an assistant may act on them. `under`: the path of the value itself, '' for a whole answer.
 */
export function outsideIn(tool: Tool | undefined, value: unknown, under = ''): string[] {
  const { outside, own, told } = tool ? declaredIn(tool) : { outside: NONE, own: NONE, told: NONE };
  const prefix = under === '' ? '' : `${under}.`;
  const found = new Set<string>();
  for (const part of partsOf(value)) {
    // A member's name can be a sentence as well as its value.
    if (typeof part.key === 'string' && part.around && !MEMBER.test(part.key)) found.add(markOf(part, under));
    const { value: text, name } = part;
    if (typeof text !== 'string' || text === '') continue;
    if (!outside.has(name) && !FREE_TEXT.test(name) && isPlainValue(text)) continue;
    const path = markOf(part, under);
    const member = path.slice(prefix.length);
    const isTold = member === 'Warning' || told.has(member);
    if (!own.has(member) && (!isTold || hasQuote(text))) found.add(path);
  }
  const paths = [...found];
  if (paths.length <= MAX_PATHS) return paths;
  return [...paths.slice(0, MAX_PATHS), `every other text (${paths.length - MAX_PATHS} more members)`];
}

/** The path of a part in a mark: `Results[].RouteName`. */
function markOf({ key, around }: Part, under: string): string {
  if (around === undefined) return under;
  const path = markOf(around, under);
  if (typeof key === 'number') return `${path}[]`;
  return `${path}${path === '' ? '' : '.'}${MEMBER.test(key) ? key : '*'}`;
}

/**
 * An answer of the platform without the members that only the definition writes, so that the platform cannot imitate
 * them.
 */
export function withoutOwn(tool: Tool, answer: Fields): Fields {
  const names = new Set([...declaredIn(tool).own].map((path) => path.split(/[.[]/)[0]));
  return Object.fromEntries(Object.entries(answer).filter(([name]) => !names.has(name)));
}

/** The part of a JSON schema that the catalogue's inputs use, with the meta keys of tools/shared/fields.ts. */
interface Node
  extends Pick<z.core.JSONSchema.JSONSchema, 'enum' | 'required' | 'format' | 'maxLength' | 'minimum' | 'maximum'>,
    Pick<z.GlobalMeta, 'title' | 'description' | 'kind' | 'ids' | 'known' | 'secret' | 'attachment'> {
  type?: string;
  nullable?: boolean;
  anyOf?: readonly Node[];
  properties?: Readonly<Record<string, Node>>;
  items?: Node;
  examples?: readonly unknown[];
  default?: unknown;
}

/** The input fields of an operation in the order of its definition. */
export const fieldsOf = remembered((tool: Tool): readonly Field[] =>
  membersOf(jsonSchema(tool.input, 'input') as Node, tool.examples),
);

/** True if the operation takes this value of a field. */
export function takes(tool: Tool, field: string, value: unknown): boolean {
  return Object.hasOwn(tool.input.shape, field) && tool.input.shape[field]?.safeParse(value).success === true;
}

/** True if the operation takes null, which clears a value. */
export function takesNull(tool: Tool, field: string): boolean {
  return takes(tool, field, null);
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
const MAX_LABEL = 100;

/** The label of a platform name: "AssignedSubscriberId" becomes "Assigned subscriber". */
export function labelOf(name: string): string {
  const words = (name.length > MAX_LABEL ? `${name.slice(0, MAX_LABEL)}…` : name)
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
  return Object.entries(node.properties ?? {}).map(([name, member]) => {
    const own = shown.map((value) => (isRecord(value) ? value[name] : undefined));
    return fieldOf(name, member, node, own);
  });
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

/** How people know a record by its id, and where it leads. */
export interface RecordReference {
  /** "message route". */
  noun: string;
  /** Prefixes of its ids, in capitals. */
  ids: readonly string[];
  /** Members of a record that hold its id. Fields of these names take it. They tell apart kinds that share a prefix. */
  id: readonly string[];
  /** Members that name it for people, the first one that is set. */
  names: readonly string[];
  /** The read of one record, and its field. */
  read?: readonly [operation: string, field: string];
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
  return partsIn(schema, 'input').flatMap(({ node: { type, kind, pattern, enum: choices }, name }) => {
    const isText = type === 'string' && choices === undefined && pattern === undefined && !FIXED.has(String(kind));
    return isText || type === 'number' || type === 'integer' ? [name] : [];
  });
}

/* The fields that a wrong name may mean. */

/** Words that many names have, and that tell no field from another. */
const COMMON = /^(?:id|ids|value|enabled|enable|is|has|of|the|in|at|to|a|new|with|for|set|type)$/;
const MOST = 3;

type Named = Pick<Field, 'name'> & Partial<Pick<Field, 'label' | 'required'>>;

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
