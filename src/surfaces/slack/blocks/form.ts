import type { Field } from '../../../catalogue/field-types.ts';
import { soleMember } from '../../../catalogue/fields.ts';
import { isGated, type Tool } from '../../../catalogue/operation.ts';
import { raisedWords } from '../../../language/help.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../people/said.ts';
import { type Block, cut, type Element, label, plain, rich, say } from './text.ts';

/** Kept in the form itself: which operation, and where it was asked for. */
export interface FormMeta {
  /** Operation id. */
  t: string;
  /** Channel it was asked in. */
  c?: string;
  /** The guide it is a step of, and what that has found out. */
  g?: string;
  k?: Record<string, string>;
  /** What the person was cautioned of before: sent again, it is saved. */
  w?: string;
}

/** Where the form is one step of several: its own words instead of the operation's. */
export interface Frame {
  title: string;
  submit: string;
  above: readonly Block[];
  /**
   * Sets this form's inputs apart from those of the step before: Slack keeps what was typed in a field of the same
   * name. Left out where that should stay.
   */
  mark?: string;
}

type Input = Record<string, unknown>;
/** One input of a form, at its path: "CurrentBillingAddress.Zip". */
interface Spot {
  path: string;
  label: string;
  field: Field;
  required: boolean;
}

const MAX_BLOCKS = 98;
const MAX_OPTIONS = 100;
const YES = { text: plain('Yes', 75), value: 'true' };
const NO = { text: plain('No', 75), value: 'false' };

/** A modal derived from an operation's input; `values` is what is known already, secrets never among them. */
export function formView(
  tool: Tool,
  fields: readonly Field[],
  values: Input,
  meta: FormMeta,
  reworded: Reworder = (text) => text,
  frame?: Frame,
): Element {
  const spots = spotsOf(fields);
  return {
    type: 'modal',
    callback_id: IDS.submit,
    private_metadata: JSON.stringify(meta),
    title: label(frame?.title ?? tool.title, 24),
    submit: label(
      frame ? frame.submit : isGated(tool) ? 'Ask to confirm' : tool.risk === 'read' ? 'Look up' : 'Send',
      24,
    ),
    close: label('Cancel', 24),
    blocks: [
      ...(frame?.above ?? []),
      ...(frame ? [] : [introduction(tool, reworded)]),
      ...spots
        .slice(0, MAX_BLOCKS - (frame?.above.length ?? 0))
        .map((spot) => inputBlock(spot, at(values, spot.path), tool, frame)),
    ],
  };
}

/** What the operation does, and who must agree. */
function introduction(tool: Tool, reworded: Reworder): Block {
  const ask = isGated(tool) ? ' Nothing is sent before an approver confirms.' : raisedWords(tool);
  return say(...(tool.title.length > 24 ? [rich.bold(tool.title), '\n'] : []), reworded(`${tool.description}${ask}`));
}

/** The same form with a caution at its top; what was entered stays. Sent again unchanged, it is saved. */
export function cautionedView(
  tool: Tool,
  fields: readonly Field[],
  values: Input,
  meta: FormMeta & { w: string },
  reworded: Reworder,
): Element {
  const above = [say('⚠️ ', rich.bold(reworded(meta.w))), introduction(tool, reworded)];
  return formView(tool, fields, values, meta, reworded, { title: tool.title, submit: 'Save it all the same', above });
}

/** A form that says something instead. */
export function noticeView(title: string, ...blocks: Block[]): Element {
  return { type: 'modal', title: label(title, 24), close: label('Close', 24), blocks };
}

export const OUT_OF_DATE = noticeView(
  'Out of date',
  say('This form is of an older version. Nothing was sent; ask for it again.'),
);

/** The inputs of a form: required ones first, an address in one piece. */
function spotsOf(fields: readonly Field[], prefix = '', labels = '', required = true): Spot[] {
  const spots = fields.map((field): Spot[] => {
    const path = prefix + field.name;
    const name = labels === '' ? field.label : `${labels}: ${field.label.toLowerCase()}`;
    const must = required && field.required;
    if (field.kind === 'group' && field.fields) return spotsOf(field.fields, `${path}.`, field.label, must);
    return [{ path, label: name, field, required: must }];
  });
  if (prefix !== '') return spots.flat();
  const first = spots.filter((group) => group.some((spot) => spot.required));
  return [...first, ...spots.filter((group) => !first.includes(group))].flat();
}

