import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLI } from '../support/build.ts';
import { environment, makeFolder } from '../support/folder.ts';
import { runCli, startCli } from '../support/process.ts';

/** A device on which every write fails because it is full. Linux has one. */
const FULL = '/dev/full';

let folder: string;
beforeEach(async () => {
  folder = makeFolder();
  const { code } = await runCli(['call', 'numbers_reactivate', 'PhoneNumber=+12015550107', '--yes'], folder, {});
  expect(code).toBe(0);
});

it.each(['audit', 'doctor', 'manifest', '--help', 'call --help', 'find ava'])(
  'a reader that closes its end of the pipe does not make the command fail: %s',
  async (command) => {
    const running = startCli(command.split(' '), folder, { LOG_LEVEL: 'info' });
    running.child.stdout?.destroy();
    expect(await running.ended).toBe(0);
    expect(running.err()).not.toMatch(/EPIPE|\n +at /);
  },
);

/** Runs a command whose stdout is a full disk. */
async function runOnFull(args: string[]): Promise<{ code: unknown; err: string }> {
  const stdout = openSync(FULL, 'w');
  const env = environment(folder, { LOG_LEVEL: 'info' });
  const child = spawn(process.execPath, [CLI, ...args], { cwd: folder, env, stdio: ['ignore', stdout, 'pipe'] });
  let err = '';
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  closeSync(stdout);
  return { code, err };
}

describe.skipIf(!existsSync(FULL))('an output that cannot be written', () => {
  it.each(['manifest', 'audit', 'completion bash', '--help'])('fails the command: %s', async (command) => {
    const { code, err } = await runOnFull(command.split(' '));
    expect([code, JSON.parse(err)]).toEqual([1, { error: expect.objectContaining({ code: 'unavailable' }) }]);
  });

  it('is the result of a change that was paid, so the status and stderr say so', async () => {
    const text = ['From=+12015550101', 'To=+13125550100', 'Body=hello'];
    const { code, err } = await runOnFull(['call', 'message_outbound', ...text, '--yes']);
    expect([code, err]).toEqual([5, expect.stringMatching(/could not be written. A change that was made stands/)]);
  });
});
