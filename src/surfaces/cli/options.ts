import { parseArgs } from 'node:util';
import { invalidInput, type SwitchboardError } from '../../lib/errors.ts';
import { unknownFlag } from './arguments.ts';
import { USAGE } from './help.ts';

/** The options of `switchboard call`. */
export interface Options {
  words: string[];
  json: string | undefined;
  yes: boolean;
  /** Used with `yes`: confirms even if the same call was made before and may have been done. */
  again: boolean;
  help: boolean;
  output: 'json' | 'table' | undefined;
  /** The members of the answer to print; undefined for all. */
  fields: string[] | undefined;
  /** Shows every column of a list, without cutting. */
  wide: boolean;
  /** Draws the activation code of an eSIM as a QR code. */
  qr: boolean;
  /** The reason of the person who asks, for approvers. */
  reason: string | undefined;
}

const VALUES = ['json', 'output', 'fields', 'reason'] as const;
const SWITCHES = ['yes', 'again', 'wide', 'qr', 'help'] as const;
const SHORT: Readonly<Record<string, string>> = { '-y': 'yes', '-h': 'help' };

/** `--settings` is removed before the arguments get here. It is listed for the hint about a misspelt option. */
export const FLAGS = [...VALUES, ...SWITCHES, 'settings'].map((name) => `--${name}`);

/**
 * Reads the arguments of `switchboard call`. Everything that is not an option is a word of the operation, including a
 * word with a single dash such as `-5`.
 *
 * @throws SwitchboardError `invalid_input` for an unknown option, an option without its value, or a repeated `--json`
 */
export function readOptions(args: readonly string[]): Options {
  const words: string[] = [];
  const given = new Map<string, string[]>();
  // Parsing is not strict, because unknown options are reported below and words with a single dash are not options.
  const { tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(VALUES.map((name) => [name, { type: 'string' } as const])),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  let seen = -1;
  for (const token of tokens) {
    // `-abc` arrives as three tokens with one index, but is one word.
    if (token.index === seen) continue;
    seen = token.index;
    const arg = args[token.index] ?? '';
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    const name = SHORT[arg] ?? token.name;
    if (SHORT[arg] === undefined && !arg.startsWith('--')) words.push(arg);
    else given.set(name, [...(given.get(name) ?? []), givenValue(name, token.value)]);
  }
  const [json, ...more] = given.get('json') ?? [];
  if (more.length > 0) throw usage('--json was given twice. Give it once.');
  const output = given.get('output')?.at(-1);
  if (output !== undefined && output !== 'json' && output !== 'table') throw usage('--output must be json or table.');
  const fields = given.get('fields')?.flatMap((list) => list.split(',').flatMap((one) => one.trim() || []));
  if (fields?.length === 0) throw usage('--fields needs names of the answer, for example --fields Number,Status.');
  const [yes, again, wide, qr, help] = SWITCHES.map((name) => given.has(name)) as [
    boolean,
    boolean,
    boolean,
    boolean,
    boolean,
  ];
  return { words, json, yes, again, help, output, fields, wide, qr, reason: given.get('reason')?.at(-1) };
}

/** The value of an option; empty for one that takes none. */
function givenValue(name: string, value: string | undefined): string {
  const takesValue = VALUES.some((one) => one === name);
  if (!takesValue && !SWITCHES.some((one) => one === name))
    throw usage(`${unknownFlag(`--${name}`, FLAGS)} Usage: ${USAGE}`);
  if (takesValue && value === undefined) throw usage(`--${name} needs a value. Usage: ${USAGE}`);
  if (!takesValue && value !== undefined) throw usage(`--${name} takes no value. Usage: ${USAGE}`);
  return value ?? '';
}

/** The error for wrong usage, with exit status 2. */
export function usage(message: string): SwitchboardError {
  return invalidInput(undefined, message);
}
