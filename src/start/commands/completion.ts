import { tools } from '../../../tools/index.ts';
import { ConfigError } from '../../lib/config.ts';
import { commandName } from '../../lib/invocation.ts';
import { nearest } from '../../lib/nearest.ts';
import { readArguments } from '../../surfaces/cli/arguments.ts';
import { BATCH_FLAGS, BATCH_VERBS } from '../../surfaces/cli/batch-options.ts';
import { type CommandWords, candidates, completionScript, SHELLS } from '../../surfaces/cli/completion.ts';

const USAGE = 'switchboard completion bash|zsh|fish';

/** Words and flags of the commands that are not operations. */
const COMMANDS: Readonly<Record<string, CommandWords>> = {
  start: {},
  mcp: {},
  sandbox: { flags: ['--port', '--data', '--now'] },
  batch: { words: BATCH_VERBS, flags: BATCH_FLAGS },
  key: { flags: ['--open'] },
  manifest: { flags: ['--prefix', '--url', '--workflow', '--write', '--check'] },
  settle: { flags: ['--done', '--not-done', '--output'] },
  webhooks: { words: ['sync'], flags: ['--url', '--account', '--route', '--force', '--yes'] },
  events: { words: ['list', 'retry', 'drop'], flags: ['--all', '--yes', '--json'] },
  approvers: { words: ['away', 'list', 'back'], flags: ['--until', '--instead', '--json'] },
  audit: { flags: ['--since', '--until', '--verify', '--end'] },
  store: { words: ['copy', 'reopen'], flags: ['--from', '--to'] },
  doctor: {},
  completion: { words: SHELLS },
};

/**
 * `switchboard completion`: prints the script that completes commands, operations, fields and values in a shell. The
 * script calls `completion candidates -- WORD…`, which prints the candidates for the last word.
 */
export function runCompletion(args: readonly string[]): number {
  const [wanted = '', ...rest] = args;
  if (wanted === 'candidates') {
    const words = rest[0] === '--' ? rest.slice(1) : rest;
    const found = candidates(words, { tools, commands: COMMANDS });
    process.stdout.write(found.map((one) => `${one}\n`).join(''));
    return 0;
  }
  readArguments(args, USAGE, {}, true);
  const shell = SHELLS.find((one) => one === wanted);
  if (shell === undefined || rest.length > 0) {
    const near = nearest(wanted, [...SHELLS]);
    const hint = near === undefined || rest.length > 0 ? '' : ` Did you mean ${near}?`;
    throw new ConfigError(`Name one shell: bash, zsh or fish.${hint}\nUsage: ${USAGE}`);
  }
  // The command's name is not relative to the folder, because the script is read from any folder.
  process.stdout.write(completionScript(shell, commandName(process.argv[1], '')));
  return 0;
}
