import { formTexts, programChoices, programFields, shownWhen } from '../../../../tools/surfaces/forms.ts';
import { valueText } from '../../../cards/card.ts';
import { requesterOf } from '../../../cards/question.ts';
import { wholeOf } from '../../../catalogue/compare.ts';
import { fieldsOf, labelOf, soleMember } from '../../../catalogue/input.ts';
import { type Field, isChange, isGated, type Tool } from '../../../catalogue/operation.ts';
import { MAX_REASON } from '../../../gate/approval.ts';
import { raisedWords } from '../../../language/help.ts';
import { choiceText, formatPhone } from '../../../language/show.ts';
import { jsonOrText, waysToName } from '../../../language/typed-values.ts';
import type { Action } from '../../../ledger/ledger.ts';
import type { FieldProblem } from '../../../lib/errors.ts';
import {
  capital,
  defined,
  type Fields,
  isRecord,
  lowerFirst,
  memberAt,
  plainForm,
  recordOf,
  recordsIn,
  textOf,
} from '../../../lib/values.ts';
import { IDS, type Reworder, type StateOf } from '../types.ts';
import * as ui from './text.ts';

/** The state of a form that is derived from an operation. */
export type FormState = StateOf<'form' | 'guide'>;

/** Texts of a form that is one step of several, in place of the operation's. */
export interface Frame {
  title?: string;
  submit?: string;
  /** In place of what the operation says about itself. */
  above?: readonly ui.Block[];
  /** All blocks above the fields of the open form. */
  drawn?: readonly ui.Block[] | undefined;
  /**
   * Added to the names of this form's inputs: Slack keeps what was typed in a field of the same name in the step
   * before. Left out if that is wanted.
   */
  mark?: string;
  /** Required fields that come first, under a heading. `rest` follows them. */
  lead?: { fields: readonly string[]; heading: string; rest: readonly ui.Block[] };
  /** The hint of a secret that may be left empty. */
  secretHint?: string;
}

/** Slack accepts 100 blocks in a view. */
const MAX_BLOCKS = 98;

/** The contents of a form. `values` are prefilled; they must not contain secrets. */
export interface FormParts {
  tool: Tool;
  values: Fields;
  state: FormState;
  reworded: Reworder;
  frame?: Frame;
  /** A message that the form answers, shown above the fields. */
  quoted?: string | undefined;
  /** The reason why the operation was not done before. */
  problem?: string | undefined;
  /** The name of a number or id for people. */
  labelOf?: (value: string) => string | undefined;
  /** CONFIRM_OWN: an own change waits for a yes. */
  asksOwn: boolean;
}

/** A modal derived from an operation's input. */
export function formView(form: FormParts): Fields {
  const { tool, state, reworded, frame, labelOf, problem, quoted } = form;
  const [label, confirms] = sendingWords(form);
  // A frame has its own words about the operation, but who confirms it is the same.
  const { title = tool.title, submit = label } = frame ?? {};
  const about = state.only ? '' : (formTexts[tool.id] ?? tool.description);
  const carried = fieldsOf(tool).flatMap(({ name, label: heading }) => {
    const value = state.carried?.[name];
    if (value === undefined || value === '') return [];
    return [[ui.bold(heading), `  ${ui.cut(valueWords(name, value, labelOf), 500)}`]];
  });
  const isOwn = frame?.above !== undefined && isChange(tool) && !isGated(tool);
  const above = frame?.drawn ?? [
    ...(frame?.above ?? [
      ...(problem === undefined ? [] : [ui.say('❌ ', ui.bold(reworded(problem)))]),
      ui.say(reworded(`${about}${confirms}`.trim())),
      ...(carried.length > 0 ? [ui.lines(carried)] : []),
      ...(quoted === undefined || quoted === ''
        ? []
        : [ui.say(ui.bold('They wrote')), ui.quote(ui.cut(quoted, 2_900))]),
    ]),
    ...(isOwn ? [ui.small(reworded(confirms.trim()))] : []),
  ];
  const body = bodyOf(form, MAX_BLOCKS - above.length);
  return ui.flowView(state, { title, submit }, [...above, ...body]);
}

/**
 * The text of the button that sends a form, and who confirms, said beside the fields; empty where nobody does. The button
 * names the act where sending is the yes, or where none is needed. Any other one leads to an approver or to a card.
 */
