import { groups, menuGuarded, menuServices, menuStates, type NextStep } from '../../tools/groups.ts';
import { hasData, megabytes, usedText } from '../../tools/shared/line.ts';
import { eventOperations } from '../../tools/surfaces/events.ts';
import { placesOrder } from '../../tools/surfaces/tasks.ts';
import { fieldProblems, fieldsOf, soleMember } from '../catalogue/input.ts';
import { type Field, type Happening, mayAsk, type Tool, type WaitingChange } from '../catalogue/operation.ts';
import type { Gate } from '../gate/gate.ts';
import { orderNow, outcomeOf } from '../language/outcome.ts';
import type { RecordSearch, UsedRecord } from '../language/records.ts';
import { clean, formatPhone, memberLabel, rowsOf, type ShownOptions, stateMark, stateText } from '../language/show.ts';
import { kindOf, lookupIn } from '../language/typed-values.ts';
import { type Actor, hasRole } from '../lib/actor.ts';
import { type Fields, isRecord, lowerFirst, oneLine, recordOf, recordsIn, textOf } from '../lib/values.ts';
import { readFlag } from '../platform/dialect/readings.ts';
import { withheldIn } from '../platform/dialect/redact.ts';
import { isRejected, orderOf, orderOutlook, orderState, portInProgress } from '../platform/dialect/verdict.ts';
import { readOrElse } from '../store/key-values.ts';
import {
  type Card,
  type CardAction,
  type Fact,
  factsPart,
  LABELS,
  notePart,
  type Open,
  type Part,
  type Piece,
  smallPart,
  timeOf,
} from './card.ts';
import { actionText, answerParts, askerOf, type ListedAction, listed, tablePart } from './outcome.ts';
import { act, questionTitle, requesterOf } from './question.ts';

/** The answer of a lookup, and what Switchboard itself knows about the line. */
export interface Line {
  value: Fields;
  /** The number that was asked for. Left out: that of the answer. */
  phone?: string;
  /** The account, routes and package that the number uses, by name. */
  uses?: readonly UsedRecord[];
  recent?: readonly ListedAction[];
  /** Changes of the number that wait for a person. Left out: those of the answer. */
  waiting?: readonly WaitingChange[];
  /** The newest message received. */
  inbound?: Happening | undefined;
  /** IANA zone of times that carry none. */
  timeZone?: string | undefined;
  /** True if the data watch has the number. */
  watched?: boolean;
  /** Left out for a card without actions. */
  reader?: LineReader;
}

/** Values of the number's own record that matter to support staff. The others are under *Details*. */
const OWN = /cancel|expir|delete/i;
const ID = /^[A-Z]{2,8}-\S+$/;
const MAX_WAITING = 3;
/** Numbers that a waiting change names besides the card's own. */
const MAX_OTHERS = 3;
const MAX_RECENT = 5;
/** Values of a related record in its line. */
const MOST_BRIEF = 8;
/** Longer lists of a related record, such as all numbers of the subscriber, are counted in its line. */
const MAX_LISTED = 2;
const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > MAX_LISTED;

/** True for the answer of a lookup of one number. */
export function isLine({ Summary, Number: number, PortIn: order }: Fields): boolean {
  return typeof Summary === 'string' && numberOf(isRecord(number) ? number : recordOf(order)) !== '';
}

