import { groups } from '../../tools/groups.ts';
import { fieldsOf } from '../catalogue/input.ts';
import type { Field, Parsed, Tool } from '../catalogue/operation.ts';
import { nearest } from '../lib/nearest.ts';
import { defined, type Fields, isRecord, plainForm, withPlainDigits } from '../lib/values.ts';
import { type Style, type Token, tokenize, wordsOf } from './help.ts';
import { fitsId, parseFields, readPhone } from './typed-values.ts';

type Problem = Extract<Parsed, { kind: 'problem' }>;

const BARE: Style['command'] = (group) => group;

/**
 * Parses a line as a person typed it after a command.
 *
 * @param group the command's word; "number" is short for "numbers"
 * @param command writes the commands that a problem names as they are typed on the surface
 */
export function parseLine(group: string, text: string, tools: readonly Tool[], command = BARE): Parsed {
  const split = tokenize(text);
  if ('problem' in split) return { kind: 'problem', message: split.problem };
  return parseTokens(group, split.tokens, tools, command);
}

/** Like `parseLine`, for tokens that are already split, such as the arguments of a shell. */
export function parseTokens(word: string, tokens: readonly Token[], tools: readonly Tool[], command = BARE): Parsed {
  const lower = word.toLowerCase();
  const group = [lower, `${lower}s`].find((name) => tools.some((tool) => tool.group === name));
  if (group === undefined) {
    const suggestion = nearest(word, [...new Set(tools.map((tool) => tool.group))]);
    const message = `There is no group ${word}.${suggestion ? ` Did you mean ${suggestion}?` : ''}`;
    return { kind: 'problem', message, ...defined({ suggestion }) };
  }
  const own = tools.filter((tool) => tool.group === group);
  const rest = tokens
    .map((token) => (isWord(token) ? { ...token, text: withPlainDigits(token.text) } : token))
    .flatMap(endsApart);
  const wantsHelp = takes(rest, -1, /^(--?)?help$|^-h$/i) || takes(rest, 0, /^help$/i);
  if (rest.length === 0) return { kind: 'help', group };
  const form = !wantsHelp && takes(rest, -1, /^form$/i);
  const match = matchWords(own, rest);
  if (wantsHelp) return match && match.used > 0 ? { kind: 'help', group, tool: match.tool } : { kind: 'help', group };
  if (!match) return named(group, own, rest) ?? unknownWords(group, own, rest, command(group));
  const parsed = parseFields(match.tool, rest.slice(match.used));
  return parsed.kind === 'call' ? { ...parsed, form } : parsed;
}

function isWord({ quoted, equals }: Token): boolean {
  return !quoted && equals === undefined;
}

/** Last digits, or several with commas and no space between them. */
const ENDS = /^[.…*x]*\d{3,6}(?:[,;][.…*x]*\d{3,6})*[,;]?$/i;
/** An amount with commas. */
const AMOUNT = /^\d{1,3}(?:,\d{3})*,000$/;

/** A token for each of several last digits: "0102,0103". */
function endsApart(token: Token): Token[] {
  const text = plainForm(token.text);
  if (!isWord(token) || !ENDS.test(text) || AMOUNT.test(text)) return [token];
  return text
    .split(/[,;]/)
    .filter((end) => end !== '')
    .map((end) => ({ text: end, quoted: false }));
}

/** Last digits, or an id. */
const TARGET = /^(?:[.…*x]*\d{3,6}|[A-Z]{2,7}-(?=.*\d)[\w-]{4,})[,;]?$/i;

/** The rows of a batch that a line names, and what else it says: "numbers status 0101 0103 StatusChange=park". */
export function parseRows(
  group: string,
  text: string,
  tools: readonly Tool[],
): { targets: readonly string[]; parsed: Parsed } {
  const split = tokenize(text);
  if ('problem' in split) return { targets: [], parsed: { kind: 'problem', message: split.problem } };
  const tokens = split.tokens.flatMap(endsApart);
  const targets: string[] = [];
  const others: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    const phone = readPhone(tokens, at);
    const typed = plainForm(token?.text ?? '');
    if (phone) targets.push(...phone.numbers);
    else if (token?.equals === undefined && TARGET.test(typed)) targets.push(typed.replace(/[,;]$/, ''));
    else if (token) others.push(token);
    at += (phone?.used ?? 1) - 1;
  }
  return { targets, parsed: parseTokens(group, others, tools) };
}

/** A verb that asks for a new record. It is the name of none. */
const MAKES = /^(?:create|new|add|make)$/;

/** A record of the group that is named without an operation: "subscribers ava stone". */
function named(group: string, own: readonly Tool[], tokens: readonly Token[]): Parsed | undefined {
  const bare = bareOf(own);
  const [first = ''] = tokens.flatMap((token) => partsOf(token) ?? []);
  const words = own.flatMap((tool) => spellings(tool).flatMap(([word]) => word ?? []));
  // A short name is as near to a word as a typing error: "ben" to "get".
  const isMisspelt = nearest(first, words, first.length < 5 ? 1 : 2) !== undefined;
  if (!bare || groups[group]?.find !== undefined || isMisspelt || MAKES.test(first)) return undefined;
  const parsed = parseFields(bare, tokens);
  return parsed.kind === 'call' ? parsed : undefined;
}

