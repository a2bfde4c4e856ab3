/*
 * Phone numbers and serials of SIMs as people write them and as programs paste them. The tests of every way in read
 * this table.
 */

/** One way to write a US number, of which the ten national digits are given. */
interface WrittenNumber {
  /** Describes this way to write a number. */
  what: string;
  write: (digits: string) => string;
}

const parts = (digits: string) => [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)] as const;
const dashed = (digits: string) => parts(digits).join('-');
const inDigits = (zero: number, digits: string) =>
  [...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

/** Ways that every door reads as the number. */
export const writtenNumbers: readonly WrittenNumber[] = [
  { what: 'E.164, as the platform writes it', write: (digits) => `+1${digits}` },
  { what: 'national digits alone, as people dial', write: (digits) => digits },
  {
    what: 'brackets and a dash, as in the US',
    write: (digits) => `(${digits.slice(0, 3)}) ${dashed(digits).slice(4)}`,
  },
  { what: 'dots between the groups', write: (digits) => `+1.${parts(digits).join('.')}` },
  { what: 'spaces between the groups', write: (digits) => `+1 ${parts(digits).join(' ')}` },
  { what: 'spaces that do not break, from a web page', write: (digits) => `+1\u00a0${parts(digits).join('\u00a0')}` },
  { what: 'hyphens that do not break, from a word processor', write: (digits) => `+1 ${parts(digits).join('\u2011')}` },
  { what: 'long dashes, as an editor corrects them', write: (digits) => parts(digits).join('–') },
  {
    what: 'direction marks around it, from the contacts of a phone',
    write: (digits) => `\u202a+1 ${dashed(digits)}\u202c`,
  },
  { what: 'a left-to-right mark before it', write: (digits) => `\u200e+1${digits}` },
  { what: 'a byte order mark before it, from the start of a file', write: (digits) => `\ufeff${digits}` },
  { what: 'zero-width spaces between the groups', write: (digits) => `+1\u200b${parts(digits).join('\u200b')}` },
  { what: 'full-width digits, from a Japanese keyboard', write: (digits) => inDigits(0xff10, digits) },
  { what: 'a full-width plus', write: (digits) => `＋１${inDigits(0xff10, digits)}` },
  { what: 'Arabic-Indic digits', write: (digits) => inDigits(0x660, digits) },
  { what: 'Persian digits with a plus', write: (digits) => `+۱${inDigits(0x6f0, digits)}` },
  { what: 'Devanagari digits', write: (digits) => inDigits(0x966, digits) },
  { what: 'backticks, as in chat', write: (digits) => `\`+1${digits}\`` },
  { what: 'bold, as in chat', write: (digits) => `*+1${digits}*` },
  { what: 'bold and italics of Markdown', write: (digits) => `**_+1${digits}_**` },
  { what: 'struck out', write: (digits) => `~${dashed(digits)}~` },
  { what: 'the scheme of a link', write: (digits) => `tel:+1-${dashed(digits)}` },
  { what: 'angle brackets', write: (digits) => `<+1${digits}>` },
  { what: 'single angle quotation marks', write: (digits) => `‹+1${digits}›` },
  { what: 'guillemets', write: (digits) => `«+1 ${dashed(digits)}»` },
  { what: 'a bullet', write: (digits) => `• +1${digits}` },
  { what: 'a dash as a bullet', write: (digits) => `- ${dashed(digits)}` },
  { what: 'the number of a line', write: (digits) => `2. ${dashed(digits)}` },
  { what: 'the international prefix of most countries', write: (digits) => `001${digits}` },
  { what: 'that prefix with spaces', write: (digits) => `00 1 ${parts(digits).join(' ')}` },
  { what: 'the international prefix of the US', write: (digits) => `0111${digits}` },
];

/** Ways that hold a whole number beside other words or in brackets. Doors that split at spaces or brackets leave them. */
export const labelledNumbers: readonly WrittenNumber[] = [
  { what: 'square brackets', write: (digits) => `[+1${digits}]` },
  { what: 'round brackets around all of it', write: (digits) => `(+1 ${dashed(digits)})` },
  { what: 'a label before it', write: (digits) => `Mobile: +1 ${dashed(digits)}` },
  { what: 'an abbreviated label', write: (digits) => `Tel.: ${dashed(digits)}` },
  { what: 'a label behind it', write: (digits) => `${dashed(digits)} (cell)` },
  { what: 'a link of Slack', write: (digits) => `<tel:+1${digits}|${dashed(digits)}>` },
  { what: 'a link of Markdown', write: (digits) => `[${dashed(digits)}](tel:+1${digits})` },
];

/** Texts that are not one number, with the reason by name. */
export const refusedNumbers: readonly { what: string; text: string; says: RegExp }[] = [
  { what: 'an extension', text: '+1 201 555 0101 x5', says: /extension/ },
  { what: 'an extension in words', text: '201-555-0101 ext. 5', says: /extension/ },
  { what: 'an extension of a link', text: 'tel:+12015550101;ext=5', says: /extension/ },
  { what: 'the form of a spreadsheet', text: '1.20156E+10', says: /spreadsheet.*whole number/ },
  { what: 'the same with a decimal comma', text: '1,20156E+10', says: /spreadsheet.*whole number/ },
  { what: 'two numbers where one belongs', text: '+12015550101, +12015550102', says: /2 numbers/ },
  { what: 'a link whose text is another number', text: '<tel:+12015550101|+12015550102>', says: /not a phone number/ },
  { what: 'a number with an order', text: 'not +12015550101', says: /not a phone number/ },
  { what: 'letters for digits', text: '1-800-FLOWERS', says: /not a phone number/ },
];

/** Ways in which people paste several numbers as one list. */
export const pastedLists: readonly { what: string; write: (one: string, two: string) => string }[] = [
  { what: 'commas', write: (one, two) => `${one}, ${two}` },
  { what: 'semicolons without spaces', write: (one, two) => `${one};${two}` },
  { what: 'a space', write: (one, two) => `${one} ${two}` },
  { what: 'a slash', write: (one, two) => `${one} / ${two}` },
  { what: 'a word', write: (one, two) => `${one} and ${two}` },
  { what: 'bullets on lines', write: (one, two) => `• ${one}\n• ${two}` },
  { what: 'numbered lines', write: (one, two) => `1. ${one}\n2. ${two}` },
];
