import { changeLine } from '../../../cards/card.ts';
import { LABELS } from '../../../cards/labels.ts';
import { usageOf } from '../../../cards/line.ts';
import type { Change, Consent } from '../../../catalogue/operation.ts';
import { memberLabel } from '../../../language/member-words.ts';
import type { Outcome } from '../../../language/outcome.ts';
import { formatPhone, rowsOf, type Shown, stateMark } from '../../../language/show.ts';
import { dateFormat } from '../../../lib/clock.ts';
import { type Fields, scalarText } from '../../../lib/json.ts';
import { jsonText } from '../../../lib/text.ts';
import { plainText } from '../../../lib/words.ts';
import { withheldIn } from '../../../platform/dialect/activation.ts';
import { orderState, portInProgress } from '../../../platform/dialect/orders.ts';
import { IDS } from '../ids.ts';
import { changedBlocks } from './card.ts';
import { qrButtons } from './esim.ts';
import { isLog, logOf } from './event-log.ts';
import { barText, ID, pairLines, stepLine, timeIn, value, values } from './render.ts';
import {
  actions,
  type Block,
  button,
  cut,
  type Element,
  escaped,
  type Message,
  preformatted,
  rich,
  say,
  shortDate,
  small,
} from './text.ts';

const PAGE_ROWS = 40;
const MOST_CHANGES = 40;
const MAX_COLUMNS = 20;
/** Characters of all cells of a table. Slack refuses more. */
const TABLE_CHARS = 9_000;
const CELL_CHARS = 300;
const PAIRS_PER_PAGE = 60;
const JSON_CHARS = 2_800;
/** An answer with more codes has no QR code buttons, because people do not scan a long list. */
const MOST_CODES = 5;

/**
 * The answer of an operation.
 *
 * @param options.shared the user who shares it with the channel; it then has no buttons
 * @param options.assistant for an answer of Slack's assistant, which Slack stores: no buttons and no activation code
 */
export function resultMessage(
  result: StoredResult,
  options: { page?: number; shared?: string; assistant?: boolean; zone?: string } = {},
): Message {
  const page = options.page ?? 0;
  // Items that were not done are listed below the headline, so the warning would repeat them.
  const { Warning: _, ...rest } = result.value;
  const given = result.partly ? rest : result.value;
  const rows = rowsOf(given, {
    brief: true,
    asked: result.changed ? (result.asked ?? {}) : undefined,
    timeZone: result.timeZone,
  });
  const { shown, ids } = idsApart(withoutChange(withoutUsage(rows, given), result.change), result.names);
  const pages = pagesOf(isLog(given) ? logOf(shown) : shown, !options.assistant);
  const { head, title } = headOf(result);
  const isBelow = ids.some(([, id]) => id === shown.title);
  const about = shown.title && !isBelow && !title.includes(shown.title) ? [' ', value(shown.title)] : [];
  const blocks: Block[] = [say(...(head === '' ? [] : [head]), rich.bold(title), ...about)];
  for (const { what, why } of result.partly?.notDone ?? [])
    blocks.push(
      say(
        rich.bold('Not done'),
        '  ',
        ...values(plainText(what)),
        ...(why === '' ? [] : [`  ${cut(plainText(why), 300)}`]),
      ),
    );
  if (page === 0)
    blocks.push(
      ...changedBlocks(result.change, MOST_CHANGES, result.partly !== undefined),
      ...countsOf(shown),
      ...eyesOf(given),
    );
  blocks.push(...(pages[page] ?? pages[0] ?? [nothing]).map((part) => part(options.zone)));
  if (page === 0 && ids.length > 0)
    blocks.push(small(`Details  ${ids.map(([label, id]) => `${escaped(label)} \`${escaped(id)}\``).join(' · ')}`));
  if (result.notes.length > 0) blocks.push(small(escaped(result.notes.join(' '))));
  if (result.mismatched.length > 0) {
    blocks.push(
      small(
        `⚠️ The platform's answer differs from its documentation; these values are shown as received: ${escaped(result.mismatched.join(', '))}`,
      ),
    );
  }
  if (options.shared) blocks.push(sharedLine(options.shared, result.asOf));
  else if (result.id) blocks.push(buttons(result, page, pages.length));
  return { text: cut(escaped(`${head}${title}`), 3000), blocks: blocks.slice(0, 50) };
}

