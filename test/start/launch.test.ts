import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { VERSION } from '../../src/lib/version.ts';
import { makeFolder } from '../support/folder.ts';
import { runCli } from '../support/process.ts';

/*
 * dist/cli.js stores the code that V8 has compiled, so that the next run need not compile it.
 */

let folder: string;
let own: string;

beforeEach(() => {
  folder = makeFolder();
  own = join(folder, 'cache', 'switchboard');
});

const run = (env: Record<string, string | undefined> = {}) =>
  runCli(['version'], folder, { XDG_CACHE_HOME: join(folder, 'cache'), ...env });
const PRINTED = { code: 0, out: `${VERSION}\n`, err: '' };

/** The file of a chunk that the command runs; the path of none before it is stored. */
function stored(command = 'version'): string {
  const folder = join(own, readdirSync(own)[0] ?? 'none');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return join(folder, files.find((name) => name.startsWith(`${command}-`)) ?? 'none');
}

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
});
