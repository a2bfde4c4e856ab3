import { createInterface } from 'node:readline';
import { setImmediate as otherWork, setTimeout as sleep } from 'node:timers/promises';
import { SwitchboardError } from '../../lib/errors.ts';
import { type Style, styleOf } from '../../lib/style.ts';
import { oneLine } from '../../lib/text.ts';
import { cutTo, GAP, leastWidth, pairs, table, textWidth, wrap } from './table.ts';

/** Layout of a list. */
export interface ListLayout {
  /** Columns of the terminal; Infinity if nothing is cut. */
  width: number;
  /** Shows every column in the order of the answer, without cutting. */
  wide: boolean;
  /** True if the columns were chosen (`--fields`). All of them are shown, in that order. */
  chosen: boolean;
  /** Words of the query. Columns that it names come right after the first one. */
  named?: readonly string[] | undefined;
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
/** A terminal narrower than this has room for few columns, so a table that does not fit becomes records. */
export const NARROW = 60;
/** The columns of a record are those that a terminal of this width shows in a table. */
const USUAL = 80;
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
 * are cut with `…`. Columns that do not fit are named below the table. On a narrow terminal, a list that would be cut
 * is one record after another.
 */
export function listText(names: readonly string[], rows: readonly (readonly string[])[], layout: ListLayout): string {
  const all = names.map(
    (name, at): Column =>
      columnOf(
        name,
        rows.map((row) => oneLine(row[at] ?? '')),
      ),
  );
  if (!layout.wide && layout.width < NARROW) {
    const parts = layout.chosen ? { shown: all, left: [] } : fitting(ordered(all, layout.named), USUAL);
    if (parts.left.length > 0 || tableWidth(parts.shown) > layout.width) return recordsText(parts, rows.length, layout);
  }
  const { shown, left } =
    layout.wide || layout.chosen ? { shown: all, left: [] } : fitting(ordered(all, layout.named), layout.width);
  const widths = layout.wide ? [] : narrowed(shown, layout.width);
  const inCell = (text: string, i: number) => (layout.wide ? text : cutTo(text, widths[i] ?? 0));
  const lines = rows.map((_row, at) => shown.map(({ cells }, i) => inCell(cells[at] ?? '', i)));
  const heads = shown.map(({ name }, i) => inCell(name, i));
  const { style } = layout;
  const inColour = (text: string, column: number) => valueText(shown[column]?.name ?? '', text, style);
  const text = table(heads, lines, Number.POSITIVE_INFINITY, {
    head: style.bold,
    rule: style.dim,
    cell: inColour,
  });
  return [text, ...notShown(left, layout)].join('\n');
}

/**
 * A list whose cells are wrapped at spaces and never cut, in the order of its columns. If it does not fit, or only just on
 * a narrow terminal, it is one record after another.
 */
export function wrappedList(names: readonly string[], rows: readonly (readonly string[])[], width: number): string {
  const shown = columnsOf(names, rows);
  if (tableWidth(shown) <= width || (width >= NARROW && leastWidth(names, rows) <= width))
    return table(names, rows, width, { wholeFirst: true });
  const layout = { width, wide: false, chosen: true, style: styleOf(false) };
  return recordsText({ shown, left: [] }, rows.length, layout);
}

function columnsOf(names: readonly string[], rows: readonly (readonly string[])[]): Column[] {
  return names.map((name, at) =>
    columnOf(
      name,
      rows.map((row) => row[at] ?? ''),
    ),
  );
}

/** Each row as lines of column and value, without the empty ones. */
function recordsText({ shown, left }: Division, rows: number, layout: ListLayout): string {
  const { style, width } = layout;
  const records = Array.from({ length: rows }, (_row, at) => {
    const values = shown.flatMap(({ name, cells }): [string, string][] => {
      const text = cells[at] ?? '';
      return text === '' ? [] : [[name, valueText(name, text, style)]];
    });
    return pairs(values, width);
  });
  return [records.join('\n\n'), ...notShown(left, layout)].join('\n');
}

/** The note that names the columns left out. */
function notShown(left: readonly Column[], { width, style }: ListLayout): string[] {
  if (left.length === 0) return [];
  const names = left.map(({ name }) => name).join(', ');
  return wrap(`Not shown: ${names}. --fields A,B chooses columns, --wide shows all.`, width).map(style.dim);
}

function valueText(name: string, text: string, style: Style): string {
  return /status$|^state$/i.test(name) ? statusText(text, style) : text;
}

function tableWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, { width }) => sum + width, GAP.length * Math.max(0, columns.length - 1));
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

