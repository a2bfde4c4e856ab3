import { type Batched, batchedBy, MOST_ROWS, targetFields } from '../catalogue/change.ts';
import type { Field } from '../catalogue/field-types.ts';
import { fieldsOf, takesNull } from '../catalogue/fields.ts';
import { inputRemarks, parseInput } from '../catalogue/input.ts';
import type { Tool } from '../catalogue/operation.ts';
import { inputOfRows } from '../gate/frozen-batch.ts';
import { asSwitchboardError, type Failure, invalidInput, type SwitchboardError } from '../lib/errors.ts';
import { nearestOf } from '../lib/nearest.ts';
import { cleanText, type Fields, isRecord, joined, plainForm } from '../lib/values.ts';
import { isPossiblePhone, readPhones } from '../platform/dialect/phone.ts';
import { oneSpelling, readFlag } from '../platform/dialect/readings.ts';
import { type CsvLine, isFormula, plainCell, readCsv, UnclosedQuote, withoutField } from './csv.ts';

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

interface GivenRows {
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
export function readRows(
  tool: Tool,
  list: GivenList,
  given: { shared: Fields; lines?: EndingLines; now: Date },
): GivenRows {
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

  read(list: GivenList): GivenRows {
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
    const lines = linesOf(text);
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

function linesOf(text: string): CsvLine[] {
  try {
    return readCsv(text);
  } catch (error) {
    if (!(error instanceof UnclosedQuote)) throw error;
    throw listError(`line ${error.line} has a quote (") that is not closed. Close it, or leave it out.`);
  }
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
