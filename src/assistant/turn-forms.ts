import { fieldsOf } from '../catalogue/fields.ts';
import { mayAsk } from '../catalogue/offered.ts';
import { isChange, type Tool } from '../catalogue/operation.ts';
import type { Gate } from '../gate/gate.ts';
import type { Actor } from '../lib/actor.ts';
import { invalidInput } from '../lib/errors.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { hasPlaceholder } from '../lib/placeholders.ts';
import { formOpen } from './conversation-tools.ts';

/** A form that the model hands to the writer. */
interface Form {
  operation: Tool;
  /** The values of the model, without secrets and without what it could not know. */
  values: Fields;
  /** False if the writer's role may not ask for this change. */
  isAllowed: boolean;
}

/** Reads a call of `form_open`. Throws `invalid_input` for an operation or a field that does not exist. */
export function formOf(input: Fields, { gate, writer }: { gate: Gate; writer: Actor }): Form {
  const { Operation, Input = {} } = input;
  const extra = Object.keys(input).find((name) => name !== 'Operation' && name !== 'Input');
  if (extra !== undefined)
    throw invalidInput(extra, `${extra}: is not a field of ${formOpen.name}; the fields are Operation, Input.`);
  const tool = typeof Operation === 'string' ? gate.tool(Operation) : undefined;
  if (!tool || !(isChange(tool) || tool.risk === 'read'))
    throw invalidInput('Operation', 'Operation: there is no such operation; find it with search.');
  if (!isRecord(Input)) throw invalidInput('Input', "Input: must be an object of the operation's fields.");
  const fields = fieldsOf(tool);
  const unknown = Object.keys(Input).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined)
    throw invalidInput(
      unknown,
      `${unknown}: is not a field of ${tool.id}; the fields are ${fields.map(({ name }) => name).join(', ')}.`,
    );
  const entries = Object.entries(Input).filter(([name, value]) => {
    const field = fields.find((one) => one.name === name);
    return value !== undefined && field?.secret !== true && !hasPlaceholder(value);
  });
  return { operation: tool, values: Object.fromEntries(entries), isAllowed: mayAsk(writer.role, tool) };
}
