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

/** `--settings` is removed before the arguments get here. It is listed for the hint about a misspelt option. */
export const FLAGS = [
  '--json',
  '--yes',
  '--again',
  '--output',
  '--fields',
  '--reason',
  '--wide',
  '--qr',
  '--settings',
  '--help',
] as const;
const SHORT: Readonly<Record<string, 'yes' | 'help'>> = { '-y': 'yes', '-h': 'help' };

/**
 * Reads the arguments of `switchboard call`. Everything that is not an option is a word of the operation, including a
 * word with a single dash such as `-5`.
 *
 * @throws SwitchboardError `invalid_input` for an unknown option, an option without its value, or a repeated `--json`
 */
export function readOptions(args: readonly string[]): Options {
  const options: Options = {
    words: [],
    json: undefined,
    yes: false,
    again: false,
    help: false,
    output: undefined,
    fields: undefined,
    wide: false,
    qr: false,
    reason: undefined,
  };
  // Parsing is not strict, because unknown options are reported below and words with a single dash are not options.
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'string' },
      output: { type: 'string' },
      fields: { type: 'string' },
      reason: { type: 'string' },
    },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  let seen = -1;
  for (const token of tokens) {
    // `-abc` arrives as three tokens with one index, but is one word.
    if (token.index === seen) continue;
    seen = token.index;
    if (token.kind === 'positional') options.words.push(token.value);
    else if (token.kind === 'option') readOption(options, token, args[token.index] ?? '');
  }
  return options;
}

/** Sets one option. `value` comes from `--name=value`, or is the argument after `--json`, `--output`, `--fields` and `--reason`. */
function readOption(options: Options, { name, value }: { name: string; value?: string | undefined }, arg: string) {
  const short = SHORT[arg];
  if (short !== undefined) options[short] = true;
  else if (!arg.startsWith('--')) options.words.push(arg);
  else if (name === 'json') {
    if (options.json !== undefined) throw usage('--json was given twice. Give it once.');
    options.json = given(name, value);
  } else if (name === 'output') {
    const output = given(name, value);
    if (output !== 'json' && output !== 'table') throw usage('--output must be json or table.');
    options.output = output;
  } else if (name === 'reason') options.reason = given(name, value);
  else if (name === 'fields') {
    const fields = given(name, value)
      .split(',')
      .map((field) => field.trim())
      .filter((field) => field !== '');
    if (fields.length === 0) throw usage('--fields needs names of the answer, for example --fields Number,Status.');
    options.fields = [...(options.fields ?? []), ...fields];
  } else if (name === 'yes' || name === 'again' || name === 'help' || name === 'wide' || name === 'qr') {
    if (value !== undefined) throw usage(`--${name} takes no value. Usage: ${USAGE}`);
    options[name] = true;
  } else {
    throw usage(`${unknownFlag(`--${name}`, FLAGS)} Usage: ${USAGE}`);
  }
}

function given(name: string, value: string | undefined): string {
  if (value === undefined) throw usage(`--${name} needs a value. Usage: ${USAGE}`);
  return value;
}

/** The error for wrong usage, with exit status 2. */
export function usage(message: string): SwitchboardError {
  return invalidInput(undefined, message);
}
