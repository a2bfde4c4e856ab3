import stringWidth from 'string-width';
import type { Shown } from '../../language/show.ts';

const GAP = '  ';
const LEAST = 10;
/** A longer label moves only its own value. */
const MOST_LABEL = 40;

/** Columns side by side. If they do not fit into `width`, the widest ones are narrowed and their text is wrapped. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const widths = fitted(natural(columns, rows), width);
  return [columns, columns.map((_column, i) => '─'.repeat(widths[i] ?? 0)), ...rows]
    .flatMap((row) => line(row, widths))
    .join('\n');
}

/** Labels and values, one per line. Further lines of a value are aligned with its first. */
export function pairs(list: readonly (readonly [string, string])[]): string {
  const width = Math.min(MOST_LABEL, widest(list.map(([label]) => label)));
  return list
    .map(([label, value]) => `${pad(label, width)}${GAP}${value.split('\n').join(`\n${' '.repeat(width)}${GAP}`)}`)
    .join('\n');
}

/** An answer as text: its values, then its tables. A table that is too wide becomes one block per row, so that ids are not cut. */
export function page(shown: Shown, width: number): string {
  const parts: string[] = [];
  if (shown.pairs.length > 0) parts.push(pairs(shown.pairs));
  for (const { title, columns, rows } of shown.tables) {
    const flat = rows.map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')));
    const heading = `${title} (${rows.length})`;
    if (total(natural(columns, flat)) <= width) parts.push(`${heading}\n${table(columns, flat, width)}`);
    else parts.push([heading, ...flat.map((row) => block(columns, row))].join('\n\n'));
  }
  return parts.length === 0 ? 'Done.' : parts.join('\n\n');
}

function block(columns: readonly string[], row: readonly string[]): string {
  return pairs(
    columns.map((column, i): [string, string] => [column, row[i] ?? '']).filter(([, value]) => value !== ''),
  );
}

function natural(columns: readonly string[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((column, i) => Math.max(length(column), widest(rows.map((row) => row[i] ?? ''))));
}

/** Not `Math.max(...)`, because an answer may have more rows than a call can have arguments. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, length(text)), 0);
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * Math.max(0, widths.length - 1));
}

function fitted(wanted: readonly number[], width: number): number[] {
  const widths = [...wanted];
  while (total(widths) > width) {
    const widest = widths.indexOf(Math.max(...widths));
    const size = widths[widest] ?? 0;
    if (size <= LEAST) break;
    widths[widest] = size - 1;
  }
  return widths;
}

function line(row: readonly string[], widths: readonly number[]): string[] {
  const cells = widths.map((width, i) => wrap(row[i] ?? '', width));
  const height = Math.max(1, ...cells.map((cell) => cell.length));
  return Array.from({ length: height }, (_line, at) =>
    cells
      .map((cell, i) => pad(cell[at] ?? '', widths[i] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

/** Breaks at spaces; a word longer than the width is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(/\s+/)) {
    let rest = word;
    if (current !== '' && length(current) + 1 + length(rest) <= width) {
      current = `${current} ${rest}`;
      continue;
    }
    if (current !== '') lines.push(current);
    if (length(rest) > width) {
      const pieces = cutAt(rest, width);
      rest = pieces.pop() ?? '';
      lines.push(...pieces);
    }
    current = rest;
  }
  if (current !== '' || lines.length === 0) lines.push(current);
  return lines;
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - length(text)));
}

const graphemes = new Intl.Segmenter();

/** A word in pieces of at most `width` columns; a character wider than that is a piece of its own. */
function cutAt(word: string, width: number): string[] {
  const pieces: string[] = [];
  let piece = '';
  let taken = 0;
  for (const { segment } of graphemes.segment(word)) {
    const columns = length(segment);
    if (piece !== '' && taken + columns > width) {
      pieces.push(piece);
      piece = '';
      taken = 0;
    }
    piece += segment;
    taken += columns;
  }
  return [...pieces, piece];
}

const ASCII = /^[ -~]*$/;

/** How many columns a text takes on a terminal: two for a CJK character or an emoji, none for a combining mark. */
function length(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}
