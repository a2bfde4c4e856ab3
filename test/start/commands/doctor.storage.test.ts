import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import nock from 'nock';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';
import { systemClock } from '../../../src/lib/clock.ts';
import { loadConfig } from '../../../src/lib/config.ts';
import { dataFile } from '../../../src/lib/data-dir.ts';
import { doctor } from '../../../src/start/commands/doctor.ts';
import { DATA_FILE, openInstallation } from '../../../src/start/installation.ts';
import { makeFolder } from '../../support/folder.ts';

const closers: (() => unknown)[] = [];
beforeEach(() => {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  nock.enableNetConnect();
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => nock.restore());

function folder(): string {
  const made = makeFolder();
  closers.push(made.remove);
  return made.path;
}

/** Makes the data of an installation in this folder. Returns its SQLite file. */
async function installed(data: string): Promise<string> {
  vi.stubEnv('DATA_DIR', data);
  const config = loadConfig({ DATA_DIR: data });
  const store = await openInstallation(config, { clock: systemClock, log: () => undefined });
  await store.database('ledger').ready();
  await store.close();
  return dataFile(config, DATA_FILE);
}

/** Holds the file's lock for writing in another process. */
async function lock(file: string): Promise<void> {
  const program = `
    const Libsql = require('libsql');
    global.held = new Libsql(process.argv[1]);
    global.held.exec('BEGIN IMMEDIATE');
    console.log('locked');
    process.stdin.resume();`;
  const child = spawn(process.execPath, ['-e', program, file], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  closers.push(() => {
    child.kill();
    return ended;
  });
  await once(child.stdout, 'data');
}

/** Returns doctor's lines about the database, and its exit code. */
async function said(): Promise<{ code: number; lines: string[] }> {
  let text = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((more) => {
    text += String(more);
    return true;
  });
  const code = await doctor();
  vi.restoreAllMocks();
  return { code, lines: text.split('\n').filter((line) => /^\S+ +database/.test(line)) };
}

it('says that the database takes writes', async () => {
  await installed(folder());
  expect((await said()).lines).toEqual([
    expect.stringMatching(/^ok {3}database: none configured/),
    'ok   database writes: reach the SQLite file',
  ]);
});

it('names the lock of another program, and how to find it', async () => {
  const file = await installed(folder());
  await lock(file);
  const { code, lines } = await said();
  expect(code).toBe(1);
  expect(lines.at(-1)).toBe(
    `FAIL database: cannot be written to (database is locked); another program holds its lock, such as a backup; end it (fuser ${file} names it)`,
  );
});

it('says that the files are read-only', async ({ skip }) => {
  if (process.getuid?.() === 0) return skip('root may write to every file');
  const file = await installed(folder());
  chmodSync(file, 0o400);
  chmodSync(dirname(file), 0o500);
  closers.push(() => chmodSync(dirname(file), 0o700));
  const { code, lines } = await said();
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatch(/^FAIL database: cannot be (written to|used) \(.+\); let this user write to /);
  return undefined;
});
