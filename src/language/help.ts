import { groups } from '../../tools/groups.ts';
import { fieldsOf, soleMember } from '../catalogue/input.ts';
import type { Field, Tool } from '../catalogue/operation.ts';
import { cleanText, type Fields, isRecord, recordOf } from '../lib/values.ts';

/** The syntax of commands on a surface. */
export interface Style {
  /** The text before an operation's words: "/numbers", "switchboard call numbers". */
  command: (group: string) => string;
  /** True if a line may contain secrets. Otherwise examples leave them out. */
  secrets: boolean;
}

export const terminalStyle: Style = { command: (group) => `switchboard call ${group}`, secrets: true };

/** `prefix` is SLACK_COMMAND_PREFIX: "sb" makes /sb-numbers. */
export function slackStyle(prefix?: string): Style {
  return { command: (group) => (prefix ? `/${prefix}-${group}` : `/${group}`), secrets: false };
}

export interface Help {
  title: string;
  text: string;
  lines: {
    /** The text to type: a command, or a field's name. */
    say: string;
    /** The purpose of the command or field. */
    text: string;
    /** The risk of a command ("asks an approver, costs money") or the kind of a field. */
    remark?: string;
    required?: boolean;
    /** A complete line to type, or a field's example value. */
    example?: string;
  }[];
  /** A complete line to type. */
  example?: string;
}

const RISK: Readonly<Record<Tool['risk'], string>> = {
  read: 'only reads',
  write: 'changes records after a yes',
  spend: 'asks an approver, costs money or reaches a person',
  destroy: 'asks an approver, takes service, data or control away',
};

/** What a call needs and does, in words: "asks an approver, costs money". */
export function riskWords({ risk, free }: Pick<Tool, 'risk' | 'free'>): string {
  return free === undefined ? RISK[risk] : 'needs no yes';
}

/** Says which inputs of a change an approver must confirm. Empty if there are none. */
export function raisedWords(tool: Pick<Tool, 'raisedBy'>): string {
  if (tool.raisedBy === undefined) return '';
  return ` An approver must approve ${tool.raisedBy.includes('; ') ? 'any of these: ' : ''}${tool.raisedBy}.`;
}

/** The operations of one group. */
export function helpOfGroup(group: string, tools: readonly Tool[], style: Style): Help {
  // Workflows are used most, so they come first.
  const own = tools
    .filter((tool) => tool.group === group)
    .sort((a, b) => Number(b.kind === 'workflow') - Number(a.kind === 'workflow'));
  return {
    title: groups[group]?.title ?? group,
    text: groups[group]?.description ?? '',
    lines: own.map((tool) => ({
      say: `${style.command(group)} ${shortWords(tool).join(' ')}`.trimEnd(),
      text: tool.title,
      remark: riskWords(tool),
      example: `${style.command(group)} ${exampleLine(tool, style)}`,
    })),
  };
}

/** Help for one operation: its description, its fields, and a line to copy. */
export function helpOfTool(tool: Tool, style: Style): Help {
  return {
    title: `${tool.title} (${commandOf(tool)})`,
    text: `${tool.description} This ${riskWords(tool)}.${raisedWords(tool)}`,
    lines: fieldsOf(tool).map((field) => ({
      say: field.name,
      text: describe(field, style),
      remark: kindWords(field),
      required: field.required,
      ...(field.example === undefined || (field.secret && !style.secrets) ? {} : { example: field.example }),
    })),
    example: `${style.command(tool.group)} ${exampleLine(tool, style)}`,
  };
}

function describe(field: Field, style: Style): string {
  const parts = [field.description === '' ? field.label : `${field.label}: ${field.description}`];
  if (field.choices) parts.push(`one of ${field.choices.join(', ')}`);
  const members = field.fields?.map(({ name, required }) => name + (required ? '' : '?'));
  if (members) parts.push(`with ${members.join(', ')}`);
  if (field.default !== undefined) parts.push(`default ${JSON.stringify(field.default)}`);
  if (field.secret) parts.push(style.secrets ? 'secret: never shown again' : 'secret: asked for in a form');
  return parts.join('; ');
}