/** The operation with the most words that begin the tokens, and how many tokens the words take. */
function matchWords(tools: readonly Tool[], tokens: readonly Token[]): { tool: Tool; used: number } | undefined {
  let best: { tool: Tool; used: number; words: number } | undefined;
  for (const tool of tools)
    for (const words of spellings(tool)) {
      const used = words.length > (best?.words ?? 0) ? tokensTaken(words, tokens) : undefined;
      if (used !== undefined) best = { tool, used, words: words.length };
    }
  if (best) return best;
  const bare = bareOf(tools);
  const first = tokens[0];
  if (!first) return undefined;
  const lookup = tools.find((tool) => tool.id === groups[tool.group]?.lookup);
  const areEnds =
    tokens.length > 1 && tokens.every((token) => isWord(token) && /\d{4}/.test(token.text) && ENDS.test(token.text));
  if (lookup && first.equals === undefined && (areEnds || readPhone(tokens, 0))) return { tool: lookup, used: 0 };
  if (!bare) return undefined;
  const fits =
    first.equals !== undefined || readPhone(tokens, 0) || fieldsOf(bare).some((field) => fitsId(field, first.text));
  return fits ? { tool: bare, used: 0 } : undefined;
}

/**
 * The ways to write an operation: a read's last "get" may be left out, the whole id may be given, and aliases count.
 */
function spellings(tool: Tool): string[][] {
  const words = wordsOf(tool);
  const all = [words];
  if (words.length < tool.id.split('_').length) all.push(tool.id.split('_'));
  if (tool.risk === 'read' && words.at(-1) === 'get') all.push(words.slice(0, -1));
  for (const [alias, id] of Object.entries(groups[tool.group]?.aliases ?? {})) if (id === tool.id) all.push([alias]);
  return all;
}

/** The operation that needs no words, such as the details of a record. */
function bareOf(tools: readonly Tool[]): Tool | undefined {
  return tools.find((tool) => spellings(tool).some((words) => words.length === 0));
}

function tokensTaken(words: readonly string[], tokens: readonly Token[]): number | undefined {
  let next = 0;
  for (const [index, token] of tokens.entries()) {
    const parts = partsOf(token);
    if (!parts || parts.some((part, i) => words[next + i] !== part)) return undefined;
    next += parts.length;
    if (next === words.length) return index + 1;
  }
  return undefined;
}

function partsOf(token: Token): string[] | undefined {
  if (!isWord(token) || !/^[A-Za-z][\w/-]*$/.test(token.text)) return undefined;
  return token.text.toLowerCase().split(/[-_/]+/);
}

function unknownWords(group: string, tools: readonly Tool[], tokens: readonly Token[], command: string): Problem {
  const end = [...tokens, undefined].findIndex((token) => token === undefined || partsOf(token) === undefined);
  const words = tokens.slice(0, end).flatMap((token) => partsOf(token) ?? []);
  const typed = words.join(' ');
  const longer = tools.filter((tool) => typed !== '' && `${wordsOf(tool).join(' ')} `.startsWith(`${typed} `));
  if (longer.length > 0) {
    const all = longer.map((tool) => `${command} ${wordsOf(tool).join(' ')}`);
    const message = `"${typed}" matches several operations: ${all.join(', ')}. Type one of them.`;
    return { kind: 'problem', message, ...defined({ suggestion: all[0] }), tools: longer };
  }
  const known = tools.flatMap((tool) => spellings(tool).map((spelling) => spelling.join(' ')));
  // Later words may be text, so shorter beginnings are tried as well, longest first.
  let near: string | undefined;
  for (let count = Math.min(words.length, 6); count > 0 && near === undefined; count -= 1)
    near = nearest(words.slice(0, count).join(' '), known);
  const suggestion = near && `${command} ${near}`;
  const none = `There is no operation ${group} ${typed || (tokens[0]?.text ?? '')}.`;
  const message = `${none}${suggestion ? ` Did you mean ${suggestion}?` : ''} Type ${command} help to list all operations.`;
  return { kind: 'problem', message, ...defined({ suggestion }) };
}

/** True if the token at this place is the word, which is then removed. */
function takes(tokens: Token[], at: 0 | -1, word: RegExp): boolean {
  const token = tokens.at(at);
  if (!token || !isWord(token) || !word.test(token.text)) return false;
  tokens.splice(at, 1);
  return true;
}

/** Names of the secret fields in an input that was typed on a line. */
export function secretsTyped(tool: Tool, input: Fields): string[] {
  return secretsIn(fieldsOf(tool), input, '');
}

function secretsIn(fields: readonly Field[], input: Fields, prefix: string): string[] {
  return fields.flatMap((field) => {
    const value = input[field.name];
    if (value === undefined || value === null) return [];
    if (field.secret) return [prefix + field.name];
    const records = [value].flat().filter(isRecord);
    return [...new Set(records.flatMap((row) => secretsIn(field.fields ?? [], row, `${prefix}${field.name}.`)))];
  });
}
