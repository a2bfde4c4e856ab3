import { MOST_ROWS } from '../../batches/rows.ts';
import { type ListedTool, REASON, reasonSchema, toolOf } from './listed.ts';

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