function sendingWords({ tool, state, asksOwn }: Pick<FormParts, 'tool' | 'state' | 'asksOwn'>): [string, string] {
  const { only, start, filledIn = [] } = state;
  const isNeverOwn = only?.every((name) => tool.members?.raised[name] && !tool.members.ordinary[name]) === true;
  const approval = 'Ask for approval';
  if (isGated(tool) || isNeverOwn) return [approval, ' Nothing is sent before an approver approves it.'];
  if (!isChange(tool)) return [tool.risk === 'read' ? 'Look up' : 'Send', ''];
  const raised = raisedWords(tool);
  if (tool.raisedBy?.startsWith('every ')) return [approval, raised];
  const what = tool.raisedBy === undefined ? 'The change' : 'Any other change';
  const made = `${raised} ${what} is made when you send this form`;
  if (!asksOwn) return [tool.title, `${made}.`];
  // Sending is the yes only where the form starts from the values of its record and has no others.
  return start === undefined || filledIn.length > 0
    ? ['Review the change', `${raised} ${what} is sent when you apply it, on the card that follows.`]
    : [tool.title, `${made}, or is shown first if the form does not show all of it.`];
}

/** The inputs that these values require, then the reason. */
function bodyOf(form: FormParts, most: number): ui.Block[] {
  const { tool, values, state, frame } = form;
  const { carried = {}, start, only, needs = [], filledIn = [] } = state;
  const keys = tool.current?.keys ?? [];
  const given = start === undefined ? Object.keys(values) : filledIn;
  const all = { ...carried, ...values };
  const needless = needlessFields(tool, all);
  const isShown = ({ name }: Field) =>
    !needless.has(name) &&
    !(name in carried) &&
    (values[name] !== undefined || !programFields[tool.id]?.includes(name)) &&
    (only === undefined || [...only, ...keys, ...given].includes(name));
  const lead = frame?.lead?.fields ?? [];
  const lost = start && tool.current?.asksAgain?.(start, values);
  const again = [lost?.field, ...(lost?.also ?? [])];
  const isNeeded = ({ name, secret }: Field) =>
    [...lead, ...needs, ...(start && only ? only : [])].includes(name) || (secret && again.includes(name));
  const fields = withRequired(tool, fieldsOf(tool), all)
    .filter(isShown)
    .map((field) => (isNeeded(field) ? { ...field, required: true } : field));
  const first = lead.flatMap((name) => fields.filter((field) => field.name === name));
  const others = fields.filter((field) => !first.includes(field));

  const deciding = Object.values(shownWhen[tool.id] ?? {}).map(({ field }) => field);
  // The record that is chosen gives the form its values.
  const namesRecord = ({ path, field: { kind } }: FormInput) =>
    start === undefined && (kind === 'phone' || kind === 'id') && keys.includes(path);
  const block = (input: FormInput) =>
    inputBlock(input, memberAt(values, input.path), form, {
      decides: deciding.includes(input.path) || namesRecord(input),
      now: wholeOf(tool, input.path, start),
    });
  const above =
    first.length === 0
      ? []
      : [ui.say(ui.bold(frame?.lead?.heading ?? '')), ...inputsOf(first).map(block), ...(frame?.lead?.rest ?? [])];
  const asksReason = isGated(tool) && state.flow === 'form';
  return [
    ...above,
    ...inputsOf(others)
      .slice(0, most - above.length - 1)
      .map(block),
    ...(asksReason ? [reasonInput('The approver reads it, and it is kept in the audit trail', state.reason)] : []),
  ];
}

/** A value of an input in words: a record by its name, a number as people read it, "removed". */
export function valueWords(name: string, value: unknown, nameOf?: (value: string) => string | undefined): string {
  const words = (member: string, one: unknown) => valueWords(member, one, nameOf);
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'removed';
  if (Array.isArray(value)) return value.map((one) => words(name, one)).join(', ');
  const members = isRecord(value) ? Object.entries(value) : [];
  const [[only, inside] = ['', undefined], ...others] = members;
  if (others.length > 0) return members.map(([member, one]) => `${labelOf(member)} ${words(member, one)}`).join(', ');
  if (members.length === 1) return words(only, inside);
  const text = String(value ?? '');
  const known = nameOf?.(text) ?? choiceText(name, value);
  return known ?? (ui.PHONE.test(text) ? formatPhone(text).national : valueText(value));
}

/* Reasons of people: the inputs for them. */