/** Kinds of values in other words than their own. */
const KINDS: Partial<Record<Field['kind'], string>> = {
  multiline: 'text',
  boolean: 'yes or no',
  phone: 'phone number',
  iccid: '18 to 22 digits',
  'us-date': 'date',
  since: 'time, such as 8h',
  keywords: 'JSON',
  choices: 'list with commas',
  group: 'members',
  rows: 'list of objects',
};

/** The kind of a field's value, in a few words. */
function kindWords(field: Field): string {
  const entry = entryOf(field);
  if (entry && entry !== field) return `list: ${kindWords(entry)}`;
  if (field.kind === 'id') return `id ${(field.ids ?? []).map((prefix) => `${prefix}-…`).join(' or ')}`.trim();
  return KINDS[field.kind] ?? field.kind;
}

/** An operation's words as people type them, without a read's last "get" if other words remain. */
export function shortWords(tool: Tool): string[] {
  const words = wordsOf(tool);
  return tool.risk === 'read' && words.length > 1 && words.at(-1) === 'get' ? words.slice(0, -1) : words;
}

/** The first example as typed after the group's command. `parseLine` reads it back as the same input. */
export function exampleLine(tool: Tool, style: Pick<Style, 'secrets'> = terminalStyle): string {
  return inputLine(tool, tool.examples[0] ?? {}, style);
}

/** Writes an input as a line that `parseLine` reads back as the same input. */
export function inputLine(tool: Tool, input: Readonly<Fields>, style: Pick<Style, 'secrets'> = terminalStyle): string {
  const pieces = fieldsOf(tool)
    .filter((field) => input[field.name] !== undefined && (style.secrets || !field.secret))
    .flatMap((field) => writeField(field, input[field.name], style));
  return [...shortWords(tool), ...pieces].join(' ');
}

function writeField(field: Field, value: unknown, style: Pick<Style, 'secrets'>): string[] {
  const members = field.kind === 'group' ? Object.values(recordOf(value)) : [];
  if (isRecord(value) && members.length > 0 && !members.some((one) => typeof one === 'object'))
    return (field.fields ?? [])
      .filter((member) => value[member.name] !== undefined && (style.secrets || !member.secret))
      .map((member) => `${field.name}.${member.name}=${quoted(String(value[member.name]))}`);
  if (['list', 'rows'].includes(field.kind) && Array.isArray(value)) {
    const member = soleMember(field)?.name ?? '';
    const plain = value.map((row: unknown) =>
      isRecord(row) && Object.keys(row).length === 1 ? row[member] : field.kind === 'list' && row,
    );
    const isPlain = (one: unknown) =>
      typeof one === 'string' && one !== '' && !one.includes(',') && quoted(one) === one;
    if (value.length > 0 && plain.every(isPlain)) return [`${field.name}=${plain.join(',')}`];
  }
  return [`${field.name}=${typeof value === 'string' ? quoted(value) : JSON.stringify(value)}`];
}

/* Problems of a typed line in words. They name fields as they are typed, on every surface. */

/** The field of one value: an entry of a list, the member of a row that a value stands for, or the field itself. */
export function entryOf(field: Field): Field | undefined {
  return field.kind === 'list' ? field.items : field.kind === 'rows' ? soleMember(field) : field;
}

/** A value that a field takes, as people write it. */
function exampleOf(field: Field): string | undefined {
  if (['group', 'json', 'keywords'].includes(field.kind)) return undefined;
  const entry = entryOf(field);
  if (entry !== field) return entry && exampleOf(entry);
  return field.example ?? field.choices?.[0] ?? (field.kind === 'boolean' ? 'yes' : undefined);
}

/** The next step: "For example OrderId=…". */
export function hintFor(tool: Tool, field: Field, path = field.name): string {
  const value = exampleOf(field);
  if (value === undefined) return `${commandOf(tool)} --help shows how to give ${path}.`;
  return `For example ${path}=${quoted(value)}.`;
}

