import { fieldsOf, labelOf } from '../catalogue/fields.ts';
import { markedNames } from '../catalogue/json-schema.ts';
import type { Tool } from '../catalogue/operation.ts';
import { BATCH_RUN } from '../gate/batch.ts';
import { factsOf } from '../gate/question.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { visible } from '../lib/text.ts';

/** One member of what will be sent, never shortened. A value may have several lines. */
interface AskedRow {
  label: string;
  value: string;
  /** Part of the list of a batch, which a page shows as a table. */
  isList?: boolean;
  /** Words about what will be sent, which are not sent themselves. */
  isText?: boolean;
}

/** The question to a person, the same on the page, the terminal, a client's dialog and a card. All plain text. */
export interface Asked {
  /** The effect, and the number or record that it concerns. */
  title: string;
  /** The customer's name and account. Empty if there is none or it could not be read. */
  customer: string;
  /** The cost or loss. */
  consequence: string;
  undo: string;
  /** The requester's reason, in their own words. Empty if none was given. */
  reason: string;
  cost: string;
  /** Reads that failed, fields that will be left out, and the reason for the confirmation. */
  warnings: string[];
  /** Everything that will be sent, and the numbers of a stored order that it acts on. */
  rows: AskedRow[];
  /** The platform's consent statement, verbatim. */
  statement: string;
  /** Set if the platform should have sent a statement and did not. */
  statementMissing: string;
}

const HIDDEN = '••• (not shown)';
const NO_STATEMENT = 'The platform sent no consent statement.';

/** Builds the complete question from the ledger's record of an action and the definition of its operation. */
export function askedOf(
  tool: Tool | undefined,
  action: Pick<Action, 'operation' | 'shown' | 'known' | 'consent'> & Partial<Pick<Action, 'reason'>>,
): Asked {
  const { consent } = action;
  const facts = factsOf(action);
  const statement = consent?.statement ?? '';
  return {
    title: visible(consent?.title ?? tool?.title ?? action.operation).replace(/\s+/g, ' '),
    customer: visible(facts.customer ?? ''),
    consequence: visible(consent?.consequence ?? ''),
    undo: visible(consent?.undo ?? ''),
    reason: visible(action.reason ?? ''),
    cost: visible(consent?.cost ?? ''),
    warnings: facts.warnings.map(visible),
    rows:
      action.operation === BATCH_RUN
        ? rowsOfBatch(action)
        : withOrder(withBefore(rowsOf(tool, action.shown, facts.hidden), tool, action), consent?.orderNumbers),
    statement: visible(statement),
    statementMissing: tool?.expectsStatement && statement === '' ? NO_STATEMENT : '',
  };
}

/** The notes beside a question: warnings, and that the platform sent no statement. */
export function notesOf({ warnings, statementMissing }: Asked): string[] {
  return [...warnings, ...(statementMissing === '' ? [] : [statementMissing])];
}

/** The question as lines of text, for a terminal and for a client's dialog. */
export function askedText(asked: Asked): string {
  const facts: [string, string][] = [
    ['Customer', asked.customer],
    ['What happens', asked.consequence],
    ['Cost', asked.cost],
    ['Undo', asked.undo],
    ['Reason given', asked.reason],
  ];
  const given = facts.filter(([, value]) => value !== '').map(([name, value]) => pair(name, value));
  return [
    asked.title,
    '',
    ...given,
    ...asked.warnings.map((warning) => pair('Note', warning)),
    ...(asked.rows.length === 0 ? [] : ['', 'What will be sent:']),
    ...asked.rows.map(({ label, value }) => `  ${pair(label, value)}`),
    ...(asked.statement === ''
      ? []
      : ['', 'By confirming you give this consent, in the words of the platform:', quotedLines(asked.statement)]),
    ...(asked.statementMissing === '' ? [] : ['', asked.statementMissing]),
  ].join('\n');
}

/** Marks a text of others: each of its lines begins with a mark that no line of the question has. */
function quotedLines(text: string): string {
  // Many spaces would push a part of the text to the start of the next line of a terminal.
  return text.replace(/[ \t]{2,}/g, ' ').replace(/^/gm, '> ');
}

/** Indents lines after the first, so that a value cannot imitate another row. */
function pair(label: string, value: string): string {
  return `${label}: ${value.split('\n').join('\n      ')}`;
}

