import { eventOperations } from '../../tools/surfaces/events.ts';
import { placesOrder } from '../../tools/surfaces/tasks.ts';
import type { Change } from '../catalogue/change.ts';
import type { WaitingChange } from '../catalogue/history.ts';
import { fieldsOf } from '../catalogue/input.ts';
import type { StartedWork, Tool } from '../catalogue/operation.ts';
import { isUndecided } from '../gate/approval.ts';
import { BATCH_RUN } from '../gate/confirmation.ts';
import type { Gate } from '../gate/gate.ts';
import { changeDone, factsOf, notDoneIn } from '../gate/question.ts';
import { orderNow, outcomeOf, settledResult } from '../language/outcome.ts';
import { clean, formatPhone, isBlank, nationalIn, rowsOf, type Shown, type ShownOptions } from '../language/show.ts';
import { changeOf, levelOfAction } from '../ledger/action.ts';
import type { Action } from '../ledger/ledger.ts';
import { laterDay, reportOf, SAID, standingOf } from '../ledger/lookups.ts';
import { MINUTE_MS, WEEK_MS } from '../lib/clock.ts';
import {
  type Fields,
  isRecord,
  lowerFirst,
  plainText,
  recordOf,
  recordsIn,
  textOf,
  textsIn,
  visible,
} from '../lib/values.ts';
import { numberKey } from '../platform/dialect/number-lists.ts';
import { dayText, isSame, readDate, scheduledText } from '../platform/dialect/readings.ts';
import {
  carrierReason,
  hasEnded,
  isCompleted,
  isRejected,
  type OrderOutlook,
  orderOutlook,
  orderState,
  portInProgress,
} from '../platform/dialect/verdict.ts';
import {
  ASSIGN,
  type Card,
  type CardAction,
  changeLine,
  type Fact,
  factsPart,
  notePart,
  type Part,
  type Piece,
  plainOf,
  timeOf,
} from './card.ts';
import {
  type Asked,
  act,
  askedOf,
  byMember,
  type ChangeReader,
  changeActions,
  correctionOf,
  fillAction,
  madeIn,
  placeOf,
  questionFacts,
  questionParts,
  questionTitle,
  reasonPart,
  requesterOf,
  requestParts,
} from './question.ts';

/** An action with what is known beside the ledger. */
interface ActionShown {
  action: Action;
  /** Undefined for an operation that the catalogue no longer has. */
  tool: Tool | undefined;
  /** IANA zone of times that carry none. */
  timeZone?: string | undefined;
  /** The answer, where a surface shows a part of it otherwise. Left out: that of the ledger. */
  result?: Fields | undefined;
  /** Left out for a card without actions. */
  reader?: ChangeReader;
  /** Until when the platform may still be working on an unknown outcome, in epoch ms. */
  workedUntil?: number | undefined;
}

/** The card of an action in any state: its question while it waits, otherwise how it ended. */
export function actionCard(shown: ActionShown): Card {
  const { action, tool } = shown;
  const { mark, headline, effect } = outcomeOf(action, tool);
  const asked = askedOf(tool, action);
  const parts = action.state === 'pending' ? questionParts(asked) : endedParts(shown, asked);
  const told = parts.flatMap((part) => (part.kind === 'note' ? part.lines.map(plainOf) : []));
  return {
    mark,
    title: asked.title,
    // A batch is confirmed when its question is done. Its rows are sent after that.
    state: headline === 'Done' && action.operation === BATCH_RUN ? 'Confirmed' : headline,
    // An error states its effect itself.
    effect: told.some((line) => line.includes(effect)) ? '' : effect,
    parts: [...parts, { kind: 'facts', small: true, rows: peopleRows(action) }, { kind: 'actions' }],
    actions: shown.reader ? changeActions(action, tool, shown.reader) : [],
  };
}

/** The person who asked for a change that waits, where that is known. */
export function askerOf({ askedBy, person }: WaitingChange): Piece {
  return person === undefined ? clean(askedBy) : { person, name: askedBy };
}