/** Names the person who shared an answer, and the time at which it was read. */
export function sharedLine(user: string, asOf: number | undefined): Block {
  return small(`Shared by <@${user}>${asOf === undefined ? '' : ` · as of ${shortDate(asOf)}`}`);
}

/** The title, and how a change ended before it. A lookup says no such thing. */
function headOf({ changed, partly, did, title }: StoredResult): { head: string; title: string } {
  if (partly) return { head: `${partly.mark} ${partly.headline} · `, title };
  const { mark, headline } = did ?? { mark: '✅', headline: 'Done' };
  return { head: changed ? `${mark} ${headline}: ` : '', title: did?.title ?? title };
}

function buttons({ id = '', value, mayReveal, next }: StoredResult, page: number, pages: number): Block {
  const elements: Element[] = next === undefined ? [] : nextButtons({ next });
  if (page > 0) elements.push(button(`${IDS.page}_back`, '‹ Back', `${id}|${page - 1}`));
  if (page + 1 < pages) elements.push(button(IDS.page, `Next (${page + 2} of ${pages}) ›`, `${id}|${page + 1}`));
  elements.push(button(IDS.share, LABELS.share, `${id}|${page}`), button(IDS.json, LABELS.json, `${id}|0`));
  const codes = withheldIn(value);
  if (mayReveal && codes.length <= MOST_CODES) elements.push(...qrButtons(id, codes));
  return actions(`result:${id}`, ...elements);
}

/** The number of rows in each list of an answer, if it has several: "*Orders* 2 · *Messages* 5". */
function countsOf({ tables }: Shown): Block[] {
  const filled = tables.filter(({ rows }) => rows.length > 0);
  if (filled.length < 2) return [];
  const counts = filled.flatMap(({ title, rows }, i) => [
    ...(i === 0 ? [] : ['  ·  ']),
    rich.bold(title),
    ` ${rows.length}`,
  ]);
  return [say(...counts)];
}

/** Data usage as a bar, and a port-in as steps, above the values. */
function eyesOf(value: Fields): Block[] {
  const bar = usageText(value);
  const steps = /port-?in/i.test(scalarText(value.OrderType)) ? stepLine(portInProgress(orderState(value))) : [];
  return [...(bar === undefined ? [] : [say(bar)]), ...(steps.length === 0 ? [] : [say(...steps)])];
}

/** "▓▓▓▓▓▓░░░░ 12.5 of 20 MB used"; undefined for a record without usage. */
export function usageText(record: Fields): string | undefined {
  const usage = usageOf(record);
  return usage && `${barText(usage.bar)} ${usage.of}`;
}

/**
 * The values of a record that people read, each text once, and its ids, which they copy. An id whose name is known is its
 * name among the values. A record that has nothing but ids stays as it is.
 */
function idsApart(
  shown: Shown,
  names: Readonly<Record<string, string>> = {},
): { shown: Shown; ids: readonly (readonly [string, string])[] } {
  const isFirst = ([, text]: readonly [string, string], at: number) =>
    text.length < LEAST_REPEATED || shown.pairs.findIndex(([, other]) => other === text) === at;
  const pairs = shown.pairs.filter(isFirst).map(([label, text]): [string, string] => [label, fieldsText(label, text)]);
  const ids = pairs.filter(([, text]) => ID.test(text));
  // The name of the record itself, or of its order, is among the other values.
  const told = [shown.title ?? '', ...pairs.map(([, text]) => text)].join('\n');
  const digits = told.replace(/[^\d\n]/g, '');
  const isNamedIn = (label: string, name: string) => {
    const number = name.replace(/\D/g, '');
    return name.startsWith(label) || told.includes(name) || (number.length >= PHONE_DIGITS && digits.includes(number));
  };
  const own = pairs.flatMap(([label, text]): [string, string][] => {
    if (!ID.test(text)) return [[label, text]];
    const name = names[text];
    return name === undefined || isNamedIn(label, name) ? [] : [[label, name]];
  });
  return own.length === 0 ? { shown, ids: [] } : { shown: { ...shown, pairs: own }, ids };
}

/** The fields that an order has to have corrected, in the words of its form. */
function fieldsText(label: string, text: string): string {
  return label === 'Correct' ? text.split(', ').map(memberLabel).join(', ') : text;
}

