import { batchedBy } from '../../catalogue/batch-rule.ts';
import type { Field } from '../../catalogue/field-types.ts';
import { fieldsOf } from '../../catalogue/fields.ts';
import type { Tool } from '../../catalogue/operation.ts';
import { wordsOf } from '../../language/command-words.ts';
import { FLAGS } from './options.ts';
import { readOperation } from './reading.ts';

/** The words and flags of a command, for completion. */
export interface CommandWords {
  /** Words that may follow it: `sync` after `webhooks`. */
  words?: readonly string[];
  flags?: readonly string[];
}

export interface CompletionSource {
  tools: readonly Tool[];
  /** Every command except `call`, whose words come from the tools. */
  commands: Readonly<Record<string, CommandWords>>;
}

/** Flags that every command takes. */
const COMMON = ['--settings', '--help'];
const VALUES: Readonly<Record<string, readonly string[]>> = { '--output': ['json', 'table'] };

/** The commands that are short for `call`, with the words of their operation. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  number: ['numbers', 'lookup'],
  find: ['numbers', 'find'],
};

/**
 * Candidates for the word that is being typed. A candidate that ends with `=` is followed by a value.
 *
 * @param words the words after `switchboard`; the last one is being typed (empty if it is not begun)
 */
export function candidates(words: readonly string[], source: CompletionSource): string[] {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const [command, ...rest] = before;
  const all =
    command === undefined
      ? [...Object.keys(source.commands), ...Object.keys(SHORT), 'call', '--help', '--version']
      : command === 'call' || Object.hasOwn(SHORT, command)
        ? callWords([...(SHORT[command] ?? []), ...rest], typed, source.tools)
        : command === 'batch'
          ? batchWords(rest, typed, source)
          : commandWords(rest, source.commands[command]);
  return [...new Set(all)].filter((one) => one.toLowerCase().startsWith(typed.toLowerCase())).sort();
}

function commandWords(before: readonly string[], known: CommandWords | undefined): string[] {
  if (known === undefined) return [];
  const words = before.some((word) => !word.startsWith('-')) ? [] : (known.words ?? []);
  return [...words, ...unused([...(known.flags ?? []), ...COMMON], before)];
}

/** The words of `batch`, or an operation that runs as a batch. */
function batchWords(before: readonly string[], typed: string, { tools, commands }: CompletionSource): string[] {
  const { words = [], flags = [] } = commands.batch ?? {};
  if (takesValue(before.at(-1)) || words.includes(before[0] ?? '')) return typed.startsWith('-') ? [...flags] : [];
  if (typed.startsWith('-')) return unused([...flags, ...COMMON], before);
  const batched = tools.filter((tool) => batchedBy(tool) !== undefined);
  return [...(before.length === 0 ? words : []), ...callWords(before, typed, batched)];
}

/** The words of an operation until it is named, then its fields, their values and the flags. */
function callWords(before: readonly string[], typed: string, tools: readonly Tool[]): string[] {
  const values = VALUES[before.at(-1) ?? ''];
  if (values !== undefined) return [...values];
  if (typed.startsWith('-')) return unused(FLAGS, before);
  const words = before.filter((word, at) => !word.startsWith('-') && !takesValue(before[at - 1]));
  const tool = toolOf(words, tools);
  const more = nextWords(words, tools);
  if (tool === undefined) return more;
  return [...more, ...fieldWords(tool, words, typed)];
}

function takesValue(word: string | undefined): boolean {
  return ['--json', '--output', '--fields', '--settings', '--file', '--csv'].includes(word ?? '');
}

/** The operation that these words name; undefined while the name is not complete. */
function toolOf(words: readonly string[], tools: readonly Tool[]): Tool | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  const exact = tools.find((tool) => tool.id === first.toLowerCase());
  if (exact) return exact;
  const names = words.filter((word) => !word.includes('='));
  const parsed = readOperation(names, tools, true);
  return parsed.kind === 'help' ? parsed.tool : undefined;
}

