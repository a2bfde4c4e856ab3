import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { groups } from '../../tools/groups.ts';
import type { Field, Parsed } from '../catalogue/field-types.ts';
import { fieldsOf, isRecord, soleMember, takesNull } from '../catalogue/fields.ts';
import type { Tool } from '../catalogue/operation.ts';
import { nearest } from '../lib/nearest.ts';
import { argumentToken, fromSlack, quoted, type Token, tokenize } from './tokens.ts';

export { argumentToken, fromSlack, quoted, type Token, tokenize };

type Problem = Extract<Parsed, { kind: 'problem' }>;
type Input = Record<string, unknown>;

/** The words after the command: "numbers_portin_update" is "portin update" after "numbers". */
export function wordsOf(tool: Tool): string[] {
  const words = tool.id.split('_');
  return words[0] === tool.group ? words.slice(1) : words;
}

/** The whole name in words: "numbers portin update". */
export function commandOf(tool: Tool): string {
  return [tool.group, ...wordsOf(tool)].join(' ');
}

/** What a line typed after a command means. `group` is the command's word; "number" is short for "numbers". */
export function parseLine(group: string, text: string, tools: readonly Tool[]): Parsed {
  const split = tokenize(fromSlack(text));
  if ('problem' in split) return { kind: 'problem', message: split.problem };
  return parseTokens(group, split.tokens, tools);
}

/** The same for pieces already split, by a shell for one. */
export function parseTokens(command: string, tokens: readonly Token[], tools: readonly Tool[]): Parsed {
  const group = groupNamed(command, tools);
  if (group === undefined) {
    const near = nearest(command, [...new Set(tools.map((tool) => tool.group))]);
    return {
      kind: 'problem',
      message: `There is no group ${command}.${near ? ` Did you mean ${near}?` : ''}`,
      ...(near ? { suggestion: near } : {}),
    };
  }
  const own = tools.filter((tool) => tool.group === group);
  const rest = [...tokens];
  const wantsHelp = takeLast(rest, /^(--?)?help$|^-h$/i) || takeFirst(rest, /^help$/i);
  if (rest.length === 0) return { kind: 'help', group };
  const form = !wantsHelp && takeLast(rest, /^form$/i);
  const match = matchWords(own, rest);
  if (wantsHelp) return match && match.used > 0 ? { kind: 'help', group, tool: match.tool } : { kind: 'help', group };
  if (!match) return unknownWords(group, own, rest);
  const parsed = parseFields(match.tool, rest.slice(match.used));
  if (parsed.kind === 'call') return { ...parsed, form };
  return parsed.kind === 'problem' && parsed.suggestion === undefined
    ? withNearOperation(parsed, match.tool, own, rest[match.used])
    : parsed;
}

/** The longest operation whose words begin the pieces, and how many pieces they take. */
export function matchWords(tools: readonly Tool[], tokens: readonly Token[]): { tool: Tool; used: number } | undefined {
  let best: { tool: Tool; used: number; words: number } | undefined;
  for (const tool of tools) {
    for (const words of spellings(tool)) {
      const used = words.length === 0 ? undefined : consumed(words, tokens);
      if (used !== undefined && (!best || words.length > best.words)) best = { tool, used, words: words.length };
    }
  }
  if (best) return { tool: best.tool, used: best.used };
  const bare = tools.find((tool) => spellings(tool).some((words) => words.length === 0));
  const first = tokens[0];
  if (!first) return undefined;
  const lookup = tools.find((tool) => tool.id === groups[tool.group]?.lookup);
  if (lookup && first.equals === undefined && takePhone(tokens, 0)) return { tool: lookup, used: 0 };
  if (!bare) return undefined;
  const fits =
    first.equals !== undefined || takePhone(tokens, 0) || fieldsOf(bare).some((field) => fitsId(field, first.text));
  return fits ? { tool: bare, used: 0 } : undefined;
}

