import { drawnBy } from '../../../tools/surfaces/views.ts';
import { changeActions } from '../../cards/actions.ts';
import { type Card, type Fact, type Part, plainOf, type Text } from '../../cards/card.ts';
import { isLine, lineCard } from '../../cards/line.ts';
import { orderCard } from '../../cards/order.ts';
import { actionCard } from '../../cards/outcome.ts';
import { questionTitle } from '../../cards/question.ts';
import { VIEW_STATES, type ViewAction, type ViewCard, type ViewPart, type ViewState } from '../../cards/view.ts';
import { BATCH_RUN } from '../../gate/frozen-batch.ts';
import { type Gate, statusOf } from '../../gate/gate.ts';
import type { Action } from '../../ledger/ledger.ts';
import { type Actor, personOf } from '../../lib/actor.ts';
import { defined, type Fields, isRecord, recordOf, textOf } from '../../lib/json.ts';
import { visible } from '../../lib/text.ts';
import { hasStopped, isCompleted, isRejected, orderState } from '../../platform/dialect/orders.ts';
import { outcomeOf } from '../outcome.ts';
import { lower, rowsOf, stateMark } from '../show.ts';

/*
 * The card of a result, for the view in the window of an assistant. It is made of the result that the assistant gets,
 * and of the question about a change, which its requester may see whole.
 */

/** The person who calls, and the gate. */
interface Reader {
  gate: Gate;
  actor: Actor;
}

/**
 * The card of a tool's result; undefined if the view has none for it.
 *
 * @param value the structured content of a result without an error
 */
export async function viewCard(tool: string, value: Fields, reader: Reader): Promise<ViewCard | undefined> {
  switch (drawnBy(tool)) {
    case 'lookup':
      return lookupCard(value, reader.gate);
    case 'order':
      return orderViewCard(value, reader.gate);
    case 'batch':
      return batchCard(value, reader);
    case 'confirmation':
      return Array.isArray(value.confirmations)
        ? listCard(value.confirmations.map(recordOf), reader)
        : confirmationCard(value, reader);
    default:
      return undefined;
  }
}

/** States of a batch, of which `planning` is the first. The view draws those that are left out by their own name. */
const BATCH_STATES: Readonly<Record<string, ViewState>> = {
  planning: 'running',
  waiting: 'pending',
  stopped: 'declined',
};
const BATCH_CHANGES: ReadonlySet<string> = new Set(['planning', 'waiting', 'running']);

async function batchCard({ batch: given, rows, page }: Fields, reader: Reader): Promise<ViewCard> {
  const { gate, actor } = reader;
  const batch = recordOf(given);
  const [id, status, operation] = [textOf(batch.id), textOf(batch.status), textOf(batch.operation)];
  const count = (name: string) => (typeof batch[name] === 'number' ? batch[name] : 0);
  const action = typeof batch.confirmationId === 'string' ? await gate.actions.get(batch.confirmationId) : undefined;
  const waits = status === 'waiting' && action?.state === 'pending';
  const asked = waits && maySee(action, actor) ? actionCard({ action, tool: undefined }).parts : [];
  const ended = count('done') + count('failed') + count('unknown');
  return {
    title: `${gate.tool(operation)?.title ?? visible(operation)}: ${count('total')} rows`,
    state: { name: BATCH_STATES[status] ?? viewState(status), text: visible(textOf(batch.summary)) },
    parts: [
      ...(status === 'planning' || waits
        ? []
        : [{ kind: 'progress' as const, done: ended, of: count('total') - count('leftOut') }]),
      ...viewParts(asked),
      ...(Array.isArray(rows) ? recordParts({ Rows: rows }, gate) : []),
    ],
    ...(id !== '' && {
      record: { kind: 'batch' as const, id, ...(typeof page === 'number' && { page }) },
      changes: BATCH_CHANGES.has(status),
    }),
    ...(waits && offeredIn(action, gate, action.person === personOf(actor))),
  };
}

/** The actions that a reader can take on a question. The view reads an unknown outcome by itself. */
function offeredIn(action: Action, gate: Gate, withdraws: boolean): Pick<ViewCard, 'actions'> {
  const who = withdraws ? 'requester' : 'reader';
  const page = gate.pageUrl(action.id);
  const offered = changeActions(action, undefined, { surface: 'mcp', who, decides: false, page });
  const actions = offered.flatMap(({ id, label, value, confirm }): ViewAction[] =>
    id === 'open' || id === 'withdraw' ? [{ id, label, value, ...defined({ confirm }) }] : [],
  );
  return actions.length === 0 ? {} : { actions };
}

