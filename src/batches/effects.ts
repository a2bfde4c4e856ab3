import { batchedBy } from '../catalogue/batch-rule.ts';
import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import type { Consent, Tool } from '../catalogue/operation.ts';
import { inputOfRows } from '../gate/frozen-batch.ts';
import { factsOf } from '../gate/question.ts';
import { canonical } from '../ledger/action.ts';
import type { Fields } from '../lib/json.ts';
import { inQuotes, plainLine } from '../lib/text.ts';
import { setApart } from '../platform/dialect/phone.ts';
import { customerOf, type StoredRow } from './states.ts';

/** Maximum number of groups in the text of a question. A separate list has all of them. */
const MOST_NAMED = 8;
/** Rows of a group that the text of a question names. */
const MOST_TARGETS = 3;
/** Characters of a value in the text of a question. The list of what will be sent has all of it. */
const MAX_VALUE = 100;

/** A list that is part of the question. */
interface PlanList {
  label: string;
  value: string;
}

/** The effects of a batch. Equal ones are counted, different ones are named with their rows. */
export interface Effects {
  consequence: string;
  undo: string;
  /** Cautions about some rows or all. Empty for none. */
  caution: string;
  cost: string | undefined;
  /** The word for the act ("Reactivate"); undefined if it is not the same for all rows. */
  verb: string | undefined;
  /** The customers with the number of their rows. Empty if none is known. */
  customers: string;
  /** Everything that the texts above only count. */
  lists: PlanList[];
}

type Ready = Pick<StoredRow, 'n' | 'target' | 'said' | 'asked'>;

interface Group {
  text: string;
  rows: Ready[];
}

/** @param ready the rows that the question is about */
export function effectsOf(tool: Tool, shared: Fields, ready: readonly Ready[]): Effects {
  const consequences = groupsOf(ready, (row) => row.asked?.consent?.consequence);
  const undos = groupsOf(ready, (row) => row.asked?.consent?.undo);
  const costs = costGroups(ready);
  const customers = groupsOf(ready, customerOf, 'exact');
  const cautions = groupsOf(ready, ({ asked }) => asked && factsOf(asked).warnings.join(' '));
  const verbs = new Set(ready.map(({ asked }) => asked?.consent?.confirm.split(' ')[0]));
  return {
    consequence: textOf(consequences, 'Changed as listed.') || changesText(tool, shared, ready),
    undo: textOf(undos, ''),
    caution: cautionText(cautions, ready.length),
    cost: costText(tool, shared, ready, costs),
    verb: verbs.size === 1 ? [...verbs][0] : undefined,
    customers: customersText(customers, 'no customer known'),
    lists: [
      ...listOf('What happens', consequences, 'Changed as listed.'),
      ...listOf('Cost by row', costs, 'no cost'),
      ...listOf('Customers', customers, 'no customer known'),
    ],
  };
}

/** The change, in words, for rows without a separate consequence: "Set data limits. Notify at: 500." */
function changesText(tool: Tool, shared: Fields, ready: readonly Ready[]): string {
  const { row, also = [] } = batchedBy(tool) ?? { row: '' };
  const own = [row, ...also];
  // The fields of the operation by name, those of its list included.
  const fields = new Map(
    fieldsOf(tool)
      .flatMap((field) => [field, ...(field.fields ?? [])])
      .map((field) => [field.name, field]),
  );
  const textOf = (name: string, value: unknown) => valueText(value, fields.get(name));
  const given = [...new Set(ready.flatMap(({ said }) => Object.keys(said)))].filter((name) => !own.includes(name));
  const each = given.map((name): [string, string] => {
    const values = new Set(ready.map(({ said }) => canonical(said[name] ?? null)));
    return [name, values.size === 1 ? textOf(name, ready[0]?.said[name]) : 'as listed'];
  });
  const all = [...Object.entries(shared).map(([name, value]) => [name, textOf(name, value)] as const), ...each];
  const named = all.map(([name, value]) => `${fields.get(name)?.label ?? name}: ${value}`);
  return named.length === 0 ? `${tool.title}.` : `${tool.title}. ${named.join('; ')}.`;
}

/**
 * A value in one line, in quotation marks if its field takes any text. With a line break it could add a line that looks
 * like a fact of the question ("Cost: nothing").
 */
function valueText(value: unknown, field: Field | undefined): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const line = plainLine(typeof value === 'string' ? value : JSON.stringify(value), MAX_VALUE);
  const isFree = (field?.kind === 'text' || field?.kind === 'multiline') && field.known === undefined;
  return isFree ? inQuotes(line) : setApart(line);
}

/** Rows with the same text, in the order of the rows. A group without a text is the last one. */
function groupsOf(ready: readonly Ready[], of: (row: Ready) => string | undefined, isExact?: 'exact'): Group[] {
  const groups = new Map<string, Group>();
  for (const row of ready) {
    const text = of(row) ?? '';
    // Without the number or id of its record, which is different in each row. Nothing else of a row is taken out: a value
    // that its caller wrote could take the consequence with it.
    const alike = isExact || !TARGET.test(row.target) ? text : text.replaceAll(row.target, '…');
    const group = groups.get(alike) ?? { text, rows: [] };
    // The list of the rows has the ids that a text for several rows leaves out.
    if (group.rows.length > 0) group.text = alike;
    group.rows.push(row);
    groups.set(alike, group);
  }
  return [...groups.values()].sort((one, other) => Number(one.text === '') - Number(other.text === ''));
}

