// Builds dist/ (esbuild, one bundle per entry) and derives files from the catalogue.
//   node src/build.mjs                      build
//   node src/build.mjs --generate           write tools/index.ts, manifest.json, .env.example and the README's tables
//   node src/build.mjs --generate --check   compare them, exit 1 where they differ
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  external: ['libsql', '@slack/bolt', 'pino', 'open', 'pg'],
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
  {
    name: "the second MCP SDK's JSON Schema validator",
    filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/,
    contents:
      "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator { getValidator() { throw new Error('no JSON Schema validator is bundled'); } }",
  },
];

/**
 * Half of what starting would load is never used: zod's error texts in forty languages, and a JSON Schema validator
 * for server features we do not call (the gate validates). Both are replaced by what is used of them.
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

/**
 * Bundles a module of ours and imports it.
 * @param {string} entry
 */
async function load(entry) {
  const folder = mkdtempSync(join(root, 'node_modules', '.derive-'));
  try {
    const outfile = join(folder, 'derive.mjs');
    await build({ ...common, entryPoints: [entry], outfile });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The text of a committed file; '' where it is missing.
 * @param {string} path
 */
function read(path) {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') throw error;
    return '';
  }
}

/** Writes derived files, or with `--check` names those that differ. */
async function generate() {
  const check = args.includes('--check');
  /** @type {string[]} */
  const stale = [];
  const put = (/** @type {{ path: string; text: string }} */ { path, text }) => {
    if (read(path) === text) return;
    if (check) stale.push(path);
    else writeFileSync(join(root, path), text);
  };

  // The index comes first: the other files are derived from the tools it names.
  const { toolsIndex } = await load('src/start/tools-index.ts');
  const paths = readdirSync(join(root, 'tools'), { recursive: true, encoding: 'utf8' });
  put({ path: 'tools/index.ts', text: toolsIndex(paths.map((path) => path.replaceAll('\\', '/'))) });
  const { files } = await load('src/start/derive.ts');
  for (const file of files(read)) put(file);

  if (stale.length > 0) {
    console.error(`Not as derived: ${stale.join(', ')}. Run: npm run generate`);
    process.exit(1);
  }
}

if (args.includes('--generate')) {
  await generate();
} else {
  const { listed } = await load('src/start/derive.ts');
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
  writeFileSync(join(root, 'dist', 'listed.json'), JSON.stringify(listed()));
  chmodSync(join(root, 'dist', 'cli.js'), 0o755);
}
