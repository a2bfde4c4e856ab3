import type { ViewCard, ViewPart, ViewState } from '../../cards/view.ts';
import type { Gate } from '../../gate/gate.ts';
import { type Fields, isRecord, recordOf, textOf } from '../../lib/json.ts';
import { visible } from '../../lib/text.ts';
import { hasStopped, isCompleted, isRejected, orderState, portInProgress } from '../../platform/dialect/orders.ts';
import { numberHeadline } from '../number-headline.ts';
import { formatPhone, lower, rowsOf, stateMark } from '../show.ts';

/* Cards of records for the view in the window of an assistant: numbers and orders, and the parts that all cards use. */

/** Rows of a table that the view draws. */
const MOST_ROWS = 50;
/** Values in one part, and characters of a value. The view draws no longer ones. */
const MOST_PAIRS = 100;
const MAX_VALUE = 3_000;
/** Values of a record that are shown before the others, which a person opens. */
const FIRST_PAIRS = 8;
/** Values of a related record that are shown in its line. */
const MOST_INLINE = 5;
/** Longer lists of a related record are left to the details. */
const MAX_LIST = 80;
/** "JNUOID-…", which people read only if they want to. */
const ID = /^[A-Z]{2,8}-\S+$/;
/** "Acme Mobile (AID-…)". */
const NAMED = /^(.+) \([A-Z]{2,8}-[\w.-]{4,}\)$/;

const MARKED: Readonly<Record<string, ViewState>> = { '⚠️': 'unknown', '●': 'done', '✕': 'failed', '○': 'running' };
/** Values of the number's own record that are shown, in the order in which support staff ask for them. */
const OWN: readonly RegExp[] = [/^iccid$/i, /product type$/i, /^swaps remaining$/i];

/** One number, or the rows of several. */
export function lookupCard(value: Fields, gate: Gate): ViewCard {
  const { Summary, Next: _next, Fix: _fix, Numbers, ...rest } = value;
  if (Array.isArray(Numbers)) {
    const rows = Numbers.map(recordOf).map((row) => [row.Number, row.Customer, row.Summary].map(shown));
    const table = tablePart({ title: '', columns: ['Number', 'Customer', 'State'], rows });
    return { title: `${rows.length} numbers`, parts: [table, ...recordParts(rest, gate)] };
  }
  const head = numberHeadline(value);
  const summary = shown(Summary);
  if (head === undefined) return { title: summary === '' ? 'Number' : summary, parts: recordParts(rest, gate) };
  const [main = {}] = Object.values(rest).filter(isRecord);
  const phone = shown(main.Number) || shown(main.PhoneNumber);
  const holder = shown(recordOf(value.Subscriber).Name);
  const text = withStatus(summary, shown(main.Status));
  return {
    title: [holder, formatPhone(phone).national].filter((part) => part !== '').join(' · '),
    state: { name: MARKED[head.mark] ?? 'info', text },
    parts: numberParts(rest, gate),
  };
}

function shown(value: unknown): string {
  return visible(textOf(value));
}

/** The summary, and the platform's word for the state unless the summary has it. */
function withStatus(summary: string, status: string): string {
  const hasStatus = status === '' || summary.toLowerCase().includes(status.toLowerCase());
  return hasStatus ? `${summary}.` : `${status}. ${summary}.`;
}

/** The number, each record around it in one line, then lists. All values are behind a title. */
function numberParts(value: Fields, { timeZone }: Gate): ViewPart[] {
  const words = { brief: true, timeZone };
  const records = Object.entries(value).filter((entry): entry is [string, Fields] => isRecord(entry[1]));
  const [main, ...related] = records;
  const own = rowsOf(main?.[1] ?? {}, words).pairs;
  const firstOwn = OWN.flatMap((pattern) => own.filter(([label]) => pattern.test(label)));
  const lines = related.map(([name, record]): [string, string] => [spaced(name), inline(rowsOf(record, words).pairs)]);
  const { pairs, tables } = rowsOf(value, words);
  return [
    factsPart([['Number', shown(main?.[1].Number)], ...lines, ...firstOwn]),
    ...tables.map(tablePart),
    ...(pairs.length > 0 ? [{ ...factsPart(pairs), folded: 'All values' }] : []),
  ];
}

/** A record in one line, without ids and states. Names and addresses need no label. */
function inline(pairs: readonly [string, string][]): string {
  const kept = pairs.filter(
    ([, text]) => !ID.test(text) && !/^\+\d+$/.test(text) && stateMark(text) === '' && text.length <= MAX_LIST,
  );
  return kept
    .slice(0, MOST_INLINE)
    .map(([label, text]) => {
      const bare = NAMED.exec(text)?.[1] ?? text;
      return /name|mail/i.test(label) ? bare : `${lower(label)} ${bare}`;
    })
    .join(' · ');
}

function spaced(name: string): string {
  const text = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
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
export function tablePart({ title, columns, rows }: { title: string; columns: string[]; rows: string[][] }): ViewPart {
  const more = rows.length - MOST_ROWS;
  return {
    kind: 'table',
    ...(title !== '' && { title }),
    columns,
    rows: rows.slice(0, MOST_ROWS).map((row) => row.map(cut)),
    ...(more > 0 && { more }),
  };
}
