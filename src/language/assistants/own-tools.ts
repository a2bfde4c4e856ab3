import { finders } from '../../../tools/surfaces/assistants.ts';
import { type Batched, batchedBy, MOST_ROWS } from '../../catalogue/change.ts';
import { fieldsOf } from '../../catalogue/input.ts';
import { type Field, isChange, jsonSchema, type Risk, type Tool } from '../../catalogue/operation.ts';
import { MAX_REASON } from '../../gate/approval.ts';
import type { Gate } from '../../gate/gate.ts';
import { type Failure, invalidInput } from '../../lib/errors.ts';
import { hasPlaceholder, PLACEHOLDER_REFUSED } from '../../lib/hide.ts';
import { defined, type Fields, isRecord, joined, plainText, recordOf, withoutQuotes } from '../../lib/values.ts';

/* The tools that are no operation. Listing tools at the start of a server loads these, and not the catalogue. */

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
  /** `_meta` is for clients that read more than the protocol defines. */
  tool: ReturnType<typeof toolOf> & { _meta?: Fields };
}

/** The JSON schema of an object. */
export interface ObjectSchema {
  type: 'object';
  properties?: Record<string, object>;
  required?: string[];
  [keyword: string]: unknown;
}

/** The argument by which a caller says why. It is no part of the change. */
export const REASON = 'Reason';
/** Its schema. It is in every tool that changes something, so it has no more than it must. */
const reasonSchema = { [REASON]: { type: 'string' } } as const;

/**
 * A tool that is no operation.
 *
 * @param input the properties of its input, of which `required` must be given
 * @param more.repeats true if a second call does no more than the first
 * @param more.open true if it reaches the platform
 */
export function toolOf(
  [name, title]: readonly [name: string, title: string],
  description: string,
  input: Record<string, object>,
  required: readonly string[],
  more: { output: Record<string, object> } & Partial<Record<'reads' | 'destroys' | 'repeats' | 'open', boolean>>,
) {
  const { output, reads = false, destroys = false, repeats = false, open = false } = more;
  const inputSchema: ObjectSchema = {
    type: 'object',
    properties: input,
    ...(required.length > 0 && { required: [...required] }),
    additionalProperties: false,
  };
  const outputSchema: ObjectSchema = { type: 'object', properties: output };
  return {
    ...{ name, title, description, inputSchema, outputSchema },
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
    ['search', 'Search operations'],
    'Find operations of a mobile communications platform by words: numbers, SIMs, port-ins, SMS, routes, subscribers, packages, guardian filters. Returns id, title, risk.',
    { query: { type: 'string', description: 'empty lists all' } },
    ['query'],
    { output: { operations: { type: 'array' } }, reads: true, repeats: true },
  ),
  toolOf(
    ['describe', 'Describe an operation'],
    'What an operation does, needs and costs, its input schema and an example.',
    { operation: { type: 'string' } },
    ['operation'],
    { output: { id: { type: 'string' } }, reads: true, repeats: true },
  ),
  toolOf(
    ['call', 'Call an operation'],
    'Run an operation; describe it first. Every change waits for a person, whatever its risk; no tool confirms one. Then confirmations_get.',
    { operation: { type: 'string' }, input: { type: 'object' }, ...reasonSchema },
    ['operation', 'input'],
    { output: {}, destroys: true, open: true },
  ),
];

/* The tools for one operation over a list of rows. They are offered if an offered operation can run as a batch. */

const batch = { type: 'object' } as const;
const id = { type: 'string' } as const;

/** Plans a batch and asks for its yes. */
export const batchesCreate = toolOf(
  ['batches_create', 'Create a batch'],
  'One operation over 2 to 500 rows, one yes. Numbers, or Rows: objects with what differs, Number or id included; Fields: what all share. Or RestOf: a batch id, for its rest. For PhoneNumbers too where lines differ. Then batches_get.',
  {
    Operation: { type: 'string' },
    Numbers: { type: 'array', items: { type: 'string' }, maxItems: MOST_ROWS },
    Rows: { type: 'array', items: { type: 'object' }, maxItems: MOST_ROWS },
    Fields: { type: 'object' },
    RestOf: { type: 'string' },
    ...reasonSchema,
  },
  [],
  { output: { batch, confirmation: { type: 'object' } }, destroys: true, open: true },
);

/** The state of a batch and a page of its rows. */
const batchesGet = toolOf(
  ['batches_get', 'State of a batch'],
  'Its state; with Page, 100 rows.',
  { id, Page: { type: 'integer' } },
  ['id'],
  { output: { batch, rows: { type: 'array' } }, reads: true, repeats: true, open: true },
);

