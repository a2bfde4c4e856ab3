import { formTexts, programFields, shortForms, shownWhen } from '../../../../tools/surfaces/forms.ts';
import { requesterOf } from '../../../cards/requester.ts';
import { wholeOf } from '../../../catalogue/current.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, isGated, type Tool } from '../../../catalogue/operation.ts';
import { MAX_REASON } from '../../../gate/approval.ts';
import { raisedWords } from '../../../language/help.ts';
import { formatPhone } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { defined, type Fields, isRecord, recordOf, textOf } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import type { StateOf } from '../flow-state.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { type InputPlace, inputBlock, inputOf, textArea } from './form-fields.ts';
import {
  type FormInput,
  inputsOf,
  MAX_ROWS,
  needlessFields,
  rowCount,
  rowFields,
  rowInputs,
  singular,
  withRequired,
} from './form-shape.ts';
import { valueAt } from './form-values.ts';
import { elementsOf } from './render.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  flowView,
  lines,
  PHONE,
  quote,
  rich,
  say,
  small,
} from './text.ts';

/** The state of a form that is derived from an operation. */
export type FormState = StateOf<'form' | 'guide'>;

/** Texts of a form that is one step of several, in place of the operation's. */
export interface Frame {
  title: string;
  submit: string;
  above: readonly Block[];
  /**
   * Added to the names of this form's inputs: Slack keeps what was typed in a field of the same name in the step
   * before. Left out if that is wanted.
   */
  mark?: string;
  /** Required fields that come first, under a heading. `rest` follows them. */
  lead?: { fields: readonly string[]; heading: string; rest: readonly Block[] };
  /** The hint of a secret that may be left empty. */
  secretHint?: string;
  /** Fields that earlier steps make required. */
  needs?: readonly string[];
}

/** Slack accepts 100 blocks in a view. */
const MAX_BLOCKS = 98;

