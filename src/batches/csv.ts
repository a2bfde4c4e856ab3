import { capital, type Fields, isRecord, plainText, textsIn, type Words } from '../lib/values.ts';
import { type BatchRow, type BatchState, EFFECTS, outcomeText } from './states.ts';

/* Reads lists from files: text files in the encodings of spreadsheets, and comma-separated values. */

const AS_CSV = 'Save it as CSV (UTF-8), and give that file.';

/**
 * The text of a file in UTF-8 or UTF-16, each with a byte order mark or without one, or the reason why it has none, after
 * the name of the file.
 */
export function readListFile(bytes: Uint8Array): { text: string } | { problem: string } {
  const start = String.fromCharCode(...bytes.subarray(0, 5));
  if (start.startsWith('PK\u0003\u0004')) return { problem: `is a workbook or another ZIP file. ${AS_CSV}` };
  if (['%PDF-', '{\\rtf'].includes(start)) return { problem: `is a PDF file or a document. ${AS_CSV}` };
  const encoding = encodingOf(bytes);
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (text.includes('\u0000')) return { problem: `is no text. ${AS_CSV}` };
    if (/^\s*<(?:!doctype|html|table|\?xml)/i.test(text)) return { problem: `is a web page or XML. ${AS_CSV}` };
    return { text };
  } catch {
    return { problem: `is no text in UTF-8 or UTF-16. ${AS_CSV}` };
  }
}

/** The encoding by the byte order mark; without one, by the zero bytes that ASCII has in UTF-16. */
function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 2_000);
  const [even = 0, odd = 0] = [0, 1].map((from) => sample.filter((byte, at) => byte === 0 && at % 2 === from).length);
  if (odd * 4 > sample.length && even === 0) return 'utf-16le';
  return even * 4 > sample.length && odd === 0 ? 'utf-16be' : 'utf-8';
}

/*
 * `csv-parse` 7.0 was tried and not taken. It numbers a row by its last line and a quote that is not closed by the last
 * line of the text, it refuses `"a"b`, and it takes three times as long: 1.2 s instead of 0.4 s for 20,000 rows. Finding
 * those lines again needs more code than it saves. `csv-stringify` 6.9 would replace one line here, because the guard
 * against formulas is stricter than its own.
 */

/** The cells of one line. `line`: its number in the text, from 1; a quoted cell may continue on further lines. */
export interface CsvLine {
  line: number;
  cells: string[];
}

const DELIMITERS = [',', ';', '\t'] as const;

/** Thrown for a text with a quote that is not closed. `line` is the line of that quote. */
export class UnclosedQuote extends Error {
  override readonly name = 'UnclosedQuote';
  readonly line: number;

  constructor(line: number) {
    super(`the quote on line ${line} is not closed`);
    this.line = line;
  }
}

/** The first line by which Excel learns the delimiter: `sep=;`. */
const SEPARATOR = /^"?sep=([^\n"])"?[ \t]*(?:\n|$)/i;

/**
 * Reads a text with commas, semicolons or tabs, or with the delimiter that its first line names, with quotes, a byte
 * order mark, and the line ends of any system. Empty lines are left out. Throws `UnclosedQuote`.
 */