/** Shows a line with its troubles and waiting changes first, then its records by name, then its events. */
export function lineCard(line: Line): Card {
  const { value, waiting = waitingIn(value), recent = [] } = line;
  const { Summary, Fix, ...rest } = value;
  const main = isRecord(rest.Number) ? rest.Number : recordOf(rest.PortIn);
  const phone = line.phone ?? numberOf(main);
  const holder = isRecord(rest.Subscriber) ? oneLine(clean(textOf(rest.Subscriber.Name))) : '';
  const mark = stateMark(main.Status);
  const isKnown = isLine(value);
  const open = openOf(Fix);
  const past = recent.filter(({ action }) => !waiting.some(({ id }) => id === action.id));
  const lines = waiting.slice(0, MAX_WAITING).map((one): Piece[] => {
    const { what, others, at } = one;
    const more = others.length > MAX_OTHERS ? ` and ${others.length - MAX_OTHERS} more` : '';
    const also = others.length === 0 ? '' : `. It also covers ${others.slice(0, MAX_OTHERS).join(', ')}${more}`;
    return ['🔐 ', { strong: clean(what) }, ' waits, asked by ', askerOf(one), ', ', { value: at }, also];
  });
  const left = waiting.length - lines.length;
  return {
    mark: !isKnown ? '' : isRecord(Fix) && mark !== '✕' ? '⚠️' : mark,
    title: [isKnown ? holder : '', formatPhone(phone).national].filter((part) => part !== '').join(' · '),
    state: isKnown ? clean(textOf(Summary)) : '',
    open,
    actions: line.reader ? lineActions({ value, phone, open, watched: line.watched === true }, line.reader) : [],
    parts: [
      // The state of the line may change as soon as a person says yes.
      ...notePart(lines),
      ...smallPart(left > 0 ? `… ${left} more wait` : ''),
      { kind: 'actions' },
      ...recordParts(rest, phone, line),
      ...openOrders(line),
      ...lastMessage(line),
      ...notePart(
        past.slice(0, MAX_RECENT).map((one) => [...actionText(one), ' · asked by ', requesterOf(one.action)]),
        { title: 'Recent actions' },
      ),
    ],
  };
}

function numberOf(record: Fields): string {
  return textOf(record.Number) || textOf(record.PhoneNumber);
}

/** The step of an answer that puts right what is wrong. */
export function openOf(fix: unknown): Open | undefined {
  if (!isRecord(fix) || typeof fix.Tool !== 'string') return undefined;
  const needs = Array.isArray(fix.Needs) ? fix.Needs.map(String) : [];
  return { does: textOf(fix.Does), operation: fix.Tool, input: recordOf(fix.Input), needs };
}

/** The changes that wait, as the answer has them. */
function waitingIn({ Waiting }: Fields): WaitingChange[] {
  return recordsIn(Waiting).map(({ Id, What, AskedBy, AskedAt, AlsoCovers }) => ({
    id: textOf(Id),
    what: textOf(What),
    askedBy: textOf(AskedBy),
    at: textOf(AskedAt),
    others: Array.isArray(AlsoCovers) ? AlsoCovers.map(String) : [],
  }));
}

