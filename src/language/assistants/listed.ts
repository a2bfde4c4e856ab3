import { type Finder, finders } from '../../../tools/surfaces/assistants.ts';
import { type Batched, batchedBy } from '../../catalogue/change.ts';
import type { Field } from '../../catalogue/field-types.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import { jsonSchema } from '../../catalogue/json-schema.ts';
import { highestRisk, isChange, type Risk, type Tool } from '../../catalogue/operation.ts';
import { MAX_REASON } from '../../gate/approval.ts';
import { type Failure, invalidInput } from '../../lib/errors.ts';
import { hasPlaceholder, PLACEHOLDER_REFUSED } from '../../lib/hide.ts';
import { defined, type Fields, joined, plainText, recordOf, withoutQuotes } from '../../lib/values.ts';

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
  'contentEncoding',
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
  const { row, list, most } = batchedBy(tool) ?? {};
  return {
    id: tool.id,
    group: tool.group,
    risk: tool.risk,
    ...defined({ raisedBy: tool.raisedBy, batch: row === undefined ? undefined : { row, ...defined({ list, most }) } }),
    ...(tool.kind === 'operation' && tool.beyondSpecification ? { beyondSpecification: true } : {}),
    tool: {
      name: tool.id,
      title: tool.title,
      description: tool.description,
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
      'Find operations of a mobile communications platform by words: numbers, SIMs, port-ins, SMS, routes, subscribers, packages, guardian filters. Returns id, title, risk.',
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
      'Run an operation; describe it first. Every change waits for a person, whatever its risk; no tool confirms one. Then confirmations_get.',
    ],
    { operation: { type: 'string' }, input: { type: 'object' }, ...reasonSchema },
    ['operation', 'input'],
    { output: {}, destroys: true, open: true },
  ),
];

/** Most tools that one error names. */
const MAX_NAMED = 3;

/** A failed call, and the tools that its assistant may call. */
interface FailedCall {
  tool: Tool | undefined;
  input: Fields;
  has: (id: string) => boolean;
  /** True for an operation of the catalogue. */
  exists: (id: string) => boolean;
}

/**
 * The failure with next steps that its assistant can take: the tools that find the ids and numbers which the call gave
 * wrongly or left out, and those of its own sentences that a person must run.
 */
export function withNextSteps(failure: Failure, call: FailedCall): Failure {
  return withNotOffered(withFinders(failure, call), call);
}

function withFinders(failure: Failure, { tool, input, has }: FailedCall): Failure {
  const { code, field: wrong, next } = failure;
  const isMissing = code === 'not_found' || code === 'bad_request';
  const { fields = isMissing && wrong !== undefined ? [{ field: wrong, message: '' }] : [] } = failure;
  if (tool === undefined || !(code === 'invalid_input' || isMissing)) return failure;
  if (code === 'invalid_input' && next !== undefined) return failure;
  const texts = fields.flatMap(({ field }) => {
    const found = finderOf(fieldAt(tool, field), valueAt(input, field));
    return found && has(found.operation) ? [found.text] : [];
  });
  const named = [...new Set(texts)].slice(0, MAX_NAMED);
  return named.length === 0 ? failure : { ...failure, next: joined([next, named.join(' ')]) };
}

/** The name of an operation in a sentence. */
const OPERATION = /\b[a-z]+\d*(?:_[a-z\d]+)+\b/g;

/** Says which operations of the failure's own sentences this assistant cannot call. */
function withNotOffered(failure: Failure, { has, exists }: FailedCall): Failure {
  const { code, message, next } = failure;
  // That an operation is not offered is all that this error says.
  if (code === 'forbidden_by_role') return failure;
  const own = plainText(withoutQuotes(joined([message, next])));
  const named = [...new Set(own.match(OPERATION) ?? [])].filter((id) => exists(id) && !has(id));
  return named.length === 0 ? failure : { ...failure, next: joined([next, notOffered(named)]) };
}

/** Says that a person must run these operations. */
export function notOffered(ids: readonly string[]): string {
  return `Not offered to you: ${ids.join(', ')}. Tell the person, who can run ${ids.length === 1 ? 'it' : 'them'} in Slack or at the terminal.`;
}