/** The values of an answer that the change above them does not say in the same words. */
function withoutChange(shown: Shown, change: Change | undefined): Shown {
  if (change === undefined) return shown;
  const bare = (text: string) => text.replace(/[“”]|\sUSD$/g, '');
  const told = new Set(
    change.rows.map((row) => changeLine(row, change.names)).map(({ what, after }) => `${what}: ${bare(after)}`),
  );
  return { ...shown, pairs: shown.pairs.filter(([label, text]) => !told.has(`${label}: ${bare(text)}`)) };
}

/** Shorter texts, such as states and prices, may be the same in several fields. */
const LEAST_REPEATED = 12;
const PHONE_DIGITS = 10;

/** The values that the usage bar does not show. */
function withoutUsage(shown: Shown, value: Fields): Shown {
  if (usageOf(value) === undefined) return shown;
  return { ...shown, pairs: shown.pairs.filter(([label]) => label !== 'Used' && label !== 'Remaining') };
}

/** A table of usage with a bar for each row beside the number, in place of the two amounts. */
function withUsage(table: Table): Table {
  const [used, remaining] = ['Used', 'Remaining'].map((name) => table.columns.indexOf(name));
  if (used === undefined || remaining === undefined || used < 0 || remaining < 0) return table;
  const bars = table.rows.map((row) => usageText({ Used: row[used], Remaining: row[remaining] }) ?? '');
  if (bars.some((bar) => bar === '')) return table;
  const others = (row: readonly string[]) => row.filter((_, i) => i !== used && i !== remaining);
  const withBar = (row: readonly string[], bar: string) => [...row.slice(0, 1), bar, ...others(row).slice(1)];
  return {
    title: table.title,
    columns: withBar(table.columns, 'Usage'),
    rows: table.rows.map((row, i) => withBar(row, bars[i] ?? '')),
  };
}

type Part = (zone?: string) => Block;
const nothing: Part = () => say(rich.italic('No results.'));

/**
 * The answer in pages. Nothing is omitted: the last line of a page says how much follows, and which button shows it.
 */
function pagesOf(shown: Shown, hasButtons: boolean): Part[][] {
  const pages: Part[][] = [];
  for (let i = 0; i < shown.pairs.length; i += PAIRS_PER_PAGE) {
    const part = shown.pairs.slice(i, i + PAIRS_PER_PAGE);
    pages.push([() => pairLines(part)]);
  }
  shown.tables.forEach((table, i) => {
    if (table.rows.length === 0) return;
    tablePages(table, hasButtons).forEach((parts, j) => {
      const first = pages[0];
      // Slack accepts one table per message, so only the first one can follow the values.
      if (i === 0 && j === 0 && pages.length === 1 && first) first.push(...parts);
      else pages.push(parts);
    });
  });
  return pages;
}

type Table = Shown['tables'][number];

/** Drops columns that repeat an earlier one, and moves ids, which are for copying, to the end. */
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

function tablePages(raw: Table, hasButtons: boolean): Part[][] {
  const table = withUsage(raw.rows.length > 1 ? tidy(raw) : raw);
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
    const parts: Part[] = [
      () => say(rich.bold(table.title), ` (${range})`),
      (zone) => tableBlock(table.title, columns, rows, { zone, sortable: hasButtons }),
    ];
    const more = [
      left > 0 ? `… ${left} more ${left === 1 ? 'row' : 'rows'}${hasButtons ? ': Next' : ''}` : '',
      hidden > 0 ? `${hidden} more ${hidden === 1 ? 'column' : 'columns'}${hasButtons ? ': JSON' : ''}` : '',
    ].filter((text) => text !== '');
    if (more.length > 0) parts.push(() => small(more.join(' · ')));
    pages.push(parts);
    start = end;
  }
  return pages;
}

/** From this number of rows on, a table can be sorted and paged by its reader. */
const SORTABLE_ROWS = 6;
const ROWS_SHOWN = 20;

