import { invalidInput, type SwitchboardError } from '../../lib/errors.ts';
import { nearest } from '../../lib/nearest.ts';
import { USAGE } from './help.ts';

/** What `switchboard call` is given. */
export interface Options {
  words: string[];
  json: string | undefined;
  yes: boolean;
  /** Beside `yes`: also where the same call was made before and may have been done. */
  again: boolean;
  help: boolean;
  output: 'json' | 'table' | undefined;
}

/**
 * Reads the arguments of `switchboard call`; what is no option is a word of the operation.
 *
 * @throws SwitchboardError `invalid_input` for an option that is not known, given twice or without its value
 */
export function readOptions(args: readonly string[]): Options {
  const asked: Options = { words: [], json: undefined, yes: false, again: false, help: false, output: undefined };
  const flags = ['--json', '--yes', '--again', '--output', '--settings', '--help'];
  for (let at = 0; at < args.length; at += 1) {
    const arg = args[at] ?? '';
    if (arg === '--') {
      asked.words.push(...args.slice(at + 1));
      break;
    }
    const [flag = '', ...tail] = arg.split('=');
    const valueAfter = () => {
      if (tail.length > 0) return tail.join('=');
      at += 1;
      const value = args[at];
      if (value === undefined) throw usage(`${flag} needs a value: ${USAGE}.`);
      return value;
    };
    if (arg === '--yes' || arg === '-y') asked.yes = true;
    else if (arg === '--again') asked.again = true;
    else if (arg === '--help' || arg === '-h') asked.help = true;
    else if (flag === '--json') {
      if (asked.json !== undefined) throw usage('--json is given twice; give it once.');
      asked.json = valueAfter();
    } else if (flag === '--output') {
      const output = valueAfter();
      if (output !== 'json' && output !== 'table') throw usage('--output must be json or table.');
      asked.output = output;
    } else if (arg.startsWith('--')) {
      const near = nearest(flag, flags);
      throw usage(`${flag} is not an option.${near ? ` Did you mean ${near}?` : ''} ${USAGE}.`);
    } else asked.words.push(arg);
  }
  return asked;
}

/** Wrong usage: exit status 2. */
export function usage(message: string): SwitchboardError {
  return invalidInput(undefined, message);
}
