import type { Field } from '../../../catalogue/field-types.ts';
import { soleMember } from '../../../catalogue/fields.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { defined, isRecord } from '../../../lib/json.ts';
import { IDS } from '../ids.ts';
import { type Block, cut, type Element, plain } from './text.ts';

/** One input of a form, with its path such as "CurrentBillingAddress.Zip". */
export interface FormInput {
  path: string;
  label: string;
  field: Field;
  required: boolean;
}

/** Slack accepts 100 options in a menu. */
const MAX_OPTIONS = 100;
const YES = { text: plain('Yes', 75), value: 'true' };
const NO = { text: plain('No', 75), value: 'false' };

/** The inputs of a form: required ones first, the members of a group together. */
export function inputsOf(fields: readonly Field[], prefix = '', labels = '', required = true): FormInput[] {
  const inputs = fields.map((field): FormInput[] => {
    const path = prefix + field.name;
    const name = labels === '' ? field.label : `${labels}: ${field.label.toLowerCase()}`;
    const must = required && field.required;
    if (field.kind === 'group' && field.fields) return inputsOf(field.fields, `${path}.`, field.label, must);
    return [{ path, label: name, field, required: must }];
  });
  if (prefix !== '') return inputs.flat();
  const first = inputs.filter((group) => group.some((input) => input.required));
  return [...first, ...inputs.filter((group) => !first.includes(group))].flat();
}

export function inputBlock(input: FormInput, value: unknown, tool: Tool, mark: string | undefined): Block {
  const { field } = input;
  const secret = field.secret ? ' (not shown again)' : '';
  const hint = hintOf(field);
  return {
    type: 'input',
    block_id: mark === undefined ? input.path : `${input.path}~${mark}`,
    optional: !input.required,
    label: plain(`${input.label}${secret}`, 2000),
    ...(hint === '' ? {} : { hint: plain(hint, 2000) }),
    element: elementOf(field, value, tool),
  };
}

function hintOf(field: Field): string {
  const parts = [field.description];
  if (field.kind === 'list' || field.kind === 'rows') {
    const one = field.items?.kind === 'phone' || soleMember(field)?.kind === 'phone';
    if (field.kind === 'rows' && !soleMember(field)) parts.push(`JSON, for example ${field.example ?? '[]'}`);
    else if (!field.items?.choices) {
      const more =
        field.kind === 'rows' && !isPlainRows(field) ? ` To set more members, use JSON: ${field.example ?? '[]'}` : '';
      parts.push(`${one ? 'One number per line.' : 'One per line.'}${more}`);
    }
  } else if (field.kind === 'json' && field.example) parts.push(`For example ${field.example}`);
  return cut(parts.filter((part) => part !== '').join(' · '), 2000);
}

function isPlainRows(field: Field): boolean {
  return soleMember(field) !== undefined && field.fields?.length === 1;
}

function elementOf(field: Field, value: unknown, tool: Tool): Element {
  const placeholder = field.example && !field.secret ? { placeholder: plain(field.example, 150) } : {};
  switch (field.kind) {
    case 'phone':
    case 'id':
      return typeahead(field, value);
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
      return multipleChoice(field, value) ?? textInput({ field, value: text, multiline: true, placeholder });
    }
    case 'rows': {
      const shown = soleMember(field) ? {} : placeholder;
      return textInput({ field, value: rowsText(field, value), multiline: true, placeholder: shown });
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

/** Suggests numbers and ids that were seen before; any other text can be entered too. */
function typeahead({ example }: Field, value: unknown): Element {
  const entered = typeof value === 'string' && value !== '' ? value : undefined;
  return {
    type: 'external_select',
    action_id: IDS.pick,
    min_query_length: 0,
    placeholder: plain(example ? `Type or paste, for example ${example}` : 'Type or paste', 150),
    ...(entered ? { initial_option: option(entered) } : {}),
  };
}

/** Undefined if there are more choices than a menu can have. */
function choiceMenu({ choices = [] }: Field, value: unknown): Element | undefined {
  if (choices.length > MAX_OPTIONS) return undefined;
  const chosen = choices.find((choice) => choice === value);
  return {
    type: 'static_select',
    action_id: IDS.value,
    options: choices.map((choice) => option(choice)),
    ...(chosen === undefined ? {} : { initial_option: option(chosen) }),
  };
}

/** Undefined for a list of free text, or if there are more choices than a menu can have. */
function multipleChoice({ items }: Field, value: unknown): Element | undefined {
  const choices = items?.choices;
  if (!choices || choices.length > MAX_OPTIONS) return undefined;
  const chosen = Array.isArray(value) ? choices.filter((choice) => value.includes(choice)) : [];
  return {
    type: 'multi_static_select',
    action_id: IDS.value,
    options: choices.map((choice) => option(choice)),
    ...(chosen.length > 0 ? { initial_options: chosen.map((choice) => option(choice)) } : {}),
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

function rowsText(field: Field, value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  const member = soleMember(field);
  const plainRows = value.every((row: unknown) => !isRecord(row) || Object.keys(row).length === 1);
  if (!member || !plainRows) return JSON.stringify(value);
  return value.map((row: unknown) => (isRecord(row) ? String(row[member.name] ?? '') : String(row))).join('\n');
}

function option(text: string): Element {
  return { text: plain(text, 75), value: cut(text, 150) };
}

function isoDay(text: string): string | undefined {
  const us = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text);
  if (us) return `${us[3]}-${us[1]}-${us[2]}`;
  return /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;
}