/** The states of several calls. */
async function listCard(confirmations: readonly Fields[], { gate }: Reader): Promise<ViewCard> {
  const rows = confirmations.map(async ({ id, status, error }): Promise<string[]> => {
    const action = status === undefined ? undefined : await gate.actions.get(textOf(id));
    const title = action ? questionTitle(gate.tool(action.operation), action) : visible(textOf(id));
    return [
      title,
      action === undefined ? visible(textOf(recordOf(error).message)) : stateText(viewState(status), action, gate),
    ];
  });
  const listed = await Promise.all(rows);
  return {
    title: `${listed.length} requests`,
    parts: [tablePart({ title: '', columns: ['Request', 'State'], rows: listed })],
  };
}

async function confirmationCard(value: Fields, reader: Reader): Promise<ViewCard | undefined> {
  const { gate, actor } = reader;
  const action = await gate.actions.get(textOf(value.id));
  if (action === undefined) return undefined;
  const name = viewState(value.status);
  const result = isRecord(value.result) ? value.result : undefined;
  const whole = actionCard({ action, tool: gate.tool(action.operation), timeZone: gate.timeZone, result });
  const card: ViewCard = {
    title: whole.title,
    state: { name, text: stateText(name, action, gate) },
    parts: [],
    record: { kind: 'confirmation', id: action.id },
    changes: name === 'pending' || name === 'running' || name === 'unknown',
  };
  // Another requester of the same call gets its state alone.
  if (value.requestedBy !== undefined || !maySee(action, actor)) return card;
  return {
    ...card,
    // The state already has the meaning beside it.
    parts: viewParts(meaningOf(whole) === undefined ? whole.parts : whole.parts.slice(1)),
    // A batch is withdrawn on its own card.
    ...offeredIn(action, gate, action.operation !== BATCH_RUN && action.person === personOf(actor)),
  };
}

/** True if this reader may see the whole question. Other requesters of the same call get its state alone. */
function maySee({ actorId, person }: Action, actor: Actor): boolean {
  return actorId === actor.id || person === personOf(actor) || actor.role === 'approver';
}

function viewState(status: unknown): ViewState {
  return VIEW_STATES.find((state) => state === status) ?? 'info';
}

/** The state and what it means. `name` is that of the work which an action has only started. */
function stateText(name: ViewState, action: Action, gate: Gate): string {
  if (name === 'info') return '';
  if (name !== statusOf(action.state))
    return `${outcomeOf({ state: name === 'running' ? 'in_flight' : name }, undefined).headline}.`;
  const card = actionCard({ action, tool: gate.tool(action.operation) });
  const parts = [`${visible(card.state)}.`, card.effect ?? '', meaningOf(card) ?? ''];
  return parts.filter((part) => part !== '').join(' ');
}

/** The sentences with which the card of an action that has ended begins. */
function meaningOf({ parts: [first] }: Pick<Card, 'parts'>): string | undefined {
  if (first?.kind !== 'note' || first.warns || first.title !== undefined) return undefined;
  return visible(first.lines.map(plainOf).join(' '));
}

/* Cards of records for the view in the window of an assistant: numbers and orders, and the parts that all cards use. */

/** Rows of a table that the view draws. */
const MOST_ROWS = 50;
/** Values in one part, and characters of a value. The view draws no longer ones. */
const MOST_PAIRS = 100;
const MAX_VALUE = 3_000;
/** Values of a record that are shown before the others, which a person opens. */
const FIRST_PAIRS = 8;
/** "JNUOID-…", which people read only if they want to. */
const ID = /^[A-Z]{2,8}-\S+$/;

const MARKED: Readonly<Record<string, ViewState>> = { '⚠️': 'unknown', '●': 'done', '✕': 'failed', '○': 'running' };

/** One number, or the rows of several. */
export function lookupCard(value: Fields, gate: Gate): ViewCard {
  const { Summary, Next: _next, Fix: _fix, Numbers, ...rest } = value;
  if (Array.isArray(Numbers)) {
    const rows = Numbers.map(recordOf).map((row) => [row.Number, row.Customer, row.Summary].map(shown));
    const table = tablePart({ title: '', columns: ['Number', 'Customer', 'State'], rows });
    return { title: `${rows.length} numbers`, parts: [table, ...recordParts(rest, gate)] };
  }
  if (!isLine(value)) return { title: shown(Summary) || 'Number', parts: recordParts(rest, gate) };
  const { mark, title, state, parts } = lineCard({ value, timeZone: gate.timeZone });
  return { title, state: { name: MARKED[mark] ?? 'info', text: `${state}.` }, parts: viewParts(parts) };
}

function shown(value: unknown): string {
  return visible(textOf(value));
}

/** Titles of what people read only on demand. */
const DETAILS = 'Details';
const SENT = 'Everything else that is sent';

