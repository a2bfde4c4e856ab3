import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/demo/sandbox/index.ts';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { bundle } from '../support/bundle.mjs';
import { type LatePlatform, openLatePlatform } from '../support/late-platform.ts';
import { SILENCE } from '../support/later.ts';
import { onSandbox } from '../support/on-sandbox.ts';
import { runCli } from '../support/process.ts';
import { openSqliteFile } from '../support/sqlite-file.ts';
import { A1, PROVISION, seeded, until } from '../support/world.ts';

const REACTIVATE = '/v1.0/numbers/reactivate';
let bundles: string;
let data: string;
let sandbox: Sandbox;
let platform: LatePlatform;

beforeAll(async () => {
  // Beside the project's modules, so that the bundle finds the native ones.
  bundles = mkdtempSync(join('node_modules', '.recovery-'));
  await bundle(bundles, { gated: 'test/ledger/gated-process.ts' });
});
afterAll(() => rmSync(bundles, { recursive: true, force: true }));
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'sb-recovery-'));
  sandbox = await startSandbox({ port: 0 });
  platform = await openLatePlatform();
  platform.target = sandbox.url;
});
afterEach(async () => {
  await platform.close();
  await sandbox.close();
  rmSync(data, { recursive: true, force: true });
});

const env = () => ({
  ...onSandbox(platform.url),
  DATA_DIR: data,
  LOG_LEVEL: 'silent',
});
const requests = async (path: string) =>
  ((await (await fetch(`${sandbox.url}/sandbox/requests`)).json()) as { path: string }[]).filter(
    (request) => request.path === path,
  );

const RECOVER = { PhoneNumber: seeded(7), AccountId: A1 };

/** A process that asks for a call, confirms it, and sends itself a signal at a step. */
function gated(
  step: string,
  signal: 'SIGKILL' | 'SIGSTOP',
  operation = 'numbers_reactivate',
  input: unknown = RECOVER,
) {
  const args = [join(bundles, 'gated.mjs'), step, operation];
  const child = spawn(process.execPath, [...args, JSON.stringify(input), signal], {
    env: { ...process.env, ...env() },
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said.err += chunk;
  });
  return { child, said, ended: new Promise<void>((resolve) => child.once('close', () => resolve())) };
}

function file() {
  const db = openSqliteFile(join(data, 'switchboard.db'));
  onTestFinished(() => db.close());
  return db;
}
/** The process that sends has not renewed its claim. */
const silence = () => file().run(SILENCE);

async function restart() {
  const runtime = await openRuntime(loadConfig(env()), {});
  onTestFinished(() => runtime.close());
  return runtime.gate;
}

describe('an action whose process is gone', () => {
  it('is taken over and read, and not sent again', async () => {
    const dead = gated('answered', 'SIGKILL');
    await dead.ended;
    silence();
    const gate = await restart();
    const action = await until(
      async () => (await gate.actions.list({}))[0],
      (now) => now?.state === 'done',
    );
    expect(action?.result).toMatchObject({ PhoneNumber: seeded(7), Resolved: expect.stringContaining('"Active"') });
    expect(await requests(REACTIVATE)).toHaveLength(1);
  });

  it('is not sent by its former owner, which only slept', async () => {
    const sleeping = gated('sent', 'SIGSTOP');
    await until(() => sleeping.said.out === 'sent\n');
    silence();
    const gate = await restart();
    await until(async () => (await gate.actions.list({}))[0]?.state === 'unknown');
    sleeping.child.kill('SIGCONT');
    await sleeping.ended;
    expect(sleeping.said.err).toContain('another process has taken it over');
    expect(await requests(REACTIVATE)).toEqual([]);
    // It knows at first hand that nothing was sent.
    expect((await gate.actions.list({}))[0]).toMatchObject({ state: 'failed', error: { outcome: 'not_done' } });
  });

  it('is taken up beside one that was sealed with another key', async () => {
    await gated('answered', 'SIGKILL').ended;
    await gated('answered', 'SIGKILL', 'numbers_provision', PROVISION).ended;
    // An input that another key has sealed does not open. The newest comes first.
    file().run(`UPDATE actions SET input = randomblob(80) WHERE operation = 'numbers_provision'`);
    silence();
    const gate = await restart();
    const states = await until(
      async () => (await gate.actions.list({})).map(({ state }) => state).sort(),
      (now) => !now.includes('in_flight') && now.includes('done'),
    );
    expect(states).toEqual(['done', 'unknown']);
  });
});

describe('a process that runs in another time zone than the platform', () => {
  const call = (...args: string[]) =>
    runCli(['call', ...args, '--yes'], data, { ...env(), TZ: 'Asia/Tokyo', PLATFORM_TIME_ZONE: 'UTC' });

  it('cancels with a consent that expires in five minutes, not nine hours ago', async () => {
    platform.zoneless = true;
    const done = await call('numbers_cancel', '--json', JSON.stringify({ PhoneNumbers: [{ Number: seeded(3) }] }));
    expect([done.err, done.code]).toEqual([expect.not.stringContaining('"error"'), 0]);
    expect(JSON.parse(done.out).Status).toBe('Complete');
  });
});
