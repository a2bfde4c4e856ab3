import type { Field } from '../../../catalogue/field-types.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { keywordLines, lineMembers, rowLines } from './form-lines.ts';
import type { FormInput } from './form-shape.ts';
import { choiceLabel, inFormWords } from './form-words.ts';
import { type Block, cut, type Element, plain } from './text.ts';

/** Slack accepts 100 options in a menu. */
const MAX_OPTIONS = 100;
/** Slack accepts 10 boxes to tick. */
const MAX_BOXES = 10;
const YES = { text: plain('Yes', 75), value: 'true' };
const NO = { text: plain('No', 75), value: 'false' };
const NOT_SHOWN = 'Not shown again';

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
}

export function inputBlock(input: FormInput, value: unknown, place: InputPlace): Block {
  const { field } = input;
  const { tool, mark, decides = false, reworded = (text) => plainText(text), secretHint = NOT_SHOWN } = place;
  const secret = field.secret ? (input.required ? NOT_SHOWN : secretHint) : '';
  const hint = [reworded(hintOf(field, tool)), secret].filter((text) => text !== '').join(' · ');
  return {
    type: 'input',
    block_id: mark === undefined ? input.path : `${input.path}~${mark}`,
    optional: !input.required,
    ...(decides ? { dispatch_action: true } : {}),
    label: plain(input.label, 2000),
    ...(hint === '' ? {} : { hint: plain(hint, 2000) }),
    element: elementOf(field, value, place),
  };
}

function hintOf(field: Field, tool: Tool): string {
  if (field.kind === 'keywords')
    return 'One word or phrase per line. How serious it is may follow after a colon, for example: word: HIGH';
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

/** The description without notation for those who write JSON, and without the values that the input offers. */
function readable({ description, known, kind }: Field): string {
  const text = description.replace(/^(MM\/DD\/YYYY|YYYY-MM-DD|decimal string)[;,]?\s*/, '');
  if (known === undefined) return text;
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

function elementOf(field: Field, value: unknown, { tool, labelOf }: InputPlace): Element {
  const placeholder = field.example && !field.secret ? { placeholder: plain(field.example, 150) } : {};
  if (field.known !== undefined && field.kind === 'text') return typeahead(field, value);
  switch (field.kind) {
    case 'choices':
      return several(field.known ?? [], typeof value === 'string' ? value.split(/\s*,\s*/) : []);
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

/** Suggests numbers and ids that were seen before, or the values known; any other text can be entered too. */
function typeahead({ example, known }: Field, value: unknown, labelOf?: InputPlace['labelOf']): Element {
  const entered = typeof value === 'string' && value !== '' ? value : undefined;
  const invitation = known ? 'Choose or type' : 'Type or paste';
  return {
    type: 'external_select',
    action_id: IDS.pick,
    min_query_length: 0,
    placeholder: plain(example && !known ? `${invitation}, for example ${example}` : invitation, 150),
    ...(entered ? { initial_option: option(entered, labelOf?.(entered)) } : {}),
  };
}

/** Undefined if there are more choices than a menu can have. */
function choiceMenu({ choices = [] }: Field, value: unknown): Element | undefined {
  if (choices.length > MAX_OPTIONS) return undefined;
  const chosen = choices.find((choice) => choice === value);
  return {
    type: 'static_select',
    action_id: IDS.value,
    options: choices.map((choice) => option(choice, choiceLabel(choice))),
    ...(chosen === undefined ? {} : { initial_option: option(chosen, choiceLabel(chosen)) }),
  };
}

/** Undefined for a list of free text, or if there are more choices than a menu can have. */
function multipleChoice({ items }: Field, value: unknown): Element | undefined {
  const choices = items?.choices;
  if (!choices || choices.length > MAX_OPTIONS) return undefined;
  return several(choices, Array.isArray(value) ? value.map(String) : []);
}

/** Boxes to tick, or a menu where there are more than Slack's boxes hold. */
function several(choices: readonly string[], chosen: readonly string[]): Element {
  const options = choices.slice(0, MAX_OPTIONS).map((choice) => option(choice, choiceLabel(choice)));
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
  const most = field.maxLength === undefined || multiline ? 3000 : Math.min(3000, field.maxLength);
  const known = !field.secret && typeof value === 'string' && value !== '' && value.length <= most;
  return {
    type: 'plain_text_input',
    action_id: IDS.value,
    multiline,
    ...(most === 3000 ? {} : { max_length: most }),
    ...(known ? { initial_value: value } : {}),
    ...placeholder,
  };
}

/** An example of one line. */
function linePlaceholder(field: Field): Element {
  const example = lineMembers(field)?.first.example ?? field.items?.example;
  return example === undefined ? {} : { placeholder: plain(example, 150) };
}

function option(text: string, label = text): Element {
  return { text: plain(label, 75), value: cut(text, 150) };
}

function isoDay(text: string): string | undefined {
  const us = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text);
  if (us) return `${us[3]}-${us[1]}-${us[2]}`;
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
}