/** The number and the records around it, each with a line that says the most important by name. */
function recordParts(value: Fields, phone: string, { uses = [], timeZone }: Line): Part[] {
  const words: ShownOptions = { brief: true, timeZone };
  const records = Object.entries(value).filter((entry): entry is [string, Fields] => isRecord(entry[1]));
  const single = Object.entries(value).filter(([, part]) => !isRecord(part) && !Array.isArray(part));
  const [[mainName, main] = ['Number', {}], ...related] = records;
  const status = stateText(main.Status);
  const steps = mainName === 'PortIn' ? portInProgress(orderState(main)) : [];
  const shown = new Set([formatPhone(phone).e164, status.toLowerCase()]);
  /** Each value once, because records repeat those of others. */
  const fresh = (pairs: readonly [string, string][]) =>
    pairs.filter(([, text]) => {
      const isFresh = !shown.has(text.toLowerCase());
      shown.add(text.toLowerCase());
      return isFresh;
    });
  const around = related.map(([name, record]): Part & { kind: 'facts' } => {
    const usage = usageOf(record);
    const entries = Object.entries(record).map(([name, value]) => [name, isLong(value) ? value.length : value]);
    const { pairs: all } = rowsOf(Object.fromEntries(entries), words);
    const pairs = all.filter(([label]) => !usage || !/^(Used|Remaining)$/.test(label));
    const brief = joined([...(usage ? [[usage]] : []), ...fresh(pairs).slice(0, MOST_BRIEF).flatMap(briefOf)]);
    return { kind: 'facts', title: memberLabel(name), brief, rows: factsIn(record, words) };
  });
  const told = JSON.stringify(around.map(({ brief }) => brief));
  const named = uses.filter(({ name }) => !told.includes(JSON.stringify(name)));
  const own = rowsOf(main, words).pairs.filter(([label, text]) => OWN.test(label) && !ID.test(text));
  const owned = fresh(own).map(([label, text]) => ({ label, value: text }));
  return [
    {
      kind: 'facts',
      title: memberLabel(mainName),
      brief: joined([[{ code: formatPhone(phone).e164 }], ...(status === '' ? [] : [[{ value: status }]])]),
      rows: factsIn(main, words),
    },
    ...notePart(steps.length > 0 ? [[{ steps }]] : []),
    ...(mainName === 'PortIn' ? answerParts(isRejected(orderState(main)), textOf(main.CarrierMessage)) : []),
    ...around,
    ...factsPart(named.map(({ noun, name }) => ({ label: memberLabel(noun), value: name }))),
    ...factsPart(owned, { repeats: true }),
    ...factsPart(factsIn(Object.fromEntries(single), words), { folded: 'Details' }),
    ...records.flatMap(([name, record]) => tablesIn(record, words, `${memberLabel(name)}: `)),
    // The changes that wait and those that are scheduled are shown above.
    ...tablesIn(
      Object.fromEntries(Object.entries(value).filter(([name]) => !/^(Waiting|Scheduled)$/.test(name))),
      words,
      '',
    ),
  ];
}

/** The values of a record. Data used is a picture. */
export function factsIn(record: Fields, words: ShownOptions): Fact[] {
  const usage = usageOf(record);
  return rowsOf(record, words).pairs.flatMap(([label, value]): Fact[] => {
    if (usage && label === 'Remaining') return [];
    return [{ label, value: usage && label === 'Used' ? [usage] : value }];
  });
}

/** The lists in a record, each row also as a line of text. */
function tablesIn(record: Fields, words: ShownOptions, prefix: string): Part[] {
  return Object.entries(record).flatMap(([name, list]): Part[] => {
    if (!Array.isArray(list) || list.length === 0) return [];
    const { tables, pairs } = rowsOf({ [name]: list }, words);
    const title = `${prefix}${prefix === '' ? memberLabel(name) : lowerFirst(memberLabel(name))}`;
    if (prefix === '' && tables.length === 0)
      return pairs.map(([, value]) => ({ kind: 'facts', rows: [{ label: title, value }] }));
    return tables.map((table) => tablePart({ ...table, title }));
  });
}

/** Data used, if the record has it. */
export function usageOf(record: Fields): { bar: number; of: string } | undefined {
  const [used, remaining] = [megabytes(record.Used), megabytes(record.Remaining)];
  const of = usedText(record);
  if (used === undefined || remaining === undefined || of === undefined || used + remaining <= 0) return undefined;
  return { bar: used / (used + remaining), of };
}

/** A value in the line of its record. Names and addresses need no label, and ids are left out. */
function briefOf([label, text]: [string, string]): Piece[][] {
  // Everyone who holds a line is a subscriber, so only another role says something.
  if (ID.test(text) || (/^role$/i.test(label) && /^subscriber$/i.test(text))) return [];
  if (/^\d+$/.test(text) && label.endsWith('numbers')) return [[`${text} ${label.toLowerCase()}`]];
  const value = { value: text };
  return [/name|mail/i.test(label) ? [value] : [`${lowerFirst(label)} `, value]];
}

function joined(pieces: readonly (readonly Piece[])[]): Piece[] {
  return pieces.flatMap((piece, at) => (at === 0 ? piece : [' · ', ...piece]));
}