/**
 * States the meaning of the outcome, the part that was not done, the customer, and the changes that were or would have
 * been made.
 */
function endedParts(shown: ActionShown, asked: Asked): Part[] {
  const { action, tool } = shown;
  const isDone = action.state === 'done' || action.state === 'partly';
  // The answer has the last day on which it can be undone. An order that has ended is cancelled no more.
  const isPast = placesOrder(action.operation) && hasEnded(orderState(reportOf(action)));
  const undo = undoOf(action, tool).length > 0 || action.operation === BATCH_RUN || isPast ? '' : asked.undo;
  const now = { customer: holderNow(action, asked.customer), cost: costDone(shown), undo };
  const after = isDone ? { ...asked, ...now } : asked;
  const notDone = outcomeOf(action, tool).notDone.map(({ what, why }): Piece[] => [
    { value: plainText(what) },
    ...(why === '' ? [] : [': ', { words: why }]),
  ]);
  const report = reportOf(action);
  return [
    ...notePart(meaningOf(shown).filter((line) => line.length > 0)),
    ...(isRejected(orderState(report)) ? answerParts(true, textOf(report.ErrorMessage)) : []),
    ...notePart(notDone, { title: 'Not done' }),
    ...(action.decidedReason === undefined
      ? []
      : [{ kind: 'quote', title: 'Their reason', text: action.decidedReason } as const]),
    // The consequence is for the decision. Afterwards it would be out of date.
    ...factsPart(questionFacts(after, isDone ? ['customer', 'cost'] : ['customer'])),
    ...reasonPart(action),
    ...(isDone ? [...resultParts(shown), ...factsPart(questionFacts(after, ['undo']))] : []),
    ...requestParts(
      NOT_DONE.has(action.state) || standingOf(action, tool).how === 'failed' ? notChanged(asked) : asked,
      isDone ? 'What was asked' : undefined,
    ),
  ];
}

/** States in which nothing of a request was done. */
const NOT_DONE: ReadonlySet<Action['state']> = new Set(['failed', 'declined', 'expired']);

/** The same request after nothing was done, so that no "before → after" reads as reached. */
function notChanged(asked: Asked): Asked {
  const isChanged = /^(added|removed) | (?:→|becomes) |^removed$/m;
  const marked = asked.rows.map((row) =>
    row.isChange && isChanged.test(row.value.replace(/“[^”]*”/g, '“”'))
      ? { ...row, label: `${row.label} (not changed)` }
      : row,
  );
  return { ...asked, rows: marked };
}

/** The words for how an action ended, beside its headline and its effect. */
function meaningOf({ action, tool, workedUntil }: ActionShown): Piece[][] {
  const { word, effect, detail, notDone, from } = outcomeOf(action, tool);
  const said: Piece[] = detail === '' ? [] : [{ words: detail }];
  switch (action.state) {
    case 'confirmed':
    case 'in_flight':
      return [['The outcome will be shown here.']];
    case 'done':
      return [
        ...(from === undefined
          ? []
          : [['Nothing changes before that day. The end is shown here once the platform reports it.']]),
        ...(action.consent?.remains === undefined ? [] : [[`⚠️ ${visible(action.consent.remains)}`]]),
        holderOf(action, tool),
        undoOf(action, tool),
      ];
    case 'partly':
      return [notDone.length > 0 ? [] : said, undoOf(action, tool)];
    case 'declined': {
      const decider = decidersOf(action);
      if (isUndecided(action) || decider.length === 0) return [said];
      return [[`${word} by `, ...decider, wayOf(action), ...at(action.decidedAt), '.']];
    }
    case 'expired':
      return [said];
    case 'failed':
      return [[{ words: detail === '' ? `It failed. ${effect}` : detail }]];
    case 'unknown':
      return [[{ strong: effect }, ' ', ...said.flatMap((one) => [one, ' ']), checkingText(action, tool, workedUntil)]];
    default:
      return [];
  }
}

