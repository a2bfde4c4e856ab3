import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Confirmation, Gate } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { faceOf } from '../failure.ts';
import { outcomeOf } from '../outcome.ts';
import { confirmationsGet, confirmationsWithdraw, confirmationTools } from './confirmation-tools.ts';
import type { ToolResult } from './content.ts';
import {
  actionOf,
  addConfirmed,
  addPartly,
  addUnknown,
  addWaiting,
  failureOf,
  forAssistant,
  markOutside,
  outsideInConfirmation,
  success,
} from './results.ts';

/* The results of the tools about calls that wait for a person, the same over MCP and in a conversation. */

/** The person who calls, and the gate. */
interface Caller {
  gate: Gate;
  actor: Actor;
}

const MOST_IDS = 20;

/** True for a tool of this file. */
export function isConfirmationTool(name: string): boolean {
  return confirmationTools.some((tool) => tool.name === name);
}

/** The result of a tool about calls that wait for a person. */
export function confirmationAnswer(name: string, input: Fields, caller: Caller): Promise<ToolResult> {
  const fields = Object.keys(
    (name === confirmationsGet.name ? confirmationsGet : confirmationsWithdraw).inputSchema.properties ?? {},
  );
  const extra = Object.keys(input).find((key) => !fields.includes(key));
  if (extra !== undefined)
    throw invalidInput(extra, `${extra}: is not a field of ${name}; the fields are ${fields.join(', ')}.`);
  if (name === confirmationsWithdraw.name) return withdrawn(idIn(input.id), caller);
  return input.ids === undefined ? stateOf(idIn(input.id), caller) : statesOf(input, caller);
}

function idIn(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalidInput('id', 'id: is missing; give it as a string.');
  if (value.startsWith('bat_'))
    throw invalidInput('id', 'id: is a batch; batches_get shows its state, and batches_control stops it.');
  return value;
}

async function withdrawn(id: string, caller: Caller): Promise<ToolResult> {
  const { gate, actor } = caller;
  const asked = await gate.follow(id, actor);
  const action = await actionOf(gate, asked.id);
  if (action?.operation === BATCH_RUN)
    throw invalidInput(
      'id',
      `id: is the question of the batch ${String(action.shown.Batch)}; batches_control stops it.`,
    );
  await gate.withdraw(id, actor);
  return stateOf(id, caller);
}

async function stateOf(id: string, { gate, actor }: Caller): Promise<ToolResult> {
  const confirmation = await gate.follow(id, actor);
  const shown = shownOf(confirmation);
  const found = success(forAssistant(shown));
  const action = hasEnded(confirmation) ? await actionOf(gate, id) : undefined;
  if (action?.state === 'partly') addPartly(found, outcomeOf(action, gate.tool(action.operation)));
  addConfirmed(found, action);
  addWaiting(found, confirmation);
  if (confirmation.status === 'unknown') addUnknown(found, await gate.workedUntil(id), Date.now());
  return markOutside(await outsideInConfirmation(gate, shown), found);
}

/** The states of several calls. One that cannot be read has its error in its place. */
async function statesOf(input: Fields, { gate, actor }: Caller): Promise<ToolResult> {
  const { ids } = input;
  if (input.id !== undefined) throw invalidInput('ids', 'ids: give either id or ids.');
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MOST_IDS)
    throw invalidInput('ids', `ids: give 1 to ${MOST_IDS} ids as an array.`);
  const marks: string[] = [];
  const confirmations: Fields[] = [];
  for (const [i, value] of ids.entries()) {
    const id = idIn(value);
    try {
      const shown = shownOf(await gate.follow(id, actor));
      confirmations.push(forAssistant(shown));
      marks.push(...(await outsideInConfirmation(gate, shown, `confirmations[${i}].`)));
    } catch (error) {
      confirmations.push({ id, error: faceOf(failureOf(error, undefined), 'assistant') });
    }
  }
  return markOutside(marks, success({ confirmations }));
}

function hasEnded({ status }: Confirmation): boolean {
  return status === 'done' || status === 'partly';
}

function shownOf(confirmation: Confirmation): Pick<Confirmation, 'id'> & Partial<Confirmation> {
  const { id, status, reason, approvals, decidedBy, decidedReason } = confirmation;
  const { requestedBy, requestedAt, result, error } = confirmation;
  return {
    id,
    status,
    ...defined({ reason, approvals, decidedBy, decidedReason, requestedBy, requestedAt, result, error }),
  };
}
