/* Files with lists: which of them are text, and in which encoding spreadsheets write it. */

/** The text of a file, or the reason why it has none, after the name of the file. */
export type ListFile = { text: string } | { problem: string };

const AS_CSV = 'Save it as CSV (UTF-8), and give that file.';

/** Beginnings of files that are no text. */
const KINDS: readonly (readonly [start: string, what: string])[] = [
  ['PK\u0003\u0004', 'a workbook (.xlsx, .ods or .numbers) or another ZIP file'],
  ['\u00d0\u00cf\u0011\u00e0', 'a workbook of an older Excel (.xls)'],
  ['%PDF', 'a PDF file'],
  ['\u001f\u008b', 'a compressed file (.gz)'],
  ['\u0089PNG', 'a picture'],
  ['\u00ff\u00d8\u00ff', 'a picture'],
  ['{\\rtf', 'a document of a word processor (.rtf)'],
];

/** Reads UTF-8 and UTF-16, each with a byte order mark or without one. */
export function readListFile(bytes: Uint8Array): ListFile {
  const start = String.fromCharCode(...bytes.subarray(0, 8));
  const kind = KINDS.find(([begin]) => start.startsWith(begin));
  if (kind) return { problem: `is ${kind[1]}. ${AS_CSV}` };
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
  const zeros = [0, 1].map((from) => sample.filter((byte, at) => byte === 0 && at % 2 === from).length);
  const [even = 0, odd = 0] = zeros;
  if (odd * 4 > sample.length && even === 0) return 'utf-16le';
  return even * 4 > sample.length && odd === 0 ? 'utf-16be' : 'utf-8';
}
