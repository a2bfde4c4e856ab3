import { invalidInput, type SwitchboardError } from '../../lib/errors.ts';
import { readArguments } from './arguments.ts';
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

const OPTIONS = {
  json: { type: 'string' },
  output: { type: 'string' },
  fields: { type: 'string' },
  reason: { type: 'string' },
  yes: { type: 'boolean', short: 'y' },
  again: { type: 'boolean' },
  wide: { type: 'boolean' },
  qr: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `--settings` is removed before the arguments get here. */
export const FLAGS = [...Object.keys(OPTIONS), 'settings'].map((name) => `--${name}`);

/**
 * Reads the arguments of `switchboard call`. Everything that is not an option is a word of the operation.
 *
 * @throws SwitchboardError or ConfigError for wrong usage
 */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals: words } = readArguments(args, USAGE, OPTIONS, true);
  const { json, output, reason, yes = false, again = false, wide = false, qr = false, help = false } = values;
  if (output !== undefined && output !== 'json' && output !== 'table') throw usage('--output must be json or table.');
  const fields = values.fields?.split(',').flatMap((one) => one.trim() || []);
  if (fields?.length === 0) throw usage('--fields needs names of the answer, for example --fields Number,Status.');
  return { words, json, output, fields, reason, yes, again, wide, qr, help };
}

/** The error for wrong usage, with exit status 2. */
export function usage(message: string): SwitchboardError {
  return invalidInput(undefined, message);
}
