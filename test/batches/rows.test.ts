import { describe, expect, it } from 'vitest';
import { type GivenList, readCsv, readListFile, readRows, writeCsv } from '../../src/batches/rows.ts';
import { asSwitchboardError } from '../../src/lib/errors.ts';
import { plainText } from '../../src/lib/values.ts';
import { tools } from '../../tools/index.ts';
import { begunDay } from '../support/clock.ts';
import { LINE_1, LINE_2, readableLists, refusedLists, refusedRows } from '../support/inputs/lists.ts';

const tool = (id: string) => {
  const found = tools.find((one) => one.id === id);
  if (!found) throw new Error(id);
  return found;
};

const PARK = { StatusChange: 'park', EffectiveDate: begunDay() };
const [ONE, TWO] = ['+12015550101', '+12015550102'];

const NOW = new Date('2026-11-22T00:00:00Z');
const read = (list: GivenList, id = 'numbers_status', shared: object = PARK) =>
  readRows(tool(id), list, { shared: { ...shared }, now: NOW });

const targets = (list: GivenList) => read(list).rows.flatMap(({ target, failure }) => (failure ? [] : [target]));

const refusal = (list: GivenList, id?: string, shared?: object) => {
  try {
    read(list, id, shared);
  } catch (error) {
    return plainText(asSwitchboardError(error).face.message);
  }
  throw new Error('not refused');
};

describe('rows of a batch from what people give', () => {
  it.each([
    ['pasted lines', `${ONE}\n\n${TWO}\n`],
    ['national numbers', '201 555 0101\n(201) 555-0102'],
    ['numbers with all that people put into them', '+1 (201) 555-0101\n+1.201.555.0102'],
    ['old Mac line ends', `number\r${ONE}\r${TWO}\r`],
    ['a byte order mark and Windows line ends', `\uFEFF${ONE}\r\n${TWO}\r\n`],
    ['a heading in the words of people', `Name,Phone\n"Stone, Ava",${ONE}\nBo,${TWO}`],
    ['semicolons and quotes', `"ICCID";"MSISDN"\n8901240397190195850;"${ONE}"\n;${TWO}`],
    ['tabs', `phone number\tnote\n${ONE}\tx\n${TWO}\ty`],
    ['a cell with a line break', `note,number\n"two\nlines",${ONE}\nb,${TWO}`],
  ])('%s', (_what, text) => {
    expect(targets({ text })).toEqual([ONE, TWO]);
  });

  it('names by line what cannot be read, and reads the rest', () => {
    const cells = ['=HYPERLINK("http://x")', 'abc', ONE, '1.20156E+10', TWO, '@SUM(A1)', '+cmd|calc', '-HYPERLINK(1)'];
    const text = ['number', ONE, ...cells].join('\n');
    const { rows } = read({ text });
    const bad = rows.flatMap(({ line, failure }) => (failure ? [[line, plainText(failure.message)]] : []));
    expect(bad.map(([line]) => line)).toEqual([3, 4, 5, 6, 8, 9, 10]);
    expect(bad.map(([, message]) => message).join(' ')).toMatch(
      /formula.*not a phone number.*line 2 already.*shortened as spreadsheets do.*formula/,
    );
  });

  it('takes last digits for the only line that ends in them', () => {
    const lines = { numbers: [ONE, TWO, '+12015550103', '+13125550103'] };
    const text = 'number\n0101\n…0102\n０１０２\n0103\n0199\n01';
    const { rows, ends } = readRows(tool('numbers_status'), { text }, { shared: PARK, now: NOW, lines });
    expect(ends).toEqual(['0101', '0102', '0103', '0199']);
    expect(rows.map(({ target, failure }) => (failure ? plainText(failure.message) : target))).toEqual([
      ONE,
      TWO,
      'it is on line 3 already.',
      expect.stringContaining('several lines end in 0103: +12015550103, +13125550103.'),
      expect.stringContaining('no line ends in 0199.'),
      expect.stringContaining('01 is too little of a number.'),
    ]);
    expect(read({ text: '0101, 0102' }).ends).toEqual(['0101', '0102']);
  });

  it('reads objects with names in any spelling, and keeps the fields of a row', () => {
    const { rows } = read({ records: [{ phone: ONE, sim: '8901240397190195850' }, { Number: TWO }] });
    expect(rows.map(({ said }) => said)).toEqual([{ Number: ONE, ICCID: '8901240397190195850' }, { Number: TWO }]);
  });

  it('takes fields of a request with a list for each row', () => {
    const rows = [{ Number: ONE, LimitValue: 40, NotifyValue: null }, { Number: TWO }];
    const given = { shared: { LimitValue: 100 }, rows: rows.map((said) => ({ said, failure: undefined })) };
    const fields = { LimitValue: 100 };
    expect(read({ records: rows }, 'numbers_data_usage_set', fields)).toMatchObject(given);
    const table = read(
      { text: `number,Data limit,NotifyValue\n${ONE},40,null\n${TWO},,` },
      'numbers_data_usage_set',
      fields,
    );
    expect(table.rows.map(({ said }) => said)).toEqual([rows[0], { Number: TWO }]);
  });

  it('reads the file of a plan again, whose other columns are no fields', () => {
    const text = `\uFEFFRow,Line,Target,Number,ICCID,Plan,Reason\r\n1,4,${ONE},${ONE},8901240397190195850,ready,\r\n`;
    const { rows, ignored } = read({ text: `${text}2,5,${TWO},${TWO},,left out,It is parked.\r\n` });
    expect(rows.map(({ said }) => said)).toEqual([{ Number: ONE, ICCID: '8901240397190195850' }, { Number: TWO }]);
    expect(ignored).toEqual(['Row', 'Line', 'Target', 'Plan', 'Reason']);
  });

  it('leaves out a row with more values than there are columns, and names columns that nothing was read from', () => {
    const text = `Number,CnamFirstName,Note\n${ONE},A,x,C\n${TWO},B,y,`;
    const { rows, ignored } = read({ text }, 'numbers_update', {});
    expect(rows.map(({ failure }) => failure && plainText(failure.message))).toEqual([
      'Rows: it has more values than there are columns.',
      undefined,
    ]);
    expect(ignored).toEqual(['Note']);
    expect(refusal({ text: `Number,Kommentar\n${ONE},x\n${TWO},y` }, 'numbers_update', {})).toMatch(
      /Not used: the column Kommentar\.$/,
    );
  });

  const records = (more: object) => [ONE, TWO].map((phone) => ({ phone, ...more }));
  it.each([
    ['10,000 rows', { numbers: Array.from({ length: 10_000 }, () => ONE) }, 'at most 500 rows'],
    ['a list without rows', { numbers: [] }, 'the list has no rows'],
    ['an empty list', { text: ' \n' }, 'is empty'],
    ['a text that is too long', { text: 'x'.repeat(1_000_001) }, 'too long'],
    ['columns without a heading', { text: `${ONE},a\n${TWO},b` }, 'must name the columns'],
    ['a heading without the target', { text: `ICCID\n8901240397190195850\n8901240397190195851` }, 'Number'],
    ['an unclosed quote', { text: `number,note\n${ONE},"a\n${TWO},b` }, 'line 2 has a quote'],
    ['two names of one field', { records: records({ Number: ONE }) }, 'given under two names'],
    ['two columns with one meaning', { text: `phone,mobile\n${ONE},${TWO}\n${TWO},${ONE}` }, 'two columns'],
    [
      'a column that is nearly a field',
      { text: `Number,CnamFirstName,CnamLastNam\n${ONE},A,B\n${TWO},C,D` },
      'no column CnamLastNam. If CnamLastName is meant, correct the name',
      'numbers_update',
    ],
    ['nearly a label', { text: `Number,Caler first name\n${ONE},A` }, 'If CnamFirstName is meant', 'numbers_update'],
    ['an unknown field', { records: records({ Remark: 'x' }) }, 'Line 1: Remark is not a field of numbers_status'],
  ] as [string, GivenList, string, string?][])('refuses %s', (_what, list, words, id) => {
    expect(refusal(list, id)).toContain(words);
  });
});

