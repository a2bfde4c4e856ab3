import { type Change, calledText, idsIn, makesAnew, withNames } from '../catalogue/change.ts';
import { fieldsOf, labelOf } from '../catalogue/fields.ts';
import { markedNames } from '../catalogue/json-schema.ts';
import type { Tool } from '../catalogue/operation.ts';
import { traitsOf } from '../gate/approval.ts';
import { BATCH_RUN } from '../gate/frozen-batch.ts';
import { factsOf } from '../gate/question.ts';
import { choiceText, formatPhone, isUnit, memberLabel } from '../language/show.ts';
import { changeOf, takenIn } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { LOCAL_ASSISTANT } from '../lib/actor.ts';
import { type Fields, inQuotes, isRecord, recordOf, recordsIn, textsIn, visible } from '../lib/values.ts';
import {
  type Card,
  type ChangeLine,
  changeLine,
  changeText,
  changeValue,
  type Fact,
  factsPart,
  fromTo,
  memberText,
  notePart,
  type Part,
  type Piece,
  partyText,
  smallPart,
  type Text,
  textOf,
} from './card.ts';

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
  const isBatch = action.operation === BATCH_RUN;
  const changes = changeRows(tool, action, isBatch);
  const details = isBatch ? [] : detailRows(tool, action);
  const { follows } = recordOf(action.notes?.guide);
  const orderNumbers = consent?.orderNumbers ?? [];
  const ordered = orderNumbers.map(visible).join(', ');
  return {
    title: questionTitle(tool, action).replace(/\s+/g, ' '),
    customer: visible(facts.customer ?? ''),
    consequence: withNames(visible(consent?.consequence ?? ''), names),
    undo: visible(consent?.undo ?? ''),
    reason: reasonPart(action),
    cost: withNames(visible(consent?.cost ?? ''), names),
    warnings: facts.warnings.map((warning) => withNames(visible(warning), names)),
    rows: isBatch
      ? [...changes, ...rowsOfBatch(action)]
      : withSecret(tool, facts.hidden, [
          ...changes,
          // The change that the guide of the requester asks for after this one.
          ...(typeof follows === 'string' ? [{ label: 'Asked next', value: visible(follows), isText: true }] : []),
          ...details,
          // The numbers of a stored order, in full, unless the input lists the same numbers.
          ...(ordered === '' || details.some(({ value }) => value === ordered)
            ? []
            : [{ label: `Numbers of the order (${orderNumbers.length})`, value: ordered }]),
        ]),
    statement: visible(statement),
    statementMissing:
      action.state === undefined && statement === '' && tool?.kind === 'workflow' && tool.prepare
        ? STATEMENT_LATER
        : '',
    taken: takenIn(action).map(({ text, label }) => `${inQuotes(visible(text))} was taken for ${visible(label)}.`),
  };
}

