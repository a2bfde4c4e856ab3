import type { Style } from '../../lib/style.ts';
import { cutTo, GAP, table, textWidth, wrap } from './table.ts';

/** Layout of a list. */
export interface ListLayout {
  /** Columns of the terminal; Infinity if nothing is cut. */
  width: number;
  /** Shows every column in the order of the answer, without cutting. */
  wide: boolean;
  /** True if the columns were chosen (`--fields`). All of them are shown, in that order. */
  chosen: boolean;
  style: Style;
}

interface Column {
  name: string;
  cells: readonly string[];
  /** Width without cutting. */
  width: number;
}

/** A column that is wider than this comes after the others. */
const SHORT = 20;
/** A column is not cut to less than this. */
const LEAST = 10;
/** A long column counts as at most this wide when the columns that fit are chosen. */
const MOST = 24;
/** Columns that a reader looks for first. They are shown first in any answer. */
const FIRST = [
  /^(phone )?number$|^at$/i,
  /^what$/i,
  /status$|^state$|^delivery$/i,
  /name$|^customer$|^cnam$/i,
  /^(body|why|found|error message)$/i,
];

/**
 * A list as a table that fits. Columns that repeat an earlier one are left out, short ones come first, and long ones
 * are cut with `…`. Columns that do not fit are named below the table.
 */
export function listText(names: readonly string[], rows: readonly (readonly string[])[], layout: ListLayout): string {
  const all = names.map(
    (name, at): Column =>
      columnOf(
        name,
        rows.map((row) => oneLine(row[at] ?? '')),
      ),
  );
  const { shown, left } = layout.wide || layout.chosen ? { shown: all, left: [] } : fitting(ordered(all), layout.width);
  const widths = layout.wide ? [] : narrowed(shown, layout.width);
  const inCell = (text: string, i: number) => (layout.wide ? text : cutTo(text, widths[i] ?? 0));
  const lines = rows.map((_row, at) => shown.map(({ cells }, i) => inCell(cells[at] ?? '', i)));
  const heads = shown.map(({ name }, i) => inCell(name, i));
  const { style } = layout;
  const text = table(heads, lines, Number.POSITIVE_INFINITY, {
    head: style.bold,
    rule: style.dim,
    cell: (cell, column) => (/status$|^state$/i.test(shown[column]?.name ?? '') ? statusText(cell, style) : cell),
  });
  if (left.length === 0) return text;
  const note = `Not shown: ${left.map(({ name }) => name).join(', ')}. --fields A,B chooses columns, --wide shows all.`;
  return [text, ...wrap(note, layout.width).map(style.dim)].join('\n');
}

/** A status in the colour of its meaning. Only failures are red. */
export function statusText(text: string, style: Style): string {
  if (/^(failed|rejected|undelivered|error|invalid)\b/i.test(text)) return style.red(text);
  if (/^(active|completed?|done|delivered|sent|success(ful)?|enabled)$/i.test(text)) return style.green(text);
  return /^(cancell?ed|parked|suspended|unknown|partly|pending|expired)\b/i.test(text) ? style.yellow(text) : text;
}

function columnOf(name: string, cells: readonly string[]): Column {
  const width = cells.reduce((most, cell) => Math.max(most, textWidth(cell)), textWidth(name));
  return { name, cells, width };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** Orders the columns: `FIRST`, then short ones, then long ones. Columns that repeat an earlier one are left out. */
function ordered(columns: readonly Column[]): Column[] {
  const fresh = columns.filter(
    (column, at) => !columns.slice(0, at).some((earlier) => repeats(column.cells, earlier.cells)),
  );
  const rank = ({ name, width }: Column) => {
    const wanted = FIRST.findIndex((pattern) => pattern.test(name));
    if (wanted >= 0) return wanted;
    return width <= SHORT ? FIRST.length : FIRST.length + 1;
  };
  return fresh.sort((a, b) => rank(a) - rank(b));
}

/**
 * True if a column repeats an earlier one. Only equal numbers and ids count as repetitions, not words such as "yes".
 */
function repeats(cells: readonly string[], earlier: readonly string[]): boolean {
  return cells.every((cell, at) => cell === earlier[at] && (cell === '' || /^\+\d|^[A-Z]{2,7}-/.test(cell)));
}

/** Divides the columns into those whose least width fits and the others. */
function fitting(columns: readonly Column[], width: number): { shown: Column[]; left: Column[] } {
  const shown: Column[] = [];
  const left: Column[] = [];
  let taken = 0;
  for (const column of columns) {
    const needed = Math.min(column.width, MOST) + (shown.length === 0 ? 0 : GAP.length);
    if (shown.length === 0 || taken + needed <= width) {
      shown.push(column);
      taken += needed;
    } else left.push(column);
  }
  return { shown, left };
}

/** Widths that fit. The widest columns are narrowed first. */
function narrowed(columns: readonly Column[], width: number): number[] {
  const widths = columns.map((column) => column.width);
  const gaps = GAP.length * Math.max(0, columns.length - 1);
  let total = widths.reduce((sum, one) => sum + one, gaps);
  while (total > width) {
    const widest = widths.indexOf(Math.max(...widths));
    const now = widths[widest] ?? 0;
    if (now <= LEAST) break;
    widths[widest] = now - 1;
    total -= 1;
  }
  return widths;
}
