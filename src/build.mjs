// Builds dist/ (esbuild, one bundle per entry) and derives files from the catalogue.
//   node src/build.mjs                      build
//   node src/build.mjs --generate           write manifest.json, .env.example and the README's tables
//   node src/build.mjs --generate --check   compare them, exit 1 where they differ
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
/** @type {import('esbuild').BuildOptions} */
const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  absWorkingDir: root,
  logLevel: 'warning',
  // Native or reading its own files at run time: loaded from node_modules.
  external: ['libsql', '@slack/bolt', 'pino', 'open'],
  // Some bundled packages are CommonJS and ask for `require`.
  banner: {
    js: "import { createRequire as __nodeRequire } from 'node:module'; const require = __nodeRequire(import.meta.url);",
  },
};

/** Modules that are replaced in the bundle by what is used of them. */
const replaced = [
  {
    name: "zod's error texts",
    filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/,
    contents: "export { default as en } from './en.js';",
  },
  {
    name: "the MCP SDK's JSON Schema validator",
    filter: /sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/,
    contents:
      "export class AjvJsonSchemaValidator { getValidator() { throw new Error('no JSON Schema validator is bundled'); } }",
  },
];

/**
 * Half of what starting would load is never used: zod's error texts in forty languages, and a JSON Schema validator
 * for server features we do not call (the door validates). Both are replaced by what is used of them.
 * @type {import('esbuild').Plugin}
 */
const lean = {
  name: 'lean',
  setup(bundle) {
    /** @type {Set<string>} */
    const unused = new Set(replaced.map(({ name }) => name));
    for (const { name, filter, contents } of replaced) {
      bundle.onLoad({ filter }, () => {
        unused.delete(name);
        return { contents, loader: 'js' };
      });
    }
    // A package that moved its files would make the replacement a no-op and the start slower.
    bundle.onEnd(() => {
      for (const name of unused) console.warn(`build: ${name} was not replaced; the package has moved that file.`);
    });
  },
};

const args = process.argv.slice(2);

async function derive() {
  const folder = mkdtempSync(join(root, 'node_modules', '.derive-'));
  try {
    const outfile = join(folder, 'derive.mjs');
    await build({ ...common, entryPoints: ['src/start/derive.ts'], outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const derived = await derive();
if (args.includes('--generate')) {
  const stale = [];
  for (const { path, text } of derived.files((/** @type {string} */ path) => readFileSync(join(root, path), 'utf8'))) {
    let present = '';
    try {
      present = readFileSync(join(root, path), 'utf8');
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
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
    plugins: [lean],
    chunkNames: 'chunks/[name]-[hash]',
    minify: true,
  });
  writeFileSync(join(root, 'dist', 'listed.json'), JSON.stringify(derived.listed()));
  chmodSync(join(root, 'dist', 'cli.js'), 0o755);
}
