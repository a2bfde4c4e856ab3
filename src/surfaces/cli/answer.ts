import {
  type Card,
  type Fact,
  headlineOf,
  type Open,
  type Part,
  type Piece,
  plainOf,
  type Row,
  type Text,
} from '../../cards/card.ts';
import { factsIn, isLine, lineCard } from '../../cards/line.ts';
import { labelOf } from '../../catalogue/input.ts';
import { clean, rowsOf } from '../../language/show.ts';
import type { Style } from '../../lib/log.ts';
import { type Fields, isRecord, jsonText } from '../../lib/values.ts';
import { activationsOf, withheldIn } from '../../platform/dialect/redact.ts';
import { orderState, portInProgress, type StepState } from '../../platform/dialect/verdict.ts';
import { listText, localTimeText, pairs, prose } from './table.ts';

/** Layout of an answer for a reader. */
interface AnswerLayout {
  /** Columns of the terminal; Infinity if every column is shown. */
  width: number;
  /** The members to show; undefined for all. */
  fields: readonly string[] | undefined;
  style: Style;
  /** Draws activation codes as QR codes (`qrLines`, loaded when it is used). Undefined draws none. */
  qr: typeof import('../../lib/qr.ts').qrLines | undefined;
  /** True for the answer of a port-in. */
  isPortIn: boolean;
}

const INDENT = '  ';
const ID = /^[A-Z]{2,7}-\S+$/;
/** The card of an answer that has one: a line, a digest, a diagnosis. */
export async function cardOf(value: Fields): Promise<Card | undefined> {
  if (isLine(value)) return lineCard({ value });
  // A lookup starts without the other cards.
  if ('Since' in value) return (await import('../../cards/list.ts')).digestCard(value, 'What happened since');
  if ('Findings' in value) return (await import('../../cards/list.ts')).diagnosisCard(value, () => undefined);
  return undefined;
}

/** An answer as text for a reader: its card, or its values, then the records in it under their names, then its lists. */
export function answerText(value: Fields, layout: AnswerLayout, card?: Card): string {
  const { Summary, ...rest } = value;
  if (value.Found === 0 && typeof value.Message === 'string') return prose(clean(value.Message), layout.width);
  const summary = typeof Summary === 'string' ? [prose(clean(Summary), layout.width)] : [];
  const record = summary.length > 0 ? rest : value;
  const parts = card ? cardText(card, layout) : [...summary, ...recordText(record, layout)];
  const shown = [...parts, ...codes(value, layout)].filter((text) => text !== '');
  return shown.length === 0 ? 'Done.' : shown.join('\n\n');
}

/** The parts of a card, each of which is a paragraph. */
function cardText(card: Card, layout: AnswerLayout): string[] {
  const head = [headlineOf(card), textOf(card.about ?? '')].filter((text) => text !== '').join(' ');
  return [
    prose(clean(head), layout.width).split('\n').map(layout.style.bold).join('\n'),
    ...card.parts.flatMap((part) => (part.kind === 'actions' ? openText(card.open) : partText(part, layout))),
  ];
}

function partText(part: Part, layout: AnswerLayout): string[] {
  const { bold } = layout.style;
  switch (part.kind) {
    case 'facts': {
      // All values are shown, so those that repeat others say nothing.
      if (part.repeats) return [];
      // The values of a record as people ask for them: its state, then the others, and ids last.
      const placeOf = ({ label, value }: Fact) => (label === 'Status' ? 0 : ID.test(plainOf(value)) ? 2 : 1);
      const rows = [...part.rows].sort((a, b) => placeOf(a) - placeOf(b));
      return sectionText(part.title ?? part.folded, [valuesText(rows, inside(layout))], layout);
    }
    case 'table':
      return [listPart(part, layout)];
    case 'note': {
      const title = part.title === undefined ? [] : [bold(part.title)];
      return [...title, part.lines.map((line) => prose(textOf(line), layout.width)).join('\n')];
    }
    case 'rows': {
      // Those whose order matters are numbered, and each has the command that puts it right.
      const { title, count = part.rows.length, rows } = part;
      if (part.numbered) return rows.map((row, at) => numberedText(row, at + 1, layout));
      const head = title === undefined ? [] : [bold(`${title} ${count}`)];
      const left = count > rows.length ? [`… ${count - rows.length} more: --wide`] : [];
      return [[...head, ...rows.map(({ says }) => hanging('', textOf(says), layout)), ...left].join('\n')];
    }
    case 'small':
      return [prose(clean(part.text), layout.width)];
    // No card of a terminal has another one.
    default:
      return [];
  }
}

