import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  type Stats,
  statSync,
} from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { nearestOf } from './nearest.ts';
import { listSettings, namesOf, restricts, type Settings, settings } from './settings.ts';
import { isLoopback } from './values.ts';

/** Settings from a file, for names that the environment leaves out. */
interface SettingsFile {
  /** Absolute; undefined if there is no such file. */
  path: string | undefined;
  values: Readonly<Record<string, string>>;
  /** Numbers of the lines that are neither `NAME=value`, blank nor a comment. */
  unread: readonly number[];
  /** The lines of each name that is on several. The last one counts. */
  repeated: Readonly<Record<string, readonly number[]>>;
}

export const NO_SETTINGS_FILE: SettingsFile = { path: undefined, values: {}, unread: [], repeated: {} };

/** The folder of the package. This file is two folders below it, and so is the chunk of the bundle that it becomes a part of. */
export function packageFolder(): string {
  return fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
}

/**
 * Reads the settings file: the one that was named, otherwise `.env` beside the package's package.json. The working
 * directory is ignored, so that a folder prepared by another user cannot configure anything (src/start/README.md, Settings).
 *
 * @param named path given with `--settings`, relative to the working directory as every path on a command line
 * @throws ConfigError when the named file cannot be read
 */
export function readSettingsFile(named?: string): SettingsFile {
  const path = named === undefined ? join(packageFolder(), '.env') : resolve(named);
  if (named === undefined && !existsSync(path)) return NO_SETTINGS_FILE;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be read (${code})`;
    throw new ConfigError(
      `--settings ${path}: ${reason}; name a file of NAME=value lines, such as a copy of .env.example.`,
    );
  }
  const values: Record<string, string> = {};
  const unread: number[] = [];
  const lines: Record<string, number[]> = {};
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, given = ''] = /^\s*(?:export\s+)?([\w.-]+)\s*=(.*)$/.exec(line) ?? [];
    const quoted = /^\s*(["'`])(.*?)\1\s*(?:#.*)?$/.exec(given);
    if (name === undefined || (quoted === null && /^\s*["'`]/.test(given))) {
      unread.push(at + 1);
      continue;
    }
    // A # that follows white space begins a comment.
    values[name] = quoted?.[2] ?? given.replace(/\s#.*$/, '').trim();
    lines[name] = [...(lines[name] ?? []), at + 1];
  }
  const repeated = Object.fromEntries(Object.entries(lines).filter(([, at]) => at.length > 1));
  return { path, values, unread, repeated };
}

/** A name that is no setting. */
interface UnknownSetting {
  name: string;
  /** The setting it was most likely meant to be. */
  nearest: string | undefined;
  /** `the environment`, or the path of the settings file. */
  place: string;
  /** True if something may be allowed that this name was meant to restrict, so that start-up stops. */
  stops: boolean;
}

/** A name that can be a misspelt setting. Shorter ones, and those of one word, often belong to other programs. */
const OWN_NAME = /^(?=.{8})[a-z]+(_[a-z]+)+$/i;
/** Letters that two forms of a word share: APPROVER, APPROVAL. */
const STEM_LENGTH = 4;

/**
 * The names that are no setting: all of the settings file, and those of the environment that look like a misspelt
 * setting. Other programs share the environment, so a name of it counts only if it is nearly that of a setting.
 */
export function unknownSettings(env: NodeJS.ProcessEnv, file: SettingsFile): UnknownSetting[] {
  const known: readonly string[] = listSettings().flatMap(namesOf);
  const restrictive = known.filter(restricts);
  const isKnown = new Set(known);
  const nearRestrictive = nearestOf(restrictive);
  const nearKnown = nearestOf(known);
  const find = (given: NodeJS.ProcessEnv, place: string, near: (name: string) => string | undefined) =>
    Object.keys(given)
      // Windows does not distinguish the case of names in the environment.
      .filter((name) => !isKnown.has(process.platform === 'win32' ? name.toUpperCase() : name))
      .map((name): UnknownSetting => {
        const meant = nearRestrictive(name, 1) ?? restrictive.find((other) => differsByForm(name, other));
        // A blank value restricts nothing.
        const isGiven = (given[name]?.trim() ?? '') !== '';
        const stops = isGiven && (meant !== undefined || /^CONFIRM_/i.test(name));
        return { name, nearest: stops ? meant : near(name), place, stops };
      });
  // In the environment, a short name may differ by fewer characters.
  const inEnvironment = find(env, 'the environment', (name) =>
    OWN_NAME.test(name) ? nearKnown(name, Math.min(2, Math.floor(name.length / 6))) : undefined,
  );
  return [
    ...inEnvironment.filter(({ nearest, stops }) => stops || nearest !== undefined),
    ...find(file.values, file.path ?? 'the settings file', nearKnown),
  ];
}

/** A sentence for each name, and for each line of the settings file, that stops start-up. */
function nameProblems(unknown: readonly UnknownSetting[], { path, unread }: SettingsFile): string[] {
  return [
    ...unknown.filter(({ stops }) => stops).map((one) => notASetting(one, '')),
    // The line itself may hold a secret.
    ...unread.map(
      (line) =>
        `Line ${line} of ${path} is not NAME=value; begin a comment with #, and end a quoted value with its quote`,
    ),
  ];
}

/** A sentence for each other name that looks like a misspelt setting. */
export function nameWarnings(unknown: readonly UnknownSetting[]): string[] {
  return unknown
    .filter((one) => !one.stops && one.nearest !== undefined)
    .map((one) => notASetting(one, ' and is ignored'));
}

function notASetting({ name, place, nearest }: UnknownSetting, effect: string): string {
  return `${name} in ${place} is not a setting${effect}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}

/** True if a name differs from a setting by the form of one word: SLACK_APPROVAL, MCP_ALLOW_HOSTS. */
function differsByForm(name: string, setting: string): boolean {
  const [words, others] = [name.toUpperCase().split('_'), setting.split('_')];
  const different = words.filter((word, at) => word !== others[at]);
  const [word = ''] = different;
  const stem = word.slice(0, STEM_LENGTH);
  const isForm = stem.length === STEM_LENGTH && others[words.indexOf(word)]?.startsWith(stem);
  return words.length === others.length && different.length === 1 && isForm === true;
}

// Compiling parsers costs more than it saves in a process that starts often and checks small inputs.
z.config({ jitless: true });

/* This is the only reader of the environment. */

export interface Config extends Omit<Settings, 'DATA_DIR'> {
  /** Absolute. */
  DATA_DIR: string;
  /** True if no platform is configured: all calls go to the embedded sandbox. */
  demo: boolean;
  /** Slack is configured, by Socket Mode or by HTTP. */
  slack: 'http' | 'socket' | undefined;
  /** The local user, for the audit trail. */
  user: string;
  machine: string;
  /**
   * True if requests from this computer count as its user's: HOST and PUBLIC_URL are on loopback or unset, and neither
   * tokens nor OAuth are set. Each request is checked as well.
   */
  local: boolean;
  /** True if PUBLIC_URL or HOST lets others reach this server. */
  public: boolean;
  /** True if this process can open a browser that its user sees. */
  display: boolean;
  /** The settings file that was read. */
  settingsFile: string | undefined;
  unknownSettings: readonly UnknownSetting[];
}

/** A setting that stops start-up: its name and the reason. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

let named: string | undefined;

/** Names the settings file of this process (`--settings FILE`), before the first `loadConfig()`. Undefined: `.env`. */
export function useSettingsFile(path: string | undefined): void {
  named = path;
}

function settingsFileOf(env: NodeJS.ProcessEnv): SettingsFile {
  return env === process.env ? readSettingsFile(named) : NO_SETTINGS_FILE;
}

/**
 * Reads and checks all settings. The environment wins over the settings file, of which only names of settings are taken. A
 * blank value counts as unset, so that `NAME=` in the environment does not hide the value in the file. If an environment
 * is passed in, no file is read.
 *
 * @param toolsets names that MCP_TOOLSETS may contain; if left out, MCP_TOOLSETS is not checked
 * @throws ConfigError naming every setting that is not valid, one a line
 */
export function loadConfig(
  env: NodeJS.ProcessEnv = process.env,
  file: SettingsFile = settingsFileOf(env),
  { toolsets }: { toolsets?: readonly string[] } = {},
): Config {
  const all = listSettings();
  const textOf = (name: string) => {
    const names = namesOf(all.find((one) => one.name === name) ?? { name });
    return [...names.map((one) => env[one]), ...names.map((one) => file.values[one])].map(filled).find(Boolean);
  };
  const given = all.flatMap(({ name }) => (textOf(name) === undefined ? [] : [[name, textOf(name)]]));
  const parsed = settings.safeParse(Object.fromEntries(given));
  const wrong = new Map(parsed.error?.issues.toReversed().map(({ path, message }) => [path.join('.'), message]));
  const unknown = unknownSettings(env, file);
  const problems = [
    ...all.flatMap(({ name }) => (wrong.has(name) ? [`${name} ${wrong.get(name)}`] : [])),
    ...nameProblems(unknown, file),
    ...missingSettings(textOf),
  ];
  const { MCP_TOOLSETS: chosen } = parsed.data ?? {};
  if (toolsets && chosen && (chosen.length === 0 || !chosen.every((name) => toolsets.includes(name))))
    problems.push(`MCP_TOOLSETS must be among ${toolsets.join(', ')}, separated by commas`);
  // In the settings file it is relative to that file. In the environment it must be absolute, because the working directory
  // may be a folder that another person prepared.
  const fromFile = filled(env.DATA_DIR) === undefined && file.path !== undefined;
  const ownDir = textOf('DATA_DIR') ?? defaultDataDir(env, process.platform);
  const dataDir = fromFile || isAbsolute(ownDir) ? resolve(dirname(file.path ?? ''), ownDir) : ownDir;
  const unsafe = isAbsolute(dataDir)
    ? dataDirProblem(dataDir)
    : `DATA_DIR ${dataDir} is a relative path, and the working directory is not used: set an absolute path`;
  if (unsafe !== undefined) problems.push(unsafe);
  // A misspelt name may be why another setting is missing.
  if (problems.length > 0 || !parsed.data) throw new ConfigError([...problems, ...nameWarnings(unknown)].join('\n'));
  const config = parsed.data;
  const reachable = ![config.HOST, new URL(config.PUBLIC_URL ?? 'http://127.0.0.1').hostname].every(isLoopback);
  return {
    ...config,
    DATA_DIR: dataDir,
    demo: config.PLATFORM_BASE_URL === undefined,
    slack: config.SLACK_BOT_TOKEN === undefined ? undefined : config.SLACK_APP_TOKEN !== undefined ? 'socket' : 'http',
    user: userName(),
    machine: hostname(),
    local: !reachable && config.MCP_HTTP_TOKENS.length === 0 && config.MCP_OAUTH_ISSUER === undefined,
    public: reachable,
    display: hasDisplay(env, process.platform),
    settingsFile: file.path,
    unknownSettings: unknown,
  };
}

/**
 * Refuses misspelt names of settings that restrict something, and lines of the settings file that are no settings, for a
 * command that reads no settings or not yet.
 *
 * @throws ConfigError naming each, one a line
 */
export function requireNames(): void {
  const { env } = process;
  const file = settingsFileOf(env);
  const problems = nameProblems(unknownSettings(env, file), file);
  if (problems.length > 0) throw new ConfigError(problems.join('\n'));
}

/** A sentence for each setting that is missing although another one that is given needs it. */
function missingSettings(textOf: (name: string) => string | undefined): string[] {
  const isGiven = (name: string) => textOf(name) !== undefined;
  const problems = new Map<string, string>();
  for (const { name, needs = [] } of listSettings().filter((setting) => isGiven(setting.name))) {
    for (const need of typeof needs === 'function' ? needs(textOf) : needs) {
      const oneOf = typeof need === 'string' ? [need] : need;
      const missing = oneOf.join(' or ');
      const needed = oneOf.length > 1 ? 'one of them' : 'it';
      if (!oneOf.some(isGiven) && !problems.has(missing))
        problems.set(missing, `${missing} is missing; ${name} is set and needs ${needed}`);
    }
  }
  return [...problems.values()];
}

/** The value without surrounding space; undefined if nothing is left. */
function filled(value: string | undefined): string | undefined {
  const text = value?.trim() ?? '';
  return text === '' ? undefined : text;
}

/**
 * True if this process can open a browser that its user sees: never over SSH, never in CI, and on Linux and the BSDs
 * only if a display is set.
 */
export function hasDisplay(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): boolean {
  const isSet = (name: string) => (env[name] ?? '') !== '' && env[name] !== 'false' && env[name] !== '0';
  if (['CI', 'SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(isSet)) return false;
  return platform === 'darwin' || platform === 'win32' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY');
}

/** The environment variables about colours on a terminal. The settings file does not affect them. */
export function colourEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Requests per minute that the platform takes from one distributor (PLATFORM.md, Limits). */
const PLATFORM_LIMIT = 120;

/** A warning if PLATFORM_REQUESTS_PER_MINUTE is more than the platform takes. */
export function excessBudget({ PLATFORM_REQUESTS_PER_MINUTE: budget }: Config): string | undefined {
  if (budget <= PLATFORM_LIMIT) return undefined;
  return `PLATFORM_REQUESTS_PER_MINUTE is ${budget}, but the platform takes ${PLATFORM_LIMIT} requests a minute from one distributor and refuses the rest (429). Set it to ${PLATFORM_LIMIT} or less, unless the platform has agreed to more.`;
}

/**
 * The reason why these settings would serve other computers without credentials, which start-up refuses; undefined if
 * they would not.
 */
export function unsafeListening(config: Config): string | undefined {
  if (isLoopback(config.HOST) || config.MCP_HTTP_TOKENS.length > 0 || config.MCP_OAUTH_ISSUER !== undefined)
    return undefined;
  return `HOST ${config.HOST} can be reached from other computers, and there are no credentials: set MCP_HTTP_TOKENS or MCP_OAUTH_ISSUER, or leave HOST at 127.0.0.1.`;
}

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

/** A data folder or a key that this user cannot use, or that another user may have put there. The message says what to do. */
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
 * @throws UnusableData when the path is not a folder, cannot be created or written to, belongs to another user, or others
 * may write to it: the decisions and keys in it could then be theirs
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
  if (problem !== undefined) throw new UnusableData(problem);
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
function dataDirProblem(path: string): string | undefined {
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
