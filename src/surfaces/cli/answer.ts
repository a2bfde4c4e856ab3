import {
  type Card,
  type Fact,
  headlineOf,
  type Part,
  type Piece,
  plainOf,
  type Step,
  type Text,
} from '../../cards/card.ts';
import { factsIn, isLine, lineCard, openOf } from '../../cards/line.ts';
import { labelOf } from '../../catalogue/fields.ts';
import { clean, rowsOf } from '../../language/show.ts';
import { type Fields, isRecord, partsOf, recordOf } from '../../lib/json.ts';
import type { Style } from '../../lib/style.ts';
import { activationsIn, withheldIn } from '../../platform/dialect/activation.ts';
import { orderState, portInProgress, type StepState } from '../../platform/dialect/orders.ts';
import { listText, statusText } from './columns.ts';
import { fixLines, rowsText } from './findings.ts';
import { localTimeText } from './local-time.ts';
import { pairs, wrap } from './table.ts';

type CardOf = (value: Fields) => Card | undefined;

/** True for an answer that may be a list with a special card. */
export function isListed(value: Fields): boolean {
  return 'Since' in value || 'Findings' in value;
}

type QrLines = typeof import('../../lib/qr.ts').qrLines;

/** Layout of an answer for a reader. */
export interface AnswerLayout {
  /** Columns of the terminal; Infinity if nothing is cut. */
  width: number;
  /** Shows every column of a list, without cutting. */
  wide: boolean;
  /** The members to show; undefined for all. */
  fields: readonly string[] | undefined;
  style: Style;
  /** Words of the query. Columns that it names come first. */
  named?: readonly string[] | undefined;
  /** Draws activation codes as QR codes (`qrLines`, loaded when it is used). Undefined draws none. */
  qr: QrLines | undefined;
  /** The cards of lists, for an answer that may have one. */
  listed?: { happened: CardOf; diagnosed: CardOf } | undefined;
  /** True for the answer of a port-in. */
  isPortIn: boolean;
}

const INDENT = '  ';
/** Largest number of QR codes. A line has one activation code. */
const MOST_CODES = 2;
/** A longer text is not an activation code. GSMA SGP.22 limits codes to 255 characters; links are longer. */
const LONGEST_CODE = 500;

/**
 * An answer as text for a reader: its summary and findings first, then single values, then records under their names,
 * then lists.
 */
export function answerText(value: Fields, layout: AnswerLayout): string {
  const { style } = layout;
  const nothing = layout.fields === undefined ? nothingText(value) : undefined;
  if (nothing !== undefined) return Number.isFinite(layout.width) ? wrap(nothing, layout.width).join('\n') : nothing;
  if (layout.fields === undefined && isLine(value))
    return [...cardText(lineCard({ value, members: true }), layout), ...codes(value, layout)].join('\n\n');
  const { Summary, Findings, ...rest } = withoutCount(value);
  const parts: string[] = [];
  const digest = layout.fields === undefined && !layout.wide ? layout.listed?.happened(value) : undefined;
  if (digest) return [...timeline(value, style), ...cardText(digest, layout)].join('\n\n');
  if (typeof Summary === 'string') parts.push(summaryText(Summary, layout));
  else if (Summary !== undefined) Object.assign(rest, { Summary });
  const diagnosis = typeof Summary === 'string' ? layout.listed?.diagnosed({ Summary, Findings }) : undefined;
  if (diagnosis) parts.push(...diagnosis.parts.flatMap((part) => shownPart(part, diagnosis, layout)));
  else if (Findings !== undefined) Object.assign(rest, { Findings });
  const fix = fixLines(openOf(rest.Fix), style);
  if (fix.length > 0) {
    parts.push(fix.join('\n'));
    delete rest.Fix;
  }
  parts.push(...timeline(rest, style), ...recordText(rest, layout), ...codes(value, layout));
  return parts.length === 0 ? 'Done.' : parts.join('\n\n');
}

/** Texts of a search about what it found. */
const NOTES = ['Message', 'Hint', 'Unseen'];
/** Members of a search that say nothing beside its rows or its notes. */
const COUNTS = ['Found', 'NextPage'];