/**
 * Says who has the new secret: the requester who gave it, or the person who confirmed last, to whom the one that an
 * operation made was shown once unless the answer was lost.
 */
function holderOf({ decidedPerson, decidedBy, ...action }: Action, tool: Tool | undefined): Piece[] {
  if (tool?.kind !== 'operation' || tool.makes === undefined || decidedPerson === undefined) return [];
  const { secret } = tool.makes;
  const what = fieldsOf(tool).find(({ name }) => name === secret)?.label ?? secret;
  if (factsOf(action).hidden.includes(secret)) return [requesterOf(action), ` gave the new ${lowerFirst(what)}.`];
  // It may have been made by a process that ended, or sent in a call whose answer was lost.
  if (action.wasUnknown)
    return [`The new ${lowerFirst(what)} may not have been shown to anybody. Set another one if nobody has it.`];
  return [{ person: decidedPerson, name: decidedBy }, ` has the new ${lowerFirst(what)}. It was shown to nobody else.`];
}

/** Says how Switchboard resolves an unknown outcome, and until when. */
function checkingText({ sentAt }: Action, tool: Tool | undefined, workedUntil: number | undefined): string {
  if (!tool?.reconcile)
    return 'Switchboard cannot find out by reading the platform. Look there before it is requested again.';
  if (workedUntil !== undefined)
    return `The platform may still be working on it until ${new Date(workedUntil).toISOString()}, and is read again by itself. Do not request it again before then.`;
  // The platform is read by itself for a week after the call (`gate/observed.ts`).
  const until = sentAt === undefined ? '' : ` until ${new Date(sentAt + WEEK_MS).toISOString()}`;
  return `The platform does not show yet what happened. It is read again by itself${until}.`;
}

/** The changes, before and after, and the rest of the answer. */
function resultParts({ action, tool, timeZone, result = action.result ?? {} }: ActionShown): Part[] {
  if (action.operation === BATCH_RUN) return [];
  const { Resolved, [SAID]: word, ...answer } = withReport(result, action);
  const { Warning: _, FailedChange: __, NumbersInvalid: ___, ...rest } = settledResult(answer, tool);
  const { Cost, ...settled } = action.state === 'partly' ? rest : settledResult(answer, tool);
  // A cost that was asked about is above.
  const shown = Cost === undefined || action.consent?.cost !== undefined ? settled : { ...settled, Cost };
  const { from } = outcomeOf(action, tool);
  const day = NOT_DONE.has(action.state) ? undefined : laterDay({ ...action, notes: {} }, tool);
  // Sentences that are shown above the rows, or no longer hold.
  const told = [action.consent?.remains, day && scheduledText(day)].flatMap((one) => one ?? []);
  const aside = new Set([tool?.answer?.undo?.until, ...(tool?.answer?.aside ?? [])]);
  const said = Object.fromEntries(Object.entries(shown).filter(([name]) => !aside.has(name)));
  if (typeof said.Warning === 'string')
    said.Warning = told.reduce((left, one) => left.replace(one, () => ''), said.Warning).trim();
  // The answer has the lines as they were before the day.
  if (day !== undefined) delete said.Numbers;
  // An input that replaces a record whole has members that stay as they are, too.
  const kept = new Set(changeOf(action)?.keeps.map(({ member }) => member));
  const asked = Object.fromEntries(Object.entries(action.shown).filter(([name]) => !kept.has(name)));
  const options = { asked, known: action.known, timeZone, brief: true };
  return [
    ...notePart([Resolved, word].flatMap((one) => (typeof one === 'string' ? [[one]] : []))),
    // The reader of a new number does not look for the question.
    ...(madeIn(result) === undefined
      ? changedPart(changeDone(tool, action), { isPart: action.state === 'partly', from })
      : []),
    ...recordParts(unsaid(said, action, questionTitle(tool, action)), options),
  ];
}

