import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What the default place depends on; given, so that it can be tested for each system. */
export interface Home {
  platform: NodeJS.Platform;
  /** $XDG_STATE_HOME. */
  stateHome: string | undefined;
  /** %LOCALAPPDATA%. */
  localAppData: string | undefined;
  home?: string;
}

/** `switchboard` in the user's state directory (DATA_DIR). */
export function defaultDataDir({ platform, stateHome, localAppData, home = homedir() }: Home): string {
  if (platform === 'win32') return join(localAppData ?? join(home, 'AppData', 'Local'), 'switchboard');
  // The XDG Base Directory Specification has relative paths ignored.
  const state = stateHome !== undefined && isAbsolute(stateHome) ? stateHome : join(home, '.local', 'state');
  return join(state, 'switchboard');
}

/** A file of one platform's data: the demo's stand in a folder of their own, apart from the real ones. */
export function dataFile(config: { DATA_DIR: string; demo: boolean }, name: string): string {
  return config.demo ? join(config.DATA_DIR, 'demo', name) : join(config.DATA_DIR, name);
}

/** A data folder or a key that somebody else could have put there; the message is one sentence with the way out. */
export class UnsafeData extends Error {
  override readonly name = 'UnsafeData';
}

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** Names of our own: DATA_DIR may name a folder in which other files stand too. */
const OURS = /^(.+\.db(-wal|-shm|-journal)?|sealing\.key|server\.json|sandbox\.json)$/;

/**
 * Makes the data folder, or takes the one that is there: its mode becomes 0700 and that of our files in it 0600,
 * whatever the umask was when they were made.
 *
 * @throws UnsafeData when the folder belongs to another user, is no folder, or others may write to it: what is in it
 * (decisions, keys) could then be theirs
 */
export function openDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UnsafeData(
      `DATA_DIR ${path} cannot be made (${(error as NodeJS.ErrnoException).code}); set DATA_DIR to a folder of your own.`,
      { cause: error },
    );
  }
  const problem = dataDirProblem(path);
  if (problem !== undefined) throw new UnsafeData(problem);
  if (process.platform === 'win32') return;
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, 0o700);
  for (const name of readdirSync(path)) if (OURS.test(name)) makePrivate(join(path, name));
}

/** Why this folder is not used for data, in one sentence; undefined where it may be, or is not there yet. */
export function dataDirProblem(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return `DATA_DIR ${path} is not a folder; set DATA_DIR to a folder of your own.`;
  if (!isOwn(found)) return `DATA_DIR ${path} belongs to another user; set DATA_DIR to a folder of your own.`;
  if (process.platform !== 'win32' && (found.mode & OTHERS_WRITE) !== 0) {
    return `DATA_DIR ${path} can be written to by other users, who could have put decisions and keys there; check what is in it, then: chmod 700 ${path}`;
  }
  return undefined;
}

/** Takes a file of ours from everybody else: mode 0600. A link, or a file of another user, is left alone. */
export function makePrivate(path: string): void {
  if (process.platform === 'win32') return;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() && isOwn(found) && (found.mode & OTHERS) !== 0) chmodSync(path, 0o600);
}

/** Whether a file or folder belongs to the user of this process; where a system has no user ids, it does. */
export function isOwn(stats: Stats): boolean {
  const uid = process.getuid?.();
  return uid === undefined || stats.uid === uid;
}
