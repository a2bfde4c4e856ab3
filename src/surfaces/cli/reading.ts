import { groups } from '../../../tools/groups.ts';
import type { Parsed } from '../../catalogue/field-types.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import { parseInput, withDefaultAccount } from '../../catalogue/input.ts';
import { markedNames } from '../../catalogue/json-schema.ts';
import { mayAsk } from '../../catalogue/offered.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { terminalStyle } from '../../language/help.ts';
import { parseTokens } from '../../language/parse.ts';
import { parseFields } from '../../language/parse-fields.ts';
import { argumentToken } from '../../language/tokens.ts';
import { lookups, wantedIn } from '../../language/typed-values.ts';
import type { Actor } from '../../lib/actor.ts';
import { invalidInput, SwitchboardError } from '../../lib/errors.ts';
import { type Fields, isRecord, objectIn } from '../../lib/json.ts';
import { nearest } from '../../lib/nearest.ts';
import { phonesIn } from '../../platform/dialect/phone.ts';
import { usage } from './options.ts';

/* Reads the arguments of `switchboard call` as an operation and its input. */

/** The caller, and the values that are filled in for them. */
export interface Asker {
  actor: Actor;
  /** PLATFORM_ACCOUNT_ID. The gate fills it in too. */
  defaultAccountId?: string | undefined;
  /** The time by the gate's clock, in epoch ms. */
  now?: () => number;
}

type Problem = Extract<Parsed, { kind: 'problem' }>;

const CALL = 'switchboard call';

/** Finds the operation by its id or its words, and reads the fields after it. */
export function readOperation(words: readonly string[], tools: readonly Tool[], help: boolean): Parsed {
  const [first = '', ...rest] = words;
  const incomplete = help ? undefined : incompleteLookup(words, tools);
  if (incomplete !== undefined) return { kind: 'problem', message: incomplete };
  const exact = tools.find((tool) => tool.id === first.toLowerCase());
  if (exact) {
    return help || rest.at(-1) === 'help'
      ? { kind: 'help', group: exact.group, tool: exact }
      : parseFields(exact, rest);
  }
  const [group = '', ...joined] = first.split(/[_/-]+/);
  const pieces = [...(joined.length > 0 ? [joined.join('-')] : []), ...rest, ...(help ? ['--help'] : [])];
  const parsed = parseTokens(group, pieces.map(argumentToken), tools, terminalStyle.command);
  if (parsed.kind === 'problem' && !help) {
    const lookup = readLookup(words, parsed, tools);
    if (lookup !== undefined) return lookup;
  }
  if (parsed.kind !== 'problem' || parsed.tool) {
    const bare = parsed.kind === 'help' && !help && !rest.includes('help');
    if (!bare) return parsed;
    return {
      kind: 'problem',
      message: `Name an operation of ${group}. switchboard call ${group} --help lists them.`,
    };
  }
  const near = nearest(
    first,
    tools.map((tool) => tool.id),
  );
  if (joined.length > 0 && near)
    return { kind: 'problem', message: `There is no operation ${first}. Did you mean ${near}?`, suggestion: near };
  return unknown(words, parsed, tools);
}

/** True for the short lookup, such as `number 0104`. */
export function isShortLookup([first = '']: readonly string[], tools: readonly Tool[]): boolean {
  return lookups(tools, groups).some(({ word }) => word === first.toLowerCase());
}

/** Says what the short lookup lacks; undefined if it can be tried. */
function incompleteLookup(words: readonly string[], tools: readonly Tool[]): string | undefined {
  const [first = '', ...rest] = words;
  if (!isShortLookup(words, tools)) return undefined;
  if (rest.length === 0) return `Give a number, its last digits or a name, for example: switchboard ${first} 0104`;
  if (rest.length > 1 && rest.every((word) => /^\d{4}$/.test(word)))
    return `To look up several numbers, give each in full, for example: switchboard ${first} 2015550101 2015550103`;
  const typed = rest.join(' ');
  if (/^[\d\s().+-]+$/.test(typed) && wantedIn(typed) === undefined && phonesIn(typed).length === 0)
    return `${typed} is neither a phone number nor the end of one. Give at least its last three digits, for example: switchboard ${first} 0104`;
  return undefined;
}

