import stringWidth from 'string-width';

/**
 * Wraps a text for a terminal at its spaces. Its line breaks and rows of spaces stay, and no word is cut.
 *
 * @param columns width of the terminal
 * @param hanging spaces before the further lines of a wrapped line, beyond the spaces it begins with
 */
export function prose(text: string, columns: number, hanging = 0): string {
  const lines = text.split('\n');
  return lines.map((line) => (textWidth(line) <= columns ? line : wrapped(line, columns, hanging))).join('\n');
}

/** Wraps like `prose` if the stream is a terminal. In a pipe, lines stay as they are. */
export function onTerminal(
  text: string,
  stream: { isTTY?: boolean | undefined; columns?: number | undefined },
  hanging = 0,
): string {
  return stream.isTTY === true ? prose(text, stream.columns || 80, hanging) : text;
}

function wrapped(line: string, columns: number, hanging: number): string {
  const indent = /^ */.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = indent;
  let isEmpty = true;
  for (const word of line.slice(indent.length).split(' ')) {
    if (!isEmpty && textWidth(current) + 1 + textWidth(word) > columns) {
      lines.push(current);
      current = indent + ' '.repeat(hanging);
      isEmpty = true;
    }
    current += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, current].join('\n');
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

const ASCII = /^[ -~]*$/;

/** A longer text fits on no terminal, so its length is used as its width. Measuring takes more than linear time. */
const LONG = 1_000;

/** Number of columns that a text takes on a terminal: two for a CJK character or an emoji, none for a combining mark. */
export function textWidth(text: string): number {
  return text.length > LONG || ASCII.test(text) ? text.length : stringWidth(text);
}
