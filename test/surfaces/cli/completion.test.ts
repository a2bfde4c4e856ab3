import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fieldsOf } from '../../../src/catalogue/fields.ts';
import { candidates } from '../../../src/surfaces/cli/completion.ts';
import { FLAGS } from '../../../src/surfaces/cli/options.ts';
import { tools } from '../../../tools/index.ts';
import { CLI } from '../../support/build.ts';

const of = (...words: string[]) => candidates(words, { tools, commands: { key: { flags: ['--open'] } } });

describe('the candidates for a word', () => {
  it('are the commands, then the groups and operations of the catalogue', () => {
    expect(of('')).toEqual(expect.arrayContaining(['call', 'key']));
    const first = of('call', '');
    for (const tool of tools) expect(first).toEqual(expect.arrayContaining([tool.id, tool.group]));
    expect(of('call', 'numbers_re')).toEqual(['numbers_reactivate']);
    expect(of('call', 'numbers', 'portin', 'up')).toEqual(['update']);
  });

  it.each(tools.map((tool) => [tool.id, tool] as const))('for %s are all of its fields', (id, tool) => {
    const fields = fieldsOf(tool).map((field) => `${field.name}=`);
    expect(of('call', id, '')).toEqual(expect.arrayContaining(fields));
  });

  it('are the values of a choice, true and false, and fields that are not given yet', () => {
    const about = of('call', 'numbers', 'diagnose', '+12015550101', 'About=');
    expect(about).toEqual(['About=calls', 'About=data', 'About=texts']);
    expect(of('call', 'numbers_lookup', 'Full=t')).toEqual(['Full=true']);
    expect(of('call', 'numbers_lookup', 'Full=true', 'F')).toEqual([]);
  });

  it('are flags and their values', () => {
    expect(of('call', 'numbers_get', '--')).toEqual([...FLAGS].sort());
    expect(of('call', 'numbers_get', '--output', '')).toEqual(['json', 'table']);
    expect(of('key', '--o')).toEqual(['--open']);
    const batch = candidates(['batch', ''], { tools, commands: { batch: { words: ['list'], flags: ['--file'] } } });
    expect(batch).toEqual(expect.arrayContaining(['list', 'numbers', 'numbers_status']));
    expect(batch).not.toContain('numbers_portout');
  });
});

/** Without the shell the tests of it cannot run; CI installs none but bash. */
const has = (shell: string) => spawnSync(shell, ['--version']).status === 0;
for (const shell of ['zsh', 'fish'])
  if (!has(shell)) process.stdout.write(`completion in ${shell} is not tested: ${shell} is not installed\n`);

const run = async (shell: string, script: string) =>
  (await promisify(execFile)(shell, ['-c', script], { timeout: 60_000 })).stdout.trim().split('\n');

describe('the script', () => {
  /** Returns bash's completions at the end of a line. */
  const inBash = (line: string) =>
    run(
      'bash',
      `source <(${process.execPath} ${CLI} completion bash)
COMP_LINE=${JSON.stringify(line)}; COMP_POINT=\${#COMP_LINE}
_switchboard; printf '%s\\n' "\${COMPREPLY[@]}"`,
    );

  it.each([
    ['switchboard comp', ['completion']],
    ['switchboard call numbers_re', ['numbers_reactivate']],
    ['switchboard call numbers portin ', expect.arrayContaining(['update', 'cancel', 'PortInNumber='])],
    ['switchboard call numbers_diagnose Ab', ['About=']],
    // Bash has the part before = already.
    ['switchboard call numbers_diagnose About=te', ['texts']],
    ['switchboard call numbers_get --ou', ['--output']],
  ])('completes in bash: %s', async (line, offered) => {
    expect(await inBash(line)).toEqual(offered);
  });

  it.runIf(has('zsh'))('completes in zsh', async () => {
    const script = `compdef() { : }; compadd() { print -l -- "\${@[(i)--]}" >/dev/null; shift \${@[(i)--]}; print -l -- "$@" }
source <(${process.execPath} ${CLI} completion zsh)
words=(switchboard call numbers_re); CURRENT=3; _switchboard`;
    expect(await run('zsh', script)).toEqual(['numbers_reactivate']);
  });

  it.runIf(has('fish'))('completes in fish', async () => {
    const script = `${process.execPath} ${CLI} completion fish | source; complete -C 'switchboard call numbers_diagnose About=te'`;
    expect(await run('fish', script)).toEqual(['About=texts']);
  });
});

describe('switchboard completion', () => {
  it('refuses another shell with the nearest one', () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [CLI, 'completion', 'fich'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('Name one shell: bash, zsh or fish. Did you mean fish?');
  });
});
