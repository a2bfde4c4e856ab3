import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseTokens } from '../../../src/language/parse.ts';
import { argumentToken } from '../../../src/language/tokens.ts';
import { tools } from '../../../tools/index.ts';
import { run } from './support.ts';

describe('an example in help', () => {
  it.each(['packages_create', 'numbers_portin', 'message_outbound'])('of %s is what a shell takes', async (id) => {
    const { out } = await run([id, '--help']);
    const line = /^Example: switchboard call (.*)$/m.exec(out)?.[1] ?? '';
    const { stdout } = await promisify(execFile)('/bin/sh', ['-c', `printf '%s\\n' ${line}`]);
    const parsed = parseTokens(
      stdout.split('\n')[0] ?? '',
      stdout.trimEnd().split('\n').slice(1).map(argumentToken),
      tools,
    );
    expect(parsed.kind === 'call' && parsed.input).toEqual(tools.find((tool) => tool.id === id)?.examples[0]);
  });
});