/** Orders the columns: `FIRST` with those of the query, then short ones, then long ones. Columns that repeat an earlier one are left out. */
function ordered(columns: readonly Column[], named: readonly string[] = []): Column[] {
  const fresh = columns.filter(
    (column, at) => !columns.slice(0, at).some((earlier) => repeats(column.cells, earlier.cells)),
  );
  const rank = ({ name, width }: Column) => {
    const wanted = FIRST.findIndex((pattern) => pattern.test(name));
    const [word = ''] = name.toLowerCase().split(' ');
    if (wanted !== 0 && named.includes(word)) return 0.5;
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

interface Division {
  shown: Column[];
  left: Column[];
}

/** Divides the columns into those whose least width fits and the others. */
function fitting(columns: readonly Column[], width: number): Division {
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
  let total = tableWidth(columns);
  while (total > width) {
    const widest = widths.indexOf(Math.max(...widths));
    const now = widths[widest] ?? 0;
    if (now <= LEAST) break;
    widths[widest] = now - 1;
    total -= 1;
  }
  return widths;
}

/** `gone`: the input ended (Ctrl+D), the person pressed Ctrl+C, or the question was withdrawn. */
type PersonAnswer = 'yes' | 'no' | 'gone';

interface TerminalStreams {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean | undefined; setRawMode?: (isRaw: boolean) => unknown };
  stderr: NodeJS.WritableStream;
}

/**
 * True with `yes`, or if the person at the terminal answers y or yes. Otherwise says that nothing was done.
 *
 * @throws SwitchboardError `not_confirmed` where there is no person to ask
 */
export async function agreed(question: string, yes: boolean, io: TerminalStreams): Promise<boolean> {
  if (yes) return true;
  if (io.stdin.isTTY !== true)
    throw new SwitchboardError({
      code: 'not_confirmed',
      message: 'Nothing was done: run it on a terminal, or add --yes.',
      effect: 'stated',
      outcome: 'not_done',
    });
  if ((await askPerson(`${question} [y/N] `, io)) === 'yes') return true;
  io.stderr.write('Nothing was done.\n');
  return false;
}

/**
 * Asks the person at the terminal until another person decides elsewhere, which withdraws the question.
 *
 * @param decided resolves when another person has decided; `signal` ends its wait
 * @returns the person's answer, or `decided`
 */
export async function askUntil(
  question: string,
  io: TerminalStreams,
  signal: AbortSignal,
  decided: (signal: AbortSignal) => Promise<unknown>,
): Promise<PersonAnswer | 'decided'> {
  const ended = new AbortController();
  const both = AbortSignal.any([signal, ended.signal]);
  const answered = askPerson(question, io, both);
  try {
    return await Promise.race([answered, decided(both).then(() => (both.aborted ? answered : 'decided'))]);
  } finally {
    ended.abort();
  }
}

/** Time in which the terminal gives out what was typed before a question. */
const TYPED_BEFORE_MS = 50;

/** Asks the person at the terminal. `yes` for y or yes, `no` for another answer. */
export async function askPerson(question: string, io: TerminalStreams, signal?: AbortSignal): Promise<PersonAnswer> {
  if (await isEndedBefore(io.stdin, signal)) {
    io.stderr.write('\n');
    return 'gone';
  }
  return new Promise((resolve) => {
    const prompt = createInterface({ input: io.stdin, output: io.stderr, terminal: true, historySize: 0 });
    let answered = false;
    const end = (answer: PersonAnswer) => {
      if (answered) return;
      answered = true;
      signal?.removeEventListener('abort', gone);
      resolve(answer);
      prompt.close();
    };
    /** Enter was not pressed, so the next output needs a new line. */
    const gone = () => {
      if (!answered) io.stderr.write('\n');
      end('gone');
    };
    signal?.addEventListener('abort', gone, { once: true });
    // The mode of a terminal that was closed cannot be set back.
    prompt.on('error', gone);
    prompt.on('SIGINT', gone);
    prompt.on('close', gone);
    prompt.question(question, (answer) => end(/^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no'));
  });
}

/**
 * Drops what was typed before the question, because it is no answer to a question that was not shown yet. True if the person
 * pressed Ctrl-C, the input has ended, or the signal has aborted.
 */
async function isEndedBefore(stdin: TerminalStreams['stdin'], signal: AbortSignal | undefined): Promise<boolean> {
  let isEnded = false;
  const drop = (typed: Buffer | string) => {
    isEnded ||= String(typed).includes('\u0003');
  };
  const end = () => {
    isEnded = true;
  };
  stdin.on('data', drop).on('end', end).on('error', end).resume();
  // A line without its end is given out in this mode only.
  stdin.setRawMode?.(true);
  // The input is looked at after the timer, too, also in a process that was busy until then.
  await sleep(TYPED_BEFORE_MS);
  await otherWork();
  stdin.setRawMode?.(false);
  stdin.pause();
  stdin.off('data', drop).off('end', end).off('error', end);
  return isEnded || signal?.aborted === true;
}
