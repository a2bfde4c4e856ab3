import { expect, it } from 'vitest';
import { readCsv, writeCsv } from '../../src/batches/csv.ts';

const BACKSLASH_U = /[^\x20-\x7e]/g;
const name = (text: string) => text.replace(BACKSLASH_U, (char) => `U+${char.charCodeAt(0).toString(16)}`);

const FORMULAS = [
  '=1+1',
  '+cmd|calc',
  '-1+2',
  '@SUM(A1)',
  '\uff1d1+1',
  '\uff0bcmd|calc',
  '\uff0d1+2',
  '\uff20SUM(A1)',
  '\ufe66HYPERLINK("x")',
  '\u22121+2',
  ' \uff1d1+1',
  '\u200b\uff1d1+1',
  '\u3000\uff1d1+1',
  '\t=1+1',
  '\tfoo',
  '\r\uff1d1+1',
  '\rfoo',
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
