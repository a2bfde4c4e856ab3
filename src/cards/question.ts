import { eventOperations } from '../../tools/surfaces/events.ts';
import { afterSteps, placesOrder } from '../../tools/surfaces/tasks.ts';
import type { BatchView } from '../batches/batches.ts';
import { isOver } from '../batches/states.ts';
import { type Change, calledText, idsIn, makesAnew, withNames } from '../catalogue/change.ts';
import { fieldsOf, labelOf } from '../catalogue/input.ts';
import { type Consent, markedNames, type Tool } from '../catalogue/operation.ts';
import { isUndecided, isWithdrawn, traitsOf } from '../gate/approval.ts';
import { BATCH_RUN, isPaid } from '../gate/confirmation.ts';
import { factsOf, notDoneIn } from '../gate/question.ts';
import { choiceText, formatPhone, isUnit, memberLabel } from '../language/show.ts';
import { changeOf, levelOfAction, takenIn } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { reportOf, standingOf } from '../ledger/lookups.ts';
import { LOCAL_ASSISTANT, type Surface } from '../lib/actor.ts';
import { type Fields, groupedBy, inQuotes, recordOf, recordsIn, scalarText, textsIn, visible } from '../lib/values.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { isCompleted, isRejected, orderOf, orderState } from '../platform/dialect/verdict.ts';
import {
  type ActionId,
  APPLY,
  CANCEL,
  type CardAction,
  type ChangeLine,
  changeLine,
  changeText,
  changeValue,
  DISCARD,
  type Fact,
  factsPart,
  fromTo,
  LABELS,
  memberText,
  notePart,
  type Part,
  type Piece,
  PLAN,
  partyText,
  smallPart,
  textOf,
} from './card.ts';

/** The question to a person, the same on the page, the terminal, a client's dialog and a card. All plain text. */
export type Asked = ReturnType<typeof askedOf>;

const HIDDEN = '••• (not shown)';
/** A preview requests nothing. */
const STATEMENT_LATER = 'The platform’s consent statement is requested before it is confirmed.';

/** Builds the complete question from the ledger's record of an action and the definition of its operation. */
export function askedOf(
  tool: Tool | undefined,
  action: Pick<Action, 'operation' | 'shown' | 'known' | 'consent'> &
    Partial<Pick<Action, 'reason' | 'person' | 'actorName' | 'surface' | 'state' | 'notes'>>,
) {
  const { consent } = action;
  const { customer = '', warnings } = factsOf(action);
  const names = changeOf(action)?.names;
  const statement = consent?.statement ?? '';
  const isLater = action.state === undefined && statement === '' && tool?.kind === 'workflow' && tool.prepare;
  return {
    /** The effect, and the number or record that it concerns. */
    title: questionTitle(tool, action).replace(/\s+/g, ' '),
    /** The customer's name and account. Empty if there is none or it could not be read. */
    customer: visible(customer),
    /** The cost or loss. */
    consequence: withNames(visible(consent?.consequence ?? ''), names),
    undo: visible(consent?.undo ?? ''),
    /** The requester's reason as a quotation. Empty if none was given. */
    reason: reasonPart(action),
    cost: withNames(visible(consent?.cost ?? ''), names),
    /** Reads that failed, fields that will be left out, and the reason for the confirmation. */
    warnings: warnings.map((warning) => withNames(visible(warning), names)),
    rows: rowsOfQuestion(tool, action),
    /** The platform's consent statement, verbatim. */
    statement: visible(statement),
    /** Set if the platform should have sent a statement and did not. */
    statementMissing: isLater ? STATEMENT_LATER : '',
    /** Says for which record each name that the requester typed was taken. */
    taken: takenIn(action).map(({ text, label }) => `${inQuotes(visible(text))} was taken for ${visible(label)}.`),
  };
}

