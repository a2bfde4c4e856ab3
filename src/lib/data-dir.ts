import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync, type Stats, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The default DATA_DIR: `switchboard` in the user's state directory (src/start/README.md, Settings). What determines it is
 * passed in, so that every system can be tested.
 *
 * @throws UnusableData if the user has no home folder
 */
export function defaultDataDir(env: NodeJS.ProcessEnv, platform: NodeJS.Platform, home = homedir): string {
  const { XDG_STATE_HOME: stateHome, LOCALAPPDATA: localAppData } = env;
  try {
    if (platform === 'win32') return join(localAppData ?? join(home(), 'AppData', 'Local'), 'switchboard');
    // The XDG Base Directory Specification requires relative paths to be ignored.
    const state = stateHome !== undefined && isAbsolute(stateHome) ? stateHome : join(home(), '.local', 'state');
    return join(state, 'switchboard');
  } catch (error) {
    throw new UnusableData('This user has no home folder; set DATA_DIR to a folder of your own.', { cause: error });
  }
}

/** The name of the user; `uid-1234` for a user id without an account, as in many containers. */
export function userName(): string {
  try {
    return userInfo().username;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error;
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** The path of a data file. The demo's files are in a separate folder. */
export function dataFile(config: { DATA_DIR: string; demo: boolean }, name: string): string {
  return config.demo ? join(config.DATA_DIR, 'demo', name) : join(config.DATA_DIR, name);
}

/** A data folder or a key that another user may have put there. The message says what to do. */
export class UnsafeData extends Error {
  override readonly name = 'UnsafeData';
}

/** A data folder that this user cannot use. The message says what to do. */
export class UnusableData extends Error {
  override readonly name = 'UnusableData';
}

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** The names of Switchboard's files. DATA_DIR may be a folder that holds other files too. */
const OURS = /^(.+\.db(-wal|-shm|-journal)?|sealing\.key|server\.json|sandbox\.(json|sealed))$/;

/**
 * Creates the data folder if it does not exist. Sets its mode to 0700 and that of Switchboard's files in it to 0600,
 * because the umask may have been different when they were created.
 *
 * @throws UnsafeData when the path is not a folder, the folder belongs to another user, or others may write to it: the
 * decisions and keys in it could then be theirs
 * @throws UnusableData when the folder cannot be created or written to
 */
export function openDataDir(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new UnusableData(
      `DATA_DIR ${path} cannot be created (${(error as NodeJS.ErrnoException).code}); set DATA_DIR to a folder of your own.`,
      { cause: error },
    );
  }
  const problem = dataDirProblem(path);
  if (problem !== undefined) throw new UnsafeData(problem);
  const code = accessProblem(path);
  if (code !== undefined)
    throw new UnusableData(`DATA_DIR ${path} cannot be written to (${code}); set DATA_DIR to a folder of your own.`);
  if (process.platform === 'win32') return;
  if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, 0o700);
  for (const name of readdirSync(path)) if (OURS.test(name)) makePrivate(join(path, name));
}

/** The system's error code if this user cannot write to a folder; undefined if they can. */
export function accessProblem(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

/** The reason why this folder cannot be used, in one sentence; undefined if it can, or if it does not exist yet. */
export function dataDirProblem(path: string): string | undefined {
  let found: Stats | undefined;
  try {
    found = statSync(path, { throwIfNoEntry: false });
  } catch {
    // It is below a folder that cannot be entered. Creating it fails with its own error.
  }
  if (found === undefined) return undefined;
  if (!found.isDirectory()) return `DATA_DIR ${path} is not a folder; set DATA_DIR to a folder of your own.`;
  if (!isOwn(found))
    return `DATA_DIR ${path} belongs to another user (uid ${found.uid}); run the command as that user (sudo -u '#${found.uid}' …), or set DATA_DIR to a folder of your own.`;
  if (process.platform !== 'win32' && (found.mode & OTHERS_WRITE) !== 0) {
    return `DATA_DIR ${path} can be written to by other users, who could have put decisions and keys there; check what is in it, then: chmod 700 ${path}`;
  }
  return undefined;
}

/** Makes a file private: mode 0600. Links and files of other users are left alone. */
export function makePrivate(path: string): void {
  if (process.platform === 'win32') return;
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isFile() && isOwn(found) && (found.mode & OTHERS) !== 0) chmodSync(path, 0o600);
}

/** True if a file or folder belongs to the user of this process; always true on systems without user ids. */
export function isOwn(stats: Stats): boolean {
  const uid = process.getuid?.();
  return uid === undefined || stats.uid === uid;
}