/** Reads the short lookup that `/number` has in Slack: `number 0104`, `number ava stone`, `number +1 201 555 0101`. */
function readLookup(
  [first = '', ...rest]: readonly string[],
  problem: Problem,
  tools: readonly Tool[],
): Parsed | undefined {
  const lookup = lookups(tools, groups).find(({ word }) => word === first.toLowerCase());
  const wanted = wantedIn(rest.join(' '));
  if (lookup === undefined || wanted === undefined || rest.some((word) => word.includes('='))) return undefined;
  if ('number' in wanted) {
    // A number with spaces or brackets is one value.
    const isLookup = problem.tool === undefined || problem.tool.id === lookup.tool.id;
    return isLookup ? parseFields(lookup.tool, [`${lookup.field}=${wanted.number}`]) : undefined;
  }
  const { find } = lookup;
  if (find === undefined || problem.tool !== undefined) return undefined;
  const search = parseFields(find.tool, [`${find.field}=${wanted.query}`]);
  if (search.kind !== 'call' || problem.suggestion === undefined) return search;
  // A name may look like a misspelt word: "ben" is as near to "get" as a typing error.
  const note = `Searched for "${wanted.query}". Did you mean ${problem.suggestion}?`;
  return { ...search, notes: [...search.notes, note] };
}

/** The problem, with a suggestion of what to type instead. */
function unknown(words: readonly string[], problem: Problem, tools: readonly Tool[]): Parsed {
  const [first = ''] = words;
  const isGroup = [first, `${first}s`].some((name) => Object.hasOwn(groups, name.toLowerCase()));
  if (isGroup) return problem;
  const group = Object.keys(groups).find((name) => toolOf([name, first], tools) !== undefined);
  const [lookup] = lookups(tools, groups);
  if (group === undefined && lookup && 'number' in (wantedIn(words.join(' ')) ?? {}))
    return {
      ...problem,
      message: `Name an operation first. To look the number up: ${CALL} ${lookup.word} ${words.join(' ')}`,
    };
  const hint = problem.suggestion === undefined && group !== undefined ? ` Did you mean ${group} ${first}?` : '';
  return { ...problem, message: `${problem.message}${hint} ${CALL} --help lists all operations.` };
}

/** The operation that these words name. */
function toolOf([group = '', ...typed]: readonly string[], tools: readonly Tool[]): Tool | undefined {
  const parsed = parseTokens(group, [...typed, '--help'].map(argumentToken), tools, terminalStyle.command);
  return parsed.kind === 'help' ? parsed.tool : undefined;
}

export function readJson(text: string): Fields {
  const value = objectIn(text);
  if (value) return value;
  // The error does not repeat the text, which may be secret.
  throw usage('--json must be a JSON object of fields, for example --json \'{"PhoneNumber":"+12015550101"}\'.');
}

/** Typed fields override --json. A member typed with a dot is added to the object in --json. */
export function merge(tool: Tool, base: Fields, typed: Fields, words: readonly string[]): Fields {
  const merged = { ...base, ...typed };
  for (const field of fieldsOf(tool)) {
    const [under, over] = [base[field.name], typed[field.name]];
    const dotted = words.some((word) => word.toLowerCase().startsWith(`${field.name.toLowerCase()}.`));
    if (field.kind === 'group' && dotted && isRecord(under) && isRecord(over))
      merged[field.name] = { ...under, ...over };
  }
  return merged;
}

/**
 * Refuses a secret in an argument, because every user of the computer can read arguments. `given` has the values of the
 * arguments.
 */
export function requireNoSecrets(tool: Tool, given: readonly Fields[]): void {
  const secrets = markedNames(tool.input, 'input', 'secret');
  if (secrets.length === 0) return;
  const typed = new Set<string>();
  // The function is called for each member at any depth.
  JSON.stringify(given, (name, value) => {
    if (secrets.includes(name) && value !== null && value !== '') typed.add(name);
    return value;
  });
  const [field] = typed;
  if (field === undefined) return;
  throw invalidInput(
    field,
    `${field} is secret, and every user of this computer can read the arguments of a process. Nothing was sent. Put the secret fields into a JSON file: ${CALL} ${tool.id} … --json @FILE, or --json - < FILE`,
  );
}

/**
 * Checks role and input first, so that a wrong input opens no store and asks no question. The gate checks them again.
 */
export function check(tool: Tool, input: Fields, io: Asker & { tools: readonly Tool[] }): void {
  checkRole(tool, io);
  const filled = withDefaultAccount(tool, input, io.defaultAccountId);
  parseInput(tool, filled, new Date(io.now?.() ?? Date.now()));
}

/** Refuses a caller without the role that the operation needs. */
export function checkRole(tool: Tool, io: Asker): void {
  if (!mayAsk(io.actor.role, tool)) {
    throw new SwitchboardError({
      code: 'forbidden_by_role',
      message: `${tool.title} needs the role operator; ${io.actor.name} has ${io.actor.role}.`,
      outcome: 'not_done',
    });
  }
}
