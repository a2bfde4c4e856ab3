import { programChoices } from '../../../../tools/surfaces/forms.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import type { Tool } from '../../../catalogue/operation.ts';
import { choiceText } from '../../../language/show.ts';
import { waysToName } from '../../../language/typed-values.ts';
import { defined } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { choiceLabel, keywordLines, lineMembers, rowLines } from './form-lines.ts';
import type { FormInput } from './form-shape.ts';
import { type Block, cut, type Element, option, plain } from './text.ts';

/** Slack accepts 100 options in a menu, and 10 boxes to tick. */
export const MAX_OPTIONS = 100;
const MAX_BOXES = 10;
/** Slack's field holds no more. */
export const MAX_TEXT = 3_000;
const YES = option('true', 'Yes');
const NO = option('false', 'No');
const NOT_SHOWN = 'Not shown again';
const KEYWORD_HINT = 'One word or phrase per line. How serious it is may follow after a colon, for example: word: HIGH';

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
  const { field, path, label, required } = input;
  const { mark, decides = false, reworded = (text) => plainText(text), secretHint = NOT_SHOWN, now } = place;
  const secret = field.secret ? (required ? NOT_SHOWN : secretHint) : '';
  const present = now === undefined ? '' : `Now: ${cut(now, 200)}`;
  const hint = [...hintsOf(field).map(reworded), secret, present].filter((text) => text !== '').join(' · ');
  const id = mark === undefined ? path : `${path}~${mark}`;
  return inputOf(id, label, elementOf(field, value, place), { hint, optional: !required, decides });
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
    ...(decides && { dispatch_action: true }),
    label: plain(title, 2000),
    ...(hint !== '' && { hint: plain(hint, 2000) }),
    element,
  };
}

/** Ids among the things that a field takes. People have names. */
const IDS_TOO = /(?:, [A-Z]{3,5}-…)+|(?<=name) or id(?=;|$)/;
/** The platform's words beside those of people. */
const CODES = / \((?:a2p|p2p|mvno|iot|voip)\)/g;
/** Notation for those who write JSON. */
const NOTATION = /^(MM\/DD\/YYYY|YYYY-MM-DD|decimal string)[;,]?\s*/;

