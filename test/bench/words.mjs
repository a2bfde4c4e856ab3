// Bundles and runs words.ts: how well plain words are read, and what it costs.
//   node test/bench/words.mjs [--file EXPECTATIONS] [--folds N] [--time]
//   without arguments: 4-fold over the tables, then the time
//   --file: what the committed model makes of the messages of a file (see words.ts)
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../support/bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
mkdirSync(join(root, 'dist'), { recursive: true });
const folder = mkdtempSync(join(root, 'dist', 'bench-'));
try {
  await bundle(folder, { words: join(root, 'test/bench/words.ts'), load: join(root, 'test/bench/words-load.ts') });
  const child = spawn(process.execPath, [join(folder, 'words.mjs'), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  });
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
