import { outsideIn } from '../../catalogue/outside.ts';
import type { Confirmation, Gate, Performed } from '../../gate/gate.ts';
import type { Actor } from '../../lib/actor.ts';
import { invalidInput } from '../../lib/errors.ts';
import { defined, type Fields } from '../../lib/json.ts';
import { outcomeOf, partlyOutcome } from '../outcome.ts';
import type { ToolResult } from './content.ts';
import { confirmationsGet } from './listed.ts';
import {
  actionOf,
  addChanged,
  addConfirmed,
  addNotes,
  addPartly,
  addRepeat,
  addReplaced,
  addRequester,
  addWaiting,
  bounded,
  forAssistant,
  markOutside,
  outsideInConfirmation,
  pendingConfirmation,
  success,
} from './results.ts';

/* The results of tool calls for an assistant, the same over MCP and in a conversation. */

/** The result of a call that ran at once. */
export async function doneAnswer(
  id: string,
  done: Extract<Performed, { kind: 'done' }>,
  gate: Gate,
): Promise<ToolResult> {
  const { value, json } = bounded(gate, id, done.value);
  const result = markOutside(outsideIn(gate.tool(id), value), success(value, json));
  if (done.partly) addPartly(result, partlyOutcome(done.partly, done.value));
  addConfirmed(result, done.actionId === undefined ? undefined : await actionOf(gate, done.actionId));
  addChanged(result, done.change);
  if (done.once && done.actionId) {
    const where =
      gate.pageUrl(done.actionId) ??
      `/confirm/${done.actionId}, opened in a browser that "switchboard key" paired or an approver signed in to`;
    const text = `A secret was generated for the person who confirmed; it is shown once at ${where}.`;
    result.content.push({ type: 'text', text });
  }
  return result;
}

/** The result of a call that waits for a person. */
export async function pendingAnswer(confirmation: Confirmation, gate: Gate): Promise<ToolResult> {
  const found = success({ confirmation: pendingConfirmation(confirmation) });
  addRequester(found, confirmation);
  addRepeat(found, confirmation);
  addReplaced(found, confirmation);
  const outside = await outsideInConfirmation(gate, confirmation, 'confirmation.');
  const action = await actionOf(gate, confirmation.id);
  addNotes(found, gate.tool(action?.operation ?? ''), action);
  return markOutside(outside, found);
}

/** The result of `confirmations_get`: the state of a call that waited for a person. */
export async function confirmationAnswer(
  input: Fields,
  { gate, actor }: { gate: Gate; actor: Actor },
): Promise<ToolResult> {
  const extra = Object.keys(input).find((key) => key !== 'id');
  if (extra !== undefined)
    throw invalidInput(extra, `${extra}: is not a field of ${confirmationsGet.name}; the field is id.`);
  if (typeof input.id !== 'string' || input.id === '') throw invalidInput('id', 'id: is missing; give it as a string.');
  if (input.id.startsWith('bat_')) throw invalidInput('id', 'id: is a batch; batches_get shows its state.');
  const confirmation = await gate.follow(input.id, actor);
  const { id, status, reason, approvals, decidedBy, decidedReason, requestedBy, requestedAt, result, error } =
    confirmation;
  const shown = {
    id,
    status,
    ...defined({ reason, approvals, decidedBy, decidedReason, requestedBy, requestedAt, result, error }),
  };
  const found = success(forAssistant(shown));
  const ended = status === 'done' || status === 'partly';
  const action = ended ? await actionOf(gate, id) : undefined;
  if (action?.state === 'partly') addPartly(found, outcomeOf(action, gate.tool(action.operation)));
  addConfirmed(found, action);
  addWaiting(found, confirmation);
  return markOutside(await outsideInConfirmation(gate, shown), found);
}
