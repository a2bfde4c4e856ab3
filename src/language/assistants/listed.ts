import { type Batched, batchedBy } from '../../catalogue/batch-rule.ts';
import { jsonSchema } from '../../catalogue/json-schema.ts';
import { highestRisk, isChange, type Risk, type Tool } from '../../catalogue/operation.ts';
import { defined, type Fields } from '../../lib/json.ts';

/** A tool as a client lists it. It is made at build time, so that the start needs no schema work. */
export interface ListedTool {
  id: string;
  group: string;
  risk: Risk;
  /** As in the definition of an operation. Left out if false. */
  beyondSpecification?: true;
  /** The inputs of a change that a person must confirm, in words. */
  raisedBy?: string;
  /** The fields of its batches; left out if it cannot run as a batch. */
  batch?: Pick<Batched, 'row' | 'list' | 'most'>;
  tool: {
    name: string;
    title: string;
    description: string;
    inputSchema: ObjectSchema;
    outputSchema: ObjectSchema;
    annotations: {
      title: string;
      readOnlyHint: boolean;
      destructiveHint: boolean;
      idempotentHint: boolean;
      openWorldHint: boolean;
    };
    /** For clients that read more than the protocol defines. */
    _meta?: Fields;
  };
}

/** The JSON schema of an object. */
export interface ObjectSchema {
  type: 'object';
  properties?: Record<string, object>;
  required?: string[];
  [keyword: string]: unknown;
}

/** Schema keywords left out to save tokens. The gate checks them, and its errors say how to correct the input. */
const LEFT_OUT = new Set([
  '$schema',
  'pattern',
  'format',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'title',
  'examples',
  'kind',
  'known',
  'ids',
  'secret',
  'outside',
  'attachment',
  'private',
  'id',
  'additionalProperties',
]);

/** The argument by which a caller says why. It is no part of the change. */
export const REASON = 'Reason';
/** Its schema. It is in every tool that changes something, so it has no more than it must. */
export const reasonSchema = { [REASON]: { type: 'string' } } as const;

/** True if a caller may say why with this tool. A field of the operation with that name is the operation's own. */
export function takesReason(tool: Tool): boolean {
  return isChange(tool) && !(REASON in tool.input.shape);
}

export function listTool(tool: Tool): ListedTool {
  const output = loose(slim(jsonSchema(tool.output, 'output')));
  const input = slim(jsonSchema(tool.input, 'input'));
  return {
    id: tool.id,
    group: tool.group,
    risk: tool.risk,
    ...defined({ raisedBy: tool.raisedBy, batch: batchOf(tool) }),
    ...(tool.kind === 'operation' && tool.beyondSpecification ? { beyondSpecification: true } : {}),
    tool: {
      name: tool.id,
      title: tool.title,
      description: `${tool.description}${confirmWords(tool)}`,
      inputSchema: {
        ...input,
        type: 'object',
        properties: { ...(input.properties as Fields | undefined), ...(takesReason(tool) && reasonSchema) },
        additionalProperties: false,
      },
      outputSchema: {
        ...output,
        type: 'object',
        properties: {
          ...(output.properties as Fields | undefined),
          ...(!isChange(tool) ? {} : { confirmation: { type: 'object' } }),
        },
      },
      annotations: {
        title: tool.title,
        readOnlyHint: tool.risk === 'read',
        destructiveHint: highestRisk(tool) === 'destroy',
        idempotentHint: tool.resend,
        openWorldHint: true,
      },
    },
  };
}

function batchOf(tool: Tool): ListedTool['batch'] {
  const batched = batchedBy(tool);
  if (batched === undefined) return undefined;
  const { row, list, most } = batched;
  return { row, ...defined({ list, most }) };
}

/** The sentence that says which calls wait for a person. */
function confirmWords(tool: Tool): string {
  return isChange(tool) ? ' A person must confirm.' : '';
}

function slim(schema: unknown): Fields {
  return slimValue(schema, false) as Fields;
}

