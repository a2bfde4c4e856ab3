// The behaviour of Slack's client with forms: initial values, entered values, and the checks before it submits a form.

import { defined, type Fields, isRecord, parseUrl } from '../../lib/values.ts';
import { optionsOf } from './elements.ts';
import type { State } from './state.ts';
import { type Message, objects, str, textOf, type View } from './types.ts';

/** A value that a person enters: text, an option's value, several of them, or Slack's own state object. */
export type Given = string | number | boolean | null | string[] | Fields;

/** Thrown for something that Slack's client would not let the person do. */
export class ClientRefusal extends Error {}

function blocksOf(holder: View | Message): Fields[] {
  const top = 'definition' in holder ? objects(holder.definition.blocks) : holder.blocks;
  return top.flatMap((block) => [
    block,
    ...objects(block.child_blocks),
    ...(block.type === 'carousel' ? objects(block.elements) : []),
  ]);
}

function elementsOf(block: Fields): Fields[] {
  const lists = [block.type === 'carousel' ? [] : block.elements, [block.accessory, block.element], block.actions];
  return lists.flatMap(objects).filter((element) => str(element.action_id) !== undefined);
}

export interface Spot {
  block: Fields;
  element: Fields;
  key: string;
}

export function spots(holder: View | Message): Spot[] {
  return blocksOf(holder).flatMap((block) =>
    elementsOf(block).map((element) => ({ block, element, key: `${block.block_id}/${element.action_id}` })),
  );
}

export function locate(holder: View | Message, actionId: string, blockId?: string): Spot {
  const found = spots(holder).filter(
    ({ block, element }) => element.action_id === actionId && (blockId === undefined || block.block_id === blockId),
  );
  const [spot] = found;
  if (!spot) throw new ClientRefusal(`there is no element with action_id ${actionId} here`);
  if (found.length > 1) throw new ClientRefusal(`several elements have action_id ${actionId}: give blockId`);
  return spot;
}

const PLURAL = /^(checkboxes|multi_)/;
/** The member of an element's state that holds its value, and the one of the element that holds the initial one. */
function slot(type: string): { state: string; initial: string } | undefined {
  switch (type.replace(/^multi_/, '')) {
    case 'plain_text_input':
    case 'email_text_input':
    case 'url_text_input':
    case 'number_input':
      return { state: 'value', initial: 'initial_value' };
    case 'rich_text_input':
      return { state: 'rich_text_value', initial: 'initial_value' };
    case 'datepicker':
      return { state: 'selected_date', initial: 'initial_date' };
    case 'timepicker':
      return { state: 'selected_time', initial: 'initial_time' };
    case 'datetimepicker':
      return { state: 'selected_date_time', initial: 'initial_date_time' };
    case 'radio_buttons':
      return { state: 'selected_option', initial: 'initial_option' };
    case 'checkboxes':
      return { state: 'selected_options', initial: 'initial_options' };
    case 'static_select':
    case 'external_select':
      return PLURAL.test(type)
        ? { state: 'selected_options', initial: 'initial_options' }
        : { state: 'selected_option', initial: 'initial_option' };
    case 'users_select':
      return PLURAL.test(type)
        ? { state: 'selected_users', initial: 'initial_users' }
        : { state: 'selected_user', initial: 'initial_user' };
    case 'channels_select':
      return PLURAL.test(type)
        ? { state: 'selected_channels', initial: 'initial_channels' }
        : { state: 'selected_channel', initial: 'initial_channel' };
    case 'conversations_select':
      return PLURAL.test(type)
        ? { state: 'selected_conversations', initial: 'initial_conversations' }
        : { state: 'selected_conversation', initial: 'initial_conversation' };
    case 'file_input':
      return { state: 'files', initial: 'initial_files' };
    default:
      return undefined;
  }
}

/**
 * Returns the state of one element: the entered value, or else its initial value; undefined for buttons and the like.
 */
function stateOf(holder: View | Message, spot: Spot): Fields | undefined {
  const type = String(spot.element.type);
  const where = slot(type);
  if (!where) return undefined;
  const entered = holder.entered.get(spot.key);
  if (entered && entered.type === type) return entered;
  const fallback = PLURAL.test(type) || type === 'file_input' ? [] : null;
  return { type, [where.state]: spot.element[where.initial] ?? fallback };
}

export function stateValues(_state: State, holder: View | Message): Record<string, Fields> {
  const values: Record<string, Fields> = {};
  for (const spot of spots(holder)) {
    const value = stateOf(holder, spot);
    if (!value) continue;
    const block = String(spot.block.block_id);
    values[block] = { ...values[block], [String(spot.element.action_id)]: value };
  }
  return values;
}

/** The options that a typeahead returned, by element. A person can pick only from these. */
const offered = new WeakMap<View | Message, Map<string, Fields[]>>();

export function offer(holder: View | Message, key: string, options: Fields[]): void {
  const known = offered.get(holder) ?? new Map<string, Fields[]>();
  known.set(key, [...(known.get(key) ?? []), ...options]);
  offered.set(holder, known);
}

