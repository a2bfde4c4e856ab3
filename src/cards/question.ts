import { type Change, idsIn, withNames } from '../catalogue/change.ts';
import { fieldsOf, labelOf } from '../catalogue/fields.ts';
import { markedNames } from '../catalogue/json-schema.ts';
import type { Tool } from '../catalogue/operation.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import { factsOf } from '../gate/question.ts';
import { yesesOf } from '../gate/quorum.ts';
import { changeOf } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { identified } from '../lib/actor.ts';
import { defined, isRecord, recordsIn } from '../lib/json.ts';
import { visible } from '../lib/text.ts';
import { type ChangeLine, changeLine, changeText, changeValue, partyText, textOf, valueText } from './values.ts';

/** One member of what will be sent, never shortened. A value may have several lines. */
interface AskedRow {
  label: string;
  value: string;
  /** Part of the list of a batch, which a page shows as a table. */
  isList?: boolean;
  /** Words about what will be sent, which are not sent themselves. */
  isText?: boolean;
  /** A member that changes, or an address that something leads to. */
  isChange?: boolean;
  /** An id or another value that people read only if they want to. */
  isDetail?: boolean;
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
  /** The yeses that it has and needs, with times in ISO 8601. Empty if one is enough. */
  approvals: string;
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
/** Lines of one customer that a change names; the list of the rows has all of them. */
const MOST_OF = 5;

/** Builds the complete question from the ledger's record of an action and the definition of its operation. */
export function askedOf(
  tool: Tool | undefined,
  action: Pick<Action, 'operation' | 'shown' | 'known' | 'consent'> &
    Partial<Pick<Action, 'reason' | 'state' | 'yeses'>>,
): Asked {
  const { consent } = action;
  const facts = factsOf(action);
  const names = changeOf(action)?.names;
  const statement = consent?.statement ?? '';
  return {
    title: questionTitle(tool, action).replace(/\s+/g, ' '),
    customer: visible(facts.customer ?? ''),
    consequence: withNames(visible(consent?.consequence ?? ''), names),
    undo: visible(consent?.undo ?? ''),
    reason: visible(action.reason ?? ''),
    cost: withNames(visible(consent?.cost ?? ''), names),
    approvals: visible(approvalsText(action)),
    warnings: facts.warnings.map((warning) => withNames(visible(warning), names)),
    rows:
      action.operation === BATCH_RUN
        ? [...changeRows(tool, action), ...rowsOfBatch(action)]
        : [...changeRows(tool, action), ...withOrder(detailRows(tool, action, facts.hidden), consent?.orderNumbers)],
    statement: visible(statement),
    statementMissing: tool?.expectsStatement && statement === '' ? NO_STATEMENT : '',
  };
}

/** The title of a question. Records stand by their names, ids under the details. */
export function questionTitle(
  tool: Tool | undefined,
  { operation, consent, known }: Pick<Action, 'operation' | 'consent' | 'known'>,
): string {
  return withNames(visible(consent?.title ?? tool?.title ?? operation), changeOf({ known })?.names);
}

/** "1 of 2: token:lee (Lee) said yes at 2026-11-25T10:00:00.000Z". */
function approvalsText({
  known,
  yeses,
  state = 'pending',
}: Pick<Action, 'known'> & Partial<Pick<Action, 'yeses' | 'state'>>): string {
  const found = state === 'pending' ? yesesOf({ known, state, ...defined({ yeses }) }) : undefined;
  if (found === undefined) return '';
  const { needed, given } = found;
  const people = given.map(
    ({ person, name, at }) => `${identified(person, name)} said yes at ${new Date(at).toISOString()}`,
  );
  return `${given.length} of ${needed}: ${people.length === 0 ? `${needed} different approvers must say yes` : people.join(', ')}`;
}

/** The notes beside a question: warnings, and that the platform sent no statement. */
export function notesOf({ warnings, statementMissing }: Asked): string[] {
  return [...warnings, ...(statementMissing === '' ? [] : [statementMissing])];
}

/** What people are told beside the values, with its label on every surface, in the order in which it is read. */
export const FACT_LABELS = {
  customer: 'Customer',
  consequence: 'What happens',
  cost: 'Cost',
  undo: 'Undo',
  reason: 'Reason given',
  approvals: 'Approvals',
} as const;

export type FactName = keyof typeof FACT_LABELS;

/** The facts of a question that it has, in their order. */
export function questionFacts(asked: Asked): { name: FactName; label: string; value: string }[] {
  const names = Object.keys(FACT_LABELS) as FactName[];
  return names
    .map((name) => ({ name, label: FACT_LABELS[name], value: asked[name] }))
    .filter(({ value }) => value !== '');
}

/** Before the platform's consent statement. */
export const CONSENT_LABEL = 'By confirming you give this consent';

/** The question as lines of text, for a terminal and for a client's dialog. */
export function askedText(asked: Asked): string {
  const given = questionFacts(asked).map(({ label, value }) => pair(label, value));
  return [
    asked.title,
    '',
    ...given,
    ...asked.warnings.map((warning) => pair('Note', warning)),
    ...section(
      'What changes:',
      asked.rows.filter(({ isChange }) => isChange),
    ),
    ...section(
      'What is sent:',
      asked.rows.filter(({ isChange }) => !isChange),
    ),
    ...(asked.statement === ''
      ? []
      : ['', `${CONSENT_LABEL}, in the words of the platform:`, quotedLines(asked.statement)]),
    ...(asked.statementMissing === '' ? [] : ['', asked.statementMissing]),
  ].join('\n');
}

function section(title: string, rows: readonly AskedRow[]): string[] {
  return rows.length === 0 ? [] : ['', title, ...rows.map(({ label, value }) => `  ${pair(label, value)}`)];
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

/** What changes, for whom, from what to what; where it leads; and what is sent and stays. */
function changeRows(tool: Tool | undefined, action: Pick<Action, 'known'>): AskedRow[] {
  const change = changeOf(action);
  if (change === undefined) return [];
  const files = filesOf(tool);
  const several = new Set(change.rows.map(({ of }) => of)).size > 1;
  const lines = change.rows.map((row) => ({ ...changeLine(row, change.names, files), target: row.of }));
  const rows = several
    ? [...new Set(lines.map(({ what }) => what))].map((what) => ({
        label: what,
        value: byCustomer(
          lines.filter((line) => line.what === what),
          change.names,
        ),
      }))
    : lines.map((line) => ({ label: line.what, value: changeText(line) }));
  return [
    ...rows.map((row) => ({ ...row, isChange: true as const })),
    ...change.leads.map(({ what, to, from }) => ({
      label: visible(what),
      value: from === undefined ? visible(to) : `${visible(from)} → ${visible(to)}`,
      isChange: true as const,
    })),
    ...keptRows(change),
  ];
}

/**
 * One member that changes for several lines: a line of text for each customer and change, such as "Ava Stone · Acme
 * Mobile, 3 lines (+1…, +1…, +1…): 90 → 300". Every customer is named.
 */
function byCustomer(lines: readonly (ChangeLine & { target: string })[], names: Change['names']): string {
  const groups = new Map<string, { who: string; value: string; targets: string[] }>();
  for (const line of lines) {
    const value = changeText(line);
    const isLine = line.target.startsWith('+');
    const who = (isLine ? names[line.target]?.name : line.of) ?? '';
    const key = JSON.stringify([who, value]);
    const group = groups.get(key) ?? { who: visible(who), value, targets: [] };
    if (isLine) group.targets.push(line.target);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ who, value, targets }) => `${whoText(who, targets)}: ${value}`).join('\n');
}

