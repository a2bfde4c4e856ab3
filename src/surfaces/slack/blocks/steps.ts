import type { NextStep } from '../../../../tools/groups.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import type { Fields } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { button, type Element } from './text.ts';

/** A button under a number. */
export interface Step {
  tool: Tool;
  label: string;
  given: Readonly<Fields>;
  /** Runs when it is pressed, without a form. */
  atOnce: boolean;
}

/** The wanted steps that exist in the catalogue and fit a number in this state. */
export function stepsFor(
  tools: readonly Tool[],
  wanted: readonly NextStep[],
  number: { state: string; watched?: boolean },
): Step[] {
  return wanted.flatMap(({ operation, states, label, given = {}, atOnce = false, watched }) => {
    if (watched !== undefined && number.watched !== undefined && watched !== number.watched) return [];
    const tool = tools.find((candidate) => candidate.id === operation);
    if (!tool || !(states === undefined || states.some((prefix) => number.state.startsWith(prefix)))) return [];
    return [{ tool, label: label ?? tool.title, given, atOnce }];
  });
}

/** The button of a step. `position` makes its action id unique within the message. */
export function stepButton(step: Step, phone: string, position: number, account?: string): Element {
  // A distributor with several accounts must name one; the account of the number is the right one.
  const owner = account !== undefined && 'AccountId' in step.tool.input.shape ? { AccountId: account } : {};
  const value = `${step.tool.id}|${JSON.stringify({ ...inputWith(step.tool, phone), ...owner, ...step.given })}`;
  const id = step.atOnce ? IDS.run : IDS.fill;
  return button(`${id}_${position}`, step.label, value);
}

/** The required field of an operation that a phone number fills. */
export function phoneField(tool: Tool): Field | undefined {
  return fieldsOf(tool).find((field) => field.required && holdsPhone(field));
}

/** The input of an operation with the number in its field. */
export function inputWith(tool: Tool, phone: string): Fields {
  const field = phoneField(tool) ?? fieldsOf(tool).find(holdsPhone);
  if (!field) return {};
  const member = field.fields?.[0]?.name;
  const value = field.kind === 'phone' ? phone : field.kind === 'list' ? [phone] : [{ [member ?? 'Number']: phone }];
  return { [field.name]: value };
}

function holdsPhone(field: Field): boolean {
  if (field.kind === 'phone') return true;
  if (field.kind === 'list') return field.items?.kind === 'phone';
  return field.kind === 'rows' && field.fields?.length === 1 && field.fields[0]?.kind === 'phone';
}