/** The answer with the state of its order as the platform reported it last. */
function withReport(result: Fields, action: Action): Fields {
  const { OrderStatus } = reportOf(action);
  const { Status: _, OrderStatus: __, ...rest } = result;
  const answered = orderState(result);
  const isOpen = answered !== '' && orderOutlook(answered) === 'open';
  return OrderStatus === undefined || !isOpen ? result : { ...rest, OrderStatus };
}

/** The requester, the person who confirmed, and the times. The first sentence of the card says who declined. */
function peopleRows(action: Action): Fact[] {
  const { state, createdAt, expiresAt, decidedAt, finishedAt, error } = action;
  const deciders = state === 'declined' || state === 'expired' || isUndecided(action) ? [] : decidersOf(action);
  const isLate = finishedAt !== undefined && (deciders.length === 0 || finishedAt - (decidedAt ?? 0) >= MINUTE_MS);
  const rows: [string, readonly Piece[]][] = [
    ['Asked by', [requesterOf(action), placeOf(action), ...at(createdAt)]],
    [
      `Waits for ${levelOfAction(action) === 'own' ? 'an operator' : 'an approver'} until`,
      state === 'pending' ? [timeOf(expiresAt)] : [],
    ],
    ['Confirmed by', deciders.length === 0 ? [] : [...deciders, wayOf(action), ...at(decidedAt)]],
    [state === 'expired' ? 'Expired' : 'Ended', isLate ? [timeOf(finishedAt)] : []],
    ['Log id', error?.transactionLogId === undefined ? [] : [{ code: clean(error.transactionLogId) }]],
  ];
  return rows.filter(([, value]) => value.length > 0).map(([label, value]) => ({ label, value }));
}

function at(time: number | undefined): Piece[] {
  return time === undefined ? [] : [', ', timeOf(time)];
}

const WAYS: Readonly<Record<string, string>> = {
  page: ' on the page',
  client: ' in the client',
  terminal: ' in the terminal',
};

function wayOf({ decidedVia = '' }: Action): string {
  return WAYS[decidedVia] ?? '';
}

/** The person who decided. Empty before a decision. */
export function decidersOf({ decidedPerson, decidedBy }: Pick<Action, 'decidedPerson' | 'decidedBy'>): Piece[] {
  if (decidedPerson === undefined) return decidedBy === undefined ? [] : [decidedBy];
  return [{ person: decidedPerson, name: decidedBy }];
}

/** Says how a question ended, for a person who answers it too late. `batch`: the state of the batch that was asked about, in words. */
export function endedText(action: Action, tool: Tool | undefined, batch = ''): Piece[] {
  const { effect } = outcomeOf(action, tool);
  return [...actionText({ action, tool }), ['.', effect, batch].filter((text) => text !== '').join(' ')];
}

/** An action for a list, with the longer work that it started, such as the rows of a batch. */
export interface ListedAction {
  action: Action;
  tool: Tool | undefined;
  started?: StartedWork | undefined;
  /** Epoch ms; left out for changes that have not been sent. */
  now?: number;
}

/** Reads what actions started, so that a list shows how that goes now. `of`: only the part about this number. */
export function listed(gate: Pick<Gate, 'tool' | 'now'>, actions: readonly Action[], of?: string) {
  return Promise.all(
    actions.map(async (action) => {
      const tool = gate.tool(action.operation);
      const isStarted = tool?.kind === 'workflow' && action.state === 'done';
      return { action, tool, now: gate.now(), started: isStarted ? await tool.started?.(action.shown, of) : undefined };
    }),
  );
}