/** Ends a batch. */
export const batchesStop = toolOf(
  ['batches_stop', 'Stop a batch'],
  'Ends a batch. What is done stays done.',
  { id },
  ['id'],
  { output: { batch }, repeats: true, open: true },
);

export const batchTools: readonly ListedTool['tool'][] = [batchesCreate, batchesGet, batchesStop];

/**
 * The tools for batches of these operations. A list of reads ends by itself and is asked of nobody, so it is not stopped
 * where nothing else is offered, and takes no reason.
 */
export function batchToolsFor(
  operations: readonly Pick<ListedTool, 'id' | 'risk'>[],
  canStop: boolean,
): readonly ListedTool['tool'][] {
  const { inputSchema } = batchesCreate;
  const { [REASON]: reason, ...common } = inputSchema.properties ?? {};
  const asks = reason !== undefined && operations.some(({ risk }) => risk !== 'read');
  const Operation = { type: 'string', enum: operations.map((one) => one.id) };
  const properties = { ...common, Operation, ...(asks && { [REASON]: reason }) };
  const create = { ...batchesCreate, inputSchema: { ...inputSchema, properties } };
  return canStop ? [create, batchesGet, batchesStop] : [create, batchesGet];
}

/* The tools about calls that wait for a person. They are offered if any offered tool can wait. */

const state = {
  id,
  status: {
    type: 'string',
    enum: ['pending', 'running', 'done', 'partly', 'failed', 'unknown', 'declined', 'expired'],
  },
} as const;

/** Largest number of calls that one answer follows up. */
export const MOST_IDS = 20;

/** Follows up calls that wait for a person. */
const confirmationsGet = toolOf(
  ['confirmations_get', 'State of a confirmation'],
  'State and result of a call that waited for a person or whose outcome is unknown, by its act_ id, or ids. Once done, with its lines as they are now.',
  { id, ids: { type: 'array', items: { type: 'string' }, maxItems: MOST_IDS } },
  [],
  {
    output: {
      ...state,
      decidedBy: { type: 'string' },
      result: { type: 'object' },
      now: { type: 'object' },
      error: { type: 'object' },
      confirmations: { type: 'array' },
    },
    ...{ reads: true, repeats: true, open: true },
  },
);

/** Takes back a call of the same requester. It needs no yes, because nothing has been sent. */
export const confirmationsWithdraw = toolOf(
  ['confirmations_withdraw', 'Withdraw a request'],
  'Takes back your own call that still waits for a person. To change one, call its operation again with the new values.',
  { id },
  ['id'],
  { output: state, repeats: true },
);

export const confirmationTools: readonly ListedTool['tool'][] = [confirmationsGet, confirmationsWithdraw];

/** True for a tool about calls that wait for a person. */
export function isConfirmationTool(name: string): boolean {
  return confirmationTools.some((tool) => tool.name === name);
}

/** Schema keywords that a listing has, to save tokens. The gate checks the others, and its errors say how to correct the input. */
const LISTED = new Set(
  'type properties required items enum const description default anyOf oneOf allOf nullable'.split(' '),
);

/** True if a caller may say why with this tool. A field of the operation with that name is the operation's own. */
export function takesReason(tool: Tool): boolean {
  return isChange(tool) && !(REASON in tool.input.shape);
}

export function listTool(tool: Tool): ListedTool {
  const { properties: output = {} } = loose(jsonSchema(tool.output, 'output'));
  const { properties, required = [] } = slim(jsonSchema(tool.input, 'input')) as ObjectSchema;
  const { row, list, most } = batchedBy(tool) ?? {};
  return {
    id: tool.id,
    group: tool.group,
    risk: tool.risk,
    ...defined({ raisedBy: tool.raisedBy, batch: row === undefined ? undefined : { row, ...defined({ list, most }) } }),
    ...(tool.kind === 'operation' && tool.beyondSpecification ? { beyondSpecification: true } : {}),
    tool: toolOf(
      [tool.id, tool.title],
      tool.description,
      { ...properties, ...(takesReason(tool) && reasonSchema) },
      required,
      {
        output: { ...output, ...(isChange(tool) && { confirmation: { type: 'object' } }) },
        reads: tool.risk === 'read',
        destroys: tool.risk === 'destroy' || tool.raisedBy !== undefined,
        ...{ repeats: tool.resend, open: true },
      },
    ),
  };
}

