import { mayBeCard } from '../../../../tools/surfaces/tasks.ts';
import { LABELS } from '../../../cards/card.ts';
import type { Consent } from '../../../catalogue/operation.ts';
import { formatPhone, memberLabel, rowsOf, type Shown, stateMark } from '../../../language/show.ts';
import type { Action } from '../../../ledger/ledger.ts';
import { dateFormat } from '../../../lib/clock.ts';
import { type Fields, recordOf } from '../../../lib/values.ts';
import { type Activation, activationsIn, activationsOf, withheldIn } from '../../../platform/dialect/redact.ts';
import { IDS } from '../types.ts';
import * as ui from './text.ts';

const PAGE_ROWS = 40;
/** Characters of all cells of a table. Slack refuses more. */
const TABLE_CHARS = 9_000;
const CELL_CHARS = 300;
/** Slack accepts no more columns. */
const MAX_COLUMNS = 20;
const PAIRS_PER_PAGE = 60;
/** An answer with more codes has no QR code buttons, because people do not scan a long list. */
const MOST_CODES = 5;

/** An answer that Share and Next show again. */
export interface StoredResult {
  /** Handle of the stored answer; undefined if it is not stored. */
  id?: string;
  title: string;
  value: Fields;
  /** Says before the title how a change ended. A read has none. */
  head?: string;
  /** A card that is shown and shared in place of the whole answer. */
  card?: ui.Message;
  /** Time at which it was read, in epoch ms. */
  asOf?: number;
  /** The read that it answers. It is read again before it is shared. */
  read?: { operation: string; input: Fields };
  /** The change that belongs to it. */
  next?: Consent['next'];
  /** IANA zone of times that carry none. */
  timeZone?: string;
  /** The reader may ask for the activation codes of eSIMs. */
  mayReveal?: boolean;
}

/**
 * The answer of an operation.
 *
 * @param options.shared the user who shares it with the channel; it then has no buttons
 * @param options.assistant for an answer of Slack's assistant, which Slack stores: no buttons and no activation code
 */
export function resultMessage(
  result: StoredResult,
  options: { page?: number; shared?: string; assistant?: boolean; zone?: string } = {},
): ui.Message {
  const { page = 0, shared, assistant = false, zone } = options;
  const { value: given, head = '', title, timeZone, asOf } = result;
  const { title: about, pairs, tables } = rowsOf(given, { brief: true, timeZone });
  const told = pairs.map(
    ([label, text]): Pair => [label, label === 'Correct' ? text.split(', ').map(memberLabel).join(', ') : text],
  );
  const ids = told.filter(([, text]) => ui.ID.test(text));
  // A record that has nothing but ids shows them.
  const isRead = ids.length < told.length;
  const named = isRead ? told.filter((pair) => !ids.includes(pair)) : told;
  const pages = pagesOf(named, tables, zone, !assistant);
  const isTitled = about !== undefined && !title.includes(about) && !ids.some(([, id]) => isRead && id === about);
  const details = ids.map(([label, id]) => `${ui.escaped(label)} \`${ui.escaped(id)}\``).join(' · ');
  return ui.messageOf(`${head}${title}`, [
    ui.say(...(head === '' ? [] : [head]), ui.bold(title), ...(isTitled ? [' ', ui.value(about)] : [])),
    ...(pages[page] ?? pages[0] ?? [ui.say(ui.italic('No results.'))]),
    ...(page > 0 || !isRead || details === '' ? [] : [ui.small(`Details  ${details}`)]),
    ...(shared ? [sharedLine(shared, asOf)] : result.id ? buttons(result, page, pages.length) : []),
  ]);
}

/** Names the person who shared an answer, and the time at which it was read. */
export function sharedLine(user: string, asOf: number | undefined): ui.Block {
  return ui.small(`Shared by <@${user}>${asOf === undefined ? '' : ` · as of ${ui.shortDate(asOf)}`}`);
}

