import { cleanText } from '../lib/values.ts';

/** One token of a typed line. */
export interface Token {
  /** The text without its quotes and escapes. */
  text: string;
  /** The index of the `=` of `Field=value`; undefined for a token without a name. */
  equals?: number;
  /** True if the value or the whole token was in quotes. It is then not read as a command word, a number or JSON. */
  quoted: boolean;
  /** Its place in the line; undefined for an argument of a shell. */
  place?: { start: number; end: number };
}

/** The marks that close a quotation, by the one that opens it: of its own pair, the likelier first. */
const CLOSERS: Readonly<Record<string, readonly string[]>> = {
  '"': ['"', '“”'],
  "'": ["'", '‘’'],
  '“': ['”', '"'],
  '‘': ['’', "'"],
  '„': ['“', '”', '"'],
  '‚': ['‘', '’', "'"],
  '«': ['»'],
  '»': ['«', '»'],
  '‹': ['›'],
  '”': ['”'],
  '’': ['’'],
};
/** Marks that open a quotation in some languages only. Without another one they are part of the text: ’tis. */
const SELDOM = '”’»';
/** Maximum number of tokens: enough for a hundred numbers and every field of the largest operation. */
const MAX_TOKENS = 1000;
const NAME = /^[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z0-9_]+)*$/;

/** A space inside a link of Slack, which is one value: it does not split a line. It cannot be typed. */
export const INNER_SPACE = '\u2005';

/**
 * Splits a line at spaces. invisible characters are kept in values, where the gate removes them and says so, and
 * are ignored everywhere else. Spaces inside quotes (a pair of any kind, at the start and the end of a token or of a value)
 * and inside JSON objects and lists do not split. Quotes anywhere else stay as they are. A backslash makes a quote, a
 * space, a bracket or itself literal.
 */