const TARGET = /^(\+\d{7,15}|[A-Z]{2,7}-[A-Za-z0-9-]{8,60})$/;

/** Returns the text of all rows, or one line for each group. `none` is used for a group without a text. */
function textOf(groups: readonly Group[], none: string): string {
  if (groups.every(({ text }) => text === '')) return '';
  const shown = groups.filter(({ text }) => text !== '' || none !== '');
  const [only] = shown;
  if (shown.length === 1) return only?.text ?? '';
  const named = shown
    .slice(0, MOST_NAMED)
    .map(({ text, rows }) => `${counted(rows)} (${targetsOf(rows, MOST_TARGETS)}): ${text || none}`);
  const rest = shown.slice(MOST_NAMED).flatMap(({ rows }) => rows);
  if (rest.length > 0) named.push(`${counted(rest)} more, each with its own text in the list.`);
  return named.join('\n');
}

/** Joins the cautions. A caution that does not concern all rows names its rows. */
function cautionText(groups: readonly Group[], all: number): string {
  return groups
    .filter(({ text }) => text !== '')
    .slice(0, MOST_NAMED)
    .map(({ text, rows }) =>
      rows.length === all ? text : `${counted(rows)} (${targetsOf(rows, MOST_TARGETS)}): ${text}`,
    )
    .join(' ');
}

/** The cost of these rows in all; undefined if nothing. */
export function costOf(tool: Tool, shared: Fields, rows: readonly Ready[]): string | undefined {
  return costText(tool, shared, rows, costGroups(rows));
}

function costGroups(rows: readonly Ready[]): Group[] {
  return groupsOf(rows, (row) => row.asked?.consent?.cost, 'exact');
}

function costText(tool: Tool, shared: Fields, ready: readonly Ready[], groups: readonly Group[]): string | undefined {
  const paid = groups.filter(({ text }) => text !== '');
  if (paid.length === 0) return undefined;
  // NaN if a cost is more than an amount ("5 USD").
  const amounts = paid.map(({ text, rows }) => Number(/^(\d+(?:\.\d+)?) USD$/.exec(text)?.[1]) * rows.length);
  const sum = amounts.reduce((one, other) => one + other, 0);
  if (!Number.isNaN(sum)) return `${Number(sum.toFixed(2))} USD`;
  const whole = paid.length === 1 && groups.length === 1 ? consentOfAll(tool, shared, ready)?.cost : undefined;
  if (whole !== undefined) return whole;
  const named = paid
    .slice(0, MOST_NAMED)
    .map(({ text, rows }) => `${rows.length} × ${text.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())}`);
  const others = paid.slice(MOST_NAMED).reduce((count, { rows }) => count + rows.length, 0);
  return [...named, ...(others > 0 ? [`${others} more as listed`] : [])].join('; ');
}

/** The operation's own question about all rows, if one request can carry them. */
export function consentOfAll(tool: Tool, shared: Fields, ready: readonly Ready[]): Consent | undefined {
  if (batchedBy(tool)?.list === undefined || !ready.some(({ asked }) => asked?.consent)) return undefined;
  const rows = ready.map(({ said }) => said);
  return tool.consent?.(inputOfRows(tool, shared, rows), {});
}

function customersText(groups: readonly Group[], none: string): string {
  const known = groups.filter(({ text }) => text !== '');
  const [only] = known;
  if (only === undefined) return '';
  if (groups.length === 1) return only.text;
  const named = groups.slice(0, MOST_NAMED).map(({ text, rows }) => `${text || none}: ${counted(rows)}`);
  const others = groups.length - MOST_NAMED;
  return [...named, ...(others > 0 ? [`${others} more as listed`] : [])].join('; ');
}

function listOf(label: string, groups: readonly Group[], none: string): PlanList[] {
  if (groups.length <= MOST_NAMED) return [];
  const lines = groups.map(({ text, rows }) => `${targetsOf(rows, rows.length)}: ${text || none}`);
  return [{ label: `${label} (${groups.length})`, value: lines.join('\n') }];
}

function targetsOf(rows: readonly Ready[], most: number): string {
  const named = rows.slice(0, most).map(({ n, target }) => target || `row ${n}`);
  return `${named.join(', ')}${rows.length > most ? ` and ${rows.length - most} more` : ''}`;
}

/** "37 numbers", or "37 rows" if they are not phone numbers. */
export function counted(rows: readonly Pick<StoredRow, 'target'>[]): string {
  const noun = rows.every(({ target }) => /^\+\d+$/.test(target)) ? 'number' : 'row';
  return `${rows.length} ${noun}${rows.length === 1 ? '' : 's'}`;
}

/** The platform's statement about one number, as it reads for all rows. */
export function statementOfAll(statement: string, ready: readonly Pick<StoredRow, 'target'>[]): string {
  if (ready.length === 1) return statement;
  return statement.replace(/\+?\d{7,15}(,\s*\+?\d{7,15})*/g, allOf(ready));
}

/** The rows in a statement: "these 3 numbers"; the target of a single one. */
export function allOf(ready: readonly Pick<StoredRow, 'target'>[]): string {
  const [only] = ready;
  return ready.length === 1 && only ? only.target : `these ${counted(ready)}`;
}