/** An action in one line: "✅ Cancel +12015550103 done, confirmed by Lee, Nov 26, 10:00". */
export function actionText({ action, tool, started, now }: ListedAction): Piece[] {
  const state = started?.status === 'running' ? 'in_flight' : started?.status;
  const { mark, word, headline } = state === undefined ? outcomeOf(action, tool, now) : outcomeOf({ state }, undefined);
  const deciders = decidersOf(action);
  const waits = levelOfAction(action) === 'own' ? 'waits to be applied' : 'waits for an approver';
  const how = action.state === 'partly' || action.state === 'done' ? headline : word;
  // A batch is confirmed when its question is done.
  const isConfirmed = action.operation === BATCH_RUN && action.state === 'done';
  return [
    `${mark} ${questionTitle(tool, action)}`,
    ...(isConfirmed && started === undefined
      ? []
      : [` ${started?.state ?? (action.state === 'pending' ? waits : lowerFirst(how))}`]),
    ...(deciders.length === 0 ? [] : [action.state === 'declined' ? ' by ' : ', confirmed by ', ...deciders]),
    ', ',
    timeOf(action.decidedAt ?? action.updatedAt),
  ];
}

/* The answer of the platform on the card of an outcome. */

/** A number or an id. */
const SUBJECT = /^(\+\d{7,15}|[A-Z]{2,7}-\S+)$/;
const ID = /^[A-Z]{2,7}-\S+$/;
const WHOLE_DAY = /^(?:\d{1,2}\/\d{1,2}\/\d{4}|\d{4}-\d{2}-\d{2}(?:T00:00:00(?:\.0+)?Z?)?)$/;

/** The values and lists of an answer. */
function recordParts(value: Fields, options: ShownOptions): Part[] {
  const { pairs, tables } = rowsOf(value, options);
  return [
    ...factsPart(
      pairs.map(([label, text]) => ({ label, value: text, ...(ID.test(text) && { detail: true as const }) })),
      { title: 'Result' },
    ),
    ...tables.map(tablePart),
  ];
}

/** A list, each row also as a line of text. */
export function tablePart(table: Shown['tables'][number]): Part {
  return { kind: 'table', ...table, brief: table.rows.map((row) => rowText(table, row)) };
}

/** One row of a list. Numbers, ids, names and states need no label. */
function rowText({ columns }: Shown['tables'][number], row: readonly string[]): string {
  return row
    .flatMap((cell, i) => {
      const label = columns[i] ?? '';
      const isBare = /name|status|^number$/i.test(label) || SUBJECT.test(cell);
      return cell === '' ? [] : [isBare ? cell : `${lowerFirst(label)} ${cell}`];
    })
    .join(' · ');
}

/**
 * An answer without the values that it repeats: those of the input, those that were so before, and those that the title
 * or the rows of the change say. A list is left out if all that is in it is said.
 */
function unsaid(answer: Fields, action: Action, title: string): Fields {
  const change = changeOf(action);
  if (change === undefined) return answer;
  const { shown, known } = action;
  const before = recordOf(known.Record);
  const rows = change.rows.flatMap(({ of, after }) => [of, after]);
  const sims = textsIn(recordOf(known.Sims)).map(({ value }) => value);
  const said = textsIn({ title: title.split(/[\s,]+/), rows, shown, sims, names: Object.keys(change.names) });
  const told = new Set(said.flatMap(({ value }) => [value, ...value.split(',')].map(wordOf)));
  const isNew = ([name, value]: [string, unknown]) => {
    if (isBlank(value)) return true;
    if (isSame(shown[name], value) || isSame(before[name], value)) return false;
    const texts = textsIn({ value }).flatMap((one) => one.value.split(','));
    return texts.length === 0 || !texts.every((text) => told.has(wordOf(text)));
  };
  return Object.fromEntries(Object.entries(answer).filter(isNew));
}

/** A text for comparison. A change says days and a cancelled number's state in other words than the platform. */
function wordOf(text: string): string {
  const word = (WHOLE_DAY.test(text) ? dayText(text) : text).trim().toLowerCase();
  return word.startsWith('cancelled') ? 'cancelled' : word;
}