/** Everything that will be sent, and the numbers of a stored order that it acts on. */
function rowsOfQuestion(tool: Tool | undefined, action: Parameters<typeof askedOf>[1]): AskedRow[] {
  const isBatch = action.operation === BATCH_RUN;
  const changes = changeRows(tool, action, isBatch);
  if (isBatch) return [...changes, ...rowsOfBatch(action)];
  const details = detailRows(tool, action);
  const { follows } = recordOf(action.notes?.guide);
  const orderNumbers = action.consent?.orderNumbers ?? [];
  const ordered = orderNumbers.map(visible).join(', ');
  const isListed = ordered === '' || details.some(({ value }) => value === ordered);
  return withSecret(tool, factsOf(action).hidden, [
    ...changes,
    // The change that the guide of the requester asks for after this one.
    ...(typeof follows === 'string' ? [{ label: 'Asked next', value: visible(follows), isText: true as const }] : []),
    ...details,
    // The numbers of a stored order, in full, unless the input lists the same numbers.
    ...(isListed ? [] : [{ label: `Numbers of the order (${orderNumbers.length})`, value: ordered }]),
  ]);
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
  return names
    .filter((name) => asked[name].length > 0)
    .map((name) => ({
      label: FACT_LABELS[name],
      value: [name === 'customer' ? { sent: asked.customer } : asked[name]],
    }));
}

/** Before the platform's consent statement. */
const CONSENT_LABEL = 'By confirming you give this consent, in the words of the platform';

/** The card of a question: its title and everything that a person has to know to decide. */
export function questionCard(tool: Tool | undefined, action: Parameters<typeof askedOf>[1]) {
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
      others.map(({ detail, ...row }) => factOf(detail && changes.length > 0 ? { ...row, detail } : row)),
      // A batch also has rows that it leaves out.
      { title: others.some(({ list }) => list) ? 'The batch' : 'What is sent' },
    ),
  ];
}

function factOf({ value, isText, isChange: _, ...fact }: AskedRow): Fact {
  return { ...fact, value: [isText ? value : { sent: value }] };
}

/** Everything that is sent and that no row of the change shows as it is sent. The names of records come before their ids. */
function detailRows(tool: Tool | undefined, { shown, known }: Pick<Action, 'shown' | 'known'>): AskedRow[] {
  const files = filesOf(tool);
  const change = changeOf({ known });
  const { rows = [], keeps = [], names = {} } = change ?? {};
  const told = new Set([
    ...rows.flatMap(({ members = [] }) => members),
    ...[...rows, ...keeps].map(({ member }) => member),
  ]);
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
        label: `${labelIn(tool, name)}${count}`,
        value: isCalled ? `${calledText(named)} (${text})` : text,
        detail: true,
      };
    });
  for (const path of factsOf({ known }).hidden) {
    const [name = '', ...rest] = path.split('.');
    if (rows.some((row) => row.member === name)) continue;
    details.push({ label: [labelIn(tool, name), ...rest.map(labelOf)].join(': '), value: HIDDEN });
  }
  return details;
}

/** The label of a field; that of its name for one that the tool does not have. */
function labelIn(tool: Tool | undefined, name: string): string {
  return (tool && fieldsOf(tool).find((field) => field.name === name)?.label) ?? labelOf(visible(name));
}

/** Says what becomes of a secret that the call makes, in the row of the change where there is one. */
function withSecret(tool: Tool | undefined, hidden: readonly string[], rows: AskedRow[]): AskedRow[] {
  const made = tool?.kind === 'operation' ? tool.makes?.secret : undefined;
  if (tool === undefined || made === undefined || hidden.includes(made)) return rows;
  const own = labelIn(tool, made);
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
  const isPhones = rows.every((row) => Object.values(row).some((value) => PHONE.test(scalarText(value))));
  const listed = (label: string, value: string): AskedRow => ({ label, value, list: true, isText: true });
  return [
    ...(left.length === 0 ? [] : [listed(`Left out (${left.length})`, leftOutText(left))]),
    ...Object.entries(recordOf(shown.Fields)).flatMap(([name, value]): AskedRow[] => {
      // The changes say a member that each row changes, with its unit.
      const saying = changed.filter((row) => row.member === name || row.members?.includes(name));
      if (rows.length > 0 && saying.length === rows.length) return [];
      return [{ label: memberLabel(name), value: choiceText(name, value) ?? changeValue(value, {}), detail: true }];
    }),
    { label: `${isPhones ? 'Numbers' : 'Rows'} (${rows.length})`, value: changeValue(rows, {}), list: true },
    ...recordsIn(known.Lists).map(({ label, value }) => listed(visible(String(label)), visible(String(value)))),
    ...(typeof known.Run === 'string' ? [{ label: 'How it runs', value: known.Run, isText: true as const }] : []),
  ];
}

