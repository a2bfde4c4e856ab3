import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sandbox } from '../../src/demo/sandbox/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime, type Runtime } from '../../src/start/runtime.ts';
import { bundle } from '../support/bundle.mjs';
import { makeFolder } from '../support/folder.ts';
import { recover, SILENCE } from '../support/later.ts';
import { controlSandbox, onSandbox, openSandbox, sentTo } from '../support/on-sandbox.ts';
import { A1, PROVISION } from '../support/seed.ts';
import { editFile } from '../support/sqlite-file.ts';
import { until } from '../support/world.ts';

let folder: string;
let program: string;
let data: string;
let sandbox: Sandbox;
let runtime: Runtime | undefined;

beforeAll(async () => {
  // Beside the project's modules, so that the bundle finds the native ones.
  folder = mkdtempSync(join('node_modules', '.kill-'));
  program = join(folder, 'gated.mjs');
  await bundle(folder, { gated: 'test/ledger/gated-process.ts' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(async () => {
  data = makeFolder();
  sandbox = await openSandbox();
});
afterEach(async () => {
  await runtime?.close();
  runtime = undefined;
});

const env = () => ({
  ...onSandbox(sandbox.url),
  DATA_DIR: data,
  LOG_LEVEL: 'silent',
  // With a fast platform, a reading can soon prove that a change was not done.
  PLATFORM_TIMEOUT_MS: '1000',
  PLATFORM_SETTLE_SECONDS: '1',
});

/** A process that asks for a call, confirms it, and sends itself a signal at a step. */
function gated(step: string, signal: NodeJS.Signals, operation: string, input: unknown) {
  const args = [program, step, operation, JSON.stringify(input), signal];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env() } });
  const said = { out: '', err: '' };
  for (const [stream, name] of [
    [child.stdout, 'out'],
    [child.stderr, 'err'],
  ] as const)
    stream.on('data', (chunk) => {
      said[name] += chunk;
    });
  return { child, said, ended: new Promise<unknown>((resolve) => child.once('close', (_code, by) => resolve(by))) };
}

const runAndDie = (step: string, operation: string, input: unknown) => gated(step, 'SIGKILL', operation, input).ended;

/** Opens the runtime in a new process, which recovers the actions of the dead one. Returns all actions. */
async function restart() {
  runtime = await openRuntime(loadConfig(env()), {});
  await recover(runtime);
  return await runtime.gate.actions.list({});
}

const sent = async (path: string): Promise<number> => (await sentTo(sandbox.url, path)).length;
const fees = async (): Promise<number> => (await controlSandbox(sandbox.url, 'state')).fees.length;

/** Changes rows of the file, as another program does. */
const edit = (sql: string) => editFile(join(data, 'switchboard.db'), sql);

describe('kill -9 at every step of a gated call', () => {
  const input = { PhoneNumber: '+12015550107', AccountId: A1 };

  test.each([
    ['asked: nothing was sent, and it still waits for a person', 'asked', 'pending', 0, 0],
    ['confirmed: not forgotten, sent once after the restart', 'confirmed', 'done', 0, 1],
    ['answered, not yet written: reading finds that it was done, and it is not sent again', 'answered', 'done', 1, 1],
  ])('%s', async (_what, step, state, before, after) => {
    expect(await runAndDie(step, 'numbers_reactivate', input)).toBe('SIGKILL');
    expect(await sent('/v1.0/numbers/reactivate')).toBe(before);
    const [action] = await restart();
    expect(action?.state).toBe(state);
    expect([await sent('/v1.0/numbers/reactivate'), await fees()]).toEqual([after, after]);
  });

  test('claimed, not yet sent: unknown until the platform can no longer do it, then found not done', async () => {
    expect(await runAndDie('sent', 'numbers_reactivate', input)).toBe('SIGKILL');
    const [unknown] = await restart();
    expect(unknown?.state).toBe('unknown');
    expect(unknown?.error?.next).toContain('"Cancelled - Pending Delete"');
    const action = await until(
      async () => (await runtime?.gate.actions.list({}))?.[0],
      (now) => now?.state !== 'unknown',
    );
    expect(action).toMatchObject({ state: 'failed', error: { outcome: 'not_done' } });
    expect(action?.error?.message).toMatch(/Resolved by reading at \S+ and \S+: numbers_get says/);
    expect(await sent('/v1.0/numbers/reactivate')).toBe(0);
  });

  test('a purchase whose answer was lost is found in the inventory and not bought twice', async () => {
    expect(await runAndDie('answered', 'numbers_provision', PROVISION)).toBe('SIGKILL');
    const [action] = await restart();
    expect(action?.state).toBe('done');
    expect(String(action?.result?.PhoneNumberAssigned)).toMatch(/^\+1201/);
    expect(await sent('/v1.0/numbers/provision')).toBe(1);
  });

  test('claimed by a process that only slept: taken over, and not sent when it wakes up', async () => {
    const sleeping = gated('sent', 'SIGSTOP', 'numbers_reactivate', input);
    await until(() => sleeping.said.out === 'sent\n');
    edit(SILENCE);
    const [unknown] = await restart();
    expect(unknown?.state).toBe('unknown');
    sleeping.child.kill('SIGCONT');
    await sleeping.ended;
    expect(sleeping.said.err).toContain('another process has taken it over');
    expect(await sent('/v1.0/numbers/reactivate')).toBe(0);
    // It knows at first hand that nothing was sent.
    const [action] = (await runtime?.gate.actions.list({})) ?? [];
    expect(action).toMatchObject({ state: 'failed', error: { outcome: 'not_done' } });
  });

  test('one that another key has sealed keeps no other from being taken up', async () => {
    await runAndDie('answered', 'numbers_reactivate', input);
    await runAndDie('answered', 'numbers_provision', PROVISION);
    // An input that another key has sealed does not open. The newest comes first.
    edit(`UPDATE actions SET input = randomblob(80) WHERE operation = 'numbers_provision'`);
    expect((await restart()).map(({ state }) => state).sort()).toEqual(['done', 'unknown']);
  });

  test('no secret of a killed cancellation stands in any file', async () => {
    await runAndDie('asked', 'numbers_cancel', { PhoneNumbers: [{ Number: '+12015550103' }] });
    const bytes = readdirSync(data)
      .filter((name) => name !== 'sealing.key')
      .map((name) => readFileSync(join(data, name), 'latin1'))
      .join('');
    expect(bytes).toContain('I consent');
    expect(bytes).not.toMatch(/AuthCode":/);
  });
});
