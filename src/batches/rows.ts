import { type Batched, batchedBy, targetFields } from '../catalogue/batch-rule.ts';
import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf } from '../catalogue/fields.ts';
import { inputRemarks, parseInput } from '../catalogue/input.ts';
import type { Tool } from '../catalogue/operation.ts';
import { inputOfRows } from '../gate/frozen-batch.ts';
import { canonical } from '../ledger/action.ts';
import { asSwitchboardError, type Failure, invalidInput, type SwitchboardError } from '../lib/errors.ts';
import { type Fields, isRecord } from '../lib/json.ts';
import { nearestOf } from '../lib/nearest.ts';
import { cleanText, plainForm } from '../lib/text.ts';
import { joined } from '../lib/words.ts';
import { isPossiblePhone, readPhones } from '../platform/dialect/phone.ts';
import { readFlag } from '../platform/dialect/readings.ts';
import { type CsvLine, isFormula, plainCell, readCsv, UnclosedQuote, withoutField } from './csv.ts';

const MOST_ROWS = 500;
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

/** One row as it was given. */
export interface GivenRow {
  /** Its line in the text, or its place in the list, from 1. */
  line: number;
  /** The value that identifies it, as given if it cannot be read; empty if there is none. */
  target: string;
  said: Fields;
  /** Remarks for a reader about how it was read. */
  remarks?: readonly string[];
  /** The reason why it cannot be part of the batch. */
  failure: Failure | undefined;
}

export interface GivenRows {
  rows: GivenRow[];
  /** The fields that all rows share, by the names and values of the operation. */
  shared: Fields;
  /** Columns that are no field of the operation. */
  ignored: string[];
  /** Last digits of numbers, whose lines have to be found before the rows can be read. */
  ends: string[];
}

/** The numbers of our lines that were found by their last digits; undefined if not all lines were searched. */
export interface EndingLines {
  numbers: readonly string[] | undefined;
}

/** Remarks of a list that are shown one by one. */
const MAX_REMARKS = 10;

/** Returns the notes for the requester about how a list was read: columns that are not used, and remarks by line. */
export function listNotes({
  rows,
  ignored,
}: {
  rows: readonly Pick<GivenRow, 'line' | 'remarks'>[];
  ignored: readonly string[];
}): string[] {
  const remarks = rows.flatMap(({ line, remarks = [] }) => remarks.map((remark) => `Line ${line}: ${remark}`));
  const more = remarks.length - MAX_REMARKS;
  return [
    ...(ignored.length === 0 ? [] : [`Not used: the column${ignored.length === 1 ? '' : 's'} ${ignored.join(', ')}.`]),
    ...remarks.slice(0, MAX_REMARKS),
    ...(more > 0 ? [`${more} more lines have such a remark.`] : []),
  ];
}

/** The list as a caller gives it. */
export type GivenList =
  /** What a person wrote. Only here the last digits of a number stand for it. */
  | { text: string }
  | { numbers: readonly unknown[] }
  /** Rows as objects with the operation's fields. */
  | { records: readonly unknown[] };

/**
 * Reads the rows of a batch: pasted lines, CSV, numbers, or objects. A row that cannot be read is part of the result,
 * with the reason. Throws `invalid_input` if the list as a whole cannot be used.
 *
 * @param given.shared the fields that all rows share
 * @param given.lines the lines of the `ends` that a first reading returned
 */
export function readRows(
  tool: Tool,
  list: GivenList,
  { shared, lines, now }: { shared: Fields; lines?: EndingLines; now: Date },
): GivenRows {
  const reader = new RowReader(tool, shared, now, lines);
  reader.requireShared();
  if ('text' in list) return reader.fromText(list.text);
  if ('numbers' in list) return reader.fromRecords(list.numbers.map((value) => ({ [reader.target]: value })));
  return reader.fromRecords(list.records);
}

class RowReader {
  readonly #tool: Tool;
  #shared: Fields;
  readonly #now: Date;
  readonly #rule: Batched;
  readonly #list: string | undefined;
  readonly #columns: readonly Field[];
  /** The shared fields by the names and values of the operation, from rows that have no own value for them. */
  #sharedAsRead: Fields = {};
  /** Fields that at least one row has. */
  readonly #given = new Set<string>();
  readonly #lines: EndingLines | undefined;
  readonly #ends = new Set<string>();
  /** True for a list in which last digits stand for a number. */
  #takesEnds = false;
  /** The field that identifies a row. */
  readonly target: string;