/** Orders placed through Switchboard that are open by their last report, or by the answer to the order. */
function openOrders({ recent = [] }: Line): Part[] {
  const seen = new Set<string>();
  const set: Piece[][] = [];
  const lines = recent.flatMap(({ action, tool }): Piece[][] => {
    const id = orderOf(action);
    // Newest first: the latest action of an order counts.
    if (!['done', 'partly'].includes(action.state) || id === undefined || seen.has(id)) return [];
    seen.add(id);
    const { status, stands } = orderNow(action, tool);
    if (stands !== undefined) set.push([{ strong: tool?.title ?? '' }, `  ${stands}, set `, timeOf(action.updatedAt)]);
    if (stands !== undefined) return [];
    if (status === undefined || orderOutlook(status) !== 'open') return [];
    const steps = placesOrder(action.operation) ? portInProgress(status) : [];
    return [
      [`${questionTitle(tool, action)} · ${status} as of `, timeOf(action.updatedAt)],
      ...(steps.length > 0 ? [[{ steps }]] : []),
    ];
  });
  return [...notePart(set), ...notePart(lines, { title: 'Open orders' })];
}

const SENT: ReadonlySet<string> = new Set(['in_flight', 'done', 'partly', 'unknown']);
const MAX_SAID = 200;

/** The newest message: received, or sent through Switchboard. */
function lastMessage({ recent = [], inbound }: Line): Part[] {
  const sent = recent.find(
    ({ action: { shown, state } }) => SENT.has(state) && typeof shown.Body === 'string' && shown.To !== undefined,
  );
  const isNewer = inbound && Date.parse(inbound.at) > (sent?.action.updatedAt ?? 0);
  const part = (what: string, at: Piece, body: unknown): Part[] => {
    const text = textOf(body);
    const said = text === '' ? [] : [[{ said: text.length <= MAX_SAID ? text : `${text.slice(0, MAX_SAID - 1)}…` }]];
    return [{ kind: 'note', lines: [[{ strong: 'Last message' }, `  ${what}, `, at], ...said] }];
  };
  if (isNewer) {
    const { From, Body } = inbound.values;
    const from = typeof From === 'string' ? formatPhone(From).national : '';
    return part(`📩 received from ${from}`, { value: inbound.at }, Body);
  }
  if (!sent) return [];
  const { mark, headline } = outcomeOf(sent.action, sent.tool);
  return part(
    `${mark === '✅' ? '📤' : mark} ${lowerFirst(headline).replace(/^done, /, '')}`,
    timeOf(sent.action.updatedAt),
    sent.action.shown.Body,
  );
}

/** Changes of a number that are read for its card. */
const MOST_RECENT = 30;

/** Values that a surface adds to the answer of a lookup. */
interface LineRead extends LineReader {
  /** Reads the history for the surface itself. */
  own: Actor;
  /** The number that was asked for, if the answer does not have it. */
  asked: string;
  records: Pick<RecordSearch, 'usedBy'>;
}

/**
 * The whole card of a looked-up number: the answer with its diagnosis, Switchboard's records of the number (changes
 * that wait, recent actions, open orders, messages), the names of its records, and the actions for the reader.
 *
 * @param value the answer of the lookup. Records of the store are left out while it is away.
 */
export async function lineOf(gate: Gate, value: Fields, reader: LineRead): Promise<Card & { phone: string }> {
  const { own, asked, records, actor } = reader;
  // As the platform spells it.
  const texts = Object.values(value).flatMap((part) => (isRecord(part) ? Object.values(part).map(textOf) : []));
  const phone = texts.find((text) => /^\+\d{7,15}$/.test(text)) ?? asked;
  const history = gate.history(own);
  const [recent, watches, inbound, uses, waiting] = await Promise.all([
    readOrElse(gate.actions.about(phone, MOST_RECENT, { whole: true }), []),
    readOrElse(history.watched(), []),
    readOrElse(history.lastMessage(phone), undefined),
    actor === undefined ? [] : records.usedBy(value, actor),
    readOrElse(history.waitingFor(phone), []),
  ]);
  const watched = watches.some((watch) => watch.phone === phone);
  const read = { phone, value, uses, recent: await listed(gate, recent, phone), inbound, waiting, watched };
  return { ...lineCard({ ...read, timeZone: gate.timeZone, reader }), phone };
}

