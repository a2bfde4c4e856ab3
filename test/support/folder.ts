import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './ending.ts';

/** An empty folder, which is removed at the end: for files, or the working folder of a process and its DATA_DIR. */
export function makeFolder(): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'sb-')));
  atEnd(() => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return path;
}

/** The files of a folder, at any depth, that hold a text. They are listed again if one was replaced meanwhile. */
export function filesWith(folder: string, text: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => readFileSync(path).includes(text));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return filesWith(folder, text);
    throw error;
  }
}

/** Nothing of this machine's settings. A variable given as undefined is left out. */
export function environment(folder: string, more: Record<string, string | undefined> = {}): Record<string, string> {
  const all: Record<string, string | undefined> = {
    PATH: '/usr/bin:/bin',
    HOME: folder,
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'trace',
    ...more,
  };
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(all)) if (value !== undefined) given[name] = value;
  return given;
}