/* Describes a done change with its present holder, its cost, its undoing, and the changed values. */

/** The customer, or the subscriber whom a line was given to. */
function holderNow(action: Action, customer: string): string {
  const { rows = [], names = {} } = changeOf(action) ?? {};
  const [next, ...others] = rows.flatMap(({ member = '', after }) => {
    const named = /^Assigned/.test(member) && typeof after === 'string' ? names[after] : undefined;
    return named?.noun === 'subscriber' ? [visible(named.name)] : [];
  });
  const stays = next === undefined || others.length > 0 || customer.startsWith(next) || action.state !== 'done';
  return stays ? customer : next;
}

/**
 * Returns the amount of the answer if it has one. A partly done action costs as much as the same call without the part
 * that was not done.
 */
export function costDone({ action, tool }: Pick<ActionShown, 'action' | 'tool'>): string {
  const asked = askedOf(tool, action).cost;
  const [billed] = asked === '' ? [] : rowsOf(action.result).pairs.filter(([label]) => label === 'Cost');
  if (billed !== undefined) return billed[1];
  const left = tool ? notDoneIn(tool, action) : new Map<string, unknown>();
  if (asked === '' || left.size === 0 || tool?.consent === undefined) return asked;
  const isLeft = (entry: unknown) => left.has(numberKey(String(isRecord(entry) ? entry.Number : entry)));
  const kept = (value: unknown) => (Array.isArray(value) ? value.filter((entry) => !isLeft(entry)) : value);
  const input = Object.fromEntries(Object.entries(action.shown).map(([name, value]) => [name, kept(value)]));
  return visible(tool.consent(input, action.known).cost ?? '');
}

/** Until when what was done can be undone, and for how much. Empty if the answer does not say. */
function undoOf({ result = {} }: Action, tool: Tool | undefined): Piece[] {
  const undo = tool?.answer?.undo;
  const until = undo && result[undo.until];
  return undo && typeof until === 'string' && readDate(until, 'UTC') !== undefined ? [undo.says(dayText(until))] : [];
}

/**
 * Lists changes, one member a row: "Caller first name: none → Bob". A row of several lines names them.
 *
 * @param done.isPart true if other lines were asked for too, for which nothing was done
 * @param done.from the later day on which it takes effect
 */
export function changedPart(
  change: Pick<Change, 'rows' | 'names'> | undefined,
  done: { isPart?: boolean; from?: string | undefined; title?: string } = {},
): Part[] {
  if (change === undefined) return [];
  const { isPart = false, from, title = 'What changed' } = done;
  const targets = new Set(change.rows.map(({ of }) => of));
  // The rows of a message have its sender and its receivers as values.
  const isNamed = change.rows.some(({ of, after }) => of === '' || of === after);
  const several = targets.size > 1 || (isPart && !isNamed);
  const lines = change.rows.map((row) => {
    const line = { ...changeLine(row, change.names), target: row.of };
    const { hidden, removed, unread, before } = row;
    // A value before that is hidden, or was not read, is no news afterwards.
    if (hidden && !removed) return { ...line, before: '', after: 'set (not shown)' };
    return unread && before === undefined ? { ...line, before: '' } : line;
  });
  const rows = byMember(lines, change.names, several).map(({ label, value }) => ({ label, value: [{ sent: value }] }));
  return factsPart(rows, { title: from === undefined ? title : `From ${from}` });
}

/** An order in its last known state. */
export interface OrderShown {
  orderId: string;
  /** Empty if no state was reported. */
  status: string;
  /** The message of the platform or the carrier about it. */
  message: string;
  numbers?: readonly string[];
  /** False for an order of another kind; left out if that is not known. */
  isPortIn?: boolean;
  /** The change that placed it, in words: "Park +12015550103". */
  act?: string | undefined;
}

/**
 * The change that placed an order, whole, with its state: for a row of a batch, the question about the batch and the state
 * of all its rows.
 */
