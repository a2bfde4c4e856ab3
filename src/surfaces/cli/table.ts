import stringWidth from 'string-width';
import { dateFormat } from '../../lib/clock.ts';
import { type Style, styleOf } from '../../lib/log.ts';
import { oneLine } from '../../lib/values.ts';

/* Text for a terminal: wrapped lines, labelled values, and tables. No word is broken, so that it can be copied. */

const GAP = '  ';

type Rows = readonly (readonly string[])[];

const FIRST = /^(phone )?number$|status$|^state$|name$|^customer$/i;
const ID = /^[A-Z]{2,7}-/;
/** A column with longer texts counts as this wide when the columns that fit are chosen. */
const MOST = 24;

/**
 * A list as a table: what people look for first, and ids last. Columns of numbers and ids that repeat an earlier one are left
 * out, and those that do not fit are named below the table.
 *
 * @param layout.width columns of the terminal; Infinity if all columns are shown
 * @param layout.isWhole true to show every column
 */
export function listText(
  names: readonly string[],
  rows: Rows,
  { width, isWhole, style }: { width: number; isWhole: boolean; style: Style },
): string {
  const all = names.map((name, at) => ({ name, cells: rows.map((row) => oneLine(row[at] ?? '')) }));
  const repeats = (cells: readonly string[], earlier: readonly string[]) =>
    cells.every((cell, at) => cell === earlier[at] && (cell === '' || cell.startsWith('+') || ID.test(cell)));
  const [shown, left]: [typeof all, string[]] = [[], []];
  let taken = -GAP.length;
  const rank = ({ name, cells }: (typeof all)[number]) =>
    FIRST.test(name) ? 0 : cells.every((cell) => cell === '' || ID.test(cell)) ? 2 : 1;
  for (const { name, cells } of isWhole ? all : all.toSorted((a, b) => rank(a) - rank(b))) {
    const texts = [name, ...cells];
    const needed = Math.max(Math.min(widest(texts), MOST), longestWord(texts)) + GAP.length;
    if (!isWhole && shown.some((earlier) => repeats(cells, earlier.cells))) continue;
    if (isWhole || shown.length === 0 || taken + needed <= width) {
      shown.push({ name, cells });
      taken += needed;
    } else left.push(name);
  }
  const lines = rows.map((_row, at) => shown.map(({ cells }) => cells[at] ?? ''));
  const text = `Not shown: ${left.join(', ')}. --fields A,B chooses columns, --wide shows all.`;
  const note = left.length === 0 ? [] : wrap(text, width).map(style.dim);
  const columns = shown.map(({ name }) => name);
  return [table(columns, lines, width, style), ...note].join('\n');
}

/**
 * A list whose cells are wrapped at spaces and never cut, in the order of its columns. If it does not fit, it is one
 * record after another.
 */
export function wrappedList(names: readonly string[], rows: Rows, width: number): string {
  const least = total(names.map((name, at) => longestWord([name, ...rows.map((row) => row[at] ?? '')])));
  if (least <= width) return table(names, rows, width);
  const records = rows.map((row) =>
    names.flatMap((name, at): [string, string][] => (row[at] ? [[name, row[at]]] : [])),
  );
  return records.map((record) => pairs(record, width)).join('\n\n');
}

/**
 * Columns side by side. If they do not fit into `width`, the widest ones are narrowed, the first one last, and their text
 * is wrapped at its spaces.
 */
function table(columns: readonly string[], rows: Rows, width: number, style = styleOf(false)): string {
  const all = columns.map((name, at) => [name, ...rows.map((row) => row[at] ?? '')]);
  const widths = narrowed(all.map(widest), all.map(longestWord), width);
  const draw = (row: readonly string[], paint: (text: string) => string) => {
    const cells = widths.map((size, at) => wrap(row[at] ?? '', size));
    return Array.from({ length: Math.max(1, ...cells.map((lines) => lines.length)) }, (_line, at) => {
      const texts = cells.map((lines, i) => pad(lines[at] ?? '', widths[i] ?? 0));
      // Trailing spaces would be copied with the text.
      return paint(texts.join(GAP).trimEnd());
    });
  };
  const rule = widths.map((size) => '─'.repeat(size));
  return [
    ...draw(columns, style.bold),
    ...draw(rule, style.dim),
    ...rows.flatMap((row) => draw(row, (text) => text)),
  ].join('\n');
}

