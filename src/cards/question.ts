import { calledText, idsIn, withNames } from '../catalogue/change.ts';
import { fieldsOf, labelOf } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import { factsOf } from '../gate/question.ts';
import { choiceText, formatPhone, isUnit, memberLabel } from '../language/show.ts';
import { changeOf, takenIn } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { type Fields, isRecord, recordsIn } from '../lib/json.ts';
import { inQuotes, visible } from '../lib/text.ts';
import {
  type Card,
  type Fact,
  factsPart,
  notePart,
  type Part,
  smallPart,
  type Text,
  textOf,
  valueText,
} from './card.ts';
import { type AskedRow, changeRows, filesOf } from './change-rows.ts';
import { reasonPart } from './requester.ts';

/** The question to a person, the same on the page, the terminal, a client's dialog and a card. All plain text. */
export interface Asked {
  /** The effect, and the number or record that it concerns. */
  title: string;
  /** The customer's name and account. Empty if there is none or it could not be read. */
  customer: string;
  /** The cost or loss. */
  consequence: string;
  undo: string;
  /** The requester's reason as a quotation. Empty if none was given. */
  reason: Part[];
  cost: string;
  /** Reads that failed, fields that will be left out, and the reason for the confirmation. */
  warnings: string[];
  /** Everything that will be sent, and the numbers of a stored order that it acts on. */
  rows: AskedRow[];
  /** The platform's consent statement, verbatim. */
  statement: string;
  /** Set if the platform should have sent a statement and did not. */
  statementMissing: string;
  /** Says for which record each name that the requester typed was taken. */
  taken: string[];
}

const HIDDEN = '••• (not shown)';
/** A preview requests nothing. */
const STATEMENT_LATER = 'The platform’s consent statement is requested before it is confirmed.';

/** Builds the complete question from the ledger's record of an action and the definition of its operation. */
export function askedOf(
  tool: Tool | undefined,
  action: Pick<Action, 'operation' | 'shown' | 'known' | 'consent'> &
    Partial<Pick<Action, 'reason' | 'person' | 'actorName' | 'surface' | 'state' | 'notes'>>,
): Asked {
  const { consent } = action;
  const facts = factsOf(action);
  const names = changeOf(action)?.names;
  const statement = consent?.statement ?? '';
  const title = questionTitle(tool, action).replace(/\s+/g, ' ');
  const customer = visible(facts.customer ?? '');
  const changes = changeRows(tool, action);
  return {
    title,
    customer,
    consequence: withNames(visible(consent?.consequence ?? ''), names),
    undo: visible(consent?.undo ?? ''),
    reason: reasonPart(action),
    cost: withNames(visible(consent?.cost ?? ''), names),
    warnings: facts.warnings.map((warning) => withNames(visible(warning), names)),
    rows:
      action.operation === BATCH_RUN
        ? [...changes, ...rowsOfBatch(action)]
        : withSecret(tool, facts.hidden, [...changes, ...withOrder(detailRows(tool, action), consent?.orderNumbers)]),
    statement: visible(statement),
    statementMissing:
      action.state === undefined && statement === '' && tool?.kind === 'workflow' && tool.prepare
        ? STATEMENT_LATER
        : '',
    taken: takenIn(action).map(({ text, label }) => `${inQuotes(visible(text))} was taken for ${visible(label)}.`),
  };
}

/**
 * Titles a question with names of records. The details have the ids. A number that the change made stands first: "(201)
 * 555-2000 for Ava Stone".
 */
export function questionTitle(
  tool: Tool | undefined,
  { operation, consent, known, shown = {}, result = {} }: TitledAction,
): string {
  const names = changeOf({ known })?.names ?? {};
  const title = withNames(visible(consent?.title ?? tool?.title ?? operation), names);
  const made = madeIn(result);
  if (made === undefined) return title;
  const holder = names[String(shown.AssignedSubscriberId)]?.name;
  return `${formatPhone(made).national}${holder === undefined ? '' : ` for ${visible(holder)}`}: ${title}`;
}