/** One sentence for an answer that is an empty list; undefined for any other answer. */
function nothingText(value: Fields): string | undefined {
  const entries = Object.entries(value).filter(([name, member]) => !COUNTS.includes(name) && !isBlankText(member));
  const lists = entries.filter(([, member]) => Array.isArray(member));
  const notes = NOTES.map((name) => value[name]).filter((note) => typeof note === 'string' && note !== '');
  const isEmpty = lists.length > 0 && lists.every(([, list]) => (list as unknown[]).length === 0);
  if (!isEmpty || entries.length > lists.length + notes.length) return undefined;
  if (notes.length > 0) return clean(notes.join(' '));
  return `No ${lists.map(([name]) => labelOf(clean(name)).toLowerCase()).join(', no ')}.`;
}

function isBlankText(member: unknown): boolean {
  return member === undefined || member === null || member === '';
}

/** The answer without the number of its matches if its only list has all of them, because the heading counts them. */
function withoutCount({ Found, ...rest }: Fields): Fields {
  const [list, ...others] = Object.values(rest).filter(Array.isArray);
  const isWhole = list !== undefined && others.length === 0 && list.length === Found;
  return isWhole || Found === undefined ? rest : { Found, ...rest };
}

function summaryText(summary: string, layout: AnswerLayout): string {
  return wrapped(clean(summary), layout).split('\n').map(layout.style.bold).join('\n');
}

function wrapped(text: string, { width }: AnswerLayout): string {
  return Number.isFinite(width) ? wrap(text, width).join('\n') : text;
}

/** The parts of a card, each of which is a paragraph. */
function cardText(card: Card, layout: AnswerLayout): string[] {
  const { about = '' } = card;
  const head = [headlineOf(card), textOf(about, layout.style)].filter((text) => text !== '').join(' ');
  return [summaryText(head, layout), ...card.parts.flatMap((part) => shownPart(part, card, layout))];
}

function shownPart(part: Part, card: Card, layout: AnswerLayout): string[] {
  return part.kind === 'actions' ? fixText(card, layout) : partText(part, layout);
}

function fixText({ open }: Card, { style }: AnswerLayout): string[] {
  const lines = fixLines(open, style);
  return lines.length === 0 ? [] : [lines.join('\n')];
}

function partText(part: Exclude<Part, { kind: 'actions' }>, layout: AnswerLayout): string[] {
  switch (part.kind) {
    case 'facts':
      // All values are shown, so those that repeat others say nothing.
      return part.repeats
        ? []
        : sectionText(part.title ?? part.folded, [valuesText(part.rows, inside(layout))], layout);
    case 'table':
      return [listPart(part, layout)];
    case 'note': {
      const lines = part.lines.map((line) => wrapped(textOf(line, layout.style), layout));
      return [...(part.title === undefined ? [] : [layout.style.bold(part.title)]), lines.join('\n')];
    }
    case 'rows':
      return part.rows.length === 0 ? [] : [rowsText(part, (text) => textOf(text, layout.style), layout)];
    case 'quote':
      return [`${textOf(part.title, layout.style)}:\n${indented(part.text)}`];
    case 'small':
      return [hintText(part.text, layout)];
  }
}

/** The parts of a record: its values, then each record in it under its name, then its lists. */
function recordText(record: Fields, layout: AnswerLayout): string[] {
  const entries = Object.entries(record);
  const own = Object.fromEntries(entries.filter(([, value]) => !isRecord(value)));
  const nested = entries.flatMap(([name, value]) => (isRecord(value) ? [{ name, value }] : []));
  return [
    ...stepsText(record, layout),
    valuesText(factsIn(own, {}), layout),
    ...nested.flatMap(({ name, value }) => {
      const inner = { ...inside(layout), isPortIn: name === 'PortIn' };
      const lists = rowsOf(value).tables.map((list) => listPart(list, inner));
      return sectionText(
        labelOf(clean(name)),
        [...stepsText(value, inner), valuesText(factsIn(value, {}), inner), ...lists],
        layout,
      );
    }),
    ...rowsOf(own).tables.map((list) => listPart(list, layout)),
  ].filter((text) => text !== '');
}

/** The layout of the content of a section. */
function inside(layout: AnswerLayout): AnswerLayout {
  return { ...layout, width: layout.width - INDENT.length };
}

/** A name, then paragraphs indented. */
function sectionText(name: string | undefined, paragraphs: readonly string[], { style }: AnswerLayout): string[] {
  const text = paragraphs.filter((one) => one !== '').join('\n\n');
  return text === '' ? [] : [name === undefined ? text : `${style.bold(name)}\n${indented(text)}`];
}

function stepsText(record: Fields, { style, isPortIn }: AnswerLayout): string[] {
  const isOne = isPortIn || /port.?in/i.test(String(record.OrderType)) || 'PortInNumber' in record;
  const steps = isOne ? portInProgress(orderState(record)) : [];
  return steps.length === 0 ? [] : [stepsLine(steps, style)];
}