/** Builds the optional input for a reason, at the end of a form. `value`: the reason in a typed command. */
function reasonInput(hint: string, value?: string): ui.Block {
  const typed = textArea(ui.cut(value ?? '', MAX_REASON), { most: MAX_REASON, multiline: false });
  return inputOf(IDS.reason, 'Reason', typed, { hint, optional: true });
}

/** The reason in a submitted form; undefined if none was entered. `values`: `state.values` of the view. */
export function reasonIn(values: Fields): string | undefined {
  return textOf(recordOf(recordOf(values[IDS.reason])[IDS.value]).value) || undefined;
}

/** Builds the window that declines an action. `title`: its title. */
export function whyView(action: Action, title: string, state: StateOf<'decline'>): Fields {
  return ui.flowView(state, { title: 'Decline', submit: 'Decline' }, [
    ui.say(ui.bold(title), '\nNothing is sent. Tell ', ...ui.elementsOf([requesterOf(action)]), ' why, if you like.'),
    reasonInput('It is shown to the requester and kept in the audit trail'),
  ]);
}

/** Slack accepts 100 options in a menu, and 10 boxes to tick. */
export const MAX_OPTIONS = 100;
const MAX_BOXES = 10;
/** Slack's field holds no more. */
export const MAX_TEXT = 3_000;
const YES = ui.option('true', 'Yes');
const NO = ui.option('false', 'No');
const NOT_SHOWN = 'Not shown again';
const KEYWORD_HINT = 'One word or phrase per line. How serious it is may follow after a colon, for example: word: HIGH';

/** The parts of a form that an input is drawn with. */
type InputParts = Pick<FormParts, 'tool' | 'reworded' | 'labelOf' | 'frame'>;

/**
 * @param place.decides the form depends on this choice, so Slack sends it at once
 * @param place.now the current value, for a field that cannot be filled in with it
 */
export function inputBlock(
  { field, path, label, required }: FormInput,
  value: unknown,
  form: InputParts,
  { decides = false, now }: { decides?: boolean; now?: string | undefined } = {},
): ui.Block {
  const { mark, secretHint = NOT_SHOWN } = form.frame ?? {};
  const secret = field.secret ? (required ? NOT_SHOWN : secretHint) : '';
  const present = now === undefined ? '' : `Now: ${ui.cut(now, 200)}`;
  const hint = [...hintsOf(field).map((text) => form.reworded(text)), secret, present].filter((text) => text !== '');
  const id = mark === undefined ? path : `${path}~${mark}`;
  return inputOf(id, label, elementOf(field, value, form), { hint: hint.join(' · '), optional: !required, decides });
}

/** An input with its label. `decides`: Slack sends what is chosen at once. */
export function inputOf(
  id: string,
  title: string,
  element: ui.Element,
  { hint = '', optional = false, decides = false } = {},
): ui.Block {
  return {
    type: 'input',
    block_id: id,
    optional,
    ...(decides && { dispatch_action: true }),
    label: ui.plain(title, 2000),
    ...(hint !== '' && { hint: ui.plain(hint, 2000) }),
    element,
  };
}

/** Ids among the things that a field takes. People have names. */
const IDS_TOO = /(?:, [A-Z]{3,5}-…)+|(?<=name) or id(?=;|$)/;
/** The platform's words beside those of people. */
const CODES = / \((?:a2p|p2p|mvno|iot|voip)\)/g;
/** Notation for those who write JSON. */
const NOTATION = /^(MM\/DD\/YYYY|YYYY-MM-DD|decimal string)[;,]?\s*/;

/** The meaning of a field, and its format. */
function hintsOf(field: Field): string[] {
  const { kind, known, example, items, label, name, choices = [] } = field;
  if (kind === 'keywords') return [KEYWORD_HINT];
  // A choice is named as the menu names it.
  const description = field.description.replace(/\w+/g, (word) =>
    choices.includes(word) ? `“${menuText(name, word)}”` : word,
  );
  const text =
    known === undefined ? description.replace(NOTATION, '').replace(IDS_TOO, '').replace(CODES, '') : description;
  const isOffered = known !== undefined && (kind === 'choices' || text === `e.g. ${known.join(', ')}`);
  // A label that says it already needs no hint.
  const isSaid = isOffered || label.toLowerCase().includes(text.toLowerCase());
  const [first, ...others] = lineMembers(field);
  const exampleOf = (members: readonly Field[]) => members.map((member) => member.example ?? '…').join(': ');
  return [
    ...(isSaid ? [] : [/^[a-z]+\b(?!\.)/.test(text) ? capital(text) : text]),
    ...(kind === 'json' && example ? [`JSON, for example ${example}`] : []),
    ...(kind === 'list' && !items?.choices ? [perLine(items)] : []),
    ...(first ? [perLine(first)] : []),
    ...(first && others.length > 0
      ? [`${others.map((one) => one.label).join(', ')}, where needed, after a colon: ${exampleOf([first, ...others])}`]
      : []),
  ];
}