/** The number that a change made, by its answer. */
export function madeIn({ PhoneNumberAssigned: made }: Readonly<Fields>): string | undefined {
  return typeof made === 'string' && made.startsWith('+') ? made : undefined;
}

type TitledAction = Pick<Action, 'operation' | 'consent' | 'known'> & Partial<Pick<Action, 'shown' | 'result'>>;

/** The notes beside a question: warnings, and that the platform sent no statement. */
export function notesOf({ warnings, statementMissing }: Asked): string[] {
  return [...warnings, ...(statementMissing === '' ? [] : [statementMissing])];
}

/** Labels, on every surface, the facts beside the values, in the order in which they are read. */
export const FACT_LABELS = {
  customer: 'Customer',
  consequence: 'What happens',
  cost: 'Cost',
  undo: 'Undo',
} as const;

/** The facts of a question, in their order. */
export function questionFacts(asked: Asked, names = Object.keys(FACT_LABELS) as (keyof typeof FACT_LABELS)[]): Fact[] {
  const texts: Record<keyof typeof FACT_LABELS, Text> = {
    customer: [{ sent: asked.customer }],
    consequence: [asked.consequence],
    cost: [asked.cost],
    undo: [asked.undo],
  };
  return names
    .filter((name) => asked[name].length > 0)
    .map((name) => ({ label: FACT_LABELS[name], value: texts[name] }));
}

/** Before the platform's consent statement. */
const CONSENT_LABEL = 'By confirming you give this consent, in the words of the platform';

/** The card of a question: its title and everything that a person has to know to decide. */
export function questionCard(
  tool: Tool | undefined,
  action: Parameters<typeof askedOf>[1],
): Pick<Card, 'title' | 'parts'> {
  const asked = askedOf(tool, action);
  return { title: asked.title, parts: questionParts(asked) };
}

/** The whole question, in the order in which it is read. */
export function questionParts(asked: Asked): Part[] {
  const { warnings, reason, statement, statementMissing, taken } = asked;
  return [
    ...factsPart(questionFacts(asked)),
    ...warnings.flatMap((warning) => notePart([[warning]], { warns: true })),
    ...requestParts(asked),
    ...reason,
    ...(statement === '' ? [] : [{ kind: 'quote', title: CONSENT_LABEL, text: statement } as const]),
    ...smallPart(statementMissing),
    ...smallPart(taken.join(' ')),
  ];
}

/** The parts without the lists of a batch, for a surface that shows its rows in a table. */
export function withoutLists(parts: readonly Part[]): Part[] {
  const shown = (rows: readonly Fact[]) => rows.filter(({ list }) => !list);
  return parts.flatMap((part) => (part.kind === 'facts' ? factsPart(shown(part.rows), part) : part));
}

/** Returns the changes and the other sent values. `folded` is their title, for a request that is done. */
export function requestParts({ rows }: Asked, folded?: string): Part[] {
  const changes = rows.filter(({ isChange }) => isChange);
  const others = rows.filter(({ isChange }) => !isChange);
  if (folded !== undefined) return factsPart(rows.map(factOf), { folded });
  return [
    ...factsPart(changes.map(factOf), { title: 'What changes' }),
    // Without a change, everything that is sent is what people have to read.
    ...factsPart(
      others.map((row) => factOf(changes.length === 0 ? { ...row, isDetail: false } : row)),
      { title: 'What is sent' },
    ),
  ];
}

function factOf({ label, value, isText, isDetail, isList }: AskedRow): Fact {
  return {
    label,
    value: [isText ? value : { sent: value }],
    ...(isDetail && { detail: true }),
    ...(isList && { list: true }),
  };
}