/** The words after the command: "numbers_portin_update" is "portin update" after "numbers". */
export function wordsOf(tool: Tool): string[] {
  const words = tool.id.split('_');
  return words[0] === tool.group ? words.slice(1) : words;
}

/** The whole name in words: "numbers portin update". */
export function commandOf(tool: Tool): string {
  return [tool.group, ...wordsOf(tool)].join(' ');
}

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
  const takeQuote = quoteReader(text);
  for (let at = 0; at < text.length; at += 1) {
    if (isSpace(text[at])) continue;
    const from = at;
    let value = '';
    let equals: number | undefined;
    let quoted = false;
    let hasSign = false;
    /** True at the beginning of the token, and of the value behind its name. */
    let start = true;
    while (at < text.length && !isSpace(text[at])) {
      const char = text[at] ?? '';
      const isQuote = start && char in CLOSERS;
      const isJson = start && (char === '{' || char === '[');
      const whole = isQuote ? takeQuote(at) : isJson ? takeJson(text, at) : undefined;
      if (!whole && (isJson || (isQuote && !SELDOM.includes(char)))) {
        const [what, instead] = isJson ? ['bracket', 'put the text in quotes'] : ['quote', `write \\${char}`];
        return { problem: `A ${what} is opened at ${sample(text, at)} and never closed: close it, or ${instead}.` };
      }
      const isEscape = char === '\\' && /[\\"'“”‘’\s{[=]/.test(text[at + 1] ?? '');
      const part = whole ?? (isEscape ? { text: text[at + 1], end: at + 2 } : { text: char, end: at + 1 });
      value += part.text;
      at = part.end;
      quoted ||= isQuote && whole !== undefined;
      start &&= isUnseen(char);
      // Only the first = can end a name.
      if (char !== '=' || hasSign) continue;
      hasSign = true;
      if (NAME.test(cleanText(value.slice(0, -1)))) [equals, start] = [value.length - 1, true];
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
 * Reads the text of a quote up to a closing mark before a space or the end of the line, so that apostrophes and inner quotes
 * stay text. A pair inside is passed over. Remembers the closing marks that a line does not have, so that the number of
 * scans does not grow with the number of quotes.
 */
function quoteReader(text: string): (open: number) => { text: string; end: number } | undefined {
  const missing = new Set<string>();

  function isTokenEnd(at: number): boolean {
    let next = at;
    while (next < text.length && isUnseen(text[next] ?? '')) next += 1;
    return next === text.length || isSpace(text[next]);
  }

  function find(opener: string, closers: string, open: number): number | undefined {
    let depth = 0;
    let last: number | undefined;
    for (let at = open + 1; at < text.length; at += 1) {
      const char = text[at] ?? '';
      if (char === '\\') at += 1;
      else if (char === opener && !closers.includes(opener)) depth += 1;
      else if (closers.includes(char)) {
        if (isTokenEnd(at + 1)) last = at;
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
      const end = missing.has(opener + closers) ? undefined : find(opener, closers, open);
      if (end !== undefined) return { text: text.slice(open + 1, end).replace(/\\([\\"'“”‘’])/g, '$1'), end: end + 1 };
    }
    return undefined;
  };
}

/** A JSON value from its first bracket to its last, curly quotes made straight. */
function takeJson(text: string, open: number): { text: string; end: number } | undefined {
  let depth = 0;
  /** The marks that end the text inside. */
  let closers: string | undefined;
  let json = '';
  for (let at = open; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (closers?.includes(char) ?? '"“”'.includes(char)) {
      json += '"';
      closers = closers === undefined ? (char === '"' ? '"' : '“”') : undefined;
    } else if (closers !== undefined) {
      json += char;
      if (char === '\\') {
        at += 1;
        json += text[at] ?? '';
      }
    } else if (!isUnseen(char)) {
      json += char;
      if (char === '{' || char === '[') depth += 1;
      if (char === '}' || char === ']') depth -= 1;
      if (depth === 0) return { text: json, end: at + 1 };
    }
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