function buttons({ id = '', value, mayReveal, next }: StoredResult, page: number, pages: number): ui.Block[] {
  const codes = withheldIn(value);
  return ui.buttonRow(
    `result:${id}`,
    ...(next === undefined
      ? []
      : ui.operationButton(`${IDS.fill}_0`, next.label, next.operation, next.input, { style: 'primary' })),
    ...(page > 0 ? [ui.button(`${IDS.page}_back`, '‹ Back', `${id}|${page - 1}`)] : []),
    ...(page + 1 < pages ? [ui.button(IDS.page, `Next (${page + 2} of ${pages}) ›`, `${id}|${page + 1}`)] : []),
    ui.button(IDS.share, LABELS.share, `${id}|${page}`),
    ...(mayReveal && codes.length <= MOST_CODES ? qrButtons(id, codes) : []),
  );
}

type Pair = readonly [label: string, text: string];

/**
 * The answer in pages. Nothing is omitted: the last line of a page says how much follows, and which button shows it.
 */
function pagesOf(pairs: readonly Pair[], tables: readonly Table[], zone: string | undefined, hasButtons: boolean) {
  const pages: ui.Block[][] = [];
  for (let i = 0; i < pairs.length; i += PAIRS_PER_PAGE) pages.push([ui.pairLines(pairs.slice(i, i + PAIRS_PER_PAGE))]);
  const lists = tables.filter(({ rows }) => rows.length > 0).flatMap((table) => tablePages(table, zone, hasButtons));
  // Slack accepts one table per message, so only the first one can follow the values.
  const [first] = pages;
  if (first && pages.length === 1) first.push(...(lists.shift() ?? []));
  return [...pages, ...lists];
}

type Table = Shown['tables'][number];

function tablePages(table: Table, zone: string | undefined, hasButtons: boolean): ui.Block[][] {
  const names = table.columns.slice(0, MAX_COLUMNS).map((name) => ui.cut(name, 75));
  const hidden = table.columns.length - names.length;
  const all = table.rows.map((row) => row.slice(0, MAX_COLUMNS).map((text) => ui.shortened(text, CELL_CHARS)));
  const pages: ui.Block[][] = [];
  for (let start = 0; start < all.length; ) {
    let end = start;
    let size = names.join('').length;
    while (end < all.length && end - start < PAGE_ROWS) {
      size += all[end]?.join('').length ?? 0;
      if (end > start && size > TABLE_CHARS) break;
      end += 1;
    }
    const rows = all.slice(start, end);
    const left = all.length - end;
    const range = rows.length === all.length ? `${rows.length}` : `${start + 1} to ${end} of ${all.length}`;
    const more = [
      ...(left > 0 ? [`… ${left} more ${left === 1 ? 'row' : 'rows'}${hasButtons ? ': Next' : ''}`] : []),
      ...(hidden > 0 ? [`${hidden} more ${hidden === 1 ? 'column' : 'columns'}`] : []),
    ];
    // From this number of rows on, a table can be sorted and paged by its reader.
    const isSorted = hasButtons && rows.length >= 6;
    const cells = [names, ...rows.map((row) => row.map((text) => inTable(text, zone)))].map((row) =>
      row.map((text) => ({ type: 'raw_text', text: text || '–' })),
    );
    pages.push([
      ui.say(ui.bold(table.title), ` (${range})`),
      isSorted
        ? { type: 'data_table', caption: ui.cut(table.title, 150), page_size: 20, rows: cells }
        : { type: 'table', rows: cells },
      ...(more.length > 0 ? [ui.small(more.join(' · '))] : []),
    ]);
    start = end;
  }
  return pages;
}

function inTable(text: string, zone?: string): string {
  const at = ui.timeIn(text);
  if (at !== undefined) {
    const format = dateFormat('en-US', { timeZone: zone ?? 'UTC', dateStyle: 'medium', timeStyle: 'short' });
    return `${format.format(at)}${zone ? '' : ' UTC'}`;
  }
  return `${stateMark(text)} ${ui.dayValue(text)}`.trimStart();
}

