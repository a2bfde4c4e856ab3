import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { CLI } from '../../support/build.ts';

const run = promisify(execFile);

it.each([
  ['switchboard compl', ['completion']],
  ['switchboard events re', ['retry']],
  ['switchboard audit --un', ['--until']],
  ['switchboard call numbers_re', ['numbers_reactivate']],
  ['switchboard call numbers_diagnose Ab', ['About=']],
  ['switchboard call numbers_diagnose About=x --ou', ['--output']],
  ['switchboard batch numbers_stat', ['numbers_status']],
  ['switchboard batch numbers_porto', ['']],
])('completes in bash: %s', async (line, offered) => {
  const words = line.split(/(?<==)|(?==)| /);
  const script = `source <("$0" "$1" completion bash); shift
COMP_WORDS=("$@"); COMP_CWORD=$(( $# - 1 )); _switchboard; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout } = await run('bash', ['-c', script, process.execPath, CLI, ...words]);
  expect(stdout.trim().split('\n')).toEqual(offered);
});