/** The contents of a form. `values` are prefilled; they must not contain secrets. */
export interface FormParts {
  tool: Tool;
  values: Fields;
  state: FormState;
  reworded?: Reworder;
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
export function formView(form: FormParts): Element {
  const { tool, state, asksOwn, reworded = (text) => plainText(text), frame, labelOf, problem, quoted } = form;
  const { title = tool.title, submit = submitLabel(tool, state, asksOwn) } = frame ?? {};
  const above = frame?.above ?? [
    ...(problem === undefined ? [] : [say('❌ ', rich.bold(reworded(problem)))]),
    say(reworded(aboutText(tool, state, asksOwn))),
    ...(state.start ? [carriedFacts(tool, state.carried ?? {}, labelOf)] : []),
    ...quotedBlocks(quoted),
  ];
  const body = bodyOf({ ...form, reworded, most: MAX_BLOCKS - above.length });
  return flowView(state, { title, submit }, [...above, ...body]);
}

/**
 * The text of the button that sends a form. It names the act where sending is the yes, or where none is needed: the form
 * starts from the values of its record, or own changes need no yes. Any other one leads to an approver or to a card.
 *
 * @param asksOwn CONFIRM_OWN
 */
export function submitLabel(tool: Tool, { start }: Pick<FormState, 'start'>, asksOwn: boolean): string {
  if (isGated(tool)) return 'Ask for approval';
  if (isChange(tool)) return start === undefined && asksOwn ? 'Review the change' : tool.title;
  return tool.risk === 'read' ? 'Look up' : 'Send';
}

/** Says beside the fields who confirms. Empty for an operation without a confirmation. */
function whoConfirms(tool: Tool, { start }: Pick<FormState, 'start'>, asksOwn: boolean): string {
  if (isGated(tool)) return ' Nothing is sent before an approver approves it.';
  if (!isChange(tool)) return '';
  if (tool.raisedBy?.startsWith('every ')) return raisedWords(tool);
  const what = tool.raisedBy === undefined ? 'The change' : 'Any other change';
  if (!asksOwn) return `${raisedWords(tool)} ${what} is made when you send this form.`;
  return start === undefined
    ? `${raisedWords(tool)} ${what} is sent when you apply it, on the card that follows.`
    : `${raisedWords(tool)} ${what} is made when you send this form, or is shown first if the form does not show all of it.`;
}

/** The inputs that these values require, then the rows, the reason, and the end of a short form. */
function bodyOf(form: FormParts & { reworded: Reworder; most: number }): Block[] {
  const { tool, values, state, asksOwn, frame, reworded, labelOf, most } = form;
  const { carried = {}, short, start } = state;
  const all = { ...carried, ...values };
  const needless = needlessFields(tool, all);
  const shortForm = short === undefined ? undefined : shortForms[tool.id];
  const inShort = [...(shortForm?.shows ?? []), ...(short === 'more' ? (shortForm?.more.fields ?? []) : [])];
  const isShown = ({ name }: Field) =>
    !needless.has(name) &&
    !(name in carried) &&
    (values[name] !== undefined || !programFields[tool.id]?.includes(name)) &&
    (shortForm === undefined || inShort.includes(name));
  const lead = frame?.lead?.fields ?? [];
  const fields = withRequired(tool, fieldsOf(tool), all)
    .filter(isShown)
    .map((field) =>
      lead.includes(field.name) || frame?.needs?.includes(field.name) ? { ...field, required: true } : field,
    );
  const first = lead.flatMap((name) => fields.filter((field) => field.name === name));
  const others = fields.filter((field) => !first.includes(field));

  const deciding = Object.values(shownWhen[tool.id] ?? {}).map(({ field }) => field);
  // The record that is chosen gives the form its values.
  const namesRecord = ({ path, field: { kind } }: FormInput) =>
    start === undefined && (kind === 'phone' || kind === 'id') && tool.current?.keys.includes(path) === true;
  const block = (input: FormInput) =>
    inputBlock(input, valueAt(values, input.path), {
      tool,
      mark: frame?.mark,
      decides: deciding.includes(input.path) || namesRecord(input),
      reworded,
      ...defined({ secretHint: frame?.secretHint, labelOf, now: wholeOf(tool, input.path, start) }),
    });
  const above =
    first.length === 0
      ? []
      : [say(rich.bold(frame?.lead?.heading ?? '')), ...inputsOf(first).map(block), ...(frame?.lead?.rest ?? [])];
  const rows = rowFields(others).flatMap((field) => {
    const count = rowCount(field, values[field.name], state.rows);
    return [say(rich.bold(field.label)), ...rowInputs(field, count).flat().map(block), rowButtons(field, count)];
  });
  const asksReason = isGated(tool) && short === undefined && !frame;
  return [
    ...above,
    ...inputsOf(others)
      .slice(0, most - rows.length - above.length - 1)
      .map(block),
    ...rows,
    ...(asksReason ? [reasonInput('The approver reads it, and it is kept in the audit trail', state.reason)] : []),
    ...(shortForm && short === 'short' ? [actions('more', button(IDS.more, shortForm.more.label, 'more'))] : []),
    ...(shortForm ? [small(`${shortForm.note}${whoConfirms(tool, state, asksOwn)}`)] : []),
  ];
}

/** The content above a short form, in place of an introduction: the message it answers, and the values it carries. */
export function shortAbove(
  tool: Tool,
  carried: Fields,
  { quoted, labelOf }: { quoted?: string | undefined; labelOf?: InputPlace['labelOf'] },
): Block[] {
  return [...quotedBlocks(quoted), carriedFacts(tool, carried, labelOf)];
}

/** The text above a form that starts from a record: the effect of the operation, and the record's name. */
export function aboutRecord(
  tool: Tool,
  state: FormState,
  form: { reworded: Reworder; labelOf: InputPlace['labelOf']; asksOwn: boolean },
): Block[] {
  return [
    say(form.reworded(aboutText(tool, state, form.asksOwn))),
    carriedFacts(tool, state.carried ?? {}, form.labelOf),
  ];
}

/** The values that a form carries, with the names of records. */
function carriedFacts(tool: Tool, carried: Fields, labelOf?: InputPlace['labelOf']): Block {
  // A number, or the only members of rows, in a line.
  const words = (value: unknown): string => {
    if (Array.isArray(value)) return cut(value.map(words).join(', '), 500);
    if (isRecord(value)) return words(Object.values(value)[0]);
    const text = String(value ?? '');
    return labelOf?.(text) ?? (PHONE.test(text) ? formatPhone(text).national : text);
  };
  return lines(
    fieldsOf(tool)
      .filter(({ name }) => carried[name] !== undefined && carried[name] !== '')
      .map(({ name, label }) => [rich.bold(label), `  ${words(carried[name])}`]),
  );
}

function rowButtons(field: Field, count: number): Block {
  const add = count === 0 ? `Add a ${singular(field.label).toLowerCase()}` : 'Add another';
  return actions(
    `rows:${field.name}`,
    ...(count < MAX_ROWS ? [button(`${IDS.row}_more`, add, field.name)] : []),
    ...(count > (field.required ? 1 : 0) ? [button(`${IDS.row}_less`, 'Remove the last', field.name)] : []),
  );
}

function quotedBlocks(text: string | undefined): Block[] {
  return text === undefined || text === '' ? [] : [say(rich.bold('They wrote')), quote(cut(text, 2_900))];
}

/** Describes the operation, and says if an approver has to confirm it. */
function aboutText(tool: Tool, state: FormState, asksOwn: boolean): string {
  return `${formTexts[tool.id] ?? tool.description}${whoConfirms(tool, state, asksOwn)}`;
}

/* Reasons of people: the inputs for them. */

/** Builds the optional input for a reason, at the end of a form. `value`: the reason in a typed command. */
function reasonInput(hint: string, value?: string): Block {
  const typed = textArea(cut(value ?? '', MAX_REASON), { most: MAX_REASON, multiline: false });
  return inputOf(IDS.reason, 'Reason', typed, { hint, optional: true });
}

/** The reason in a submitted form; undefined if none was entered. `values`: `state.values` of the view. */
export function reasonIn(values: Fields): string | undefined {
  return textOf(recordOf(recordOf(values[IDS.reason])[IDS.value]).value) || undefined;
}

/** Builds the window that declines an action. `title`: its title. */
export function whyView(action: Action, title: string, state: StateOf<'decline'>): Element {
  return flowView(state, { title: 'Decline', submit: 'Decline' }, [
    say(rich.bold(title), '\nNothing is sent. Tell ', ...elementsOf([requesterOf(action)]), ' why, if you like.'),
    reasonInput('It is shown to the requester and kept in the audit trail'),
  ]);
}
