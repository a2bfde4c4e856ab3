import type { ListedTool } from './listed.ts';

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