function tableBlock(
  title: string,
  columns: readonly string[],
  rows: readonly string[][],
  options: { zone: string | undefined; sortable: boolean },
): Block {
  const { zone, sortable } = options;
  const cell = (text: string): Element => ({ type: 'raw_text', text: text === '' ? '–' : text });
  const isSortable = sortable && rows.length >= SORTABLE_ROWS;
  return {
    ...(isSortable ? { type: 'data_table', caption: cut(title, 150), page_size: ROWS_SHOWN } : { type: 'table' }),
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
  const at = timeIn(text);
  if (at !== undefined) {
    const format = dateFormat('en-US', {
      timeZone: zone ?? 'UTC',
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    return `${format.format(at)}${zone ? '' : ' UTC'}`;
  }
  const mark = stateMark(text);
  return mark === '' ? text : `${mark} ${text}`;
}

/** The raw answer, without secrets, in pages. */
export function jsonMessage(result: StoredResult, page: number): Message {
  const text = jsonText(result.value, 2);
  const start = page * JSON_CHARS;
  const part = text.slice(start, start + JSON_CHARS);
  const left = text.length - start - part.length;
  const blocks: Block[] = [say(rich.bold(result.title), ' as JSON'), preformatted(part === '' ? '{}' : part)];
  if (left > 0 && result.id) {
    blocks.push(small(`… ${left} more characters: Next`));
    blocks.push(actions(`json:${result.id}:${page}`, button(IDS.json, 'Next ›', `${result.id}|${page + 1}`)));
  }
  return { text: `${escaped(result.title)} as JSON`, blocks };
}

/**
 * Answers a change that is done with the values before and after. "Details" shows the whole answer.
 * Undefined for a new record, whose ids people need, and for an answer that says more than that it was done.
 */
export function changedMessage(result: StoredResult): Message | undefined {
  const { id, change, value, partly, mismatched, notes, remains, undo = '' } = result;
  if (!change || change.rows.length === 0 || change.rows.some(({ of }) => of === '')) return undefined;
  if (partly || mismatched.length > 0 || value.Warning !== remains || value.Resolved !== undefined) return undefined;
  if (withheldIn(value).length > 0) return undefined;
  const of = new Set(change.rows.map((row) => row.of));
  const [one = ''] = of;
  const { head, title } = headOf(result);
  const isAbout = of.size === 1 && one.startsWith('+') && !title.includes(one);
  const customer = change.concerns.join(', ');
  return {
    text: escaped(`${head}${title}`),
    blocks: [
      say(head, rich.bold(title), ...(isAbout ? [' ', rich.code(formatPhone(one).e164)] : [])),
      ...(customer === '' ? [] : [say(rich.bold('Customer'), `  ${cut(customer, 500)}`)]),
      ...(remains === undefined ? [] : [say(`⚠️ ${remains}`)]),
      ...changedBlocks(change, MOST_CHANGES),
      ...(undo === '' ? [] : [say(rich.bold('Undo'), `  ${undo}`)]),
      ...(notes.length > 0 ? [small(escaped(notes.join(' ')))] : []),
      ...(id === undefined
        ? []
        : [
            actions(
              `result:${id}`,
              ...nextButtons(result),
              button(IDS.page, LABELS.page, `${id}|0`),
              button(IDS.share, LABELS.share, `${id}|0`),
              button(IDS.json, LABELS.json, `${id}|0`),
            ),
          ]),
    ],
  };
}

/** A button that opens the form of the change that belongs to this one. */
function nextButtons({ next }: Pick<StoredResult, 'next'>): Element[] {
  return next === undefined
    ? []
    : [button(`${IDS.fill}_0`, next.label, `${next.operation}|${JSON.stringify(next.input)}`, { style: 'primary' })];
}

/** An answer that Share, JSON and Next show again. */
export interface StoredResult {
  /** Handle of the stored answer; undefined if it is not stored. */
  id?: string;
  title: string;
  value: Fields;
  /** The operation changed something. */
  changed: boolean;
  /** Set if only a part of the change was done. */
  partly?: Outcome;
  /** Members whose shape is not the documented one. */
  mismatched: readonly string[];
  /** Notes on how ambiguous parts of the typed line were read. */
  notes: readonly string[];
  /** A card that is shown and shared in place of the whole answer. */
  card?: Message;
  /** Time at which it was read, in epoch ms. */
  asOf?: number;
  /** The read that it answers. It is read again before it is shared. */
  read?: { toolId: string; input: Fields };
  /** The input of a change, without secrets. */
  asked?: Fields;
  /** Has the values before and after. */
  change?: Change;
  /** Said by its outcome too. `next` is the change that belongs to it. */
  remains?: string;
  next?: Consent['next'];
  /** Says how to undo it. */
  undo?: string;
  /** The outcome, with the title of the question, which says what was done. */
  did?: Pick<Outcome, 'mark' | 'headline'> & { title: string };
  /** IANA zone of times that carry none. */
  timeZone?: string;
  /** Known names of records, by their ids in the answer. */
  names?: Readonly<Record<string, string>>;
  /** The reader may ask for the activation codes of eSIMs. */
  mayReveal?: boolean;
}
