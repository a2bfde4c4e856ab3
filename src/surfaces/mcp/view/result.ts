// A tool result as a card. Some hosts leave out `_meta`, which has the card; the view then draws the data itself.
import type { ViewCard, ViewPart, ViewRecord } from '../../../cards/view.ts';
import { visible } from '../../../lib/text.ts';
import { cardIn, isRecord, type Members } from './shapes.ts';

const CARD = 'switchboard/card';
const MAX_PAIRS = 40;
const MAX_ROWS = 25;
const MAX_TABLES = 10;
const MAX_NOTES = 20;
const OPEN: ReadonlySet<unknown> = new Set(['pending', 'running', 'unknown', 'planning', 'waiting']);

/** Shown for a result that cannot be drawn. */
const NOT_SHOWN: ViewCard = {
  title: 'Switchboard',
  state: { name: 'unknown', text: 'The host sent a result that cannot be shown here. Ask the assistant about it.' },
  parts: [],
};

/** The card of what the host sent as a result. Never fails. Invisible characters in its texts are written as codes. */
export function cardOf(result: unknown): ViewCard {
  try {
    return readable(isRecord(result) ? cardFrom(result) : NOT_SHOWN);
  } catch {
    // A message between windows may have what JSON cannot: cycles, and numbers of any size.
    return NOT_SHOWN;
  }
}

function readable({ title, state, parts, ...rest }: ViewCard): ViewCard {
  return { ...rest, ...visibleTexts({ title, parts, ...(state && { state }) }) };
}

/** The value with all its texts visible. */
function visibleTexts<Value>(value: Value): Value {
  if (typeof value === 'string') return visible(value) as Value;
  if (Array.isArray(value)) return value.map(visibleTexts) as Value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, visibleTexts(member)])) as Value;
}

function cardFrom(result: Members): ViewCard {
  if (result.isError === true) return errorCard(result);
  const card = isRecord(result._meta) ? cardIn(result._meta[CARD]) : undefined;
  if (card) return card;
  return isRecord(result.structuredContent) ? dataCard(result.structuredContent, result) : NOT_SHOWN;
}

/** The sentences of a result, the first of which is its JSON unless it failed. */
export function sentencesIn({ content }: Members): string[] {
  if (!Array.isArray(content)) return [];
  return content
    .slice(0, MAX_NOTES)
    .flatMap((one) => (isRecord(one) && typeof one.text === 'string' ? [one.text.slice(0, 2000)] : []));
}

/** True if a failed result says that there is no such record, or none for this reader. */
export function isNotFound(result: Members): boolean {
  // The code is read from the sentence because hosts leave out `_meta`.
  return result.isError === true && sentencesIn(result)[0]?.trimEnd().endsWith('(not_found)') === true;
}

function errorCard(result: Members): ViewCard {
  const [first = 'It failed.', ...others] = sentencesIn(result);
  return { title: 'Switchboard', state: { name: 'failed', text: first }, parts: notesOf(others) };
}

/** Notes for people. Sentences in square brackets are for models, so they are left out. */
function notesOf(texts: readonly string[]): ViewPart[] {
  return texts.filter((text) => !text.startsWith('[')).map((text) => ({ kind: 'note', text }));
}

function dataCard(value: Members, result: Members): ViewCard {
  const inner = isRecord(value.batch)
    ? { ...value.batch, ...(Array.isArray(value.rows) && { rows: value.rows }) }
    : value;
  const status = [inner.status, inner.OrderStatus].find((one) => typeof one === 'string');
  const record = recordOf(value);
  const { facts, tables } = partsOf(inner);
  return {
    title: plainText(inner.summary ?? inner.Summary ?? 'Switchboard').slice(0, 300),
    ...(typeof status === 'string' && { state: { name: 'info', text: status } }),
    parts: [...facts, ...tables, ...notesOf(sentencesIn(result).slice(1))],
    ...(record && { record, changes: record.kind === 'order' ? !ENDED.test(String(status)) : OPEN.has(status) }),
  };
}

const ENDED = /complet|reject|cancel/i;

function recordOf({ id, OrderId, batch }: Members): ViewRecord | undefined {
  if (isRecord(batch) && typeof batch.id === 'string') return { kind: 'batch', id: batch.id };
  if (typeof id === 'string' && id.startsWith('act_')) return { kind: 'confirmation', id };
  return typeof OrderId === 'string' ? { kind: 'order', id: OrderId } : undefined;
}

const SHOWN_ABOVE: ReadonlySet<string> = new Set(['summary', 'Summary', 'status', 'OrderStatus']);

function partsOf(value: Members): { facts: ViewPart[]; tables: ViewPart[] } {
  const rows: [string, string][] = [];
  const tables: ViewPart[] = [];
  const add = (record: Members, prefix: string, depth: number): void => {
    for (const [name, member] of Object.entries(record)) {
      const label = prefix === '' ? wordsOf(name) : `${prefix}: ${wordsOf(name)}`;
      if (rows.length >= MAX_PAIRS || (depth === 0 && SHOWN_ABOVE.has(name))) continue;
      if (isRecord(member) && depth < 3) add(member, label, depth + 1);
      else if (Array.isArray(member) && member.length > 0 && member.every(isRecord)) {
        if (tables.length < MAX_TABLES) tables.push(tableOf(label, member));
      } else if (plainText(member) !== '') rows.push([label, plainText(member)]);
    }
  };
  add(value, '', 0);
  return { facts: rows.length > 0 ? [{ kind: 'facts', rows }] : [], tables };
}

function tableOf(title: string, records: readonly Members[]): ViewPart {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))].slice(0, 8);
  const rows = records
    .slice(0, MAX_ROWS)
    .map((record) => names.map((name) => (Object.hasOwn(record, name) ? plainText(record[name]) : '')));
  const more = records.length - rows.length;
  return { kind: 'table', title, columns: names.map(wordsOf), rows, ...(more > 0 && { more }) };
}

function plainText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, 2000);
}

/** "OrderStatus" as "Order status". */
function wordsOf(name: string): string {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
