import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/lib/version.ts';
import { CLI } from '../support/build.ts';
import { makeFolder } from '../support/folder.ts';
import { runCli } from '../support/process.ts';

/*
 * dist/cli.js stores the code that V8 has compiled, so that the next run need not compile it.
 */

let folder: ReturnType<typeof makeFolder>;
let own: string;

beforeEach(() => {
  folder = makeFolder();
  own = join(folder.path, 'cache', 'switchboard');
});
afterEach(() => folder.remove());

const run = (env: Record<string, string | undefined> = {}) =>
  runCli(['version'], folder.path, { XDG_CACHE_HOME: join(folder.path, 'cache'), ...env });
const PRINTED = { code: 0, out: `${VERSION}\n`, err: '' };

/** The file of a command. */
function stored(command = 'version'): string {
  const [build] = readdirSync(own);
  return join(own, build ?? '', command);
}

/** Kilobytes of code that a command has loaded. Its file begins with a checksum, and lists the chunks. */
function loaded(command: string): number {
  const bytes = readFileSync(stored(command));
  const list: [chunk: string, size: number][] = JSON.parse(bytes.toString('utf8', 8, 8 + bytes.readUInt32LE(4)));
  const sizes = list.map(([chunk]) => statSync(join(dirname(CLI), 'chunks', chunk)).size);
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

describe('the code that a start loads', () => {
  it('is a small part of the program, for a lookup as for the version', async () => {
    expect(await run()).toEqual(PRINTED);
    expect(loaded('version')).toBeLessThan(250);
    const env = { XDG_CACHE_HOME: join(folder.path, 'cache'), PLATFORM_BASE_URL: 'http://127.0.0.1:9' };
    const account = { PLATFORM_ACCOUNT_KEY: 'key', PLATFORM_ACCOUNT_SECRET: 'secret' };
    await runCli(['number', '+12015550101'], folder.path, { ...env, ...account });
    expect(loaded('number')).toBeLessThan(1_650);
  });
});

describe('compiled code', () => {
  it('is stored for the user alone, and used again', async () => {
    expect(await run()).toEqual(PRINTED);
    const file = stored();
    expect(statSync(own).mode & 0o777).toBe(0o700);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { ino } = statSync(file);
    expect(await run()).toEqual(PRINTED);
    // A run that could not use it writes another file.
    expect(statSync(file).ino).toBe(ino);
  });

  it('is compiled and stored again when the file is damaged', async () => {
    await run();
    const bytes = readFileSync(stored());
    for (let at = Math.floor(bytes.length / 2); at < bytes.length; at += 3) bytes[at] = (bytes[at] ?? 0) ^ 0x5a;
    writeFileSync(stored(), bytes);
    expect(await run()).toEqual(PRINTED);
    expect(readFileSync(stored())).not.toEqual(bytes);
    writeFileSync(stored(), '');
    expect(await run()).toEqual(PRINTED);
  });

  it('is neither read nor stored where another user can write', async () => {
    mkdirSync(own, { recursive: true });
    chmodSync(own, 0o777);
    expect(await run()).toEqual(PRINTED);
    expect(existsSync(stored())).toBe(false);
    chmodSync(own, 0o700);
    await run();
    writeFileSync(stored(), 'not looked at');
    chmodSync(join(stored(), '..'), 0o777);
    expect(await run()).toEqual(PRINTED);
    expect(readFileSync(stored(), 'utf8')).toBe('not looked at');
  });

  it('is stored although a killed process with the same id left its file', async () => {
    await run();
    const file = stored();
    rmSync(file);
    // The shell's id is that of the program that it becomes.
    const line = `echo left > '${file}'.$$; exec '${process.execPath}' '${CLI}' version`;
    const env = { ...process.env, XDG_CACHE_HOME: join(folder.path, 'cache'), NODE_V8_COVERAGE: undefined };
    await promisify(execFile)('/bin/sh', ['-c', line], { env });
    expect(readdirSync(dirname(file))).toEqual(['version']);
    expect(statSync(file).size).toBeGreaterThan(1000);
  });

  it('is not stored for a command that does not exist', async () => {
    await run();
    for (const command of ['versoin', 'audti', 'zzz'])
      expect(await runCli([command], folder.path, { XDG_CACHE_HOME: join(folder.path, 'cache') })).toMatchObject({
        code: 2,
      });
    expect(readdirSync(dirname(stored()))).toEqual(['version']);
  });

  it('is not stored if the environment turns compile caches off, or the folder cannot be made', async () => {
    expect(await run({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual(PRINTED);
    expect(existsSync(own)).toBe(false);
    writeFileSync(join(folder.path, 'cache'), '');
    expect(await run()).toEqual(PRINTED);
  });
});