const BACKSLASH_U = /[^\x20-\x7e]/g;
const name = (text: string) => text.replace(BACKSLASH_U, (char) => `U+${char.charCodeAt(0).toString(16)}`);

const FORMULAS = [
  ...['=1+1', '+cmd|calc', '-1+2', '@SUM(A1)', '\uff1d1+1', '\uff0bcmd|calc', '\uff0d1+2', '\uff20SUM(A1)'],
  ...['\ufe66HYPERLINK("x")', '\u22121+2', ' \uff1d1+1', '\u200b\uff1d1+1', '\u3000\uff1d1+1', '\t=1+1', '\tfoo'],
  ...['\r\uff1d1+1', '\rfoo'],
].map((text) => [name(text), text] as const);

it.each(FORMULAS)('writes %s as text that no spreadsheet runs', (_name, text) => {
  const [, line] = readCsv(writeCsv(['Name'], [[text]]));
  expect(line?.cells[0]).toMatch(/^'/);
});

it.each(['+12015550101', '-3.5', 'Ava = Stone', 'a@example.com', 'a,"b"', 'Müller', '１２'])(
  'leaves %s as it is',
  (text) => {
    expect(readCsv(writeCsv(['Name'], [[text]]))[1]?.cells[0]).toBe(text);
  },
);

function rowsOf(bytes: Buffer) {
  const file = readListFile(bytes);
  if ('problem' in file) throw new Error(file.problem);
  return read({ text: file.text }).rows;
}

it.each(readableLists)('a list is read from $what', ({ bytes }) => {
  expect(rowsOf(bytes).map(({ target, failure }) => failure ?? target)).toEqual([LINE_1, LINE_2]);
});

it.each(refusedLists)('a list is refused with the reason: $what', ({ bytes, says }) => {
  expect(() => rowsOf(bytes)).toThrow(says);
});

it.each(refusedRows)('a row is left out with the reason: $what', ({ cell, says }) => {
  const [first, second] = rowsOf(Buffer.from(`number\n${LINE_1}\n${cell}\n`));
  expect(first).toMatchObject({ target: LINE_1, failure: undefined });
  expect(plainText(second?.failure?.message ?? '')).toMatch(says);
});
