// Bundles and runs budget.ts: four processes on one store against a platform that counts.
//   node test/bench/budget.mjs [--engine sqlite|postgres] [--minutes 5] [--load mixed|confirmed]
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
mkdirSync(join(root, 'dist'), { recursive: true });
const folder = mkdtempSync(join(root, 'dist', 'bench-'));
try {
  await build({
    entryPoints: ['test/bench/budget.ts', 'test/bench/budget-process.ts'],
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['libsql', 'pino', 'pg', 'vitest', 'esbuild'],
    banner: { js: "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);" },
    outExtension: { '.js': '.mjs' },
    outdir: folder,
  });
  const child = spawn(process.execPath, [join(folder, 'budget.mjs'), ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
