import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Settings from a file, for names that the environment leaves out. */
export interface SettingsFile {
  /** Absolute; undefined if there is no such file. */
  path: string | undefined;
  values: Readonly<Record<string, string>>;
  /** Numbers of the lines that are neither `NAME=value`, blank nor a comment. */
  unread: readonly number[];
  /** The lines of each name that stands on several. The last one counts. */
  repeated: Readonly<Record<string, readonly number[]>>;
}

export const NO_SETTINGS_FILE: SettingsFile = { path: undefined, values: {}, unread: [], repeated: {} };

/**
 * The folder of the package's own package.json, wherever in it this code was bundled to. The one in dist/ only says what
 * kind of modules are in it.
 */
export function packageFolder(from: string = fileURLToPath(import.meta.url)): string {
  let folder = dirname(from);
  for (;;) {
    const file = join(folder, 'package.json');
    if (existsSync(file) && readFileSync(file, 'utf8').includes('"name"')) return folder;
    const above = dirname(folder);
    if (above === folder) return dirname(from);
    folder = above;
  }
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
