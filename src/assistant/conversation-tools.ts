import { TRAFFIC } from '../../tools/surfaces/guard.ts';
import type { ObjectSchema } from '../language/assistants/listed.ts';

/* The tools that only a conversation has, because they need the person who writes. */

/** A tool as the model gets it. */
export interface ModelTool {
  name: string;
  description: string;
  inputSchema: ObjectSchema;
}

/** Shows the writer a form that is filled in. */
export const formOpen: ModelTool = {
  name: 'form_open',
  description:
    'Hands the person the form of an operation, filled in with Input. For secrets (leave them out), for many fields, or for an operation that you may not call. Nothing is sent until the person sends the form. For a person who may not make the change, it names who can.',
  inputSchema: {
    type: 'object',
    properties: { Operation: { type: 'string' }, Input: { type: 'object' } },
    required: ['Operation'],
    additionalProperties: false,
  },
};

const numbers = { type: 'array', items: { type: 'string' } } as const;

/** Reads and changes the guardian filters of one number. */
export const guard: ModelTool = {
  name: 'guard',
  description:
    'Guardian filters of one number: who may text and call it. With PhoneNumber alone it reads what is in force. Otherwise it asks for the changes, filtering switched on first where it is off. Of, if only one kind of traffic is meant. Level per kind; Rules: the whole list of what is blocked.',
  inputSchema: {
    type: 'object',
    properties: {
      PhoneNumber: { type: 'string' },
      Of: { type: 'string', enum: TRAFFIC.map(({ name }) => name) },
      Block: numbers,
      Unblock: numbers,
      Allow: numbers,
      Disallow: numbers,
      MessageLevel: { type: 'string', enum: levelsOf('messages') },
      CallLevel: { type: 'string', enum: levelsOf('calls') },
      Rules: { type: 'array', items: { type: 'string', enum: rulesOf() } },
    },
    required: ['PhoneNumber'],
    additionalProperties: false,
  },
};

function levelsOf(name: string): string[] {
  return TRAFFIC.filter((traffic) => traffic.name === name).flatMap(({ levels }) => levels.map(([mode]) => mode));
}

function rulesOf(): string[] {
  return [...new Set(TRAFFIC.flatMap(({ rules }) => rules.map(([flag]) => flag)))];
}
