import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder for one process: its working folder and its DATA_DIR. */
export function makeFolder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'sb-process-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
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
