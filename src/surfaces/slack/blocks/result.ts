import type { Outcome } from '../../../language/outcome.ts';
import { clean, formatPhone, rowsOf, type Shown, stateMark } from '../../../language/show.ts';
import { withoutActivation } from '../../../lib/activation.ts';
import { jsonText } from '../../../lib/text.ts';
import { IDS } from '../ids.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  lines,
  type Message,
  preformatted,
  rich,
  say,
  small,
} from './text.ts';

/** A kept answer: what Share, JSON and Next show again. */
export interface StoredResult {
  /** Handle of the kept answer; undefined where it is not kept. */
  id?: string;
  title: string;
  value: Record<string, unknown>;
  /** Changed something, as against looked something up. */
  changed: boolean;
  /** Set where only a part of the change was done. */
  partly?: Outcome;
  /** Members whose shape is not the documented one. */
  mismatched: readonly string[];
  /** Readings of the typed line worth telling. */
  notes: readonly string[];
  /** Shown in a card of its own, and shared as that: the whole answer holds more than a channel should read. */
  card?: Message;
}

const PAGE_ROWS = 40;
const MAX_COLUMNS = 20;
/** All cells of a table together; Slack refuses more. */
const TABLE_CHARS = 9_000;
const CELL_CHARS = 300;
const PAIRS_PER_PAGE = 60;
const JSON_CHARS = 2_800;

/** The answer of an operation. `shared`: who posts it for everybody; without buttons then. */
export function resultMessage(
  held: StoredResult,
  options: { page?: number; shared?: string; zone?: string } = {},
): Message {
  const page = options.page ?? 0;
  // What was not done stands under the headline; the warning would say it again.
  const { Warning: _, ...rest } = held.value;
  const given = held.partly ? rest : held.value;
  const shown = rowsOf(options.shared ? withoutActivation(given) : given);
  const pages = pagesOf(shown);
  const { mark, before, after } = headOf(held);
  const about = shown.title && !held.title.includes(shown.title) ? [' ', value(shown.title)] : [];
  const blocks: Block[] = [say(mark, rich.bold(`${before}${held.title}`), ...about, after)];
  for (const { what, why } of held.partly?.notDone ?? [])
    blocks.push(say(rich.bold('Not done'), '  ', ...values(what), ...(why === '' ? [] : [`  ${cut(why, 300)}`])));
  blocks.push(...(pages[page] ?? pages[0] ?? [nothing]).map((part) => part(options.zone)));
  if (held.notes.length > 0) blocks.push(small(escaped(held.notes.join(' '))));
  if (held.mismatched.length > 0) {
    blocks.push(small(`⚠️ Not shaped as documented, shown as received: ${escaped(held.mismatched.join(', '))}`));
  }
  if (options.shared) blocks.push(small(`Shared by <@${options.shared}>`));
  else if (held.id) blocks.push(buttons(held.id, page, pages.length));
  return { text: cut(`${mark}${escaped(`${before}${held.title}`)}${after}`, 3000), blocks: blocks.slice(0, 50) };
}

/** What stands before and after the title. A look-up has neither. */
function headOf({ changed, partly }: StoredResult): { mark: string; before: string; after: string } {
  if (partly) return { mark: `${partly.mark} `, before: `${partly.headline} · `, after: '' };
  return changed ? { mark: '✅ ', before: '', after: ': done' } : { mark: '', before: '', after: '' };
}

function buttons(id: string, page: number, pages: number): Block {
  const elements: Element[] = [];
  if (page > 0) elements.push(button(`${IDS.page}_back`, '‹ Back', `${id}|${page - 1}`));
  if (page + 1 < pages) elements.push(button(IDS.page, `Next (${page + 2} of ${pages}) ›`, `${id}|${page + 1}`));
  elements.push(button(IDS.share, 'Share', `${id}|${page}`), button(IDS.json, 'JSON', `${id}|0`));
  return actions(`result:${id}`, ...elements);
}

type Part = (zone?: string) => Block;
const nothing: Part = () => say(rich.italic('Nothing was found.'));

/** What is shown, cut into messages. Nothing is left out: the last line of a page says how much follows. */
function pagesOf(shown: Shown): Part[][] {
  const pages: Part[][] = [];
  for (let i = 0; i < shown.pairs.length; i += PAIRS_PER_PAGE) {
    const part = shown.pairs.slice(i, i + PAIRS_PER_PAGE);
    pages.push([(zone) => pairLines(part, zone)]);
  }
  shown.tables.forEach((table, i) => {
    if (table.rows.length === 0) return;
    tablePages(table).forEach((parts, j) => {
      const first = pages[0];
      // One table may stand under the values; a message takes no second one.
      if (i === 0 && j === 0 && pages.length === 1 && first) first.push(...parts);
      else pages.push(parts);
    });
  });
  return pages;
}

type Table = Shown['tables'][number];

