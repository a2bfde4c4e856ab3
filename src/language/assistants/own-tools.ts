import { type Batched, MOST_ROWS } from '../../catalogue/change.ts';
import type { Risk } from '../../catalogue/risk.ts';
import type { Fields } from '../../lib/values.ts';

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

/** The argument by which a caller says why. It is no part of the change. */
export const REASON = 'Reason';
/** Its schema. It is in every tool that changes something, so it has no more than it must. */
export const reasonSchema = { [REASON]: { type: 'string' } } as const;

/**
 * A tool that is no operation.
 *
 * @param input the properties of its input, of which `required` must be given
 * @param more.repeats true if a second call does no more than the first
 * @param more.open true if it reaches the platform
 */
export function toolOf(
  [name, title, description]: readonly [name: string, title: string, description: string],
  input: Record<string, object>,
  required: readonly string[],
  {
    output,
    ...hints
  }: { output: Record<string, object> } & Partial<Record<'reads' | 'destroys' | 'repeats' | 'open', boolean>>,
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
      readOnlyHint: hints.reads ?? false,
      destructiveHint: hints.destroys ?? false,
      idempotentHint: hints.repeats ?? false,
      openWorldHint: hints.open ?? false,
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

/* The tools for one operation over a list of rows. They are offered if an offered operation can run as a batch. */

const batch = { type: 'object' } as const;
const id = { type: 'string' } as const;

/** Plans a batch and asks for its yes. */
export const batchesCreate = toolOf(
  [
    'batches_create',
    'Create a batch',
    'One operation over 2 to 500 rows, one yes. Numbers, or Rows: objects with what differs, Number or id included; Fields: what all share. Or RestOf: a batch id, for its rest. For PhoneNumbers too where lines differ. Then batches_get.',
  ],
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
export const batchesGet = toolOf(
  ['batches_get', 'State of a batch', 'Its state; with Page, 100 rows.'],
  { id, Page: { type: 'integer' } },
  ['id'],
  { output: { batch, rows: { type: 'array' } }, reads: true, repeats: true, open: true },
);

/** Ends a batch. */
export const batchesStop = toolOf(
  ['batches_stop', 'Stop a batch', 'Ends a batch. What is done stays done.'],
  { id },
  ['id'],
  {
    output: { batch },
    repeats: true,
    open: true,
  },
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
export const confirmationsGet = toolOf(
  [
    'confirmations_get',
    'State of a confirmation',
    'State and result of a call that waited for a person or whose outcome is unknown, by its act_ id, or ids. Once done, with its lines as they are now.',
  ],
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
  [
    'confirmations_withdraw',
    'Withdraw a request',
    'Takes back your own call that still waits for a person. To change one, call its operation again with the new values.',
  ],
  { id },
  ['id'],
  { output: state, repeats: true },
);

export const confirmationTools: readonly ListedTool['tool'][] = [confirmationsGet, confirmationsWithdraw];