function inputBlock(spot: Spot, value: unknown, tool: Tool, frame: Frame | undefined): Block {
  const { field } = spot;
  const secret = field.secret ? ' (not shown again)' : '';
  const hint = hintOf(field);
  return {
    type: 'input',
    block_id: frame?.mark !== undefined ? `${spot.path}~${frame.mark}` : spot.path,
    optional: !spot.required,
    label: plain(`${spot.label}${secret}`, 2000),
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
        field.kind === 'rows' && !isPlainRows(field) ? ` For more than that, JSON: ${field.example ?? '[]'}` : '';
      parts.push(`${one ? 'One number per line.' : 'One per line.'}${more}`);
    }
  } else if (field.kind === 'json' && field.example) parts.push(`For example ${field.example}`);
  return cut(parts.filter((part) => part !== '').join(' · '), 2000);
}

function isPlainRows(field: Field): boolean {
  return soleMember(field) !== undefined && field.fields?.length === 1;
}

function elementOf(field: Field, value: unknown, tool: Tool): Element {
  const action_id = IDS.value;
  const example = field.example;
  const placeholder = example && !field.secret ? { placeholder: plain(example, 150) } : {};
  switch (field.kind) {
    case 'phone':
    case 'id': {
      const typed = typeof value === 'string' && value !== '' ? value : undefined;
      return {
        type: 'external_select',
        action_id: IDS.pick,
        min_query_length: 0,
        placeholder: plain(example ? `Type or paste, for example ${example}` : 'Type or paste', 150),
        ...(typed ? { initial_option: option(typed) } : {}),
      };
    }
    case 'choice': {
      const choices = field.choices ?? [];
      const chosen = choices.find((choice) => choice === value);
      if (choices.length > MAX_OPTIONS) return text({ field, value, placeholder });
      return {
        type: 'static_select',
        action_id,
        options: choices.map((choice) => option(choice)),
        ...(chosen === undefined ? {} : { initial_option: option(chosen) }),
      };
    }
    case 'boolean':
      // A switch of a lookup is ticked or not; in a change "no" is not the same as "leave it".
      if (tool.risk === 'read' && !field.required) {
        return {
          type: 'checkboxes',
          action_id,
          options: [YES],
          ...(value === true ? { initial_options: [YES] } : {}),
        };
      }
      return {
        type: 'radio_buttons',
        action_id,
        options: [YES, NO],
        ...(typeof value === 'boolean' ? { initial_option: value ? YES : NO } : {}),
      };
    case 'number':
      return {
        type: 'number_input',
        action_id,
        is_decimal_allowed: true,
        ...(field.minimum === undefined ? {} : { min_value: String(field.minimum) }),
        ...(field.maximum === undefined ? {} : { max_value: String(field.maximum) }),
        ...(typeof value === 'number' ? { initial_value: String(value) } : {}),
        ...placeholder,
      };
    case 'date':
    case 'us-date': {
      const day = typeof value === 'string' ? isoDay(value) : undefined;
      return { type: 'datepicker', action_id, ...(day ? { initial_date: day } : {}) };
    }
    case 'list':
      if (field.items?.choices && field.items.choices.length <= MAX_OPTIONS) {
        const chosen = Array.isArray(value) ? field.items.choices.filter((choice) => value.includes(choice)) : [];
        return {
          type: 'multi_static_select',
          action_id,
          options: field.items.choices.map((choice) => option(choice)),
          ...(chosen.length > 0 ? { initial_options: chosen.map((choice) => option(choice)) } : {}),
        };
      }
      return text({
        field,
        value: Array.isArray(value) ? value.map(String).join('\n') : value,
        multiline: true,
        placeholder,
      });
    case 'rows':
      return text({
        field,
        value: rowsText(field, value),
        multiline: true,
        placeholder: soleMember(field) ? {} : placeholder,
      });
    case 'json':
    case 'group':
      return text({
        field,
        value: value === undefined || typeof value === 'string' ? value : JSON.stringify(value),
        multiline: true,
        placeholder,
      });
    case 'multiline':
      return text({ field, value, multiline: true, placeholder });
    default:
      return text({ field, value, placeholder });
  }
}