/** The ways to say an operation: a read's last "get" may be left out, the whole id may be given. */
function spellings(tool: Tool): string[][] {
  const words = wordsOf(tool);
  const all = [words];
  if (words.length < tool.id.split('_').length) all.push(tool.id.split('_'));
  if (tool.risk === 'read' && words.at(-1) === 'get') all.push(words.slice(0, -1));
  return all;
}

function consumed(words: readonly string[], tokens: readonly Token[]): number | undefined {
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
  if (token.quoted || token.equals !== undefined || !/^[A-Za-z][\w/-]*$/.test(token.text)) return undefined;
  return token.text.toLowerCase().split(/[-_/]+/);
}

function groupNamed(word: string, tools: readonly Tool[]): string | undefined {
  const lower = word.toLowerCase();
  const groups = new Set(tools.map((tool) => tool.group));
  return groups.has(lower) ? lower : groups.has(`${lower}s`) ? `${lower}s` : undefined;
}

function unknownWords(group: string, tools: readonly Tool[], tokens: readonly Token[]): Problem {
  const words: string[] = [];
  for (const token of tokens) {
    const parts = partsOf(token);
    if (!parts) break;
    words.push(...parts);
  }
  const said = words.join(' ');
  const longer = tools.filter((tool) => said !== '' && `${wordsOf(tool).join(' ')} `.startsWith(`${said} `));
  if (longer.length > 0) {
    const names = longer.map((tool) => wordsOf(tool).join(' '));
    return {
      kind: 'problem',
      message: `"${said}" is the beginning of several operations: ${names.map((name) => `${group} ${name}`).join(', ')}. Write one of them.`,
      suggestion: `${group} ${names[0]}`,
    };
  }
  const known = tools.flatMap((tool) => spellings(tool).map((spelling) => spelling.join(' ')));
  // What follows the words may be text: the nearest operation is looked for from the longest beginning down.
  let near: string | undefined;
  for (let count = Math.min(words.length, 6); count > 0 && near === undefined; count -= 1) {
    near = nearest(words.slice(0, count).join(' '), known);
  }
  return {
    kind: 'problem',
    message: `There is no operation ${group}${said === '' ? ' of that form' : ` ${said}`}.${near ? ` Did you mean ${group} ${near}?` : ''} Write ${group} help for all of them.`,
    ...(near ? { suggestion: `${group} ${near}` } : {}),
  };
}

function withNearOperation(problem: Problem, tool: Tool, own: readonly Tool[], token: Token | undefined): Problem {
  const parts = token && partsOf(token);
  if (!parts || problem.field !== undefined) return problem;
  const words = wordsOf(tool);
  const longer = own.map(wordsOf).filter((other) => other.length > words.length);
  const near = nearest(
    [...words, ...parts].join(' '),
    longer.map((other) => other.join(' ')),
  );
  if (!near) return problem;
  const suggestion = `${tool.group} ${near}`;
  return { ...problem, message: `${problem.message} Or did you mean ${suggestion}?`, suggestion };
}

/** Reads the fields of an operation: first what is named, then what stands alone. */
export function parseFields(tool: Tool, pieces: readonly (Token | string)[]): Parsed {
  const tokens = pieces.map((piece) => (typeof piece === 'string' ? argumentToken(piece) : piece));
  const fields = fieldsOf(tool);
  const input: Input = {};
  const notes: string[] = [];
  const given = new Set<string>();
  const problem = (message: string, more: Partial<Problem> = {}): Problem => ({
    kind: 'problem',
    message,
    tool,
    input,
    ...more,
  });

  for (const token of tokens) {
    if (token.equals === undefined) continue;
    const name = token.text.slice(0, token.equals);
    const value = token.text.slice(token.equals + 1);
    const wrong = setNamed(tool, input, given, name, value, token.quoted);
    if (wrong) return problem(wrong.message, wrong.more);
  }

  const placed = new Set<Field['kind']>();
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token || token.equals !== undefined) continue;
    const phone = takePhone(tokens, at);
    const text = phone?.text ?? token.text;
    const kind = phone ? 'phone' : fields.some((field) => fitsTime(field, text)) ? 'since' : 'id';
    const fits = (field: Field) =>
      phone ? field.kind === 'phone' : fitsId(field, text) || fitsSerial(field, text) || fitsTime(field, text);
    if (phone) at += phone.used - 1;
    const target = targetFor(fields, fits, input, placed.has(kind));
    if (target) {
      place(target.field, input, text);
      placed.add(kind);
      if (target.others.length > 0) {
        notes.push(`${text} was read as ${target.field.name}; write ${target.others[0]}=… if you meant that.`);
      }
      continue;
    }
    const chosen = phone ? undefined : chooseFrom(fields, input, text);
    if (chosen) {
      input[chosen.field.name] = chosen.value;
      continue;
    }
    const wrong = strayWord(tool, tokens, at, text, input, fits);
    return problem(wrong.message, wrong.more);
  }

  return { kind: 'call', tool, input, form: false, missing: missingOf(fields, input), notes };
}

