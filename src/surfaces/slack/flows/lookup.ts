import { findPhoneNumbersInText } from 'libphonenumber-js/min';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { button, type Element } from '../blocks/text.ts';
import { IDS } from '../ids.ts';
import type { SlackContext, SlackGroup } from '../types.ts';

/** What the short lookup command runs, and its one field; derived from the groups. */
export interface Lookup {
  tool: Tool;
  field: string;
  /** The command's word: the group's in the singular. */
  word: string;
}

export function lookups(tools: readonly Tool[], groups: Readonly<Record<string, { lookup?: string }>>): Lookup[] {
  return Object.entries(groups).flatMap(([group, { lookup }]) => {
    const tool = tools.find((candidate) => candidate.id === lookup);
    const field = tool && fieldsOf(tool).find((candidate) => candidate.required);
    return tool && field ? [{ tool, field: field.name, word: group.replace(/s$/, '') }] : [];
  });
}

/** The name of the phone field where this operation is the lookup of its group. */
export function lookupOf(slack: SlackContext, tool: Tool): string | undefined {
  return lookups(slack.tools, slack.groups).find((lookup) => lookup.tool.id === tool.id)?.field;
}

/** A button under a number. */
export interface Step {
  tool: Tool;
  label: string;
  given: Readonly<Record<string, unknown>>;
  /** Pressed is done, without a form. */
  atOnce: boolean;
}

/** What can be done with a number: every operation with a required field that a number fills. */
export function nextFor(
  slack: SlackContext,
  state: string,
  watched: boolean,
): { first: Step[]; next: { group: string; tools: Tool[] }[] } {
  const fitting = slack.tools.filter((tool) => phoneField(tool) && lookupOf(slack, tool) === undefined);
  const next = Object.entries(slack.groups).map(([name, { title }]) => ({
    group: title,
    tools: fitting.filter((tool) => tool.group === name),
  }));
  const first = Object.values(slack.groups).flatMap((group) => stepsOf(slack, group.next ?? [], state, watched));
  return { first, next: next.filter(({ tools }) => tools.length > 0) };
}

/** Steps of the catalogue that fit a number in this state. */
export function stepsOf(
  slack: SlackContext,
  wanted: NonNullable<SlackGroup['next']>,
  state: string,
  watched?: boolean,
): Step[] {
  return wanted.flatMap(({ operation, states, label, given = {}, atOnce = false, watched: only }) => {
    if (only !== undefined && watched !== undefined && only !== watched) return [];
    const tool = slack.tools.find((candidate) => candidate.id === operation);
    if (!tool || !(states === undefined || states.some((prefix) => state.startsWith(prefix)))) return [];
    return [{ tool, label: label ?? tool.title, given, atOnce }];
  });
}

/** The required field of an operation that a phone number fills. */
export function phoneField(tool: Tool): Field | undefined {
  return fieldsOf(tool).find((field) => field.required && holdsPhone(field));
}

/** Its button: done at once, or its form. */
export function stepButton(step: Step, phone: string, at: number, account?: string): Element {
  // A distributor with several accounts must name one; the number's own is the right one.
  const owned = account !== undefined && 'AccountId' in step.tool.input.shape ? { AccountId: account } : {};
  const value = `${step.tool.id}|${JSON.stringify({ ...inputWith(step.tool, phone), ...owned, ...step.given })}`;
  const id = step.atOnce ? IDS.run : IDS.fill;
  return button(`${id}_${at}`, step.label, value);
}

function holdsPhone(field: Field): boolean {
  if (field.kind === 'phone') return true;
  if (field.kind === 'list') return field.items?.kind === 'phone';
  return field.kind === 'rows' && field.fields?.length === 1 && field.fields[0]?.kind === 'phone';
}

/** An input with the number in its place. */
export function inputWith(tool: Tool, phone: string): Record<string, unknown> {
  const field = phoneField(tool) ?? fieldsOf(tool).find(holdsPhone);
  if (!field) return {};
  const member = field.fields?.[0]?.name;
  const value = field.kind === 'phone' ? phone : field.kind === 'list' ? [phone] : [{ [member ?? 'Number']: phone }];
  return { [field.name]: value };
}

/** The phone numbers of a message, each once, in their order. */
export function numbersIn(text: string): string[] {
  const found = findPhoneNumbersInText(text.slice(0, 20_000), 'US').map(({ number }) => String(number.number));
  return [...new Set(found)];
}
