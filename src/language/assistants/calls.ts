import { groups } from '../../../tools/groups.ts';
import { asSent, membersAsSent, outsideIn } from '../../catalogue/input.ts';
import { isTransient } from '../../gate/batch-rows.ts';
import { exclusiveOf } from '../../gate/change.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import type { Confirmation, Gate, Performed } from '../../gate/gate.ts';
import type { Action } from '../../ledger/ledger.ts';
import type { Actor } from '../../lib/actor.ts';
import { type Failure, invalidInput } from '../../lib/errors.ts';
import { defined, type Fields, isRecord, recordOf } from '../../lib/values.ts';
import { faceOf, outcomeOf, partlyOutcome } from '../outcome.ts';
import { batchCall, requireFields, textIn } from './batch-calls.ts';
import { reasonedInput, withNextSteps, withoutReason } from './listed.ts';
import type { Caller, Offer, ToolCall, ToolResult } from './offer.ts';
import { batchTools, confirmationsWithdraw, confirmationTools, discoverTools, MOST_IDS, REASON } from './own-tools.ts';
import {
  addChanged,
  addConfirmed,
  addPartly,
  bounded,
  failureOf,
  forAssistant,
  markOutside,
  outsideInConfirmation,
  pendingConfirmation,
  stateTexts,
  success,
  tell,
  waitingTexts,
} from './results.ts';

/* The tool calls of an assistant, over MCP and in a conversation: from what it calls to the result. */

/** The call that is meant: that of the operation which `call` names, with its fields as they were sent. */
export function calledBy(name: string, given: Fields, offer: Offer): ToolCall {
  const input = toolInput(name, given);
  if (!offer.lists(name) || !discoverTools.some((tool) => tool.name === name)) return { name, input };
  // Some models name the fields as the protocol does.
  const { arguments: alias, ...own } = input;
  requireFields(name, own, Object.keys(BESIDE.get(name)?.inputSchema.properties ?? {}));
  if (name !== 'call') return { name, input };
  const operation = textIn(input, 'operation');
  if (operation === 'call') throw invalidInput('operation', 'operation: must be an operation.');
  const { reason } = withoutReason(input);
  const takes = reason !== undefined && offer.takesReason(operation);
  const members = input.input ?? asSent({ type: 'object' }, alias ?? undefined);
  if (!isRecord(members)) {
    const isText = typeof members === 'string' ? 'is a text that is not the JSON of an object' : 'is no object';
    const wrong = members === undefined ? 'is missing' : isText;
    throw invalidInput('input', `input: ${wrong}; give the operation's fields as an object.`);
  }
  return { name: operation, input: toolInput(operation, { ...(takes && { [REASON]: reason }), ...members }) };
}

/** Carries out a call. Rejects if it is refused or fails. */
export async function runCall<More extends object = never>(
  call: ToolCall,
  caller: Caller<More>,
): Promise<ToolResult | More> {
  const { offer, actor, backend, perform } = caller;
  const { name, input } = call;
  if (isConfirmationTool(name) && offer.canWait) {
    const { gate } = await backend();
    requireFields(name, input, Object.keys(BESIDE.get(name)?.inputSchema.properties ?? {}));
    if (name !== confirmationsWithdraw.name)
      return input.ids === undefined ? stateOf(idIn(input.id), { gate, actor }) : statesOf(input, { gate, actor });
    const id = idIn(input.id);
    // Rejects for the question of another requester.
    await gate.follow(id, actor);
    await gate.withdraw(id, actor);
    return stateOf(id, { gate, actor }, 'Do not call it again unless the person wants it.');
  }
  if (offer.isBatchTool(name)) return batchCall(call, caller);
  if (name === 'search' && offer.lists(name)) return success(await offer.search(textIn(input, 'query', true)));
  if (name === 'describe' && offer.lists(name))
    return success(offer.describe(textIn(input, 'operation'), (await backend()).gate));
  offer.check(name);
  const { gate } = await backend();
  return perform({ id: name, ...reasonedInput(gate.tool(name), input) });
}

/**
 * The failure of a call, with the tools that find what the call lacks.
 *
 * @param given the call as it was made
 */
export async function failedCall(
  error: unknown,
  { name, input }: ToolCall,
  { offer, backend, onError }: Pick<Caller, 'offer' | 'backend'> & { onError?: ((error: unknown) => void) | undefined },
): Promise<{ operation: unknown; face: Failure }> {
  const face = failureOf(error, onError);
  const isNested = name === 'call' && offer.lists(name);
  const operation = isNested ? input.operation : name;
  // A backend that cannot be opened is what failed, so there is nothing to name.
  const gate = await backend().then(
    (opened) => opened.gate,
    () => undefined,
  );
  if (!gate) return { operation, face };
  const known = {
    tool: gate.tool(String(operation)),
    input: isNested ? recordOf(asSent({ type: 'object' }, input.input)) : input,
    has: (id: string) => offer.has(id),
    exists: (id: string) => gate.tool(id) !== undefined,
  };
  const isLost = known.tool?.risk === 'read' && face.effect === undefined && isTransient(face);
  return { operation, face: withNextSteps(isLost ? { ...face, effect: 'not_read' } : face, known) };
}

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
  addConfirmed(result, done.actionId === undefined ? undefined : await gate.actions.get(done.actionId), gate.tool(id));
  // The change of a batch is its plan. The answer about the batch says what its rows have changed.
  if (id !== BATCH_RUN) addChanged(result, done.change, done.from);
  if (done.once && done.actionId) {
    const where =
      gate.pageUrl(done.actionId) ??
      `/confirm/${done.actionId}, opened in a browser that "switchboard key" paired or an approver signed in to`;
    tell(result, `A secret was generated for the person who confirmed; it is shown once at ${where}.`);
  }
  return result;
}