export function tokenize(text: string): { tokens: Token[] } | { problem: string } {
  const tokens: Token[] = [];
  const findQuoteEnd = quoteFinder(text);
  let at = 0;
  while (at < text.length) {
    if (isSpace(text[at])) {
      at += 1;
      continue;
    }
    let value = '';
    let equals: number | undefined;
    let quoted = false;
    let start = true;
    let named = false;
    const from = at;
    while (at < text.length && !isSpace(text[at])) {
      const char = text[at] ?? '';
      if (start && isUnseen(char)) {
        value += char;
        at += 1;
        continue;
      }
      const end = start && char in CLOSERS ? findQuoteEnd(at) : undefined;
      if (start && char in CLOSERS && (end !== undefined || !SELDOM.includes(char))) {
        if (end === undefined) {
          return {
            problem: `A quote is opened at ${sample(text, at)} and never closed: close it, or write \\${char}.`,
          };
        }
        value += text.slice(at + 1, end).replace(/\\([\\"'“”‘’])/g, '$1');
        at = end + 1;
        quoted = true;
      } else if (start && (char === '{' || char === '[')) {
        const json = takeJson(text, at);
        if (!json) {
          return {
            problem: `A bracket is opened at ${sample(text, at)} and never closed: close it, or put the text in quotes.`,
          };
        }
        value += json.text;
        at = json.end;
      } else if (char === '\\' && /[\\"'“”‘’\s{[=]/.test(text[at + 1] ?? '')) {
        value += text[at + 1];
        at += 2;
      } else {
        value += char;
        at += 1;
        // Only the first = can end a name.
        if (char === '=' && !named) {
          named = true;
          if (NAME.test(cleanText(value.slice(0, -1)))) {
            equals = value.length - 1;
            start = true;
            continue;
          }
        }
      }
      start = false;
    }
    tokens.push({ ...tokenOf(value.replaceAll(INNER_SPACE, ' '), equals), quoted, place: { start: from, end: at } });
    if (tokens.length > MAX_TOKENS)
      return {
        problem: `The line has more than ${MAX_TOKENS} words: put text with spaces in quotes, or use the form.`,
      };
  }
  return { tokens };
}

/** A token from a shell argument, whose quotes the shell has removed. */
export function argumentToken(text: string): Token {
  const equals = text.indexOf('=');
  const isNamed = equals > 0 && NAME.test(cleanText(text.slice(0, equals)));
  return { ...tokenOf(text, isNamed ? equals : undefined), quoted: false };
}

/** A token whose name, or all of it if it has none, has only characters that can be seen. */
function tokenOf(text: string, equals: number | undefined): Pick<Token, 'text' | 'equals'> {
  if (equals === undefined) return { text: cleanText(text) };
  const name = cleanText(text.slice(0, equals));
  return { text: `${name}${text.slice(equals)}`, equals: name.length };
}

/** Quotes a text if needed, so that it is read back unchanged. */
export function quoted(text: string): string {
  return text !== '' && !/[\s"'“”„‟«»‘’‚‛\\{[<>&]/.test(text) ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

/**
 * Finds the end of a quote: a closing quote before a space or the end of the line, so that apostrophes and inner quotes
 * stay text. A pair inside is passed over. Remembers the closing quotes that a line does not have, so that the number of
 * scans does not grow with the number of quotes.
 */
function quoteFinder(text: string): (open: number) => number | undefined {
  const missing = new Set<string>();

  function find(opener: string, closers: string, open: number): number | undefined {
    if (missing.has(opener + closers)) return undefined;
    let depth = 0;
    let last: number | undefined;
    for (let at = open + 1; at < text.length; at += 1) {
      const char = text[at] ?? '';
      if (char === '\\') at += 1;
      else if (char === opener && !closers.includes(opener)) depth += 1;
      else if (closers.includes(char)) {
        // The token ends at a space or the end of the line.
        let next = at + 1;
        while (next < text.length && isUnseen(text[next] ?? '')) next += 1;
        if (next === text.length || isSpace(text[next])) last = at;
        if (depth === 0 && last === at) return at;
        depth = Math.max(0, depth - 1);
      }
    }
    if (last === undefined) missing.add(opener + closers);
    return last;
  }

  return (open) => {
    const opener = text[open] ?? '';
    // If a phone made only one end curly, either kind closes the quote.
    for (const closers of CLOSERS[opener] ?? []) {
      const end = find(opener, closers, open);
      if (end !== undefined) return end;
    }
    return undefined;
  };
}

/** A JSON value from its first bracket to its last, curly quotes made straight. */
function takeJson(text: string, open: number): { text: string; end: number } | undefined {
  let depth = 0;
  let inside: 'straight' | 'curly' | undefined;
  let json = '';
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (inside) {
      if (char === '\\') {
        json += char + (text[at + 1] ?? '');
        at += 1;
      } else if (inside === 'straight' ? char === '"' : '“”'.includes(char)) {
        json += '"';
        inside = undefined;
      } else json += char;
      continue;
    }
    if (char === '"' || '“”'.includes(char)) {
      inside = char === '"' ? 'straight' : 'curly';
      json += '"';
      continue;
    }
    if (isUnseen(char)) continue;
    if (char === '{' || char === '[') depth += 1;
    if (char === '}' || char === ']') depth -= 1;
    json += char;
    if (depth === 0) return { text: json, end: at + 1 };
  }
  return undefined;
}

function isUnseen(char: string): boolean {
  return cleanText(char) === '';
}

function isSpace(char: string | undefined): boolean {
  return char !== undefined && char !== INNER_SPACE && /\s/.test(char);
}

/** Names the position by the field before it, without repeating text that may be secret. */
function sample(text: string, at: number): string {
  const before = text.slice(0, at).trimEnd().split(/\s+/).at(-1) ?? '';
  const name = before.includes('=') ? before.slice(0, before.indexOf('=') + 1) : '';
  return name === '' ? `character ${at + 1}` : name;
}