export async function changeOfOrder(gate: Pick<Gate, 'tool' | 'actions'>, action: Action) {
  const whole = (action.partOf && (await gate.actions.get(action.partOf))) || action;
  const tool = gate.tool(whole.operation);
  const isBatch = action.batch !== undefined && tool?.kind === 'workflow';
  const state = isBatch ? (await tool.started?.(whole.shown))?.state : undefined;
  const { status = '', stands = status } = orderNow(action, gate.tool(action.operation));
  return { whole, status: state === 'done' ? 'Completed' : (state ?? stands) };
}

/** The state of an order, its message and its numbers in the answer of the operation that reads it. */
export function readOrderIn(value: Fields): Required<Pick<OrderShown, 'status' | 'message' | 'numbers'>> {
  const { message, numbers } = eventOperations.readOrder;
  return {
    status: orderState(value),
    message: message.map((name) => textOf(value[name])).find((text) => text !== '') ?? '',
    numbers: recordsIn(value[numbers.list]).flatMap((row) => textOf(row[numbers.member]) || []),
  };
}

/** Marks of orders, by what their states mean. */
const ORDER_MARKS: Readonly<Record<OrderOutlook, string>> = {
  open: '🔵',
  partly: '⚠️',
  completed: '✅',
  failed: '❌',
  cancelled: '🚫',
};

/** The card of an order in any state. `starter`: the identity of the person who placed it. */
export function orderCard(order: OrderShown, starter?: string): Card {
  const { orderId, status, message, numbers = [], isPortIn, act: asked } = order;
  const [number, ...more] = numbers;
  const others = more.length > 0 ? ` and ${more.length} more` : '';
  const what = isPortIn ? 'Port-in' : 'Order';
  const steps = isPortIn === false ? [] : portInProgress(status);
  const named = number === undefined ? `${what} ${orderId}` : `${what} of ${formatPhone(number).national}${others}`;
  return {
    mark: status === '' ? '' : ORDER_MARKS[orderOutlook(status)],
    title: asked === undefined ? named : nationalIn(asked),
    state: status === '' ? 'not reported yet' : status,
    parts: [
      ...factsPart([
        ...(number === undefined ? [] : [{ label: 'Number', value: [{ value: number }, others] }]),
        ...(orderId === '' ? [] : [{ label: 'Order', value: [{ value: orderId }], detail: true as const }]),
        ...(starter === undefined ? [] : [{ label: 'Started by', value: [{ person: starter }] }]),
      ]),
      ...notePart(steps.length > 0 ? [[{ steps }]] : []),
      ...answerParts(isRejected(status), message),
      { kind: 'actions' },
    ],
    actions: orderActions(order),
  };
}

/** The actions for an order: correct it once it was refused; once it is completed, give its number to a subscriber. */
function orderActions({ orderId, status, numbers = [], isPortIn }: OrderShown): CardAction[] {
  const correction = isPortIn === false ? undefined : correctionOf(orderId, status);
  if (correction) return [fillAction(correction, 'primary')];
  const [number] = numbers;
  if (!isCompleted(status) || number === undefined) return [];
  const { operation, field } = eventOperations.assignNumber;
  const assign = { operation, label: ASSIGN, input: { [field]: number } };
  return [...(isPortIn && numbers.length === 1 ? [fillAction(assign)] : []), act('look', number)];
}

/** The platform's message about an order, or the carrier's reason for refusing it, in plain words and as quoted. */
export function answerParts(isRefused: boolean, message: string): Part[] {
  const silent = 'The carrier refused the order without a reason. Ask it what is wrong.';
  const why = message === '' ? silent : carrierReason(message)?.words;
  const title = isRefused ? 'The carrier refused the order' : 'Message from the platform';
  return [
    ...notePart(isRefused && why !== undefined ? [[why]] : [], { warns: true }),
    ...(message === '' ? [] : [{ kind: 'quote', title, text: message } as const]),
  ];
}
