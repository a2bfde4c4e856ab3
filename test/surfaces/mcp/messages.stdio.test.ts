import { type ChildProcess, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { CLI } from '../../support/build.ts';
import { environment, makeFolder } from '../../support/folder.ts';
import { openLateSandbox } from '../../support/late-platform.ts';
import { answerTo, callOf, MODERN, metaOf, rpc, written } from '../../support/messages.ts';
import { onSandbox } from '../../support/on-sandbox.ts';
import { type Running, startCli } from '../../support/process.ts';
import { seeded } from '../../support/seed.ts';
import { until } from '../../support/world.ts';

const MIB = 1024 * 1024;

let folder: string;
let running: Running;
const platform = await openLateSandbox();
beforeEach(() => {
  folder = makeFolder();
});

describe.each([
  ['2025-11-25', {}],
  [MODERN, { _meta: metaOf() }],
])('a client of %s', (_, params) => {
  beforeEach(() => {
    running = startCli(['mcp'], folder, onSandbox(platform.url));
  });
  const lookUp = (id: number) =>
    running.write(rpc('tools/call', { ...params, name: 'numbers_get', arguments: { PhoneNumber: seeded(1) } }, id));
  /** Makes a call whose answer the platform holds back. */
  const holdCall = async (id: number) => {
    platform.next('/v1.0/numbers', 'held');
    lookUp(id);
    await until(() => platform.waiting() === 0);
  };

  it('is told why a line of more than 10 MiB ends the process, and still gets the answers under way', async () => {
    await holdCall(1);
    running.child.stdin?.on('error', () => undefined);
    for (let sent = 0; sent <= 10; sent += 1) running.child.stdin?.write('x'.repeat(MIB));
    await running.said(/more than 10 MiB/);
    await platform.release();
    expect(await running.ended).toBe(1);
    expect(running.err()).not.toMatch(/\n +at /);
    expect(written(running)).toMatchObject([
      { id: null, error: { code: -32600, message: expect.stringContaining('10 MiB') } },
      { id: 1, result: { structuredContent: { Number: seeded(1) } } },
    ]);
  });

  it('gets the answers under way after it closed its end, also to a last line without an end', async () => {
    await holdCall(1);
    running.child.stdin?.end(JSON.stringify(rpc('tools/list', params, 2)));
    await answerTo(running, 2);
    await platform.release();
    expect((await answerTo(running, 1)).result.structuredContent).toMatchObject({ Number: seeded(1) });
    expect(await running.ended).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('gets the answer under way after %s', async (signal) => {
    await holdCall(1);
    running.child.kill(signal);
    running.child.kill(signal);
    await platform.release();
    expect((await answerTo(running, 1)).result.structuredContent).toMatchObject({ Number: seeded(1) });
    expect(await running.ended).toBe(0);
  });
});

it('ends when the process that started it is killed, although its input stays open', async () => {
  const settings = join(folder, 'empty.env');
  writeFileSync(settings, '');
  const start = `require('node:child_process').spawn(process.execPath, ${JSON.stringify([CLI, 'mcp', '--settings', settings])}, { stdio: 'inherit' })`;
  const client: ChildProcess = spawn(process.execPath, ['-e', start], {
    env: environment(folder, onSandbox(platform.target)),
  });
  let out = '';
  client.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  const allClosed = new Promise((resolve) => client.once('close', resolve));
  client.stdin?.write(`${JSON.stringify(callOf('numbers_get', { PhoneNumber: seeded(1) }))}\n`);
  await until(() => out.includes('"id":1'));
  client.kill('SIGKILL');
  // The streams close when the last process that has them ends.
  await allClosed;
});