  constructor(tool: Tool, shared: Fields, now: Date, lines: EndingLines | undefined) {
    const rule = batchedBy(tool);
    if (rule === undefined) throw notBatched(tool);
    this.#tool = tool;
    this.#shared = shared;
    this.#now = now;
    this.#lines = lines;
    this.#rule = rule;
    this.#list = rule.list;
    this.target = rule.row;
    const fields = fieldsOf(tool);
    const own = rule.list === undefined ? fields : (fields.find(({ name }) => name === rule.list)?.fields ?? []);
    this.#columns = own.filter(({ secret, kind }) => !secret && kind !== 'rows' && kind !== 'group');
  }

  /** Throws `invalid_input` if a shared field is the one that the rows are for. */
  requireShared(): void {
    const field = targetFields(this.#rule).find((name) => name in this.#shared);
    if (field === undefined) return;
    throw invalidInput(field, `${field}: is different in each row, so it belongs in the list. Leave it out here.`);
  }

  fromText(text: string): GivenRows {
    this.#takesEnds = true;
    if (text.length > MAX_TEXT) throw invalidInput('Rows', 'Rows: the list is too long. Give at most 500 rows.');
    const lines = linesOf(text);
    const [first] = lines;
    if (first === undefined) throw invalidInput('Rows', 'Rows: the list is empty. Give one row on each line.');
    const named = this.#heading(first);
    if (named === undefined) {
      const numbers = this.#numbersIn(lines);
      if (numbers !== undefined) return this.fromNumbers(numbers);
      requireSize(lines.length);
      const wide = lines.find(({ cells }) => cells.length > 1 && cells.slice(1).some((cell) => cell !== ''));
      if (wide)
        throw invalidInput(
          'Rows',
          `Rows: line ${wide.line} has more than one column, so the first line must name the columns: ${this.#columns.map(({ name }) => name).join(', ')}.`,
        );
      return this.#checked(
        lines.map(({ line, cells }) => this.#row(line, { [this.target]: cells[0] ?? '' })),
        [],
      );
    }
    requireSize(lines.length - 1);
    const rows = lines.slice(1).map(({ line, cells }) => {
      const said: Fields = {};
      for (const [at, name] of named.names.entries()) {
        const cell = cells[at] ?? '';
        if (name !== undefined && cell !== '') said[name] = cell;
      }
      const isWide = cells.slice(named.names.length).some((cell) => cell !== '');
      return this.#row(line, said, isWide ? 'Rows: it has more values than there are columns.' : undefined);
    });
    return this.#checked(rows, named.ignored);
  }

  /** The numbers of lines that have nothing else, if some lines have several; undefined for any other lines. */
  #numbersIn(lines: readonly CsvLine[]): { line: number; number: string }[] | undefined {
    if (this.#columns.find(({ name }) => name === this.target)?.kind !== 'phone') return undefined;
    const read = lines.map(({ line, cells }) => ({ line, numbers: numbersOf(cells) }));
    if (read.every(({ numbers }) => numbers?.length === 1)) return undefined;
    if (read.some(({ numbers }) => numbers === undefined)) return undefined;
    return read.flatMap(({ line, numbers = [] }) => numbers.map((number) => ({ line, number })));
  }

  fromNumbers(numbers: readonly { line: number; number: string }[]): GivenRows {
    requireSize(numbers.length);
    return this.#checked(
      numbers.map(({ line, number }) => this.#row(line, { [this.target]: number })),
      [],
    );
  }

  fromRecords(given: readonly unknown[]): GivenRows {
    requireSize(given.length);
    const records = this.#withoutShared(given.map((record) => (isRecord(record) ? this.#withTarget(record) : record)));
    const rows = records.map((record, at) => {
      if (isRecord(record)) return this.#row(at + 1, this.#namedIn(record), this.#twiceIn(record));
      const isCut = typeof record === 'string' && record.trimStart().startsWith('{');
      const wrong = isCut ? 'Rows: it is a text that is not the JSON of an object.' : undefined;
      return this.#row(at + 1, { [this.target]: isCut ? '' : record }, wrong);
    });
    return this.#checked(rows, []);
  }

  /**
   * The records without the fields that one request has once for all its rows. A value that every row repeats is shared,
   * as if it were given beside the list.
   */
  #withoutShared(records: readonly unknown[]): unknown[] {
    const rows = records.filter(isRecord);
    const names = [...new Set(rows.flatMap(Object.keys))].filter((key) => this.#belongsBeside(key));
    for (const name of names) {
      const values = [...rows.map((row) => row[name]), ...(name in this.#shared ? [this.#shared[name]] : [])];
      if (new Set(values.map((value) => canonical(value ?? null))).size > 1 || rows.length < records.length)
        throw invalidInput(
          'Rows',
          `Rows: ${name} is the same for all rows of ${this.#tool.id}. Give it once in Fields. Rows that need another value are another batch, and one such row is a call of ${this.#tool.id}.`,
        );
      this.#shared = { ...this.#shared, [name]: values[0] };
    }
    const own = (row: Fields) => Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
    return records.map((record) => (isRecord(record) ? own(record) : record));
  }

  /** The fields that the columns of a heading hold; undefined if the line is a row already. */
  #heading({ line, cells }: CsvLine): { names: (string | undefined)[]; ignored: string[] } | undefined {
    const names = this.#names(cells);
    if (!names.some((name) => name !== undefined)) {
      if (cells.some((cell) => /\d/.test(cell))) return undefined;
      throw invalidInput(
        'Rows',
        `Rows: line ${line} names no column of ${this.#tool.id}. The columns are ${this.#columns.map(({ name }) => name).join(', ')}.`,
      );
    }
    const twice = names.find((name, at) => name !== undefined && names.indexOf(name) !== at);
    if (twice !== undefined) throw invalidInput('Rows', `Rows: two columns are read as ${twice}. Leave one out.`);
    if (!names.includes(this.target))
      throw invalidInput('Rows', `Rows: no column is read as ${this.target}. Name one of the columns ${this.target}.`);
    const ignored = cells.filter((cell, at) => names[at] === undefined && cell !== '').map((cell) => cell.slice(0, 40));
    const shared = ignored.find((name) => this.#belongsBeside(name));
    if (shared !== undefined)
      throw invalidInput('Rows', `Rows: ${shared} is the same for all rows. Give it once, beside the list.`);
    this.#requireNoSlip(names, ignored);
    return { names, ignored };
  }

  /** Refuses a column that is probably a misspelt field, because without it the rows would be changed in part. */
  #requireNoSlip(names: readonly (string | undefined)[], ignored: readonly string[]): void {
    const free = this.#columns.filter(({ name }) => !names.includes(name));
    const byPlain = new Map(free.flatMap(({ name, label }) => [name, label].map((one) => [plainName(one), name])));
    const near = nearestOf([...byPlain.keys()]);
    for (const column of ignored) {
      const plain = plainName(column);
      const meant = byPlain.get(near(plain, Math.min(2, Math.floor(plain.length / 5))) ?? '');
      if (meant !== undefined)
        throw invalidInput(
          'Rows',
          `Rows: there is no column ${column}. If ${meant} is meant, correct the name; otherwise leave the column out.`,
        );
    }
  }

  /** True for a field that one request has once for all its rows. */
  #belongsBeside(name: string): boolean {
    return this.#list !== undefined && this.#column(name) === undefined && Object.hasOwn(this.#tool.input.shape, name);
  }

  /** A row that names its line by the operation's list, as the operation itself does. */
  #withTarget(record: Fields): Fields {
    const list = this.#list;
    if (list === undefined || !(list in record) || this.target in record) return record;
    const { [list]: given, ...others } = record;
    const one: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
    const value = isRecord(one) ? one[this.target] : one;
    return typeof value === 'string' ? { ...others, [this.target]: value } : record;
  }