/** Column widths that fit, of at least `least` each. */
function narrowed(wanted: readonly number[], least: readonly number[], width: number): number[] {
  const widths = [...wanted];
  while (total(widths) > width) {
    const all = widths.flatMap((_size, at) => ((widths[at] ?? 0) - (least[at] ?? 0) > 0 ? [at] : []));
    const others = all.filter((at) => at > 0);
    const at = (others.length > 0 ? others : all).sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (at === undefined) break;
    widths[at] = (widths[at] ?? 0) - 1;
  }
  return widths;
}

/**
 * Labels and values, one per line. Further lines of a value are aligned with its first, and a value is wrapped at its
 * spaces if the terminal is narrower. A longer label shifts only its own value.
 *
 * @param isHelp true if labels of any length have room, and values with long words are wrapped too
 */
export function pairs(list: readonly (readonly [string, string])[], columns: number, isHelp = false): string {
  const labels = widest(list.map(([label]) => label));
  const width = isHelp ? labels : Math.min(labels, 40);
  const room = columns - width - GAP.length;
  const isWhole = (text: string) => !isHelp && longestWord([text]) > room;
  return list
    .map(([label, value]) => {
      const lines = value.split('\n').flatMap((text) => (isWhole(text) ? [text] : wrap(text, room)));
      return `${pad(label, width)}${GAP}${lines.join(`\n${' '.repeat(width)}${GAP}`)}`;
    })
    .join('\n');
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, GAP.length * Math.max(0, widths.length - 1));
}

/** Does not use `Math.max(...)`, because an answer may have more rows than a call can have arguments. */
function widest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, textWidth(text)), 0);
}

function longestWord(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, widest(text.split(/\s+/))), 0);
}

/** The lines of a text that is broken at its spaces. */
export function wrap(text: string, width: number): string[] {
  return prose(text.trim().replace(/\s+/g, ' '), width).split('\n');
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)));
}

const ASCII = /^[ -~]*$/;

/**
 * Wraps a text for a terminal at its spaces. Its line breaks and rows of spaces stay, and no word is cut.
 *
 * @param columns width of the terminal
 * @param hanging spaces before the further lines of a wrapped line, beyond the spaces it begins with
 */
export function prose(text: string, columns: number, hanging = 0): string {
  const wrapped = (line: string) => {
    if (textWidth(line) <= columns) return line;
    const indent = /^ */.exec(line)?.[0] ?? '';
    const [first = '', ...words] = line.slice(indent.length).split(' ');
    const lines = [indent + first];
    for (const word of words) {
      const longer = `${lines.at(-1)} ${word}`;
      if (textWidth(longer) <= columns) lines[lines.length - 1] = longer;
      else lines.push(indent + ' '.repeat(hanging) + word);
    }
    return lines.join('\n');
  };
  return text.split('\n').map(wrapped).join('\n');
}

/** Wraps like `prose` if the stream is a terminal. In a pipe, lines stay as they are. */
export function onTerminal(
  text: string,
  stream: { isTTY?: boolean | undefined; columns?: number | undefined },
  hanging = 0,
): string {
  return stream.isTTY === true ? prose(text, stream.columns || 80, hanging) : text;
}

/** Spaces before the further lines of a wrapped line, so that they look like no line of the question. */
const HANGING = 6;

/** A question for a narrow terminal. The rows of what will be sent are not wrapped, so that they are read exactly. */
export function fitted(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (/^[ >]/.test(line) ? line : prose(line, columns, HANGING)))
    .join('\n');
}

/** A longer text fits on no terminal, so its length is used as its width. Measuring takes more than linear time. */
const LONG = 1_000;

/** Number of columns that a text takes on a terminal: two for a CJK character or an emoji, none for a combining mark. */
function textWidth(text: string): number {
  return text.length > LONG || ASCII.test(text) ? text.length : stringWidth(text);
}

/** An instant as programs write it: with `Z` or an offset. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;

/** A time as a person at a terminal reads it: `2026-11-21 14:03 CET`. Their zone is that of the process. */
export function localTime(at: number): string {
  const format = dateFormat('en-US', {
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
    timeZoneName: 'short',
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  } as const);
  const { year, month, day, hour, minute, timeZoneName } = Object.fromEntries(
    format.formatToParts(at).map(({ type, value }) => [type, value]),
  );
  return `${year}-${month}-${day} ${hour}:${minute} ${timeZoneName}`;
}

/** The text in the person's zone if it is an instant, otherwise as it is. */
export function localTimeText(text: string): string {
  const at = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? text : localTime(at);
}
