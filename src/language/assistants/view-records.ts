import { type Part, plainOf, type Text } from '../../cards/card.ts';
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

/** The parts of a card. Records stand in a line each, with all their values behind a title. */
function viewParts(parts: readonly Part[]): ViewPart[] {
  const facts: Pair[] = [];
  const folded: Pair[] = [];
  const others: ViewPart[] = [];
  for (const part of parts) {
    if (part.kind === 'facts') {
      const { brief, title = '' } = part;
      const pairs = part.rows.map(({ label, value }): Pair => [label, plainOf(value)]);
      if (brief !== undefined) {
        facts.push([title, plainOf(brief)]);
        folded.push(...pairs.map(([label, value]): Pair => [`${title}: ${lower(label)}`, value]));
      } else (part.folded === undefined ? facts : folded).push(...pairs);
    } else if (part.kind === 'table') others.push(tablePart(part));
    else if (part.kind === 'note') others.push(...part.lines.map(notePart));
    else if (part.kind === 'small') others.push({ kind: 'note', text: part.text });
  }
  const all = folded.length > 0 ? [{ ...factsPart(folded), folded: 'All values' }] : [];
  return [factsPart(facts), ...others, ...all];
}

type Pair = [label: string, value: string];

function notePart(line: Text): ViewPart {
  const [only] = line;
  if (line.length === 1 && typeof only === 'object' && 'steps' in only)
    return { kind: 'steps', steps: [...only.steps] };
  return { kind: 'note', text: plainOf(line) };
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