function text(from: { field: Field; value: unknown; placeholder: Element; multiline?: boolean }): Element {
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

/** The field behind a block: what follows the mark only sets steps apart. */
export function pathOf(blockId: string): string {
  return blockId.split('~')[0] ?? blockId;
}

/** The input that a submitted form means. What was left empty is left out. */
export function readForm(fields: readonly Field[], state: Record<string, unknown>): Input {
  const input: Input = {};
  const byPath = new Map(Object.entries(state).map(([block, value]) => [pathOf(block), value]));
  for (const spot of spotsOf(fields)) {
    const value = readValue(spot.field, byPath.get(spot.path));
    if (value !== undefined) put(input, spot.path.split('.'), value);
  }
  return input;
}

function readValue(field: Field, block: unknown): unknown {
  const element = isRecord(block) ? (block[IDS.value] ?? block[IDS.pick]) : undefined;
  if (!isRecord(element)) return undefined;
  const raw = rawOf(element);
  if (raw === undefined) return undefined;
  switch (field.kind) {
    case 'boolean':
      return Array.isArray(raw) ? raw.includes('true') || undefined : raw === 'true';
    case 'number':
      return Number(raw);
    case 'us-date': {
      const [year = '', month = '', day = ''] = String(raw).split('-');
      return `${month}/${day}/${year}`;
    }
    case 'list':
      return Array.isArray(raw) ? raw : pieces(String(raw), field.items?.kind !== 'text');
    case 'rows': {
      const member = soleMember(field);
      if (!member || String(raw).trimStart().startsWith('[')) return json(String(raw));
      return pieces(String(raw), true).map((piece) => ({ [member.name]: piece }));
    }
    case 'group':
      return json(String(raw));
    default:
      return raw;
  }
}

/** What a person entered: text, a chosen option, several, a day; undefined where nothing was. */
function rawOf(element: Input): unknown {
  const { value, selected_option: one, selected_options: many, selected_date: day } = element;
  if (Array.isArray(many)) {
    const chosen = many.flatMap((item) => (isRecord(item) && typeof item.value === 'string' ? [item.value] : []));
    return chosen.length === 0 ? undefined : chosen;
  }
  if (isRecord(one)) return one.value;
  const text = value ?? day;
  return text === null || text === undefined || text === '' ? undefined : text;
}

function pieces(text: string, commas: boolean): string[] {
  return text
    .split(commas ? /[\n,;]+/ : /\n+/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
}

/** What is no JSON stays text, and the check says what is wrong with it. */
function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function put(into: Input, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) into[key] = value;
  else {
    const inner = isRecord(into[key]) ? into[key] : {};
    into[key] = inner;
    put(inner, rest, value);
  }
}

function at(values: Input, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), values);
}

/** Problems by block: what has no block of its own goes to the nearest one above it, otherwise to the first. */
export function errorsAt(
  fields: readonly Field[],
  problems: readonly { field: string; message: string }[],
): Record<string, string> {
  const paths = spotsOf(fields).map((spot) => spot.path);
  const errors: Record<string, string> = {};
  for (const { field, message } of problems) {
    const exact = paths.find((path) => field === path || field.startsWith(`${path}.`));
    const inside = paths.find((path) => path.startsWith(`${field}.`));
    const block = exact ?? inside ?? paths[0];
    if (block === undefined) continue;
    const text = exact || inside ? message : `${field}: ${message}`;
    errors[block] ??= cut(text.charAt(0).toUpperCase() + text.slice(1), 300);
  }
  return errors;
}

/** The input without its secrets, at any depth: what may be kept to fill a form again. */
export function withoutSecrets(fields: readonly Field[], input: Input): Input {
  const kept: Input = {};
  for (const field of fields) {
    const value = input[field.name];
    if (value === undefined || field.secret || field.items?.secret) continue;
    if (field.fields && Array.isArray(value)) {
      const members = field.fields;
      kept[field.name] = value.map((row: unknown) => (isRecord(row) ? withoutSecrets(members, row) : row));
    } else kept[field.name] = field.fields && isRecord(value) ? withoutSecrets(field.fields, value) : value;
  }
  return kept;
}

export function isRecord(value: unknown): value is Input {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
