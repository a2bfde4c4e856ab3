import { tools } from '../../../tools/index.ts';
import { batchedBy } from '../../catalogue/change.ts';
import { fieldsOf } from '../../catalogue/input.ts';
import { BATCH_FLAGS, BATCH_VERBS, FLAGS } from '../../surfaces/cli/arguments.ts';
import { readArguments, wrongUsage } from '../../surfaces/cli/flags.ts';

const USAGE = 'switchboard completion bash|zsh';

/**
 * `switchboard completion`: prints a script that completes commands, operations, fields and flags in a shell.
 *
 * @param help the help of each command, which names its words and flags
 * @throws ConfigError for another shell
 */
export function runCompletion(args: readonly string[], help: Readonly<Record<string, string>>): number {
  const [shell, ...others] = readArguments(args, USAGE, {}, true).positionals;
  if ((shell !== 'bash' && shell !== 'zsh') || others.length > 0)
    throw wrongUsage('Name one shell: bash or zsh.', USAGE);
  const cases = [...wordsAfter(help)].map(([before, words]) => `    "${before} "*) words='${words.join(' ')}' ;;\n`);
  // The functions of zsh that read completions of bash.
  process.stdout.write(`${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_switchboard() {
  local words="" typed="\${COMP_WORDS[COMP_CWORD]}"
  case "\${COMP_WORDS[*]:1:$((COMP_CWORD - 1))} " in
${cases.join('')}  esac
  # Bash splits words at =. Values are not completed.
  if [[ "$typed" == = || "\${COMP_WORDS[COMP_CWORD - 1]}" == = ]]; then return; fi
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
  if [[ "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o default -F _switchboard switchboard
`);
  return 0;
}

/** The words that may follow these words; longer beginnings come first. */
function wordsAfter(help: Readonly<Record<string, string>>): Map<string, readonly string[]> {
  const ids = (listed: typeof tools) => listed.map(({ id }) => id);
  return new Map<string, readonly string[]>([
    ...tools.map((tool) => [`call ${tool.id}`, [...fieldsOf(tool).map(({ name }) => `${name}=`), ...FLAGS]] as const),
    ['call', [...ids(tools), ...FLAGS]],
    ['batch', [...BATCH_VERBS, ...ids(tools.filter((tool) => batchedBy(tool) !== undefined)), ...BATCH_FLAGS]],
    ['find', FLAGS],
    ...Object.entries(help).map(([command, text]) => {
      // The flags that a help text names, and the words that follow the command: `sync` of `switchboard webhooks sync`.
      const words = [...text.matchAll(new RegExp(`switchboard ${command} ([a-z|]+)`, 'g'))];
      const all = [...words.flatMap(([, found = '']) => found.split('|')), ...(text.match(/--[a-z][a-z-]*/g) ?? [])];
      return [command, [...new Set([...all, '--help'])]] as const;
    }),
    ['', [...Object.keys(help), 'call', 'batch', 'find', '--help', '--version']],
  ]);
}