/** Labels and values. Each id and number appears once. */
function valuesText(facts: readonly Fact[], { width, style, fields }: AnswerLayout): string {
  const seen = new Set<string>();
  const rows = facts.flatMap(({ label, value }): [string, string][] => {
    const text = typeof value === 'string' ? localTimeText(value) : textOf(value, style);
    // The platform repeats a number or an id under several names.
    if (fields === undefined && /^\+\d{7,}$|^[A-Z]{2,7}-\S+$/.test(text) && seen.has(text)) return [];
    seen.add(text);
    return [[label, /status$|^state$/i.test(label) ? statusText(text, style) : text]];
  });
  return rows.length === 0 ? '' : pairs(rows, width);
}

/** A text of a card with times in the reader's zone. */
function textOf(text: Text, style: Style): string {
  if (typeof text === 'string') return clean(text);
  return text.map((piece) => pieceText(piece, style)).join('');
}

function pieceText(piece: Piece, style: Style): string {
  if (typeof piece === 'string') return clean(piece);
  if ('strong' in piece) return style.bold(clean(piece.strong));
  if ('value' in piece) return clean(localTimeText(piece.value));
  if ('bar' in piece) return `${usageBar(piece.bar, style)} ${piece.of} (${Math.round(piece.bar * 100)} %)`;
  if ('steps' in piece) return stepsLine(piece.steps, style);
  // A user of this computer is known by their name.
  const [, local] = 'person' in piece ? (/^local:(.+)$/.exec(piece.person) ?? []) : [];
  return local !== undefined && 'person' in piece && (piece.name ?? local) === local
    ? clean(local)
    : clean(plainOf([piece]));
}

function listPart(
  { title, columns, rows: given }: { title: string; columns: readonly string[]; rows: readonly (readonly string[])[] },
  layout: AnswerLayout,
): string {
  const rows = given.map((row) => row.map(localTimeText));
  const { style, wide, width, fields, named } = layout;
  const heading = style.bold(`${title} (${rows.length})`);
  const [only] = rows;
  if (rows.length === 1 && only && columns.length > 1 && fields === undefined && !wide) {
    const facts = columns.flatMap((label, at) => (only[at] ? [{ label, value: only[at] }] : []));
    return `${heading}\n${indented(valuesText(facts, inside(layout)))}`;
  }
  return `${heading}\n${listText(columns, rows, { width, wide, style, named, chosen: fields !== undefined })}`;
}

/** Draws lists of events over the time span of the answer. Empty for an answer without a span. */
function timeline({ Since, Until, ...lists }: Fields, style: Style): string[] {
  const span = { from: Date.parse(String(Since)), until: Date.parse(String(Until)) };
  if (Number.isNaN(span.from) || Number.isNaN(span.until)) return [];
  const counted = Object.entries(lists).flatMap(([name, list]) => {
    const times = Array.isArray(list) ? list.map((row) => Date.parse(String(recordOf(row).At))) : [];
    return times.length === 0 || times.some(Number.isNaN) ? [] : [{ name, times }];
  });
  return counted.length === 0 ? [] : [eventCounts(counted, span, style).join('\n')];
}

/** The activation codes of a single record as QR codes. */
function codes(value: Fields, layout: AnswerLayout): string[] {
  const { qr, style, width } = layout;
  const all = new Set(Object.values(activationsIn(withoutLists(value))));
  const found = [...all].filter((code) => code.length <= LONGEST_CODE).slice(0, MOST_CODES);
  const isHidden = found.length > 0 || withheldIn(withoutLists(value)).length > 0;
  if (qr === undefined)
    return isHidden ? [hintText('--qr shows the activation code of the eSIM as a QR code.', layout)] : [];
  return found.flatMap((code) => {
    // A camera expects black on white. Without colours, the background is assumed to be dark.
    const lines = qr(code, 'light');
    const columns = lines?.[0]?.length ?? 0;
    if (lines === undefined) return [];
    if (columns > width)
      return [
        wrap(
          `The QR code needs ${columns} columns, and this terminal has ${width}. Widen it, or use a smaller font.`,
          width,
        )
          .map(style.yellow)
          .join('\n'),
      ];
    return [`${style.bold('eSIM activation code')}\n${lines.map(style.onBlack).join('\n')}`];
  });
}