function finderOf(field: Field | undefined, value: unknown): Finder | undefined {
  if (field?.kind === 'phone') {
    const isGiven = typeof value === 'string' && value !== '';
    return isGiven ? finders.find(({ finds }) => finds === 'phone') : undefined;
  }
  // Webhooks and workgroups share a prefix; the last one of a field tells them apart.
  return finders.find(({ finds }) => finds === field?.ids?.at(-1) || finds === field?.ids?.[0]);
}

/** The field at a path such as "PhoneNumbers.0.Number"; undefined if the operation has none. */
function fieldAt(tool: Tool, path: string): Field | undefined {
  const [top, ...rest] = path.split('.').filter((part) => !/^\d+$/.test(part));
  return rest.reduce<Field | undefined>(
    (field, name) => field?.fields?.find((member) => member.name === name),
    fieldsOf(tool).find(({ name }) => name === top),
  );
}

/** The value at a path. A plain value stands for a row with one member. */
function valueAt(input: Fields, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, key) => (typeof at === 'string' ? at : (at as Fields | null | undefined)?.[key]), input);
}

/** The bot scope of an app that declares MCP servers. */
export const SLACKBOT_SCOPE = 'mcp:connect';
/** Slack authenticates to the server by its signature, and sends the person's ids. */
export const SLACKBOT_AUTH = 'slack_identity_auth';

/** Maximum number of blocks in one result. */
export const SLACKBOT_BLOCKS = 50;
/** The types of blocks that Slackbot shows and that Switchboard uses. */
export const SLACKBOT_TYPES: ReadonlySet<string> = new Set([
  'context',
  'divider',
  'header',
  'rich_text',
  'section',
  'table',
]);

/** The person that Slack names in a signed request. */
export interface SlackbotPerson {
  /** `U…` or `W…`. */
  userId: string;
  /** The workspace (`T…`) or, without one, the organization (`E…`). */
  teamId: string;
  /** The conversation, if Slack names it. */
  channel?: string;
}

/** The person in the parameters of a request; undefined if they name none. Counts only under Slack's signature. */
export function slackbotPerson(params: unknown): SlackbotPerson | undefined {
  const {
    user_id: user,
    team_id: team,
    enterprise_id: org,
    channel_id: channel,
  } = recordOf(recordOf(recordOf(params)._meta).slack);
  const home = isId(team, 'T') || isId(team, 'E') ? team : isId(org, 'E') && (team ?? null) === null ? org : undefined;
  if (home === undefined || !(isId(user, 'U') || isId(user, 'W'))) return undefined;
  const named = ['C', 'D', 'G'].some((letter) => isId(channel, letter));
  return { userId: user, teamId: home, ...(named ? { channel: String(channel) } : {}) };
}

function isId(value: unknown, letter: string): value is string {
  return typeof value === 'string' && value.startsWith(letter) && /^[A-Z0-9]{2,32}$/.test(value);
}

/** The input of a call without the reason of the caller, and the reason: it is shown with the change and is no part of it. A field `Reason` of the operation stays in the input. */
export function reasonedInput(tool: Tool | undefined, given: Fields): { input: Fields; reason?: string } {
  return tool && takesReason(tool) ? withoutReason(given) : { input: given };
}

/** The arguments without the reason, and the reason. Throws `invalid_input` for one that is no text or too long. */
export function withoutReason(given: Fields): { input: Fields; reason?: string } {
  const name = Object.keys(given).find((key) => key.toLowerCase() === REASON.toLowerCase());
  if (name === undefined) return { input: given };
  const { [name]: reason, ...input } = given;
  if (reason === null || reason === undefined) return { input };
  if (hasPlaceholder(reason)) throw invalidInput(REASON, `${REASON}: ${PLACEHOLDER_REFUSED}.`);
  if (typeof reason === 'string' && [...reason].length <= MAX_REASON) return { input, ...defined({ reason }) };
  throw invalidInput(REASON, `${REASON}: must be a text of at most ${MAX_REASON} characters.`);
}
