/** One piece of a typed line. */
export interface Token {
  /** What it says, quotes and escapes undone. */
  text: string;
  /** Where the name of `Field=value` ends; undefined for what stands alone. */
  equals?: number;
  /** True when the value (or the whole piece) stood in quotes: it is no command word, no number and no JSON. */
  quoted: boolean;
}

const DOUBLE = '"“”„‟«»';
/** More than a hundred numbers and every field of the widest operation. */
const MAX_PIECES = 1000;
const SINGLE = "'‘’‚‛";
const NAME = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/;

/**
 * Splits a line at spaces. Quotes (straight or curly, at the start of a piece or of a value) and JSON objects and lists
 * keep theirs; a backslash takes a quote, a space, a bracket or itself literally.
 */
export function tokenize(text: string): { tokens: Token[] } | { problem: string } {
  const tokens: Token[] = [];
  const closers = createClosers(text);
  let at = 0;
  while (at < text.length) {
    if (isSpace(text[at])) {
      at += 1;
      continue;
    }
    let said = '';
    let equals: number | undefined;
    let quoted = false;
    let start = true;
    let named = false;
    while (at < text.length && !isSpace(text[at])) {
      const char = text[at] ?? '';
      if (start && (DOUBLE.includes(char) || SINGLE.includes(char))) {
        const end = closers(at);
        if (end === undefined) {
          return {
            problem: `A quote is opened at ${sample(text, at)} and never closed: close it, or write \\${char}.`,
          };
        }
        said += plainText(text.slice(at + 1, end));
        at = end + 1;
        quoted = true;
      } else if (start && (char === '{' || char === '[')) {
        const json = takeJson(text, at);
        if (!json) {
          return {
            problem: `A bracket is opened at ${sample(text, at)} and never closed: close it, or put the text in quotes.`,
          };
        }
        said += json.text;
        at = json.end;
      } else if (char === '\\' && /[\\"'“”‘’\s{[=]/.test(text[at + 1] ?? '')) {
        said += text[at + 1];
        at += 2;
      } else {
        said += char;
        at += 1;
        // Only the first one can end a name: a name holds none.
        if (char === '=' && !named) {
          named = true;
          if (NAME.test(said.slice(0, -1))) {
            equals = said.length - 1;
            start = true;
            continue;
          }
        }
      }
      start = false;
    }
    tokens.push({ text: said, quoted, ...(equals === undefined ? {} : { equals }) });
    if (tokens.length > MAX_PIECES)
      return {
        problem: `The line has more than ${MAX_PIECES} words: put text with spaces in quotes, or use the form.`,
      };
  }
  return { tokens };
}

/** An argument of a shell, which has undone its quotes already. */
export function argumentToken(text: string): Token {
  const equals = text.indexOf('=');
  return equals > 0 && NAME.test(text.slice(0, equals)) ? { text, equals, quoted: false } : { text, quoted: false };
}

/** A text as it must be typed to be read back as itself. */
export function quoted(text: string): string {
  return text !== '' && !/[\s"'“”„‟«»‘’‚‛\\{[<>&]/.test(text) ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * Undoes what Slack does to typed text: links to the text that was typed, entities to characters.
 * An e-mail address or a phone number becomes itself, whatever it was shown as.
 */
export function fromSlack(text: string): string {
  return text
    .replace(/<tel:([^|<>]*)(?:\|[^<>]*)?>/g, '$1')
    .replace(/<mailto:([^|<>]*)(?:\|[^<>]*)?>/g, '$1')
    .replace(/<((?:https?):\/\/[^|<>]*)(?:\|([^<>]*))?>/g, (_all, url: string, label: string | undefined) =>
      label !== undefined && bareUrl(label) === bareUrl(url) ? label : url,
    )
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

function bareUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}

/**
 * Where the quote opened here closes: before a space or the end of the line, so that apostrophes and inner quotes stay
 * text. A kind of quote that was looked for to the end in vain is not looked for again: the whole line is read a fixed
 * number of times, however many quotes it opens.
 */
function createClosers(text: string): (open: number) => number | undefined {
  const inVain = new Set<string>();

  function find(closers: string, open: number): number | undefined {
    if (inVain.has(closers)) return undefined;
    for (let at = open + 1; at < text.length; at += 1) {
      if (text[at] === '\\') at += 1;
      else if (closers.includes(text[at] ?? '') && (at + 1 === text.length || isSpace(text[at + 1]))) return at;
    }
    inVain.add(closers);
    return undefined;
  }

  return (open) => {
    const opener = text[open] ?? '';
    const family = DOUBLE.includes(opener) ? DOUBLE : SINGLE;
    const straight = opener === '"' || opener === "'";
    // Straight quotes may hold curly ones; where only one end was made curly by a phone, either closes.
    return find(straight ? opener : family, open) ?? (straight ? find(family, open) : undefined);
  };
}

function plainText(text: string): string {
  return text.replace(/\\([\\"'“”‘’])/g, '$1');
}

/** A JSON value from its first bracket to its last, curly quotes made straight. */
function takeJson(text: string, open: number): { text: string; end: number } | undefined {
  let depth = 0;
  let inside: 'straight' | 'curly' | undefined;
  let said = '';
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (inside) {
      if (char === '\\') {
        said += char + (text[at + 1] ?? '');
        at += 1;
      } else if (inside === 'straight' ? char === '"' : '“”'.includes(char)) {
        said += '"';
        inside = undefined;
      } else said += char;
      continue;
    }
    if (char === '"' || '“”'.includes(char)) {
      inside = char === '"' ? 'straight' : 'curly';
      said += '"';
      continue;
    }
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    said += char;
    if (depth === 0) return { text: said, end: at + 1 };
  }
  return undefined;
}

function isSpace(char: string | undefined): boolean {
  return char !== undefined && /\s/.test(char);
}

/** Where it is, without repeating what may be secret: the last word before it. */
function sample(text: string, at: number): string {
  const before = text.slice(0, at).trimEnd().split(/\s+/).at(-1) ?? '';
  const name = before.includes('=') ? before.slice(0, before.indexOf('=') + 1) : '';
  return name === '' ? `character ${at + 1}` : name;
}