/** Columns that repeat an earlier one say nothing; ids are for copying and come last. */
function tidy(table: Table): Table {
  const cells = table.columns.map((_, i) => table.rows.map((row) => row[i] ?? ''));
  const column = (i: number) => cells[i] ?? [];
  const whole = cells.map((column) => column.join('\n'));
  const kept = table.columns.map((_, i) => i).filter((i) => whole.indexOf(whole[i] ?? '') === i);
  const isId = (i: number) => column(i).every((cell) => cell === '' || ID.test(cell));
  const [first, ...rest] = kept.filter((i) => !isId(i));
  const isState = (i: number) => /status/i.test(table.columns[i] ?? '');
  const order = [
    ...(first === undefined ? [] : [first]),
    ...rest.filter(isState),
    ...rest.filter((i) => !isState(i)),
    ...kept.filter(isId),
  ];
  return {
    title: table.title,
    columns: order.map((i) => table.columns[i] ?? ''),
    rows: table.rows.map((row) => order.map((i) => row[i] ?? '')),
  };
}

function tablePages(raw: Table): Part[][] {
  const table = raw.rows.length > 1 ? tidy(raw) : raw;
  const pages: Part[][] = [];
  const columns = table.columns.slice(0, MAX_COLUMNS);
  const hidden = table.columns.length - columns.length;
  let start = 0;
  while (start < table.rows.length) {
    let end = start;
    let size = columns.join('').length;
    while (end < table.rows.length && end - start < PAGE_ROWS) {
      const cells = (table.rows[end] ?? []).slice(0, MAX_COLUMNS).map(cellText);
      size += cells.join('').length;
      if (end > start && size > TABLE_CHARS) break;
      end += 1;
    }
    const rows = table.rows.slice(start, end);
    const left = table.rows.length - end;
    const range =
      table.rows.length === rows.length ? `${rows.length}` : `${start + 1} to ${end} of ${table.rows.length}`;
    const parts: Part[] = [() => say(rich.bold(table.title), ` (${range})`), (zone) => tableBlock(columns, rows, zone)];
    const more = [
      left > 0 ? `… ${left} more ${left === 1 ? 'row' : 'rows'}: Next` : '',
      hidden > 0 ? `${hidden} more ${hidden === 1 ? 'column' : 'columns'}: JSON` : '',
    ].filter((text) => text !== '');
    if (more.length > 0) parts.push(() => small(more.join(' · ')));
    pages.push(parts);
    start = end;
  }
  return pages;
}

function tableBlock(columns: readonly string[], rows: readonly string[][], zone?: string): Block {
  const cell = (text: string): Element => ({ type: 'raw_text', text: text === '' ? '–' : text });
  return {
    type: 'table',
    rows: [
      columns.map((column) => cell(cut(column, 75))),
      ...rows.map((row) => columns.map((_, i) => cell(inTable(cellText(row[i] ?? ''), zone)))),
    ],
  };
}

function cellText(text: string): string {
  return text.length > CELL_CHARS
    ? `${text.slice(0, CELL_CHARS)}… (${text.length - CELL_CHARS} more characters: JSON)`
    : text;
}

function inTable(text: string, zone?: string): string {
  const at = timeOf(text);
  if (at !== undefined) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone ?? 'UTC',
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    return `${format.format(at)}${zone ? '' : ' UTC'}`;
  }
  const mark = stateMark(text);
  return mark === '' ? text : `${mark} ${text}`;
}

/** "Label  value" under each other, which reads the same on a phone. */
export function pairLines(pairs: readonly (readonly [string, string])[], _zone?: string): Block {
  return lines(pairs.map(([name, text]) => [rich.bold(name), '  ', ...values(text)]));
}

const ID = /^[A-Z]{2,7}-[A-Za-z0-9._-]{4,}$/;
const PHONE = /^\+\d{7,15}$/;
/** A SIM's serial number, to be compared digit by digit. */
const SIM = /^\d{18,21}[\dFf]?$/;

/** One value as an agent reads it: numbers twice, ids to copy, states with a mark, times in the reader's zone. */
export function value(text: string): Element {
  return values(text).length === 1 ? (values(text)[0] ?? rich.text(text)) : rich.text(text);
}

export function values(raw: string): Element[] {
  const text = clean(raw);
  if (PHONE.test(text)) {
    const { national, e164 } = formatPhone(text);
    return national === e164 ? [rich.code(e164)] : [rich.text(`${national}  `), rich.code(e164)];
  }
  if (ID.test(text) || SIM.test(text)) return [rich.code(text)];
  const at = timeOf(text);
  if (at !== undefined) return [rich.date(at)];
  const mark = stateMark(text);
  if (mark !== '') return [rich.text(`${mark} ${text}`)];
  if (/^\+\d{7,15}(, \+\d{7,15})+$/.test(text)) {
    return text
      .split(', ')
      .flatMap((number, i) => (i === 0 ? [rich.code(number)] : [rich.text(', '), rich.code(number)]));
  }
  return [
    rich.text(text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length - 2_000} more characters: JSON)` : text),
  ];
}

/** A moment with its zone; a bare date is a day, not a moment. */
function timeOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}

/** The raw answer, without secrets, in pages. */
export function jsonMessage(held: StoredResult, page: number): Message {
  const text = jsonText(held.value, 2);
  const start = page * JSON_CHARS;
  const part = text.slice(start, start + JSON_CHARS);
  const left = text.length - start - part.length;
  const blocks: Block[] = [say(rich.bold(held.title), ' as JSON'), preformatted(part === '' ? '{}' : part)];
  if (left > 0 && held.id) {
    blocks.push(small(`… ${left} more characters: Next`));
    blocks.push(actions(`json:${held.id}:${page}`, button(IDS.json, 'Next ›', `${held.id}|${page + 1}`)));
  }
  return { text: `${escaped(held.title)} as JSON`, blocks };
}