/* Offers for a number the step that puts its trouble right, the next steps that fit it, and all operations for it. */

/** The reader of a number's card, which decides its offers. */
export interface LineReader {
  /** Left out if no role is known. */
  actor?: Actor | undefined;
  tools: readonly Tool[];
  /** The stored answer, of which details and the eSIM's code are shown; empty for none. */
  handle?: string | undefined;
}

/** Facts about a number that decide which steps fit it. */
interface NumberFacts {
  phone: string;
  /** Status as the platform spells it; empty if unknown. */
  state: string;
  watched?: boolean;
  /** The number's record. */
  record?: Fields;
  /** The account of the number. A distributor with several accounts must name one. */
  account?: string | undefined;
}

/**
 * Returns the actions for a number, the most wanted first; the menu of all operations, and the details of the answer,
 * are last.
 *
 * @param open the step that puts right what is wrong
 */
export function lineActions(
  { value, phone, open, watched }: { value: Fields; phone: string; open: Open | undefined; watched: boolean },
  { actor, tools, handle }: LineReader,
): CardAction[] {
  const answer = answerActions(handle);
  if (actor === undefined) return answer;
  const allowed = tools.filter((tool) => mayAsk(actor.role, tool));
  const parts = Object.values(value).map(recordOf);
  // The record that has the number's state; empty for an answer without one.
  const record = parts.find((part) => 'Status' in part) ?? {};
  const account = parts.map((part) => textOf(part.AccountId)).find((id) => id !== '');
  const number = { phone, state: textOf(record.Status), watched, record, account };
  const wanted = Object.values(groups).flatMap(({ next = [] }) => next);
  const others = wanted.filter(({ operation }) => operation !== open?.operation);
  const steps = stepActions(allowed, others, number);
  const fixing = allowed.find(({ id }) => id === open?.operation);
  const fix = open && fixAction(open, fixing);
  // A line out of service has no use for the code of its eSIM.
  const isActive = stateMark(record.Status) === '●' && hasRole(actor, 'operator');
  return [
    ...(fix ? [{ ...fix, style: 'primary' as const }] : []),
    ...steps.slice(0, 2),
    ...(handle && isActive && withheldIn(value).length > 0 ? [act('qr', sourceOf(handle))] : []),
    ...steps.slice(2),
    ...menuAction(allowed, number),
    ...answer,
  ];
}

/** A stored answer, of one part. */
export const sourceOf = (handle: string) => `${handle}|0`;

/** The whole answer, and a way to share it. Empty without a stored answer. */
export function answerActions(handle: string | undefined, label?: string): CardAction[] {
  return handle ? [act('page', sourceOf(handle), label ? { label } : {}), act('share', sourceOf(handle))] : [];
}

/** The wanted steps that exist in the catalogue and fit this number. */
export function stepActions(tools: readonly Tool[], wanted: readonly NextStep[], number: NumberFacts): CardAction[] {
  return wanted.flatMap((step): CardAction[] => {
    const tool = tools.find(({ id }) => id === step.operation);
    const { label = tool?.title ?? '', given = {}, atOnce = false, form, guide, states, watched, has } = step;
    const { phone, account, record } = number;
    const isWatched = watched === undefined || number.watched === undefined || watched === number.watched;
    const isKnown = has === undefined || textOf(record?.[has]) !== '';
    const isInState = states === undefined || states.some((prefix) => number.state.startsWith(prefix));
    if (!tool || !isWatched || !isKnown || !isInState || !suits(tool, record)) return [];
    if (form === 'guard') return [act('guard', phone, { label })];
    if (guide !== undefined) return [act('guide', `${guide}|${phone}`, { label })];
    const owner = account !== undefined && 'AccountId' in tool.input.shape ? { AccountId: account } : {};
    const value = `${tool.id}|${JSON.stringify({ ...inputWith(tool, phone), ...owner, ...given })}`;
    return [act(atOnce ? 'run' : 'fill', value, { label })];
  });
}

