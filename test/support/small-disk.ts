import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
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
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(bavail * bsize));
    },
    empty: () => rmSync(filler, { force: true }),
    remove: () => execFileSync('umount', [path]),
  };
}