function whoText(who: string, targets: readonly string[]): string {
  if (targets.length === 0) return who;
  const named = targets.slice(0, MOST_OF).join(', ') + (targets.length > MOST_OF ? ', …' : '');
  const count = targets.length === 1 ? named : `${targets.length} lines (${named})`;
  return who === '' ? count : `${who}, ${count}`;
}

/** What is sent although it stays, because the platform replaces the whole record. Values that differ name their record. */
function keptRows({ keeps, names }: Change): AskedRow[] {
  const values = new Map<string, Map<string, string[]>>();
  for (const { of, what, value } of keeps) {
    const same = values.get(visible(what)) ?? new Map<string, string[]>();
    const text = changeValue(value, names);
    values.set(visible(what), same.set(text, [...(same.get(text) ?? []), of]));
  }
  const lines = [...values].flatMap(([what, same]) =>
    [...same].map(([text, of]) => (same.size > 1 ? `${what}, ${partiesText(of, names)}: ${text}` : `${what}: ${text}`)),
  );
  return lines.length === 0 ? [] : [{ label: 'Stays as it is', value: lines.join('\n'), isText: true }];
}

function partiesText(of: readonly string[], names: Change['names']): string {
  return of.every((one) => one.startsWith('+'))
    ? whoText('', of)
    : [...new Set(of)].map((one) => partyText(one, names)).join(', ');
}

/** The names of a tool's members that hold files. */
export function filesOf(tool: Tool | undefined): ReadonlySet<string> {
  return new Set(tool ? markedNames(tool.input, 'input', 'attachment') : []);
}

/** Everything that is sent and that no row of the change shows as it is sent: ids, and what names the record. */
function detailRows(
  tool: Tool | undefined,
  { shown, known }: Pick<Action, 'shown' | 'known'>,
  hidden: readonly string[],
): AskedRow[] {
  const labels = new Map(tool ? fieldsOf(tool).map((field) => [field.name, field.label]) : []);
  const files = filesOf(tool);
  const change = changeOf({ known });
  const rows = change?.rows ?? [];
  // An id that is shown by its name stands here as it is sent.
  const isNamed = (value: unknown) => idsIn({ value }).some(({ id }) => id in (change?.names ?? {}));
  const isShown = (name: string, value: unknown) =>
    !isNamed(value) && [...rows, ...(change?.keeps ?? [])].some(({ member }) => member === name);
  const label = (name: string) => labels.get(name) ?? labelOf(visible(name));
  const details: AskedRow[] = Object.entries(shown)
    .filter(([name, value]) => value !== undefined && !isShown(name, value))
    .map(([name, value]) => {
      const count = Array.isArray(value) && value.length > 1 ? ` (${value.length})` : '';
      return { label: `${label(name)}${count}`, value: textOf(value, files), isDetail: true };
    });
  for (const path of hidden) {
    const [name = '', ...rest] = path.split('.');
    if (rows.some((row) => row.member === name)) continue;
    details.push({ label: [label(name), ...rest.map(labelOf)].join(': '), value: HIDDEN });
  }
  const generated = tool?.kind === 'operation' ? tool.makes : undefined;
  if (generated && !hidden.includes(generated.secret)) {
    details.push({
      label: label(generated.secret),
      value: 'generated after confirmation and shown once to the person who confirms',
    });
  }
  return details;
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

function isPhone(value: unknown): boolean {
  return typeof value === 'string' && /^\+\d{7,15}$/.test(value);
}

/** Adds the numbers of a stored order, in full, unless the input lists the same numbers. */
function withOrder(rows: AskedRow[], numbers: readonly string[] = []): AskedRow[] {
  const value = numbers.map(visible).join(', ');
  if (value === '' || rows.some((row) => row.value === value)) return rows;
  return [...rows, { label: `Numbers of the order (${numbers.length})`, value }];
}