export function readCsv(text: string): CsvLine[] {
  const whole = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const [named = '', separator] = SEPARATOR.exec(whole) ?? [];
  const plain = whole.slice(named.length);
  // The delimiter that the first line has most of, outside quotes.
  const heading = (plain.split('\n').find((one) => one.trim() !== '') ?? '').replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((one) => heading.split(one).length - 1);
  const delimiter = separator ?? DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  const first = named === '' ? 1 : 2;
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let [cell, isQuoted] = ['', false];
  let [line, startedAt, quotedAt] = [first, first, first];
  const endLine = () => {
    cells.push(cell.trim());
    if (cells.some((one) => one !== '')) lines.push({ line: startedAt, cells });
    [cells, cell, startedAt] = [[], '', line + 1];
  };
  for (let at = 0; at < plain.length; at += 1) {
    const char = plain[at] ?? '';
    if (isQuoted && char === '"' && plain[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (char === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted;
      if (isQuoted) [cell, quotedAt] = ['', line];
    } else if (isQuoted) cell += char;
    else if (char === delimiter) {
      cells.push(cell.trim());
      cell = '';
    } else if (char === '\n') endLine();
    else cell += char;
    if (char === '\n') line += 1;
  }
  if (isQuoted) throw new UnclosedQuote(quotedAt);
  endLine();
  return lines;
}

/** Lines of cells as CSV with a heading. Cells that a spreadsheet would run as a formula are made plain text. */
export function writeCsv(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, ...rows].map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
}

const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** A phone number or a number, which begins like a formula and is none. */
const NUMBER = /^[+-]?[\d.]+$/;
/** Spreadsheets take some wide, small and raised forms of these characters for the plain ones, and tabs for nothing. */
const FORMULA = /^(?:[\t\r]|\s*[=+\-@|%\u2212])/;

function cellOf(value: string): string {
  const plain = value.replace(CONTROL, ' ');
  const isFormula = FORMULA.test(value) || FORMULA.test(plain.normalize('NFKC'));
  const safe = isFormula && !NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",;'\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A phone number as people write it: "+1 (212) 555-5000", "+12125555000 x5". */
const PHONE = /^\+[\d\s().\-‐‑–/]+(?:(?:x|ext\.?|extension)\s*\d+)?$/i;

/** The text of a cell that spreadsheets write as a formula so that digits stay text: `="0123"`. */
export function plainCell(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;
}

/** True for a cell that a spreadsheet would run as a formula. */
export function isFormula(cell: string): boolean {
  if (PHONE.test(cell)) return false;
  return /^[=@|]/.test(cell) || (/^[+-]/.test(cell) && /[A-Za-z(!]/.test(cell));
}

/** Members of an answer that name what was ordered or made. */
const WORK = /^(?:\w*OrderId|MessageId|TransactionLogId|SubscriptionId|FilterId|Tnid)$/;
/** Members that are ids of the platform. */
const ID = /(?:Id|ID)$/;

/** The platform's ids of what a row made or ordered. A new record of another kind is named by its ids. */
function platformIds({ said, result }: BatchRow): string {
  const own = new Set(textsIn(said).map(({ value }) => value));
  const ids = Object.entries(result ?? {}).flatMap(([name, value]) =>
    typeof value === 'string' && value !== '' && !own.has(value) ? [{ name, value }] : [],
  );
  const work = ids.filter(({ name }) => WORK.test(name));
  const shown = work.length > 0 ? work : ids.filter(({ name }) => ID.test(name) && name !== 'AccountId');
  return [...new Set(shown.map(({ value }) => value))].join(' ');
}

const MAX_CELL = 2_000;

/** A column with its title and the value that a row has in it. */
type Column = [title: string, value: (row: BatchRow) => unknown];

const ROW_COLUMNS: readonly Column[] = [
  ['Row', ({ n }) => n],
  ['Line', ({ line }) => line],
  ['Target', ({ target }) => target],
];

function tableOf(rows: readonly BatchRow[], columns: readonly Column[]): string {
  return writeCsv(
    columns.map(([title]) => title),
    rows.map((row) => columns.map(([, value]) => textOf(value(row)))),
  );
}

/** Writes the rows of a plan as CSV. */
export function planCsv(rows: readonly BatchRow[]): string {
  const states: Partial<Record<BatchRow['outcome'], string>> = { left_out: 'left out', planning: 'not read yet' };
  return tableOf(rows, [
    ...ROW_COLUMNS,
    ...namesIn(rows.map(({ said }) => said)).map(
      (name): Column => [name, ({ said }) => (said[name] === null ? 'null' : said[name])],
    ),
    ...EFFECTS.filter((name) => rows.some(({ effects }) => effects[name] !== undefined)).map(
      (name): Column => [capital(name), ({ effects }) => effects[name]],
    ),
    ['Plan', ({ outcome }) => states[outcome] ?? 'ready'],
    ['Reason', (row) => (row.outcome === 'left_out' ? reasonOf(row) : '')],
  ]);
}

/** The rows of a run as CSV: outcome, reason, the platform's ids, and time (ISO 8601). */
export function resultsCsv(rows: readonly BatchRow[], state: BatchState, isRead: boolean): string {
  const members = ({ result }: BatchRow) => (isRead ? plainMembers(result) : {});
  return tableOf(rows, [
    ...ROW_COLUMNS,
    ['Outcome', (row) => outcomeText(row, state)],
    ['Reason', reasonOf],
    ['PlatformIds', (row) => (isRead ? '' : platformIds(row))],
    ['Action', ({ action }) => action],
    ['Time', ({ at }) => at && new Date(at).toISOString()],
    ...namesIn(rows.map(members)).map((name): Column => [name, (row) => members(row)[name]]),
  ]);
}

/** The reason why a row was left out or not done, without the name of its field; empty if there is none. */
export function reasonOf({ failure }: Pick<BatchRow, 'failure'>): string {
  return failure === undefined ? '' : withoutField(failure.message);
}

/** The sentence of a message that begins with the name of a field. */
export function withoutField(message: Words): string {
  const text = plainText(message);
  const [field = '', path = ''] = /^([A-Z]\w*(?:\.\d+(?:\.\w+)?)?): /.exec(text) ?? [];
  const bare = text.slice(field.length);
  // Such a sentence says nothing without the field, its subject.
  if (/^(?:is|must|has) /.test(bare)) return `${path.split('.').at(-1)} ${bare}`;
  return capital(bare);
}

/** The members of an answer that fit into one cell each; those of a record in it by path ("Number.Status"). */
export function plainMembers(value: Fields = {}, under = ''): Fields {
  const cells: Fields = {};
  for (const [name, member] of Object.entries(value)) {
    if (['string', 'number', 'boolean'].includes(typeof member)) cells[under + name] = member;
    else if (isRecord(member) && under === '') Object.assign(cells, plainMembers(member, `${name}.`));
  }
  return cells;
}

function namesIn(records: readonly Fields[]): string[] {
  return [...new Set(records.flatMap((record) => Object.keys(record)))];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return (typeof value === 'object' ? JSON.stringify(value) : String(value)).slice(0, MAX_CELL);
}
