import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './build.ts';

/** Folders that hold no documentation of this repository. */
const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'dist', '.git', 'data', 'coverage']);

/** The paths of all Markdown files of the repository, from its root, with forward slashes. */
export function documents(folder = ROOT): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return LEFT_OUT.has(entry.name) ? [] : documents(path);
    return entry.name.endsWith('.md') ? [relative(ROOT, path).replaceAll('\\', '/')] : [];
  });
}
