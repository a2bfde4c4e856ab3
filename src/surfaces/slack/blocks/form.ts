import { introductions, programFields } from '../../../../tools/surfaces/form-texts.ts';
import { shortForms } from '../../../../tools/surfaces/forms.ts';
import type { Field } from '../../../catalogue/field-types.ts';
import { fieldsOf } from '../../../catalogue/fields.ts';
import { isChange, isGated, type Tool } from '../../../catalogue/operation.ts';
import { raisedWords } from '../../../language/help.ts';
import { formatPhone } from '../../../language/show.ts';
import { defined, type Fields, isRecord, objectIn } from '../../../lib/json.ts';
import { plainText } from '../../../lib/words.ts';
import { IDS } from '../ids.ts';
import type { Reworder } from '../types.ts';
import { type InputPlace, inputBlock } from './form-fields.ts';
import {
  decidingFields,
  type FormInput,
  inputsOf,
  MAX_ROWS,
  needlessFields,
  type RowCounts,
  rowCount,
  rowFields,
  rowInputs,
  singular,
  splitFields,
  withRequired,
} from './form-shape.ts';
import { valueAt } from './form-values.ts';
import { inFormWords } from './form-words.ts';
import { reasonInput } from './reasons.ts';
import {
  actions,
  alert,
  type Block,
  button,
  cut,
  type Element,
  label,
  lines,
  quote,
  rich,
  say,
  small,
} from './text.ts';

/** Stored in the form's metadata. */
export interface FormMeta {
  /** Operation id. */
  t: string;
  /** Channel of the request. */
  c?: string;
  /** The caution already shown. Submitting the same values again saves them. */
  w?: string;
  /** Rows shown, by the field's name. */
  r?: RowCounts;
  /** Values that are sent and that the form has no input for. */
  v?: Fields;
  /** A short form, without or with its further fields. */
  s?: 'short' | 'more';
  /** Thread that the form was opened in. */
  th?: string;
  /** The values of the record from which the form started. */
  b?: Fields;
  /** The reason that was typed before the form was opened. */
  y?: string;
  /** The waiting question that the form edits. */
  e?: string;
}

/** A form's metadata; undefined if it is another view's. */
export function formMeta(metadata: string): FormMeta | undefined {
  const meta = objectIn(metadata);
  if (typeof meta?.t !== 'string') return undefined;
  const { t, c, w, r, v, s, th, b, y, e } = meta;
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    t,
    ...defined({
      c: text(c),
      w: text(w),
      r: isRecord(r) ? Object.fromEntries(Object.entries(r).map(([name, n]) => [name, Number(n)])) : undefined,
      v: isRecord(v) ? v : undefined,
      b: isRecord(b) ? b : undefined,
      s: (['short', 'more'] as const).find((one) => one === s),
      th: text(th),
      y: text(y),
      e: text(e),
    }),
  };
}

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
}

const MAX_METADATA = 3_000;
/** Slack accepts 100 blocks in a view. */
const MAX_BLOCKS = 98;

/** A modal derived from an operation's input. `values` are prefilled; they must not contain secrets. */
export function formView(form: {
  tool: Tool;
  values: Fields;
  meta: FormMeta;
  reworded?: Reworder;
  frame?: Frame;
  /** A message that the form answers, shown above the fields. */
  quoted?: string | undefined;
  /**
   * The consequence of sending these values, shown first. Only for a view that is opened, because an answer to Slack
   * cannot be retried if Slack refuses the alert block.
   */
  warning?: string | undefined;
  /** The reason why the operation was not done before. Only for a view that is opened. */
  problem?: string | undefined;
  /** The name of a number or id for people. */
  labelOf?: (value: string) => string | undefined;
}): Element {
  const { tool, values, meta, reworded = (text) => plainText(text), frame, labelOf } = form;
  const alerts = [
    ...(form.problem === undefined ? [] : [alert('error', inFormWords(tool, reworded(form.problem)))]),
    ...(form.warning === undefined ? [] : [alert('warning', inFormWords(tool, reworded(form.warning)))]),
  ];
  const about = meta.b ? [carriedFacts(tool, meta.v ?? {}, labelOf)] : [];
  const above = frame?.above ?? [...alerts, introduction(tool, reworded), ...about, ...quotedBlocks(form.quoted)];
  return {
    type: 'modal',
    callback_id: IDS.submit,
    private_metadata: metadataOf(meta),
    title: label(frame?.title ?? tool.title, 24),
    submit: label(frame?.submit ?? submitLabel(tool), 24),
    close: label('Cancel', 24),
    blocks: [...above, ...bodyOf({ tool, values, meta, frame, reworded, labelOf, most: MAX_BLOCKS - above.length })],
  };
}