/** Groups and ids for the first word, then the next words of operations that begin with the typed words. */
function nextWords(words: readonly string[], tools: readonly Tool[]): string[] {
  const [group, ...typed] = words.map((word) => word.toLowerCase());
  if (group === undefined) return [...new Set(tools.map((tool) => tool.group)), ...tools.map((tool) => tool.id)];
  return tools.flatMap((tool) => {
    const own = wordsOf(tool);
    const next = own[typed.length];
    const begins = tool.group === group && typed.every((word, at) => own[at] === word);
    return begins && next !== undefined ? [next] : [];
  });
}

function fieldWords(tool: Tool, words: readonly string[], typed: string): string[] {
  const fields = fieldsOf(tool);
  const equals = typed.indexOf('=');
  if (equals >= 0) {
    const name = typed.slice(0, equals);
    const field = fieldNamed(name, fields);
    return valuesOf(field).map((value) => `${name}=${value}`);
  }
  const given = new Set(words.filter((word) => word.includes('=')).map((word) => word.split('=')[0]?.toLowerCase()));
  return fields.flatMap(namesOf).filter((name) => !given.has(name.slice(0, -1).toLowerCase()));
}

/** `Field=`, and `Field.Member=` for the members of a group. */
function namesOf(field: Field): string[] {
  const members = field.kind === 'group' ? (field.fields ?? []) : [];
  return [`${field.name}=`, ...members.map((member) => `${field.name}.${member.name}=`)];
}

function fieldNamed(name: string, fields: readonly Field[]): Field | undefined {
  const [first = '', member] = name.toLowerCase().split('.');
  const field = fields.find((one) => one.name.toLowerCase() === first);
  return member === undefined ? field : field?.fields?.find((one) => one.name.toLowerCase() === member);
}

function valuesOf(field: Field | undefined): readonly string[] {
  if (field?.kind === 'boolean') return ['true', 'false'];
  return field?.choices ?? field?.items?.choices ?? field?.known ?? [];
}

function unused(flags: readonly string[], before: readonly string[]): string[] {
  return flags.filter((flag) => !before.includes(flag));
}

/** The shells with completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/**
 * The script that a shell reads to complete `switchboard`. It asks the program for candidates at each Tab, so that they
 * fit the installed version.
 *
 * @param program the program and its arguments as this shell takes them: `switchboard`, or `node /path/dist/cli.js`
 */
export function completionScript(shell: Shell, program: string): string {
  return SCRIPTS[shell].replaceAll('PROGRAM', program);
}

const SCRIPTS: Readonly<Record<Shell, string>> = {
  // Bash splits words at = and :, and replaces only the part after the last one.
  bash: `# Completion of switchboard for bash. In ~/.bashrc:  source <(switchboard completion bash)
_switchboard() {
  local IFS=$' \\t\\n' line="\${COMP_LINE:0:COMP_POINT}" candidate cut=""
  local -a words
  read -ra words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  local typed="\${words[\${#words[@]}-1]}"
  [[ "$COMP_WORDBREAKS" == *=* && "$typed" == *=* ]] && cut="\${typed%"\${typed##*=}"}"
  COMPREPLY=()
  while IFS= read -r candidate; do
    [ -n "$candidate" ] && COMPREPLY+=("\${candidate#"$cut"}")
  done < <(PROGRAM completion candidates -- "\${words[@]:1}" 2>/dev/null)
  if [[ \${#COMPREPLY[@]} -eq 1 && "\${COMPREPLY[0]}" == *= ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -F _switchboard switchboard
`,
  zsh: `#compdef switchboard
# Completion of switchboard for zsh. In ~/.zshrc, after compinit:  source <(switchboard completion zsh)
_switchboard() {
  local -a found open
  found=("\${(@f)$(PROGRAM completion candidates -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  open=("\${(@M)found:#*=}")
  found=("\${(@)found:#*=}")
  (( \${#open} )) && compadd -S '' -- "\${open[@]}"
  (( \${#found} )) && compadd -- "\${(@)found:#}"
}
compdef _switchboard switchboard
`,
  fish: `# Completion of switchboard for fish:  switchboard completion fish > ~/.config/fish/completions/switchboard.fish
function __switchboard_candidates
    set -l words (commandline -opc)
    PROGRAM completion candidates -- $words[2..-1] (commandline -ct) 2>/dev/null
end
complete -c switchboard -f -a '(__switchboard_candidates)'
`,
};
