/** The shells with completion. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

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