/** A choice in a menu. */
const menuText = (name: string, choice: string) => capital(choiceText(name, choice) ?? '') || choiceLabel(choice);

function perLine(field: Field | undefined): string {
  return `One ${field?.kind === 'phone' ? 'number ' : field?.kind === 'url' ? 'link ' : ''}per line`;
}

function elementOf(field: Field, given: unknown, { tool, labelOf }: InputParts): ui.Element {
  const { name, kind, known, items, choices } = field;
  const value = typeof given === 'number' && kind !== 'number' ? String(given) : given;
  const labelled = (all: readonly string[]) => all.map((choice): Option => [choice, menuText(name, choice)]);
  const lines = (text: unknown, example = lineMembers(field)[0]?.example ?? items?.example) =>
    textInput(field, text, { multiline: true, example });
  if (known !== undefined && kind === 'text') return typeahead(field, value);
  switch (kind) {
    case 'choices':
      return menu(labelled(known ?? []), typeof value === 'string' ? value.split(/\s*,\s*/) : []);
    case 'phone':
    case 'id':
      return typeahead(field, value, labelOf);
    case 'choice':
      if (choices === undefined || choices.length > MAX_OPTIONS) return textInput(field, value);
      return menu(
        labelled(choices.filter((one) => one === value || !programChoices[tool.id]?.includes(one))),
        [value],
        true,
      );
    case 'boolean':
      // An empty box means no. Otherwise "no" differs from leaving the value as it is.
      if (tool.risk === 'read' && !field.required) return menu([['true', 'Yes']], value === true ? ['true'] : []);
      return element('radio_buttons', {
        options: [YES, NO],
        initial_option: typeof value === 'boolean' ? (value ? YES : NO) : undefined,
      });
    case 'number':
      return numberInput(field, value);
    case 'date':
    case 'us-date': {
      const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(String(value)) ?? [];
      const iso = year === undefined ? String(value) : `${year}-${month}-${day}`;
      return element('datepicker', { initial_date: /^\d{4}-\d\d-\d\d$/.test(iso) ? iso : undefined });
    }
    case 'list':
      if (items?.choices && items.choices.length <= MAX_OPTIONS)
        return menu(labelled(items.choices), Array.isArray(value) ? value.map(String) : []);
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

/** The element of an input. Slack sends its value under `IDS.value`. */
function element(type: string, members: Fields): ui.Element {
  return { type, action_id: IDS.value, ...defined(members) };
}

/** Suggests numbers and ids that were seen before, or the values known; any other text can be entered too. */
function typeahead(field: Field, value: unknown, labelOf?: InputParts['labelOf']): ui.Element {
  return element('external_select', {
    action_id: IDS.pick,
    min_query_length: 0,
    placeholder: ui.plain(field.known ? 'Choose or type' : waysToName(field), 150),
    initial_option: typeof value === 'string' && value !== '' ? ui.option(value, labelOf?.(value) ?? value) : undefined,
  });
}

/** A value to choose, and its text. */
type Option = readonly [value: string, text: string];

/** A menu of values with their texts. For several choices, boxes to tick where Slack's boxes hold them all. */
function menu(choices: readonly Option[], chosen: readonly unknown[], isOne = false): ui.Element {
  const options = choices.slice(0, MAX_OPTIONS).map((choice) => ui.option(...choice));
  const initial = choices.filter(([value]) => chosen.includes(value)).map((choice) => ui.option(...choice));
  const many = options.length <= MAX_BOXES ? 'checkboxes' : 'multi_static_select';
  const [first] = initial;
  const chosenOnes = first && (isOne ? { initial_option: first } : { initial_options: initial });
  return element(isOne ? 'static_select' : many, { options, ...chosenOnes });
}

function numberInput({ minimum, maximum, example }: Field, value: unknown): ui.Element {
  // Prices are sent as texts and read as numbers. A value that is removed is no 0.
  const isNumber = String(value ?? '').trim() !== '' && Number.isFinite(Number(value));
  return element('number_input', {
    is_decimal_allowed: true,
    min_value: minimum?.toString(),
    max_value: maximum?.toString(),
    initial_value: isNumber ? String(Number(value)) : undefined,
    placeholder: example ? ui.plain(example, 150) : undefined,
  });
}

function textInput(field: Field, value: unknown, { multiline = false, example = field.example } = {}): ui.Element {
  const most = multiline ? MAX_TEXT : Math.min(MAX_TEXT, field.maxLength ?? MAX_TEXT);
  const placeholder = example && !field.secret ? ui.plain(example, 150) : undefined;
  return { ...textArea(field.secret ? '' : value, { most, multiline }), ...defined({ placeholder }) };
}

/** An input for text. A value that is too long for it is left out. */
export function textArea(value: unknown, { most = MAX_TEXT, multiline = true } = {}): ui.Element {
  const isKnown = typeof value === 'string' && value !== '' && value.length <= most;
  return element('plain_text_input', {
    multiline,
    max_length: most === MAX_TEXT ? undefined : most,
    initial_value: isKnown ? value : undefined,
  });
}

/* The fields and values of a form. */

/** One input of a form, with its path such as "CurrentBillingAddress.Zip". */
interface FormInput {
  path: string;
  label: string;
  field: Field;
  required: boolean;
}

/** A file cannot be typed, so a list of files has no input: a link does the same. */
const isTyped = ({ fields = [] }: Field) => !fields.some((member) => member.attachment);

/** The inputs of a form: required ones first, the members of a group together. */
export function inputsOf(fields: readonly Field[], prefix = '', labels = '', required = true): FormInput[] {
  const inputs = fields.filter(isTyped).map((field): FormInput[] => {
    const path = prefix + field.name;
    const name = labels === '' ? field.label : `${labels}: ${lowerFirst(field.label)}`;
    const must = required && field.required;
    if (field.kind === 'group' && field.fields) return inputsOf(field.fields, `${path}.`, field.label, must);
    return [{ path, label: name, field, required: must }];
  });
  const isFirst = (group: FormInput[]) => prefix !== '' || group.some((input) => input.required);
  return [...inputs.filter(isFirst), ...inputs.filter((group) => !isFirst(group))].flat();
}

/** Names of the fields that these values make needless. */
export function needlessFields(tool: Tool, values: Fields): ReadonlySet<string> {
  const conditions = shownWhen[tool.id] ?? {};
  const isNeedless = (name: string): boolean => {
    const when = conditions[name];
    if (!when) return false;
    // A field whose own condition is not met decides nothing.
    if (isNeedless(when.field)) return true;
    const chosen = values[when.field];
    if (chosen === undefined || chosen === null) return when.unset !== true && values[name] === undefined;
    return !when.is.some((value) => String(value).toLowerCase() === String(chosen).toLowerCase());
  };
  return new Set(Object.keys(conditions).filter(isNeedless));
}

/** The fields, with those required that these values make so. */
export function withRequired(tool: Tool, fields: readonly Field[], values: Fields): Field[] {
  const conditions = shownWhen[tool.id] ?? {};
  const needless = needlessFields(tool, values);
  return fields.map((field) =>
    conditions[field.name]?.required && !needless.has(field.name) ? { ...field, required: true } : field,
  );
}

/*
 * Converts lists, rows and keyword rules to lines of text, one entry per line, and back. People do not have to type
 * JSON in a form, but pasted JSON is accepted too.
 */

/**
 * The entries of the text of a field, each with its line number, starting at 1. A comma or semicolon ends an entry too,
 * except in free text.
 */
function entriesOf(text: string, field: Field): { text: string; line: number }[] {
  const isFreeText = field.kind !== 'rows' && field.items?.kind === 'text';
  return text
    .split('\n')
    .flatMap((line, i) =>
      (isFreeText ? [line] : line.split(/[,;]+/)).map((piece) => ({ text: piece.trim(), line: i + 1 })),
    )
    .filter((entry) => entry.text !== '');
}

/** The members of rows in the order in which a line has them, with colons between: the one that is needed first. */
function lineMembers(field: Field): readonly Field[] {
  const first = field.kind === 'rows' ? soleMember(field) : undefined;
  return first ? [first, ...(field.fields ?? []).filter((member) => member !== first)] : [];
}

/** Rows as lines. */
function rowLines(field: Field, rows: readonly unknown[]): string {
  const lines = rows.map((row) => {
    if (!isRecord(row)) return String(row);
    const values = lineMembers(field).map(({ name }) => row[name] ?? '');
    return values.join(': ').replace(/(: )+$/, '');
  });
  return lines.join('\n');
}

/** Reads rows from lines. */
function rowsFrom(field: Field, text: string): unknown {
  const members = lineMembers(field);
  if (members.length === 0 || text.trimStart().startsWith('[')) return jsonOrText(text);
  return entriesOf(text, field).map((entry) => {
    const row = entry.text.replace(/^tel:/i, '');
    const values = members.length === 1 ? [row] : row.split(':').map((value) => value.trim());
    const rest = values.splice(members.length - 1).join(':');
    return Object.fromEntries(
      members.map(({ name }, at) => [name, values[at] ?? rest]).filter(([, value]) => value !== ''),
    );
  });
}

/** Keyword rules as lines: `word` or `word: HIGH`. Undefined for rules that lines cannot show. */
function keywordLines(json: string): string | undefined {
  const rules = jsonOrText(/^\s*\{/.test(json) ? json : `{${json}}`);
  if (!isRecord(rules)) return undefined;
  const { CustomKeywords: words = [], SeverityMap: severities = {}, ...others } = rules;
  if (!Array.isArray(words) || !isRecord(severities) || Object.keys(others).length > 0) return undefined;
  if (Object.keys(severities).some((word) => !words.includes(word))) return undefined;
  return words.map((word) => [word, severities[String(word)] ?? []].flat().join(': ')).join('\n');
}

/** Reads keyword rules from lines, in the platform's format: a JSON object in a string. */
function keywordsFrom(text: string): string {
  if (text.trimStart().startsWith('{')) return text;
  const rules = text
    .split('\n')
    .map((line) => /^(.*\S)\s*:\s*([A-Za-z_]+)$/.exec(line.trim()) ?? [line, line.trim()])
    .filter(([, word]) => word !== '');
  const severe = rules.flatMap(([, word, severity]) => (severity ? [[word, severity.toUpperCase()]] : []));
  return JSON.stringify({
    CustomKeywords: [...new Set(rules.map(([, word]) => word))],
    ...(severe.length > 0 && { SeverityMap: Object.fromEntries(severe) }),
  });
}

/**
 * A choice as a form shows it: "MONITOR_ONLY" and "Call_On_Hold" become "Monitor only" and "Call on hold". Other
 * spellings stay.
 */
function choiceLabel(choice: string): string {
  if (/^[A-Z][a-z]+(_[A-Z][a-z]+)+$/.test(choice)) return labelOf(choice);
  return /^[A-Z]{2,}(_[A-Z]+)*$/.test(choice) && choice.length > 3 ? labelOf(choice) : choice;
}

/** The path of the input in a block, without the mark of the step. */
export function pathOf(blockId: string): string {
  return blockId.split('~')[0] ?? blockId;
}

/** The input of a submitted form. Empty fields are left out, and so are fields that the form does not show. */
export function readForm(fields: readonly Field[], state: Fields): Fields {
  const byPath = blocksByPath(state);
  const input: Fields = {};
  for (const { field, path } of inputsOf(fields)) {
    const value = readValue(field, byPath.get(path));
    if (value !== undefined) put(input, path.split('.'), value);
  }
  return input;
}

const blocksByPath = (state: Fields) => new Map(Object.entries(state).map(([block, value]) => [pathOf(block), value]));

/**
 * The value entered in a block: text as it was typed, an option, several options or a day; undefined if it is empty.
 *
 * @param asTyped changes back what Slack changes in a typed text
 */
export function enteredIn(block: unknown, asTyped = ui.typedText): unknown {
  const element = isRecord(block) ? (block[IDS.value] ?? block[IDS.pick]) : undefined;
  if (!isRecord(element)) return undefined;
  const { value, selected_option: one, selected_options: many, selected_date: day } = element;
  if (Array.isArray(many))
    return many.length === 0 ? undefined : many.flatMap((item) => (isRecord(item) ? [item.value] : []));
  if (isRecord(one)) return one.value;
  return typeof value === 'string' && value !== '' ? asTyped(value) : day || undefined;
}

/** The values of a form as Slack sends it if nothing is typed. */
export function drawnValues(blocks: unknown): Fields {
  const inputs = recordsIn(blocks).filter(({ type }) => type === 'input');
  return Object.fromEntries(
    inputs.map(({ block_id, element }) => {
      const { action_id, initial_value, initial_option, initial_options, initial_date } = recordOf(element);
      const chosen = {
        selected_option: initial_option,
        selected_options: initial_options,
        selected_date: initial_date,
      };
      return [block_id, { [String(action_id)]: { value: initial_value, ...chosen } }];
    }),
  );
}

function readValue(field: Field, block: unknown): unknown {
  const raw = enteredIn(block, field.secret ? ui.unescaped : ui.typedText);
  if (raw === undefined) return undefined;
  switch (field.kind) {
    case 'boolean':
      return Array.isArray(raw) ? raw.includes('true') || undefined : raw === 'true';
    case 'number':
      return Number(plainForm(String(raw)));
    case 'us-date': {
      const [year = '', month = '', day = ''] = String(raw).split('-');
      return `${month}/${day}/${year}`;
    }
    case 'choices':
      return Array.isArray(raw) ? raw.join(',') : raw;
    case 'list':
      return Array.isArray(raw) ? raw : entriesOf(String(raw), field).map(({ text }) => text);
    case 'rows':
      return rowsFrom(field, String(raw));
    case 'keywords':
      return keywordsFrom(String(raw));
    case 'group':
      return jsonOrText(String(raw));
    default:
      return raw;
  }
}

function put(into: Fields, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) {
    const inner = recordOf(into[key]);
    put(inner, rest, value);
    into[key] = inner;
  } else into[key] = value;
}

/**
 * Problems by block. A problem without a block goes to a related one, otherwise to the first. With the form's state, a
 * problem of a list names the line.
 */
export function errorsAt(fields: readonly Field[], problems: readonly FieldProblem[], state: Fields = {}) {
  const byPath = blocksByPath(state);
  const inputs = inputsOf(fields).filter(({ path }) => byPath.size === 0 || byPath.has(path));
  const found: Record<string, string> = {};
  for (const { field, message } of problems) {
    const exact = inputs.find(({ path }) => field === path || field.startsWith(`${path}.`));
    const inside = inputs.find(({ path }) => path.startsWith(`${field}.`));
    const { path } = exact ?? inside ?? inputs[0] ?? {};
    if (path === undefined) continue;
    const line = exact && lineOf(exact, field, byPath.get(exact.path));
    const about = line ?? (exact || inside ? '' : `${field}: `);
    const text = about + message;
    const shown = capital(text);
    // Slack shows one text per block. Further problems are added only if they name lines of a list.
    if (found[path] === undefined) found[path] = ui.cut(shown, 300);
    else if (line !== undefined) found[path] = ui.cut(`${found[path]} ${shown}`, 300);
  }
  return found;
}

/** "line 3 (+1201): ": the entry of a list that a problem such as "PhoneNumbers.2.Number" is about. */
function lineOf({ field, path }: FormInput, problem: string, block: unknown): string | undefined {
  const index = Number(problem.slice(path.length + 1).split('.')[0]);
  const raw = enteredIn(block);
  if (problem === path || !Number.isInteger(index) || typeof raw !== 'string') return undefined;
  const entry = entriesOf(raw, field)[index];
  return entry && `line ${entry.line} (${ui.cut(entry.text, 40)}): `;
}

/** True if any of the fields, at any depth, is secret. */
export function hasSecrets(fields: readonly Field[]): boolean {
  return fields.some((field) => field.secret || field.items?.secret === true || hasSecrets(field.fields ?? []));
}

/** The input without its secrets, at any depth, but with their removals. Only this may be stored to prefill a form. */
export function withoutSecrets(fields: readonly Field[], input: Fields): Fields {
  const kept: Fields = {};
  for (const { name, fields: members, items, secret } of fields) {
    const value = input[name];
    if (value === undefined || (value !== null && (secret || items?.secret))) continue;
    const without = (row: unknown) => (members && isRecord(row) ? withoutSecrets(members, row) : row);
    kept[name] = Array.isArray(value) ? value.map(without) : without(value);
  }
  return kept;
}