/** What a field is, and how it is written. */
function hintsOf(field: Field): string[] {
  const { kind, known, example, items, label, description } = field;
  if (kind === 'keywords') return [KEYWORD_HINT];
  const text =
    known === undefined ? description.replace(NOTATION, '').replace(IDS_TOO, '').replace(CODES, '') : description;
  const isOffered = known !== undefined && (kind === 'choices' || text === `e.g. ${known.join(', ')}`);
  // A label that says it already needs no hint.
  const isSaid = isOffered || label.toLowerCase().includes(text.toLowerCase());
  const { first, second } = lineMembers(field) ?? {};
  return [
    ...(isSaid ? [] : [/^[a-z]+\b(?!\.)/.test(text) ? capital(text) : text]),
    ...(kind === 'json' && example ? [`JSON, for example ${example}`] : []),
    ...(kind === 'list' && !items?.choices ? [perLine(items)] : []),
    ...(first ? [perLine(first)] : []),
    ...(second
      ? [`${second.label}, where it is needed, after a colon: ${first?.example ?? '…'}: ${second.example ?? '…'}`]
      : []),
  ];
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function perLine(field: Field | undefined): string {
  return `One ${field?.kind === 'phone' ? 'number ' : field?.kind === 'url' ? 'link ' : ''}per line`;
}

function elementOf(field: Field, given: unknown, { tool, labelOf }: InputPlace): Element {
  const { name, kind, known, items, choices } = field;
  const value = typeof given === 'number' && kind !== 'number' ? String(given) : given;
  const labelled = (all: readonly string[]) =>
    all.map((choice): Option => [choice, capital(choiceText(name, choice) ?? '') || choiceLabel(choice)]);
  const lines = (text: unknown, example = lineMembers(field)?.first.example ?? items?.example) =>
    textInput(field, text, { multiline: true, example });
  if (known !== undefined && kind === 'text') return typeahead(field, value);
  switch (kind) {
    case 'choices':
      return several(labelled(known ?? []), typeof value === 'string' ? value.split(/\s*,\s*/) : []);
    case 'phone':
    case 'id':
      return typeahead(field, value, labelOf);
    case 'choice':
      if (choices === undefined || choices.length > MAX_OPTIONS) return textInput(field, value);
      return menu(labelled(choices.filter((one) => one === value || !programChoices[tool.id]?.includes(one))), value);
    case 'boolean':
      return yesOrNo(value, tool.risk === 'read' && !field.required);
    case 'number':
      return numberInput(field, value);
    case 'date':
    case 'us-date': {
      const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(String(value)) ?? [];
      const iso = year === undefined ? String(value) : `${year}-${month}-${day}`;
      const isDay = /^\d{4}-\d\d-\d\d$/.test(iso);
      return { type: 'datepicker', action_id: IDS.value, ...(isDay && { initial_date: iso }) };
    }
    case 'list':
      if (items?.choices && items.choices.length <= MAX_OPTIONS)
        return several(labelled(items.choices), Array.isArray(value) ? value.map(String) : []);
      return lines(Array.isArray(value) ? value.join('\n') : value);
    case 'rows':
      return lines(Array.isArray(value) ? rowLines(field, value) : value);
    case 'keywords':
      return lines(typeof value === 'string' ? (keywordLines(value) ?? value) : undefined, 'word: HIGH');
    case 'json':
    case 'group':
      return lines(value === undefined || typeof value === 'string' ? value : JSON.stringify(value), field.example);
    default:
      return textInput(field, value, { multiline: kind === 'multiline' });
  }
}

/** Suggests numbers and ids that were seen before, or the values known; any other text can be entered too. */
function typeahead(field: Field, value: unknown, labelOf?: InputPlace['labelOf']): Element {
  return {
    type: 'external_select',
    action_id: IDS.pick,
    min_query_length: 0,
    placeholder: plain(field.known ? 'Choose or type' : waysToName(field), 150),
    ...(typeof value === 'string' && value !== '' && { initial_option: option(value, labelOf?.(value) ?? value) }),
  };
}

/** A value to choose, and its text. */
type Option = readonly [value: string, text: string];

/** A menu of values with their texts. */
function menu(choices: readonly Option[], chosen: unknown): Element {
  const initial = choices.find(([value]) => value === chosen);
  return {
    type: 'static_select',
    action_id: IDS.value,
    options: choices.slice(0, MAX_OPTIONS).map((choice) => option(...choice)),
    ...(initial && { initial_option: option(...initial) }),
  };
}

/** Boxes to tick, or a menu where there are more than Slack's boxes hold. */
function several(choices: readonly Option[], chosen: readonly string[]): Element {
  const options = choices.slice(0, MAX_OPTIONS).map((choice) => option(...choice));
  const initial = options.filter(({ value }) => chosen.includes(String(value)));
  return {
    type: options.length <= MAX_BOXES ? 'checkboxes' : 'multi_static_select',
    action_id: IDS.value,
    options,
    ...(initial.length > 0 && { initial_options: initial }),
  };
}

/** `optional`: an empty box means no. Otherwise "no" differs from leaving the value as it is. */
function yesOrNo(value: unknown, optional: boolean): Element {
  if (optional) return several([['true', 'Yes']], value === true ? ['true'] : []);
  return {
    type: 'radio_buttons',
    action_id: IDS.value,
    options: [YES, NO],
    ...(typeof value === 'boolean' && { initial_option: value ? YES : NO }),
  };
}

function numberInput({ minimum, maximum, example }: Field, value: unknown): Element {
  // Prices are sent as texts and read as numbers.
  const isNumber = value !== undefined && String(value).trim() !== '' && Number.isFinite(Number(value));
  return {
    type: 'number_input',
    action_id: IDS.value,
    is_decimal_allowed: true,
    ...(minimum !== undefined && { min_value: String(minimum) }),
    ...(maximum !== undefined && { max_value: String(maximum) }),
    ...(isNumber && { initial_value: String(Number(value)) }),
    ...(example && { placeholder: plain(example, 150) }),
  };
}

function textInput(field: Field, value: unknown, { multiline = false, example = field.example } = {}): Element {
  const most = multiline ? MAX_TEXT : Math.min(MAX_TEXT, field.maxLength ?? MAX_TEXT);
  const placeholder = example && !field.secret ? plain(example, 150) : undefined;
  return { ...textArea(field.secret ? '' : value, { most, multiline }), ...defined({ placeholder }) };
}

/** An input for text. A value that is too long for it is left out. */
export function textArea(value: unknown, { most = MAX_TEXT, multiline = true } = {}): Element {
  const isKnown = typeof value === 'string' && value !== '' && value.length <= most;
  return {
    type: 'plain_text_input',
    action_id: IDS.value,
    multiline,
    ...(most !== MAX_TEXT && { max_length: most }),
    ...(isKnown && { initial_value: value }),
  };
}