/** Names of secret fields a line carries. */
export function secretsTyped(tool: Tool, input: Input): string[] {
  return secretsIn(fieldsOf(tool), input, '');
}

function secretsIn(fields: readonly Field[], input: Input, prefix: string): string[] {
  return fields.flatMap((field) => {
    const value = input[field.name];
    if (value === undefined || value === null) return [];
    if (field.secret) return [prefix + field.name];
    if (field.kind === 'group' && isRecord(value))
      return secretsIn(field.fields ?? [], value, `${prefix}${field.name}.`);
    if (field.kind === 'rows' && Array.isArray(value)) {
      const rows = value
        .filter(isRecord)
        .flatMap((row) => secretsIn(field.fields ?? [], row, `${prefix}${field.name}.`));
      return [...new Set(rows)];
    }
    return [];
  });
}

/** Required fields that were not given; of an address begun, its missing members too ("BillingAddress.Zip"). */
export function missingOf(fields: readonly Field[], input: Input): string[] {
  return fields.flatMap((field) => {
    const value = input[field.name];
    if (value === undefined) return field.required ? [field.name] : [];
    if (field.kind !== 'group' || !isRecord(value)) return [];
    return missingOf(field.fields ?? [], value).map((member) => `${field.name}.${member}`);
  });
}

interface Wrong {
  message: string;
  more: Partial<Problem>;
}

function setNamed(
  tool: Tool,
  input: Input,
  given: Set<string>,
  name: string,
  text: string,
  inQuotes: boolean,
): Wrong | undefined {
  const fields = fieldsOf(tool);
  const [head = '', ...tail] = name.split('.');
  const field = named(fields, head);
  if (!field) return unknownField(tool, head, fields, '');
  if (tail.length > 0) {
    const member = field.kind === 'group' && tail.length === 1 ? named(field.fields ?? [], tail[0] ?? '') : undefined;
    if (!member) {
      if (field.kind === 'group') return unknownField(tool, tail.join('.'), field.fields ?? [], `${field.name}.`);
      return wrong(field, `${field.name}: has no members to name with a dot; write ${exampleOf(field)}.`);
    }
    const key = `${field.name}.${member.name}`;
    if (given.has(key)) return twice(key);
    given.add(key);
    const read = convert(tool, member, text, inQuotes, key);
    if ('wrong' in read) return read.wrong;
    const held = input[field.name];
    input[field.name] = { ...(isRecord(held) ? held : {}), [member.name]: read.value };
    return undefined;
  }
  const many = field.kind === 'list' || field.kind === 'rows';
  if (!many && given.has(field.name)) return twice(field.name);
  given.add(field.name);
  const read = convert(tool, field, text, inQuotes, field.name);
  if ('wrong' in read) return read.wrong;
  const held = input[field.name];
  if (many && Array.isArray(held) && Array.isArray(read.value)) for (const one of read.value) held.push(one);
  else if (field.kind === 'group' && isRecord(held) && isRecord(read.value))
    input[field.name] = { ...read.value, ...held };
  else input[field.name] = read.value;
  return undefined;
}

function named(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
}

