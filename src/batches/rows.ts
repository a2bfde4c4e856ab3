import { type Batched, batchedBy, MOST_ROWS, targetFields } from '../catalogue/change.ts';
import { fieldsOf, inputRemarks, parseInput, takesNull } from '../catalogue/input.ts';
import type { Field, Tool } from '../catalogue/operation.ts';
import { inputOfRows } from '../gate/confirmation.ts';
import { asSwitchboardError, invalidInput, type SwitchboardError } from '../lib/errors.ts';
import { nearestOf } from '../lib/nearest.ts';
import {
  capital,
  cleanText,
  type Fields,
  isRecord,
  joined,
  plainForm,
  plainText,
  textsIn,
  type Words,
} from '../lib/values.ts';
import { isPossiblePhone, readPhones } from '../platform/dialect/phone.ts';
import { oneSpelling, readFlag } from '../platform/dialect/readings.ts';
import { type BatchRow, type BatchState, EFFECTS, outcomeText, type StoredRow } from './states.ts';

/** 500 rows with long texts fit. */
const MAX_TEXT = 1_000_000;
const MAX_CELL = 2_000;
const MAX_TARGET = 100;

/** The end of a phone number, which names the line that alone ends in it. */
const LAST_DIGITS = /^[\s.…*x]*\d{2,6}$/i;
/** Fewer digits end too many numbers. */
const LEAST_DIGITS = 3;
/** Lines that a row names of those that end in its digits. */
const MOST_ENDING = 3;
/** Remarks of a list that are shown one by one. */
const MAX_REMARKS = 10;

/** Names that people give to columns, by the platform's name without its case. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  number: ['phone', 'phonenumber', 'msisdn', 'mobile', 'tel', 'telephone', 'line', 'did', 'to', 'recipient'],
  phonenumber: ['phone', 'number', 'msisdn', 'mobile', 'tel', 'telephone', 'line', 'did'],
  phone: ['phonenumber', 'number', 'msisdn', 'mobile', 'tel', 'telephone', 'line'],
  iccid: ['sim', 'simserial', 'simcard', 'newsim', 'newiccid', 'serial'],
  subscriberid: ['subscriber', 'customer', 'customerid', 'user'],
  subscriptionid: ['subscription'],
  packageid: ['package', 'plan'],
  tnid: ['numberid', 'phonenumberid'],
  accountid: ['account'],
};

/** The list as a caller gives it. */
export type GivenList =
  /** A person's text. Only here the last digits of a number stand for it. */
  | { text: string }
  | { numbers: readonly unknown[] }
  /** Rows as objects with the operation's fields. */
  | { records: readonly unknown[] };

/** One row as it was given. Its target is as it was given if it cannot be read, and empty if there is none. */
export interface GivenRow extends Pick<StoredRow, 'line' | 'target' | 'said' | 'failure'> {
  /** Remarks for a reader about how it was read. */
  remarks?: readonly string[];
}

/** The numbers of our lines that were found by their last digits; undefined if not all lines were searched. */
export interface EndingLines {
  numbers: readonly string[] | undefined;
}

/** The values of a row by the operation's fields. `problem`: why it cannot be read. */
interface Values {
  line: number;
  values: Fields;
  problem?: string | undefined;
}

/**
 * Reads the rows of a batch: pasted lines, CSV, numbers, or objects. A row that cannot be read is part of the result,
 * with the reason. Throws `invalid_input` if the list as a whole cannot be used.
 *
 * @param given.shared the fields that all rows share
 * @param given.lines the lines of the `ends` that a first reading returned
 */
export function readRows(tool: Tool, list: GivenList, given: { shared: Fields; lines?: EndingLines; now: Date }) {
  return new RowReader(tool, given).read(list);
}

class RowReader {
  readonly #tool: Tool;
  readonly #rule: Batched;
  readonly #now: Date;
  readonly #lines: EndingLines | undefined;
  readonly #columns: readonly Field[];
  readonly #shared: Fields;
  /** The shared fields by the names and values of the operation, from rows that have no own value for them. */
  #sharedAsRead: Fields = {};
  readonly #ends = new Set<string>();
  /** True for a list in which last digits stand for a number. */
  #takesEnds = false;