/** Everything that is sent and that no row of the change shows as it is sent. The names of records stand before their ids. */
function detailRows(tool: Tool | undefined, { shown, known }: Pick<Action, 'shown' | 'known'>): AskedRow[] {
  const labels = new Map(tool ? fieldsOf(tool).map((field) => [field.name, field.label]) : []);
  const files = filesOf(tool);
  const change = changeOf({ known });
  const { rows = [], keeps = [], names = {} } = change ?? {};
  // An id that is shown by its name is also listed as sent.
  const isNamed = (value: unknown) => idsIn({ value }).some(({ id }) => id in names);
  const isShown = (name: string, value: unknown) =>
    !isNamed(value) &&
    (rows.some(({ member, members = [] }) => member === name || members.includes(name)) ||
      keeps.some(({ member }) => member === name));
  const label = (name: string) => labels.get(name) ?? labelOf(visible(name));
  // A value that is to be removed and was not there is no change.
  const isNothing = (value: unknown) => value === undefined || (value === null && change !== undefined);
  const details: AskedRow[] = Object.entries(shown)
    .filter(([name, value]) => !isUnit(name, shown) && !isNothing(value) && !isShown(name, value))
    .map(([name, value]) => {
      const count = Array.isArray(value) && value.length > 1 ? ` (${value.length})` : '';
      const named = typeof value === 'string' ? names[value] : undefined;
      const text = choiceText(name, value) ?? textOf(value, files);
      const isCalled = named !== undefined && !named.isOf && !text.startsWith('+');
      return {
        label: `${label(name)}${count}`,
        value: isCalled ? `${calledText(named)} (${text})` : text,
        isDetail: true,
      };
    });
  for (const path of factsOf({ known }).hidden) {
    const [name = '', ...rest] = path.split('.');
    if (rows.some((row) => row.member === name)) continue;
    details.push({ label: [label(name), ...rest.map(labelOf)].join(': '), value: HIDDEN });
  }
  return details;
}

/** Says what becomes of a secret that the call makes, in the row of the change where there is one. */
function withSecret(tool: Tool | undefined, hidden: readonly string[], rows: AskedRow[]): AskedRow[] {
  const made = tool?.kind === 'operation' ? tool.makes?.secret : undefined;
  if (tool === undefined || made === undefined || hidden.includes(made)) return rows;
  const own = fieldsOf(tool).find(({ name }) => name === made)?.label ?? labelOf(made);
  const value = 'generated after confirmation and shown once to the person who confirms';
  const isChange = rows.some((row) => row.isChange && row.label === own);
  return isChange
    ? rows.map((row) => (row.isChange && row.label === own ? { ...row, value: `new, ${value}` } : row))
    : [...rows, { label: own, value }];
}

/** Lists the contents of a batch: its exceptions first, the fields that its rows share, its rows, and how it runs. */
function rowsOfBatch({ shown, known }: Pick<Action, 'shown' | 'known'>): AskedRow[] {
  const left = recordsIn(shown.LeftOut).map(({ Line, Row, Reason }) => {
    const target = Row === '' ? '' : ` (${visible(String(Row))})`;
    return `Line ${String(Line)}${target}: ${visible(String(Reason))}`;
  });
  const rows = recordsIn(shown.Rows);
  const changed = changeOf({ known })?.rows ?? [];
  const shared = Object.entries(isRecord(shown.Fields) ? shown.Fields : {});
  const noun = rows.every((row) => Object.values(row).some(isPhone)) ? 'Numbers' : 'Rows';
  return [
    ...(left.length === 0
      ? []
      : [{ label: `Left out (${left.length})`, value: left.join('\n'), isList: true, isText: true }]),
    ...shared.flatMap(([name, value]) => {
      // The changes say a member that each row changes, with its unit.
      const isSaid =
        rows.length > 0 &&
        changed.filter((row) => row.member === name || row.members?.includes(name)).length === rows.length;
      return isSaid ? [] : [{ label: memberLabel(name), value: sharedText(name, value) }];
    }),
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

/** A value that the rows of a batch share: "40 MB". */
function sharedText(name: string, value: unknown): string {
  return choiceText(name, value) ?? valueText(value);
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