function unknownField(tool: Tool, name: string, fields: readonly Field[], prefix: string): Wrong {
  const names = fields.map((field) => prefix + field.name);
  const meant = nearest(
    name,
    fields.map((field) => field.name),
  );
  const near = meant && prefix + meant;
  const way = near
    ? `did you mean ${near}?`
    : names.length > 0
      ? `the fields are ${names.join(', ')}.`
      : 'it takes no fields.';
  return {
    message: `${prefix}${name}: is not a field of ${commandOf(tool)}; ${way}`,
    more: { field: prefix + name, ...(near ? { suggestion: near } : {}) },
  };
}

function twice(name: string): Wrong {
  return { message: `${name}: is given twice; give it once.`, more: { field: name } };
}

function wrong(field: Field, message: string): Wrong {
  return { message, more: { field: field.name } };
}

type Read = { value: unknown } | { wrong: Wrong };

/** A typed text as the value its field holds. What is text stays text; the definition judges the rest. */
function convert(tool: Tool, field: Field, text: string, inQuotes: boolean, at: string): Read {
  const fail = (what: string): Read => ({ wrong: { message: `${at}: ${what}`, more: { field: at } } });
  if (text === 'null' && !inQuotes && takesNull(tool, at)) return { value: null };
  switch (field.kind) {
    case 'boolean': {
      const said = text.trim().toLowerCase();
      if (['true', 'yes', 'on'].includes(said)) return { value: true };
      if (['false', 'no', 'off'].includes(said)) return { value: false };
      return fail(`must be yes or no, for example ${at}=yes.`);
    }
    case 'number': {
      const said = text.trim();
      if (/^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(said)) return { value: Number(said) };
      return fail(`must be a number, for example ${at}=${field.example ?? field.minimum ?? 1}.`);
    }
    case 'choice':
      return { value: choiceNamed(field, text) ?? text };
    case 'list': {
      if (text.trimStart().startsWith('[')) return jsonOf(text, Array.isArray, at, exampleOf(field));
      return { value: piecesOf(field.items, text) };
    }
    case 'rows': {
      const trimmed = text.trim();
      if (trimmed.startsWith('[')) return jsonOf(trimmed, Array.isArray, at, exampleOf(field));
      if (trimmed.startsWith('{')) {
        const read = jsonOf(trimmed, isRecord, at, exampleOf(field));
        return 'wrong' in read ? read : { value: [read.value] };
      }
      const member = soleMember(field);
      if (!member) return fail(`needs a JSON list of objects, for example ${exampleOf(field)}.`);
      return { value: piecesOf(member, text).map((piece) => ({ [member.name]: piece })) };
    }
    case 'group': {
      if (text.trimStart().startsWith('{')) return jsonOf(text, isRecord, at, exampleOf(field));
      const member = field.fields?.[0]?.name ?? 'Member';
      return fail(`has members; write ${at}.${member}=… or a JSON object, for example ${exampleOf(field)}.`);
    }
    case 'json': {
      if (tool.input.shape[at]?.safeParse(text).success) return { value: text };
      try {
        return { value: JSON.parse(text) };
      } catch {
        return { value: text };
      }
    }
    default:
      return { value: text };
  }
}

function jsonOf(text: string, right: (value: unknown) => boolean, at: string, example: string): Read {
  try {
    const value: unknown = JSON.parse(text);
    if (right(value)) return { value };
  } catch {
    // Told below, without repeating what may be secret.
  }
  return { wrong: { message: `${at}: is not the JSON it should be, for example ${example}.`, more: { field: at } } };
}

