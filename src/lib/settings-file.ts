import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';

/** Settings from a file, for names that the environment leaves out. */
export interface SettingsFile {
  /** Absolute; undefined if there is no such file. */
  path: string | undefined;
  values: Readonly<Record<string, string>>;
  /** Names whose value is cut off at a `#` without a space before it, which was probably meant to belong to it. */
  cut: readonly string[];
  /** Numbers of the lines that are neither `NAME=value`, blank nor a comment. */
  unread: readonly number[];
}

export const NO_SETTINGS_FILE: SettingsFile = { path: undefined, values: {}, cut: [], unread: [] };

/**
 * The folder of the package's own package.json, wherever in it this code was bundled to. The one in dist/ only says what
 * kind of modules are in it.
 */
export function packageFolder(from: string = fileURLToPath(import.meta.url)): string {
  let folder = dirname(from);
  while (!describesPackage(join(folder, 'package.json'))) {
    const above = dirname(folder);
    if (above === folder) return dirname(from);
    folder = above;
  }
  return folder;
}

function describesPackage(file: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').includes('"name"');
}

/**
 * Reads the settings file: the one that was named, otherwise `.env` beside the package's package.json. The working
 * directory is ignored, so that a folder prepared by another user cannot configure anything (src/start/README.md, Settings).
 *
 * @param named path given with `--settings`, relative to the working directory as every path on a command line
 * @throws Error with one sentence when the named file cannot be read
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
    throw new Error(`--settings ${path}: ${reason}; name a file of NAME=value lines, such as a copy of .env.example.`, {
      cause: error,
    });
  }
  const values: Record<string, string> = {};
  const unread: number[] = [];
  // `parseEnv` takes text without `=`, and what follows a quote without its end, as part of the next setting.
  for (const [at, line] of text.split(/\r\n?|\n/).entries()) {
    const trimmed = line.trim();
    if (SETTING.test(trimmed)) Object.assign(values, parseEnv(trimmed));
    else if (!BLANK_OR_COMMENT.test(trimmed)) unread.push(at + 1);
  }
  return { path, values, cut: cutNames(text), unread };
}

const BLANK_OR_COMMENT = /^(?:#|$)/;
/** `NAME=value`; a value that begins with a quote has the other one as well. */
const SETTING = /^(?:export\s+)?[\w.-]+\s*=(?!\s*(["'`])(?:(?!\1).)*$)/;

/** `NAME=#events` and `NAME=ab#cd`: `parseEnv` reads what follows `#` as a comment unless the value is quoted. */
const CUT = /^\s*(?:export\s+)?(\w+)\s*=(?:[^\S\n]*[^\s"'`#](?:[^"'`#\n]*[^\s"'`#])?)?#\S/gm;

function cutNames(text: string): string[] {
  return [...text.matchAll(CUT)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}
