import { type ListedTool, REASON, reasonSchema } from './listed.ts';

/* The tools for one operation over a list of rows. They are offered if an offered operation can run as a batch. */

const batch = { type: 'object' } as const;

/** Plans a batch and asks for its yes. */
export const batchesCreate: ListedTool['tool'] = {
  name: 'batches_create',
  title: 'Create a batch',
  description:
    'One operation over 2 to 500 rows, one yes. Numbers, or Rows: objects with what differs, Number or id included; Fields: what all share. Or RestOf: a batch id, for its rest. Not needed where PhoneNumbers takes the list. Then batches_get.',
  inputSchema: {
    type: 'object',
    properties: {
      Operation: { type: 'string' },
      Numbers: { type: 'array', items: { type: 'string' } },
      Rows: { type: 'array', items: { type: 'object' } },
      Fields: { type: 'object' },
      RestOf: { type: 'string' },
      ...reasonSchema,
    },
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { batch, confirmation: { type: 'object' } } },
  annotations: {
    title: 'Create a batch',
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  },
};

/** The state of a batch and a page of its rows. */
export const batchesGet: ListedTool['tool'] = {
  name: 'batches_get',
  title: 'State of a batch',
  description: 'Its state; with Page, 100 rows.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, Page: { type: 'integer' } },
    required: ['id'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { batch, rows: { type: 'array' } } },
  annotations: {
    title: 'State of a batch',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
};

/** Ends a batch. */
const batchesStop: ListedTool['tool'] = {
  name: 'batches_stop',
  title: 'Stop a batch',
  description: 'Ends a batch. What is done stays done.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { batch } },
  annotations: {
    title: 'Stop a batch',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
};

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
  const Operation = { type: 'string', enum: operations.map(({ id }) => id) };
  const properties = { ...common, Operation, ...(asks && { [REASON]: reason }) };
  const create = { ...batchesCreate, inputSchema: { ...inputSchema, properties } };
  return canStop ? [create, batchesGet, batchesStop] : [create, batchesGet];
}

/* The tools about calls that wait for a person. They are offered if any offered tool can wait. */

const state = {
  id: { type: 'string' },
  status: {
    type: 'string',
    enum: ['pending', 'running', 'done', 'partly', 'failed', 'unknown', 'declined', 'expired'],
  },
} as const;

/** Follows up calls that wait for a person. */
export const confirmationsGet: ListedTool['tool'] = {
  name: 'confirmations_get',
  title: 'State of a confirmation',
  description:
    'State and result of a call that waited for a person or whose outcome is unknown, by its act_ id, or of up to 20 ids.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, ids: { type: 'array', items: { type: 'string' } } },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      ...state,
      decidedBy: { type: 'string' },
      result: { type: 'object' },
      error: { type: 'object' },
      confirmations: { type: 'array' },
    },
  },
  annotations: {
    title: 'State of a confirmation',
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
};

/** Takes back a call of the same requester. It needs no yes, because nothing has been sent. */
export const confirmationsWithdraw: ListedTool['tool'] = {
  name: 'confirmations_withdraw',
  title: 'Withdraw a request',
  description:
    'Takes back your own call that still waits for a person. To change one, call its operation again with the new values.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' } },
    required: ['id'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: state },
  annotations: {
    title: 'Withdraw a request',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: false,
  },
};

export const confirmationTools: readonly ListedTool['tool'][] = [confirmationsGet, confirmationsWithdraw];