/* The activation code of an eSIM, for the one person who reads the message or the window. */

/** Buttons of one message, and half of its codes. */
const MOST = 10;
const CAUTION = 'Anyone who has this code can install the SIM.';

/** The eSIM activation codes in the answer of an action, only for the people who asked or confirmed. */
export function activationMessage({ id, shown, notes }: Action, answer: Fields | undefined): ui.Message | undefined {
  const scanned = activationsOf(answer);
  const byHand = Object.entries(activationsIn(answer)).filter(([, code]) => scanned.every((one) => one.code !== code));
  const whose = (phone?: string) => (phone === undefined ? '' : ` of ${formatPhone(phone).national}`);
  const found = [...scanned.map(({ code, phone }) => [`Activation code${whose(phone)}`, code] as const), ...byHand];
  if (found.length === 0) return undefined;
  const more = found.length - 2 * MOST;
  return ui.messageOf('The eSIM’s activation code, shown only to you.', [
    // The platform's answer has a code for a SIM card too.
    ...(mayBeCard(shown, recordOf(notes.guide))
      ? [ui.say('A SIM card needs no code. Use this one only if the new SIM is an eSIM.')]
      : []),
    ui.say(`🔑 Shown only to you. ${CAUTION}`),
    ...found.slice(0, 2 * MOST).map(([name, code]) => ui.say(ui.bold(name), '  ', ui.code(ui.cut(code, 1000)))),
    ...(more > 0 ? [ui.small(`… ${more} more`)] : []),
    ...ui.buttonRow(`qr:${id}`, ...qrButtons(id, scanned)),
  ]);
}

/**
 * A button for each code. Its value names where the code is read again, and never the code.
 *
 * @param source an action's id, or the handle of a stored answer
 */
export function qrButtons(source: string, codes: readonly Pick<Activation, 'phone'>[]): ui.Element[] {
  return codes.slice(0, MOST).map(({ phone }, i) => {
    if (codes.length === 1) return ui.button(IDS.qr, LABELS.qr, `${source}|0`);
    const which = phone === undefined ? i + 1 : formatPhone(phone).national;
    return ui.button(`${IDS.qr}_${i}`, `QR code of ${which}`, `${source}|${i}`);
  });
}

/** Slack reports when the window is closed, so that the picture can be deleted. */
function qrWindow(blocks: ui.Block[]): Fields {
  return { ...ui.flowView({ flow: 'qr' }, { title: 'eSIM QR code' }, blocks), notify_on_close: true };
}

/** The window without a code: while that is read, after its picture was deleted, and where there is none. */
export function qrNotice(text: string): Fields {
  return qrWindow([ui.say(text)]);
}

/** A code to show. `note` says where it comes from if it could not be read just now. */
export type FoundCode = Activation & { note?: string };

/** The QR code, and the code itself for typing. `picture`: its file in Slack; a sentence if it cannot be shown. */
export function qrView({ code, phone, note }: FoundCode, picture: { file: string } | { problem: string }): Fields {
  const isShown = 'file' in picture;
  const alt = `QR code of the eSIM${phone === undefined ? '' : ` of ${phone}`}`;
  const removal = 'The picture is deleted from Slack when you close this window, after five minutes at the latest.';
  return qrWindow([
    ...(phone === undefined ? [] : [ui.say(ui.bold(formatPhone(phone).national), '  ', ui.code(phone))]),
    isShown ? { type: 'image', slack_file: { id: picture.file }, alt_text: alt } : ui.say('⚠️ ', picture.problem),
    ui.say(isShown ? 'Scan with the customer’s phone: Settings › Add eSIM. Or enter the code there.' : BY_HAND),
    ui.say(ui.bold('Activation code'), '  ', ui.code(ui.cut(code, 2000))),
    ui.small(CAUTION, ...(isShown ? [removal] : []), ...(note === undefined ? [] : [note])),
  ]);
}

const BY_HAND = 'Enter the code on the customer’s phone: Settings › Add eSIM › Enter details.';
