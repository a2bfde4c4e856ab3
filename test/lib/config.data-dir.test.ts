import { chmodSync, chownSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sealingKeys } from '../../src/ledger/seal.ts';
import { defaultDataDir, openDataDir } from '../../src/lib/config.ts';
import { makeFolder } from '../support/folder.ts';
import { problem } from './support.ts';

let folder: string;
beforeEach(() => {
  folder = makeFolder();
});

describe('the data folder', () => {
  const home = () => '/home/ana';
  it.each([
    ['linux', {}, '/home/ana/.local/state/switchboard'],
    ['darwin', {}, '/home/ana/.local/state/switchboard'],
    ['linux', { XDG_STATE_HOME: '/var/ana' }, '/var/ana/switchboard'],
    ['linux', { XDG_STATE_HOME: 'relative' }, '/home/ana/.local/state/switchboard'],
  ] as const)('is by default on %s with %j in %s', (platform, env, expected) => {
    expect(defaultDataDir(env, platform, home)).toBe(expected);
  });

  it('takes our own files in an existing folder from everybody else, and leaves others as they are', async () => {
    const data = join(folder, 'data');
    mkdirSync(data);
    const ours = ['', '-wal', '-shm'].map((end) => join(data, `switchboard.db${end}`));
    for (const path of [...ours, join(data, 'notes.txt')]) {
      writeFileSync(path, '');
      chmodSync(path, 0o644);
    }
    chmodSync(data, 0o755);
    openDataDir(data);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    for (const path of ours) expect([path, statSync(path).mode & 0o777]).toEqual([path, 0o600]);
    expect(statSync(join(data, 'notes.txt')).mode & 0o777).toBe(0o644);
  });

  it.each([0o770, 0o707, 0o777, 0o1777])('is refused where others may write to it: %o', (mode) => {
    const data = join(folder, 'data');
    mkdirSync(data);
    chmodSync(data, mode);
    expect(problem({ DATA_DIR: data })).toMatch(/^DATA_DIR \S+ can be written to by other users, .*chmod 700/);
    expect(() => openDataDir(data)).toThrow('can be written to by other users');
  });

  it('is refused where it is somebody else’s, or no folder', ({ skip }) => {
    const data = join(folder, 'data');
    writeFileSync(data, '');
    expect(problem({ DATA_DIR: data })).toContain('is not a folder');
    rmSync(data);
    mkdirSync(data, { mode: 0o700 });
    if (process.getuid?.() !== 0) return skip('giving a folder away needs root');
    chownSync(data, 65534, 65534);
    expect(problem({ DATA_DIR: data })).toContain('belongs to another user');
    return undefined;
  });

  it('holds a sealing key that nobody else can have', ({ skip }) => {
    const key = join(folder, 'sealing.key');
    const [made] = sealingKeys(folder, undefined);
    expect(made).toHaveLength(32);
    chmodSync(key, 0o644);
    expect(sealingKeys(folder, undefined)).toEqual([made]);
    expect(statSync(key).mode & 0o777).toBe(0o600);
    writeFileSync(key, 'short');
    expect(() => sealingKeys(folder, undefined)).toThrow('does not hold 32 bytes');
    rmSync(key);
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, Buffer.alloc(32).toString('base64'));
    symlinkSync(elsewhere, key);
    expect(() => sealingKeys(folder, undefined)).toThrow('is not a file of this user');
    if (process.getuid?.() !== 0) return skip('giving a file away needs root');
    rmSync(key);
    writeFileSync(key, Buffer.alloc(32).toString('base64'), { mode: 0o600 });
    chownSync(key, 65534, 65534);
    expect(() => sealingKeys(folder, undefined)).toThrow('is not a file of this user');
    return undefined;
  });
});