function slimValue(value: unknown, names: boolean): unknown {
  if (Array.isArray(value)) return value.map((member) => slimValue(member, false));
  if (value === null || typeof value !== 'object') return value;
  const kept: Fields = {};
  const entries = Object.entries(names ? value : withNullable(value));
  for (const [key, member] of entries) {
    // Under `properties` the keys are the platform's field names, which may look like schema words.
    if (!names && LEFT_OUT.has(key)) continue;
    kept[key] = slimValue(member, key === 'properties');
  }
  return kept;
}

/**
 * A value or null, written as its one type. `nullable` is what OpenAPI has for it: some clients drop a whole tool for a
 * union or a list of types.
 */
function withNullable(schema: object): object {
  const { anyOf, ...rest } = schema as { anyOf?: readonly Fields[] };
  const [own, none, ...more] = anyOf ?? [];
  if (own === undefined || none?.type !== 'null' || more.length > 0) return schema;
  return { ...rest, ...own, nullable: true };
}

/** Keywords by which a client would reject a value that the schema does not name. */
const STRICT = new Set(['type', 'enum', 'const', 'required', 'additionalProperties']);

/**
 * A schema that names the members of an answer and accepts any value for them. The platform sends other types than it
 * documents, and a client that validates would reject the whole answer for one unexpected value.
 */
function loose(schema: Fields): Fields {
  const variants = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray);
  if (variants) {
    const shaped = variants.map((one: Fields) => loose(one));
    return shaped.find((one) => 'properties' in one || 'items' in one) ?? {};
  }
  const kept: Fields = {};
  for (const [key, member] of Object.entries(schema)) {
    if (STRICT.has(key) || member === null || typeof member !== 'object') continue;
    if (key === 'properties')
      kept.properties = Object.fromEntries(Object.entries(member).map(([name, one]) => [name, loose(one as Fields)]));
    else if (key === 'items') kept.items = loose(member as Fields);
  }
  return kept;
}

/** The hints of a tool that is no operation. Left out, a hint is false. */
interface Hints {
  reads?: boolean;
  destroys?: boolean;
  /** A second call does no more than the first. */
  repeats?: boolean;
  /** It reaches the platform. */
  open?: boolean;
}

/** A tool that is no operation. `input`: the properties of its input, of which `required` must be given. */
export function toolOf(
  [name, title, description]: readonly [name: string, title: string, description: string],
  input: Record<string, object>,
  required: readonly string[],
  {
    output,
    reads = false,
    destroys = false,
    repeats = false,
    open = false,
  }: Hints & { output: Record<string, object> },
): ListedTool['tool'] {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: input,
      ...(required.length > 0 && { required: [...required] }),
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: output },
    annotations: {
      title,
      readOnlyHint: reads,
      destructiveHint: destroys,
      idempotentHint: repeats,
      openWorldHint: open,
    },
  };
}

/** Discover mode: three tools instead of one per operation, through the same gate. */
export const discoverTools: ListedTool['tool'][] = [
  toolOf(
    [
      'search',
      'Search operations',
      'Find operations of a mobile communications platform by words: numbers, SIMs, port-ins, SMS, routes, subscribers, packages, guardian filters. Returns id, title, risk. A person must confirm every change, whatever its risk.',
    ],
    { query: { type: 'string', description: 'empty lists all' } },
    ['query'],
    { output: { operations: { type: 'array' } }, reads: true, repeats: true },
  ),
  toolOf(
    ['describe', 'Describe an operation', 'What an operation does, needs and costs, its input schema and an example.'],
    { operation: { type: 'string' } },
    ['operation'],
    { output: { id: { type: 'string' } }, reads: true, repeats: true },
  ),
  toolOf(
    [
      'call',
      'Call an operation',
      'Run an operation with input matching its schema; describe it first. Every change waits for a person; no tool confirms one. Follow up with confirmations_get.',
    ],
    { operation: { type: 'string' }, input: { type: 'object' }, ...reasonSchema },
    ['operation', 'input'],
    { output: {}, destroys: true, open: true },
  ),
];
