// Builds dist/ (esbuild, one bundle per entry) and derives files from the catalogue.
//   node src/build.mjs                      build
//   node src/build.mjs --generate           write manifest.json, .env.example and the README's tables
//   node src/build.mjs --generate --check   compare them, exit 1 where they differ
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const common = /** @type {const} */ ({
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  absWorkingDir: root,
  logLevel: 'warning',
  // Native or reading its own files at run time: loaded from node_modules.
  external: ['libsql', '@slack/bolt', 'pino'],
  // Some bundled packages are CommonJS and ask for `require`.
  banner: {
    js: "import { createRequire as __require } from 'node:module'; const require = __require(import.meta.url);",
  },
});

const args = process.argv.slice(2);

async function derive() {
  const folder = mkdtempSync(join(root, 'node_modules', '.derive-'));
  try {
    const outfile = join(folder, 'derive.mjs');
    await build({ ...common, entryPoints: ['src/derive.ts'], outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const derived = await derive();
if (args.includes('--generate')) {
  const stale = [];
  for (const { path, text } of derived.files((path) => readFileSync(join(root, path), 'utf8'))) {
    let present = '';
    try {
      present = readFileSync(join(root, path), 'utf8');
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
    if (present === text) continue;
    if (args.includes('--check')) stale.push(path);
    else writeFileSync(join(root, path), text);
  }
  if (stale.length > 0) {
    console.error(`Not as derived: ${stale.join(', ')}. Run: npm run generate`);
    process.exit(1);
  }
} else {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  await build({
    ...common,
    entryPoints: { cli: 'src/cli.ts' },
    outdir: 'dist',
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: `#!/usr/bin/env node\n${common.banner.js}` },
  });
  writeFileSync(join(root, 'dist', 'listed.json'), JSON.stringify(derived.listed()));
  chmodSync(join(root, 'dist', 'cli.js'), 0o755);
}