/** The rows that a batch leaves out, those with the same reason in one line. */
function leftOutText(left: readonly Fields[]): string {
  const bare = ({ Row, Reason }: Fields) => {
    const [target, reason] = [visible(String(Row)), visible(String(Reason))];
    const isNamed = target !== '' && [' ', ': '].some((end) => reason.startsWith(target + end));
    return isNamed ? reason.slice(target.length).replace(/^:? /, '') : reason;
  };
  const lineOf = ({ Line, Row }: Fields) => `line ${String(Line)}${Row === '' ? '' : ` (${visible(String(Row))})`}`;
  return [...groupedBy(left, bare)]
    .map(([reason, rows]) => `${rows.map(lineOf).join(', ').replace(/^l/, 'L')}: ${reason}`)
    .join('\n');
}

/* The rows of a question that say what changes, for whom, and what stays. */

/** One member of what will be sent, never shortened. A value may have several lines. */
interface AskedRow extends Fact {
  value: string;
  /** Words about what will be sent, which are not sent themselves. */
  isText?: true;
  /** A member that changes, or an address that something leads to. */
  isChange?: true;
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
  const rows = byMember(lines, change.names, several, (own, at) => {
    const isSame = own.length === targets.size && new Set(own.map((line) => changeText(line))).size === 1;
    // The first row of several customers names them.
    return isListed && isSame && (isOneCustomer || at > 0);
  });
  const isNew = makesAnew(change) && change.rows.every(({ of }) => !of.startsWith('+'));
  const stay = keptLines(change);
  const kinds = new Set(change.keeps.map(({ what }) => what)).size;
  const label = kinds < 2 || stay.length < 2 ? 'Stays as it is' : `${kinds} others stay as they are`;
  const kept: AskedRow = { label, value: stay.join('; '), isText: true, ...(stay.length > 1 && { detail: true }) };
  return [
    ...rows.map((row) => ({ ...row, isChange: true as const })),
    ...change.leads.map(({ what, to, from }) => ({
      label: visible(what),
      value: from === undefined ? visible(to) : fromTo(visible(from), visible(to)),
      // A new record has the destinations of the routes that its rows name. No traffic moves there.
      ...(isNew ? { detail: true as const } : { isChange: true as const }),
    })),
    ...(stay.length === 0 ? [] : [kept]),
  ];
}

type TargetLine = ChangeLine & { target: string };

/**
 * The rows of a change in words, a row for each member.
 *
 * @param several true if it has several lines, so that a row names them
 * @param isSaid true for a member whose lines are named elsewhere
 */
export function byMember(
  lines: readonly TargetLine[],
  names: Change['names'],
  several: boolean,
  isSaid: (own: readonly TargetLine[], at: number) => boolean = () => false,
): { label: string; value: string }[] {
  if (!several) return lines.map((line) => ({ label: line.what, value: changeText(line) }));
  return [...new Set(lines.map(({ what }) => what))].map((label, at) => {
    const own = lines.filter(({ what }) => what === label);
    const [first] = own;
    return { label, value: first && isSaid(own, at) ? changeText(first) : byCustomer(own, names) };
  });
}