/**
 * Titles a question with names of records. The details have the ids. A number that the change made comes first: "(201)
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
      // A batch also has rows that it leaves out.
      { title: others.some(({ isList }) => isList) ? 'The batch' : 'What is sent' },
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

/** Everything that is sent and that no row of the change shows as it is sent. The names of records come before their ids. */
function detailRows(tool: Tool | undefined, { shown, known }: Pick<Action, 'shown' | 'known'>): AskedRow[] {
  const labels = new Map(tool ? fieldsOf(tool).map((field) => [field.name, field.label]) : []);
  const files = filesOf(tool);
  const change = changeOf({ known });
  const { rows = [], keeps = [], names = {} } = change ?? {};
  const told = new Set([
    ...rows.flatMap(({ members = [] }) => members),
    ...[...rows, ...keeps].map(({ member }) => member),
  ]);
  const label = (name: string) => labels.get(name) ?? labelOf(visible(name));
  const details: AskedRow[] = Object.entries(shown)
    .filter(([name, value]) => {
      // A value that is to be removed and was not there is no change.
      if (value === undefined || (value === null && change !== undefined) || isUnit(name, shown)) return false;
      // An id that is shown by its name is also listed as sent.
      return !told.has(name) || idsIn({ value }).some(({ id }) => id in names);
    })
    .map(([name, value]) => {
      const count = Array.isArray(value) && value.length > 1 ? ` (${value.length})` : '';
      const named = typeof value === 'string' ? names[value] : undefined;
      const text = choiceText(name, value) ?? textOf(value, files);
      // A row of the change with the same label has the name.
      const isCalled =
        named !== undefined && !named.isOf && !text.startsWith('+') && !rows.some(({ member }) => member === name);
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
  const left = recordsIn(shown.LeftOut);
  const rows = recordsIn(shown.Rows);
  const changed = changeOf({ known })?.rows ?? [];
  const noun = rows.every((row) => Object.values(row).some(isPhone)) ? 'Numbers' : 'Rows';
  return [
    ...(left.length === 0
      ? []
      : [{ label: `Left out (${left.length})`, value: leftOutText(left), isList: true, isText: true }]),
    ...Object.entries(isRecord(shown.Fields) ? shown.Fields : {}).flatMap(([name, value]) => {
      // The changes say a member that each row changes, with its unit.
      const isSaid =
        rows.length > 0 &&
        changed.filter((row) => row.member === name || row.members?.includes(name)).length === rows.length;
      return isSaid
        ? []
        : [{ label: memberLabel(name), value: choiceText(name, value) ?? changeValue(value, {}), isDetail: true }];
    }),
    { label: `${noun} (${rows.length})`, value: changeValue(rows, {}), isList: true },
    ...recordsIn(known.Lists).map(({ label, value }) => ({
      label: visible(String(label)),
      value: visible(String(value)),
      isList: true,
      isText: true,
    })),
    ...(typeof known.Run === 'string' ? [{ label: 'How it runs', value: known.Run, isText: true }] : []),
  ];
}

/** The rows that a batch leaves out, those with the same reason in one line. */
function leftOutText(left: readonly Fields[]): string {
  const groups = new Map<string, string[]>();
  for (const { Line, Row, Reason } of left) {
    const target = visible(String(Row));
    const reason = visible(String(Reason));
    const isNamed = target !== '' && [' ', ': '].some((end) => reason.startsWith(target + end));
    const bare = isNamed ? reason.slice(target.length).replace(/^:? /, '') : reason;
    groups.set(bare, [...(groups.get(bare) ?? []), `line ${String(Line)}${target === '' ? '' : ` (${target})`}`]);
  }
  return [...groups].map(([reason, lines]) => `${lines.join(', ').replace(/^l/, 'L')}: ${reason}`).join('\n');
}

function isPhone(value: unknown): boolean {
  return typeof value === 'string' && /^\+\d{7,15}$/.test(value);
}

/* The rows of a question that say what changes, for whom, and what stays. */

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

/** Lines of one customer that a change names; the list of the rows has all of them. */
const MOST_OF = 5;

/**
 * Lists values that change with their owner, results, and values sent unchanged.
 *
 * @param isListed true if all lines, and their customers, are listed beside the changes
 */
function changeRows(tool: Tool | undefined, action: Pick<Action, 'known' | 'consent'>, isListed: boolean): AskedRow[] {
  const change = changeOf(action);
  if (change === undefined) return [];
  const files = filesOf(tool);
  const targets = new Set(change.rows.map(({ of }) => of));
  const several = targets.size > 1;
  const isOneCustomer = new Set([...targets].map((of) => change.names[of]?.name)).size === 1;
  const lines = change.rows.map((row) => ({ ...changeLine(row, change.names, files), target: row.of }));
  const rows = several
    ? [...new Set(lines.map(({ what }) => what))].map((what, at) => {
        const own = lines.filter((line) => line.what === what);
        const [text = '', ...others] = new Set(own.map((line) => changeText(line)));
        // The first row of several customers names them.
        const isSaid = isListed && others.length === 0 && own.length === targets.size && (isOneCustomer || at > 0);
        return { label: what, value: isSaid ? text : byCustomer(own, change.names) };
      })
    : lines.map((line) => ({ label: line.what, value: changeText(line) }));
  const isNew = makesAnew(change) && change.rows.every(({ of }) => !of.startsWith('+'));
  const stay = keptLines(change);
  const kinds = new Set(change.keeps.map(({ what }) => what)).size;
  const label = kinds < 2 || stay.length < 2 ? 'Stays as it is' : `${kinds} others stay as they are`;
  const kept = stay.length === 0 ? [] : [{ label, value: stay.join('; '), isText: true, isDetail: stay.length > 1 }];
  return [
    ...rows.map((row) => ({ ...row, isChange: true as const })),
    ...change.leads.map(({ what, to, from }) => ({
      label: visible(what),
      value: from === undefined ? visible(to) : fromTo(visible(from), visible(to)),
      // A new record has the destinations of the routes that its rows name. No traffic moves there.
      ...(isNew ? { isDetail: true as const } : { isChange: true as const }),
    })),
    ...kept,
  ];
}

/**
 * One member that changes for several lines: a line of text for each customer and change, such as "Ava Stone · Acme
 * Mobile, 3 lines (+1…, +1…, +1…): 90 → 300". Every customer is named. Numbers that are sent themselves, such as those
 * of receivers, are one line.
 */
export function byCustomer(lines: readonly (ChangeLine & { target: string })[], names: Change['names']): string {
  const groups = new Map<string, { who: string; value: string; targets: string[] }>();
  for (const line of lines) {
    const isLine = line.target.startsWith('+');
    const who = (isLine ? names[line.target]?.name : line.of) ?? '';
    const text = changeText(line, who);
    const value = text === line.target ? '' : text;
    const key = JSON.stringify([who, value]);
    const group = groups.get(key) ?? { who: visible(who), value, targets: [] };
    if (isLine) group.targets.push(line.target);
    groups.set(key, group);
  }
  return [...groups.values()]
    .map(({ who, value, targets }) => {
      // A message is sent to the number that its row is about.
      const isOwn = value !== '' && targets.length === 1 && value.startsWith(targets[0] ?? '');
      const whose = isOwn ? '' : whoText(who, targets, value === '' ? 'numbers' : 'lines');
      return [whose, value].filter((text) => text !== '').join(': ');
    })
    .join('\n');
}

function whoText(who: string, targets: readonly string[], noun = 'lines'): string {
  if (targets.length === 0) return who;
  const named = targets.slice(0, MOST_OF).join(', ') + (targets.length > MOST_OF ? ', …' : '');
  const count = targets.length === 1 ? named : `${targets.length} ${noun} (${named})`;
  return who === '' ? count : `${who}, ${count}`;
}

/** Values sent unchanged, as the platform replaces the whole record. Those that differ name their record. */
export function keptLines({ keeps, names }: Pick<Change, 'keeps' | 'names'>): string[] {
  const values = new Map<string, Map<string, string[]>>();
  for (const kept of keeps) {
    const { of, what, value } = kept;
    const same = values.get(visible(what)) ?? new Map<string, string[]>();
    const text = memberText(kept, value, names);
    values.set(visible(what), same.set(text, [...(same.get(text) ?? []), of]));
  }
  return [...values].flatMap(([what, same]) =>
    [...same].map(([text, of]) => {
      const areLines = of.every((one) => one.startsWith('+'));
      const parties = areLines ? whoText('', of) : [...new Set(of)].map((one) => partyText(one, names)).join(', ');
      return `${what}${same.size > 1 ? `, ${parties}` : ''}: ${text}`;
    }),
  );
}

/** The names of a tool's members that hold files. */
export function filesOf(tool: Tool | undefined): ReadonlySet<string> {
  return new Set(tool ? markedNames(tool.input, 'input', 'attachment') : []);
}

/* The requester of a change, the surface on which it was asked, and the reason. */

/** The surface on which it was asked. An identity of Slack says it. */
export function placeOf({ surface, person }: Pick<Action, 'surface' | 'person'>): string {
  return person.startsWith('slack:') ? '' : traitsOf(surface).words;
}

/** The person who asked. */
export function requesterOf({ person, actorName }: Pick<Action, 'person' | 'actorName'>): Piece {
  return { person, name: actorName };
}

type Reasoned = Partial<Pick<Action, 'reason' | 'person' | 'actorName' | 'surface' | 'notes'>>;

/**
 * The requester's reason as a quotation, because it may say anything, such as that a person approved. The title names
 * the author, an assistant as one. None if no reason was given.
 */
export function reasonPart(action: Reasoned): Part[] {
  const text = visible(action.reason ?? '');
  const { person, actorName } = action;
  if (text === '') return [];
  if (person === undefined || actorName === undefined) return [{ kind: 'quote', title: 'Reason given', text }];
  // A token is an assistant's own. Anyone else has an assistant, whatever their name says, because people choose it.
  const own = actorName === LOCAL_ASSISTANT ? '' : 'the assistant of ';
  const assistant = person.startsWith('token:') ? 'assistant ' : own;
  const given = { strong: `Reason given by ${isOfAssistant(action) ? assistant : ''}` };
  return [{ kind: 'quote', title: [given, requesterOf({ person, actorName })], text }];
}

/** Name of the note that an assistant gave the reason, where the surface does not say it. */
export const REASON_OF_ASSISTANT = 'reasonOfAssistant';

function isOfAssistant({ surface, notes }: Reasoned): boolean {
  return (surface !== undefined && traitsOf(surface).isAssistant) || notes?.[REASON_OF_ASSISTANT] === true;
}

/** The reason in the requester's own words, to ask again with. That of an assistant would read as theirs. */
export function ownReason(action: Reasoned): string | undefined {
  return isOfAssistant(action) ? undefined : action.reason;
}

/**
 * Names a secret that is shown once, and its number: "Port-out PIN of (201) 555-0103".
 *
 * @param name the field of the secret
 * @param input the input of the call that made it
 */
export function secretLabel(name: string, tool: Tool | undefined, input: Fields = {}): string {
  const label = (tool && fieldsOf(tool).find((field) => field.name === name)?.label) ?? labelOf(name);
  const phones = new Set(textsIn(input).flatMap(({ value }) => (/^\+\d{7,15}$/.test(value) ? [value] : [])));
  const [phone] = phones;
  return phone === undefined || phones.size > 1 ? label : `${label} of ${formatPhone(phone).national}`;
}
