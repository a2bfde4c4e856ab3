// Bundles and runs budget.ts: four processes on one store against a platform that counts.
//   node test/bench/budget.mjs [--engine sqlite|postgres] [--minutes 5] [--load mixed|confirmed]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../support/bundle.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
mkdirSync(join(root, 'dist'), { recursive: true });
const folder = mkdtempSync(join(root, 'dist', 'bench-'));
try {
  await bundle(folder, {
    budget: join(root, 'test/bench/budget.ts'),
    'budget-process': join(root, 'test/bench/budget-process.ts'),
  });
  const child = spawn(process.execPath, [join(folder, 'budget.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
