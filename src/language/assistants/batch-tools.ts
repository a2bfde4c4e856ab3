import type { ListedTool } from './listed.ts';

/* The tools for one operation over a list of rows. They are offered if an offered operation can run as a batch. */

const batch = { type: 'object' } as const;

/** Plans a batch and asks for its yes. */
export const batchesCreate: ListedTool['tool'] = {
  name: 'batches_create',
  title: 'Create a batch',
  description:
    'One operation over 1 to 500 rows, one yes. Numbers, or Rows if more differs; Fields are shared. Or Again: a batch id, for what it has not done. Follow with batches_get.',
  inputSchema: {
    type: 'object',
    properties: {
      Operation: { type: 'string' },
      Numbers: { type: 'array', items: { type: 'string' } },
      Rows: { type: 'array', items: {} },
      Fields: { type: 'object' },
      Again: { type: 'string' },
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
    properties: { id: { type: 'string' }, Page: {} },
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

/** Pauses, resumes or stops a batch. */
const batchesControl: ListedTool['tool'] = {
  name: 'batches_control',
  title: 'Control a batch',
  description: 'Acts on a batch.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, Action: { enum: ['pause', 'resume', 'stop'] } },
    required: ['id', 'Action'],
    additionalProperties: false,
  },
  outputSchema: { type: 'object', properties: { batch } },
  annotations: {
    title: 'Control a batch',
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  },
};

export const batchTools: readonly ListedTool['tool'][] = [batchesCreate, batchesGet, batchesControl];