/** Comma-separated values; a comma inside a URL is part of it. */
function piecesOf(items: Field | undefined, text: string): string[] {
  const parts = items?.kind === 'url' ? text.split(/,(?=\s*https?:\/\/)/i) : text.split(',');
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function choiceNamed(field: Field, text: string): string | undefined {
  const said = text.trim().toLowerCase();
  return (field.choices ?? field.known)?.find((choice) => choice.toLowerCase() === said);
}

/** `Field=value` as it may be typed. */
function exampleOf(field: Field): string {
  const value = field.example ?? field.choices?.[0] ?? (field.kind === 'boolean' ? 'yes' : '…');
  const single = field.kind === 'rows' || field.kind === 'list' || field.kind === 'group';
  return `${field.name}=${single ? value : quoted(value)}`;
}

/** Where a value that stands alone goes: a required field first, then a required list, then an optional field. */
function targetFor(
  fields: readonly Field[],
  fits: (field: Field) => boolean,
  input: Input,
  placedBefore: boolean,
): { field: Field; others: string[] } | undefined {
  const inner = (field: Field) =>
    field.kind === 'list' ? field.items : field.kind === 'rows' ? soleMember(field) : field;
  const fitting = fields
    .filter((field) => {
      const one = inner(field);
      return one !== undefined && fits(one);
    })
    .sort((a, b) => Number(b.name === 'PhoneNumber') - Number(a.name === 'PhoneNumber'));
  const free = fitting.filter((field) => input[field.name] === undefined);
  const many = (field: Field) => field.kind === 'list' || field.kind === 'rows';
  const required = free.filter((field) => field.required);
  const chosen = (field: Field) => ({
    field,
    others: free.filter((other) => other !== field).map((other) => other.name),
  });
  if (required[0]) return chosen(required[0]);
  const collecting = fitting.find((field) => many(field) && field.required && Array.isArray(input[field.name]));
  if (collecting) return { field: collecting, others: [] };
  if (placedBefore) {
    const begun = fitting.filter((field) => many(field) && Array.isArray(input[field.name]));
    return begun.length === 1 && begun[0] && free.length === 0 ? { field: begun[0], others: [] } : undefined;
  }
  const single = free.find((field) => !many(field));
  if (single) return chosen(single);
  // Two optional lists are opposites more often than not (allowed, blocked): nothing is guessed.
  return free.length === 1 && free[0] ? chosen(free[0]) : undefined;
}

function place(field: Field, input: Input, text: string): void {
  if (field.kind !== 'list' && field.kind !== 'rows') {
    input[field.name] = text;
    return;
  }
  const held = input[field.name];
  const list: unknown[] = Array.isArray(held) ? held : [];
  list.push(field.kind === 'list' ? text : { [soleMember(field)?.name ?? 'Number']: text });
  input[field.name] = list;
}

function fitsId(field: Field, text: string): boolean {
  const one = field.kind === 'list' ? field.items : field;
  return (
    one?.kind === 'id' &&
    (one.ids ?? []).some(
      (prefix) => text.toLowerCase().startsWith(`${prefix.toLowerCase()}-`) && text.length > prefix.length + 1,
    )
  );
}

/** The serial of a SIM is known by its 18 to 22 digits. */
function fitsSerial(field: Field, text: string): boolean {
  return /^iccid$/i.test(field.name) && /^\d{18,21}[\dFf]?$/.test(text);
}

/** So long ago, or a day. */
function fitsTime(field: Field, text: string): boolean {
  return field.kind === 'since' && /^(\d{1,5}[mhdw]$|\d{4}-\d{2}-\d{2})/i.test(text);
}

function chooseFrom(fields: readonly Field[], input: Input, text: string): { field: Field; value: string } | undefined {
  const fitting = fields.filter(
    (field) => field.kind === 'choice' && input[field.name] === undefined && choiceNamed(field, text),
  );
  const [field] = fitting;
  const value = field && choiceNamed(field, text);
  return fitting.length === 1 && field && value !== undefined ? { field, value } : undefined;
}

/** A phone number at this place, over several pieces where people write spaces: "+1 201 555 0101". */
function takePhone(tokens: readonly Token[], at: number): { text: string; used: number } | undefined {
  const first = tokens[at];
  if (!first || first.equals !== undefined || !/^\+?[\d(][\d().\-\s]*$/.test(first.text)) return undefined;
  if (isPhone(first.text)) return { text: first.text, used: 1 };
  let joined = first.text;
  for (let used = 2; used <= 6; used += 1) {
    const next = tokens[at + used - 1];
    if (!next || next.equals !== undefined || !/^[\d().-]+$/.test(next.text)) return undefined;
    joined += ` ${next.text}`;
    if (isPhone(joined)) return { text: joined, used };
  }
  return undefined;
}

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (text.startsWith('+')) return digits.length >= 7 && parsePhoneNumberFromString(text)?.isPossible() === true;
  const national = digits.length === 10 || (digits.length === 11 && digits.startsWith('1'));
  return national && parsePhoneNumberFromString(text, 'US')?.isPossible() === true;
}

/** A word that fits nothing, and the way out. */
function strayWord(
  tool: Tool,
  tokens: readonly Token[],
  at: number,
  text: string,
  input: Input,
  fits: (field: Field) => boolean,
): Wrong {
  const fields = fieldsOf(tool);
  const inner = (field: Field) =>
    field.kind === 'list' ? field.items : field.kind === 'rows' ? soleMember(field) : field;
  const able = fields.filter((field) => {
    const one = inner(field);
    return one !== undefined && fits(one) && (input[field.name] === undefined || Array.isArray(input[field.name]));
  });
  if (able.length > 0) {
    const names = able.map((field) => field.name);
    return { message: `${text} could be ${names.join(' or ')}: write ${names[0]}=${text}.`, more: {} };
  }
  const choices = fields.filter(
    (field) => (field.kind === 'choice' || field.known !== undefined) && input[field.name] === undefined,
  );
  const both = choices.filter((field) => choiceNamed(field, text));
  if (both.length > 1) {
    const names = both.map((field) => field.name);
    return { message: `"${text}" could be ${names.join(' or ')}: write ${names[0]}=${text}.`, more: {} };
  }
  const before = [...tokens.slice(0, at)].reverse().find((token) => token.equals !== undefined);
  const name = before?.text.slice(0, before.equals) ?? '';
  const field = named(fields, name);
  if (
    before &&
    tokens[at - 1]?.equals !== undefined &&
    field &&
    (field.kind === 'text' || field.kind === 'multiline')
  ) {
    const shown = field.secret ? '…' : `${before.text.slice((before.equals ?? 0) + 1)} ${text}`;
    return {
      message: `"${field.secret ? '…' : text}" stands alone after ${field.name}; put text with spaces in quotes: ${field.name}="${shown}".`,
      more: { field: field.name },
    };
  }
  const wanted = choices.filter((choice) => choice.required && choice.kind === 'choice');
  if (wanted.length === 1 && wanted[0] && /^[A-Za-z][\w-]*$/.test(text)) {
    const judged = tool.input.shape[wanted[0].name]?.safeParse(text);
    const said = judged && !judged.success ? judged.error?.issues[0]?.message : undefined;
    const near = nearest(text, wanted[0].choices ?? []);
    return {
      message: `"${text}" fits no field of ${commandOf(tool)}. ${wanted[0].name}: ${said ?? `must be one of: ${(wanted[0].choices ?? []).join(', ')}`}.`,
      more: { field: wanted[0].name, ...(near ? { suggestion: near } : {}) },
    };
  }
  const open =
    fields.find((candidate) => candidate.required && input[candidate.name] === undefined) ??
    fields.find((candidate) => input[candidate.name] === undefined);
  const way = open ? `Write Field=value, for example ${exampleOf(open)}` : 'It takes no more fields';
  return { message: `"${text}" fits no field of ${commandOf(tool)}. ${way}.`, more: {} };
}

function takeLast(tokens: Token[], word: RegExp): boolean {
  const last = tokens.at(-1);
  if (!last || last.quoted || last.equals !== undefined || !word.test(last.text)) return false;
  tokens.pop();
  return true;
}

function takeFirst(tokens: Token[], word: RegExp): boolean {
  const first = tokens[0];
  if (!first || first.quoted || first.equals !== undefined || !word.test(first.text)) return false;
  tokens.shift();
  return true;
}