/** Slack accepts 3,000 characters. Without the values that it started from, a form sends everything it shows. */
function metadataOf({ b, ...meta }: FormMeta): string {
  const whole = JSON.stringify({ ...meta, b });
  return whole.length <= MAX_METADATA ? whole : JSON.stringify(meta);
}

/** The text of the button that sends a form. */
export function submitLabel(tool: Tool): string {
  if (isGated(tool)) return 'Ask to confirm';
  if (isChange(tool)) return 'Save';
  return tool.risk === 'read' ? 'Look up' : 'Send';
}

/** The inputs that these values require, then the rows. */
function bodyOf(form: {
  tool: Tool;
  values: Fields;
  meta: FormMeta;
  frame: Frame | undefined;
  reworded: Reworder;
  labelOf: InputPlace['labelOf'];
  most: number;
}): Block[] {
  const { tool, values, meta, frame, reworded, labelOf, most } = form;
  const carried = meta.v ?? {};
  const needless = needlessFields(tool, { ...carried, ...values });
  const short = shortFields(tool, meta.s);
  const isHidden = (name: string) => values[name] === undefined && programFields[tool.id]?.includes(name) === true;
  const fields = withRequired(tool, fieldsOf(tool), { ...carried, ...values }).filter(
    ({ name }) => !needless.has(name) && !(name in carried) && !isHidden(name) && (short?.has(name) ?? true),
  );
  const { first, others } = splitFields(fields, frame?.lead?.fields ?? []);
  const deciding = decidingFields(tool);
  const block = (input: FormInput) =>
    inputBlock(input, valueAt(values, input.path), {
      tool,
      mark: frame?.mark,
      decides: deciding.has(input.path) || namesRecord(tool, meta, input),
      reworded,
      ...defined({ secretHint: frame?.secretHint, labelOf }),
    });
  const rows = rowFields(others).flatMap((field) => {
    const count = rowCount(field, values[field.name], meta.r);
    return [
      say(rich.bold(field.label)),
      ...rowInputs(field, count).rows.flatMap((row) => row.map(block)),
      rowButtons(field, count),
    ];
  });
  const lead =
    frame?.lead && first.length > 0
      ? [say(rich.bold(frame.lead.heading)), ...inputsOf(first).map(block), ...frame.lead.rest]
      : [];
  const inputs = inputsOf(others).slice(0, most - rows.length - lead.length - 1);
  return [...lead, ...inputs.map(block), ...rows, ...(frame ? [] : reasonFor(tool, meta)), ...shortEnd(tool, meta.s)];
}

/** The input for the reason, in the form of an operation that a person has to confirm. A short form leaves it out. */
function reasonFor(tool: Tool, { s, y }: FormMeta): Block[] {
  return isGated(tool) && s === undefined
    ? [reasonInput('The approver reads it, and it is kept in the audit trail', y)]
    : [];
}

/** True for the input that names the record whose values the form then shows. */
function namesRecord(tool: Tool, meta: FormMeta, { path, field }: FormInput): boolean {
  const isOne = field.kind === 'phone' || field.kind === 'id';
  return meta.b === undefined && isOne && tool.current?.keys.includes(path) === true;
}

/** The fields of a short form; undefined if the form shows all. */
function shortFields(tool: Tool, shown: FormMeta['s']): ReadonlySet<string> | undefined {
  const form = shortForms[tool.id];
  if (!form || shown === undefined) return undefined;
  return new Set([...form.shows, ...(shown === 'more' ? form.more.fields : [])]);
}

