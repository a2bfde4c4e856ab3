import { membersAsSent } from '../../catalogue/input.ts';
import { outsideIn } from '../../catalogue/outside.ts';
import type { Confirmation, Gate, Performed } from '../../gate/gate.ts';
import type { Fields } from '../../lib/json.ts';
import { partlyOutcome } from '../outcome.ts';
import { batchTools } from './batch-tools.ts';
import { confirmationTools } from './confirmation-tools.ts';
import type { ToolResult } from './content.ts';
import { discoverTools } from './listed.ts';
import {
  actionOf,
  addChanged,
  addConfirmed,
  addCorrection,
  addNotes,
  addPartly,
  addRepeat,
  addReplaced,
  addRequester,
  bounded,
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
  const stands = gate.tool(id)?.answer?.stands?.(value);
  if (stands !== undefined) result.content.push({ type: 'text', text: `Done, ${stands}.` });
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
  const tool = gate.tool(action?.operation ?? '');
  addCorrection(found, confirmation, tool);
  addNotes(found, tool, action);
  return markOutside(outside, found);
}

/** The tools that are no operations, by name. */
const BESIDE = new Map([...batchTools, ...discoverTools, ...confirmationTools].map((tool) => [tool.name, tool]));

/** The input of a tool that is no operation, as its client means it. That of an operation is read with the operation. */
export function toolInput(name: string, given: Fields): Fields {
  const tool = BESIDE.get(name);
  return tool ? membersAsSent(tool.inputSchema, given) : given;
}
