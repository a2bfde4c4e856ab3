import { textWidth } from './table.ts';

/**
 * Wraps a text for a terminal at its spaces. Its line breaks stay, and no word is cut.
 *
 * @param columns width of the terminal
 * @param hanging spaces before the further lines of a wrapped line, beyond the spaces it begins with
 */
export function prose(text: string, columns: number, hanging = 0): string {
  return text
    .split('\n')
    .flatMap((line) => wrapped(line, columns, hanging))
    .join('\n');
}

/** Wraps like `prose` if the stream is a terminal. In a pipe, lines stay as they are. */
export function onTerminal(
  text: string,
  stream: { isTTY?: boolean | undefined; columns?: number | undefined },
  hanging = 0,
): string {
  return stream.isTTY === true ? prose(text, stream.columns || 80, hanging) : text;
}

/** The width for which help texts are written. */
const WRITTEN = 80;
/** A line that continues a paragraph, or the text beside a name. */
const CONTINUES = /^(\S| {6,})/;
/** A line of a list: a name, and its text beside it. */
const LISTED = /^ +\S+(?: \S+)* {2,}(?=\S)/;

/**
 * Fits a help text to a terminal that is narrower than 80 columns: paragraphs are wrapped again, and a text beside a name
 * goes on below its beginning.
 */
export function helpText(text: string, columns: number): string {
  if (columns >= WRITTEN) return text;
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const before = lines.at(-1) ?? '';
    const isUsage = /^(Usage:| +or:)/.test(before) && !line.startsWith(' ');
    if (before !== '' && !before.endsWith(':') && !isUsage && CONTINUES.test(line))
      lines[lines.length - 1] = `${before} ${line.trimStart()}`;
    else lines.push(line);
  }
  return lines
    .flatMap((line) => {
      const indent = /^ */.exec(line)?.[0].length ?? 0;
      const name = LISTED.exec(line)?.[0].length;
      return wrapped(line, columns, name === undefined ? 0 : name - indent);
    })
    .join('\n');
}

function wrapped(line: string, columns: number, hanging: number): string[] {
  if (textWidth(line) <= columns) return [line];
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = '';
  // Only single spaces are breaks, so that several spaces in a row are kept.
  for (const word of line.slice(indent.length).split(' ')) {
    const margin = lines.length === 0 ? indent : indent + ' '.repeat(hanging);
    if (current === '') current = margin + word;
    else if (textWidth(current) + 1 + textWidth(word) <= columns) current = `${current} ${word}`;
    else {
      lines.push(current);
      current = indent + ' '.repeat(hanging) + word;
    }
  }
  return [...lines, current];
}

/** Spaces before the further lines of a wrapped line, so that they look like no line of the question. */
const HANGING = 6;

/** A question for a narrow terminal. The rows of what will be sent are not wrapped, so that they are read exactly. */
export function fitted(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) => (/^[ >]/.test(line) ? line : prose(line, columns, HANGING)))
    .join('\n');
}