function rowsOf(tool: Tool | undefined, shown: Fields, hidden: readonly string[]): (AskedRow & { name?: string })[] {
  const labels = new Map(tool ? fieldsOf(tool).map((field) => [field.name, field.label]) : []);
  const files = new Set(tool ? markedNames(tool.input, 'input', 'attachment') : []);
  const label = (name: string) => labels.get(name) ?? labelOf(visible(name));
  const rows: (AskedRow & { name?: string })[] = Object.entries(shown)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => {
      const count = Array.isArray(value) && value.length > 1 ? ` (${value.length})` : '';
      return { label: `${label(name)}${count}`, value: textOf(value, files), name };
    });
  for (const path of hidden) {
    const [name = '', ...rest] = path.split('.');
    rows.push({ label: [label(name), ...rest.map(labelOf)].join(': '), value: HIDDEN });
  }
  const generated = tool?.kind === 'operation' ? tool.makes : undefined;
  if (generated && !hidden.includes(generated.secret)) {
    rows.push({
      label: label(generated.secret),
      value: 'generated after confirmation and shown once to the person who confirms',
    });
  }
  return rows;
}

/** Lists the contents of a batch: its exceptions first, the fields that its rows share, its rows, and how it runs. */
function rowsOfBatch({ shown, known }: Pick<Action, 'shown' | 'known'>): AskedRow[] {
  const left = recordsIn(shown.LeftOut).map(({ Line, Row, Reason }) => {
    const target = Row === '' ? '' : ` (${visible(String(Row))})`;
    return `Line ${String(Line)}${target}: ${visible(String(Reason))}`;
  });
  const rows = recordsIn(shown.Rows);
  const shared = Object.entries(isRecord(shown.Fields) ? shown.Fields : {});
  const noun = rows.every((row) => Object.values(row).some(isPhone)) ? 'Numbers' : 'Rows';
  return [
    ...(left.length === 0
      ? []
      : [{ label: `Left out (${left.length})`, value: left.join('\n'), isList: true, isText: true }]),
    ...shared.map(([name, value]) => ({ label: labelOf(visible(name)), value: valueText(value) })),
    { label: `${noun} (${rows.length})`, value: valueText(rows), isList: true },
    ...recordsIn(known.Lists).map(({ label, value }) => ({
      label: visible(String(label)),
      value: visible(String(value)),
      isList: true,
      isText: true,
    })),
    ...(typeof known.Run === 'string' ? [{ label: 'How it runs', value: known.Run, isText: true }] : []),
  ];
}

function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function isPhone(value: unknown): boolean {
  return typeof value === 'string' && /^\+\d{7,15}$/.test(value);
}

/** Adds the values that the record has now, and the values that are removed because they are left out. */
function withBefore(
  rows: readonly (AskedRow & { name?: string })[],
  tool: Tool | undefined,
  { shown, known }: Pick<Action, 'shown' | 'known'>,
): AskedRow[] {
  const { current } = tool ?? {};
  const now = current && isRecord(known.Record) ? known.Record : {};
  const textNow = (name: string) => {
    const value = now[current?.members?.[name] ?? name];
    return value === undefined || value === null || value === '' ? undefined : textOf(value, new Set());
  };
  const changed = rows.map(({ label, value, name = '' }): AskedRow => {
    const before = current?.keys.includes(name) ? undefined : textNow(name);
    return { label, value: before === undefined || before === value ? value : `${before} → ${value}` };
  });
  if (!tool || current?.replaces !== true) return changed;
  const removed = fieldsOf(tool).flatMap(({ name, label }): AskedRow[] => {
    const before = name in shown ? undefined : textNow(name);
    return before === undefined ? [] : [{ label, value: `${before} → removed` }];
  });
  return [...changed, ...removed];
}

/** Adds the numbers of a stored order, in full, unless the input lists the same numbers. */
function withOrder(rows: AskedRow[], numbers: readonly string[] = []): AskedRow[] {
  const value = numbers.map(visible).join(', ');
  if (value === '' || rows.some((row) => row.value === value)) return rows;
  return [...rows, { label: `Numbers of the order (${numbers.length})`, value }];
}

/** Formats a value of an input for people. */
export function valueText(value: unknown): string {
  return textOf(value, new Set());
}

/** Formats a value for people: `[{Number}]` becomes a list of numbers, a file its size. */
function textOf(value: unknown, files: ReadonlySet<string>): string {
  if (value === null) return 'none (clears the current value)';
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (Array.isArray(value)) {
    if (value.length === 0) return 'none';
    const rows = value.some((member) => isRecord(member) && Object.keys(member).length > 1);
    return value.map((member) => textOf(member, files)).join(rows ? '\n' : ', ');
  }
  if (!isRecord(value)) return visible(String(value));
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const [only] = members;
  if (members.length === 1 && only && !files.has(only[0])) return textOf(only[1], files);
  return members
    .map(([name, member]) =>
      files.has(name) && typeof member === 'string'
        ? `file of ${sizeOf(member)} bytes`
        : `${labelOf(visible(name))}: ${textOf(member, files)}`,
    )
    .join(', ');
}

/** The number of bytes that a base64 text encodes. */
function sizeOf(base64: string): number {
  const bare = base64.replace(/\s/g, '');
  const padding = bare.endsWith('==') ? 2 : bare.endsWith('=') ? 1 : 0;
  return Math.max(0, (bare.length * 3) / 4 - padding);
}
