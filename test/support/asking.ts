import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Gate } from '../../src/gate/gate.ts';
import type { BatchClient } from './batches.ts';
import { call, type Json, texts, value, type World } from './world.ts';

/* Calls of an assistant, the questions that they make, and what became of them. */

/** The question that a call over MCP makes. */
export async function asks(client: Client, operation: string, input: Record<string, unknown>): Promise<Json> {
  const result = await call(client, operation, input);
  if (result.isError) throw new Error(texts(result));
  return value(result).confirmation;
}

/** What became of a question, as its requester reads it. */
export const followed = async (client: Client, id: string): Promise<Json> =>
  value(await call(client, 'confirmations_get', { id }));

/** Makes a call at the terminal whose attempts all end with this fault. Returns the id of its action, which is unknown. */
export async function loses(world: World, operation: string, input: object, fault: object): Promise<string> {
  // The first attempt and its retries.
  await world.control('faults', { times: 5, ...fault });
  const ran = await world.cli([operation, '--json', JSON.stringify(input), '--yes']);
  const [action] = await world.runtime.gate.actions.list({ limit: 1, whole: true });
  if (ran.code !== 4 || action?.state !== 'unknown') throw new Error(`it is known how ${operation} ended`);
  return action.id;
}

/** The user of a client who says yes to every question. */
export const accepts = () => ({ action: 'accept', content: {} }) as const;

/** The id of the question that a call through the gate makes. */
export async function waits(gate: Gate, ...given: Parameters<Gate['perform']>): Promise<string> {
  const made = await gate.perform(...given);
  if (made.kind !== 'pending') throw new Error('it must wait');
  return made.action.id;
}

/** Waits for the end of a batch, whichever it is. `made`: what creating it answered. */
export const ends = (batches: BatchClient, made: Json): Promise<Json> =>
  batches.reaches(made.batch.id, 'done', 'partly', 'failed', 'stopped');

/** The face of a yes that comes after something that its question rested on has changed. */
export const CHANGED = { code: 'not_confirmed', reason: 'changed', outcome: 'not_done' };
