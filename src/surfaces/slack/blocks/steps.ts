import type { NextStep } from '../../../../tools/groups.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf, soleMember } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined, type Fields, recordOf, textOf } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { actions, type Block, button, cut, type Element, label, plain } from './text.ts';

/** A button under a number. */
export interface Step {
  tool: Tool;
  label: string;
  given: Readonly<Fields>;
  /** Runs when it is pressed, without a form. */
  atOnce: boolean;
  /** Opens the form of guardian filtering. */
  isGuard: boolean;
  /** Starts this guide with the number. */
  guide?: string;
}

/** Facts about a number that decide which steps fit it. */
export interface NumberFacts {
  /** Status as the platform spells it; empty if unknown. */
  state: string;
  watched?: boolean;
  /** The number's record. */
  record?: Fields;
}

/** The wanted steps that exist in the catalogue and fit this number. */
export function stepsFor(tools: readonly Tool[], wanted: readonly NextStep[], number: NumberFacts): Step[] {
  return wanted.flatMap((step) => {
    const tool = tools.find((candidate) => candidate.id === step.operation);
    if (!tool || !fitsNumber(step, number)) return [];
    const { label = tool.title, given = {}, atOnce = false, form, guide } = step;
    return [{ tool, label, given, atOnce, isGuard: form === 'guard', ...defined({ guide }) }];
  });
}

function fitsNumber({ states, watched, has }: NextStep, number: NumberFacts): boolean {
  if (watched !== undefined && number.watched !== undefined && watched !== number.watched) return false;
  if (has !== undefined && textOf(number.record?.[has]) === '') return false;
  return states === undefined || states.some((prefix) => number.state.startsWith(prefix));
}

/** The button of a step. `position` makes its action id unique within the message. */
export function stepButton(step: Step, phone: string, position: number, account?: string): Element {
  if (step.isGuard) return button(`${IDS.guard}_${position}`, step.label, phone);
  if (step.guide !== undefined) return button(`${IDS.guide}_${position}`, step.label, `${step.guide}|${phone}`);
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
  const member = soleMember(field)?.name;
  const value = field.kind === 'phone' ? phone : field.kind === 'list' ? [phone] : [{ [member ?? 'Number']: phone }];
  return { [field.name]: value };
}

function holdsPhone(field: Field): boolean {
  if (field.kind === 'phone') return true;
  if (field.kind === 'list') return field.items?.kind === 'phone';
  return field.kind === 'rows' && soleMember(field)?.kind === 'phone';
}

/** Buttons under a number. */
export interface StepRow {
  phone: string;
  /** The number's answer, whose account the steps are for. */
  value: Fields;
  /** The button that puts the worst trouble right. */
  fix: Element | undefined;
  /** Buttons of eSIM codes. */
  codes: readonly Element[];
  /** The most wanted first. */
  first: readonly Step[];
}

const MAX_STEPS = 5;

/** At most five buttons, the one that mends the trouble first. */
export function stepButtons({ fix, codes, first, phone, value }: StepRow): Block[] {
  const account = Object.values(value)
    .map((part) => textOf(recordOf(part).AccountId))
    .find((id) => id !== '');
  const steps = first.map((step, i) => stepButton(step, phone, i, account));
  // The codes of an eSIM follow the two most wanted steps.
  const elements = [...(fix ? [fix] : []), ...steps.slice(0, 2), ...codes, ...steps.slice(2)].slice(0, MAX_STEPS);
  return elements.length === 0 ? [] : [actions(`next:${phone}`, ...elements)];
}

/**
 * The menu of all operations that take a number, and the buttons of the answer itself.
 *
 * @param handle that of the stored answer; empty for a card without buttons
 */
export function moreActions(
  phone: string,
  next: readonly { group: string; tools: readonly Tool[] }[],
  handle: string | undefined,
): Block[] {
  const groups = next.map(({ group, tools }) => ({
    label: plain(group, 75),
    options: tools
      .slice(0, 100)
      .map((tool) => ({ text: plain(tool.title, 75), value: cut(`${tool.id}|${phone}`, 150) })),
  }));
  const menu = {
    type: 'static_select',
    action_id: IDS.nextMore,
    placeholder: label('More actions…', 150),
    option_groups: groups,
  };
  const elements = [
    ...(groups.length > 0 ? [menu] : []),
    ...(handle ? [button(IDS.page, 'Details', `${handle}|0`), button(IDS.share, 'Share', `${handle}|0`)] : []),
  ];
  return elements.length === 0 ? [] : [actions(`more:${phone}`, ...elements)];
}
