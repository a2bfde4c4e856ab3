import { type ParseArgsConfig, parseArgs } from 'node:util';
import { ConfigError } from '../../lib/config.ts';
import { nearest } from '../../lib/nearest.ts';

/**
 * Reads a command's arguments. Refuses an unknown flag, naming the nearest known one, a flag without its value, and an extra
 * argument.
 *
 * @param usage one line, printed with every error
 * @throws ConfigError (exit 2)
 */
export function readArguments<const O extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  usage: string,
  options: O,
  allowPositionals = false,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [, unknown] = /^Unknown option '(.+?)'/.exec(message) ?? [];
    const flags = [...new Set([...Object.keys(options), 'settings', 'help'])].map((name) => `--${name}`);
    throw wrongUsage(unknown === undefined ? message : unknownFlag(unknown, flags), usage);
  }
}

/** The error for wrong usage (exit 2). `usage`: one line. */
export function wrongUsage(problem: string, usage: string): ConfigError {
  return new ConfigError(`${problem}\nUsage: ${usage}`);
}

/**
 * Refuses a flag that a part of a command does not take: `batch list --csv FILE`.
 *
 * @param values the flags that were given
 * @throws ConfigError (exit 2)
 */
export function requireTaken(values: object, command: string, taken: readonly string[]): void {
  const other = Object.keys(values).find((name) => !taken.includes(name));
  if (other !== undefined) throw new ConfigError(`${command} takes no --${other}. switchboard ${command} --help`);
}

/** The sentence for an unknown flag, with the nearest one. */
export function unknownFlag(flag: string, flags: readonly string[]): string {
  const near = nearest(flag, flags);
  return `${flag} is not an option. ${near === undefined ? `The options are ${flags.join(', ')}.` : `Did you mean ${near}?`}`;
}

/** Removes `--settings FILE` from any command's arguments. */
export function takeSettings(args: readonly string[]): { args: string[]; settings: string | undefined } {
  const options = { settings: { type: 'string' } } as const;
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const given = tokens.filter((token) => token.kind === 'option' && token.name === 'settings');
  const [first] = given;
  if (first?.kind !== 'option') return { args: [...args], settings: undefined };
  if (given.length > 1) throw new ConfigError('--settings was given twice. Give it once.');
  if (!first.value) throw new ConfigError('--settings needs a file: --settings /path/to/settings.env');
  return { args: args.toSpliced(first.index, first.inlineValue ? 1 : 2), settings: first.value };
}