  constructor(tool: Tool, { shared, lines, now }: Parameters<typeof readRows>[2]) {
    const rule = batchedBy(tool);
    const why = tool.batch !== undefined && 'not' in tool.batch ? `: ${tool.batch.not}` : '';
    if (rule === undefined) throw invalidInput('Operation', `Operation: ${tool.id} cannot run as a batch${why}.`);
    this.#tool = tool;
    this.#rule = rule;
    this.#now = now;
    this.#lines = lines;
    this.#shared = shared;
    // A field of the request may be given for each row too.
    const own = fieldsOf(tool).flatMap((field) => (field.name === rule.list ? (field.fields ?? []) : [field]));
    this.#columns = own.filter(({ secret, kind }) => !secret && kind !== 'rows' && kind !== 'group');
  }

  /**
   * @returns `shared`: the fields that all rows share, by the names and values of the operation. `ignored`: columns that
   * are no field of it. `ends`: last digits of numbers, whose lines have to be found before the rows can be read
   */
  read(list: GivenList) {
    const { row: target } = this.#rule;
    const field = targetFields(this.#rule).find((name) => name in this.#shared);
    if (field !== undefined)
      throw invalidInput(field, `${field}: is different in each row, so it belongs in the list. Leave it out here.`);
    const { given, ignored = [] } =
      'text' in list
        ? this.#fromText(list.text)
        : {
            given:
              'numbers' in list
                ? list.numbers.map((value, at) => ({ line: at + 1, values: { [target]: value } }))
                : this.#fromRecords(list.records),
          };
    if (given.length > MOST_ROWS)
      throw listError(`a batch has at most ${MOST_ROWS} rows, and this list has ${given.length}. Split it.`);
    if (given.length === 0) throw listError('the list has no rows. Give one row on each line.');
    const rows = given.map((one) => this.#row(one));
    const seen = new Map<string, number>();
    for (const row of rows.filter(({ failure }) => failure === undefined)) {
      const written = oneSpelling(row.target);
      const first = seen.get(written);
      if (first !== undefined) row.failure = invalidInput(target, `it is on line ${first} already.`).face;
      else seen.set(written, row.line);
    }
    const ends = [...this.#ends];
    const isSearched = ends.length === 0 || this.#lines !== undefined;
    if (seen.size === 0 && isSearched) throw this.#unusable(given, rows, ignored);
    return { rows, shared: this.#sharedAsRead, ignored, ends };
  }

  #fromText(text: string): { given: Values[]; ignored?: string[] } {
    const { row: target } = this.#rule;
    this.#takesEnds = true;
    if (text.length > MAX_TEXT) throw listError(`the list is too long. Give at most ${MOST_ROWS} rows.`);
    const lines = readCsv(text);
    const [first, ...others] = lines;
    if (first === undefined) throw listError('the list is empty. Give one row on each line.');
    // Another word for a field gives way to its name: "Line" in the CSV of a plan, which has the number too.
    const exact = first.cells.map((cell) => this.#byName(cell)?.name);
    const names = this.#names(first.cells).map((name, at) =>
      name !== exact[at] && exact.includes(name) ? undefined : name,
    );
    const columns = this.#columns.map(({ name }) => name).join(', ');
    if (names.every((name) => name === undefined)) {
      if (!first.cells.some((cell) => /\d/.test(cell)))
        throw listError(`line ${first.line} names no column of ${this.#tool.id}. The columns are ${columns}.`);
      const isPhone = this.#columns.find(({ name }) => name === target)?.kind === 'phone';
      const numbers = lines.map(({ cells }) => (isPhone ? numbersOf(cells) : undefined));
      const areNumbers = numbers.every((found) => found !== undefined);
      const wide = lines.find(({ cells }) => cells.slice(1).some((cell) => cell !== ''));
      if (!areNumbers && wide)
        throw listError(
          `line ${wide.line} has more than one column, so the first line must name the columns: ${columns}.`,
        );
      const given = lines.flatMap(({ line, cells }, at) => {
        // A line with one number stays as it is written.
        const found = areNumbers && (numbers[at] ?? []).length !== 1 ? (numbers[at] ?? []) : [cells[0] ?? ''];
        return found.map((value) => ({ line, values: { [target]: value } }));
      });
      return { given };
    }
    const ignored = first.cells
      .filter((cell, at) => names[at] === undefined && cell !== '')
      .map((cell) => cell.slice(0, 40));
    this.#requireHeading(names, ignored);
    const given = others.map(({ line, cells }) => {
      const named = names.map((name, at) => [name ?? '', cells[at] ?? ''] as const);
      const isWide = cells.slice(names.length).some((cell) => cell !== '');
      return {
        line,
        values: Object.fromEntries(named.filter(([name, cell]) => name !== '' && cell !== '')),
        problem: isWide ? 'Rows: it has more values than there are columns.' : undefined,
      };
    });
    return { given, ignored };
  }

  /** Refuses a heading without the target, with two columns for one field, or with one that is probably a misspelt field. */
  #requireHeading(names: readonly (string | undefined)[], ignored: readonly string[]): void {
    const { row: target } = this.#rule;
    const twice = twiceIn(names);
    if (twice !== undefined) throw listError(`two columns are read as ${twice}. Leave one out.`);
    if (!names.includes(target)) throw listError(`no column is read as ${target}. Name one of the columns ${target}.`);
    // Without a misspelt column the rows would be changed in part.
    const free = this.#columns.filter(({ name }) => !names.includes(name));
    const byPlain = new Map(free.flatMap(({ name, label }) => [name, label].map((one) => [plainName(one), name])));
    const near = nearestOf([...byPlain.keys()]);
    for (const column of ignored) {
      const plain = plainName(column);
      const meant = byPlain.get(near(plain, Math.min(2, Math.floor(plain.length / 5))) ?? '');
      if (meant !== undefined)
        throw listError(
          `there is no column ${column}. If ${meant} is meant, correct the name; otherwise leave the column out.`,
        );
    }
  }

  #fromRecords(given: readonly unknown[]): Values[] {
    return given.map((record, at): Values => {
      const line = at + 1;
      if (!isRecord(record)) {
        const isCut = typeof record === 'string' && record.trimStart().startsWith('{');
        const problem = isCut ? 'Rows: it is a text that is not the JSON of an object.' : undefined;
        return { line, values: { [this.#rule.row]: isCut ? '' : record }, problem };
      }
      const own = Object.entries(this.#withTarget(record));
      const names = this.#names(own.map(([name]) => name));
      const twice = twiceIn(names);
      return {
        line,
        values: Object.fromEntries(own.map(([key, value], index) => [names[index] ?? key, value])),
        problem: twice && `${twice}: is given under two names. Leave one out.`,
      };
    });
  }

  /** A row that names its line by the operation's list, as the operation itself does. */
  #withTarget(record: Fields): Fields {
    const { list, row: target } = this.#rule;
    if (list === undefined || !(list in record) || target in record) return record;
    const { [list]: given, ...others } = record;
    const one: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const value = isRecord(one) ? one[target] : one;
    return typeof value === 'string' ? { ...others, [target]: value } : record;
  }

  /**
   * The fields that the names of columns mean. If none means the field that identifies a row, another word for it does,
   * although it may be the name of another field: a number is looked up by PhoneNumber or Number.
   */
  #names(given: readonly string[]): (string | undefined)[] {
    const { row: target } = this.#rule;
    const names = given.map((name) => this.#column(name)?.name);
    if (names.includes(target)) return names;
    const at = given.findIndex((name) => isSynonym(target, plainName(name)));
    return at === -1 ? names : names.with(at, target);
  }

  /** The field that a column's name means: by name, by label, then by the words that people use. */
  #column(name: string): Field | undefined {
    const plain = plainName(name);
    if (plain === '') return undefined;
    const byName = this.#byName(name);
    if (byName) return byName;
    const target = this.#columns.filter((field) => field.name === this.#rule.row);
    return [...target, ...this.#columns].find((field) => isSynonym(field.name, plain));
  }

  #byName(name: string): Field | undefined {
    const plain = plainName(name);
    return this.#columns.find((field) => [field.name, field.label].some((one) => plainName(one) === plain));
  }

  #row({ line, values, problem }: Values): GivenRow {
    const { row: target, list } = this.#rule;
    const row: GivenRow = { line, target: '', said: {}, failure: undefined };
    try {
      row.target = namedTarget(values[target]);
      if (problem !== undefined) throw invalidInput(problem.split(':')[0], problem);
      const typed = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, this.#typed(name, value)]));
      const input = parseInput(this.#tool, inputOfRows(this.#tool, this.#shared, [typed]), this.#now);
      const own = list === undefined ? input : { ...input, ...(input[list] as Fields[])[0] };
      const names = Object.keys(typed).filter((name) => own[name] !== undefined);
      row.said = Object.fromEntries(names.map((name) => [name, own[name]]));
      if (typeof row.said[target] !== 'string') throw invalidInput(target, `${target}: is missing.`);
      row.target = row.said[target];
      // A caller may spell the names and values of shared fields in other ways.
      const shared = new Set(Object.keys(this.#shared).map(plainName));
      for (const [name, value] of Object.entries(input))
        if (name !== list && !(name in row.said) && shared.has(plainName(name))) this.#sharedAsRead[name] ??= value;
      row.remarks = remarksOf(this.#tool, typed, row.said);
    } catch (error) {
      row.failure = asSwitchboardError(error).face;
    }
    return row;
  }

  /** The value of a cell in the type of its field. */
  #typed(name: string, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const text = plainCell(value.trim());
    if (text.length > MAX_CELL) throw invalidInput(name, `${name} is too long.`);
    if (isFormula(cleanText(text))) throw invalidInput(name, `${name} is a formula. Put its value in the list.`);
    // As in a command. An empty cell leaves the value as it is.
    if (text === 'null' && takesNull(this.#tool, name)) return null;
    const kind = this.#columns.find((field) => field.name === name)?.kind;
    if (this.#takesEnds && kind === 'phone' && LAST_DIGITS.test(plainForm(text))) return this.#lineEnding(name, text);
    if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(plainForm(text))) return Number(plainForm(text));
    if (kind === 'boolean') return readFlag(text) ?? text;
    return text;
  }

  /** The number of the only line that ends in these digits. */
  #lineEnding(name: string, text: string): string {
    const digits = plainForm(text).replace(/\D/g, '');
    const refused = (why: string) =>
      invalidInput(name, `${name}: ${why}. Give the whole number, for example +12015550101.`);
    if (digits.length < LEAST_DIGITS) throw refused(`${text} is too little of a number`);
    this.#ends.add(digits);
    if (this.#lines?.numbers === undefined) throw refused(`not all lines could be searched for ${text}`);
    const found = this.#lines.numbers.filter((number) => number.endsWith(digits));
    const [line] = found;
    if (line === undefined) throw refused(`no line ends in ${text}`);
    if (found.length === 1) return line;
    const several = found.slice(0, MOST_ENDING).join(', ') + (found.length > MOST_ENDING ? ', …' : '');
    throw refused(`several lines end in ${text}: ${several}`);
  }

  /** The error for a list without a row that can be used. A field that all rows share is named itself. */
  #unusable(given: readonly Values[], rows: readonly GivenRow[], ignored: readonly string[]): SwitchboardError {
    const isShared = (field: string) =>
      field !== this.#rule.row && field !== this.#rule.list && !given.some(({ values }) => field in values);
    const failures = rows.flatMap(({ line, failure }) => (failure === undefined ? [] : [{ line, ...failure }]));
    const shared = failures.find(({ field }) => field !== undefined && isShared(field.split('.')[0] ?? ''));
    const notes = listNotes([], ignored);
    if (shared) return invalidInput(shared.field, joined([shared.message, ...notes], ' '));
    const [first] = failures;
    const reason = `Rows: no row can be used. Line ${first?.line ?? 1}: ${withoutField(first?.message ?? '')}`;
    return invalidInput('Rows', joined([reason, ...notes], ' '));
  }
}

/** Returns the notes for the requester about how a list was read: columns that are not used, and remarks by line. */
export function listNotes(
  rows: readonly Pick<GivenRow, 'line' | 'remarks'>[],
  ignored: readonly string[] = [],
): string[] {
  const all = rows.flatMap(({ line, remarks = [] }) => remarks.map((remark) => `Line ${line}: ${remark}`));
  const more = all.length - MAX_REMARKS;
  return [
    ...(ignored.length === 0 ? [] : [`Not used: the column${ignored.length === 1 ? '' : 's'} ${ignored.join(', ')}.`]),
    ...all.slice(0, MAX_REMARKS),
    ...(more > 0 ? [`${more} more lines have such a remark.`] : []),
  ];
}

/** Notes about the values of a row. */
export function remarksOf(tool: Tool, given: Fields, said: Fields): string[] {
  const of = (fields: Fields) => inputOfRows(tool, {}, [fields]);
  return inputRemarks(tool, of(given), of(said)).map((remark) => remark.replaceAll(`${batchedBy(tool)?.list}.0.`, ''));
}

/** The numbers of a line: whole ones, or the last digits of some. Undefined for a line with anything else. */
function numbersOf(cells: readonly string[]): string[] | undefined {
  const areWhole = (numbers: readonly string[] | undefined) => numbers?.every(isPossiblePhone);
  const whole = readPhones(cells.join('\n'));
  if (areWhole(whole)) return whole;
  const each = cells.map((cell) => {
    const pieces = plainForm(cell).split(/\s+/);
    const numbers = readPhones(cell);
    return areWhole(numbers) || !pieces.every((piece) => LAST_DIGITS.test(piece)) ? numbers : pieces;
  });
  return each.every((numbers) => numbers !== undefined) ? each.flat() : whole;
}

/** The value that identifies a row, as it was given. Empty if it is not safe to show. */
function namedTarget(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = plainCell(cleanText(String(value)).trim());
  return isFormula(text) ? '' : text.slice(0, MAX_TARGET);
}

function listError(problem: string): SwitchboardError {
  return invalidInput('Rows', `Rows: ${problem}`);
}

/** The error for a list of one row, which the operation itself does. */
export function tooFewRows({ id }: Tool): SwitchboardError {
  return listError(`a batch has 2 to ${MOST_ROWS} rows, and this list has one. Use ${id} for it.`);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function isSynonym(name: string, plain: string): boolean {
  return SYNONYMS[plainName(name)]?.includes(plain) === true;
}

/** The first name that is there twice. */
function twiceIn(names: readonly (string | undefined)[]): string | undefined {
  return names.find((name, at) => name !== undefined && names.indexOf(name) !== at);
}

/* Reads lists from files: text files in the encodings of spreadsheets, and comma-separated values. */

const NO_LIST = { problem: 'is no list in UTF-8 or UTF-16. Save it as CSV (UTF-8), and give that file.' };

/** The text of a file in UTF-8, or in UTF-16 with a byte order mark, or the reason why it has none, after its name. */
export function readListFile(bytes: Uint8Array): { text: string } | { problem: string } {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const encoding = { fffe: 'utf-16le', feff: 'utf-16be' }[mark] ?? 'utf-8';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    const isOther = text.includes('\u0000') || /^(?:%PDF-|\{\\rtf|\s*<(?:!doctype|html|table|\?xml))/i.test(text);
    return isOther ? NO_LIST : { text };
  } catch {
    return NO_LIST;
  }
}

/*
 * `csv-parse` 7.0 was tried and not taken. It numbers a row by its last line and a quote that is not closed by the last
 * line of the text, it refuses `"a"b`, and it takes three times as long: 1.2 s instead of 0.4 s for 20,000 rows. Finding
 * those lines again needs more code than it saves. `csv-stringify` 6.9 would replace one line here, because the guard
 * against formulas is stricter than its own.
 */

/** The cells of one line. `line`: its number in the text, from 1; a quoted cell may continue on further lines. */
interface CsvLine {
  line: number;
  cells: string[];
}

const DELIMITERS = [',', ';', '\t'] as const;

/** The first line by which Excel learns the delimiter: `sep=;`. */
const SEPARATOR = /^"?sep=([^\n"])"?[ \t]*(?:\n|$)/i;

/**
 * Reads a text with commas, semicolons or tabs, or with the delimiter that its first line names, with quotes, a byte
 * order mark, and the line ends of any system. Empty lines are left out. Throws `invalid_input` for
 * a quote that is not closed.
 */
export function readCsv(text: string): CsvLine[] {
  const whole = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  const [named = '', separator] = SEPARATOR.exec(whole) ?? [];
  const plain = whole.slice(named.length);
  // The delimiter that the first line has most of, outside quotes.
  const heading = (plain.split('\n').find((one) => one.trim() !== '') ?? '').replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((one) => heading.split(one).length - 1);
  const delimiter = separator ?? DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ',';
  const code = `\\u${delimiter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // Blanks, a quoted text, any other text, and the end of the cell.
  const blanks = `(?:(?!${code})[^\\S\\n])*`;
  const cell = new RegExp(`${blanks}(?:"([^"]*(?:""[^"]*)*)"(?!"))?([^${code}\\n]*)(${code}|\\n|$)`, 'gy');
  const lines: CsvLine[] = [];
  let line = named === '' ? 1 : 2;
  let current: CsvLine = { line, cells: [] };
  for (const [all, quoted, rest = '', end] of plain.matchAll(cell)) {
    if ((quoted ?? '').trim() === '' && rest.trimStart().startsWith('"'))
      throw listError(`line ${line} has a quote (") that is not closed. Close it, or leave it out.`);
    current.cells.push(`${quoted?.replaceAll('""', '"') ?? ''}${rest}`.trim());
    line += all.split('\n').length - 1;
    if (end === delimiter) continue;
    if (current.cells.some((one) => one !== '')) lines.push(current);
    current = { line, cells: [] };
  }
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
function plainCell(cell: string): string {
  return /^="([^"]*)"$/.exec(cell)?.[1] ?? cell;
}

/** True for a cell that a spreadsheet would run as a formula. */
function isFormula(cell: string): boolean {
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
function withoutField(message: Words): string {
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
