import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, ROOT } from './build.ts';

/** Files that every build makes. The in-process tests read some of them too. */
const MADE = ['cli.js', 'listed.json', 'member-names.json', 'playground.js', 'playground.css'];

/** vitest globalSetup: builds dist/ once a run if it is older than a source, so that no test runs a stale bundle. */
export default function setup(): void {
  const built = MADE.every((file) => existsSync(join(ROOT, 'dist', file))) ? statSync(CLI).mtimeMs : 0;
  const newest = Math.max(...['src', 'tools'].map((folder) => newestIn(join(ROOT, folder))));
  if (built > newest) return;
  execFileSync(process.execPath, [join(ROOT, 'src', 'build.mjs')], { cwd: ROOT, stdio: 'inherit' });
}

function newestIn(folder: string): number {
  return Math.max(
    statSync(folder).mtimeMs,
    ...readdirSync(folder, { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? newestIn(join(folder, entry.name)) : statSync(join(folder, entry.name)).mtimeMs,
    ),
  );
}
