import type { Field } from '../../../catalogue/field-types.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceText } from '../../../language/member-words.ts';
import { waysToName } from '../../../language/typed-values.ts';
import { defined } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { choiceLabel, inFormWords, keywordLines, lineMembers, rowLines } from './form-lines.ts';
import type { FormInput } from './form-shape.ts';
import { type Block, cut, type Element, plain } from './text.ts';

/** Slack accepts 100 options in a menu. */
export const MAX_OPTIONS = 100;
/** Slack's field holds no more. */
export const MAX_TEXT = 3_000;
/** Slack accepts 10 boxes to tick. */
const MAX_BOXES = 10;
const YES = { text: plain('Yes', 75), value: 'true' };
const NO = { text: plain('No', 75), value: 'false' };
const NOT_SHOWN = 'Not shown again';

const KEYWORD_HINT = 'One word or phrase per line. How serious it is may follow after a colon, for example: word: HIGH';

/** A value to choose, and its text. */
export type Option = readonly [value: string, text: string];

/** The context of an input. */
export interface InputPlace {
  tool: Tool;
  /** Added to the name of the block. */
  mark?: string | undefined;
  /** The form depends on this choice, so Slack sends it at once. */
  decides?: boolean;
  reworded?: Reworder;
  /** The hint of a secret that may be left empty. */
  secretHint?: string;
  /** The name of a number or id for people. */
  labelOf?: ((value: string) => string | undefined) | undefined;
  /** The current value, for a field that cannot be filled in with it. */
  now?: string | undefined;
}

export function inputBlock(input: FormInput, value: unknown, place: InputPlace): Block {
  const { field } = input;
  const { tool, mark, decides = false, reworded = (text) => plainText(text), secretHint = NOT_SHOWN, now } = place;
  const secret = field.secret ? (input.required ? NOT_SHOWN : secretHint) : '';
  const present = now === undefined ? '' : `Now: ${cut(now, 200)}`;
  const hint = [reworded(hintOf(field, tool)), secret, present].filter((text) => text !== '').join(' · ');
  const id = mark === undefined ? input.path : `${input.path}~${mark}`;
  return inputOf(id, input.label, elementOf(field, value, place), { hint, optional: !input.required, decides });
}

/** An input with its label. `decides`: Slack sends what is chosen at once. */
export function inputOf(
  id: string,
  title: string,
  element: Element,
  { hint = '', optional = false, decides = false } = {},
): Block {
  return {
    type: 'input',
    block_id: id,
    optional,
    ...(decides ? { dispatch_action: true } : {}),
    label: plain(title, 2000),
    ...(hint === '' ? {} : { hint: plain(hint, 2000) }),
    element,
  };
}

function hintOf(field: Field, tool: Tool): string {
  if (field.kind === 'keywords') return KEYWORD_HINT;
  const described = inFormWords(tool, readable(field));
  // A label that says it already needs no hint.
  const parts = field.label.toLowerCase().includes(described.toLowerCase()) ? [] : [sentence(described)];
  if (field.kind === 'json' && field.example) parts.push(`JSON, for example ${field.example}`);
  if (field.kind === 'list' && !field.items?.choices) parts.push(perLine(field.items));
  const members = lineMembers(field);
  if (members) {
    parts.push(perLine(members.first));
    const { second } = members;
    if (second) {
      const example = [members.first.example, second.example].map((text) => text ?? '…').join(': ');
      parts.push(`${second.label}, where it is needed, after a colon: ${example}`);
    }
  }
  return cut(parts.filter((part) => part !== '').join(' · '), 2000);
}

/** Ids among the things that a field takes. People have names. */
const IDS_TOO = /(?:, [A-Z]{3,5}-…)+|(?<=name) or id(?=;|$)/;

/** The description without notation for those who write JSON, and without the values that the input offers. */
function readable({ description, known, kind }: Field): string {
  const text = description.replace(/^(MM\/DD\/YYYY|YYYY-MM-DD|decimal string)[;,]?\s*/, '');
  if (known === undefined) return text.replace(IDS_TOO, '');
  return kind === 'choices' || text === `e.g. ${known.join(', ')}` ? '' : text;
}

function perLine(field: Field | undefined): string {
  if (field?.kind === 'phone') return 'One number per line';
  return field?.kind === 'url' ? 'One link per line' : 'One per line';
}

/** Capitalizes a description that is used as a sentence. */
function sentence(text: string): string {
  return /^(?!iot\b)[a-z]+\b(?!\.)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

function elementOf(field: Field, given: unknown, { tool, labelOf }: InputPlace): Element {
  const value = ofKind(field, given);
  const placeholder = field.example && !field.secret ? { placeholder: plain(field.example, 150) } : {};
  if (field.known !== undefined && field.kind === 'text') return typeahead(field, value);
  switch (field.kind) {
    case 'choices':
      return several(
        (field.known ?? []).map((choice) => labelled(field.name, choice)),
        typeof value === 'string' ? value.split(/\s*,\s*/) : [],
      );
    case 'phone':
    case 'id':
      return typeahead(field, value, labelOf);
    case 'choice':
      return choiceMenu(field, value) ?? textInput({ field, value, placeholder });
    case 'boolean':
      return yesOrNo(value, tool.risk === 'read' && !field.required);
    case 'number':
      return numberInput(field, value, placeholder);
    case 'date':
    case 'us-date': {
      const day = typeof value === 'string' ? isoDay(value) : undefined;
      return { type: 'datepicker', action_id: IDS.value, ...defined({ initial_date: day || undefined }) };
    }
    case 'list': {
      const text = Array.isArray(value) ? value.map(String).join('\n') : value;
      return (
        multipleChoice(field, value) ??
        textInput({ field, value: text, multiline: true, placeholder: linePlaceholder(field) })
      );
    }
    case 'rows': {
      const text = Array.isArray(value) ? rowLines(field, value) : value;
      return textInput({ field, value: text, multiline: true, placeholder: linePlaceholder(field) });
    }
    case 'keywords': {
      const text = typeof value === 'string' ? (keywordLines(value) ?? value) : undefined;
      return textInput({ field, value: text, multiline: true, placeholder: { placeholder: plain('word: HIGH', 150) } });
    }
    case 'json':
    case 'group': {
      const text = value === undefined || typeof value === 'string' ? value : JSON.stringify(value);
      return textInput({ field, value: text, multiline: true, placeholder });
    }
    case 'multiline':
      return textInput({ field, value, multiline: true, placeholder });
    default:
      return textInput({ field, value, placeholder });
  }
}

/** A number as the text that a field takes, and the reverse: prices are sent as texts and read as numbers. */
function ofKind({ kind }: Field, value: unknown): unknown {
  if (kind !== 'number') return typeof value === 'number' ? String(value) : value;
  const isNumeric = typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value));
  return isNumeric ? Number(value) : value;
}

