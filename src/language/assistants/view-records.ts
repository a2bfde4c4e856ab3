import { type Fact, type Part, plainOf, type Text } from '../../cards/card.ts';
import { isLine, lineCard } from '../../cards/line.ts';
import type { ViewCard, ViewPart, ViewState } from '../../cards/view.ts';
import type { Gate } from '../../gate/gate.ts';
import { type Fields, recordOf, textOf } from '../../lib/json.ts';
import { visible } from '../../lib/text.ts';
import { hasStopped, isCompleted, isRejected, orderState, portInProgress } from '../../platform/dialect/orders.ts';
import { formatPhone, lower, rowsOf, stateMark } from '../show.ts';

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

/** The parts of a card. Records stand in a line each, and what people read only on demand is behind a title. */
export function viewParts(parts: readonly Part[]): ViewPart[] {
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
    else if (part.kind === 'quote') shown.push({ ...part });
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

export function orderCard(value: Fields, gate: Gate): ViewCard {
  const status = orderState(value);
  const isPortIn = /port-?in/i.test(textOf(value.OrderType));
  const numbers = Array.isArray(value.PhoneNumbersOrdered) ? value.PhoneNumbersOrdered.map(recordOf) : [];
  const [number] = numbers.map((one) => shown(one.Number)).filter((one) => one !== '');
  const what = isPortIn ? 'Port-in' : 'Order';
  const others = numbers.length > 1 ? ` and ${numbers.length - 1} more` : '';
  const steps = isPortIn ? portInProgress(status) : [];
  const id = textOf(value.OrderId);
  return {
    title: number === undefined ? `${what} ${visible(id)}` : `${what} of ${formatPhone(number).national}${others}`,
    ...(status !== '' && { state: { name: orderViewState(status), text: visible(status) } }),
    parts: [...(steps.length > 0 ? [{ kind: 'steps' as const, steps }] : []), ...recordParts(value, gate)],
    ...(id !== '' && { record: { kind: 'order' as const, id }, changes: !hasStopped(status) }),
  };
}

function orderViewState(status: string): ViewState {
  if (isCompleted(status)) return 'done';
  if (isRejected(status)) return 'failed';
  return hasStopped(status) ? 'declined' : 'running';
}

/** A record: the first values, the tables, and what is left behind a title. */
export function recordParts(record: Fields, { timeZone }: Gate): ViewPart[] {
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
export function factsPart(rows: [label: string, value: string][]): ViewPart & { kind: 'facts' } {
  const filled = rows.filter(([, value]) => value !== '').slice(0, MOST_PAIRS);
  return { kind: 'facts', rows: filled.map(([label, value]) => [label, cut(value)]) };
}

function cut(value: string): string {
  return value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)} …` : value;
}

/** `title`: empty for none. */
export function tablePart({
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
