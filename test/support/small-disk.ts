import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file system of a few MB in memory, in this folder. */
export interface SmallDisk {
  path: string;
  fill(): void;
  empty(): void;
  remove(): void;
}

/** Undefined where this user may not mount one. */
export function mountSmallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  const path = join(folder, 'disk');
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  const filler = join(path, 'filler');
  return {
    path,
    fill: () => {
      const file = openSync(filler, 'w');
      try {
        for (;;) writeSync(file, Buffer.alloc(64 * 1024));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => execFileSync('umount', [path]),
  };
}