/** @param isNames true for the members of `properties`: field names of the platform, which may look like schema words */
function slim(schema: unknown, isNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((member) => slim(member));
  if (!isRecord(schema)) return schema;
  const { anyOf, ...rest } = schema;
  const [own, none, ...more] = Array.isArray(anyOf) ? (anyOf as Fields[]) : [];
  // A value or null is written as its one type. `nullable` is what OpenAPI has for it: some clients drop a whole tool for
  // a union or a list of types.
  const isNullable = !isNames && own !== undefined && none?.type === 'null' && more.length === 0;
  const entries = Object.entries(isNullable ? { ...rest, ...own, nullable: true } : schema);
  const kept = entries.filter(([key]) => isNames || LISTED.has(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, slim(member, !isNames && key === 'properties')]));
}

/**
 * A schema that names the members of an answer and accepts any value for them. The platform sends other types than it
 * documents, and a client that validates would reject the whole answer for one unexpected value.
 */
function loose(schema: unknown): Partial<ObjectSchema> {
  const { anyOf, oneOf, allOf, properties, items } = recordOf(schema);
  const variants: unknown = anyOf ?? oneOf ?? allOf;
  if (Array.isArray(variants)) return variants.map(loose).find((one) => 'properties' in one || 'items' in one) ?? {};
  const members = isRecord(properties) && Object.entries(properties).map(([name, one]) => [name, loose(one)]);
  return {
    ...(members && { properties: Object.fromEntries(members) }),
    ...(isRecord(items) && { items: loose(items) }),
  };
}

/** Most tools that one error names. */
const MAX_NAMED = 3;

/** The name of an operation in a sentence. */
const OPERATION = /\b[a-z]+\d*(?:_[a-z\d]+)+\b/g;

/**
 * The failure with next steps that its assistant can take: the tools that find the ids and numbers which the call gave
 * wrongly or left out, and those of its own sentences that a person must run.
 *
 * @param offer the tools that the assistant may call
 */
export function withNextSteps(
  failure: Failure,
  { tool, input }: { tool: Tool | undefined; input: Fields },
  gate: Pick<Gate, 'tool'>,
  offer: { has(id: string): boolean },
): Failure {
  const { code, message, field: wrong, next: own } = failure;
  const isMissing = code === 'not_found' || code === 'bad_request';
  const { fields = isMissing && wrong !== undefined ? [{ field: wrong }] : [] } = failure;
  const mayFind = isMissing || (code === 'invalid_input' && own === undefined);
  const texts = (mayFind ? fields : []).flatMap(({ field }) => {
    const found = tool && finderAt(fieldsOf(tool), input, field);
    const [finder = ''] = found?.split(' ') ?? [];
    return found && offer.has(finder) && !plainText(message).includes(finder) ? [found] : [];
  });
  const named = [...new Set(texts)].slice(0, MAX_NAMED);
  const next = named.length === 0 ? own : joined([own, named.join(' ')]);
  // That an operation is not offered is all that such an error says.
  const said = code === 'forbidden_by_role' ? '' : plainText(withoutQuotes(joined([message, next])));
  const others = [...new Set(said.match(OPERATION) ?? [])].filter((id) => gate.tool(id) && !offer.has(id));
  const steps = others.length === 0 ? next : joined([next, notOffered(others)]);
  return steps === own ? failure : { ...failure, ...defined({ next: steps }) };
}

/** Says that a person must run these operations. */
export function notOffered(ids: readonly string[]): string {
  return `Not offered to you: ${ids.join(', ')}. Tell the person, who can run ${ids.length === 1 ? 'it' : 'them'} in Slack or at the terminal.`;
}

/** The tool that finds what belongs into the field at a path such as "PhoneNumbers.0.Number"; undefined if there is none. */
function finderAt(fields: readonly Field[], input: Fields, path: string): string | undefined {
  const parts = path.split('.');
  const [top, ...rest] = parts.filter((part) => !/^\d+$/.test(part));
  const first = fields.find(({ name }) => name === top);
  const field = rest.reduce((found, name) => found?.fields?.find((member) => member.name === name), first);
  if (field?.kind !== 'phone')
    // Webhooks and workgroups share a prefix; the last one of a field tells them apart.
    return finders[field?.ids?.at(-1) ?? ''] ?? finders[field?.ids?.[0] ?? ''];
  // A plain value stands for a row with one member.
  const inner = (at: unknown, key: string) => (typeof at === 'string' ? at : (at as Fields | null | undefined)?.[key]);
  const value = parts.reduce<unknown>(inner, input);
  return typeof value === 'string' && value !== '' ? finders.phone : undefined;
}

/** The types of blocks that Slackbot shows and that Switchboard uses. */
export const SLACKBOT_TYPES: ReadonlySet<string> = new Set('context divider header rich_text section table'.split(' '));

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
  const { slack } = recordOf(recordOf(params)._meta);
  const { user_id: user, team_id: team, enterprise_id: org, channel_id: channel } = recordOf(slack);
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