function numberedText({ says, beside, said, open }: Row, place: number, layout: AnswerLayout): string {
  const lines = [...(beside === undefined ? [] : [beside]), ...(said === undefined ? [] : [`Carrier: ${said}`])];
  return [
    hanging(`${place}. `, textOf(says), layout),
    ...lines.map(clean).map((line) => `   ${line}`),
    ...openText(open).map((one) => indented(one, '   ')),
  ].join('\n');
}

/** A text whose further lines are indented behind its lead. */
function hanging(lead: string, text: string, { width }: AnswerLayout): string {
  const margin = ' '.repeat(lead.length || INDENT.length);
  return lead + prose(text, Math.max(20, width - margin.length)).replaceAll('\n', `\n${margin}`);
}

/** A fix in words, and the command for it. */
function openText(open: Open | undefined): string[] {
  if (open === undefined) return [];
  return [[...(open.does === '' ? [] : [`Fix: ${clean(open.does)}`]), fixCommand(open)].join('\n')];
}

/** The parts of a record: its values, then each record in it under its name, then its lists. */
function recordText(record: Fields, layout: AnswerLayout): string[] {
  const { isPortIn } = layout;
  const isOrder = isPortIn || /port.?in/i.test(String(record.OrderType)) || 'PortInNumber' in record;
  const steps = isOrder ? portInProgress(orderState(record)) : [];
  const entries = Object.entries(record);
  const own = Object.fromEntries(entries.filter(([, value]) => !isRecord(value)));
  const nested = entries.flatMap(([name, value]) => {
    const inner = { ...inside(layout), isPortIn: name === 'PortIn' };
    return isRecord(value) ? sectionText(labelOf(clean(name)), recordText(value, inner), layout) : [];
  });
  const lists = rowsOf(own).tables.map((list) => listPart(list, layout));
  return [steps.length === 0 ? '' : textOf([{ steps }]), valuesText(factsIn(own, {}), layout), ...nested, ...lists];
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

/** Labels and values. The platform repeats a number or an id under several names, so each appears once. */
function valuesText(facts: readonly { label: string; value: Text }[], { width, fields }: AnswerLayout): string {
  const seen = new Set<string>();
  const rows = facts.flatMap(({ label, value }): [string, string][] => {
    const text = typeof value === 'string' ? localTimeText(value) : textOf(value);
    if (fields === undefined && (ID.test(text) || /^\+\d{7,}$/.test(text)) && seen.has(text)) return [];
    seen.add(text);
    return [[label, text]];
  });
  return rows.length === 0 ? '' : pairs(rows, width);
}

/** A text of a card with times in the reader's zone. */
function textOf(text: Text): string {
  return clean(typeof text === 'string' ? text : text.map(pieceText).join(''));
}

const MARKS: Readonly<Record<StepState, string>> = { done: '✓', current: '●', rejected: '✕', ahead: '○' };

function pieceText(piece: Piece): string {
  if (typeof piece === 'string') return piece;
  if ('value' in piece) return localTimeText(piece.value);
  if ('bar' in piece) return `${piece.of} (${Math.round(piece.bar * 100)} %)`;
  if ('steps' in piece) return piece.steps.map(({ label, state }) => `${MARKS[state]} ${label}`).join(' ─ ');
  // The ids of Slack say nothing at a terminal.
  if ('person' in piece && piece.person.startsWith('slack:')) return `${piece.name ?? 'a person'} in Slack`;
  // A user of this computer is known by their name.
  const local = 'person' in piece ? /^local:(.+)$/.exec(piece.person)?.[1] : undefined;
  return local !== undefined && 'person' in piece && (piece.name ?? local) === local ? local : plainOf([piece]);
}

function listPart(
  { title, columns, rows: given }: { title: string; columns: readonly string[]; rows: readonly (readonly string[])[] },
  layout: AnswerLayout,
): string {
  const { style, width, fields } = layout;
  const isWhole = width === Number.POSITIVE_INFINITY || fields !== undefined;
  const rows = given.map((row) => row.map(localTimeText));
  const heading = style.bold(`${title} (${rows.length})`);
  const [only] = rows;
  if (rows.length === 1 && only && columns.length > 1 && !isWhole) {
    const facts = columns.flatMap((label, at) => (only[at] ? [{ label, value: only[at] }] : []));
    return `${heading}\n${indented(valuesText(facts, inside(layout)))}`;
  }
  return `${heading}\n${listText(columns, rows, { width, isWhole, style })}`;
}

/** The activation codes of one line as QR codes. */
function codes(value: Fields, { qr, style, width }: AnswerLayout): string[] {
  const found = activationsOf(value);
  // A camera would read any one of several codes.
  if (new Set([...found, ...withheldIn(value)].map(({ phone }) => phone)).size !== 1) return [];
  if (qr === undefined) return [prose('--qr shows the activation code of the eSIM as a QR code.', width)];
  return found.flatMap(({ code }) => {
    // A camera expects black on white. Without colours, the background is assumed to be dark.
    const lines = qr(code, 'light') ?? [];
    const columns = lines[0]?.length ?? 0;
    if (columns === 0) return [];
    const tooNarrow = `The QR code needs ${columns} columns, and this terminal has ${width}. Widen it, or use a smaller font.`;
    const picture = `${style.bold('eSIM activation code')}\n${lines.map(style.onBlack).join('\n')}`;
    return [columns > width ? prose(tooNarrow, width) : picture];
  });
}

function indented(text: string, indent = INDENT): string {
  return text.replace(/^(?=.)/gm, indent);
}

/** The command to copy. Values that a person must choose are left as `Field=…`. */
export function fixCommand({ operation, input, needs }: Pick<Open, 'operation' | 'input' | 'needs'>): string {
  const given = Object.entries(input).flatMap(([name, value]) => written(name, value));
  const needed = needs.map((name) => `${name}=…`);
  return ['switchboard call', operation, ...[...given, ...needed].map(shellWord)].map(clean).join(' ');
}

/** A field as the terminal takes it, without JSON where it can be: `PhoneNumbers=+1…,+1…`, `Address.City=…`. */
function written(name: string, value: unknown): string[] {
  if (Array.isArray(value) && value.length > 0) {
    const pieces = value.map((row: unknown) => {
      const members = isRecord(row) ? Object.values(row) : [row];
      return members.length === 1 && typeof members[0] === 'string' ? members[0] : ',';
    });
    if (pieces.every((piece) => !piece.includes(','))) return [`${name}=${pieces.join(',')}`];
  }
  if (isRecord(value)) return Object.entries(value).flatMap(([member, one]) => written(`${name}.${member}`, one));
  return [`${name}=${typeof value === 'string' ? value : jsonText(value)}`];
}

/** A word as a POSIX shell takes it. */
function shellWord(text: string): string {
  return /^[\w+=.,:/@%…-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A name without case and signs, by which `--fields` chooses members. */
export const bareName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '');

/**
 * The members of `--fields`, at any depth, in the given order; undefined if there are none. Takes the names that it finds
 * from `missing`.
 */
export function pick(value: unknown, names: readonly string[], missing: Set<string>): unknown {
  if (Array.isArray(value)) {
    const rows = value.map((row) => pick(row, names, missing)).filter((row) => row !== undefined);
    return rows.length === 0 ? undefined : rows;
  }
  if (!isRecord(value)) return undefined;
  const own = new Map<string, unknown>();
  for (const name of names)
    for (const [key, member] of Object.entries(value))
      if (bareName(key) === bareName(name) && !hasMember(member, name)) {
        own.set(key, member);
        missing.delete(name);
      }
  for (const [key, member] of Object.entries(value)) {
    const picked = own.has(key) ? undefined : pick(member, names, missing);
    if (picked !== undefined) own.set(key, picked);
  }
  return own.size === 0 ? undefined : Object.fromEntries(own);
}

/** True if a record, or one in a list, has this member itself: a lookup has a member `Number` inside its part `Number`. */
function hasMember(value: unknown, name: string): boolean {
  if (Array.isArray(value)) return value.some((row) => hasMember(row, name));
  return isRecord(value) && Object.keys(value).some((key) => bareName(key) === bareName(name));
}
