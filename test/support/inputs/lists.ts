/* Files with lists as spreadsheets and people write them. The tests of every way in read this table. */

export const [LINE_1, LINE_2] = ['+12015550101', '+12015550102'] as const;
const PLAIN = `number\n${LINE_1}\n${LINE_2}\n`;

const utf16 = (text: string, order: 'le' | 'be') => {
  const bytes = Buffer.from(text, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

/** Files that are read as the two lines. */
export const readableLists: readonly { what: string; bytes: Buffer }[] = [
  { what: 'UTF-8', bytes: Buffer.from(PLAIN) },
  { what: 'UTF-8 with a byte order mark', bytes: Buffer.from(`\ufeff${PLAIN}`) },
  { what: 'UTF-16, little-endian, as Excel saves "Unicode text"', bytes: utf16(`\ufeff${PLAIN}`, 'le') },
  { what: 'UTF-16, big-endian', bytes: utf16(`\ufeff${PLAIN}`, 'be') },
  {
    what: 'a first line that names the delimiter',
    bytes: Buffer.from(`sep=;\r\nnumber;note\r\n${LINE_1};a,b,c\r\n${LINE_2};d\r\n`),
  },
  { what: 'a named delimiter that is not usual', bytes: Buffer.from(`sep=|\nnumber|note\n${LINE_1}|a\n${LINE_2}|b\n`) },
  { what: 'semicolons, as in Europe', bytes: Buffer.from(`note;number\na;${LINE_1}\nb;${LINE_2}\n`) },
  { what: 'tabs, as copied from cells', bytes: Buffer.from(`note\tnumber\na\t${LINE_1}\nb\t${LINE_2}\n`) },
  { what: 'formulas that keep digits as text', bytes: Buffer.from(`number\n="${LINE_1}"\n="${LINE_2}"\n`) },
  { what: 'an apostrophe that keeps digits as text', bytes: Buffer.from(`number\n'${LINE_1}\n'${LINE_2}\n`) },
  { what: 'direction marks in the cells', bytes: Buffer.from(`number\n\u202a${LINE_1}\u202c\n\u200e${LINE_2}\n`) },
  { what: 'several numbers on one line', bytes: Buffer.from(`${LINE_1}, ${LINE_2}`) },
  { what: 'bullets', bytes: Buffer.from(`• ${LINE_1}\n• ${LINE_2}\n`) },
];

const AS_CSV = /UTF-8 or UTF-16.*Save it as CSV/;

/** Files that are refused as a whole, with the reason. */
export const refusedLists: readonly { what: string; bytes: Buffer; says: RegExp }[] = [
  { what: 'a workbook', bytes: Buffer.from('PK\u0003\u0004\u0014\u0000\u0006\u0000', 'latin1'), says: AS_CSV },
  { what: 'a workbook of an older Excel', bytes: Buffer.from('d0cf11e0a1b11ae1', 'hex'), says: AS_CSV },
  { what: 'a PDF file', bytes: Buffer.from('%PDF-1.7\n'), says: AS_CSV },
  { what: 'a web page', bytes: Buffer.from('<html><table></table></html>'), says: AS_CSV },
  { what: 'an older encoding', bytes: Buffer.from(`name,number\nJos\u00e9,${LINE_1}\n`, 'latin1'), says: AS_CSV },
  { what: 'an empty file', bytes: Buffer.alloc(0), says: /empty/ },
];

/** Rows that are left out, with the reason. The other row of the file is read. */
export const refusedRows: readonly { what: string; cell: string; says: RegExp }[] = [
  { what: 'an extension', cell: '+12015550102 x5', says: /extension/ },
  { what: 'an extension in words', cell: '201-555-0102 ext 5', says: /extension/ },
  { what: 'the form of a spreadsheet for long numbers', cell: '1.20156E+10', says: /spreadsheet.*whole number/ },
  { what: 'the same with a decimal comma', cell: '"1,20156E+10"', says: /spreadsheet.*whole number/ },
  { what: 'the end of a number', cell: '02', says: /too little of a number/ },
  { what: 'a formula', cell: '=HYPERLINK(1)', says: /formula/ },
  { what: 'an error of a formula', cell: '#N/A', says: /not a phone number/ },
];