/** The parts of a card. Each record is one line, and values that people read only on demand are behind a title. */
function viewParts(parts: readonly Part[]): ViewPart[] {
  const shown: ViewPart[] = [];
  const folded = new Map<string, Pair[]>();
  const fold = (title: string, pairs: readonly Pair[]) =>
    pairs.length > 0 && folded.set(title, [...(folded.get(title) ?? []), ...pairs]);
  const add = (pairs: Pair[]) => {
    const last = shown.at(-1);
    // Neighbouring values are one part. Their labels say what they are, and the window is low.
    if (last?.kind === 'facts') last.rows.push(...factsPart(pairs).rows);
    else if (pairs.length > 0) shown.push(factsPart(pairs));
  };
  for (const part of parts) {
    if (part.kind === 'facts') addFacts(part, { add, fold });
    else if (part.kind === 'table') shown.push(tablePart(part));
    else if (part.kind === 'note') shown.push(...part.lines.map((line) => notePart(line, part.title)));
    else if (part.kind === 'quote') shown.push({ ...part, title: plainOf(part.title) });
    else if (part.kind === 'small') shown.push({ kind: 'note', text: part.text });
  }
  return [...shown, ...[...folded].map(([title, pairs]) => ({ ...factsPart(pairs), folded: title }))];
}

function addFacts(
  { brief, title = '', folded, rows }: Part & { kind: 'facts' },
  to: { add: (pairs: Pair[]) => unknown; fold: (title: string, pairs: readonly Pair[]) => unknown },
): void {
  const pairsOf = (facts: readonly Fact[]) => facts.map(({ label, value }): Pair => [label, plainOf(value)]);
  if (folded !== undefined) to.fold(folded, pairsOf(rows));
  else if (brief !== undefined) {
    to.add([[title, plainOf(brief)]]);
    to.fold(DETAILS, pairsOf(rows.map((fact) => ({ ...fact, label: `${title}: ${lower(fact.label)}` }))));
  } else {
    to.add(pairsOf(rows.filter(({ detail, list }) => !detail && !list)));
    to.fold(SENT, pairsOf(rows.filter(({ detail, list }) => detail || list)));
  }
}

type Pair = [label: string, value: string];

function notePart(line: Text, title?: string): ViewPart {
  const [only] = line;
  if (line.length === 1 && typeof only === 'object' && 'steps' in only)
    return { kind: 'steps', steps: [...only.steps] };
  return { kind: 'note', text: `${title === undefined ? '' : `${title}: `}${plainOf(line)}` };
}

export function orderViewCard(value: Fields, gate: Gate): ViewCard {
  const status = orderState(value);
  const isPortIn = /port-?in/i.test(textOf(value.OrderType));
  const rows = Array.isArray(value.PhoneNumbersOrdered) ? value.PhoneNumbersOrdered.map(recordOf) : [];
  const numbers = rows.map((one) => shown(one.Number)).filter((one) => one !== '');
  const orderId = shown(value.OrderId);
  const { title, parts } = orderCard({ orderId, status, message: '', numbers, isPortIn });
  return {
    title,
    ...(status !== '' && { state: { name: orderViewState(status), text: visible(status) } }),
    parts: [...(isPortIn ? viewParts(parts.filter(({ kind }) => kind === 'note')) : []), ...recordParts(value, gate)],
    ...(orderId !== '' && { record: { kind: 'order' as const, id: orderId }, changes: !hasStopped(status) }),
  };
}

function orderViewState(status: string): ViewState {
  if (isCompleted(status)) return 'done';
  if (isRejected(status)) return 'failed';
  return hasStopped(status) ? 'declined' : 'running';
}

/** A record: the first values, the tables, and what is left behind a title. */
function recordParts(record: Fields, { timeZone }: Gate): ViewPart[] {
  const { pairs, tables } = rowsOf(record, { timeZone, brief: true });
  const plain = pairs.filter(([, value]) => !ID.test(value) && stateMark(value) === '');
  const first = plain.slice(0, FIRST_PAIRS);
  const others = pairs.filter((pair) => !first.includes(pair));
  return [
    ...(first.length > 0 ? [factsPart(first)] : []),
    ...tables.map(tablePart),
    ...(others.length > 0 ? [{ ...factsPart(others), folded: 'Details' }] : []),
  ];
}

/** Values with their labels. A long value, such as the list of a large batch, is cut; the confirmation page has all of it. */
function factsPart(rows: [label: string, value: string][]): ViewPart & { kind: 'facts' } {
  const filled = rows.filter(([, value]) => value !== '').slice(0, MOST_PAIRS);
  return { kind: 'facts', rows: filled.map(([label, value]) => [label, cut(value)]) };
}

function cut(value: string): string {
  return value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)} …` : value;
}

/** `title`: empty for none. */
function tablePart({
  title,
  columns,
  rows,
}: {
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}): ViewPart {
  const more = rows.length - MOST_ROWS;
  return {
    kind: 'table',
    ...(title !== '' && { title }),
    columns: [...columns],
    rows: rows.slice(0, MOST_ROWS).map((row) => row.map(cut)),
    ...(more > 0 && { more }),
  };
}