/** Suggests numbers and ids that were seen before, or the values known; any other text can be entered too. */
function typeahead(field: Field, value: unknown, labelOf?: InputPlace['labelOf']): Element {
  const entered = typeof value === 'string' && value !== '' ? value : undefined;
  return {
    type: 'external_select',
    action_id: IDS.pick,
    min_query_length: 0,
    placeholder: plain(field.known ? 'Choose or type' : waysToName(field), 150),
    ...(entered ? { initial_option: option([entered, labelOf?.(entered) ?? entered]) } : {}),
  };
}

/** Undefined if there are more choices than a menu can have. */
function choiceMenu({ name, choices = [] }: Field, value: unknown): Element | undefined {
  return choices.length > MAX_OPTIONS
    ? undefined
    : menu(
        choices.map((choice) => labelled(name, choice)),
        value,
      );
}

/** A menu of values with their texts. */
export function menu(choices: readonly Option[], chosen: unknown): Element {
  const initial = choices.find(([value]) => value === chosen);
  return {
    type: 'static_select',
    action_id: IDS.value,
    options: choices.slice(0, MAX_OPTIONS).map(option),
    ...(initial === undefined ? {} : { initial_option: option(initial) }),
  };
}

/** Undefined for a list of free text, or if there are more choices than a menu can have. */
function multipleChoice({ name, items }: Field, value: unknown): Element | undefined {
  const choices = items?.choices;
  if (!choices || choices.length > MAX_OPTIONS) return undefined;
  return several(
    choices.map((choice) => labelled(name, choice)),
    Array.isArray(value) ? value.map(String) : [],
  );
}

/** Boxes to tick, or a menu where there are more than Slack's boxes hold. */
export function several(choices: readonly Option[], chosen: readonly string[]): Element {
  const options = choices.slice(0, MAX_OPTIONS).map(option);
  const initial = options.filter(({ value }) => chosen.includes(String(value)));
  return {
    type: options.length <= MAX_BOXES ? 'checkboxes' : 'multi_static_select',
    action_id: IDS.value,
    options,
    ...(initial.length > 0 ? { initial_options: initial } : {}),
  };
}

/** `optional`: an empty box means no. Otherwise "no" differs from leaving the value as it is. */
function yesOrNo(value: unknown, optional: boolean): Element {
  if (optional) {
    return {
      type: 'checkboxes',
      action_id: IDS.value,
      options: [YES],
      ...(value === true ? { initial_options: [YES] } : {}),
    };
  }
  return {
    type: 'radio_buttons',
    action_id: IDS.value,
    options: [YES, NO],
    ...(typeof value === 'boolean' ? { initial_option: value ? YES : NO } : {}),
  };
}

function numberInput({ minimum, maximum }: Field, value: unknown, placeholder: Element): Element {
  return {
    type: 'number_input',
    action_id: IDS.value,
    is_decimal_allowed: true,
    ...(minimum === undefined ? {} : { min_value: String(minimum) }),
    ...(maximum === undefined ? {} : { max_value: String(maximum) }),
    ...(typeof value === 'number' ? { initial_value: String(value) } : {}),
    ...placeholder,
  };
}

function textInput(from: { field: Field; value: unknown; placeholder: Element; multiline?: boolean }): Element {
  const { field, value, placeholder, multiline = false } = from;
  const most = field.maxLength === undefined || multiline ? MAX_TEXT : Math.min(MAX_TEXT, field.maxLength);
  return { ...textArea(field.secret ? '' : value, { most, multiline }), ...placeholder };
}

/** An input for text. A value that is too long for it is left out. */
export function textArea(value: unknown, { most = MAX_TEXT, multiline = true } = {}): Element {
  const isKnown = typeof value === 'string' && value !== '' && value.length <= most;
  return {
    type: 'plain_text_input',
    action_id: IDS.value,
    multiline,
    ...(most === MAX_TEXT ? {} : { max_length: most }),
    ...(isKnown ? { initial_value: value } : {}),
  };
}

/** An example of one line. */
function linePlaceholder(field: Field): Element {
  const example = lineMembers(field)?.first.example ?? field.items?.example;
  return example === undefined ? {} : { placeholder: plain(example, 150) };
}

function option([value, text]: Option): Element {
  return { text: plain(text, 75), value: cut(value, 150) };
}

function labelled(name: string, choice: string): Option {
  return [choice, choiceText(name, choice) ?? choiceLabel(choice)];
}

function isoDay(text: string): string | undefined {
  const us = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text);
  if (us) return `${us[3]}-${us[1]}-${us[2]}`;
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
}