  #namedIn(record: Fields): Fields {
    const names = this.#names(Object.keys(record));
    return Object.fromEntries(Object.entries(record).map(([key, value], at) => [names[at] ?? key, value]));
  }

  /** The problem of a field that a record has under two names. */
  #twiceIn(record: Fields): string | undefined {
    const names = this.#names(Object.keys(record));
    const twice = names.find((name, at) => name !== undefined && names.indexOf(name) !== at);
    return twice && `${twice}: is given under two names. Leave one out.`;
  }

  /**
   * The fields that the names of columns mean. If none means the field that identifies a row, another word for it does,
   * although it may be the name of another field: a number is looked up by PhoneNumber or Number.
   */
  #names(given: readonly string[]): (string | undefined)[] {
    const names = given.map((name) => this.#column(name)?.name);
    if (names.includes(this.target)) return names;
    const at = given.findIndex((name) => SYNONYMS[plainName(this.target)]?.includes(plainName(name)));
    return at === -1 ? names : names.with(at, this.target);
  }

  /** The field that a column's name means: by name, by label, then by the words that people use. */
  #column(name: string): Field | undefined {
    const plain = plainName(name);
    if (plain === '') return undefined;
    const target = this.#columns.find((field) => field.name === this.target);
    const exact = this.#columns.find((field) => plainName(field.name) === plain || plainName(field.label) === plain);
    if (exact) return exact;
    return [target, ...this.#columns].find((field) => field && SYNONYMS[plainName(field.name)]?.includes(plain));
  }

  /** @param problem why the row cannot be read */
  #row(line: number, given: Fields, problem?: string): GivenRow {
    const row: GivenRow = { line, target: '', said: {}, failure: undefined };
    for (const name of Object.keys(given)) this.#given.add(name);
    try {
      row.target = namedTarget(given[this.target]);
      if (problem !== undefined) throw invalidInput(problem.split(':')[0], problem);
      const typed = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, this.#typed(name, value)]));
      const input = parseInput(this.#tool, inputOfRows(this.#tool, this.#shared, [typed]), this.#now);
      const own = this.#list === undefined ? input : ((input[this.#list] as Fields[])[0] ?? {});
      row.said = Object.fromEntries(
        Object.keys(typed)
          .filter((name) => own[name] !== undefined)
          .map((name) => [name, own[name]]),
      );
      if (typeof own[this.target] !== 'string' || row.said[this.target] === undefined)
        throw invalidInput(this.target, `${this.target}: is missing.`);
      row.target = String(own[this.target]);
      this.#sharedAsRead = { ...this.#sharedIn(input, row.said), ...this.#sharedAsRead };
      row.remarks = remarksOf(this.#tool, typed, row.said);
    } catch (error) {
      row.failure = asSwitchboardError(error).face;
    }
    return row;
  }

  /** The shared fields of an input that was read. A caller may spell their names and values in other ways. */
  #sharedIn(input: Fields, own: Fields): Fields {
    const names = new Set(Object.keys(this.#shared).map(plainName));
    const isShared = (name: string) => name !== this.#list && !(name in own) && names.has(plainName(name));
    return Object.fromEntries(Object.entries(input).filter(([name]) => isShared(name)));
  }

  /** The value of a cell in the type of its field. */
  #typed(name: string, value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const text = plainCell(value.trim());
    if (text.length > MAX_CELL) throw invalidInput(name, `${name} is too long.`);
    if (isFormula(cleanText(text))) throw invalidInput(name, `${name} is a formula. Put its value in the list.`);
    const kind = this.#columns.find((field) => field.name === name)?.kind;
    if (this.#takesEnds && kind === 'phone' && LAST_DIGITS.test(plainForm(text))) return this.#lineEnding(name, text);
    if (kind === 'number' && /^-?\d+(\.\d+)?$/.test(plainForm(text))) return Number(plainForm(text));
    if (kind === 'boolean') return readFlag(text) ?? text;
    return text;
  }

  /** The number of the only line that ends in these digits. */
  #lineEnding(name: string, text: string): string {
    const digits = plainForm(text).replace(/\D/g, '');
    const whole = 'Give the whole number, for example +12015550101.';
    if (digits.length < LEAST_DIGITS) throw invalidInput(name, `${name}: ${text} is too little of a number. ${whole}`);
    this.#ends.add(digits);
    if (this.#lines?.numbers === undefined)
      throw invalidInput(name, `${name}: not all lines could be searched for ${text}. ${whole}`);
    const [line, ...others] = this.#lines.numbers.filter((number) => number.endsWith(digits));
    if (line === undefined) throw invalidInput(name, `${name}: no line ends in ${text}. ${whole}`);
    if (others.length === 0) return line;
    const several = [line, ...others].slice(0, MOST_ENDING).join(', ');
    const more = others.length < MOST_ENDING ? '' : ', …';
    throw invalidInput(name, `${name}: several lines end in ${text}: ${several}${more}. ${whole}`);
  }

  /** Marks the second of two rows with one target. Throws if no row can be used. */
  #checked(rows: GivenRow[], ignored: string[]): GivenRows {
    const seen = new Map<string, number>();
    for (const row of rows) {
      if (row.failure !== undefined) continue;
      const first = seen.get(row.target);
      if (first !== undefined) row.failure = invalidInput(this.target, `it is on line ${first} already.`).face;
      else seen.set(row.target, row.line);
    }
    const ends = [...this.#ends];
    const isSearched = ends.length === 0 || this.#lines !== undefined;
    if (seen.size === 0 && isSearched) throw this.#unusable(rows, ignored);
    return { rows, shared: this.#sharedAsRead, ignored, ends };
  }

  /** The error for a list without a row that can be used. A field that all rows share is named itself. */
  #unusable(rows: readonly GivenRow[], ignored: readonly string[]): SwitchboardError {
    const failures = rows.flatMap(({ line, failure }) => (failure === undefined ? [] : [{ line, ...failure }]));
    const shared = failures.find(({ field }) => field !== undefined && this.#isShared(field.split('.')[0] ?? ''));
    const notes = listNotes({ rows: [], ignored });
    if (shared) return invalidInput(shared.field, joined([shared.message, ...notes], ' '));
    const [first] = failures;
    const reason = `Rows: no row can be used. Line ${first?.line ?? 1}: ${withoutField(first?.message ?? '')}`;
    return invalidInput('Rows', joined([reason, ...notes], ' '));
  }

  #isShared(field: string): boolean {
    if (field in this.#shared) return true;
    return this.#list === undefined ? field !== this.target && !this.#given.has(field) : field !== this.#list;
  }
}

/** Rows that were read before, with what a reader should know about their values. */
export function withRemarks<Row extends Pick<GivenRow, 'said'>>(tool: Tool, rows: readonly Row[]) {
  return rows.map((row) => ({ ...row, remarks: remarksOf(tool, row.said, row.said) }));
}

function remarksOf(tool: Tool, given: Fields, said: Fields): string[] {
  const of = (fields: Fields) => inputOfRows(tool, {}, [fields]);
  return inputRemarks(tool, of(given), of(said)).map((remark) => remark.replaceAll(`${batchedBy(tool)?.list}.0.`, ''));
}

/** The numbers and last digits of cells that have nothing else; undefined for any other cells. */
/** The numbers of a line: whole ones, or the last digits of some. */
function numbersOf(cells: readonly string[]): string[] | undefined {
  const whole = readPhones(cells.join('\n'));
  return whole?.every(isPossiblePhone) ? whole : (endsIn(cells) ?? whole);
}

function endsIn(cells: readonly string[]): string[] | undefined {
  const read = cells.map((cell) => {
    const pieces = plainForm(cell).split(/\s+/);
    const whole = readPhones(cell);
    return whole?.every(isPossiblePhone) || !pieces.every((piece) => LAST_DIGITS.test(piece)) ? whole : pieces;
  });
  return read.every((numbers) => numbers !== undefined) ? read.flat() : undefined;
}

/** The value that identifies a row, as it was given. Empty if it is not safe to show. */
function namedTarget(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const text = plainCell(cleanText(String(value)).trim());
  return isFormula(text) ? '' : text.slice(0, MAX_TARGET);
}

function linesOf(text: string): CsvLine[] {
  try {
    return readCsv(text);
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    throw invalidInput(
      'Rows',
      `Rows: line ${error.line} has a quote (") that is not closed. Close it, or leave it out.`,
    );
  }
}

function requireSize(count: number): void {
  if (count > MOST_ROWS)
    throw invalidInput('Rows', `Rows: a batch has at most ${MOST_ROWS} rows, and this list has ${count}. Split it.`);
  if (count === 0) throw invalidInput('Rows', 'Rows: the list has no rows. Give one row on each line.');
}

/** The error for a list of one row, which the operation itself does. */
export function tooFewRows({ id }: Tool): SwitchboardError {
  return invalidInput('Rows', `Rows: a batch has 2 to ${MOST_ROWS} rows, and this list has one. Use ${id} for it.`);
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** The error for an operation that cannot run as a batch. */
export function notBatched(tool: Tool) {
  const why = tool.batch !== undefined && 'not' in tool.batch ? `: ${tool.batch.not}` : '';
  return invalidInput('Operation', `Operation: ${tool.id} cannot run as a batch${why}.`);
}