/** The button that adds the further fields of a short form, and its note. */
function shortEnd(tool: Tool, shown: FormMeta['s']): Block[] {
  const form = shortForms[tool.id];
  if (!form || shown === undefined) return [];
  const gate = isGated(tool) ? ' Nothing is sent before an approver confirms.' : '';
  return [
    ...(shown === 'short' ? [actions('more', button(IDS.more, form.more.label, 'more'))] : []),
    small(`${form.note}${gate}`),
  ];
}

/** The content above a short form, in place of an introduction: the message it answers, and the values it carries. */
export function shortAbove(tool: Tool, carried: Fields, quoted: string | undefined): Block[] {
  return [...quotedBlocks(quoted), carriedFacts(tool, carried)];
}

/** The text above a form that starts from a record: the effect of the operation, and the record's name. */
export function aboutRecord(
  tool: Tool,
  carried: Fields,
  form: { reworded: Reworder; labelOf: InputPlace['labelOf'] },
): Block[] {
  return [introduction(tool, form.reworded), carriedFacts(tool, carried, form.labelOf)];
}

/** The values that a form carries, with the names of records. */
function carriedFacts(tool: Tool, carried: Fields, labelOf?: InputPlace['labelOf']): Block {
  const facts = fieldsOf(tool)
    .filter(({ name }) => name in carried)
    .map(({ name, label }) => [rich.bold(label), `  ${valueWords(carried[name], labelOf)}`]);
  return lines(facts);
}

/** A number, or the only members of rows, in a line. */
function valueWords(value: unknown, labelOf?: InputPlace['labelOf']): string {
  if (Array.isArray(value)) return cut(value.map((one) => valueWords(one, labelOf)).join(', '), 500);
  if (isRecord(value)) return valueWords(Object.values(value)[0], labelOf);
  const text = String(value ?? '');
  const name = labelOf?.(text);
  if (name !== undefined) return name;
  return /^\+\d{7,15}$/.test(text) ? formatPhone(text).national : text;
}

function rowButtons(field: Field, count: number): Block {
  const one = singular(field.label).toLowerCase();
  const buttons = [
    ...(count < MAX_ROWS ? [button(`${IDS.row}_more`, count === 0 ? `Add a ${one}` : 'Add another', field.name)] : []),
    ...(count > (field.required ? 1 : 0) ? [button(`${IDS.row}_less`, 'Remove the last', field.name)] : []),
  ];
  return actions(`rows:${field.name}`, ...buttons);
}

function quotedBlocks(text: string | undefined): Block[] {
  return text === undefined || text === '' ? [] : [say(rich.bold('They wrote')), quote(cut(text, 2_900))];
}

/** Describes the operation, and says if an approver has to confirm it. */
function introduction(tool: Tool, reworded: Reworder): Block {
  const ask = isGated(tool) ? ' Nothing is sent before an approver confirms.' : raisedWords(tool);
  return say(
    ...(tool.title.length > 24 ? [rich.bold(tool.title), '\n'] : []),
    inFormWords(tool, reworded(`${introductions[tool.id] ?? tool.description}${ask}`)),
  );
}

/** The same form with a caution at its top and the values entered. Submitting it unchanged saves it. */
export function cautionedView(tool: Tool, values: Fields, meta: FormMeta & { w: string }, reworded: Reworder): Element {
  const above = [say('⚠️ ', rich.bold(inFormWords(tool, reworded(meta.w)))), introduction(tool, reworded)];
  return formView({ tool, values, meta, reworded, frame: { title: tool.title, submit: 'Save anyway', above } });
}

/** A modal without inputs. */
export function noticeView(title: string, ...blocks: Block[]): Element {
  return { type: 'modal', title: label(title, 24), close: label('Close', 24), blocks };
}

export const OUT_OF_DATE = noticeView('Out of date', say('This form is out of date. Nothing was sent. Open it again.'));
