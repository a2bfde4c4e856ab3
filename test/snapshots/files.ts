import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../support/build.ts';

/** Texts by their path from the folder of one kind. */
export type Files = Record<string, string>;

const FOLDER = join(ROOT, 'test', 'snapshots');
const UPDATE = process.env.UPDATE_SNAPSHOTS === '1';

/** The files of one kind as they are committed. `npm run snapshots` first replaces them by `files`. */
export function committed(kind: string, files: Files): Files {
  const folder = join(FOLDER, kind);
  if (UPDATE) {
    rmSync(folder, { recursive: true, force: true });
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}