/**
 * One member that changes for several lines: a line of text for each customer and change, such as "Ava Stone · Acme
 * Mobile, 3 lines (+1…, +1…, +1…): 90 → 300". Every customer is named. Numbers that are sent themselves, such as those
 * of receivers, are one line.
 */
export function byCustomer(lines: readonly TargetLine[], names: Change['names']): string {
  const said = lines.map((line) => {
    const isLine = line.target.startsWith('+');
    const who = (isLine ? names[line.target]?.name : line.of) ?? '';
    const text = changeText(line, who);
    return { who: visible(who), value: text === line.target ? '' : text, targets: isLine ? [line.target] : [] };
  });
  return [...groupedBy(said, ({ who, value }) => JSON.stringify([who, value])).values()]
    .map((group) => {
      const [{ who = '', value = '' } = {}] = group;
      const targets = group.flatMap((one) => one.targets);
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
  return [...groupedBy(keeps, (kept) => visible(kept.what))].flatMap(([what, all]) => {
    const same = groupedBy(all, (kept) => memberText(kept, kept.value, names));
    return [...same].map(([text, kept]) => {
      const of = kept.map((one) => one.of);
      const areLines = of.every((one) => one.startsWith('+'));
      const parties = areLines ? whoText('', of) : [...new Set(of)].map((one) => partyText(one, names)).join(', ');
      return `${what}${same.size > 1 ? `, ${parties}` : ''}: ${text}`;
    });
  });
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
  const label = labelIn(tool, name);
  const phones = new Set(textsIn(input).flatMap(({ value }) => (PHONE.test(value) ? [value] : [])));
  const [phone] = phones;
  return phone === undefined || phones.size > 1 ? label : `${label} of ${formatPhone(phone).national}`;
}

/** The reader of the card of a change, as far as it decides their actions. */
export interface ChangeReader {
  surface: Surface;
  /** `everyone`: a card in a channel that both deciders and the requester read. */
  who: 'decider' | 'requester' | 'everyone';
  /** True if this surface takes their answer. */
  decides: boolean;
  /** The page on which others decide. */
  page?: string | undefined;
  /** A guide asked, and has the form. */
  inGuide?: true;
  /** Only the requester reads it. */
  isAlone?: boolean;
  /** Secrets of the outcome that this reader may see and has not seen. */
  hidden?: { once: boolean; code: boolean };
  /** A message beside the card, which does not follow the run of a batch. */
  isCopy?: boolean;
  /** It was asked again, on a newer card. */
  askedAgain?: boolean;
}

/** The actions of a reader for a change in any state. The question's text must be shown whole beside `confirm`. */
export function changeActions(action: Action, tool: Tool | undefined, reader: ChangeReader): CardAction[] {
  return action.state === 'pending' ? questionActions(action, tool, reader) : outcomeActions(action, tool, reader);
}

/** An action with its usual words. */
export function act(id: ActionId, value: string, more: Partial<CardAction> = {}): CardAction {
  return { id, label: LABELS[id], value, ...more };
}

/** A button that opens the form of an operation with these values. */
export function fillAction({ operation, label, input }: NonNullable<Consent['next']>, style?: 'primary'): CardAction {
  return act('fill', `${operation}|${JSON.stringify(input)}`, { label, ...(style && { style }) });
}

/** The form that corrects an order that the carrier refused, for every card of it; undefined in any other state. */
export function correctionOf(orderId: string, status: string): Consent['next'] {
  const { operation, field } = eventOperations.correctOrder;
  return isRejected(status) ? { operation, label: LABELS.orderFix, input: { [field]: orderId } } : undefined;
}

/** The words of the yes: the act, as its definition names it. */
export function actLabel({ consent }: Pick<Action, 'consent'>): string {
  return consent?.confirm ?? LABELS.confirm;
}

function questionActions(action: Action, tool: Tool | undefined, reader: ChangeReader): CardAction[] {
  const { who, decides, page } = reader;
  const { id } = action;
  const { hasForms } = traitsOf(reader.surface);
  const isBatch = action.operation === BATCH_RUN;
  const isOwn = levelOfAction(action) === 'own';
  const [mayDecide, hasAsked] = [who !== 'requester', who !== 'decider'];
  const confirms = decides && (mayDecide || isOwn);
  return [
    ...(confirms ? [isOwn ? act('confirm', id, { label: APPLY, style: 'primary' }) : confirmAction(action, tool)] : []),
    ...(decides && mayDecide && !reader.isAlone ? [act('decline', id)] : []),
    ...(!decides && page !== undefined ? [act('open', page, { style: 'primary' })] : []),
    ...(hasAsked && hasForms && !reader.inGuide ? [isBatch ? act('batchEdit', batchOf(action)) : act('edit', id)] : []),
    ...(hasAsked ? [act('withdraw', id, confirms && !mayDecide ? { label: CANCEL } : {})] : []),
    ...(isBatch && hasForms ? batchActions({ id: batchOf(action), state: 'waiting' }) : []),
  ];
}

/**
 * True for a change that takes service, data or control away: it needs an approver, and its operation does more than
 * cost money. A batch has the risk of the operation that it runs. An operation that the catalogue no longer has counts.
 */
export function takesAway(tool: Pick<Tool, 'id' | 'risk'> | undefined, action: Pick<Action, 'known'>): boolean {
  const risk = tool?.id === BATCH_RUN ? action.known.Risk : tool?.risk;
  return levelOfAction(action) === 'approver' && risk !== 'spend';
}

/** The yes of an approver. The button asks for a confirmation that says the effect, because the call is sent at once. */
function confirmAction(action: Action, tool: Tool | undefined): CardAction {
  const { consent, id } = action;
  const yes = actLabel(action);
  const text = consent ? `${consent.consequence} ${consent.undo}` : 'This is sent immediately.';
  const style = takesAway(tool, action) ? 'danger' : 'primary';
  return act('confirm', id, { label: yes, style, confirm: { title: questionTitle(tool, action), text, yes } });
}

function outcomeActions(action: Action, tool: Tool | undefined, reader: ChangeReader): CardAction[] {
  const { id, state, operation } = action;
  const { hasForms } = traitsOf(reader.surface);
  const isDone = state === 'done' || state === 'partly';
  const isRun = isDone && hasForms && operation === BATCH_RUN;
  return [
    ...(reader.hidden?.once ? [act('once', id)] : []),
    ...(reader.hidden?.code ? [act('qr', id)] : []),
    ...(isRun && !reader.isCopy ? batchActions({ id: batchOf(action), state: 'running' }) : []),
    ...(state === 'unknown' ? unknownActions(action, tool, reader) : []),
    ...(isDone && hasForms ? afterActions(action, tool) : []),
    ...(hasForms && reader.who !== 'decider' && !reader.inGuide && mayCorrect(action) ? [act('edit', id)] : []),
    ...(hasForms && !reader.askedAgain && mayAskAgain(action) ? [act('again', id)] : []),
  ];
}

function batchOf({ shown }: Action): string {
  return String(shown.Batch);
}

/** True if the platform refused what was asked, so that other values may mend it. */
export function mayCorrect({ state, error, operation }: Action): boolean {
  return state === 'failed' && error?.status === 400 && error.outcome !== 'unknown' && operation !== BATCH_RUN;
}

/** True if nothing was done, so that the question can be asked again. */
export function mayAskAgain(action: Action): boolean {
  if (isUndecided(action) || isWithdrawn(action)) return false;
  const { state, error } = action;
  return state === 'expired' || state === 'declined' || (state === 'failed' && error?.outcome !== 'unknown');
}

/** Resolves an unknown outcome, by reading the platform or by the word of a person who has checked. */
function unknownActions(action: Action, tool: Tool | undefined, { decides, who }: ChangeReader): CardAction[] {
  const sure = (id: 'wasDone' | 'wasNot', text: string) =>
    act(id, action.id, { confirm: { title: 'Have you checked?', text, yes: LABELS[id] } });
  const done =
    'You have seen on the platform, or heard from the customer, that it was done. The action is closed as done.';
  const not = `You have seen that it was not done${isPaid(action) ? ' and not charged' : ''}. The action is closed and can be requested again without a warning.`;
  return [
    // Other outcomes cannot be read.
    ...(tool?.reconcile ? [act('check', action.id)] : []),
    ...(decides && who !== 'requester' ? [sure('wasDone', done), sure('wasNot', not)] : []),
  ];
}

/**
 * The usual next actions after one that was done: the correction of its order if the carrier refused it, and for one number
 * its next steps and its lookup.
 */
function afterActions(action: Action, tool: Tool | undefined): CardAction[] {
  const { operation, shown, result } = action;
  const status = orderState(reportOf(action));
  const correction = placesOrder(operation) ? correctionOf(orderOf(action) ?? '', status) : undefined;
  const next = action.consent?.next;
  const first = [...(correction ? [fillAction(correction, 'primary')] : []), ...(next ? [fillAction(next)] : [])];
  const notDone = tool === undefined ? new Map<string, string>() : notDoneIn(tool, action);
  const phones = numbersOf([shown, result ?? {}]).filter((one) => !notDone.has(numberKey(one)));
  const [phone, ...others] = phones;
  if (phone === undefined || others.length > 0) return first;
  // Nothing has changed yet that such a step could follow, or will not.
  const { how } = standingOf(action, tool);
  const steps = (how === 'later' || how === 'failed' ? [] : (afterSteps[operation] ?? []))
    .filter(({ unless, completed }) => shown[unless ?? ''] === undefined && (!completed || isCompleted(status)))
    .filter(({ after = {} }) => Object.entries(after).every(([name, value]) => shown[name] === value))
    .map(({ label, guide, operation, field, given }) => {
      if (guide !== undefined) return act('guide', `${guide}|${phone}`, { label });
      const value = field === 'PhoneNumbers' ? [{ Number: phone }] : phone;
      return fillAction({ operation, label, input: { ...given, [field]: value } });
    });
  return [...first, ...steps, act('look', phone)];
}

const PHONE = /^\+\d{7,15}$/;

/** The numbers that an action is about. */
export function numbersOf(records: readonly Fields[]): string[] {
  const found = new Set(
    records.flatMap((record) => {
      const { PhoneNumber, PhoneNumberAssigned, PhoneNumbers, Number: own } = record;
      const rows = Array.isArray(PhoneNumbers) ? PhoneNumbers.map((one) => recordOf(one).Number ?? one) : [];
      return [PhoneNumber, PhoneNumberAssigned, own, ...rows].map(scalarText).filter((one) => PHONE.test(one));
    }),
  );
  return [...found];
}

/** The actions of the requester and approvers for a batch. `notDone`: the rows that can be asked for again. */
export function batchActions(batch: Pick<BatchView, 'id' | 'state'> & Partial<BatchView>): CardAction[] {
  const { id, state, notDone = 0, asked } = batch;
  const isPlanned = state === 'planned';
  const isPlan = isPlanned || state === 'waiting';
  const isOwn = asked && levelOfAction(asked) === 'own';
  const stops = { title: 'Stop this batch?', text: 'Rows that were not sent stay as they are.', yes: LABELS.stop };
  return [
    ...(isPlanned
      ? [act('batchAsk', id, { style: 'primary', ...(isOwn && { label: APPLY }) }), act('batchEdit', id)]
      : []),
    ...(isPlanned ? [act('stop', id, { label: DISCARD })] : []),
    ...(state === 'running' ? [act('stop', id, { confirm: stops })] : []),
    act('rows', `${id}|1`),
    ...(isPlan ? [act('leave', id)] : []),
    act('results', id, isPlan ? { label: PLAN } : {}),
    ...(isOver(state) && notDone > 0 ? [act('rest', id)] : []),
  ];
}
