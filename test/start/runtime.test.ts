import { readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/lib/config.ts';
import { openRuntime } from '../../src/start/runtime.ts';
import { makeFolder } from '../support/folder.ts';

const folder = makeFolder();

it('makes the data folder for its user alone, with every file in it, under a permissive umask', async () => {
  const before = process.umask(0);
  try {
    const config = loadConfig({ DATA_DIR: join(folder, 'deep', 'data'), LOG_LEVEL: 'silent' });
    const runtime = await openRuntime(config, { host: true });
    await runtime.inbox().counts();
    await runtime.watches().list();
    const open = modes(config.DATA_DIR).filter(([, mode]) => (mode & 0o077) !== 0);
    const names = modes(config.DATA_DIR).map(([name]) => name);
    await runtime.close();
    expect(open).toEqual([]);
    const database = ['', '-wal', '-shm'].map((end) => `demo/switchboard.db${end}`);
    expect(names).toEqual(expect.arrayContaining(['sealing.key', ...database]));
  } finally {
    process.umask(before);
  }
});

function modes(root: string): [string, number][] {
  return [
    ['.', statSync(root).mode],
    ...readdirSync(root, { recursive: true, withFileTypes: true }).map((entry): [string, number] => {
      const path = join(entry.parentPath, entry.name);
      return [relative(root, path), statSync(path).mode];
    }),
  ];
}