function hintText(text: string, layout: AnswerLayout): string {
  return wrapped(text, layout).split('\n').map(layout.style.dim).join('\n');
}

/** Removes lists with several rows, because a camera would read any one of several codes. */
function withoutLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 1 ? withoutLists(value[0]) : undefined;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutLists(member)]));
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, INDENT);
}

/** The members of `--fields`, at any depth, in the given order. `unknown` has the names that no record has. */
export function pick(value: Fields, names: readonly string[]): { value: Fields; unknown: string[] } {
  const missing = new Set(names);
  const picked = pickFrom(value, names, missing);
  return { value: isRecord(picked) ? picked : {}, unknown: [...missing] };
}

const bare = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

function pickFrom(value: unknown, names: readonly string[], missing: Set<string>): unknown {
  if (Array.isArray(value)) {
    const rows = value.map((row) => pickFrom(row, names, missing)).filter((row) => row !== undefined);
    return rows.length === 0 ? undefined : rows;
  }
  if (!isRecord(value)) return undefined;
  const entries = Object.entries(value);
  const found = names.flatMap((name) =>
    entries
      .filter(([key, member]) => bare(key) === bare(name) && !hasMember(member, name))
      .map((entry) => ({ name, entry })),
  );
  for (const { name } of found) missing.delete(name);
  const own = found.map(({ entry }) => entry);
  const inside = entries
    .filter(([key]) => !own.some(([name]) => name === key))
    .map(([key, member]): [string, unknown] => [key, pickFrom(member, names, missing)])
    .filter(([, member]) => member !== undefined);
  const kept = [...own, ...inside];
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}

/**
 * True if a record, or one in a list, has a member of this name at its own level. A lookup has a member `Number` inside
 * its part `Number`.
 */
function hasMember(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((row) => hasMember(row, name));
  return isRecord(value) && Object.keys(value).some((key) => bare(key) === bare(name));
}

/** The names of all members of an answer, for the hint about an unknown one. */
export function memberNames(value: unknown): string[] {
  const keys = partsOf(value).flatMap(({ key, around }) => (around && typeof key === 'string' ? [key] : []));
  return [...new Set(keys)];
}

/* Pictures of values: data usage as a bar, a port-in as steps, events as counts over time. */

const BAR = 20;
/** From this share on, a bar is yellow. A lookup uses the same share to report that data is nearly used up. */
const NEARLY = 0.9;

/** A share of 1 as a bar. */
function usageBar(share: number, style: Style): string {
  const filled = Math.round(Math.min(1, share) * BAR);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
  return share >= NEARLY ? style.yellow(bar) : style.green(bar);
}

const STEP_MARKS: Readonly<Record<StepState, { mark: string; paint: keyof Style }>> = {
  done: { mark: '✓', paint: 'green' },
  current: { mark: '●', paint: 'cyan' },
  rejected: { mark: '✕', paint: 'red' },
  ahead: { mark: '○', paint: 'dim' },
};

/** `✓ Submitted ─ ● Carrier approval ─ ○ Scheduled ─ ○ Completed`. */
function stepsLine(steps: readonly Step[], style: Style): string {
  return steps
    .map(({ label, state }) => style[STEP_MARKS[state].paint](`${STEP_MARKS[state].mark} ${label}`))
    .join(' ─ ');
}

const BUCKETS = 24;
const LEVELS = '▁▂▃▄▅▆▇█';

/**
 * One line for each list of events: its name, the distribution of its events over the span, and their number.
 *
 * @param lists the lists, each with the times of its events (epoch ms)
 * @param span the first and the last moment (epoch ms)
 */
function eventCounts(
  lists: readonly { name: string; times: readonly number[] }[],
  span: { from: number; until: number },
  style: Style,
): string[] {
  const width = Math.max(0, ...lists.map(({ name }) => name.length));
  return lists.map(
    ({ name, times }) => `${name.padEnd(width)}  ${style.cyan(sparkline(times, span))}  ${times.length}`,
  );
}

function sparkline(times: readonly number[], { from, until }: { from: number; until: number }): string {
  const counts = Array.from({ length: BUCKETS }, () => 0);
  for (const time of times) {
    const at = Math.floor(((time - from) / Math.max(1, until - from)) * BUCKETS);
    const bucket = Math.min(BUCKETS - 1, Math.max(0, at));
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  const most = Math.max(1, ...counts);
  return counts
    .map((count) => (count === 0 ? '·' : LEVELS.charAt(Math.ceil((count / most) * LEVELS.length) - 1)))
    .join('');
}
