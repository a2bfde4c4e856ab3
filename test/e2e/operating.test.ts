import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/build.ts';
import { makeFolder } from '../support/folder.ts';
import { describeWith, program } from '../support/programs.ts';

/* The unit that src/start/README.md shows, as systemd reads it. */

const UNIT = /```ini\n(\[Unit\][\s\S]*?)```/.exec(readFileSync(join(ROOT, 'src/start/README.md'), 'utf8'))?.[1] ?? '';

describeWith({ systemd: program('systemd-analyze') }, 'the systemd unit of the README', ({ systemd = '' }) => {
  it('is accepted by systemd-analyze verify without a remark', () => {
    const folder = makeFolder();
    const path = join(folder, 'switchboard.service');
    // Node may lie elsewhere on this machine.
    writeFileSync(path, UNIT.replace('/usr/bin/node', process.execPath));
    // A key that systemd does not know is a remark on stderr, with exit code 0.
    const { status, stderr } = spawnSync(systemd, ['verify', '--man=no', path], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('waits for the network, gives the data to its user alone, and takes rights away', () => {
    for (const line of [
      'Wants=network-online.target',
      'After=network-online.target',
      'StateDirectoryMode=0700',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
    ])
      expect(UNIT).toContain(`\n${line}\n`);
  });
});
