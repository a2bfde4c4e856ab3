import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = 'switchboard-tests-';
/** The free memory that is needed, which is several times the files of a run. */
const NEEDED_BYTES = 4 * 1024 ** 3;

/**
 * vitest globalSetup: puts the temporary files of the run in memory, so that a commit of a database waits for no disk.
 * They stay in place if TMPDIR is set, or if there is no such file system or too little memory.
 */
export default function setup(): (() => void) | undefined {
  if (process.env.TMPDIR !== undefined || freeBytes() < NEEDED_BYTES) return undefined;
  for (const name of readdirSync(MEMORY))
    if (isLeft(name)) rmSync(join(MEMORY, name), { recursive: true, force: true });
  const folder = mkdtempSync(join(MEMORY, `${NAME}${process.pid}-`));
  // Tests run PostgreSQL and commands as other users.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  };
}

function freeBytes(): number {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, freemem());
  } catch {
    return 0;
  }
}

/** True for the folder of an interrupted run of this user, which did not delete it. */
function isLeft(name: string): boolean {
  const pid = new RegExp(`^${NAME}(\\d+)-`).exec(name)?.[1];
  if (pid === undefined || statSync(join(MEMORY, name), { throwIfNoEntry: false })?.uid !== process.getuid?.())
    return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