/** The result of a call that waits for a person. */
export async function pendingAnswer(confirmation: Confirmation, gate: Gate): Promise<ToolResult> {
  const found = success({ confirmation: pendingConfirmation(confirmation) });
  const outside = await outsideInConfirmation(gate, confirmation, 'confirmation.');
  const action = await gate.actions.get(confirmation.id);
  tell(found, ...waitingTexts(confirmation, gate.tool(action?.operation ?? ''), action));
  return markOutside(outside, found);
}

/** The tools that are no operations, by name. */
const BESIDE = new Map([...batchTools, ...discoverTools, ...confirmationTools].map((tool) => [tool.name, tool]));

/** The input of a tool that is no operation, as its client means it. That of an operation is read with the operation. */
export function toolInput(name: string, given: Fields): Fields {
  const tool = BESIDE.get(name);
  return tool ? membersAsSent(tool.inputSchema, given) : given;
}

/* The results of the tools about calls that wait for a person, the same over MCP and in a conversation. */

/** The person who calls, and the gate. */
interface GateUser {
  gate: Gate;
  actor: Actor;
}

/** True for a tool of this file. */
export function isConfirmationTool(name: string): boolean {
  return confirmationTools.some((tool) => tool.name === name);
}

function idIn(value: unknown): string {
  if (typeof value !== 'string' || value === '') throw invalidInput('id', 'id: is missing; give it as a string.');
  if (value.startsWith('bat_'))
    throw invalidInput('id', 'id: is a batch; batches_get shows its state, and batches_stop stops it.');
  return value;
}

/** @param next the next step after an error, if it is not the usual one */
async function stateOf(id: string, caller: GateUser, next?: string): Promise<ToolResult> {
  const { gate } = caller;
  const followed = await gate.follow(id, caller.actor);
  const { error } = followed;
  const confirmation =
    next === undefined || error === undefined ? followed : { ...followed, error: { ...error, next } };
  const shown = shownOf(confirmation);
  const action = await endedIn(confirmation, gate);
  const after = action && (await linesNow([action], caller));
  const found = success({ ...forAssistant(shown), ...defined({ now: after?.now }) });
  if (after && after.now === undefined) tell(found, 'Its lines could not be read again.');
  if (action?.state === 'partly') addPartly(found, outcomeOf(action, gate.tool(action.operation)));
  addConfirmed(found, action, gate.tool(action?.operation ?? ''));
  const until = confirmation.status === 'unknown' ? await gate.workedUntil(id) : undefined;
  tell(found, ...stateTexts(confirmation, until, Date.now()));
  return markOutside([...(await outsideInConfirmation(gate, shown)), ...(after?.outside ?? [])], found);
}

/** Most lines that are read again. */
const MOST_AFTER = 20;

/** The lines of changes as they are after them; without `now` if they cannot be read. Undefined if they are of no few lines. */
async function linesNow(actions: readonly Action[], { gate, actor }: GateUser) {
  const { lookup } = groups.numbers ?? {};
  const named = actions.flatMap(({ operation, shown, known, result }) => {
    const tool = gate.tool(operation);
    return tool === undefined ? [] : [...exclusiveOf(tool, shown, known), result?.PhoneNumberAssigned];
  });
  const phones = named.filter((one): one is string => typeof one === 'string' && /^\+\d{7,15}$/.test(one));
  const PhoneNumbers = [...new Set(phones)];
  if (lookup === undefined || PhoneNumbers.length === 0 || PhoneNumbers.length > MOST_AFTER) return undefined;
  const done = await gate.perform(lookup, { PhoneNumbers }, actor).catch(() => undefined);
  if (done?.kind !== 'done') return { outside: [] };
  return { now: done.value, outside: outsideIn(gate.tool(lookup), done.value, 'now') };
}

/** The states of several calls. One that cannot be read has its error in its place. */
async function statesOf(input: Fields, caller: GateUser): Promise<ToolResult> {
  const { gate, actor } = caller;
  const { ids } = input;
  if (input.id !== undefined) throw invalidInput('ids', 'ids: give either id or ids.');
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > MOST_IDS)
    throw invalidInput('ids', `ids: give 1 to ${MOST_IDS} ids as an array.`);
  const marks: string[] = [];
  const confirmations: Fields[] = [];
  const ended: Action[] = [];
  for (const [i, value] of ids.entries()) {
    const id = idIn(value);
    try {
      const followed = await gate.follow(id, actor);
      const action = await endedIn(followed, gate);
      if (action) ended.push(action);
      const shown = shownOf(followed);
      confirmations.push(forAssistant(shown));
      marks.push(...(await outsideInConfirmation(gate, shown, `confirmations[${i}].`)));
    } catch (error) {
      confirmations.push({ id, error: faceOf(failureOf(error, undefined), 'assistant') });
    }
  }
  const after = await linesNow(ended, caller);
  const found = success({ confirmations, ...defined({ now: after?.now }) });
  return markOutside([...marks, ...(after?.outside ?? [])], found);
}

/** The action of a call that is done, at least in part. */
async function endedIn({ id, status }: Confirmation, gate: Gate): Promise<Action | undefined> {
  return status === 'done' || status === 'partly' ? gate.actions.get(id) : undefined;
}

function shownOf(confirmation: Confirmation): Pick<Confirmation, 'id'> & Partial<Confirmation> {
  const { id, status, headline, reason, decidedBy, decidedReason } = confirmation;
  const { requestedBy, requestedAt, result, error } = confirmation;
  return {
    id,
    status,
    ...defined({ headline, reason, decidedBy, decidedReason, requestedBy, requestedAt, result, error }),
  };
}