/**
 * The step that puts right what is wrong. Undefined if its operation is not offered. A read runs at once, and a change
 * whose values are all known is asked about at once; for any other its form opens with the fields that are
 * left to choose.
 */
export function fixAction({ does, operation, input, needs }: Open, tool: Tool | undefined): CardAction | undefined {
  if (tool === undefined) return undefined;
  // The form says the rest.
  const [first = ''] = does.split(/\.(?:\s|$)/);
  const label = operation === eventOperations.correctOrder.operation ? LABELS.orderFix : first;
  const isWhole = needs.length === 0 && fieldProblems(tool, input, ANY_TIME).length === 0;
  const id = tool.risk === 'read' || isWhole ? 'run' : 'fill';
  const asks = id === 'fill' && needs.length > 0 ? `|${needs.join(',')}` : '';
  return act(id, `${operation}|${JSON.stringify(input)}${asks}`, label === '' ? {} : { label });
}

/** No day of an input is over at this time. */
const ANY_TIME = new Date(0);

/** The menu of all operations that take a number and fit its state. */
function menuAction(allowed: readonly Tool[], { phone, state, record }: NumberFacts) {
  const lookup = lookupIn(allowed)?.tool;
  const fitting = allowed.filter(
    (tool) =>
      phoneField(tool) &&
      tool.id !== lookup?.id &&
      !menuGuarded.test(tool.id) &&
      // The state may be unknown.
      (menuStates[tool.id]?.some((one) => state === '' || state.startsWith(one)) ?? true) &&
      suits(tool, record),
  );
  const options = Object.entries(groups).map(([name, { title }]) => ({
    group: title,
    choices: fitting
      .filter(({ group }) => group === name)
      .map(({ id, title: label }) => ({ label, value: `${id}|${phone}` })),
  }));
  const filled = options.filter(({ choices }) => choices.length > 0);
  return filled.length === 0 ? [] : [act('moreSteps', phone, { options: filled })];
}

/** False if an operation is for a service that the line does not have, or that is switched off. */
export function hasService({ id }: Tool, record: Fields = {}): boolean {
  const service = menuServices[id];
  if (service === 'sms') return readFlag(record.MessageEnabled) !== false;
  return service === undefined || hasData(record);
}

/** False also if an operation is for the subscriber of a line that has none. */
function suits(tool: Tool, record: Fields | undefined): boolean {
  const isHeld = record?.AssignedSubscriberId === undefined || textOf(record.AssignedSubscriberId) !== '';
  const isForHolder = (field: Field) => field.required && kindOf(field)?.noun === 'subscriber';
  return hasService(tool, record) && (isHeld || !fieldsOf(tool).some(isForHolder));
}

/** The required field of an operation that a phone number fills. */
export function phoneField(tool: Tool): Field | undefined {
  return fieldsOf(tool).find((field) => field.required && holdsPhone(field));
}

/** The input of an operation with the number in its field: in the first one that `given` leaves open. */
export function inputWith(tool: Tool, phone: string, given: Fields = {}): Fields {
  const fields = fieldsOf(tool);
  const isOpen = (field: Field) => field.required && holdsPhone(field) && given[field.name] === undefined;
  const field = fields.find(isOpen) ?? fields.find(holdsPhone);
  if (!field) return {};
  // A list beside a customer has the numbers of others: the contacts of a filter.
  const owner = fields.find((one) => one.required && kindOf(one)?.noun === 'subscriber');
  if (owner && field.kind !== 'phone') return { [owner.name]: phone };
  const member = soleMember(field)?.name;
  const value = field.kind === 'phone' ? phone : field.kind === 'list' ? [phone] : [{ [member ?? 'Number']: phone }];
  return { [field.name]: value };
}

function holdsPhone(field: Field): boolean {
  if (field.kind === 'phone') return true;
  if (field.kind === 'list') return field.items?.kind === 'phone';
  return field.kind === 'rows' && soleMember(field)?.kind === 'phone';
}
