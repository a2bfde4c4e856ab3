import { asSent } from '../../catalogue/input.ts';
import { type Failure, invalidInput } from '../../lib/errors.ts';
import { type Fields, isRecord, recordOf } from '../../lib/json.ts';
import { confirmationAnswer, isConfirmationTool, toolInput } from './answers.ts';
import { textIn } from './batch-arguments.ts';
import { batchCall } from './batch-calls.ts';
import type { Caller, ToolCall } from './caller.ts';
import { withNextSteps } from './finders.ts';
import { REASON } from './listed.ts';
import type { Offer, ToolResult } from './offer.ts';
import { reasonedInput, withoutReason } from './reason.ts';
import { failureOf, success } from './results.ts';

/* The tool calls of an assistant, over MCP and in a conversation: from what it calls to the result. */

/** The call that is meant: that of the operation which `call` names, with its fields as they were sent. */
export function calledBy(name: string, given: Fields, offer: Offer): ToolCall {
  const input = toolInput(name, given);
  if (name !== 'call' || !offer.lists(name)) return { name, input };
  const operation = textIn(input, 'operation');
  if (operation === 'call') throw invalidInput('operation', 'operation: must be an operation.');
  const { reason } = withoutReason(input);
  const takes = reason !== undefined && offer.takesReason(operation);
  return {
    name: operation,
    input: toolInput(operation, { ...(takes && { [REASON]: reason }), ...membersIn(input) }),
  };
}

/** The operation's fields in `call`. Some models name them as the protocol does. */
function membersIn(input: Fields): Fields {
  const value = input.input ?? asSent({ type: 'object' }, input.arguments ?? undefined);
  if (isRecord(value)) return value;
  const wrong =
    value === undefined
      ? 'is missing'
      : typeof value === 'string'
        ? 'is a text that is not the JSON of an object'
        : 'is no object';
  throw invalidInput('input', `input: ${wrong}; give the operation's fields as an object.`);
}

/** Carries out a call. Rejects if it is refused or fails. */
export async function runCall<More extends object = never>(
  call: ToolCall,
  caller: Caller<More>,
): Promise<ToolResult | More> {
  const { offer, actor, backend, perform } = caller;
  const { name, input } = call;
  if (isConfirmationTool(name) && offer.canWait)
    return confirmationAnswer(name, input, { gate: (await backend()).gate, actor });
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
  return { operation, face: withNextSteps(face, known) };
}