function pick(holder: View | Message, spot: Spot, value: unknown): Fields {
  const external = String(spot.element.type).includes('external_select');
  const initial = [...objects([spot.element.initial_option]), ...objects(spot.element.initial_options)];
  const options = external ? [...(offered.get(holder)?.get(spot.key) ?? []), ...initial] : optionsOf(spot.element);
  const wanted = isRecord(value) ? value.value : value;
  const found = options.find((option) => option.value === wanted) ?? options.find((o) => textOf(o.text) === wanted);
  if (!found) {
    const hint = external ? ' (ask with suggest first)' : '';
    throw new ClientRefusal(`${spot.element.action_id} offers no option ${JSON.stringify(wanted)}${hint}`);
  }
  return found;
}

/** Converts a person's input to the element's state object. */
export function entered(holder: View | Message, spot: Spot, given: Given): Fields {
  const type = String(spot.element.type);
  const where = slot(type);
  if (!where) throw new ClientRefusal(`${spot.element.action_id} takes no value`);
  if (isRecord(given) && given.type === type) return given;
  const empty = given === null || given === '';
  if (PLURAL.test(type)) {
    const list = Array.isArray(given) ? given : empty ? [] : [given];
    const max = spot.element.max_selected_items;
    if (typeof max === 'number' && list.length > max) throw new ClientRefusal(`at most ${max} can be selected`);
    const chosen = where.state === 'selected_options' ? list.map((value) => pick(holder, spot, value)) : list;
    return { type, [where.state]: chosen };
  }
  if (where.state === 'selected_option') return { type, selected_option: empty ? null : pick(holder, spot, given) };
  if (where.state === 'selected_date_time') return { type, selected_date_time: empty ? null : Number(given) };
  if (where.state === 'rich_text_value') return { type, rich_text_value: given };
  return { type, [where.state]: empty ? null : String(given) };
}

/** Enters values given by block id, action id, or `block/action`. */
export function enterAll(holder: View | Message, values: Record<string, Given>): void {
  for (const [name, given] of Object.entries(values)) {
    const [spot, second] = spots(holder).filter(
      ({ block, element, key }) =>
        slot(String(element.type)) && (key === name || block.block_id === name || element.action_id === name),
    );
    if (!spot) throw new ClientRefusal(`the form has no field ${name}`);
    if (second) throw new ClientRefusal(`the form has several fields ${name}: give block_id/action_id`);
    holder.entered.set(spot.key, entered(holder, spot, given));
  }
}

function isEmpty(value: Fields | undefined): boolean {
  if (!value) return true;
  return Object.entries(value).every(
    ([name, part]) => name === 'type' || part === null || part === '' || (Array.isArray(part) && part.length === 0),
  );
}

/** Returns the errors for which Slack's client would keep the form open, by block id. */
export function formErrors(view: View): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const spot of spots(view)) {
    if (spot.block.type !== 'input') continue;
    const value = stateOf(view, spot);
    const problem = isEmpty(value)
      ? spot.block.optional === true
        ? undefined
        : 'Please complete this required field.'
      : valueError(spot.element, value);
    if (problem) errors[String(spot.block.block_id)] = problem;
  }
  return errors;
}

function valueError(element: Fields, state: Fields | undefined): string | undefined {
  const value = str(state?.value);
  if (value === undefined) return undefined;
  switch (element.type) {
    case 'plain_text_input': {
      const least = typeof element.min_length === 'number' ? element.min_length : 0;
      const most = typeof element.max_length === 'number' ? element.max_length : 3000;
      if (value.length < least) return `Please enter at least ${least} characters.`;
      if (value.length > most) return `Please enter no more than ${most} characters.`;
      return undefined;
    }
    case 'email_text_input':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : 'Please enter a valid email address.';
    case 'url_text_input':
      return parseUrl(value) ? undefined : 'Please enter a valid URL.';
    case 'number_input': {
      const number = Number(value);
      if (Number.isNaN(number) || (element.is_decimal_allowed !== true && !Number.isInteger(number))) {
        return 'Please enter a valid number.';
      }
      if (element.min_value !== undefined && number < Number(element.min_value)) {
        return `Please enter a number of at least ${element.min_value}.`;
      }
      if (element.max_value !== undefined && number > Number(element.max_value)) {
        return `Please enter a number of at most ${element.max_value}.`;
      }
      return undefined;
    }
    default:
      return undefined;
  }
}

/** The `actions[0]` of a block_actions payload. */
export function actionOf(holder: View | Message, spot: Spot, given: Given | undefined): Fields {
  const { element, block } = spot;
  const base = { type: element.type, action_id: element.action_id, block_id: block.block_id };
  switch (element.type) {
    case 'button':
    case 'workflow_button':
      return {
        ...base,
        text: element.text,
        ...defined({ value: element.value, style: element.style, url: element.url }),
      };
    case 'overflow':
      return { ...base, selected_option: pick(holder, spot, given ?? null) };
    default: {
      if (given === undefined) throw new ClientRefusal(`${element.action_id} needs a value`);
      if (block.type === 'input' && block.dispatch_action !== true) {
        throw new ClientRefusal(`${element.action_id} dispatches no action`);
      }
      const value = entered(holder, spot, given);
      holder.entered.set(spot.key, value);
      return { ...base, ...value };
    }
  }
}
